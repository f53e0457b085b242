"""Training a network for a fight by self-play: it plays, learns from its games, and plays again.

An iteration follows from the seed and the networks of the iterations before it: games that are learned from again after
a run was stopped are played again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from evodom.intervals import mean_interval
from evodom.learning.adam import Adam
from evodom.learning.fights.experience import Experience, learned_from, together
from evodom.learning.fights.learner import Learner
from evodom.learning.fights.options import FightOptions, Recipe
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights import Fight, fight_from_toml, state_of
from evodom.spire.search.estimates import paid
from evodom.spire.search.network import Network, new_network
from evodom.spire.search.player import RESULT, Budget, prices
from evodom.spire.search.sight import Sight, find_sight
from evodom.spire.search.watching import Notes, watch_fights

_SIGHT, _WEIGHTS, _GAMES, _LEARN = range(4)
"""What random numbers are drawn for."""

WANDERED = 100
"""Fights that are played at random to see what can change."""


@dataclass(frozen=True)
class Played:
    """The games of an iteration: what they teach, how they went, (n,) of RESULT, and which were varied, (n,) bool."""

    experience: Experience
    results: Any
    values: Any
    varied: Any


class Training:
    """The training of one network; `first` is the network of the beginning, `play` and `learn` are an iteration."""

    def __init__(self, options: FightOptions, seed: int, n_threads: int = 1, recipe: Recipe | None = None) -> None:
        self.options, self.recipe, self._seed, self._n_threads = options, recipe or Recipe(), seed, n_threads
        self.fight: Fight = fight_from_toml(options.fight)
        parts = list(self.fight.parts())
        self._games = [SpireFight(setup) for _, _, setup in parts]
        self._chances = np.array([float(chance) for _, chance, _ in parts])
        self.sight = self._sight()

    def first(self) -> Network:
        """Return the network before it has learned anything."""
        return new_network(self.sight, self.options.width, self._rng(0, _WEIGHTS))

    def play(self, iteration: int, network: Network, progress: Callable[[int], object] = lambda n: None) -> Played:
        """Play the games of an iteration, counted from 1, with the network of the one before it."""
        n, recipe = self.options.games, self.recipe
        rng = self._rng(iteration, _GAMES)
        which = rng.choice(len(self._games), size=n, p=self._chances)
        varied = rng.random(n) < recipe.varied
        luck = rng.integers(2**64, size=(n, 2), dtype=np.uint64)
        starts = [self._start(self._games[part], rng) for part in which]
        judge = None if iteration <= recipe.played_out else network
        exploration = None if judge is None else recipe.exploration
        budget = Budget(self.options.simulations, exploration, network=judge)
        results, values = np.zeros(n, RESULT), np.zeros(n)
        taught: list[Any] = [None] * n
        for part, game in enumerate(self._games):
            mine = np.flatnonzero(which == part)
            if not len(mine):
                continue
            results[mine], notes = watch_fights(
                game, [starts[number] for number in mine], luck[mine], self.fight.payoff, budget, self.sight,
                varied[mine], recipe.noise, self._n_threads,
            )  # fmt: skip
            values[mine] = paid(results[mine], self.fight.payoff, game.rules.max_hp)
            for number, noted in zip(mine, notes, strict=True):
                taught[number] = self._taught(game, noted, values[number], results[number])
            progress(len(mine))
        return Played(together(taught), results, values, varied)

    def learn(
        self, iteration: int, network: Network, adam: Adam | None, replay: Experience, pool: ThreadPoolExecutor | None
    ) -> tuple[Learner, Any]:
        """Learn from the games of some iterations; return the learner and its losses."""
        learner = Learner(network, adam)
        first, last = self.recipe.rate
        rate = first * (last / first) ** (iteration / self.options.iterations)
        rng = self._rng(iteration, _LEARN)
        losses: Any = 0.0
        for _ in range(self.recipe.epochs):
            losses = learner.improve(
                replay, rng, rate=rate, batch=self.recipe.batch, shares=self.recipe.shares, pool=pool
            )
        return learner, losses

    def _taught(self, game: SpireFight, notes: Notes, value: float, result: Any) -> Experience:
        hp, win, *_ = prices(self.fight.payoff, game.rules.max_hp)
        unit = hp * game.rules.max_hp + win
        return learned_from(notes, (value, float(result["over"] in (LOST, LATE))), unit, self.recipe.trace)

    def _sight(self) -> Sight:
        rng = self._rng(0, _SIGHT)
        n = max(WANDERED // len(self._games), 1)
        starts = [[self._start(game, rng) for _ in range(n)] for game in self._games]
        return find_sight(self._games, starts, rng)

    def _start(self, game: SpireFight, rng: np.random.Generator) -> State:
        return state_of(self.fight, game) if self.fight.state is not None else game.start(rng)

    def _rng(self, iteration: int, use: int) -> np.random.Generator:
        return np.random.default_rng((self._seed, iteration, use))
