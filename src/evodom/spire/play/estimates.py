"""Estimate a fight by playing it many times, every move searched: the HP left, the chance to lose, the regret.

The regret of a move is its loss of exact value. The sum over a fight is, on average, the distance to the optimum,
without the luck of the fight: the regret of 100 fights has a smaller standard error than the mean result of 10,000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError, UsageError
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DICE, FIGHT, FLED, LATE, LOST, WON
from evodom.spire.engine.moves import N_MOVES, legal, play
from evodom.spire.fights.fight import Fight, Payoff
from evodom.spire.fights.states import state_of
from evodom.spire.play.searcher import (
    NOTED,
    RESULT,
    FightSearchOptions,
    FightTree,
    capacity_of,
    play_fight,
    play_fights,
    run_in_threads,
)
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver
from evodom.statistics import IntervalEstimate, Share, mean_interval, wilson

AT_ONCE = 8
"""Fights a thread plays between two looks at the progress."""

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Estimate:
    """How many fights went: `results` are (n,) of RESULT, `values` what they paid, (n,) float64."""

    results: npt.NDArray[Any]
    values: npt.NDArray[np.float64]
    encounters: tuple[str, ...]
    """Which encounter each of them was."""

    @property
    def hp(self) -> IntervalEstimate:
        """The HP that are left, 0 if it was lost."""
        return mean_interval(self.results["hp"].astype(np.float64))

    @property
    def value(self) -> IntervalEstimate:
        """What a fight pays."""
        return mean_interval(self.values)

    @property
    def death(self) -> Share:
        """The chance to lose (Wilson's interval)."""
        return wilson(int(np.isin(self.results["over"], (LOST, LATE)).sum()), len(self.results))


def estimate(
    fight: Fight,
    n_games: int,
    budget: FightSearchOptions,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Estimate:
    """Play a fight `n_games` times. Equal seeds are equal luck: fights with other decks can be compared game by game.

    The results are the same for any number of threads.
    """
    games: list[tuple[str, SpireFight]] = []
    weights = []
    for name, chance, setup in fight.parts():
        games.append((name, SpireFight(setup)))
        weights.append(float(chance))
    if fight.state is not None and len(games) > 1:
        raise UsageError("a fight that has begun is against known enemies; name one encounter")
    results, values = np.zeros(n_games, RESULT), np.zeros(n_games)
    names = [""] * n_games
    chosen = [int(_generator(seed, number, 0).choice(len(games), p=weights)) for number in range(n_games)]
    for part, (name, game) in enumerate(games):
        numbers = [number for number in range(n_games) if chosen[number] == part]
        for begin in range(0, len(numbers), AT_ONCE * n_threads):
            some = numbers[begin : begin + AT_ONCE * n_threads]
            results[some] = _played(fight, game, some, budget, seed, n_threads)
            values[some] = paid(results[some], fight.payoff, game.rules.max_hp)
            if progress:
                progress(len(some))
        for number in numbers:
            names[number] = name
    return Estimate(results, values, tuple(names))


def paid(results: npt.NDArray[Any], payoff: Payoff, max_hp: int) -> npt.NDArray[np.float64]:
    """Return what fights pay, (n,) float64."""
    hp, win, potion, gain = payoff.prices(max_hp)
    won = results["over"] == WON
    value = hp * results["hp"] + win * (won | (results["over"] == FLED)) - potion * results["used"]
    return np.asarray(value + gain * results["gained"] * won, np.float64)


def _played(
    fight: Fight, game: SpireFight, numbers: list[int], budget: FightSearchOptions, seed: int, n_threads: int
) -> Any:
    """Play the fights of these numbers."""
    starts, luck = starts_and_seeds(game, numbers, seed)
    if fight.state is not None:
        starts = [state_of(fight, game)] * len(numbers)
    return play_fights(game, starts, luck, fight.payoff, budget, n_threads)


def starts_and_seeds(game: SpireFight, numbers: Sequence[int], seed: int) -> tuple[list[State], npt.NDArray[np.uint64]]:
    """Return the starts of the fights with these numbers, and the luck in them, (n, 2) as in `play_fights`."""
    starts = [game.start(_generator(seed, number, 1)) for number in numbers]
    luck = [_generator(seed, number, 2).integers(2**64, size=2, dtype=np.uint64) for number in numbers]
    return starts, np.array(luck)


def _generator(seed: int, number: int, use: int) -> np.random.Generator:
    """Return the random stream of a fight: 0 which encounter, 1 how it starts, 2 what happens in it."""
    return np.random.default_rng((seed, number, use))


FIGHTS_PER_GRAPH = 100
"""Fights that are judged in one graph."""


def regret(
    game: SpireFight,
    payoff: Payoff,
    budget: FightSearchOptions,
    n_games: int,
    seed: int,
    n_threads: int = 1,
    limits: SolverLimits | None = None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[Any]]:
    """Play fights by searching every move; return what the moves of each give away, (n,), and how they went, (n,).

    They are the fights that `estimate` plays with this seed, of one encounter. `TooLarge` if the fight cannot be solved
    within the limits.
    """
    starts, luck = starts_and_seeds(game, range(n_games), seed)
    results, moves = np.zeros(n_games, RESULT), [np.zeros(0, np.int32)] * n_games

    def room() -> FightTree:
        tree = FightTree(capacity_of(budget), NOTED)
        tree.prepare(game, payoff, budget)
        tree.tree.finishes = False
        return tree

    def play_one(room: FightTree, number: int) -> None:
        results[number] = play_fight(room, game, starts[number], luck[number], budget.simulations)
        moves[number] = room.notes["move"][: results[number]["n_moves"]].copy()

    run_in_threads(room, play_one, n_games, n_threads)
    if results["n_moves"].max() > NOTED:
        raise EvodomError(f"fights of more than {NOTED} decisions are not judged")
    given = np.zeros(n_games)
    for first in range(0, n_games, FIGHTS_PER_GRAPH):
        some = range(first, min(first + FIGHTS_PER_GRAPH, n_games))
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
