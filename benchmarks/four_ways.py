"""Measure four ways to play one kingdom, and write the tables and pictures of docs/guide/four-ways.md.

    python benchmarks/four_ways.py                      # evolve, train, play and write: about 17 CPU minutes
    python benchmarks/four_ways.py --data-dir four-ways # keep the runs there: a second start only plays and writes

The lists by hand are read from the page. The baseline is the strongest that fits the kingdom (`strongest_baselines`).
Pairs play N_GAMES with rotated seats. Decks, trashed cards and turns are means of 400 games against a copy. The printed
list is a short form of the champion of seed 1; its cards are left out one by one. Seconds are those of all threads.
"""

import argparse
import datetime
import resource
import subprocess
import sys
from itertools import combinations
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

from baselines import commit, with_tables
from stacked_bars import StackedBars

from evodom.advice.readable import readable
from evodom.api.progress import ensure_compiled, workers
from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.registry import model_of
from evodom.evolution.runs import summaries_of
from evodom.learning.habits import habits, self_play_games
from evodom.matches import Purpose, Use, Venue
from evodom.matches.entrants import find_entrants
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.presentation.charts import HeatMap, Series
from evodom.presentation.document import Drawing
from evodom.presentation.documents.common import card_colours
from evodom.presentation.documents.evolved_figures import archive_map
from evodom.presentation.format import with_interval
from evodom.presentation.picture import save_picture
from evodom.reports.evolved import archive_of
from evodom.runs import RunStore
from evodom.statistics import wilson
from evodom.tasks import Workers

PAGE = Path(__file__).parents[1] / "docs" / "guide" / "four-ways.md"
KINGDOM = "Cellar,Chapel,Festival,Laboratory,Market,Militia,Moat,Smithy,Throne Room,Village"
RUNS = {
    "learned": "train learned --games 1000000 --seed 1",
    "evolved": "evolve evolved-1 --model buy-list --ngen 100 --nstrat 128 --seed 1",
    "seed 2": "evolve evolved-2 --model buy-list --ngen 100 --nstrat 128 --seed 2",
    "seed 3": "evolve evolved-3 --model buy-list --ngen 100 --nstrat 128 --seed 3",
}
BY_HAND = ("by hand", "crossed out")
"""The lists of the page: written in three minutes, and with ideas of evolution."""
WAYS = ("by hand", "baseline", "evolved", "learned")
N_GAMES = 10_000
MIN_COPIES = 0.25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path, help="folder of the runs; without it they are deleted at the end")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    ensure_compiled("games", "learning", quiet=True)
    with TemporaryDirectory() as folder, workers(arguments.jobs) as threads:
        root = arguments.data_dir or Path(folder)
        seconds = {name: run(command, root, arguments.jobs) for name, command in RUNS.items()}
        tables, pictures = measure(RunStore(root), seconds, threads)
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
    PAGE.with_suffix("").mkdir(exist_ok=True)
    for title, drawing in pictures.items():
        save_picture(drawing.svg(title), PAGE.with_suffix("") / f"{title.lower().replace(' ', '-')}.svg")


