"""Play fights to their ends, every move searched: results, and the trajectories to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.jit.records import Words
from evodom.search.compiled import run_in_threads
from evodom.spire.engine.game import SpireFight, State, check_room
from evodom.spire.engine.layout import FIGHT, LATE, PLAYING
from evodom.spire.engine.moves import hp_left, play
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.network import FeatureSpec
from evodom.spire.play.searcher import FightSearchOptions, FightTree, words_of
from evodom.spire.play.tasks import ADVANCE, PLAY

RESULT = np.dtype([("hp", "<i4"), ("over", "<i4"), ("n_moves", "<i4"), ("used", "<i4"), ("gained", "<i4")])
"""Result of a fight: the HP left, how it ended, moves searched or solved, potions used, maximum HP gained."""

MAX_RECORDED = 300
"""Decisions of a fight that are recorded at most."""

Results = npt.NDArray[Any]
"""Results of fights, (n,) of RESULT."""

Seeds = npt.NDArray[np.uint64]
"""Two random streams for each fight, (n, 2): for its chance, and for the search."""


@dataclass(frozen=True)
class Trajectory:
    """The searched positions of a fight.

    `seen` (n, inputs) float32 are the features, `tried` (n, outputs) float32 shares of the visits, -1 for moves that
    are not legal, and `notes` (n,) of NOTE.
    """

    seen: npt.NDArray[np.float32]
    tried: npt.NDArray[np.float32]
    notes: npt.NDArray[Any]


@dataclass(frozen=True)
class SelfPlay:
    """What is recorded in self-play, and in which fights it explores: `explores` (n,).

    Exploration adds `noise` to the priors of each root, and plays moves in proportion to their visits.
    """

    features: FeatureSpec
    explores: npt.NDArray[np.bool_]
    noise: float


def play_fights(
    game: SpireFight,
    starts: Sequence[State],
    seeds: Seeds,
    payoff: Payoff,
    options: FightSearchOptions,
    n_threads: int = 1,
) -> Results:
    """Play fights to their ends and return their results, which are the same for any number of threads."""
    return play_games([game] * len(starts), starts, seeds, payoff, options, n_threads)[0]


def play_games(
    games: Sequence[SpireFight],
    starts: Sequence[State],
    seeds: Seeds,
    payoff: Payoff,
    options: FightSearchOptions,
    n_threads: int = 1,
) -> tuple[Results, list[State]]:
    """Play a fight of each game as `play_fights` does; return the results and the last states.

    Fights of one game should be next to each other: a tree is prepared for a game once for all of them.
    """
    results = np.zeros(len(starts), RESULT)
    ends = list(starts)

    def play_one(tree: FightTree, number: int) -> None:
        if tree.game is not games[number]:
            tree.prepare(games[number], payoff, options)
        position = words_of(starts[number])
        results[number] = _play_position(tree, position, seeds[number], options.simulations)
        ends[number] = position.tobytes()

    run_in_threads(lambda: FightTree(options.capacity), play_one, len(starts), n_threads)
    return results, ends


def play_trajectories(
    game: SpireFight,
    starts: Sequence[State],
    seeds: Seeds,
    payoff: Payoff,
    options: FightSearchOptions,
    self_play: SelfPlay,
    n_threads: int = 1,
) -> tuple[Results, list[Trajectory]]:
    """Play fights as `play_fights` does; return the results and the trajectories."""

    def make() -> FightTree:
        tree = FightTree(options.capacity, MAX_RECORDED)
        tree.prepare(game, payoff, options)
        tree.observe_by(self_play.features, game)
        tree.options.finishes = False  # positions before a lethal sequence are learned from too
        tree.options.longest = MAX_RECORDED
        tree.solver = None  # a solved position has no visits to learn from
        return tree

    results = np.zeros(len(starts), RESULT)
    trajectories: list[Any] = [None] * len(starts)

    def play_one(tree: FightTree, number: int) -> None:
        explores = bool(self_play.explores[number])
        tree.options.samples, tree.record.noise = explores, self_play.noise if explores else 0.0
        results[number] = play_fight(tree, starts[number], seeds[number], options.simulations)
        n = min(int(results[number]["n_moves"]), MAX_RECORDED)
        trajectories[number] = Trajectory(*(buffer[:n].copy() for buffer in tree.buffers))

    run_in_threads(make, play_one, len(starts), n_threads)
    return results, trajectories


def play_fight(tree: FightTree, start: State, seeds: Seeds, simulations: int) -> tuple[int, ...]:
    """Play a fight to its end in a tree that is prepared, and return its result as in RESULT."""
    return _play_position(tree, words_of(start), seeds, simulations)


def _play_position(tree: FightTree, position: Words, seeds: Seeds, simulations: int) -> tuple[int, ...]:
    """Play the fight whose words are row 0 of `position` to its end, and return its result as in RESULT."""
    tree.fight_chance.stream[0], tree.chance.stream[0] = seeds
    fight = position.view(FIGHT)[0, 0]
    if tree.solver is None:
        n_moves = tree.run(position, simulations, PLAY)
    else:
        n_moves = _play_move_by_move(tree, position, simulations)
    check_room(fight)
    assert tree.game is not None
    return int(hp_left(tree.game.record, fight)), int(fight.over), n_moves, int(fight.used), int(fight.gained)


def _play_move_by_move(tree: FightTree, position: Words, simulations: int) -> int:
    """Play a fight to its end, small positions solved; return how many moves were solved or searched."""
    fight = position.view(FIGHT)[0, 0]
    tree.forget()
    assert tree.game is not None
    for n_moves in range(tree.options.longest):
        tree.run(position, simulations, ADVANCE)
        if fight.over != PLAYING:
            return n_moves
        best = (tree.solve(fight.tobytes()) or tree.search_position(position, simulations))[0]
        if n_moves < len(tree.buffers.notes):
            tree.buffers.notes["move"][n_moves] = best.action
        play(tree.game.record, fight, best.action, tree.fight_chance)
    fight.over = LATE
    return tree.options.longest
