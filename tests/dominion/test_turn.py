"""The turn: its phases, drawing and shuffling, clean-up, and the end of the game."""

import pytest

from evodom.dominion.engine.rules import MAX_TURNS
from evodom.errors import IllegalChoice
from tests.dominion.helpers import after, answers, asked, deck_size, discard, hand, in_play, supply, told, turn

pytestmark = pytest.mark.uncompiled


def end_turn(game):
    """Pass until the game is over or the turn has gone to another player."""
    player, number = game.state.active, game.state.turns[game.state.active]
    while not game.is_over and (game.state.active, game.state.turns[player]) == (player, number):
        game.enact("pass")
    return game


# Phases


def test_a_turn_begins_with_one_action_one_buy_and_no_coins():
    assert turn(after("P1: hand Smithy")) == (1, 1, 0)


def test_an_action_costs_an_action():
    game = after("P1: hand 2 Smithy; deck 9 Estate", "Smithy")

    assert asked(game) == (1, "Buy")


def test_actions_may_be_left_unplayed():
    game = after("P1: hand Smithy, Copper", "pass")

    assert asked(game) == (1, "Treasures")


def test_there_is_no_way_back_to_the_action_phase():
    game = after("P1: hand Smithy, Copper", "pass", "Copper")

    with pytest.raises(IllegalChoice):
        game.enact("Smithy")


def test_the_action_phase_is_skipped_without_an_action_in_hand():
    assert asked(after("P1: hand Copper, Estate")) == (1, "Treasures")


def test_actions_left_over_are_used_on_drawn_actions_only():
    game = after("P1: hand Village; top Village; deck 2 Copper", "Village", "Village")

    assert turn(game) == (3, 1, 0)
    assert asked(game) == (1, "Treasures")


def test_treasures_may_be_held_back():
    game = after("P1: hand 2 Gold", "Gold", "pass")

    assert (turn(game)[2], hand(game)) == (3, "Gold")


def test_treasures_give_one_two_and_three_coins():
    game = after("P1: hand Copper, Silver, Gold", "Copper", "Silver", "Gold")

    assert turn(game)[2] == 6


def test_victory_cards_and_curses_cannot_be_played():
    game = after("P1: hand Copper, Estate, Duchy, Province, Curse")

    assert answers(game) == ["Copper", "pass"]


def test_treasures_played_automatically_give_what_they_give_one_by_one():
    game = after("P1: hand 2 Copper, Silver, Gold, Estate")
    game.play_treasures_automatically(0)

    assert (turn(game)[2], hand(game)) == (7, "Estate")
    assert asked(game) == (1, "Buy")


# Buying


def test_a_card_may_cost_up_to_the_coins():
    game = after("P1: hand 2 Gold", "Gold", "Gold")

    assert "Gold" in answers(game)
    assert "Province" not in answers(game)


def test_a_bought_card_goes_to_the_discard_pile_and_costs_coins_and_a_buy():
    game = after("P1: hand Copper; deck 9 Estate | turn: P1, 0 actions, 2 buys, 8 coins, buy phase", "Militia")

    assert discard(game) == "Militia"
    assert supply(game, "Militia") == 9
    assert turn(game) == (0, 1, 4)


def test_coins_are_shared_between_buys():
    game = after("P1: hand Copper | turn: P1, 0 actions, 2 buys, 8 coins, buy phase", "Militia")

    assert "Militia" in answers(game)
    assert "Market" not in answers(game)


def test_a_card_that_costs_nothing_needs_a_buy():
    game = after("P1: hand Estate | P2: hand Estate | turn: P1, 0 actions, 1 buy, 0 coins, buy phase", "Copper")

    assert asked(game)[0] == 2


def test_buying_is_optional():
    game = after("P1: deck 5 Copper | turn: P1, 0 actions, 1 buy, 8 coins, buy phase", "pass")

    assert discard(game) == ""


def test_no_treasure_can_be_played_after_a_buy():
    game = after("P1: hand Market, Gold, Copper", "Market", "Gold", "pass", "Silver")

    with pytest.raises(IllegalChoice):
        game.enact("Gold")
    assert "Copper" in answers(game)  # to buy, not to play
    assert hand(game) == "Copper"


def test_empty_piles_cannot_be_bought():
    game = after("P1: hand Copper | supply: 0 Silver | turn: P1, 0 actions, 1 buy, 8 coins, buy phase")

    assert "Silver" not in answers(game)


def test_a_pile_empties_with_its_last_card():
    game = after("P1: hand Copper | supply: 1 Silver | turn: P1, 0 actions, 2 buys, 8 coins, buy phase", "Silver")

    assert "Silver" not in answers(game)


def test_more_coins_than_any_card_costs_buy_everything():
    game = after("P1: hand Copper | turn: P1, 0 actions, 1 buy, 40 coins, buy phase")

    assert len(answers(game)) == 17 + 1


