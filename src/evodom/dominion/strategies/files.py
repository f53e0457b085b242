"""Strategy files: read and write a strategy as TOML.

A file has a ``name``, a ``model`` and the fields of that model. Missing fields have defaults.
``docs/reference/strategy-files.md`` has examples. Models read and write numbers, flags and tables by card with the
functions of this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evodom.dominion.cards import BASIC, find_card
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import FileContent
from evodom.dominion.strategies.models.buy_lists.language import MAX_NUMBER
from evodom.dominion.strategies.play.menu_weights import OPTION_NAMES, OPTION_VALUES
from evodom.dominion.strategies.record import (
    COMPUTED_VALUES,
    STRATEGY,
    Strategy,
    blank_strategies,
    check_kingdom,
    column_of,
)
from evodom.dominion.strategies.registry import MODELS, model_named, model_with_files, models_with_files
from evodom.errors import UsageError, did_you_mean, errors_at, short
from evodom.files import parse_toml, read_text, toml_value


def read_number(where: str, value: object, *, float_allowed: bool, maximum: int = MAX_NUMBER) -> Any:
    """Return a number from a file. Raise UsageError for another value. ``where`` is its place in the file."""
    kinds = (int, float) if float_allowed else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value <= maximum:
        kind = "number" if float_allowed else "whole number"
        raise UsageError(f"{where} is {short(value)}. Allowed: a {kind} from 0 to {maximum}.")
    return value


def read_flag(where: str, value: object) -> bool:
    """Return a boolean from a file. Raise UsageError for another value."""
    if not isinstance(value, bool):
        raise UsageError(f"{where} is {short(value)}. Allowed: true or false.")
    return value


def read_name(where: str, value: object, names: tuple[str, ...]) -> int:
    """Return the index of a name from a file. Raise UsageError for another value."""
    if value not in names:
        raise UsageError(f"{where} is {short(value)}. Allowed: {' or '.join(map(toml_value, names))}.")
    return names.index(str(value))


def read_table(key: str, value: object, names: tuple[str, ...]) -> dict[str, Any]:
    """Return a table of numbers by name from a file. Raise UsageError for another name or value."""
    if not isinstance(value, dict):
        raise UsageError(f"{key} is {short(value)}. Allowed: a table of numbers, such as {names[0]} = 1.")
    for name in value:
        if name not in names:
            raise UsageError(f"[{key}] has no {short(name)}. {hint(name, names)}")
    return {name: read_number(f"[{key}] {name}", number, float_allowed=True) for name, number in value.items()}


def read_card_table(key: str, value: object, *, float_allowed: bool, maximum: int) -> dict[str, Any]:
    """Return a table of numbers by card, whose names are found by `find_card`."""
    if not isinstance(value, dict):
        raise UsageError(f"{key} is {short(value)}. Allowed: a table of cards, such as Gold = 10.")
    found = {}
    for name, number in value.items():
        with errors_at(f"[{key}]"):
            card = find_card(name).name
            if card in found:
                raise UsageError(f"{card} is listed twice. Leave one of them out.")
        found[card] = read_number(f"[{key}] {name}", number, float_allowed=float_allowed, maximum=maximum)
    return found


def table_lines(key: str, table: Mapping[str, Any], *, write_empty: bool = False) -> Iterator[str]:
    """Yield the lines of a table by card. An empty table has lines only with ``write_empty``."""
    if table or write_empty:
        yield from ("", f"[{key}]")
        for name, number in table.items():
            yield f"{name if name.isalpha() else toml_value(name)} = {toml_value(number)}"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a strategy file: its column in the record, and its default.

    The column's shape determines the format: a number, a list, or a table by card.

    - ``default``: a value, or for a table a mapping by card. Cards outside the mapping have the default 0.
    - ``row``: the index into a two-dimensional column, a phase or a row of `play`.
    - ``is_flag``: True for true or false, which the column has as 1 or 0.
    - ``names``: the allowed values. The column has the index of the value.
    - ``computed``: the row of the column `computed` with the piles whose numbers are computed.
    - ``entries``: the keys of a table that is not by card.
    """

    key: str
    column: str
    default: Any = 0
    row: int | None = None
    is_flag: bool = False
    names: tuple[str, ...] = ()
    computed: int | None = None
    entries: tuple[str, ...] = ()

    @property
    def _dtype(self) -> np.dtype[Any]:
        """The dtype of the column."""
        block, _, name = self.column.rpartition(".")
        return (STRATEGY[block] if block else STRATEGY)[name]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the field's numbers."""
        shape: tuple[int, ...] = self._dtype.shape
        return shape if self.row is None else shape[1:]

    @property
    def is_table(self) -> bool:
        """True if the field has a number for each card."""
        return self.shape == STRATEGY["deck_value"].shape

    def default_of(self, card: str) -> Any:
        """Return the default for a card."""
        return self.default.get(card, 0) if isinstance(self.default, Mapping) else self.default

    def numbers(self, strategy: Strategy) -> Any:
        """Return the field's numbers in a record."""
        column = column_of(strategy, self.column)
        return column if self.row is None else column[self.row]

    def explicit_table(self, strategy: Strategy, names: Sequence[str], usual: Sequence[Any]) -> dict[str, Any]:
        """Return the table by card for a file: the numbers that are not computed.

        For a column without computed values these are the numbers that differ from ``usual``.
        """
        numbers = self.numbers(strategy)[: len(names)].tolist()
        if self.computed is not None and strategy.play_values == COMPUTED_VALUES:
            mask = int(strategy.computed[self.computed])
            return {name: numbers[pile] for pile, name in enumerate(names) if not mask >> pile & 1}
        return {name: numbers[pile] for pile, name in enumerate(names) if numbers[pile] != usual[pile]}

    def read(self, value: object) -> Any:
        """Return the checked value of a file. Raise UsageError for a value that is not allowed."""
        number = self._dtype.base
        float_allowed = number.kind == "f"
        maximum = MAX_NUMBER if float_allowed else min(MAX_NUMBER, np.iinfo(number).max)
        if self.is_flag:
            return read_flag(self.key, value)
        if self.names:
            return read_name(self.key, value, self.names)
        if self.entries:
            return read_table(self.key, value, self.entries)
        if self.is_table:
            return read_card_table(self.key, value, float_allowed=float_allowed, maximum=maximum)
        if not self.shape:
            return read_number(self.key, value, float_allowed=float_allowed)
        size = self.shape[0]
        if not isinstance(value, list) or len(value) != size:
            raise UsageError(f"{self.key} is {short(value)}. Allowed: a list of {size} numbers.")
        return [read_number(self.key, number, float_allowed=float_allowed) for number in value]


