"""Batches of games: every row plays the games that are played alone, one after the other."""

import numpy as np
import pytest

from evodom.dominion.engine.batch import RESULT, START, new_batch, new_state, note_result, step_games
from evodom.dominion.engine.observation import N_FEATURES, observe
from evodom.dominion.engine.ops import Ending
from evodom.dominion.engine.rules import N_ANSWERS
from evodom.dominion.engine.state import ALL_SEATS
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import FIRST_GAME

N_GAMES, N_STEPS, N_SEATS = 3, 150, 3

RULES = FIRST_GAME.rules(N_SEATS).copy()
RULES.max_turns = 4


def started(seed):
    """Return the game of a seed at its first Decision, with automatic Treasures."""
    state = new_state(RULES, seed)
    state.auto_treasures = ALL_SEATS
    advance(RULES, state)
    return state


def observed(state):
    """Return the observation of the seat that decides."""
    features = np.zeros(N_FEATURES, np.int8)
    observe(RULES, state, int(state.decider), features)
    return features


@pytest.mark.uncompiled
def test_rows_play_the_games_that_are_played_alone():
    rng = np.random.default_rng(1)
    batch, results = new_batch(RULES, N_GAMES), np.zeros(N_GAMES, RESULT)
    seeds, observations = np.arange(N_GAMES, dtype=np.uint64), np.full((N_GAMES, N_FEATURES), 77, np.int8)
    alone, answers, n_finished = [None] * N_GAMES, np.full(N_GAMES, START), 0
    for _ in range(N_STEPS):
        step_games(RULES, batch, answers, seeds, results, observations)
        for row in range(N_GAMES):
            state, expected = alone[row], np.zeros(1, RESULT)[0]
            if state is not None:
                enact(RULES, state, int(answers[row]))
                if state.ended != Ending.PLAYING:
                    note_result(RULES, state, expected)
                    assert results[row].tobytes() == expected.tobytes()
                    n_finished, state = n_finished + 1, None
            assert results[row]["ended"] == expected["ended"]
            if state is None:
                state = alone[row] = started(seeds[row])
                seeds[row] += N_GAMES
            assert batch[row].tobytes() == state.tobytes()
            assert (observations[row] == observed(state)).all()
            legal = [answer for answer in range(N_ANSWERS) if int(state.legal) >> answer & 1]
            answers[row] = rng.choice(legal)
    assert n_finished > N_GAMES
