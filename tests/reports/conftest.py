"""A small saved run, and the report on it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import Matches
from evodom.reports.evolved import make_report, read_entries
from evodom.tasks import Workers

COMMAND = "evodom report demo --games 100 --seed 3"


@pytest.fixture(scope="session")
def saved_entries(tmp_path_factory):
    """Return what a report reads of a new run with the given options."""

    def evolve(key="demo", **options):
        root = tmp_path_factory.mktemp("runs")
        with ThreadPoolExecutor(1) as executor:
            workers = Workers(executor, 1)
            chosen = Options(**{"n_strategies": 8, "n_generations": 5} | options)
            with start(key, chosen, 3, root=root, overwrite=False, workers=workers) as run:
                carry_on(run, workers)
                return read_entries(run)

    return evolve


@pytest.fixture(scope="session")
def entries(saved_entries):
    return saved_entries()


@pytest.fixture(scope="session")
def report_on():
    def measure(entries, *, jobs=1, games=100, seed=3, command=COMMAND, **others):
        with ThreadPoolExecutor(jobs) as executor:
            options = entries.options
            venue = Venue(options.kingdom, options.players, seed, Use.REPORT, Workers(executor, jobs), **others)
            return make_report(entries, Matches(venue), command=command, games=games)

    return measure


@pytest.fixture(scope="session")
def report(entries, report_on):
    return report_on(entries)