def run(command: str, root: Path, jobs: int) -> float:
    """Evolve or train a run unless it is saved, and return its CPU seconds."""
    file = root / f"{command.split()[1]}.seconds"
    if not file.exists():
        words = [sys.executable, "-m", "evodom", *command.split(), "--kingdom", KINGDOM, "--players", "2"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*words, "--jobs", str(jobs), "--data-dir", root, "--quiet", "--overwrite"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        file.write_text(f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}", encoding="utf-8")
    return float(file.read_text(encoding="utf-8"))


def measure(
    store: RunStore, seconds: dict[str, float], threads: Workers
) -> tuple[dict[str, str], dict[str, Drawing | StackedBars]]:
    """Return the tables of the page by their marks, and its pictures by their titles."""
    kingdom = parse_kingdom(KINGDOM)
    lists = [part.split("```")[0] for part in PAGE.read_text(encoding="utf-8").split("```toml\n")[1:]]
    keys = {name: command.split()[1] for name, command in RUNS.items()}
    found = find_entrants([*strongest_baselines(kingdom, 2, 1), *keys.values()], store=store, kingdom=kingdom)
    players = {name: parse_strategy(text).record(kingdom) for name, text in zip(BY_HAND, lists, strict=True)}
    players |= dict(zip(("baseline", *RUNS), (one.record for one in found.entrants), strict=True))
    venue = Venue(kingdom, 2, 1, Use.BENCHMARK, threads)
    wins = {}
    for one, other in combinations(players, 2):
        share = wins_against(venue, players[one], players[other], N_GAMES, Purpose.AGAINST_BASELINE)
        wins |= {(one, other): share, (other, one): wilson((1 - share.share) * N_GAMES, N_GAMES)}
    own = {
        name: habits(self_play_games(venue, player, venue.stream(Purpose.TABLE)), kingdom, 2)
        for name, player in players.items()
    }

    def results(name: str) -> list[str]:
        return [with_interval(wins[name, other]) if name != other else "" for other in WAYS]

    provinces = {name: f"{own[name].greens_from.get('Province', nan):.1f}" for name in players}
    time = {name: f"{seconds[name]:.0f}" if name in seconds else "" for name in players}
    decks = {name: [own[way].deck[name] for way in WAYS] for name in kingdom.names}
    decks = {name: counts for name, counts in decks.items() if max(counts) >= MIN_COPIES}
    trashed = {f"{name}s trashed": [own[way].trashed.get(name, 0.0) for way in WAYS] for name in ("Copper", "Estate")}
    model = model_of(players["evolved"])
    short = model.reachable(readable(venue, players["evolved"]).record, kingdom)
    orders = describe_buys(short, kingdom)
    needs = {
        card: wins_against(venue, model.without_card(short, card, kingdom), short, N_GAMES, Purpose.AGAINST_BASELINE)
        for card, n in own["evolved"].deck.items()
        if n >= MIN_COPIES and card in (*kingdom.cards, "Silver", "Gold")
    }
    tables = {
        "win rates": table(["", *WAYS], [[way, *results(way)] for way in WAYS]),
        "figures": table(
            ["", *WAYS],
            [
                ["CPU seconds", *(time[way] for way in WAYS)],
                ["turn of the first Province", *(provinces[way] for way in WAYS)],
                *([name, *(f"{n:.1f}" for n in counts)] for name, counts in trashed.items()),
            ],
        ),
        "list": "\n".join(f"{number}. {line}" for number, line in enumerate(orders.lists[0].lines, 1))
        + f"\n\nWith these play values: {'; '.join(orders.notes)}." * bool(orders.notes),
        "needs": table(
            ["without", "win rate against the list"],
            [[card, with_interval(needs[card])] for card in sorted(needs, key=lambda card: needs[card].share)],
        ),
        "crossed out": table(["", *WAYS], [[name, *results(name)] for name in BY_HAND]),
        "seeds": table(
            ["seed", *WAYS, "first Province", "CPU seconds"],
            [[keys[name][-1], *results(name), provinces[name], time[name]] for name in list(RUNS)[1:]],
        ),
        "measured": f"Measured on {datetime.datetime.now(datetime.UTC):%d %B %Y}, commit {commit()}, with the baseline "
        f"`{found.entrants[0].name}`.",
    }
    with store.open(keys["evolved"]) as evolved:
        archive = archive_map(archive_of(summaries_of(evolved)))
    rates = [[wins[one, other].share if one != other else None for other in WAYS] for one in WAYS]
    colours = card_colours(kingdom.cards)
    return tables, {
        "Win rates": HeatMap(WAYS, WAYS, rates, ("opponent", "win rate"), 0, unit="%"),
        "Decks": StackedBars(WAYS, [Series(name, colours[name], counts) for name, counts in decks.items()]),
        "Archive": archive,
    }


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ["---"] * len(columns), *rows])


if __name__ == "__main__":
    main()
