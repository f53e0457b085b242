"""What is bought on the first two turns."""

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.matches.tournament import SPLITS, openings
from tests.advice.conftest import WITCH_KINGDOM


def buys(strategy, kingdom, n_players=2):
    return {opening.coins: opening.buys for opening in openings(strategy, kingdom, n_players, 1)}


def test_big_money_opens_with_two_silvers_or_one():
    found = buys(baseline("big-money", FIRST_GAME), FIRST_GAME)

    assert found == {
        (4, 3): ("Silver", "Silver"),
        (3, 4): ("Silver", "Silver"),
        (5, 2): ("Silver", "nothing"),
        (2, 5): ("nothing", "Silver"),
    }


def test_witches_are_bought_with_five_coins():
    found = buys(baseline("double-witch", WITCH_KINGDOM), WITCH_KINGDOM, n_players=4)

    assert found[5, 2] == ("Witch", "nothing")
    assert found[4, 3] == ("Silver", "Silver")


def test_a_preference_tells_its_most_frequent_opening_and_how_frequent_it_is():
    text = 'model = "preferences"\n[early]\nSilver = 3\nVillage = 1'
    found = openings(parse_strategy(text).record(FIRST_GAME), FIRST_GAME, 2, 1)

    assert [opening.coins for opening in found] == list(SPLITS)
    assert found[0].buys == ("Silver", "Silver")
    assert 0.3 < found[0].share < 0.9
