"""Which cards a strategy needs, and which would make it worse."""

import pytest

from evodom.advice.ablation import NEEDED, TRAP, WORTH_TRYING, final_deck, trials, with_more, with_verdicts, without
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.buy_lists.rules import decode, format_rule
from evodom.dominion.strategies.files import parse_strategy
from evodom.matches.evaluate import wins_against
from evodom.matches.streams import Figure
from tests.advice.conftest import WITCH_KINGDOM


def bought(strategy, kingdom):
    return [format_rule(rule) for rule in decode(strategy, kingdom)]


@pytest.fixture
def tried(venue_in):
    """Try all cards on a baseline in the kingdom with Witches."""

    def run(name, games=600):
        venue = venue_in()
        strategy, money = (baseline(each, WITCH_KINGDOM) for each in (name, "big-money"))
        deck = final_deck(venue, strategy, money, 200, Figure.DECKS)
        witches = baseline("double-witch", WITCH_KINGDOM)
        others = {"double-witch": final_deck(venue, witches, money, 200, Figure.DECKS)}
        return {trial.card: trial for trial in trials(venue, strategy, deck, others, games)}

    return run


def test_double_witch_needs_its_witches(tried):
    found = tried("double-witch")

    assert found["Witch"].verdict == NEEDED
    assert found["Witch"].loss > 0.35
    assert found["Witch"].wins.high < 0.15
    assert next(iter(found)) == "Witch"


def test_a_dear_card_that_makes_a_strategy_worse_is_a_trap(tried):
    found = tried("double-witch")

    assert found["Remodel"].verdict == TRAP
    assert found["Remodel"] in with_verdicts(list(found.values()), (TRAP,))


def test_big_money_should_try_a_witch(tried):
    witch = tried("big-money")["Witch"]

    assert (witch.verdict, witch.bought_by) == (WORTH_TRYING, ("double-witch",))
    assert witch.wins.low > 0.6


def test_the_same_seed_tries_alike_and_another_one_does_not(venue_in):
    def wins(seed):
        smithy, money = baseline("big-money-smithy", FIRST_GAME), baseline("big-money", FIRST_GAME)
        return wins_against(venue_in(FIRST_GAME, 4, seed), smithy, money, 300, Figure.DECKS)

    assert wins(1) == wins(1) != wins(2)


def test_a_buy_list_without_a_card_has_no_rule_for_it():
    assert bought(without(baseline("double-witch", WITCH_KINGDOM), "Witch", WITCH_KINGDOM), WITCH_KINGDOM) == [
        "Province if count_in_deck(Gold) > 0",
        "Duchy if count_in_supply(Province) <= 5",
        "Estate if count_in_supply(Province) <= 2",
        "Gold",
        "Silver",
    ]


@pytest.mark.parametrize(("card", "place"), [("Market", 4), ("Militia", 4), ("Village", 5), ("Cellar", 6)])
def test_one_of_a_card_is_bought_before_what_costs_no_more_but_for_greening(card, place):
    changed = with_more(baseline("big-money-smithy", FIRST_GAME), card, 1, FIRST_GAME)

    assert bought(changed, FIRST_GAME).index(f"{card} if count_in_deck({card}) < 1") == place


def test_a_preference_with_one_of_a_card_or_without_it(venue_in):
    text = 'model = "preferences"\n[early]\nProvince = 1000\nGold = 1e4\nSmithy = 100\nSilver = 1\n[limits]\nSmithy = 2'
    strategy = parse_strategy(text).record(FIRST_GAME)

    def owned(changed):
        money = baseline("big-money", FIRST_GAME)
        deck = final_deck(venue_in(FIRST_GAME), changed, money, 200, Figure.DECKS)
        names = list(FIRST_GAME.names)
        return deck[names.index("Smithy")], deck[names.index("Market")]

    assert owned(without(strategy, "Smithy", FIRST_GAME)) == (0.0, 0.0)
    smithies, markets = owned(with_more(strategy, "Market", 1, FIRST_GAME))
    assert smithies > 1.2
    assert 0.8 < markets <= 1.0
