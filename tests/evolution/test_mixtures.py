"""The mixture of lines: payoffs from few games, and the equilibrium."""

import numpy as np
import pytest

from evodom.evolution.archive import YOUNG_ROUNDS, Line
from evodom.evolution.mixtures import PRIOR_GAMES, estimated_payoffs, mixture_of


def line(name, rounds=YOUNG_ROUNDS, strength=0.5, n=1e9, **payoffs):
    return Line(strength=strength, rounds=rounds, name=name, payoffs={key: (rate, n) for key, rate in payoffs.items()})


def test_lines_that_beat_each_other_in_turn_share_the_mixture():
    cycle = {3: line("a", b=0.7, c=0.3), 5: line("b", a=0.3, c=0.7), 9: line("c", a=0.7, b=0.3)}
    assert mixture_of(cycle, ["a", "b", "c"], 2) == pytest.approx({"3": 1 / 3, "5": 1 / 3, "9": 1 / 3})
    with_best = cycle | {2: line("d", a=0.6, b=0.6, c=0.6), 1: line("e", 0, a=0.9, b=0.9, c=0.9)}
    assert mixture_of(with_best, ["a", "b", "c"], 2) == {"2": 1.0}, "a young line has no weight"
    assert mixture_of({1: with_best[1]}, ["a"], 2) == mixture_of({}, ["a"], 2) == mixture_of(cycle, [], 2) == {}


def test_a_payoff_of_few_games_is_near_the_estimate_and_a_line_meets_itself_at_chance_level():
    lines = [line("a", strength=0.6, n=PRIOR_GAMES, b=0.8, c=0.6), line("b", strength=0.4, n=PRIOR_GAMES, c=0.4)]
    found = estimated_payoffs(lines, ["a", "b", "c", "d"], 4)
    assert found == pytest.approx(np.array([[0.25, (0.8 + 0.6 + 0.2 / 2) / 2, 0.6, 0.6], [0.4, 0.25, 0.4, 0.4]]))
