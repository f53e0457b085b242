"""Comparisons of settings: opponents that are never training opponents, and tests of all pairs."""

import pytest

from evodom.comparison.plan import ComparisonPlan, PlannedRun, judges_of
from evodom.comparison.result import Comparison, SettingResult
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, TRAINING_OPPONENTS
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.statistics import IntervalEstimate

OPTIONS = Options(players=2, kingdom=FIRST_GAME)


def test_opponents_are_held_out_from_the_training_of_all_settings():
    usual = judges_of([OPTIONS])
    trained = Options(players=2, kingdom=FIRST_GAME, rivals=usual[:1])

    assert not {*usual} & {*TRAINING_OPPONENTS}
    assert judges_of([OPTIONS, trained])[:3] == usual[1:]
    with pytest.raises(UsageError, match="all held-out baselines of the kingdom are training opponents"):
        judges_of([OPTIONS, Options(players=2, kingdom=FIRST_GAME, rivals=HELD_OUT_OPPONENTS)])


def test_all_pairs_are_tested_on_paired_differences():
    """A beats B by 0.1 in all four seeds, C by 0.1 in three of them."""
    finals = {"a": (0.5, 0.6, 0.7, 0.8), "b": (0.4, 0.5, 0.6, 0.7), "c": (0.4, 0.5, 0.6, 0.9)}
    none = IntervalEstimate(0.0, 0.0, 0.0)
    runs = tuple(PlannedRun(name, seed, OPTIONS, ("big-money",)) for name in finals for seed in range(4))
    settings = tuple(SettingResult(name, wins, none, (1,), (none,)) for name, wins in finals.items())

    found = Comparison("demo", ComparisonPlan("evolve", 400, runs), settings).differences

    assert [(each.better, each.other) for each in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [each.wins.value for each in found] == pytest.approx([0.1, 0.05, -0.05])
    assert [each.p for each in found] == pytest.approx([2 / 16, 10 / 16, 1.0])
    assert [each.adjusted_p for each in found] == pytest.approx([6 / 16, 1.0, 1.0])
