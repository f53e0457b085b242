"""Pick a pile of a mask: the pile with the lowest or highest value, or a random pile.

Random picks use the stream of the deciding seat.
"""

from typing import Any

from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS
from evodom.dominion.engine.state import State, lowest_pile, n_bits
from evodom.dominion.strategies.base import FloatArray, IntArray
from evodom.jit.kernel import kernel, random_below, random_float


@kernel
def sample_uniform(state: State, mask: int) -> Any:
    """Return one set bit of a mask, all equally likely. The mask is not empty."""
    for _ in range(random_below(state.strategy_streams, state.decider, n_bits(mask))):
        mask &= mask - 1
    return lowest_pile(mask)


@kernel
def sample_preferred(state: State, weights: FloatArray, mask: int) -> Any:
    """Return one pile of a mask in proportion to its weight; NONE for an empty mask."""
    total = 0.0
    for pile in range(N_MODEL_PILES):
        if (mask >> pile) & 1:
            total += weights[pile]
    point = random_float(state.strategy_streams, state.decider) * total
    last = NONE
    for pile in range(N_MODEL_PILES):
        if (mask >> pile) & 1:
            last = pile
            point -= weights[pile]
            if point < 0.0:
                break
    return last


@kernel
def sample_or_pass(state: State, weights: FloatArray, pass_weight: float, mask: int) -> Any:
    """Return one pile of a mask in proportion to its weight, or PASS in proportion to ``pass_weight``."""
    if pass_weight > 0.0:
        total = pass_weight
        for pile in range(N_MODEL_PILES):
            if (mask >> pile) & 1:
                total += weights[pile]
        if random_float(state.strategy_streams, state.decider) * total < pass_weight:
            return PASS
    return sample_preferred(state, weights, mask)


@kernel
def least_preferred(state: State, weights: FloatArray, mask: int) -> Any:
    """Rank the piles of a mask by sampling without replacement and return the last."""
    while mask & (mask - 1) != 0:
        mask &= ~(1 << sample_preferred(state, weights, mask))
    return lowest_pile(mask)


@kernel
def lowest(values: IntArray, piles: int) -> Any:
    """Return the pile of a mask with the lowest value. The mask has no PASS_BIT."""
    found = NONE
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if found == NONE or values[pile] < values[found]:
            found = pile
    return found


@kernel
def highest(values: "IntArray | FloatArray", piles: int) -> Any:
    """Return the pile of a mask with the highest value. The mask has no PASS_BIT."""
    found = NONE
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if found == NONE or values[pile] > values[found]:
            found = pile
    return found
