"""Kingdoms: the recommended ones by name, and those a user names or draws."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING

from evodom.dominion.cards import (
    BASIC,
    CARDS,
    FIRST_EDITION,
    KINGDOM_SIZE,
    SETS,
    Card,
    find_card,
    fingerprint,
    why_lacking,
)
from evodom.errors import UsageError
from evodom.runs import lifecycle as versions

if TYPE_CHECKING:
    from evodom.dominion.engine.rules import Rules


KINGDOMS = {name: cards for card_set in SETS.values() for name, cards in card_set.kingdoms.items()}
"""The recommended sets of ten by name."""

RANDOM = "random"
CUSTOM = "custom"
"""The name of a kingdom that has none of its own."""

DRAWN_SETS = ("Base",)
"""The sets from which kingdoms are drawn unless others are asked for."""

_STREAM = 0
"""Which child of a seed draws a kingdom: games and evolution use others."""

_LONGEST_QUOTE = 60
"""Characters of a wrong name that its error repeats."""


@dataclass(frozen=True)
class Kingdom:
    """The kingdom cards of a game, and with them the piles of its Supply; two kingdoms of the same cards are equal.

    ``cards`` are up to ten names, in any case and order (they are kept in alphabetical order); ``drawn`` are those that
    chance chose. Raises UsageError for an unknown, basic or repeated card, or more than ten.
    """

    cards: tuple[str, ...]
    drawn: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        cards = [find_card(name) for name in self.cards]
        for card in cards:
            if card in BASIC:
                raise UsageError(f"{card.name} is in every Supply. Allowed in a kingdom: kingdom cards.")
            if cards.count(card) > 1:
                raise UsageError(f"{card.name} stands twice in the kingdom. Allowed: ten different cards.")
        if len(cards) > KINGDOM_SIZE:
            raise UsageError(f"the kingdom has {len(cards)} cards. Allowed: up to {KINGDOM_SIZE}.")
        object.__setattr__(self, "cards", tuple(sorted(card.name for card in cards)))
        object.__setattr__(self, "drawn", tuple(sorted(find_card(name).name for name in self.drawn)))

    @cached_property
    def name(self) -> str:
        """The name in KINGDOMS, or CUSTOM."""
        return next((name for name, cards in KINGDOMS.items() if set(cards) == set(self.cards)), CUSTOM)

    @cached_property
    def piles(self) -> tuple[Card, ...]:
        """The cards of the piles, in pile order: the seven basic ones, then the kingdom by cost and name."""
        kingdom = [find_card(name) for name in self.cards]
        return (*BASIC, *sorted(kingdom, key=lambda card: (card.cost, card.name)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the piles, in pile order."""
        return tuple(card.name for card in self.piles)

    @cached_property
    def fingerprint(self) -> int:
        """A number (uint64, never 0) that tells kingdoms apart: what a strategy's record says of its piles."""
        return fingerprint(self.piles)

    def pile(self, card: str) -> int:
        """Return the number of a card's pile; raises UsageError for a card that has none here."""
        if card not in self.names:
            raise UsageError(f"{card} is not in this kingdom. Its piles: {', '.join(self.names)}.")
        return self.names.index(card)

    def piles_where(self, holds: Callable[[Card], object]) -> tuple[int, ...]:
        """Return the numbers of the piles of whose card something holds."""
        return tuple(pile for pile, card in enumerate(self.piles) if holds(card))

    def rules(self, n_seats: int) -> "Rules":
        """Return the compiled rules for 1 to 6 players, a record of RULES, made once; raises UsageError for others."""
        if n_seats not in self._rules:
            from evodom.dominion.engine.rules import make_rules  # here: all else about kingdoms is told without NumPy

            self._rules[n_seats] = make_rules(self.piles, n_seats)
        return self._rules[n_seats]

    @cached_property
    def _rules(self) -> dict[int, "Rules"]:
        return {}


FIRST_GAME = Kingdom(KINGDOMS["First Game"])
"""The kingdom that is played where nothing else is said."""


