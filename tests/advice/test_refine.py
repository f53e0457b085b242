"""The changes that make the winner of a tournament better."""

from evodom.advice.ablation import refined
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.matches.evaluate import wins_against
from evodom.matches.streams import Figure
from tests.advice.conftest import WITCH_KINGDOM


def test_big_money_takes_up_the_card_it_lacks_most(venue_in):
    venue = venue_in()
    money = baseline("big-money", WITCH_KINGDOM)

    better, changes = refined(venue, money, money, 1000)

    assert changes[0] == "1 Witch"
    assert wins_against(venue, better, money, 1000, Figure.EXPECTED).low > 0.7


def test_a_strategy_with_a_card_that_harms_it_loses_it(venue_in):
    venue = venue_in()
    money = baseline("big-money", WITCH_KINGDOM)
    clumsy = 'buy = ["Province", "Village if count_in_deck(Village) < 6", "Gold", "Witch", "Silver"]'

    _, changes = refined(venue, parse_strategy(clumsy).record(WITCH_KINGDOM), money, 1000)

    assert "no Village" in changes


def test_changes_do_not_cost_wins_against_the_rival(venue_in):
    venue = venue_in()
    best = baseline("double-witch", WITCH_KINGDOM)

    better, _ = refined(venue, best, best, 1000)

    before, after = (wins_against(venue, one, best, 1000, Figure.EXPECTED) for one in (best, better))
    assert after.high >= before.low
