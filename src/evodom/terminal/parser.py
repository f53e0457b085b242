"""Parse a typed line of a game of Dominion into a command, cards to choose, or an error. Pure functions.

A word is a command only if it is typed in full. All other words are cards, by number, name or the beginning of a name.
A misspelt name is a guess, which the person has to confirm. In "play village" the verb is kept for comparison with the
question. Only the command `view` takes a card.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from evodom.dominion.cards import counted, find_card, is_card, missing_card_text, name_key
from evodom.dominion.game import PASS_NAME
from evodom.sessions.questions import ALL

COMMANDS = {
    "table": "the whole screen again",
    "supply": "the Supply",
    "play": "the play area",
    "trash": "the trash",
    "players": "all players",
    "log": "the whole game so far",
    "hand": "your hand, with the texts of the cards",
    "discard": "the discard piles: sizes and top cards",
    "deck": "your deck: its size, and all cards you own",
    "view": "view CARD: a card's cost and text",
    "events": "every event since your last turn",
    "hint": "win probabilities of up to ten choices, and the strategies' choices",
    "undo": "undo your last line and all moves after it",
    "options": "how your Treasures are played; again: switch",
    "save": "save the game and continue",
    "quit": "save the game and leave",
    "help": "this list; or just ?",
}
"""The commands and their descriptions. Two short descriptions share a line of the help."""

OTHER_GAMES_WORDS = {
    "table": ("state", "status", "clear", "screen", "board", "show", "refresh"),
    "deck": ("stats", "stat", "score", "vp", "points", "cards", "inventory"),
    "supply": ("shop", "piles", "kingdom", "costs"),
    "discard": ("discards", "graveyard"),
    "trash": ("trashed",),
    "players": ("opponents", "others", "scores"),
    "view": ("info", "card", "read", "describe"),
    "log": ("history", "moves", "turns"),
    "hint": ("advice", "advise", "suggest", "best"),
    "undo": ("back", "revert", "oops", "redo"),
    "options": ("settings", "config", "set"),
    "save": ("store", "write"),
    "quit": ("bye", "stop", "restart", "reset", "new", "start", "load", "resign", "concede", "leave"),
    "help": ("main", "menu", "commands", "rules", "manual"),
}
"""Words that are commands in other games, by the most similar command of this game."""

_SIMILAR_COMMAND = {word: command for command, words in OTHER_GAMES_WORDS.items() for word in words}

PASS_WORDS = ("0", PASS_NAME, "end", "done", "no", "n", "none")
NO_WORDS = ("n", "no", "0")
YES_WORDS = ("y", "yes")

_VERBS = ("play", "buy", "gain", "discard", "trash", "reveal", "topdeck", "put")
_CUTOFF = 0.7
_MAX_DIGITS = 3
"""Maximum number of digits of a pile's number."""
_MAX_COUNT = 10
"""Maximum number before a name that is read as a count. A larger number is the number of a pile."""
_MAX_LINE = 1000
"""Maximum number of characters of a line."""
_MAX_COPIES = 20
"""Maximum number of copies of a card in one line."""
_TIMES = re.compile(r"(?:x\s?(\d{1,3})|(\d{1,3})\s?x)")
"""The number of copies of a card, as the screen writes it (x2), or 2x before the card."""


@dataclass(frozen=True)
class TypedCommand:
    """A command and its argument."""

    word: str
    argument: str = ""


@dataclass(frozen=True)
class Choices:
    """Names of cards to choose in order, or "pass". An empty tuple stands for Enter.

    ``verb`` is the verb typed before the cards, or "". A guess is the probable meaning of a line with a mistake. The
    person has to confirm it.
    """

    names: tuple[str, ...] = ()
    verb: str = ""
    is_guess: bool = False

    @property
    def text(self) -> str:
        """The question to the person who has to confirm a guess."""
        return f"Did you mean {', '.join(counted(self.names))}? y = yes, n = no"


@dataclass(frozen=True)
class Unclear:
    """A line without a meaning, or with several. The text explains this."""

    text: str


