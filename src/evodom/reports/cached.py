"""Cache the results of reports: they are saved with the run, by a digest of their inputs.

A result depends only on the players, the seed, the rules and the version. The next report plays only new matches.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Annotated, Generic, Self, TypeVar

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from evodom import __version__
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import Strategy
from evodom.errors import RunError
from evodom.learning.training import measure_best_response
from evodom.matches.mistakes import N_GAMES, Mistake, costliest_mistakes, rival_network
from evodom.matches.results import Tally, standing
from evodom.matches.seating import whole_rounds
from evodom.matches.simulate import engine_key
from evodom.matches.venue import Players, Venue, lineup_of
from evodom.reading import Proportion
from evodom.reports import MATCHES
from evodom.runs import Run, RunStore
from evodom.statistics import Share, wilson

MAX_MATCHES, MAX_BEST_RESPONSES, MAX_SETS_OF_MISTAKES = 400, 20, 20
"""Maximum numbers of saved results. The newest are kept. A report of a long run has 74 matches of 200 bytes each."""

MAX_SUM = 10**9
"""Upper bound of all sums of a match."""

Figure = Annotated[float, Meta(ge=-MAX_SUM, le=MAX_SUM)]
Count = Annotated[int, Meta(ge=0, le=MAX_SUM)]


class Match(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The results of games of one strategy against others: sums and means over ``n_games``.

    ``won`` counts a victory shared by k players as 1/k. ``alone`` and ``tied`` are shares of the games. ``others_vp``
    is the mean score of the first opponent. ``cards`` are the cards owned at the end, by pile, over all games.
    """

    n_games: Annotated[int, Meta(ge=1, le=MAX_SUM)]
    won: Annotated[float, Meta(ge=0)]
    alone: Proportion
    tied: Proportion
    place: Figure
    vp: Figure
    others_vp: Figure
    cards: Annotated[tuple[Count, ...], Meta(min_length=N_MODEL_PILES, max_length=N_MODEL_PILES)]

    def __post_init__(self) -> None:
        if self.won > self.n_games:
            raise ValueError("more games are won than played")

    @classmethod
    def of(cls, tally: Tally) -> Self:
        """Return the results of player 0 in the games of a tally."""
        games, own, others = tally.games, standing(tally.games, 0), standing(tally.games, 1)
        won = float(games.win[games.tables == 0].sum(dtype=float))
        figures = own.alone, own.shared, own.place.value, own.vp.value, others.vp.value
        return cls(len(games), won, *figures, tuple(int(count) for count in tally.owned[0]))

    @property
    def win(self) -> Share:
        """The share of won games with its interval."""
        return wilson(self.won, self.n_games)

    @property
    def deck(self) -> list[float]:
        """Mean number of cards at the end of a game, by pile."""
        return [count / self.n_games for count in self.cards]


@dataclass
class Matches:
    """The matches of a venue. A match is played when it is requested, unless its digest is in ``known``.

    ``used`` has all requested matches.
    """

    venue: Venue
    known: dict[str, Match] = field(default_factory=dict)
    used: dict[str, Match] = field(default_factory=dict)
    _context: str = field(init=False)

    def __post_init__(self) -> None:
        venue, versions = self.venue, (__version__, engine_key(), self.venue.kingdom.rules_fingerprint)
        self._context = repr((versions, venue.seed, int(venue.use), venue.n_seats, venue.kingdom.cards))

    def against(self, strategy: Strategy, opponents: Players, games: int, *path: int) -> Match:
        """Return the results of at least ``games`` games of a strategy against ``opponents`` in all other seats.

        ``path`` selects the random stream: equal paths give equal luck.
        """
        digest, n_games = self._digest(strategy, opponents, games, path), whole_rounds(games, self.venue.n_seats)
        match = self.used.get(digest) or self.known.get(digest)
        if match is None or match.n_games != n_games:
            match = Match.of(Tally.of(self.venue.against(strategy, opponents, games, self.venue.stream(*path))))
        else:
            self.venue.on_games(n_games)
        self.used[digest] = match
        return match

    def _digest(self, strategy: Strategy, opponents: Players, games: int, path: tuple[int, ...]) -> str:
        """Return a digest of a match's inputs."""
        lineup = lineup_of([strategy, *opponents])
        assert isinstance(lineup, Lineup), "agents in Python are in no report"
        players = b"".join(one.tobytes() for one in lineup)
        return blake2b(players + f"{self._context} {games} {path}".encode(), digest_size=12).hexdigest()


