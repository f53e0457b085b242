"""Lineups: networks by index, the strategies of some groups in order, and equal games in every lineup."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline_records
from evodom.dominion.strategies.lineup import NO_NETWORKS, Lineup
from evodom.dominion.strategies.models.networks.layers import ALIGN, N_WEIGHTS
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.dominion.strategies.record import blank_strategies
from evodom.matches.simulate import play_games
from tests.learning.reference import random_weights

ONE, OTHER = (network_strategy(random_weights(np.random.default_rng(seed)), FIRST_GAME) for seed in (1, 2))
MONEY = baseline_records(["big-money", "random"], FIRST_GAME)


@pytest.mark.uncompiled
def test_groups_are_joined_in_order_and_each_network_is_stored_once():
    lineup = Lineup.of([OTHER, ONE], MONEY, [MONEY[0], OTHER])

    assert lineup.records["network"].tolist() == [0, 1, 0, 0, 0, 0]
    assert len(lineup.networks) == 2
    assert [one.tobytes() for one in lineup] == [one.tobytes() for one in (OTHER, ONE, *MONEY, MONEY[0], OTHER)]
    assert [one.tobytes() for one in lineup.subset(slice(1, 3))] == [ONE.tobytes(), MONEY[0].tobytes()]
    assert [row["weights"].ctypes.data % ALIGN for row in lineup.networks] == [0, 0]
    assert [one.tobytes() for one in Lineup.of(lineup, [ONE])][-2:] == [OTHER.tobytes(), ONE.tobytes()]
    assert Lineup.of(MONEY, MONEY).networks is NO_NETWORKS


@pytest.mark.uncompiled
def test_the_network_of_a_strategy_does_not_change():
    weights = random_weights(np.random.default_rng(1))
    strategy = network_strategy(weights, FIRST_GAME)
    weights[0] += 1.0
    weights_of(strategy)[0] += 1.0

    assert strategy == ONE != OTHER
    with pytest.raises(ValueError, match="read-only"):
        strategy.network_weights[0] = 1.0
    with pytest.raises(AssertionError, match="lacks its network"):
        Lineup.of(blank_strategies(1, "network", FIRST_GAME))


def test_games_are_equal_in_every_lineup():
    table, seeds = np.zeros((20, 2), np.int32), np.arange(20, dtype=np.uint64)
    alone, joined = (Lineup.of(group) for group in ([OTHER], [ONE, *MONEY, OTHER]))

    assert len(ONE.network_weights) == N_WEIGHTS
    rules = FIRST_GAME.rules(2)
    assert (play_games(rules, alone, table, seeds) == play_games(rules, joined, table + 3, seeds)).all()
    assert (play_games(rules, joined, table, seeds) != play_games(rules, joined, table + 3, seeds)).any()
