"""Mixtures: players that draw one of several strategies for each game, such as the equilibrium of a run's lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evodom.dominion.strategies.record import Strategy
from evodom.matches.seating import Use, generator, stream


@dataclass(frozen=True, eq=False)
class Mixture:
    """A player that draws one of its ``strategies`` for each game and seat. ``weights`` are their probabilities."""

    strategies: Sequence[Strategy]
    weights: Sequence[float]

    def draw(self, game_seed: int, seat: int) -> int:
        """Return the index of the strategy that plays a game. It depends only on the game's seed and the seat."""
        points = np.cumsum(self.weights)
        drawn = generator(stream(game_seed, Use.MIXTURE, seat)).random() * points[-1]
        return int(np.searchsorted(points, drawn, side="right"))
