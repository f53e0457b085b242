"""Matches of a report: saved with the run, and played again only for other inputs."""

import json
from dataclasses import replace

import pytest

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.reports.cached import MATCHES, SAVED_MATCHES, Matches, save_matches
from evodom.reports.evolved import make_report
from evodom.runs import RunStore
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
def saved(tmp_path, store):
    store.create("demo", {"seed": 3}, []).close()
    return tmp_path


def reloaded(root):
    with RunStore(root).open("demo") as run:
        return SAVED_MATCHES.read(run)


def test_a_second_report_plays_no_match_again(entries, venue, report, saved, unplayable):
    first = Matches(venue)
    make_report(entries, first, command=report.command, games=100)
    save_matches("demo", RunStore(saved), first)
    unplayable()

    second = make_report(entries, Matches(venue, reloaded(saved)), command=report.command, games=100)

    assert second.to_json() == report.to_json()


def test_a_match_is_played_again_for_other_inputs(entries, venue):
    champion, other = entries.best[0], entries.best[1]
    matches = Matches(venue)
    matches.against(champion, [other], 24, 12)
    for changed, arguments in [
        (replace(venue, seed=4), (champion, [other], 24, 12)),
        (venue, (champion, [other], 28, 12)),
        (venue, (champion, [champion], 24, 12)),
        (venue, (champion, [other], 24, 13)),
        (venue, (other, [other], 24, 12)),
    ]:
        again = Matches(changed, matches.used)
        again.against(*arguments)
        assert again.used.keys().isdisjoint(matches.used)


def test_saving_keeps_earlier_matches(entries, venue, saved):
    counted = []
    for path in (12, 12, 13):
        matches = Matches(replace(venue, on_games=counted.append), reloaded(saved))
        matches.against(entries.best[0], [entries.best[1]], 24, path)
        save_matches("demo", RunStore(saved), matches)
    assert len(reloaded(saved)) == 2
    assert counted == [24] * 3


SOUND = [24, 6.5, 0.25, 0.125, 2.5, 30.0, 29.5, [24] * N_MODEL_PILES]


def test_an_impossible_match_is_not_read(tmp_path, store):
    saved = {"right": SOUND, "short": SOUND[1:]}
    for place, value in [
        (0, 0), (0, 24.0), (1, 25.0), (1, True), (2, -0.1), (4, "2.5"), (4, 2**63), (5, None), (5, -1e300),
        (7, [24] * 17), (7, [-1] * N_MODEL_PILES), (7, [2**63] * N_MODEL_PILES),
    ]:  # fmt: skip
        saved[f"{place}: {value}"] = [value if index == place else one for index, one in enumerate(SOUND)]
    store.create("demo", {MATCHES: json.loads(json.dumps(saved))}, []).close()
    assert list(reloaded(tmp_path)) == ["right"]


def test_a_short_report_reads_and_plays_only_what_its_text_shows(saved_entries, report, report_on, entries):
    short = replace(entries, generations=[], best_quarters={}, in_full=False)
    told = []
    found = report_on(short, on_games=told.append)
    assert render(found) == render(report)
    assert sum(told) == short.n_games(100) < entries.n_games(100)
    assert (found.generations, found.best_purchases, found.sample, found.strategies) == ([], [], None, [])
