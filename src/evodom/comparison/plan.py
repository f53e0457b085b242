"""Plan a comparison: its settings, its seeds, and the judges that measure each run.

A plan has a run for each setting and seed. All settings share the seeds, the kingdom and the seeds of the games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, Struct

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.errors import UsageError, short
from evodom.evolution.options import Options
from evodom.evolution.runs import EVOLUTION
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainOptions
from evodom.matches.tournament import strongest_baselines
from evodom.options import Seed
from evodom.reading import convert
from evodom.runs.lifecycle import RunKind
from evodom.runs.names import LONGEST_SETTING, check_part

KINDS: dict[str, RunKind[Any]] = {kind.command: kind for kind in (EVOLUTION, LEARNING)}
"""The kind of runs of each command that can be compared."""

N_SEEDS = (2, 20)
"""Minimum and maximum number of seeds. With n seeds `statistics.sign_flip_p` computes 2 ** n sums."""

N_SETTINGS = (2, 8)
"""Minimum and maximum number of settings."""

MAX_JUDGES = 4
"""Maximum number of judges: the strongest held-out baselines of the kingdom that no setting trains against."""

GAMES = 400
"""Games against copies of each judge, at each point of a learning curve."""

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


class SavedRun(Struct, frozen=True, forbid_unknown_fields=True):
    """A planned run as it is saved with a comparison."""

    setting: str
    seed: Seed
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
        """Return a plan. ``settings`` has the options of each seed, by the name of the setting.

        Raise UsageError for values that a saved plan cannot have, if settings differ in kingdom or players for a seed,
        or if no baseline is left as a judge.
        """
        for name in settings:
            check_part(name, "setting", LONGEST_SETTING)
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
        plan = cls(command, games, tuple(runs))
        cls.from_json(plan.to_json())  # refuses a plan that cannot be read later
        return plan

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
