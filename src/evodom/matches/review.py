"""Review a game: the regret of each Decision of one seat, every seat's win chances, and the effects of Decisions.

All of it uses only what the seat could know at the time. The network of all kingdoms plays on in every seat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.state import State
from evodom.matches.playout_search import PlayoutSearch
from evodom.search.playouts import PlayoutBudget, mean_and_error

ROLLOUTS = 300
"""Rollouts of a Decision in which the best choice is found, and again for each of it and the one that was taken."""

N_CLOSER = 6
ROLLOUTS_CLOSER = 1500
"""So many of the dearest Decisions are looked at more closely, in so many rollouts."""

ROLLOUTS_CHANCES = 200
"""Rollouts for every seat's chances at one time."""

ROLLOUTS_EFFECTS = 20_000
"""Rollouts of each answer for all effects of the Decisions of a player, or of a player's opponents."""

LEAST_EFFECT, MOST_EFFECT = 16, 1500
"""The fewest and the most rollouts of each answer for the effect of one Decision."""

LEAST_PROBABLE = 0.01
"""Choices that the network takes less often in a rollout are left out of an effect."""

LEAST = 0.005
"""What is given away below this is not told from nothing."""


@dataclass(frozen=True)
class Moment:
    """A Decision: the state before it, and its answer."""

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
    search: PlayoutSearch,
    moments: Sequence[Moment],
    rng: np.random.Generator,
    on_done: Callable[[], object] = lambda: None,
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


def curve(
    search: PlayoutSearch, states: Sequence[State], seat: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return every seat's share of the win in each of ``states``, (n_states, n_seats), by what ``seat`` could know."""
    chances = np.zeros((len(states), int(search.rules.n_seats)))
    for place, state in enumerate(states):
        chances[place] = search.chances(state, seat, rng.integers(2**64, size=ROLLOUTS_CHANCES, dtype=np.uint64))
    return chances


def effects(
    search: PlayoutSearch, moments: Sequence[Moment], seat: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how much each Decision changed the share of the win of ``seat``, and the standard errors.

    The effect is the share with the choice, less the mean of the shares with the choices of the network by their
    probabilities. Both are by what the player who decided could know. The effects of a player who chooses like the
    network are 0 on average, and so is what remains of the course of a game: the luck of the draw. Most rollouts go to
    the Decisions at which the network seldom takes the choice.
    """
    policies = [search.policy(moment.state) for moment in moments]
    rare = [1.0 - float(policy[moment.choice]) for policy, moment in zip(policies, moments, strict=True)]
    total = sum(one for one in rare if one > LEAST_PROBABLE)
    found = np.zeros((2, len(moments)))
    for number, (moment, policy) in enumerate(zip(moments, policies, strict=True)):
        if rare[number] > LEAST_PROBABLE:
            n = min(max(round(ROLLOUTS_EFFECTS * rare[number] / total), LEAST_EFFECT), MOST_EFFECT)
            found[:, number] = _effect(search, moment, policy, seat, rng.integers(2**64, size=n, dtype=np.uint64))
    return found[0], found[1]


def _effect(
    search: PlayoutSearch,
    moment: Moment,
    policy: npt.NDArray[np.float64],
    seat: int,
    seeds: npt.NDArray[np.uint64],
) -> tuple[float, float]:
    """Return the effect of one Decision, and its standard error: all answers meet the same cards and luck."""
    others = [int(choice) for choice in np.flatnonzero(policy > LEAST_PROBABLE) if choice != moment.choice]
    choices = [moment.choice, *others]
    weights = policy[choices] / policy[choices].sum()
    shares = search.shares(moment.state, [(choice,) for choice in choices], seeds, seat)
    return mean_and_error(shares[0] - weights @ shares)


def _verdict(search: PlayoutSearch, number: int, moment: Moment, rng: np.random.Generator) -> Verdict:
    options = search.search(moment.state, rng, PlayoutBudget(playouts=ROLLOUTS), asked=(moment.choice,))
    return _compared(search, number, moment, options[0].action[0], rng, ROLLOUTS)


def _compared(
    search: PlayoutSearch, number: int, moment: Moment, best: int, rng: np.random.Generator, n: int
) -> Verdict:
    """Return what the choice gave away against another, by new rollouts; less than nothing is nothing."""
    choices = (moment.choice, best) if best != moment.choice else (best,)
    shares = search.shares(
        moment.state, [(choice,) for choice in choices], rng.integers(2**64, size=n, dtype=np.uint64)
    )
    (share, _), (best_share, _) = mean_and_error(shares[0]), mean_and_error(shares[-1])
    lost, error = mean_and_error(shares[-1] - shares[0]) if len(choices) > 1 else (0.0, 0.0)
    if lost < LEAST:
        return Verdict(number, moment.choice, moment.choice, share, share, 0.0, error)
    return Verdict(number, moment.choice, best, share, best_share, lost, error)
