"""Parse route preferences and rules: names of rooms, numbers, tables such as "monster=3", TOML files.

Open it to change the file format or the syntax of rules.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from evodom.errors import UsageError, did_you_mean, errors_at, short
from evodom.files import parse_toml, read_text
from evodom.reading import convert
from evodom.spire.map.act import Node, Room
from evodom.spire.route.rules import LAST_ROW, WEAK, HpChanges, Limit, RoomTable, at_least, at_most

ROOM_SYNONYMS = {
    "fight": Room.MONSTER,
    "unknown": Room.EVENT,
    "merchant": Room.SHOP,
    "campfire": Room.REST,
    "chest": Room.TREASURE,
}
ROOMS_BY_NAME = {room.name.lower(): room for room in Room}
MAX_NUMBER = 10**9
_LIMIT_PATTERN = re.compile(r"(\d{1,2})\s+(\S+?)((?:\s+(?:before|after)\s+(?:floor\s+)?\d{1,3})*)")
_BOUND_PATTERN = re.compile(r"(before|after)\s+(?:floor\s+)?(\d+)")
_NUMBER_PATTERN = re.compile(
    r"[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[-+]?\d{1,3}|/\d{1,20})?", re.ASCII | re.IGNORECASE
)
"""Syntax of numbers, with limits that keep exact fractions small."""

MAX_BYTES = 100_000
"""Maximum size of a file."""

_PERCENT_PATTERN = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)\s*%")

RoomNumbers = Annotated[
    dict[str, Annotated[int | float | str, Meta(extra={"allowed": 'a number such as 3, -2.5 or "1/3"'})]],
    Meta(extra={"allowed": "a section of rooms and numbers, such as: monster = 3"}),
]


class PreferencesFile(Struct, forbid_unknown_fields=True):
    """The contents of a TOML file of route preferences."""

    value: RoomNumbers
    risk: RoomNumbers = {}
    after: Annotated[
        dict[str, RoomNumbers], Meta(extra={"allowed": "sections of rooms, such as [after.shop] with monster = 3"})
    ] = {}
    hp: RoomNumbers = {}
    events: RoomNumbers = {}


@dataclass(frozen=True)
class RoutePreferences:
    """Values of rooms, and optionally changes of HP and chances of event rooms."""

    table: RoomTable
    hp: HpChanges | None = None
    events: Mapping[Room, Fraction] | None = None


def room_name(room: Room | str) -> str:
    """Return the name of a room, as `find_room` accepts it, or WEAK."""
    return room.name.lower() if isinstance(room, Room) else room


def find_room(text: str) -> Room:
    """Return the room for a text: a name in singular or plural, a letter of the map, or a class name of the game."""
    word = text.strip()
    known = {**{room.letter.lower(): room for room in Room}, **ROOM_SYNONYMS, **ROOMS_BY_NAME}
    known |= {room.value.lower(): room for room in Room}
    room = known.get(word.lower()) or known.get(word.lower().removesuffix("s"))
    if room is None:
        near = did_you_mean(word.lower(), [*ROOMS_BY_NAME, *ROOM_SYNONYMS])
        raise UsageError(f"no room is named {short(text)}. Rooms: {', '.join(ROOMS_BY_NAME)}.{f' {near}' * bool(near)}")
    return room


def parse_hp_key(text: str) -> Room | str:
    """Return the key of a change of HP: a room, or WEAK."""
    return WEAK if text.strip().lower() == WEAK else find_room(text)


def parse_hp_changes(text: str) -> HpChanges:
    """Parse changes of HP such as "weak=-4, monster=-8, rest=24"."""
    return parse_numbers(text, read=parse_hp_change, find=parse_hp_key)


def parse_numbers(
    text: str, *, read: Callable[[str], Any] | None = None, find: Callable[[str], Any] = find_room
) -> dict[Any, Any]:
    """Parse numbers by room, such as "monster=3, elite=5". Raise UsageError for duplicates."""
    parts = [part.strip().partition("=") for part in text.split(",") if part.strip()]
    if not parts or not all(equals for _, equals, _ in parts):
        raise UsageError(f'a table is written like "monster=3, elite=5", got {short(text)}')
    return _parse_pairs(((name, number.strip()) for name, _, number in parts), short(text), read or parse_number, find)


def parse_number(text: str) -> Fraction:
    """Parse "3", "-2.5" or "1/3" exactly."""
    try:
        number = Fraction(text) if _NUMBER_PATTERN.fullmatch(text) else None
    except ZeroDivisionError:
        number = None
    if number is None:
        raise UsageError(f"a number such as 3, -2.5 or 1/3 is needed, got {short(text)}")
    if abs(number) > MAX_NUMBER:
        raise UsageError(f"numbers go up to {MAX_NUMBER:,}, got {text}")
    return number


def parse_hp_change(text: str) -> int:
    """Parse a change of HP such as "-8" or "+24"."""
    if not re.fullmatch(r"[+-]?\d{1,4}", text):
        raise UsageError(f"a change of HP is a whole number such as -8 or +24, got {short(text)}")
    return int(text)


def parse_chance(text: str) -> Fraction:
    """Parse a probability: "10%", "0.1" or "1/10"."""
    percent = _PERCENT_PATTERN.fullmatch(text)
    chance = Fraction(percent[1]) / 100 if percent else parse_number(text)
    if not 0 <= chance <= 1:
        raise UsageError(f"a chance is 0 to 1, or 0% to 100%, got {short(text)}")
    return chance


def parse_limit(text: str, limit: str) -> Limit:
    """Parse a rule such as "1 shop before 8" or "2 elites after 5 before 10". `limit` is "least" or "most".

    Floors are counted from 1.
    """
    found = _LIMIT_PATTERN.fullmatch(text.strip())
    if not found:
        raise UsageError(f'a rule is written like "1 shop before 8" or "2 elites after 5", got {short(text)}')
    rows: dict[str, int] = {}
    for word, floor in _BOUND_PATTERN.findall(found[3]):
        if word in rows or not 1 <= int(floor) <= LAST_ROW + 1:
            raise UsageError(
                f'a rule has at most one "before" and one "after", of a floor from 1 to {LAST_ROW + 1}, '
                f"got {short(text)}"
            )
        rows[word] = int(floor) - 1
    return {"least": at_least, "most": at_most}[limit](int(found[1]), find_room(found[2]), **rows)


def parse_node(text: str) -> Node:
    """Parse a node such as "3,5": column 3 of floor 5. Floors are counted from 1."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*", text)
    if not found:
        raise UsageError(f"a room of the map is written as column,floor such as 3,5, got {short(text)}")
    return Node(int(found[1]), int(found[2]) - 1)


