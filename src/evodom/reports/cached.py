"""Play the matches and attacks of a report once: results are saved with the run by a digest of all they depend on.

A result depends on the players, the seed, the rules and the version only. The next report plays only what is new.
"""

from contextlib import suppress
from dataclasses import astuple, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np

from evodom import __version__
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import RULES
from evodom.dominion.strategies.base import Strategy, was_learned
from evodom.dominion.strategies.networks.model import network_record, weights_of
from evodom.errors import RunError
from evodom.jit.kernel import fingerprint
from evodom.learning.general import preferred_weights
from evodom.learning.training import attack
from evodom.matches.results import Tally, standing
from evodom.matches.seating import whole_rounds
from evodom.matches.venue import Players, Venue, gathered
from evodom.reports import MATCHES
from evodom.runs import Run
from evodom.statistics import Share, wilson

MOST_SAVED = 400
"""So many are kept, the newest: a report of a long run has 74, a match takes 200 bytes."""


LARGEST = 10**9
"""No sum of a match is larger."""


@dataclass(frozen=True, slots=True)
class Match:
    """What games of one strategy against others came to: sums and means over ``n_games``.

    ``won`` counts a victory shared by k as 1/k, ``alone`` and ``tied`` are shares of the games; ``others_vp`` is the
    mean score of the first of the others. ``cards`` are those owned at the end, by pile, summed over all games.
    """

    n_games: int
    won: float
    alone: float
    tied: float
    place: float
    vp: float
    others_vp: float
    cards: tuple[int, ...]

    @classmethod
    def of(cls, tally: Tally) -> Self:
        """Return what some games came to, of the player with the number 0."""
        games, own, others = tally.games, standing(tally.games, 0), standing(tally.games, 1)
        won = float(games.win[games.tables == 0].sum(dtype=float))
        figures = own.alone, own.shared, own.place.value, own.vp.value, others.vp.value
        return cls(len(games), won, *figures, tuple(int(count) for count in tally.owned[0]))

    @property
    def win(self) -> Share:
        """The share of the wins."""
        return wilson(self.won, self.n_games)

    @property
    def deck(self) -> list[float]:
        """How many cards of each pile it owned at the end, on average."""
        return [count / self.n_games for count in self.cards]


@dataclass
class Matches:
    """The matches of a venue: played as they are asked for, unless they are ``known`` by their mark.

    ``used`` are all that were asked for.
    """

    venue: Venue
    known: dict[str, Match] = field(default_factory=dict)
    used: dict[str, Match] = field(default_factory=dict)
    _facts: str = field(init=False)

    def __post_init__(self) -> None:
        venue, versions = self.venue, (__version__, fingerprint(), RULES.version)
        self._facts = repr((versions, venue.seed, int(venue.use), venue.n_seats, venue.kingdom.cards))

    def against(self, strategy: Strategy, opponents: Players, games: int, *path: int) -> Match:
        """Return what at least so many games of a strategy, with others in all other seats, come to.

        ``path`` is the random stream, so that whoever has the same one meets the same luck.
        """
        mark, n_games = self._mark(strategy, opponents, games, path), whole_rounds(games, self.venue.n_seats)
        match = self.used.get(mark) or self.known.get(mark)
        if match is None or match.n_games != n_games:
            match = Match.of(Tally.of(self.venue.against(strategy, opponents, games, self.venue.stream(*path))))
        else:
            self.venue.on_games(n_games)
        self.used[mark] = match
        return match

    def _mark(self, strategy: Strategy, opponents: Players, games: int, path: tuple[int, ...]) -> str:
        """Return a digest of all that a match follows from."""
        lineup = gathered([strategy, *opponents])
        assert isinstance(lineup, np.ndarray), "agents in Python are in no report"
        assert not lineup["network"].any(), "the weights of a network are not in its record"
        return blake2b(lineup.tobytes() + f"{self._facts} {games} {path}".encode(), digest_size=12).hexdigest()


def known_matches(run: Run) -> dict[str, Match]:
    """Return the matches that a run holds, by their marks; what is none is left out."""
    found = run.meta.get(MATCHES)
    if not isinstance(found, dict):
        return {}
    read = ((mark, _read(saved)) for mark, saved in found.items())
    return {mark: match for mark, match in read if match is not None}


