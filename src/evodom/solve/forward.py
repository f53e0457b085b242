"""What comes of playing by a policy: the distribution of what the game pays, and how often states are visited.

Probability is pushed forward from the first states, one action of every game at a time. Games that may go on for ever
are followed until hardly any probability is left; a policy that never ends the game raises an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from evodom.distribution import Distribution, weighted
from evodom.errors import EvodomError
from evodom.games import Policy, Solvable
from evodom.games.contract import A, H
from evodom.solve.arithmetic import payoff_of, reward_of

TAIL = 1e-9
"""Games that still go on are left out once their probability is no more than this."""

MAX_ACTIONS = 100_000
"""A game that has not ended after so many actions is taken to go on for ever."""

K = TypeVar("K", bound=Hashable)

Move = tuple[Any, list[tuple[Any, Any]]]
"""The reward of an action, and the states after it with their probabilities."""


def results(
    game: Solvable[H, A], policy: Policy[H, A], start: Distribution[H], *, tail: float = TAIL, exact: bool = False
) -> Distribution[Any]:
    """Return the distribution of what player 0 is paid if all play by `policy`, rewards on the way included.

    Games that are not over when no more than `tail` of the probability is left are ignored, and the rest is scaled up
    to 1. With `exact`, exact probabilities stay fractions; without it they are floats.
    """
    move, payoff = _moves(game, policy, exact=exact), payoff_of(game)
    found: dict[Any, Any] = defaultdict(int)

    def push_on(node: tuple[H, Any], share: Any) -> list[tuple[tuple[H, Any], Any]]:
        state, paid = node
        made = move(state)
        if made is None:
            found[paid + payoff(state)] += share
            return []
        return [((after, paid + made[0]), weight) for after, weight in made[1]]

    _push({(state, 0): share for state, share in (start if exact else start.to_float())}, push_on, tail)
    return weighted(found).merge()


def visits(game: Solvable[H, A], policy: Policy[H, A], start: Distribution[H], *, tail: float = TAIL) -> dict[H, float]:
    """Return how often each state that is not over is visited in a game, on average, if all play by `policy`."""
    move = _moves(game, policy)
    found: dict[H, float] = defaultdict(float)

    def push_on(state: H, share: float) -> list[tuple[H, float]]:
        made = move(state)
        if made is None:
            return []
        found[state] += share
        return made[1]

    _push({state: float(share) for state, share in start}, push_on, tail)
    return dict(found)


def _push(mass: dict[K, Any], push_on: Callable[[K, Any], list[tuple[K, Any]]], tail: float) -> None:
    """Move all probability on, action by action, until no more than `tail` is left.

    `mass` has the probability of each node. `push_on` is called with a node and its probability, and returns the nodes
    after it with the share that each of them gets.
    """
    for _ in range(MAX_ACTIONS):
        if not mass or (tail and sum(mass.values()) <= tail):
            return
        later: dict[K, Any] = defaultdict(int)
        for node, share in mass.items():
            for after, weight in push_on(node, share):
                later[after] += share * weight
        mass = later
    raise EvodomError(
        f"this policy does not end the game: after {MAX_ACTIONS:,} actions {float(sum(mass.values())):.3g} of it go on"
    )


def _moves(game: Solvable[H, A], policy: Policy[H, A], *, exact: bool = False) -> Callable[[H], Move | None]:
    """Return the function that says what the policy does in a state, None if the game is over; it remembers answers."""
    known: dict[H, Move | None] = {}
    reward = reward_of(game)

    def move(state: H) -> Move | None:
        if state not in known:
            known[state] = None
            if game.actions(state):
                action = policy(state)
                outcomes = game.outcomes(state, action)
                after = list(outcomes if exact else outcomes.to_float())
                known[state] = (reward(state, action) if reward else 0, after)
        return known[state]

    return move
