"""A network's answer: what each pile, and passing, is worth to the one who decides; and the critic's guess."""

from typing import Any

import numpy as np

from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.networks.features import N_FEATURES, SCALES
from evodom.dominion.strategies.networks.layout import (
    CRITIC,
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    GUESS,
    HIDDEN,
    N_OUTPUTS,
    OUTPUTS,
    WIDTH,
)
from evodom.kernel import kernel, random_float

PLAIN, SHARP = 1.0, 4.0
"""How sharply a network chooses: while it learns it tries what it doubts, in play it takes what it thinks best, nearly
always. docs/learning.md tells what that wins."""


@kernel
def gather(features: Any, used: Any, values: Any) -> Any:
    """Write which features are not 0 into ``used``, and what they come to into ``values``; return how many.

    What is 0 is written too, and written over: no processor foresees which ones are.
    """
    n = 0
    for feature in range(N_FEATURES):
        used[n] = feature
        values[n] = np.float32(features[feature]) * SCALES[feature]
        n += features[feature] != 0
    return n


@kernel
def row_of(weights: Any, kind: Any, feature: Any) -> Any:
    """Return the row of ``inputs`` of a feature, a view. Loops over views are vectorised, over sums of indices not."""
    first = (kind * N_FEATURES + feature) * WIDTH
    return weights[first : first + WIDTH]


@kernel
def output_of(weights: Any, kind: Any, output: Any) -> Any:
    """Return what the units add to an output, a view."""
    first = OUTPUTS + (kind * N_OUTPUTS + output) * HIDDEN
    return weights[first : first + HIDDEN]


@kernel
def answer(weights: Any, kind: Any, choices: Any, used: Any, values: Any, n_used: Any, sums: Any) -> None:
    """Write into ``sums``, (WIDTH,) float32, the units, what the choices are worth, and the critic's units and guess.

    ``choices`` is a mask; other outputs are left unfinished.
    """
    for place in range(WIDTH):
        sums[place] = 0.0
    for index in range(n_used):
        row = row_of(weights, kind, used[index])
        value = values[index]
        for place in range(WIDTH):
            sums[place] += value * row[place]
    for unit in range(HIDDEN):
        sums[unit] = max(sums[unit], np.float32(0.0))
    for output in range(N_OUTPUTS):
        if (choices >> output) & 1:
            sums[FIRST_OUTPUT + output] += product(sums, output_of(weights, kind, output))
    guess = sums[GUESS]
    for unit in range(CRITIC_UNITS):
        guess += max(sums[FIRST_CRITIC_UNIT + unit], np.float32(0.0)) * weights[CRITIC + kind * CRITIC_UNITS + unit]
    sums[GUESS] = guess


@kernel
def product(units: Any, row: Any) -> Any:
    """Return the sum of units times their weights, in four sums that a processor can add up side by side."""
    first = np.float32(0.0)
    second = np.float32(0.0)
    third = np.float32(0.0)
    fourth = np.float32(0.0)
    for unit in range(0, HIDDEN, 4):
        first += units[unit] * row[unit]
        second += units[unit + 1] * row[unit + 1]
        third += units[unit + 2] * row[unit + 2]
        fourth += units[unit + 3] * row[unit + 3]
    return (first + second) + (third + fourth)


@kernel
def to_probabilities(sums: Any, choices: Any, sharpness: Any) -> None:
    """Turn what outputs are worth into the probabilities of the choices in a mask (softmax); the others get 0.

    ``sharpness`` multiplies what they are worth.
    """
    highest = -np.inf
    for output in range(N_OUTPUTS):
        if (choices >> output) & 1:
            highest = max(highest, sums[FIRST_OUTPUT + output])
    total = 0.0
    for output in range(N_OUTPUTS):
        if (choices >> output) & 1:
            sums[FIRST_OUTPUT + output] = np.exp(sharpness * (sums[FIRST_OUTPUT + output] - highest))
            total += sums[FIRST_OUTPUT + output]
        else:
            sums[FIRST_OUTPUT + output] = 0.0
    for output in range(N_OUTPUTS):
        sums[FIRST_OUTPUT + output] /= total


@kernel
def sample(state: State, sums: Any) -> Any:
    """Draw one of the choices by the probabilities in ``sums``, from the stream of the one who decides."""
    point = random_float(state.choices, state.decider)
    last = PASS
    for output in range(N_OUTPUTS):
        if sums[FIRST_OUTPUT + output] > 0.0:
            last = output
            point -= sums[FIRST_OUTPUT + output]
            if point < 0.0:
                break
    return last
