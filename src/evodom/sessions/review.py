"""Review a game: the win probability that each choice cost, its course over the game, and the causes of its changes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import Ending, Op
from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import stands_before
from evodom.dominion.game import Decision, act
from evodom.entrants import network_weights
from evodom.errors import UsageError
from evodom.matches.playout_search import ROLLOUTS_CHANCES, Moment, PlayoutSearch, Verdict, curve, effects, verdicts
from evodom.matches.seating import Use, generator, stream
from evodom.sessions.dominion import DominionSession
from evodom.sessions.screen import clip, wrapped
from evodom.tasks import Workers

Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PlayedDecision:
    """A decision of any player. It lies between points ``point`` and ``point + 1`` of the curve."""

    point: int
    moment: Moment


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

    @property
    def sums(self) -> dict[str, tuple[float, float]]:
        """Return, for each label of a cause, the total change and its standard error."""
        return {
            "your decisions": (float(self.own.sum()), self.own_error),
            "opponents' decisions": (float(self.others.sum()), self.others_error),
            "luck of the draw": (float(self.luck.sum()), self.luck_error),
        }


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
    own, own_error = _summed(search, [one for one in steps if one.moment.state.decider == seat], curve, seat, rng)
    others, others_error = _summed(search, [one for one in steps if one.moment.state.decider != seat], curve, seat, rng)
    estimated_ends = curve[:1] if over else curve[[0, -1]]  # The result of a finished game has no error.
    variance = float((estimated_ends * (1 - estimated_ends)).sum()) / ROLLOUTS_CHANCES
    luck_error = float(np.sqrt(own_error**2 + others_error**2 + variance))
    return Split(own, others, np.diff(curve) - own - others, own_error, others_error, luck_error)


def _summed(
    search: PlayoutSearch, steps: Sequence[PlayedDecision], curve: Curve, seat: int, rng: np.random.Generator
) -> tuple[Curve, float]:
    """Sum the effects of decisions per interval of the curve. Return also the standard error of the total."""
    found, errors = effects(search, [one.moment for one in steps], seat, rng)
    summed = np.zeros(len(curve) - 1)
    np.add.at(summed, [one.point for one in steps], found)
    return summed, float(np.sqrt((errors**2).sum()))


N_TOLD = 3
"""So many of the dearest choices are told."""

BLOCKS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"
"""What a curve is drawn with, from no chance to certainty; digits where the terminal has no blocks."""

_MOST_NAME = 20


@dataclass(frozen=True)
class AskedChoice:
    """What a Decision was about: the person's turn, its title, and the coins if it was a buy, else None.

    ``number`` is how many choices had been made before it, by all persons at the table.
    """

    turn: int
    title: str
    coins: int | None
    verb: str
    number: int


@dataclass(frozen=True)
class Review:
    """A game looked back at; ``asked`` and ``verdicts`` go together, a row of ``chances`` is a turn of ``turns``.

    The last row is the result of the game, or the chances now. ``split`` has the causes of the changes between rows.
    """

    names: tuple[str, ...]
    seat: int
    piles: tuple[str, ...]
    asked: tuple[AskedChoice, ...]
    verdicts: tuple[Verdict, ...]
    turns: tuple[int, ...]
    chances: npt.NDArray[np.float64]
    over: bool
    split: Split


def review(
    match: DominionSession,
    workers: Workers | None = None,
    on_done: Callable[[], object] = lambda: None,
    *,
    seat: int | None = None,
) -> Review:
    """Look back at a match, which stays as it is; ``on_done`` follows each of the person's choices that is judged.

    ``seat`` is the person's whose choices are judged, by default the first one. The same match gives the same review,
    for any ``workers``. Raises UsageError if no network comes with this version or nothing was chosen yet.
    """
    setup = match.setup
    seat = setup.seat if seat is None else seat
    assert seat is not None
    search = PlayoutSearch(match.game.rules, network_weights(setup.kingdom), workers=workers)
    course = _Course(DominionSession(setup, match.answers), seat)
    for _ in course.match.replay(match.choices):
        pass
    if not course.moments:
        raise UsageError("nothing was chosen in this game yet: there is nothing to look back at.")
    rng, game, over = generator(stream(setup.seed, Use.THINKING)), course.match.game, course.match.game.is_over
    found = verdicts(search, course.moments, rng, on_done)
    turns = (*course.turns, course.turn_now)
    chances = curve(search, course.starts if over else [*course.starts, game.state], seat, rng)
    if over:
        chances = np.vstack([chances, _result(course.match)])
    causes = split(search, course.steps, chances[:, seat], seat, rng, over=over)
    names = tuple(card.name for card in game.piles)
    return Review(setup.names, seat, names, tuple(course.asked), tuple(found), turns, chances, over, causes)


class _Course:
    """Record of a replayed match: the decisions of all players, and the turns of the player at ``seat``.

    Decisions before the first turn of that player are left out.
    """

    def __init__(self, match: DominionSession, seat: int) -> None:
        self.match, self.seat = match, seat
        self.moments: list[Moment] = []
        self.asked: list[AskedChoice] = []
        self.starts: list[State] = []
        self.turns: list[int] = []
        self.steps: list[PlayedDecision] = []
        match.before_choice = self._note

    @property
    def turn_now(self) -> int:
        """The number of the turn at the end of the course, that after the last one if it is not the player's."""
        state = self.match.game.state
        is_same = (
            state.active == self.seat and state.turns[self.seat] == self.turns[-1] and state.ended == Ending.PLAYING
        )
        return self.turns[-1] + (not is_same)

    def _note(self, decision: Decision, choice: str) -> None:
        """Note a decision before it is carried out."""
        state = self.match.game.state
        moment, turn = Moment(state.copy(), _pile(decision, choice)), int(state.turns[self.seat])
        if decision.seat == self.seat:
            if state.active == self.seat and turn not in self.turns:
                self.starts.append(moment.state)
                self.turns.append(turn)
            if decision.effect.op in (Op.BUY, Op.PLAY_ACTION, Op.CHOOSE):
                coins = int(state.coins) if decision.effect.op == Op.BUY else None
                self.moments.append(moment)
                number = len(self.match.choices)
                self.asked.append(AskedChoice(turn, decision.title, coins, decision.effect.verb, number))
        if self.starts:
            self.steps.append(PlayedDecision(len(self.starts) - 1, moment))


