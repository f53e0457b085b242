"""Choices at random: uniform over a mask of piles, or in proportion to preference weights.

They are drawn from the stream of the seat that decides, apart from the game's chance.
"""

from typing import Any

from evodom.dominion.engine.rules import N_PILES, NONE, PASS
from evodom.dominion.engine.state import State, lowest_pile, n_bits
from evodom.jit.kernel import kernel, random_below, random_float


@kernel
def sample_uniform(state: State, mask: Any) -> Any:
    """Return one set bit of a mask that has at least one, all equally likely."""
    for _ in range(random_below(state.choices, state.decider, n_bits(mask))):
        mask &= mask - 1
    return lowest_pile(mask)


@kernel
def sample_preferred(state: State, weights: Any, mask: Any) -> Any:
    """Return one pile of a mask in proportion to its weight; NONE for an empty mask."""
    total = 0.0
    for pile in range(N_PILES):
        if (mask >> pile) & 1:
            total += weights[pile]
    point = random_float(state.choices, state.decider) * total
    last = NONE
    for pile in range(N_PILES):
        if (mask >> pile) & 1:
            last = pile
            point -= weights[pile]
            if point < 0.0:
                break
    return last


@kernel
def sample_or_pass(state: State, weights: Any, pass_weight: Any, mask: Any) -> Any:
    """Return one pile of a mask in proportion to its weight, or PASS in proportion to ``pass_weight``."""
    if pass_weight > 0.0:
        total = pass_weight
        for pile in range(N_PILES):
            if (mask >> pile) & 1:
                total += weights[pile]
        if random_float(state.choices, state.decider) * total < pass_weight:
            return PASS
    return sample_preferred(state, weights, mask)


@kernel
def least_preferred(state: State, weights: Any, mask: Any) -> Any:
    """Rank the piles of a mask by sampling without replacement and return the last."""
    while mask & (mask - 1) != 0:
        mask &= ~(1 << sample_preferred(state, weights, mask))
    return lowest_pile(mask)
