"""Read what rooms are worth and what a route must keep to: names of rooms, tables, TOML files, rules in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from evodom.errors import UsageError, short
from evodom.files import parse_toml, read_text
from evodom.spire.map.act import LETTERS, Node, Room
from evodom.spire.route.rules import LAST_ROW, WEAK, HpChanges, Limit, RoomTable, at_least, at_most

SYNONYMS = {
    "fight": Room.MONSTER,
    "unknown": Room.EVENT,
    "merchant": Room.SHOP,
    "campfire": Room.REST,
    "chest": Room.TREASURE,
}
NAMES = {room.name.lower(): room for room in Room}
MAX_WORTH = 10**9
LIMIT = re.compile(r"(\d{1,2})\s+(\S+?)((?:\s+(?:before|after)\s+(?:floor\s+)?\d{1,3})*)")
BOUND = re.compile(r"(before|after)\s+(?:floor\s+)?(\d+)")
NUMBER = re.compile(
    r"[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[-+]?\d{1,3}|/\d{1,20})?", re.ASCII | re.IGNORECASE
)
"""A number whose exact value takes neither time nor room."""

MAX_BYTES = 100_000
"""The longest file that is read."""

PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)\s*%")
SECTIONS = ("value", "risk", "after", "hp", "events")


@dataclass(frozen=True)
class RoutePreferences:
    """Values of rooms, and optionally changes of HP and chances of event rooms."""

    table: RoomTable
    hp: HpChanges | None = None
    events: Mapping[Room, Fraction] | None = None


def room_name(room: Room | str) -> str:
    """Return the name of a room, as `find_room` reads it, or that of another key of changes of HP."""
    return room.name.lower() if isinstance(room, Room) else room


def find_room(text: str) -> Room:
    """Return the room of a name, in the singular or plural, a letter of the map, or the name of its class."""
    word = text.strip()
    known = {**{letter.lower(): room for room, letter in LETTERS.items()}, **SYNONYMS, **NAMES}
    known |= {room.value.lower(): room for room in Room}
    room = known.get(word.lower()) or known.get(word.lower().removesuffix("s"))
    if room is None:
        raise UsageError(f"no room is named {text!r}. Rooms: {', '.join(NAMES)}")
    return room


def find_change(text: str) -> Room | str:
    """Return the room of a name, or `WEAK`, which only changes of HP know."""
    return WEAK if text.strip().lower() == WEAK else find_room(text)


def parse_changes(text: str) -> HpChanges:
    """Read "weak=-4, monster=-8, rest=24" into changes of HP."""
    return parse_numbers(text, read=parse_change, find=find_change)


def parse_numbers(
    text: str, *, read: Callable[[str], Any] | None = None, find: Callable[[str], Any] = find_room
) -> dict[Any, Any]:
    """Read "monster=3, elite=5" into exact numbers; each room at most once."""
    numbers: dict[Any, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = part.partition("=")
        if not equals:
            raise UsageError(f'a table is written like "monster=3, elite=5", got {short(text)}')
        room = find(name)
        if room in numbers:
            raise UsageError(f"{room_name(room)} stands twice in {short(text)}. Leave one of them out.")
        numbers[room] = (read or parse_number)(number.strip())
    if not numbers:
        raise UsageError(f'a table is written like "monster=3, elite=5", got {short(text)}')
    return numbers


def parse_number(text: str) -> Fraction:
    """Read "3", "-2.5" or "1/3" exactly."""
    try:
        number = Fraction(text) if NUMBER.fullmatch(text) else None
    except ZeroDivisionError:
        number = None
    if number is None:
        raise UsageError(f"a number such as 3, -2.5 or 1/3 is needed, got {short(text)}")
    if abs(number) > MAX_WORTH:
        raise UsageError(f"numbers go up to {MAX_WORTH:,}, got {text}")
    return number


def parse_change(text: str) -> int:
    """Read a change of HP, "-8" or "+24"."""
    if not re.fullmatch(r"[+-]?\d{1,4}", text):
        raise UsageError(f"a change of HP is a whole number such as -8 or +24, got {short(text)}")
    return int(text)


def parse_chance(text: str) -> Fraction:
    """Read "10%", "0.1" or "1/10" into a chance."""
    percent = PERCENT.fullmatch(text)
    chance = Fraction(percent[1]) / 100 if percent else parse_number(text)
    if not 0 <= chance <= 1:
        raise UsageError(f"a chance is 0 to 1, or 0% to 100%, got {short(text)}")
    return chance


def parse_limit(text: str, limit: str) -> Limit:
    """Read "1 shop before 8" or "2 elites after 5 before 10" as a rule; `limit` is "least" or "most".

    Floors are counted from 1.
    """
    found = LIMIT.fullmatch(text.strip())
    if not found:
        raise UsageError(f'a rule is written like "1 shop before 8" or "2 elites after 5", got {short(text)}')
    rows: dict[str, int] = {}
    for word, floor in BOUND.findall(found[3]):
        if word in rows or not 1 <= int(floor) <= LAST_ROW + 1:
            raise UsageError(
                f'a rule has at most one "before" and one "after", of a floor from 1 to {LAST_ROW + 1}, '
                f"got {short(text)}"
            )
        rows[word] = int(floor) - 1
    return {"least": at_least, "most": at_most}[limit](int(found[1]), find_room(found[2]), **rows)


def parse_node(text: str) -> Node:
    """Read "3,5": column 3 of floor 5, as people are told it; floors are counted from 1."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*", text)
    if not found:
        raise UsageError(f"a room of the map is written as column,floor such as 3,5, got {short(text)}")
    return Node(int(found[1]), int(found[2]) - 1)


