"""`reading.convert` returns typed values; every error is one line with place, value and what is allowed."""

from enum import Enum
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from evodom.errors import UsageError
from evodom.reading import allowed_values, convert


class Phase(Enum):
    ACTION = "action"
    BUY = "buy"


class Player(Struct, forbid_unknown_fields=True):
    turns: Annotated[int, Meta(ge=0, le=99)] = 0


class Draw(Struct, forbid_unknown_fields=True, tag="draw"):
    n: int


class Gain(Struct, forbid_unknown_fields=True, tag="gain"):
    card: str


class Table(Struct, forbid_unknown_fields=True):
    n: Annotated[int, Meta(ge=8, le=512, multiple_of=4)] = 8
    share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    any_number: float = 0.0
    model: Literal["graded", "classic"] = "graded"
    phase: Phase = Phase.BUY
    names: Annotated[tuple[str, ...], Meta(max_length=3)] = ()
    players: list[Player] = []
    limit: Annotated[int, Meta(ge=0)] | None = None
    weights: dict[str, Annotated[float, Meta(ge=0)]] = {}
    pair: tuple[int, float] = (0, 0.0)
    effect: Draw | Gain | None = None

    def __post_init__(self) -> None:
        if self.n == 12:
            raise UsageError("n is 12. Allowed: no dozen.")


def test_fitting_data_are_converted() -> None:
    table = convert({"n": 16, "share": 1, "players": [{"turns": 3}], "effect": {"type": "draw", "n": 2}}, Table)
    assert (table.n, table.share, table.players[0].turns, table.effect) == (16, 1.0, 3, Draw(2))


DEEP: list[object] = []
for _ in range(50_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"n": 9}, "x: n is 9. Allowed: 8 to 512, divisible by 4. Restart."),
        ({"n": True}, "x: n is True. Allowed: 8 to 512, divisible by 4. Restart."),
        ({"n": 12}, "x: n is 12. Allowed: no dozen. Restart."),
        ({"n": 10**400}, "x: n is a number of more than 64 bits"),
        ({"any_number": float("nan")}, "x: any_number is nan. Allowed: a finite number. Restart."),
        ({"any_number": 10**400}, "x: any_number is a number of more than 64 bits"),
        ({"players": [{"turns": float("inf")}]}, "x: players[0].turns is inf. Allowed: a finite number. Restart."),
        ({"share": 1.5}, "x: share is 1.5. Allowed: 0 to 1. Restart."),
        ({"model": "grade"}, "x: model is 'grade'. Allowed: one of classic, graded. Did you mean graded? Restart."),
        ({"phase": "by"}, "x: phase is 'by'. Allowed: one of action, buy. Did you mean buy? Restart."),
        ({"names": ["a"] * 4}, "x: names is ['a', 'a', 'a', 'a']. Allowed: a list of at most 3 items. Restart."),
        ({"names": ["a", 7]}, "x: names[1] is 7. Allowed: a text. Restart."),
        ({"players": [{}, {"turns": -1}]}, "x: players[1].turns is -1. Allowed: 0 to 99. Restart."),
        (
            {"players": [{"turn": 1}]},
            "x: 'turn' of players[0] is unknown. Allowed: turns. Did you mean turns? Restart.",
        ),
        ({"limit": -1}, "x: limit is -1. Allowed: 0 or more or null. Restart."),
        ({"weights": {"a": -2}}, "x: weights.'a' is -2. Allowed: 0 or more. Restart."),
        ({"pair": [1]}, "x: pair is [1]. Allowed: a list of 2 items. Restart."),
        ({"effect": {"type": "gain"}}, "x: card of effect is missing. Restart."),
        ({"effect": {"type": "burn"}}, "x: effect is {'type': 'burn'}. Allowed: an object with n or an object with"),
        ({"players": None}, "x: players is null. Allowed: a list. Restart."),
        ([1], "x: this is [1]. Allowed: an object with n, share, "),
        ({1: 2}, "x: 1 is unknown. Allowed: n, share, "),
        (DEEP, "x: it is nested too deep. Restart."),
    ],
)
def test_the_error_names_place_value_and_what_is_allowed(raw: object, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        convert(raw, Table, source="x", next_step="Restart.")
    assert str(refused.value).startswith(told)
    assert "\n" not in str(refused.value)


def test_bounds_are_told_in_words() -> None:
    assert allowed_values(Annotated[float, Meta(gt=0, le=2.5)]) == "more than 0 and at most 2.5"
    assert allowed_values(Annotated[int, Meta(ge=1, le=9999)]) == "1 to 9,999"
    assert allowed_values(Annotated[str, Meta(min_length=1, max_length=9)]) == "a text of 1 to 9 characters"
