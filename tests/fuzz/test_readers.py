"""Whatever a file holds, it is read or refused in one line: the corpora, and mutations of them.

`python -m tests.fuzz.guided` goes on for minutes, guided by what is covered.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import effort
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS

readers = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


@readers
def test_what_was_once_read_wrongly_is_read_or_refused(reader):
    assert {reader.is_read(path.read_bytes()) for path in reader.corpus if path.name.startswith("read")} == {True}
    assert {reader.is_read(path.read_bytes()) for path in reader.corpus if path.name.startswith("refuse")} <= {False}


@readers
@settings(max_examples=effort(20, 20, 10))
@given(seed=st.integers(0, 2**32))
def test_a_changed_file_is_read_or_refused(reader, seed):
    contents = [path.read_bytes() for path in reader.corpus]
    rng = random.Random(seed)

    reader.is_read(mutated(rng.choice(contents), contents, rng))
