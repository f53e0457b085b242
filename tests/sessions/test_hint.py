"""Hints where several cards are chosen: every answer, as a set of cards, in the terminal and on the page."""

from dataclasses import replace
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.sessions import review as hint
from evodom.sessions.review import WinChances, hints, ranks, win_chances
from evodom.sessions.sentences import CHANCES_NOTE
from evodom.terminal.screen import about_chances, about_hints
from evodom.web.reviews import _hint
from tests.networks import network
from tests.sessions.helpers import match_from

KINGDOM = Kingdom(("Chapel", "Cellar", "Militia"))
OTHER = "deck 5 Copper | P2: hand 5 Copper; deck 5 Copper"

PAIRS = {"Estate x2", *map(" + ".join, combinations(("Copper", "Silver", "Gold", "Estate"), 2))}


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

    assert sorted([one.name for one in chances.shown]) == sorted(PAIRS)
    assert (chances.n_answers, chances.more) == (7, "")


@pytest.mark.parametrize("card", ["Chapel", "Cellar"])
def test_every_set_of_cards_is_shown_and_none_of_them(card):
    sets = {"pass", "Copper", "Copper x2", "Estate", "Copper + Estate", "Copper x2 + Estate"}

    assert {one.name for one in win_chances(asked(f"hand {card}, 2 Copper, Estate", card), 1).shown} == sets


def test_of_many_sets_the_best_ten_are_shown_and_how_many_there_are():
    chances = win_chances(asked("hand Cellar, 3 Copper, 2 Estate, 2 Silver, Gold, Curse", "Cellar"), 1)

    assert len({one.name for one in chances.shown}) == 10
    assert chances.n_answers == 4 * 3 * 3 * 2 * 2
    assert all(n in " ".join(about_chances(chances)[-2:]) for n in (" 10 ", " 24 ", " 144 "))
    assert replace(chances, n_answers=10, compared=chances.shown).more == ""
    assert "10 highest estimates of 24 answers" in replace(chances, n_answers=24).more
    assert " 1,440 " in replace(chances, n_answers=1440).more


def test_every_single_choice_is_shown():
    game = match_from(f"P1: hand Chapel, Cellar, 2 Copper; {OTHER}", "random", kingdom=KINGDOM).game

    assert sorted(one.name for one in win_chances(game, 1).shown) == ["Cellar", "Chapel", "pass"]


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

    assert [one["name"] for one in told["chances"]] == [one.name for one in win_chances(match.game, 1).shown]
    assert told["notes"] == [CHANCES_NOTE, ""]
    assert {name for name, _ in told["hints"][0]["shares"]} == PAIRS


@given(st.lists(st.tuples(st.integers(0, 300), st.sampled_from([0, 99, 100, 300, 2000])), min_size=1, max_size=10))
@settings(deadline=None)
def test_choices_are_in_descending_order_and_a_rank_holds_those_that_overlap_its_first(found):
    estimates = [SimpleNamespace(value=wins / 300, visits=n) for wins, n in found]
    chances = [hint._chance(f"card {place}", one) for place, one in enumerate(estimates)]
    by_rank = ranks(chances)
    ordered = [one for rank in by_rank for one in rank]
    assert sorted(ordered, key=str) == sorted(chances, key=str)
    shares = [one.win.share if one.win else -1 for one in ordered]
    assert shares == sorted(shares, reverse=True)
    assert all(is_close(rank[0], one) for rank in by_rank for one in rank)
    assert not any(is_close(first[0], second[0]) for first, second in pairwise(by_rank))
    shown = " ".join(about_chances(of(chances)))
    for chance, one in zip(chances, estimates, strict=True):
        assert (f"{chance.name} {100 * one.value:.0f} % (" in shown) == (one.visits >= 100)


def is_close(one, other):
    """Tell whether two intervals overlap, or both are missing."""
    if not (one.win and other.win):
        return one.win == other.win
    return max(one.win.low, other.win.low) <= min(one.win.high, other.win.high)


CHAIN = {"Chapel": 52, "Village": 42, "Moat": 32, "Curse": 23}
"""Each choice overlaps the next, the first not the last."""


@pytest.mark.parametrize(
    ("chances", "lines"),
    [
        ({"Curse": 21, "Smithy": 15}, "1. Curse 21 % (15 to 28)  Smithy 15 % (10 to 22)"),
        ({"Copper": 9, "Smithy": 25}, "1. Smithy 25 % (19 to 33)|2. Copper 9 % (5 to 15)"),
        (CHAIN, "1. Chapel 52 % (44 to 60)  Village 42 % (34 to 50)|2. Moat 32 % (25 to 40)  Curse 23 % (17 to 31)"),
    ],
)
def test_a_rank_begins_with_its_best_choice(chances, lines):
    shown = about_chances(of([chance(name, percent) for name, percent in chances.items()]))

    assert "|".join(line.strip() for line in shown).endswith(lines)


RECOMMENDED = {"Laboratory": 64, "Chapel": 52, "Silver": 63, "pass": 63}
ITS_OWN = "the network's first choice."
REASONS = {
    ("Laboratory", "Chapel"): f"Playouts of the network's own play favour it by 12 points over Chapel, {ITS_OWN}",
    ("Laboratory", "Silver"): f"The playouts do not separate it from Silver, {ITS_OWN}",
    ("Laboratory", "Laboratory"): f"The playouts do not separate it from Silver or nothing more. It is {ITS_OWN}",
    ("Chapel", "Chapel"): "The playouts and the network agree.",
}


@pytest.mark.parametrize("case", REASONS)
def test_one_choice_is_recommended_with_its_reason(case):
    each = {name: chance(name, percent, 2000) for name, percent in RECOMMENDED.items()}
    best, network = (each[name] for name in case)
    found = WinChances(ranks([*each.values()]), best, network, (*each.values(),), 4)

    assert found.recommendation == f"Best choice: {case[0]}. {REASONS[case]}"
    assert found.recommendation in about_chances(found, 200)
    assert replace(found, of_network=chance("Chapel", 50, 20)).recommendation == ""


def test_the_network_at_the_table_gives_no_second_recommendation(monkeypatch):
    monkeypatch.setattr(hint, "usable_weights", network)
    match = match_from(f"P1: hand 5 Copper; {OTHER}", "network", kingdom=KINGDOM)
    own = network_strategy(network(KINGDOM), KINGDOM)
    players = (
        SimpleNamespace(name="network", strategy=own),
        SimpleNamespace(name="random", strategy=baseline("random", KINGDOM)),
    )

    assert [one.name for one in hints(match.game, players)] == ["random"]


def of(chances):
    by_rank = ranks(chances)
    return WinChances(by_rank, by_rank[0][0], by_rank[0][0], tuple(chances), len(chances))


def chance(name, percent, n=140):
    return hint._chance(name, SimpleNamespace(value=percent / 100, visits=n))
