"""Rollouts: compiled games in which every decision of a learner is recorded with its return.

Forced exploration raises the logit of a kingdom card's pile in a share of the games."""

from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import Ending
from evodom.dominion.engine.rules import MAX_SEATS, PASS, Rules
from evodom.dominion.engine.state import State, restart
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.features import N_FEATURES, observe
from evodom.dominion.strategies.networks.layers import (
    FIRST_OUTPUT,
    GAIN,
    N_OUTPUTS,
    PASS_OUTPUT,
    PLAIN,
    WIDTH,
    answer,
    choice_of,
    guess,
    outputs_of,
    sample,
    to_probabilities,
)
from evodom.dominion.strategies.networks.policy import kind_of, open_choices
from evodom.dominion.strategies.networks.traits import traits_of
from evodom.dominion.strategies.networks.weights import array_at
from evodom.dominion.strategies.select import select
from evodom.jit.elementary import exp, log
from evodom.jit.kernel import kernel
from evodom.matches.simulate import note_result

DECISION = np.dtype(
    (
        np.record,
        [
            ("features", "i1", (N_FEATURES,)),
            # The kind, the mask of outputs to choose from and the one taken; the seat, until the game has ended.
            ("kind", "i1"),
            ("seat", "i1"),
            ("chosen", "<i4"),
            ("choices", "<i4"),
            # The logarithm of the probability with which it was taken, and what the critic expected.
            ("log_probability", "<f4"),
            ("expected", "<f4"),
            # How much better the choice turned out than expected, and what the critic should have said.
            ("advantage", "<f4"),
            ("result", "<f4"),
        ],
    )
)
"""A decision of a learner."""

LONGEST = 4096
"""Room for the decisions of one game; of a longer one the rest is not written down."""

NO_WISH = -1

LEAST = 1e-3
"""Probabilities below count as this one when they are compared: a choice that nobody would take can be learned at once
when a wish shows that it is good."""


@kernel
def live(
    rules: Rules,
    slots: Any,
    strategies: Any,
    tables: Any,
    learns: Any,
    wishes: Any,
    wish: Any,
    handicaps: Any,
    decay: Any,
    seeds: Any,
    results: Any,
    decisions: Any,
) -> Any:
    """Play the games of ``tables`` and write down what the players that learn decide; return (decisions, games).

    ``learns`` says for each of ``strategies`` whether it is a network that learns. ``wishes`` (n_games, n_seats) has a
    pile that a learner tries in this game, or NO_WISH: the worth of its first card is raised by ``wish``.
    ``handicaps`` (n_games,) are taken off what is won, so that weak opponents do not make every choice look good.
    ``decay`` is lambda of the advantages. No further game begins once ``decisions`` has no room for it.
    """
    state = slots[0]
    sums = np.empty(WIDTH, np.float32)
    n = 0
    for game in range(len(tables)):
        if n + LONGEST > len(decisions):
            return n, game
        first = n
        restart(slots, seeds[game])
        advance(rules, state)
        while state.ended == Ending.PLAYING:
            player = tables[game, state.decider]
            if not learns[player]:
                enact(rules, state, select(rules, state, strategies[player]))
                continue
            choices = open_choices(rules, state)
            if choices & (choices - 1) == 0 or n == first + LONGEST:
                enact(rules, state, select(rules, state, strategies[player]))
                continue
            network = array_at(strategies[player].network)
            decide(rules, state, network, outputs_of(choices), wishes[game], wish, sums, decisions[n])
            enact(rules, state, choice_of(decisions[n].chosen))
            n += 1
        note_result(rules, state, results[game])
        look_back(decisions, first, n, results[game].win, handicaps[game], decay)
    return n, len(tables)


@kernel
def decide(
    rules: Rules,
    state: State,
    weights: Any,
    outputs: int,
    wishes: Any,
    wish: Any,
    sums: Any,
    decision: Any,
) -> None:
    """Have a network choose, and write the decision down."""
    seat = state.decider
    kind = kind_of(rules, state)
    observe(rules, state, seat, decision.features)
    answer(weights, kind, outputs, decision.features, sums)
    to_probabilities(sums, outputs, PLAIN)
    wished = wishes[seat]
    chosen = -1
    if kind == GAIN and wished != NO_WISH and (outputs >> wished) & 1 and state.owned[seat, wished] == 0:
        chosen = sample_with_wish(state, sums, wished, wish)
    else:
        chosen = sample(state, sums)
    decision.kind = kind
    decision.seat = seat
    decision.chosen = chosen
    decision.choices = outputs
    decision.log_probability = log(max(sums[FIRST_OUTPUT + chosen], np.float32(LEAST)))
    decision.expected = guess(weights, kind, sums)


