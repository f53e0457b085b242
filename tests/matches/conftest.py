"""Small saved runs to take entrants from."""

import pytest

from evodom.dominion.kingdom import parse_kingdom
from tests.saved import evolve


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    """Return a folder with the runs `demo`, `duel` of two players, and `other` of another kingdom."""
    root = tmp_path_factory.mktemp("arena")
    evolve(root, n_strategies=8, n_generations=3)
    evolve(root, "duel", n_strategies=8, n_generations=1, players=2)
    evolve(root, "other", n_strategies=8, n_generations=1, kingdom=parse_kingdom("deck-top"))
    return root
