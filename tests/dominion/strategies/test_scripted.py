"""The baselines: the random player and the menus."""

import pytest

from evodom.dominion.cards import CARDS
from evodom.dominion.kingdoms import FIRST_GAME
from evodom.dominion.position import parse_position
from evodom.dominion.strategies.scripted import BASELINES, KEEP, USE, Wish, baseline, big_money, menu_strategy
from evodom.errors import UsageError
from tests.dominion.helpers import after, answers, fits, tries

uncompiled = pytest.mark.uncompiled

BIG_MONEY = baseline("big-money", FIRST_GAME)


def choice(game, strategy=BIG_MONEY) -> str:
    """Return the one choice a menu makes."""
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
def test_big_money_buys_the_first_wish_it_can_afford(coins, provinces, bought):
    assert choice(buying(coins, provinces)) == bought


@uncompiled
@pytest.mark.parametrize(("owned", "bought"), [("Copper", "Smithy"), ("Smithy", "Smithy"), ("2 Smithy", "Silver")])
def test_a_wish_holds_while_fewer_are_owned(owned, bought):
    game = buying(4, position=f"P1: deck {owned} | P2: hand 3 Smithy")

    assert choice(game, baseline("big-money-smithy", FIRST_GAME)) == bought


@uncompiled
def test_one_militia_is_enough():
    militia = baseline("big-money-militia", FIRST_GAME)

    assert choice(buying(4), militia) == "Militia"
    assert choice(buying(4, position="P1: discard Militia | P2: hand Copper"), militia) == "Silver"


@uncompiled
def test_a_wish_for_an_empty_pile_is_skipped():
    game = parse_position("P1: hand Copper | supply: 0 Gold | turn: P1, 0 actions, 1 buy, 6 coins, buy phase")

    assert choice(game) == "Silver"


@uncompiled
def test_menus_play_nonterminal_actions_first_then_those_that_draw():
    assert choice(parse_position("P1: hand Militia, Smithy, Village")) == "Village"
    assert choice(parse_position("P1: hand Militia, Smithy, Moat")) == "Smithy"
    assert choice(parse_position("P1: hand Workshop, Militia")) == "Militia"


@uncompiled
def test_menus_discard_what_they_have_least_to_keep_for():
    hand = ["Militia", "Gold", "Smithy", "Silver", "Copper", "Curse", "Estate", "Duchy", "Province"]
    game = after(f"P1: hand Militia | P2: hand {', '.join(hand)}", "Militia")
    discarded = []
    while game.decision.title == "Militia":
        discarded.append(choice(game))
        game.enact(discarded[-1])

    assert discarded == ["Province", "Duchy", "Estate", "Curse", "Copper", "Silver"]


@uncompiled
def test_every_card_has_its_worth_to_own_and_in_hand():
    assert set(KEEP) == set(USE) == set(CARDS)


@uncompiled
def test_menus_reveal_a_moat():
    assert choice(after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia")) == "Moat"


@uncompiled
def test_menus_discard_to_cellar_what_does_nothing_this_turn():
    game = after("P1: hand Cellar, Estate, Copper; deck 3 Copper", "Cellar")

    assert choice(game) == "Estate"
    assert choice(game.enact("Estate")) == "pass"


@uncompiled
def test_menus_gain_their_first_wish_in_reach():
    assert choice(after("P1: hand Workshop", "Workshop")) == "Silver"


@uncompiled
def test_extra_wishes_rank_between_gold_and_silver():
    menu = big_money(Wish("Village"))

    assert [wish.card for wish in menu] == ["Province", "Duchy", "Estate", "Gold", "Village", "Silver"]


@uncompiled
def test_wishes_for_cards_outside_the_kingdom_are_left_out():
    strategy = menu_strategy(big_money(Wish("Smithy")), ("Village",))

    assert strategy.n_menu == 5


@uncompiled
@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_plays(name):
    assert set(tries(parse_position("P1: hand Militia"), baseline(name, FIRST_GAME))) <= {"Militia", "pass"}


@uncompiled
def test_an_unknown_baseline_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"no baseline named 'bigmoney'\. Known: random, big-money"):
        baseline("bigmoney", FIRST_GAME)


@pytest.mark.parametrize(
    "position",
    ["P1: hand Militia, Smithy, Village", "P1: hand Copper | turn: P1, 0 actions, 1 buy, 9 coins, buy phase"],
)
def test_the_random_player_takes_every_answer_equally_often(position):
    game = parse_position(position)
    counts = tries(game, baseline("random", FIRST_GAME), 20_000)

    assert fits(counts, dict.fromkeys(answers(game), 1 / len(answers(game))))


def test_a_menu_trashes_an_estate_rather_than_a_province():
    game = after("P1: hand Remodel, Province, Estate, Gold | P2: hand Copper", "Remodel")

    choice = game.strategy_choice(baseline("big-money", FIRST_GAME))

    assert choice.name == "Estate"
