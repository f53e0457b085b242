"""Choices among cards, card by card: of a strategy that ranks them, of a simple one, and of a buy list.

What cards are worth is told from best to worst. By default Gold is worth 6, Silver 5, Village 4, Copper 3, Estate 2 and
Curse 1 to own; in hand Estate and Curse are worth nothing. Cards that are not named are worth nothing at all.
"""

from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from tests.dominion.helpers import (
    after,
    asked,
    fits,
    kingdom_of,
    preference,
    the_choice,
    tries,
    weighing,
)

pytestmark = pytest.mark.uncompiled

ORDER = "Gold > Silver > Village > Copper > Estate > Curse"


def weighed(position: str, *before: str, order: str = ORDER, **options) -> str:
    """Return the choice of a strategy that ranks cards, in a position after some choices."""
    kingdom = kingdom_of(position, order)
    return the_choice(after(position, *before, kingdom=kingdom), weighing(order, kingdom=kingdom, **options))


def chosen_in_turn(position: str, *before: str, order: str = ORDER, **options) -> list[str]:
    """Return all choices of a strategy that ranks cards, until it passes or another card asks."""
    kingdom = kingdom_of(position, order)
    game, strategy = after(position, *before, kingdom=kingdom), weighing(order, kingdom=kingdom, **options)
    asks, chosen = asked(game), []
    while not game.is_over and asked(game) == asks and "pass" not in chosen:
        chosen.append(the_choice(game, strategy))
        game.enact(chosen[-1])
    return chosen


# Chapel: what is worth too little, by the phase.


def test_chapel_trashes_the_worst_first_and_nothing_above_the_threshold():
    position = "P1: hand Chapel, Copper, Estate, Curse, Gold"

    assert chosen_in_turn(position, "Chapel", trash=(2, 2)) == ["Curse", "Estate", "pass"]


def test_chapel_trashes_nothing_with_a_threshold_of_none():
    assert weighed("P1: hand Chapel, Copper, Estate, Curse", "Chapel", trash=(0, 0)) == "pass"


@pytest.mark.parametrize("turns", [1, 12])
def test_up_to_the_switch_the_early_threshold_decides(turns):
    position = f"P1: hand Chapel, Copper, Estate, Curse; turns {turns}"

    assert chosen_in_turn(position, "Chapel", trash=(1, 3)) == ["Curse", "pass"]


def test_after_the_switch_the_late_threshold_decides():
    position = "P1: hand Chapel, Copper, Estate, Curse; turns 13"

    assert chosen_in_turn(position, "Chapel", trash=(1, 2)) == ["Curse", "Estate", "pass"]


def test_chapel_trashes_treasures_down_to_the_coin_floor():
    position = "P1: hand Chapel, 3 Copper; deck Copper; discard Silver"

    # 6 coins in the whole deck, wherever they are: two may go.
    assert chosen_in_turn(position, "Chapel", trash=(3, 3), floor=4) == ["Copper", "Copper", "pass"]


def test_the_coin_floor_keeps_no_other_cards():
    position = "P1: hand Chapel, 4 Copper, Estate"
    order = "Gold > Silver > Estate > Copper"

    assert weighed(position, "Chapel", order=order, trash=(2, 2), floor=4) == "Estate"
    assert weighed(position, "Chapel", order=order, trash=(2, 2), floor=3) == "Copper"


def test_other_cards_go_from_a_deck_that_is_below_the_coin_floor_already():
    assert weighed("P1: hand Chapel, 2 Copper, Estate", "Chapel", trash=(3, 3), floor=8) == "Estate"


def test_a_treasure_counts_its_coins_to_the_floor():
    position = "P1: hand Chapel, Silver, 2 Copper"

    assert weighed(position, "Chapel", order="Gold > Copper > Silver", trash=(2, 2), floor=3) == "Copper"
    assert weighed(position, "Chapel", order="Gold > Copper > Silver", trash=(2, 2), floor=2) == "Silver"


def test_coins_of_others_do_not_count_to_the_floor():
    assert weighed("P1: hand Chapel, Copper | P2: hand 9 Gold", "Chapel", trash=(3, 3), floor=1) == "pass"


