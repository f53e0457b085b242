"""Run playouts of a network from a Decision, and find the likely answers to a choice of several cards, for searches.

A playout resamples the information hidden from the deciding seat. Then the network plays for all seats to the end.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending, Frame
from evodom.dominion.engine.observation import N_FEATURES
from evodom.dominion.engine.redeal import redeal
from evodom.dominion.engine.rules import MAX_SEATS, N_ANSWERS, NONE, PASS, Rules
from evodom.dominion.engine.state import ALL_SEATS, State, lowest_pile
from evodom.dominion.engine.turn import enact, write_result
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks import model as networks
from evodom.jit.kernel import allocating_kernel, kernel

N_SLOTS = 4
"""Number of records of STATE in `run_playouts`: the game, a scratch record, the redealt game, the start position."""

START_SLOT = 3
"""Index of the start position."""

Numbers = npt.NDArray[np.float32]

POLICY_CHOICE = NONE
"""Entry of ``answers`` that ends the given choices. The network makes all further choices."""


@allocating_kernel
def run_playouts(
    rules: Rules,
    slots: npt.NDArray[np.void],
    seat: int,
    weights: layers.Weights,
    answers: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.uint64],
    shares: Numbers,
) -> None:
    """Run a playout from the Decision of ``slots[START_SLOT]`` for each answer and each seed.

    A row of ``answers`` (n_answers, n_choices) lists choices up to POLICY_CHOICE. Then the network chooses. The
    information hidden from ``seat`` is resampled for each seed. All answers of a seed use common random numbers. Write
    the shares of the win to ``shares`` (n_answers, n_seeds, n_seats), float32.
    """
    state: State = slots[0]
    streams = np.empty(1, np.uint64)
    features = np.empty(N_FEATURES, np.int8)
    sums = np.empty(layers.WIDTH, np.float32)
    vp = np.empty(MAX_SEATS, np.int32)
    points = np.empty(MAX_SEATS, np.float32)
    for number in range(len(seeds)):
        slots[0] = slots[START_SLOT]
        streams[0] = seeds[number]
        redeal(rules, slots, seat, streams)
        state.auto_treasures = ALL_SEATS
        slots[2] = slots[0]
        for index in range(len(answers)):
            slots[0] = slots[2]
            for step in range(answers.shape[1]):
                if answers[index, step] == POLICY_CHOICE:
                    break
                enact(rules, state, answers[index, step])
            finish_game(rules, state, weights, features, sums)
            write_result(rules, state, vp, points, shares[index, number])


@kernel
def finish_game(
    rules: Rules, state: State, weights: layers.Weights, features: npt.NDArray[np.int8], sums: Numbers
) -> None:
    """Play to the end of the game with the network. ``features`` and ``sums`` are scratch."""
    while state.ended == Ending.PLAYING:
        enact(rules, state, networks.choose_by_network(rules, state, weights, features, sums))


@allocating_kernel
def write_policy(rules: Rules, state: State, weights: layers.Weights, probabilities: Numbers) -> None:
    """Write the network's policy at the pending Decision to ``probabilities`` (N_ANSWERS,), float32.

    Fixed rules decide about Treasures and Reactions. Their choice has probability 1.
    """
    features = np.empty(N_FEATURES, np.int8)
    sums = np.empty(layers.WIDTH, np.float32)
    choices = networks.open_choices(rules, state)
    for choice in range(N_ANSWERS):
        probabilities[choice] = 0.0
    if choices & (choices - 1) == 0:
        probabilities[lowest_pile(choices)] = 1.0
        return
    networks.compute_policy(rules, state, weights, choices, layers.TRAINING_SHARPNESS, features, sums)
    outputs = networks.outputs_of(rules, state, choices)
    for output in range(layers.N_OUTPUTS):
        if (outputs >> output) & 1:
            probabilities[networks.choice_of(rules, state, output)] = sums[layers.FIRST_OUTPUT + output]


BEAM_WIDTH = 64
"""Number of partial answers that the beam search keeps for each number of cards."""

Policy = Callable[[State, float], npt.NDArray[Any]]
"""Function that returns the probability of each choice at a state. Its second argument is the state's probability."""


@dataclass(frozen=True)
class CardAnswer:
    """A complete answer to a choice of several cards.

    ``cards`` are the piles in ascending order. ``choices`` are the answers for the engine, in order. PASS is the last
    answer if the engine would ask for another card. Cards that the engine takes without asking are in ``cards`` only.
    """

    cards: tuple[int, ...]
    choices: tuple[int, ...]
    probability: float


@dataclass
class _Node:
    """A partial answer. ``mass`` is the probability of its choices.

    Among candidates ``state`` is the state before the last choice. In a level ``state`` is the state after it.
    """

    state: State
    choices: tuple[int, ...]
    mass: float


def complete_answers(
    rules: Rules, state: State, available: Mapping[int, int], sizes: tuple[int, int], policy: Policy
) -> list[CardAnswer]:
    """Return the most probable answers to the pending Decision, in descending order of probability.

    ``available`` counts the candidates by pile. ``sizes`` is the minimum and maximum number of cards in an answer. A
    beam search keeps BEAM_WIDTH multisets per number of cards. So the probabilities may sum to less than 1.
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


def n_complete_answers(available: Mapping[int, int], sizes: tuple[int, int]) -> int:
    """Return the number of multisets of the available cards with a permitted number of cards."""
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
    same = after.asked_effect == before.asked_effect and after.decider == before.decider and after.depth == before.depth
    return bool(same and _left(after) < _left(before))


def _left(state: State) -> int:
    return int(state.stack[int(state.depth) - 1][Frame.CARDS_LEFT])


def _with_forced_cards(cards: tuple[int, ...], available: Mapping[int, int], least: int) -> tuple[int, ...]:
    """Add the cards that the engine takes without asking, until there are ``least`` cards."""
    left = (Counter(available) - Counter(cards)).elements()
    return tuple(sorted((*cards, *(pile for pile, _ in zip(left, range(least - len(cards)), strict=False)))))


def _merged(found: list[CardAnswer]) -> list[CardAnswer]:
    """Merge answers with equal cards and add their probabilities. Sort by descending probability."""
    merged: dict[tuple[int, ...], CardAnswer] = {}
    for answer in found:
        other = merged.get(answer.cards)
        merged[answer.cards] = (
            answer if other is None else CardAnswer(answer.cards, other.choices, other.probability + answer.probability)
        )
    return sorted(merged.values(), key=lambda answer: -answer.probability)
