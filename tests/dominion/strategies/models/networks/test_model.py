"""Networks that never gain a card, and that gain it first."""

import numpy as np

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.registry import editable_model
from evodom.matches.simulate import play_games

UNIFORM = network_strategy(np.zeros(N_WEIGHTS, np.float32), FIRST_GAME)


def owned(strategy: np.record, card: str) -> np.ndarray:
    """Return how many of a card each seat owns at the end of some games."""
    seeds = np.arange(30, dtype=np.uint64)
    results = play_games(FIRST_GAME.rules(2), Lineup.of([strategy]), np.zeros((30, 2), np.int32), seeds)
    return results["owned"][:, :2, FIRST_GAME.pile(card)]


def test_a_forbidden_card_is_never_gained_and_a_preferred_card_always():
    model = editable_model(UNIFORM)
    without, more = (
        model.without_card(UNIFORM, "Village", FIRST_GAME),
        model.with_card(UNIFORM, "Smithy", 1, FIRST_GAME),
    )

    assert not owned(without, "Village").any()
    assert owned(UNIFORM, "Village").mean() > 0.5
    assert (owned(more, "Smithy") >= 1).mean() > 0.9
    assert model.simplified(UNIFORM, FIRST_GAME, lambda changed: True) == UNIFORM