# What would trash nothing is not played.


@pytest.mark.parametrize(
    ("position", "options"),
    [
        ("P1: hand Chapel, 2 Copper", {"trash": (2, 2)}),
        ("P1: hand Chapel, 2 Copper", {"trash": (3, 3), "floor": 2}),
        ("P1: hand Chapel", {"trash": (3, 3)}),
        ("P1: hand Moneylender, Estate, 2 Gold", {}),
        ("P1: hand Moneylender, Copper; deck 5 Estate", {}),
        ("P1: hand Remodel, Gold", {"wants": {"Gold": 1}}),
        ("P1: hand Remodel", {"wants": {"Gold": 1}}),
        ("P1: hand Mine, Gold", {"wants": {"Gold": 1}}),
        ("P1: hand Mine, Estate", {"wants": {"Gold": 1}}),
        ("P1: hand Mine, Copper | supply: 0 Silver", {"wants": {"Gold": 1}}),
    ],
)
def test_an_action_that_begins_with_trashing_is_not_played_for_nothing(position, options):
    assert weighed(position, **options) == "pass"


@pytest.mark.parametrize(
    ("position", "played", "options"),
    [
        ("P1: hand Chapel, 2 Copper", "Chapel", {"trash": (3, 3)}),
        ("P1: hand Chapel, Copper; turns 13", "Chapel", {"trash": (0, 3)}),
        ("P1: hand Moneylender, Copper; deck 5 Gold", "Moneylender", {}),
        ("P1: hand Remodel, Estate", "Remodel", {"wants": {"Silver": 1}}),
        ("P1: hand Mine, Copper", "Mine", {"wants": {"Silver": 1}}),
    ],
)
def test_it_is_played_when_there_is_something_to_trash(position, played, options):
    assert weighed(position, **options) == played


def test_the_action_played_is_no_card_to_trash_by_itself_another_of_its_kind_is():
    order = "Gold > Copper > Chapel"

    assert weighed("P1: hand Chapel, Copper", order=order, trash=(1, 1)) == "pass"
    assert weighed("P1: hand 2 Chapel, Copper", order=order, trash=(1, 1)) == "Chapel"


def test_another_action_is_played_instead_of_a_pointless_one_that_is_worth_more():
    order = "Chapel > Gold > Militia > Copper"

    assert weighed("P1: hand Chapel, Militia, Copper", order=order, trash=(1, 1), floor=9) == "Militia"


def test_within_a_class_the_action_worth_most_is_played():
    hand_of_actions = "P1: hand Village, Market, Festival"

    assert weighed(hand_of_actions, order="Market > Festival > Village") == "Market"
    assert weighed(hand_of_actions, order="Village > Festival > Market") == "Village"


# Sentry: trash, discard, put back.

SENTRY = "P1: hand Sentry; top Silver, {}; deck {}"
"""Sentry draws the Silver and looks at the two cards after it."""


def test_sentry_trashes_what_is_worth_too_little():
    assert chosen_in_turn(SENTRY.format("Curse, Gold", "3 Copper"), "Sentry", trash=(1, 1))[:2] == ["Curse", "pass"]


def test_sentry_keeps_treasures_to_the_coin_floor():
    position = SENTRY.format("Copper, Gold", "3 Copper")  # worth 9 coins

    assert weighed(position, "Sentry", trash=(3, 3), floor=8) == "Copper"
    assert weighed(position, "Sentry", trash=(3, 3), floor=9) == "pass"


def test_sentry_discards_what_is_worth_less_in_hand_than_a_card_of_the_deck():
    position = SENTRY.format("Estate, Silver", "2 Silver, 2 Copper")  # worth 4 on average

    assert weighed(position, "Sentry", "pass") == "Estate"
    assert weighed(position, "Sentry", "pass", "Estate") == "pass"


def test_sentry_discards_no_card_that_is_worth_as_much_as_a_card_of_the_deck():
    assert weighed(SENTRY.format("Estate, Copper", "3 Estate"), "Sentry", "pass") == "pass"


