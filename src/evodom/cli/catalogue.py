"""Format cards as rows of a table and as JSON, for the commands that print them."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from evodom.dominion.cards import ACTION_CLASS_NAMES, BASIC, Card
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import kingdoms_with
from evodom.presentation.format import NO_BREAK
from evodom.presentation.text import WIDTH

GAP = "  "
WIDEST = 120
"""Lines longer than this are hard to read, however wide the terminal."""


def width() -> int:
    """Return how many columns wide a table may be: the width of the terminal, within limits."""
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH // 2), WIDEST)


def card_facts(card: Card) -> dict[str, Any]:
    """Return all that is known about a card, as plain JSON types."""
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
        "basic": card in BASIC,
        "kingdoms": kingdoms_with(card),
    }


def action_class(card: Card) -> str | None:
    """Return the class by which strategies order an Action; None for a card that is not an Action."""
    return ACTION_CLASS_NAMES[card.action_class] if Type.ACTION in card.types else None


def card_table(cards: Sequence[Card], marked: Collection[Card] = ()) -> list[str]:
    """Return the lines of a table of cards, with a star behind the names of those in ``marked``."""
    rows = [(card.name + "*" * (card in marked), f"${card.cost}", card.type_line, card.text) for card in cards]
    return wrapped([("card", "cost", "types", "text"), *rows], right=(1,))


def page(facts: Mapping[str, str]) -> list[str]:
    """Return a line for each fact that is not empty, wrapped beside its name."""
    return wrapped([(name, text) for name, text in facts.items() if text])


def wrapped(rows: Sequence[tuple[str, ...]], *, right: Collection[int] = ()) -> list[str]:
    """Return rows as aligned lines; the last column is wrapped, and the columns in ``right`` are right-aligned."""
    *columns, _ = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for *cells, text in rows:
        sized = enumerate(zip(cells, widths, strict=True))
        head = "".join((cell.rjust(size) if i in right else cell.ljust(size)) + GAP for i, (cell, size) in sized)
        room = max(width() - len(head), WIDTH // 4)
        first, *others = textwrap.wrap(text, room, break_on_hyphens=False) or [""]
        lines += [(head + first).rstrip(), *(" " * len(head) + line for line in others)]
    return [line.replace(NO_BREAK, " ") for line in lines]
