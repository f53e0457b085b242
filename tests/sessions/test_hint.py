"""Hints where several cards are chosen: every answer, as a set of cards, in the terminal and on the page."""

from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.sessions import review as hint
from evodom.sessions.review import WinChances, hints, ranks, win_chances
from evodom.sessions.screen import about_chances, about_hints
from evodom.web.reviews import _hint
from tests.sessions.helpers import match_from

KINGDOM = Kingdom(("Chapel", "Cellar", "Militia"))
OTHER = "deck 5 Copper | P2: hand 5 Copper; deck 5 Copper"

PAIRS = {"Estate x2", "Copper + Estate", "Silver + Estate", "Gold + Estate", "Copper + Silver", "Copper + Gold"} | {
    "Silver + Gold"
}


def asked(position, choice):
    match = match_from(f"P1: {position}; {OTHER}", "random", kingdom=KINGDOM)
    match.game.enact(choice)
    return match.game


@pytest.fixture(autouse=True)
def few_rollouts(monkeypatch):
    monkeypatch.setattr(hint, "ROLLOUTS", 20)
    monkeypatch.setattr(hint, "ROLLOUTS_EACH", 2)


def attacked():
    """Return a match in which the second player has to discard two of five cards."""
    position = "P1: hand Militia, 4 Copper; deck 5 Copper | P2: hand 2 Estate, Copper, Silver, Gold; deck 5 Copper"
    match = match_from(position, "random", kingdom=KINGDOM)
    match.game.enact("Militia")
    return match


def test_every_pair_that_militia_lets_one_discard_is_shown():
    chances = win_chances(attacked().game, 1)

    assert sorted([one.name for one in chances.best]) == sorted(PAIRS)
    assert (chances.n_answers, chances.more) == (7, "")


@pytest.mark.parametrize("card", ["Chapel", "Cellar"])
def test_every_set_of_cards_is_shown_and_none_of_them(card):
    sets = {"pass", "Copper", "Copper x2", "Estate", "Copper + Estate", "Copper x2 + Estate"}

    assert {one.name for one in win_chances(asked(f"hand {card}, 2 Copper, Estate", card), 1).best} == sets


def test_of_many_sets_the_best_ten_are_shown_and_how_many_there_are():
    chances = win_chances(asked("hand Cellar, 3 Copper, 2 Estate, 2 Silver, Gold, Curse", "Cellar"), 1)

    assert len({one.name for one in chances.best}) == 10
    assert chances.n_answers == 4 * 3 * 3 * 2 * 2
    assert all(n in " ".join(about_chances(chances)[-2:]) for n in (" 10 ", " 24 ", " 144 "))
    assert WinChances(chances.ranks, 10, 10).more == ""
    assert "10 highest estimates of 17 answers" in WinChances(chances.ranks, 17, 17).more
    assert " 1,440 " in WinChances(chances.ranks, 1440, 24).more


def test_every_single_choice_is_shown():
    game = match_from(f"P1: hand Chapel, Cellar, 2 Copper; {OTHER}", "random", kingdom=KINGDOM).game

    assert sorted(one.name for one in win_chances(game, 1).best) == ["Cellar", "Chapel", "pass"]


def test_a_strategy_is_quoted_with_whole_sets():
    match = attacked()

    (found,) = hints(match.game, match.setup.players)

    assert {name for name, _ in found.shares} == PAIRS
    assert sum(share for _, share in found.shares) == pytest.approx(1)
    assert "Copper + Estate" in " ".join(about_hints([found]))


def test_a_strategy_that_always_discards_the_same_is_quoted_with_that():
    match = attacked()
    player = SimpleNamespace(name="money", strategy=baseline("big-money", KINGDOM))

    (found,) = hints(match.game, (player,))

    assert found.shares == (("Estate x2", 1.0),)


def test_the_page_gets_the_same_sets():
    match = attacked()

    told = _hint(match.game, match.setup, 1, SimpleNamespace(workers=None))

    assert [one["name"] for one in told["chances"]] == [one.name for one in win_chances(match.game, 1).best]
    assert told["more"] == ""
    assert {name for name, _ in told["hints"][0]["shares"]} == PAIRS


@given(st.lists(st.tuples(st.integers(0, 300), st.sampled_from([0, 99, 100, 300, 2000])), min_size=1, max_size=10))
@settings(deadline=None)
def test_no_choice_is_ranked_above_another_whose_interval_overlaps(found):
    estimates = [SimpleNamespace(value=wins / 300, visits=n) for wins, n in found]
    chances = [hint._chance(f"card {place}", one) for place, one in enumerate(estimates)]
    above = []
    for rank in ranks(chances):
        assert [one.name for one in rank] == sorted(one.name for one in rank)
        for better, worse in product(above, rank):
            assert better.win is not None
            assert worse.win is None or better.win.low > worse.win.high
        above += rank
    assert sorted(above, key=str) == sorted(chances, key=str)
    shown = " ".join(about_chances(WinChances(ranks(chances), len(chances), len(chances))))
    for chance, one in zip(chances, estimates, strict=True):
        assert (f"{chance.name} {100 * one.value:.0f} % (" in shown) == (one.visits >= 100)


def test_a_curse_within_the_interval_of_a_smithy_is_not_above_it():
    lines = about_chances(WinChances(ranks([chance("Curse", 21, 140), chance("Smithy", 15, 140)]), 2, 2))

    assert lines[-1] == "  1. Curse 21 % (15 to 28)  Smithy 15 % (10 to 22)"
    lines = about_chances(WinChances(ranks([chance("Copper", 9, 140), chance("Smithy", 25, 140)]), 2, 2))
    assert [line.partition(" (")[0] for line in lines[-2:]] == ["  1. Smithy 25 %", "  2. Copper 9 %"]


def chance(name, percent, n):
    return hint._chance(name, SimpleNamespace(value=percent / 100, visits=n))