def save_matches(key: str, root: Path, matches: Matches) -> None:
    """Save with a run what was asked for, if some of it is new, unless another process writes the run."""
    if matches.used.keys() <= matches.known.keys():
        return
    with suppress(RunError), Run.open(key, root=root, write=True) as run:
        old = {mark: match for mark, match in known_matches(run).items() if mark not in matches.used}
        kept = list((old | matches.used).items())[-MOST_SAVED:]
        run.set_meta(**{MATCHES: {mark: list(astuple(match)) for mark, match in kept}})


def _read(saved: object) -> Match | None:
    """Return a match that was saved; None unless it could be one."""
    if not isinstance(saved, list) or len(saved) != len(Match.__dataclass_fields__):
        return None
    n_games, *figures, cards = saved
    if not isinstance(cards, list) or len(cards) != N_MODEL_PILES or not all(map(_is_count, cards)):
        return None
    if not _is_count(n_games) or not n_games or not all(map(_is_figure, figures)):
        return None
    won, alone, tied, place, vp, others_vp = (float(figure) for figure in figures)
    if not (0 <= won <= n_games and 0 <= alone <= 1 and 0 <= tied <= 1):
        return None
    return Match(n_games, won, alone, tied, place, vp, others_vp, tuple(cards))


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


SAVED = "attacks"
"""Where a run's meta has what learners reached, by what it follows from."""

MOST_ATTACKS_SAVED = 20


@dataclass(frozen=True, slots=True)
class Attack:
    """What a learner wins against a champion, alone among copies of it, that has played ``n_games`` to beat it."""

    n_games: int
    wins: Share


def attacked(key: str, root: Path, champion: Strategy, venue: Venue, n_games: int, figure_games: int) -> Attack | None:
    """Return what a learner reaches against the champion of a run, read from the run if it is known; None for no games.

    It learns for ``n_games``; ``figure_games`` tell what it has reached. The learner begins as the champion itself if
    that was learned, else as the network of all kingdoms; None without one. What is new is saved, unless another
    process writes the run.
    """
    start = _start(champion, venue)
    if not n_games or start is None:
        return None
    mark = _mark(champion, start, venue, (n_games, figure_games))
    with Run.open(key, root=root) as run:
        wins = _known(run.meta, mark)
    if wins is None:
        _, wins = attack(venue, start, [champion], n_games, figure_games)
        with suppress(RunError), Run.open(key, root=root, write=True) as run:
            _save(run, mark, wins)
    return Attack(n_games, wins)


def _start(champion: Strategy, venue: Venue) -> Strategy | None:
    if was_learned(champion):
        return champion
    weights = preferred_weights(venue.kingdom)
    return None if weights is None else network_record(weights, venue.kingdom)


def _mark(champion: Strategy, start: Strategy, venue: Venue, games: tuple[int, int]) -> str:
    """Return a digest of all that the result of an attack follows from."""
    record = champion.copy()
    record["network"] = 0  # an address, which is another one in each process
    parts = [record.tobytes(), weights_of(start).tobytes()]
    numbers = (__version__, RULES.version, venue.seed, int(venue.use), venue.n_seats, *games)
    return blake2b(b"".join(parts) + repr((numbers, venue.kingdom.cards)).encode(), digest_size=12).hexdigest()


def _saved(meta: dict[str, Any]) -> dict[str, Any]:
    found = meta.get(SAVED)
    return found if isinstance(found, dict) else {}


def _known(meta: dict[str, Any], mark: str) -> Share | None:
    """Return the result that a run holds, checked; None for none."""
    found = _saved(meta).get(mark)
    if not isinstance(found, list) or len(found) != 4:
        return None
    *shares, n_games = found
    is_figure = all(type(share) in (int, float) and 0 <= share <= 1 for share in shares)
    if not is_figure or not shares[1] <= shares[0] <= shares[2] or type(n_games) is not int:
        return None
    share, low, high = map(float, shares)
    return Share(share, low, high, n_games)


def _save(run: Run, mark: str, wins: Share) -> None:
    kept = list(_saved(run.meta).items())[1 - MOST_ATTACKS_SAVED :]
    run.set_meta(**{SAVED: dict(kept) | {mark: [wins.share, wins.low, wins.high, wins.n_games]}})
