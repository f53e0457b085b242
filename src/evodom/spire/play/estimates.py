"""Estimate a fight by playing it many times, every move searched: the HP left, the chance to lose, the regret.

The regret of a move is its loss of exact value. The sum over a fight is, on average, the distance to the optimum,
without the luck of the fight: the regret of 100 fights has a smaller standard error than the mean result of 10,000.

Equal seeds mean equal luck (common random numbers): other decks and other searches are compared fight by fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError, UsageError
from evodom.search.compiled import run_in_threads
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DICE, FIGHT, FLED, LATE, LOST, WON, Dice, FightRecord
from evodom.spire.engine.moves import N_MOVES, legal, play
from evodom.spire.fights.fight import Fight, Payoff
from evodom.spire.fights.states import state_of
from evodom.spire.play.episodes import MAX_RECORDED, RESULT, Results, Seeds, play_fight, play_fights
from evodom.spire.play.searcher import FightSearchOptions, FightTree
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver
from evodom.statistics import IntervalEstimate, Share, mean_interval, wilson

FIGHTS_PER_REPORT = 8
"""Fights of a thread between two reports of progress."""

FIGHTS_PER_GRAPH = 100
"""Fights whose positions are solved in one graph."""

Progress = Callable[[int], None]
"""Called with the number of fights done since the last call."""


@dataclass(frozen=True)
class Estimate:
    """Results of many fights (n,) of RESULT, their payoffs (n,) float64, and the encounter of each."""

    results: Results
    values: npt.NDArray[np.float64]
    encounters: tuple[str, ...]

    @property
    def hp(self) -> IntervalEstimate:
        """The HP that are left, 0 if the fight was lost."""
        return mean_interval(self.results["hp"].astype(np.float64))

    @property
    def value(self) -> IntervalEstimate:
        """The payoff of a fight."""
        return mean_interval(self.values)

    @property
    def death(self) -> Share:
        """The chance to lose (Wilson's interval)."""
        return wilson(int(np.isin(self.results["over"], (LOST, LATE)).sum()), len(self.results))

    @property
    def potions_used(self) -> float:
        """The mean number of potions used in a fight."""
        return float(self.results["used"].mean())

    @property
    def hp_by_encounter(self) -> dict[str, IntervalEstimate]:
        """The HP that are left, by encounter, in the order of their names."""
        names = np.array(self.encounters)
        hp = self.results["hp"].astype(float)
        return {name: mean_interval(hp[names == name]) for name in sorted(set(self.encounters))}

    def minus(self, other: Estimate) -> IntervalEstimate:
        """Return the difference in payoff to an estimate with the same seed, fight by fight."""
        return mean_interval(self.values - other.values)


def estimate(
    fight: Fight,
    n_games: int,
    options: FightSearchOptions,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Estimate:
    """Play a fight `n_games` times. The results are the same for any number of threads."""
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
        for begin in range(0, len(numbers), FIGHTS_PER_REPORT * n_threads):
            some = numbers[begin : begin + FIGHTS_PER_REPORT * n_threads]
            starts, seeds = starts_and_seeds(game, some, seed)
            if fight.state is not None:
                starts = [state_of(fight, game)] * len(some)
            results[some] = play_fights(game, starts, seeds, fight.payoff, options, n_threads)
            values[some] = paid(results[some], fight.payoff, game.rules.max_hp)
            if progress:
                progress(len(some))
        for number in numbers:
            names[number] = name
    return Estimate(results, values, tuple(names))


def estimate_all(
    fights: Mapping[str, tuple[Fight, FightSearchOptions]],
    n_games: int,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> dict[str, Estimate]:
    """Estimate several fights with the same luck, by their names."""
    return {
        name: estimate(fight, n_games, options, seed, n_threads, progress) for name, (fight, options) in fights.items()
    }


def ranked(found: Mapping[str, Estimate]) -> list[str]:
    """Return the names of estimates, the highest mean payoff first."""
    return sorted(found, key=lambda name: -found[name].value.value)


def paid(results: Results, payoff: Payoff, max_hp: int) -> npt.NDArray[np.float64]:
    """Return the payoffs of fights, (n,) float64."""
    hp, win, potion, gain = payoff.prices(max_hp)
    won = results["over"] == WON
    value = hp * results["hp"] + win * (won | (results["over"] == FLED)) - potion * results["used"]
    return np.asarray(value + gain * results["gained"] * won, np.float64)


def starts_and_seeds(game: SpireFight, numbers: Sequence[int], seed: int) -> tuple[list[State], Seeds]:
    """Return the first states of the fights with these numbers, and their seeds."""
    starts = [game.start(_generator(seed, number, 1)) for number in numbers]
    seeds = [_generator(seed, number, 2).integers(2**64, size=2, dtype=np.uint64) for number in numbers]
    return starts, np.array(seeds)


def _generator(seed: int, number: int, use: int) -> np.random.Generator:
    """Return the random stream of a fight: 0 for its encounter, 1 for its start, 2 for its course."""
    return np.random.default_rng((seed, number, use))


def regret(
    game: SpireFight,
    payoff: Payoff,
    options: FightSearchOptions,
    n_games: int,
    seed: int,
    n_threads: int = 1,
    limits: SolverLimits | None = None,
) -> tuple[npt.NDArray[np.float64], Results]:
    """Play the fights of `estimate` with one encounter; return the regret of each, (n,), and the results.

    Raises FightTooLarge if the fight cannot be solved within the limits.
    """
    starts, seeds = starts_and_seeds(game, range(n_games), seed)
    results, moves = np.zeros(n_games, RESULT), [np.zeros(0, np.int32)] * n_games

    def make() -> FightTree:
        tree = FightTree(options.capacity, MAX_RECORDED)
        tree.prepare(game, payoff, options)
        tree.options.finishes = False
        return tree

    def play_one(tree: FightTree, number: int) -> None:
        results[number] = play_fight(tree, starts[number], seeds[number], options.simulations)
        moves[number] = tree.buffers.notes["move"][: results[number]["n_moves"]].copy()

    run_in_threads(make, play_one, n_games, n_threads)
    if results["n_moves"].max() > MAX_RECORDED:
        raise EvodomError(f"the regret of fights with more than {MAX_RECORDED} decisions cannot be computed")
    found = np.zeros(n_games)
    for first in range(0, n_games, FIGHTS_PER_GRAPH):
        some = range(first, min(first + FIGHTS_PER_GRAPH, n_games))
        log = [
            (number, *step)
            for number in some
            for step in _replayed(game, starts[number], seeds[number], moves[number].tolist())
        ]
        values = Solver(game, payoff, limits).positions([state for _, state, _ in log])
        for (number, _, move), value in zip(log, values, strict=True):
            found[number] += max(value.values()) - value[move]
    return found, results


def _replayed(game: SpireFight, start: State, seeds: Seeds, moves: Sequence[int]) -> Iterator[tuple[State, int]]:
    """Yield the decisions of a fight that was played: the position and the move."""
    record: Any = np.frombuffer(bytearray(start), FIGHT)[0]
    fight: FightRecord = record
    dice: Dice = np.zeros(1, DICE)[0]
    dice.stream[0] = seeds[0]
    left, found = iter(moves), np.zeros(N_MOVES, np.int32)
    while not fight.over:
        n, move = legal(game.record, fight, found), int(found[0])
        if n > 1:
            move = int(next(left))
            yield record.tobytes(), move
        play(game.record, fight, move, dice)
