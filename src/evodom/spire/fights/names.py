"""Find cards, relics, potions, enemies and encounters by any unambiguous part of their names.

Open it to change how names and lists such as "Bash, 2 Strike" are parsed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache

from evodom.distribution import Distribution
from evodom.errors import UsageError, missing_comma, short
from evodom.spire.content import cards, potions, relics
from evodom.spire.content.encounters import MAX_ENEMIES, Group, concatenated, encounters, groups_of
from evodom.spire.content.enemies import ENEMIES

INACTIVE_RELICS = (
    "Astrolabe", "Black Star", "Bloody Idol", "Calling Bell", "Cauldron", "Ceramic Fish", "Circlet",
    "Cultist Headpiece", "Darkstone Periapt", "Dolly's Mirror", "Dream Catcher", "Empty Cage", "Eternal Feather",
    "Frozen Egg", "Golden Idol", "Juzu Bracelet", "Lee's Waffle", "Mango", "Matryoshka", "Maw Bank", "Meal Ticket",
    "Membership Card", "Molten Egg", "N'loth's Gift", "N'loth's Hungry Face", "Old Coin", "Omamori", "Orrery",
    "Pandora's Box", "Peace Pipe", "Pear", "Potion Belt", "Prayer Wheel", "Prismatic Shard", "Question Card",
    "Red Circlet", "Regal Pillow", "Shovel", "Singing Bowl", "Smiling Mask", "Spirit Poop", "Ssserpent Head",
    "Strawberry", "The Courier", "Tiny Chest", "Tiny House", "Toxic Egg", "War Paint", "Whetstone",
    "White Beast Statue", "Wing Boots",
)  # fmt: skip
"""Relics without effect in fights: they change rewards, shops, events or the map, or act when obtained."""


MAX_COPIES = 99
"""Maximum number of copies of a card, and of upgrades of Searing Blow."""

NONE = "none"
"""Text of an empty list."""

ALIASES = {
    "sentries": "Three Sentries",
    "gremlins": "Gremlin Gang",
    "lagavulinevent": "Lagavulin (awake)",
    "mushroomlair": "Three Fungi Beasts",
    "themushroomlair": "Three Fungi Beasts",
}
"""Other names of encounters, normalised."""

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five")
_SINGULAR_FORMS = {"lice": "louse", "fungus": "fungi", "sentries": "sentry"}
_CARD_NAME = re.compile(r"(.*?)\s*(\+[0-9]*)?\s*((?:\([^()]*\)\s*)*)", re.DOTALL)
_COUNT_AND_NAME = re.compile(r"(?:([0-9]+)\s*(?:x\b\s*)?)?(.*)", re.DOTALL)
_NUMBER_AND_ENEMY = re.compile(rf"([0-9]+|{'|'.join(_NUMBER_WORDS)})\s*x?\s+(.*)", re.DOTALL | re.IGNORECASE)
_MIN_INFIX_LENGTH = 3

MAX_NAME_LENGTH = 100
"""Maximum number of characters of a name. The longest known name has about 30."""


# One name.


def find_name(text: str, names: Iterable[str], noun: str, *, unsupported: Mapping[str, str] | None = None) -> str:
    """Return the only name that matches a text.

    The first of these criteria with a match counts:

    1. The name has the same letters and digits.
    2. The name has the same words, in the singular.
    3. The text's words are prefixes of the name's words.
    4. The name contains the text.

    Args:
        noun: noun of the names in error messages.
        unsupported: names that cannot be used, with the reason.

    Raises:
        UsageError: if no name matches, or several do. It lists the closest names.
    """
    known = list(dict.fromkeys(names))
    text = _single_spaced(text, noun)
    wanted = normalise(text)
    for name, why in (unsupported or {}).items():
        if normalise(name) == wanted:
            raise UsageError(f"{name} is not supported: {why}. Leave it out.")
    found = _matching(text, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{short(text)} could be {_alternatives(found)}. Write more of the name of the {noun}.")
    hint = missing_comma(text, lambda part: normalise(part) in map(normalise, known))
    hint = hint or f"Closest: {', '.join(_closest(wanted, known))}."
    raise UsageError(f"no {noun} named {short(text)}. {hint}")


def find_card(text: str, names: Iterable[str] | None = None) -> str:
    """Return the name of a card, such as "bash+", "Searing Blow+3", "rampage (13)" or "clash (costs 1 this turn)".

    With `names`, only these cards match, and more texts are allowed:

    - The beginning of a name. If only one name begins with the text, other names that contain it do not count.
    - A name without its upgrade and number, if `names` has only one variant of the card.
    """
    known = _variants_by_base(tuple(cards.CARDS if names is None else names))
    base_text, plus, changes = _split_card_name(_single_spaced(text, "card"))
    base = _find_base_name(base_text, known, prefer_beginning=names is not None)
    variants = known[base]
    is_searing_blow = base == cards.SEARING_BLOW
    with suppress(UsageError):
        name = cards.card_row(base + ("+" if plus == "+1" else plus) + changes).name
        is_variant = bool(changes) or (is_searing_blow and int(plus[1:] or 1) <= MAX_COPIES)
        if name in variants or (names is None and is_variant):
            return name
    if names is not None and len(variants) == 1 and not plus and not changes:
        return variants[0]
    more = f", and up to +{MAX_COPIES}" if is_searing_blow and names is None else ""
    raise UsageError(f"no card named {short(text)}. Allowed: {', '.join(variants)}{more}.")


def _find_base_name(text: str, known: Iterable[str], *, prefer_beginning: bool) -> str:
    """Return the only base name that matches.

    With `prefer_beginning`, return the name that begins with the text if there is only one such name.
    """
    wanted = normalise(text)
    beginning = [name for name in known if wanted and normalise(name).startswith(wanted)]
    if prefer_beginning and len(beginning) == 1:
        return beginning[0]
    return find_name(text, known, "card")


def find_relic(text: str) -> str:
    """Return the name of a relic that affects fights."""
    unsupported = relics.UNSUPPORTED | dict.fromkeys(INACTIVE_RELICS, "it has no effect in fights")
    return find_name(text, relics.RELICS, "relic", unsupported=unsupported)


def find_potion(text: str) -> str:
    """Return the name of a potion."""
    return find_name(text, potions.POTIONS, "potion", unsupported=potions.UNSUPPORTED)


def find_enemy(text: str, names: Iterable[str] = ENEMIES) -> str:
    """Return the name of a single enemy of `names`."""
    return find_name(text, names, "enemy")


# Several names.


def parse_counts(text: str) -> Iterator[tuple[int, str]]:
    """Yield (count, name) of each item of a list such as "Bash, 2 Strike 3x Defend". "none" is the empty list.

    Raise UsageError for a count outside 1 to MAX_COPIES.
    """
    text = " ".join(text.split())
    if text.casefold() == NONE:
        return
    for part in re.split(r",| (?=[0-9])(?![^(]*\))", text):
        match = _COUNT_AND_NAME.fullmatch(part.strip())
        if match is None or not part.strip():
            continue
        if match[1] and (len(match[1]) > 4 or not 1 <= int(match[1]) <= MAX_COPIES):
            raise UsageError(f"{short(part)} has an invalid number. Allowed: 1 to {MAX_COPIES}.")
        yield int(match[1] or 1), match[2]


def cards_from_text(text: str, names: Iterable[str] | None = None) -> Counter[str]:
    """Return the counts of cards in a list such as "Bash, 2 Strike, Defend+"."""
    known = None if names is None else list(names)
    found: Counter[str] = Counter()
    for n, what in parse_counts(text):
        name = find_card(what, known)
        found[name] += n
        if found[name] > MAX_COPIES:
            raise UsageError(f"{name} is listed {found[name]} times. Allowed: 1 to {MAX_COPIES}.")
    return found


def cards_to_text(cards: Mapping[str, int]) -> str:
    """Return counts of cards as text for `cards_from_text`."""
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in cards.items() if n) or NONE


# Enemies.


def find_enemies(text: str) -> Distribution[Group]:
    """Return the distribution of groups of enemies in a text such as "nob" or "red louse, 2 cultists"."""
    parts = enemy_names_in(text)
    if sum(max(len(group) for group, _ in groups_of(part).pairs) for part in parts) > MAX_ENEMIES:
        raise UsageError(f"{', '.join(parts)} are too many. Allowed: at most {MAX_ENEMIES} enemies.")
    return concatenated(map(groups_of, parts))


def enemy_names_in(text: str) -> tuple[str, ...]:
    """Return the names of encounters and enemies in a list. "3 cultists" are three names."""
    parts = [part.strip() for part in re.split(r",|\+|&|\band\b", text) if part.strip()]
    if not parts:
        raise UsageError('no enemies. Name an encounter or enemies, such as "Gremlin Nob" or "Red Louse, Green Louse".')
    if len(parts) > MAX_ENEMIES:
        raise UsageError(f"{len(parts)} enemies. Allowed: at most {MAX_ENEMIES} enemies.")
    return tuple(name for part in parts for name in _enemy_names_of_item(part))


def _enemy_names_of_item(text: str) -> list[str]:
    """Return the names of one item in a list of enemies, repeated by its count."""
    text = _single_spaced(text, "encounter or enemy")
    if normalise(text) in ALIASES:
        return [ALIASES[normalise(text)]]
    known = list(dict.fromkeys((*encounters(), *ENEMIES)))
    number = _NUMBER_AND_ENEMY.fullmatch(text)
    if not number or _matching(text, known):  # "Three Sentries" is a name, not a count
        return [find_name(text, known, "encounter or enemy")]
    word, name = number[1].casefold(), find_enemy(number[2])
    n = _NUMBER_WORDS.index(word) if word in _NUMBER_WORDS else int(word[:3])
    if not 1 <= n <= MAX_ENEMIES:
        raise UsageError(f"{short(text)} has an invalid number. Allowed: 1 to {MAX_ENEMIES} enemies.")
    return [name] * n


# Letters and words.


def _single_spaced(text: str, noun: str) -> str:
    """Return a name with single spaces between its words. Raise UsageError if it is too long."""
    found = " ".join(text.split())
    if len(found) > MAX_NAME_LENGTH:
        raise UsageError(f"no {noun} named {short(text)}: {len(found)} characters. Allowed: {MAX_NAME_LENGTH}.")
    return found


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in the singular, with 0 to 5 spelled out."""
    found = re.findall(r"[^\W_]+", re.sub("['\u2019]", "", text.casefold()))
    return tuple(_singular(_NUMBER_WORDS[int(word)] if re.fullmatch("[0-5]", word) else word) for word in found)


