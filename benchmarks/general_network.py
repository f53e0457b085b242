"""Train the network of all kingdoms, and judge it in kingdoms kept apart.

    python benchmarks/general_network.py train general-state.npz --iterations 2600
    python benchmarks/general_network.py ship general-state.npz src/evodom/learning/general.npz
    python benchmarks/general_network.py judge --kingdoms 40

Training saves its state every 25 iterations and goes on from there when it is called again. ``judge`` evolves as
``evolve --ngen 100 --nstrat 128 --players 2`` does in each kingdom kept apart, and lets the shipped network play its
champion.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.model import network_record
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.evolution.algorithm import Evolution, RankedPopulation, evaluate
from evodom.evolution.options import Options
from evodom.evolution.runs import resolve_rivals
from evodom.learning.general import GeneralLearner, GeneralSchedule, held_out_kingdoms, shipped_weights, write
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam
from evodom.presentation.format import with_interval
from evodom.statistics import Share

SAVE_EVERY = 25
GAMES = 10_000


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("state", type=Path)
    training.add_argument("--iterations", type=int, default=GeneralSchedule().n_iterations)
    training.add_argument("--seed", type=int, default=1)
    shipping = commands.add_parser("ship")
    shipping.add_argument("state", type=Path)
    shipping.add_argument("target", type=Path)
    judging = commands.add_parser("judge")
    judging.add_argument("--kingdoms", type=int, default=40)
    judging.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.command == "train":
        train(given.state, GeneralSchedule(n_iterations=given.iterations), given.seed)
    elif given.command == "ship":
        write(given.target, np.load(given.state, allow_pickle=False)["general"])
    else:
        judge(given.kingdoms, given.seed)


def train(state: Path, schedule: GeneralSchedule, seed: int) -> None:
    """Train to the end of a schedule, from the saved state if there is one."""
    learner = GeneralLearner.new(seed, schedule)
    if state.exists():
        restore(learner, state)
    began = time.process_time()
    while learner.iteration < schedule.n_iterations:
        figures = learner.step()
        if learner.iteration % SAVE_EVERY == 0:
            save(learner, state)
            told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
            print(f"iteration {learner.iteration}, {time.process_time() - began:.0f} s: {told}", flush=True)


def save(learner: GeneralLearner, state: Path) -> None:
    """Save all that the next iteration needs, in one step."""
    partial = state.with_suffix(".partial.npz")
    np.savez(
        partial,
        general=learner.general,
        mean=learner.adam.mean,
        square=learner.adam.square,
        n_steps=learner.adam.n_steps,
        iteration=learner.iteration,
        past=np.array(learner.past),
    )
    os.replace(partial, state)


def restore(learner: GeneralLearner, state: Path) -> None:
    """Go on from what `save` has saved."""
    saved = np.load(state, allow_pickle=False)
    learner.general[:] = saved["general"]
    learner.adam = Adam(saved["mean"].copy(), saved["square"].copy(), int(saved["n_steps"]))
    learner.iteration = int(saved["iteration"])
    learner.past = list(saved["past"])


def judge(n_kingdoms: int, seed: int) -> None:
    """Let the shipped network meet the champion of evolution in kingdoms that it was not trained in."""
    won = 0
    for number, kingdom in enumerate(held_out_kingdoms()[:n_kingdoms]):
        wins = share_against(kingdom, champion(kingdom, seed), seed)
        won += wins.share >= 0.5
        print(f"{number:2} {with_interval(wins)}  {', '.join(kingdom.cards)}")
    print(f"at least half of the games: in {won} of {n_kingdoms} kingdoms")


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
    """Return what the shipped network wins against a strategy."""
    weights = shipped_weights(kingdom)
    assert weights is not None, "no network is shipped that fits"
    venue = Venue(kingdom, 2, seed, Use.BENCHMARK)
    return wins_against(venue, network_record(weights, kingdom), other, GAMES, Purpose.EXPECTED)


if __name__ == "__main__":
    main()
