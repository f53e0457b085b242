"""Chance of a fight: every random result is drawn by `pick` or `pick_one`, from a random stream or a tape.

Open it to change how chance is drawn or enumerated. `dice.listing` selects the source:

- DRAWN: draw one result from the random stream.
- LISTED: take the results from a tape. Past its end take the first possible result and append it. `SpireFight.outcomes`
  repeats the kernel with successive tapes, and so enumerates all results with their weights.
- BEFORE_DRAWS: as LISTED, but the caller resolves the player's draws. A fight stops with the draw at the front of its
  queue; `run` continues it.

With `dice.asking` the tape also holds results of `pick` that are certain. `SpireFight.steer` uses it to let a person
resolve all chance in order.
"""

from typing import Any

from evodom.jit.kernel import kernel, random_below
from evodom.spire.engine.layout import N_DICE, Dice

DRAWN, LISTED, BEFORE_DRAWS = range(3)
"""Values of `dice.listing`: results are drawn, listed, or listed up to the next draw of cards."""

DRAWN_CARD, TOP_CARD, EXHAUSTED, UPGRADED, RANDOM_ENEMY, INTENT, ROLLED_HP, ROLLED_STATUS, SPOON, PLACE = range(10)
"""Types of chance events.

The result (a place) is the kind of a card, a fighter, a successor of an intent, a number added to the minimum of a
roll, whether a card is exhausted (0) or not (1), or how deep in the draw pile a card goes.
"""


@kernel
def pick(dice: Dice, n: int, what: int, about: int) -> Any:
    """Return a place below `n`, drawn with the weights in `dice.scratch`; at least one weight must be above 0.

    `what` is the type of the event. `about` is the enemy of a roll, plus N_FIGHTERS times the number of its intent or
    roll.
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
    """Return a place below `n`, drawn uniformly."""
    if n <= 1:
        return 0
    if not dice.listing:
        return random_below(dice.stream, 0, n)
    for place in range(n):
        dice.scratch[place] = 1
    return _listed(dice, n, n, what, about)


@kernel
def _listed(dice: Dice, n: int, total: int, what: int, about: int) -> Any:
    """Return the next result of the tape. At its end append the first possible result and return it.

    `dice.at` counts on past N_DICE, so that the caller can detect an overflow.
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
