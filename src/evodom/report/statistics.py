"""What a set of games comes to: shares with intervals, spreads, and the record of one table."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import Card
from evodom.dominion.state import ENDED_CUT, ENDED_PILES, ENDED_PROVINCES

Z_95 = 1.959963984540054
"""The standard normal's 97.5th percentile, for intervals of 95 %."""

END_KEYS = {ENDED_PROVINCES: "provinces", ENDED_PILES: "empty_piles", ENDED_CUT: "cut"}
"""How a game can end, as named in a report."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the wins in [0, 1] with its 95 % interval."""

    share: float
    low: float
    high: float
    n_games: int


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


def wilson(wins: float, n_games: int) -> Share:
    """Return the share of ``wins`` with its Wilson score interval (Wilson 1927).

    A victory shared by k counts 1/k. A share then varies less than a coin with the same mean, so that the interval is a
    little too wide rather than too narrow.
    """
    share = wins / n_games
    widening = Z_95**2 / n_games
    centre = (share + widening / 2) / (1 + widening)
    half = np.sqrt(widening * (share * (1 - share) + widening / 4)) / (1 + widening)
    # At 0 and at 1 an end of the interval is the share itself, but for rounding.
    return Share(share, min(share, max(0.0, centre - float(half))), max(share, min(1.0, centre + float(half))), n_games)


def spread(values: npt.NDArray[Any]) -> Spread:
    """Return the spread of some whole numbers; a percentile is one of them."""
    p5, p50, p95 = np.percentile(values, (5, 50, 95), method="inverted_cdf")
    return Spread(float(values.mean()), int(p5), int(p50), int(p95))


@dataclass(slots=True)
class TableTally:
    """The games of one table, added batch by batch; the strategies are numbered 0, the champion, upward."""

    piles: tuple[Card, ...]
    ended: list[npt.NDArray[Any]] = field(default_factory=list)
    rounds: list[npt.NDArray[Any]] = field(default_factory=list)
    vp: list[npt.NDArray[Any]] = field(default_factory=list)
    seat_wins: list[npt.NDArray[Any]] = field(default_factory=list)
    wins: list[npt.NDArray[Any]] = field(default_factory=list)
    champion_deck: npt.NDArray[Any] | float = 0.0
    winner_deck: npt.NDArray[Any] | float = 0.0

    def add(self, tables: npt.NDArray[np.int32], results: npt.NDArray[Any]) -> None:
        """Add the RESULTs of some games; ``tables`` says who sat where."""
        n_seats = tables.shape[1]
        seat_of = np.argsort(tables, axis=1)
        seat_wins, decks = results["win"][:, :n_seats], results["owned"][:, :n_seats]
        self.ended.append(results["ended"])
        self.rounds.append(results["turns"].max(axis=1))
        self.vp.append(np.take_along_axis(results["vp"], seat_of, axis=1))
        self.seat_wins.append(seat_wins)
        self.wins.append(np.take_along_axis(seat_wins, seat_of, axis=1))
        self.champion_deck += decks[tables == 0].sum(axis=0)
        self.winner_deck += np.einsum("gs,gsp->p", seat_wins, decks)

    def table(self) -> Table:
        """Return what all games came to."""
        rounds, vp, ended = (np.concatenate(batches) for batches in (self.rounds, self.vp, self.ended))
        n = len(rounds)
        wins, seat_wins = (np.concatenate(batches).sum(axis=0) for batches in (self.wins, self.seat_wins))
        return Table(
            n_games=n,
            rounds=spread(rounds),
            winner_vp=spread(vp.max(axis=1)),
            ended={name: float((ended == end).mean()) for end, name in END_KEYS.items()},
            entrants=[Entrant(i + 1, wilson(float(won), n), spread(vp[:, i])) for i, won in enumerate(wins)],
            seats=[wilson(float(won), n) for won in seat_wins],
            champion_deck=self._deck(self.champion_deck, n),
            winner_deck=self._deck(self.winner_deck, n),
        )

    def _deck(self, total: npt.NDArray[Any] | float, n: int) -> dict[str, float]:
        counts = np.asarray(total)[: len(self.piles)] / n
        return {card.name: float(count) for card, count in zip(self.piles, counts, strict=True)}
