"""Kingdoms in which it is known what is strong."""

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from tests.saved import short_runs as short_runs

WITCH_KINGDOM = Kingdom((
    "Bureaucrat", "Chapel", "Council Room", "Gardens", "Laboratory", "Militia", "Remodel", "Smithy", "Village", "Witch",
))  # fmt: skip


@pytest.fixture(scope="session")
def venue_in(workers):
    """Return the venue of a kingdom as advice has it."""

    def make(kingdom=WITCH_KINGDOM, n_seats=2, seed=1):
        return Venue(kingdom, n_seats, seed, Use.ADVICE, workers)

    return make
