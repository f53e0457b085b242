"""How a strategy file says preferences: the fields of FIELDS, each a column of the record or a part of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import priorities
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE, SHARED_COLUMNS, SWITCH_TURN
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.preferences.columns import COLUMNS
from evodom.dominion.strategies.toml import digits, read_card_table, read_flag, read_number, table_lines
from evodom.errors import UsageError, short

TYPES = np.dtype([*SHARED_COLUMNS, *COLUMNS])


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a preferences file: where it stands in the record, and what holds where nothing is said.

    The column's type decides how it is written: a number, a list, or a table by card. ``default`` of a table may be one
    by card; cards it lacks have 0.
    """

    key: str
    column: str
    default: Any = 0
    row: int | None = None
    is_flag: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of one number of it."""
        return TYPES[self.column].base

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its numbers."""
        shape: tuple[int, ...] = TYPES[self.column].shape
        return shape if self.row is None else shape[1:]

    @property
    def is_table(self) -> bool:
        """True if it has a number for each card."""
        return self.shape == TYPES["worth_owning"].shape

    def default_of(self, card: str) -> Any:
        """Return what holds for a card that a table does not name."""
        return self.default.get(card, 0) if isinstance(self.default, Mapping) else self.default

    def numbers(self, strategy: Strategy) -> Any:
        """Return its numbers in a record."""
        return strategy[self.column] if self.row is None else strategy[self.column][self.row]


FIELDS = (
    Field("switch", "switch", 12),
    Field("switch_on", "switch_on", SWITCH_TURN),
    Field("switch_left", "switch_left", 0),
    Field("pass_weights", "pass_weights", [0.0, 0.0]),
    Field("province_coins", "province_coins", 0),
    Field("terminals", "terminals", ALWAYS),
    Field("terminal_per", "terminal_per", 0),
    Field("graded", "graded", 1, is_flag=True),
    Field("ranks_cards", "ranks_cards", 1, is_flag=True),
    Field("cellar_victory_only", "cellar_victory_only", 0, is_flag=True),
    Field("class_weights", "class_weights", [0.999, 0.001, 1e-09]),
    Field("trash_below", "trash_below", [priorities.TRASH_BELOW, priorities.TRASH_BELOW]),
    Field("coin_floor", "coin_floor", priorities.COIN_FLOOR),
    Field("early", "weights", row=EARLY),
    Field("late", "weights", row=LATE),
    Field("limits", "limits", ALWAYS),
    Field("from_left", "from_left", ALWAYS),
    Field("worth_owning", "worth_owning", priorities.KEEP),
    Field("worth_in_hand", "worth_in_hand", priorities.DISCARD),
)
"""The fields of a preferences file, numbers before tables as TOML wants it; a field of the record is one row here."""

KEYS = tuple(each.key for each in FIELDS)

Said = Mapping[str, Any]
"""The values of a file by the keys of FIELDS."""


def read(said: Mapping[str, Any]) -> Said:
    """Return the values of a file's fields, checked; without ``late`` preferences stay as they are early."""
    values = {each.key: _read_field(each, said[each.key]) for each in FIELDS if each.key in said}
    if not any(weight > 0 for weight in values.get("early", {}).values()):
        raise UsageError("[early] prefers nothing. Allowed: cards with weights, such as Gold = 10.")
    values.setdefault("late", values["early"])
    return values


def cards(said: Said) -> Sequence[str]:
    """Return the cards that any table of a file names."""
    tables = [said[each.key] for each in FIELDS if each.is_table and each.key in said]
    return tuple(dict.fromkeys(card for table in tables for card in table))


def encode(said: Said, kingdom: Kingdom, strategy: Strategy) -> None:
    """Write what a file says into a blank record."""
    for each in FIELDS:
        if each.is_table:
            table = said.get(each.key, {})
            numbers = each.numbers(strategy)
            numbers[: len(kingdom.names)] = [table.get(name, each.default_of(name)) for name in kingdom.names]
        else:
            strategy[each.column] = said.get(each.key, each.default)


def dump(strategy: Strategy, kingdom: Kingdom) -> list[str]:
    """Return the lines of a file."""
    lines: list[str] = []
    for each in FIELDS:
        numbers = each.numbers(strategy)
        if each.is_table:
            table = {name: numbers[pile].item() for pile, name in enumerate(kingdom.names)}
            if each.column == "weights":
                table = dict(sorted(table.items(), key=lambda item: -item[1]))
            unusual = {name: n for name, n in table.items() if n != each.default_of(name)}
            lines += table_lines(each.key, unusual, even_empty=True)
        elif each.is_flag:
            lines.append(f"{each.key} = {'true' if numbers else 'false'}")
        elif each.shape:
            lines.append(f"{each.key} = [{', '.join(digits(number) for number in numbers)}]")
        else:
            lines.append(f"{each.key} = {digits(numbers)}")
    return lines


def _read_field(each: Field, value: Any) -> Any:
    """Return what a file says of a field, checked."""
    float_allowed = each.dtype.kind == "f"
    if each.is_flag:
        return int(read_flag(each.key, value))
    if each.is_table:
        return read_card_table(each.key, value, float_allowed=float_allowed)
    if not each.shape:
        return read_number(each.key, value, float_allowed=float_allowed)
    size = each.shape[0]
    if not isinstance(value, list) or len(value) != size:
        raise UsageError(f"{each.key} is {short(value)}. Allowed: a list of {size} numbers.")
    return [read_number(each.key, number, float_allowed=float_allowed) for number in value]