def test_with_an_empty_deck_the_discard_pile_is_what_comes():
    looked_at = "P1: hand Sentry; top Silver, Copper, Silver; "

    assert weighed(looked_at + "discard 3 Gold", "Sentry", "pass") == "Copper"
    assert weighed(looked_at + "deck Estate; discard 3 Gold", "Sentry", "pass") == "pass"
    assert weighed(looked_at + "discard 3 Estate", "Sentry", "pass") == "pass"


def test_sentry_puts_the_best_card_back_last():
    kept = ("Sentry", "pass", "pass")

    assert weighed(SENTRY.format("Gold, Copper", "3 Copper"), *kept) == "Copper"
    assert weighed(SENTRY.format("Estate, Gold", "3 Copper"), *kept) == "Estate"


# Moneylender: a Copper goes if it is below the average of the deck.


@pytest.mark.parametrize(("deck", "chosen"), [("4 Gold", "Copper"), ("2 Estate, 2 Silver", "pass"), ("Gold", "pass")])
def test_moneylender_trashes_a_copper_worth_less_than_the_average_of_all_cards(deck, chosen):
    """The Moneylender itself is worth 0 here, the Copper 3."""
    assert weighed(f"P1: hand Moneylender, Copper; deck {deck}", "Moneylender") == chosen


def test_moneylender_minds_neither_threshold_nor_coin_floor():
    assert weighed("P1: hand Moneylender, Copper; deck 4 Gold", "Moneylender", trash=(0, 0), floor=12) == "Copper"


# Remodel and Mine: something for something better.


def test_remodel_trashes_the_worst_card_that_allows_what_is_wanted():
    position = "P1: hand Remodel, Estate, Gold, Silver"
    order = "Province > " + ORDER

    assert weighed(position, "Remodel", order=order, wants={"Province": 1}) == "Gold"
    assert weighed(position, "Remodel", order=order, wants={"Silver": 1}) == "Estate"


def test_remodel_gains_what_it_was_trashed_for():
    assert weighed("P1: hand Remodel, Estate, Gold", "Remodel", "Estate", wants={"Silver": 1}) == "Silver"


def test_remodel_never_trades_for_what_is_worth_less_however_much_it_is_wanted():
    order = "Gold > Silver > Duchy > Estate"

    assert weighed("P1: hand Remodel, Gold, Estate", "Remodel", order=order, wants={"Duchy": 1}) == "Estate"


def test_remodel_that_must_trash_without_a_better_trade_trashes_the_worst_and_gains_the_best():
    position = "P1: hand Remodel, Gold, Silver"
    order = "Gold > Silver > Copper"

    assert weighed(position, "Remodel", order=order, wants={"Silver": 1}) == "Silver"
    assert weighed(position, "Remodel", "Silver", order=order, wants={"Province": 1}) == "Silver"


def test_a_trade_that_wins_minds_no_worths():
    position = "P1: hand Remodel, Gold, Estate | P2: hand Duchy | supply: 1 Province"
    order = "Gold > Silver > Estate > Province"

    assert weighed(position, order=order) == "Remodel"
    assert weighed(position, "Remodel", order=order) == "Gold"
    assert weighed(position, "Remodel", "Gold", order=order) == "Province"


def test_remodel_heeds_limits():
    """The Gold can become a Province; for a Silver the Estate would do."""
    position = "P1: hand Remodel, Estate, Gold; deck Silver"
    wants = {"Silver": 0.999, "Province": 0.001}
    order = f"Province > {ORDER}"

    assert weighed(position, "Remodel", order=order, wants=wants, limits={"Silver": 2}) == "Estate"
    assert weighed(position, "Remodel", order=order, wants=wants, limits={"Silver": 1}) == "Gold"
    assert weighed(position, "Remodel", "Gold", order=order, wants=wants, limits={"Silver": 1}) == "Province"


def test_mine_turns_the_worst_treasure_into_the_one_wanted():
    position = "P1: hand Mine, Copper, Silver"

    assert weighed(position, "Mine", wants={"Gold": 1}) == "Silver"
    assert weighed(position, "Mine", wants={"Silver": 1}) == "Copper"


