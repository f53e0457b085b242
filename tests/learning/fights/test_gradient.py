"""The gradient of the loss, compared with finite differences; targets; and learning."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.learning.fights.gradient import DEATH, GAIN, N_LOSSES, POLICY
from evodom.learning.fights.learner import FightLearner, TrainingData, td_targets
from evodom.spire.play.estimates import Trajectory
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, OTHER, FeatureSpec, Network, new_network
from evodom.spire.play.tree_search import STEP

SIGHT = FeatureSpec(tuple("abcdef"), (1.0,) * 6, (OTHER, "end", "x", "y"))
SHARES = (0.7, 3.0, 0.4)


def some_experience(n=12, seed=1):
    rng = np.random.default_rng(seed)
    seen = rng.standard_normal((n, 6)) * (rng.random((n, 6)) < 0.7)
    tried = rng.random((n, 4))
    tried /= tried.sum(axis=1, keepdims=True)
    tried[: n // 2, 0] = -1.0
    tried[: n // 2, 1:] /= tried[: n // 2, 1:].sum(axis=1, keepdims=True)
    aims = np.column_stack([rng.standard_normal(n) * 0.2, rng.random(n)])
    return TrainingData(*(np.asarray(part, np.float32) for part in (seen, tried, aims)))


def some_learner(width=8, seed=1):
    network = new_network(SIGHT, width, np.random.default_rng(seed))
    noise = 0.3 * np.random.default_rng(9).standard_normal(len(network.weights))
    return FightLearner(Network(SIGHT, width, (network.weights + noise).astype(np.float32)))


def loss(weights, width, data):
    """Compute the mean loss in float64 by matrices, (N_LOSSES,)."""
    sizes = [(7, width), (width + 1, width), (width + 1, FIRST_MOVE_OUTPUT + 4)]
    values, at = data.features.astype(np.float64), 0
    for place, (rows, columns) in enumerate(sizes):
        layer = weights[at : at + rows * columns].reshape(rows, columns)
        at += rows * columns
        values = np.column_stack([values, np.ones(len(values))]) @ layer
        values = np.maximum(values, 0.0) if place < 2 else values
    gain = np.mean((values[:, 0] - data.targets[:, 0]) ** 2)
    chance = 1.0 / (1.0 + np.exp(-values[:, 1]))
    aim = data.targets[:, 1]
    death = -np.mean(aim * np.log(chance) + (1.0 - aim) * np.log(1.0 - chance))
    legal = data.visit_shares >= 0
    logits = np.where(legal, values[:, 2:], -np.inf)
    logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
    moves = -np.sum(np.where(legal, data.visit_shares * np.where(legal, logits, 0.0), 0.0), axis=1).mean()
    found = np.zeros(N_LOSSES)
    found[POLICY], found[GAIN], found[DEATH] = moves, gain, death
    return found


def test_the_gradient_equals_finite_differences():
    learner, data = some_learner(), some_experience()
    gradient, losses = learner.gradient(learner.positions(data), np.arange(len(data)), SHARES)
    weights = learner.weights.astype(np.float64)

    assert losses == pytest.approx(loss(weights, 8, data), rel=1e-4)
    for place in np.random.default_rng(2).choice(len(weights), 60, replace=False):
        step = np.zeros(len(weights))
        step[place] = 1e-5
        up, down = (np.dot(SHARES, loss(weights + sign * step, 8, data)) for sign in (1, -1))
        assert gradient[place] == pytest.approx((up - down) / 2e-5, rel=1e-3, abs=1e-4)


def test_illegal_moves_have_no_gradient():
    learner, data = some_learner(), some_experience()
    data.visit_shares[:, 0] = -1.0
    gradient, _ = learner.gradient(learner.positions(data), np.arange(len(data)), (1.0, 0.0, 0.0))

    assert gradient[-4] == 0.0  # the bias of that output
    assert (gradient[-3:] != 0.0).all()


def test_the_same_gradient_for_any_number_of_threads():
    data, order = some_experience(50), np.arange(50)
    alone = some_learner().gradient(some_learner().positions(data), order, SHARES)[0]
    with ThreadPoolExecutor(3) as pool:
        shared = some_learner().gradient(some_learner().positions(data), order, SHARES, pool)[0]

    assert alone.tobytes() == shared.tobytes()


def test_repeated_learning_reduces_the_loss():
    learner, data = some_learner(16), some_experience(20)
    rng = np.random.default_rng(1)
    first = learner.improve(learner.positions(data), rng, rate=0.01, batch=10, loss_weights=SHARES)
    for _ in range(150):
        last = learner.improve(learner.positions(data), rng, rate=0.01, batch=10, loss_weights=SHARES)

    assert last[GAIN] < 0.05 * first[GAIN]
    assert last[POLICY] < first[POLICY]


def noted(*values, best=(1, 1, 1)):
    notes = np.zeros(len(values), STEP)
    notes["value"], notes["value_if_won"], notes["best"] = values, 50.0, best
    return Trajectory(np.zeros((len(values), 2), np.float32), np.zeros((len(values), 3), np.float32), notes)


@pytest.mark.parametrize(
    ("best", "values", "deaths"),
    [((1, 1, 1), (37.25, 34.5, 25.0), (0.125, 0.25, 0.5)), ((1, 0, 1), (42.0, 44.0, 25.0), (0.0, 0.0, 0.5))],
    ids=["best moves", "an exploratory move"],
)
def test_targets_mix_later_targets_and_the_search_value(best, values, deaths):
    found = td_targets(noted(40.0, 44.0, 30.0, best=best), (20.0, 1.0), 100.0, 0.5).targets

    assert found[:, 0] == pytest.approx([(value - 50) / 100 for value in values])
    assert found[:, 1] == pytest.approx(deaths)
