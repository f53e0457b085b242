"""Measure how fast the engine plays: games per second of one core's CPU time, and the gain from a second thread.

    python benchmarks/speed.py

Each figure is the best of several repetitions after compiling, because other work on the machine can only make one
slower. The scaling compares the wall times of one and two threads on the same games, measured in turn.
"""

import resource
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from evodom.dominion.cards import SETS
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import new_batch, start_game
from evodom.dominion.engine.turn import enact
from evodom.dominion.kingdom import FIRST_GAME, NO, YES, Kingdom, parse_kingdom
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.preferences.genetics import random_genomes
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.dominion.strategies.select import select
from evodom.evolution import Evolution, Options, RankedPopulation, evaluate
from evodom.jit.kernel import kernel
from evodom.matches.simulate import compile_census, compile_games, play_games, take_census
from evodom.tasks import Workers

REPETITIONS = 7
EVOLVED_GENERATIONS = 60
MIX_KINGDOMS = 40
MIX_STRATEGIES = 32
MIX_GAMES = 100
"""A mix of random kingdoms: their number, and the numbers of strategies and games in each."""


def main() -> None:
    begin = time.perf_counter()
    compile_games()
    print(f"{'engine ready (compiled or loaded from the cache)':58} {time.perf_counter() - begin:9.2f} s")
    plain = buy_list_strategy(BuyList(("Province", "Gold", "Silver")), FIRST_GAME)
    greening = baseline("big-money", FIRST_GAME)
    print_rate("2 players, Big Money mirror (Province, Gold, Silver)", [plain, plain], 40_000)
    print_rate("2 players, Big Money mirror (with late Duchies, Estates)", [greening, greening], 40_000)
    print_rate("4 players, Big Money", [greening] * 4, 20_000)
    print_rate("4 players, Big Money with Smithies", [baseline("big-money-smithy", FIRST_GAME)] * 4, 20_000)
    print_rate("4 players, random legal choices", [baseline("random", FIRST_GAME)] * 4, 4_000)
    evolved = evolved_strategies()
    print_rate(f"4 players, strategies evolved for {EVOLVED_GENERATIONS} generations", evolved, 20_000)
    print_census_cost("evolved strategies", evolved[:4], 10_000)
    print_census_cost("Big Money", [greening] * 4, 10_000)
    print_mix("the Base Set", [parse_kingdom("random", seed=seed) for seed in range(MIX_KINGDOMS)])
    print_mix("all sets", mixed_kingdoms())
    print_scaling(evolved, 60_000)
    print_evolution()
    print(f"{'peak memory':58} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:9.0f} MB")


def print_rate(what: str, strategies: list[Any], n_games: int) -> None:
    seconds = best_of(time.process_time, game_batch(strategies, n_games))
    print(f"{what:58} {n_games / seconds:9,.0f} games/s")


def print_census_cost(what: str, strategies: list[Any], n_games: int) -> None:
    """Print how much longer games take with the census of the reports; both are measured in turn."""
    compile_census()
    ratios = []
    for _ in range(2 * REPETITIONS):
        without = cpu(game_batch(strategies, n_games))
        ratios.append(cpu(game_batch(strategies, n_games, play=take_census)) / without)
    print(f"{f'cost of the census, 4 players, {what}':58} {100 * (np.median(ratios) - 1):9.1f} %")


def print_mix(name: str, kingdoms: list[Kingdom]) -> None:
    """Print the rates in kingdoms, for each kind of strategies and size of table, and for all together."""
    mix = [(what, n_seats) for what in ("random genomes", "random legal choices") for n_seats in (2, 4)]
    total, n_decisions = 0.0, 0
    for what, n_seats in mix:
        batches = [kingdom_batch(what, n_seats, *each) for each in enumerate(kingdoms)]
        seconds = best_of(time.process_time, lambda batches=batches: [play() for play in batches])
        decided = sum(kingdom_batch(what, n_seats, *each, play=count_decisions)() for each in enumerate(kingdoms))
        print_mix_row(f"{n_seats} players, {what}, {len(kingdoms)} kingdoms of {name}", len(batches), decided, seconds)
        total, n_decisions = total + seconds, n_decisions + decided
    print_mix_row(f"the whole mix, {name}", len(mix) * len(kingdoms), n_decisions, total)


def print_mix_row(label: str, n_batches: int, n_decisions: int, seconds: float) -> None:
    print(f"{label:58} {n_batches * MIX_GAMES / seconds:9,.0f} games/s {n_decisions / seconds:11,.0f} decisions/s")


