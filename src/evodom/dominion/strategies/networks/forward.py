"""A network's answer: what each pile, and passing, is worth to the one who decides; and the critic's guess."""

from typing import Any

from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.networks.features import N_FEATURES, SCALES
from evodom.dominion.strategies.networks.layout import (
    CRITIC,
    CRITIC_UNITS,
    FIRST_OUTPUT,
    GUESS,
    HIDDEN,
    N_OUTPUTS,
    OUTPUTS,
    WIDTH,
)
from evodom.dominion.strategies.networks.vectors import add_outputs, add_rows, critic_total, softmax
from evodom.jit.kernel import kernel, random_float

PLAIN, SHARP = 1.0, 4.0
"""How sharply a network chooses: while it learns it tries what it doubts, in play it takes what it thinks best, nearly
always. docs/learning.md tells what that wins."""


@kernel
def answer(weights: Any, kind: Any, choices: Any, features: Any, sums: Any) -> None:
    """Write into ``sums``, (WIDTH,) float32, the units, what the choices are worth, and what the critic's units get.

    ``choices`` is a mask; other outputs are left unfinished.
    """
    add_rows(weights, first_row(kind), features, SCALES, sums)
    add_outputs(weights, first_output(kind), choices, sums)


@kernel
def first_row(kind: Any) -> Any:
    """Return where the rows of the features of a kind begin."""
    return kind * (N_FEATURES * WIDTH)


@kernel
def first_output(kind: Any) -> Any:
    """Return where the rows of the outputs of a kind begin."""
    return OUTPUTS + kind * (N_OUTPUTS * HIDDEN)


@kernel
def guess(weights: Any, kind: Any, sums: Any) -> Any:
    """Return what the critic expects, after `answer`."""
    return sums[GUESS] + critic_total(weights, CRITIC + kind * CRITIC_UNITS, sums)


@kernel
def to_probabilities(sums: Any, choices: Any, sharpness: Any) -> None:
    """Turn what outputs are worth, times ``sharpness``, into probabilities of the choices in a mask; others get 0."""
    softmax(sums, choices, sharpness)


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
