"""Batches of games: consistent results, independent of workers.

A census equals the counts of the same games played step by step.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, PASS
from evodom.dominion.engine.turn import compare_seats
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import baseline, baseline_records
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.simulate import CENSUS, MAX_TOGETHER, play_games, take_census
from evodom.tasks import Workers
from tests.dominion.helpers import PILE_NAMES, preference
from tests.effort import effort


def strategies() -> np.ndarray:
    """Return three preference strategies with random weights, two buy lists and the random player."""
    rng, table = np.random.default_rng(4), np.zeros(6, STRATEGY)
    for index in range(3):
        early, late = ({n: rng.random() ** 4 for n in PILE_NAMES} for _ in range(2))
        classes = rng.permutation([0.999, 0.001, 1e-9])
        table[index] = preference(early, late, classes=classes, switch=3, cellar_victory_only=index % 2)
    for index, name in enumerate(("big-money-militia", "big-money-smithy", "random"), start=3):
        table[index] = baseline(name, FIRST_GAME)
    return table


def batch(n_games: int, n_seats: int = 4, *, workers=None, first: int = 0):
    """Play the games from number ``first`` on, of a fixed long list."""
    rng = np.random.default_rng(7)
    tables = rng.integers(0, 6, (first + n_games, n_seats), dtype=np.int32)[first:]
    seeds = np.random.SeedSequence(5).generate_state(first + n_games, np.uint64)[first:]
    return play_games(FIRST_GAME.rules(n_seats), strategies(), tables, seeds, workers=workers).view(np.recarray)


def test_results_do_not_depend_on_workers_or_on_the_split_into_batches(monkeypatch):
    monkeypatch.setattr("evodom.tasks.MIN_GAMES_PER_THREAD", 1)
    alone = batch(60)

    with ThreadPoolExecutor(2) as executor:
        for n_chunks in (1, 2, 7):
            assert (batch(60, workers=Workers(executor, n_chunks)) == alone).all()
    assert (alone[25:] == batch(35, first=25)).all()


def test_games_with_equal_seeds_have_the_results_of_games_played_alone():
    rng, players = np.random.default_rng(8), np.repeat(strategies(), 20)
    weights = players["preferences"]["weights"]
    weights *= rng.random(weights.shape) ** 0.1
    tables = np.repeat([[0, 60, 80, 100]], 320, axis=0).astype(np.int32)
    tables[:, :2] = rng.integers(0, 120, (320, 2))
    # More games of some seeds than are played together.
    seeds = rng.integers(0, 9, 320).astype(np.uint64)
    assert np.bincount(seeds.astype(int)).max() > MAX_TOGETHER

    together = play_games(FIRST_GAME.rules(4), players, tables, seeds)

    parts = [slice(game, game + 1) for game in range(320)]
    alone = [play_games(FIRST_GAME.rules(4), players, tables[part], seeds[part]) for part in parts]
    assert (together == np.concatenate(alone)).all()


def test_play_games_does_not_change_its_arguments():
    players, seeds = strategies(), np.arange(10, dtype=np.uint64)
    tables = np.zeros((10, 4), np.int32)
    play_games(FIRST_GAME.rules(4), players, tables, seeds)

    assert (players == strategies()).all()
    assert (seeds == np.arange(10)).all()
    assert not tables.any()


def test_the_fields_of_results_are_consistent():
    for n_seats in range(1, 7):
        results = batch(100, n_seats)
        vp, turns, win = (results[field][:, :n_seats] for field in ("vp", "turns", "win"))

        assert (results.ended > 0).all()
        assert (results.vp == results.owned @ FIRST_GAME.rules(n_seats).vp[:N_MODEL_PILES]).all()
        assert (turns.max(axis=1) - turns.min(axis=1) <= 1).all()
        assert np.allclose(win.sum(axis=1), 1)
        assert np.allclose(results.points.sum(axis=1), n_seats * (n_seats - 1) / 2)
        assert (vp == vp.max(axis=1, keepdims=True))[win > 0].all()


@pytest.mark.uncompiled
def test_points_come_before_turns():
    for hands, turns, expected in [
        (("Duchy", "Estate"), (5, 5), 1),
        (("Estate", "Duchy"), (5, 5), -1),
        (("Duchy", "Duchy"), (5, 4), -1),
        (("Duchy", "Duchy"), (4, 5), 1),
        (("Duchy", "Duchy"), (5, 5), 0),
        (("Duchy", "Estate"), (5, 4), 1),
    ]:
        game = DominionGame.from_position(
            " | ".join(f"P{i + 1}: hand {hands[i]}, Copper; turns {turns[i]}" for i in range(2))
        )

        assert compare_seats(game.rules, game.state, 0, 1) == expected


@pytest.mark.uncompiled
def test_play_games_plays_the_games_of_dominion_game():
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
def test_a_game_without_an_end_is_cut():
    idle = np.zeros(1, STRATEGY)
    idle[0] = baseline("big-money", FIRST_GAME)
    idle["buy_lists"]["n_rules"] = 0
    (result,) = play_games(FIRST_GAME.rules(1), idle, np.zeros((1, 1), np.int32), np.zeros(1, np.uint64))

    assert (result.ended, result.turns[0], result.vp[0]) == (3, 100, 3)
    assert result.owned[0].sum() == 10


@pytest.mark.uncompiled
def test_tied_players_share_the_win_and_have_half_a_point_for_each_opponent():
    rules = FIRST_GAME.rules(3).copy()
    rules.max_turns = 2
    players = np.array([baseline("big-money", FIRST_GAME)], STRATEGY)
    (result,) = play_games(rules, players, np.zeros((1, 3), np.int32), np.zeros(1, np.uint64))

    assert result["vp"][:3].tolist() == [3, 3, 3]
    assert result["points"][:3].tolist() == [1.0, 1.0, 1.0]
    assert result["win"][:3].tolist() == [1 / 3] * 3


# Gardens, whose points depend on the size of the deck, Workshops, Witches and a Chapel.
GREEN = Kingdom(("Chapel", "Workshop", "Gardens", "Witch", "Feast", "Festival"))


def replayed(kingdom, strategies, tables, seeds):
    """Return the census of games played one Decision at a time."""
    census = np.zeros(len(strategies), CENSUS)
    for table, seed in zip(tables, seeds, strict=True):
        census["games"] += np.bincount(table, minlength=len(strategies))
        game = DominionGame(kingdom, len(table), seed=int(seed), log=False)
        game.play_treasures_automatically(*range(len(table)))
        begun = None
        while (decision := game.decision) is not None:
            choice = game.strategy_choice(strategies[table[decision.seat]])
            if decision.effect.op != Op.BUY:
                game.enact(choice)
                continue
            seat, state = decision.seat, game.state
            turn = int(state.turns[seat])
            own = census[table[seat]]
            if begun != (begun := (seat, turn)):
                own.turns[turn] += 1
                own.coins[turn] += state.coins
                own.cards[turn] += game.cards(Zone.HAND + seat).total() + game.cards(Zone.IN_PLAY + seat).total()
                own.played[turn] += state.cards[Zone.IN_PLAY + seat, :N_MODEL_PILES]
            if choice.pile != PASS:
                own.bought[turn, choice.pile] += 1
            was_extra = bool(state.is_extra)
            game.enact(choice)
            after = game.decision
            goes_on = after and after.effect.op == Op.BUY and (after.seat, int(game.state.turns[seat])) == begun
            if not was_extra and (not goes_on or game.state.is_extra):
                own.owned[turn] += game.state.owned[seat, :N_MODEL_PILES]
                own.vp[turn] += game.scores[seat]
    return census


def small_batch(kingdom, *names, n_games=6, n_seats=2):
    strategies = baseline_records(names, kingdom)
    tables = np.array([np.roll(np.arange(n_seats), game) for game in range(n_games)], np.int32)
    seeds = np.random.SeedSequence(11).generate_state(n_games, np.uint64)
    return kingdom.rules(n_seats), strategies, tables, seeds


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("kingdom", "names"),
    [
        (FIRST_GAME, ("big-money-smithy", "big-money-militia")),
        (GREEN, ("chapel-witch", "workshop-gardens")),
        (Kingdom(KINGDOMS["Size Distortion"]), ("double-witch", "random")),
        (Kingdom(("Monument", "Wharf", "Outpost")), ("random", "big-money")),
    ],
)
def test_the_census_equals_counts_of_dominion_game(kingdom, names):
    rules, strategies, tables, seeds = small_batch(kingdom, *names, n_games=effort(4, 2, 2))

    _, census = take_census(rules, strategies, tables, seeds, every=1)

    # What other players' Attacks change between the turns is no part of a turn: these games have none at its end.
    expected = replayed(kingdom, strategies, tables, seeds)
    for field in CENSUS.names:
        assert (census[field] == expected[field]).all(), field


@pytest.mark.uncompiled
def test_the_census_counts_one_round_of_seats_in_every():
    rules, strategies, tables, seeds = small_batch(FIRST_GAME, "big-money", "big-money-smithy", n_games=6)

    _, census = take_census(rules, strategies, tables, seeds, every=2)

    counted = [0, 1, 4, 5]
    _, expected = take_census(rules, strategies, tables[counted], seeds[counted], every=1)
    assert (census == expected).all()
    assert census["games"].tolist() == [4, 4]


def test_a_census_has_the_results_of_play_games_for_any_workers(monkeypatch):
    monkeypatch.setattr("evodom.tasks.MIN_GAMES_PER_THREAD", 1)
    games = small_batch(FIRST_GAME, "random", "big-money", "big-money-smithy", n_games=12, n_seats=3)
    results, alone = take_census(*games)

    assert (results == play_games(*games)).all()
    with ThreadPoolExecutor(2) as executor:
        for n_chunks in (2, 7):
            assert (take_census(*games, workers=Workers(executor, n_chunks))[1] == alone).all()


def test_the_last_turn_of_a_census_has_the_final_deck():
    games = small_batch(FIRST_GAME, "big-money", "big-money-smithy", n_games=1)

    results, census = take_census(*games, every=1)

    for seat in (0, 1):
        last = results["turns"][0, seat]
        assert (census[seat]["owned"][last] == results["owned"][0, seat]).all()
        assert census[seat]["vp"][last] == results["vp"][0, seat]
