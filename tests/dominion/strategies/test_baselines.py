"""The baselines: the random player and the buy lists written by hand."""

import pytest

from evodom.dominion.cards import BASIC
from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom, parse_kingdom
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import (
    BASELINES,
    BUY_LIST_BASELINES,
    HELD_OUT_OPPONENTS,
    TRAINING_OPPONENTS,
    baseline,
    baseline_buy_list,
    buy_list_strategy,
    fitting_baselines,
    missing_cards,
)
from evodom.dominion.strategies.buy_lists.rules import END_TERM, FIRST_CONDITION, FIRST_TERM, BuyList
from evodom.errors import UsageError
from tests.dominion.helpers import after, answers, fits, tries

uncompiled = pytest.mark.uncompiled

BIG_MONEY = baseline("big-money", FIRST_GAME)


def choice(game, strategy=BIG_MONEY) -> str:
    """Return the one choice a buy list makes."""
    (name,) = tries(game, strategy, 20)
    return name


def buying(coins: int, provinces: int = 12, position: str = "P1: hand Copper | P2: hand Copper"):
    supply = f"supply: {provinces} Province"
    return parse_position(f"{position} | {supply} | turn: P1, 0 actions, 1 buy, {coins} coins, buy phase")


@uncompiled
@pytest.mark.parametrize(
    ("coins", "provinces", "bought"),
    [
        (9, 12, "Province"),
        (8, 1, "Province"),
        (7, 12, "Gold"),
        (6, 5, "Gold"),
        (6, 4, "Duchy"),
        (5, 5, "Silver"),
        (5, 4, "Duchy"),
        (4, 2, "Estate"),
        (3, 3, "Silver"),
        (2, 3, "pass"),
        (2, 2, "Estate"),
        (1, 1, "pass"),
    ],
)
def test_big_money_buys_the_first_card_it_can_afford(coins, provinces, bought):
    assert choice(buying(coins, provinces)) == bought


@uncompiled
@pytest.mark.parametrize(("owned", "bought"), [("Copper", "Smithy"), ("Smithy", "Smithy"), ("2 Smithy", "Silver")])
def test_a_rule_holds_while_fewer_are_owned(owned, bought):
    game = buying(4, position=f"P1: deck {owned} | P2: hand 3 Smithy")

    assert choice(game, baseline("big-money-smithy", FIRST_GAME)) == bought


@uncompiled
def test_one_militia_is_enough():
    militia = baseline("big-money-militia", FIRST_GAME)

    assert choice(buying(4), militia) == "Militia"
    assert choice(buying(4, position="P1: discard Militia | P2: hand Copper"), militia) == "Silver"


@uncompiled
def test_a_rule_for_an_empty_pile_is_skipped():
    game = parse_position("P1: hand Copper | supply: 0 Gold | turn: P1, 0 actions, 1 buy, 6 coins, buy phase")

    assert choice(game) == "Silver"


@uncompiled
def test_buy_lists_gain_the_first_card_in_reach():
    assert choice(after("P1: hand Workshop", "Workshop")) == "Silver"


@uncompiled
def test_rules_for_cards_outside_the_kingdom_are_left_out():
    strategy = buy_list_strategy(
        BuyList((*baseline_buy_list("big-money").buy[:-1], "Smithy", "Village if count_in_deck(Smithy) < 1", "Silver")),
        Kingdom(("Village",)),
    )

    assert strategy.n_rules == 6
    condition = strategy.conditions[strategy.rules[4, FIRST_CONDITION]]
    assert condition[FIRST_TERM] == condition[END_TERM], "none of a missing card: nothing to count"


@uncompiled
@pytest.mark.parametrize("name", BUY_LIST_BASELINES)
def test_every_baseline_buys_only_cards_that_exist_and_says_what_it_lacks(name):
    cards = {rule.card for rule in baseline_buy_list(name).rules}

    missing = missing_cards(name, Kingdom(()))
    assert set(missing) == cards - {card.name for card in BASIC}
    assert missing_cards(name, Kingdom(tuple(missing))) == []


@uncompiled
@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_plays(name):
    assert set(tries(parse_position("P1: hand Militia"), baseline(name, FIRST_GAME))) <= {"Militia", "pass"}


@uncompiled
def test_an_unknown_baseline_is_refused_with_the_known_ones():
    with pytest.raises(
        UsageError, match=r"no baseline named 'bigmoney'\. Did you mean big-money\? Known: random, big-money"
    ):
        baseline("bigmoney", FIRST_GAME)


@pytest.mark.parametrize(
    "position",
    ["P1: hand Militia, Smithy, Village", "P1: hand Copper | turn: P1, 0 actions, 1 buy, 9 coins, buy phase"],
)
def test_the_random_player_takes_every_answer_equally_often(position):
    game = parse_position(position)
    counts = tries(game, baseline("random", FIRST_GAME), 20_000)

    assert fits(counts, dict.fromkeys(answers(game), 1 / len(answers(game))))


def test_a_buy_list_trashes_an_estate_rather_than_a_province():
    game = after("P1: hand Remodel, Province, Estate, Silver | P2: hand Copper", "Remodel")

    choice = game.strategy_choice(baseline("big-money", FIRST_GAME))

    assert choice.name == "Estate"


def test_every_baseline_but_the_random_player_either_teaches_or_judges():
    assert sorted([RANDOM, *TRAINING_OPPONENTS, *HELD_OUT_OPPONENTS]) == sorted(BASELINES)


@pytest.mark.parametrize("name", list(KINGDOMS)[:6])
def test_every_recommended_kingdom_has_teachers_and_judges_of_its_own_cards(name):
    fitting = set(fitting_baselines(parse_kingdom(name))) - {"big-money", "big-money-ultimate"}

    assert fitting & set(TRAINING_OPPONENTS)
    assert fitting & set(HELD_OUT_OPPONENTS)


def test_any_kingdom_has_a_teacher_and_a_judge():
    fitting = set(fitting_baselines(Kingdom(())))

    assert fitting & set(TRAINING_OPPONENTS)
    assert fitting & set(HELD_OUT_OPPONENTS)
