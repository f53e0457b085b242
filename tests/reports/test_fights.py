"""The report of a training for fights, as text, as JSON and as a page."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from msgspec import structs

from evodom.cli.report import report as command
from evodom.learning.fights import FightOptions
from evodom.learning.fights.run import carry_on, start
from evodom.presentation.documents.fights import fights_document
from evodom.reports.fights import N_REGRET_FIGHTS, make_fight_report
from evodom.runs import RunStore
from tests.learning.fights.test_run import FIGHT
from tests.presentation.rendered import check, one_line

COMMAND = "evodom report tiny --evaluation-games 200 --seed 3"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("fights")
    options = FightOptions((FIGHT,), iterations=3, games=12, simulations=12, width=16)
    with start("tiny", options, 3, store=RunStore(root)) as run:
        carry_on(run)
    with start("new", options, 3, store=RunStore(root)):
        pass
    return root


def report_of(root, key):
    with RunStore(root).open(key) as run:
        return make_fight_report(run, ["a <Cultist>"], command=COMMAND, games=20, seed=3, n_threads=1)


@pytest.fixture(scope="module")
def report(root):
    return report_of(root, "tiny")


def test_a_solved_fight_has_its_optimum_and_its_regret(report):
    (judged,) = report.judged

    assert judged.hp.value <= judged.optimum + 2
    assert judged.away.value >= 0
    assert judged.optimum == pytest.approx(judged.value.value + judged.away.value, abs=4)
    for shown in check(fights_document(report)):
        assert f"The optimal value is {judged.optimum:.3f}" in one_line(shown)
        assert f"against the exact values of {N_REGRET_FIGHTS} fights" in one_line(shown)


def test_text_and_page_have_iterations_and_first_turns(report):
    shown, html = check(fights_document(report))

    assert "3 iterations of 12 games" in one_line(shown)
    assert "from scratch" in one_line(shown)
    of_act = replace(report, options=structs.replace(report.options, width=128, begin="act1"))
    assert "with the network of act 1" in one_line(check(fights_document(of_act))[0])
    assert shown.count("Hand: ") == 3
    assert shown.endswith(f"Repeat: {COMMAND}")
    assert html.count("<svg") == 3
    assert "<Cultist>" not in html
    for title in ("How well it plays", "How it learned", "First turns"):
        assert f">{title}</h2>" in html
    for turn in report.first_turns:
        assert sum(share for _, share, _, _ in turn.moves) == pytest.approx(1)


def test_a_fight_that_is_not_solved_has_no_optimum(report):
    (judged,) = report.judged
    shown, html = check(fights_document(replace(report, judged=(replace(judged, optimum=None, away=None),))))

    assert "Optimal value unknown" in one_line(shown)
    assert "share of the optimal value" not in html


def test_a_training_that_has_not_begun_has_no_charts(root):
    shown, html = check(fights_document(report_of(root, "new")))

    assert "0 iterations" in one_line(shown)
    assert "<svg" not in html


def test_the_command_prints_text_and_json_and_writes_a_page(root, tmp_path):
    def run(*words):
        return CliRunner().invoke(
            command, ["tiny", "--evaluation-games", "1000", "--data-dir", str(root), "--quiet", *words]
        )

    page = tmp_path / "tiny.html"
    assert run("--html", str(page)).output.startswith("The network of run tiny")
    assert page.read_text().startswith("<!DOCTYPE html>")
    found = json.loads(run("--json").output)
    assert found["games"] == 100
    assert found["judged"][0]["optimum"] > 20
    assert run("--csv", str(tmp_path / "tables")).exit_code == 0
    assert (tmp_path / "tables" / "iterations.csv").read_text().startswith("games,paid without noise,")
