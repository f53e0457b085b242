"""`evodom train`: what it prints and refuses, and where a trained run can be named."""

import json
import signal

import pytest
from click.testing import CliRunner

from evodom.budget import Budget
from evodom.cli import cli
from evodom.learning.run import LEARNING, options_of
from evodom.learning.training import Training
from evodom.options import refusal as refusal_of
from evodom.reports import saved_run
from evodom.runs import RunStore
from tests.cli.program import once, refusal
from tests.clock import WorkClock
from tests.learning.small import EFFORT, KINGDOM, trained
from tests.networks import spoil_shipped_network
from tests.saved import contents, evolve

CARDS = ",".join(KINGDOM.cards)
TABLE = ("--kingdom", CARDS, "--players", "2", "--games", "60", "--seed", "1")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Train as in `small`, and with fewer games than the command allows."""
    monkeypatch.setattr(LEARNING, "effort", EFFORT)
    for module in ("options", "cli.options"):
        monkeypatch.setattr(f"evodom.{module}.refusal", without_least_games)


def without_least_games(kind, name, value):
    return "" if (kind.__name__, name) == ("TrainInputs", "games") else refusal_of(kind, name, value)


@pytest.fixture
def evodom(tmp_path):
    """Run a command with a data folder of its own."""

    def run(*arguments, root=tmp_path, lines=""):
        return CliRunner().invoke(cli, arguments, input=lines, env={"EVODOM_DATA_DIR": str(root)})

    return run


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a folder with the run `learned`, trained, and the run `bred`, evolved."""
    root = tmp_path_factory.mktemp("data")
    trained("learned", root)
    evolve(root, "bred", whole=False, n_strategies=8, n_generations=2, players=2, kingdom=KINGDOM)
    return root


def test_a_run_is_trained_saved_told_and_replaced_only_when_asked(evodom, tmp_path, store):
    result = evodom("train", "demo", *TABLE)

    assert result.exit_code == 0
    assert result.stdout.startswith("demo: 60 games in ")
    assert "seed 1. The best of 1 starts wins" in result.stdout
    assert "Next: evodom play demo, or: evodom report demo" in result.stdout
    first = contents(tmp_path)
    assert len(first) == 4

    assert all(flag in refusal(evodom("train", "demo", *TABLE)) for flag in ("--resume", "--overwrite"))
    assert contents(tmp_path) == first
    assert evodom("train", "demo", *TABLE[:-1], "2", "-o", "--quiet").exit_code == 0
    assert contents(tmp_path) != first

    result = evodom("train", "three", *TABLE, "--starts", "3", "--json", "--quiet")
    facts = json.loads(result.stdout, parse_constant=pytest.fail)
    assert (facts["key"], facts["seed"], facts["players"]) == ("three", 1, 2)
    assert facts["kingdom"] == list(KINGDOM.cards)
    assert result.stderr == ""
    with store.open("three") as run:
        assert len(run.generation(0).ranking) == options_of(run).n_starts == 3
        assert run.last().summary["games"] == facts["games"]


def test_without_the_network_of_all_kingdoms_training_goes_on_with_a_note(evodom, monkeypatch):
    spoil_shipped_network(monkeypatch)

    result = evodom("train", "demo", *TABLE)
    quiet = evodom("train", "quiet", *TABLE, "--quiet")

    assert result.exit_code == quiet.exit_code == 0
    assert "Note: the network of all kingdoms cannot be used: general.npz is a network of rules" in result.stderr
    assert quiet.output == "", "not even the result"


def test_minutes_are_a_limit_that_is_saved_with_the_games_that_were_played(evodom, store, monkeypatch):
    clock, starting_now = WorkClock(40.0).watch(monkeypatch), Budget.starting_now
    monkeypatch.setattr(Budget, "starting_now", lambda seconds, _=None: starting_now(seconds, clock))
    monkeypatch.setattr("evodom.api.runs.estimate_n_games", lambda *_: 60)
    arguments = ("--kingdom", CARDS, "--players", "2", "--seed", "1", "--minutes", "0.5", "--json", "--quiet")

    facts = json.loads(evodom("train", "demo", *arguments).stdout)

    assert 0.8 * 30.0 <= clock.now <= 1.1 * 30.0
    assert facts["games"] > 300
    with store.open("demo") as run:
        assert (options_of(run).minutes, options_of(run).n_starts) == (0.5, 1)
        assert run.last().summary["games"] == facts["games"]


