"""Measure the baselines, and write the tables of docs/reference/baselines.md.

    python benchmarks/baselines.py --write                             # all tables of the page, about 2 minutes
    python benchmarks/baselines.py --kingdom first-game --games 20000  # each baseline against each other in a kingdom

Without ``--kingdom``, two tables in Markdown are printed, or written into the page:

- one copy of each baseline against copies of Big Money, for each number of players, in the kingdom of its cards;
- the three strongest baselines of KINGDOMS, by the win rate against three copies of their worst opponent.

With ``--kingdom``, the share of wins of one copy of the row's strategy against three of the column's is printed, in per
cent. The last column is the lowest of the row, and rows are sorted by it. ``--file FILE`` adds a strategy file.

Seats are rotated. The same seed gives the same tables for any number of threads.
"""

import argparse
import datetime
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import BASELINES, baseline, fitting_baselines, missing_cards
from evodom.dominion.strategies.files import load_strategy
from evodom.dominion.strategies.record import Strategy
from evodom.matches import Purpose, Share, Tally, Use, Venue, Workers, win_share
from evodom.matches.simulate import compile_games

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "baselines.md"
BIG_MONEY = "big-money"
PLAYERS = (2, 3, 4, 5, 6)
KINGDOMS = ("First Game", "Size Distortion", "Deck Top", "Sleight of Hand", "Improvements", "Silver & Gold")

Shares = list[list[Share | None]]
"""The win rate of each row's strategy against copies of each column's; None on the diagonal."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", help="print the table of all pairs in this kingdom")
    parser.add_argument("--games", type=int, default=4_000, help="games for each figure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", default=[], help="a strategy file to add to the table of a kingdom")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if arguments.write and arguments.kingdom:
        parser.error("--write writes the tables of all kingdoms. Leave --kingdom out.")
    compile_games()
    with ThreadPoolExecutor(arguments.jobs) as executor:
        measure = Measure(Workers(executor, arguments.jobs), arguments.games, arguments.seed)
        if arguments.kingdom:
            print_table(*measure.cross_table(parse_kingdom(arguments.kingdom), arguments.file))
            return
        tables = {"by players": measure.by_players(), "by kingdom": measure.by_kingdom()}
    if arguments.write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
    else:
        print("\n\n".join(tables.values()))


class Measure:
    """Matches of ``games`` games each, with a seed, in the threads of ``workers``."""

    def __init__(self, workers: Workers, games: int, seed: int) -> None:
        self.workers, self.games, self.seed = workers, games, seed

    def share(self, kingdom: Kingdom, n_seats: int, one: Strategy, other: Strategy) -> Share:
        """Return the win rate of one strategy against copies of another."""
        venue = Venue(kingdom, n_seats, self.seed, Use.BENCHMARK, self.workers)
        stream = venue.stream(Purpose.AGAINST_BASELINE)
        return win_share(Tally.of(venue.against(one, [other], self.games, stream)).games, 0)

    def by_players(self) -> str:
        """Return the table of all baselines against Big Money by number of players, in Markdown."""
        rows = []
        for name in BASELINES:
            kingdom = Kingdom(tuple(missing_cards(name, Kingdom(()))))
            one, money = baseline(name, kingdom), baseline(BIG_MONEY, kingdom)
            rows.append([self.share(kingdom, n, one, money) for n in PLAYERS])
        lines = [
            f"| against copies of `{BIG_MONEY}` | {' | '.join(f'{n} players' for n in PLAYERS)} |",
            f"|---|{'---|' * len(PLAYERS)}",
            f"| chance level | {' | '.join(f'{100 / n:.1f}' for n in PLAYERS)} |",
        ]
        for name, row in zip(BASELINES, rows, strict=True):
            lines.append(f"| `{name}` | {' | '.join(f'{100 * one.share:.1f}' for one in row)} |")
        return f"{self.caption([one for row in rows for one in row])}\n\n" + "\n".join(lines)

    def by_kingdom(self) -> str:
        """Return the table of the three strongest baselines of each kingdom, in Markdown."""
        lines = ["| kingdom | first | second | third |", "|---|---|---|---|"]
        played: list[Share] = []
        for name in KINGDOMS:
            names, shares = self.cross_table(parse_kingdom(name))
            played += [one for row in shares for one in row if one]
            best = [f"`{names[row]}` {100 * worst(shares[row]):.1f}" for row in ranking(shares)[:3]]
            lines.append(f"| {' | '.join([name, *best])} |")
        return f"{self.caption(played)}\n\n" + "\n".join(lines)

    def cross_table(self, kingdom: Kingdom, paths: Sequence[str] = ()) -> tuple[list[str], Shares]:
        """Return the names of the baselines of a kingdom and of files, and one copy of each against three of others."""
        entrants = {name: baseline(name, kingdom) for name in fitting_baselines(kingdom) if name != RANDOM}
        for path in paths:
            strategy = load_strategy(path)
            entrants[strategy.name] = strategy.record(kingdom)
        records = list(entrants.values())
        rows = [
            [self.share(kingdom, 4, one, other) if one is not other else None for other in records] for one in records
        ]
        return list(entrants), rows

    def caption(self, shares: Sequence[Share]) -> str:
        """Return a sentence on games, seed, intervals, date and commit."""
        widest = max(max(one.high - one.share, one.share - one.low) for one in shares)
        return (
            f"{self.games:,} games for each figure, seed {self.seed}, 95 % intervals of at most "
            f"{100 * widest:.1f} points either way,\n{datetime.datetime.now(datetime.UTC):%d %B %Y}, commit {commit()}."
        )


def worst(row: Sequence[Share | None]) -> float:
    """Return the lowest win rate of a row."""
    return min(one.share for one in row if one)


def ranking(shares: Shares) -> list[int]:
    """Return the rows by their lowest win rate, the best first."""
    return sorted(range(len(shares)), key=lambda row: -worst(shares[row]))


def print_table(names: Sequence[str], shares: Shares) -> None:
    order = ranking(shares)
    print(f"{'one against three of':28}" + "".join(f"{rank:6}" for rank in range(1, len(names) + 1)) + "  lowest")
    for rank, row in enumerate(order, 1):
        found = (shares[row][column] for column in order)
        cells = "".join(f"{100 * one.share:6.1f}" if one else "     -" for one in found)
        print(f"{rank:2} {names[row]:25}{cells}{100 * worst(shares[row]):8.1f}")


def commit() -> str:
    """Return the commit of the measured program, and whether its files were changed after it."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=PAGE.parent, capture_output=True, text=True, check=True).stdout

    changed = " with changes" if git("status", "--porcelain", "--", ":/src").strip() else ""
    return git("rev-parse", "--short=8", "HEAD").strip() + changed


def with_tables(page: str, tables: dict[str, str]) -> str:
    """Return a page with a table in place of the lines from `<!-- NAME -->` to the next `<!-- end -->`."""
    for name, table in tables.items():
        start, end = f"<!-- {name} -->", "<!-- end -->"
        parts = page.partition(f"{start}\n")
        rest = parts[2].partition(f"\n{end}")
        if not parts[1] or not rest[1]:
            raise SystemExit(f"the page has no lines '{start}' and '{end}'.")
        page = "".join([*parts[:2], table, *rest[1:]])
    return page


if __name__ == "__main__":
    main()
