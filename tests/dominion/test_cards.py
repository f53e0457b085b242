"""The kingdom cards of the First Game, ruling by ruling."""

import pytest

from evodom.dominion.cards import CARDS, find_card
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.position import parse_position
from evodom.errors import IllegalChoice, UsageError
from tests.dominion.helpers import (
    after,
    answers,
    asked,
    deck_size,
    discard,
    hand,
    supply,
    told,
    trash,
    turn,
)

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize(
    ("name", "cost", "coins", "vp"),
    [
        ("Copper", 0, 1, 0),
        ("Silver", 3, 2, 0),
        ("Gold", 6, 3, 0),
        ("Estate", 2, 0, 1),
        ("Duchy", 5, 0, 3),
        ("Province", 8, 0, 6),
        ("Curse", 0, 0, -1),
    ],
)
def test_basic_cards_cost_give_and_score_what_is_printed(name, cost, coins, vp):
    card = CARDS[name]

    assert (card.cost, card.coins, card.vp) == (cost, coins, vp)


def test_first_game_costs_are_as_printed():
    costs = {name: CARDS[name].cost for name in FIRST_GAME.cards}

    assert costs == {
        "Cellar": 2, "Moat": 2, "Merchant": 3, "Village": 3, "Workshop": 3,
        "Militia": 4, "Remodel": 4, "Smithy": 4, "Market": 5, "Mine": 5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "type_line"),
    [
        ("Cellar", "Action"),
        ("Militia", "Action - Attack"),
        ("Moat", "Action - Reaction"),
        ("Gold", "Treasure"),
        ("Curse", "Curse"),
    ],
)
def test_types_are_as_printed(name, type_line):
    assert CARDS[name].type_line == type_line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Cellar", "+1 Action. Discard any number of cards. Then draw that many."),
        (
            "Moat",
            "+2 Cards. When another player plays an Attack, you may first reveal this from your hand: that Attack then "
            "does nothing to you.",
        ),
        (
            "Bureaucrat",
            "Gain a Silver onto your deck. Each other player reveals a Victory card from their hand and puts it onto "
            "their deck, or reveals a hand without one.",
        ),
        (
            "Spy",
            "+1 Card. +1 Action. Each player, you too, reveals the top card of their deck and discards it or puts it "
            "back, as you choose.",
        ),
        (
            "Thief",
            "Each other player reveals the top 2 cards of their deck, trashes a revealed Treasure of your choice, "
            "which you may gain, and discards the rest.",
        ),
        ("Council Room", "+4 Cards. +1 Buy. Each other player draws a card."),
        (
            "Mine",
            "You may trash a Treasure from your hand. Gain a Treasure to your hand costing up to $3 more than it.",
        ),
        ("Witch", "+2 Cards. Each other player gains a Curse."),
        ("Artisan", "Gain a card to your hand costing up to $5. Put a card from your hand onto your deck."),
    ],
)
def test_texts_are_sentences_made_of_the_effects(name, text):
    assert CARDS[name].text == text


def test_an_unknown_card_is_refused_with_the_nearest_name():
    with pytest.raises(UsageError, match="Did you mean Militia"):
        find_card("Milita")


# Cellar


def test_cellar_gives_an_action_and_draws_as_many_as_were_discarded():
    game = after("P1: hand Cellar, 2 Estate, Silver; top Gold, Province; deck Copper", "Cellar")
    game.enact("Estate").enact("Estate").enact("pass")

    assert hand(game) == "Silver, Gold, Province"
    assert discard(game) == "2 Estate"
    assert turn(game) == (1, 1, 0)


def test_cellar_may_discard_nothing():
    game = after("P1: hand Cellar, 2 Estate; deck 3 Gold", "Cellar", "pass")

    assert hand(game) == "2 Estate"
    assert deck_size(game) == 3


def test_cellar_discards_all_before_it_draws():
    game = after("P1: hand Cellar, 2 Estate; deck 3 Gold", "Cellar", "Estate")

    assert hand(game) == "Estate"
    assert asked(game) == (1, "Cellar")