def test_a_rival_is_met_and_saved_by_name_but_no_agent_in_python(evodom, tmp_path, store):
    assert evodom("train", "demo", *TABLE, "--training-opponent", "big-money", "--quiet").exit_code == 0

    with store.open("demo") as run:
        assert options_of(run).rivals == ("big-money",)
        # The rival, the two lists and the four baselines that are met.
        assert len(run.last().summary["shares"]) == 7
    agent = tmp_path / "mine.py"
    agent.write_text("raise SystemExit('it was run')")
    refused = refusal(evodom("train", "new", "--training-opponent", str(agent)))
    assert "--training-opponent: " in refused
    assert "too slow" in refused


def test_a_rival_is_kept_whatever_becomes_of_its_run(evodom, root):
    assert evodom("train", "rival", *TABLE, "--quiet", root=root).exit_code == 0
    for key in ("whole", "parts"):
        assert evodom("train", key, *TABLE, "--training-opponent", "rival", "--quiet", root=root).exit_code == 0
    whole = contents(root, "whole")
    with RunStore(root).open("parts") as run:
        RunStore(root).create("parts2", run.meta, list(run)[:3]).close()
    assert evodom("runs", "delete", "rival", "--yes", root=root).exit_code == 0

    assert evodom("train", "parts2", "--resume", "--quiet", root=root).exit_code == 0
    assert contents(root, "parts2") == whole
    assert "weights" not in evodom("runs", "show", "whole", "--json", root=root).stdout


def test_ctrl_c_stops_at_the_last_checkpoint_and_resume_goes_on(evodom, tmp_path, monkeypatch):
    evodom("train", "whole", *TABLE, "--quiet")
    following, calls = Training.following, []

    def pressed(self, saved, monitor):
        calls.append(len(saved))
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return following(self, saved, monitor)

    with monkeypatch.context() as patch:
        patch.setattr(Training, "following", pressed)
        result = evodom("train", "demo", *TABLE)

    assert result.exit_code == 130
    assert "checkpoint 1 is saved" in result.stderr
    assert "evodom train demo --resume" in result.stderr
    assert len(contents(tmp_path)) == 2
    assert evodom("train", "demo", "--resume", "--quiet").exit_code == 0
    assert contents(tmp_path) == contents(tmp_path, "whole")


@pytest.mark.parametrize(
    "line",
    [
        "match learned big-money --games 100 --quiet",
        "match learned@0:2 learned:1 bred random --games 100 --quiet",
        "tournament learned bred big-money --players 2 --games 200 --quiet",
        "play learned --seed 1 --quiet",
        "play --opponent learned@0 --players 3 --seed 1 --quiet",
        "runs",
        "runs show learned",
        "train other --games 60 --players 2 --training-opponent learned --training-opponent bred:2 --quiet --kingdom "
        + CARDS,
    ],
)
def test_a_trained_run_plays_wherever_a_run_does(evodom, root, line):
    result = evodom(*line.split(), root=root)

    assert result.exit_code == 0, result.output
    assert "learned" in result.stdout or line.startswith("train")


def test_a_trained_run_is_reported_as_text_json_and_a_page(evodom, root, tmp_path, monkeypatch):
    monkeypatch.setattr(saved_run, "make_learned_report", once(saved_run.make_learned_report))
    page = tmp_path / "page.html"
    arguments = ("report", "learned", "--evaluation-games", "1000", "--seed", "3", "--best-response-games", "48")

    text = evodom(*arguments, "--html", str(page), root=root)
    facts = json.loads(evodom(*arguments, "--json", "--quiet", root=root).stdout)

    assert text.exit_code == 0, text.output
    assert "evodom report learned --evaluation-games 1000 --seed 3" in text.stdout
    assert str(page) in text.stderr
    assert "learned" in page.read_text(encoding="utf-8")
    big_money = facts["judges"]["big-money"]
    assert f"{100 * big_money['share']:.1f} ({100 * big_money['low']:.1f}-" in text.stdout
    assert (facts["key"], facts["command"]) == (
        "learned",
        "evodom report learned --evaluation-games 1000 --seed 3 --best-response-games 48",
    )
