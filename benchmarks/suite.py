"""Write the suite of `evodom benchmark`: its kingdoms, and two evolved lists for each; or print its leader board.

    python benchmarks/suite.py --write > src/evodom/benchmark/suite.toml
    python benchmarks/suite.py network big-money

The kingdoms are drawn by seed. Each list is the champion of one run of evolution for two players: the early list after
EARLY generations, the evolved list after the last one. A new suite needs a new VERSION: figures of different versions
cannot be compared.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from evodom.benchmark import OPPONENTS, PLAYERS, entrants_by_kingdom, play_suite
from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.dominion.strategies.files import dump_strategy
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.ranking import champion_of
from evodom.evolution.runs import resolve_rivals
from evodom.matches.simulate import compile_games
from evodom.presentation.format import percent, with_interval
from evodom.runs import RunStore
from evodom.tasks import Workers

VERSION = 1

GROUPS = {
    "Base": (8, {}),
    "Intrigue": (4, {"sets": ("Intrigue",)}),
    "Mixed": (4, {"sets": ("Base", "Intrigue")}),
    "Colonies": (4, {"colonies": "yes"}),
}
"""Number of kingdoms of each group, and the arguments of `parse_kingdom` that draw them."""

EARLY, LAST, N_STRATEGIES = 5, 40, 64


def kingdoms() -> Iterator[tuple[str, str, Kingdom]]:
    """Yield name, group and kingdom. Each kingdom has a seed of its own."""
    seed = 0
    for group, (n, draw) in GROUPS.items():
        for number in range(1, n + 1):
            seed += 1
            yield f"{group} {number}", group, parse_kingdom("random", seed=seed, **draw)


def lists(kingdom: Kingdom, workers: Workers) -> tuple[str, str]:
    """Return the early and the evolved list as strategy files."""
    options = Options(
        model="buy-list", players=2, kingdom=kingdom, n_generations=LAST, n_strategies=N_STRATEGIES, start="random"
    )
    options = resolve_rivals(options)
    evolution, found = Evolution(options, VERSION), []
    for number in range(1, LAST + 1):
        generation = evaluate(evolution, workers)
        if number in (EARLY, LAST):
            record = strategies_of(champion_of(generation), options)[0]
            name = "early list" if number == EARLY else "evolved list"
            found.append(dump_strategy(model_of(record).reachable(record, kingdom), kingdom, name=name))
        evolution.tell(RankedPopulation.of(generation))
    return found[0], found[1]


def write_suite(workers: Workers) -> None:
    """Print the suite."""
    print(f"# The suite of `evodom benchmark`, written by benchmarks/suite.py.\n\nversion = {VERSION}")
    for name, group, kingdom in kingdoms():
        early, evolved = lists(kingdom, workers)
        print(f'\n[[kingdoms]]\nname = "{name}"\ngroup = "{group}"\ncards = "{", ".join(kingdom.cards)}"')
        print(f"early = '''\n{early}'''\nevolved = '''\n{evolved}'''", flush=True)


def print_leaders(agents: Sequence[str], workers: Workers) -> None:
    """Print a row for each agent, the agents in the most kingdoms and with the highest mean win rate first."""
    results = [play_suite(entrants_by_kingdom(agent, RunStore()), workers=workers) for agent in agents]
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
