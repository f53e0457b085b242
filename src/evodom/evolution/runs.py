"""Runs of evolution: start and continue a run, save every generation, check saved data, and return the champions.

A run keeps the summary of every generation. A generation is *whole* if all its genomes are kept (`is_whole`): the
newest generations for breeding, and every 100th for reports. Other generations keep only their champion. `is_whole`
depends only on numbers of generations, so that a resumed run ends with the same file.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from evodom.dominion.strategies.base import Strategies
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS
from evodom.dominion.strategies.record import Strategy, strategies_of
from evodom.errors import EvodomError, RunError, UsageError
from evodom.evolution.algorithm import Evolution, evaluate, hall_generations
from evodom.evolution.archive import CELLS, LINES, WIN_RATES, Archive, Line, RankedPopulation
from evodom.evolution.cells import N_CELLS
from evodom.evolution.emitters import KINDS, NO_PARENT, ORIGIN, ORIGINS
from evodom.evolution.history import history_row
from evodom.evolution.islands import Archipelago
from evodom.evolution.mixtures import MIXTURE
from evodom.evolution.options import Options
from evodom.evolution.proposals import Success
from evodom.evolution.ranking import champion_of, copies_last, held_out_wins
from evodom.matches.agents import read_guests
from evodom.matches.tournament import strongest_baselines
from evodom.reading import Count, Proportion
from evodom.runs import Generation, Run
from evodom.runs.lifecycle import RunKind, RunResources
from evodom.tasks import Workers

NEWEST_WHOLE = 200
"""Number of the newest generations that keep all genomes."""

EVERY_WHOLE = 100
"""Older generations keep all genomes if their index is a multiple of this."""


def is_whole(index: int, n_saved: int) -> bool:
    """Return whether a generation keeps all genomes in a run of ``n_saved`` generations."""
    return index % EVERY_WHOLE == 0 or index >= n_saved - NEWEST_WHOLE


def thinned_by(n_before: int, n_after: int) -> list[int]:
    """Return the generations to reduce to their champions when a run grows from ``n_before`` to ``n_after``."""
    old = range(max(0, n_before - NEWEST_WHOLE), max(0, n_after - NEWEST_WHOLE))
    return [index for index in old if not is_whole(index, n_after)]


def thinned(generation: Generation) -> Generation:
    """Return a generation with only the champion's genome, without columns and without the payoffs of lines."""
    champion, summary = generation.ranking[:1], generation.summary
    if LINES in summary:
        summary = summary | {LINES: {number: line | {"payoffs": {}} for number, line in summary[LINES].items()}}
    return Generation(generation.index, generation.genomes[champion], np.zeros_like(champion), summary)


class EvolutionSummary(Struct):
    """Figures in the summary of a generation of evolution."""

    best_points: float
    games: Count
    rounds: float
    winner_vp: float
    ended_on_piles: float = 0.0
    cut: float = 0.0
    diversity: float = 0.0
    best_fitness: float = 0.0
    mean_fitness: float = 0.0
    origin_shares: dict[str, Proportion] = {}
    race_games: Count = 0
    held_out_wins: Proportion = 0.0
    search_games: Count = 0
    search_rounds: Count = 0
    search_accepted: Count = 0
    search_gain: float = 0.0
    island_games: Count = 0
    islands: list[dict[str, float]] = []
    lines: dict[str, Line] = {}
    changes: dict[str, Success] = {}
    mixture: dict[str, Proportion] = {}


Column = npt.NDArray[Any]

COLUMNS = {ORIGINS: ORIGIN, CELLS: np.dtype(np.int64), WIN_RATES: np.dtype(np.float64)}
"""The types of the columns of a generation. Without local search there are only the origins."""


def _are_columns(columns: Mapping[str, Column], index: int) -> bool:
    """Return whether the columns of generation ``index`` have valid types and values."""
    if {name: column.dtype for name, column in columns.items()} not in (COLUMNS, {ORIGINS: ORIGIN}):
        return False
    origins = columns[ORIGINS]
    last = len(origins) - 1 if index else NO_PARENT
    parents, cells, win_rates = origins[["parent", "other"]], columns.get(CELLS), columns.get(WIN_RATES)
    return (
        bool(np.isin(origins["kind"], KINDS).all())
        and all(_within(parents[name], NO_PARENT, last) for name in ("parent", "other"))
        and (cells is None or _within(cells, 0, N_CELLS - 1))
        and (win_rates is None or _within(win_rates, 0.0, 1.0))
    )


