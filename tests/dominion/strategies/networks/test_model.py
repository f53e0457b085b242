"""Networks with a card less, and with one more."""

import numpy as np

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.base import editable_model
from evodom.dominion.strategies.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.networks.model import network_record
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.simulate import play_games

UNIFORM = network_record(np.zeros(N_WEIGHTS, np.float32), FIRST_GAME)


def owned(strategy: np.record, card: str) -> np.ndarray:
    """Return how many of a card each seat owns at the end of some games."""
    seeds = np.arange(30, dtype=np.uint64)
    strategies = np.array([strategy], STRATEGY)
    results = play_games(FIRST_GAME.rules(2), strategies, np.zeros((30, 2), np.int32), seeds)
    return results["owned"][:, :2, FIRST_GAME.pile(card)]


def test_without_a_card_it_is_never_bought_and_the_network_stays():
    without = editable_model(UNIFORM).without_card(UNIFORM, "Village", FIRST_GAME)

    assert not owned(without, "Village").any()
    assert owned(UNIFORM, "Village").mean() > 0.5


def test_with_more_of_a_card_everybody_has_it():
    more = editable_model(UNIFORM).with_card(UNIFORM, "Smithy", 1, FIRST_GAME)

    assert (owned(more, "Smithy") >= 1).mean() > 0.9


def test_there_is_nothing_to_simplify():
    assert editable_model(UNIFORM).simplified(UNIFORM, FIRST_GAME, lambda changed: True) == UNIFORM
