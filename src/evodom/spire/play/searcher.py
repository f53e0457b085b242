"""Search positions of a fight, and play fights by searching every move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError
from evodom.jit.kernel import compile_halves, prepare
from evodom.spire.engine.compiling import compile_engine
from evodom.spire.engine.game import SpireFight, State, check_room
from evodom.spire.engine.layout import CHANGE, DICE, FIGHT, LATE, LOST, NONE, PLAYING
from evodom.spire.engine.moves import hp_left, play
from evodom.spire.engine.rules import Setup
from evodom.spire.engine.turns import end_turn
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, INPUT, FeatureSpec, NetworkEvaluator
from evodom.spire.play.playouts import set_playout_policy
from evodom.spire.play.tasks import ADVANCE, PLAY, SEARCH, run_task
from evodom.spire.play.tree import EDGE, EDGES_PER_NODE, N_WORDS, NODE, NOTE, TREE, TrajectoryBuffers, Workspace
from evodom.spire.play.tree import HP as PAID_HP
from evodom.spire.play.tree import WIN as PAID_WIN
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver

RESULT = np.dtype([("hp", "<i4"), ("over", "<i4"), ("n_moves", "<i4"), ("used", "<i4"), ("gained", "<i4")])
"""How a fight went: the HP left, how it ended, moves searched or solved, potions used, maximum HP gained."""

PLAYED_OUT_EXPLORATION = 0.5
"""How curious a search is that plays positions out."""

LONGEST = 2000
"""A fight with more moves is not won in time: some could be drawn out for ever, where block is all that is played."""

NOTED = 300
"""So many moves of a fight are noted where it is noted at all."""


@dataclass(frozen=True)
class FightSearchOptions:
    """How a move is searched: how many simulations, how curious, and how often a new position is played out.

    With a network, positions are not played out: it judges them, or both count, as it says. With `gumbel`, so many
    moves of a position at most are considered, by sequential halving; with 0 all of them are, by PUCT. A position that
    the solver is done with in at most `solve_below` rows of its graph is solved, and not searched; with 0 none is.
    """

    simulations: int = 1000
    exploration: float | None = None
    rollouts: int = 4
    network: NetworkEvaluator | None = None
    gumbel: int = 0
    solve_below: int = 0

    @property
    def curiosity(self) -> float:
        """How curious the search is: what was given, or what plays best."""
        if self.exploration is not None:
            return self.exploration
        return PLAYED_OUT_EXPLORATION if self.network is None else self.network.exploration


@dataclass(frozen=True)
class ActionValue:
    """What a search found of one move, or the solver, which visits nothing."""

    move: int
    visits: int
    value: float
    death: float
    """The share of the fights that were lost after it."""
    prior: float = 0.0
    """How likely it was held to be the best before the search, as a share of 1; 0 where nothing was searched."""
    exact: bool = False
    """Whether the position was solved, so that the value is no estimate, and `death` is the chance to lose."""


@dataclass
class FightTree:
    """Room for a search, to be used by one thread."""

    capacity: int = 8192
    noted: int = 0
    words: npt.NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        self.words = np.zeros((self.capacity, N_WORDS), np.uint64)
        self.states = self.words.view(FIGHT)[:, 0]
        self.numbers = self.words.view(np.int16)
        self.nodes = np.zeros(self.capacity, NODE)
        self.edges = np.zeros(self.capacity * EDGES_PER_NODE, EDGE)
        self.table = np.full(self.capacity, NONE, np.int32)
        self.tree: Any = np.zeros(1, TREE)[0]
        self.forget()
        self.dice: Any = np.zeros(1, DICE)[0]
        self.luck: Any = np.zeros(1, DICE)[0]
        self.weights, self.inputs = np.zeros(1, np.float32), np.zeros(0, INPUT)
        self.solver: Solver | None = None
        self.game: SpireFight | None = None
        self._make_room(0, 0, 0)

    def work(self, game: SpireFight, position: npt.NDArray[np.uint64], simulations: int, task: int) -> int:
        """Do a task with a fight, whose words are row 0 of `position`: what `evodom.spire.play.tasks` says."""
        positions, tree = (self.words, self.states, self.numbers), (self.nodes, self.edges, self.table, self.tree)
        room = Workspace(*positions, *tree, self.dice, self.weights, self.inputs, self.scratch)
        notebook, fight = TrajectoryBuffers(self.seen, self.tried, self.notes), position.view(FIGHT)[0, 0]
        return int(run_task(game.record, room, notebook, fight, position, simulations, task, self.luck))

    def prepare(self, game: SpireFight, payoff: Payoff, budget: FightSearchOptions) -> None:
        """Say what is searched for, and how."""
        self.game = game
        tree = self.tree
        tree.payoff[:] = payoff.prices(game.rules.max_hp)
        tree.exploration, tree.rollouts = budget.curiosity, budget.rollouts
        tree.gumbel, tree.finishes, tree.longest = budget.gumbel, only_loses_hp(game), LONGEST
        set_playout_policy(tree.habits, game)
        tree.unit = tree.payoff[PAID_HP] * game.rules.max_hp + tree.payoff[PAID_WIN]
        if budget.solve_below:
            own = SpireFight(game.setup)  # which lists moves in room of its own: other threads solve too
            self.solver = Solver(own, payoff, SolverLimits(rows=budget.solve_below))
        if budget.network is not None:
            network = budget.network.of_fight(game)
            self.weights = network.weights
            tree.judged, tree.width = True, network.width
            tree.trust, tree.trust_moves = network.trust, network.trust_moves
            if network.trust == 1.0:
                tree.rollouts = 0
            if network.of_hp:
                tree.unit -= tree.payoff[PAID_WIN]
                tree.dear_death = tree.payoff[PAID_WIN]
            self.look_by(network.sight, game)

    def look_by(self, sight: FeatureSpec, game: SpireFight) -> None:
        """Say what a network is told of the fight."""
        self.inputs, self.tree.output[:] = sight.bound(game)
        self._make_room(len(self.inputs), int(self.tree.width), len(sight.outputs))

    def search(self, game: SpireFight, position: npt.NDArray[np.uint64], simulations: int) -> list[ActionValue]:
        """Search the position of these words; return what was found of each legal move, the best first.

        That is the most tried one, or that which was chosen.
        """
        root = self.work(game, position, simulations, SEARCH)
        first, n_edges = int(self.nodes[root]["first"]), int(self.nodes[root]["n"])
        found = [self._figures(edge, n_edges) for edge in self.edges[first : first + n_edges]]
        found.sort(key=lambda one: (-one.visits, -one.value))
        chosen = int(self.tree.chosen)
        if chosen != NONE:
            found.sort(key=lambda one: one.move != self.edges[chosen]["move"])
        return found

    def solve(self, state: State) -> list[ActionValue]:
        """Return the exact figures of a position that is small enough, the best first; none of any other."""
        if self.solver is None:
            return []
        try:
            return [ActionValue(one.move, 0, one.value, one.death, exact=True) for one in self.solver.moves(state)]
        except EvodomError:  # too large, too random, without an end: whatever it is, it can be searched
            return []

    def forget(self) -> None:
        """Let the next search begin with an empty tree."""
        self.tree.n_nodes = self.capacity

    def _figures(self, edge: Any, n_moves: int) -> ActionValue:
        """Return what was found of one of so many moves: of the position it leads to, or of all that came of it."""
        move, visits, prior = int(edge["move"]), int(edge["visits"]), float(edge["prior"]) / n_moves
        if edge["child"] != NONE and visits:
            child = self.nodes[edge["child"]]
            return ActionValue(move, visits, float(child["value"]), float(child["death"]), prior)
        value, death = float(edge["total"] / max(visits, 1)), float(edge["deaths"] / max(visits, 1))
        return ActionValue(move, visits, value, death, prior)

    def _make_room(self, n_inputs: int, width: int, n_outputs: int) -> None:
        """Make the arrays whose sizes are those of a network."""
        self.scratch = np.zeros(n_inputs + 2 * width + FIRST_MOVE_OUTPUT + n_outputs, np.float32)
        self.seen = np.zeros((self.noted, n_inputs), np.float32)
        self.tried = np.zeros((self.noted, max(n_outputs, 1)), np.float32)
        self.notes = np.zeros(self.noted, NOTE)


def capacity_of(budget: FightSearchOptions) -> int:
    """Return how many positions a tree has room for: those of a few moves."""
    return max(8192, 4 * budget.simulations)


class Searcher:
    """Searches positions of one fight; what it finds is kept from move to move."""

    def __init__(
        self, game: SpireFight, payoff: Payoff | None = None, budget: FightSearchOptions | None = None
    ) -> None:
        self.game = game
        self.payoff, self.budget = payoff or Payoff(), budget or FightSearchOptions()
        self._room = FightTree(capacity_of(self.budget))
        self._room.prepare(game, self.payoff, self.budget)

    def think(self, state: State, rng: np.random.Generator, simulations: int | None = None) -> list[ActionValue]:
        """Return what was found of each legal move, the best first: the most tried one, or that which was chosen.

        With a number of `simulations` it is searched even where it could be solved.
        """
        room = self._room
        room.dice.stream[0] = rng.integers(2**64, dtype=np.uint64)
        if simulations is None and (solved := room.solve(state)):
            return solved
        position = np.frombuffer(bytearray(state), np.uint64).reshape(1, -1)
        return room.search(self.game, position, self.budget.simulations if simulations is None else simulations)


def only_loses_hp(game: SpireFight) -> bool:
    """Tell whether it is never good to lose HP, or to go on for the sake of HP that are given back or gained."""
    rules, change = game.rules, game.record.change
    return not (rules.heals or rules.feed or any(rules.juice) or change[CHANGE["last_heal_low"]])


def play_fights(
    game: SpireFight,
    starts: Sequence[State],
    luck: npt.NDArray[np.uint64],
    payoff: Payoff,
    budget: FightSearchOptions,
    n_threads: int = 1,
) -> npt.NDArray[Any]:
    """Play fights to their ends by searching every move; return how they went, (n,) of RESULT.

    `luck` has two random streams a fight, (n, 2): what chance does in it, and what the search draws. The results are
    the same for any number of threads.
    """
    return play_games([game] * len(starts), starts, luck, payoff, budget, n_threads)[0]


def play_games(
    games: Sequence[SpireFight],
    starts: Sequence[State],
    luck: npt.NDArray[np.uint64],
    payoff: Payoff,
    budget: FightSearchOptions,
    n_threads: int = 1,
) -> tuple[npt.NDArray[Any], list[State]]:
    """Play a fight of each game as `play_fights` does; return how they went, (n,) of RESULT, and their last states.

    Fights of one game should be next to each other: a search prepares for a game once for all of them.
    """
    results = np.zeros(len(starts), RESULT)
    ends = list(starts)

    def play_one(room: FightTree, number: int) -> None:
        if room.game is not games[number]:
            room.prepare(games[number], payoff, budget)
        position = _position(starts[number])
        results[number] = _play_out(room, games[number], position, luck[number], budget.simulations)
        ends[number] = position.tobytes()

    run_in_threads(lambda: FightTree(capacity_of(budget)), play_one, len(starts), n_threads)
    return results, ends


def play_fight(room: FightTree, game: SpireFight, start: State, luck: npt.NDArray[np.uint64], simulations: int) -> Any:
    """Play a fight to its end in a room that is prepared, and return how it went, as in RESULT."""
    return _play_out(room, game, _position(start), luck, simulations)


def _position(state: State) -> npt.NDArray[np.uint64]:
    """Return a copy of a state as words, in row 0."""
    return np.frombuffer(bytearray(state), np.uint64).reshape(1, -1).copy()


def _play_out(
    room: FightTree, game: SpireFight, position: npt.NDArray[np.uint64], luck: npt.NDArray[np.uint64], simulations: int
) -> Any:
    """Play the fight whose words are row 0 of `position` to its end, and return how it went, as in RESULT."""
    room.luck.stream[0], room.dice.stream[0] = luck
    fight = position.view(FIGHT)[0, 0]
    if room.solver is None:
        n_moves = room.work(game, position, simulations, PLAY)
    else:
        n_moves = _play_move_by_move(room, game, position, simulations)
    check_room(fight)
    return int(hp_left(game.record, fight)), int(fight.over), n_moves, int(fight.used), int(fight.gained)


def _play_move_by_move(room: FightTree, game: SpireFight, position: npt.NDArray[np.uint64], simulations: int) -> int:
    """Play a fight to its end, and solve what is small enough; return how many moves were solved or searched."""
    fight = position.view(FIGHT)[0, 0]
    room.forget()
    longest = int(room.tree.longest)
    for n_moves in range(longest):
        room.work(game, position, simulations, ADVANCE)
        if fight.over != PLAYING:
            return n_moves
        best = (room.solve(fight.tobytes()) or room.search(game, position, simulations))[0]
        if n_moves < len(room.notes):
            room.notes["move"][n_moves] = best.move
        play(game.record, fight, best.move, room.luck)
    fight.over = LATE
    return longest


def run_in_threads(
    room: Callable[[], FightTree], task: Callable[[FightTree, int], None], n: int, n_threads: int
) -> None:
    """Do a task for each of n numbers, shared among threads that have a room each."""

    def do_some(worker: int) -> None:
        mine = room()
        for number in range(worker, n, n_threads):
            task(mine, number)

    if n_threads == 1:
        do_some(0)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(do_some, worker) for worker in range(n_threads)]:
            done.result()


def compile_fights() -> None:
    """Compile all kernels of playing and searching, or see that the cache has them."""
    compile_halves(compile_search, compile_engine)


def compile_search() -> None:
    """Compile what searches. A fight that is over is searched, so that no move is played: that takes the engine."""
    game = SpireFight(Setup())
    over = np.zeros(1, FIGHT)
    over["over"] = LOST
    Searcher(game, budget=FightSearchOptions(1, rollouts=1)).think(over.tobytes(), np.random.default_rng(0))
    # This half is done first, and so helps with the last part of the other.
    prepare(end_turn, game.record, over[0], np.zeros(1, DICE)[0])
