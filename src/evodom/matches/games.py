"""Playing the games of a schedule, and what is kept of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.batch import play_games
from evodom.matches.entrant import Entrant
from evodom.matches.schedule import Tables
from evodom.matches.workers import Workers

Array = npt.NDArray[Any]


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
    def together(cls, parts: Sequence["Games"]) -> "Games":
        """Return several parts as one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__dataclass_fields__))


@dataclass
class Player:
    """Plays tables of entrants in one kingdom and keeps every game in ``parts``."""

    entrants: Sequence[Entrant]
    kingdom: Kingdom
    n_seats: int
    workers: Workers
    on_games: Callable[[int], object] = lambda _: None
    parts: list[Games] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rules = self.kingdom.rules(self.n_seats)
        self._strategies = np.array([entrant.strategy for entrant in self.entrants], STRATEGY)

    def play(self, tables: Tables, seeds: npt.NDArray[np.uint64]) -> Array:
        """Play a game for each row of ``tables``, entrants by number, and return their RESULTs."""
        results = play_games(self._rules, self._strategies, tables, seeds, pool=self.workers.pool(len(tables)))
        self.parts.append(_kept(tables, results))
        self.on_games(len(tables))
        return results

    @property
    def games(self) -> Games:
        """All games played."""
        return Games.together(self.parts)


def _kept(tables: Tables, results: Array) -> Games:
    """Return copies of what is kept: views would keep all the rest in memory."""
    n_seats = tables.shape[1]
    points, win, vp = (results[name][:, :n_seats].astype(np.float32) for name in ("points", "win", "vp"))
    return Games(tables.copy(), points, win, vp, results["turns"].max(axis=1), results["ended"].copy())
