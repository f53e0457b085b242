"""What a preference strategy buys, exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.dominion.cards import DUCHY, GOLD, PROVINCE
from evodom.dominion.engine.effects import BUY_ROW, SUPPLY
from evodom.dominion.engine.resolve import PASS_BIT
from evodom.dominion.engine.rules import N_PILES, PASS
from evodom.dominion.engine.state import PHASE_BUY, STATE, new_state
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.record import EARLY, KIND_PREFERENCE, LATE, SWITCH_GAINS, blank_strategies
from evodom.matches.batch import choice_counts
from evodom.report.portrait import MOST_CARDS, Worth, buy_probabilities, graded_probabilities, portrait
from tests.dominion.helpers import weighing


def test_a_card_is_bought_unless_three_others_come_to_mind_first():
    odds, passing = buy_probabilities(np.array([0.4, 0.3, 0.2, 0.1]), {3})
    # The six orders in which the first three come to mind before the last.
    expected = 0.2 / 0.3 * (0.4 * 0.3 / 0.6 + 0.3 * 0.4 / 0.7)
    expected += 0.3 / 0.4 * (0.4 * 0.2 / 0.6 + 0.2 * 0.4 / 0.8)
    expected += 0.4 / 0.5 * (0.3 * 0.2 / 0.7 + 0.2 * 0.3 / 0.8)
    assert passing == pytest.approx(expected)
    assert odds == pytest.approx([0, 0, 0, 1 - expected])


def test_what_can_be_afforded_is_bought_by_its_weight():
    odds, passing = buy_probabilities(np.array([0.5, 0.3, 0.2, 0.0]), {0, 1, 2, 3})
    assert (*odds, passing) == pytest.approx((0.5, 0.3, 0.2, 0.0, 0.0))


@given(st.lists(st.floats(1e-9, 1.0), min_size=N_PILES, max_size=N_PILES), st.sets(st.integers(0, N_PILES - 1)))
def test_buying_and_passing_are_certain_together(weights, affordable):
    odds, passing = buy_probabilities(np.array(weights), affordable)
    assert odds.sum() + passing == pytest.approx(1.0)
    assert all(odds[pile] == 0.0 for pile in range(N_PILES) if pile not in affordable)


def a_strategy():
    strategy = blank_strategies(1)[0]
    strategy.kind = KIND_PREFERENCE
    strategy.weights[EARLY] = np.arange(1, N_PILES + 1) / np.arange(1, N_PILES + 1).sum()
    strategy.weights[LATE, [GOLD, PROVINCE]] = 0.25, 0.75
    strategy.weights[LATE] += 1e-9
    strategy.class_weights[:] = 0.001, 1e-9, 0.999
    strategy.switch = 12
    return strategy


def engine_counts(strategy, coins, n):
    """Return how often the engine chooses each pile, and to pass, with these coins at the start of a game."""
    rules = FIRST_GAME.rules(4)
    state = new_state(rules, 5)
    state.phase, state.decider, state.asking = PHASE_BUY, 0, BUY_ROW
    state.legal = (state.mask[SUPPLY] & rules.affordable[coins]) | PASS_BIT
    scratch = np.array([state], STATE)[0]
    counts = np.zeros(N_PILES + 1, np.int64)
    choice_counts(rules, state, scratch, strategy, counts, n)
    return counts


@pytest.mark.parametrize("coins", [0, 3, 5])
def test_buys_are_as_likely_as_the_engine_plays_them(coins):
    # given a buy with these coins at the start of a game
    rules, n, strategy = FIRST_GAME.rules(4), 20_000, a_strategy()
    # when the engine chooses many times
    counts = engine_counts(strategy, coins, n)
    # then every choice is as frequent as computed, within five standard deviations
    affordable = {pile for pile in range(N_PILES) if rules.cost[pile] <= coins}
    odds, passing = buy_probabilities(strategy.weights[EARLY], affordable)
    expected = np.append(odds, passing)
    assert expected[PASS] == passing
    assert np.abs(counts / n - expected).max() < 5 * np.sqrt(0.25 / n)
    assert not counts[expected == 0.0].any()


def test_coins_are_told_by_the_steps_at_which_another_card_can_be_bought():
    steps = [(buys.coins_from, buys.coins_to) for buys in portrait(a_strategy(), FIRST_GAME).early.buys]
    assert steps == [(0, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, None)]


def test_the_late_preference_begins_the_turn_after_the_switch():
    found = portrait(a_strategy(), FIRST_GAME)
    assert (found.early.when, found.late.when) == ("until turn 12", "from turn 13")
    assert found.late.buys[-1].probabilities["Province"] == pytest.approx(0.75)


def test_the_class_of_actions_played_first_comes_first():
    first, second, third = portrait(a_strategy(), FIRST_GAME).actions
    assert (first.name, first.cards) == ("terminal", ["Workshop", "Militia", "Remodel", "Mine"])
    assert (second.name, third.name) == ("nonterminal", "terminal draw")


def test_a_class_without_cards_in_the_kingdom_is_not_told():
    found = portrait(a_strategy(), Kingdom(("Smithy", "Village")))
    assert [(one.name, one.cards) for one in found.actions] == [
        ("nonterminal", ["Village"]),
        ("terminal draw", ["Smithy"]),
    ]


# Graded strategies

WANTS = {"Province": 0.5, "Gold": 0.3, "Smithy": 0.12, "Silver": 0.08}
ORDER = "Province > Gold > Smithy > Silver > Copper > Estate > Curse"


def a_graded_strategy(**options):
    return weighing(ORDER, WANTS, kingdom=FIRST_GAME, **options)


def graded_buys(coins):
    """Return the probabilities told for a number of coins."""
    buys = portrait(a_graded_strategy(), FIRST_GAME).early.buys
    return next(one.probabilities for one in buys if one.coins_from <= coins and coins <= (one.coins_to or coins))


def test_of_a_graded_preference_what_can_be_afforded_is_bought_by_its_share_of_the_weight():
    odds, passing = graded_probabilities(np.array([0.6, 0.3, 0.1, 0.0]), {1, 2, 3})
    assert (*odds, passing) == pytest.approx((0.0, 0.75, 0.25, 0.0, 0.0))


def test_of_a_graded_preference_nothing_is_bought_if_nothing_affordable_has_weight():
    odds, passing = graded_probabilities(np.array([0.6, 0.4, 0.0]), {2})
    assert (*odds, passing) == (0.0, 0.0, 0.0, 1.0)
    assert graded_probabilities(np.array([0.6, 0.4]), set())[1] == 1.0


@pytest.mark.parametrize(
    ("coins", "expected"),
    [
        (2, {"pass": 1.0}),
        (3, {"Silver": 1.0, "pass": 0.0}),
        (5, {"Smithy": 0.6, "Silver": 0.4, "pass": 0.0}),
        (7, {"Gold": 0.6, "Smithy": 0.24, "Silver": 0.16, "pass": 0.0}),
        (9, WANTS | {"pass": 0.0}),
    ],
)
def test_graded_buys_are_told_exactly(coins, expected):
    assert graded_buys(coins) == pytest.approx(expected)


@pytest.mark.parametrize("coins", [0, 3, 5, 8])
def test_graded_buys_are_as_likely_as_the_engine_plays_them(coins):
    n, strategy = 20_000, a_graded_strategy()
    counts = engine_counts(strategy, coins, n)
    affordable = {pile for pile in range(N_PILES) if FIRST_GAME.rules(4).cost[pile] <= coins}
    odds, passing = graded_probabilities(strategy.weights[EARLY], affordable)
    expected = np.append(odds, passing)
    assert np.abs(counts / n - expected).max() < 5 * np.sqrt(0.25 / n)
    assert not counts[expected == 0.0].any()


def test_a_limit_is_told_if_the_supply_could_exceed_it():
    limits = {"Smithy": 2, "Village": 0, "Moat": MOST_CARDS - 1, "Market": MOST_CARDS}
    found = portrait(a_graded_strategy(limits=limits), FIRST_GAME)
    assert found.limits == {"Moat": MOST_CARDS - 1, "Village": 0, "Smithy": 2}


def test_worths_are_told_from_best_to_worst_with_what_is_trashed_early_and_late():
    kingdom = Kingdom(("Smithy",))
    strategy = weighing("Province > Gold > Duchy > " + ORDER[18:], kingdom=kingdom, trash=(1, 3), floor=5)
    assert portrait(strategy, kingdom).worth == Worth(
        ["Province", "Gold", "Duchy", "Smithy", "Silver", "Copper", "Estate", "Curse"],
        ["Curse"],
        ["Copper", "Estate", "Curse"],
        5,
    )


def test_a_strategy_that_does_not_weigh_has_no_worths():
    found = portrait(a_strategy(), FIRST_GAME)
    assert (found.graded, found.worth) == (False, None)
    assert portrait(a_graded_strategy(), FIRST_GAME).graded


def test_what_waits_for_the_end_is_no_early_buy_and_its_condition_is_told():
    strategy = weighing("Gold > Copper", {"Province": 0.5, "Duchy": 0.3, "Gold": 0.1}, kingdom=FIRST_GAME)
    strategy.from_left[DUCHY] = 6
    strategy.province_coins = 14
    strategy.switch_on, strategy.switch_left = SWITCH_GAINS, 4
    strategy.terminals, strategy.terminal_per = 1, 12

    found = portrait(strategy, FIRST_GAME)

    early, late = (next(buys for buys in phase.buys if buys.coins_from == 6) for phase in (found.early, found.late))
    assert "Duchy" not in early.probabilities
    assert late.probabilities["Duchy"] > 0.5
    assert (found.early.when, found.late.when) == ("until 4 gains can end the game", "once 4 gains can end the game")
    assert found.conditions == [
        "Duchy once 6 gains can end the game",
        "Province once the deck has $15",
        "terminal Actions: 1 at a time, one more for each 12 cards, and one more for each Village",
    ]
