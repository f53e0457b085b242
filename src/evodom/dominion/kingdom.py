"""Define `Kingdom`, the recommended kingdoms by name, and functions that parse and draw kingdoms."""

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

from evodom.dominion.cards import (
    BASIC,
    CARDS,
    COLONY_CARDS,
    FIRST_EDITION,
    KINGDOM_SIZE,
    SETS,
    Card,
    find_card,
    find_cards,
    fingerprint,
    is_published_card,
    missing_cards,
    name_key,
)
from evodom.dominion.cards.card import CardChange
from evodom.errors import UsageError, missing_comma, one_line, short, split_names
from evodom.options import checked_seed

if TYPE_CHECKING:
    import numpy as np

    from evodom.dominion.engine.rules import Rules


def _mixed_kingdoms() -> dict[str, tuple[str, ...]]:
    """Return the kingdoms of kingdoms.toml whose cards all exist."""
    text = files("evodom.dominion.cards").joinpath("kingdoms.toml").read_text(encoding="utf-8")
    listed = {name: tuple(cards.split(", ")) for name, cards in tomllib.loads(text).items()}
    return {name: cards for name, cards in listed.items() if CARDS.keys() >= {*cards}}


KINGDOMS = {name: cards for card_set in SETS.values() for name, cards in card_set.kingdoms.items()} | _mixed_kingdoms()
"""Cards of the recommended kingdoms by name."""

RANDOM = "random"
CUSTOM = "custom"
"""Name of a kingdom that is not in KINGDOMS."""

DRAWN_SETS = ("Base",)
"""Default sets of `draw_cards`."""

AUTO, YES, NO = COLONIES = ("auto", "yes", "no")
"""Values of ``--colonies``: whether a kingdom has Platinum and Colony. AUTO is explained at `parse_kingdom`."""

_STREAM, _COLONY_STREAM = (0,), (0, 1)
"""Spawn keys of the random streams for drawn cards and for Colony. Games and evolution use other keys."""

_SEPARATORS = re.compile(r"[,;|\t\r\n]+")
"""Separators of the cards of a kingdom."""

_MARKUP = (
    (re.compile(r"\{\{\s*(?:cost|debt)\b[^{}]*\}\}", re.I), ""),
    (re.compile(r"\|\s*\w+\s*=[^|{}]*"), ""),
    (re.compile(r"(?:\{\{\s*card\s*\||\[\[)([^][{}|]*)(?:\|[^][{}]*)?(?:\}\}|\]\])", re.I), r",\1,"),
    (re.compile(r"\{\{[^|{}]*\||\}\}"), ","),
    (re.compile(r"\s?\(2nd(?: ed(?:ition|\.)?)?\)|\s2nd edition\b|(?<=[a-z])_?2(?:nd)?(?:add)?(?=_)", re.I), ""),
    (re.compile(r"[\"\u201c\u201d]|\(\$?\d+\)"), ""),
    (re.compile(r"\s(?=\d+[.)]\s)|,?\s+and\s+|\s+(?=(?:with|without|no)\s+(?:colon|platinum))", re.I), ","),
)
"""Patterns in a kingdom's text, and their replacements.

A wiki has {{Cost|5}}, {{Card|Wharf|shown text}}, [[Wharf]] and {{Kingdom|Wharf|Haven|title=...}}. The second edition is
"(2nd)" or "(2nd edition)" after a name, and in the ids of KingdomCreator: baseset2_vassal, intrigue_2nd_mill. Quotes
and costs go: "Wharf" (5). Several cards may be in a line: 1) Wharf 2) Haven and Moat with Colonies.
"""

_LIST_MARK = re.compile(r"^[\s*#:\N{BULLET}]*(?:\d+\s*[.)])?\s*")
"""Pattern of the mark at the beginning of a line: "* ", "1. ", "1) "."""

_HEADINGS = ("base set", "dominion", "kingdom", "kingdom cards", "supply", "cards")
"""Headings before a colon or an underscore, in addition to the names of sets."""