# Clean-up


def test_clean_up_discards_hand_and_play_area_and_draws_five():
    game = after("P1: hand Village, Copper, Estate; deck 9 Gold | P2: hand Copper", "Village", "pass", "pass")

    assert hand(game) == "5 Gold"
    assert discard(game) == "Copper, Gold, Estate, Village"
    assert in_play(game) == ""


def test_the_turn_passes_to_the_left_and_round():
    game = after("P1: hand Copper | P2: hand Copper | P3: hand Copper")

    players = []
    for _ in range(4):
        players.append(asked(game)[0])
        end_turn(game)

    assert players == [1, 2, 3, 1]


def test_actions_buys_and_coins_do_not_carry_over():
    game = end_turn(after("P1: hand Copper | P2: hand Copper | turn: P1, 3 actions, 2 buys, 8 coins, buy phase"))

    assert turn(game) == (1, 1, 0)


def test_a_bought_card_can_be_drawn_in_the_same_clean_up():
    game = after("P1: hand Copper | P2: hand Copper | turn: P1, 0 actions, 1 buy, 8 coins, buy phase", "Province")

    assert hand(game) == "Copper, Province"


# Drawing and shuffling


def test_known_cards_on_top_are_drawn_first_and_in_order():
    game = after("P1: hand Moat; top Gold, Silver, Province; deck 9 Curse", "Moat")

    assert hand(game) == "Silver, Gold"
    assert deck_size(game) == 10


def test_unseen_cards_come_after_the_known_ones():
    game = after("P1: hand Smithy; top Gold; deck 9 Curse", "Smithy")

    assert hand(game) == "Gold, 2 Curse"


def test_a_deck_that_runs_out_in_the_middle_of_a_draw_is_reshuffled():
    game = after("P1: hand Smithy; top Gold; discard 4 Estate", "Smithy")

    assert hand(game) == "Gold, 2 Estate"
    assert (discard(game), deck_size(game)) == ("", 2)


def test_the_cards_left_in_the_deck_are_drawn_before_the_shuffle():
    game = after("P1: hand Smithy; deck 2 Gold; discard 4 Estate", "Smithy")

    assert hand(game) == "2 Gold, Estate"


def test_a_deck_that_is_emptied_exactly_is_not_reshuffled():
    game = after("P1: hand Smithy; deck 3 Gold; discard 4 Estate", "Smithy")

    assert (discard(game), deck_size(game)) == ("4 Estate", 0)


def test_the_next_draw_reshuffles_a_deck_that_was_emptied_exactly():
    game = after("P1: hand Village, Smithy; deck Gold; discard 4 Estate", "Village", "Smithy")

    assert (discard(game), deck_size(game)) == ("", 1)


def test_with_deck_and_discard_pile_empty_no_card_is_drawn():
    game = after("P1: hand Smithy; deck Gold", "Smithy")

    assert hand(game) == "Gold"


def test_cards_in_play_and_in_hand_are_not_shuffled_in():
    game = after("P1: hand Smithy, Copper; discard 3 Estate", "Smithy")

    assert hand(game) == "Copper, 3 Estate"
    assert in_play(game) == "Smithy"


def test_clean_up_draws_the_rest_of_the_deck_before_it_shuffles():
    game = end_turn(after("P1: hand 2 Copper; deck 2 Gold; discard 6 Estate | P2: hand Copper"))

    assert hand(game).startswith(("2 Gold", "Copper, 2 Gold", "2 Copper, 2 Gold"))
    assert (discard(game), deck_size(game)) == ("", 5)


@pytest.mark.parametrize("n_discarded", [2, 3, 9])
def test_a_shuffle_is_told_whatever_is_left_afterwards(n_discarded):
    game = after(f"P1: hand Smithy; deck Gold; discard {n_discarded} Estate", "Smithy")

    assert "P1 shuffles" in told(game)


def test_a_draw_without_a_shuffle_tells_none():
    game = after("P1: hand Smithy; deck 3 Gold; discard 4 Estate", "Smithy")

    assert "P1 shuffles" not in told(game)


def test_a_shuffle_in_clean_up_is_told():
    game = end_turn(after("P1: hand 3 Copper; deck 2 Gold | P2: hand Copper"))

    assert "P1 shuffles" in told(game)


# The end of the game

BUY_8 = "turn: P1, 0 actions, 1 buy, 8 coins, buy phase"
BUY_8_TWICE = "turn: P1, 0 actions, 2 buys, 8 coins, buy phase"


def test_the_last_province_ends_the_game():
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 1 Province | {BUY_8}", "Province")

    assert game.is_over
    assert game.end == "Provinces"
    assert game.decision is None


