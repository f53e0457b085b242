"""Training the network of all fights of act 1."""

import numpy as np
import pytest

from benchmarks.act_training import MAX_CARDS, ActSchedule, ActTraining, concatenate_positions, random_fight
from evodom.spire.content.cards import ASCENDERS_BANE

TINY = ActSchedule(iterations=4, fights=4, games_per_fight=1, simulations=4, played_out=1, window=2, batch=16)
SHARES = (0.7, 3.0, 0.4)


@pytest.fixture(scope="module")
def trained():
    """Return a training after three iterations, and their figures."""
    training = ActTraining(3, TINY)
    return training, [training.step() for _ in range(3)]


def test_training_is_equal_for_any_number_of_threads(trained):
    alone, told = trained
    shared = ActTraining(3, TINY, n_threads=2)

    assert [shared.step() for _ in range(3)] == told
    assert shared.weights.tobytes() == alone.weights.tobytes()
    assert np.isfinite(alone.weights).all()
    assert alone.weights.tobytes() != ActTraining(3, TINY).weights.tobytes()


def test_a_restored_training_continues_equally(trained, tmp_path):
    whole, told = trained
    first, second = ActTraining(3, TINY), ActTraining(3, TINY)
    for _ in range(2):
        first.step()
    first.save(tmp_path / "state.npz")
    second.restore(tmp_path / "state.npz")

    assert second.step() == told[-1]
    assert second.weights.tobytes() == whole.weights.tobytes()
    assert len(second.replay) == TINY.window


def test_the_gradient_equals_finite_differences(trained):
    training, _ = trained
    learner, data = training.learner, concatenate_positions(list(training.replay))
    order = np.arange(0, data.n_positions, 3)
    gradient, _ = learner.gradient(data, order, SHARES)

    def loss():
        return learner.gradient(data, order, SHARES)[1] @ SHARES

    rng = np.random.default_rng(1)
    for place in rng.choice(np.argsort(-np.abs(gradient))[:3000], 25, replace=False):
        kept, step = learner.weights[place], np.float32(1e-3)
        learner.weights[place] = kept + step
        up = loss()
        learner.weights[place] = kept - step
        down = loss()
        learner.weights[place] = kept
        assert gradient[place] == pytest.approx((up - down) / 2e-3, rel=0.05, abs=2e-3)


def test_random_fights_of_act_1():
    rng = np.random.default_rng(1)
    fights = [random_fight(rng) for _ in range(150)]
    decks = [fight.rules.deck for fight in fights]

    assert max(deck.total() for deck in decks) <= MAX_CARDS + 1  # a curse may come on top
    assert all(
        (ASCENDERS_BANE in deck) == (fight.setup.ascension >= 10) for deck, fight in zip(decks, fights, strict=True)
    )
    assert {fight.setup.burning for fight in fights} > {"", "HP"}
    assert sum(len(fight.setup.potions) > 0 for fight in fights) > 10
    assert len({name for fight in fights for name in fight.rules.enemy_names}) > 20
    assert sum(fight.setup.hp == 68 for fight in fights) > 20
