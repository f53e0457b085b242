"""Looking back at a game: what each Decision of one seat gave away, and how the chances went.

All of it is judged by what the seat could know at the time, as if the network of all kingdoms had played on in every
seat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.state import State
from evodom.thinking.search import Budget, Search, estimate

ROLLOUTS = 300
"""Rollouts of a Decision in which the best choice is found, and again for each of it and the one that was taken."""

N_CLOSER = 6
ROLLOUTS_CLOSER = 1500
"""So many of the dearest Decisions are looked at more closely, in so many rollouts."""

ROLLOUTS_CHANCES = 200
"""Rollouts for every seat's chances at one time."""

LEAST = 0.005
"""What is given away below this is not told from nothing."""


@dataclass(frozen=True)
class Moment:
    """A Decision of the seat: the state before it, and what was chosen."""

    state: State
    choice: int


@dataclass(frozen=True)
class Verdict:
    """What a Decision, number ``moment``, gave away against the ``best`` choice found; shares of the win by rollouts.

    ``error`` is the standard error of ``lost``, which both choices' same cards and luck make smaller than theirs.
    """

    moment: int
    choice: int
    best: int
    share: float
    best_share: float
    lost: float
    error: float


def verdicts(
    search: Search, moments: Sequence[Moment], rng: np.random.Generator, on_done: Callable[[], object] = lambda: None
) -> list[Verdict]:
    """Return a verdict on each Decision, in order; ``on_done`` follows each.

    The best choice is found in some rollouts and compared in others: else luck would count as a mistake.
    """
    found = []
    for number, moment in enumerate(moments):
        found.append(_verdict(search, number, moment, rng))
        on_done()
    for verdict in sorted(found, key=lambda one: -one.lost)[:N_CLOSER]:
        if verdict.lost > 0:
            moment = moments[verdict.moment]
            number = verdict.moment
            found[number] = _compared(search, number, moment, verdict.best, rng, ROLLOUTS_CLOSER)
    return found


def curve(search: Search, states: Sequence[State], seat: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return every seat's share of the win in each of ``states``, (n_states, n_seats), by what ``seat`` could know."""
    chances = np.zeros((len(states), int(search.rules.n_seats)))
    for place, state in enumerate(states):
        chances[place] = search.chances(state, seat, rng.integers(2**64, size=ROLLOUTS_CHANCES, dtype=np.uint64))
    return chances


def _verdict(search: Search, number: int, moment: Moment, rng: np.random.Generator) -> Verdict:
    options = search.think(moment.state, rng, Budget(rollouts=ROLLOUTS), asked=(moment.choice,))
    return _compared(search, number, moment, options[0].choice, rng, ROLLOUTS)


def _compared(search: Search, number: int, moment: Moment, best: int, rng: np.random.Generator, n: int) -> Verdict:
    """Return what the choice gave away against another, by new rollouts; less than nothing is nothing."""
    choices = (moment.choice, best) if best != moment.choice else (best,)
    shares = search.shares(
        moment.state, [(choice,) for choice in choices], rng.integers(2**64, size=n, dtype=np.uint64)
    )
    (share, _), (best_share, _) = estimate(shares[0]), estimate(shares[-1])
    lost, error = estimate(shares[-1] - shares[0]) if len(choices) > 1 else (0.0, 0.0)
    if lost < LEAST:
        return Verdict(number, moment.choice, moment.choice, share, share, 0.0, error)
    return Verdict(number, moment.choice, best, share, best_share, lost, error)
