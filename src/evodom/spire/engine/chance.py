"""Chance of a fight: `draw_outcome` and `draw_uniform` return every random result, from a random stream or a tape.

Open it to change how random results are sampled or enumerated. `dice.mode` selects the source:

- SAMPLE: sample results from the random stream.
- LIST: replay the results on a *tape*, the sequence of results of a move. At its end, append the first possible result.
  `SpireFight.outcomes` repeats a move with successive tapes, and so enumerates all sequences with their probabilities.
- LIST_ALL_BUT_DRAWS: as LIST, but the caller resolves the player's draws. A move stops with the draw at the front of
  the queue; the move RESOLVE continues it.

With `dice.lists_certain` the tape also holds certain results. `SpireFight.resolve_chance` uses it: a person enters
every result of a game that is played elsewhere.
"""

from typing import Any

from evodom.jit.kernel import kernel, random_below
from evodom.spire.engine.layout import N_DICE, Dice

SAMPLE, LIST, LIST_ALL_BUT_DRAWS = range(3)
"""Values of `dice.mode`."""

DRAWN_CARD, TOP_CARD, EXHAUSTED, UPGRADED, RANDOM_ENEMY, INTENT, ROLLED_HP, ROLLED_STATUS, SPOON, PLACE = range(10)
MADE, OFFERED, FREED, COST, TAKEN_CARD = range(10, 15)
"""Types of chance events.

The result of an event is the kind of a card, its cost (COST), a fighter (RANDOM_ENEMY), a successor of an intent
(INTENT), a number added to the minimum of a roll, 0 or 1 for a card that is exhausted or not (SPOON), or the number of
cards above a card that is shuffled into the draw pile (PLACE). OFFERED is a series: the cards in ascending order.
"""


@kernel
def draw_outcome(dice: Dice, n: int, event: int, subject: int) -> Any:
    """Draw a number below `n` with the weights `dice.scratch`, at least one of them above 0.

    `event` is the type of the event. `subject` is enemy + N_FIGHTERS * n for events of an enemy. n is the number of the
    last intent (INTENT) or of the roll (ROLLED_STATUS), otherwise 0. For COST it is the kind of the card.
    """
    total, last = 0, 0
    for number in range(n):
        total += dice.scratch[number]
        if dice.scratch[number] > 0:
            last = number
    if dice.scratch[last] == total and not dice.lists_certain:
        return last
    if dice.mode:
        return _next_on_tape(dice, n, total, event, subject)
    left = random_below(dice.stream, 0, total)
    for number in range(n):
        left -= dice.scratch[number]
        if left < 0:
            return number
    return last


@kernel
def draw_uniform(dice: Dice, n: int, event: int, subject: int) -> Any:
    """Draw a number below `n` uniformly."""
    if n <= 1:
        return 0
    if not dice.mode:
        return random_below(dice.stream, 0, n)
    for number in range(n):
        dice.scratch[number] = 1
    return _next_on_tape(dice, n, n, event, subject)


@kernel
def _next_on_tape(dice: Dice, n: int, total: int, event: int, subject: int) -> Any:
    """Return the next result on the tape. At the end of the tape, append the first possible result and return it.

    Past N_DICE results `dice.position` still counts, so that the caller can detect the overflow.
    """
    place = dice.position
    dice.position = place + 1
    if place >= N_DICE:
        return n - 1
    if place == dice.length:
        dice.length = place + 1
        dice.totals[place], dice.events[place], dice.subjects[place] = total, event, subject
        dice.n_results[place] = n
        for number in range(n):
            dice.weights[place, number] = dice.scratch[number]
        first = 0
        while dice.scratch[first] <= 0:
            first += 1
        dice.results[place] = first
    return dice.results[place]