_COLONY_WORDS = re.compile("(with|without|no)?(?:colon(?:y|ies)|platinum(?:(?:and|&|/)colon(?:y|ies))?)")
"""Pattern of the words for Platinum and Colony, in the form of `name_key`."""


@dataclass(frozen=True)
class Kingdom:
    """The kingdom cards of a game, which determine the piles of its Supply.

    ``cards`` are up to ten names in any case and order; they are sorted alphabetically. Platinum and Colony come last:
    the game has both if one of them is named. ``drawn`` are the randomly chosen cards; they do not affect equality.
    Raises UsageError for an unknown, basic or repeated card, or more than ten kingdom cards.
    """

    cards: tuple[str, ...]
    drawn: tuple[str, ...] = field(default=(), compare=False)
    max_cards: ClassVar[int] = KINGDOM_SIZE
    """Maximum number of kingdom cards, without Platinum and Colony."""

    def __post_init__(self) -> None:
        cards = find_cards(self.cards)
        for card in cards:
            if card in BASIC:
                raise UsageError(f"{card.name} is in every Supply. Allowed in a kingdom: kingdom cards.")
            if cards.count(card) > 1:
                raise UsageError(
                    f"{card.name} is twice in the kingdom. Allowed: up to {self.max_cards} different cards."
                )
        named = sorted(card.name for card in cards if card not in COLONY_CARDS)
        if len(named) > self.max_cards:
            raise UsageError(f"the kingdom has {len(named)} cards. Allowed: up to {self.max_cards}.")
        colony = [card.name for card in COLONY_CARDS] if len(named) < len(cards) else []
        object.__setattr__(self, "cards", (*named, *colony))
        object.__setattr__(self, "drawn", tuple(sorted(find_card(name).name for name in self.drawn)))

    @cached_property
    def name(self) -> str:
        """Name in KINGDOMS, or CUSTOM."""
        return next((name for name, cards in KINGDOMS.items() if set(cards) == set(self.cards)), CUSTOM)

    @cached_property
    def piles(self) -> tuple[Card, ...]:
        """Cards of the piles in pile order: seven basic cards, the kingdom by cost and name, Platinum and Colony."""
        cards = [find_card(name) for name in self.cards]
        kingdom = [card for card in cards if card not in COLONY_CARDS]
        piles = (*BASIC, *sorted(kingdom, key=lambda card: (card.cost, card.name)), *cards[len(kingdom) :])
        for change in self.card_changes:
            piles = tuple(change.applied_to(card) for card in piles)
        return piles

    @property
    def card_changes(self) -> list[CardChange]:
        """The changes that the cards of the kingdom make to other cards."""
        return [change for name in self.cards if (change := find_card(name).changes)]

    @property
    def kingdom_piles(self) -> range:
        """Numbers of the piles of kingdom cards."""
        return range(len(BASIC), len(self.piles) - len(COLONY_CARDS) * self.has_colony)

    @property
    def has_colony(self) -> bool:
        """True if the game has Platinum and Colony."""
        return COLONY_CARDS[0].name in self.cards

    @property
    def has_expansions(self) -> bool:
        """True if a kingdom card is not of the Base Set, in either edition."""
        return any(find_card(name) not in (*SETS["Base"].cards, *COLONY_CARDS) for name in self.cards)

    @property
    def n_columns(self) -> int:
        """Number of piles in observations and genomes: at least the number in a kingdom of ten cards."""
        return max(len(self.piles), len(BASIC) + KINGDOM_SIZE)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the piles in pile order."""
        return tuple(card.name for card in self.piles)

    @cached_property
    def fingerprint(self) -> int:
        """Hash of the piles (uint64, never 0). Records of strategies contain it."""
        return fingerprint(self.piles)

    def pile(self, card: str) -> int:
        """Return the number of a card's pile. Raise UsageError for a card without a pile."""
        if card not in self.names:
            raise UsageError(f"{card} is not in this kingdom. Its piles: {', '.join(self.names)}.")
        return self.names.index(card)

    def by_card(self, numbers: Iterable[float]) -> dict[str, float]:
        """Return numbers that are given by pile, such as a mean deck, by card."""
        return {name: float(number) for name, number in zip(self.names, numbers, strict=False)}

    def piles_where(self, holds: Callable[[Card], object]) -> tuple[int, ...]:
        """Return the numbers of the piles whose card satisfies a predicate."""
        return tuple(pile for pile, card in enumerate(self.piles) if holds(card))

    def rules(self, n_seats: int) -> "Rules":
        """Return the compiled rules for 1 to 6 players, a cached record of RULES. Raise UsageError for others."""
        if n_seats not in self._rules:
            # Imported here: the rest of the module works without NumPy.
            from evodom.dominion.engine.compiler import make_rules
            from evodom.dominion.strategies.play.card_facts import write_card_facts

            self._rules[n_seats] = make_rules(self.piles, n_seats)
            write_card_facts(self._rules[n_seats], self.piles)
        return self._rules[n_seats]

    @cached_property
    def rules_fingerprint(self) -> str:
        """Hash of the compiled rules. Saved games and runs are refused if it has changed."""
        return blake2b(self.rules(2).tobytes(), digest_size=6).hexdigest()

    @cached_property
    def _rules(self) -> dict[int, "Rules"]:
        return {}


