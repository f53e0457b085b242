"""Compare islands with one population at the same processor time, by what their champions win.

    python benchmarks/islands.py                  all ways, three seeds: about 8 processor minutes
    python benchmarks/islands.py --seeds 1 2      other seeds

Each way evolves in one thread, with about the same number of games. Its champion then meets copies of each of the
strongest judges: baselines that were nobody's rival in evolution. Printed are the mean of its wins (par 50 %, the same
luck for all), the processor seconds and the games of evolution.
"""

import argparse
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from evodom.dominion.kingdom import parse_kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline
from evodom.evolution.history import games_of
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, champions, start
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.runs import RunStore
from evodom.tasks import Workers

WAYS = {
    "one population of 128, 40 generations": {"n_strategies": 128, "n_generations": 40},
    "one population of 512, 7 generations": {"n_strategies": 512, "n_generations": 7},
    "4 islands of 128, 10 generations, migrating every 5": {
        "n_strategies": 128,
        "n_generations": 10,
        "islands": 4,
        "migrate_every": 5,
    },
    "4 islands of 32, 60 generations, migrating every 10": {
        "n_strategies": 32,
        "n_generations": 60,
        "islands": 4,
        "migrate_every": 10,
    },
    "4 islands of 32, 60 generations, never migrating": {
        "n_strategies": 32,
        "n_generations": 60,
        "islands": 4,
        "migrate_every": 60,
    },
}

N_JUDGES, GAMES = 5, 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kingdom", default="First Game")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    asked = parser.parse_args()
    kingdom = parse_kingdom(asked.kingdom, seed=0, first_edition=False)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        venue = Venue(kingdom, 2, seed=0, use=Use.BENCHMARK)
        judges = [
            baseline(name, kingdom) for name in strongest_baselines(kingdom, 2, N_JUDGES, among=HELD_OUT_OPPONENTS)
        ]
        for way, settings in WAYS.items():
            for seed in asked.seeds:
                began, games = time.process_time(), 0
                options = Options(kingdom=kingdom, players=2, **settings)
                with start("demo", options, seed, store=RunStore(folder), overwrite=True, workers=workers) as run:
                    carry_on(run, workers)
                    seconds = time.process_time() - began
                    games = sum(games_of(each.summary) for each in run)
                with RunStore(folder).open("demo") as run:
                    (champion,) = champions(run, 1)
                wins = [wins_against(venue, champion, judge, GAMES, Purpose.MATCH).share for judge in judges]
                told = f"{100 * sum(wins) / len(wins):5.1f} %  {seconds:6.1f} s  {games:9,} games"
                print(f"{way:52} seed {seed}  {told}", flush=True)


if __name__ == "__main__":
    main()
