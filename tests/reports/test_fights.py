"""The report of a training for fights, as text, as JSON and as a page."""

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from evodom.cli.report import report as command
from evodom.errors import UsageError
from evodom.learning.fights.options import FightOptions
from evodom.learning.fights.run import carry_on, start
from evodom.report.fights_page import fights_page, render_fights
from evodom.reports.fights import make_fight_report
from evodom.runs import Run

FIGHT = 'enemies = "Cultist"\nenemy_hp = [18]\nhp = 30\ndeck = "3 Strike, 3 Defend, Bash"\nrelics = []\n'
COMMAND = "evodom report tiny --games 200 --seed 3"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("fights")
    options = FightOptions((FIGHT,), iterations=3, games=12, simulations=12, width=16)
    with start("tiny", options, 3, root=root, overwrite=False) as run:
        carry_on(run, 1)
    with start("new", options, 3, root=root, overwrite=False):
        pass
    return root


def report_of(root, key):
    with Run.open(key, root=root) as run:
        return make_fight_report(run, ["a <Cultist>"], command=COMMAND, games=20, seed=3, n_threads=1)


@pytest.fixture(scope="module")
def report(root):
    return report_of(root, "tiny")


def test_what_is_proven_stands_beside_what_it_comes_to(report):
    (judged,) = report.judged

    assert judged.hp.value <= judged.optimum + 2
    assert judged.away.value >= 0
    assert judged.optimum == pytest.approx(judged.value.value + judged.away.value, abs=4)
    told = render_fights(report)
    assert f"pays {judged.optimum:.3f}" in " ".join(told.split())
    assert "its moves give away" in " ".join(told.split())


def test_the_text_tells_how_it_learned_and_first_turns(report):
    told = render_fights(report)

    assert told.startswith("Run tiny is a network that learned from 3 iterations of 12 games")
    assert "It began with nothing." in told
    of_act = replace(report, options=replace(report.options, width=128, begin="act1"))
    assert "It began as the network of act 1." in " ".join(render_fights(of_act).split())
    assert len(re.findall(r"^ +(12|24|36) ", told, re.MULTILINE)) == 3
    assert told.count("Hand: ") == 3
    assert told.endswith(f"Repeat: {COMMAND}")
    for turn in report.first_turns:
        assert sum(share for _, share, _, _ in turn.moves) == pytest.approx(1)


def test_the_page_opens_offline_and_tells_the_same(report):
    page = fights_page(report)

    assert page.count("<svg") == 3
    assert "a &lt;Cultist&gt;" in page
    assert "<Cultist>" not in page
    assert not re.findall(r'(?:src|href)="http', page)
    for title in ("How well it plays", "How it learned", "First turns"):
        assert f"<h2>{title}</h2>" in page


def test_a_fight_that_is_not_solved_is_told_without_an_optimum(report):
    (judged,) = report.judged
    unsolved = replace(report, judged=(replace(judged, optimum=None, away=None),))

    assert "What is the best is not known" in render_fights(unsolved)
    assert "best that can be expected" not in fights_page(unsolved)


def test_a_training_that_has_not_begun_has_no_course(root):
    report = report_of(root, "new")

    assert "learned from 0 iterations" in render_fights(report)
    assert "<svg" not in fights_page(report)


def test_the_command_tells_text_json_and_a_page(root, tmp_path):
    def run(*words):
        return CliRunner().invoke(command, ["tiny", "--games", "1000", "--data-dir", str(root), "--quiet", *words])

    page = tmp_path / "tiny.html"
    assert run("--html", str(page)).output.startswith("Run tiny is a network")
    assert page.read_text().startswith("<!DOCTYPE html>")
    found = json.loads(run("--json").output)
    assert found["games"] == 100
    assert found["judged"][0]["optimum"] > 20
    refused = run("--csv", str(tmp_path / "tables"))
    assert isinstance(refused.exception, UsageError)
    assert "was trained for fights" in str(refused.exception)
