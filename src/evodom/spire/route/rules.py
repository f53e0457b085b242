"""Evaluations of rooms, and rules for paths: limits, nodes to visit or avoid, and survival.

The tables `RANK` and `RISK` are those of the notebook "Optimization Final Project"
(github.com/andrew-sharpl/sts-map, final.ipynb). With a risk, a room counts as value - risk * (1 - tolerance).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite
from typing import Any, Final, NamedTuple, Protocol

from evodom.errors import EvodomError, UsageError
from evodom.spire.content.encounters import N_WEAK
from evodom.spire.map.act import ActMap, Node, Room

Number = int | Fraction | float
"""Value of a room. A float counts as the exact number that it represents."""

ValueFunction = Callable[[Room, int, Any], Number]
"""Function that returns the value of a room, given its row and the evaluation's memory."""


class Counts(NamedTuple):
    """Number of earlier rooms, by kind."""

    monster: int = 0
    elite: int = 0
    event: int = 0
    shop: int = 0
    rest: int = 0
    treasure: int = 0
    boss: int = 0


@dataclass(frozen=True)
class Memory:
    """An evaluation's memory of earlier rooms; `after` updates it. Paths with equal memories share a state."""

    initial: Hashable
    after: Callable[[Any, Room], Hashable]


def _with_room(counts: Counts, room: Room) -> Counts:
    """Return the counts after one more room."""
    kind = room.name.lower()
    return counts._replace(**{kind: getattr(counts, kind) + 1})


NO_MEMORY = Memory(None, lambda memory, room: None)
LAST_ROOM = Memory(None, lambda memory, room: room)
COUNTS = Memory(Counts(), _with_room)
ALL_ROOMS = Memory((), lambda memory, room: (*memory, room))


@dataclass(frozen=True)
class Evaluation:
    """An evaluation of rooms: a function of (room, row, memory), and the kind of memory that it needs.

    kind       memory
    NO_MEMORY  None
    LAST_ROOM  the previous room; None in the first room
    COUNTS     `Counts`
    ALL_ROOMS  a tuple of all earlier rooms

    A smaller memory gives fewer states.
    """

    value: ValueFunction
    memory: Memory = ALL_ROOMS

    def following(self, room: Room | None) -> "Evaluation":
        """Return the evaluation of paths that begin directly after a room; after no room for None."""
        after = self.memory.after
        return replace(self, memory=Memory(after(self.memory.initial, room), after)) if room else self

    def exact_value(self, room: Room, row: int, memory: Any) -> int | Fraction:
        """Return the value as an exact number. Raise `UsageError` if it is not a finite number."""
        value = self.value(room, row, memory)
        if isinstance(value, int | Fraction):
            return value
        if isinstance(value, float) and isfinite(value):
            return Fraction(value)
        raise UsageError(f"an evaluation must give a finite number for each room, got {value!r} for a {room} in {row}")


@dataclass(frozen=True)
class RoomTable:
    """An evaluation as a table: values of rooms, and risks that count at a low tolerance.

    Absent rooms have value 0. `after[previous, room]` replaces `value[room]` directly after the room `previous`.
    """

    value: Mapping[Room, Number]
    risk: Mapping[Room, Number] = field(default_factory=dict)
    after: Mapping[tuple[Room, Room], Number] = field(default_factory=dict)

    def at_tolerance(self, tolerance: Number = 1) -> Evaluation:
        """Return the evaluation at a tolerance of risk, from 0 (all risk counts) to 1 (none does)."""
        if not 0 <= tolerance <= 1:
            raise UsageError(f"the tolerance of risk is a number from 0 to 1, got {tolerance}")
        share = 1 - Fraction(tolerance)
        risk = {room: share * Fraction(self.risk.get(room, 0)) for room in Room}
        values = {room: Fraction(self.value.get(room, 0)) - risk[room] for room in Room}
        values_after = {pair: Fraction(value) - risk[pair[1]] for pair, value in self.after.items()}
        if not values_after:
            return Evaluation(lambda room, row, memory: values[room], NO_MEMORY)
        return Evaluation(lambda room, row, previous: values_after.get((previous, room), values[room]), LAST_ROOM)


