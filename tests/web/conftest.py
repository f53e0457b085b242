"""One server for all tests of a process that need no other."""

from functools import cache

import pytest

from evodom.web import fight_view

from .served import Player, Served


@pytest.fixture(scope="session", autouse=True)
def fights_compiled_once():
    """Compile or load the kernels of fights once for all servers of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fight_view, "compile_groups", cache(fight_view.compile_groups))
        yield


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def player(served):
    return Player(served)
