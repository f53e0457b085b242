"""How strong what evolves is, for the same CPU time: one setting against another.

    python benchmarks/strength.py --seconds 5 --seeds 5 games=1 games=4 games=16 vp_penalty=inf

Each argument is a list of settings of `evodom.evolution.options.Options`, separated by commas. Every setting evolves
until the CPU time is used up; then the champion of the last generation plays 4,000 games against three copies of each
baseline, seats rotated (par is 25 %).
"""

import argparse
import ast
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from evodom.dominion.batch import play_games, warm_up
from evodom.dominion.rules import make_rules
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.scripted import BASELINES, baseline
from evodom.evolution.algorithm import Evolution
from evodom.evolution.genome import strategies_of
from evodom.evolution.options import Options
from evodom.evolution.run import Workers, evaluate
from evodom.evolution.tournament import rotated

GAMES = 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU time of each run")
    parser.add_argument("--seeds", type=int, default=5, help="runs per setting")
    parser.add_argument("settings", nargs="+", metavar="NAME=VALUE,...")
    arguments = parser.parse_args()
    warm_up()
    print(f"{'setting':36} {'generations':>11}  " + "  ".join(f"{name:>17}" for name in BASELINES))
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        for text in arguments.settings:
            options = Options(n_generations=9999, **parse(text))
            runs = [evolve(options, seed, arguments.seconds, workers) for seed in range(1, arguments.seeds + 1)]
            shares = np.array([win_shares(champion, options) for champion, _ in runs]) * 100
            cells = [f"{m:5.1f} % ±{s:4.1f}" for m, s in zip(shares.mean(0), shares.std(0), strict=True)]
            generations = np.mean([n for _, n in runs])
            print(f"{text:36} {generations:11.0f}  " + "  ".join(f"{cell:>17}" for cell in cells), flush=True)


def parse(text: str) -> dict[str, Any]:
    """Return "games=4,vp_penalty=inf" as keyword arguments."""
    pairs = (item.split("=") for item in text.split(","))
    return {name: float("inf") if value == "inf" else literal(value) for name, value in pairs}


def literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return text


def evolve(options: Options, seed: int, seconds: float, workers: Workers) -> tuple[Any, int]:
    """Return the champion's genome after ``seconds`` of CPU time, and the number of generations."""
    evolution = Evolution(options, seed)
    begin = time.process_time()
    while True:
        generation = evaluate(evolution, workers)
        evolution.tell(generation.ranking)
        if time.process_time() - begin > seconds:
            return generation.genomes[generation.ranking[:1]], evolution.index


def win_shares(champion: Any, options: Options) -> list[float]:
    """Return the champion's share of wins against three copies of each baseline."""
    rules = make_rules(options.kingdom, options.players)
    tables = rotated(np.arange(options.players)[None, :], GAMES)
    seeds = np.random.SeedSequence(GAMES).generate_state(GAMES, np.uint64)
    shares = []
    for name in BASELINES:
        strategies = np.zeros(options.players, STRATEGY)
        strategies[0] = strategies_of(champion, options)[0]
        strategies[1:] = baseline(name, options.kingdom)
        results = play_games(rules, strategies, tables, seeds)
        shares.append(float(results["win"][:, : options.players][tables == 0].mean()))
    return shares


if __name__ == "__main__":
    main()
