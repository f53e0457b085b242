"""Search Dominion's Decisions by playouts with a network, play with that search, and review finished games.

Decisions about gains are always searched, even if the policy is nearly certain: networks undervalue cards that they
rarely gain. A screening gives all cards some playouts. The best few cards get more (`evodom.search.playouts`). Each
playout resamples the hidden information of the other seats. A review uses only information that its seat had at the
time.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.budget import Clock, work_time
from evodom.dominion.effects.ops import Column, Ending, Op, Zone
from evodom.dominion.engine.rules import N_ANSWERS, N_PILES, Rules
from evodom.dominion.engine.state import STATE, State
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.playouts import N_SLOTS, POLICY_CHOICE, START_SLOT, run_playouts, write_policy
from evodom.dominion.strategies.models.networks.layers import N_WEIGHTS, PLAY_SHARPNESS, TRAINING_SHARPNESS, Weights
from evodom.matches.agents import PythonAgent
from evodom.search.estimate import ActionEstimate
from evodom.search.playouts import Payoffs, PlayoutBudget, PlayoutHalving, mean_and_error
from evodom.tasks import Workers, map_chunks

MAX_CANDIDATES = 6
"""Maximum number of choices to search. Cards to gain do not count: all are searched."""

MIN_PRIOR = 0.005
"""Minimum prior of a choice to be searched. Cards to gain need none."""

CERTAIN = 0.98
"""A choice with a higher prior is made without a search, except in Decisions about gains."""

Answer = tuple[int, ...]
"""Successive choices, as bits of legal masks. The first is an answer to the pending Decision."""


@dataclass(frozen=True)
class PlayoutSearch:
    """Search of Decisions in games with ``rules``. Results do not depend on the number of ``workers``."""

    rules: Rules
    weights: Weights
    workers: Workers | None = None
    clock: Clock = work_time

    def priors(self, state: State) -> Payoffs:
        """Return the network's policy at the pending Decision, (N_ANSWERS,)."""
        probabilities = np.zeros(N_ANSWERS, np.float32)
        write_policy(self.rules, state, self.weights, probabilities)
        return probabilities

    def choose(self, state: State, rng: np.random.Generator, budget: PlayoutBudget) -> int:
        """Return the best choice at the pending Decision. Forced and nearly certain choices need no search."""
        priors = self.priors(state)
        n_open = int((priors > 0).sum())
        if n_open == 1 or (priors.max() > CERTAIN and not self._is_gain(state)):
            return int(priors.argmax())
        return self.search(state, rng, budget)[0].action[0]

    def search(
        self, state: State, rng: np.random.Generator, budget: PlayoutBudget, *, included: Collection[int] = ()
    ) -> list[ActionEstimate[Answer]]:
        """Return the best choices at the pending Decision, the best first. ``included`` are always candidates."""
        priors = self.priors(state)
        choices = candidates(priors, [*self._cards_to_gain(state, priors), *included])
        return self._halving(state, [(choice,) for choice in choices], priors[choices].tolist(), rng).run(budget)

    def policy(self, state: State) -> npt.NDArray[np.float64]:
        """Return the playout policy, (N_ANSWERS,): the sharpened priors."""
        sharp = self.priors(state).astype(np.float64) ** (PLAY_SHARPNESS / TRAINING_SHARPNESS)
        return np.asarray(sharp / sharp.sum())

    def compare(
        self,
        state: State,
        answers: Sequence[Answer],
        priors: Sequence[float],
        rng: np.random.Generator,
        budget: PlayoutBudget,
    ) -> list[ActionEstimate[Answer]]:
        """Return all ``answers`` to the pending Decision: first the best of the search, then the others by value.

        The first of ``answers`` must have the highest prior. Answers dropped by the screening keep its values.
        """
        halving = self._halving(state, answers, priors, rng)
        best, *others = halving.run(budget)
        return [best, *sorted([*others, *halving.dropped], key=lambda one: -one.value)]

    def shares(
        self, state: State, answers: Sequence[Answer], seeds: npt.NDArray[np.uint64], seat: int | None = None
    ) -> Payoffs:
        """Return the share of the win of ``seat`` in a playout for each answer and seed, (answers, seeds).

        The default is the deciding seat. Information hidden from the deciding seat is resampled.
        """
        assert state.ended == Ending.PLAYING
        decider = int(state.decider)
        return self._play_out(state, decider, answers, seeds)[:, :, decider if seat is None else seat]

    def chances(self, state: State, seat: int, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """Return every seat's expected share of the win, (n_seats,), given the information of ``seat``."""
        return np.asarray(self._play_out(state, seat, ((POLICY_CHOICE,),), seeds)[0].mean(axis=0, dtype=np.float64))

    def _halving(
        self, state: State, answers: Sequence[Answer], priors: Sequence[float], rng: np.random.Generator
    ) -> PlayoutHalving[Answer]:
        return PlayoutHalving(answers, priors, lambda some, seeds: self.shares(state, some, seeds), rng, self.clock)

    def _is_gain(self, state: State) -> bool:
        """Return True if the pending Decision is which card to buy or to gain."""
        effect = self.rules.effects[state.asked_effect]
        return bool(
            effect[Column.OP] == Op.BUY or (effect[Column.OP] == Op.CHOOSE and effect[Column.SOURCE] == Zone.SUPPLY)
        )

    def _cards_to_gain(self, state: State, priors: Payoffs) -> list[int]:
        """Return the cards that may be gained and cost at least $1. Return [] at other Decisions."""
        if not self._is_gain(state):
            return []
        return [pile for pile in range(N_PILES) if priors[pile] > 0 and self.rules.cost[pile] > 0]

    def _play_out(self, state: State, seat: int, answers: Sequence[Answer], seeds: npt.NDArray[np.uint64]) -> Payoffs:
        shares = np.zeros((len(answers), len(seeds), int(self.rules.n_seats)), np.float32)
        numbers = np.full((len(answers), max(map(len, answers))), POLICY_CHOICE, np.int64)
        for row, answer in zip(numbers, answers, strict=True):
            row[: len(answer)] = answer

        def play(first: int, end: int) -> None:
            part = slice(first, end)
            slots = np.zeros(N_SLOTS, STATE)
            slots[START_SLOT] = state
            run_playouts(self.rules, slots, seat, self.weights, numbers, seeds[part], shares[:, part])

        map_chunks(play, len(seeds), self.workers)
        return shares


def candidates(priors: Payoffs, included: Collection[int] = ()) -> list[int]:
    """Return the choices to search in descending order of probability, then further choices of ``included``."""
    order = [int(choice) for choice in np.argsort(-priors, kind="stable")[:MAX_CANDIDATES]]
    found = [choice for choice in order if priors[choice] > MIN_PRIOR]
    return found + [choice for choice in included if choice not in found]


class SearchingPlayer:
    """A network that searches, in one game."""

    def __init__(
        self, weights: Weights, budget: PlayoutBudget, rng: np.random.Generator, clock: Clock = work_time
    ) -> None:
        self.weights, self.budget, self.rng, self.clock = weights, budget, rng, clock

    def __call__(self, game: DominionGame, workers: Workers | None) -> str:
        """Return the name of the choice for the pending Decision."""
        search = PlayoutSearch(game.rules, self.weights, workers=workers, clock=self.clock)
        return game.answer_name(search.choose(game.state, self.rng, self.budget))


def searching_agent(name: str, weights: Weights, budget: PlayoutBudget, clock: Clock = work_time) -> PythonAgent:
    """Return an agent that searches with a network. ``name`` identifies it (`evodom.matches.entrants`)."""

    def make(kingdom: Kingdom, seat: int, rng: np.random.Generator) -> Any:
        return SearchingPlayer(weights, budget, rng, clock)

    return PythonAgent(name, make, source=name, reads_game=True, is_searching=True)


@lru_cache(1)
def compile_playouts() -> None:
    """Compile the kernels of a search, or load them from the cache."""
    game = DominionGame(n_players=2, log=False)
    game.play_treasures_automatically(0, 1)
    search = PlayoutSearch(game.rules, np.zeros(N_WEIGHTS, np.float32))
    search.search(game.state, np.random.default_rng(0), PlayoutBudget(playouts=1))


PLAYOUTS = 300
"""Number of playouts to find the best choice of a Decision, and again to compare it with the actual choice."""

N_RECHECKED = 6
"""Number of Decisions with the largest losses that are reviewed again."""

RECHECK_PLAYOUTS = 1500
"""Number of playouts of such a second review."""

CHANCES_PLAYOUTS = 200
"""Number of playouts for the win chances of all seats in a state."""

EFFECTS_PLAYOUTS = 20_000
"""Total number of playouts per answer in `decision_effects`."""

MIN_EFFECT_PLAYOUTS = 16
"""Minimum number of playouts per answer for the effect of a Decision."""

MAX_EFFECT_PLAYOUTS = 1500
"""Maximum number of playouts per answer for the effect of a Decision."""

MIN_PROBABILITY = 0.01
"""Minimum probability of a choice under the playout policy to be included in an effect."""

MIN_LOSS = 0.005
"""Minimum loss. Smaller losses are set to 0."""


@dataclass(frozen=True)
class DecisionPoint:
    """A Decision: the state before it, and its answer."""

    state: State
    choice: int


@dataclass(frozen=True)
class Verdict:
    """A choice and the ``best`` choice found, each with its share of the win in playouts. ``lost`` is the regret.

    ``moment`` is the number of the Decision. ``error`` is the standard error of ``lost``. Common random numbers make it
    smaller than the standard errors of the two shares.
    """

    moment: int
    choice: int
    best: int
    share: float
    best_share: float
    lost: float
    error: float


def verdicts(
    search: PlayoutSearch,
    moments: Sequence[DecisionPoint],
    rng: np.random.Generator,
    on_done: Callable[[], object] = lambda: None,
) -> list[Verdict]:
    """Return a verdict on each Decision, in order. Call ``on_done`` after each.

    The best choice is selected with some playouts and compared with new playouts. Else selection would bias the loss.
    """
    found = []
    for number, moment in enumerate(moments):
        found.append(find_verdict(search, number, moment, rng))
        on_done()
    for verdict in sorted(found, key=lambda one: -one.lost)[:N_RECHECKED]:
        if verdict.lost > 0:
            found[verdict.moment] = measured_again(search, verdict, moments[verdict.moment], rng)
    return found


def win_probability_curve(
    search: PlayoutSearch, states: Sequence[State], seat: int, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return the expected shares of the win in ``states``, (n_states, n_seats), given the information of ``seat``."""
    chances = np.zeros((len(states), int(search.rules.n_seats)))
    for place, state in enumerate(states):
        chances[place] = search.chances(state, seat, rng.integers(2**64, size=CHANCES_PLAYOUTS, dtype=np.uint64))
    return chances


def decision_effects(
    search: PlayoutSearch,
    moments: Sequence[DecisionPoint],
    seat: int | None,
    rng: np.random.Generator,
    n_playouts: int | None = None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how much each Decision changed the share of the win of ``seat``, and the standard errors.

    Without a ``seat`` it is the deciding seat. ``n_playouts`` is the total number per answer, by default
    EFFECTS_PLAYOUTS.

    The effect is the share with the choice, minus the mean share under the network's policy. Both use the information
    of the deciding player. The mean effect of a player who follows the network's policy is 0. The mean of all other
    changes, the luck of the draw, is 0, too. The number of playouts increases with the probability that the network
    chooses otherwise.
    """
    policies = [search.policy(moment.state) for moment in moments]
    rare = [1.0 - float(policy[moment.choice]) for policy, moment in zip(policies, moments, strict=True)]
    total = sum(one for one in rare if one > MIN_PROBABILITY)
    found = np.zeros((2, len(moments)))
    for number, (moment, policy) in enumerate(zip(moments, policies, strict=True)):
        if rare[number] > MIN_PROBABILITY:
            n = round((n_playouts or EFFECTS_PLAYOUTS) * rare[number] / total)
            n = min(max(n, MIN_EFFECT_PLAYOUTS), MAX_EFFECT_PLAYOUTS)
            found[:, number] = _effect(search, moment, policy, seat, rng.integers(2**64, size=n, dtype=np.uint64))
    return found[0], found[1]


def _effect(
    search: PlayoutSearch,
    moment: DecisionPoint,
    policy: npt.NDArray[np.float64],
    seat: int | None,
    seeds: npt.NDArray[np.uint64],
) -> tuple[float, float]:
    """Return the effect of one Decision and its standard error. All answers use common random numbers."""
    others = [int(choice) for choice in np.flatnonzero(policy > MIN_PROBABILITY) if choice != moment.choice]
    choices = [moment.choice, *others]
    weights = policy[choices] / policy[choices].sum()
    shares = search.shares(moment.state, [(choice,) for choice in choices], seeds, seat)
    return mean_and_error(shares[0] - weights @ shares)


def find_verdict(search: PlayoutSearch, number: int, moment: DecisionPoint, rng: np.random.Generator) -> Verdict:
    """Search for the best choice of a Decision, and compare it with the actual choice by new playouts."""
    options = search.search(moment.state, rng, PlayoutBudget(playouts=PLAYOUTS), included=(moment.choice,))
    return _compared(search, number, moment, options[0].action[0], rng, PLAYOUTS)


def measured_again(search: PlayoutSearch, verdict: Verdict, moment: DecisionPoint, rng: np.random.Generator) -> Verdict:
    """Return the verdict with the loss in RECHECK_PLAYOUTS new playouts."""
    return _compared(search, verdict.moment, moment, verdict.best, rng, RECHECK_PLAYOUTS)


def _compared(
    search: PlayoutSearch, number: int, moment: DecisionPoint, best: int, rng: np.random.Generator, n: int
) -> Verdict:
    """Return the regret of the choice against ``best``, by new playouts. Values below MIN_LOSS are set to 0."""
    choices = (moment.choice, best) if best != moment.choice else (best,)
    shares = search.shares(
        moment.state, [(choice,) for choice in choices], rng.integers(2**64, size=n, dtype=np.uint64)
    )
    (share, _), (best_share, _) = mean_and_error(shares[0]), mean_and_error(shares[-1])
    lost, error = mean_and_error(shares[-1] - shares[0]) if len(choices) > 1 else (0.0, 0.0)
    if lost < MIN_LOSS:
        return Verdict(number, moment.choice, moment.choice, share, share, 0.0, error)
    return Verdict(number, moment.choice, best, share, best_share, lost, error)
