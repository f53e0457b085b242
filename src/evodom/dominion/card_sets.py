"""Find the most probable answers to a Decision on several cards.

The engine asks for one card at a time. Order does not matter, so an answer is a multiset of piles. The probability of a
multiset is the sum over its orders. It is computed level by level:

1. Level 0 is the pending Decision with nothing chosen.
2. Add each remaining card to each multiset of a level. The results form the next level.
3. A policy gives the probability of each step. An answer is complete after a pass, or when the engine asks for no
   further card.
4. Keep only the `BEAM_WIDTH` most probable multisets per level. The rest of the probability is lost.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from evodom.dominion.engine.ops import Ending, Frame
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import enact

BEAM_WIDTH = 64
"""Number of multisets kept per level."""

Policy = Callable[[State, float], npt.NDArray[Any]]
"""Return the probability of each choice at a state. The second argument is the probability to reach that state."""


@dataclass(frozen=True)
class CardAnswer:
    """A complete answer. ``cards`` are sorted pile numbers. ``choices`` are the inputs to the engine, in order.

    ``choices`` ends with PASS if the engine would ask again. It omits forced cards that the engine takes itself.
    """

    cards: tuple[int, ...]
    choices: tuple[int, ...]
    probability: float


@dataclass
class _Node:
    """A partial answer. ``mass`` is the probability to reach it.

    ``state`` is the state before the last choice while the node is a candidate, and after it in a level.
    """

    state: State
    choices: tuple[int, ...]
    mass: float


def card_sets(
    rules: Rules, state: State, available: Mapping[int, int], sizes: tuple[int, int], policy: Policy
) -> list[CardAnswer]:
    """Return the most probable answers to the pending Decision, in descending order of probability.

    The probabilities may sum to less than 1.
    ``available`` counts the cards to choose from by pile. ``sizes`` is the minimum and maximum number of cards in an
    answer.
    """
    least, most = sizes
    level: dict[tuple[int, ...], _Node] = {(): _Node(state.copy(), (), 1.0)}
    found: list[CardAnswer] = []
    while level:
        candidates: dict[tuple[int, ...], _Node] = {}
        for cards, node in level.items():
            probabilities = policy(node.state.copy(), node.mass)
            if len(cards) >= least:
                found.append(CardAnswer(cards, (*node.choices, PASS), node.mass * float(probabilities[PASS])))
            for pile, n in available.items():
                if cards.count(pile) < n:
                    new = _Node(node.state, (*node.choices, pile), 0.0)
                    candidate = candidates.setdefault(tuple(sorted((*cards, pile))), new)
                    candidate.mass += node.mass * float(probabilities[pile])
        next_level: dict[tuple[int, ...], _Node] = {}
        for cards, node in sorted(candidates.items(), key=lambda each: -each[1].mass)[:BEAM_WIDTH]:
            after = node.state.copy()
            enact(rules, after, node.choices[-1])
            if len(cards) < most and _asks_again(node.state, after):
                next_level[cards] = _Node(after, node.choices, node.mass)
            else:
                found.append(CardAnswer(_with_forced_cards(cards, available, least), node.choices, node.mass))
        level = next_level
    return _merged(found)


def n_card_sets(available: Mapping[int, int], sizes: tuple[int, int]) -> int:
    """Count the multisets with a permitted number of cards."""
    least, most = sizes
    ways = [1]  # ways[k] counts multisets of k cards from the piles so far
    for n in available.values():
        extended = [sum(ways[max(size - n, 0) : size + 1]) for size in range(len(ways) + n)]
        ways = extended[: most + 1]
    return sum(ways[least : most + 1])


def _asks_again(before: State, after: State) -> bool:
    """Return whether the engine asks for another card of the same Decision."""
    if after.ended != Ending.PLAYING or after.decider == NONE or after.depth == 0:
        return False
    same = after.asking == before.asking and after.decider == before.decider and after.depth == before.depth
    return bool(same and _left(after) < _left(before))


def _left(state: State) -> int:
    return int(state.stack[int(state.depth) - 1][Frame.LEFT])


def _with_forced_cards(cards: tuple[int, ...], available: Mapping[int, int], least: int) -> tuple[int, ...]:
    """Add the forced cards that the engine takes itself, until there are ``least`` cards."""
    left = (Counter(available) - Counter(cards)).elements()
    return tuple(sorted((*cards, *(pile for pile, _ in zip(left, range(least - len(cards)), strict=False)))))


def _merged(found: list[CardAnswer]) -> list[CardAnswer]:
    """Merge answers with equal cards and add their probabilities. Sort by descending probability."""
    merged: dict[tuple[int, ...], CardAnswer] = {}
    for one in found:
        other = merged.get(one.cards)
        merged[one.cards] = (
            one if other is None else CardAnswer(one.cards, other.choices, other.probability + one.probability)
        )
    return sorted(merged.values(), key=lambda one: -one.probability)
