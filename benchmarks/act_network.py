"""Train the network of all fights of act 1, ship it, and judge it against search without a network.

    python benchmarks/act_network.py train act-state.npz
    python benchmarks/act_network.py ship act-state.npz src/evodom/spire/general/act1.npz
    python benchmarks/act_network.py judge --games 60

Training saves its state every few iterations and goes on from there when it is called again. ``judge`` plays every
encounter of the act with two decks, the same fights with the network at 100 simulations a move and without at 1,000.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
from spire_network import DECK

from evodom.distribution import certain
from evodom.intervals import mean_interval
from evodom.learning.adam import Adam
from evodom.learning.fights.act_learner import Positions
from evodom.learning.fights.act_training import ActTraining, Schedule
from evodom.spire.engine.rules import Setup
from evodom.spire.fights import Fight
from evodom.spire.fights.naming import cards_from_text
from evodom.spire.general.cast import GeneralNetwork, Vector
from evodom.spire.general.shipped import shipped, write
from evodom.spire.rows.encounters import encounters
from evodom.spire.search.estimates import Estimate, estimate
from evodom.spire.search.player import Budget

SAVE_EVERY = 4

DECKS = {"starter": "", "16 cards": DECK}
"""What is judged: the deck of the start, and that of docs/encounters.md."""


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("state", type=Path)
    training.add_argument("--iterations", type=int, default=Schedule().iterations)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--threads", type=int, default=1)
    shipping = commands.add_parser("ship")
    shipping.add_argument("state", type=Path)
    shipping.add_argument("target", type=Path)
    judging = commands.add_parser("judge")
    judging.add_argument("--state", type=Path, help="judge this training instead of what is shipped")
    judging.add_argument("--games", type=int, default=60)
    judging.add_argument("--encounters", nargs="+", default=list(encounters()))
    judging.add_argument("--decks", nargs="+", choices=DECKS, default=list(DECKS))
    judging.add_argument("--simulations", type=int, default=100, help="of the search with the network")
    judging.add_argument("--against", type=int, default=1000, help="simulations of the search without")
    judging.add_argument("--seed", type=int, default=1)
    judging.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    if given.command == "train":
        train(given.state, Schedule(iterations=given.iterations), given.seed, given.threads)
    elif given.command == "ship":
        write(given.target, trained(given.state))
    else:
        judge(given)


def train(state: Path, schedule: Schedule, seed: int, threads: int) -> None:
    """Train to the end of a schedule, from the saved state if there is one."""
    training = ActTraining(seed, schedule, threads)
    if state.exists():
        restore(training, state)
    began = time.process_time()
    while training.iteration < schedule.iterations:
        figures = training.step()
        told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"iteration {training.iteration}, {time.process_time() - began:.0f} s: {told}", flush=True)
        if training.iteration % SAVE_EVERY == 0 or training.iteration == schedule.iterations:
            save(training, state)


def save(training: ActTraining, state: Path) -> None:
    """Save all that the next iteration needs, in one step."""
    learner = training.learner
    partial = state.with_suffix(".partial.npz")
    lots = {
        f"{name} {number}": getattr(lot, name)
        for number, lot in enumerate(training.replay)
        for name in Positions.__dataclass_fields__
    }
    np.savez(
        partial,
        general=learner.general,
        mean=learner.adam.mean,
        square=learner.adam.square,
        n_steps=learner.adam.n_steps,
        iteration=training.iteration,
        n_lots=len(training.replay),
        rows=np.array(json.dumps([learner.inputs.rows, learner.outputs.rows])),
        **lots,
    )
    os.replace(partial, state)


def restore(training: ActTraining, state: Path) -> None:
    """Go on from what `save` has saved."""
    learner = training.learner
    with np.load(state, allow_pickle=False) as saved:
        learner.general[:] = saved["general"]
        learner.adam = Adam(saved["mean"].copy(), saved["square"].copy(), int(saved["n_steps"]))
        training.iteration = int(saved["iteration"])
        for table, rows in zip((learner.inputs, learner.outputs), json.loads(str(saved["rows"])), strict=True):
            for row in rows:
                table.number(row)
        for number in range(int(saved["n_lots"])):
            lot = {name: saved[f"{name} {number}"] for name in Positions.__dataclass_fields__}
            training.replay.append(Positions(**lot))


def trained(state: Path) -> Vector:
    """Return the network of a saved training."""
    with np.load(state, allow_pickle=False) as saved:
        return np.array(saved["general"])


def judge(given: argparse.Namespace) -> None:
    """Print a row for each encounter and deck: what is left and lost with the network and without, and the difference."""
    network = shipped() if given.state is None else GeneralNetwork(trained(given.state))
    if network is None:
        raise SystemExit("no network is shipped that fits these rules")
    budgets = Budget(given.simulations, network=network), Budget(given.against)
    estimate(Fight(Setup()), 2, Budget(2), 0)  # compiles
    print(f"| against | deck | {given.simulations} with, HP | lost | {given.against:,} without | lost | more | time |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.encounters:
        for deck in given.decks:
            fight = Fight(Setup(deck=cards_from_text(DECKS[deck]) if DECKS[deck] else None), encounters=certain(name))
            found, seconds = [], []
            for budget in budgets:
                begin = time.process_time()
                found.append(estimate(fight, given.games, budget, given.seed, given.threads))
                seconds.append(time.process_time() - begin)
            print(row(name, deck, *found, seconds[0] / seconds[1]), flush=True)


def row(name: str, deck: str, ours: Estimate, theirs: Estimate, time_share: float) -> str:
    """Return a row of the table; it is marked where one of both is better by more than the interval."""
    more = mean_interval(ours.values - theirs.values)
    mark = " +" if more.low > 0 else " -" if more.high < 0 else ""
    figures = " | ".join(
        f"{one.hp.value:.1f} ({one.hp.low:.1f} to {one.hp.high:.1f}) | {100 * one.death.share:.0f} % "
        f"({100 * one.death.low:.0f} to {100 * one.death.high:.0f})"
        for one in (ours, theirs)
    )
    difference = f"{more.value:+.1f} ({more.low:+.1f} to {more.high:+.1f}){mark}"
    return f"| {name} | {deck} | {figures} | {difference} | {100 * time_share:.0f} % |"


if __name__ == "__main__":
    main()
