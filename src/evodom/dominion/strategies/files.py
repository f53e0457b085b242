"""Strategy files: a menu or a preference strategy as TOML that a person can write and read.

A menu says ``buy``, rules in the language of `conditions`, and may say more of `menus.Menu`; a preferences file says
the fields of PREFERENCES. What a file leaves out is as usual. ``docs/strategies.md`` has examples.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from evodom.dominion.cards import BASIC, find_card
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import priorities
from evodom.dominion.strategies.conditions import MAX_NUMBER, decode, format_rule
from evodom.dominion.strategies.menus import Menu, menu_strategy
from evodom.dominion.strategies.record import (
    ALWAYS,
    EARLY,
    KIND_MENU,
    KIND_PREFERENCE,
    LATE,
    PLAY_NO_CURSES,
    PLAY_SPARE,
    PLAY_USUAL,
    STRATEGY,
    SWITCH_TURN,
    Strategy,
    blank_strategies,
    check_kingdom,
)
from evodom.errors import UsageError

MENU, PREFERENCES_MODEL = "menu", "preferences"
MODELS = (MENU, PREFERENCES_MODEL)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a preferences file: where it stands in the record, and what holds where nothing is said.

    The record's type decides how it is written: a number, a list, or a table by card. ``default`` of a table may be one
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
        return STRATEGY[self.column].base

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its numbers."""
        shape: tuple[int, ...] = STRATEGY[self.column].shape
        return shape if self.row is None else shape[1:]

    @property
    def is_table(self) -> bool:
        """True if it has a number for each card."""
        return self.shape == STRATEGY["keep"].shape

    def default_of(self, card: str) -> Any:
        """Return what holds for a card that a table does not name."""
        return self.default.get(card, 0) if isinstance(self.default, Mapping) else self.default

    def read(self, strategy: Strategy) -> Any:
        """Return its numbers in a record."""
        return strategy[self.column] if self.row is None else strategy[self.column][self.row]


PREFERENCES = (
    Field("switch", "switch", 12),
    Field("switch_on", "switch_on", SWITCH_TURN),
    Field("switch_left", "switch_left", 0),
    Field("pass_weights", "pass_weights", [0.0, 0.0]),
    Field("province_coins", "province_coins", 0),
    Field("terminals", "terminals", ALWAYS),
    Field("terminal_per", "terminal_per", 0),
    Field("graded", "graded", 1, is_flag=True),
    Field("weighs", "weighs", 1, is_flag=True),
    Field("cellar_victory_only", "cellar_victory_only", 0, is_flag=True),
    Field("class_weights", "class_weights", [0.999, 0.001, 1e-09]),
    Field("trash_below", "trash_below", [priorities.TRASH_BELOW, priorities.TRASH_BELOW]),
    Field("coin_floor", "coin_floor", priorities.COIN_FLOOR),
    Field("early", "weights", row=EARLY),
    Field("late", "weights", row=LATE),
    Field("limits", "limits", ALWAYS),
    Field("from_left", "from_left", ALWAYS),
    Field("keep", "keep", priorities.KEEP),
    Field("use", "use", priorities.DISCARD),
)
"""The fields of a preferences file, numbers before tables as TOML wants it; a field of the record is one row here."""

_TABLES = ("play", "play_with_spare_actions", "play_without_curses", "discard", "keep", "keep_wanted")
_NUMBERS = ("trash_below", "coin_floor", "discard_to")
_MENU_KEYS = tuple(each.name for each in fields(Menu))
_HEAD = ("name", "model")


@dataclass(frozen=True)
class StrategyFile:
    """A strategy as a file says it: a Menu, or the values of a preference strategy by the keys of PREFERENCES."""

    name: str
    model: str
    says: Menu | Mapping[str, Any]
    cards: tuple[str, ...] = field(default=())
    """The kingdom cards it names."""

    def record(self, kingdom: Kingdom) -> Strategy:
        """Return it as a record of STRATEGY for a kingdom; raises UsageError for a card the kingdom lacks."""
        missing = [name for name in self.cards if name not in kingdom.names]
        if missing:
            raise UsageError(
                f"{self.name} names {missing[0]}, which the kingdom does not have. It has: {', '.join(kingdom.names)}."
            )
        if isinstance(self.says, Menu):
            return menu_strategy(self.says, kingdom)
        return _preference_strategy(self.says, kingdom)


