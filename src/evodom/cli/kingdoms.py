"""`evodom kingdoms`: the recommended kingdoms, and random or custom ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from evodom.cli.common import (
    KingdomText,
    chosen_kingdom,
    chosen_seed,
    command_line,
    first_edition_option,
    json_option,
    seed_option,
)
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom


@click.command(short_help="Tell which cards a kingdom has, or draw one.")
@click.argument("name", type=KingdomText(), nargs=-1)
@first_edition_option
@seed_option
@json_option
def kingdoms(name: tuple[str, ...], first_edition: bool, seed: int | None, as_json: bool) -> None:
    """List the recommended kingdoms, or tell the cards of the one called NAME.

    NAME may also be what --kingdom means elsewhere: random, or cards with commas between them. What is missing to ten
    is drawn; the same --seed draws the same.
    """
    if name:
        seed = chosen_seed(seed)
        _print_kingdom(chosen_kingdom(" ".join(name), seed=seed, first_edition=first_edition), seed, as_json)
    elif first_edition or seed is not None:
        raise UsageError("--seed and --first-edition are for drawing cards. Say which kingdom, for example: random")
    else:
        _print_list(as_json)


def _print_list(as_json: bool) -> None:
    from evodom.cli.catalogue import wrapped
    from evodom.dominion.kingdom import KINGDOMS
    from evodom.presentation.format import joined

    if as_json:
        click.echo(json.dumps([{"name": name, "cards": cards} for name, cards in KINGDOMS.items()], indent=2))
    else:
        rows = [(name, joined(cards)) for name, cards in KINGDOMS.items()]
        click.echo("\n".join(wrapped([("kingdom", "cards"), *rows])))


def _print_kingdom(kingdom: Kingdom, seed: int, as_json: bool) -> None:
    from evodom.cli.catalogue import card_facts, card_table
    from evodom.dominion.cards import KINGDOM
    from evodom.dominion.kingdom import CUSTOM, slug

    cards = [card for card in KINGDOM if card.name in kingdom.cards]
    if as_json:
        facts = {"name": kingdom.name, "seed": seed if kingdom.drawn else None, "drawn": list(kingdom.drawn)}
        click.echo(json.dumps(facts | {"cards": [card_facts(card) for card in cards]}, indent=2))
        return
    drawn = [card for card in cards if card.name in kingdom.drawn]
    title = "A kingdom without a name" if kingdom.name == CUSTOM else kingdom.name
    click.echo("\n".join([title, "", *card_table(cards, marked=drawn), ""]))
    if drawn:
        click.echo(f"* drawn with seed {seed}")
    text = ",".join(map(slug, kingdom.cards)) if kingdom.name == CUSTOM else slug(kingdom.name)
    click.echo(f"Evolve in it: {command_line('evodom', 'evolve', 'demo', '--kingdom', text, data_dir=None)}")
