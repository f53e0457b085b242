"""Train the network of all kingdoms, and judge it in kingdoms kept apart.

    python benchmarks/general_network.py train general-state.npz
    python benchmarks/general_network.py ship general-state.npz .../strategies/models/networks/general.npz
    python benchmarks/general_network.py judge --kingdoms 40
    python benchmarks/general_network.py compare earlier.npz --sizes 47 32 41 4
    python benchmarks/general_network.py baselines --kingdoms 20 --sets all

Training saves its state every 25 iterations and goes on from there when it is called again. With ``--start FILE`` it
continues a trained network, a file of ``ship``. ``--sizes`` are the numbers of its columns (`Sizes`) if they are fewer.

Three commands measure the shipped network at tables of two, without further training, in kingdoms kept apart. ``judge``
evolves as ``evolve --ngen 100 --nstrat 128 --players 2`` does, and lets it play the champion. ``compare`` lets it play
an earlier network in kingdoms of the Base Set. ``baselines`` lets it play the strongest baseline in kingdoms of Base
Set and Intrigue, or with ``--sets all`` in those of all sets. Every second one has Platinum and Colony.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
from general_training import ALL, MIXED, GeneralLearner, GeneralSchedule

from evodom.api.progress import workers
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.splits import held_out_kingdoms
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.hypernetwork import (
    SIZES,
    TRAINED_SIZES,
    CardHypernetwork,
    Sizes,
    extended,
)
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import fingerprint, shipped_weights
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.runs import resolve_rivals
from evodom.files import write_numbers
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam
from evodom.presentation.format import with_interval
from evodom.statistics import Share
from evodom.tasks import Workers

SAVE_EVERY = 25
GAMES = 10_000


def main() -> None:
    """Run the command of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("state", type=Path)
    training.add_argument("--iterations", type=int, default=GeneralSchedule().n_iterations)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--start", type=Path)
    training.add_argument("--jobs", type=int, default=1)
    shipping = commands.add_parser("ship")
    shipping.add_argument("state", type=Path)
    shipping.add_argument("target", type=Path)
    measuring = [commands.add_parser(name) for name in ("judge", "compare", "baselines")]
    measuring[1].add_argument("earlier", type=Path)
    for each in measuring:
        each.add_argument("--kingdoms", type=int, default=40)
        each.add_argument("--seed", type=int, default=1)
    measuring[2].add_argument("--sets", choices=("mixed", "all"), default="mixed")
    for each in (training, measuring[1]):
        each.add_argument(
            "--sizes", type=int, nargs=4, default=TRAINED_SIZES, metavar=("SHARED", "CARDS", "SCALARS", "KINDS")
        )
    given = parser.parse_args()
    if given.command == "train":
        with workers(given.jobs) as threads:
            train(new_learner(given, threads), given.state)
    elif given.command == "ship":
        assert TRAINED_SIZES == SIZES, f"set TRAINED_SIZES to {SIZES} first"
        write_numbers(given.target, np.load(given.state, allow_pickle=False)["general"], fingerprint())
    elif given.command == "judge":
        judge(given.kingdoms, given.seed)
    elif given.command == "compare":
        compare(extended(numbers_in(given.earlier), Sizes(*given.sizes)), given.kingdoms, given.seed)
    else:
        play_baselines({"mixed": MIXED, "all": ALL}[given.sets], given.kingdoms, given.seed)


def new_learner(given: argparse.Namespace, threads: Workers) -> GeneralLearner:
    """Return a learner that continues the network of ``--start``, else one that begins with imitation."""
    if given.start:
        trained, sizes = numbers_in(given.start), Sizes(*given.sizes)
        return GeneralLearner.of(given.seed, given.iterations, trained, sizes, threads)
    return GeneralLearner.new(given.seed, GeneralSchedule(n_iterations=given.iterations), threads)


def numbers_in(path: Path) -> np.ndarray:
    """Return the numbers of a file of ``ship``, whatever its fingerprint."""
    return np.load(path, allow_pickle=False)["numbers"].astype(np.float32)


def train(learner: GeneralLearner, state: Path) -> None:
    """Train to the end of a schedule, from the saved state if there is one."""
    if state.exists():
        restore(learner, state)
    began = time.process_time()
    while learner.iteration < learner.schedule.n_iterations:
        figures = learner.step()
        if learner.iteration % SAVE_EVERY == 0:
            save(learner, state)
            told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
            print(f"iteration {learner.iteration}, {time.process_time() - began:.0f} s: {told}", flush=True)


