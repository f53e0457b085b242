"""The report of a run of learning, as text, as JSON and as a page."""

import json
import re
from dataclasses import replace

import pytest

from evodom.learning.lessons import Watcher
from evodom.learning.run import carry_on, start
from evodom.matches.streams import Use
from evodom.matches.venue import Venue
from evodom.presentation.text import NO_BREAK
from evodom.report.learned_page import learned_page
from evodom.report.learned_text import judges, render_learned, shares_text
from evodom.reports.cached import attacked
from evodom.reports.learned import make_learned_report, read_course
from tests.learning.small import KINGDOM, SEED, TrainOptions, shrink

COMMAND = "evodom report demo --games 200 --seed 3"
MET = "smithy-duchies"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the report of a small run for three players that was told to meet a judge."""
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch.setattr)
        patch.setattr("evodom.learning.reply.GAMES", 24)
        options, root = TrainOptions(KINGDOM, 3, 90, 1, rivals=(MET,)), tmp_path_factory.mktemp("learned")
        with start("demo", options, SEED, root=root, overwrite=False) as run:
            carry_on(run, None, Watcher())
            course = read_course(run)
        venue = Venue(KINGDOM, 3, 3, Use.REPORT)
        attack = attacked("demo", root, course.champion, venue, 48, 100)
        return make_learned_report(course, venue, command=COMMAND, games=200, attack=attack)


def test_a_judge_that_was_named_as_a_rival_is_marked_and_no_other(report):
    assert report.met == (MET,)
    assert [name for name in judges(report) if name.endswith(" *")] == [f"{MET} *"]
    for told in (render_learned(report), learned_page(report)):
        assert f"{MET} *" in told
        assert "Marked with *: a rival in training, no independent judge." in told
        assert "None of them was met" not in told


def test_without_a_named_judge_it_says_that_none_was_met(report):
    told = render_learned(replace(report, met=()))

    assert " *" not in told
    assert "None of them was met in training." in told


def test_the_text_tells_wins_habits_and_how_it_learned(report):
    told = render_learned(report)

    assert told.startswith("Run demo is a player that learned from 90 games: ")
    assert "of its games against 2 big-money" in " ".join(told.split())
    for part in (
        "(par 33,",
        "What it buys, by stage and coins",
        "Trashes a game",
        "Opens",
        "Plays first",
        "Greens",
        "Behind",
        "Its deck at the end of a turn",
        "starts left",
    ):
        assert part in told
    assert told.endswith(f"Repeat: {COMMAND}")
    assert max(map(len, told.splitlines())) <= 80
    assert told.isascii()


def test_the_page_is_whole_and_opens_offline(report):
    html = learned_page(report)

    assert html.startswith("<!DOCTYPE html>")
    assert html.count("<svg") == 5
    titles = ("How it opens", "What it buys", "Turn by turn", "What else it does", "How it learned")
    assert all(f"<h2>{title}</h2>" in html for title in (*titles, "How well it can be exploited"))
    assert not re.search(r"https?://|<script|src=", html)
    for tag in ("section", "table", "div", "figure", "svg"):
        assert html.count(f"<{tag}") == html.count(f"</{tag}>")


def test_json_has_all_of_it(report):
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))

    assert told["met"] == [MET]
    assert set(told["judges"]) == set(report.judges)
    assert told["options"]["rivals"] == [MET]
    assert told["habits"]["deck"] == report.habits.deck
    assert [one["coins"] for one in told["openings"]] == [[4, 3], [3, 4], [5, 2], [2, 5]]
    assert len(told["turns"]["deck"]["Copper"]) == report.turns.n_turns
    assert told["attack"]["n_games"] == 48


def test_choices_of_less_than_half_a_per_cent_are_left_out():
    assert shares_text({"Gold": 0.991, "pass": 0.006, "Moat": 0.003}).replace(NO_BREAK, " ") == "99 Gold, 1 pass"
