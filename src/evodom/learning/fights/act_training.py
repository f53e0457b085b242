"""Training the network of all fights of act 1: random fights are played by search, and it learns from them.

The first iterations play positions out; the later ones are searched with the network. An iteration follows from the
seed, the network before it and the positions that are kept.
"""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from evodom.learning.adam import Adam
from evodom.learning.falling import fallen
from evodom.learning.fights.act_fights import random_fight
from evodom.learning.fights.act_learner import ActLearner, Positions, joined
from evodom.learning.fights.experience import Experience, learned_from, together
from evodom.learning.fights.gradient import DEATH, GAIN, POLICY
from evodom.spire.embedding.hypernetwork import Hypernetwork, Vector, new_general
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.episodes import play_trajectories
from evodom.spire.play.estimates import paid
from evodom.spire.play.searcher import FightSearchOptions
from evodom.statistics import mean_interval

_WEIGHTS, _FIGHTS, _LEARN = range(3)
"""What random numbers are drawn for."""


@dataclass(frozen=True)
class Schedule:
    """How it is trained: iterations, fights of each, times each is played, simulations a move, and how it learns."""

    iterations: int = 120
    fights: int = 100
    times: int = 4
    simulations: int = 100
    played_out: int = 8
    """So many iterations begin without the network."""
    window: int = 60
    """Learn from the games of so many iterations."""
    exploration: float = 0.5
    noise: float = 0.25
    varied: float = 0.8
    trace: float = 0.5
    batch: int = 512
    rate: tuple[float, float] = (0.002, 0.0001)
    shares: tuple[float, float, float] = (1.0, 20.0, 0.2)


class ActTraining:
    """A training: `learner`, the positions of the last iterations, and how many were done."""

    def __init__(self, seed: int, schedule: Schedule | None = None, n_threads: int = 1) -> None:
        self.schedule, self.seed, self.n_threads = schedule or Schedule(), seed, n_threads
        self.learner = ActLearner(new_general(self._rng(0, _WEIGHTS)))
        self.replay: deque[Positions] = deque(maxlen=self.schedule.window)
        self.iteration = 0

    @property
    def general(self) -> Vector:
        """The network as it is now."""
        return self.learner.general

    def step(self) -> dict[str, float]:
        """Play, learn, and return figures of both."""
        self.iteration += 1
        plan, rng = self.schedule, self._rng(self.iteration, _FIGHTS)
        fights = [random_fight(rng) for _ in range(plan.fights)]
        seeds = rng.integers(2**63, size=len(fights))
        with ThreadPoolExecutor(self.n_threads) as pool:
            played = list(pool.map(self._played, fights, seeds))
            self.replay.append(joined([self.learner.positions(cast, data) for cast, data, *_ in played]))
            losses = self._learn(pool)
        values = np.concatenate([one[2] for one in played])
        lost = np.concatenate([one[3] for one in played])
        return {
            "HP": mean_interval(values).value,
            "lost": float(lost.mean()),
            "positions": len(self.replay[-1]),
            "moves": float(losses[POLICY]),
            "gain": float(losses[GAIN]),
            "death": float(losses[DEATH]),
        }

    def _played(self, game: SpireFight, seed: int) -> tuple[Hypernetwork, Experience, Any, Any]:
        """Play a fight a few times; return what it teaches, what was left and which were lost."""
        plan, rng, cast = self.schedule, np.random.default_rng(seed), Hypernetwork(game)
        budget = FightSearchOptions(plan.simulations)
        if self.iteration > plan.played_out:
            budget = FightSearchOptions(plan.simulations, plan.exploration, network=cast.network(self.general))
        starts = [game.start(rng) for _ in range(plan.times)]
        luck = rng.integers(2**64, size=(plan.times, 2), dtype=np.uint64)
        varied = rng.random(plan.times) < plan.varied
        results, notes = play_trajectories(game, starts, luck, Payoff(), budget, cast.sight, varied, plan.noise)
        values = paid(results, Payoff(), game.rules.max_hp)
        lost = np.isin(results["over"], (LOST, LATE))
        unit = float(game.rules.max_hp)
        taught = [
            learned_from(noted, (value, float(died)), unit, plan.trace)
            for noted, value, died in zip(notes, values, lost, strict=True)
        ]
        return cast, together(taught), values, lost

    def _learn(self, pool: ThreadPoolExecutor) -> Any:
        plan = self.schedule
        rate = fallen(plan.rate, min(self.iteration / plan.iterations, 1.0))
        rng = self._rng(self.iteration, _LEARN)
        data = joined(list(self.replay))
        return self.learner.improve(data, rng, rate=rate, batch=plan.batch, shares=plan.shares, pool=pool)

    def save(self, path: Path) -> None:
        """Save all that the next iteration needs, in one step."""
        learner = self.learner
        lots = {
            f"{field.name} {number}": getattr(lot, field.name)
            for number, lot in enumerate(self.replay)
            for field in fields(Positions)
        }
        partial = path.with_suffix(".partial.npz")
        np.savez(
            partial,
            general=learner.general,
            mean=learner.adam.mean,
            square=learner.adam.square,
            n_steps=learner.adam.n_steps,
            iteration=self.iteration,
            n_lots=len(self.replay),
            rows=np.array(json.dumps([learner.inputs.rows, learner.outputs.rows])),
            **lots,
        )
        os.replace(partial, path)

    def restore(self, path: Path) -> None:
        """Go on from what `save` has saved."""
        learner = self.learner
        with np.load(path, allow_pickle=False) as saved:
            learner.general[:] = saved["general"]
            learner.adam = Adam(saved["mean"].copy(), saved["square"].copy(), int(saved["n_steps"]))
            self.iteration = int(saved["iteration"])
            for table, rows in zip((learner.inputs, learner.outputs), json.loads(str(saved["rows"])), strict=True):
                for row in rows:
                    table.number(row)
            for number in range(int(saved["n_lots"])):
                lot = {field.name: saved[f"{field.name} {number}"] for field in fields(Positions)}
                self.replay.append(Positions(**lot))

    def _rng(self, iteration: int, use: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, iteration, use))