def load_strategy(path: Path | str) -> StrategyFile:
    """Return the strategy of a TOML file; raises UsageError for one that cannot be read or is not understood."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text in UTF-8. A strategy file is TOML.") from None
    return parse_strategy(text, name=path.stem, where=str(path))


def parse_strategy(text: str, *, name: str = "strategy", where: str = "the strategy") -> StrategyFile:
    """Return the strategy of a TOML text; ``name`` is for one that says none, ``where`` stands before errors."""
    try:
        return _read(tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where} is not TOML: {error}.") from None
    except RecursionError:
        raise UsageError(f"{where} is nested too deeply for a strategy.") from None
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def dump_strategy(record: Strategy, kingdom: Kingdom, *, name: str, comment: str = "") -> str:
    """Return a record of STRATEGY as TOML that loads to an equal record in this kingdom; the random player has none."""
    check_kingdom(record, kingdom.fingerprint)
    if record.kind == KIND_MENU:
        model, body = MENU, _dumped_menu(record, kingdom)
    elif record.kind == KIND_PREFERENCE:
        model, body = PREFERENCES_MODEL, _dumped_preferences(record, kingdom)
    else:
        raise UsageError(f"{name} is no strategy that a file can say. Allowed: menus and preferences.")
    head = [f"# {line}".rstrip() for line in comment.splitlines()]
    return "\n".join([*head, f"name = {_text(name)}", f"model = {_text(model)}", *body]) + "\n"


# Reading.


def _read(content: Mapping[str, Any], name: str) -> StrategyFile:
    model = content.get("model", MENU if "buy" in content else None)
    if model not in MODELS:
        raise UsageError(f"model is {_short(model)}. Allowed: {' or '.join(map(_text, MODELS))}.")
    name = content.get("name", name)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise UsageError(f"name is {_short(name)}. Allowed: one line of text.")
    allowed = _MENU_KEYS if model == MENU else tuple(each.key for each in PREFERENCES)
    for key in content:
        if key not in (*_HEAD, *allowed):
            raise UsageError(f"no field named '{key}'. {_hint(key, (*_HEAD, *allowed))}")
    said = {key: value for key, value in content.items() if key not in _HEAD}
    basic = {card.name for card in BASIC}
    if model == MENU:
        menu = _menu(said)
        return StrategyFile(name, model, menu, tuple(card for card in menu.cards if card not in basic))
    values = {each.key: _field_value(each, said[each.key]) for each in PREFERENCES if each.key in said}
    if not any(values.get(key, {}).get(card, 0) > 0 for key in ("early",) for card in values.get(key, {})):
        raise UsageError("[early] prefers nothing. Allowed: cards with weights, such as Gold = 10.")
    values.setdefault("late", values["early"])
    tables = [values[each.key] for each in PREFERENCES if each.is_table and each.key in values]
    named = dict.fromkeys(card for table in tables for card in table)
    return StrategyFile(name, model, values, tuple(card for card in named if card not in basic))


def _menu(said: Mapping[str, Any]) -> Menu:
    """Return the menu of a file's fields."""
    buy = said.get("buy")
    if not isinstance(buy, list) or not buy:
        raise UsageError(f'buy is {_short(buy)}. Allowed: a list of rules such as "Gold if total_money > 9".')
    for nth, rule in enumerate(buy, 1):
        try:
            _ = Menu((rule,)).rules
        except UsageError as error:
            raise UsageError(f"buy, rule {nth}: {error}") from None
    check = said.get("endgame_check", False)
    if not isinstance(check, bool):
        raise UsageError(f"endgame_check is {_short(check)}. Allowed: true or false.")
    more: dict[str, Any] = {key: _card_table(key, said[key], float_allowed=False) for key in _TABLES if key in said}
    more |= {key: _number(key, said[key], float_allowed=False) for key in _NUMBERS if key in said}
    return Menu(tuple(buy), endgame_check=check, **more)


def _field_value(each: Field, value: Any) -> Any:
    """Return what a file says of a field, checked."""
    float_allowed = each.dtype.kind == "f"
    if each.is_flag:
        if not isinstance(value, bool):
            raise UsageError(f"{each.key} is {_short(value)}. Allowed: true or false.")
        return int(value)
    if each.is_table:
        return _card_table(each.key, value, float_allowed=float_allowed)
    if not each.shape:
        return _number(each.key, value, float_allowed=float_allowed)
    size = each.shape[0]
    if not isinstance(value, list) or len(value) != size:
        raise UsageError(f"{each.key} is {_short(value)}. Allowed: a list of {size} numbers.")
    return [_number(each.key, number, float_allowed=float_allowed) for number in value]