def differs_in_colony(kingdom: Kingdom, other: Kingdom) -> bool:
    """Return whether two kingdoms differ in Platinum and Colony alone."""
    return kingdom.piles[: kingdom.kingdom_piles.stop] == other.piles[: other.kingdom_piles.stop] and kingdom != other


FIRST_GAME = Kingdom(KINGDOMS["First Game"])
"""The default kingdom."""


def engine_groups(*kingdoms: Kingdom) -> list[str]:
    """Return the names of the kernel groups (`kernel_groups`) that games in these kingdoms need."""
    return ["games", *(["expansions"] if any(kingdom.has_expansions for kingdom in kingdoms) else [])]


def parse_kingdom(
    text: str,
    *,
    seed: int = 0,
    first_edition: bool = False,
    sets: str | Sequence[str] = DRAWN_SETS,
    colonies: str = AUTO,
) -> Kingdom:
    """Parse a kingdom: a name of KINGDOMS, "random", or cards with one of _SEPARATORS between them.

    `_read_words` also reads lists with numbers, names of sets before cards, templates of a wiki, ids of KingdomCreator,
    and "with Colonies" or "no Colony".

    With fewer than ten kingdom cards, the rest is drawn with ``seed`` from the newest edition of ``sets``. With
    ``first_edition`` cards of all editions are drawn. ``colonies`` is one of COLONIES:

    - YES, NO: the game has Platinum and Colony, or does not have them.
    - AUTO: the game has them if the text or the named kingdom includes them. Else, if cards are drawn, the probability
      is the share of Prosperity cards in the kingdom.

    Raises UsageError for an empty text, for unknown, basic or repeated cards, for more than ten kingdom cards, for
    unknown sets or sets with too few cards, and if ``colonies`` contradicts the text.
    """
    if colonies not in COLONIES:
        raise UsageError(f"colonies is {short(colonies)}. Allowed: {', '.join(COLONIES)}.")
    sets = find_sets(sets)
    words, in_text = _read_words(text)
    if not words and in_text == AUTO:
        raise UsageError("the kingdom is empty. Allowed: a name, random, or cards with commas between them.")
    if in_text != AUTO and colonies not in (AUTO, in_text):
        named = "Colony or Platinum is among the named cards" if in_text == YES else "the kingdom is without Colonies"
        raise UsageError(f"{named}, and --colonies is {colonies}. Leave one of them out.")
    colonies = colonies if in_text == AUTO else in_text
    if name := find_kingdom(text) or (find_kingdom(words[0]) if len(words) == 1 else ""):
        return _with_colonies(Kingdom(KINGDOMS[name]), colonies)
    given = _cards_named([word for word in words if name_key(word) != RANDOM])
    drawn = draw_cards(given, seed=seed, first_edition=first_edition, sets=sets)
    kingdom = Kingdom(tuple(card.name for card in (*given, *drawn)), tuple(card.name for card in drawn))
    if colonies == AUTO and drawn:
        colonies = _drawn_colonies(kingdom, seed)
    return _with_colonies(kingdom, colonies)


