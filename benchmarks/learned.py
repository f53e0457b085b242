"""Measure how strong learned strategies are: train in a kingdom, then play opponents that took no part in it.

    python benchmarks/learned.py first-game --games 1500000 --seeds 1
    python benchmarks/learned.py K1 K2 --games 180000 --seeds 1 2
    python benchmarks/learned.py first-game K2 --speed

K2 is a kingdom with an engine in it for two players, K1 the same with Witch in place of Cellar. Their opponents are
what `advise --ngen 100 --seed 1` found there before it learned (opponents/). The First Game is for four players,
against three baselines and the champion of `evolve --ngen 100 --seed 1`. The training is that of `evodom train`.
Each figure is the win rate in per cent in 10,000 games against copies, at most one point either way. CPU seconds, of
all threads, go to standard error. The table is in Markdown. With --speed nothing is trained: the script prints the
games per second of one core that are played and learned from where all seats learn.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evodom.api.progress import workers
from evodom.budget import Monitor
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import load_strategy
from evodom.dominion.strategies.models.networks.layers import Weights
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped_weights
from evodom.dominion.strategies.record import Strategy
from evodom.kernel_groups import load_groups
from evodom.learning.league import League
from evodom.learning.ppo import Learner
from evodom.learning.training import TrainEffort, Training, TrainOptions
from evodom.matches.seating import Purpose, Use
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam
from evodom.statistics import Share
from evodom.tasks import Workers

OPPONENTS = Path(__file__).parent / "opponents"
N_GAMES = 10_000
EFFORT = TrainEffort()
STRETCHES, ITERATIONS = 7, 20


@dataclass(frozen=True)
class Case:
    """A kingdom, a number of players and the opponents: baselines, and the strategy file of the case."""

    kingdom: Kingdom
    players: int
    baselines: tuple[str, ...] = ()


K2 = "chapel,village,smithy,laboratory,festival,market,militia,cellar,moat,throne-room"
CASES = {
    "first-game": Case(FIRST_GAME, 4, ("big-money-smithy", "smithy-duchies", "big-money")),
    "K1": Case(parse_kingdom(K2.replace("cellar", "witch")), 2),
    "K2": Case(parse_kingdom(K2), 2),
}


def main() -> None:
    """Train each case with each seed and print the win rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", choices=CASES)
    parser.add_argument("--games", type=int, default=300_000, help="games of each training")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="only measure the speed of learning")
    given = parser.parse_args()
    compile_games()
    load_groups("learning")
    if given.speed:
        for name in given.cases:
            print_speed(name)
        return
    columns = ["kingdom", "opponent", "shipped network", *(f"trained, seed {seed}" for seed in given.seeds)]
    print(row(columns) + "\n" + row(["---"] * len(columns)), flush=True)
    with workers(given.jobs) as threads:
        for name in given.cases:
            print_case(name, given.games, given.seeds, threads)


def print_speed(name: str) -> None:
    """Print the games per second of one core where all seats learn, and the share of the time for learning.

    The general network learns. The fastest of STRETCHES counts.
    """
    case, rng = CASES[name], np.random.default_rng(1)
    weights = shipped_weights(case.kingdom)
    assert weights is not None
    learner = Learner(case.kingdom, weights, Adam.of(weights))
    league = League(case.players, (), (), self_share=1.0)
    found = []
    for _ in range(STRETCHES):
        n_played, spent = 0, np.zeros(2)
        for _ in range(ITERATIONS):
            times = [time.process_time()]
            games = league.play(learner, EFFORT.games_per_iteration, rng)
            times.append(time.process_time())
            learner.improve(games, rng, 0.001, 0.01)
            times.append(time.process_time())
            n_played, spent = n_played + len(games.tables), spent + np.diff(times)
        found.append((n_played / spent.sum(), spent[1] / spent.sum()))
    rate, share = max(found)
    print(f"{name}, {case.players} players: {rate:,.0f} games/s, learning {100 * share:.0f} % of the time", flush=True)


def print_case(name: str, n_games: int, seeds: list[int], threads: Workers) -> None:
    """Print the rows of a case: one for each opponent."""
    case = CASES[name]
    others = dict(opponents(name, case))
    shipped = shipped_weights(case.kingdom)
    assert shipped is not None
    columns = [results(case, shipped, others, threads)]
    for seed in seeds:
        training = Training(TrainOptions(case.kingdom, case.players, n_games), seed, threads)
        began = time.process_time()
        saved = [training.first()]
        while len(saved) <= EFFORT.n_checkpoints:
            saved.append(training.following(saved, Monitor()))
        print(f"{name}, seed {seed}: {time.process_time() - began:.0f} CPU s", file=sys.stderr, flush=True)
        columns.append(results(case, saved[-1].genomes[saved[-1].ranking[0]]["weights"], others, threads))
    for other, rates in zip(others, zip(*columns, strict=True), strict=True):
        print(row([name, other, *(f"{100 * rate.share:.1f}" for rate in rates)]), flush=True)


def opponents(name: str, case: Case) -> Iterator[tuple[str, Strategy]]:
    """Give the opponents of a case by name."""
    yield from ((f"`{known}`", baseline(known, case.kingdom)) for known in case.baselines)
    yield "its champion", load_strategy(OPPONENTS / f"{name}.toml").record(case.kingdom)


def results(case: Case, weights: Weights, others: dict[str, Strategy], threads: Workers) -> list[Share]:
    """Return the win rates of a network against copies of each opponent."""
    venue = Venue(case.kingdom, case.players, 1, Use.BENCHMARK, threads)
    record = network_strategy(weights, case.kingdom)
    return [wins_against(venue, record, other, N_GAMES, Purpose.EXPECTED) for other in others.values()]


def row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
