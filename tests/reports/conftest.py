"""A small saved run, and the report on it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import Matches
from evodom.reports.evolved import make_report, read_report_data
from evodom.runs import RunStore
from evodom.tasks import Workers
from tests.saved import evolve

COMMAND = "evodom report demo --evaluation-games 100 --seed 3"


@pytest.fixture(scope="session")
def saved_entries(tmp_path_factory):
    """Return a function that makes a run with given options and reads the data of its report."""

    def read(key="demo", **options):
        root = tmp_path_factory.mktemp("runs")
        evolve(root, key, **{"n_strategies": 8, "n_generations": 5} | options)
        with RunStore(root).open(key) as run:
            return read_report_data(run)

    return read


@pytest.fixture(scope="session")
def entries(saved_entries):
    return saved_entries(start="mixed", search_rounds=1)


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
