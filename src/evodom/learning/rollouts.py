"""Rollouts: compiled games in which every decision of a learner is recorded with its return.

Forced exploration raises the logit of a kingdom card's pile in a share of the games."""

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.moves import restart
from evodom.dominion.engine.ops import Ending
from evodom.dominion.engine.rules import MAX_SEATS, PASS, Rules
from evodom.dominion.engine.state import State, States
from evodom.dominion.engine.turn import advance, enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.networks.features import N_FEATURES, observe
from evodom.dominion.strategies.networks.hypernetwork import traits_of
from evodom.dominion.strategies.networks.layers import (
    FIRST_OUTPUT,
    GAIN,
    N_OUTPUTS,
    PASS_OUTPUT,
    PLAIN,
    WIDTH,
    Weights,
    answer,
    choice_of,
    guess,
    outputs_of,
    sample,
    softmax,
)
from evodom.dominion.strategies.networks.model import array_at, kind_of, open_choices
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import kernel
from evodom.jit.vectors import exp, log
from evodom.matches.simulate import Results, note_result

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
"""Capacity for the decisions of one game; later decisions of a longer game are not recorded."""

NO_PILE = -1

GAE_LAMBDA = 0.95
"""Decay of the advantages."""

LEAST = 1e-3
"""Lower bound of probabilities in comparisons: a choice that the policy never takes can be learned from one forced
exploration."""

Decisions = npt.NDArray[Any]
"""An array of DECISION records."""


class DecisionRecord(Protocol):
    """A record of DECISION."""

    features: npt.NDArray[np.int8]
    kind: int
    seat: int
    chosen: int
    choices: int
    log_probability: float
    expected: float
    advantage: float
    result: float


class RolloutGames(NamedTuple):
    """Games to play, one a row.

    `tables` (n_games, n_seats) int32 names a strategy for each seat, `seeds` (n_games,) uint64 start the random
    streams. `forced_piles` (n_games, n_seats) int32 are piles with a bonus to their logits, or NO_PILE.
    `opponent_baselines` (n_games,) float32 are subtracted from the returns.
    """

    tables: npt.NDArray[np.int32]
    seeds: npt.NDArray[np.uint64]
    forced_piles: npt.NDArray[np.int32]
    opponent_baselines: npt.NDArray[np.float32]

    def part(self, cut: slice) -> "RolloutGames":
        """Return some of the games."""
        return RolloutGames(self.tables[cut], self.seeds[cut], self.forced_piles[cut], self.opponent_baselines[cut])


@kernel
def collect_rollouts(
    rules: Rules,
    slots: States,
    strategies: Strategies,
    learns: npt.NDArray[np.bool_],
    games: RolloutGames,
    logit_bonus: float,
    results: Results,
    decisions: Decisions,
) -> tuple[int, int]:
    """Play games and record the decisions of the players that learn; return the numbers of decisions and of games.

    ``learns`` (n_strategies,) is True for networks that learn. The logit of a forced pile is raised by ``logit_bonus``
    until the seat owns one. No further game begins when ``decisions`` has no room for it.
    """
    state = slots[0]
    sums = np.empty(WIDTH, np.float32)
    n = 0
    for game in range(len(games.tables)):
        if n + LONGEST > len(decisions):
            return n, game
        first = n
        restart(slots, games.seeds[game])
        advance(rules, state)
        while state.ended == Ending.PLAYING:
            player = games.tables[game, state.decider]
            if not learns[player]:
                enact(rules, state, select(rules, state, strategies[player]))
                continue
            choices = open_choices(rules, state)
            if choices & (choices - 1) == 0 or n == first + LONGEST:
                enact(rules, state, select(rules, state, strategies[player]))
                continue
            network = array_at(strategies[player].network)
            outputs = outputs_of(choices)
            decide(rules, state, network, outputs, games.forced_piles[game], logit_bonus, sums, decisions[n])
            enact(rules, state, choice_of(decisions[n].chosen))
            n += 1
        note_result(rules, state, results[game])
        compute_gae(decisions, first, n, results[game].win, games.opponent_baselines[game], GAE_LAMBDA)
    return n, len(games.tables)


