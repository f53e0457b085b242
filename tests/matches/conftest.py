"""Small saved runs to take entrants from, and threads to play with."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.dominion.kingdom import parse_kingdom
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.runs import RunStore
from evodom.tasks import Workers


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    """Return a folder with the runs `demo`, `duel` of two players, and `other` of another kingdom."""
    root = tmp_path_factory.mktemp("arena")
    deck_top = parse_kingdom("deck-top")
    runs = {
        "demo": Options(n_strategies=8, n_generations=3),
        "duel": Options(n_strategies=8, n_generations=1, players=2),
        "other": Options(n_strategies=8, n_generations=1, kingdom=deck_top),
    }
    with ThreadPoolExecutor(1) as executor:
        workers = Workers(executor, 1)
        for key, options in runs.items():
            with start(key, options, 3, store=RunStore(root), workers=workers) as run:
                carry_on(run, workers)
    return root


@pytest.fixture
def workers():
    with ThreadPoolExecutor(2) as executor:
        yield Workers(executor, 2)
