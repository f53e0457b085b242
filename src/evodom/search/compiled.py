"""The compiled tree from Python: its arrays, its results, and trees in threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from evodom.games.compiled import GameRecord
from evodom.jit.kernel import Words
from evodom.search.options import ActionEstimate
from evodom.search.tree import EDGE, NODE, NONE, SearchWorkspace, search, search_dtype

EDGES_PER_NODE = 12

T = TypeVar("T")


class CompiledTree:
    """Arrays of a search for states of a dtype, with `capacity` nodes. Use them in one thread only.

    The game's kernel `evaluate` reads `evaluator` from the workspace.
    """

    def __init__(
        self, state: "np.dtype[Any]", chance: "np.dtype[Any]", n_actions: int, capacity: int, evaluator: object = 0
    ) -> None:
        self.words: Words = np.zeros((capacity, state.itemsize // 8), np.uint64)
        self.states = self.words.view(state)[:, 0]
        self.nodes = np.zeros(capacity, NODE)
        self.edges = np.zeros(capacity * EDGES_PER_NODE, EDGE)
        self.table = np.full(capacity, NONE, np.int32)
        self.record: Any = np.zeros(1, search_dtype(n_actions))[0]
        self.chance: Any = np.zeros(1, chance)[0]
        self.evaluator = evaluator
        self.clear()

    @property
    def workspace(self) -> SearchWorkspace:
        """The arrays as the argument of kernels."""
        arrays = self.words, self.states, self.nodes, self.edges, self.table
        return SearchWorkspace(*arrays, self.record, self.chance, self.evaluator)

    def search(self, rules: GameRecord, position: Words, simulations: int) -> list[ActionEstimate[int]]:
        """Search the position in row 0 of `position` and return its actions, the best first."""
        return self.action_values(search(rules, self.workspace, position, simulations))

    def action_values(self, root: int) -> list[ActionEstimate[int]]:
        """Return the actions of a root that was searched: the chosen one, then by visits and value."""
        first, n = int(self.nodes[root]["first"]), int(self.nodes[root]["n"])
        found = [self._action_value(edge, n) for edge in self.edges[first : first + n]]
        found.sort(key=lambda one: (-one.visits, -one.value))
        chosen = int(self.record.chosen)
        if chosen != NONE:
            found.sort(key=lambda one: one.action != self.edges[chosen]["action"])
        return found

    def clear(self) -> None:
        """Begin the next search with an empty tree."""
        self.record.n_nodes = len(self.nodes)

    def _action_value(self, edge: Any, n_actions: int) -> ActionEstimate[int]:
        action, visits, prior = int(edge["action"]), int(edge["visits"]), float(edge["prior"]) / n_actions
        if edge["child"] != NONE and visits:
            child = self.nodes[edge["child"]]
            return ActionEstimate(action, visits, float(child["value"]), prior, loss_probability=float(child["loss"]))
        value, loss = float(edge["total"] / max(visits, 1)), float(edge["losses"] / max(visits, 1))
        return ActionEstimate(action, visits, value, prior, loss_probability=loss)


def run_in_threads(make: Callable[[], T], task: Callable[[T, int], None], n: int, n_threads: int) -> None:
    """Call `task(object, number)` for each number below `n`, in threads. Each thread has one object from `make`."""

    def run_some(worker: int) -> None:
        own = make()
        for number in range(worker, n, n_threads):
            task(own, number)

    if n_threads == 1:
        run_some(0)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(run_some, worker) for worker in range(n_threads)]:
            done.result()
