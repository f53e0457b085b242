"""Store finished games and compute statistics: standings, seat shares, a summary, decks and the win matrix."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import Results
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.matches.seating import Tables
from evodom.statistics import DEFAULT_CONFIDENCE, IntervalEstimate, Share, mean_interval, wilson

Array = npt.NDArray[Any]

Batch = tuple[Tables, Results]
"""A batch of games: the tables (n_games, n_seats) and their RESULTs."""

PlayTables = Callable[[Tables, npt.NDArray[np.uint64]], Results]
"""Function that plays one game for each row of (tables, seeds) and returns its RESULT."""


@dataclass(frozen=True)
class Games:
    """Finished games. Arrays are (n_games, n_seats), but ``rounds`` and ``ended`` are (n_games,).

    ``tables`` has the players. ``points`` has the numbers of beaten opponents; ties count half. ``win`` has shares of
    the win: 1/k if k players share it. ``vp`` has victory points.
    """

    tables: Tables
    points: Array
    win: Array
    vp: Array
    rounds: Array
    ended: Array

    def __len__(self) -> int:
        return len(self.tables)

    @classmethod
    def of(cls, tables: Tables, results: Results) -> "Games":
        """Copy the fields from RESULTs. Views would keep the whole RESULTs in memory."""
        n_seats = tables.shape[1]
        points, win, vp = (results[name][:, :n_seats].astype(np.float32) for name in ("points", "win", "vp"))
        return cls(tables.copy(), points, win, vp, results["turns"].max(axis=1), results["ended"].copy())

    @classmethod
    def concatenate(cls, parts: Sequence["Games"]) -> "Games":
        """Concatenate several parts."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def by_player(self, values: Array) -> Array:
        """Reorder an array by seat to an array by player. Every player must play every game once."""
        return np.take_along_axis(values, np.argsort(self.tables, axis=1), axis=1)


@dataclass
class Tally:
    """Sums and results of games that are added batch by batch."""

    parts: list[Games] = field(default_factory=list)
    owned: Array = field(default_factory=lambda: np.zeros((0, N_MODEL_PILES)))
    """Cards owned at the end by player and pile, summed over games and over the player's seats."""
    seats: Array = field(default_factory=lambda: np.zeros(0))
    """Number of seats of each player, over all games."""
    winners_owned: Array = field(default_factory=lambda: np.zeros(N_MODEL_PILES))
    """Cards that winners owned at the end. If k players share a win, their cards count 1/k each."""

    @classmethod
    def of(cls, batches: Iterable[Batch]) -> "Tally":
        """Count all games of an iterable of batches."""
        tally = cls()
        for tables, results in batches:
            tally.add(tables, results)
        return tally

    def counting(self, play: PlayTables) -> PlayTables:
        """Return a function that plays tables and counts their games."""

        def play_and_count(tables: Tables, seeds: npt.NDArray[np.uint64]) -> Results:
            results = play(tables, seeds)
            self.add(tables, results)
            return results

        return play_and_count

    def add(self, tables: Tables, results: Results) -> None:
        """Count a batch of games."""
        n_seats, n_players = tables.shape[1], max(int(tables.max()) + 1, len(self.seats))
        owned = results["owned"][:, :n_seats]
        cells = tables[:, :, None] * N_MODEL_PILES + np.arange(N_MODEL_PILES)
        sums = np.bincount(cells.ravel(), owned.ravel(), n_players * N_MODEL_PILES).reshape(n_players, N_MODEL_PILES)
        sums[: len(self.owned)] += self.owned
        seats = np.bincount(tables.ravel(), minlength=n_players).astype(float)
        seats[: len(self.seats)] += self.seats
        self.owned, self.seats = sums, seats
        self.winners_owned = self.winners_owned + np.einsum("gs,gsp->p", results["win"][:, :n_seats], owned)
        self.parts.append(Games.of(tables, results))

    @property
    def games(self) -> Games:
        """All games counted."""
        self.parts[:] = [Games.concatenate(self.parts)]
        return self.parts[0]

    def deck(self, player: int) -> npt.NDArray[np.float64]:
        """Return the mean final deck of a player: cards by pile, (N_MODEL_PILES,)."""
        return np.asarray(self.owned[player] / self.seats[player])

    @property
    def winners_deck(self) -> npt.NDArray[np.float64]:
        """Mean final deck of the winner: cards by pile."""
        return np.asarray(self.winners_owned / len(self.games))


END_KEYS = {Ending.PROVINCES: "provinces", Ending.COLONIES: "colonies", Ending.PILES: "empty_piles", Ending.CUT: "cut"}
"""Names of the endings in JSON. A summary has "colonies" only if it occurred."""