def read_preferences(path: Path) -> RoutePreferences:
    """Read route preferences from a TOML file; UsageError with the file's name if it cannot be used.

    [value] and [risk] give numbers for rooms, [after.shop] what rooms are worth right after a shop, [hp] changes of HP,
    where the first monsters may be named weak, [events] chances of what event rooms turn out to be.
    """
    page = parse_toml(read_text(path, "a taste", "TOML", MAX_BYTES), str(path))
    try:
        return _preferences(page)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def _preferences(page: dict[str, Any]) -> RoutePreferences:
    if odd := next((name for name in page if name not in SECTIONS), None):
        raise UsageError(f"there is no section [{odd}]. Sections: {', '.join(SECTIONS)}")
    if "value" not in page:
        raise UsageError("a section [value] is needed, such as: monster = 3")
    after = {
        (find_room(name), room): worth
        for name, table in _table(page, "after").items()
        for room, worth in _numbers(table, f"after.{name}").items()
    }
    sections = [name for name in SECTIONS if name in page and name != "after"]
    numbers = {name: _numbers(page[name], name, find_change if name == "hp" else find_room) for name in sections}
    return RoutePreferences(
        RoomTable(numbers["value"], numbers.get("risk", {}), after),
        hp={room: parse_change(str(n)) for room, n in numbers["hp"].items()} if "hp" in page else None,
        events={room: parse_chance(str(n)) for room, n in numbers["events"].items()} if "events" in page else None,
    )


def _numbers(table: Any, name: str, find: Callable[[str], Any] = find_room) -> dict[Any, Fraction]:
    """Return the numbers of a section exactly as they are written."""
    if not isinstance(table, dict):
        raise UsageError(f"[{name}] must be a section of rooms and numbers, got {short(table)}")
    numbers: dict[Any, Fraction] = {}
    for key, number in table.items():
        room = find(key)
        if isinstance(number, bool) or not isinstance(number, int | float | str):
            raise UsageError(f"{key} in [{name}] must be a number, got {short(number)}")
        if room in numbers:
            raise UsageError(f"{room_name(room)} stands twice in [{name}]. Leave one of them out.")
        numbers[room] = parse_chance(str(number)) if str(number).endswith("%") else parse_number(str(number))
    return numbers


def _table(page: dict[str, Any], name: str) -> dict[str, Any]:
    table = page.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"[{name}] must be a section, got {short(table)}")
    return table
