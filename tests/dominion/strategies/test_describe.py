"""Descriptions of strategies in words."""

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import BuyOrder, describe_buys
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.models.buy_lists.model import rule_in_words
from evodom.dominion.strategies.registry import model_of


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("Gold", "Gold"),
        ("Smithy if count_in_deck(Smithy) < 2", "2 Smithy"),
        ("Smithy if count_in_deck(Smithy) <= 2", "3 Smithy"),
        ("Smithy if count_in_deck(Smithy) < 5 and count_in_deck(Smithy) < 2", "2 Smithy"),
        ("Duchy if gains_to_end <= 5", "Duchy once 5 more cards can end the game"),
        ("Duchy if gains_to_end < 2", "Duchy once 1 more card can end the game"),
        ("Duchy if count_in_supply(Province) <= 4", "Duchy once 4 Provinces are left"),
        ("Estate if count_in_supply(Province) <= 1", "Estate once 1 Province is left"),
        ("Estate if count_in_supply(Duchy) < 3", "Estate once 2 Duchies are left"),
        ("Province if total_money > 15", "Province once the deck has $16"),
        ("Province if count_in_deck(Gold) > 0", "Province once owning 1 Gold"),
        ("Duchy if count_in_play(Hoard) > 0", "Duchy with 1 Hoard in play"),
        ("Duchy if vp_tokens >= 8", "Duchy once having 8 VP tokens"),
        ("Duchy if coins > 4 and buys >= 2", "Duchy, with $5, with 2 Buys left"),
        ("Duchy if opponent_vp > 9", "Duchy once an opponent has 10 VP"),
        ("Copper if available_money < 5", "Copper while the deck without mats has at most $4"),
        ("Village if terminals >= 2", "Village once owning 2 terminal Actions"),
        ("Chapel if count_in_deck(Chapel) < 1 and turn_number <= 2", "1 Chapel until turn 2"),
        ("Militia if turn_number > 2 and turn_number < 9", "Militia, from turn 3, until turn 8"),
        ("Smithy if count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11", "Smithy one for every 11 Treasures"),
        ("Market if count_in_deck(Smithy) <= count_in_deck(Village)", "Market while no more Smithies than Villages"),
        ("Moat if count_in_deck(Moat) < count_in_deck(Witch)", "Moat while fewer Moats than Witches"),
        ("Estate if count_in_supply(Gardens) == 0", "Estate once all Gardens are gone"),
        ("Estate if count_in_supply(Province) < 1", "Estate once all Provinces are gone"),
        ("Market if turn_number != 3", "Market if turn_number != 3"),
    ],
)
def test_a_rule_in_words(rule, words):
    (parsed,) = parse_rules(rule)
    assert rule_in_words(parsed) == words


def test_a_buy_list_is_one_order():
    wording = describe_buys(baseline("big-money-smithy", FIRST_GAME), FIRST_GAME)

    late = ("Duchy once 4 Provinces are left", "Estate once 2 Provinces are left")
    assert wording.lists == (BuyOrder("", ("Province", *late, "Gold", "2 Smithy", "Silver")),)


PREFERENCES = """
model = "preferences"
switch = 11
province_coins = 15
pass_weights = [0.01, 0.0]
terminals = 2
terminal_per = 8

[early]
Province = 100
Gold = 10
Smithy = 1
Moat = 0.001

[late]
Duchy = 10
Gold = 1

[limits]
Smithy = 1

[max_gains_to_end]
Duchy = 6
"""


def test_preferences_are_an_order_for_each_phase():
    wording = describe_buys(parse_strategy(PREFERENCES).record(FIRST_GAME), FIRST_GAME)

    assert wording.lists == (
        BuyOrder("until turn 11", ("Province once the deck has $16", "Gold", "1 Smithy")),
        BuyOrder("from turn 12", ("Duchy once 6 more cards can end the game", "Gold")),
    )
    assert wording.notes == ("terminal Actions: 2 at a time, one more for each 8 cards, and one more for each Village",)


def test_a_card_that_is_never_bought_is_left_out():
    strategy = parse_strategy(PREFERENCES.replace("Duchy = 6", "Duchy = 0")).record(FIRST_GAME)

    assert describe_buys(strategy, FIRST_GAME).lists[1] == BuyOrder("from turn 12", ("Gold",))
    assert "Duchy once" not in str(model_of(strategy).describe(strategy, FIRST_GAME, {"Duchy", "Gold"}).facts)


def test_the_switch_in_words():
    strategy = parse_strategy(PREFERENCES).record(FIRST_GAME)
    for on, left, until, then in [
        (1, 4, "until 4 Provinces are left", "once 4 Provinces are left"),
        (1, 1, "until 1 Province is left", "once 1 Province is left"),
        (2, 7, "until 7 more cards can end the game", "once 7 more cards can end the game"),
    ]:
        strategy.switch_on, strategy.switch_left = on, left
        assert [each.when for each in describe_buys(strategy, FIRST_GAME).lists] == [until, then]
    equal = parse_strategy('model = "preferences"\n[early]\nGold = 2\nSilver = 1').record(FIRST_GAME)
    assert describe_buys(equal, FIRST_GAME).lists == (BuyOrder("", ("Gold", "Silver")),)
