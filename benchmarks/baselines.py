"""Find the strongest hand-written strategy: one copy of each plays against three copies of each other one.

    python benchmarks/baselines.py --kingdom first-game --games 20000

Prints the share of wins, in per cent, of one copy of the row's strategy against three of the column's, seats rotated
(par is 25). The last column is the lowest of the row, and rows are sorted by it. ``--file FILE`` adds a strategy file.
"""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.baselines import RANDOM, baseline, fitting_baselines
from evodom.dominion.strategies.files import load_strategy
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.batch import play_games, warm_up

N_PLAYERS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", default="first-game")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--file", action="append", default=[], help="a strategy file to add")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    kingdom = parse_kingdom(arguments.kingdom).cards
    entrants = {name: baseline(name, kingdom) for name in fitting_baselines(kingdom) if name != RANDOM}
    for path in arguments.file:
        strategy = load_strategy(path)
        entrants[strategy.name] = strategy.record(kingdom)
    warm_up()
    with ThreadPoolExecutor(arguments.jobs) as executor:
        table = cross_table(list(entrants.values()), kingdom, arguments.games, (executor, arguments.jobs))
    print_table(list(entrants), table)


def cross_table(
    records: list[np.record], kingdom: tuple[str, ...], n_games: int, pool: tuple[ThreadPoolExecutor, int]
) -> np.ndarray:
    """Return the share of wins of each strategy against three copies of each other one, (n, n), NaN on the diagonal."""
    strategies = np.zeros(len(records), STRATEGY)
    for index, record in enumerate(records):
        strategies[index] = record
    rules = kingdom.rules(N_PLAYERS)
    seeds = np.random.SeedSequence(1).generate_state(n_games, np.uint64)
    games = np.arange(n_games)
    shares = np.full((len(records), len(records)), np.nan)
    for one in range(len(records)):
        for other in range(len(records)):
            if one == other:
                continue
            tables = np.full((n_games, N_PLAYERS), other, np.int32)
            tables[games, games % N_PLAYERS] = one
            results = play_games(rules, strategies, tables, seeds, pool=pool)
            shares[one, other] = results["win"][games, games % N_PLAYERS].mean()
    return shares


def print_table(names: list[str], shares: np.ndarray) -> None:
    lowest = np.nanmin(shares, axis=1)
    order = np.argsort(-lowest)
    print(f"{'one against three of':28}" + "".join(f"{rank:6}" for rank in range(1, len(names) + 1)) + "  lowest")
    for rank, row in enumerate(order, 1):
        cells = "".join("     -" if row == column else f"{100 * shares[row, column]:6.1f}" for column in order)
        print(f"{rank:2} {names[row]:25}{cells}{100 * lowest[row]:8.1f}")


if __name__ == "__main__":
    main()