def _read_words(text: str) -> tuple[list[str], str]:
    """Return the names in a kingdom's text, and whether the text has Platinum and Colony: one of COLONIES.

    1. Replace _MARKUP, then split the text at _SEPARATORS.
    2. Remove the mark of a list, then a name of a set: "1. Wharf", "Seaside: Wharf", "seaside_wharf".
    3. Take out the words for Colonies. Raise UsageError if they contradict each other.
    """
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    names, in_text = list[str](), set[str]()
    for part in _SEPARATORS.split(text):
        word = _LIST_MARK.sub("", part).strip()
        heading = re.match(r"([^:_]+)[:_]", word)
        if heading and name_key(heading[1]) in _heading_keys():
            word = word[heading.end() :].strip()
        if found := _COLONY_WORDS.fullmatch(name_key(word)):
            in_text.add(NO if found[1] in ("no", "without") else YES)
        elif name_key(word):
            names.append(word)
    if len(in_text) > 1:
        raise UsageError("the kingdom is with Colonies and without. Allowed: one of 'with Colonies', 'no Colonies'.")
    return names, in_text.pop() if in_text else AUTO


@cache
def _heading_keys() -> set[str]:
    """Return the keys of all words that may be before a colon."""
    others = (name.removesuffix(FIRST_EDITION) for _, name in missing_cards().values())
    return {name_key(name) for name in (*SETS, *others, *_HEADINGS)}


def as_kingdom(kingdom: Kingdom | str, *, seed: int = 0, sets: str | Sequence[str] = DRAWN_SETS) -> Kingdom:
    """Return a kingdom, or the kingdom of a text (`parse_kingdom`). Raise UsageError for another value.

    ``sets`` are those of `find_sets`. They are checked in any case.
    """
    sets = find_sets(sets)
    if isinstance(kingdom, Kingdom):
        return kingdom
    if not isinstance(kingdom, str):
        raise UsageError(f"kingdom is {short(kingdom)}. Allowed: a Kingdom, or a text such as 'Chapel, Witch'.")
    return parse_kingdom(kingdom, seed=seed, sets=sets)


def _with_colonies(kingdom: Kingdom, colonies: str) -> Kingdom:
    """Return a kingdom with Platinum and Colony (YES), without them (NO), or unchanged."""
    if colonies == AUTO:
        return kingdom
    colony = {card.name for card in COLONY_CARDS}
    cards = [name for name in kingdom.cards if name not in colony]
    return Kingdom((*cards, *sorted(colony)) if colonies == YES else tuple(cards), kingdom.drawn)


def _drawn_colonies(kingdom: Kingdom, seed: int) -> str:
    """Return YES with the share of Prosperity cards in a kingdom as probability, else NO."""
    share = sum(find_card(name).card_set == COLONY_CARDS[0].card_set for name in kingdom.cards) / KINGDOM_SIZE
    return YES if share and _generator(seed, _COLONY_STREAM).random() < share else NO