def read_preferences(path: Path) -> RoutePreferences:
    """Read route preferences from a TOML file; UsageError with the file name if it is invalid.

    [value]       values of rooms
    [risk]        risks of rooms, see `RoomTable`
    [after.shop]  values of rooms that directly follow a shop
    [hp]          changes of HP by room; "weak" stands for the first monster rooms
    [events]      probabilities of rooms that replace an event
    """
    content = parse_toml(read_text(path, "a file of route preferences", "TOML", MAX_BYTES), str(path))
    with errors_at(str(path)):
        file = convert(content, PreferencesFile)
        after = {
            (find_room(name), room): value
            for name, table in file.after.items()
            for room, value in _numbers(table, f"after.{name}").items()
        }
        return RoutePreferences(
            RoomTable(_numbers(file.value, "value"), _numbers(file.risk, "risk"), after),
            hp=_numbers(file.hp, "hp", lambda text: parse_hp_change(str(parse_number(text))), parse_hp_key) or None,
            events=_numbers(file.events, "events", parse_chance) or None,
        )


def _parse_value(text: str) -> Fraction:
    return parse_chance(text) if text.endswith("%") else parse_number(text)


def _numbers(
    table: RoomNumbers,
    place: str,
    read: Callable[[str], Any] = _parse_value,
    find: Callable[[str], Any] = find_room,
) -> dict[Any, Any]:
    """Return the exact numbers of a section, by room."""
    with errors_at(place):
        return _parse_pairs(((name, str(number)) for name, number in table.items()), f"[{place}]", read, find)


def _parse_pairs(
    pairs: Iterable[tuple[str, str]], where: str, read: Callable[[str], Any], find: Callable[[str], Any]
) -> dict[Any, Any]:
    """Return numbers by room. Raise UsageError for duplicates."""
    numbers: dict[Any, Any] = {}
    for name, number in pairs:
        room = find(name)
        if room in numbers:
            raise UsageError(f"{room_name(room)} is listed twice in {where}. Leave one of them out.")
        with errors_at(name.strip()):
            numbers[room] = read(number)
    return numbers
