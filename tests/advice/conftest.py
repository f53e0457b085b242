"""Threads to play with, and kingdoms in which it is known what is strong."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.tasks import Workers
from tests.saved import short_runs as short_runs

WITCH_KINGDOM = Kingdom((
    "Bureaucrat", "Chapel", "Council Room", "Gardens", "Laboratory", "Militia", "Remodel", "Smithy", "Village", "Witch",
))  # fmt: skip


@pytest.fixture(scope="session")
def workers():
    with ThreadPoolExecutor(2) as executor:
        yield Workers(executor, 2)


@pytest.fixture(scope="session")
def venue_in(workers):
    """Return the venue of a kingdom as advice has it."""

    def make(kingdom=WITCH_KINGDOM, n_seats=2, seed=1):
        return Venue(kingdom, n_seats, seed, Use.ADVICE, workers)

    return make