def find_sets(sets: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of sets, given as a text with commas or one by one. Raise UsageError for an unknown set."""
    if not isinstance(sets, (str, Sequence)) or not all(isinstance(name, str) for name in sets):
        raise UsageError(f"sets is {short(sets)}. Allowed: one or more of {', '.join(SETS)}, as a text or a list.")
    text = sets if isinstance(sets, str) else ",".join(sets)
    known = {name_key(name): name for name in SETS}
    words = [word for word in map(str.strip, text.split(",")) if word]
    for word in words:
        if name_key(word) not in known:
            near = get_close_matches(name_key(word)[:60], known, n=1)
            hint = missing_comma(word, lambda text: name_key(text) in known)
            hint = f"{hint} " if hint else f"Did you mean {known[near[0]]}? " if near else ""
            raise UsageError(f"no set named '{one_line(word, 60)}'. {hint}evodom has the sets: {', '.join(SETS)}.")
    if not words:
        raise UsageError(f"--sets names no set. Allowed: one or more of {', '.join(SETS)}, with commas between them.")
    return tuple(dict.fromkeys(known[name_key(word)] for word in words))


def find_kingdom(text: str) -> str:
    """Return the matching name in KINGDOMS, or "". Names are compared by the `name_key` of their `slug`."""
    return _names_by_key().get(name_key(slug(text)), "")


def slug(name: str) -> str:
    """Return a name in a form that needs no quotes in a shell: "silver-and-gold" for "Silver & Gold"."""
    words = "".join(" " if char in "()-" else char for char in name.replace("&", " and ").replace("'", ""))
    return "-".join(words.casefold().split())


def draw_cards(
    given: Sequence[Card], *, seed: int, first_edition: bool = False, sets: Sequence[str] = DRAWN_SETS
) -> list[Card]:
    """Draw the cards that ``given`` lacks to ten uniformly from ``sets``. Platinum and Colony do not count.

    ``first_edition`` includes the cards dropped by a newer edition. The draw depends only on ``seed``, on the cards of
    ``sets`` and on ``given``.
    """
    n_missing = KINGDOM_SIZE - sum(card not in COLONY_CARDS for card in given)
    if n_missing <= 0:
        return []
    listed = (card for name in sets for card in SETS[name].cards_in(dropped=first_edition))
    pool = [card for card in listed if card not in given]
    if len(pool) < n_missing:
        raise UsageError(
            f"{n_missing} cards are missing to ten, and {', '.join(sets)} has {len(pool)} others. "
            f"Name more cards, or more sets: {', '.join(SETS)}."
        )
    return [pool[index] for index in _generator(seed, _STREAM).permutation(len(pool))[:n_missing]]


def _generator(seed: int, key: tuple[int, ...]) -> "np.random.Generator":
    import numpy as np  # here: the rest of the module works without the time to import NumPy

    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(checked_seed(seed, 64), spawn_key=key)))


def sets_of(cards: Sequence[str]) -> list[str]:
    """Return the sets of some cards by name, each once, in the order of SETS."""
    found = {find_card(name).card_set for name in cards}
    return [name for name in SETS if name in found]


def kingdoms_with(card: Card) -> list[str]:
    """Return the names of the recommended kingdoms that contain a card. Basic cards are in all."""
    return [name for name, cards in KINGDOMS.items() if card in BASIC or card.name in cards]


def _cards_named(words: Sequence[str]) -> list[Card]:
    """Return the cards of the words. The error for a single unknown word also suggests kingdoms."""
    if len(words) == 1 and not split_names(words[0], is_published_card):
        raise UsageError(f"no kingdom and no card named '{one_line(words[0], 60)}'. {_nearest(words[0])}")
    cards = find_cards(words)
    Kingdom(tuple(card.name for card in cards))  # raises UsageError for an invalid kingdom before the draw
    return cards


def _names_by_key() -> dict[str, str]:
    """Return the names of KINGDOMS by key. First-edition kingdoms are also listed without the suffix."""
    short = {name_key(slug(name.removesuffix(FIRST_EDITION))): name for name in reversed(KINGDOMS)}
    return short | {name_key(slug(name)): name for name in KINGDOMS}


def _nearest(word: str) -> str:
    """Return the hint for a word that is neither a kingdom nor a card."""
    meant = {name_key(name): name for name in CARDS} | _names_by_key()
    near = dict.fromkeys(meant[found] for found in get_close_matches(name_key(word)[:60], meant, n=2, cutoff=0.7))
    return f"Did you mean {' or '.join(near)}?" if near else "All are listed by: evodom kingdoms, and evodom cards"
