"""Collect rollouts: play games with compiled code and record decisions with their results.

`record_games` records networks in training, for PPO, or teachers, for behaviour cloning. For exploration, some seats of
networks have a bonus pile: a number is added to the logit of gaining one kingdom card.
"""

from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import Results, record_result, start_game
from evodom.dominion.engine.observation import N_FEATURES, observe
from evodom.dominion.engine.rules import MAX_SEATS, Rules
from evodom.dominion.engine.state import State, States, bit, lowest_pile
from evodom.dominion.engine.turn import enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import FloatArray, NetworkRecord
from evodom.dominion.strategies.lineup import LineupArrays
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.model import choice_of, decision_kind, open_choices, outputs_of
from evodom.dominion.strategies.models.networks.traits import traits_of
from evodom.dominion.strategies.select import select
from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import allocating_kernel, kernel
from evodom.jit.vectors import exp, log

MAX_DECISIONS = 4096
"""Maximum number of recorded decisions of a game. Later decisions are played but not recorded."""

NO_PILE = -1

GAE_LAMBDA = 0.95
"""Lambda of the generalised advantage estimation."""

MIN_PROBABILITY = 1e-3
"""Lower bound of probabilities in log ratios, so that the ratio of a bonus pile of probability 0 is finite."""

Decisions = npt.NDArray[Any]
"""An array of DECISION records."""


class DecisionRecord(Protocol):
    """A record of DECISION: one recorded decision of a learner."""

    features: Annotated[npt.NDArray[np.int8], N_FEATURES]
    kind: Annotated[int, "i1"]
    seat: Annotated[int, "i1"]
    action: int
    """The output taken."""
    legal: int
    """Mask of the legal outputs."""
    log_probability: Annotated[float, "<f4"]
    """Log-probability of ``action`` under the policy that took it."""
    value: Annotated[float, "<f4"]
    """The predicted value."""
    advantage: Annotated[float, "<f4"]
    target: Annotated[float, "<f4"]
    """Target of the value function."""


DECISION = record_dtype(DecisionRecord, "<i4")


class RolloutGames(NamedTuple):
    """Games to play. Each array has a row for each game.

    Attributes:
        tables: (n_games, n_seats) int32, the index of a strategy for each seat.
        seeds: (n_games,) uint64, seeds of the random streams.
        bonus_piles: (n_games, n_seats) int32, the bonus pile of each seat, or NO_PILE.
        opponent_baselines: (n_games,) float32, subtracted from the returns.
    """

    tables: npt.NDArray[np.int32]
    seeds: npt.NDArray[np.uint64]
    bonus_piles: npt.NDArray[np.int32]
    opponent_baselines: npt.NDArray[np.float32]

    @classmethod
    def plain(cls, tables: npt.NDArray[np.int32], seeds: npt.NDArray[np.uint64]) -> "RolloutGames":
        """Return games without bonus piles, with baselines of 0."""
        return cls(tables, seeds, np.full_like(tables, NO_PILE), np.zeros(len(tables), np.float32))

    def part(self, rows: slice) -> "RolloutGames":
        """Return the games of a slice."""
        tables, seeds, bonus_piles, baselines = self
        return RolloutGames(tables[rows], seeds[rows], bonus_piles[rows], baselines[rows])


class Recording(NamedTuple):
    """Arrays that `record_games` writes: the results, (n_games,), and the decisions of all games, one after another."""

    results: Results
    decisions: Decisions


@allocating_kernel
def record_games(
    rules: Rules,
    slots: States,
    lineup: LineupArrays,
    is_recorded: npt.NDArray[np.bool_],
    teaches: bool,
    games: RolloutGames,
    logit_bonus: float,
    recording: Recording,
) -> tuple[int, int]:
    """Play games and record the decisions of some strategies. Return the number of decisions, and of games.

    ``slots`` are a batch of one game (`new_batch`). ``is_recorded`` (n_strategies,) selects the recorded strategies.
    With ``teaches`` they are teachers, otherwise networks in training. A game begins only if the array has room for
    MAX_DECISIONS more decisions.
    """
    results, decisions = recording.results, recording.decisions
    state = slots[0]
    sums = np.empty(layers.WIDTH, np.float32)
    n = 0
    for game in range(len(games.tables)):
        if n + MAX_DECISIONS > len(decisions):
            return n, game
        first = n
        start_game(rules, slots, 0, games.seeds[game])
        while state.ended == Ending.PLAYING:
            player = games.tables[game, state.decider]
            choices = open_choices(rules, state) if is_recorded[player] else 0
            is_open = choices & (choices - 1) != 0 and n < first + MAX_DECISIONS
            if is_open:
                note_question(rules, state, choices, decisions[n])
            if is_open and not teaches:
                network: NetworkRecord = lineup.networks[lineup.records[player].network]
                bonus_pile = games.bonus_piles[game, state.decider]
                action = sample_action(state, network.weights, bonus_pile, logit_bonus, sums, decisions[n])
                choice = choice_of(rules, state, action)
                n += 1
            else:
                choice = select(rules, state, lineup, player)
                if (choices >> choice) & 1 and is_open:  # other choices are no outputs of a network
                    decisions[n].action = lowest_pile(outputs_of(rules, state, bit(choice)))
                    n += 1
            enact(rules, state, choice)
        record_result(rules, state, results[game])
        if teaches:
            for index in range(first, n):
                decisions[index].target = results[game].win[decisions[index].seat]
                decisions[index].advantage = 1.0
        else:
            compute_gae(decisions, first, n, results[game].win, games.opponent_baselines[game], GAE_LAMBDA)
    return n, len(games.tables)


