"""What comes of playing a policy: where the game goes, step by step, and what it pays in the end.

Probability is pushed forward from the start, one action of every game at a time. Games that may go on for ever are
followed until hardly any probability is left, and a policy that never ends is told to be one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from evodom.distribution import Distribution, weighted
from evodom.errors import EvodomError
from evodom.game import A, Game, Policy, S

TAIL = 1e-9
"""The probability at which games that still go on are left alone."""

STEPS = 100_000
"""A game that has not ended after so many actions is taken to go on for ever."""

K = TypeVar("K", bound=Hashable)

Move = tuple[Any, list[tuple[Any, Any]]]
"""The reward of an action and the states after it with their probabilities."""


def results(
    game: Game[S, A], policy: Policy[S, A], start: Distribution[S], *, tail: float = TAIL, exact: bool = False
) -> Distribution[Any]:
    """Return the distribution of what the game pays if `policy` plays, rewards on the way and payoff at the end.

    Games not over when less than `tail` of the probability is left are shared out among the results found. `exact`
    keeps exact probabilities as they are; without it they are floats.
    """
    move = _moves(game, policy, exact=exact)
    found: dict[Any, Any] = defaultdict(int)

    def on(node: tuple[S, Any], share: Any) -> list[tuple[tuple[S, Any], Any]]:
        state, paid = node
        made = move(state)
        if made is None:
            found[paid + game.payoff(state)] += share
            return []
        return [((after, paid + made[0]), weight) for after, weight in made[1]]

    _push({(state, 0): share for state, share in (start if exact else start.to_float())}, on, tail)
    return weighted(found).merge()


def visits(game: Game[S, A], policy: Policy[S, A], start: Distribution[S], *, tail: float = TAIL) -> dict[S, float]:
    """Return how often each state that is not over is expected to be visited if `policy` plays."""
    move = _moves(game, policy)
    found: dict[S, float] = defaultdict(float)

    def on(state: S, share: float) -> list[tuple[S, float]]:
        made = move(state)
        if made is None:
            return []
        found[state] += share
        return made[1]

    _push({state: float(share) for state, share in start}, on, tail)
    return dict(found)


def _push(mass: dict[K, Any], on: Callable[[K, Any], list[tuple[K, Any]]], tail: float) -> None:
    """Move the probability of all nodes on, `on` telling where to, until no more than `tail` is left."""
    for _ in range(STEPS):
        if not mass or (tail and sum(mass.values()) <= tail):
            return
        later: dict[K, Any] = defaultdict(int)
        for node, share in mass.items():
            for after, weight in on(node, share):
                later[after] += share * weight
        mass = later
    raise EvodomError(
        f"this policy does not end the game: after {STEPS:,} actions {float(sum(mass.values())):.3g} of it go on"
    )


def _moves(game: Game[S, A], policy: Policy[S, A], *, exact: bool = False) -> Callable[[S], Move | None]:
    """Return the function that tells what the policy does in a state, None where the game is over; it remembers."""
    known: dict[S, Move | None] = {}
    reward = getattr(game, "reward", None)

    def move(state: S) -> Move | None:
        if state not in known:
            known[state] = None
            if game.actions(state):
                action = policy(state)
                outcomes = game.outcomes(state, action)
                after = list(outcomes if exact else outcomes.to_float())
                known[state] = (reward(state, action) if reward else 0, after)
        return known[state]

    return move
