"""Search a fight: what each move is worth, and how fights go that are played by searching."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.spire.engine.game import SpireFight, State, check_room
from evodom.spire.engine.layout import DICE, FIGHT, NONE
from evodom.spire.engine.moves import hp_left
from evodom.spire.fights.fight import BOTH, HP, WIN, Payoff
from evodom.spire.search.rollout import set_habits
from evodom.spire.search.tree import EDGE, EDGES_PER_NODE, N_WORDS, NODE, TREE, clear, work

RESULT = np.dtype([("hp", "<i4"), ("over", "<i4"), ("n_moves", "<i4"), ("used", "<i4"), ("gained", "<i4")])
"""How a fight went: the HP left, how it ended, moves that were searched, potions used, maximum HP gained."""


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
        return self.words, self.states, self.nodes, self.edges, self.table, self.tree, self.dice, self.luck

    def prepare(self, game: SpireFight, payoff: Payoff, budget: Budget) -> None:
        """Say what is searched for, and how."""
        tree = self.tree
        tree.payoff[:] = prices(payoff, game.rules.max_hp)
        tree.exploration, tree.rollouts = budget.exploration, budget.rollouts
        set_habits(tree.habits, game)


def _capacity(budget: Budget) -> int:
    """Return how many positions a tree has room for: those of a few moves."""
    return max(8192, 4 * budget.simulations)


class Searcher:
    """Searches positions of one fight; what it finds is kept from move to move."""

    def __init__(self, game: SpireFight, payoff: Payoff | None = None, budget: Budget | None = None) -> None:
        self.game = game
        self.payoff, self.budget = payoff or Payoff(), budget or Budget()
        self._room = Tree(_capacity(self.budget))
        self._room.prepare(game, self.payoff, self.budget)

    def think(self, state: State, rng: np.random.Generator, simulations: int | None = None) -> list[MoveFigures]:
        """Return what was found of each legal move, the most tried one first."""
        room = self._room
        room.dice.stream[0] = rng.integers(2**64, dtype=np.uint64)
        position = np.frombuffer(bytearray(state), np.uint64).reshape(1, -1)
        n = self.budget.simulations if simulations is None else simulations
        fight = position.view(FIGHT)[0, 0]
        root = work(self.game.record, fight, position, n, False, *room.arrays())
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


def prices(payoff: Payoff, max_hp: int) -> tuple[float, float, float, float]:
    """Return what is paid for each HP left, for a win, for each potion used and for each maximum HP gained.

    "both" is (win + HP / maximum) / 2; the prices of potions and gains are in HP.
    """
    hp, win = {HP: (1.0, 0.0), WIN: (0.0, 1.0), BOTH: (0.5 / max_hp, 0.5)}[payoff.kind]
    unit = hp or 1.0 / max_hp
    return hp, win, payoff.potion * unit, payoff.gain * unit


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

    def play_some(worker: int) -> None:
        room = Tree(_capacity(budget))
        room.prepare(game, payoff, budget)
        for number in range(worker, len(starts), n_threads):
            position = np.frombuffer(bytearray(starts[number]), np.uint64).reshape(1, -1).copy()
            room.luck.stream[0], room.dice.stream[0] = luck[number]
            fight = position.view(FIGHT)[0, 0]
            n_moves = work(game.record, fight, position, budget.simulations, True, *room.arrays())
            check_room(fight)
            hp = int(hp_left(game.record, fight))
            results[number] = hp, int(fight.over), n_moves, int(fight.used), int(fight.gained)

    if n_threads == 1:
        play_some(0)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            for done in [pool.submit(play_some, worker) for worker in range(n_threads)]:
                done.result()
    return results
