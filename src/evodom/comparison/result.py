"""The result of a comparison: the mean win rates of its settings, and tests of their differences."""

from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from evodom.comparison.plan import ComparisonPlan
from evodom.comparison.run import COMPARISONS, curves_of
from evodom.errors import UsageError
from evodom.runs import Run
from evodom.statistics import IntervalEstimate, holm, sign_flip_p, student_interval


@dataclass(frozen=True)
class SettingResult:
    """The results of a setting.

    ``finals`` has the final win rate of each seed. ``wins`` is their mean with its interval. ``curve`` has the same for
    each of ``generations``: the mean over the seeds with its interval.
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
        wins = map(student_interval, means)
        curve = tuple(IntervalEstimate(one.value, max(one.low, 0.0), min(one.high, 1.0)) for one in wins)
        generations = tuple(point.generation for point in own[0])
        settings.append(SettingResult(name, means[-1], curve[-1], generations, curve))
    return Comparison(run.key, plan, tuple(sorted(settings, key=lambda setting: -setting.wins.value)))
