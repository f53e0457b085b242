"""`evodom cards` and `evodom kingdoms`: the cards, the recommended kingdoms, and random or custom ones."""

import json
import shutil
from collections.abc import Collection, Sequence
from typing import Any

import click

from evodom.cli.common import command_line
from evodom.cli.options import CardName, CommonArguments, DrawArguments, KingdomText, chosen_kingdom, is_drawing, takes
from evodom.dominion.cards import (
    ACTION_CLASS_NAMES,
    BASIC,
    CARDS,
    COLONY_CARDS,
    Card,
    find_cards,
    has_editions,
    is_dropped,
    is_published_card,
)
from evodom.dominion.effects.effect import Type
from evodom.dominion.kingdom import CUSTOM, KINGDOMS, Kingdom, find_sets, kingdoms_with, sets_of, slug
from evodom.errors import UsageError, split_names
from evodom.options import chosen_seed
from evodom.presentation.format import joined
from evodom.presentation.text import WIDTH, table_lines, term_lines

ORDINALS = {1: "first", 2: "second"}


@click.command()
@click.argument("name", type=CardName(), nargs=-1)
@click.option(
    "--edition", type=click.IntRange(1, 2), metavar="1|2", help="List the cards of this edition only.  [default: both]"
)
@click.option("--set", "of_set", metavar="NAME", help="List the cards of this set only.  [default: all]")
@takes(CommonArguments, "common", "as_json")
def cards(name: tuple[str, ...], edition: int | None, of_set: str | None, common: CommonArguments) -> None:
    """List all cards, or show the card NAME or several.

    Case is ignored, and spaces may be written as hyphens.
    """
    if name and (edition or of_set):
        flag = "--edition" if edition else "--set"
        raise UsageError(f"{flag} filters the list of cards. Leave out the option or the card's name.")
    if name:
        parts = [part for part in " ".join(name).split(",") if part.strip()] or [""]
        shown = find_cards([each for part in parts for each in split_names(part, is_published_card) or [part]])
        facts = [card_facts(card) for card in shown]
        as_json = json.dumps(facts if len(facts) > 1 else facts[0], indent=2)
        click.echo(as_json if common.as_json else "\n\n".join(map(_page_of, shown)))
    else:
        _print_cards(edition, of_set, as_json=common.as_json)


def _print_cards(edition: int | None, of_set: str | None, *, as_json: bool) -> None:
    listed = [card for card in CARDS.values() if edition is None or edition in card.editions]
    if of_set is not None:
        sets = find_sets(of_set)
        listed = [card for card in listed if card.card_set in sets]
    if as_json:
        click.echo(json.dumps([card_facts(card) for card in listed], indent=2))
        return
    dropped = [card for card in listed if is_dropped(card)]
    click.echo("\n".join(card_table(listed, marked=dropped)))
    if dropped:
        click.echo("\n* in the first edition only")


def _page_of(card: Card) -> str:
    counting = card.vp_per.text.replace(" VP", "").removesuffix(" you have, rounded down") if card.vp_per else ""
    kind = action_class(card)
    facts = {
        "card": card.name,
        "cost": f"${card.cost}",
        "types": card.type_line,
        "text": card.text,
        "VP": str(card.vp or counting),
        "class": f"{kind} (strategies order their Actions by class)" if kind else "",
        "set": card.card_set,
        "edition": " and ".join(ORDINALS[number] for number in card.editions) if has_editions(card.card_set) else "",
        "kingdoms": _kingdoms_of(card),
    }
    return "\n".join(term_lines({name: text for name, text in facts.items() if text}, width=width()))


def _kingdoms_of(card: Card) -> str:
    if card in BASIC:
        return "all: every Supply has it"
    return "all with --colonies yes" if card in COLONY_CARDS else joined(kingdoms_with(card)) or "none with a name"


@click.command()
@click.argument("name", type=KingdomText(), nargs=-1)
@takes(DrawArguments, "draw")
@takes(CommonArguments, "common", "seed", "as_json")
def kingdoms(name: tuple[str, ...], draw: DrawArguments, common: CommonArguments) -> None:
    """List the recommended kingdoms, or show the cards of the kingdom NAME.

    NAME may also be random, or cards separated by commas. Missing cards are drawn to make ten; the same --seed draws
    the same cards.
    """
    if name:
        seed = chosen_seed(common.seed)
        _print_kingdom(chosen_kingdom(" ".join(name), draw, seed=seed), seed, as_json=common.as_json)
    elif is_drawing(draw) or common.seed is not None:
        raise UsageError(
            "--seed, --first-edition, --sets and --colonies apply to one kingdom. Name it, for example: random"
        )
    else:
        _print_kingdoms(as_json=common.as_json)


def _print_kingdoms(*, as_json: bool) -> None:
    if as_json:
        facts = [{"name": name, "sets": sets_of(cards), "cards": cards} for name, cards in KINGDOMS.items()]
        click.echo(json.dumps(facts, indent=2))
    else:
        rows = [(name, ", ".join(sets_of(cards)), joined(cards)) for name, cards in KINGDOMS.items()]
        click.echo("\n".join(table_lines([("kingdom", "sets", "cards"), *rows], left=(0, 1, 2), width=width())))


def _print_kingdom(kingdom: Kingdom, seed: int, *, as_json: bool) -> None:
    cards = [card for card in CARDS.values() if card.name in kingdom.cards]
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
    click.echo(f"Its cards: {', '.join(kingdom.cards)}")
    click.echo(f"Evolve in it: {command_line('evodom', 'evolve', 'demo', '--kingdom', text, data_dir=None)}")


MAX_WIDTH = 120
"""Lines longer than this are hard to read, however wide the terminal."""


def width() -> int:
    """Return how many columns wide a table may be: the width of the terminal, within limits."""
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH // 2), MAX_WIDTH)


def card_facts(card: Card) -> dict[str, Any]:
    """Return the facts of a card as plain JSON types."""
    return {
        "name": card.name,
        "cost": card.cost,
        "types": card.type_line.split(" - "),
        "text": card.text,
        "coins": card.coins,
        "vp": card.vp,
        "vp_per": card.vp_per and {"vp": card.vp_per.vp, "cards": card.vp_per.n, "of": card.vp_per.kind},
        "class": action_class(card),
        "editions": list(card.editions),
        "set": card.card_set,
        "basic": card in BASIC,
        "kingdoms": kingdoms_with(card),
    }


def action_class(card: Card) -> str | None:
    """Return an Action's class in the order of strategies; None for other cards."""
    return ACTION_CLASS_NAMES[card.action_class] if Type.ACTION in card.types else None


def card_table(cards: Sequence[Card], marked: Collection[Card] = ()) -> list[str]:
    """Return the lines of a table of cards, with a star behind the names of those in ``marked``."""
    rows = [(card.name + "*" * (card in marked), f"${card.cost}", card.type_line, card.text) for card in cards]
    return table_lines([("card", "cost", "types", "text"), *rows], left=(0, 2, 3), width=width())
