"""Long runs keep all genomes of some generations and the champions of the others."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.errors import RunError, UsageError
from evodom.evolution import runs as history
from evodom.evolution.options import Options
from evodom.evolution.runs import (
    carry_on,
    champions,
    check_run,
    checked,
    generation_of,
    is_whole,
    summaries_of,
    thinned,
    thinned_by,
)
from evodom.matches.entrants import find_entrants
from evodom.reports.evolved import read_report_data
from evodom.runs import RunStore
from evodom.tasks import Workers
from tests.evolution.conftest import evolve
from tests.saved import contents

OPTIONS = Options(
    n_strategies=8, n_generations=20, games=1, race=1, rivals=("big-money",), players=2, start="random", search_rounds=0
)
AS_USUAL = {name: getattr(history, name) for name in ("NEWEST_WHOLE", "EVERY_WHOLE")}


@pytest.fixture(scope="module", autouse=True)
def short_memory():
    """Keep little, so that little has to be played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "NEWEST_WHOLE", 5)
        patch.setattr(history, "EVERY_WHOLE", 4)
        yield


@pytest.fixture(scope="module")
def evolved(short_memory, tmp_path_factory):
    """Return a folder with the run `demo`, evolved to its end, and the generations that it told of."""
    root = tmp_path_factory.mktemp("evolved")
    with ThreadPoolExecutor(1) as executor:
        return root, evolve(root, Workers(executor, 1), OPTIONS)


@pytest.fixture
def root(evolved):
    return evolved[0]


def test_the_newest_and_some_old_generations_stay_whole(evolved):
    root, seen = evolved
    with RunStore(root).open("demo") as run:
        whole = [each.index for each in run if len(each.genomes) == 8]
        assert whole == [0, 4, 8, 12, *range(15, 20)]
        for before, kept in zip(seen, list(run)[1:], strict=True):
            assert kept.genomes[kept.ranking[0]].tobytes() == before.genomes[before.ranking[0]].tobytes()
            assert before.summary == kept.summary
            assert ("origins" in kept.columns) == (len(kept.genomes) == 8)


def test_a_resumed_run_keeps_the_same_generations_whole(root, tmp_path, store, workers):
    for stop_after in (2, 12):
        key = f"parts{stop_after}"
        evolve(tmp_path, workers, OPTIONS, key=key, stop_after=stop_after)
        with store.open(key, write=True) as run:
            carry_on(run, workers)
        assert contents(tmp_path, key) == contents(root)


def test_generations_saved_late_are_saved_thinned(root, tmp_path, workers, monkeypatch):
    monkeypatch.setattr("evodom.evolution.runs.SAVE_EVERY_S", 1000.0)
    evolve(tmp_path, workers, OPTIONS, key="late")

    assert contents(tmp_path, "late") == contents(root)


def test_a_thinned_run_is_read_exported_and_imported(root, tmp_path, store):
    with RunStore(root).open("demo") as run:
        check_run(run)
        assert len(summaries_of(run)) == 20
        assert len(champions(run, 4, generation_of(run, 13))) == 1
        entries = read_report_data(run)
    assert max(entries.milestones) == 19
    assert set(entries.best_quarters) == {0, 4, 8, 12, *range(15, 20)}
    assert entries.lineage.first == 15
    assert len(entries.lineage.n_ancestors) == 5
    assert "generation 15" in entries.lineage.beginning

    RunStore(root).export_file("demo", tmp_path / "file")
    assert store.import_file(tmp_path / "file", "copy", check=check_run) == "copy"
    assert contents(tmp_path, "copy") == contents(root)


def test_a_thinned_generation_has_only_its_champion(root):
    assert len(find_entrants(["demo@13", "demo@12:3"], store=RunStore(root)).entrants) == 2
    with pytest.raises(UsageError, match="of generation 13, run 'demo' keeps the champion only"):
        find_entrants(["demo@13:2"], store=RunStore(root))


def test_a_thinned_generation_that_should_be_whole_is_refused(root):
    with RunStore(root).open("demo") as run:
        for index in (12, 17):
            with pytest.raises(RunError, match="it has the champion only, and should be whole"):
                checked(run, thinned(run.generation(index)))


def test_whole_generations_depend_only_on_numbers(monkeypatch):
    for name, value in AS_USUAL.items():
        monkeypatch.setattr(history, name, value)
    stays = [index for index in range(1000) if is_whole(index, 1000)]

    assert stays == [0, 100, 200, 300, 400, 500, 600, 700, *range(800, 1000)]
    assert thinned_by(0, 200) == []
    assert thinned_by(300, 303) == [101, 102]
    one_by_one = [index for n in range(1000) for index in thinned_by(n, n + 1)]
    assert one_by_one == thinned_by(0, 1000) == [index for index in range(1000) if index not in stays]
