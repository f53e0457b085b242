"""Measure how strong evolved strategies are, in any kingdom and with any settings.

    python benchmarks/champions.py "First Game" --seeds 3 --ngen 100 model=graded model=buy-list

A setting is `default`, or a list of fields of `evodom.evolution.options.Options` with commas between them
("model=buy-list,race=16"). `without=NAME` removes one of CONDITIONS from graded strategies. Every run's champion plays
`--games` games against three copies of each of the strongest judges of the kingdom, seats rotated, none of which it has
met in evolution (`evodom.dominion.strategies.baselines.HELD_OUT_OPPONENTS`). Chance level is 25 %; the 95 % interval of
10,000 games is at most one point either way. The tables are in Markdown.
"""

import argparse
import ast
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import KINGDOMS, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.record import UNLIMITED, strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution.algorithm import Evolution, evaluate
from evodom.evolution.options import Options
from evodom.evolution.ranking import champion_of
from evodom.evolution.runs import resolve_rivals
from evodom.matches import Purpose, Tally, Use, Venue, win_share
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import strongest_baselines
from evodom.tasks import Workers

RECOMMENDED = tuple(KINGDOMS)[:6]

CONDITIONS = {
    "limits": UNLIMITED, "max_gains_to_end": UNLIMITED, "province_coins": 0, "terminals": UNLIMITED, "switch_on": 0,
    "pass_weights": 0.0,
}  # fmt: skip
"""Conditions under which a card is wanted, with the values that switch them off."""

GRADED = genetics_of("graded")
ENCODE = GRADED.encode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kingdoms", nargs="*", metavar="KINGDOM or SETTING=VALUE,...")
    parser.add_argument("--ngen", type=int, default=100)
    parser.add_argument("--nstrat", type=int, default=128)
    parser.add_argument("--seeds", type=int, default=3, help="runs of each setting")
    parser.add_argument("--games", type=int, default=10_000, help="games for each figure")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--opponents", type=int, default=6, help="how many of the strongest judges to meet")
    parser.add_argument("--also", default="big-money,big-money-smithy", help="baselines to meet in any case")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_intermixed_args()
    is_setting = [text == "default" or "=" in text for text in arguments.kingdoms]
    settings = [text for text, setting in zip(arguments.kingdoms, is_setting, strict=True) if setting] or ["default"]
    kingdoms = [text for text, setting in zip(arguments.kingdoms, is_setting, strict=True) if not setting]
    compile_games()
    with ThreadPoolExecutor(arguments.jobs) as executor:
        for text in kingdoms or RECOMMENDED:
            print_kingdom(parse_kingdom(text), settings, arguments, Workers(executor, arguments.jobs))


def print_kingdom(kingdom: Kingdom, settings: Sequence[str], arguments: Any, workers: Workers) -> None:
    """Print the table of a kingdom: a row for each run, and one for the means of each setting."""
    names = list(strongest_baselines(kingdom, arguments.players, arguments.opponents, among=HELD_OUT_OPPONENTS))
    fitting = strongest_baselines(kingdom, arguments.players, n=999)
    names += [name for name in arguments.also.split(",") if name in fitting and name not in names]
    print(f"\n### {kingdom.name}\n\n{', '.join(kingdom.cards)}.\n")
    columns = ["setting", "seed", "seconds", *names, "deck"]
    print(row(columns) + "\n" + row(["---"] * len(columns)), flush=True)
    for setting in settings:
        shares = []
        for seed in range(1, arguments.seeds + 1):
            options = options_of(setting, kingdom, arguments)
            champion, seconds = evolve(options, seed, workers)
            results = [against(champion, rival, options, arguments.games, workers) for rival in rivals(names, options)]
            shares.append([share for share, _ in results])
            deck = against(champion, champion, options, arguments.games, workers)[1]
            cells = [setting, str(seed), f"{seconds:.0f}", *map(percent, shares[-1]), deck_text(kingdom, deck)]
            print(row(cells), flush=True)
        print(row([setting, "mean", "", *map(percent, np.mean(shares, axis=0)), ""]), flush=True)


def options_of(text: str, kingdom: Kingdom, arguments: Any) -> Options:
    """Return the options of a setting; from now on, graded strategies play without the conditions it removes."""
    pairs = [item.split("=") for item in text.split(",") if text != "default"]
    left_out = [value for name, value in pairs if name == "without"]
    GRADED.encode = without(left_out)
    chosen = {name: literal(value) for name, value in pairs if name != "without"}
    basis = {
        "n_generations": arguments.ngen,
        "n_strategies": arguments.nstrat,
        "players": arguments.players,
        "kingdom": kingdom,
    }
    return resolve_rivals(Options(**(basis | chosen)))


def without(left_out: Sequence[str]) -> Callable[[Any, Breeding, Any], None]:
    """Return how graded genomes are encoded with the conditions ``left_out`` switched off."""

    def encode_without(genomes: Any, breeding: Breeding, strategies: Any) -> None:
        ENCODE(genomes, breeding, strategies)
        for name in left_out:
            strategies[name] = CONDITIONS[name]

    return encode_without


def literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return float(text) if text == "inf" else text


def evolve(options: Options, seed: int, workers: Workers) -> tuple[Any, float]:
    """Return the champion of a run's last generation as a record, and how many seconds it took."""
    begin = time.perf_counter()
    evolution = Evolution(options, seed)
    for _ in range(options.n_generations):
        generation = evaluate(evolution, workers)
        evolution.tell(generation.ranking)
    seconds = time.perf_counter() - begin
    return strategies_of(champion_of(generation), options)[0], seconds


def rivals(names: Sequence[str], options: Options) -> Any:
    return baseline_records(names, options.kingdom)


def against(
    champion: Any, rival: Any, options: Options, games: int, workers: Workers
) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the share of wins of one strategy against copies of another, and its mean deck by pile."""
    venue = Venue(options.kingdom, options.players, 1, Use.BENCHMARK, workers)
    tally = Tally.of(venue.against(champion, [rival], games, venue.stream(Purpose.AGAINST_BASELINE)))
    return win_share(tally.games, 0).share, tally.deck(0)


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def deck_text(kingdom: Kingdom, deck: npt.NDArray[np.float64]) -> str:
    """Return a mean deck as text, without cards of which there is less than half a copy."""
    return ", ".join(f"{n:.1f} {name}" for name, n in zip(kingdom.names, deck, strict=False) if n >= 0.5)


if __name__ == "__main__":
    main()