def test_mine_trashes_nothing_for_a_treasure_worth_less():
    assert weighed("P1: hand Mine, Copper, Gold", "Mine", order="Gold > Copper > Silver") == "pass"


# Attacks on Treasures.


def test_the_victim_of_a_bandit_gives_up_the_treasure_worth_less():
    position = "P1: hand Bandit | P2: top Silver, Gold"

    assert weighed(position, "Bandit") == "Silver"
    assert weighed(position, "Bandit", order="Silver > Gold") == "Gold"


THIEF = "P1: hand Thief; deck 4 {} | P2: top Copper, Silver"


def test_thief_trashes_the_best_of_the_other_players_treasures():
    assert weighed(THIEF.format("Copper"), "Thief") == "Silver"


def test_thief_gains_what_is_worth_more_than_the_average_of_its_own_deck():
    assert weighed(THIEF.format("Copper"), "Thief", "Silver") == "Silver"
    assert weighed(THIEF.format("Gold"), "Thief", "Silver", order="Gold > Thief > Silver > Copper") == "pass"


# Onto the deck.


def test_harbinger_takes_the_best_card_of_the_discard_pile():
    assert weighed("P1: hand Harbinger; top Estate; deck 3 Copper; discard Silver, Gold, Estate", "Harbinger") == "Gold"


def test_harbinger_takes_nothing_that_is_worth_no_more_in_hand_than_a_card_of_the_deck():
    position = "P1: hand Harbinger; top Estate; deck 3 Silver; discard {}"

    assert weighed(position.format("Copper, Silver"), "Harbinger") == "pass"
    assert weighed(position.format("Province"), "Harbinger", order=f"Province > {ORDER}") == "pass"


def test_harbinger_goes_by_what_cards_are_worth_in_hand():
    position = "P1: hand Harbinger; top Estate; deck 3 Copper; discard Province, Silver"

    assert weighed(position, "Harbinger", order=f"Province > {ORDER}") == "Silver"


ARTISAN = ("Artisan", "Silver")


def test_artisan_puts_back_the_best_action_that_cannot_be_played_any_more():
    position = "P1: hand Artisan, Village, Smithy, Estate"

    assert weighed(position, *ARTISAN, order="Smithy > Village > Silver > Estate") == "Smithy"
    assert weighed(position, *ARTISAN, order="Village > Smithy > Silver > Estate") == "Village"


def test_artisan_puts_back_what_is_worth_least_in_hand_while_an_action_is_left():
    position = "P1: hand Artisan, Village, Estate | turn: P1, 2 actions"

    assert weighed(position, *ARTISAN) == "Estate"


def test_artisan_without_an_action_in_hand_puts_back_what_is_worth_least_in_hand():
    assert weighed("P1: hand Artisan, Copper, Gold", *ARTISAN) == "Copper"


def test_of_cards_worth_nothing_in_hand_the_one_worth_least_to_own_goes():
    assert weighed("P1: hand Artisan, Curse, Estate", *ARTISAN) == "Curse"


def test_the_victim_of_a_bureaucrat_puts_back_the_victory_card_worth_least_to_own():
    position = "P1: hand Bureaucrat | P2: hand Estate, Province, 3 Copper"

    assert weighed(position, "Bureaucrat", order=f"Province > {ORDER}") == "Estate"
    assert weighed(position, "Bureaucrat", order=f"{ORDER} > Province") == "Province"


# Discards.


def test_cellar_discards_worst_first_what_is_worth_less_in_hand_than_a_card_of_the_deck():
    position = "P1: hand Cellar, Curse, Estate, Copper, Silver; deck 4 Village"

    assert chosen_in_turn(position, "Cellar") == ["Curse", "Estate", "Copper", "pass"]


def test_cellar_keeps_an_action_that_can_be_played():
    position = "P1: hand Cellar, Village, Estate; deck 4 Copper"

    assert chosen_in_turn(position, "Cellar") == ["Estate", "pass"]


