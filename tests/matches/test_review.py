"""What a decision changes of the share of the win, measured against the network's choices."""

import numpy as np
import pytest

from evodom.matches.playout_search import Moment, PlayoutSearch, effects
from tests.matches.test_playout_search import FIVE_AHEAD, GOLD_IN_HAND, asked
from tests.networks import network

WINNING, LOSING = "Duchy", "Silver"
"""In FIVE_AHEAD the first player wins with the one and loses with the other, whatever is drawn."""


def searched(position):
    game = asked(position)
    return game, PlayoutSearch(game.rules, network(game.kingdom))


def effect(game, search, *names, seat=0):
    moments = [Moment(game.state, game.kingdom.names.index(name)) for name in names]
    return effects(search, moments, seat, np.random.default_rng(1))


@pytest.fixture(autouse=True)
def few_rollouts(monkeypatch):
    monkeypatch.setattr("evodom.matches.playout_search.ROLLOUTS_EFFECTS", 400)


def test_the_effect_of_a_choice_is_its_share_less_the_mean_of_the_networks_choices():
    game, search = searched(f"{FIVE_AHEAD} | supply: 1 Province")
    policy = search.policy(game.state)
    duchy, silver = (policy[game.kingdom.names.index(name)] for name in (WINNING, LOSING))
    assert duchy + silver == pytest.approx(1, abs=0.01)

    won, lost = effect(game, search, WINNING, LOSING)[0]

    assert won == pytest.approx(silver, abs=0.01)
    assert lost == pytest.approx(-duchy, abs=0.01)


def test_what_one_player_wins_the_other_loses():
    game, search = searched(f"{FIVE_AHEAD} | supply: 1 Province")

    assert effect(game, search, WINNING, seat=1)[0] == pytest.approx(-effect(game, search, WINNING)[0])


def test_the_choices_of_the_network_change_nothing_on_average():
    game, search = searched(GOLD_IN_HAND)
    policy = search.policy(game.state)
    choices = [answer for answer in game.decision.consequences if policy[answer.pile] > 0.01]

    total = variance = 0.0
    for answer in choices:
        found, errors = effects(search, [Moment(game.state, answer.pile)], 0, np.random.default_rng(1))
        total += policy[answer.pile] * found[0]
        variance += (policy[answer.pile] * errors[0]) ** 2

    assert len(choices) > 1
    assert abs(total) < 4 * variance**0.5


def test_a_choice_that_the_network_always_takes_has_no_effect_and_no_rollout():
    game = asked("P1: hand 4 Gold; deck Copper | P2: hand 5 Copper; deck 3 Copper | supply: 1 Province")
    search = PlayoutSearch(game.rules, network(game.kingdom))
    rng = np.random.default_rng(1)

    found, errors = effects(search, [Moment(game.state, game.kingdom.names.index("Province"))], 0, rng)

    assert (found.tolist(), errors.tolist()) == ([0.0], [0.0])
    assert rng.bit_generator.state == np.random.default_rng(1).bit_generator.state