def parse(
    line: str, piles: Sequence[str], legal: Collection[str], menu: Mapping[str, str] | None = None
) -> TypedCommand | Choices | Unclear:
    """Return the meaning of a line. ``legal`` are the names that can be chosen now, "pass" included.

    A number is a place in ``piles``. With a ``menu``, the texts of options by name, it is a place in the menu. The
    beginning of a menu's text takes precedence over a command.
    """
    if len(line) > _MAX_LINE:
        return Unclear(f"A line has at most {_MAX_LINE:,} characters, and this one {len(line):,}.")
    words = line.casefold().split()
    if not words:
        return Choices()
    if words[0].startswith("?") or words[0] == "help":
        return TypedCommand("help")
    if words == [ALL]:
        return Choices((ALL,))
    if menu and (names := _entries(words, menu)):
        return Choices(names)
    if menu and PASS_NAME in menu and len(words) == 1 and words[0] in PASS_WORDS:
        return Choices((PASS_NAME,))
    if words in (["q"], ["exit"]):  # the game is saved, so that nothing is lost
        return TypedCommand("quit")
    if words[0] == "view":
        return _parse_view(" ".join(words[1:]), piles)
    if menu and words not in [[word] for word in COMMANDS]:
        return Unclear(f"Type a number from 1 to {len(menu)}, or the beginning of an option. ? lists the commands.")
    if words[0] in _VERBS and len(words) > 1:
        found = _parse_choices(" ".join(words[1:]), piles, legal)
        return replace(found, verb=words[0]) if isinstance(found, Choices) else found
    if words[0] in COMMANDS:
        return TypedCommand(words[0]) if len(words) == 1 else Unclear(f"'{words[0]}' is a command without arguments.")
    return _parse_choices(" ".join(words), piles, legal)