class SavedShare(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A saved share of wins with its interval."""

    share: Proportion
    low: Proportion
    high: Proportion
    n_games: int

    def __post_init__(self) -> None:
        if not self.low <= self.share <= self.high:
            raise ValueError("the share is outside of its interval")


Mistakes = tuple[Mistake, ...]

Result = TypeVar("Result", Match, SavedShare, Mistakes)


@dataclass(frozen=True)
class Cache(Generic[Result]):
    """Results saved in a run's metadata under a name, by the digest of their inputs. The newest `max_size` are kept."""

    name: str
    max_size: int
    kind: type[Result]

    def read(self, run: Run) -> dict[str, Result]:
        """Return a run's saved results by digest. Damaged results are left out."""
        found, read = run.meta.get(self.name), {}
        for digest, saved in found.items() if isinstance(found, dict) else ():
            with suppress(ValidationError):
                read[digest] = convert(saved, self.kind)
        return read

    def saved_or(self, key: str, store: RunStore, digest: str, measure: Callable[[], Result]) -> Result:
        """Return a run's saved result, or measure and save it."""
        with store.open(key) as run:
            saved = self.read(run).get(digest)
        if saved is None:
            saved = measure()
            self.save(key, store, {digest: saved})
        return saved

    def save(self, key: str, store: RunStore, results: Mapping[str, Result]) -> None:
        """Save results with a run, unless another process writes the run."""
        with suppress(RunError), store.open(key, write=True) as run:
            self.add(run, results)

    def add(self, run: Run, results: Mapping[str, Result]) -> None:
        """Save results with a run that is open for writing."""
        old = {digest: result for digest, result in self.read(run).items() if digest not in results}
        kept = list((old | dict(results)).items())[-self.max_size :]
        run.set_meta(**{self.name: {digest: to_builtins(result) for digest, result in kept}})


SAVED_MATCHES = Cache(MATCHES, MAX_MATCHES, Match)
SAVED_BEST_RESPONSES = Cache("best_responses", MAX_BEST_RESPONSES, SavedShare)
SAVED_MISTAKES = Cache("mistakes", MAX_SETS_OF_MISTAKES, Mistakes)


def save_matches(key: str, store: RunStore, matches: Matches) -> None:
    """Save the requested matches with a run, if some of them are new."""
    if not matches.used.keys() <= matches.known.keys():
        SAVED_MATCHES.save(key, store, matches.used)


@dataclass(frozen=True, slots=True)
class BestResponse:
    """Result of a network that trained ``n_games`` to beat a champion: its win rate against copies of it."""

    n_games: int
    wins: Share


def cached_best_response(
    key: str, store: RunStore, champion: Strategy, venue: Venue, n_games: int, figure_games: int
) -> BestResponse | None:
    """Return the result of a network trained against a run's champion, or the result that the run's cache has.

    The network trains for ``n_games``. Its win rate is measured in ``figure_games``. The training starts from
    the champion if that is a network, otherwise from the network of all kingdoms. Returns None without such a network
    or for 0 games. New results are saved, unless another process writes the run.
    """
    start = rival_network(champion, venue.kingdom)
    if not n_games or start is None:
        return None

    def measure() -> SavedShare:
        _, wins = measure_best_response(venue, start, [champion], n_games, figure_games)
        return SavedShare(wins.share, wins.low, wins.high, wins.n_games)

    digest = _digest(champion, start, venue, (n_games, figure_games))
    saved = SAVED_BEST_RESPONSES.saved_or(key, store, digest, measure)
    return BestResponse(n_games, Share(saved.share, saved.low, saved.high, saved.n_games))


def cached_mistakes(key: str, store: RunStore, champion: Strategy, venue: Venue) -> Mistakes | None:
    """Return the costliest mistakes of a run's champion against the shipped network, measured or from the run's cache.

    Return None for a champion that is a network, and without a usable shipped network.
    """
    network = rival_network(champion, venue.kingdom)
    if network is None or network is champion:
        return None
    digest = _digest(champion, network, venue, (N_GAMES,))
    return SAVED_MISTAKES.saved_or(key, store, digest, lambda: costliest_mistakes(venue, champion, network))


def _digest(champion: Strategy, network: Strategy, venue: Venue, games: tuple[int, ...]) -> str:
    """Return a digest of the inputs of a result of a champion and a network."""
    parts = [champion.tobytes(), network.tobytes()]
    numbers = (__version__, venue.kingdom.rules_fingerprint, venue.seed, int(venue.use), venue.n_seats, *games)
    return blake2b(b"".join(parts) + repr((numbers, venue.kingdom.cards)).encode(), digest_size=12).hexdigest()
