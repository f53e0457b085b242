"""Play buy lists against Big Money Ultimate, and compare their win rates with those of DominionSim.

    python benchmarks/dominionsim.py                      # all rows of dominionsim.json, about 30 seconds
    python benchmarks/dominionsim.py --only Minion,Baron  # rows whose names contain one of these words

The rows of dominionsim.json are DominionSim's win rates, two players, seats rotated; ties count half:

- ``one``, ``three``: Big Money Ultimate with a rule for up to one or three copies of a card. The rule comes before Gold
  if the card costs $6 or more, else before Silver.
- ``bots``: lists that DominionSim publishes.

The kingdom of a row has the cards of its lists. As in DominionSim, no list gains a card that ends the game with a loss.
A row is below if its win rate is more than ``--margin`` points lower than DominionSim's. Its explanation in
``explained`` is printed after it. The exit status is 1 if a row below has none.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.matches import Purpose, Share, Tally, Use, Venue, Workers, win_share
from evodom.matches.simulate import compile_games

ROWS = Path(__file__).with_suffix(".json")


class Row(NamedTuple):
    """A list, its opponent and DominionSim's win rate in per cent."""

    group: str
    name: str
    buy: tuple[str, ...]
    opponent: tuple[str, ...]
    published: float


def main() -> int:
    """Print the table; return 1 if a row is below without an explanation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="words in the names of rows")
    parser.add_argument("--games", type=int, default=10_000, help="games of each row")
    parser.add_argument("--margin", type=float, default=3.0, help="points below DominionSim that need an explanation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rows", type=Path, default=ROWS, help="a file like dominionsim.json, without explanations")
    arguments = parser.parse_args()
    content = json.loads(arguments.rows.read_text(encoding="utf-8"))
    explained: dict[str, str] = json.loads(ROWS.read_text(encoding="utf-8"))["explained"]
    words = arguments.only.split(",")
    compile_games()
    unexplained = []
    print("| list | win rate, % | 95 % interval | DominionSim | difference |\n|---|---|---|---|---|", flush=True)
    with ThreadPoolExecutor(arguments.jobs) as executor:
        for row in rows(content):
            name = f"{row.group}: {row.name}"
            if not any(word in name for word in words):
                continue
            won = win_rate(row, arguments.games, arguments.seed, Workers(executor, arguments.jobs))
            difference = 100 * won.share - row.published
            note = ""
            if difference < -arguments.margin:
                note = explained.get(name, "")
                unexplained += [] if note else [name]
                note = f" below: {note or 'not explained'}"
            figures = f"{100 * won.share:.1f} | {100 * won.low:.1f} to {100 * won.high:.1f} | {row.published:.1f}"
            print(f"| {name} | {figures} | {difference:+.1f} |{note}", flush=True)
    if unexplained:
        print(f"{len(unexplained)} rows are below without an explanation: {', '.join(unexplained)}.")
    return int(bool(unexplained))


def rows(content: dict[str, dict[str, object]]) -> Iterator[Row]:
    """Yield the rows of a file's content."""
    money = {"Big Money Ultimate": content["big_money_ultimate"]}
    money["Big Money Ultimate (Col)"] = content["big_money_ultimate_colony"]
    usual = tuple(money["Big Money Ultimate"])
    for group, n in (("one", 1), ("three", 3)):
        for card, share in content[group].items():
            yield Row(group, card, with_card(usual, card, n), usual, share)
    for name, bot in content["bots"].items():
        yield Row("bots", name, tuple(bot["buy"]), tuple(money[bot["opponent"]]), bot["share"])


def with_card(buy: tuple[str, ...], card: str, n: int) -> tuple[str, ...]:
    """Return Big Money Ultimate with up to ``n`` copies of a card."""
    place = buy.index("Gold" if CARDS[card].cost >= CARDS["Gold"].cost else "Silver")
    return (*buy[:place], f"{card} if count_in_deck({card}) < {n}", *buy[place:])


def win_rate(row: Row, n_games: int, seed: int, workers: Workers) -> Share:
    """Return the win rate of a row's list."""
    lists = BuyList(row.buy, endgame_check=True), BuyList(row.opponent, endgame_check=True)
    named = dict.fromkeys(card for each in lists for card in each.cards)
    kingdom = Kingdom(tuple(card for card in named if card not in Kingdom(()).names))
    one, other = (buy_list_strategy(each, kingdom) for each in lists)
    venue = Venue(kingdom, 2, seed, Use.BENCHMARK, workers)
    stream = venue.stream(Purpose.AGAINST_BASELINE)
    return win_share(Tally.of(venue.against(one, [other], n_games, stream)).games, 0)


if __name__ == "__main__":
    sys.exit(main())