def _entries(words: list[str], menu: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the menu that the words mean: by numbers, by name, or by the beginning of a text."""
    names, text = list(menu), " ".join(words)
    digits = text.replace(",", " ").split()
    if all(each.isdecimal() for each in digits):
        numbers = [int(each) for each in digits]
        return tuple(names[n - 1] for n in numbers) if all(0 < n <= len(names) for n in numbers) else ()
    if text in menu:
        return (text,)
    begun = [name for name, label in menu.items() if label.casefold().startswith(text)]
    return tuple(begun) if len(begun) == 1 else ()


def find(text: str, piles: Sequence[str], legal: Collection[str] = ()) -> Choices | Unclear:
    """Return the card with this number, name or beginning of a name; a guess for a similar name."""
    if text.isdecimal():
        return _pile(text, piles)
    key = name_key(text)
    exact = [name for name in piles if name_key(name) == key]
    if exact:
        return Choices((exact[0],))
    begun = [name for name in piles if key and name_key(name).startswith(key)]
    candidates = [name for name in begun if name in legal] or begun
    if len(candidates) > 1:
        return Unclear(f"'{text}' may be {_alternatives(candidates)}. Type a little more, or the number.")
    if candidates:
        return Choices((candidates[0],))
    return _nearest(text, piles, legal)


def _pile(digits: str, piles: Sequence[str]) -> Choices | Unclear:
    if len(digits) > _MAX_DIGITS:
        return Unclear(f"There is no such pile: they go from 1 to {len(piles)}; 0 passes.")
    number = int(digits)
    if 1 <= number <= len(piles):
        return Choices((piles[number - 1],))
    return Unclear(f"There is no pile number {number}: they go from 1 to {len(piles)}; 0 passes.")


def _nearest(text: str, piles: Sequence[str], legal: Collection[str]) -> Choices | Unclear:
    """Return a guess for a text with a mistake if only one card is near. Legal cards take precedence."""
    if text in _SIMILAR_COMMAND:
        command = _SIMILAR_COMMAND[text]
        return Unclear(f"'{text}' is no command here, and no card. Perhaps you want '{command}': {COMMANDS[command]}.")
    if lacking := missing_card_text(text):
        return Unclear(lacking)
    known = {name.casefold(): name for name in piles}
    near = [known[match] for match in get_close_matches(text, known, n=3, cutoff=_CUTOFF)]
    candidates = [name for name in near if name in legal] or near
    if len(candidates) == 1:
        return Choices((candidates[0],), is_guess=True)
    if candidates:
        return Unclear(f"'{text}' may be {_alternatives(candidates)}.")
    commands = get_close_matches(text, COMMANDS, n=1, cutoff=_CUTOFF)
    advice = f"Did you mean the command '{commands[0]}'?" if commands else "Type ? for what you can do."
    return Unclear(f"'{text}' is no card here and no command. {advice}")


def _parse_view(argument: str, piles: Sequence[str]) -> TypedCommand | Unclear:
    if not argument:
        return Unclear("view what? For example: view Village")
    found = find(argument, piles)
    if (isinstance(found, Unclear) or found.is_guess) and is_card(argument):
        return TypedCommand("view", find_card(argument).name)
    return found if isinstance(found, Unclear) else TypedCommand("view", found.names[0])


def _parse_choices(text: str, piles: Sequence[str], legal: Collection[str]) -> Choices | Unclear:
    """Read one card, or several between commas or spaces: "1 4", "copper, estate", "copper x2"."""
    texts = [part.strip() for part in text.split(",") if part.strip()]
    if len(texts) == 1 and _is_one_name(text, piles):
        return find(text, piles, legal)
    found = [_parse_part(part, piles, legal) for part in texts]
    return _all_of(found) if found else Unclear("Type ? for what you can do.")


def _all_of(found: Iterable[Choices | Unclear]) -> Choices | Unclear:
    """Return the choices of several parts of a line as one; the first unclear part if there is one."""
    names: list[str] = []
    is_guess = False
    for part in found:
        if isinstance(part, Unclear):
            return part
        names += part.names
        is_guess |= part.is_guess
    return Choices(tuple(names), is_guess=is_guess)


def _parse_part(text: str, piles: Sequence[str], legal: Collection[str]) -> Choices | Unclear:
    """Parse the text between two commas.

    A number before a name may be a pile or a count: "2 gold" asks whether Gold x2 is meant.
    """
    words, word = list(_words(text, piles)), ""
    parts: list[Choices | Unclear] = []
    while words:
        times, word = _how_often(words, after_number=word.isdecimal())
        found = _find_word(word, piles, legal)
        if isinstance(found, Unclear):
            return found
        if abs(times) > _MAX_COPIES or not times:
            return Unclear(f"'{text}': a card is meant once to {_MAX_COPIES} times.")
        parts.append(Choices(found.names * abs(times), is_guess=found.is_guess or times < 0))
    return _all_of(parts)


def _how_often(words: list[str], *, after_number: bool) -> tuple[int, str]:
    """Remove the next card from the words. Return its number of copies, negative for a guess, and its word.

    A number next to another number is a pile and no count: "4 4 duchy".
    """
    first, *others = words
    if before := _TIMES.fullmatch(first):
        if others:
            del words[:2]
            return int(before[1] or before[2]), others[0]
    elif others and (after := _TIMES.fullmatch(others[0])) and not (after[2] and len(others) > 1):
        del words[:2]
        return int(after[1] or after[2]), first
    elif (
        not after_number
        and first.isdecimal()
        and 0 < int(first[:_MAX_DIGITS]) <= _MAX_COUNT
        and others
        and _is_name(others[0])
    ):
        del words[:2]
        return -int(first), others[0]
    del words[:1]
    return 1, first


def _is_name(word: str) -> bool:
    """Return True if a word can be a name: it has no digit and is no yes or no."""
    return not any(sign.isdigit() for sign in word) and word not in (*PASS_WORDS, *YES_WORDS)


def _words(text: str, piles: Sequence[str]) -> Iterator[str]:
    """Yield the words of each card. Two words stay together if they begin or resemble a name of two words."""
    words = text.split()
    while words:
        pair = " ".join(words[:2])
        n = 2 if len(words) > 1 and (_is_one_name(pair, piles) or _is_nearly_one(pair, piles)) else 1
        yield " ".join(words[:n])
        del words[:n]


def _is_nearly_one(pair: str, piles: Sequence[str]) -> bool:
    """Return True if two words are a misspelt name of two words. The second must not name a card itself."""
    second = pair.split()[1]
    if second.isdecimal() or _is_one_name(second, piles):
        return False
    names = [name.casefold() for name in piles if " " in name]
    return bool(get_close_matches(pair, names, n=1, cutoff=0.8))  # higher, as two words may be two cards


def _is_one_name(text: str, piles: Sequence[str]) -> bool:
    return any(name.casefold().startswith(text) for name in piles)


def _find_word(word: str, piles: Sequence[str], legal: Collection[str]) -> Choices | Unclear:
    if word in PASS_WORDS:
        return Choices((PASS_NAME,))
    cards = [name for name in legal if name != PASS_NAME]
    if word in YES_WORDS and len(cards) == 1:
        return Choices((cards[0],))
    if word in YES_WORDS:
        return Unclear(f"'{word}' answers a yes or no, and nothing of the kind is asked now.")
    return find(word, piles, legal)


def _alternatives(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"
