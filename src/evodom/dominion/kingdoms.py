"""Kingdoms: the recommended ones by name, and those a user names or draws.

The second edition's rulebook recommends six sets of Base Set cards alone, the first edition's five.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from evodom.dominion.cards import KINGDOM, KINGDOM_SIZE, Card, find_card, kingdom_piles
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

RANDOM = "random"
CUSTOM = "custom"
"""The name of a kingdom that has none of its own."""

_STREAM = 0
"""Which child of a seed draws a kingdom: games and evolution use others."""


@dataclass(frozen=True, slots=True)
class Kingdom:
    """A set of kingdom cards; ``name`` is one of KINGDOMS or CUSTOM."""

    name: str
    cards: tuple[str, ...]


def parse_kingdom(text: str, *, seed: int = 0, first_edition: bool = False) -> Kingdom:
    """Return the kingdom that a text means: a name of KINGDOMS, "random", or cards separated by commas.

    What is missing to ten cards is drawn from the second edition's, with ``first_edition`` from all; ``seed`` decides.
    Raises UsageError for what is no kingdom, unknown or repeated cards, or more than ten.
    """
    name = find_kingdom(text)
    if name:
        return Kingdom(name, KINGDOMS[name])
    words = [word.strip() for word in text.split(",") if word.strip()]
    given = [] if [word.casefold() for word in words] == [RANDOM] else _cards_named(words, text)
    drawn = draw_cards(given, seed=seed, first_edition=first_edition)
    cards = tuple(sorted(card.name for card in (*given, *drawn)))
    kingdom_piles(cards)
    known = {frozenset(kingdom): name for name, kingdom in KINGDOMS.items()}
    return Kingdom(known.get(frozenset(cards), CUSTOM), cards)


def find_kingdom(text: str) -> str:
    """Return the name in KINGDOMS that a text means, in any case, or ""."""
    wanted = " ".join(text.casefold().replace(" and ", " & ").split())
    for suffix in ("", FIRST_EDITION):
        for name in KINGDOMS:
            if name.casefold() == wanted + suffix:
                return name
    return ""


def draw_cards(given: Sequence[Card], *, seed: int, first_edition: bool = False) -> list[Card]:
    """Return the cards that make ten of those given, all sets alike probable."""
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    pool = [card for card in KINGDOM if card not in given and (first_edition or card.edition == 2)]
    order = rng.permutation(len(pool))[: max(KINGDOM_SIZE - len(given), 0)]
    return [pool[index] for index in order]


def _cards_named(words: Sequence[str], text: str) -> list[Card]:
    """Return the cards of the words; a single word that is no card may have been meant for a kingdom."""
    if not words:
        raise UsageError(f"the kingdom is '{text}'. Allowed: a name, random, or cards with commas between them.")
    if len(words) == 1:
        near = get_close_matches(words[0].title(), KINGDOMS, n=1, cutoff=0.7)
        if near:
            raise UsageError(f"no kingdom named '{words[0]}'. Did you mean {near[0]}?")
    cards = [find_card(word) for word in words]
    kingdom_piles(tuple(card.name for card in cards))
    return cards
