"""What a room is worth: the notebook's two evaluations, tables, and functions of (room, row, what came before).

`RANK` and `RISK` are those of the notebook "Optimization Final Project" (github.com/andrew-sharpl/sts-map,
final.ipynb). `RISK` is value - risk * (1 - tolerance).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

from evodom.errors import UsageError
from evodom.spire.map.act import Room

Number = int | Fraction | float
"""What a room may be worth. A float counts as the exact number that it represents."""

Worth = Callable[[Room, int, Any], Number]
"""Returns what a room is worth, given its row and what came before it."""


class Counts(NamedTuple):
    """How many rooms of each kind came before."""

    monster: int = 0
    elite: int = 0
    event: int = 0
    shop: int = 0
    rest: int = 0
    treasure: int = 0
    boss: int = 0


@dataclass(frozen=True)
class Memory:
    """What an evaluation remembers of the rooms that came before; paths with the same memory are one state."""

    start: Hashable
    after: Callable[[Any, Room], Hashable]


NOTHING = Memory(None, lambda before, room: None)
LAST_ROOM = Memory(None, lambda before, room: room)
COUNTS = Memory(Counts(), lambda before, room: before._replace(**{room.name.lower(): before[_PLACE[room]] + 1}))
ALL_ROOMS = Memory((), lambda before, room: (*before, room))

_PLACE: dict[Room, int] = {room: Counts._fields.index(room.name.lower()) for room in Room}


@dataclass(frozen=True)
class Evaluation:
    """What rooms are worth: a function of (room, row, before), and what it needs to remember.

    `before` is None (NOTHING), the room just before or None (LAST_ROOM), `Counts` (COUNTS), or all rooms from the
    bottom as a tuple (ALL_ROOMS). The less it remembers, the fewer states there are.
    """

    worth: Worth
    memory: Memory = ALL_ROOMS

    def exact(self, room: Room, row: int, before: Any) -> int | Fraction:
        """Return the worth as an exact number; UsageError if the function does not give a finite number."""
        worth = self.worth(room, row, before)
        if isinstance(worth, int | Fraction):
            return worth
        if isinstance(worth, float) and isfinite(worth):
            return Fraction(worth)
        raise UsageError(f"an evaluation must give a finite number for each room, got {worth!r} for a {room} in {row}")


@dataclass(frozen=True)
class RoomTable:
    """An evaluation as a table: what a room is worth, and the risk that a low tolerance takes away.

    Rooms that are not in a table have 0. `after[before, room]` is what `room` is worth if the one just before it was
    `before`, instead of `value[room]`.
    """

    value: Mapping[Room, Number]
    risk: Mapping[Room, Number] = field(default_factory=dict)
    after: Mapping[tuple[Room, Room], Number] = field(default_factory=dict)

    def at(self, tolerance: Number = 1) -> Evaluation:
        """Return the evaluation at a tolerance of risk, from 0 (all risk counts) to 1 (none does)."""
        if not 0 <= tolerance <= 1:
            raise UsageError(f"the tolerance of risk is a number from 0 to 1, got {tolerance}")
        share = 1 - Fraction(tolerance)
        feared = {room: share * Fraction(self.risk.get(room, 0)) for room in Room}
        alone = {room: Fraction(self.value.get(room, 0)) - feared[room] for room in Room}
        after = {(before, room): Fraction(value) - feared[room] for (before, room), value in self.after.items()}

        def worth(room: Room, row: int, before: Any) -> Number:
            return after.get((before, room), alone[room]) if after else alone[room]

        return Evaluation(worth, LAST_ROOM if self.after else NOTHING)


RANK = RoomTable({Room.ELITE: 5, Room.REST: 4, Room.MONSTER: 3, Room.EVENT: 2, Room.SHOP: 1})
"""The rooms by rank. A treasure counts 0: every path has exactly one."""

RISK = RoomTable(
    {room: 10 * rank for room, rank in RANK.value.items()},
    risk={Room.ELITE: 50, Room.MONSTER: 15, Room.EVENT: 5},
)
"""Ten times the rank, minus a risk."""

Evaluating = Evaluation | RoomTable | Worth
"""What may be given as an evaluation: a table counts with tolerance 1, a function gets all rooms before."""


def as_evaluation(given: Evaluating) -> Evaluation:
    """Return what was given as an `Evaluation`."""
    if isinstance(given, Evaluation):
        return given
    return given.at() if isinstance(given, RoomTable) else Evaluation(given)
