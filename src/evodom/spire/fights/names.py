"""Find cards, relics, potions, enemies and encounters by what people type: any part of a name that is clear."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

from evodom.distribution import Distribution, certain
from evodom.errors import UsageError, short
from evodom.spire.rows import cards, potions, relics
from evodom.spire.rows.encounters import MAX_ENEMIES, Group, encounters, groups_of
from evodom.spire.rows.enemies import ENEMIES

INACTIVE_RELICS = (
    "Astrolabe", "Black Star", "Bloody Idol", "Calling Bell", "Cauldron", "Ceramic Fish", "Circlet",
    "Cultist Headpiece", "Darkstone Periapt", "Dolly's Mirror", "Dream Catcher", "Empty Cage", "Eternal Feather",
    "Frozen Egg", "Golden Idol", "Juzu Bracelet", "Lee's Waffle", "Mango", "Matryoshka", "Maw Bank", "Meal Ticket",
    "Membership Card", "Molten Egg", "N'loth's Gift", "N'loth's Hungry Face", "Old Coin", "Omamori", "Orrery",
    "Pandora's Box", "Peace Pipe", "Pear", "Potion Belt", "Prayer Wheel", "Prismatic Shard", "Question Card",
    "Red Circlet", "Regal Pillow", "Shovel", "Singing Bowl", "Smiling Mask", "Spirit Poop", "Ssserpent Head",
    "Strawberry", "The Courier", "Tiny Chest", "Tiny House", "Toxic Egg", "War Paint", "Whetstone",
    "White Beast Statue", "Winged Boots",
)  # fmt: skip
"""They change rewards, shops, events or the map, or they acted when they were obtained."""


MAX_COPIES = 99
"""How many there can be of a card, and how often Searing Blow can be upgraded."""

NONE = "none"
"""No cards, in words."""

ALIASES = {
    "sentries": "Three Sentries",
    "gremlins": "Gremlin Gang",
    "lagavulinevent": "Lagavulin (awake)",
    "mushroomlair": "Three Fungi Beasts",
    "themushroomlair": "Three Fungi Beasts",
}
"""What people, and the game itself, call encounters besides, by the letters."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five")
_SINGULAR = {"lice": "louse", "fungus": "fungi", "sentries": "sentry"}
_CARD = re.compile(r"(.*?)\s*(\+[0-9]*)?\s*(?:\(\s*([0-9]{1,4})\s*\))?", re.DOTALL)
_COUNTED = re.compile(r"(?:([0-9]+)\s*(?:x\b\s*)?)?(.*)", re.DOTALL)
_MANY = re.compile(rf"([0-9]+|{'|'.join(_NUMBERS)})\s*x?\s+(.*)", re.DOTALL | re.IGNORECASE)
_SHORTEST_PART = 3


# One name.


def find_name(text: str, names: Iterable[str], what: str, *, unsupported: Mapping[str, str] | None = None) -> str:
    """Return the only name that matches a text.

    A name matches if it has the same letters, or words that begin with those of the text, or contains the text; the
    first of these criteria with a match counts. `what` is the noun for errors.

    Args:
        unsupported: names that cannot be used, with the reason.

    Raises:
        UsageError: if no name matches, or several do. It lists the closest names.
    """
    known = list(dict.fromkeys(names))
    wanted = normalise(text)
    for name, why in (unsupported or {}).items():
        if normalise(name) == wanted:
            raise UsageError(f"no fight here has {name}: {why}. Leave it out.")
    found = _matching(text, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{short(text)} could be {_alternatives(found)}. Write more of the name of the {what}.")
    raise UsageError(f"no {what} named {short(text)}. Closest: {', '.join(_closest(wanted, known))}.")


def find_card(text: str, names: Iterable[str] | None = None) -> str:
    """Return the name of a card: "bash+", "Searing Blow+3". Of `names`, if they are given, with "rampage (13)".

    Cards out of `names` may be as short as "d" for Defend: those that begin so come before those with such a word.
    """
    known = _forms(tuple(cards.CARDS if names is None else names))
    base_text, plus, number = _parts(text)
    wanted = normalise(base_text)
    begun = [name for name in known if wanted and normalise(name).startswith(wanted)] if names is not None else []
    base = begun[0] if len(begun) == 1 else find_name(base_text, known, "card", unsupported=cards.UNSUPPORTED)
    forms = known[base]
    if base == "Searing Blow" and plus and number is None:
        upgrades = int((plus[1:] or "1")[:4])
        name = f"{base}+{upgrades if upgrades > 1 else ''}"
        if 1 <= upgrades <= MAX_COPIES and (names is None or name in forms):
            return name
    name = base + ("+" if plus in ("+", "+1") else plus) + (f" ({int(number)})" if number else "")
    if name in forms:
        return name
    if names is not None and len(forms) == 1 and not plus and not number:
        return forms[0]
    more = f", and up to +{MAX_COPIES}" if base == "Searing Blow" and names is None else ""
    raise UsageError(f"no card named {short(text)}. Allowed: {', '.join(forms)}{more}.")


def find_relic(text: str) -> str:
    """Return the name of a relic that acts in fights."""
    return find_name(
        text,
        relics.RELICS,
        "relic",
        unsupported=relics.UNSUPPORTED | dict.fromkeys(INACTIVE_RELICS, "it does nothing there"),
    )


def find_potion(text: str) -> str:
    """Return the name of a potion."""
    return find_name(text, potions.POTIONS, "potion", unsupported=potions.UNSUPPORTED)


def find_enemy(text: str, names: Iterable[str] = ENEMIES) -> str:
    """Return the name of a single enemy of `names`."""
    return find_name(text, names, "enemy")


# Several names.


def parse_counts(text: str) -> Iterator[tuple[int, str]]:
    """Give (how many, what) of a list such as "Bash, 2 Strike 3x Defend"; "none" is an empty one.

    Raises UsageError for a number that is not from 1 to 99.
    """
    if normalise(text) == NONE:
        return
    for part in re.split(r",|\s+(?=[0-9])", text):
        match = _COUNTED.fullmatch(part.strip())
        if match is None or not part.strip():
            continue
        if match[1] and (len(match[1]) > 4 or not 1 <= int(match[1]) <= MAX_COPIES):
            raise UsageError(f"{short(part)} is no number of cards that can be. Allowed: 1 to {MAX_COPIES}.")
        yield int(match[1] or 1), match[2]


def cards_from_text(text: str, names: Iterable[str] | None = None) -> Counter[str]:
    """Read cards such as "Bash, 2 Strike, Defend+" into how many there are of each."""
    known = None if names is None else list(names)
    found: Counter[str] = Counter()
    for n, what in parse_counts(text):
        name = find_card(what, known)
        found[name] += n
        if found[name] > MAX_COPIES:
            raise UsageError(f"{name} stands there {found[name]} times. Allowed: 1 to {MAX_COPIES}.")
    return found


def cards_to_text(cards: Mapping[str, int]) -> str:
    """Write cards as `cards_from_text` reads them."""
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in cards.items() if n) or NONE


