"""The gradient against finite differences of the loss, and what PPO's clip does."""

import numpy as np
import pytest

from evodom.dominion.strategies.models.networks.layers import (
    CRITIC_OFFSET,
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    N_KINDS,
    N_OUTPUTS,
    N_WEIGHTS,
    OUTPUTS_OFFSET,
    network_arrays,
)
from evodom.jit.kernel import COMPILED
from evodom.learning.ppo import CLIPPED, DIVERGENCE, ENTROPY, ERROR, IMITATE, N_FIGURES, add_gradient
from evodom.learning.rollouts import MIN_PROBABILITY
from tests.learning.reference import answers, chosen_logs, loss, random_decisions, random_weights

pytestmark = pytest.mark.uncompiled

CLIP = 0.2
N = 24 if COMPILED else 8


def gradient(weights, decisions, clip, entropy_bonus=0.0):
    """Return the gradient and the figures of all decisions."""
    found, figures = np.zeros(N_WEIGHTS, np.float32), np.zeros(N_FIGURES)
    add_gradient(weights, decisions, clip, entropy_bonus, found, figures)
    return found, figures


def slope(weights, place, decisions, **terms):
    """Return the derivative of the loss by one number, from both sides of it."""
    step = np.zeros(N_WEIGHTS)
    step[place] = 1e-5
    return (loss(weights + step, decisions, **terms) - loss(weights - step, decisions, **terms)) / 2e-5


def drawn(seed=1, n=N):
    rng = np.random.default_rng(seed)
    return random_weights(rng), random_decisions(n, rng), rng


def without_error(decisions, weights):
    """Leave out what the critic's error adds to the gradient."""
    decisions["target"] = answers(weights, decisions)[1]
    return decisions


@pytest.mark.parametrize(
    ("clip", "entropy_bonus", "advantages"),
    [(CLIP, 0.0, 1.0), (CLIP, 0.3, 0.0), (CLIP, 0.3, 1.0), (IMITATE, 0.0, 1.0), (CLIP, 0.0, 0.0)],
    ids=["policy", "entropy", "all terms", "imitation", "critic alone"],
)
def test_the_gradient_is_that_of_the_loss(clip, entropy_bonus, advantages):
    weights, decisions, rng = drawn()
    decisions["advantage"] *= advantages
    terms = {"clip": clip, "entropy_bonus": entropy_bonus, "imitates": clip == IMITATE}

    found, _ = gradient(weights, decisions, clip, entropy_bonus)

    for part in ((0, OUTPUTS_OFFSET), (OUTPUTS_OFFSET, CRITIC_OFFSET), (CRITIC_OFFSET, N_WEIGHTS)):
        used = part[0] + np.flatnonzero(found[slice(*part)])
        places = rng.permutation(used)[:20]
        expected = [slope(weights, place, decisions, **terms) for place in places]
        np.testing.assert_allclose(found[places], expected, rtol=2e-3, atol=2e-4)
    unused = np.flatnonzero(found == 0.0)[:: N_WEIGHTS // 10]
    assert [slope(weights, place, decisions, **terms) for place in unused] == pytest.approx([0.0] * len(unused))


@pytest.mark.parametrize(("advantage", "ratio"), [(1.0, 1.3), (-1.0, 0.7)])
def test_a_choice_that_has_moved_far_enough_the_right_way_is_left_alone(advantage, ratio):
    weights, decisions, _ = drawn(2)
    decisions["advantage"] = advantage
    decisions["log_probability"] = chosen_logs(weights, decisions) - np.log(ratio)
    decisions = decisions[chosen_logs(weights, decisions) > np.log(MIN_PROBABILITY)]

    found, figures = gradient(weights, without_error(decisions, weights), CLIP)

    assert figures[CLIPPED] == len(decisions)
    assert np.abs(found).max() < 1e-4


@pytest.mark.parametrize(("advantage", "ratio"), [(1.0, 1.1), (-1.0, 0.9), (1.0, 0.5), (-1.0, 2.0)])
def test_a_choice_that_moved_little_or_the_wrong_way_is_pulled_on(advantage, ratio):
    weights, decisions, _ = drawn(2)
    decisions["advantage"] = advantage
    decisions["log_probability"] = chosen_logs(weights, decisions) - np.log(ratio)

    found, figures = gradient(weights, without_error(decisions, weights), CLIP)

    assert figures[CLIPPED] == 0
    moved = weights - np.float32(1e-3) * found
    assert ((chosen_logs(moved, decisions) - chosen_logs(weights, decisions)) * advantage).sum() > 1e-4


def test_figures_are_sums_over_the_decisions():
    weights, decisions, _ = drawn(3)
    logs, guesses = answers(weights, decisions)
    moved = chosen_logs(weights, decisions) - decisions["log_probability"]

    _, figures = gradient(weights, decisions, CLIP)

    entropy = -(np.exp(logs) * np.where(np.isfinite(logs), logs, 0.0)).sum()
    assert figures[ENTROPY] == pytest.approx(entropy, rel=1e-4)
    assert figures[ERROR] == pytest.approx(((guesses - decisions["target"]) ** 2).sum(), rel=1e-4)
    assert figures[DIVERGENCE] == pytest.approx((np.exp(moved) - 1.0 - moved).sum(), rel=1e-3)


def test_only_the_network_of_the_kind_and_the_choices_that_were_open_get_a_gradient():
    weights, decisions, _ = drawn(4, n=1)
    kind, legal = int(decisions[0].kind), int(decisions[0].legal)

    network = network_arrays(gradient(weights, decisions, CLIP, 0.1)[0])

    others = [other for other in range(N_KINDS) if other != kind]
    assert not any(network[name][others].any() for name in ("inputs", "outputs", "critic"))
    for output in range(N_OUTPUTS):
        column = network["inputs"][kind, :, FIRST_OUTPUT + output]
        assert column.any() == bool((legal >> output) & 1)
    assert network["inputs"][kind, :, FIRST_CRITIC_UNIT : FIRST_CRITIC_UNIT + CRITIC_UNITS].any()