def _within(values: Column, low: float, high: float) -> bool:
    return bool(((values >= low) & (values <= high)).all())


def _is_mixture(weights: Mapping[str, float], lines: Mapping[str, object]) -> bool:
    """Return whether the weights of a mixture are those of lines, and sum to 1."""
    return not weights or (set(weights) <= set(lines) and bool(np.isclose(sum(weights.values()), 1.0)))


def champions(run: Run, n: int, generation: Generation | None = None) -> Strategies:
    """Return the ``n`` best strategies of a generation (the last one by default), best first, as STRATEGY records.

    Strategies with equal buys appear once, unless there are fewer than ``n`` distinct strategies.
    """
    strategies = ranked_strategies(run, generation or run.last())
    return strategies[copies_last(strategies)[:n]]


def mixed_genomes(run: Run, generation: Generation) -> dict[int, int]:
    """Return the indices of the genomes in a whole generation's mixture, by rank from 1 as in `champions`."""
    numbers = generation.ranking[copies_last(ranked_strategies(run, generation))].tolist()
    weights = generation.summary.get(MIXTURE, {})
    return {rank: number for rank, number in enumerate(numbers, 1) if str(number) in weights}


def ranked_strategies(run: Run, generation: Generation) -> Strategies:
    """Return all strategies of a generation of a run, best first, as STRATEGY records."""
    options = options_of(run)
    generation = checked(run, generation, options)
    return strategies_of(generation.genomes[generation.ranking], options)


SAVE_EVERY_S = 0.5
"""Minimum number of seconds between two saves. Generations finished in between wait for the next save."""


def resolve_rivals(options: Options) -> Options:
    """Return the options with the names of all rivals. The default is the strongest training opponents, and guests."""
    if options.rivals is not None or not options.race:
        return options
    strongest = strongest_baselines(options.kingdom, options.players, among=TRAINING_OPPONENTS)
    guests = read_guests(options.guests, options.kingdom)
    return replace(options, rivals=tuple(dict.fromkeys((*strongest, *(guest.name for guest in guests)))))


def _generations(evolution: Evolution, workers: Workers | None) -> Iterator[Generation]:
    """Yield the current generation of a population and all following generations."""
    while True:
        generation = evaluated_generation(evolution, workers)
        yield generation
        evolution.tell(RankedPopulation.of(generation))


def evaluated_generation(evolution: Evolution, workers: Workers | None) -> Generation:
    """Return the current generation after its games. Its summary has the results of `held_out_wins`."""
    generation = evaluate(evolution, workers)
    champion = champion_of(generation)
    generation.summary.update(held_out_wins(champion, evolution.options, evolution.seed, evolution.index, workers))
    return generation


def _island_workers(resources: RunResources) -> Workers:
    """Return the workers that evolve islands."""
    assert resources.workers is not None, "islands are tasks of workers"
    return resources.workers


