"""Batches of games: every row plays the games that are played alone, one after the other."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import RESULT, new_state, record_result
from evodom.dominion.engine.observation import N_FEATURES, observe
from evodom.dominion.engine.state import ALL_SEATS
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped_weights
from evodom.dominion.strategies.select import select
from evodom.errors import EvodomError, UsageError
from evodom.matches.batch import CALLER, IDLE, START, GameBatch
from evodom.matches.observations import CardPlaces
from evodom.tasks import Workers
from tests.dominion.helpers import content
from tests.effort import effort

N_STEPS, N_SEATS = 150, 3

RULES = FIRST_GAME.rules(N_SEATS).copy()
RULES.max_turns = 4

STRATEGIES = [baseline("big-money", FIRST_GAME), baseline("random", FIRST_GAME)]

TABLES = np.array([[CALLER] * 3, [0, CALLER, 1], [1, 0, CALLER]], np.int32)


def played(state, table):
    """Play a game to the next Decision of a seat from outside."""
    while state.ended == Ending.PLAYING and table[state.decider] != CALLER:
        enact(RULES, state, select(RULES, state, Lineup.of(STRATEGIES).arrays, table[state.decider]))
    return state


def started(seed, table):
    """Return the game of a seed at the first Decision of a seat from outside, with automatic Treasures."""
    state = new_state(RULES, seed)
    state.auto_treasures = ALL_SEATS
    advance(RULES, state)
    return played(state, table)


def observed(state):
    """Return the observation of the seat that decides."""
    features = np.zeros(N_FEATURES, np.int8)
    observe(RULES, state, int(state.decider), features)
    return features


def test_rows_play_the_games_that_are_played_alone():
    rng = np.random.default_rng(1)
    batch = GameBatch(FIRST_GAME, TABLES, np.arange(3, dtype=np.uint64), STRATEGIES)
    batch.rules[0] = RULES
    rows, alone, n_finished = batch.rows, [None] * 3, 0
    pass_number = batch.action_names.index("pass")
    for _ in range(N_STEPS):
        batch.restart_finished()
        actions, tables, seeds = rows.actions.copy(), rows.tables.copy(), rows.seeds.copy()
        batch.step()
        for row in range(3):
            if actions[row] == START:
                state = started(seeds[row], tables[row])
            else:
                state = alone[row]
                number = int(actions[row])
                enact(RULES, state, number if number < pass_number else number - pass_number + 40)
                state = played(state, tables[row])
            alone[row] = state
            assert content(batch.state(row)) == content(state)
            assert rows.ended[row] == (state.ended != Ending.PLAYING)
            if rows.ended[row]:
                expected = np.zeros(1, RESULT)[0]
                record_result(RULES, state, expected)
                assert rows.results[row].tobytes() == expected.tobytes()
                assert not rows.masks[row].any()
                n_finished += 1
                continue
            assert (rows.observations[row] == observed(state)).all()
            assert rows.seats[row] == state.decider
            names = [name for name, legal in zip(batch.action_names, rows.masks[row], strict=True) if legal]
            assert len(names) == bin(int(state.legal)).count("1")
            rows.actions[row] = rng.choice(np.flatnonzero(rows.masks[row]))
    assert n_finished > 6


def test_sampled_actions_are_legal_and_reach_every_row():
    kingdom = parse_kingdom("Chapel, Militia, Witch, Cellar, Remodel", seed=1)
    batch = GameBatch(kingdom, np.full((64, 2), CALLER, np.int32), np.arange(64, dtype=np.uint64))
    n_games = np.zeros(64, int)
    for _ in range(2000):
        batch.restart_finished()
        batch.step()
        n_games += batch.rows.ended
        batch.choose(batch.sample_actions())
    assert n_games.min() >= 2


def test_threads_do_not_change_games():
    found = []
    for n_threads in (1, 2):
        with ThreadPoolExecutor(n_threads) as executor:
            tables = np.tile(np.array([[CALLER, 0]], np.int32), (64, 1))
            batch = GameBatch(
                FIRST_GAME, tables, np.arange(64, dtype=np.uint64), STRATEGIES, Workers(executor, n_threads)
            )
            for _ in range(40):
                batch.restart_finished()
                batch.step()
                batch.choose(batch.sample_actions())
            found.append(batch.rows.observations.copy())
    assert (found[0] == found[1]).all()


def test_an_illegal_action_is_refused_with_the_legal_ones():
    batch = GameBatch(FIRST_GAME, np.full((2, 2), CALLER, np.int32), np.arange(2, dtype=np.uint64))
    before = batch.step().observations.copy()
    passing = batch.action_names.index("pass")
    for action in (5, 99, START, IDLE, -(2**62)):
        with pytest.raises(UsageError, match=rf"action {action} of game 1 is not legal. Allowed: 0 \(Copper\), .*pass"):
            batch.choose([passing, action])
    with pytest.raises(UsageError, match=rf"action {2**64 - 1} of game 1 is not legal"):
        batch.choose(np.array([passing, 2**64 - 1], np.uint64))
    assert batch.choose([passing, IDLE], refuse=False).tolist() == [1]
    batch.choose([passing, passing])
    after = batch.step().observations.copy()
    assert (after != before).any(axis=1).all()
    assert (batch.step().observations == after).all(), "each action is carried out once"


def test_a_finished_game_has_no_illegal_action_and_stays_until_it_is_restarted():
    batch = GameBatch(FIRST_GAME, np.full((2, 2), CALLER, np.int32), np.arange(2, dtype=np.uint64))
    batch.step()
    while not batch.rows.ended.any():
        batch.choose(batch.sample_actions())
        batch.step()
    over = int(batch.rows.ended.argmax())
    final = batch.state(over).tobytes()
    actions = batch.sample_actions()
    assert actions[over] == 0
    actions[over] = START
    batch.choose(actions)
    batch.step()
    assert batch.state(over).tobytes() == final


def test_rows_of_several_kingdoms_play_the_games_of_each_kingdom_alone():
    kingdoms = [FIRST_GAME, parse_kingdom("random, with Colonies", seed=2, sets="Seaside, Intrigue")]
    tables, seeds = np.array([[CALLER, 0], [1, CALLER]] * 4, np.int32), np.arange(8, dtype=np.uint64)
    lineups = [
        [network_strategy(shipped_weights(kingdom), kingdom), baseline("big-money", kingdom)] for kingdom in kingdoms
    ]
    batch = GameBatch(FIRST_GAME, tables, seeds, n_kingdoms=2)
    for number, kingdom in enumerate(kingdoms):
        batch.set_kingdom(number, kingdom, lineups[number])
    rows = batch.rows
    rows.kingdoms[:] = np.arange(8) // 4
    alone = [GameBatch(kingdoms[n], tables[4 * n : 4 * n + 4], seeds[4 * n : 4 * n + 4], lineups[n]) for n in range(2)]
    places = [CardPlaces(kingdom) for kingdom in kingdoms]
    n_finished = 0
    for _ in range(effort(400, 300, 30)):
        batch.restart_finished()
        batch.step()
        actions = batch.sample_actions()
        for number, one in enumerate(alone):
            mine = slice(4 * number, 4 * number + 4)
            one.restart_finished()
            one.step()
            assert (one.rows.observations == rows.observations[mine]).all()
            assert (places[number].masks(one.rows.masks) == rows.masks[mine]).all()
            assert one.rows.results.tobytes() == rows.results[mine].tobytes()
            one.choose(places[number].numbers(actions[mine]))
        n_finished += rows.ended.sum()
        batch.choose(actions)
    assert n_finished > effort(8, 4, -1)
    with pytest.raises(UsageError, match="a strategy of one kingdom cannot play in another"):
        batch.set_kingdom(1, kingdoms[1], lineups[0])


def test_a_full_stack_is_an_error():
    batch = GameBatch(FIRST_GAME, np.full((2, 2), CALLER, np.int32), np.arange(2, dtype=np.uint64))
    batch.step()
    batch.choose(batch.sample_actions())
    batch._games[1]["ended"] = Ending.OVERFLOW
    with pytest.raises(EvodomError, match="unfinished plays"):
        batch.step()