def test_cellar_looks_at_the_discard_pile_when_the_deck_is_empty():
    assert weighed("P1: hand Cellar, Copper, Gold; discard 2 Gold", "Cellar") == "Copper"
    assert weighed("P1: hand Cellar, Copper, Gold; discard 2 Estate", "Cellar") == "pass"


def test_cellar_of_the_original_discards_victory_cards_only():
    position = "P1: hand Cellar, Curse, Copper, Estate; deck 4 Gold"

    assert chosen_in_turn(position, "Cellar", cellar_victory_only=1) == ["Estate", "pass"]


def test_poacher_discards_what_is_worth_least_in_hand():
    position = "P1: hand Poacher, Gold, Village, Copper; top Silver | supply: 0 Moat"

    assert weighed(position, "Poacher") == "Copper"
    assert weighed(position.replace("Copper", "Estate"), "Poacher") == "Estate"


def test_militia_takes_the_worst_in_hand_and_a_victims_actions_count():
    """The attacker has no Action left; that is not the victim's turn."""
    position = "P1: hand Militia | P2: hand Village, Estate, Copper, Silver, Gold"

    assert chosen_in_turn(position, "Militia") == ["Estate", "Copper"]


# Actions that play others, and what is set aside.


def test_throne_room_plays_the_action_worth_most_twice():
    position = "P1: hand Throne Room, Village, Smithy"

    assert weighed(position, "Throne Room", order="Smithy > Village") == "Smithy"
    assert weighed(position, "Throne Room", order="Village > Smithy") == "Village"


def test_throne_room_plays_its_only_action_though_it_is_to_be_trashed():
    order = "Gold > Copper > Village"

    assert weighed("P1: hand Throne Room, Village", "Throne Room", order=order, trash=(1, 1)) == "Village"


def test_vassal_plays_the_action_it_discards():
    assert weighed("P1: hand Vassal; top Village; deck Copper", "Vassal") == "Village"


def test_vassal_does_not_play_an_action_that_is_to_be_trashed():
    order = "Gold > Copper > Village"
    early, late = (f"P1: hand Vassal; top Village; deck Copper; turns {turns}" for turns in (12, 13))

    assert weighed(early, "Vassal", order=order, trash=(1, 0)) == "pass"
    assert weighed(late, "Vassal", order=order, trash=(1, 0)) == "Village"


LIBRARY = "P1: hand Library; top Village; deck 6 {} | turn: P1, {} actions"


def test_library_sets_aside_an_action_that_cannot_be_played_any_more():
    assert weighed(LIBRARY.format("Copper", 1), "Library") == "Village"


def test_library_keeps_an_action_that_can_be_played_and_is_worth_a_card_of_the_deck():
    assert weighed(LIBRARY.format("Copper", 2), "Library") == "pass"
    assert weighed(LIBRARY.format("Gold", 2), "Library") == "Village"


def test_library_keeps_an_action_when_nothing_better_can_come():
    assert weighed(LIBRARY.format("Estate", 1), "Library") == "pass"


SPY = "P1: hand Spy; top Silver, {}; deck 3 {} | P2: top {}; deck 3 {}"


@pytest.mark.parametrize(("top", "deck", "chosen"), [("Estate", "Copper", "Estate"), ("Silver", "Copper", "pass")])
def test_spy_discards_its_own_card_if_a_card_of_the_deck_is_better(top, deck, chosen):
    assert weighed(SPY.format(top, deck, "Copper", "Copper"), "Spy") == chosen


@pytest.mark.parametrize(("top", "deck", "chosen"), [("Silver", "Copper", "Silver"), ("Copper", "Silver", "pass")])
def test_spy_discards_another_players_card_if_it_is_better_than_a_card_of_their_deck(top, deck, chosen):
    assert weighed(SPY.format("Silver", "Silver", top, deck), "Spy", "pass") == chosen


def test_spy_leaves_another_player_their_victory_cards():
    position = SPY.format("Silver", "Silver", "Province", "Copper")

    assert weighed(position, "Spy", "pass", order=f"Province > {ORDER}") == "pass"


