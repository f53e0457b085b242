"""Training within minutes: the time that is used, the schedule, and going on with what is left."""

from dataclasses import replace

import pytest

from evodom.budget import Budget
from evodom.learning.run import LearningRuns, options_of
from evodom.learning.training import SCHEDULE, TrainOptions, network_records, train_best_response
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Schedule
from evodom.runs import RunStore
from evodom.runs.lifecycle import RunMonitor
from tests.clock import WorkClock
from tests.learning.small import EFFORT, KINGDOM

MINUTES = 1.0
N_CHECKPOINTS = 12
PACES = [(20.0, 60.0), (60.0, 20.0)]
"""Games a second before half of the time, and after."""


RUNS = LearningRuns(replace(EFFORT, n_checkpoints=N_CHECKPOINTS, min_games_per_iteration=12))


@pytest.fixture(autouse=True)
def few_games(monkeypatch):
    monkeypatch.setattr("evodom.matches.venue.MIN_TABLE_GAMES", 4)


@pytest.fixture
def rates(monkeypatch):
    """Return the list of the learning rates of all iterations."""
    rates, at = [], Schedule.at

    def noted(falling, done):
        rates.append(at(falling, done)[0])
        return at(falling, done)

    monkeypatch.setattr(Schedule, "at", noted)
    return rates


def timed(key, root, budget, *, n_starts=1, monitor=None):
    options = TrainOptions(KINGDOM, 2, 4000, n_starts, minutes=MINUTES)
    with RUNS.start(key, options, 7, store=RunStore(root), overwrite=True, budget=budget) as run:
        RUNS.carry_on(run, None, monitor or RunMonitor(), budget)


@pytest.mark.full
@pytest.mark.parametrize(("paces", "n_starts"), [(PACES[0], 1), ((60.0, 20.0), 2)])
def test_the_time_is_kept_and_used_and_the_rate_falls_to_its_end(tmp_path, store, monkeypatch, rates, paces, n_starts):
    clock = WorkClock(*paces, change=30.0).watch(monkeypatch)

    timed("demo", tmp_path, Budget.starting_now(60.0 * MINUTES, clock), n_starts=n_starts)

    assert 0.8 * 60.0 <= clock.now <= 1.1 * 60.0
    assert rates[-1] == pytest.approx(SCHEDULE.learning_rate[1], rel=0.2)
    with store.open("demo") as run:
        assert run.n_generations == N_CHECKPOINTS + 1
        # The games are known once all are played.
        assert options_of(run).games == run.last().summary["games"]


def test_a_stopped_run_goes_on_with_the_time_that_belongs_to_the_missing_checkpoints(tmp_path, store, monkeypatch):
    clock = WorkClock(40.0).watch(monkeypatch)
    stopped = RunMonitor(should_stop=lambda: clock.now > 30.0)
    timed("demo", tmp_path, Budget.starting_now(60.0 * MINUTES, clock), monitor=stopped)

    with store.open("demo", write=True) as run:
        missing = N_CHECKPOINTS + 1 - run.n_generations
        assert 5 <= missing <= 8
        assert RUNS.time_left(run).seconds_left == pytest.approx(60.0 * missing / N_CHECKPOINTS, abs=1.0)
        before = clock.now
        assert RUNS.carry_on(run, None, RunMonitor(), Budget.starting_now(60.0 * missing / N_CHECKPOINTS, clock))
        assert run.n_generations == N_CHECKPOINTS + 1
    assert 0.8 * 60.0 <= clock.now - before + 60.0 * (1 - missing / N_CHECKPOINTS) <= 1.1 * 60.0


def test_a_run_of_games_ends_early_where_its_budget_is_over_and_says_how_many_it_played(store, monkeypatch):
    clock = WorkClock(40.0).watch(monkeypatch)
    budget = Budget.starting_now(20.0, clock)
    with RUNS.start("demo", TrainOptions(KINGDOM, 2, 500_000, 1), 7, store=store, budget=budget) as run:
        assert RUNS.carry_on(run, None, RunMonitor(), budget)

        assert clock.now <= 1.1 * 20.0
        assert options_of(run).games == run.last().summary["games"] < 2200


@pytest.mark.parametrize("paces", [PACES[0], pytest.param(PACES[1], marks=pytest.mark.full)])
def test_a_reply_learns_until_the_time_is_over(tmp_path, store, monkeypatch, rates, paces):
    clock = WorkClock(*paces, change=10.0).watch(monkeypatch)
    timed("demo", tmp_path, Budget.starting_now(0.0, clock))
    with store.open("demo") as run:
        (network,) = network_records(run.last().genomes[:1], KINGDOM)
    rates.clear()
    clock.now = 0.0
    venue = Venue(KINGDOM, 2, 1, Use.ADVICE, budget=Budget.starting_now(20.0, clock))

    train_best_response(venue, network, [network], float("inf"), venue.stream(1), (512, 12))

    assert 0.8 * 20.0 <= clock.now <= 1.1 * 20.0
    assert rates[-1] == pytest.approx(SCHEDULE.learning_rate[1], rel=0.2)
