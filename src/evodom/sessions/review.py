"""Evaluate choices in a game by playouts: hints during the game, and the review after it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import counted
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.rules import FIRST_OPTION, N_ANSWERS, PASS
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import compare_seats
from evodom.dominion.game import PASS_NAME, Decision, DominionGame
from evodom.dominion.playouts import CardAnswer, Policy, complete_answers, n_complete_answers
from evodom.dominion.strategies.describe import counted as counted_nouns
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped_weights, usable_weights
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError
from evodom.matches.agents import PythonAgent
from evodom.matches.mistakes import UNREVIEWED, AskedChoice
from evodom.matches.playout_search import (
    CHANCES_PLAYOUTS,
    Answer,
    DecisionPoint,
    PlayoutSearch,
    Verdict,
    decision_effects,
    verdicts,
    win_probability_curve,
)
from evodom.matches.seating import Use, generator, stream
from evodom.matches.simulate import choice_counts
from evodom.search.estimate import ActionEstimate
from evodom.search.playouts import PlayoutBudget
from evodom.sessions.dominion import DominionSession, Participant
from evodom.sessions.questions import cards_at_once, max_at_once
from evodom.statistics import Share, half_width, wilson
from evodom.tasks import Workers

TRIES = 2000
"""Number of choices drawn from a strategy for a hint. Their shares are exact to about two points."""

MIN_TRIES = 100
"""Minimum number of choices drawn from a strategy at a state that it seldom reaches."""

ROLLOUTS, ROLLOUTS_EACH = 2000, 250
"""Rollouts of a hint: for all answers together, and for each. Every compared answer gets MIN_ROLLOUTS or more."""

MIN_ROLLOUTS = 100
"""A win probability of fewer rollouts is not shown: its 95 % interval is wider than 10 points to each side."""

MAX_COMPARED = 24
"""Maximum number of compared answers: the most probable by the network."""

MAX_SHOWN = 10
"""Maximum number of shown answers: the best."""

MAX_NAMED = 3
"""Maximum number of answers that a recommendation names because playouts do not separate them from the best."""


@dataclass(frozen=True)
class Hint:
    """The answers of one strategy with their probabilities, likeliest first."""

    name: str
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Chance:
    """An answer, and the chance to win with it. The chance is None after fewer than MIN_ROLLOUTS rollouts."""

    name: str
    win: Share | None

    @property
    def text(self) -> str:
        """The answer in words: cards, an option, or "nothing more"."""
        return "nothing more" if self.name == PASS_NAME else self.name

    def overlaps(self, other: "Chance") -> bool:
        """Return whether the intervals of two answers overlap. Answers without one overlap only each other."""
        if self.win is None or other.win is None:
            return self.win is other.win
        return self.win.low <= other.win.high and other.win.low <= self.win.high


@dataclass(frozen=True)
class WinChances:
    """The chances of the answers with the highest estimates, as ranks of answers (`ranks`), the best rank first.

    ``best`` is the answer that the rollouts recommend, ``of_network`` the network's most probable answer, ``compared``
    all answers that the rollouts compared. ``n_answers`` counts all answers to the Decision.
    """

    ranks: tuple[tuple[Chance, ...], ...]
    best: Chance
    of_network: Chance
    compared: tuple[Chance, ...]
    n_answers: int

    @property
    def shown(self) -> tuple[Chance, ...]:
        """The answers of all ranks."""
        return tuple(chance for rank in self.ranks for chance in rank)

    @property
    def recommendation(self) -> str:
        """The recommended answer with the reason, "" after too few rollouts."""
        best, network = self.best, self.of_network
        if best.win is None or network.win is None:
            return ""
        close = [one.text for rank in self.ranks if best in rank for one in rank if one != best]
        its_own = f"{network.text}, the network's first choice."
        if best.name == network.name and not close:
            reason = "The playouts and the network agree."
        elif best.name == network.name:
            others = " or ".join(close) if len(close) <= MAX_NAMED else f"{len(close)} other choices"
            reason = f"The playouts do not separate it from {others}. It is the network's first choice."
        elif network.text in close:
            reason = f"The playouts do not separate it from {its_own}"
        else:
            points = counted_nouns(round(100 * (best.win.share - network.win.share)), "point")
            reason = f"Playouts of the network's own play favour it by {points} over {its_own}"
        return f"Best choice: {best.text}. {reason}"

    @property
    def more(self) -> str:
        """A sentence on the answers that are not shown, "" if all are."""
        n, n_compared = len(self.shown), len(self.compared)
        if n_compared < self.n_answers:
            return (
                f"Shown: the {n} highest estimates of the {n_compared} most probable answers, of "
                f"{self.n_answers:,} in total."
            )
        return f"Shown: the {n} highest estimates of {self.n_answers:,} answers." if n < self.n_answers else ""


def hints(game: DominionGame, players: tuple[Participant, ...], tries: int = TRIES) -> Iterator[Hint]:
    """Yield a hint of each different strategy at the table. The game and its random stream are not changed.

    The shipped network is left out: `win_chances` names its choice. Agents written in Python are left out too: a
    call could change their later choices.
    """
    weights = usable_weights(game.kingdom)
    asked = set() if weights is None else {network_strategy(weights, game.kingdom).tobytes()}
    for player in players:
        if player.strategy is None or isinstance(player.strategy, PythonAgent) or player.strategy.tobytes() in asked:
            continue
        asked.add(player.strategy.tobytes())
        answers = _answers(game, _choices_of(game, player.strategy, tries))
        yield Hint(
            player.name,
            tuple((_name(game, answer), answer.probability) for answer in answers if answer.probability > 0),
        )


def win_chances(game: DominionGame, seed: int, workers: Workers | None = None) -> WinChances | None:
    """Return the chances of the answers to the pending Decision, by rank; None if no network comes with evodom.

    If several cards are chosen at once, an answer has all of them. The MAX_COMPARED answers that the network finds most
    probable are compared, and the MAX_SHOWN with the highest estimates are returned. The chances are those of rollouts
    to the end, from the information of the player who decides. The game is not changed.
    """
    weights = usable_weights(game.kingdom)
    if weights is None:
        return None
    search = PlayoutSearch(game.rules, weights, workers)
    answers = _answers(game, lambda state, mass: search.priors(state))[:MAX_COMPARED]
    named = {answer.choices: _name(game, answer) for answer in answers}
    budget = PlayoutBudget(playouts=ROLLOUTS + ROLLOUTS_EACH * len(answers))
    priors = [answer.probability for answer in answers]
    found = search.compare(game.state, list(named), priors, generator(stream(seed, Use.REVIEW)), budget)
    chances = {answer.action: _chance(named[answer.action], answer) for answer in found}
    best, *_ = compared = tuple(chances.values())
    return WinChances(ranks(compared[:MAX_SHOWN]), best, chances[answers[0].choices], compared, _n_answers(game))


def _chance(name: str, found: ActionEstimate[Answer]) -> Chance:
    return Chance(name, wilson(found.value * found.visits, found.visits) if found.visits >= MIN_ROLLOUTS else None)


def ranks(chances: Sequence[Chance]) -> tuple[tuple[Chance, ...], ...]:
    """Return the ranks of answers, the highest chances first. Answers without a chance are the last rank.

    A rank holds answers whose 95 % intervals overlap that of its first answer.
    """
    found: list[list[Chance]] = []
    for chance in sorted(chances, key=lambda one: -one.win.share if one.win else 1.0):
        if found and chance.overlaps(found[-1][0]):
            found[-1].append(chance)
        else:
            found.append([chance])
    return tuple(map(tuple, found))


def _answers(game: DominionGame, policy: Policy) -> list[CardAnswer]:
    """Return the answers to the pending Decision with their probabilities by a policy, the most probable first."""
    there, sizes = _cards(game)
    if there:
        return complete_answers(game.rules, game.state, there, sizes, policy)
    priors = policy(game.state.copy(), 1.0)
    assert game.decision is not None
    piles = [answer.pile for answer in game.decision.consequences]
    answers = [CardAnswer(() if pile == PASS else (pile,), (pile,), float(priors[pile])) for pile in piles]
    return sorted(answers, key=lambda answer: -answer.probability)


def _n_answers(game: DominionGame) -> int:
    there, sizes = _cards(game)
    assert game.decision is not None
    return n_complete_answers(there, sizes) if there else len(game.decision.consequences)


def _cards(game: DominionGame) -> tuple[dict[int, int], tuple[int, int]]:
    """Return the cards by pile if one answer can have several, and the minimum and maximum number in an answer."""
    decision = game.decision
    assert decision is not None
    view = game.view(decision.seat)
    there, most = cards_at_once(view, decision), max_at_once(view, decision)
    piles = {answer.pile: there[answer.name] for answer in decision.consequences if there[answer.name]}
    return piles, (0 if decision.optional else most, most)


def _choices_of(game: DominionGame, strategy: Strategy, tries: int) -> Policy:
    """Return the policy of a strategy, estimated from ``tries`` choices, and from fewer at states seldom reached."""
    lineup = Lineup.of([strategy]).arrays

    def policy(state: State, mass: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        n = max(round(mass * tries), MIN_TRIES if mass > 0 else 1)
        counts = np.zeros(N_ANSWERS, np.int64)
        choice_counts(game.rules, state, state.copy(), lineup, counts, n)
        return counts / n

    return policy


def _name(game: DominionGame, answer: CardAnswer) -> str:
    """Return the cards of an answer as text, "2 Copper + Estate", or the text of an option."""
    assert game.decision is not None
    for option in game.decision.consequences:
        if option.pile == answer.choices[0] >= FIRST_OPTION:
            return option.text
    return " + ".join(counted(Counter(game.piles[pile].name for pile in answer.cards))) or PASS_NAME


Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PlayedDecision:
    """A decision of any player. It lies between points ``point`` and ``point + 1`` of the curve."""

    point: int
    moment: DecisionPoint


@dataclass(frozen=True)
class Split:
    """Changes of the chance to win by cause. Each array has the shape (n_points - 1,).

    Each ``*_error`` is the standard error of the sum over that array.
    """

    own: Curve
    others: Curve
    luck: Curve
    own_error: float
    others_error: float
    luck_error: float


def split(
    search: PlayoutSearch,
    steps: Sequence[PlayedDecision],
    curve: Curve,
    seat: int,
    rng: np.random.Generator,
    *,
    over: bool,
) -> Split:
    """Split the changes of ``curve``, the win chances of ``seat``. If ``over``, its last point is the exact result."""
    own, own_error = _summed(search, [step for step in steps if step.moment.state.decider == seat], curve, seat, rng)
    others, others_error = _summed(
        search, [step for step in steps if step.moment.state.decider != seat], curve, seat, rng
    )
    estimated_ends = curve[:1] if over else curve[[0, -1]]  # The result of a finished game has no error.
    variance = float((estimated_ends * (1 - estimated_ends)).sum()) / CHANCES_PLAYOUTS
    luck_error = float(np.sqrt(own_error**2 + others_error**2 + variance))
    return Split(own, others, np.diff(curve) - own - others, own_error, others_error, luck_error)


def _summed(
    search: PlayoutSearch, steps: Sequence[PlayedDecision], curve: Curve, seat: int, rng: np.random.Generator
) -> tuple[Curve, float]:
    """Sum the effects of decisions per interval of the curve. Return also the standard error of the total."""
    found, errors = decision_effects(search, [step.moment for step in steps], seat, rng)
    summed = np.zeros(len(curve) - 1)
    np.add.at(summed, [step.point for step in steps], found)
    return summed, float(np.sqrt((errors**2).sum()))


@dataclass(frozen=True)
class Review:
    """The review of a game. ``asked`` and ``verdicts`` are parallel; a row of ``chances`` is a turn of ``turns``.

    The last row is the result of the game, or the chances now. ``split`` has the causes of the changes between rows.
    """

    names: tuple[str, ...]
    seat: int
    asked: tuple[AskedChoice, ...]
    verdicts: tuple[Verdict, ...]
    turns: tuple[int, ...]
    chances: npt.NDArray[np.float64]
    over: bool
    split: Split

    @property
    def mistakes(self) -> tuple[Verdict, ...]:
        """The choices that lost win probability compared with the best choice found."""
        return tuple(verdict for verdict in self.verdicts if verdict.lost > 0)

    @property
    def causes(self) -> dict[str, tuple[float, float]]:
        """The total change of the win probability by cause, and half the width of its 95 % interval.

        The causes add up to the change. Mistakes are compared with the best choice found. Good choices are the rest of
        the person's decisions: the best choices found, compared with the network's policy.
        """
        lost = sum(verdict.lost for verdict in self.mistakes)
        lost_error = float(np.sqrt(sum(verdict.error**2 for verdict in self.mistakes)))
        split = self.split
        found = {
            "your mistakes": (-lost, lost_error),
            "your good choices": (float(split.own.sum()) + lost, float(np.hypot(split.own_error, lost_error))),
            "opponents' decisions": (float(split.others.sum()), split.others_error),
            "luck of the draw": (float(split.luck.sum()), split.luck_error),
        }
        return {cause: (sum_, half_width(error)) for cause, (sum_, error) in found.items()}


def review(
    session: DominionSession,
    workers: Workers | None = None,
    on_done: Callable[[int], object] = lambda n: None,
    *,
    seat: int | None = None,
) -> Review:
    """Review a game, which is not changed. ``on_done`` is called after each evaluated choice, with the
    number of choices to evaluate.

    ``seat`` is the person whose choices are evaluated, by default the first. The same game gives the same review,
    for any ``workers``. Raises UsageError if no network comes with this version or nothing was chosen yet.
    """
    setup = session.setup
    seat = setup.seat if seat is None else seat
    assert seat is not None
    search = PlayoutSearch(session.game.rules, shipped_weights(setup.kingdom), workers=workers)
    replayed = _ReplayedDecisions(DominionSession(setup, session.answers), seat)
    for _ in replayed.session.replay(session.choices):
        pass
    if not replayed.moments:
        raise UsageError("nothing was chosen in this game yet: there is nothing to review.")
    rng, game, over = generator(stream(setup.seed, Use.REVIEW)), replayed.session.game, replayed.session.game.is_over
    found = verdicts(search, replayed.moments, rng, lambda: on_done(len(replayed.moments)))
    turns = (*replayed.turns, replayed.turn_now)
    chances = win_probability_curve(search, replayed.starts if over else [*replayed.starts, game.state], seat, rng)
    if over:
        chances = np.vstack([chances, _result(replayed.session)])
    causes = split(search, replayed.steps, chances[:, seat], seat, rng, over=over)
    return Review(setup.names, seat, tuple(replayed.asked), tuple(found), turns, chances, over, causes)


class _ReplayedDecisions:
    """Record of a replayed session: the decisions of all players, and the turns of the player at ``seat``.

    Decisions before the first turn of that player are left out.
    """

    def __init__(self, session: DominionSession, seat: int) -> None:
        self.session, self.seat = session, seat
        self.moments: list[DecisionPoint] = []
        self.asked: list[AskedChoice] = []
        self.starts: list[State] = []
        self.turns: list[int] = []
        self.steps: list[PlayedDecision] = []
        session.before_choice = self._note

    @property
    def turn_now(self) -> int:
        """The player's turn that is in progress at the end of the replay, otherwise their next turn."""
        state = self.session.game.state
        is_same = (
            state.active == self.seat and state.turns[self.seat] == self.turns[-1] and state.ended == Ending.PLAYING
        )
        return self.turns[-1] + (not is_same)

    def _note(self, decision: Decision, choice: str) -> None:
        """Note a decision before it is carried out."""
        state = self.session.game.state
        moment, turn = DecisionPoint(state.copy(), _pile(decision, choice)), int(state.turns[self.seat])
        if decision.seat == self.seat:
            if state.active == self.seat and turn not in self.turns:
                self.starts.append(moment.state)
                self.turns.append(turn)
            if decision.effect.op not in UNREVIEWED:
                self.moments.append(moment)
                self.asked.append(AskedChoice.of(self.session.game, decision, len(self.session.choices)))
        if self.starts:
            self.steps.append(PlayedDecision(len(self.starts) - 1, moment))


def _pile(decision: Decision, choice: str) -> int:
    return next(answer.pile for answer in decision.consequences if answer.name.casefold() == choice.casefold())


def _result(session: DominionSession) -> npt.NDArray[np.float64]:
    """Return every seat's share of the win."""
    game, seats = session.game, range(session.game.n_players)
    best = [all(compare_seats(game.rules, game.state, seat, other) >= 0 for other in seats) for seat in seats]
    return np.array(best, np.float64) / sum(best)
