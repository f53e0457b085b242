"""How a network's numbers should change to make good decisions likelier: the gradient of PPO's loss, compiled.

Schulman et al. 2017, "Proximal policy optimization algorithms": the clipped objective, an entropy bonus, and the
squared error of a critic.
"""

from typing import Any

import numpy as np

from evodom.dominion.strategies.networks.features import N_FEATURES
from evodom.dominion.strategies.networks.forward import PLAIN, answer, gather, output_of, row_of, to_probabilities
from evodom.dominion.strategies.networks.layout import (
    CRITIC,
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    GUESS,
    HIDDEN,
    N_OUTPUTS,
    WIDTH,
)
from evodom.kernel import kernel
from evodom.learning.experience import LEAST

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
    order: Any,
    clip: Any,
    entropy_bonus: Any,
    gradient: Any,
    figures: Any,
) -> None:
    """Add the gradient of the loss, summed over the decisions that ``order`` numbers, to ``gradient`` (N_WEIGHTS,).

    ``figures`` (N_FIGURES,) are added to.
    """
    used = np.empty(N_FEATURES, np.int64)
    values = np.empty(N_FEATURES, np.float32)
    sums = np.empty(WIDTH, np.float32)
    back = np.empty(WIDTH, np.float32)
    for number in order:
        decision = decisions[number]
        kind = np.int64(decision.kind)
        n_used = gather(decision.features, used, values)
        answer(weights, kind, decision.choices, used, values, n_used, sums)
        to_probabilities(sums, decision.choices, PLAIN)
        blame(decision, sums, clip, entropy_bonus, back, figures)
        carry_back(weights, kind, decision, sums, back, gradient, figures)
        add_rows(kind, used, values, n_used, back, gradient)


@kernel
def blame(decision: Any, sums: Any, clip: Any, entropy_bonus: Any, back: Any, figures: Any) -> None:
    """Write the derivative of the loss by what each output is worth into ``back``, where logarithms stand before."""
    entropy = 0.0
    for output in range(N_OUTPUTS):
        probability = sums[FIRST_OUTPUT + output]
        if probability > 0.0:
            back[FIRST_OUTPUT + output] = np.log(probability)
            entropy -= probability * back[FIRST_OUTPUT + output]
    figures[ENTROPY] += entropy
    pull: Any = np.float64(decision.advantage)
    if clip != IMITATE:
        probability = sums[FIRST_OUTPUT + decision.chosen]
        log_ratio = np.log(max(probability, np.float32(LEAST))) - decision.log_probability
        if pull < 0.0 and probability < LEAST:
            pull = 0.0  # nobody would take it as it is
        ratio = np.exp(log_ratio)
        figures[DIVERGENCE] += ratio - 1.0 - log_ratio
        if (pull > 0.0 and ratio > 1.0 + clip) or (pull < 0.0 and ratio < 1.0 - clip):
            figures[CLIPPED] += 1.0
            pull = 0.0
        pull *= ratio
    for output in range(N_OUTPUTS):
        probability, slope = sums[FIRST_OUTPUT + output], 0.0
        if (decision.choices >> output) & 1:
            slope = pull * probability
            if probability > 0.0:
                slope += entropy_bonus * probability * (back[FIRST_OUTPUT + output] + entropy)
            if output == decision.chosen:
                slope -= pull
        back[FIRST_OUTPUT + output] = slope


@kernel
def carry_back(weights: Any, kind: Any, decision: Any, sums: Any, back: Any, gradient: Any, figures: Any) -> None:
    """Carry the derivatives in ``back`` from the outputs, and the critic's error, to the units of the network."""
    for unit in range(HIDDEN):
        back[unit] = 0.0
    for output in range(N_OUTPUTS):
        slope = back[FIRST_OUTPUT + output]
        if slope != 0.0:
            row = output_of(weights, kind, output)
            for unit in range(HIDDEN):
                back[unit] += slope * row[unit]
            row = output_of(gradient, kind, output)
            for unit in range(HIDDEN):
                row[unit] += slope * sums[unit]
    for unit in range(HIDDEN):
        if sums[unit] == 0.0:
            back[unit] = 0.0
    error = sums[GUESS] - decision.result
    figures[ERROR] += error * error
    back[GUESS] = error
    critic = CRITIC + kind * CRITIC_UNITS
    for unit in range(CRITIC_UNITS):
        value = max(sums[FIRST_CRITIC_UNIT + unit], np.float32(0.0))
        gradient[critic + unit] += error * value
        back[FIRST_CRITIC_UNIT + unit] = error * weights[critic + unit] if value > 0.0 else np.float32(0.0)


@kernel
def add_rows(kind: Any, used: Any, values: Any, n_used: Any, back: Any, gradient: Any) -> None:
    """Add what each feature contributed to the gradient of its row."""
    for index in range(n_used):
        row = row_of(gradient, kind, used[index])
        value = values[index]
        for place in range(WIDTH):
            row[place] += value * back[place]
