"""Self-play: fights played by searching, with the trajectory of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.spire.engine.game import SpireFight, State
from evodom.spire.fights.fight import Payoff
from evodom.spire.play.network import FeatureSpec
from evodom.spire.play.searcher import (
    NOTED,
    RESULT,
    FightSearchOptions,
    FightTree,
    capacity_of,
    play_fight,
    run_in_threads,
)


@dataclass(frozen=True)
class Trajectory:
    """What was noted of the moves of a fight.

    `seen` (n, inputs) float32 are the positions, `tried` (n, outputs) float32 shares of the visits, -1 for what was not
    legal, and `notes` (n,) of NOTE.
    """

    seen: npt.NDArray[np.float32]
    tried: npt.NDArray[np.float32]
    notes: npt.NDArray[Any]


def play_trajectories(
    game: SpireFight,
    starts: Sequence[State],
    luck: npt.NDArray[np.uint64],
    payoff: Payoff,
    budget: FightSearchOptions,
    sight: FeatureSpec,
    varied: npt.NDArray[np.bool_],
    noise: float,
    n_threads: int = 1,
) -> tuple[npt.NDArray[Any], list[Trajectory]]:
    """Play fights as `play_fights` does, and note what happens; return how they went, (n,) of RESULT, and the notes.

    In fights that are `varied`, (n,), there is noise in the priors, and moves are played in proportion to their visits.
    """

    def room() -> FightTree:
        tree = FightTree(capacity_of(budget), NOTED)
        tree.prepare(game, payoff, budget)
        tree.look_by(sight, game)
        tree.tree.finishes = False  # positions in which a kill is at hand are learned from too
        tree.tree.longest = NOTED  # what is drawn out further teaches nothing, but that it is not won
        tree.solver = None  # what is solved has no visits to learn from
        return tree

    results = np.zeros(len(starts), RESULT)
    notes: list[Any] = [None] * len(starts)

    def play_one(room: FightTree, number: int) -> None:
        room.tree.varied, room.tree.noise = varied[number], noise if varied[number] else 0.0
        results[number] = play_fight(room, game, starts[number], luck[number], budget.simulations)
        n = min(int(results[number]["n_moves"]), NOTED)
        notes[number] = Trajectory(room.seen[:n].copy(), room.tried[:n].copy(), room.notes[:n].copy())

    run_in_threads(room, play_one, len(starts), n_threads)
    return results, notes