def hint(word: str, known: tuple[str, ...]) -> str:
    """Return a sentence with the known word nearest to ``word``, or with all known words."""
    return did_you_mean(word, known) or f"Known: {', '.join(known)}."


MAX_FILE_BYTES = 1_000_000
"""Largest size of a file, in bytes."""

OPTIONS_FIELD = Field("option_values", "option_values", OPTION_VALUES, entries=OPTION_NAMES)
"""The weights of options."""


def explicit_options(strategy: Strategy) -> dict[str, float]:
    """Return the weights of options that differ from the defaults, by name."""
    return OPTIONS_FIELD.explicit_table(strategy, OPTION_NAMES, tuple(OPTION_VALUES.values()))


_HEAD = ("name", "model")


@dataclass(frozen=True)
class StrategyFile:
    """The content of a strategy file: the name of its model, the model's content, and the kingdom cards.

    ``is_named`` is True if the file has a ``name``.
    """

    name: str
    model: str
    content: FileContent
    cards: tuple[str, ...] = ()
    is_named: bool = False

    def missing(self, kingdom: Kingdom) -> list[str]:
        """Return the cards of the strategy that a kingdom lacks."""
        return [name for name in self.cards if name not in kingdom.names]

    def record(self, kingdom: Kingdom) -> Strategy:
        """Return the strategy as a record for a kingdom. Raise UsageError for a card outside the kingdom."""
        if missing := self.missing(kingdom):
            raise UsageError(
                f"{self.name} names {missing[0]}, which the kingdom does not have. It has: {', '.join(kingdom.names)}."
            )
        strategy: Strategy = blank_strategies(1, self.model, kingdom)[0]
        self.content.encode(kingdom, strategy)
        return strategy


def load_strategy(path: Path | str) -> StrategyFile:
    """Return the strategy of a TOML file. Raise UsageError for a file that cannot be read or parsed."""
    content = read_text(path, "a strategy file", "TOML", MAX_FILE_BYTES)
    return parse_strategy(content, name=Path(path).stem, where=str(path))


def parse_strategy(content: str, *, name: str = "strategy", where: str = "the strategy") -> StrategyFile:
    """Return the strategy of a TOML text. ``name`` is the default name, ``where`` the prefix of errors."""
    table = parse_toml(content, where)
    with errors_at(where):
        return _read(table, name)


def dump_strategy(strategy: Strategy, kingdom: Kingdom, *, name: str, comment: str = "") -> str:
    """Return a strategy as TOML that loads to an equal record in this kingdom.

    ``comment`` is written above it. Raise UsageError for a model without files.
    """
    check_kingdom(strategy, kingdom.fingerprint)
    model = model_with_files(MODELS[int(strategy["kind"])])
    lines = model.dump(strategy, kingdom)
    head = [f"# {line}".rstrip() for line in comment.splitlines()]
    return "\n".join([*head, f"name = {toml_value(name)}", f"model = {toml_value(model.name)}", *lines]) + "\n"


def _read(content: Mapping[str, object], name: str) -> StrategyFile:
    with_files = models_with_files()
    implied = (each for each in with_files if model_named(each).identifying_key in content)
    model = content.get("model", next(implied, None))
    if not isinstance(model, str) or model not in with_files:
        raise UsageError(f"model is {short(model)}. Allowed: {' or '.join(map(toml_value, with_files))}.")
    given_name = content.get("name", name)
    if not isinstance(given_name, str) or not given_name.strip() or not given_name.isprintable():
        raise UsageError(f"name is {short(given_name)}. Allowed: one line of text.")
    known = (*_HEAD, *model_named(model).keys)
    for key in content:
        if key not in known:
            raise UsageError(f"no field named '{key}'. {hint(key, known)}")
    of_model = model_named(model).read({key: value for key, value in content.items() if key not in _HEAD})
    basic = {card.name for card in BASIC}
    cards = tuple(card for card in of_model.cards if card not in basic)
    return StrategyFile(given_name, model, of_model, cards, "name" in content)