class EvolutionRuns(RunKind[Options]):
    """Runs of evolution. With islands, a saved generation is the last of a round."""

    has_kingdom = True
    # Properties read the constants at each use. Tests change the constants.
    whole_interval = property(lambda self: EVERY_WHOLE)
    save_every_s = property(lambda self: SAVE_EVERY_S)
    read_options = staticmethod(Options.from_json)

    def rules_of(self, options: Options) -> str:
        return options.kingdom.rules_fingerprint

    def n_total(self, options: Options) -> int:
        return options.n_total

    def with_defaults(self, options: Options) -> Options:
        return resolve_rivals(options)

    def checked(self, run: Run, generation: Generation, options: Options | None = None) -> Generation:
        """Return a generation. Raise RunError for invalid data."""
        options = options or self.options_of(run)
        self.check_summary(run, generation.index, generation.summary, options)
        try:
            n, n_here = options.n_genomes, len(generation.genomes)
            if n_here == 1 and is_whole(generation.index, run.n_generations):
                raise UsageError("it has the champion only, and should be whole.")
            if n_here not in (1, n) or generation.genomes.ndim != 1:
                raise UsageError(f"it has {n_here} strategies, and the run {n}.")
            options.genetics.check_genomes(generation.genomes, options)
            if not np.array_equal(np.sort(generation.ranking), np.arange(n_here)):
                raise UsageError("its ranking does not have every strategy once.")
            if n_here == n and not _are_columns(generation.columns, generation.index):
                raise UsageError("its columns are not those of a run of evolution.")
            if not set(generation.summary.get(LINES, {})) <= set(map(str, range(n))):
                raise UsageError("its lines are not those of its strategies.")
            if not _is_mixture(generation.summary.get(MIXTURE, {}), generation.summary.get(LINES, {})):
                raise UsageError("its mixture is not a mixture of its lines.")
        except EvodomError as error:
            raise RunError(f"run '{run.key}', generation {generation.index}: {error}") from error
        return generation

    def summary_type(self, index: int) -> type[Struct]:
        return EvolutionSummary

    def first(self, options: Options, seed: int, resources: RunResources) -> Generation:
        if options.islands > 1:
            return next(Archipelago(options, seed).rounds(_island_workers(resources), resources.monitor.on_part))
        return evaluated_generation(Evolution(options, seed), resources.workers)

    def following(self, run: Run, options: Options, resources: RunResources) -> Iterator[Generation]:
        last, seed = self.checked(run, run.last(), options), run.provenance().seed
        if options.islands > 1:
            rounds = range(max(0, last.index + 1 - options.hall), last.index + 1)
            best = [champion_of(self.generation_of(run, index, options)) for index in rounds]
            return Archipelago(options, seed, last, best).rounds(_island_workers(resources), resources.monitor.on_part)
        best = [champion_of(self.generation_of(run, index, options)) for index in hall_generations(last.index, options)]
        hall, archive = np.concatenate([last.genomes[:0], *best]), Archive.of(last.summary)
        evolution = Evolution(options, seed, last.genomes, last.index, hall, archive=archive)
        evolution.tell(RankedPopulation.of(last))
        return _generations(evolution, resources.workers)

    def thinned_generations(self, run: Run, new: list[Generation]) -> tuple[list[Generation], list[Generation]]:
        n_before = run.n_generations
        thin = thinned_by(n_before, n_before + len(new))
        replaced = [thinned(run.generation(old)) for old in thin if old < n_before]
        return [thinned(each) if each.index in thin else each for each in new], replaced

    def best(self, run: Run, n: int, generation: Generation | None = None) -> Sequence[Strategy]:
        return list(champions(run, n, generation))

    def mixture(self, run: Run, generation: Generation) -> dict[int, float]:
        weights = generation.summary.get(MIXTURE, {})
        return {rank: weights[str(number)] for rank, number in mixed_genomes(run, generation).items()}


EVOLUTION = EvolutionRuns()
start, carry_on = EVOLUTION.start, EVOLUTION.carry_on
options_of, generation_of, checked = EVOLUTION.options_of, EVOLUTION.generation_of, EVOLUTION.checked
summaries_of, check_run = EVOLUTION.summaries_of, EVOLUTION.check_run


def history_of(run: Run) -> list[dict[str, Any]]:
    """Return the statistics of all saved generations of a run: a `history_row` for each."""
    length = options_of(run).round_length
    return [history_row(index, summary, length) for index, summary in enumerate(summaries_of(run))]


def extend(run: Run, n_generations: int | None) -> Options:
    """Change and save the number of generations of a run. Return its settings. None keeps the number.

    Raise UsageError if the run already has more than ``n_generations``.
    """
    options = options_of(run)
    if n_generations is None or n_generations == options.n_generations:
        return options
    done = run.n_generations * options.round_length
    if n_generations < done:
        raise UsageError(
            f"--ngen is {n_generations}, and run '{run.key}' has {done} generations. Allowed: {done} or more."
        )
    options = replace(options, n_generations=n_generations)
    run.set_meta(options=options.to_json())
    return options
