"""One server for all tests of a process that need no other."""

import pytest

from .browser import browser
from .served import Player, Served


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def player(served):
    return Player(served)


@pytest.fixture(scope="session")
def chromium():
    with browser() as found:
        yield found