RANK = RoomTable({Room.ELITE: 5, Room.REST: 4, Room.MONSTER: 3, Room.EVENT: 2, Room.SHOP: 1})
"""Values by rank. A treasure has value 0: every path has exactly one."""

RISK = RoomTable(
    {room: 10 * rank for room, rank in RANK.value.items()}, risk={Room.ELITE: 50, Room.MONSTER: 15, Room.EVENT: 5}
)
"""Values are ten times the rank."""

EvaluationLike = Evaluation | RoomTable | ValueFunction
"""Types accepted as an evaluation. A table is used without its risks, a function with the memory ALL_ROOMS."""


def as_evaluation(given: EvaluationLike) -> Evaluation:
    """Convert to an `Evaluation`."""
    if isinstance(given, Evaluation):
        return given
    return given.at_tolerance() if isinstance(given, RoomTable) else Evaluation(given)


LAST_ROW = 14

WEAK: Final = "weak"
"""Key of `HpChanges` for the first `WEAK_FIGHTS` monster rooms of a path. They have weaker monsters."""

WEAK_FIGHTS = N_WEAK

HpChanges = Mapping[Room | str, int]
"""Change of HP by room. The change of `WEAK`, if present, replaces that of the first monster rooms."""


class NoRoute(EvodomError):
    """No path keeps all rules. The message lists conflicting rules."""


class RouteRule(Protocol):
    """Protocol of rules with a tally that is updated room by room. Paths with equal tallies share a state."""

    @property
    def initial_tally(self) -> int:
        """Return the tally before the first room."""

    def after(self, tally: int, node: Node, room: Room) -> int | None:
        """Return the tally after a room; None if the rule is broken."""

    def is_kept(self, tally: int) -> bool:
        """Return whether a path that ends with this tally keeps the rule."""


@dataclass(frozen=True)
class Limit:
    """Rule: a path has at least `least` and at most `most` rooms for which `matches` is true."""

    text: str
    matches: Callable[[Node, Room], bool]
    least: int = 0
    most: int | None = None
    initial_tally: int = 0

    def after(self, tally: int, node: Node, room: Room) -> int | None:
        """Return the number of matching rooms; None if it is above `most`."""
        tally += self.matches(node, room)
        if self.most is None:  # cap the tally: paths with more rooms than needed can share a state
            return min(tally, self.least)
        return tally if tally <= self.most else None

    def is_kept(self, tally: int) -> bool:
        """Return whether at least `least` rooms match."""
        return tally >= self.least

    def __str__(self) -> str:
        return self.text


def hp_key(room: Room, n_monsters: int, changes: HpChanges) -> Room | str:
    """Return the key of a room in changes of HP.

    `n_monsters` is the number of earlier monster rooms. Any number from `WEAK_FIGHTS` on has the same result.
    """
    return WEAK if room is Room.MONSTER and WEAK in changes and n_monsters < WEAK_FIGHTS else room


_WEAK_UNIT = 1 << 20
"""Factor of the number of weak monster rooms in the tally of `Survive`. It is above any HP."""


