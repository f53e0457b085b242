"""Judge play by exact values: how much each move gives away.

What a fight pays is what it is worth at its start, plus luck, minus what its moves give away. The sum of what is given
away is on average the distance to the optimum, and has none of the luck in it: a hundred fights tell more than ten
thousand results do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DICE, FIGHT
from evodom.spire.engine.moves import N_MOVES, legal, play
from evodom.spire.fights.fight import Payoff
from evodom.spire.search.estimates import luck_of
from evodom.spire.search.player import NOTED, RESULT, Budget, Tree, by_threads, capacity_of, play_fight
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver

AT_ONCE = 100
"""Fights that are judged in one graph."""


def given_away(
    game: SpireFight,
    payoff: Payoff,
    budget: Budget,
    n_games: int,
    seed: int,
    n_threads: int = 1,
    limits: SolverLimits | None = None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """Play fights by searching every move; return what the moves of each give away, (n,), and how they went, (n,).

    They are the fights that `estimate` plays with this seed, of one encounter. `TooLarge` if the fight cannot be solved
    within the limits.
    """
    starts, luck = luck_of(game, range(n_games), seed)
    results, moves = np.zeros(n_games, RESULT), [np.zeros(0, np.int32)] * n_games

    def room() -> Tree:
        tree = Tree(capacity_of(budget), NOTED)
        tree.prepare(game, payoff, budget)
        tree.tree.finishes = False
        return tree

    def play_one(room: Tree, number: int) -> None:
        results[number] = play_fight(room, game, starts[number], luck[number], budget.simulations)
        moves[number] = room.notes["move"][: results[number]["n_moves"]].copy()

    by_threads(room, play_one, n_games, n_threads)
    if results["n_moves"].max() > NOTED:
        raise EvodomError(f"fights of more than {NOTED} decisions are not judged")
    given = np.zeros(n_games)
    for first in range(0, n_games, AT_ONCE):
        some = range(first, min(first + AT_ONCE, n_games))
        log = [
            (number, *step)
            for number in some
            for step in _replayed(game, starts[number], luck[number], moves[number].tolist())
        ]
        values = Solver(game, payoff, limits).positions([state for _, state, _ in log])
        for (number, _, move), value in zip(log, values, strict=True):
            given[number] += max(value.values()) - value[move]
    return given, results


def _replayed(game: SpireFight, start: State, luck: Any, moves: Sequence[int]) -> Iterator[tuple[State, int]]:
    """Give the decisions of a fight that was played: the position, and the move that was chosen."""
    fight, dice = np.frombuffer(bytearray(start), FIGHT)[0], np.zeros(1, DICE)[0]
    dice.stream[0] = luck[0]
    left, found = iter(moves), np.zeros(N_MOVES, np.int32)
    while not fight.over:
        n, move = legal(game.record, fight, found), int(found[0])
        if n > 1:
            move = int(next(left))
            yield fight.tobytes(), move
        play(game.record, fight, move, dice)