SOLE_WIN = 0.999
"""Minimum share of the win of a sole winner. It allows for rounding."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Results of one entrant, with its copies at a table combined.

    ``seats`` is the mean number of its seats in a game. ``chance_level`` is the expected win rate if all entrants are
    equally strong. ``win`` counts a win shared by k as 1/k. ``alone`` and ``shared`` are the shares of games won alone
    and shared. ``place`` is the mean place: 1 for a win, the mean of the tied places in a tie.
    """

    name: str
    seats: float
    chance_level: float
    win: Share
    alone: float
    shared: float
    place: IntervalEstimate
    vp: IntervalEstimate


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and 5th, 50th and 95th percentile of integers."""

    mean: float
    p5: int
    p50: int
    p95: int


@dataclass(frozen=True, slots=True)
class GamesSummary:
    """Summary of games: their number, mean length in rounds, mean score of the winner, and shares of the endings."""

    n_games: int
    rounds: float
    winner_vp: float
    ended: dict[str, float]


def standing(games: Games, player: int, name: str = "", confidence: float = DEFAULT_CONFIDENCE) -> Standing:
    """Return the standing of a player with all its seats combined. The player must have played."""
    mine = games.tables == player
    played = mine.any(axis=1)
    mine = mine[played]
    n_seats = mine.shape[1]
    copies = mine.sum(axis=1)
    won = (games.win[played] * mine).sum(axis=1, dtype=float)
    alone = won > SOLE_WIN
    seats = float(copies.mean())
    return Standing(
        name=name,
        seats=seats,
        chance_level=seats / n_seats,
        win=wilson(float(won.sum()), len(won), confidence),
        alone=float(alone.mean()),
        shared=float(((won > 0) & ~alone).mean()),
        place=mean_interval(_mean(n_seats - games.points[played], mine, copies), confidence),
        vp=mean_interval(_mean(games.vp[played], mine, copies), confidence),
    )


def seat_shares(games: Games, confidence: float = DEFAULT_CONFIDENCE) -> list[Share]:
    """Return the share of the wins of each seat, in turn order."""
    return [wilson(float(won.sum(dtype=float)), len(games), confidence) for won in games.win.T]


def summarize_games(games: Games) -> GamesSummary:
    """Return the summary of games."""
    shares = {end: float((games.ended == end).mean()) for end in END_KEYS}
    return GamesSummary(
        n_games=len(games),
        rounds=float(games.rounds.mean()),
        winner_vp=float(games.vp.max(axis=1).mean(dtype=float)),
        ended={END_KEYS[end]: share for end, share in shares.items() if share or end != Ending.COLONIES},
    )


def spread(values: Array) -> Spread:
    """Return the spread of integers. Percentiles are elements of ``values``."""
    p5, p50, p95 = np.percentile(values, (5, 50, 95), method="inverted_cdf")
    return Spread(float(values.mean(dtype=float)), int(p5), int(p50), int(p95))


def win_share(games: Games, player: int, confidence: float = DEFAULT_CONFIDENCE) -> Share:
    """Return a player's share of the wins. A win shared by k players counts 1/k."""
    won = games.win[games.tables == player]
    return wilson(float(won.sum(dtype=float)), len(games), confidence)


def _mean(values: Array, mine: Array, copies: Array) -> Array:
    """Return each game's mean over the entrant's seats."""
    return np.asarray((values * mine).sum(axis=1, dtype=float) / copies)


@dataclass(frozen=True, slots=True)
class PairRecord:
    """Results of one entrant against another: shares of the games that both played.

    ``beats`` is the share of games ahead, with an interval. A tie counts half.
    """

    ahead: float
    tied: float
    behind: float
    beats: Share


def win_matrix(games: Games, n_entrants: int, confidence: float) -> list[list[PairRecord | None]]:
    """Return each row's record against each column; None on the diagonal and for pairs without a common game.

    Copies of an entrant count as one entrant that plays all their games. The interval counts each game once.
    """
    n = n_entrants
    met, ahead = np.zeros((n, n)), np.zeros((n, n))
    tables, points = games.tables.astype(np.intp), games.points
    n_seats = tables.shape[1]
    for seat in range(n_seats):
        for other in range(n_seats):
            if seat == other:
                continue
            pair = tables[:, seat] * n + tables[:, other]
            met += np.bincount(pair, minlength=n * n).reshape(n, n)
            ahead += np.bincount(pair, points[:, seat] > points[:, other], n * n).reshape(n, n)
    # With fewer entrants than seats every entrant is at every table, and every game is one meeting.
    n_games = np.full((n, n), len(games)) if n < n_seats else met

    def meeting(a: int, b: int) -> PairRecord | None:
        if a == b or not met[a, b]:
            return None
        wins, losses = float(ahead[a, b] / met[a, b]), float(ahead[b, a] / met[a, b])
        ties = max(0.0, 1.0 - wins - losses)
        games_met = int(n_games[a, b])
        return PairRecord(wins, ties, losses, wilson((wins + ties / 2) * games_met, games_met, confidence))

    return [[meeting(a, b) for b in range(n)] for a in range(n)]
