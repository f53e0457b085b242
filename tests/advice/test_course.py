"""How the games of a list end, and its lines out of the order of costs."""

import pytest

from evodom.advice.figures import course_of
from evodom.advice.stages import STAGES
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.buy_lists.edits import orders_by_cost
from evodom.dominion.strategies.buy_lists.rules import BuyList, decode, format_rule
from tests.advice.conftest import WITCH_KINGDOM

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
    found = orders_by_cost(strategy, kingdom)
    changes = {(card, other): [format_rule(rule) for rule in decode(one, kingdom)] for card, other, one in found}

    assert changes == {
        ("Smithy", "Province"): ["Province", "Moat", "Duchy", "Gardens", "Gold", "Smithy", "Silver"],
        ("Moat", "Gold"): ["Smithy", "Province", "Duchy", "Gardens", "Gold", "Silver", "Moat"],
        ("Gardens", "Gold"): ["Smithy", "Province", "Moat", "Duchy", "Gold", "Gardens", "Silver"],
    }
