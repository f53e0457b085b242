"""Matches of a report: played once, saved with the run, and played again if what they follow from is another."""

import json
from dataclasses import replace

import pytest

from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import MATCHES, SAVED_MATCHES, Matches, save_matches
from evodom.reports.evolved import make_report
from evodom.runs import Run
from tests.reports.test_evolved_document import render


@pytest.fixture
def venue(entries):
    return Venue(entries.options.kingdom, entries.options.players, 3, Use.REPORT)


@pytest.fixture
def unplayable(venue, monkeypatch):
    """Return a function after which no match of the venue can be played."""

    def forbid():
        monkeypatch.setattr(Venue, "against", lambda *given: pytest.fail("a match was played"))

    return forbid


@pytest.fixture
def saved(tmp_path):
    Run.create("demo", {"seed": 3}, [], root=tmp_path).close()
    return tmp_path


def reloaded(root):
    with Run.open("demo", root=root) as run:
        return SAVED_MATCHES.read(run)


def test_a_second_report_plays_no_match_again_and_says_the_same(entries, venue, report, saved, unplayable):
    first = Matches(venue)
    make_report(entries, first, command=report.command, games=100)
    save_matches("demo", saved, first)
    unplayable()

    second = make_report(entries, Matches(venue, reloaded(saved)), command=report.command, games=100)

    assert second.to_json() == report.to_json()


@pytest.mark.parametrize("change", ["seed", "games", "opponent", "path", "strategy"])
def test_a_match_is_played_anew_if_anything_it_follows_from_is_another(entries, venue, change):
    champion, other = entries.best[0], entries.best[1]
    matches = Matches(venue)
    matches.against(champion, [other], 24, 12)
    again = Matches(replace(venue, seed=4) if change == "seed" else venue, matches.used)

    again.against(
        other if change == "strategy" else champion,
        [champion] if change == "opponent" else [other],
        28 if change == "games" else 24,
        13 if change == "path" else 12,
    )

    assert again.used.keys().isdisjoint(matches.used)


def test_known_games_are_told_of_too(entries, venue):
    told = []
    matches = Matches(replace(venue, on_games=told.append))
    for _ in range(2):
        matches.against(entries.best[0], [entries.best[1]], 24, 12)
    assert told == [24, 24]


def test_what_was_saved_before_stays(entries, venue, saved):
    for path in (12, 13):
        matches = Matches(venue)
        matches.against(entries.best[0], [entries.best[1]], 24, path)
        save_matches("demo", saved, matches)
    assert len(reloaded(saved)) == 2


SOUND = [24, 6.5, 0.25, 0.125, 2.5, 30.0, 29.5, [24] * 17]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 0),
        (0, 24.0),
        (1, 25.0),
        (1, True),
        (2, -0.1),
        (4, "2.5"),
        (5, None),
        (7, [24] * 16),
        (7, [-1] * 17),
        (7, [2**63] * 17),
        (4, 2**63),
        (5, -1e300),
    ],
)
def test_a_match_that_cannot_be_is_not_believed(tmp_path, place, value):
    wrong = [value if index == place else one for index, one in enumerate(SOUND)]
    saved = json.loads(json.dumps({"right": SOUND, "wrong": wrong, "short": SOUND[1:]}))
    Run.create("demo", {MATCHES: saved}, [], root=tmp_path).close()
    assert list(reloaded(tmp_path)) == ["right"]


def test_in_short_nothing_is_read_or_played_that_the_text_does_not_tell(saved_entries, report, report_on, entries):
    short = replace(entries, generations=[], best_quarters={}, in_full=False)
    told = []
    found = report_on(short, on_games=told.append)
    assert render(found) == render(report)
    assert sum(told) == short.n_games(100) < entries.n_games(100)
    assert (found.generations, found.best_purchases, found.sample, found.strategies) == ([], [], None, [])
