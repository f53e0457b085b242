"""Train the network of all fights of act 1, ship it, and judge it against search without a network.

    python benchmarks/act_network.py train act-state.npz
    python benchmarks/act_network.py ship act-state.npz src/evodom/spire/embedding/act1.npz
    python benchmarks/act_network.py judge --games 60
    python benchmarks/act_network.py exact --games 100

Training saves its state every few iterations and goes on from there when it is called again. ``judge`` plays every
encounter of the act with two decks, the same fights with the network at 100 simulations a move and without at 1,000.
``exact`` judges its moves in fights that are solved, by what they give away.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from act_training import ActSchedule, ActTraining
from spire_network import DECKS, FIGHTS, STARTER, encounter

from evodom.files import write_numbers
from evodom.nn.hypernetwork import Vector
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.embedding.hypernetwork import ActNetwork, fingerprint, shipped
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import Fight, Payoff
from evodom.spire.fights.names import cards_from_text
from evodom.spire.play.estimates import Estimate, estimate, regret
from evodom.spire.play.searcher import FightSearchOptions
from evodom.statistics import mean_interval

SAVE_EVERY = 4


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("state", type=Path)
    training.add_argument("--iterations", type=int, default=ActSchedule().iterations)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--threads", type=int, default=1)
    shipping = commands.add_parser("ship")
    shipping.add_argument("state", type=Path)
    shipping.add_argument("target", type=Path)
    judging = commands.add_parser("judge")
    judging.add_argument("--state", type=Path, help="judge this training instead of what is shipped")
    judging.add_argument("--kept", type=Path, help="a folder that keeps what the search without a network came to")
    judging.add_argument("--games", type=int, default=60)
    judging.add_argument("--encounters", nargs="+", default=list(encounters()))
    judging.add_argument("--decks", nargs="+", choices=DECKS, default=list(DECKS))
    judging.add_argument("--simulations", type=int, default=100, help="of the search with the network")
    judging.add_argument("--against", type=int, default=1000, help="simulations of the search without")
    judging.add_argument("--seed", type=int, default=1)
    judging.add_argument("--threads", type=int, default=1)
    exactly = commands.add_parser("exact")
    exactly.add_argument("--state", type=Path)
    exactly.add_argument("--games", type=int, default=100)
    exactly.add_argument("--simulations", type=int, nargs="+", default=[100, 1000])
    exactly.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.command == "train":
        train(given.state, ActSchedule(iterations=given.iterations), given.seed, given.threads)
    elif given.command == "ship":
        write_numbers(given.target, trained(given.state), fingerprint())
    elif given.command == "exact":
        exact(given)
    else:
        judge(given)


def train(state: Path, schedule: ActSchedule, seed: int, threads: int) -> None:
    """Train to the end of a schedule, from the saved state if there is one."""
    training = ActTraining(seed, schedule, threads)
    if state.exists():
        training.restore(state)
    began = time.process_time()
    while training.iteration < schedule.iterations:
        figures = training.step()
        told = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"iteration {training.iteration}, {time.process_time() - began:.0f} s: {told}", flush=True)
        if training.iteration % SAVE_EVERY == 0 or training.iteration == schedule.iterations:
            training.save(state)


def trained(state: Path) -> Vector:
    """Return the network of a saved training."""
    with np.load(state, allow_pickle=False) as saved:
        return np.array(saved["general"])


def network_of(state: Path | None) -> ActNetwork:
    """Return the network of a saved training, or the one that is shipped."""
    network = shipped() if state is None else ActNetwork(trained(state))
    if network is None:
        raise SystemExit("no network is shipped that fits these rules")
    return network


def exact(given: argparse.Namespace) -> None:
    """Print what is given away of the proven best, with the network and without."""
    network = network_of(given.state)
    fights = {name: FIGHTS[name] for name in ("nob80", "nob", "cultist", "jaw")}
    fights["lagavulin"] = "Lagavulin", {}, STARTER, 0.975
    for name, (enemy, hp, deck, proven) in fights.items():
        game = SpireFight(Setup(enemies=groups_of(enemy), relics=(), deck=cards_from_text(deck), **hp))
        for n in given.simulations:
            for what, judge_of in (("with", network), ("without", None)):
                losses, _ = regret(game, Payoff(), FightSearchOptions(n, network=judge_of), given.games, given.seed)
                away = mean_interval(losses)
                print(
                    f"{name}, {n:,} simulations {what}: {away.value:.2f} ({max(away.low, 0):.2f} to {away.high:.2f}) "
                    f"HP given away of {proven}",
                    flush=True,
                )


def judge(given: argparse.Namespace) -> None:
    """Print a row for each encounter and deck: what is left and lost with the network and without."""
    network = network_of(given.state)
    budgets = FightSearchOptions(given.simulations, network=network), FightSearchOptions(given.against)
    estimate(Fight(Setup()), 2, FightSearchOptions(2), 0)  # compiles
    print(f"| against | deck | {given.simulations} with, HP | lost | {given.against:,} without | lost | more | time |")
    print("|---|---|---|---|---|---|---|---|")
    for name in given.encounters:
        for deck in given.decks:
            fight = encounter(name, DECKS[deck])
            ours, theirs = (timed(fight, budget, given, f"{name} {deck}") for budget in budgets)
            print(row(name, deck, *ours, *theirs), flush=True)


def timed(fight: Fight, budget: FightSearchOptions, given: argparse.Namespace, what: str) -> tuple[Estimate, float]:
    """Return how some fights went, and the seconds of a processor that they took; both may have been kept."""
    path = None
    if given.kept is not None and budget.network is None:
        given.kept.mkdir(exist_ok=True)
        path = given.kept / f"{what} {given.games} {budget.simulations} {given.seed}.npz"
    if path is not None and path.exists():
        with np.load(path, allow_pickle=False) as kept:
            return Estimate(kept["results"], kept["values"], ()), float(kept["seconds"])
    begin = time.process_time()
    found = estimate(fight, given.games, budget, given.seed, given.threads)
    seconds = time.process_time() - begin
    if path is not None:
        np.savez(path, results=found.results, values=found.values, seconds=seconds)
    return found, seconds


def row(name: str, deck: str, ours: Estimate, our_time: float, theirs: Estimate, their_time: float) -> str:
    """Return a row of the table; it is marked where one of both is better by more than the interval."""
    more = mean_interval(ours.values - theirs.values)
    mark = " +" if more.low > 0 else " -" if more.high < 0 else ""
    figures = " | ".join(
        f"{one.hp.value:.1f} ({one.hp.low:.1f} to {one.hp.high:.1f}) | {100 * one.death.share:.0f} % "
        f"({100 * one.death.low:.0f} to {100 * one.death.high:.0f})"
        for one in (ours, theirs)
    )
    difference = f"{more.value:+.1f} ({more.low:+.1f} to {more.high:+.1f}){mark}"
    return f"| {name} | {deck} | {figures} | {difference} | {100 * our_time / their_time:.0f} % |"


if __name__ == "__main__":
    main()