@kernel
def sample_with_wish(state: State, sums: Any, wished: Any, wish: Any) -> Any:
    """Draw a choice as if the wished pile were worth more by ``wish``; ``sums`` stays as it is."""
    plain = sums[FIRST_OUTPUT + wished]
    raised = max(plain, np.float32(LEAST)) * exp(wish)
    scale = 1.0 / (1.0 - plain + raised)
    for output in range(N_OUTPUTS):
        sums[FIRST_OUTPUT + output] *= scale
    sums[FIRST_OUTPUT + wished] = raised * scale
    chosen = sample(state, sums)
    for output in range(N_OUTPUTS):
        sums[FIRST_OUTPUT + output] /= scale
    sums[FIRST_OUTPUT + wished] = plain
    return chosen


@kernel
def look_back(decisions: Any, first: Any, end: Any, wins: Any, handicap: Any, decay: Any) -> None:
    """Write the advantages of a game's decisions, from the last to the first (generalised advantage estimation).

    Schulman et al. 2016, "High-dimensional continuous control using generalized advantage estimation", undiscounted.
    """
    following = np.empty(MAX_SEATS, np.float32)
    advantage = np.zeros(MAX_SEATS, np.float32)
    for seat in range(MAX_SEATS):
        following[seat] = wins[seat] - handicap
    for index in range(end - 1, first - 1, -1):
        seat = decisions[index].seat
        expected = decisions[index].expected
        advantage[seat] = following[seat] - expected + decay * advantage[seat]
        following[seat] = expected
        decisions[index].advantage = advantage[seat]
        decisions[index].result = advantage[seat] + expected


@kernel
def watch(rules: Rules, slots: Any, strategies: Any, tables: Any, seeds: Any, results: Any, decisions: Any) -> Any:
    """Play games of teachers and write down what they decide, as `live` does; return (decisions, games).

    Only decisions whose answer a network may give count. The advantages are 1 for the winners of a game and less for
    the others, so that they can be weighed.
    """
    state = slots[0]
    n = 0
    for game in range(len(tables)):
        if n + LONGEST > len(decisions):
            return n, game
        first = n
        restart(slots, seeds[game])
        advance(rules, state)
        while state.ended == Ending.PLAYING:
            chosen = select(rules, state, strategies[tables[game, state.decider]])
            choices = open_choices(rules, state)
            if choices & (choices - 1) != 0 and (choices >> chosen) & 1 and n < first + LONGEST:
                decision = decisions[n]
                observe(rules, state, state.decider, decision.features)
                decision.kind = kind_of(rules, state)
                decision.seat = state.decider
                decision.chosen = PASS_OUTPUT if chosen == PASS else chosen
                decision.choices = outputs_of(choices)
                n += 1
            enact(rules, state, chosen)
        note_result(rules, state, results[game])
        for index in range(first, n):
            decisions[index].result = results[game].win[decisions[index].seat]
            decisions[index].advantage = 1.0
    return n, len(tables)


TRASHER_WEIGHT = 5.0
"""What a card that trashes four cards weighs more than others; one that trashes fewer weighs less in proportion."""


def draw_wishes(
    kingdom: Kingdom, shape: tuple[int, ...], share: float, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Return the pile that each seat of each game tries, NO_WISH for all but about a ``share`` of them."""
    piles = np.array([kingdom.pile(card) for card in kingdom.cards], np.int32)
    if not len(piles):
        return np.full(shape, NO_WISH, np.int32)
    trashes = [traits_of(kingdom.piles[pile]).get("trashes from hand", 0.0) for pile in piles]
    weights = 1.0 + TRASHER_WEIGHT * np.array(trashes)
    wishes = rng.choice(piles, size=shape, p=weights / weights.sum())
    wishes[rng.random(shape) >= share] = NO_WISH
    return wishes.astype(np.int32)
