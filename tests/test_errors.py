"""Errors are one line, short and printable, whatever was given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.errors import MAX_LINE_LENGTH, EvodomError, RunError, UsageError, one_line, short

LONG = "A" * 100_000


@given(st.text(max_size=300))
def test_a_text_becomes_one_printable_line(text):
    line = one_line(text)

    assert line.isprintable()
    assert len(line) <= MAX_LINE_LENGTH


@pytest.mark.parametrize("text", [LONG, "A b " * 100_000, "\x1b[31m" * 100_000, "\n" * 100_000, "é\ud800" * 9])
def test_a_text_of_any_length_becomes_a_short_line(text):
    assert len(one_line(text)) <= MAX_LINE_LENGTH
    assert one_line(text).isprintable()


def test_of_what_is_too_long_the_beginning_and_the_end_stay():
    line = one_line(f"no baseline named '{'A' * 5000}'. Allowed: big-money.")

    assert line.startswith("no baseline named 'AAA")
    assert "A...A" in line
    assert line.endswith("AAA'. Allowed: big-money.")


def test_what_stands_between_two_words_of_any_length_stays():
    assert "cannot be written: there is no folder A" in one_line(
        f"{LONG}/a.csv cannot be written: there is no folder {LONG}."
    )


@pytest.mark.parametrize("text", ["no run named 'demo'. Known: none.", "", "Grüße, 日本", "/a/long/path" * 20])
def test_what_is_right_stays_as_it_is(text):
    assert one_line(text) == text


@pytest.mark.parametrize("kind", [EvodomError, UsageError, RunError])
def test_every_error_is_one_line(kind):
    assert str(kind("a\n  b\x1b[2J")) == "a b\\x1b[2J"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(16**5000, id="a number"),
        pytest.param([16**5000], id="a list of one"),
        "x" * 5000,
        {"a": [1] * 5000},
    ],
)
def test_a_value_of_a_file_is_told_shortly(value):
    assert len(short(value)) <= 40


def test_what_is_missing_is_called_so():
    assert short(None) == "missing"
