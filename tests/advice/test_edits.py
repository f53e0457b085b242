"""Lists without what hardly matters."""

from evodom.advice.ablation import LISTED_GAMES, plays_alike, simplified
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.buy_lists.rules import BuyList, decode, format_rule
from evodom.dominion.strategies.files import parse_strategy


def simple(strategy, venue):
    return simplified(strategy, FIRST_GAME, plays_alike(venue, strategy, (baseline("big-money", FIRST_GAME),)))


def test_rules_and_conditions_that_never_decide_are_left_out(venue_in):
    clumsy = BuyList(
        (
            "Province if turn_number > 1",
            "Market if turn_number > 90",
            "Gold",
            "Gold if total_money > 20",
            "Smithy if count_in_deck(Smithy) < 1 and empty_piles < 9",
            "Silver if count_in_deck(Silver) < 40",
            "Copper if count_in_supply(Copper) == 0",
        )
    )

    found = simple(buy_list_strategy(clumsy, FIRST_GAME), venue_in(FIRST_GAME))

    rules = [format_rule(rule) for rule in decode(found, FIRST_GAME)]
    assert rules == ["Province", "Gold", "Smithy if count_in_deck(Smithy) < 1", "Silver"]


def test_what_matters_stays(venue_in):
    strategy = baseline("big-money-smithy", FIRST_GAME)

    assert decode(simple(strategy, venue_in(FIRST_GAME)), FIRST_GAME) == decode(strategy, FIRST_GAME)


def test_preferences_lose_cards_and_limits_that_never_decide(venue_in):
    text = (
        'model = "preferences"\nswitch = 99\n[early]\nProvince = 1e6\nGold = 1e4\nSilver = 100\n[late]\nMoat = 1\n'
        "[limits]\nSilver = 50\nGold = 2"
    )
    strategy = parse_strategy(text).record(FIRST_GAME)

    found = simple(strategy, venue_in(FIRST_GAME))

    assert (found.limits[:7] < 99).tolist() == [False, False, True, False, False, False, False]
    assert (found.weights[1] == found.weights[0]).all()
    assert LISTED_GAMES >= 100


def test_cards_that_are_never_bought_leave_the_sums_of_conditions(venue_in):
    rules = ("Province", "Gold", "Smithy if count_in_deck(Smithy) + count_in_deck(Moat) < 2", "Silver")

    found = simple(buy_list_strategy(BuyList(rules), FIRST_GAME), venue_in(FIRST_GAME))

    assert format_rule(decode(found, FIRST_GAME)[2]) == "Smithy if count_in_deck(Smithy) < 2"
