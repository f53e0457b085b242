"""Measure how strong evolved strategies are, in any kingdom and with any settings.

    python benchmarks/champions.py "First Game" --seeds 3 --ngen 100 model=graded model=buy-list
    python benchmarks/champions.py C5 "random 11" --players 2 --against FOLDER

A setting is `default`, or a list of fields of `evodom.evolution.options.Options` with commas between them
("model=buy-list,race=16"). `without=NAME` removes one of CONDITIONS from graded strategies. A kingdom is the kingdom of
`--kingdom`, "random N" (Base Set), "mixed N" (all sets), or one of LISTS, whose list in `benchmarks/opponents` is then
an opponent. The champion of each run plays `--games` games against copies of each opponent, seats rotated: the list,
the strongest held-out baselines of the kingdom, those of `--also`, and the champions that `--save` wrote to the folder
of `--against`, a row with the mean over all of the kingdom. None took part in the evolution. The 95 % interval of
10,000 games is at most one point either way. The table is in Markdown; each row has the win rates of the seeds in per
cent.
"""

import argparse
import ast
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import SETS
from evodom.dominion.kingdom import DRAWN_SETS, KINGDOMS, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.files import dump_strategy, load_strategy
from evodom.dominion.strategies.record import UNLIMITED, strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.ranking import champion_of
from evodom.evolution.runs import resolve_rivals
from evodom.matches import Purpose, Tally, Use, Venue, win_share
from evodom.matches.simulate import compile_games
from evodom.matches.tournament import strongest_baselines
from evodom.tasks import Workers

RECOMMENDED = tuple(KINGDOMS)[:6]

LISTS = {
    "C5": "Artisan,Bandit,Bureaucrat,Cellar,Chapel,Council Room,Laboratory,Moneylender,Throne Room,Village",
    "K2": "Cellar,Chapel,Festival,Laboratory,Market,Militia,Moat,Smithy,Throne Room,Village",
    "E2": "Cellar,Festival,Gardens,Market,Militia,Moat,Remodel,Smithy,Village,Workshop",
}
"""Kingdoms with a buy list that a longer search found."""

DRAWN = {"random": DRAWN_SETS, "mixed": tuple(SETS)}
"""Sets of the kingdoms that a number draws."""

OPPONENTS = Path(__file__).parent / "opponents"

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
    parser.add_argument("--opponents", type=int, default=2, help="number of the strongest held-out baselines")
    parser.add_argument("--also", default="", help="further baselines, with commas between them")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write the champions as strategy files")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="strategy files of other champions")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_intermixed_args()
    is_setting = [text == "default" or "=" in text for text in arguments.kingdoms]
    settings = [text for text, setting in zip(arguments.kingdoms, is_setting, strict=True) if setting] or ["default"]
    kingdoms = [text for text, setting in zip(arguments.kingdoms, is_setting, strict=True) if not setting]
    compile_games()
    seeds = [f"seed {seed}" for seed in range(1, arguments.seeds + 1)]
    columns = ["kingdom", "setting", "opponent", *seeds, *(["mean"] if arguments.seeds > 1 else [])]
    print(row(columns) + "\n" + row(["---"] * len(columns)), flush=True)
    with ThreadPoolExecutor(arguments.jobs) as executor:
        for text in kingdoms or RECOMMENDED:
            print_kingdom(text, settings, arguments, Workers(executor, arguments.jobs))


def print_kingdom(text: str, settings: Sequence[str], arguments: Any, workers: Workers) -> None:
    """Print the rows of a kingdom: for each setting one row an opponent."""
    kingdom = kingdom_of(text)
    judges = opponents_of(text, kingdom, arguments)
    for setting in settings:
        rates = []
        for seed in range(1, arguments.seeds + 1):
            options = options_of(setting, kingdom, arguments)
            champion, seconds, cpu_seconds = evolve(options, seed, workers)
            results = [
                float(np.mean([against(champion, rival, options, arguments.games, workers)[0] for rival in rivals]))
                for rivals in judges.values()
            ]
            deck = against(champion, champion, options, arguments.games, workers)[1]
            print(
                f"{text}, {setting}, seed {seed}: {seconds:.0f} s, {cpu_seconds:.0f} CPU s, {deck_text(kingdom, deck)}",
                file=sys.stderr,
            )
            rates.append(results)
            if arguments.save:
                arguments.save.mkdir(parents=True, exist_ok=True)
                name = f"{text}, {setting}, seed {seed}"
                (arguments.save / f"{name}.toml").write_text(dump_strategy(champion, kingdom, name=name))
        for name, shares in zip(judges, zip(*rates, strict=True), strict=True):
            means = [float(np.mean(shares))] if len(shares) > 1 else []
            print(row([text, setting, name, *map(percent, [*shares, *means])]), flush=True)


def kingdom_of(text: str) -> Kingdom:
    """Return the kingdom of an argument: one of LISTS, "random N", "mixed N", or a text of `parse_kingdom`."""
    word, _, seed = text.partition(" ")
    if word in DRAWN and seed.isdecimal():
        return parse_kingdom("random", seed=int(seed), sets=DRAWN[word])
    return parse_kingdom(LISTS.get(text, text))


def opponents_of(text: str, kingdom: Kingdom, arguments: Any) -> dict[str, list[Any]]:
    """Return the records of opponents by name: the list, held-out baselines, those of --also and of --against."""
    lists = {"the list": [load_strategy(OPPONENTS / f"{text}.toml").record(kingdom)]} if text in LISTS else {}
    fitting = strongest_baselines(kingdom, arguments.players, n=999)
    held_out = strongest_baselines(kingdom, arguments.players, arguments.opponents, among=HELD_OUT_OPPONENTS)
    also = [name for name in arguments.also.split(",") if name in fitting]
    names = list(dict.fromkeys([*held_out, *also]))
    files = sorted(arguments.against.glob(f"{text},*.toml")) if arguments.against else []
    champions = {f"{len(files)} champions": [load_strategy(path).record(kingdom) for path in files]} if files else {}
    baselines = zip(names, baseline_records(names, kingdom), strict=True)
    return lists | champions | {f"`{name}`": [record] for name, record in baselines}


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


def evolve(options: Options, seed: int, workers: Workers) -> tuple[Any, float, float]:
    """Return the champion of a run's last generation as a record, and the run's seconds and CPU seconds."""
    begin, cpu_begin = time.perf_counter(), time.process_time()
    evolution = Evolution(options, seed)
    for _ in range(options.n_generations):
        generation = evaluate(evolution, workers)
        evolution.tell(RankedPopulation.of(generation))
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu_begin
    return strategies_of(champion_of(generation), options)[0], seconds, cpu_seconds


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
    return f"{100 * share:.1f}"


def deck_text(kingdom: Kingdom, deck: npt.NDArray[np.float64]) -> str:
    """Return a mean deck as text, without cards of which there is less than half a copy."""
    return ", ".join(f"{n:.1f} {name}" for name, n in zip(kingdom.names, deck, strict=False) if n >= 0.5)


if __name__ == "__main__":
    main()
