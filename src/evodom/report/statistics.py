"""What a set of games comes to: shares with intervals, spreads, and the record of one table."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import Card
from evodom.dominion.engine.state import ENDED_CUT, ENDED_PILES, ENDED_PROVINCES
from evodom.matches.statistics import Share, wilson

END_KEYS = {ENDED_PROVINCES: "provinces", ENDED_PILES: "empty_piles", ENDED_CUT: "cut"}
"""How a game can end, as named in a report."""

Sums = npt.NDArray[Any] | float
"""Sums of arrays, 0 before the first."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of some whole numbers and their 5th, 50th and 95th percentile."""

    mean: float
    p5: int
    p50: int
    p95: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """How one strategy of a table did; ``rank`` 1 is the champion."""

    rank: int
    win: Share
    vp: Spread


@dataclass(frozen=True, slots=True)
class Table:
    """What the games of one table came to.

    Seats are in turn order. The decks are mean counts by card; the winner's counts a shared victory by its shares.
    """

    n_games: int
    rounds: Spread
    winner_vp: Spread
    ended: dict[str, float]
    entrants: list[Entrant]
    seats: list[Share]
    champion_deck: dict[str, float]
    winner_deck: dict[str, float]


def spread(values: npt.NDArray[Any]) -> Spread:
    """Return the spread of some whole numbers; a percentile is one of them."""
    p5, p50, p95 = np.percentile(values, (5, 50, 95), method="inverted_cdf")
    return Spread(float(values.mean()), int(p5), int(p50), int(p95))


@dataclass(frozen=True, slots=True)
class Meeting:
    """How one strategy did with others in all other seats.

    ``alone`` and ``tied`` are the shares of games it won alone, and those whose victory it shared; ``place`` its mean
    place, ``vp`` and ``others_vp`` mean scores, and ``deck`` its mean final deck by card.
    """

    win: Share
    alone: float
    tied: float
    place: float
    vp: float
    others_vp: float
    deck: dict[str, float]


@dataclass(slots=True)
class Tally:
    """The games of strategy 0 with others in all other seats, added batch by batch."""

    piles: tuple[Card, ...]
    n_games: int = 0
    wins: float = 0.0
    alone: int = 0
    tied: int = 0
    places: float = 0.0
    vp: int = 0
    others_vp: float = 0.0
    deck: Sums = 0.0

    def add(self, tables: npt.NDArray[np.int32], results: npt.NDArray[Any]) -> None:
        """Add the RESULTs of some games; ``tables`` says who sat where."""
        n_seats = tables.shape[1]
        own, vp = tables == 0, results["vp"][:, :n_seats]
        win = results["win"][:, :n_seats][own]
        self.n_games += len(tables)
        self.wins += float(win.sum())
        self.alone += int((win == 1.0).sum())
        self.tied += int(((win > 0.0) & (win < 1.0)).sum())
        # Whoever beats all others is first; a tie counts half a place.
        self.places += float((n_seats - results["points"][:, :n_seats][own]).sum())
        self.vp += int(vp[own].sum())
        self.others_vp += float(vp[~own].sum()) / (n_seats - 1)
        self.deck += results["owned"][:, :n_seats][own].sum(axis=0)

    def meeting(self) -> Meeting:
        """Return what all games came to."""
        n = self.n_games
        shares = self.alone / n, self.tied / n, self.places / n, self.vp / n, self.others_vp / n
        return Meeting(wilson(self.wins, n), *shares, mean_deck(self.deck, n, self.piles))


@dataclass(slots=True)
class TableTally:
    """The games of one table, added batch by batch; the strategies are numbered 0, the champion, upward."""

    piles: tuple[Card, ...]
    # By game: little enough to keep for a million.
    ended: list[npt.NDArray[Any]] = field(default_factory=list)
    rounds: list[npt.NDArray[Any]] = field(default_factory=list)
    vp: list[npt.NDArray[Any]] = field(default_factory=list)
    # Sums over the games.
    wins: Sums = 0.0
    seat_wins: Sums = 0.0
    champion_deck: Sums = 0.0
    winner_deck: Sums = 0.0

    def add(self, tables: npt.NDArray[np.int32], results: npt.NDArray[Any]) -> None:
        """Add the RESULTs of some games; ``tables`` says who sat where."""
        n_seats = tables.shape[1]
        seat_of = np.argsort(tables, axis=1)
        wins, decks = results["win"][:, :n_seats], results["owned"][:, :n_seats]
        # A view would keep the whole batch in memory.
        self.ended.append(results["ended"].copy())
        self.rounds.append(results["turns"].max(axis=1))
        self.vp.append(np.take_along_axis(results["vp"], seat_of, axis=1))
        self.wins += np.take_along_axis(wins, seat_of, axis=1).sum(axis=0)
        self.seat_wins += wins.sum(axis=0)
        self.champion_deck += decks[tables == 0].sum(axis=0)
        self.winner_deck += np.einsum("gs,gsp->p", wins, decks)

    def table(self) -> Table:
        """Return what all games came to."""
        ended, rounds, vp = (np.concatenate(batches) for batches in (self.ended, self.rounds, self.vp))
        n = len(rounds)
        return Table(
            n_games=n,
            rounds=spread(rounds),
            winner_vp=spread(vp.max(axis=1)),
            ended={name: float((ended == end).mean()) for end, name in END_KEYS.items()},
            entrants=[
                Entrant(place + 1, wilson(float(won), n), spread(vp[:, place]))
                for place, won in enumerate(np.asarray(self.wins))
            ],
            seats=[wilson(float(won), n) for won in np.asarray(self.seat_wins)],
            champion_deck=mean_deck(self.champion_deck, n, self.piles),
            winner_deck=mean_deck(self.winner_deck, n, self.piles),
        )


def mean_deck(total: Sums, n_games: int, piles: tuple[Card, ...]) -> dict[str, float]:
    """Return the mean number of each card in decks whose sum is ``total``."""
    counts = np.asarray(total)[: len(piles)] / n_games
    return {card.name: float(count) for card, count in zip(piles, counts, strict=True)}
