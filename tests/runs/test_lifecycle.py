"""The contract of all kinds of runs: whatever stops a run, it continues with the result of one that never stopped."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.evolution.runs import EVOLUTION
from evodom.learning.fights import FightOptions
from evodom.learning.fights.run import FIGHTS
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainOptions
from evodom.matches.entrants import check_run
from evodom.runs import Generation, Run, RunStore
from evodom.runs.lifecycle import KINDS, RunKind, RunMonitor
from evodom.tasks import Workers
from tests.learning import small
from tests.learning.fights.test_run import FIGHT
from tests.saved import contents, quick_runs
from tests.sessions.helpers import Killed

NO_MONITOR = RunMonitor()


@dataclass
class Case:
    """A kind, options of a small run, and the number of questions after which a run is stopped."""

    kind: RunKind
    make_options: Callable[[], Any]
    stop_after: int
    seed: int = 3

    @cached_property
    def options(self) -> Any:
        return self.make_options()

    def start(self, root: Path, key: str = "demo", workers: Workers | None = None) -> Run:
        return self.kind.start(key, self.options, self.seed, store=RunStore(root), workers=workers)

    def compute(self, root: Path, monitor: RunMonitor = NO_MONITOR, workers: Workers | None = None) -> bool:
        """Continue the run `demo`; return True if it is complete."""
        with RunStore(root).open("demo", write=True) as run:
            return self.kind.carry_on(run, workers, monitor)


CASES = {
    "evolution": Case(
        EVOLUTION, lambda: Options(n_strategies=8, n_generations=5, games=1, race=1, players=2, search_rounds=1), 3
    ),
    "learning": Case(LEARNING, lambda: TrainOptions(**small.OPTIONS), 5),
    "fights": Case(FIGHTS, lambda: FightOptions((FIGHT,), iterations=4, games=12, simulations=12, width=16), 3),
}


class Stopper:
    """A question whether to stop, answered with yes the n-th time."""

    def __init__(self, n: int) -> None:
        self.left = n

    def __call__(self) -> bool:
        self.left -= 1
        return self.left == 0


@pytest.fixture(scope="module", params=CASES)
def case(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LEARNING, "effort", small.EFFORT)
        quick_runs(patch)
        yield CASES[request.param]


@pytest.fixture(scope="module")
def whole(case, tmp_path_factory):
    """Return the folder of a complete run that was never stopped, and its contents."""
    root = tmp_path_factory.mktemp("whole")
    case.start(root).close()
    assert case.compute(root)
    return root, contents(root)


def test_every_kind_has_a_case():
    assert {case.kind.name for case in CASES.values()} == set(KINDS) - {"answer", "comparison"}  # they have parts


def test_a_run_saves_every_generation(case, whole):
    assert len({arrays for arrays, *_ in whole[1]}) == len(whole[1]) == case.kind.n_total(case.options)


def test_the_number_of_threads_changes_nothing(case, whole, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        workers = Workers(pool, 2)
        case.start(tmp_path, workers=workers).close()
        assert case.compute(tmp_path, workers=workers)

    assert contents(tmp_path) == whole[1]


def test_a_run_that_is_stopped_and_resumed_is_the_one_that_never_was(case, whole, tmp_path):
    case.start(tmp_path).close()
    n_stops = 0
    while not case.compute(tmp_path, RunMonitor(should_stop=Stopper(case.stop_after))):
        n_stops += 1
        assert n_stops < 10

    assert n_stops > 0
    assert contents(tmp_path) == whole[1]


def test_a_killed_run_keeps_every_finished_generation_and_goes_on_from_it(case, whole, tmp_path):
    n_left, n_finished = case.stop_after, 0

    def count(*finished: Any) -> None:
        nonlocal n_left, n_finished
        n_finished += isinstance(finished[0], Generation)
        n_left -= 1
        if n_left == 0:
            raise Killed

    case.start(tmp_path).close()
    with pytest.raises(Killed):
        case.compute(tmp_path, RunMonitor(on_games=count, on_generation=count))

    kept = contents(tmp_path)
    assert 1 < len(kept) == 1 + n_finished < len(whole[1])
    assert kept == whole[1][: len(kept)]
    assert case.compute(tmp_path)
    assert contents(tmp_path) == whole[1]


def test_a_finished_run_is_left_as_it_is(case, whole):
    assert case.compute(whole[0], RunMonitor(on_games=pytest.fail, on_generation=pytest.fail))
    assert contents(whole[0]) == whole[1]


def test_a_run_is_exported_and_imported(case, whole, tmp_path, store):
    RunStore(whole[0]).export_file("demo", tmp_path / "one.evodom")
    store.import_file(tmp_path / "one.evodom", "again", check=check_run)

    assert contents(tmp_path, "again") == whole[1]


def test_a_run_of_another_kind_is_refused(case, whole):
    with RunStore(whole[0]).open("demo") as run:
        assert case.kind.options_of(run) == case.kind.with_defaults(case.options)
        for other in CASES.values():
            if other is not case:
                with pytest.raises(UsageError, match=f"run 'demo' .*evodom {other.kind.command}"):
                    other.kind.options_of(run)
