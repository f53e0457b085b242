"""The report of a run of learning, as text, as JSON and as a page."""

import json
from dataclasses import replace

import pytest

from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.presentation.documents.learned import _shares_text, learned_document
from evodom.presentation.format import NO_BREAK
from evodom.reports.cached import cached_best_response
from evodom.reports.learned import make_learned_report, read_trained_run
from evodom.runs import RunStore
from evodom.runs.lifecycle import RunMonitor
from tests.learning.small import KINGDOM, RUNS, SEED, TrainOptions
from tests.presentation.rendered import check, one_line

COMMAND = "evodom report demo --evaluation-games 200 --seed 3"
MET = "smithy-duchies"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the report of a small run for three players with a judge as a rival."""
    options, root = TrainOptions(KINGDOM, 3, 90, 1, rivals=(MET,)), tmp_path_factory.mktemp("learned")
    with RUNS.start("demo", options, SEED, store=RunStore(root)) as run:
        RUNS.carry_on(run, None, RunMonitor())
        course = read_trained_run(run)
    venue = Venue(KINGDOM, 3, 3, Use.REPORT)
    attack = cached_best_response("demo", RunStore(root), course.champion, venue, 48, 100)
    return make_learned_report(course, venue, command=COMMAND, games=200, best_response=attack)


def test_a_judge_that_was_named_as_a_rival_is_marked_and_no_other(report):
    assert report.met == (MET,)
    for shown in check(learned_document(report)):
        assert shown.count(f"{MET} *") >= 1
        assert "* was a training opponent" in one_line(shown)
    shown, _ = check(learned_document(replace(report, met=())))
    assert " *" not in shown


def test_text_and_page_have_wins_habits_and_training(report):
    shown, html = check(learned_document(report))

    for part in ("demo", " 90 games", "two copies of Big Money", "chance level 33", "Trashed", "When behind", "starts"):
        assert part in one_line(shown)
    for title in ("How it opens", "What it buys", "Other habits", "How it learned"):
        assert f"{title}\n---" in shown
        assert f">{title}</h2>" in html
    assert shown.endswith(f"Repeat: {COMMAND}")
    assert shown.isascii()
    assert html.count("<svg") == 5
    assert "after 48 games" in html


def test_json_has_all_of_it(report):
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))

    assert told["met"] == [MET]
    assert set(told["judges"]) == set(report.judges)
    assert told["options"]["rivals"] == [MET]
    assert told["habits"]["deck"] == report.habits.deck
    assert [one["coins"] for one in told["openings"]] == [[4, 3], [3, 4], [5, 2], [2, 5]]
    assert len(told["turns"]["deck"]["Copper"]) == report.turns.n_turns
    assert told["best_response"]["n_games"] == 48


def test_choices_of_less_than_half_a_per_cent_are_left_out():
    assert _shares_text({"Gold": 0.991, "pass": 0.006, "Moat": 0.003}).replace(NO_BREAK, " ") == "99 Gold, 1 pass"
