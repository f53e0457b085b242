"""Intervals: known values, and that confidence widens them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.statistics import holm, mean_interval, quantile, sign_flip_p, student_interval, student_quantile, wilson


@pytest.mark.parametrize(("wins", "end"), [(0, "low"), (20, "high")])
def test_an_interval_ends_at_the_share_where_there_is_nothing_beyond(wins, end):
    share = wilson(wins, 20)

    assert getattr(share, end) == share.share
    assert 0.0 <= share.low < share.high <= 1.0


def test_more_confidence_is_a_wider_interval():
    assert quantile(0.95) == pytest.approx(1.959964)
    narrow, wide = wilson(30, 100, 0.8), wilson(30, 100, 0.99)

    assert wide.low < narrow.low < 0.3 < narrow.high < wide.high


def test_the_interval_of_a_mean():
    """Of 1, 2, 3 and 4 the standard deviation is 1.290994 and the standard error half of it."""
    found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))

    assert found.value == 2.5
    assert found.high - found.value == pytest.approx(1.959964 * 1.290994 / 2, rel=1e-5)
    assert found.value - found.low == pytest.approx(found.high - found.value)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(wins, n, low, high):
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3. The first interval is a textbook's.
    share = wilson(wins, n)
    assert (share.share, share.n_games) == (wins / n, n)
    assert (share.low, share.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_stays_within_0_and_1(wins_and_n):
    share = wilson(*wins_and_n)
    assert 0.0 <= share.low <= share.share <= share.high <= 1.0


@pytest.mark.parametrize("n_free", [1, 2, 3, 4, 9, 30])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_quantiles_of_student_are_those_of_scipy(n_free, confidence):
    from scipy import stats

    assert student_quantile(n_free, confidence) == pytest.approx(stats.t.ppf((1 + confidence) / 2, n_free), rel=1e-9)


def test_the_interval_of_student_is_wider_than_the_normal_one():
    """Of 1, 2, 3 and 4 the standard error is half of 1.290994, and the quantile for 3 degrees of freedom 3.182446."""
    found = student_interval([1.0, 2.0, 3.0, 4.0])

    assert found.value == 2.5
    assert (found.value - found.low, found.high - found.value) == pytest.approx([3.182446 * 1.290994 / 2] * 2, rel=1e-6)


@given(st.lists(st.integers(-9, 9).map(lambda number: number / 10), min_size=2, max_size=8))
def test_the_sign_flip_test_is_that_of_scipy(differences):
    from scipy import stats

    exact = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)

    assert sign_flip_p(differences) == pytest.approx(exact.pvalue)


def test_p_values_are_adjusted_as_in_the_paper_of_holm():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
