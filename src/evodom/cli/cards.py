"""`evodom cards`: the cards the engine knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from evodom.cli.common import CardName, json_option

if TYPE_CHECKING:
    from evodom.dominion.cards import Card

ORDINALS = {1: "first", 2: "second"}


@click.command(short_help="Tell what the cards cost and do.")
@click.argument("name", type=CardName(), nargs=-1)
@click.option(
    "--edition", type=click.IntRange(1, 2), metavar="1|2", help="List the cards of this edition only.  [default: both]"
)
@json_option
def cards(name: tuple[str, ...], edition: int | None, as_json: bool) -> None:
    """List all cards of the Base Set, or tell all about the card called NAME.

    A name is found in any case; spaces may be hyphens.
    """
    from evodom.dominion.kingdom import named_card
    from evodom.errors import UsageError

    if name and edition:
        raise UsageError("--edition chooses which cards are listed. Leave it out, or the card's name.")
    if name:
        _print_card(named_card(" ".join(name)), as_json)
    else:
        _print_list(edition, as_json)


def _print_list(edition: int | None, as_json: bool) -> None:
    from evodom.cli.catalogue import card_facts, card_table
    from evodom.dominion.cards import CARDS, is_dropped

    listed = [card for card in CARDS.values() if edition is None or edition in card.editions]
    if as_json:
        click.echo(json.dumps([card_facts(card) for card in listed], indent=2))
        return
    dropped = [card for card in listed if is_dropped(card)]
    click.echo("\n".join(card_table(listed, marked=dropped)))
    if dropped:
        click.echo("\n* in the first edition only")


def _print_card(card: Card, as_json: bool) -> None:
    from evodom.cli.catalogue import action_class, card_facts, page
    from evodom.dominion.cards import BASIC
    from evodom.dominion.kingdom import kingdoms_with
    from evodom.presentation.format import joined

    if as_json:
        click.echo(json.dumps(card_facts(card), indent=2))
        return
    counting = card.vp_per.text.replace(" VP", "").removesuffix(" you have, rounded down") if card.vp_per else ""
    kind = action_class(card)
    facts = {
        "card": card.name,
        "cost": f"${card.cost}",
        "types": card.type_line,
        "text": card.text,
        "VP": str(card.vp or counting),
        "class": f"{kind} (strategies order their Actions by class)" if kind else "",
        "edition": " and ".join(ORDINALS[number] for number in card.editions),
        "kingdoms": "all: every Supply has it" if card in BASIC else joined(kingdoms_with(card)) or "none with a name",
    }
    click.echo("\n".join(page(facts)))
