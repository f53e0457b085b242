"""Play fights to their ends by search: results, trajectories, mean payoffs, and the regret of moves.

Open it to compare decks, payoffs or searches.

The regret of a move is the exact value that it loses against the best move. The mean regret of a fight estimates the
distance of a search from the optimum. Chance affects it little: the standard error of the mean regret in 100 fights is
smaller than that of the mean payoff in 10,000 fights.

Fights with equal seeds have equal random outcomes (common random numbers). So comparisons of decks or searches pair
their fights.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.errors import EvodomError, UsageError
from evodom.jit.kernel import Words
from evodom.options import checked_seed
from evodom.spire.engine.game import SpireFight, State, check_overflow
from evodom.spire.engine.layout import DICE, FIGHT, FLED, LATE, LOST, PLAYING, WON, Dice, FightRecord
from evodom.spire.engine.moves import N_MOVES, hp_left, legal, play
from evodom.spire.fights.fight import Fight, Payoff
from evodom.spire.fights.states import state_from_fight
from evodom.spire.play.network import FeatureSpec
from evodom.spire.play.searcher import FightSearchOptions, FightTree, state_words
from evodom.spire.play.tree_search import ADVANCE, PLAY
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver
from evodom.statistics import IntervalEstimate, Share, mean_interval, wilson

RESULT = np.dtype([("hp", "<i4"), ("over", "<i4"), ("n_moves", "<i4"), ("used", "<i4"), ("gained", "<i4")])
"""Result of a fight.

hp       HP left
over     how it ended: WON, LOST, FLED or LATE
n_moves  number of moves that were searched or solved
used     number of potions used
gained   maximum HP gained
"""

MAX_RECORDED = 300
"""Maximum number of recorded decisions of a fight."""

Results = npt.NDArray[Any]
"""Results of fights, (n,) of RESULT."""

Seeds = npt.NDArray[np.uint64]
"""Seeds of two random streams for each fight, (n, 2): of the fight's chance and of the search."""


@dataclass(frozen=True)
class Trajectory:
    """The searched positions of a fight.

    Arrays: `features` (n, inputs) float32, `visit_shares` (n, outputs) float32 with -1 for illegal moves, and `steps`
    (n,) of STEP.
    """

    features: npt.NDArray[np.float32]
    visit_shares: npt.NDArray[np.float32]
    steps: npt.NDArray[Any]