def test_cellar_can_draw_again_what_it_discarded():
    game = after("P1: hand Cellar, 2 Estate, Copper", "Cellar", "Estate", "Estate", "pass")

    assert hand(game) == "Copper, 2 Estate"
    assert discard(game) == ""


def test_cellar_cannot_discard_itself():
    game = after("P1: hand Cellar, Estate; deck 3 Gold", "Cellar")

    assert answers(game) == ["Estate", "pass"]


def test_cellar_can_discard_another_cellar():
    game = after("P1: hand 2 Cellar; top Gold", "Cellar", "Cellar")

    assert hand(game) == "Gold"
    assert discard(game) == "Cellar"


def test_cellar_with_an_empty_hand_asks_nothing():
    game = after("P1: hand Cellar; deck 3 Gold", "Cellar")

    assert asked(game) == (1, "Buy")
    assert deck_size(game) == 3


def test_second_cellar_counts_only_its_own_discards():
    game = after("P1: hand 2 Cellar, 3 Estate; deck 10 Curse", "Cellar", "Estate", "Estate", "pass")
    game.enact("Cellar").enact("Estate").enact("pass")

    assert hand(game) == "3 Curse"


def test_second_cellar_that_discards_nothing_draws_nothing():
    game = after("P1: hand 2 Cellar, 3 Estate; deck 10 Curse", "Cellar", "Estate", "Estate", "pass", "Cellar", "pass")

    assert hand(game) == "Estate, 2 Curse"


# Market, Village, Smithy, Moat as an Action


def test_market_gives_a_card_an_action_a_buy_and_a_coin():
    game = after("P1: hand Market; top Estate; deck Gold", "Market")

    assert hand(game) == "Estate"
    assert turn(game) == (1, 2, 1)


def test_village_gives_a_card_and_two_actions():
    game = after("P1: hand Village; top Estate; deck Gold", "Village")

    assert hand(game) == "Estate"
    assert turn(game) == (2, 1, 0)


def test_smithy_draws_three_cards():
    game = after("P1: hand Smithy, Copper; top Gold, Gold, Estate; deck 2 Curse", "Smithy")

    assert hand(game) == "Copper, 2 Gold, Estate"
    assert turn(game) == (0, 1, 0)


def test_moat_draws_two_cards():
    game = after("P1: hand Moat; top Gold, Estate; deck 2 Curse", "Moat")

    assert hand(game) == "Gold, Estate"
    assert turn(game) == (0, 1, 0)


def test_a_drawn_action_can_be_played_at_once():
    game = after("P1: hand Village; top Smithy; deck 9 Copper", "Village", "Smithy")

    assert hand(game) == "3 Copper"
    assert turn(game) == (1, 1, 0)


# Merchant


def test_merchant_gives_a_card_and_an_action():
    game = after("P1: hand Merchant; top Estate; deck Gold", "Merchant")

    assert hand(game) == "Estate"
    assert turn(game) == (1, 1, 0)


def test_merchant_adds_a_coin_to_the_first_silver():
    game = after("P1: hand Merchant, Silver", "Merchant", "Silver")

    assert turn(game)[2] == 3


def test_merchant_adds_nothing_to_the_second_silver():
    game = after("P1: hand Merchant, 2 Silver", "Merchant", "Silver", "Silver")

    assert turn(game)[2] == 5


def test_merchant_adds_nothing_to_copper_and_gold():
    game = after("P1: hand Merchant, Copper, Gold", "Merchant", "Copper", "Gold")

    assert turn(game)[2] == 4


def test_merchant_adds_nothing_for_a_silver_held_back():
    game = after("P1: hand Merchant, Copper, Silver", "Merchant", "Copper", "pass")

    assert turn(game)[2] == 1


def test_merchant_pays_with_a_silver_played_after_other_treasures():
    game = after("P1: hand Merchant, Copper, Silver", "Merchant", "Copper", "Silver")

    assert turn(game)[2] == 4


