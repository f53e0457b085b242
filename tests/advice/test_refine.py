"""The changes that make the winner of a tournament better."""

from evodom.advice.bench import EXPECTED, Bench
from evodom.advice.refine import refined
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from tests.advice.conftest import WITCH_KINGDOM


def test_big_money_takes_up_the_card_it_lacks_most(workers):
    bench = Bench(WITCH_KINGDOM, 2, 1, workers)
    money = baseline("big-money", WITCH_KINGDOM)

    better, changes = refined(bench, money, money, 1000)

    assert changes[0] == "1 Witch"
    assert bench.share(better, money, 1000, EXPECTED).low > 0.7


def test_a_strategy_with_a_card_that_harms_it_loses_it(workers):
    bench = Bench(WITCH_KINGDOM, 2, 1, workers)
    money = baseline("big-money", WITCH_KINGDOM)
    clumsy = 'buy = ["Province", "Village if count_in_deck(Village) < 6", "Gold", "Witch", "Silver"]'

    _, changes = refined(bench, parse_strategy(clumsy).record(WITCH_KINGDOM), money, 1000)

    assert "no Village" in changes


def test_changes_do_not_cost_wins_against_the_rival(workers):
    bench = Bench(WITCH_KINGDOM, 2, 1, workers)
    best = baseline("double-witch", WITCH_KINGDOM)

    better, _ = refined(bench, best, best, 1000)

    before, after = (bench.share(one, best, 1000, EXPECTED) for one in (best, better))
    assert after.high >= before.low