@dataclass(frozen=True)
class SelfPlay:
    """Settings of self-play: the recorded features, and whether each fight explores, (n,).

    A fight that explores adds `noise` to the priors of each root, and samples moves in proportion to their visits.
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
    """Play fights to their ends. Return their results, which do not depend on the number of threads."""
    return play_fights_of_games([game] * len(starts), starts, seeds, payoff, options, n_threads)[0]


def play_fights_of_games(
    games: Sequence[SpireFight],
    starts: Sequence[State],
    seeds: Seeds,
    payoff: Payoff,
    options: FightSearchOptions,
    n_threads: int = 1,
) -> tuple[Results, list[State]]:
    """Play a fight of each game like `play_fights`. Return the results and the last states.

    Sort the fights by game: a thread configures its search again whenever the game changes.
    """
    return _play(games, starts, seeds, lambda tree, game: tree.prepare(game, payoff, options), options, n_threads)[:2]


def play_trajectories(
    game: SpireFight,
    starts: Sequence[State],
    seeds: Seeds,
    payoff: Payoff,
    options: FightSearchOptions,
    self_play: SelfPlay | None = None,
    n_threads: int = 1,
) -> tuple[Results, list[Trajectory]]:
    """Play fights like `play_fights`. Return the results and the trajectories.

    Without `self_play` there is no exploration, and trajectories have no features.
    """

    def prepare(tree: FightTree, game: SpireFight) -> None:
        tree.prepare(game, payoff, options)
        tree.options.plays_lethal_moves = False  # positions before a lethal sequence are recorded too
        if self_play is not None:
            tree.set_features(self_play.features, game)
            tree.options.max_moves = MAX_RECORDED
            tree.solver = None  # a solved position has no visits to learn from

    def set_exploration(tree: FightTree, number: int) -> None:
        if self_play is not None:
            explores = bool(self_play.explores[number])
            tree.options.samples_moves, tree.record.noise = explores, self_play.noise if explores else 0.0

    games = [game] * len(starts)
    results, _, trajectories = _play(
        games, starts, seeds, prepare, options, n_threads, before_fight=set_exploration, n_recorded=MAX_RECORDED
    )
    return results, trajectories


def _play(
    games: Sequence[SpireFight],
    starts: Sequence[State],
    seeds: Seeds,
    prepare: Callable[[FightTree, SpireFight], None],
    options: FightSearchOptions,
    n_threads: int,
    before_fight: Callable[[FightTree, int], None] = lambda tree, number: None,
    n_recorded: int = 0,
) -> tuple[Results, list[State], list[Trajectory]]:
    """Play fights to their ends in threads.

    Call `prepare` to configure a tree for another game, and `before_fight` with the index of each fight.
    """
    results = np.zeros(len(starts), RESULT)
    last_states = list(starts)
    trajectories: list[Any] = [None] * len(starts)

    def play_one(tree: FightTree, number: int) -> None:
        if tree.game is not games[number]:
            prepare(tree, games[number])
        before_fight(tree, number)
        position = state_words(starts[number])
        results[number] = _play_position(tree, position, seeds[number], options.simulations)
        last_states[number] = position.tobytes()
        n = min(int(results[number]["n_moves"]), n_recorded)
        trajectories[number] = Trajectory(*(buffer[:n].copy() for buffer in tree.buffers))

    _run_in_threads(lambda: FightTree(options.capacity, n_recorded), play_one, len(starts), n_threads)
    return results, last_states, trajectories


def _play_position(tree: FightTree, position: Words, seeds: Seeds, simulations: int) -> tuple[int, ...]:
    """Play the fight whose words are row 0 of `position` to its end. Return its result as in RESULT."""
    tree.fight_chance.stream[0], tree.chance.stream[0] = seeds
    fight = position.view(FIGHT)[0, 0]
    if tree.solver is None:
        n_moves = tree.run(position, simulations, PLAY)
    else:
        n_moves = _play_move_by_move(tree, position, simulations)
    check_overflow(fight)
    assert tree.game is not None
    return int(hp_left(tree.game.record, fight)), int(fight.over), n_moves, int(fight.used), int(fight.gained)


def _play_move_by_move(tree: FightTree, position: Words, simulations: int) -> int:
    """Play a fight to its end. Solve small positions and search the others. Return the number of these positions."""
    fight = position.view(FIGHT)[0, 0]
    tree.clear()
    assert tree.game is not None
    for n_moves in range(tree.options.max_moves):
        tree.run(position, simulations, ADVANCE)
        if fight.over != PLAYING:
            return n_moves
        best = (tree.solve(fight.tobytes()) or tree.search_position(position, simulations))[0]
        if n_moves < len(tree.buffers.steps):
            tree.buffers.steps["move"][n_moves] = best.action
        play(tree.game.record, fight, best.action, tree.fight_chance)
    fight.over = LATE
    return tree.options.max_moves


FIGHTS_PER_REPORT = 8
"""Number of fights per thread between two calls of `progress`."""

FIGHTS_PER_GRAPH = 100
"""Maximum number of fights whose positions `regret` solves together, in one graph of positions."""

Progress = Callable[[int], None]
"""Function that receives the number of fights finished since the last call."""


@dataclass(frozen=True)
class Estimate:
    """Results of n fights: `results` is (n,) of RESULT, `values` are payoffs, `encounters` the names of encounters."""

    results: Results
    values: npt.NDArray[np.float64]
    encounters: tuple[str, ...]

    @property
    def hp(self) -> IntervalEstimate:
        """HP left, 0 if the fight was lost."""
        return mean_interval(self.results["hp"].astype(np.float64))

    @property
    def value(self) -> IntervalEstimate:
        """Payoff of a fight."""
        return mean_interval(self.values)

    @property
    def death(self) -> Share:
        """Probability of losing (Wilson's interval). Fights not won in time count as lost."""
        return wilson(int(np.isin(self.results["over"], (LOST, LATE)).sum()), len(self.results))

    @property
    def potions_used(self) -> float:
        """Mean number of potions used in a fight."""
        return float(self.results["used"].mean())

    @property
    def hp_by_encounter(self) -> dict[str, IntervalEstimate]:
        """HP left by encounter, sorted by name."""
        names = np.array(self.encounters)
        hp = self.results["hp"].astype(float)
        return {name: mean_interval(hp[names == name]) for name in sorted(set(self.encounters))}

    def minus(self, other: "Estimate") -> IntervalEstimate:
        """Return the mean paired difference in payoff to an estimate with the same seed."""
        return mean_interval(self.values - other.values)


def estimate(
    fight: Fight,
    n_games: int,
    options: FightSearchOptions,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Estimate:
    """Play a fight `n_games` times. The results do not depend on the number of threads.

    Draw the encounters of all fights first, then play the fights of each encounter.
    """
    fight.payoff.check_mean()
    parts = list(fight.encounter_setups())
    games, weights = [SpireFight(setup) for *_, setup in parts], [float(chance) for _, chance, _ in parts]
    if fight.state is not None and len(games) > 1:
        raise UsageError("a fight that has begun is against known enemies; name one encounter")
    results, values = np.zeros(n_games, RESULT), np.zeros(n_games)
    chosen = [int(_generator(seed, number, 0).choice(len(games), p=weights)) for number in range(n_games)]
    for index, game in enumerate(games):
        numbers = [number for number in range(n_games) if chosen[number] == index]
        for begin in range(0, len(numbers), FIGHTS_PER_REPORT * n_threads):
            batch = numbers[begin : begin + FIGHTS_PER_REPORT * n_threads]
            starts, seeds = starts_and_seeds(game, batch, seed)
            if fight.state is not None:
                starts = [state_from_fight(fight, game)] * len(batch)
            results[batch] = play_fights(game, starts, seeds, fight.payoff, options, n_threads)
            values[batch] = payoffs(results[batch], fight.payoff, game.rules.max_hp)
            if progress:
                progress(len(batch))
    return Estimate(results, values, tuple(parts[index][0] for index in chosen))


def ranked(found: Mapping[str, Estimate]) -> list[str]:
    """Return the names of estimates, highest mean payoff first."""
    return sorted(found, key=lambda name: -found[name].value.value)


def payoffs(results: Results, payoff: Payoff, max_hp: int) -> npt.NDArray[np.float64]:
    """Return the payoffs of fights, (n,) float64."""
    hp, win, potion, gain = payoff.prices(max_hp)
    survived = np.isin(results["over"], (WON, FLED))
    value = hp * results["hp"] - potion * results["used"] + (win + gain * results["gained"]) * survived
    return np.asarray(value, np.float64)


def starts_and_seeds(game: SpireFight, numbers: Sequence[int], seed: int) -> tuple[list[State], Seeds]:
    """Return the initial states of the fights with these numbers, and their seeds."""
    starts = [game.start(_generator(seed, number, 1)) for number in numbers]
    seeds = [_generator(seed, number, 2).integers(2**64, size=2, dtype=np.uint64) for number in numbers]
    return starts, np.array(seeds)


def _generator(seed: int, number: int, purpose: int) -> np.random.Generator:
    """Return a random generator of a fight. `purpose`: 0 for its encounter, 1 for its start, 2 for its seeds."""
    return np.random.default_rng((checked_seed(seed, 64), number, purpose))


def regret(
    game: SpireFight,
    payoff: Payoff,
    options: FightSearchOptions,
    n_games: int,
    seed: int,
    n_threads: int = 1,
    limits: SolverLimits | None = None,
) -> tuple[npt.NDArray[np.float64], Results]:
    """Play the fights that `estimate` plays for a single encounter. Return the regret of each, (n,), and the results.

    Raise `FightTooLarge` if the fight cannot be solved within the limits.
    """
    starts, seeds = starts_and_seeds(game, range(n_games), seed)
    results, trajectories = play_trajectories(game, starts, seeds, payoff, options, n_threads=n_threads)
    if results["n_moves"].max() > MAX_RECORDED:
        raise EvodomError(f"the regret of fights with more than {MAX_RECORDED} decisions cannot be computed")
    regrets = np.zeros(n_games)
    for begin in range(0, n_games, FIGHTS_PER_GRAPH):
        batch = range(begin, min(begin + FIGHTS_PER_GRAPH, n_games))
        log = [
            (number, *step)
            for number in batch
            for step in _replayed(game, starts[number], seeds[number], trajectories[number].steps["move"].tolist())
        ]
        values = Solver(game, payoff, limits).move_values([state for _, state, _ in log])
        for (number, _, move), value in zip(log, values, strict=True):
            regrets[number] += max(value.values()) - value[move]
    return regrets, results


def _replayed(game: SpireFight, start: State, seeds: Seeds, moves: Sequence[int]) -> Iterator[tuple[State, int]]:
    """Replay a fight by the moves of its decisions. Yield the position and the move of each decision."""
    record: Any = np.frombuffer(bytearray(start), FIGHT)[0]
    fight: FightRecord = record
    dice: Dice = np.zeros(1, DICE)[0]
    dice.stream[0] = seeds[0]
    decisions, legal_moves = iter(moves), np.zeros(N_MOVES, np.int32)
    while not fight.over:
        n = legal(game.record, fight, legal_moves)
        move = int(legal_moves[0])
        if n > 1:
            move = int(next(decisions))
            yield record.tobytes(), move
        play(game.record, fight, move, dice)


def _run_in_threads(
    new_tree: Callable[[], FightTree], task: Callable[[FightTree, int], None], n: int, n_threads: int
) -> None:
    """Call `task(tree, number)` for each number below `n`, in threads. Each thread has a tree from `new_tree`."""

    def run_some(worker: int) -> None:
        tree = new_tree()
        for number in range(worker, n, n_threads):
            task(tree, number)

    if n_threads == 1:
        run_some(0)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for done in [pool.submit(run_some, worker) for worker in range(n_threads)]:
            done.result()
