"""Batches of games: results, independence of the split, and the same games without compilation."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.engine.turn import stands_before
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import STRATEGY
from evodom.jit.kernel import COMPILED
from evodom.matches.simulate import play_games
from evodom.tasks import Workers
from tests.dominion import mixed_games
from tests.dominion.mixed_games import strategies


def batch(n_games: int, n_seats: int = 4, *, workers=None, first: int = 0):
    """Play the games from number ``first`` on, of a fixed long list."""
    rng = np.random.default_rng(7)
    tables = rng.integers(0, 6, (first + n_games, n_seats), dtype=np.int32)[first:]
    seeds = np.random.SeedSequence(5).generate_state(first + n_games, np.uint64)[first:]
    return play_games(FIRST_GAME.rules(n_seats), strategies(), tables, seeds, workers=workers).view(np.recarray)


@pytest.mark.parametrize("n_chunks", [1, 2, 3, 7])
def test_results_are_the_same_for_any_workers(n_chunks, monkeypatch):
    monkeypatch.setattr("evodom.tasks.CHUNK", 1)
    alone = batch(100)

    with ThreadPoolExecutor(2) as executor:
        assert (batch(100, workers=Workers(executor, n_chunks)) == alone).all()


def test_a_game_depends_on_its_own_row_alone():
    assert (batch(60)[25:] == batch(35, first=25)).all()


def test_strategies_and_seeds_are_left_as_they_were():
    players, seeds = strategies(), np.arange(10, dtype=np.uint64)
    tables = np.zeros((10, 4), np.int32)
    play_games(FIRST_GAME.rules(4), players, tables, seeds)

    assert (players == strategies()).all()
    assert (seeds == np.arange(10)).all()
    assert not tables.any()


@pytest.mark.parametrize("n_seats", [1, 2, 3, 4, 5, 6])
def test_results_agree_with_each_other(n_seats):
    results = batch(200, n_seats)
    vp, turns, win = (results[field][:, :n_seats] for field in ("vp", "turns", "win"))

    assert (results.ended > 0).all()
    assert (results.vp == results.owned @ FIRST_GAME.rules(n_seats).vp[:N_MODEL_PILES]).all()
    assert (turns.max(axis=1) - turns.min(axis=1) <= 1).all()
    assert np.allclose(win.sum(axis=1), 1)
    assert np.allclose(results.points.sum(axis=1), n_seats * (n_seats - 1) / 2)
    assert (vp == vp.max(axis=1, keepdims=True))[win > 0].all()


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("hands", "turns", "expected"),
    [
        (("Duchy", "Estate"), (5, 5), 1),
        (("Estate", "Duchy"), (5, 5), -1),
        (("Duchy", "Duchy"), (5, 4), -1),
        (("Duchy", "Duchy"), (4, 5), 1),
        (("Duchy", "Duchy"), (5, 5), 0),
        (("Duchy", "Estate"), (5, 4), 1),
    ],
)
def test_points_come_before_turns(hands, turns, expected):
    game = parse_position(" | ".join(f"P{i + 1}: hand {hands[i]}, Copper; turns {turns[i]}" for i in range(2)))

    assert stands_before(game.rules, game.state, 0, 1) == expected


@pytest.mark.uncompiled
def test_a_batch_plays_the_games_the_friendly_layer_plays():
    players = strategies()
    seed = np.uint64(99)
    (result,) = play_games(FIRST_GAME.rules(2), players, np.array([[4, 0]], np.int32), np.array([seed]))
    game = DominionGame(n_players=2, seed=99, log=False)
    game.play_treasures_automatically(0, 1)
    while game.decision is not None:
        game.enact(game.strategy_choice(players[[4, 0][game.decision.seat]]))

    assert tuple(result.vp[:2]) == game.scores
    assert (result.owned[:2] == game.state.owned[:2, :N_MODEL_PILES]).all()


@pytest.mark.uncompiled
def test_a_game_that_nobody_ends_is_cut():
    idle = np.zeros(1, STRATEGY)
    idle[0] = baseline("big-money", FIRST_GAME)
    idle[0].n_rules = 0
    (result,) = play_games(FIRST_GAME.rules(1), idle, np.zeros((1, 1), np.int32), np.zeros(1, np.uint64))

    assert (result.ended, result.turns[0], result.vp[0]) == (3, 100, 3)
    assert result.owned[0].sum() == 10


@pytest.mark.uncompiled
def test_equals_share_the_win_and_have_half_a_point_for_each_other():
    rules = FIRST_GAME.rules(3).copy()
    rules.max_turns = 2
    players = np.array([baseline("big-money", FIRST_GAME)], STRATEGY)
    (result,) = play_games(rules, players, np.zeros((1, 3), np.int32), np.zeros(1, np.uint64))

    assert result["vp"][:3].tolist() == [3, 3, 3]
    assert result["points"][:3].tolist() == [1.0, 1.0, 1.0]
    assert result["win"][:3].tolist() == [1 / 3] * 3


@pytest.mark.skipif(not COMPILED, reason="compares with the compiled games")
def test_games_are_the_same_compiled_and_uncompiled(capsys):
    uncompiled = subprocess.run(
        [sys.executable, "-m", "tests.dominion.mixed_games"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout

    mixed_games.main()

    assert capsys.readouterr().out == uncompiled
    assert uncompiled.count("\n") == 2
