"""Find the strongest hand-written strategy: one copy of each plays against three copies of each other one.

    python benchmarks/baselines.py --kingdom first-game --games 20000

Prints the share of wins, in per cent, of one copy of the row's strategy against three of the column's, seats rotated
(par is 25). The last column is the lowest of the row, and rows are sorted by it. ``--file FILE`` adds a strategy file.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import baseline, fitting_baselines
from evodom.dominion.strategies.files import load_strategy
from evodom.matches import Purpose, Tally, Use, Venue, Workers, win_share
from evodom.matches.simulate import compile_games

N_PLAYERS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", default="first-game")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--file", action="append", default=[], help="a strategy file to add")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    kingdom = parse_kingdom(arguments.kingdom)
    entrants = {name: baseline(name, kingdom) for name in fitting_baselines(kingdom) if name != RANDOM}
    for path in arguments.file:
        strategy = load_strategy(path)
        entrants[strategy.name] = strategy.record(kingdom)
    compile_games()
    with ThreadPoolExecutor(arguments.jobs) as executor:
        venue = Venue(kingdom, N_PLAYERS, 1, Use.BENCHMARK, Workers(executor, arguments.jobs))
        table = cross_table(list(entrants.values()), venue, arguments.games)
    print_table(list(entrants), table)


def cross_table(records: Sequence[np.record], venue: Venue, n_games: int) -> np.ndarray:
    """Return the share of wins of each strategy against three copies of each other one, (n, n), NaN on the diagonal."""
    shares = np.full((len(records), len(records)), np.nan)
    for one, strategy in enumerate(records):
        for other, rival in enumerate(records):
            if one != other:
                tally = Tally.of(venue.against(strategy, [rival], n_games, venue.stream(Purpose.AGAINST_BASELINE)))
                shares[one, other] = win_share(tally.games, 0).share
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
