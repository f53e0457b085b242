"""Chi-square tests, against SciPy and on samples drawn on purpose."""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, chisquare

from evodom.games.checker import fit_probability, same_probability, tail


@pytest.mark.parametrize("degrees", [1, 2, 3, 6, 31, 400])
@pytest.mark.parametrize("share", [0.1, 0.9, 1.0, 1.6, 3.0])
def test_the_tail_is_that_of_scipy(degrees, share):
    assert tail(share * degrees, degrees) == pytest.approx(chi2.sf(share * degrees, degrees), rel=1e-9)


def test_a_fit_is_that_of_scipy_where_nothing_needs_to_be_pooled():
    samples = ["a"] * 30 + ["b"] * 45 + ["c"] * 25

    found = fit_probability(samples, [("a", 0.25), ("b", 0.5), ("c", 0.25)])

    assert found == pytest.approx(chisquare([30, 45, 25], [25, 50, 25]).pvalue, rel=1e-9)


def test_two_samples_are_compared_as_scipy_does():
    found = same_probability(["a"] * 30 + ["b"] * 70, ["a"] * 50 + ["b"] * 50)

    expected = chi2_contingency([[30, 70], [50, 50]], correction=False).pvalue
    assert found == pytest.approx(expected, rel=1e-9)


def test_rare_outcomes_are_pooled():
    chances = [(i, 1 / 1000) for i in range(1000)]
    rng = np.random.default_rng(1)

    fair = fit_probability(rng.integers(0, 1000, 2000).tolist(), chances)
    unfair = fit_probability(rng.integers(0, 800, 2000).tolist(), chances)

    assert fair > 1e-3
    assert unfair < 1e-6


def test_a_single_outcome_fits():
    assert fit_probability(["a"] * 10, [("a", 1.0)]) == 1
    assert same_probability(["a"] * 10, ["a"] * 10) == 1
