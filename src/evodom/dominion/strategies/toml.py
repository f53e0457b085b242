"""The parts of strategy files: numbers and tables by card, read with checks and written so that they load again."""

from collections.abc import Iterator, Mapping
from typing import Any

from evodom.dominion.cards import find_card
from evodom.dominion.strategies.buy_lists.rules import MAX_NUMBER
from evodom.errors import UsageError, did_you_mean, errors_at, short
from evodom.files import toml_value


def read_number(where: str, value: object, *, float_allowed: bool) -> Any:
    """Return a number of a file; raises UsageError, which tells where, for what is none."""
    kinds = (int, float) if float_allowed else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds) or not 0 <= value <= MAX_NUMBER:
        kind = "number" if float_allowed else "whole number"
        raise UsageError(f"{where} is {short(value)}. Allowed: a {kind} from 0 to {MAX_NUMBER}.")
    return value


def read_flag(where: str, value: object) -> bool:
    """Return true or false of a file; raises UsageError for what is neither."""
    if not isinstance(value, bool):
        raise UsageError(f"{where} is {short(value)}. Allowed: true or false.")
    return value


def read_card_table(key: str, value: object, *, float_allowed: bool) -> dict[str, Any]:
    """Return a table of numbers by card; names may be in any case."""
    if not isinstance(value, dict):
        raise UsageError(f"{key} is {short(value)}. Allowed: a table of cards, such as Gold = 10.")
    found = {}
    for name, number in value.items():
        with errors_at(f"[{key}]"):
            card = find_card(name).name
        found[card] = read_number(f"[{key}] {name}", number, float_allowed=float_allowed)
    return found


def table_lines(key: str, table: Mapping[str, Any], *, even_empty: bool = False) -> Iterator[str]:
    """Return a table by card as lines; none for an empty one, unless ``even_empty``."""
    if table or even_empty:
        yield from ("", f"[{key}]")
        for name, number in table.items():
            yield f"{name if name.isalpha() else toml_value(name)} = {toml_value(number)}"


def hint(word: str, known: tuple[str, ...]) -> str:
    """Return a sentence with the known word that is nearest to another, or with all of them."""
    return did_you_mean(word, known) or f"Known: {', '.join(known)}."