def save(learner: GeneralLearner, state: Path) -> None:
    """Save the state of the training in one step."""
    partial = state.with_suffix(".partial.npz")
    np.savez(
        partial,
        general=learner.general,
        mean=learner.adam.mean,
        square=learner.adam.square,
        n_steps=learner.adam.n_steps,
        iteration=learner.iteration,
        sizes=SIZES,
        past=np.array(learner.past),
    )
    os.replace(partial, state)


def restore(learner: GeneralLearner, state: Path) -> None:
    """Continue from the state that `save` wrote. Columns that are new since then have weights of 0."""
    saved = np.load(state, allow_pickle=False)
    sizes = Sizes(*saved["sizes"].tolist())
    learner.general[:] = extended(saved["general"], sizes)
    learner.adam = Adam(extended(saved["mean"], sizes), extended(saved["square"], sizes), int(saved["n_steps"]))
    learner.iteration = int(saved["iteration"])
    learner.past = [extended(each, sizes) for each in saved["past"]]


def judge(n_kingdoms: int, seed: int) -> None:
    """Let the shipped network meet the champion of evolution in kingdoms that it was not trained in."""
    won = 0
    for number, kingdom in enumerate(held_out_kingdoms()[:n_kingdoms]):
        wins = share_against(kingdom, champion(kingdom, seed), seed)
        won += wins.share >= 0.5
        print(f"{number:2} {with_interval(wins)}  {', '.join(kingdom.cards)}")
    print(f"at least half of the games: in {won} of {n_kingdoms} kingdoms")


def compare(earlier: np.ndarray, n_kingdoms: int, seed: int) -> None:
    """Let the shipped network play an earlier one."""
    shares = []
    for number, kingdom in enumerate(held_out_kingdoms()[:n_kingdoms]):
        other = network_strategy(CardHypernetwork(kingdom).weights(earlier), kingdom)
        shares.append(share_against(kingdom, other, seed))
        print(f"{number:2} {with_interval(shares[-1])}  {', '.join(kingdom.cards)}", flush=True)
    print_mean(shares)


def play_baselines(sets: tuple[str, ...], n_kingdoms: int, seed: int) -> None:
    """Let the shipped network play the strongest baseline of each kingdom."""
    shares = []
    for number, kingdom in enumerate(held_out_kingdoms(sets)[:n_kingdoms]):
        name = strongest_baselines(kingdom, 2)[0]
        shares.append(share_against(kingdom, baseline(name, kingdom), seed))
        print(f"{number:2} {with_interval(shares[-1])}  `{name}`  {', '.join(kingdom.cards)}", flush=True)
    print_mean(shares)


def print_mean(shares: list[Share]) -> None:
    """Print the mean win rate with its 95 % interval over the kingdoms, and the least."""
    rates = 100 * np.array([each.share for each in shares])
    error = 1.96 * rates.std(ddof=1) / np.sqrt(len(rates))
    print(f"mean {rates.mean():.1f} ({rates.mean() - error:.1f}-{rates.mean() + error:.1f}), least {rates.min():.1f}")
    print(f"at least half of the games: in {(rates >= 50).sum()} of {len(rates)} kingdoms")


def champion(kingdom: Kingdom, seed: int) -> Strategy:
    """Return the champion of 100 generations of 128 strategies for two players."""
    options = resolve_rivals(Options(n_generations=100, n_strategies=128, players=2, kingdom=kingdom))
    evolution = Evolution(options, seed)
    while True:
        generation = evaluate(evolution, None)
        if evolution.index == options.n_generations - 1:
            return strategies_of(generation.genomes[generation.ranking[:1]], options)[0]
        evolution.tell(RankedPopulation.of(generation))


def share_against(kingdom: Kingdom, other: Strategy, seed: int) -> Share:
    """Return the win rate of the shipped network against a strategy."""
    venue = Venue(kingdom, 2, seed, Use.BENCHMARK)
    return wins_against(venue, network_strategy(shipped_weights(kingdom), kingdom), other, GAMES, Purpose.EXPECTED)


if __name__ == "__main__":
    main()
