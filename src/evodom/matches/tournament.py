"""Run tournaments, and measure single strategies: win rates against copies of others, opening buys.

An elimination ranks a population. A seeding round orders all entrants. Each later round spreads the strong entrants
over the tables, and eliminates the entrants with the lowest scores. A final match ranks the last table. The others are
ranked in the reversed order of elimination. If the entrants do not fill the last table of the seeding round, some play
at two tables: a score is a mean per game. The number of eliminated entrants is chosen so that later tables are full.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import chain, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.effects.ops import Op
from evodom.dominion.engine.batch import Results
from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import Position, SeatSetup, state_of
from evodom.dominion.strategies.baselines import BUY_LIST_BASELINES, baseline_records, fitting_baselines
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import model_of
from evodom.errors import UsageError
from evodom.matches.agents import Entrant, Player, decisions_of_seat
from evodom.matches.options import GAMES_LIMIT, MATCH_GAMES
from evodom.matches.rating import OrderTest, ratings
from evodom.matches.results import (
    Games,
    GamesSummary,
    PairRecord,
    PlayTables,
    Standing,
    Tally,
    seat_shares,
    standing,
    summarize_games,
    win_matrix,
    win_share,
)
from evodom.matches.seating import (
    PlayerNumbers,
    Purpose,
    Tables,
    Use,
    game_seeds,
    generator,
    one_table,
    rotated,
    round_robin,
    whole_rounds,
)
from evodom.matches.seating import TournamentSchedule as Schedule
from evodom.matches.venue import Players, Venue, lineup_of
from evodom.statistics import DEFAULT_CONFIDENCE, IntervalEstimate, Share

Order = npt.NDArray[np.signedinteger]
"""Entrants by number, best first."""


def run_tournament(
    n: int, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> tuple[Order, Games]:
    """Play an elimination. Return the entrants 0 to ``n`` - 1 from best to worst, and all games.

    ``n`` is at least ``n_seats``. Each match has ``games`` games. The first has drawn seats, which the others rotate.
    Each round uses a separate child of ``seeds``.
    """
    played: list[Games] = []

    def match(groups: Order, stream: np.random.SeedSequence) -> npt.NDArray[np.float64]:
        rng = generator(stream)
        # Seats are drawn: the first seat wins 1.5 times as often as the last, and groups begin with the best entrant.
        tables = rotated(rng.permuted(groups, axis=1), games)
        results = play(tables, rng.integers(2**64, size=len(tables), dtype=np.uint64))
        played.append(Games.of(tables, results))
        scores = np.zeros(n)
        np.add.at(scores, tables, results["points"][:, :n_seats])
        return scores / np.maximum(np.bincount(tables.ravel(), minlength=n), 1)

    shuffling, seeding = seeds.spawn(2)
    shuffled = generator(shuffling).permutation(n)
    standing = best_first(shuffled, match(filled(shuffled, n_seats), seeding))
    n_left = n - n % n_seats
    leaving, standing = [standing[n_left:]], standing[:n_left]
    while len(standing) > n_seats:
        groups = snake(standing, n_seats)
        standing = best_first(standing, match(groups, seeds.spawn(1)[0]))
        n_left = len(standing) - n_eliminated(len(standing), n_seats)
        leaving.append(standing[n_left:])
        standing = standing[:n_left]
    final = best_first(standing, match(standing[None, :], seeds.spawn(1)[0]))
    return np.concatenate([final, *reversed(leaving)]), Games.concatenate(played)


def filled(shuffled: Order, n_seats: int) -> Order:
    """Seat entrants in groups (n_groups, n_seats). The first entrants also fill the empty seats of the last table."""
    return np.resize(shuffled, (-(-len(shuffled) // n_seats), n_seats))


def n_eliminated(n: int, n_seats: int) -> int:
    """Return the number of entrants to eliminate after a round: about one per table, so that full tables remain.

    The number of tables is the minimum number of entrants that remain. At tables of two this limit can apply.
    """
    n_tables = n // n_seats
    leaving = n_tables + (n - n_tables) % n_seats
    return leaving if leaving <= n - n_tables else leaving - n_seats


def snake(standing: Order, n_seats: int) -> Order:
    """Deal entrants, best first, to groups (n_groups, n_seats): the better half forward, the other half backward."""
    rows = standing.reshape(n_seats, -1).copy()
    rows[(n_seats + 1) // 2 :] = rows[(n_seats + 1) // 2 :, ::-1]
    return rows.T


def best_first(standing: Order, scores: npt.NDArray[np.float64]) -> Order:
    """Return the entrants by descending score. Equal scores keep their order."""
    return standing[np.argsort(-scores[standing], kind="stable")]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """Result of a tournament or a match. Standings, ratings and the matrix have the same order, best first.

    ``order_clear`` is True if the order of all neighbours in the standings is clear, and None without a test.
    ``not_told_apart`` are the pairs of neighbours whose order is not clear.
    """

    n_tables: int
    standings: list[Standing]
    ratings: list[IntervalEstimate]
    matrix: list[list[PairRecord | None]]
    seats: list[Share]
    summary: GamesSummary
    order_clear: bool | None = None
    not_told_apart: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain JSON types. The key of `summary` is "course", as in released versions."""
        return {"course" if name == "summary" else name: value for name, value in asdict(self).items()}


