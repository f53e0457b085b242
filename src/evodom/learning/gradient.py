"""How a network's numbers should change to make good decisions likelier: the gradient of PPO's loss, compiled.

Schulman et al. 2017, "Proximal policy optimization algorithms": the clipped objective, an entropy bonus, and the
squared error of a critic.
"""

from typing import Any

import numpy as np

from evodom.dominion.strategies.networks.features import SCALES
from evodom.dominion.strategies.networks.layers import (
    CRITIC,
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    GUESS,
    N_OUTPUTS,
    PLAIN,
    WIDTH,
    add_to_rows,
    answer,
    carry_outputs_back,
    first_output,
    first_row,
    guess,
    softmax_with_logs,
)
from evodom.jit.elementary import exp, log
from evodom.jit.kernel import kernel
from evodom.learning.experience import LEAST

LEAST_LOG = float(np.log(LEAST))

ENTROPY, CLIPPED, DIVERGENCE, ERROR = range(4)
N_FIGURES = 4
"""Sums over decisions: the entropy of the policy, how many are clipped, how far it has moved from the policy that
decided (nats), and the critic's squared error."""

IMITATE = 0.0
"""As ``clip``: every decision is to be made likelier by its advantage, whoever decided."""


@kernel
def add_gradient(
    weights: Any,
    decisions: Any,
    clip: Any,
    entropy_bonus: Any,
    gradient: Any,
    figures: Any,
) -> None:
    """Add the gradient of the loss, summed over decisions, to ``gradient`` (N_WEIGHTS,), and to ``figures``."""
    sums = np.empty(WIDTH, np.float32)
    back = np.empty(WIDTH, np.float32)
    for number in range(len(decisions)):
        decision = decisions[number]
        kind = np.int64(decision.kind)
        answer(weights, kind, decision.choices, decision.features, sums)
        highest = -log(softmax_with_logs(sums, decision.choices, PLAIN, back))
        blame(decision, sums, highest, clip, entropy_bonus, back, figures)
        carry_outputs_back(weights, gradient, first_output(kind), decision.choices, sums, back)
        blame_critic(weights, kind, decision.result, sums, back, gradient, figures)
        add_to_rows(gradient, first_row(kind), decision.features, SCALES, back)


@kernel
def blame(decision: Any, sums: Any, highest: Any, clip: Any, entropy_bonus: Any, back: Any, figures: Any) -> None:
    """Write the derivative of the loss by what each output is worth into ``back``.

    Before, the logarithms of the probabilities stand there, relative to ``highest``, that of the likeliest.
    """
    relative = np.float32(0.0)
    for output in range(FIRST_OUTPUT, FIRST_OUTPUT + N_OUTPUTS):
        relative += sums[output] * back[output]
    figures[ENTROPY] -= relative + highest
    chosen = FIRST_OUTPUT + decision.chosen
    pull: Any = np.float64(decision.advantage)
    if clip != IMITATE:
        log_probability = back[chosen] + highest
        log_ratio = max(log_probability, LEAST_LOG) - decision.log_probability
        if pull < 0.0 and log_probability < LEAST_LOG:
            pull = 0.0  # nobody would take it as it is
        ratio = exp(log_ratio)
        figures[DIVERGENCE] += ratio - 1.0 - log_ratio
        if (pull > 0.0 and ratio > 1.0 + clip) or (pull < 0.0 and ratio < 1.0 - clip):
            figures[CLIPPED] += 1.0
            pull = 0.0
        pull *= ratio
    force, bonus = np.float32(pull), np.float32(entropy_bonus)
    for output in range(FIRST_OUTPUT, FIRST_OUTPUT + N_OUTPUTS):
        back[output] = sums[output] * (force + bonus * (back[output] - relative))
    back[chosen] -= force


@kernel
def blame_critic(weights: Any, kind: Any, result: Any, sums: Any, back: Any, gradient: Any, figures: Any) -> None:
    """Carry the error of the critic to its units."""
    error = guess(weights, kind, sums) - result
    figures[ERROR] += error * error
    back[GUESS] = error
    critic = CRITIC + kind * CRITIC_UNITS
    for unit in range(CRITIC_UNITS):
        value = max(sums[FIRST_CRITIC_UNIT + unit], np.float32(0.0))
        gradient[critic + unit] += error * value
        back[FIRST_CRITIC_UNIT + unit] = error * weights[critic + unit] if value > 0.0 else np.float32(0.0)