def count_decisions(rules: Any, strategies: Any, tables: Any, seeds: Any, *, workers: Workers | None = None) -> int:
    """Play the games of `play_games` and return their number of Decisions."""
    return int(count_slice(rules, new_batch(rules), Lineup.of(strategies).arrays, tables, seeds))


@kernel
def count_slice(rules: Any, slots: Any, lineup: Any, tables: Any, seeds: Any) -> Any:
    """Play games and return their number of Decisions."""
    n = 0
    state = slots[0]
    for game in range(len(tables)):
        start_game(rules, slots, 0, seeds[game])
        while state.ended == Ending.PLAYING:
            enact(rules, state, select(rules, state, lineup, tables[game][state.decider]))
            n += 1
    return n


def mixed_kingdoms() -> list[Kingdom]:
    """Return random kingdoms of all sets. Every second one has Platinum and Colony."""
    return [
        parse_kingdom("random", seed=seed, sets=tuple(SETS), colonies=(YES, NO)[seed % 2])
        for seed in range(MIX_KINGDOMS)
    ]


def print_scaling(strategies: list[Any], n_games: int) -> None:
    with ThreadPoolExecutor(2) as executor:
        ratios = []
        for _ in range(REPETITIONS):
            one = wall(game_batch(strategies, n_games))
            ratios.append(one / wall(game_batch(strategies, n_games, Workers(executor, 2))))
    print(f"{'two threads against one, wall time':58} {max(ratios):9.2f} times (median {np.median(ratios):.2f})")


def print_evolution() -> None:
    options = Options(n_generations=100, games=1)
    with ThreadPoolExecutor(2) as executor:
        seconds = wall(lambda: evolve(options, Workers(executor, 2)))
    print(f"{'100 generations of 128 strategies, 1 game a match':58} {seconds:9.2f} s")


def evolved_strategies() -> list[Any]:
    """Return the 32 best strategies after some generations."""
    options = Options(n_generations=EVOLVED_GENERATIONS)
    with ThreadPoolExecutor(1) as executor:
        last = evolve(options, Workers(executor, 1))
    return list(strategies_of(last.genomes[last.ranking[:32]], options))


def evolve(options: Options, workers: Workers) -> Any:
    """Return the last generation of a run."""
    evolution = Evolution(options, seed=1)
    for _ in range(options.n_generations):
        generation = evaluate(evolution, workers)
        evolution.tell(RankedPopulation.of(generation))
    return generation


def game_batch(
    strategies: list[Any],
    n_games: int,
    workers: Workers | None = None,
    *,
    kingdom: Kingdom = FIRST_GAME,
    n_seats: int = 0,
    play: Callable[..., Any] = play_games,
) -> Callable[[], Any]:
    """Return a function that plays ``n_games`` among ``strategies``, at tables of up to four seats by default."""
    n_seats = n_seats or min(len(strategies), 4)
    rules = kingdom.rules(n_seats)
    records = np.zeros(len(strategies), STRATEGY)
    for index, strategy in enumerate(strategies):
        records[index] = strategy
    rng = np.random.default_rng(1)
    order = np.arange(len(strategies), dtype=np.int32)
    tables = np.array([rng.permutation(order)[:n_seats] for _ in range(n_games)], np.int32)
    seeds = np.random.SeedSequence(1).generate_state(n_games, np.uint64)
    return lambda: play(rules, records, tables, seeds, workers=workers)


def kingdom_batch(
    what: str, n_seats: int, seed: int, kingdom: Kingdom, *, play: Callable[..., Any] = play_games
) -> Callable[[], Any]:
    """Return a function that plays games among random strategies in a kingdom."""
    rng = np.random.default_rng(seed)
    if what == "random genomes":
        options = Options(kingdom=kingdom)
        strategies = list(strategies_of(random_genomes(MIX_STRATEGIES, options, rng), options))
    else:
        strategies = [baseline("random", kingdom)] * n_seats
    return game_batch(strategies, MIX_GAMES, kingdom=kingdom, n_seats=n_seats, play=play)


def best_of(clock: Callable[[], float], work: Callable[[], Any]) -> float:
    """Return the shortest of several repetitions, in seconds of ``clock``."""
    seconds = []
    for _ in range(REPETITIONS):
        begin = clock()
        work()
        seconds.append(clock() - begin)
    return min(seconds)


def cpu(work: Callable[[], Any]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def wall(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
