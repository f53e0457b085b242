"""Write the suite of `evodom benchmark`: its kingdoms and their opponents; or print its leader board.

    python benchmarks/suite.py --write > src/evodom/benchmark/suite.toml
    python benchmarks/suite.py network big-money

The kingdoms are drawn by seed. The evolved list of a kingdom is the champion of one run of evolution for two players.
Its baselines are the strongest held-out baselines, one for each number of players. A new suite needs a new VERSION:
figures of different versions cannot be compared. A new shipped network needs a new suite too, as it is an opponent.
"""

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from evodom.benchmark import EVOLVED, OPPONENTS, PLAYERS, find_suite_entrant, network_digest, play_suite
from evodom.dominion.cards import SETS
from evodom.dominion.kingdom import NO, YES, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS
from evodom.dominion.strategies.files import dump_strategy
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.ranking import champion_of
from evodom.evolution.runs import resolve_rivals
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import strongest_baselines
from evodom.presentation.format import percent, with_interval
from evodom.runs import RunStore
from evodom.tasks import Workers

VERSION = 2

GROUPS = {name: (name,) for name in SETS} | {"Mixed": tuple(SETS)}
"""Groups of kingdoms, and the sets of their cards."""

N_EACH = 4
"""Number of kingdoms of a group. Every second kingdom has Platinum and Colony."""

SEED = 2_000_000
"""Seed of the draw before the first kingdom. The next kingdoms have the next seeds."""

N_GENERATIONS = 40


def kingdoms() -> Iterator[tuple[str, str, Kingdom]]:
    """Yield name, group and kingdom. Each kingdom has a seed of its own."""
    seed = SEED
    for group, sets in GROUPS.items():
        for number in range(1, N_EACH + 1):
            seed += 1
            kingdom = parse_kingdom("random", seed=seed, sets=sets, colonies=NO if number % 2 else YES)
            yield f"{group} {number}", group, kingdom


def evolved_list(kingdom: Kingdom, workers: Workers) -> str:
    """Return the champion of a run of evolution as a strategy file."""
    options = Options(model="buy-list", players=2, kingdom=kingdom, n_generations=N_GENERATIONS)
    options = resolve_rivals(options)
    evolution = Evolution(options, VERSION)
    for _ in range(N_GENERATIONS - 1):
        evolution.tell(RankedPopulation.of(evaluate(evolution, workers)))
    record = strategies_of(champion_of(evaluate(evolution, workers)), options)[0]
    return dump_strategy(model_of(record).reachable(record, kingdom), kingdom, name=EVOLVED)


def write_suite(workers: Workers) -> None:
    """Print the suite."""
    print("# The suite of `evodom benchmark`, written by benchmarks/suite.py.\n")
    print(f'version = {VERSION}\nnetwork = "{network_digest()}"')
    for name, group, kingdom in kingdoms():
        best = [strongest_baselines(kingdom, players, 1, HELD_OUT_OPPONENTS)[0] for players in PLAYERS]
        print(f'\n[[kingdoms]]\nname = "{name}"\ngroup = "{group}"\ncards = "{", ".join(kingdom.cards)}"')
        print(f"baselines = {json.dumps(best)}\nevolved = '''\n{evolved_list(kingdom, workers)}'''", flush=True)


def print_leaders(agents: Sequence[str], workers: Workers) -> None:
    """Print a row for each agent, the agents in the most kingdoms and with the highest mean win rate first."""
    results = [play_suite(find_suite_entrant(agent, RunStore()), workers=workers) for agent in agents]
    print("| agent | kingdoms | mean | 2 players | 4 players |", " | ".join(OPPONENTS), "|")
    print("|", " | ".join(["---"] * (5 + len(OPPONENTS))), "|")
    for found in sorted(results, key=lambda one: (-len(one.kingdoms), -one.wins.share)):
        shares = [found.share(found.suite.groups, [players], OPPONENTS) for players in PLAYERS]
        shares += [found.share(found.suite.groups, PLAYERS, [opponent]) for opponent in OPPONENTS]
        cells = [f"`{found.name}`", str(len(found.kingdoms)), with_interval(found.wins)]
        print("|", " | ".join([*cells, *(percent(share.share) for share in shares)]), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*")
    parser.add_argument("--write", action="store_true", help="evolve the lists and print the suite")
    arguments = parser.parse_args()
    compile_games()
    n = os.cpu_count() or 1
    with ThreadPoolExecutor(n) as executor:
        workers = Workers(executor, n)
        if arguments.write:
            write_suite(workers)
        else:
            print_leaders(arguments.agents, workers)


if __name__ == "__main__":
    main()