# Enemies.


def find_enemies(text: str) -> Distribution[Group]:
    """Return the groups of enemies, with chances, that a text means: "nob", "3 louses", "red louse, green louse"."""
    found: Distribution[Group] = certain(())
    parts = enemy_names_in(text)
    if sum(max(len(group) for group, _ in groups_of(part).pairs) for part in parts) > MAX_ENEMIES:
        raise UsageError(f"{', '.join(parts)} are too many. Allowed: at most {MAX_ENEMIES} enemies.")
    for part in parts:
        found = _together(found, groups_of(part))
    return found.merge()


def _together(groups: Distribution[Group], others: Distribution[Group]) -> Distribution[Group]:
    """Return groups of which each has one of the other groups to its right."""
    return groups.bind(lambda group: others.map(lambda other: (*group, *other)))


def enemy_names_in(text: str) -> tuple[str, ...]:
    """Return the names of the encounters and enemies that a text lists; "3 cultists" are three enemies."""
    parts = [part.strip() for part in re.split(r",|\+|&|\band\b", text) if part.strip()]
    if not parts:
        raise UsageError('no enemies. Name an encounter or enemies, such as "Gremlin Nob" or "Red Louse, Green Louse".')
    if len(parts) > MAX_ENEMIES:
        raise UsageError(f"{len(parts)} enemies. Allowed: at most {MAX_ENEMIES} enemies.")
    found: list[str] = []
    for part in parts:
        found += _part_of_enemies(part)
    return tuple(found)


def _part_of_enemies(text: str) -> list[str]:
    """Return the names that a part of a list of enemies means: one, or as many as its number says."""
    if normalise(text) in ALIASES:
        return [ALIASES[normalise(text)]]
    known = list(dict.fromkeys((*encounters(), *ENEMIES)))
    number = _MANY.fullmatch(text)
    if not number or _matching(text, known):
        return [find_name(text, known, "encounter or enemy")]
    word, name = number[1].casefold(), find_enemy(number[2])
    n = _NUMBERS.index(word) if word in _NUMBERS else int(word[:3])
    if not 1 <= n <= MAX_ENEMIES:
        raise UsageError(f"{short(text)} cannot be met. Allowed: 1 to {MAX_ENEMIES} enemies.")
    return [name] * n


# Letters and words.


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the letters and figures of a text alone, without their case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in the singular, small numbers as words."""
    found = re.findall(r"[^\W_]+", re.sub("['\u2019]", "", text.casefold()))
    return tuple(_singular(_NUMBERS[int(word)] if re.fullmatch("[0-5]", word) else word) for word in found)


def _singular(word: str) -> str:
    if word in _SINGULAR:
        return _SINGULAR[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _matching(text: str, names: list[str]) -> list[str]:
    """Return the names that a text may mean: those with the same letters or words, else those that it is a part of."""
    wanted, wanted_words = normalise(text), words(text)
    if not wanted:
        return []
    for same in (
        [name for name in names if normalise(name) == wanted],
        [name for name in names if words(name) == wanted_words],
        [name for name in names if _begins(wanted_words, words(name))],
    ):
        if same:
            return same
    return [name for name in names if wanted in normalise(name)] if len(wanted) >= _SHORTEST_PART else []


def _begins(wanted: Iterable[str], known: Iterable[str]) -> bool:
    """Tell whether every wanted word begins a word of its own among the known ones, in any order."""
    left = list(known)
    for word in wanted:
        match = next((other for other in left if other.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _closest(wanted: str, names: list[str]) -> list[str]:
    """Return the names that are most like what is wanted."""
    keys = {normalise(name): name for name in names}
    return [keys[key] for key in get_close_matches(wanted[:60], keys, n=3, cutoff=0.3)] or names[:3]


def _alternatives(names: list[str]) -> str:
    """Write names with "or"; many are cut short."""
    some = [*names[:5], f"{len(names) - 5} others"] if len(names) > 6 else names
    return f"{', '.join(some[:-1])} or {some[-1]}"


@lru_cache(maxsize=64)
def _forms(names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the cards among `names` by what they are called without upgrades and numbers."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(_parts(name)[0], []).append(name)
    return found


def _parts(text: str) -> tuple[str, str, str | None]:
    """Return what a card is called, its upgrade, and what it has become: ("Rampage", "+", "16")."""
    match = _CARD.fullmatch(text.strip())
    if match is None:  # the pattern fits any text
        return text, "", None
    return match[1], match[2] or "", match[3]
