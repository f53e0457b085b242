"""Compare settings of `evolve` or `train` over the same seeds (`evodom compare`).

A comparison is one saved file. Its parts are its runs: the comparison "models" has the run "models:graded-3" for the
setting "graded" and seed 3. Each run is one pure task. The task computes the run and measures its learning curve: the
win rates of the best strategy after some generations, against held-out baselines. All settings share the seeds, the
baselines and the seeds of the games. `cli.compare` reads the settings, `presentation.documents.comparison` reports.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any, Literal, Self

import numpy as np
from msgspec import Meta, Struct

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.errors import RunError, UsageError, short
from evodom.evolution.options import Options
from evodom.evolution.runs import EVOLUTION
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainOptions
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import strongest_baselines, wins_against_each
from evodom.matches.venue import Venue
from evodom.reading import Proportion, convert
from evodom.reports.evolved import evenly_spaced
from evodom.runs import Contents, Generation, MemoryStore, Run, RunStore
from evodom.runs.lifecycle import RunKind, SavedKind, kind_of
from evodom.runs.run import COMPUTE_AGAIN
from evodom.statistics import IntervalEstimate, holm, sign_flip_p, student_interval
from evodom.tasks import Arrays, Content, Tasks, Workers, pack, packed_task, unpack

KINDS: dict[str, RunKind[Any]] = {kind.command: kind for kind in (EVOLUTION, LEARNING)}
"""The kind of runs of each command that can be compared."""

N_SEEDS = (2, 20)
"""Minimum and maximum number of seeds. With n seeds `statistics.sign_flip_p` goes through 2 ** n choices of signs."""

N_SETTINGS = (2, 8)
"""Minimum and maximum number of settings."""

MAX_JUDGES = 4
"""Maximum number of judges: the strongest held-out baselines of the kingdom that no setting trains against."""

N_POINTS = 20
"""Maximum number of points of a learning curve."""

GAMES = 400
"""Games against copies of each judge, at each point of a learning curve."""

CURVE = "curve"
"""Name of the learning curve in a part's meta."""

RunOptions = Options | TrainOptions


@dataclass(frozen=True)
class PlannedRun:
    """One run of a comparison: a setting, a seed, and the judges, which are the opponents that measure the run."""

    setting: str
    seed: int
    options: RunOptions
    judges: tuple[str, ...]

    @property
    def part(self) -> str:
        """The name under which the run is saved in the comparison."""
        return f"{self.setting}-{self.seed}"


class CurvePoint(Struct, frozen=True):
    """A point of a learning curve: a generation or checkpoint, and its win rates against the judges."""

    generation: Annotated[int, Meta(ge=0)]
    wins: Annotated[tuple[Proportion, ...], Meta(min_length=1)]

    @property
    def mean(self) -> float:
        """The mean win rate."""
        return float(np.mean(self.wins))


class SavedRun(Struct, frozen=True, forbid_unknown_fields=True):
    """A planned run as it is saved with a comparison."""

    setting: str
    seed: Annotated[int, Meta(ge=0)]
    options: dict[str, Any]
    judges: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_JUDGES)]


class SavedPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a comparison as they are saved."""

    command: Literal["evolve", "train"]
    games: Annotated[int, Meta(ge=1)]
    runs: Annotated[tuple[SavedRun, ...], Meta(min_length=1)]


@dataclass(frozen=True)
class ComparisonPlan:
    """The runs of a comparison: every setting with every seed, setting by setting."""

    command: str
    games: int
    runs: tuple[PlannedRun, ...]

    @classmethod
    def of(cls, command: str, settings: dict[str, dict[int, RunOptions]], games: int = GAMES) -> Self:
        """Return a plan. ``settings`` has the options by name of the setting and seed.

        Raise UsageError if settings differ in kingdom or players for a seed, or if no baseline is left as a judge.
        """
        runs = []
        first = next(iter(settings))
        for name, by_seed in settings.items():
            for seed, options in by_seed.items():
                others = [KINDS[command].with_defaults(chosen[seed]) for chosen in settings.values()]
                reference = settings[first][seed]
                for flag, field in (("--players", "players"), ("--kingdom", "kingdom")):
                    if getattr(options, field) != getattr(reference, field):
                        raise UsageError(
                            f"{first} and {name} differ in {flag}, but all settings play the same games. Give it in "
                            "[common] only."
                        )
                runs.append(PlannedRun(name, seed, KINDS[command].with_defaults(options), judges_of(others)))
        return cls(command, games, tuple(runs))

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of the settings, in order."""
        return tuple(dict.fromkeys(run.setting for run in self.runs))

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds, in order."""
        return tuple(dict.fromkeys(run.seed for run in self.runs))

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The different kingdoms of the seeds: one, unless cards are drawn."""
        return tuple(dict.fromkeys(run.options.kingdom for run in self.runs))

    def first_difference(self, other: Self) -> str | None:
        """Return the first difference to another plan as text, None if both are equal."""
        if self.command != other.command:
            return f"command is {self.command}, and {other.command} is requested"
        if self.games != other.games:
            return f"--games is {self.games}, and {other.games} is requested"
        if (self.settings, self.seeds) != (other.settings, other.seeds):
            return "its settings or seeds have other names"
        for one, asked in zip(self.runs, other.runs, strict=True):
            saved, new = one.options.to_json(), asked.options.to_json()
            for name in sorted(saved.keys() | new.keys()):
                if saved.get(name) != new.get(name):
                    return (
                        f"{name} of {one.setting} is {short(saved.get(name))}, and {short(new.get(name))} is requested"
                    )
        return None

    def to_json(self) -> dict[str, object]:
        """Return the plan as plain JSON types."""
        runs = [
            {"setting": run.setting, "seed": run.seed, "options": run.options.to_json(), "judges": list(run.judges)}
            for run in self.runs
        ]
        return {"command": self.command, "games": self.games, "runs": runs}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Return a saved plan. Raise UsageError for invalid data."""
        plan = convert(saved, SavedPlan)
        kind = KINDS[plan.command]
        runs = [PlannedRun(run.setting, run.seed, kind.read_options(run.options), run.judges) for run in plan.runs]
        for run in runs:
            baseline_records(run.judges, run.options.kingdom)
        return cls(plan.command, plan.games, tuple(runs))


def judges_of(options: Sequence[RunOptions]) -> tuple[str, ...]:
    """Return the strongest held-out baselines that no setting trains against."""
    kingdom, players = options[0].kingdom, options[0].players
    trained_against = {name for one in options for name in one.rivals or ()}
    fitting = strongest_baselines(kingdom, players, None, among=HELD_OUT_OPPONENTS)
    if names := tuple(name for name in fitting if name not in trained_against)[:MAX_JUDGES]:
        return names
    raise UsageError(
        f"all held-out baselines of the kingdom are training opponents: {', '.join(fitting)}. Leave one out."
    )


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
    meta = COMPARISONS.meta_of(plan, plan.seeds[0])
    return store.create(key, meta, [], overwrite=overwrite)


def carry_on(
    run: Run, tasks: Tasks | None = None, on_run: Callable[[PlannedRun, float], object] = lambda run, wins: None
) -> None:
    """Compute the missing runs of a comparison and save each when it ends. ``on_run`` receives its final win rate."""
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
            curve = measure(run, facts["judges"], facts["games"])
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


def measure(run: Run, judges: Sequence[str], games: int) -> list[CurvePoint]:
    """Return the learning curve of a run. All runs with its seed and kingdom play the same games."""
    kind = kind_of(run)
    options, seed = kind.options_of(run), run.provenance().seed
    venue = Venue(options.kingdom, options.players, seed, Use.COMPARISON)
    opponents = list(baseline_records(judges, options.kingdom))
    last, length = run.n_generations - 1, getattr(options, "round_length", 1)
    points = []
    for index in evenly_spaced(range(last + 1), N_POINTS):
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


@dataclass(frozen=True)
class SettingResult:
    """The results of a setting.

    ``finals`` are the final win rates by seed, ``wins`` their mean. ``curve`` has the mean over seeds for each of
    ``generations``. Means have intervals.
    """

    name: str
    finals: tuple[float, ...]
    wins: IntervalEstimate
    generations: tuple[int, ...]
    curve: tuple[IntervalEstimate, ...]


@dataclass(frozen=True)
class Difference:
    """The mean difference ``wins`` between the final win rates of two settings, paired over seeds.

    `sign_flip_p` computes ``p``. `holm` adjusts it for all pairs of the comparison.
    """

    better: str
    other: str
    wins: IntervalEstimate
    p: float
    adjusted_p: float


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison whose runs are all saved. Settings are in order of their final win rates."""

    key: str
    plan: ComparisonPlan
    settings: tuple[SettingResult, ...]

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The differences of all pairs of settings."""
        pairs = list(combinations(self.settings, 2))
        values = [np.subtract(better.finals, other.finals).tolist() for better, other in pairs]
        p_values = [sign_flip_p(differences) for differences in values]
        return tuple(
            Difference(better.name, other.name, student_interval(differences), p, adjusted)
            for (better, other), differences, p, adjusted in zip(pairs, values, p_values, holm(p_values), strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain JSON types."""
        plan = self.plan
        return {
            "key": self.key,
            "command": plan.command,
            "players": plan.runs[0].options.players,
            "kingdoms": [list(kingdom.cards) for kingdom in plan.kingdoms],
            "seeds": list(plan.seeds),
            "games": plan.games,
            "opponents": {str(run.seed): list(run.judges) for run in plan.runs},
            "settings": [asdict(setting) for setting in self.settings],
            "differences": [asdict(difference) for difference in self.differences],
        }


def result_of(run: Run) -> Comparison:
    """Return the result of a comparison. Raise UsageError if runs are missing."""
    plan = COMPARISONS.options_of(run)
    curves = curves_of(run, plan)
    if missing := [planned.part for planned in plan.runs if planned.part not in curves]:
        raise UsageError(f"comparison '{run.key}' lacks {len(missing)} of {len(plan.runs)} runs. Continue it first.")
    settings = []
    for name in plan.settings:
        own = [curves[f"{name}-{seed}"] for seed in plan.seeds]
        means = [tuple(point.mean for point in points) for points in zip(*own, strict=True)]
        curve = tuple(_within_bounds(student_interval(values)) for values in means)
        generations = tuple(point.generation for point in own[0])
        settings.append(SettingResult(name, means[-1], curve[-1], generations, curve))
    return Comparison(run.key, plan, tuple(sorted(settings, key=lambda setting: -setting.wins.value)))


def _within_bounds(wins: IntervalEstimate) -> IntervalEstimate:
    """Return the interval of a win rate, cut at 0 and 1."""
    return IntervalEstimate(wins.value, max(wins.low, 0.0), min(wins.high, 1.0))
