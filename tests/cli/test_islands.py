"""`evodom evolve --islands`: what it prints, refuses, shows on the way, and keeps when it is stopped."""

import json
import shlex
import shutil
import signal

import pytest
from tqdm import tqdm

from evodom.cli.evolve import EvolveProgress
from evodom.evolution.options import Options
from evodom.runs import Generation
from tests.cli.program import run_program
from tests.saved import contents

SMALL = shlex.split(
    "--islands 3 --migrate-every 2 --ngen 4 --nstrat 8 --players 2 --halving-games 1 --search-rounds 1 --seed 2"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a folder with a run of SMALL."""
    root = tmp_path_factory.mktemp("islands")
    result = in_folder(root, "evolve", "demo", *SMALL, "--jobs", "1")
    assert "demo: 4 generations on 3 islands in" in result.stdout
    return root


def in_folder(root, *arguments):
    return run_program(*arguments, EVODOM_DATA_DIR=str(root))


def test_it_says_how_many_islands_and_generations_there_were(root, tmp_path):
    shutil.copytree(root, tmp_path, dirs_exist_ok=True)
    result = in_folder(tmp_path, "evolve", "demo", "--resume", "--ngen", "6", "--jobs", "1")
    assert "demo: 6 generations on 3 islands, 2 of them new, in" in result.stdout

    facts = json.loads(in_folder(tmp_path, "evolve", "demo", "--resume", "--json", "--jobs", "1").stdout)
    assert (facts["generations"], facts["islands"]) == (6, 3)


@pytest.mark.full
def test_two_processes_stopped_by_ctrl_c_and_resumed_evolve_the_same_as_one(root, tmp_path, monkeypatch, capfd):
    with monkeypatch.context() as patch:
        patch.setattr(EvolveProgress, "on_island", lambda _, n: None if n else signal.raise_signal(signal.SIGINT))
        stopped = in_folder(tmp_path, "evolve", "demo", *SMALL, "--jobs", "2")

    assert stopped.exit_code == 130
    assert "Stopping after this round." in capfd.readouterr().err
    assert "after round 1; all are saved. Continue with: evodom evolve demo --resume" in stopped.stderr
    assert len(contents(tmp_path)) == 1
    assert in_folder(tmp_path, "evolve", "demo", "--resume", "--jobs", "1").exit_code == 0
    assert contents(tmp_path) == contents(root)


def test_resuming_to_the_middle_of_a_round_is_refused_and_nothing_changes(root):
    result = in_folder(root, "evolve", "demo", "--resume", "--ngen", "5")

    assert result.exit_code == 2
    assert "--ngen 6" in result.stderr
    assert json.loads(in_folder(root, "runs", "show", "demo", "--json").stdout)["meta"]["options"]["n_generations"] == 4


def test_all_that_reads_runs_reads_islands(root, tmp_path):
    asked = ("report", "demo", "--evaluation-games", "1000", "--best-response-games", "0")
    page = in_folder(root, *asked)
    assert "After 4 generations the champion wins" in page.stdout
    assert "4 generations of 3 islands of 8 strategies" in " ".join(page.stdout.split())
    assert "island" in page.stdout
    assert in_folder(root, *asked, "--html", str(tmp_path / "page.html")).exit_code == 0

    assert 'name = "demo"' in in_folder(root, "strategies", "demo", "--raw").stdout
    match = in_folder(root, "match", "demo", "demo@0:24", "--games", "100")
    assert match.exit_code == 0, match.stderr
    assert "demo@0:24" in match.stdout
    assert "Allowed: demo:1 to demo:24" in in_folder(root, "match", "demo", "demo:25").stderr

    shown = in_folder(root, "runs", "show", "demo").stdout
    assert "rounds       2 of 2 generations each" in shown
    assert "Round" in shown
    listed = in_folder(root, "runs").stdout.splitlines()[1].split()
    assert listed[:2] == ["demo", "4"]
    watched = in_folder(root, "play", "demo", "--watch", "--seed", "1", "--quiet")
    assert watched.exit_code == 0, watched.stderr


def test_the_bar_counts_generations_of_all_islands(monkeypatch):
    told: list[str] = []
    monkeypatch.setattr("tqdm.tqdm.set_postfix_str", lambda bar, text, refresh: told.append(text))
    moments = iter([0.0, 1.0])
    monkeypatch.setattr("evodom.cli.evolve.time.perf_counter", lambda: next(moments))
    options = Options(islands=2, migrate_every=5, n_generations=10)

    with tqdm(total=20, leave=False) as shown:
        bar = EvolveProgress(shown, options)
        bar.on_island(1)
        bar.on_island(0)
        bar.on_generation(Generation(0, None, None, {"games": 10, "island_games": 90, "held_out_wins": 0.5}))
        bar.on_island(0)
        assert shown.n == 15

    champion = "100 games/s, champion wins 50 %"
    assert told == ["1 of 2 islands", "2 of 2 islands", champion, f"1 of 2 islands, {champion}"]
