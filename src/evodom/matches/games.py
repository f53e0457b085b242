"""Finished games as they are counted: who sat where and what came of it, and the cards they ended with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import N_PILES
from evodom.matches.batch import Results
from evodom.matches.seating import Tables

Array = npt.NDArray[Any]

Batch = tuple[Tables, Results]
"""Some games: the tables (n_games, n_seats) and their RESULTs."""


@dataclass(frozen=True)
class Games:
    """Finished games, the arrays (n_games, n_seats) by seat.

    ``tables`` says who sat there, ``points`` how many opponents were beaten (ties count half), ``win`` the share of the
    win (1/k if k share it), ``vp`` the score; ``rounds`` and ``ended`` are (n_games,).
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
        """Return what is kept of RESULTs: copies, as views would keep all the rest in memory."""
        n_seats = tables.shape[1]
        points, win, vp = (results[name][:, :n_seats].astype(np.float32) for name in ("points", "win", "vp"))
        return cls(tables.copy(), points, win, vp, results["turns"].max(axis=1), results["ended"].copy())

    @classmethod
    def together(cls, parts: Sequence["Games"]) -> "Games":
        """Return several parts as one."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))

    def by_player(self, values: Array) -> Array:
        """Return an array by seat as one by player, where everybody plays every game once."""
        return np.take_along_axis(values, np.argsort(self.tables, axis=1), axis=1)


@dataclass
class Tally:
    """Games added up batch by batch: all of them in short, and the cards that each player ended with in sum."""

    parts: list[Games] = field(default_factory=list)
    owned: Array = field(default_factory=lambda: np.zeros((0, N_PILES)))
    """Cards owned at the end by player and pile, summed over games and over the player's seats."""
    seats: Array = field(default_factory=lambda: np.zeros(0))
    """How many seats each player took, over all games."""
    winners_owned: Array = field(default_factory=lambda: np.zeros(N_PILES))
    """Cards that the winners owned at the end; a victory shared by k counts 1/k of each of theirs."""

    @classmethod
    def of(cls, batches: Iterable[Batch]) -> "Tally":
        """Count games as they are played."""
        tally = cls()
        for tables, results in batches:
            tally.add(tables, results)
        return tally

    def add(self, tables: Tables, results: Results) -> None:
        """Count some games."""
        n_seats, n_players = tables.shape[1], max(int(tables.max()) + 1, len(self.seats))
        owned = results["owned"][:, :n_seats]
        cells = tables[:, :, None] * N_PILES + np.arange(N_PILES)
        sums = np.bincount(cells.ravel(), owned.ravel(), n_players * N_PILES).reshape(n_players, N_PILES)
        sums[: len(self.owned)] += self.owned
        seats = np.bincount(tables.ravel(), minlength=n_players).astype(float)
        seats[: len(self.seats)] += self.seats
        self.owned, self.seats = sums, seats
        self.winners_owned = self.winners_owned + np.einsum("gs,gsp->p", results["win"][:, :n_seats], owned)
        self.parts.append(Games.of(tables, results))

    @property
    def games(self) -> Games:
        """All games counted."""
        self.parts[:] = [Games.together(self.parts)]
        return self.parts[0]

    def deck(self, player: int) -> npt.NDArray[np.float64]:
        """Return how many cards of each pile a player owned at the end, on average, (N_PILES,)."""
        return np.asarray(self.owned[player] / self.seats[player])

    @property
    def winners_deck(self) -> npt.NDArray[np.float64]:
        """How many cards of each pile the winner owned at the end, on average."""
        return np.asarray(self.winners_owned / len(self.games))
