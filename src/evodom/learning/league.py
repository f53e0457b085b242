"""Whom a learner plays against: itself, its earlier selves, and rivals, those more often that beat it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.record import STRATEGY
from evodom.learning.learner import Experience, Learner
from evodom.learning.wishes import draw_wishes

SELF_SHARE, PAST_SHARE = 0.4, 0.25
"""The shares of games that all seats learn from, and that are against earlier selves; the rest is against rivals."""

WISH_SHARE, WISH = 0.2, 8.0
"""The share of learning seats that try a kingdom card, and by how much the first of it is worth more to them."""

MEMORY = 0.9
"""How slowly the shares of wins that choose the rivals change, from one iteration to the next."""

LEAST = 0.05
"""Rivals that are always beaten are still met so often, compared with one that always wins."""


@dataclass
class League:
    """The opponents of one learner at tables of ``n_seats``; ``shares`` are what it wins against each rival."""

    n_seats: int
    past: Sequence[Any]
    rivals: Sequence[Any]
    shares: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    self_share: float = SELF_SHARE
    wish_share: float = WISH_SHARE

    def __post_init__(self) -> None:
        if len(self.shares) != len(self.rivals):
            self.shares = np.full(len(self.rivals), 1.0 / self.n_seats)

    def play(self, learner: Learner, n_games: int, rng: np.random.Generator) -> Experience:
        """Play about ``n_games`` and return them; at each table one learns, or all."""
        players = [learner.record, *self.past, *self.rivals]
        strategies = np.zeros(len(players), STRATEGY)
        for place, player in enumerate(players):
            strategies[place] = player
        tables = self._tables(n_games, rng)
        wishes = draw_wishes(learner.kingdom, tables.shape, self.wish_share, rng)
        seeds = rng.integers(2**64, size=n_games, dtype=np.uint64)
        learns = np.arange(len(players)) == 0
        games = learner.play(self.n_seats, strategies, learns, tables, wishes, WISH, seeds)
        self._note(games)
        return games

    def _tables(self, n_games: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Return who sits where: 0 is the learner, then earlier selves, then rivals."""
        tables = np.zeros((n_games, self.n_seats), np.int32)
        met = rng.random(n_games)
        n_past, n_rivals = len(self.past), len(self.rivals)
        if n_past:
            chosen = np.flatnonzero((met >= self.self_share) & (met < self.self_share + PAST_SHARE))
            tables[chosen] = rng.integers(1, 1 + n_past, size=(len(chosen), self.n_seats))
            tables[chosen, rng.integers(self.n_seats, size=len(chosen))] = 0
        if n_rivals:
            chosen = np.flatnonzero(met >= self.self_share + PAST_SHARE * (n_past > 0))
            weights = LEAST + 1.0 - self.shares
            rivals = 1 + n_past + rng.choice(n_rivals, size=len(chosen), p=weights / weights.sum())
            tables[chosen] = rivals[:, None]
            tables[chosen, rng.integers(self.n_seats, size=len(chosen))] = 0
        return tables

    def _note(self, games: Experience) -> None:
        """Note what the learner won against each rival."""
        first = 1 + len(self.past)
        rival = games.tables.max(axis=1) - first
        wins = games.results["win"][:, : self.n_seats]
        for number in range(len(self.rivals)):
            played = rival == number
            if played.any():
                share = float(wins[played][games.tables[played] == 0].mean())
                self.shares[number] += (1.0 - MEMORY) * (share - self.shares[number])