def test_a_turn_in_progress_is_finished():
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 1 Province | {BUY_8_TWICE}", "Province")

    assert not game.is_over
    assert game.enact("Copper").is_over


def test_the_last_province_by_remodel_leaves_the_turn_to_be_finished():
    game = after("P1: hand Remodel, Gold, Copper | P2: hand Copper | supply: 1 Province", "Remodel", "Gold", "Province")

    assert asked(game) == (1, "Treasures")
    assert end_turn(game).is_over


def test_one_province_left_does_not_end_the_game():
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 2 Province | {BUY_8}", "Province")

    assert not game.is_over


@pytest.mark.parametrize("piles", ["0 Curse, 0 Copper", "0 Moat, 0 Duchy", "0 Estate, 0 Silver"])
def test_the_third_empty_pile_ends_the_game_whichever_it_is(piles):
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 1 Village, {piles} | {BUY_8}", "Village")

    assert game.end == "empty piles"


def test_two_empty_piles_do_not_end_the_game():
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 1 Village, 0 Moat | {BUY_8}", "Village")

    assert not game.is_over


def test_a_pile_emptied_by_a_gain_counts():
    game = after("P1: hand Workshop | P2: hand Copper | supply: 1 Village, 0 Moat, 0 Curse", "Workshop", "Village")

    assert end_turn(game).end == "empty piles"


@pytest.mark.parametrize(("n_players", "ends"), [(2, True), (4, True), (5, False), (6, False)])
def test_five_and_six_players_need_a_fourth_empty_pile(n_players, ends):
    game = after(f"P1: hand Copper | supply: 1 Village, 0 Moat, 0 Curse | {BUY_8}", "Village", n_players=n_players)

    assert game.is_over == ends


def test_the_fourth_empty_pile_ends_a_game_of_five():
    game = after(f"P1: hand Copper | supply: 1 Village, 0 Moat, 0 Curse, 0 Mine | {BUY_8}", "Village", n_players=5)

    assert game.end == "empty piles"


def test_all_zones_score():
    position = "P1: hand Province, Copper; top Duchy; deck Estate; discard Curse, Estate | P2: hand Copper"
    game = after(position + " | in play: Village | turn: P1")

    assert game.scores == (6 + 3 + 1 - 1 + 1, 0)


@pytest.mark.parametrize(("n_coppers", "points"), [(7, 0), (8, 2), (17, 2), (18, 4)])
def test_each_gardens_is_worth_a_point_for_every_ten_cards(n_coppers, points):
    game = after(f"P1: hand Gardens; discard Gardens, {n_coppers} Copper", kingdom=("Gardens",))

    assert game.scores == (points,)


def test_trashed_cards_do_not_score():
    game = after("P1: hand Remodel, Province, Estate", "Remodel", "Province", "Copper")

    assert game.scores == (1,)


def test_most_victory_points_win():
    game = after(f"P1: hand Copper | P2: hand 3 Duchy | supply: 1 Province | {BUY_8}", "Province")

    assert game.scores == (6, 9)
    assert game.standings == [(1, 1), (2, 0)]


def test_a_tie_goes_to_the_player_with_fewer_turns():
    position = "P1: hand Copper; turns 9 | P2: hand Province; turns 8 | supply: 1 Province | "
    game = after(position + BUY_8, "Province")

    assert game.standings == [(1, 1), (2, 0)]


def test_with_equal_points_and_turns_the_victory_is_shared():
    position = "P1: hand Province; turns 9 | P2: hand Copper; turns 9 | supply: 1 Province | "
    game = after(position + BUY_8.replace("P1", "P2"), "Province")

    assert game.standings == [(1, 0), (1, 1)]


def test_the_places_after_a_tie_are_skipped():
    position = "P1: hand Province; turns 9 | P2: hand Copper; turns 9 | P3: turns 8 | supply: 1 Province | "
    game = after(position + BUY_8.replace("P1", "P2"), "Province")

    assert game.standings == [(1, 0), (1, 1), (3, 2)]


def test_a_game_that_nobody_ends_is_cut():
    game = after(f"P1: hand Copper; turns {MAX_TURNS} | P2: hand Copper; turns {MAX_TURNS} | turn: P2", "pass", "pass")

    assert game.end == "cut"


def test_a_game_is_not_cut_in_the_middle_of_the_last_round():
    game = after(
        f"P1: hand Copper; turns {MAX_TURNS} | P2: hand Copper; turns {MAX_TURNS - 1} | turn: P1", "pass", "pass"
    )

    assert asked(game)[0] == 2
    assert end_turn(game).end == "cut"


def test_a_game_over_allows_no_choice():
    game = after(f"P1: hand Copper | P2: hand Copper | supply: 1 Province | {BUY_8}", "Province")

    with pytest.raises(IllegalChoice, match="the game is over"):
        game.enact("Copper")