def test_spy_compares_with_the_discard_pile_of_a_player_without_a_deck():
    position = "P1: hand Spy; top Silver, Copper; deck 3 Copper | P2: top Silver; discard {}"

    assert weighed(position.format("3 Gold"), "Spy", "pass") == "pass"
    assert weighed(position.format("3 Copper"), "Spy", "pass") == "Silver"


def test_chancellor_puts_away_a_deck_that_is_worse_than_the_discard_pile():
    position = "P1: hand Chancellor; deck 2 {}; discard 3 {}"

    assert weighed(position.format("Copper", "Silver"), "Chancellor") == "Chancellor"
    assert weighed(position.format("Silver", "Copper"), "Chancellor") == "pass"
    assert weighed(position.format("Silver", "Silver"), "Chancellor") == "pass"


def test_cards_known_to_lie_on_a_deck_count_among_it():
    assert weighed("P1: hand Chancellor; top Gold; discard 3 Copper", "Chancellor") == "pass"
    assert weighed("P1: hand Cellar, Silver; top Gold", "Cellar") == "Silver"


# Gains.

WORKSHOP, FEAST = ("P1: hand Workshop", "Workshop"), ("P1: hand Feast", "Feast")


@pytest.mark.parametrize(("position", "card"), [WORKSHOP, FEAST])
def test_a_gain_is_what_is_wanted_and_can_be_had(position, card):
    wants = {"Province": 0.9, "Gold": 0.05, "Silver": 0.05}

    assert weighed(position, card, order=ORDER, wants=wants) == "Silver"


@pytest.mark.parametrize(("position", "card"), [WORKSHOP, FEAST])
def test_what_is_owned_up_to_its_limit_is_not_gained(position, card):
    wants = {"Silver": 0.999, "Copper": 0.001}

    assert weighed(f"{position}; deck 2 Silver", card, wants=wants, limits={"Silver": 2}) == "Copper"
    assert weighed(f"{position}; deck Silver", card, wants=wants, limits={"Silver": 2, "Copper": 0}) == "Silver"


@pytest.mark.parametrize(("position", "card", "best"), [(*WORKSHOP, "Silver"), (*FEAST, "Duchy")])
def test_a_gain_that_must_be_made_though_nothing_is_wanted_is_the_best_to_own(position, card, best):
    order = "Gold > Duchy > Silver > Copper > Estate > Curse"

    assert weighed(position, card, order=order, wants={"Gold": 1}) == best


def test_a_limit_reached_by_the_others_does_not_matter():
    position = "P1: hand Workshop | P2: hand 5 Silver"

    assert weighed(position, "Workshop", wants={"Silver": 1}, limits={"Silver": 1}) == "Silver"


# Reactions.


def test_moat_is_always_revealed():
    assert weighed("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia") == "Moat"


# A strategy that does not weigh: it parts with what is preferred least, and trashes nothing that it may keep.

PREFERS = {"Gold": 0.6, "Silver": 0.3, "Village": 0.09, "Copper": 0.01}


def simply(position: str, *before: str) -> str:
    kingdom = kingdom_of(position, "Village")
    return the_choice(after(position, *before, kingdom=kingdom), preference(PREFERS, kingdom=kingdom))


QUESTIONS = {
    "Chapel": ("P1: hand Chapel, Curse, Estate", ("Chapel",)),
    "Sentry trashes": ("P1: hand Sentry; top Silver, Curse, Estate; deck 3 Gold", ("Sentry",)),
    "Sentry discards": ("P1: hand Sentry; top Silver, Curse, Estate; deck 3 Gold", ("Sentry", "pass")),
    "Moneylender": ("P1: hand Moneylender, Copper; deck 5 Gold", ("Moneylender",)),
    "Thief gains": ("P1: hand Thief; deck 4 Estate | P2: top Copper, Silver", ("Thief", "Silver")),
    "Harbinger": ("P1: hand Harbinger; top Estate; deck 3 Estate; discard Gold, Silver", ("Harbinger",)),
    "Library": ("P1: hand Library; top Village; deck 6 Gold", ("Library",)),
    "Spy on itself": ("P1: hand Spy; top Silver, Curse; deck 3 Gold | P2: top Gold; deck Copper", ("Spy",)),
    "Spy on others": ("P1: hand Spy; top Silver, Curse; deck 3 Gold | P2: top Gold; deck Copper", ("Spy", "pass")),
    "Chancellor": ("P1: hand Chancellor; deck 2 Estate; discard 3 Gold", ("Chancellor",)),
}
"""Questions that may be passed: a position and what was chosen before."""

