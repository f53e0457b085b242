"""Compare the default play values of buy lists with explicit ones: can a list be improved by numbers in its file?

    python benchmarks/play_values.py                                  # about 10 minutes on two processors
    python benchmarks/play_values.py --only cellar-money,gardens      # lists whose names contain one of these words

Every list of play_values.toml plays with its default values against copies of itself with explicit values, two players,
seats rotated:

1. The explicit values are those of `overrides`: one number of the file, or the order of two Actions. An override that
   changes none of 100 games is left out.
2. Each override plays ``--games`` games against the default.
3. The three that win most play ``--final-games`` others.

Printed in Markdown: the best override of each list, and the default's win rate against it with its 95 % interval. Below
50 % the override is better. ``--base LINE`` adds a line to the files of all overrides: ``--base "trash_below = 20"``.
"""

import argparse
import os
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evodom.dominion.cards import CARDS
from evodom.dominion.effects.effect import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.record import Strategy
from evodom.matches import Purpose, Share, Tally, Use, Venue, Workers, win_share
from evodom.matches.simulate import compile_games

LISTS = Path(__file__).with_suffix(".toml")

N_BEFORE, N_FINAL = 100, 3
"""Games that show whether an override changes anything, and overrides that play the last games."""

NUMBERS = {
    "discard_to": (5, 8, 10, 15, 17, 19, 21, 23, 25, 30, 40),
    "trash_below": (5, 8, 10, 20, 25, 35, 45),
    "coin_floor": (0, 2, 4, 5, 8, 10, 14),
}
CARD_NUMBERS = {
    "hand_value": (3, 12, 18, 23, 45),
    "deck_value": (3, 12, 25, 60),
}
"""Values of the sweep: of the file's numbers, and of each card."""


class Match(NamedTuple):
    """An override, and the default's win rate against it."""

    override: str
    default: Share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="words in the names of lists")
    parser.add_argument("--games", type=int, default=2_000, help="games of each override")
    parser.add_argument("--final-games", type=int, default=20_000, help="games of the best three")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--base", action="append", default=[], help="a line of the files of overrides")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    lists = tomllib.loads(LISTS.read_text(encoding="utf-8"))
    words = arguments.only.split(",")
    compile_games()
    print(
        "| list | tried | best override | win rate of the default, % | 95 % interval |\n|---|---|---|---|---|",
        flush=True,
    )
    with ThreadPoolExecutor(arguments.jobs) as executor:
        for name, entry in lists.items():
            if not any(word in name for word in words):
                continue
            kingdom = Kingdom(tuple(entry["kingdom"]))
            venue = Venue(kingdom, 2, arguments.seed, Use.BENCHMARK, Workers(executor, arguments.jobs))
            sweep = Sweep(venue, tuple(entry["buy"]), "\n".join(arguments.base))
            n, best = sweep.best(arguments.games, arguments.final_games)
            won = best.default
            figures = f"{100 * won.share:.1f} | {100 * won.low:.1f} to {100 * won.high:.1f}"
            print(f"| {name} | {n} | {best.override or 'none'} | {figures} |", flush=True)


class Sweep:
    """A buy list with its default values, and with explicit ones below the line ``base``."""

    def __init__(self, venue: Venue, buy: tuple[str, ...], base: str) -> None:
        self.venue, self.buy, self.base = venue, buy, base
        self.default = self.strategy("")

    def strategy(self, lines: str) -> Strategy:
        """Return the list with more lines in its file, as a record."""
        rules = ", ".join(f'"{rule}"' for rule in self.buy)
        text = f'name = "list"\nmodel = "buy-list"\nendgame_check = true\nbuy = [{rules}]\n{lines}\n'
        record: Strategy = parse_strategy(text).record(self.venue.kingdom)
        return record

    def share(self, override: str, n_games: int, stage: int) -> Share:
        """Return the default's win rate against an override."""
        challenger = self.strategy(f"{self.base}\n{override}")
        stream = self.venue.stream(Purpose.AGAINST_BASELINE, stage)
        return win_share(Tally.of(self.venue.against(self.default, [challenger], n_games, stream)).games, 0)

    def best(self, n_games: int, n_final_games: int) -> tuple[int, Match]:
        """Return the number of overrides with another play, and the best of them."""
        tried = [override for override in overrides(self.buy, self.base) if self.is_other_play(override)]
        found = sorted((self.share(override, n_games, 1).share, override) for override in tried)[:N_FINAL]
        finals = [Match(override, self.share(override, n_final_games, 2)) for _, override in found]
        alone = Match("", self.share("", n_games, 1))
        return len(tried), min(finals or [alone], key=lambda match: match.default.share)

    def is_other_play(self, override: str) -> bool:
        """Return whether one of N_BEFORE games is another with an override."""
        seeds = np.arange(N_BEFORE, dtype=np.uint64)
        table = np.tile(np.arange(2, dtype=np.int32), (N_BEFORE, 1))
        other = self.strategy(f"{self.base}\n{override}")
        played, usual = (self.venue.play([self.default, one], table, seeds) for one in (other, self.default))
        return played.tobytes() != usual.tobytes()


def overrides(buy: tuple[str, ...], base: str) -> Iterator[str]:
    """Yield the lines of a file for each explicit value or order of two Actions."""
    if base:
        yield ""
    for key, numbers in NUMBERS.items():
        yield from (f"{key} = {number}" for number in numbers)
    bought = dict.fromkeys(rule.card for rule in BuyList(buy).rules)
    cards = dict.fromkeys((*bought, "Copper", "Estate"))
    for key, numbers in CARD_NUMBERS.items():
        yield from (f'{key} = {{ "{card}" = {number} }}' for card in cards for number in numbers)
    actions = [card for card in bought if Type.ACTION in CARDS[card].types]
    for first, second in combinations(actions, 2):
        for before, after in ((first, second), (second, first)):
            yield f'play = {{ "{before}" = 1, "{after}" = 50 }}'


if __name__ == "__main__":
    main()
