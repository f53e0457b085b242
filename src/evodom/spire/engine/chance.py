"""Chance, in one place: a result is drawn from a random stream, or taken from a list that is gone through.

A kernel that needs chance asks `pick`. With a stream it gets one result. With `listing` on it gets the results of a
tape, and where that ends the first possible one; `SpireFight.outcomes` calls the kernel again and again with the next
tape, and so finds all results with their weights. With `BEFORE_DRAWS` it lists in the same way, but the player's draws
are left to the caller: a fight stops with the draw at the front of its queue, to be gone on with by `run`. With
`asking` certain results are on the tape too, so that `SpireFight.steer` can ask somebody for everything that happens by
chance, in its order.
"""

from typing import Any

from evodom.jit.kernel import kernel, random_below
from evodom.spire.engine.layout import N_DICE, Dice

DRAWN, LISTED, BEFORE_DRAWS = range(3)
"""What `dice.listing` may be: results are drawn, listed, or listed up to the next draw of cards."""

DRAWN_CARD, TOP_CARD, EXHAUSTED, UPGRADED, RANDOM_ENEMY, INTENT, ROLLED_HP, ROLLED_STATUS, SPOON, PLACE = range(10)
"""What chance is asked for. A place is the kind of a card, or a fighter; one of what may follow an intent; what is
added to the least that is rolled; whether (0) or not (1) a card is exhausted; or how deep in the draw pile a card goes.
"""


@kernel
def pick(dice: Dice, n: int, what: int, about: int) -> Any:
    """Return a place below `n`, by the weights in `dice.scratch`, of which at least one is above 0.

    `what` is asked for; `about` is the enemy of a roll, and with the number of its intent or roll times N_FIGHTERS.
    """
    total, last = 0, 0
    for place in range(n):
        total += dice.scratch[place]
        if dice.scratch[place] > 0:
            last = place
    if dice.scratch[last] == total and not dice.asking:
        return last
    if dice.listing:
        return _listed(dice, n, total, what, about)
    left = random_below(dice.stream, 0, total)
    for place in range(n):
        left -= dice.scratch[place]
        if left < 0:
            return place
    return last


@kernel
def pick_one(dice: Dice, n: int, what: int, about: int) -> Any:
    """Return a place below `n`, each with the same chance."""
    if n <= 1:
        return 0
    if not dice.listing:
        return random_below(dice.stream, 0, n)
    for place in range(n):
        dice.scratch[place] = 1
    return _listed(dice, n, n, what, about)


@kernel
def _listed(dice: Dice, n: int, total: int, what: int, about: int) -> Any:
    """Return the next result of the tape; where it ends, the first possible one, which is noted there.

    A tape that is too short is told by `dice.at`, which counts on.
    """
    at = dice.at
    dice.at = at + 1
    if at >= N_DICE:
        return n - 1
    if at == dice.n:
        dice.n = at + 1
        dice.total[at], dice.what[at], dice.about[at] = total, what, about
        for place in range(dice.weights.shape[1]):
            dice.weights[at, place] = dice.scratch[place] if place < n else 0
        first = 0
        while dice.scratch[first] <= 0:
            first += 1
        dice.choice[at] = first
    return dice.choice[at]