def test_two_merchants_add_two_coins_to_the_first_silver():
    game = after("P1: hand 2 Merchant, 2 Silver", "Merchant", "Merchant", "Silver")

    assert turn(game)[2] == 4


def test_merchant_is_forgotten_on_the_next_turn():
    game = after("P1: hand Merchant; top 5 Silver", "Merchant", "pass", "pass")
    while asked(game) != (1, "Treasures"):
        game.enact("pass")

    assert turn(game.enact("Silver"))[2] == 2


def test_merchant_bonus_comes_with_treasures_played_automatically():
    game = after("P1: hand 2 Merchant, 2 Silver, Gold", "Merchant", "Merchant")
    game.play_treasures_automatically(0)

    assert turn(game)[2] == 4 + 3 + 2


# Militia


def test_militia_gives_two_coins():
    game = after("P1: hand Militia | P2: hand 3 Copper", "Militia")

    assert turn(game) == (0, 1, 2)


def test_militia_victims_choose_what_they_discard_down_to_three():
    game = after("P1: hand Militia | P2: hand Copper, Silver, Gold, Estate, Curse", "Militia", "Curse", "Copper")

    assert hand(game, 2) == "Silver, Gold, Estate"
    assert discard(game, 2) == "Copper, Curse"


def test_militia_takes_three_cards_from_a_hand_of_six():
    game = after("P1: hand Militia | P2: hand Copper, Silver, Gold, Estate, Province, Curse", "Militia")
    game.enact("Estate").enact("Province").enact("Curse")

    assert hand(game, 2) == "Copper, Silver, Gold"
    assert asked(game) == (1, "Buy")


def test_militia_victims_with_three_cards_discard_nothing():
    game = after("P1: hand Militia | P2: hand 2 Copper, Gold", "Militia")

    assert hand(game, 2) == "2 Copper, Gold"


def test_militia_victims_with_two_cards_discard_nothing():
    game = after("P1: hand Militia | P2: hand Copper, Gold", "Militia")

    assert hand(game, 2) == "Copper, Gold"


def test_militia_discard_is_mandatory():
    game = after("P1: hand Militia | P2: hand 4 Copper, Gold", "Militia")

    with pytest.raises(IllegalChoice):
        game.enact("pass")


def test_second_militia_takes_nothing_more():
    game = after("P1: hand Village, 2 Militia | P2: hand 4 Copper, Gold", "Village", "Militia", "Gold", "Militia")

    assert hand(game, 2) == "3 Copper"
    assert turn(game) == (0, 1, 4)


def test_militia_asks_the_others_in_turn_order_and_never_the_attacker():
    position = "P1: hand 3 Copper, 2 Gold | P2: hand Militia, 4 Copper, Estate | P3: hand 4 Copper, Gold"
    game = after(position + " | turn: P2", "Militia")

    seats = []
    while asked(game)[1] == "Militia":
        seats.append(asked(game)[0])
        game.enact("Copper")

    assert seats == [3, 3, 1, 1]
    assert hand(game, 2) == "4 Copper, Estate"


def test_militia_with_nobody_else_gives_two_coins_only():
    game = after("P1: hand Militia, Estate", "Militia")

    assert turn(game) == (0, 1, 2)


# Moat as a Reaction


def test_revealed_moat_spares_its_owner_and_stays_in_hand():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", "Moat")

    assert hand(game, 2) == "4 Copper, Moat"
    assert turn(game) == (0, 1, 2)


def test_moat_may_stay_hidden():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", "pass", "Moat", "Copper")

    assert hand(game, 2) == "3 Copper"


def test_moat_is_asked_for_before_the_attack_resolves():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia")

    assert asked(game) == (2, "Militia")
    assert answers(game) == ["Moat", "pass"]
    assert turn(game)[2] == 0


def test_moat_spares_nobody_else():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper | P3: hand 3 Gold, 2 Estate", "Militia", "Moat")
    game.enact("Estate").enact("Estate")

    assert hand(game, 3) == "3 Gold"