def _singular(word: str) -> str:
    if word in _SINGULAR_FORMS:
        return _SINGULAR_FORMS[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _matching(text: str, names: list[str]) -> list[str]:
    """Return the matching names, by the first criterion with a match (see `find_name`)."""
    wanted, wanted_words = normalise(text), words(text)
    if not wanted:
        return []
    for same in (
        [name for name in names if normalise(name) == wanted],
        [name for name in names if words(name) == wanted_words],
        [name for name in names if _has_prefixes(wanted_words, words(name))],
    ):
        if same:
            return same
    return [name for name in names if wanted in normalise(name)] if len(wanted) >= _MIN_INFIX_LENGTH else []


def _has_prefixes(wanted: Iterable[str], known: Iterable[str]) -> bool:
    """Return True if the wanted words are prefixes of different known words, in any order."""
    left = list(known)
    for word in wanted:
        match = next((other for other in left if other.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _closest(wanted: str, names: list[str]) -> list[str]:
    """Return up to three of the most similar names."""
    keys = {normalise(name): name for name in names}
    return [keys[key] for key in get_close_matches(wanted[:60], keys, n=3, cutoff=0.3)] or names[:3]


def _alternatives(names: list[str]) -> str:
    """Return names joined by "or". If there are more than six, list five and the number of the others."""
    some = [*names[:5], f"{len(names) - 5} others"] if len(names) > 6 else names
    return f"{', '.join(some[:-1])} or {some[-1]}"


@lru_cache(maxsize=64)
def _variants_by_base(names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the cards in `names` by their names without upgrades and numbers."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(_split_card_name(name)[0], []).append(name)
    return found


def _split_card_name(text: str) -> tuple[str, str, str]:
    """Return the base name, the upgrade and the changes in a fight: ("Rampage", "+", " (16) (costs 0 this turn)")."""
    match = _CARD_NAME.fullmatch(text)
    assert match is not None  # the pattern fits any text
    changes = re.findall(r"\(\s*([^()]*?)\s*\)", match[3].casefold())
    return match[1], match[2] or "", "".join(f" ({' '.join(one.split())})" for one in changes)
