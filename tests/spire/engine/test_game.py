"""Fights in files, move by move: the end of a fight and the order of effects, as in the original game."""

from pathlib import Path

import numpy as np
import pytest

from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import state_from_fight
from evodom.spire.fights.files import read_fight
from tests.spire.engine.helpers import Table

FIGHTS = Path(__file__).parents[2] / "data" / "fights"


def played(name, moves):
    """Return the table of a fight in a file after moves."""
    fight = read_fight(FIGHTS / f"{name}.toml")
    table = object.__new__(Table)
    table.game = SpireFight(fight.setup)
    table.rules, table.rng, table.state = (
        table.game.rules,
        np.random.default_rng(1),
        state_from_fight(fight, table.game),
    )
    for move in moves:
        table.state = table.game.sample(
            table.state, table.game.actions(table.state)[table.moves.index(move)], table.rng
        )
    return table


@pytest.mark.parametrize(
    ("name", "moves", "wanted"),
    [
        ("smoke_bomb", ["Smoke Bomb (1)"], {"over": "fled", "returns": 26}),
        ("regen_and_combust", ["end"], {"over": "won", "returns": 5}),
        ("brutality_and_hourglass", ["end"], {"over": "won", "returns": 48}),
        ("shuffle_of_no_cards", ["Battle Trance"], {"energy": 5, "block": 6, "hand": "Defend, Strike", "draw": ""}),
        ("two_charges_of_duplication", ["Duplication Potion (1)"], {"you": "hp 50, Duplication 2"}),
        ("two_charges_of_duplication", ["Duplication Potion (1)", "end"], {"you": "hp 44, Duplication 1"}),
        ("two_charges_of_duplication", ["Duplication Potion (1)", "end", "end"], {"you": "hp 35"}),
        ("limit_break_and_artifact", ["Limit Break"], {"you": "hp 50, Strength -2", "exhaust": "Limit Break"}),
    ],
)
def test_fights_in_files(name, moves, wanted):
    table = played(name, moves)

    assert {what: getattr(table, what) for what in wanted} == wanted
