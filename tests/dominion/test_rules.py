"""Rules of the Base Set that the rulings in `tests.rulings` cannot express."""

import pytest

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.rules import MAX_TURNS
from evodom.errors import IllegalChoice
from tests.dominion.helpers import COLONY_GAME, after, answers, asked, hand, turn

pytestmark = pytest.mark.uncompiled


def test_cards_have_their_printed_data():
    for name, *printed in [
        ("Copper", 0, 1, 0, "Treasure"),
        ("Silver", 3, 2, 0, "Treasure"),
        ("Gold", 6, 3, 0, "Treasure"),
        ("Estate", 2, 0, 1, "Victory"),
        ("Duchy", 5, 0, 3, "Victory"),
        ("Province", 8, 0, 6, "Victory"),
        ("Curse", 0, 0, -1, "Curse"),
        ("Militia", 4, 0, 0, "Action - Attack"),
        ("Moat", 2, 0, 0, "Action - Reaction"),
    ]:
        card = CARDS[name]
        assert [card.cost, card.coins, card.vp, card.type_line] == printed


def test_a_text_joins_the_texts_of_the_effects():
    for name, text in [
        ("Cellar", "+1 Action. Discard any number of cards. Then draw that many."),
        ("Artisan", "Gain a card to your hand costing up to $5. Put a card from your hand onto your deck."),
        ("Mine",
         "You may trash a Treasure from your hand. Gain a Treasure to your hand costing up to $3 more than it."),
        ("Thief",
         "Each other player reveals the top 2 cards of their deck, trashes a revealed Treasure of your choice, "
         "which you may gain, and discards the rest."),
    ]:  # fmt: skip
        assert CARDS[name].text == text
    assert CARDS["Moat"].text.startswith("+2 Cards. When another player plays an Attack, you may first reveal this")
    assert CARDS["Bureaucrat"].text.endswith("onto their deck, or reveals a hand without one.")


BUY_8 = "turn: P1, 0 actions, 1 buy, 8 coins, buy phase"
UP_TO_TWO = ["Copper", "Estate", "Curse", "Cellar", "Moat"]
UP_TO_FOUR = [
    "Copper", "Silver", "Estate", "Curse", "Cellar", "Moat", "Merchant", "Village", "Workshop", "Militia", "Remodel",
    "Smithy",
]  # fmt: skip


def test_exactly_the_legal_answers_are_offered():
    for position, choices, expected in [
        ("P1: hand Copper, Estate, Duchy, Province, Curse", [], ["Copper", "pass"]),
        ("P1: hand Cellar, Estate; deck 3 Gold", ["Cellar"], ["Estate", "pass"]),
        ("P1: hand Militia | P2: hand Moat, 4 Copper", ["Militia"], ["Moat", "pass"]),
        ("P1: hand Mine, Copper, Gold, Estate, Smithy", ["Mine"], ["Copper", "Gold", "pass"]),
        ("P1: hand Mine, Silver", ["Mine", "Silver"], ["Copper", "Silver", "Gold"]),
        ("P1: hand Remodel, Gold, Estate", ["Remodel"], ["Gold", "Estate"]),
        ("P1: hand Remodel, Estate, Copper", ["Remodel", "Estate"], UP_TO_FOUR),
        ("P1: hand Remodel, Estate, Copper", ["Remodel", "Copper"], UP_TO_TWO),
        ("P1: hand Workshop | turn: P1, 1 action, 1 buy, 9 coins", ["Workshop"], UP_TO_FOUR),
    ]:
        assert answers(after(position, *choices)) == expected
    assert len(answers(after(f"P1: hand Copper | {BUY_8.replace('8', '40')}"))) == 17 + 1, "above MAX_COINS"


def test_an_attack_asks_opponents_in_turn_order():
    position = "P1: hand 3 Copper, 2 Gold | P2: hand Militia, 4 Copper, Estate | P3: hand 4 Copper, Gold | turn: P2"
    game = after(position, "Militia")

    seats = []
    while asked(game)[1] == "Militia":
        seats.append(asked(game)[0])
        game.enact("Copper")

    assert seats == [3, 3, 1, 1]


def test_automatic_treasures_give_the_same_coins():
    game = after("P1: hand 2 Merchant, 2 Silver, Gold, Estate", "Merchant", "Merchant")
    game.play_treasures_automatically(0)

    assert (turn(game)[2], hand(game)) == (4 + 3 + 2, "Estate")
    assert asked(game) == (1, "Buy")


@pytest.mark.parametrize(
    ("left", "bought", "end"),
    [
        ("1 Province", "Province", "Provinces"), ("2 Province", "Province", "playing"),
        ("1 Village, 0 Moat, 0 Duchy", "Village", "empty piles"), ("1 Village, 0 Moat", "Village", "playing"),
    ],
)  # fmt: skip
def test_a_game_ends_with_provinces_or_empty_piles(left, bought, end):
    game = after(f"P1: hand Copper | P2: hand Copper | supply: {left} | {BUY_8}", bought)

    assert (game.end, game.is_over, game.decision is None) == (end, end != "playing", end != "playing")


@pytest.mark.parametrize(
    ("left", "coins", "bought", "end"),
    [
        ("1 Colony", 11, "Colony", "Colonies"), ("2 Colony", 11, "Colony", "playing"),
        ("1 Province", 11, "Province", "Provinces"), ("1 Platinum, 0 Moat", 11, "Platinum", "playing"),
        ("1 Platinum, 0 Moat, 0 Mine", 11, "Platinum", "empty piles"),
    ],
)  # fmt: skip
def test_a_game_with_colony_ends_with_the_last_colony_too(left, coins, bought, end):
    position = f"P1: hand Copper | P2: hand Copper | supply: {left} | turn: P1, buy phase, {coins} coins"
    game = after(position, bought, kingdom=COLONY_GAME)

    assert game.end == end
    assert game.scores[0] == {"Colony": 10, "Province": 6, "Platinum": 0}[bought]


def test_platinum_makes_five_coins_and_colony_costs_eleven():
    game = after("P1: hand 2 Platinum, Copper, Colony", kingdom=COLONY_GAME)
    game.play_treasures_automatically(0)

    assert turn(game)[2] == 11
    assert "Colony" in answers(game)
    assert "Colony" not in answers(after("P1: hand 2 Platinum | turn: P1, buy phase, 10 coins", kingdom=COLONY_GAME))


@pytest.mark.parametrize("end", [1, 0])
def test_a_game_is_cut_after_the_maximum_number_of_rounds(end):
    last = f"P1: hand Copper; turns {MAX_TURNS} | P2: hand Copper; turns {MAX_TURNS - 1 + end} | turn: P{1 + end}"
    game = after(last, "pass", "pass")

    assert game.end == ("cut" if end else "playing")
    with pytest.raises(IllegalChoice, match="the game is over" if end else "cannot be chosen"):
        game.enact("Gold")


def test_places_after_a_tie_are_skipped():
    position = "P1: hand Province; turns 9 | P2: hand Copper; turns 9 | P3: turns 8 | supply: 1 Province | "
    game = after(position + BUY_8.replace("P1", "P2"), "Province")

    assert game.standings == [(1, 0), (1, 1), (3, 2)]
