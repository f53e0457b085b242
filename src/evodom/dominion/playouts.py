"""Playouts of Dominion: a network plays on for all seats, after a redeal of what the player to decide cannot know."""

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import Ending
from evodom.dominion.engine.redeal import redeal
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import EVERYBODY, State, lowest_pile
from evodom.dominion.engine.turn import enact, stands_before
from evodom.dominion.strategies.networks.features import N_FEATURES, observe
from evodom.dominion.strategies.networks.layers import (
    FIRST_OUTPUT,
    N_OUTPUTS,
    PLAIN,
    SHARP,
    WIDTH,
    Weights,
    answer,
    choice_of,
    outputs_of,
    sample,
    to_probabilities,
)
from evodom.dominion.strategies.networks.policy import kind_of, open_choices
from evodom.jit.kernel import kernel

N_SLOTS = 4
"""Records of STATE that `play_out` needs: room for a game and to redeal in, the redealt game, and the given one."""

GIVEN = 3

Numbers = npt.NDArray[np.float32]

GO_ON = NONE
"""In place of a choice: let the network choose."""


@kernel
def play_out(
    rules: Rules,
    slots: npt.NDArray[np.void],
    seat: int,
    weights: Weights,
    answers: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.uint64],
    shares: Numbers,
) -> None:
    """Play each of ``answers`` to the end of the game once a seed, from the Decision of ``slots[GIVEN]``.

    An answer is a row of choices up to GO_ON, from where the network chooses. What ``seat`` cannot know is drawn anew
    for each seed; all answers of a seed meet the same cards and luck. The shares of the win go into ``shares``
    (n_answers, n_seeds, n_seats).
    """
    state: State = slots[0]
    streams = np.empty(1, np.uint64)
    features = np.empty(N_FEATURES, np.int8)
    sums = np.empty(WIDTH, np.float32)
    for number in range(len(seeds)):
        slots[0] = slots[GIVEN]
        streams[0] = seeds[number]
        redeal(rules, slots, seat, streams)
        state.auto_treasures = EVERYBODY
        slots[2] = slots[0]
        for place in range(len(answers)):
            slots[0] = slots[2]
            for step in range(answers.shape[1]):
                if answers[place, step] == GO_ON:
                    break
                enact(rules, state, answers[place, step])
            play_on(rules, state, weights, features, sums)
            note_shares(rules, state, shares[place, number])


@kernel
def play_on(rules: Rules, state: State, weights: Weights, features: npt.NDArray[np.int8], sums: Numbers) -> None:
    """Play to the end of the game; the rest is scratch."""
    while state.ended == Ending.PLAYING:
        choices = open_choices(rules, state)
        if choices & (choices - 1) == 0:
            enact(rules, state, lowest_pile(choices))
            continue
        observe(rules, state, state.decider, features)
        outputs = outputs_of(choices)
        answer(weights, kind_of(rules, state), outputs, features, sums)
        to_probabilities(sums, outputs, SHARP)
        enact(rules, state, choice_of(sample(state, sums)))


@kernel
def note_shares(rules: Rules, state: State, shares: Numbers) -> None:
    """Write each seat's share of the win of a finished game."""
    for seat in range(rules.n_seats):
        n_equal = 1
        n_ahead = 0
        for other in range(rules.n_seats):
            if other != seat:
                standing = stands_before(rules, state, seat, other)
                n_equal += standing == 0
                n_ahead += standing < 0
        shares[seat] = 0.0 if n_ahead > 0 else 1.0 / n_equal


@kernel
def consider(rules: Rules, state: State, weights: Weights, probabilities: Numbers) -> None:
    """Write the probabilities, (N_PILES + 1,) float32, of what a network would choose at the pending Decision.

    Where the rules decide there is a single choice; Treasures and Reactions are not the network's.
    """
    features = np.empty(N_FEATURES, np.int8)
    sums = np.empty(WIDTH, np.float32)
    choices = open_choices(rules, state)
    for choice in range(N_PILES + 1):
        probabilities[choice] = 0.0
    if choices & (choices - 1) == 0:
        probabilities[lowest_pile(choices)] = 1.0
        return
    observe(rules, state, state.decider, features)
    outputs = outputs_of(choices)
    answer(weights, kind_of(rules, state), outputs, features, sums)
    to_probabilities(sums, outputs, PLAIN)
    for output in range(N_OUTPUTS):
        probabilities[choice_of(output)] = sums[FIRST_OUTPUT + output]
