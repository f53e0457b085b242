"""Chance, in one place: a result is drawn from a random stream, or taken from a list that is gone through.

A kernel that needs chance asks `pick`. With a stream it gets one result. With `listing` on it gets the results of a
tape, and where that ends the first possible one; `SpireFight.outcomes` calls the kernel again and again with the next
tape, and so finds all results with their weights. With `BEFORE_DRAWS` it lists in the same way, but the player's draws
are left to the caller: a fight stops with the draw at the front of its queue, to be gone on with by `run`.
"""

from typing import Any

from evodom.kernel import kernel, random_below
from evodom.spire.engine.layout import N_DICE

DRAWN, LISTED, BEFORE_DRAWS = range(3)
"""What `dice.listing` may be: results are drawn, listed, or listed up to the next draw of cards."""


@kernel
def pick(dice: Any, n: Any) -> Any:
    """Return a place below `n`, by the weights in `dice.scratch`, of which at least one is above 0."""
    total, last = 0, 0
    for place in range(n):
        total += dice.scratch[place]
        if dice.scratch[place] > 0:
            last = place
    if dice.scratch[last] == total:
        return last
    if dice.listing:
        return _listed(dice, n, total)
    left = random_below(dice.stream, 0, total)
    for place in range(n):
        left -= dice.scratch[place]
        if left < 0:
            return place
    return last


@kernel
def pick_one(dice: Any, n: Any) -> Any:
    """Return a place below `n`, each with the same chance."""
    if n <= 1:
        return 0
    if not dice.listing:
        return random_below(dice.stream, 0, n)
    for place in range(n):
        dice.scratch[place] = 1
    return _listed(dice, n, n)


@kernel
def _listed(dice: Any, n: Any, total: Any) -> Any:
    """Return the next result of the tape; where it ends, the first possible one, which is noted there.

    A tape that is too short is told by `dice.at`, which counts on.
    """
    at = dice.at
    dice.at = at + 1
    if at >= N_DICE:
        return n - 1
    if at == dice.n:
        dice.n = at + 1
        dice.total[at] = total
        for place in range(dice.weights.shape[1]):
            dice.weights[at, place] = dice.scratch[place] if place < n else 0
        first = 0
        while dice.scratch[first] <= 0:
            first += 1
        dice.choice[at] = first
    return dice.choice[at]
