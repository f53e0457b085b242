"""The whole report on a run, as plain data."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evodom.dominion.strategies.scripted import fitting_baselines
from evodom.errors import RunError
from evodom.evolution.champions import champions
from evodom.evolution.options import Options
from evodom.evolution.run import Workers, options_of, seed_of
from evodom.report.measure import FIRST_GENERATION, Measure, Strategies
from evodom.report.portrait import Portrait, portrait
from evodom.report.statistics import Share, Table
from evodom.store import Run

MOST_GENERATIONS = 12
"""How many generations are measured, evenly spaced."""

N_BEST = 3
"""How many of the last generation meet the baselines, those that lack no card in the kingdom."""

BIG_MONEY = "big-money"


@dataclass(frozen=True, slots=True)
class Fitness:
    """How strong one generation's champion is, and the summary saved with that generation."""

    generation: int
    against_big_money: Share
    against_first_generation: Share
    summary: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Against:
    """How one of the best did against copies of a baseline; ``rank`` 1 is the champion."""

    baseline: str
    rank: int
    win: Share


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report says; ``games`` is how many were played for each figure."""

    command: str
    games: int
    seed: int
    run: dict[str, Any]
    fitness: list[Fitness]
    champion: Portrait
    baselines: list[Against]
    table: Table

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON types."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Entries:
    """What a report reads from a run: the strategies to measure and the summaries to show."""

    facts: dict[str, Any]
    options: Options
    best: Strategies
    first: Strategies
    milestones: dict[int, tuple[Strategies, dict[str, Any]]]

    @property
    def n_figures(self) -> int:
        """How many figures are measured."""
        return 2 * len(self.milestones) + N_BEST * len(fitting_baselines(self.options.kingdom)) + 1


def read_entries(run: Run) -> Entries:
    """Read from a run what a report needs; another process may go on writing it meanwhile.

    Raises RunError if the run has no generation, or nothing a report could be computed from.
    """
    n, options = run.n_generations, options_of(run)
    if n == 0:
        raise RunError(f"run '{run.key}' has no generation yet. Evolve it anew: evodom evolve {run.key} -o")
    last, first = run.generation(n - 1), run.generation(0)
    milestones = {}
    for index in spaced(n):
        generation = run.generation(index)
        milestones[index] = champions(run, 1, generation), generation.summary
    return Entries(
        facts=_facts(run, n, options),
        options=options,
        best=champions(run, max(options.players, N_BEST), last),
        first=champions(run, options.players - 1, first),
        milestones=milestones,
    )


def make_report(
    entries: Entries,
    *,
    command: str,
    games: int,
    seed: int,
    workers: Workers,
    on_games: Callable[[int], object] = lambda _: None,
) -> Report:
    """Measure all figures of a report; ``command`` is what makes it again, ``on_games`` is told of games played."""
    options = entries.options
    measure = Measure(options.kingdom, options.players, games, seed, workers, on_games)
    return Report(
        command=command,
        games=measure.n_games,
        seed=seed,
        run=entries.facts,
        fitness=[_fitness(measure, entries, index) for index in entries.milestones],
        champion=portrait(entries.best[0], options.kingdom),
        baselines=_baselines(measure, entries.best),
        table=measure.table(entries.best[: options.players]),
    )


def spaced(n: int) -> list[int]:
    """Return up to MOST_GENERATIONS evenly spaced indices below ``n``, the first and the last among them."""
    return [int(index) for index in np.unique(np.linspace(0, n - 1, min(n, MOST_GENERATIONS)).round())]


def _facts(run: Run, n: int, options: Options) -> dict[str, Any]:
    meta = run.meta
    versions = meta.get("versions")
    return {
        "key": run.key,
        "seed": seed_of(run),
        "created": meta.get("created"),
        "versions": versions if isinstance(versions, dict) else {},
        "n_saved": n,
        "options": options.to_json(),
    }


def _fitness(measure: Measure, entries: Entries, index: int) -> Fitness:
    champion, summary = entries.milestones[index]
    return Fitness(
        index,
        measure.against_baseline(champion, BIG_MONEY),
        measure.against(champion, entries.first, FIRST_GENERATION),
        summary,
    )


def _baselines(measure: Measure, best: Strategies) -> list[Against]:
    return [
        Against(name, rank + 1, measure.against_baseline(best[rank : rank + 1], name))
        for name in fitting_baselines(measure.kingdom)
        for rank in range(N_BEST)
    ]
