"""Compute a hint: the chance to win with each answer to a Decision, and the answers of the strategies at the table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evodom.dominion.engine.rules import N_PILES, PASS
from evodom.dominion.engine.state import State
from evodom.dominion.events import counted
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.playouts import CardAnswer, Policy, card_sets, n_card_sets
from evodom.dominion.strategies.base import Strategy
from evodom.learning.general import preferred_weights
from evodom.matches.agents import PythonAgent
from evodom.matches.playout_search import PlayoutSearch
from evodom.matches.seating import Use, generator, stream
from evodom.matches.simulate import choice_counts
from evodom.search.playouts import PlayoutBudget
from evodom.sessions.questions import cards_at_once, most_at_once
from evodom.sessions.setup import Participant
from evodom.tasks import Workers

TRIES = 2000
"""Choices drawn from a strategy for a hint: its shares are within about two points."""

LEAST_TRIES = 100
"""Choices drawn from a strategy at a state that it seldom reaches."""

ROLLOUTS, ROLLOUTS_EACH = 2000, 250
"""Rollouts of a hint: shared by all answers, and added for each. They keep every standard error below five points."""

MOST_COMPARED = 24
"""Answers that are compared: the most probable by the network."""

MOST_SHOWN = 10
"""Answers that are shown, the best first."""


@dataclass(frozen=True)
class Hint:
    """The answers of one strategy with their probabilities, likeliest first."""

    name: str
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Chance:
    """An answer, the chance to win with it, and the standard error of that chance."""

    name: str
    share: float
    error: float


@dataclass(frozen=True)
class WinChances:
    """The chances of the best answers, the best first.

    ``n_answers`` counts all answers to the Decision, and ``n_compared`` those that were compared by rollouts.
    """

    best: tuple[Chance, ...]
    n_answers: int
    n_compared: int

    @property
    def more(self) -> str:
        """A sentence on the answers that are not shown, "" if all are."""
        n = len(self.best)
        if self.n_compared < self.n_answers:
            return (
                f"The best {n} of the {self.n_compared} most probable answers are shown, of {self.n_answers:,} in all."
            )
        return f"The best {n} of {self.n_answers:,} answers are shown." if n < self.n_answers else ""


def hints(game: DominionGame, players: tuple[Participant, ...], tries: int = TRIES) -> Iterator[Hint]:
    """Give a hint from each different strategy at the table; the game and its random stream stay as they are.

    Agents written in Python give none: to ask them would change what they do later.
    """
    asked = set()
    for player in players:
        if player.strategy is None or isinstance(player.strategy, PythonAgent) or player.strategy.tobytes() in asked:
            continue
        asked.add(player.strategy.tobytes())
        answers = _answers(game, _choices_of(game, player.strategy, tries))
        yield Hint(player.name, tuple((_name(game, one), one.probability) for one in answers if one.probability > 0))


def win_chances(game: DominionGame, seed: int, workers: Workers | None = None) -> WinChances | None:
    """Return the chances of the answers to the pending Decision, best first; None if no network comes with evodom.

    Where several cards are chosen, an answer is all of them. The MOST_COMPARED answers that the network finds most
    probable are compared, and the best MOST_SHOWN of them are returned. The chances are those of rollouts to the end,
    by what the player who decides can know. The game stays as it is.
    """
    weights = preferred_weights(game.kingdom)
    if weights is None:
        return None
    search = PlayoutSearch(game.rules, weights, workers)
    answers = _answers(game, lambda state, mass: search.priors(state))[:MOST_COMPARED]
    named = {one.choices: _name(game, one) for one in answers}
    budget = PlayoutBudget(playouts=ROLLOUTS + ROLLOUTS_EACH * len(answers))
    priors = [one.probability for one in answers]
    found = search.compare(game.state, list(named), priors, generator(stream(seed, Use.THINKING)), budget)
    best = tuple(Chance(named[one.action], one.value, one.error) for one in found[:MOST_SHOWN])
    return WinChances(best, _n_answers(game), len(answers))


def _answers(game: DominionGame, policy: Policy) -> list[CardAnswer]:
    """Return the answers to the pending Decision with their probabilities by a policy, the most probable first."""
    there, sizes = _cards(game)
    if there:
        return card_sets(game.rules, game.state, there, sizes, policy)
    priors = policy(game.state.copy(), 1.0)
    assert game.decision is not None
    piles = [answer.pile for answer in game.decision.consequences]
    answers = [CardAnswer(() if pile == PASS else (pile,), (pile,), float(priors[pile])) for pile in piles]
    return sorted(answers, key=lambda one: -one.probability)


def _n_answers(game: DominionGame) -> int:
    there, sizes = _cards(game)
    assert game.decision is not None
    return n_card_sets(there, sizes) if there else len(game.decision.consequences)


def _cards(game: DominionGame) -> tuple[dict[int, int], tuple[int, int]]:
    """Return the cards of a choice of several, by pile, and its least and largest number of cards."""
    decision = game.decision
    assert decision is not None
    view = game.view(decision.seat)
    there, most = cards_at_once(view, decision), most_at_once(view, decision)
    piles = {answer.pile: there[answer.name] for answer in decision.consequences if there[answer.name]}
    return piles, (0 if decision.optional else most, most)


def _choices_of(game: DominionGame, strategy: Strategy, tries: int) -> Policy:
    """Return the policy of a strategy, estimated by ``tries`` choices at the states that it always reaches."""

    def policy(state: State, mass: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        n = max(round(mass * tries), LEAST_TRIES if mass > 0 else 1)
        counts = np.zeros(N_PILES + 1, np.int64)
        choice_counts(game.rules, state, state.copy(), strategy, counts, n)
        return counts / n

    return policy


def _name(game: DominionGame, answer: CardAnswer) -> str:
    """Return the cards of an answer as text: "2 Copper + Estate"."""
    return " + ".join(counted(Counter(game.piles[pile].name for pile in answer.cards))) or PASS_NAME
