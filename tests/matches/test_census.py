"""The census of games: the same numbers as a look at every turn of the same games played in the friendly layer."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.simulate import CENSUS, play_games, take_census
from evodom.tasks import Workers
from tests.effort import effort

# Gardens, whose points depend on the size of the deck, Workshops, Witches and a Chapel.
GREEN = Kingdom(("Chapel", "Workshop", "Gardens", "Witch", "Feast", "Festival"))


def players(kingdom, *names):
    strategies = np.zeros(len(names), STRATEGY)
    for index, name in enumerate(names):
        strategies[index] = baseline(name, kingdom)
    return strategies


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
                own.cards[turn] += game.cards(Zone.HAND + seat).total() + game.cards(Zone.IN_PLAY).total()
                own.played[turn] += state.cards[Zone.IN_PLAY]
            if choice.pile != PASS:
                own.bought[turn, choice.pile] += 1
            game.enact(choice)
            after = game.decision
            if after is None or after.effect.op != Op.BUY or (after.seat, int(game.state.turns[seat])) != begun:
                own.owned[turn] += game.state.owned[seat]
                own.vp[turn] += game.scores[seat]
    return census


def small_batch(kingdom, *names, n_games=6, n_seats=2):
    strategies = players(kingdom, *names)
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
    ],
)
def test_the_census_counts_what_the_friendly_layer_shows(kingdom, names):
    rules, strategies, tables, seeds = small_batch(kingdom, *names, n_games=effort(4, 4, 2))

    _, census = take_census(rules, strategies, tables, seeds, every=1)

    # What other players' Attacks change between the turns is no part of a turn: these games have none at its end.
    expected = replayed(kingdom, strategies, tables, seeds)
    for field in CENSUS.names:
        assert (census[field] == expected[field]).all(), field


@pytest.mark.uncompiled
def test_one_round_of_seats_in_so_many_is_counted():
    rules, strategies, tables, seeds = small_batch(FIRST_GAME, "big-money", "big-money-smithy", n_games=6)

    _, census = take_census(rules, strategies, tables, seeds, every=2)

    counted = [0, 1, 4, 5]
    _, expected = take_census(rules, strategies, tables[counted], seeds[counted], every=1)
    assert (census == expected).all()
    assert census["games"].tolist() == [4, 4]


def test_the_games_are_those_without_a_census():
    rules, strategies, tables, seeds = small_batch(FIRST_GAME, "random", "big-money", "big-money-smithy", n_seats=3)

    results, _ = take_census(rules, strategies, tables, seeds)

    assert (results == play_games(rules, strategies, tables, seeds)).all()


def test_the_census_is_the_same_for_any_workers(monkeypatch):
    monkeypatch.setattr("evodom.tasks.CHUNK", 1)
    batch = small_batch(FIRST_GAME, "big-money", "big-money-smithy", n_games=50)
    _, alone = take_census(*batch)

    with ThreadPoolExecutor(2) as executor:
        for n_chunks in (2, 3, 7):
            assert (take_census(*batch, workers=Workers(executor, n_chunks))[1] == alone).all()


def test_final_decks_are_those_of_the_results():
    rules, strategies, tables, seeds = small_batch(FIRST_GAME, "big-money", "big-money-smithy", n_games=1)

    results, census = take_census(rules, strategies, tables, seeds, every=1)

    for seat in (0, 1):
        last = results["turns"][0, seat]
        assert (census[seat]["owned"][last] == results["owned"][0, seat]).all()
        assert census[seat]["vp"][last] == results["vp"][0, seat]
