"""Kingdoms: the recommended ones by name, and those a user names or draws.

The second edition's rulebook recommends six sets of Base Set cards alone, the first edition's five.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from evodom.dominion.cards import BASIC, CARDS, KINGDOM, KINGDOM_SIZE, Card, find_card, kingdom_piles
from evodom.errors import UsageError

FIRST_EDITION = " (1st edition)"
"""What the name of a first-edition kingdom ends with; it may be left out where no other has the same name."""

KINGDOMS = {
    "First Game": (
        "Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop",
    ),
    "Size Distortion": (
        "Artisan", "Bandit", "Bureaucrat", "Chapel", "Festival", "Gardens", "Sentry", "Throne Room", "Witch",
        "Workshop",
    ),
    "Deck Top": (
        "Artisan", "Bureaucrat", "Council Room", "Festival", "Harbinger", "Laboratory", "Moneylender", "Sentry",
        "Vassal", "Village",
    ),
    "Sleight of Hand": (
        "Cellar", "Council Room", "Festival", "Gardens", "Harbinger", "Library", "Militia", "Poacher", "Smithy",
        "Throne Room",
    ),
    "Improvements": (
        "Artisan", "Cellar", "Market", "Merchant", "Mine", "Moat", "Moneylender", "Poacher", "Remodel", "Witch",
    ),
    "Silver & Gold": (
        "Bandit", "Bureaucrat", "Chapel", "Harbinger", "Laboratory", "Merchant", "Mine", "Moneylender", "Throne Room",
        "Vassal",
    ),
    "First Game (1st edition)": (
        "Cellar", "Market", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Woodcutter", "Workshop",
    ),
    "Big Money (1st edition)": (
        "Adventurer", "Bureaucrat", "Chancellor", "Chapel", "Feast", "Laboratory", "Market", "Mine", "Moneylender",
        "Throne Room",
    ),
    "Interaction (1st edition)": (
        "Bureaucrat", "Chancellor", "Council Room", "Festival", "Library", "Militia", "Moat", "Spy", "Thief",
        "Village",
    ),
    "Size Distortion (1st edition)": (
        "Cellar", "Chapel", "Feast", "Gardens", "Laboratory", "Thief", "Village", "Witch", "Woodcutter", "Workshop",
    ),
    "Village Square (1st edition)": (
        "Bureaucrat", "Cellar", "Festival", "Library", "Market", "Remodel", "Smithy", "Throne Room", "Village",
        "Woodcutter",
    ),
}  # fmt: skip
"""The recommended sets of ten by name."""

FIRST_GAME = KINGDOMS["First Game"]

NEW_IN_SECOND_EDITION = ("Artisan", "Bandit", "Harbinger", "Merchant", "Poacher", "Sentry", "Vassal")

RANDOM = "random"
CUSTOM = "custom"
"""The name of a kingdom that has none of its own."""

_STREAM = 0
"""Which child of a seed draws a kingdom: games and evolution use others."""

_LONGEST_QUOTE = 60
"""Characters of a wrong name that its error repeats."""


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A set of kingdom cards; ``name`` is one of KINGDOMS or CUSTOM, ``drawn`` are those that chance chose."""

    name: str
    cards: tuple[str, ...]
    drawn: tuple[str, ...] = ()


def parse_kingdom(text: str, *, seed: int = 0, first_edition: bool = False) -> Kingdom:
    """Return the kingdom that a text means: a name of KINGDOMS, "random", or cards separated by commas.

    What is missing to ten cards is drawn from the second edition's, with ``first_edition`` from all; ``seed`` decides.
    Raises UsageError for what is no kingdom, unknown or repeated cards, or more than ten.
    """
    name = find_kingdom(text)
    if name:
        return Kingdom(name, KINGDOMS[name])
    words = [word for word in map(_plain, text.split(",")) if word]
    if not words:
        raise UsageError("the kingdom is empty. Allowed: a name, random, or cards with commas between them.")
    given = _cards_named([word for word in words if word.casefold() != RANDOM])
    drawn = draw_cards(given, seed=seed, first_edition=first_edition)
    cards = tuple(sorted(card.name for card in (*given, *drawn)))
    known = {frozenset(kingdom): name for name, kingdom in KINGDOMS.items()}
    return Kingdom(known.get(frozenset(cards), CUSTOM), cards, tuple(sorted(card.name for card in drawn)))


def find_kingdom(text: str) -> str:
    """Return the name in KINGDOMS that a text means, in any case and with spaces or hyphens, or ""."""
    return _names_by_slug().get(slug(text), "")


def slug(name: str) -> str:
    """Return a name as it is typed into a shell without quotes: "Silver & Gold" as "silver-and-gold"."""
    words = "".join(" " if char in "()-" else char for char in name.replace("&", " and "))
    return "-".join(words.casefold().split())


def draw_cards(given: Sequence[Card], *, seed: int, first_edition: bool = False) -> list[Card]:
    """Return the cards that make ten of those given, all sets alike probable."""
    n_missing = KINGDOM_SIZE - len(given)
    if n_missing <= 0:
        return []
    import numpy as np  # here, where chance is needed: all else about kingdoms is told without waiting for NumPy

    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    pool = [card for card in KINGDOM if card not in given and (first_edition or card.edition == 2)]
    return [pool[index] for index in rng.permutation(len(pool))[:n_missing]]


def named_card(text: str) -> Card:
    """Return the card a person means, in any case and with spaces or hyphens; a UsageError names the nearest ones."""
    return find_card(_plain(text.replace("-", " ")))


def editions(card: Card) -> tuple[int, ...]:
    """Return the editions of the Base Set that have a card."""
    if card.name in NEW_IN_SECOND_EDITION:
        return (2,)
    return (1,) if card.edition == 1 else (1, 2)


def kingdoms_with(card: Card) -> list[str]:
    """Return the names of the recommended sets that have a card; a basic one is in all."""
    return [name for name, cards in KINGDOMS.items() if card in BASIC or card.name in cards]


def _cards_named(words: Sequence[str]) -> list[Card]:
    """Return the cards of the words; a single word that is no card may have been meant for a kingdom."""
    if len(words) == 1 and slug(words[0]) not in map(slug, CARDS):
        raise UsageError(f"no kingdom and no card named '{words[0]}'. {_nearest(words[0])}")
    cards = [named_card(word) for word in words]
    kingdom_piles(tuple(card.name for card in cards))
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