def test_each_holder_of_a_moat_decides_for_themselves():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper | P3: hand Moat, 4 Copper", "Militia", "pass", "Moat")
    game.enact("Copper").enact("Copper")

    assert hand(game, 2) == "2 Copper, Moat"
    assert hand(game, 3) == "4 Copper, Moat"


def test_moat_may_be_revealed_against_every_attack():
    game = after("P1: hand Village, 2 Militia | P2: hand Moat, 4 Copper", "Village", "Militia", "Moat", "Militia")

    assert answers(game) == ["Moat", "pass"]


def test_moat_revealed_once_does_not_stop_the_next_attack():
    game = after("P1: hand Village, 2 Militia | P2: hand Moat, 4 Gold", "Village", "Militia", "Moat", "Militia", "pass")
    game.enact("Gold").enact("Gold")

    assert hand(game, 2) == "2 Gold, Moat"


def test_moat_in_the_attackers_hand_is_not_asked_for():
    game = after("P1: hand Militia, Moat | P2: hand 3 Copper", "Militia")

    assert asked(game) == (1, "Buy")


def test_moat_is_not_asked_for_when_no_attack_is_played():
    game = after("P1: hand Smithy; deck 5 Estate | P2: hand Moat, 4 Copper", "Smithy")

    assert asked(game) == (1, "Buy")


def test_revealing_a_moat_is_told():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", "Moat")

    assert "P2 reveals Moat" in told(game)


# Mine


def test_mine_gains_a_treasure_to_hand_that_can_be_played_this_turn():
    game = after("P1: hand Mine, Copper", "Mine", "Copper", "Silver")

    assert hand(game) == "Silver"
    assert (trash(game), discard(game)) == ("Copper", "")
    assert turn(game.enact("Silver"))[2] == 2


def test_mine_offers_treasures_costing_up_to_three_more():
    game = after("P1: hand Mine, Copper", "Mine", "Copper")

    assert answers(game) == ["Copper", "Silver"]


def test_mine_may_gain_the_same_or_a_cheaper_treasure():
    game = after("P1: hand Mine, Silver", "Mine", "Silver")

    assert answers(game) == ["Copper", "Silver", "Gold"]


def test_mine_may_trash_nothing():
    game = after("P1: hand Mine, Copper", "Mine", "pass")

    assert (hand(game), trash(game)) == ("Copper", "")
    assert asked(game) == (1, "Treasures")


def test_mine_trashes_treasures_only():
    game = after("P1: hand Mine, Copper, Gold, Estate, Smithy", "Mine")

    assert answers(game) == ["Copper", "Gold", "pass"]


def test_mine_without_a_treasure_does_nothing():
    game = after("P1: hand Mine, Estate", "Mine")

    assert (hand(game), trash(game)) == ("Estate", "")
    assert asked(game) == (1, "Buy")


def test_mine_must_gain_once_it_has_trashed():
    game = after("P1: hand Mine, Gold", "Mine", "Gold")

    with pytest.raises(IllegalChoice):
        game.enact("pass")


def test_mine_gains_nothing_when_no_treasure_is_left_to_gain():
    game = after("P1: hand Mine, Copper | supply: 0 Copper, 0 Silver", "Mine", "Copper")

    assert (hand(game), trash(game)) == ("", "Copper")


# Remodel


def test_remodel_trashes_a_card_and_gains_one_costing_up_to_two_more():
    game = after("P1: hand Remodel, Gold, Estate", "Remodel", "Gold", "Province")

    assert (hand(game), trash(game), discard(game)) == ("Estate", "Gold", "Province")
    assert supply(game, "Province") == 11


def test_remodel_offers_all_up_to_two_more():
    game = after("P1: hand Remodel, Estate, Copper", "Remodel", "Estate")

    assert answers(game) == [
        "Copper", "Silver", "Estate", "Curse", "Cellar", "Moat", "Merchant", "Village", "Workshop",
        "Militia", "Remodel", "Smithy",
    ]  # fmt: skip


def test_remodel_of_copper_offers_nothing_above_two():
    game = after("P1: hand Remodel, Estate, Copper", "Remodel", "Copper")

    assert answers(game) == ["Copper", "Estate", "Curse", "Cellar", "Moat"]


