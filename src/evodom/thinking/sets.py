"""Enumerate the complete answers to a Decision that chooses several cards, with the probability of each.

The engine asks for such cards one at a time, in any order. An answer is therefore a multiset of piles. All orders of
one multiset lead to the same state, so its probability is summed over them, level by level:

1. Level 0 is the pending Decision with nothing chosen.
2. From each multiset of a level, each card that is left leads to a multiset of the next level.
3. A policy gives the probability of each step. Passing, or the last card, completes an answer.
4. Each level keeps its `WIDEST` most probable multisets.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from evodom.dominion.engine.resolve import LEFT
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import PLAYING, State
from evodom.dominion.engine.turn import enact

WIDEST = 64
"""Multisets that are kept of each level."""

Policy = Callable[[State, float], npt.NDArray[Any]]
"""Returns the probability of each choice at a state, given the probability to reach it."""


@dataclass(frozen=True)
class CardSet:
    """A complete answer: the ``cards``, as sorted piles, and the ``choices`` that the engine has to be given for it.

    ``choices`` ends with PASS where the engine would ask for more. It lacks cards that the engine chooses itself
    because no others are left.
    """

    cards: tuple[int, ...]
    choices: tuple[int, ...]
    probability: float


@dataclass
class _Node:
    """A multiset on the way: the state after its choices, and the probability to reach it."""

    state: State
    choices: tuple[int, ...]
    mass: float


def card_sets(
    rules: Rules, state: State, there: Mapping[int, int], sizes: tuple[int, int], policy: Policy
) -> list[CardSet]:
    """Return the complete answers to the pending Decision, the most probable first.

    ``there`` counts the cards to choose from by pile. ``sizes`` are the least and the most cards of an answer.
    """
    least, most = sizes
    level: dict[tuple[int, ...], _Node] = {(): _Node(state.copy(), (), 1.0)}
    found: list[CardSet] = []
    while level:
        nodes, level = level, {}
        for cards, node in nodes.items():
            probabilities = policy(node.state.copy(), node.mass)
            if len(cards) >= least:
                found.append(CardSet(cards, (*node.choices, PASS), node.mass * float(probabilities[PASS])))
            for pile, n in there.items():
                if cards.count(pile) < n:
                    one = level.setdefault(tuple(sorted((*cards, pile))), _Node(node.state, (*node.choices, pile), 0.0))
                    one.mass += node.mass * float(probabilities[pile])
        kept = sorted(level.items(), key=lambda each: -each[1].mass)[:WIDEST]
        level = {}
        for cards, node in kept:
            after = node.state.copy()
            enact(rules, after, node.choices[-1])
            if len(cards) < most and _asks_again(node.state, after):
                level[cards] = _Node(after, node.choices, node.mass)
            else:
                found.append(CardSet(_completed(cards, there, least), node.choices, node.mass))
    return _merged(found)


def n_card_sets(there: Mapping[int, int], sizes: tuple[int, int]) -> int:
    """Return the number of multisets of these sizes."""
    least, most = sizes
    ways = [1]
    for n in there.values():
        wider = [sum(ways[max(size - n, 0) : size + 1]) for size in range(len(ways) + n)]
        ways = wider[: most + 1]
    return sum(ways[least : most + 1])


def _asks_again(before: State, after: State) -> bool:
    """Return True if the same Decision asks for its next card."""
    if after.ended != PLAYING or after.decider == NONE or after.depth == 0:
        return False
    same = after.asking == before.asking and after.decider == before.decider and after.depth == before.depth
    return bool(same and _left(after) < _left(before))


def _left(state: State) -> int:
    return int(state.stack[int(state.depth) - 1][LEFT])


def _completed(cards: tuple[int, ...], there: Mapping[int, int], least: int) -> tuple[int, ...]:
    """Return the cards with those that the engine adds, up to ``least``, because no others are left."""
    left = (Counter(there) - Counter(cards)).elements()
    return tuple(sorted((*cards, *(pile for pile, _ in zip(left, range(least - len(cards)), strict=False)))))


def _merged(found: list[CardSet]) -> list[CardSet]:
    """Return one answer for each multiset, with the sum of the probabilities, the most probable first."""
    merged: dict[tuple[int, ...], CardSet] = {}
    for one in found:
        other = merged.get(one.cards)
        merged[one.cards] = (
            one if other is None else CardSet(one.cards, other.choices, other.probability + one.probability)
        )
    return sorted(merged.values(), key=lambda one: -one.probability)
