"""What a game is to everything that solves, searches or plays one.

Three verbs say it all: which actions a state allows, what may come of one, and what a state that is over pays. A game
without choices (one action in every state) is a Markov chain, a game without chance is a graph; Risk and an act map
are those two corners of the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from evodom.distribution import Distribution

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")


class Game(Protocol[S, A]):
    """A game of choices and chance whose states are immutable and hashable.

    A game may also have, and whoever uses it asks with `getattr`:

    - `reward(state, action) -> number`: what taking the action pays at once, beside the payoff at the end (default 0);
    - `actor(state) -> int`: who chooses, 0 wants a high payoff and 1 a low one (default 0 everywhere);
    - `sample(state, action, rng) -> state`: one outcome, where that is quicker than listing them;
    - `bounds(state) -> (low, high)`: numbers between which the value of the state certainly lies.
    """

    def actions(self, state: S) -> Sequence[A]:
        """Return the legal actions, in an order that never changes; empty when the game is over."""

    def outcomes(self, state: S, action: A) -> Distribution[S]:
        """Return the states the action may lead to."""

    def payoff(self, state: S) -> Any:
        """Return what a state that is over is worth: an int or Fraction for exact answers, else a float."""


Policy = Callable[[S], A]
"""What to do in a state: one of its actions."""


def play(game: Game[S, A], state: S, policy: Policy[S, A], rng: Rng) -> Any:
    """Play one game from `state` by `policy` and return what it paid: rewards on the way and the payoff at the end."""
    sample = getattr(game, "sample", None) or (lambda s, a, r: game.outcomes(s, a).sample(r))
    reward = getattr(game, "reward", None)
    paid = 0
    while game.actions(state):
        action = policy(state)
        paid += reward(state, action) if reward else 0
        state = sample(state, action, rng)
    return paid + game.payoff(state)
