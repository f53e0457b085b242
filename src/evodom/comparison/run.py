"""Compute and save the runs of a comparison, each with its learning curve.

A comparison is one saved file. Its parts are its runs: the comparison "models" has the run "models:graded-3" for the
setting "graded" and seed 3. Each run is one pure task (`compute_run`).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from evodom.comparison.plan import KINDS, ComparisonPlan, PlannedRun
from evodom.dominion.strategies.baselines import baseline_records
from evodom.errors import RunError
from evodom.evolution.runs import EVOLUTION
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against_each
from evodom.matches.venue import Venue
from evodom.reading import Proportion, convert
from evodom.runs import Contents, Generation, MemoryStore, Run, RunStore
from evodom.runs.lifecycle import SavedKind, kind_of
from evodom.runs.run import COMPUTE_AGAIN
from evodom.statistics import evenly_spaced
from evodom.tasks import Arrays, Content, Tasks, Workers, pack, packed_task, unpack

CURVE = "curve"
"""Name of the learning curve in a part's meta."""


class CurvePoint(Struct, frozen=True):
    """A point of a learning curve: a generation or checkpoint, and its win rates against the judges."""

    generation: Annotated[int, Meta(ge=0)]
    wins: Annotated[tuple[Proportion, ...], Meta(min_length=1)]

    @property
    def mean(self) -> float:
        """The mean win rate."""
        return float(np.mean(self.wins))


class SavedComparisons(SavedKind[ComparisonPlan]):
    """The kind of saved comparisons. A comparison has parts instead of generations."""

    name = "comparison"
    command, participle = "compare", "compared"
    read_options = staticmethod(ComparisonPlan.from_json)

    def rules_of(self, options: ComparisonPlan) -> str:
        return options.kingdoms[0].rules_fingerprint

    def check_run(self, run: Run) -> None:
        """Raise RunError or UsageError unless the plan and all parts of a comparison are valid."""
        plan = self.options_of(run)
        run.provenance()
        curves_of(run, plan)
        kind = KINDS[plan.command]
        for part in map(run.part, run.parts):
            if kind_of(part) is not kind:
                raise RunError(f"run '{part.key}' does not belong to the comparison '{run.key}'.")
            kind.check_run(part)


COMPARISONS = SavedComparisons()


def start(key: str, plan: ComparisonPlan, *, store: RunStore, overwrite: bool = False) -> Run:
    """Save a new comparison without runs, and return it open for writing. Raise UsageError if the key is taken."""
    return store.create(key, COMPARISONS.meta_of(plan, plan.seeds[0]), [], overwrite=overwrite)


def carry_on(
    run: Run, tasks: Tasks | None = None, on_run: Callable[[PlannedRun, float], object] = lambda run, wins: None
) -> None:
    """Compute the missing runs of a comparison and save each. Call ``on_run`` with each run and its final win rate."""
    plan = COMPARISONS.options_of(run)
    missing = [planned for planned in plan.runs if planned.part not in run.parts]
    jobs = [
        pack(
            {
                "command": plan.command,
                "options": planned.options.to_json(),
                "seed": planned.seed,
                "judges": planned.judges,
                "games": plan.games,
            }
        )
        for planned in missing
    ]

    def save(number: int, result: bytes) -> None:
        contents = _contents(*unpack(result))
        run.save_part(missing[number].part, contents)
        on_run(missing[number], _curve(contents[0], run.key)[-1].mean)

    (tasks or Tasks()).map(compute_run, jobs, save)


@packed_task
def compute_run(facts: dict[str, Any], arrays: Arrays) -> Content:
    """Compute a whole run in one thread, and measure its learning curve. Return the run's meta and generations."""
    kind = KINDS[facts["command"]]
    with ThreadPoolExecutor(1) as executor:
        workers, options = Workers(executor, 1), kind.read_options(facts["options"])
        with kind.start("run", options, facts["seed"], store=MemoryStore(), workers=workers) as run:
            kind.carry_on(run, workers)
            curve = learning_curve(run, facts["judges"], facts["games"])
            generations = list(run)
            meta = run.meta | {CURVE: [{"generation": point.generation, "wins": point.wins} for point in curve]}
    tables = [each.to_table() for each in generations]
    descriptions = [(each.summary, description) for each, (description, _) in zip(generations, tables, strict=True)]
    rows = {str(index): np.frombuffer(rows, np.uint8) for index, (_, rows) in enumerate(tables)}
    return {"meta": meta, "generations": descriptions}, rows


def _contents(facts: dict[str, Any], arrays: Arrays) -> Contents:
    """Return the contents of a run from the result of `compute_run`."""
    generations = [
        Generation.of_table(index, summary, description, arrays[str(index)].tobytes())
        for index, (summary, description) in enumerate(facts["generations"])
    ]
    return facts["meta"], generations


def learning_curve(run: Run, judges: Sequence[str], games: int) -> list[CurvePoint]:
    """Return the learning curve of a run. All runs with its seed and kingdom play the same games."""
    kind = kind_of(run)
    options, seed = kind.options_of(run), run.provenance().seed
    venue = Venue(options.kingdom, options.players, seed, Use.COMPARISON)
    opponents = list(baseline_records(judges, options.kingdom))
    last, length = run.n_generations - 1, getattr(options, "round_length", 1)
    points = []
    for index in evenly_spaced(range(last + 1), 20):
        (champion,) = kind.best(run, 1, run.generation(index))
        shares = wins_against_each(venue, champion, opponents, games, Purpose.AGAINST_BASELINE)
        # A saved generation of evolution is a round of ``length`` generations.
        generation = (index + 1) * length if kind is EVOLUTION else index
        points.append(CurvePoint(generation, tuple(one.share for one in shares)))
    return points


def _curve(meta: dict[str, Any], key: str) -> list[CurvePoint]:
    """Return the learning curve in the meta of a part. Raise RunError for invalid data."""
    kind = Annotated[list[CurvePoint], Meta(min_length=1)]
    curve: list[CurvePoint] = convert(
        meta.get(CURVE), kind, source=f"run '{key}', {CURVE}", next_step=COMPUTE_AGAIN, error=RunError
    )
    return curve


def curves_of(run: Run, plan: ComparisonPlan) -> dict[str, list[CurvePoint]]:
    """Return the learning curves of the saved runs by part. Raise RunError for invalid parts."""
    parts = run.parts
    if unknown := {*parts} - {planned.part for planned in plan.runs}:
        raise RunError(f"run '{run.key}' has the part '{min(unknown)}', which its settings lack. Delete the run.")
    curves = {part: _curve(run.part(part).meta, f"{run.key}:{part}") for part in parts}
    for planned in plan.runs:
        first = curves.get(f"{planned.setting}-{plan.seeds[0]}", [])
        own = curves.get(planned.part, first)
        if [point.generation for point in own] != [point.generation for point in first or own]:
            raise RunError(f"run '{run.key}:{planned.part}' has other generations than its setting. {COMPUTE_AGAIN}")
    return curves
