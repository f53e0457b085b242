"""Distributions as bars in the terminal, and the bins that bars and pictures share."""

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.distribution import certain, uniform, weighted
from evodom.errors import UsageError
from evodom.presentation.histogram import bars, bins

DIE = uniform(range(1, 7))

whole = st.dictionaries(st.integers(-2000, 2000), st.integers(1, 1000), min_size=1, max_size=60)
broken = st.dictionaries(
    st.integers(-50_000, 50_000).map(lambda n: n / 100), st.floats(0.01, 1), min_size=1, max_size=60
)


@given(st.one_of(whole, broken).map(weighted), st.integers(2, 30))
def test_bins_hold_every_outcome_once_and_are_no_more_than_asked_for(distribution, limit):
    found = bins(distribution, limit)

    held = [outcome for one in found for outcome, _ in one.outcomes]
    assert held == sorted(outcome for outcome, _ in distribution)
    assert len(found) <= limit
    assert sum(one.share for one in found) == pytest.approx(1)
    assert len({one.label for one in found}) == len(found)
    assert all(low.high <= high.low + 1e-6 for low, high in pairwise(found))


def test_numbers_have_a_row_each_if_there_is_room():
    found = bins(weighted({2: 1, 5: 3}), 4)
    assert [(one.label, one.share) for one in found] == [("2", 0.25), ("3", 0), ("4", 0), ("5", 0.75)]
    assert [one.label for one in bins(weighted({0: 1, 66: 2, 67.5: 1}), 3)] == ["0", "66", "67.5"]


def test_neighbours_share_round_bins():
    found = bins(uniform(range(1, 69)), 8)

    assert [one.label for one in found] == ["1-9", "10-19", "20-29", "30-39", "40-49", "50-59", "60-68"]
    assert [round(68 * one.share) for one in found] == [9, 10, 10, 10, 10, 10, 9]
    assert [one.label for one in bins(uniform(range(-7, 8)), 4)] == ["-7 to -6", "-5 to -1", "0-4", "5-7"]


def test_unlikely_ends_take_no_rows():
    far = weighted({0: 1, **dict.fromkeys(range(500, 520), 1000), 1000: 1})

    assert [one.label for one in bins(far, 10)] == [
        "0-501", "502-503", "504-505", "506-507", "508-509", "510-511", "512-513", "514-515", "516-517", "518-1000",
    ]  # fmt: skip


def test_fractions_of_a_number_get_intervals():
    found = bins(uniform(Fraction(n, 100) for n in range(100)), 5)

    assert [one.label for one in found] == ["0.0-0.2", "0.2-0.4", "0.4-0.6", "0.6-0.8", "0.8-1.0"]
    assert [round(100 * one.share) for one in found] == [20] * 5


def test_a_bar_is_as_long_as_its_number_is_likely():
    text = bars(weighted({1: 1, 2: 2, 3: 4}), label="pips", width=30)

    assert text.splitlines() == [
        "pips                         %",
        "1  █████                  14.3",
        "2  ██████████             28.6",
        "3  ████████████████████   57.1",
    ]


def test_bars_are_drawn_in_eighths_or_without_block_characters():
    plain = bars(weighted({1: 1, 2: 2}), width=30, block_characters=False).splitlines()
    assert plain == ["1  ##########             33.3", "2  ####################   66.7"]
    lines = bars(weighted({1: 8 * 10, 2: 8 * 5 + 3}), width=20).splitlines()
    assert [line.split()[1] for line in lines] == ["█" * 10, "█" * 5 + "▍"]


def test_a_small_probability_is_drawn_and_not_printed_as_zero():
    assert bars(weighted({1: 10**6, 2: 1}), width=40).splitlines()[1].split() == ["2", "▏", "<0.1"]
    assert bars(certain(7), width=20) == "7  ██████████  100.0"


def test_parts_of_a_distribution_can_share_a_scale():
    low = [(n, share) for n, share in DIE if n < 2]

    assert bars(low, top=1 / 3, width=26).count("█") == bars(low, width=26).count("█") / 2
    assert bars(low).endswith("16.7")


@given(st.one_of(whole, broken).map(weighted), st.integers(2, 25), st.integers(45, 120))
def test_bars_keep_within_rows_and_width(distribution, rows, width):
    lines = bars(distribution, rows=rows, width=width, label="x").splitlines()

    assert len(lines) <= rows + 1
    assert max(map(len, lines)) <= width


def test_a_picture_without_outcomes_or_room_is_refused():
    for pairs, options, message in (
        ([], {}, "at least one outcome"),
        (DIE, {"rows": 1}, "at least 2 bars, got 1"),
        (DIE, {"width": 10}, "at least 20 columns, got 10"),
    ):
        with pytest.raises(UsageError, match=message):
            bars(pairs, **options)


def test_bars_need_no_numpy():
    code = (
        "import sys; from evodom.presentation.histogram import bars; bars([(1, 1)]); assert 'numpy' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