def parse_kingdom(text: str, *, seed: int = 0, first_edition: bool = False) -> Kingdom:
    """Return the kingdom that a text means: a name of KINGDOMS, "random", or cards separated by commas.

    What is missing to ten cards is drawn from the second edition's, with ``first_edition`` from all; ``seed`` decides.
    Raises UsageError for what is no kingdom, unknown or repeated cards, or more than ten.
    """
    name = find_kingdom(text)
    if name:
        return Kingdom(KINGDOMS[name])
    words = [word for word in map(_plain, text.split(",")) if word]
    if not words:
        raise UsageError("the kingdom is empty. Allowed: a name, random, or cards with commas between them.")
    given = _cards_named([word for word in words if word.casefold() != RANDOM])
    drawn = draw_cards(given, seed=seed, first_edition=first_edition)
    return Kingdom(tuple(card.name for card in (*given, *drawn)), tuple(card.name for card in drawn))


def find_kingdom(text: str) -> str:
    """Return the name in KINGDOMS that a text means, in any case and with spaces or hyphens, or ""."""
    return _names_by_slug().get(slug(text), "")


def slug(name: str) -> str:
    """Return a name as it is typed into a shell without quotes: "Silver & Gold" as "silver-and-gold"."""
    words = "".join(" " if char in "()-" else char for char in name.replace("&", " and "))
    return "-".join(words.casefold().split())


def draw_cards(
    given: Sequence[Card], *, seed: int, first_edition: bool = False, sets: Sequence[str] = DRAWN_SETS
) -> list[Card]:
    """Return the cards that make ten of those given, drawn from the sets named, all choices equally likely.

    With ``first_edition`` the cards that a newer edition dropped take part. The draw depends on the cards of these sets
    alone: those of other sets change no seeded draw.
    """
    n_missing = KINGDOM_SIZE - len(given)
    if n_missing <= 0:
        return []
    import numpy as np  # here, where chance is needed: all else about kingdoms is told without waiting for NumPy

    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    listed = (card for name in sets for card in SETS[name].cards_in(dropped=first_edition))
    pool = [card for card in listed if card not in given]
    return [pool[index] for index in rng.permutation(len(pool))[:n_missing]]


def named_card(text: str) -> Card:
    """Return the card a person means, in any case and with spaces or hyphens; a UsageError names the nearest ones."""
    return find_card(_plain(text.replace("-", " ")))


def kingdoms_with(card: Card) -> list[str]:
    """Return the names of the recommended sets that have a card; a basic one is in all."""
    return [name for name, cards in KINGDOMS.items() if card in BASIC or card.name in cards]


def _cards_named(words: Sequence[str]) -> list[Card]:
    """Return the cards of the words; a single word that is no card may have been meant for a kingdom."""
    if len(words) == 1 and slug(words[0]) not in map(slug, CARDS) and not why_lacking(words[0]):
        raise UsageError(f"no kingdom and no card named '{words[0]}'. {_nearest(words[0])}")
    cards = [named_card(word) for word in words]
    Kingdom(tuple(card.name for card in cards))  # refuses what cannot be one, before anything is drawn
    return cards


def _names_by_slug() -> dict[str, str]:
    """Return KINGDOMS by what to type for them; a first-edition one may go without the edition."""
    short = {slug(name.removesuffix(FIRST_EDITION)): name for name in reversed(KINGDOMS)}
    return short | {slug(name): name for name in KINGDOMS}


def _nearest(word: str) -> str:
    """Return the advice for a word that is neither a kingdom nor a card."""
    meant = {slug(name): name for name in CARDS} | _names_by_slug()
    near = dict.fromkeys(meant[found] for found in get_close_matches(slug(word), meant, n=2, cutoff=0.7))
    return f"Did you mean {' or '.join(near)}?" if near else "All are listed by: evodom kingdoms, and evodom cards"


def _plain(text: str) -> str:
    """Return a name as one short, printable line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:_LONGEST_QUOTE]


RULES = versions.RulesVersion("Dominion")
"""What has changed in the rules of Dominion as they are played here.

A strategy saved under other rules plays under these only when asked (`evodom runs adopt`). Add a few words here
whenever a card, or a turn, changes; tests/test_rules_history.py finds changed cards.
"""