def test_remodel_must_trash():
    game = after("P1: hand Remodel, Gold, Estate", "Remodel")

    assert answers(game) == ["Gold", "Estate"]


def test_remodel_must_gain():
    game = after("P1: hand Remodel, Gold, Estate", "Remodel", "Gold")

    assert "pass" not in answers(game)


def test_remodel_cannot_trash_itself():
    game = after("P1: hand Remodel, Gold, Estate", "Remodel")

    assert "Remodel" not in answers(game)


def test_remodel_with_an_empty_hand_does_nothing():
    game = after("P1: hand Remodel", "Remodel")

    assert (trash(game), discard(game)) == ("", "")
    assert asked(game) == (1, "Buy")


def test_remodel_may_gain_a_copy_of_what_it_trashed():
    game = after("P1: hand Remodel, Province, Copper", "Remodel", "Province", "Province")

    assert (trash(game), discard(game)) == ("Province", "Province")


def test_remodel_can_trash_another_remodel():
    game = after("P1: hand 2 Remodel, Copper", "Remodel", "Remodel", "Gold")

    assert (hand(game), trash(game), discard(game)) == ("Copper", "Remodel", "Gold")


def test_remodel_gains_nothing_when_all_piles_in_reach_are_empty():
    empty = "supply: 0 Copper, 0 Curse, 0 Estate, 0 Cellar, 0 Moat"
    game = after("P1: hand Remodel, Copper | " + empty, "Remodel")

    assert (trash(game), discard(game)) == ("Copper", "")


def test_second_remodel_does_not_remember_the_first():
    game = after("P1: hand Village, 2 Remodel, Gold", "Village", "Remodel", "Gold", "Province", "Remodel")

    assert (trash(game), discard(game)) == ("Gold", "Province")


# Workshop


def test_workshop_offers_all_up_to_four():
    game = after("P1: hand Workshop", "Workshop")

    assert answers(game) == [
        "Copper", "Silver", "Estate", "Curse", "Cellar", "Moat", "Merchant", "Village", "Workshop",
        "Militia", "Remodel", "Smithy",
    ]  # fmt: skip


def test_workshop_gains_to_the_discard_pile():
    game = after("P1: hand Workshop", "Workshop", "Smithy")

    assert (discard(game), supply(game, "Smithy")) == ("Smithy", 9)
    assert game.owned(0)["Smithy"] == 1


def test_coins_do_not_raise_the_limit_of_workshop():
    game = after("P1: hand Workshop | turn: P1, 1 action, 1 buy, 9 coins", "Workshop")

    assert "Market" not in answers(game)


ALL_UP_TO_FOUR_BUT_TWO = (
    "0 Silver, 0 Estate, 0 Cellar, 0 Moat, 0 Merchant, 0 Village, 0 Workshop, 0 Militia, 0 Remodel, 0 Smithy"
)


def test_workshop_may_be_forced_to_take_copper_or_curse():
    game = after(f"P1: hand Workshop | supply: {ALL_UP_TO_FOUR_BUT_TWO}", "Workshop")

    assert answers(game) == ["Copper", "Curse"]


def test_workshop_takes_the_only_card_in_reach_unasked():
    game = after(f"P1: hand Workshop | supply: {ALL_UP_TO_FOUR_BUT_TWO}, 0 Copper", "Workshop")

    assert discard(game) == "Curse"


def test_workshop_gains_nothing_when_nothing_is_in_reach():
    game = after(f"P1: hand Workshop | supply: {ALL_UP_TO_FOUR_BUT_TWO}, 0 Copper, 0 Curse", "Workshop")

    assert game.owned(0) == {"Workshop": 1}


# Choices


def test_a_choice_from_an_empty_pile_is_refused():
    game = parse_position("P1: hand Workshop, Estate | supply: 0 Smithy").enact("Workshop")

    with pytest.raises(IllegalChoice, match="Allowed: Copper"):
        game.enact("Smithy")