MUST = {
    "Sentry puts back": ("P1: hand Sentry; top Silver, Gold, Estate; deck Gold", ("Sentry", "pass", "pass")),
    "Bandit": ("P1: hand Bandit | P2: top Silver, Gold", ("Bandit",)),
    "Thief": ("P1: hand Thief | P2: top Copper, Silver", ("Thief",)),
    "Artisan": ("P1: hand Artisan, Village, Estate", ("Artisan", "Silver")),
    "Bureaucrat": ("P1: hand Bureaucrat | P2: hand Estate, Province, 3 Copper", ("Bureaucrat",)),
    "Poacher": ("P1: hand Poacher, Gold, Estate; top Silver | supply: 0 Moat", ("Poacher",)),
    "Militia": ("P1: hand Militia | P2: hand 2 Estate, Gold, Silver", ("Militia",)),
}
"""Questions that must be answered with a card."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_simple_strategy_passes_what_it_may(name):
    position, before = QUESTIONS[name]

    assert simply(position, *before) == "pass"


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("Sentry puts back", "Estate"),  # first, so that the Gold lies on top
        ("Bandit", "Silver"),
        ("Thief", "Silver"),  # of another's cards what is preferred goes
        ("Artisan", "Estate"),
        ("Poacher", "Estate"),
        ("Militia", "Estate"),
    ],
)
def test_a_simple_strategy_gives_up_what_is_preferred_least(name, chosen):
    position, before = MUST[name]
    kingdom = kingdom_of(position, "Village")
    counts = tries(after(position, *before, kingdom=kingdom), preference(PREFERS, kingdom=kingdom), 500)

    assert counts.most_common(1)[0][0] == chosen
    assert counts[chosen] >= 300


def test_of_victory_cards_a_simple_strategy_puts_back_the_one_preferred_least():
    position, before = MUST["Bureaucrat"]
    kingdom = kingdom_of(position)
    strategies = {name: preference({name: 1}, kingdom=kingdom) for name in ("Estate", "Province")}

    assert the_choice(after(position, *before, kingdom=kingdom), strategies["Estate"]) == "Province"
    assert the_choice(after(position, *before, kingdom=kingdom), strategies["Province"]) == "Estate"


def test_a_simple_strategy_plays_an_action_twice_that_is_drawn_from_its_preference():
    kingdom = Kingdom(("Throne Room", "Village", "Smithy"))
    game = after("P1: hand Throne Room, Village, Smithy", "Throne Room", kingdom=kingdom)
    counts = tries(game, preference({"Village": 0.8, "Smithy": 0.2}, kingdom=kingdom), 2000)

    assert fits(counts, {"Village": 0.8, "Smithy": 0.2})


def test_a_simple_strategy_plays_what_a_vassal_discards():
    assert simply("P1: hand Vassal; top Village; deck Copper", "Vassal") == "Village"


def test_a_simple_strategy_plays_a_chapel_though_it_trashes_nothing():
    assert simply("P1: hand Chapel, 2 Gold") == "Chapel"


def test_simple_trades_mind_no_worths():
    """What is gained may be worth less than what is trashed for it."""
    kingdom = Kingdom(("Mine",))
    game = after("P1: hand Mine, Silver, Gold", "Mine", kingdom=kingdom)

    assert "pass" not in tries(game, preference({"Copper": 1}, kingdom=kingdom))


# A buy list ranks cards too, by the same two tables for all of them.


def by_list(position: str, *before: str) -> str:
    kingdom = kingdom_of(position)
    return the_choice(after(position, *before, kingdom=kingdom), baseline("big-money", kingdom))


@pytest.mark.parametrize(
    ("position", "before", "chosen"),
    [
        ("P1: hand Chapel, Copper, Estate, Curse; deck 4 Copper", ("Chapel",), "Curse"),
        ("P1: hand Chapel, Copper, Estate; deck 4 Copper", ("Chapel",), "Estate"),
        ("P1: hand Chapel, Copper, Duchy; deck 6 Copper", ("Chapel",), "Duchy"),
        ("P1: hand Chapel, 2 Copper; deck 4 Copper", ("Chapel",), "pass"),
        (*QUESTIONS["Sentry trashes"], "Curse"),
        (*QUESTIONS["Sentry discards"], "Estate"),
        (*MUST["Sentry puts back"], "Estate"),
        (*QUESTIONS["Moneylender"], "Copper"),
        ("P1: hand Moneylender, Copper; deck 9 Curse", ("Moneylender",), "Copper"),
        ("P1: hand Remodel, Province, Estate, Gold", ("Remodel",), "Gold"),
        ("P1: hand Mine, Copper, Silver", ("Mine",), "Silver"),
        ("P1: hand Mine, Copper, Silver", ("Mine", "Copper"), "Silver"),
        (*MUST["Bandit"], "Silver"),
        (*MUST["Thief"], "Silver"),
        (*QUESTIONS["Thief gains"], "Silver"),
        ("P1: hand Thief; deck 4 Gold | P2: top Copper, Silver", ("Thief", "Silver"), "pass"),
        (*QUESTIONS["Harbinger"], "Gold"),
        ("P1: hand Harbinger; top Estate; deck 3 Gold; discard Silver, Copper", ("Harbinger",), "Silver"),
        (*MUST["Artisan"], "Village"),  # it cannot be played any more
        (*MUST["Bureaucrat"], "Province"),  # both do nothing in a turn
        ("P1: hand Cellar, Duchy, Copper; deck 3 Silver", ("Cellar",), "Duchy"),
        ("P1: hand Cellar, Gold, Copper; deck 3 Estate", ("Cellar",), "Copper"),
        (*MUST["Poacher"], "Estate"),
        (*MUST["Militia"], "Estate"),
        ("P1: hand Militia | P2: hand Curse, Estate, Duchy, Province", ("Militia",), "Province"),
        ("P1: hand Throne Room, Village, Smithy", ("Throne Room",), "Smithy"),
        ("P1: hand Vassal; top Village; deck Copper", ("Vassal",), "Village"),
        (*QUESTIONS["Library"], "Village"),  # it cannot be played any more
        ("P1: hand Library; top Village; deck 6 Copper | turn: P1, 2 actions", ("Library",), "pass"),
        (*QUESTIONS["Spy on itself"], "Curse"),
        (*QUESTIONS["Spy on others"], "Gold"),
        ("P1: hand Spy; top Silver, Curse; deck Gold | P2: top Duchy; deck Copper", ("Spy", "pass"), "pass"),
        (*QUESTIONS["Chancellor"], "Chancellor"),
        ("P1: hand Chancellor; deck 2 Gold; discard 3 Estate", ("Chancellor",), "pass"),
        ("P1: hand Feast", ("Feast",), "Silver"),
        ("P1: hand Feast | supply: 4 Province", ("Feast",), "Duchy"),
        ("P1: hand Workshop", ("Workshop",), "Silver"),
        ("P1: hand Workshop | supply: 0 Silver", ("Workshop",), "Workshop"),  # no wish in reach: the dearest
        ("P1: hand Militia | P2: hand Moat, 4 Copper", ("Militia",), "Moat"),
    ],
)
def test_what_a_buy_list_chooses(position, before, chosen):
    assert by_list(position, *before) == chosen


# All cards that ask for one have a choice here.


def test_every_card_that_asks_is_among_these():
    text = Path(__file__).read_text(encoding="utf-8")
    asking = [card.name for card in KINGDOM if any(effect.kind for effect in _all_effects(card))]

    assert [name for name in asking if f'"{name}"' not in text] == []


def _all_effects(card):
    return [inner for effect in card.effects for inner in (effect, *effect.each)]
