"""Read the names of cards, enemies and relics, and lists of cards, as a person types them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from evodom.errors import UsageError
from evodom.spire.cards import CARDS
from evodom.spire.enemies import ENCOUNTERS, ENEMIES
from evodom.spire.relics import RELICS

SEE = "evodom spire cards lists all."


def find_card(name: str) -> str:
    """Return the name of a card, however it is capitalised."""
    return _found(name, CARDS, "card")


def find_relic(name: str) -> str:
    """Return the name of a relic, however it is capitalised."""
    return _found(name, RELICS, "relic")


def find_enemies(text: str) -> tuple[str, ...]:
    """Read "cultist", "sentries" or "Red Louse, Green Louse" into the names of enemies, left to right."""
    groups = {name: (name,) for name in ENEMIES} | ENCOUNTERS
    return tuple(enemy for part in text.split(",") for enemy in groups[_found(part, groups, "enemy")])


def cards_from_text(text: str) -> Counter[str]:
    """Read cards such as "Bash, 2 Strike, Defend+" into how many there are of each."""
    found: Counter[str] = Counter()
    for n, name in counted(text):
        found[find_card(name)] += n
    return +found


def cards_to_text(cards: Iterable[str]) -> str:
    """Write cards as `cards_from_text` reads them, in the order in which they are given."""
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(cards).items()) or "none"


def cards_by_beginning(text: str, names: Sequence[str]) -> Counter[str]:
    """Read cards out of `names`, as short as "3 s, d" where that is clear."""
    found: Counter[str] = Counter()
    for n, word in counted(text):
        wanted = _letters(word)
        begun = [name for name in names if _letters(name).startswith(wanted)]
        exact = [name for name in begun if _letters(name) == wanted]
        if len(exact or begun) != 1:
            why = f"could be {' or '.join(begun)}" if begun else f"is none of {', '.join(names)}"
            raise UsageError(f"{word!r} {why}. Write the cards as: 3 Strike, 2 Defend")
        found[(exact or begun)[0]] += n
    return found


def counted(text: str) -> Iterator[tuple[int, str]]:
    """Yield (how many, what) of a list such as "Bash, 2 Strike 3x Defend"."""
    for part in re.split(r",|\s+(?=\d)", text):
        match = re.fullmatch(r"\s*(?:(\d+)\s*(?:x\s+)?)?(.*?)\s*", part)
        if match and match[2]:
            yield int(match[1] or 1), match[2]


def _found(text: str, known: Iterable[str], what: str) -> str:
    """Return the name that has the same letters; raise a UsageError that names the closest ones."""
    names = {_letters(name): name for name in known}
    wanted = _letters(text)
    if wanted in names:
        return names[wanted]
    close = [names[key] for key in get_close_matches(wanted, names, n=3)]
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    raise UsageError(f"there is no {what} named {text.strip()!r}. {hint}{SEE}")


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter == "+")