@kernel
def note_question(rules: Rules, state: State, choices: int, decision: DecisionRecord) -> None:
    """Record the pending Decision with its open choices."""
    decision.kind = decision_kind(rules, state)
    decision.seat = state.decider
    decision.legal = outputs_of(rules, state, choices)
    observe(rules, state, state.decider, decision.features)


@kernel
def sample_action(
    state: State,
    weights: layers.Weights,
    bonus_pile: int,
    logit_bonus: float,
    sums: layers.Weights,
    decision: DecisionRecord,
) -> Any:
    """Sample an output of the policy. Record the output, its probability and the predicted value.

    ``logit_bonus`` is added to the logit of the bonus pile until the seat owns a card of this pile.
    """
    kind: int = np.int64(decision.kind)  # type: ignore[assignment]  # one width of integers for all kernels
    outputs: int = np.int64(decision.legal)  # type: ignore[assignment]
    layers.forward(weights, kind, outputs, decision.features, sums)
    layers.softmax(sums, outputs, layers.TRAINING_SHARPNESS)
    action = -1
    is_explored = kind == layers.GAIN and bonus_pile != NO_PILE and (outputs >> bonus_pile) & 1
    if is_explored and state.owned[state.decider, bonus_pile] == 0:
        action = sample_with_bonus(state, sums, bonus_pile, logit_bonus)
    else:
        action = layers.sample_output(state, sums)
    decision.action = action
    decision.log_probability = log(max(sums[layers.FIRST_OUTPUT + action], np.float32(MIN_PROBABILITY)))
    decision.value = layers.predicted_value(weights, kind, sums)
    return action


@kernel
def sample_with_bonus(state: State, sums: layers.Weights, pile: int, logit_bonus: float) -> int:
    """Sample an output with ``logit_bonus`` added to the logit of a pile. ``sums`` is the same afterwards."""
    probability = sums[layers.FIRST_OUTPUT + pile]
    raised = max(probability, np.float32(MIN_PROBABILITY)) * exp(logit_bonus)
    scale = 1.0 / (1.0 - probability + raised)
    for output in range(layers.N_OUTPUTS):
        sums[layers.FIRST_OUTPUT + output] *= scale
    sums[layers.FIRST_OUTPUT + pile] = raised * scale
    action: int = layers.sample_output(state, sums)
    for output in range(layers.N_OUTPUTS):
        sums[layers.FIRST_OUTPUT + output] /= scale
    sums[layers.FIRST_OUTPUT + pile] = probability
    return action


@allocating_kernel
def compute_gae(
    decisions: Decisions, first: int, end: int, wins: npt.NDArray[np.float64], baseline: float, gae_lambda: float
) -> None:
    """Write the advantages and value targets of a game's decisions, from the last to the first.

    Generalised advantage estimation without discount (Schulman et al. 2016, "High-dimensional continuous control using
    generalized advantage estimation"). Each seat has one reward, at the end: its share of the win minus ``baseline``.
    """
    next_value = np.empty(MAX_SEATS, np.float32)
    advantage = np.zeros(MAX_SEATS, np.float32)
    for seat in range(MAX_SEATS):
        next_value[seat] = wins[seat] - baseline
    for index in range(end - 1, first - 1, -1):
        seat = decisions[index].seat
        value = decisions[index].value
        advantage[seat] = next_value[seat] - value + gae_lambda * advantage[seat]
        next_value[seat] = value
        decisions[index].advantage = advantage[seat]
        decisions[index].target = advantage[seat] + value


TRASHER_WEIGHT = 5.0
"""Weight that is added to the weight 1 of a card that can trash four cards. Cards that trash fewer receive a part.

Trashing weakens a deck at first, and pays only with well-chosen cards. So it needs more exploration.
"""


def draw_bonus_piles(
    kingdom: Kingdom, shape: tuple[int, ...], share: float, rng: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Draw a bonus pile for about a ``share`` of the seats, NO_PILE for the others. Return int32 of ``shape``."""
    piles = np.array([kingdom.pile(card) for card in kingdom.cards], np.int32)
    if not len(piles):
        return np.full(shape, NO_PILE, np.int32)
    trashes = [traits_of(kingdom.piles[pile]).get("trashes from hand", 0.0) for pile in piles]
    weights = 1.0 + TRASHER_WEIGHT * np.array(trashes)
    drawn = rng.choice(piles, size=shape, p=weights / weights.sum())
    drawn[rng.random(shape) >= share] = NO_PILE
    return drawn.astype(np.int32)


@allocating_kernel
def write_logits(weights: layers.Weights, decisions: Decisions, logits: FloatArray) -> None:
    """Write a network's logits of the legal outputs of each decision into ``logits``, (n, N_OUTPUTS)."""
    sums = np.empty(layers.WIDTH, np.float32)
    for index in range(len(decisions)):
        decision = decisions[index]
        kind: int = np.int64(decision.kind)  # type: ignore[assignment]  # one width of integers for all kernels
        layers.forward(weights, kind, decision.legal, decision.features, sums)
        for output in range(layers.N_OUTPUTS):
            if (decision.legal >> output) & 1:
                logits[index, output] = sums[layers.FIRST_OUTPUT + output]
