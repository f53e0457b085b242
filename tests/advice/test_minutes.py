"""Advice within minutes: the time that learning, evolution, the best response and the figures use together."""

import pytest

from evodom.advice.runs import Request
from evodom.advice.search import Question, find_advice
from evodom.dominion.kingdom import parse_kingdom
from evodom.presentation import page, text
from evodom.presentation.documents.advice import SCREEN_LINES, advice_document
from evodom.presentation.documents.advice_facts import repeat_command, summary_of
from evodom.tasks import Workers
from tests.advice.small import shrink
from tests.clock import WorkClock
from tests.learning.small import KINGDOM

SECONDS = 30.0


def test_kernels_of_the_kingdom_are_loaded_before_the_time_begins(store, monkeypatch, workers):
    class Loaded(Exception): ...

    def load(*groups):
        raise Loaded(*groups)

    monkeypatch.setattr("evodom.advice.search.load_groups", load)
    question = Question(Request(parse_kingdom("Pawn,Wharf"), 2, "ask", 8), 1, minutes=0.5, games=2000)

    with pytest.raises(Loaded) as raised:
        find_advice(question, store=store, workers=workers, clock=lambda: pytest.fail("the time has begun"))

    assert raised.value.args == ("games", "expansions", "learning", "search")


@pytest.mark.parametrize("paces", [(300.0, 900.0), pytest.param((1800.0, 600.0), marks=pytest.mark.full)])
def test_the_time_is_kept_and_used_though_the_pace_changes(store, monkeypatch, workers, paces):
    shrink(monkeypatch)
    for module, games in (("advice.ablation.COMPARISON_GAMES", 8), ("matches.seating.ROUND_GAMES", 64)):
        monkeypatch.setattr(f"evodom.{module}", games)
    monkeypatch.setattr("evodom.matches.venue.MIN_TABLE_GAMES", 6)
    clock = WorkClock(*paces, change=SECONDS / 2).watch(monkeypatch)
    monkeypatch.setattr("evodom.learning.training.time.perf_counter", clock)
    question = Question(Request(KINGDOM, 2, "ask", 8), 1, minutes=SECONDS / 60, games=2000)

    found = find_advice(question, store=store, workers=Workers(workers.executor, 1), clock=clock)

    assert found.seconds == clock.now
    assert 0.8 * SECONDS <= found.seconds <= 1.1 * SECONDS
    assert found.n_generations > 1
    assert found.advice.best_response.n_games > 0
    check_last_words(question, found)


def check_last_words(question, found):
    """Check that a search by time is not said to be repeatable, and that its counts are given."""
    command = " ".join(repeat_command(question, found))
    assert f"--training-games {found.n_games} --seed 1 --ngen {found.n_generations}" in command
    facts = summary_of(question, found) | {"command": command, "play": ""}
    short = text.render(advice_document(facts, found.advice, found.seconds), height=SCREEN_LINES)
    assert short.splitlines()[-1].endswith(f": {command}")
    assert not short.splitlines()[-1].startswith("Repeat")
    html = page.fragment(advice_document(facts, found.advice, found.seconds, full=True).sections)
    assert "Repeat" not in html
    assert "The costliest mistakes" in html
    is_learned = found.advice.list_against_network is not None
    assert ("the list below, against the network" in html) == is_learned
