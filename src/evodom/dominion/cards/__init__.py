"""All cards as rows of data, one module per set, and functions that find, count and name cards.

To add a card, add a row. To add a set, add a module and its CardSet to SETS. The Effects of rows are functions of
`dominion.effects`.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from evodom.dominion.cards.base import BASE_SET, BASIC as BASIC, FIRST_EDITION as FIRST_EDITION
from evodom.dominion.cards.base import COPPER as COPPER, CURSE_PILE as CURSE_PILE, GOLD as GOLD, SILVER as SILVER
from evodom.dominion.cards.base import DUCHY as DUCHY, ESTATE as ESTATE, PROVINCE as PROVINCE
from evodom.dominion.cards.card import ACTION as ACTION, ATTACK as ATTACK, CURSE as CURSE, REACTION as REACTION
from evodom.dominion.cards.card import ACTION_CLASS_NAMES as ACTION_CLASS_NAMES, NONTERMINAL as NONTERMINAL
from evodom.dominion.cards.card import TERMINAL as TERMINAL, TERMINAL_DRAW as TERMINAL_DRAW, TREASURE as TREASURE
from evodom.dominion.cards.card import VICTORY as VICTORY, Card as Card, CardSet as CardSet, VpPer as VpPer
from evodom.dominion.cards.intrigue import INTRIGUE
from evodom.dominion.cards.prosperity import COLONY_CARDS as COLONY_CARDS, PROSPERITY
from evodom.dominion.cards.seaside import SEASIDE
from evodom.errors import UsageError, missing_comma, one_line

SETS = {card_set.name: card_set for card_set in (BASE_SET, INTRIGUE, SEASIDE, PROSPERITY)}
"""Sets of kingdom cards by name."""

KINGDOM_CARDS = tuple(card for card_set in SETS.values() for card in card_set.cards)
"""All kingdom cards in the order of SETS."""

CARDS = {card.name: card for card in (*BASIC, *KINGDOM_CARDS, *COLONY_CARDS)}

KINGDOM_SIZE = 10

_LONGEST_QUOTE = 60
"""Maximum length of an unknown name in an error message."""


def name_key(text: str) -> str:
    """Return a name in lower case without spaces, hyphens, underscores, apostrophes and a final full stop.

    Two texts name the same card if their keys are equal.
    """
    return _IGNORED.sub("", text.strip().removesuffix(".")).casefold()


_IGNORED = re.compile("[\\s\\-_'\N{RIGHT SINGLE QUOTATION MARK}]+")


def find_card(name: str) -> Card:
    """Return the card of a name, compared by `name_key`.

    Raise UsageError for an unknown name. If evodom lacks such a card, the message gives its set, else close names.
    """
    (card,) = find_cards([name])
    return card


def find_cards(names: Sequence[str]) -> list[Card]:
    """Return the cards of names, like `find_card`. The error message has all unknown names."""
    found = [CARDS.get(name) or _cards_by_key().get(name_key(name)) for name in names]
    problems = [_problem(name) for name, card in zip(names, found, strict=True) if not card]
    if problems:
        (first, *others), hints = map(dict.fromkeys, zip(*problems, strict=True))
        sentences = [first, *(text[0].upper() + text[1:] for text in others)]
        raise UsageError(" ".join([*sentences, *list(filter(None, hints))[:1]]))
    return [card for card in found if card]


def is_card(name: str) -> bool:
    """Return whether `find_card` finds a card of this name."""
    return name_key(name) in _cards_by_key()


def is_published_card(name: str) -> bool:
    """Return whether a text names a card, also one that evodom does not have."""
    return is_card(name) or name_key(name) in missing_cards()


def _problem(name: str) -> tuple[str, str]:
    """Return two sentences for an unknown name: the problem and a hint. Several names may have the same hint."""
    if lacking := missing_card_text(name):
        sentence, stop, hint = lacking.partition(". ")
        return sentence + stop.strip(), hint
    near, unknown = close_cards(name), f"no card named '{one_line(name, _LONGEST_QUOTE)}'."
    advice = missing_comma(name, is_published_card) or (f"Did you mean {' or '.join(near)}?" if near else "")
    return (f"{unknown} {advice}", "") if advice else (unknown, "All are listed by: evodom cards")


FORMER_NAMES = {"Harem": "Farm"}
"""New names of renamed cards. `find_card` accepts both."""


@cache
def _cards_by_key() -> dict[str, Card]:
    former = {name_key(old): CARDS[new] for old, new in FORMER_NAMES.items()}
    return former | {name_key(name): card for name, card in CARDS.items()}


def close_cards(name: str) -> list[str]:
    """Return up to three names of CARDS with a similar spelling, the closest first."""
    keys = get_close_matches(name_key(name[:_LONGEST_QUOTE]), _cards_by_key(), n=3)
    return [_cards_by_key()[key].name for key in keys]


def missing_card_text(name: str) -> str:
    """Return the error text for a card of a set that is not implemented; "" for any other name."""
    found = missing_cards().get(name_key(name))
    if not found:
        return ""
    card, card_set = found
    missing = "which evodom does not have"
    if (newest := card_set.removesuffix(FIRST_EDITION)) in SETS:
        missing = "which evodom has in the second edition" if newest != card_set else "of which evodom has other cards"
    return f"{card} is a card of {card_set}, {missing}. It has the cards of: {', '.join(SETS)}. See: evodom cards"


@cache
def missing_cards() -> dict[str, tuple[str, str]]:
    """Return the name and the set of each card of other_sets.toml that is not in CARDS, by its `name_key`."""
    text = files(__name__).joinpath("other_sets.toml").read_text(encoding="utf-8")
    listed = ((card, name) for name, cards in tomllib.loads(text).items() for card in cards)
    return {name_key(card): (card, name) for card, name in listed if name_key(card) not in _cards_by_key()}


def fingerprint(piles: tuple[Card, ...]) -> int:
    """Return a hash (uint64, never 0) of the piles of a kingdom and their order."""
    digest = blake2b(",".join(card.name for card in piles).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


def is_dropped(card: Card) -> bool:
    """Return whether the newest edition of its set omits a card."""
    return card.card_set in SETS and SETS[card.card_set].newest_edition not in card.editions


def has_editions(card_set: str) -> bool:
    """Return whether evodom has several editions of a set. This is so only for the Base Set."""
    return card_set in SETS and any(map(is_dropped, SETS[card_set].cards))


def points_of(owned: Mapping[str, int]) -> int:
    """Return the victory points of a player who owns these cards, given as counts by name."""
    points = 0
    for name, n in owned.items():
        card, each = CARDS[name], CARDS[name].vp
        if card.vp_per:
            counted = sum(n for other, n in owned.items() if card.vp_per.counts(CARDS[other]))
            each += card.vp_per.vp * (counted // card.vp_per.n)
        points += n * each
    return points


def name_cards(names: Iterable[str]) -> str:
    """Format cards as "2 Copper, Silver". A Counter supplies its own counts."""
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in Counter(names).items())


def counted(names: Iterable[str]) -> list[str]:
    """Return each different card once, in the given order, with its count if above 1: "Copper x3", "Silver"."""
    return [name if n == 1 else f"{name} x{n}" for name, n in Counter(names).items()]
