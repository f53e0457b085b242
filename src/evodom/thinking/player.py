"""A network that thinks, at a table: it redeals what its seat cannot know before anything of a game is looked at."""

import time
from typing import Any

import numpy as np

from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.layout import Weights
from evodom.matches.agents import PythonAgent
from evodom.matches.workers import Workers
from evodom.thinking.search import Budget, Clock, Search


class ThinkingPlayer:
    """A network that thinks, in one game."""

    def __init__(
        self, weights: Weights, budget: Budget, rng: np.random.Generator, clock: Clock = time.perf_counter
    ) -> None:
        self.weights, self.budget, self.rng, self.clock = weights, budget, rng, clock

    def __call__(self, game: DominionGame, workers: Workers | None) -> str:
        """Return the name of the choice for the pending Decision, which has to be its seat's."""
        search = Search(game.rules, self.weights, workers=workers, clock=self.clock)
        choice = search.choose(game.state, self.rng, self.budget)
        return PASS_NAME if choice == PASS else game.piles[choice].name


def thinking_agent(name: str, weights: Weights, budget: Budget, clock: Clock = time.perf_counter) -> PythonAgent:
    """Return a network that thinks as an agent; ``name`` is what finds it again (`evodom.entrants`)."""

    def make(kingdom: Kingdom, seat: int, rng: np.random.Generator) -> Any:
        return ThinkingPlayer(weights, budget, rng, clock)

    return PythonAgent(name, make, source=name, thinks=True)