def _card_table(key: str, value: Any, *, float_allowed: bool) -> dict[str, Any]:
    """Return a table of numbers by card; names may be in any case."""
    if not isinstance(value, dict):
        raise UsageError(f"{key} is {_short(value)}. Allowed: a table of cards, such as Gold = 10.")
    found = {}
    for name, number in value.items():
        try:
            card = find_card(name).name
        except UsageError as error:
            raise UsageError(f"[{key}]: {error}") from None
        found[card] = _number(f"[{key}] {name}", number, float_allowed=float_allowed)
    return found


def _number(where: str, value: Any, *, float_allowed: bool) -> Any:
    kinds = (int, float) if float_allowed else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value <= MAX_NUMBER:
        kind = "number" if float_allowed else "whole number"
        raise UsageError(f"{where} is {_short(value)}. Allowed: a {kind} from 0 to {MAX_NUMBER}.")
    return value


def _preference_strategy(says: Mapping[str, Any], kingdom: Kingdom) -> Strategy:
    """Return the record of a preference strategy."""
    strategy = blank_strategies(1, kingdom)[0]
    strategy.kind = KIND_PREFERENCE
    for each in PREFERENCES:
        if each.is_table:
            said = says.get(each.key, {})
            numbers = each.read(strategy)
            if not isinstance(each.default, Mapping):
                numbers[:] = each.default
            numbers[: len(kingdom.names)] = [said.get(name, each.default_of(name)) for name in kingdom.names]
        elif each.row is None:
            strategy[each.column] = says.get(each.key, each.default)
        else:
            strategy[each.column][each.row] = says.get(each.key, each.default)
    return strategy


# Writing.


def _dumped_menu(record: Strategy, kingdom: Kingdom) -> list[str]:
    """Return the lines of a menu: its rules, and where it differs from what is usual."""
    names = kingdom.names
    menu = Menu(
        tuple(format_rule(rule) for rule in decode(record, kingdom)),
        bool(record.endgame_check),
        trash_below=int(record.trash_below[EARLY]),
        coin_floor=int(record.coin_floor),
        discard_to=int(record.discard_to),
    )
    # One after the other: a number of its own in `play` takes those of the next two tables away.
    for key, column, row in (
        ("play", "play", PLAY_USUAL),
        ("play_with_spare_actions", "play", PLAY_SPARE),
        ("play_without_curses", "play", PLAY_NO_CURSES),
        ("discard", "use", None),
        ("keep", "keep", None),
        ("keep_wanted", "keep_wanted", None),
    ):
        usual, own = menu_strategy(menu, kingdom)[column], record[column]
        usual, own = (usual, own) if row is None else (usual[row], own[row])
        different = {name: int(own[pile]) for pile, name in enumerate(names) if own[pile] != usual[pile]}
        menu = replace(menu, **{key: different})  # type: ignore[arg-type]
    lines = ["buy = [", *(f"    {_text(rule)}," for rule in menu.buy), "]"]
    lines += ["endgame_check = true"] if menu.endgame_check else []
    plain = Menu(())
    lines += [f"{key} = {getattr(menu, key)}" for key in _NUMBERS if getattr(menu, key) != getattr(plain, key)]
    return lines + [line for key in _TABLES for line in _table_lines(key, getattr(menu, key))]


def _dumped_preferences(record: Strategy, kingdom: Kingdom) -> list[str]:
    """Return the lines of a preference strategy."""
    names = kingdom.names
    lines: list[str] = []
    for each in PREFERENCES:
        numbers = each.read(record)
        if each.is_table:
            plain = {name: numbers[pile].item() for pile, name in enumerate(names)}
            if each.column == "weights":
                plain = dict(sorted(plain.items(), key=lambda item: -item[1]))
            lines += _table_lines(
                each.key, {name: n for name, n in plain.items() if n != each.default_of(name)}, keep=True
            )
        elif each.is_flag:
            lines.append(f"{each.key} = {'true' if numbers else 'false'}")
        elif each.shape:
            lines.append(f"{each.key} = [{', '.join(_digits(number) for number in numbers)}]")
        else:
            lines.append(f"{each.key} = {_digits(numbers)}")
    return lines


def _table_lines(key: str, table: Mapping[str, Any], *, keep: bool = False) -> Iterator[str]:
    """Return a table by card as lines, none for an empty one unless it is to be kept."""
    if table or keep:
        yield from ("", f"[{key}]")
        for name, number in table.items():
            yield f"{name if name.isalpha() else _text(name)} = {_digits(number)}"


def _digits(number: Any) -> str:
    """Return a number in as many digits as it takes to read the same again."""
    return repr(float(number)) if isinstance(number, float) else str(int(number))


def _text(text: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _hint(word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}."


def _short(value: Any) -> str:
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