def _pile(decision: Decision, choice: str) -> int:
    return next(answer.pile for answer in decision.consequences if answer.name.casefold() == choice.casefold())


def _result(match: DominionSession) -> npt.NDArray[np.float64]:
    """Return every seat's share of the win."""
    game, seats = match.game, range(match.game.n_players)
    best = [all(stands_before(game.rules, game.state, seat, other) >= 0 for other in seats) for seat in seats]
    return np.array(best, np.float64) / sum(best)


# In words.


def in_words(found: Review, *, blocks: bool = True) -> list[str]:
    """Tell what was given away, the dearest choices, and the curve; without ``blocks`` in plain letters."""
    return [
        *wrapped(_summary(found)),
        *_dearest(found),
        "",
        *split_lines(found),
        "",
        *curve_lines(found, blocks=blocks),
    ]


def _summary(found: Review) -> str:
    lost = [verdict.lost for verdict in found.verdicts]
    n_lost = sum(one > 0 for one in lost)
    judged = f"{len(lost)} choices were judged by playing on from them with the network of all kingdoms"
    if not n_lost:
        return f"{judged}: none gave anything away."
    return f"{judged}: {n_lost} gave something away, {_points(sum(lost))} of the win in sum."


def _dearest(found: Review) -> Iterator[str]:
    """Give a line for each of the choices that cost most, the dearest first."""
    dearest = sorted((one for one in found.verdicts if one.lost > 0), key=lambda one: -one.lost)[:N_TOLD]
    if dearest:
        yield "The dearest:" if len(dearest) > 1 else "It was:"
    for verdict in dearest:
        yield from wrapped("  " + told(found, verdict))


def told(found: Review, verdict: Verdict) -> str:
    """Tell a choice and the better one: "turn 9, $6: Gold 41 %, better Laboratory 47 % (6 points, give or take 1)"."""
    asked = found.asked[verdict.moment]
    where = f"${asked.coins}" if asked.coins is not None else asked.title
    ours, better = choice_name(found, asked, verdict.choice), choice_name(found, asked, verdict.best)
    return (
        f"turn {asked.turn}, {where}: {ours} {verdict.share:.0%}, better {better} {verdict.best_share:.0%} "
        f"({_points(verdict.lost)}, give or take {100 * verdict.error:.1f})"
    ).replace("%", " %")


def split_lines(found: Review) -> list[str]:
    """Return how the chance to win changed in all, and a line for each cause with its sum."""
    start, end = found.chances[[0, -1], found.seat]
    last = "at the end" if found.over else "now"
    change = f"{100 * (end - start):+.1f} points"
    head = f"From {start:.0%} at your turn {found.turns[0]} to {end:.0%} {last}: {change}".replace("%", " %")
    sums = found.split.sums
    width = max(map(len, sums))
    lines = [
        f"  {cause:{width}} {100 * sum_:+6.1f} points, give or take {100 * error:.1f}"
        for cause, (sum_, error) in sums.items()
    ]
    return [head, *lines, *wrapped("Decisions are measured against the network's; luck is the rest.")]


def curve_lines(found: Review, *, blocks: bool = True) -> list[str]:
    """Return a line for each player: how the chances went from turn to turn, and the last one."""
    signs = BLOCKS if blocks else DIGITS
    width = min(max(map(len, found.names)), _MOST_NAME)
    last = "at the end" if found.over else "now"
    lines = [f"WinChances to win by your turns {found.turns[0]} to {found.turns[-1] - found.over}, {last}:"]
    for seat, name in enumerate(found.names):
        drawn = "".join(signs[min(int(share * len(signs)), len(signs) - 1)] for share in found.chances[:, seat])
        lines.append(f"  {clip(name, width):{width}} {drawn} {found.chances[-1, seat]:4.0%}".replace("%", " %"))
    return lines


def choice_name(found: Review, asked: AskedChoice, choice: int) -> str:
    """Return a choice, or the better one, as it is told."""
    name = "nothing" if choice == PASS else found.piles[choice]
    return name if asked.coins is not None else act(asked.verb, name)


def _points(share: float) -> str:
    points = 100 * share
    return f"{points:.1f} points" if points < 9.95 else f"{points:.0f} points"