@kernel
def decide(
    rules: Rules,
    state: State,
    weights: Weights,
    outputs: int,
    forced_piles: npt.NDArray[np.int32],
    logit_bonus: float,
    sums: Weights,
    decision: DecisionRecord,
) -> None:
    """Sample a choice of the policy and record the decision."""
    seat = state.decider
    kind = kind_of(rules, state)
    observe(rules, state, seat, decision.features)
    answer(weights, kind, outputs, decision.features, sums)
    softmax(sums, outputs, PLAIN)
    forced = forced_piles[seat]
    chosen = -1
    if kind == GAIN and forced != NO_PILE and (outputs >> forced) & 1 and state.owned[seat, forced] == 0:
        chosen = sample_forced(state, sums, forced, logit_bonus)
    else:
        chosen = sample(state, sums)
    decision.kind = kind
    decision.seat = seat
    decision.chosen = chosen
    decision.choices = outputs
    decision.log_probability = log(max(sums[FIRST_OUTPUT + chosen], np.float32(LEAST)))
    decision.expected = guess(weights, kind, sums)


@kernel
def sample_forced(state: State, sums: Weights, forced: int, logit_bonus: float) -> int:
    """Sample a choice with the logit of a pile raised by ``logit_bonus``; ``sums`` stays unchanged."""
    plain = sums[FIRST_OUTPUT + forced]
    raised = max(plain, np.float32(LEAST)) * exp(logit_bonus)
    scale = 1.0 / (1.0 - plain + raised)
    for output in range(N_OUTPUTS):
        sums[FIRST_OUTPUT + output] *= scale
    sums[FIRST_OUTPUT + forced] = raised * scale
    chosen: int = sample(state, sums)
    for output in range(N_OUTPUTS):
        sums[FIRST_OUTPUT + output] /= scale
    sums[FIRST_OUTPUT + forced] = plain
    return chosen


@kernel
def compute_gae(
    decisions: Decisions, first: int, end: int, wins: npt.NDArray[np.float64], baseline: float, decay: float
) -> None:
    """Write the advantages of a game's decisions, from the last to the first (generalised advantage estimation).

    Schulman et al. 2016, "High-dimensional continuous control using generalized advantage estimation", undiscounted.
    """
    following = np.empty(MAX_SEATS, np.float32)
    advantage = np.zeros(MAX_SEATS, np.float32)
    for seat in range(MAX_SEATS):
        following[seat] = wins[seat] - baseline
    for index in range(end - 1, first - 1, -1):
        seat = decisions[index].seat
        expected = decisions[index].expected
        advantage[seat] = following[seat] - expected + decay * advantage[seat]
        following[seat] = expected
        decisions[index].advantage = advantage[seat]
        decisions[index].result = advantage[seat] + expected


@kernel
def collect_demonstrations(
    rules: Rules,
    slots: States,
    strategies: Strategies,
    tables: npt.NDArray[np.int32],
    seeds: npt.NDArray[np.uint64],
    results: Results,
    decisions: Decisions,
) -> tuple[int, int]:
    """Play games of teachers and record their decisions; return the numbers of decisions and of games.

    Only choices that a network can make are recorded. All advantages are 1.
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
"""Additional weight of a card that trashes four cards; fewer cards have less in proportion.

A trasher weakens a deck at first and pays only with well-chosen cards: it needs more exploration."""


def draw_forced_piles(
    kingdom: Kingdom, shape: tuple[int, ...], share: float, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Draw the forced pile of each seat of each game; all but about a ``share`` have NO_PILE."""
    piles = np.array([kingdom.pile(card) for card in kingdom.cards], np.int32)
    if not len(piles):
        return np.full(shape, NO_PILE, np.int32)
    trashes = [traits_of(kingdom.piles[pile]).get("trashes from hand", 0.0) for pile in piles]
    weights = 1.0 + TRASHER_WEIGHT * np.array(trashes)
    forced = rng.choice(piles, size=shape, p=weights / weights.sum())
    forced[rng.random(shape) >= share] = NO_PILE
    return forced.astype(np.int32)
