"""Figures of advice: the course of a list's games, and the reasons why a user's strategy loses."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from evodom.advice.figures import N_CHANGES, LossReasons, course_of, loss_reasons
from evodom.advice.sample import BuyDifference, first_difference, player_names, sample_of_plan
from evodom.advice.stages import STAGES
from evodom.budget import Budget
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.edits import lists_by_cost
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.language import format_rule
from evodom.matches.agents import Entrant
from evodom.presentation.documents.advice import _reasons
from tests.advice.conftest import WITCH_KINGDOM

MONEY = baseline("big-money", FIRST_GAME)
WITHOUT_GOLD = buy_list_strategy(BuyList(("Duchy", "Province", "Silver")), FIRST_GAME)


def entrant(record):
    return Entrant("mine", ("file", "mine"), record)


@pytest.mark.parametrize("rule", ["Outpost if count_in_deck(Outpost) < 2", "Outpost if turn_number > 3", "Outpost"])
def test_an_outpost_turn_of_the_sample_game_has_its_own_buys(venue_in, rule):
    kingdom = parse_kingdom("Outpost", seed=1)
    plan = buy_list_strategy(BuyList((rule, "Province", "Gold", "Silver")), kingdom)

    turns = sample_of_plan(venue_in(kingdom), plan, baseline("big-money", kingdom)).turns

    assert any(turn.is_extra for turn in turns)
    assert [turn.number for turn in turns if not turn.is_extra] == list(range(1, turns[-1].number + 1))
    assert all(before.number == turn.number for before, turn in pairwise(turns) if turn.is_extra)
    for turn in turns:
        assert len(turn.lines) == ("buys nothing" not in turn.text and "buys" in turn.text), turn.text


def test_an_outpost_turn_is_the_first_difference():
    one = LossReasons("mine.toml", BuyDifference(5, True, 3, "Silver", "pass"), None)

    (fact,) = _reasons(SimpleNamespace(reasons=(one,), list_against_network=None))
    assert fact.rows["Yours"].startswith("Sample game, turn 5 (extra), $3: the list buys Silver")


def test_the_first_difference_is_the_first_other_buy_in_the_position_of_the_plan(venue_in):
    assert first_difference(venue_in(FIRST_GAME), MONEY, MONEY, MONEY) is None
    found = first_difference(venue_in(FIRST_GAME), MONEY, MONEY, WITHOUT_GOLD)
    assert isinstance(found, BuyDifference)
    assert found.coins >= 5
    assert {found.of_plan, found.of_other} in ({"Silver", "Duchy"}, {"Gold", "Duchy"})


def test_the_changes_that_gain_most_repair_a_list_of_known_faults(venue_in):
    venue = venue_in(FIRST_GAME)

    found = loss_reasons(venue, entrant(WITHOUT_GOLD), MONEY, MONEY, 1000)

    assert found == loss_reasons(replace(venue, workers=None), entrant(WITHOUT_GOLD), MONEY, MONEY, 1000)
    assert 1 <= len(found.gains) <= N_CHANGES
    assert any('"Duchy' in words for words in found.gains)
    values = [gain.value for gain in found.gains.values()]
    assert values == sorted(values, reverse=True)
    assert all(0 < gain.low < gain.value < gain.high for gain in found.gains.values())


def test_without_time_or_without_rules_there_are_still_reasons(venue_in):
    venue = venue_in(FIRST_GAME).within(Budget.starting_now(0.0))

    assert loss_reasons(venue, entrant(WITHOUT_GOLD), MONEY, MONEY, 1000).difference
    assert loss_reasons(venue, entrant(baseline("random", FIRST_GAME)), MONEY, MONEY, 100).gains is None


@pytest.mark.parametrize(
    ("n_seats", "names"),
    [(2, ("the list", "the opponent")), (4, ("the list", "opponent 1", "opponent 2", "opponent 3"))],
)
def test_only_several_opponents_of_a_sample_game_have_numbers(n_seats, names):
    assert player_names(n_seats) == names


STAGE = STAGES.planned(1600, 0)


def buys(*rules):
    return buy_list_strategy(BuyList(rules), FIRST_GAME)


@pytest.mark.parametrize(
    ("rules", "end", "piles"),
    [
        (("Province", "Gold", "Silver"), "provinces", ()),
        (("Moat", "Cellar", "Estate"), "empty_piles", ("Moat", "Cellar", "Estate")),
        (("Village", "Workshop", "Moat", "Cellar"), "empty_piles", ("Village", "Workshop", "Moat")),
    ],
)
def test_games_end_with_provinces_or_with_these_empty_piles(venue_in, rules, end, piles):
    plan = buys(*rules)

    course = course_of(venue_in(FIRST_GAME), plan, plan, STAGE)

    assert course.games.ended[end] > 0.9
    assert set(course.piles) >= set(piles)
    assert bool(course.piles) == bool(piles)


def test_a_line_out_of_the_order_of_costs_is_one_that_wins_there(venue_in):
    venue, money = venue_in(), baseline("big-money", WITCH_KINGDOM)
    witches = BuyList(("Province", "Witch if count_in_deck(Witch) < 2", "Gold", "Silver"))

    assert course_of(venue, money, money, STAGE).unexpected is None
    found = course_of(venue, buy_list_strategy(witches, WITCH_KINGDOM), money, STAGE).unexpected
    assert (found.card, found.before) == ("Witch", "Gold")
    assert found.wins.high < 0.48


def test_a_line_moves_below_all_cards_that_cost_more_except_late_victory_cards():
    kingdom = parse_kingdom("Smithy,Moat,Gardens", seed=1)
    strategy = buy_list_strategy(BuyList(("Smithy", "Province", "Moat", "Duchy", "Gardens", "Gold", "Silver")), kingdom)
    found = lists_by_cost(strategy, kingdom)
    changes = {(card, other): [format_rule(rule) for rule in decode(one, kingdom)] for card, other, one in found}

    assert changes == {
        ("Smithy", "Province"): ["Province", "Moat", "Duchy", "Gardens", "Gold", "Smithy", "Silver"],
        ("Moat", "Gold"): ["Smithy", "Province", "Duchy", "Gardens", "Gold", "Silver", "Moat"],
        ("Gardens", "Gold"): ["Smithy", "Province", "Moat", "Duchy", "Gold", "Gardens", "Silver"],
    }
