"""Whatever a file holds, it is read or refused in one line and in linear time: the corpora, and mutations of them.

`python -m tests.fuzz.guided` goes on for minutes, guided by what is covered.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import effort
from tests.fuzz.growth import drawn, growth
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS

readers = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


@readers
def test_what_was_once_read_wrongly_is_read_or_refused(reader):
    assert {reader.is_read(path.read_bytes()) for path in reader.corpus if path.name.startswith("read")} == {True}
    assert {reader.is_read(path.read_bytes()) for path in reader.corpus if path.name.startswith("refuse")} <= {False}


@readers
@settings(max_examples=effort(20, 3, 3))
@given(seed=st.integers(0, 2**32))
def test_a_changed_file_is_read_or_refused(reader, seed):
    contents = [path.read_bytes() for path in reader.corpus]
    rng = random.Random(seed)

    reader.is_read(mutated(rng.choice(contents), contents, rng))


SLOW = [
    ("message", b"x", b" "), ("message", b"x", b"\n "), ("cards", b"Strike", b" "), ("cards", b"Strike+", b"1"),
    ("enemies", b"3 cul", b" "), ("rule", b"Gold", b" "), ("rule", b"Gold if ", b"1"), ("rule", b"Gold", b" if "),
    ("entrant", b"network:", b"1"), ("line", b"copper ", b"2 "), ("fight", b"", b"a."), ("fight", b"", b'"a" . '),
    ("fight", b'enemies = "', b" "), ("fight", b'enemies = "nob"\ndeck = "Strike', b" "), ("strategy", b"", b"'.'."),
    ("position", b"P1: hand Copper", b" "), ("kingdom", b"moat", b" "), ("kingdom", b"", b"[["),
]  # fmt: skip
"""(Reader, beginning of a content, what is repeated after it): contents that took quadratic time, or nearly did."""


@pytest.mark.parametrize(
    ("name", "begin", "unit"), [*SLOW[::6], *(pytest.param(*each, marks=pytest.mark.full) for each in SLOW)]
)
def test_the_time_of_a_reader_grows_as_the_length(name, begin, unit):
    reader = next(reader for reader in READERS if reader.name == name)

    assert growth(reader, begin + b"|", len(begin), unit) is None


@pytest.mark.full
@readers
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_the_time_of_a_reader_grows_as_the_length_wherever_a_content_grows(reader, seed):
    content, place, unit = drawn(reader, random.Random(seed))

    assert growth(reader, content, place, unit) is None, (content, place, unit)
