"""Hints during a game (win probability of each choice) and the review of a game that is over."""

from collections.abc import Sequence
from functools import partial

from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.models.networks.shipped import why_unusable
from evodom.errors import EvodomError, UsageError
from evodom.matches.playout_search import Verdict
from evodom.sessions import sentences
from evodom.sessions.dominion import DominionSession, GameSetup
from evodom.sessions.review import Chance, Review, hints, review, win_chances
from evodom.statistics import half_width
from evodom.web.dominion_view import GamePool, seen
from evodom.web.site import Conflict, Json, NotReady, Site


class Reviews:
    """Hints and reviews of a site's games. They are computed in the site's slow threads."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.pool = site.part(GamePool)
        self._jobs: dict[tuple[str, int, int], ReviewJob] = {}

    def close(self) -> None:
        """Do nothing: running reviews check `Site.closing`."""

    async def hint(self, name: str, seat: int, at: int) -> Json:
        """Return the win probability of each pending choice, and each opponent's own choice."""
        game, setup = await self.pool.look_into(name, lambda table: _position(table.played_on(), seat, at))
        return await self.site.slowly(partial(_hint, game, setup, setup.seed + at, self.pool))

    async def review(self, name: str, seat: int) -> Json:
        """Return the review of a game that is over, or its progress. The first request starts it."""
        match, n_choices = await self.pool.look_into(name, lambda table: _finished(table.played_on(), seat))
        key = name, seat, n_choices
        if key not in self._jobs:
            while len(self._jobs) >= 32:  # a new review replaces the oldest
                del self._jobs[next(iter(self._jobs))]
            self._jobs[key] = ReviewJob(match, seat, self.pool)
            self.site.slow.submit(self._jobs[key].run)
        return self._jobs[key].to_json()

    async def play_from(self, name: str, seat: int, number: int) -> Json:
        """Start a game that goes on from a game that is over, after its first ``number`` choices."""
        match, n_choices = await self.pool.look_into(name, lambda table: _finished(table.played_on(), seat))
        if number >= n_choices:
            raise UsageError(f"'number' is {number}. Allowed: 0 to {n_choices - 1}.")
        match.workers = self.pool.workers
        return await self.pool.begin(name, partial(match.branch, number))


class ReviewJob:
    """One review: running, done or failed."""

    def __init__(self, match: DominionSession, seat: int, pool: GamePool) -> None:
        self.match, self.seat, self.pool = match, seat, pool
        self._progress = 0, 1  # number of reviewed choices, and of all
        self._result: Json | None = None
        self._problem = ""

    def to_json(self) -> Json:
        """Return the review or its progress. Raises EvodomError if the review failed."""
        if self._problem:
            raise EvodomError(self._problem)
        return self._result or dict(zip(("done", "of"), self._progress, strict=True))

    def run(self) -> None:
        """Compute the review and store its result or its error."""
        try:
            found = review(self.match, self.pool.workers, self._count, seat=self.seat)
            self._result = _review_to_json(found, self.match)
        except Exception as error:  # the next request for the review raises it
            self._problem = str(error)

    def _count(self, n: int) -> None:
        if self.pool.site.closing.is_set():
            raise NotReady("the server is stopping.")
        self._progress = self._progress[0] + 1, n


def _position(match: DominionSession, seat: int, at: int) -> tuple[DominionGame, GameSetup]:
    if match.decision is None or match.decision.seat != seat or len(match.choices) != at:
        raise Conflict("this game has gone on in another window.")
    return match.game.copy(), match.setup


def _hint(game: DominionGame, setup: GameSetup, seed: int, pool: GamePool) -> Json:
    chances = win_chances(game, seed, pool.workers)
    ranks = enumerate(chances.ranks if chances else (), 1)
    return {
        "chances": [_chance(one, number) for number, rank in ranks for one in rank],
        "shares": {one.name: one.win.share for one in chances.compared if one.win} if chances else {},
        "recommendation": chances.recommendation if chances else "",
        "notes": [sentences.CHANCES_NOTE, chances.more] if chances else [f"No win probabilities: {why_unusable()}"],
        "opponents": sentences.OPPONENTS_TITLE,
        "hints": [{"name": one.name, "shares": one.shares} for one in hints(game, setup.players)],
    }


def _chance(found: Chance, rank: int) -> Json:
    """Return a choice of a hint. Its numbers are None if it had too few playouts."""
    win = found.win
    numbers = {"share": win.share, "low": win.low, "high": win.high} if win else dict.fromkeys(("share", "low", "high"))
    return {"name": found.name, "text": found.text, "rank": rank} | numbers


def _finished(match: DominionSession, seat: int) -> tuple[DominionSession, int]:
    """Return a copy of a match that is over, and its number of choices. Raises Conflict during a game."""
    if not match.game.is_over or seat not in match.setup.people:
        raise Conflict("a game can be reviewed after its end.")
    twin = DominionSession(match.setup, match.answers)
    twin.choices, twin.answers, twin.game = list(match.choices), list(match.answers), match.game.copy()
    return twin, len(match.choices)


def _review_to_json(found: Review, match: DominionSession) -> Json:
    """Return a review as JSON. The mistakes, the costliest first, come with their positions."""
    mistakes = sentences.costliest_mistakes(found)
    positions = _positions(match, [found.asked[one.moment].number for one in mistakes], found.seat)
    return {
        "names": found.names,
        "seat": found.seat,
        "turns": found.turns,
        "over": found.over,
        "chances": found.chances.T.tolist(),
        "split": _split(found),
        "summary": sentences.review_summary(found),
        "mistakes": [_verdict(found, one, positions[found.asked[one.moment].number]) for one in mistakes],
        "most": sentences.MAX_MISTAKES,
    }


def _split(found: Review) -> Json:
    """Return the causes of the changes between the points of the curve, and their sums with 95 % intervals."""
    split = found.split
    sums = [{"cause": cause, "sum": sum_, "margin": margin} for cause, (sum_, margin) in found.causes.items()]
    changes = {"own": split.own.tolist(), "others": split.others.tolist(), "luck": split.luck.tolist()}
    return {"sums": sums, "changes": changes, "compared": sentences.CAUSES_NOTE}


def _verdict(found: Review, verdict: Verdict, position: Json) -> Json:
    asked = found.asked[verdict.moment]
    return {
        "turn": asked.turn_name,
        "title": asked.title,
        "coins": asked.coins,
        "choice": asked.text(verdict.choice),
        "best": asked.text(verdict.best),
        "choiceName": asked.name(verdict.choice),
        "bestName": asked.name(verdict.best),
        "share": verdict.share,
        "bestShare": verdict.best_share,
        "lost": verdict.lost,
        "margin": half_width(verdict.error),
        "number": asked.number,
        "position": position,
    }


def _positions(match: DominionSession, numbers: Sequence[int], seat: int) -> dict[int, Json]:
    """Return the person's view before each of these choices."""
    again = DominionSession(match.setup, match.answers)
    found: dict[int, Json] = {}
    for number, _ in enumerate(again.replay(match.choices)):
        if number in numbers:
            found[number] = seen(again, seat)
    return found
