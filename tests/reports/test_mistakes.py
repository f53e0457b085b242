"""The costliest mistakes of a champion: saved with the run, and shown in its report."""

from dataclasses import replace

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.matches.mistakes import Mistake
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.presentation import page
from evodom.presentation.documents.evolved import evolved_document
from evodom.reports.cached import SAVED_MISTAKES, cached_mistakes
from evodom.statistics import IntervalEstimate
from tests.networks import network, spoil_shipped_network
from tests.presentation.rendered import one_line
from tests.reports.test_evolved_document import render

VENUE, CHAMPION = Venue(FIRST_GAME, 2, 3, Use.REPORT), baseline("big-money", FIRST_GAME)
RANDOM = baseline("random", FIRST_GAME)
MISTAKE = Mistake(
    "9", "Buy", 7, {"Estate": 2}, {"Gold": 2}, "Gold", "Duchy", 0.41, 0.5, IntervalEstimate(0.09, 0.07, 0.11)
)


@pytest.fixture
def measured(store, monkeypatch):
    """Return the measurements, each of which finds MISTAKE."""
    store.create("demo", {"seed": 3}, []).close()
    found = []
    monkeypatch.setattr("evodom.reports.cached.costliest_mistakes", lambda *given: found.append(given) or (MISTAKE,))
    return found


def test_mistakes_are_measured_again_for_other_inputs_or_damaged_results_only(store, measured):
    def count(champion=CHAMPION, venue=VENUE):
        assert cached_mistakes("demo", store, champion, venue) == (MISTAKE,)
        return len(measured)

    assert [count(), count(), count(venue=replace(VENUE, seed=4)), count(RANDOM)] == [1, 1, 2, 3]
    with store.open("demo", write=True) as run:
        (saved, *_), *_ = run.meta[SAVED_MISTAKES.name].values()
        for name, value in {"share": 1.5, "hand": {"Estate": -1}, "best": "\x1b[2J", "lost": 0.1}.items():
            run.set_meta(**{SAVED_MISTAKES.name: {"digest": [saved | {name: value}]}})
            assert SAVED_MISTAKES.read(run) == {}
    assert count() == 4


def test_a_network_or_a_champion_without_a_usable_network_has_no_mistakes(store, measured, monkeypatch):
    learned = network_strategy(network(FIRST_GAME), FIRST_GAME)
    assert cached_mistakes("demo", store, learned, VENUE) is None
    spoil_shipped_network(monkeypatch)
    assert cached_mistakes("demo", store, CHAMPION, VENUE) is None


def test_text_and_page_have_the_mistakes_or_one_line_without_any(report):
    found = replace(report, mistakes=(MISTAKE,))
    line = "turn 9, $7: Gold 41 %, better Duchy 50 % (9.0 points, 7.0 to 11.0). In play: Gold x2. In hand: Estate x2."

    assert line in one_line(render(found))
    assert "better Duchy 50 %" in page.render(evolved_document(found))
    assert "No significant mistake was found" in render(replace(report, mistakes=()))
    assert "mistake" not in render(report)