@dataclass(frozen=True)
class Survive:
    """Rule: HP stay above 0. They begin at `initial_tally`. Each room changes them by `changes`, up to `max_hp`.

    A tally is one integer: HP + n * `_WEAK_UNIT`. n is the number of monster rooms for which `hp_key` is WEAK. The
    tally omits the number of the other monster rooms, so that more paths share a state. `n_monsters` monster rooms were
    entered before the path.
    """

    initial_tally: int
    changes: HpChanges
    max_hp: int
    n_monsters: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.initial_tally <= self.max_hp:
            raise UsageError(f"a path begins with 1 to {self.max_hp} HP, the maximum, got {self.initial_tally}")

    def after(self, tally: int, node: Node, room: Room) -> int | None:
        """Return the tally after a room; None if no HP are left."""
        n_weak, hp = divmod(tally, _WEAK_UNIT)
        key = hp_key(room, self.n_monsters + n_weak, self.changes)
        hp = min(self.max_hp, hp + self.changes.get(key, 0))
        return hp + _WEAK_UNIT * (n_weak + (key == WEAK)) if hp > 0 else None

    def hp_of(self, tally: int) -> int:
        """Return the HP of a tally."""
        return tally % _WEAK_UNIT

    def is_kept(self, tally: int) -> bool:
        """Return True: a path with a tally is alive."""
        return True

    def __str__(self) -> str:
        return f"survive with {self.initial_tally} HP"


def next_tallies(rules: Sequence[RouteRule], tallies: Sequence[int], node: Node, room: Room) -> tuple[int, ...] | None:
    """Return the tallies of rules after a room, None if it breaks a rule."""
    updated = (rule.after(tally, node, room) for rule, tally in zip(rules, tallies, strict=True))
    kept = tuple(tally for tally in updated if tally is not None)
    return kept if len(kept) == len(rules) else None


def sufficient_hp(rules: Sequence[RouteRule], can_keep: Callable[[Sequence[RouteRule]], bool]) -> int | None:
    """Return the lowest HP at the start with which the rules can be kept. Only HP above those of `Survive` are tried.

    `can_keep` returns whether given rules can be kept. Return None if the maximum HP do not suffice, or if there is no
    rule `Survive`.
    """
    others = [rule for rule in rules if not isinstance(rule, Survive)]
    survive = next((rule for rule in rules if isinstance(rule, Survive)), None)
    if survive is None:
        return None
    for hp in range(survive.initial_tally + 1, survive.max_hp + 1):
        if can_keep([*others, replace(survive, initial_tally=hp)]):
            return hp
    return None


def at_least(n: int, room: Room, *, after: int = -1, before: int = LAST_ROW + 1) -> Limit:
    """Return the rule of at least `n` of a room in the rows above `after` and below `before`."""
    return Limit(_text("at least", n, room, after, before), _matcher(room, after, before), least=n)


def at_most(n: int, room: Room, *, after: int = -1, before: int = LAST_ROW + 1) -> Limit:
    """Return the rule of at most `n` of a room in the rows above `after` and below `before`."""
    return Limit(_text("at most", n, room, after, before), _matcher(room, after, before), most=n)


def through(node: Node) -> Limit:
    """Return the rule that the path goes through a node."""
    return Limit(f"through {node.name}", lambda entered, room: entered == node, least=1)


def avoid(node: Node) -> Limit:
    """Return the rule that the path does not go through a node."""
    return Limit(f"avoid {node.name}", lambda entered, room: entered == node, most=0)


def check_node(act_map: ActMap, node: Node) -> Node:
    """Return a node of a map; UsageError if the map has no room there."""
    if node in act_map.rooms:
        return node
    columns = [str(other.x) for other in act_map.rooms if other.y == node.y]
    floor = f"floor {node.floor}"
    what = f"{floor} has rooms in columns {', '.join(columns)}" if columns else f"the map has no {floor}"
    raise UsageError(f"there is no room at {node.name} (column,floor): {what}")


def _matcher(room: Room, after: int, before: int) -> Callable[[Node, Room], bool]:
    return lambda node, entered: entered is room and after < node.y < before


def _text(limit: str, n: int, room: Room, after: int, before: int) -> str:
    floors = f" after floor {after + 1}" if after >= 0 else ""
    floors += f" before floor {before + 1}" if before <= LAST_ROW else ""
    return f"{limit} {n} {room.name.lower()}{'s' * (n != 1)}{floors}"
