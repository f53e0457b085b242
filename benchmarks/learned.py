"""Measure how strong learned strategies are: train in a kingdom, then play those who were not met in training.

    python benchmarks/learned.py first-game --games 450000 --seeds 1 2 3
    python benchmarks/learned.py K1 K2 --games 300000 --seeds 1 2 3 4 5
    python benchmarks/learned.py first-game K2 --speed

K2 is a kingdom with an engine in it for two players, K1 the same with Witch in place of Cellar. Their opponents are
what `advise --ngen 100 --seed 1` found there before it learned (opponents/). The First Game is for four players,
against three judges and the champion of `evolve --ngen 100 --seed 1`. The training is that of `evodom train`, game by
game. Each figure is 10,000 games against copies, with its 95 % interval; the time is in processor seconds, of all
threads. The tables are in Markdown. With --speed nothing is trained: told is how many games a second are played and
learned from where all seats learn, on one core.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evodom.budget import Monitor
from evodom.cli.common import workers
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import load_strategy
from evodom.dominion.strategies.networks.layers import Weights
from evodom.dominion.strategies.networks.model import network_record
from evodom.dominion.strategies.record import Strategy
from evodom.jit.groups import load_groups
from evodom.learning.general import shipped_weights
from evodom.learning.league import League
from evodom.learning.ppo import Learner
from evodom.learning.training import TrainEffort, Training, TrainOptions
from evodom.matches.seating import Purpose, Use
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam
from evodom.presentation.format import with_interval
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
    """Train each case with each seed and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", choices=CASES)
    parser.add_argument("--games", type=int, default=300_000, help="games of each training")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", action="store_true", help="tell what each checkpoint wins, in fewer games")
    parser.add_argument("--speed", action="store_true", help="only tell how fast it learns")
    given = parser.parse_args()
    compile_games()
    load_groups("learning")
    if given.speed:
        for name in given.cases:
            print_speed(name)
        return
    with workers(given.jobs) as threads:
        for name in given.cases:
            print_case(name, given.games, given.seeds, threads, every=given.every)


def print_speed(name: str) -> None:
    """Print how many games a second of one core are learned from where all seats learn, and what the learning takes.

    It is the network of all kingdoms that learns; of seven stretches the fastest counts.
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


def print_case(name: str, n_games: int, seeds: list[int], threads: Workers, *, every: bool) -> None:
    """Print the table of a case, a row for each seed."""
    case = CASES[name]
    others = dict(opponents(name, case))
    print(f"\n### {name}, {case.players} players, {n_games:,} games\n")
    print(row(["seed", "seconds", *others]) + "\n" + row(["---"] * (2 + len(others))), flush=True)
    for seed in seeds:
        training = Training(TrainOptions(case.kingdom, case.players, n_games), seed, threads)
        began = time.process_time()
        saved = [training.first()]
        while len(saved) <= EFFORT.n_checkpoints:
            saved.append(training.following(saved, Monitor()))
            best = saved[-1].genomes[saved[-1].ranking[0]]["weights"].copy()
            if every and len(saved) <= EFFORT.n_checkpoints:
                spent, told = time.process_time() - began, results(case, best, others, N_GAMES // 5, threads)
                print(row([f"{seed}@{len(saved) - 1}", f"{spent:.0f}", *map(with_interval, told)]), flush=True)
        spent = time.process_time() - began
        print(row([str(seed), f"{spent:.0f}", *map(with_interval, results(case, best, others, N_GAMES, threads))]))


def opponents(name: str, case: Case) -> Iterator[tuple[str, Strategy]]:
    """Give the opponents of a case by name."""
    yield from ((known, baseline(known, case.kingdom)) for known in case.baselines)
    yield "its champion", load_strategy(OPPONENTS / f"{name}.toml").record(case.kingdom)


def results(case: Case, weights: Weights, others: dict[str, Strategy], n_games: int, threads: Workers) -> list[Share]:
    """Return what a network wins against copies of each opponent."""
    venue = Venue(case.kingdom, case.players, 1, Use.BENCHMARK, threads)
    record = network_record(weights, case.kingdom)
    return [wins_against(venue, record, other, n_games, Purpose.EXPECTED) for other in others.values()]


def row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
