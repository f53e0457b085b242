"""Search a fight: what each move is worth, and how fights go that are played by searching."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DICE, FIGHT, LOST, WON
from evodom.spire.engine.moves import hp_left
from evodom.spire.search.rollout import set_habits
from evodom.spire.search.tree import EDGE, EDGES_PER_NODE, N_WORDS, NODE, NONE, TREE, clear, work

RESULT = np.dtype([("hp", "<i4"), ("over", "<i4"), ("value", "<f8"), ("n_moves", "<i4"), ("turns", "<i4")])
"""How a fight went that was played."""


@dataclass(frozen=True)
class Payoff:
    """What a fight pays: for each HP left, for a win, for each potion used (a price), for each maximum HP gained."""

    hp: float = 1.0
    win: float = 0.0
    potion: float = 0.0
    gain: float = 0.0

    @classmethod
    def named(cls, name: str, max_hp: int, potion: float = 0.0, gain: float = 0.0) -> Payoff:
        """Return "hp" (the HP left), "win" (1 for a win) or "both" ((win + HP / maximum) / 2); prices are in HP."""
        hp = {"hp": 1.0, "win": 0.0, "both": 0.5 / max_hp}[name]
        unit = hp or 1.0 / max_hp
        return cls(hp, {"hp": 0.0, "win": 1.0, "both": 0.5}[name], potion * unit, gain * unit)


@dataclass(frozen=True)
class Budget:
    """How a move is searched: how many simulations, how curious, and how often a new position is played out."""

    simulations: int = 1000
    exploration: float = 1.25
    rollouts: int = 4


@dataclass(frozen=True)
class MoveFigures:
    """What a search found of one move."""

    move: int
    visits: int
    value: float
    death: float
    """The share of the fights that were lost after it."""


@dataclass
class Tree:
    """Room for a search, to be used by one thread."""

    capacity: int = 8192
    words: npt.NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        self.words = np.zeros((self.capacity, N_WORDS), np.uint64)
        self.states = self.words.view(FIGHT)[:, 0]
        self.nodes = np.zeros(self.capacity, NODE)
        self.edges = np.zeros(self.capacity * EDGES_PER_NODE, EDGE)
        self.table = np.full(self.capacity, -1, np.int32)
        self.tree: Any = np.zeros(1, TREE)[0]
        self.dice: Any = np.zeros(1, DICE)[0]
        self.luck: Any = np.zeros(1, DICE)[0]
        clear(self.table, self.tree)

    def arrays(self) -> tuple[Any, ...]:
        """Return what the kernels take."""
        return self.words, self.states, self.nodes, self.edges, self.table, self.tree, self.dice

    def prepare(self, game: SpireFight, payoff: Payoff, budget: Budget) -> None:
        """Say what is searched for, and how."""
        tree = self.tree
        tree.payoff[:] = payoff.hp, payoff.win, payoff.potion, payoff.gain
        tree.exploration, tree.rollouts = budget.exploration, budget.rollouts
        set_habits(tree.habits, game)


class Searcher:
    """Searches positions of one fight; what it finds is kept from move to move."""

    def __init__(self, game: SpireFight, payoff: Payoff | None = None, budget: Budget | None = None) -> None:
        self.game = game
        self.payoff, self.budget = payoff or Payoff(), budget or Budget()
        self._room = Tree(max(8192, 4 * self.budget.simulations))
        self._room.prepare(game, self.payoff, self.budget)

    def think(self, state: State, rng: np.random.Generator, simulations: int | None = None) -> list[MoveFigures]:
        """Return what was found of each legal move, the most tried one first."""
        room = self._room
        room.dice.stream[0] = rng.integers(2**64, dtype=np.uint64)
        position = np.frombuffer(bytearray(state), np.uint64).reshape(1, -1)
        n = self.budget.simulations if simulations is None else simulations
        fight = position.view(FIGHT)[0, 0]
        root = work(self.game.record, fight, position, n, False, *room.arrays(), room.luck)
        first, n_edges = int(room.nodes[root]["first"]), int(room.nodes[root]["n"])
        found = [self._figures(edge) for edge in room.edges[first : first + n_edges]]
        return sorted(found, key=lambda one: (-one.visits, -one.value))

    def _figures(self, edge: Any) -> MoveFigures:
        """Return what was found of a move: of the position it leads to, or of all that came of it."""
        move, visits = int(edge["move"]), int(edge["visits"])
        if edge["child"] != NONE and visits:
            child = self._room.nodes[edge["child"]]
            return MoveFigures(move, visits, float(child["value"]), float(child["death"]))
        return MoveFigures(move, visits, float(edge["total"] / max(visits, 1)), float(edge["deaths"] / max(visits, 1)))


def play_fights(
    game: SpireFight,
    starts: Sequence[State],
    luck: npt.NDArray[np.uint64],
    payoff: Payoff,
    budget: Budget,
    n_threads: int = 1,
) -> npt.NDArray[Any]:
    """Play fights to their ends by searching every move; return how they went, (n,) of RESULT.

    `luck` has two random streams a fight, (n, 2): what chance does in it, and what the search draws. The results are
    the same for any number of threads.
    """
    results = np.zeros(len(starts), RESULT)

    def work(worker: int) -> None:
        room = Tree(max(8192, 4 * budget.simulations))
        room.prepare(game, payoff, budget)
        for number in range(worker, len(starts), n_threads):
            position = np.frombuffer(bytearray(starts[number]), np.uint64).reshape(1, -1).copy()
            room.luck.stream[0], room.dice.stream[0] = luck[number]
            fight = position.view(FIGHT)[0, 0]
            n_moves = work(game.record, fight, position, budget.simulations, True, *room.arrays(), room.luck)
            results[number]["hp"] = hp_left(game.record, fight)
            results[number]["over"], results[number]["n_moves"] = fight["over"], n_moves

    if n_threads == 1:
        work(0)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            for done in [pool.submit(work, worker) for worker in range(n_threads)]:
                done.result()
    return results


__all__ = ["LOST", "WON", "Budget", "MoveFigures", "Payoff", "Searcher", "Tree", "play_fights"]