def play_round_robin(
    venue: Venue,
    entrants: Sequence[Entrant],
    *,
    n_games: int | None = None,
    most_games: int = GAMES_LIMIT,
    confidence: float = DEFAULT_CONFIDENCE,
) -> TournamentResult:
    """Play all tables until the order is clear, or at most ``most_games`` games. With ``n_games`` play at least those.

    If the venue's budget is spent, end after the current round.
    """
    schedule = round_robin(len(entrants), venue.n_seats, venue.seed, venue.use)
    lineup, parts = _lineup(entrants), list[Games]()
    test = OrderTest(len(entrants), confidence, len(schedule.tables))
    passes = schedule.passes(n_games) if n_games else max(1, most_games // schedule.games_per_pass)
    for tables, results in _rounds(venue, lineup, schedule, passes):
        parts.append(Games.of(tables, results))
        test.add(tables, results["win"][:, : venue.n_seats])
        if venue.budget.is_over or (n_games is None and not test.unclear()):
            break
    found = _result(entrants, Games.concatenate(parts), test.order, confidence)
    pairs = tuple((entrants[a].name, entrants[b].name) for a, b in test.unclear())
    return replace(found, order_clear=not pairs, not_told_apart=pairs)


def play_elimination(
    venue: Venue, entrants: Sequence[Entrant], *, match_games: int = MATCH_GAMES, confidence: float = DEFAULT_CONFIDENCE
) -> TournamentResult:
    """Play an elimination tournament, as in evolution. A match has at least ``match_games`` games."""
    n, n_seats = len(entrants), venue.n_seats
    if n < n_seats:
        raise UsageError(f"{n} entrants do not fill a table of {n_seats}. Say --players {n}, or name more.")
    play = partial(venue.play, _lineup(entrants))
    stream = venue.stream(Purpose.ELIMINATION)
    ranking, games = run_tournament(n, n_seats, whole_rounds(match_games, n_seats), stream, play)
    return _result(entrants, games, [int(entrant) for entrant in ranking], confidence)


def play_match(
    venue: Venue, seated: Sequence[Entrant], *, n_games: int, confidence: float = DEFAULT_CONFIDENCE
) -> TournamentResult:
    """Play at least ``n_games`` at one table with rotated seats. Copies of an entrant are counted together."""
    origins = list(dict.fromkeys(entrant.origin for entrant in seated))
    numbers = [origins.index(entrant.origin) for entrant in seated]
    entrants = [seated[numbers.index(number)] for number in range(len(origins))]
    schedule = one_table(numbers, venue.seed, venue.use)
    lineup, parts = _lineup(entrants), list[Games]()
    for tables, results in _rounds(venue, lineup, schedule, schedule.passes(n_games)):
        parts.append(Games.of(tables, results))
    return _result(entrants, Games.concatenate(parts), range(len(entrants)), confidence)


def _rounds(venue: Venue, lineup: Players, schedule: Schedule, passes: int) -> Iterator[tuple[Tables, Results]]:
    """Play ``passes`` blocks of every table and yield them round by round. The caller may stop after any round."""
    for number, left in enumerate(range(passes, 0, -schedule.blocks)):
        tables, seeds = schedule.round(number, left)
        yield tables, venue.play(lineup, tables, seeds)


def _lineup(entrants: Sequence[Entrant]) -> Players:
    return lineup_of([entrant.strategy for entrant in entrants])


def _result(entrants: Sequence[Entrant], games: Games, order: Sequence[int], confidence: float) -> TournamentResult:
    """Return the result of games with the entrants in this order."""
    n = len(entrants)
    rated = ratings(games.tables, games.points, n, confidence=confidence)
    matrix = win_matrix(games, n, confidence)
    return TournamentResult(
        n_tables=len(np.unique(np.sort(games.tables, axis=1), axis=0)),
        standings=[standing(games, entrant, entrants[entrant].name, confidence) for entrant in order],
        ratings=[rated[entrant] for entrant in order],
        matrix=[[matrix[row][column] for column in order] for row in order],
        seats=seat_shares(games, confidence),
        summary=summarize_games(games),
    )


def shares_against_copies(
    play: PlayTables, players: PlayerNumbers, rivals: PlayerNumbers, n_seats: int, seeds: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Return each player's share of the win in each game, (n_players, n_rivals, n_games).

    A player meets copies of one rival in all other seats. The seats rotate by one each game. All players share the
    ``seeds`` (n_rivals, n_games) of the games. Such common random numbers reduce the variance of differences.
    """
    shares, _ = games_against(play, players, np.repeat(rivals, seeds.shape[1]), n_seats, seeds.ravel())
    return shares.reshape(len(players), *seeds.shape)


def games_against(
    play: PlayTables, players: PlayerNumbers, opponents: PlayerNumbers, n_seats: int, seeds: npt.NDArray[np.uint64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return each player's share of the win and its margin of victory points in each game, (n_players, n_games).

    In game g a player meets copies of ``opponents[g]`` in all other seats. The seats rotate by one each game. All
    players share the opponents and ``seeds``, both (n_games,). The margin is relative to the best opponent.
    """
    n_games = len(opponents)
    seats = -np.arange(n_games) % n_seats
    tables = np.empty((len(players), n_games, n_seats), np.int32)
    tables[:] = opponents[:, None]
    tables[:, np.arange(n_games), seats] = players[:, None]
    results = play(tables.reshape(-1, n_seats), np.tile(seeds, len(players))).reshape(len(players), n_games)
    games = np.arange(n_games)
    vp = results["vp"][..., :n_seats].astype(float)
    own = vp[:, games, seats]
    vp[:, games, seats] = -np.inf
    return results["win"][:, games, seats], own - vp.max(axis=2)


def shares_within_budget(
    venue: Venue,
    strategies: Players,
    numbers: tuple[PlayerNumbers, PlayerNumbers],
    seeds: npt.NDArray[np.uint64],
    min_games: int,
) -> npt.NDArray[np.float64]:
    """Return the result of `shares_against_copies`, with fewer games if the budget is spent.

    ``numbers`` are the players and the rivals. At least ``min_games`` games, in whole rounds, are played.
    """
    players, rivals = numbers
    play, parts, first = partial(venue.play, strategies), [], 0
    for n in venue.budget.portions(seeds.shape[1], min_games):
        parts.append(shares_against_copies(play, players, rivals, venue.n_seats, seeds[:, first : first + n]))
        first += n
    return np.concatenate(parts, axis=2)


def wins_against(venue: Venue, one: Player, other: Player, n_games: int, *path: int) -> Share:
    """Return the share of games that one strategy wins against copies of another. A win shared by k counts 1/k.

    ``path``, a Purpose and optional numbers, selects the random stream. Equal paths use common random numbers.
    """
    return win_share(Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).games, 0)


def wins_against_each(venue: Venue, one: Player, others: Sequence[Player], n_games: int, *path: int) -> list[Share]:
    """Return `wins_against` for each of ``others``, with common random numbers. All share the venue's time."""
    parts = venue.divided([1.0] * len(others))
    return [wins_against(part, one, other, n_games, *path) for other, part in zip(others, parts, strict=True)]


N_RIVALS = 4
"""Default number of rivals: the strongest training opponents."""

GAMES = 96
"""Games of each baseline against copies of each other baseline, in `ranked_baselines`."""

SEED = 0


def strongest_baselines(
    kingdom: Kingdom, players: int, n: int | None = N_RIVALS, among: Sequence[str] = BUY_LIST_BASELINES
) -> tuple[str, ...]:
    """Return the names of the ``n`` strongest baselines of ``among`` that fit a kingdom, best first.

    If ``n`` is None, return all.
    """
    return ranked_baselines(kingdom, players, tuple(among))[:n]


@cache  # advice asks for the same ranking several times
def ranked_baselines(kingdom: Kingdom, players: int, among: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the baselines of ``among`` that fit a kingdom, best first.

    Each plays against copies of each other baseline with common seeds. Its mean share of the wins is its strength.
    """
    names = [name for name in fitting_baselines(kingdom) if name in among]
    records, everybody = baseline_records(names, kingdom), np.arange(len(names))
    venue = Venue(kingdom, players, SEED, Use.BASELINES)
    seeds = game_seeds(venue.stream(), len(names), GAMES)
    shares = shares_against_copies(partial(venue.play, records), everybody, everybody, players, seeds).mean(axis=(1, 2))
    return tuple(names[index] for index in np.argsort(-shares, kind="stable"))


SPLITS = ((4, 3), (3, 4), (5, 2), (2, 5))
"""Coppers in the first hand and in the second."""

TRIES = 40
"""Number of tries with a stochastic strategy."""

NOTHING = "nothing"
AND = " + "
"""Separator of several buys of a turn."""


@dataclass(frozen=True, slots=True)
class OpeningBuys:
    """The most frequent buys of turns 1 and 2, and their frequency in [0, 1]."""

    coins: tuple[int, int]
    buys: tuple[str, str]
    share: float

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards bought, by name."""
        return tuple(card for turn in self.buys for card in turn.split(AND))


def openings(
    strategy: Strategy, kingdom: Kingdom, n_players: int, seed: int, budget: Budget = NO_LIMIT, tries: int = TRIES
) -> list[OpeningBuys]:
    """Return the opening for each of SPLITS. Play the strategy's first two turns.

    Opponents do not matter, because they cannot attack so early. A stochastic strategy plays ``tries`` times, or fewer
    (at least once) if the budget is spent.
    """
    tries = tries if model_of(strategy).is_stochastic else 1
    found = []
    for split, part in zip(SPLITS, budget.divided([1.0] * len(SPLITS)), strict=True):
        asked = chain.from_iterable(repeat(None, n) for n in part.portions(tries, 1))
        seen = Counter(
            _first_buys(strategy, kingdom, n_players, split, seed + number) for number, _ in enumerate(asked)
        )
        buys, n = seen.most_common(1)[0]
        found.append(OpeningBuys(split, buys, n / seen.total()))
    return found


def _first_buys(
    strategy: Strategy, kingdom: Kingdom, n_players: int, split: tuple[int, int], seed: int
) -> tuple[str, str]:
    """Return the buys of turns 1 and 2. Several buys of a turn are joined by AND."""
    zones = dict(zip(("hand", "deck"), map(_cards, split), strict=True))
    others = [SeatSetup({"deck": zones["hand"] + zones["deck"]}) for _ in range(n_players - 1)]
    state = state_of(Position([SeatSetup(zones, turns=1), *others]), kingdom, seed)
    game = DominionGame.from_state(state, kingdom, n_players)
    game.play_treasures_automatically(*range(n_players))
    bought: dict[int, list[str]] = {1: [], 2: []}
    for buy in buys_of_first_seat(game, [strategy] * n_players):
        if game.state.turns[0] > 2:
            break
        bought[int(game.state.turns[0])] += [buy] if buy != PASS_NAME else []
    one, two = (AND.join(bought[turn]) or NOTHING for turn in (1, 2))
    return one, two


def buys_of_first_seat(game: DominionGame, players: Sequence[Strategy]) -> Iterator[str]:
    """Play a game to its end. Yield each buy of the first seat, or PASS_NAME, before it happens."""
    return (choice.name for decision, choice in decisions_of_seat(game, players, 0) if decision.effect.op == Op.BUY)


def _cards(coppers: int) -> list[str]:
    """Return a hand of five cards with ``coppers`` Coppers."""
    return ["Copper"] * coppers + ["Estate"] * (5 - coppers)
