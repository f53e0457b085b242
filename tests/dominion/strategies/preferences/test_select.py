"""How a preference strategy chooses, Decision by Decision."""

from collections import Counter
from itertools import permutations
from math import prod

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.position import parse_position
from tests.dominion.helpers import (
    EPSILON,
    PILE_NAMES,
    after,
    answers,
    discard,
    fits,
    hand,
    preference,
    the_choice,
    tries,
    weighing,
)

MANY = 20_000
BUY = "turn: P1, 0 actions, 1 buy, {} coins, buy phase"
NONTERMINAL, TERMINAL_DRAW, TERMINAL = (1, EPSILON, EPSILON), (EPSILON, 1, EPSILON), (EPSILON, EPSILON, 1)

uncompiled = pytest.mark.uncompiled


def buying(coins: int, supply: str = "10 Smithy"):
    return parse_position(f"P1: hand Copper | P2: hand Copper | supply: {supply} | " + BUY.format(coins))


# Actions


@uncompiled
@pytest.mark.parametrize(
    ("classes", "played"), [(NONTERMINAL, "Village"), (TERMINAL_DRAW, "Smithy"), (TERMINAL, "Militia")]
)
def test_the_preferred_class_of_actions_is_played_first(classes, played):
    game = parse_position("P1: hand Village, Smithy, Militia, Gold")

    assert set(tries(game, preference({"Gold": 1}, classes=classes))) == {played}


@uncompiled
@pytest.mark.parametrize(
    ("name", "classes"),
    [
        *((name, NONTERMINAL) for name in ("Cellar", "Merchant", "Village", "Market")),
        *((name, TERMINAL_DRAW) for name in ("Moat", "Smithy")),
        *((name, TERMINAL) for name in ("Workshop", "Militia", "Remodel", "Mine")),
    ],
)
def test_every_action_has_its_class(name, classes):
    """Each is preferred to one of every other class."""
    others = {"Village": NONTERMINAL, "Smithy": TERMINAL_DRAW, "Militia": TERMINAL}
    rest = ", ".join(other for other, its_classes in others.items() if its_classes != classes)
    game = parse_position(f"P1: hand {name}, {rest}, Gold")

    assert set(tries(game, preference({"Gold": 1}, classes=classes), 50)) == {name}


def test_the_class_is_drawn_among_those_in_hand():
    game = parse_position("P1: hand Smithy, Militia, Gold")
    counts = tries(game, preference({"Gold": 1}, classes=(0.5, 0.3, 0.2)), MANY)

    assert fits(counts, {"Smithy": 0.6, "Militia": 0.4})


def test_within_a_class_all_actions_are_equally_likely_whatever_is_preferred_and_held_twice():
    game = parse_position("P1: hand Village, 2 Market, Merchant, Cellar, Smithy")
    counts = tries(game, preference({"Market": 1}), MANY)

    assert fits(counts, dict.fromkeys(("Village", "Market", "Merchant", "Cellar"), 1 / 4))


@uncompiled
def test_the_action_phase_is_not_passed_while_an_action_is_playable():
    game = parse_position("P1: hand Mine, Gold")

    assert set(tries(game, preference({"Gold": 1}, classes=NONTERMINAL))) == {"Mine"}


@uncompiled
def test_all_treasures_are_played():
    game = parse_position("P1: hand Copper, Silver")

    assert "pass" not in tries(game, preference({"Gold": 1}))


# Buys


def orders(weights: dict[str, float], n: int) -> dict[tuple[str, ...], float]:
    """Return the probability of each order in which ``n`` distinct piles are thought of."""
    total = sum(weights.values())
    return {
        order: prod(
            weights[name] / (total - sum(weights[first] for first in order[:i])) for i, name in enumerate(order)
        )
        for order in permutations(weights, n)
    }


@uncompiled
def test_a_buy_is_passed_by_the_weight_of_passing():
    strategy = weighing("Gold > Silver > Copper > Curse", {"Silver": 1}, kingdom=FIRST_GAME)
    strategy.pass_weights[:] = 1

    counts = tries(buying(4), strategy, 100)

    assert set(counts) == {"Silver", "pass"}
    assert 25 < counts["pass"] < 75


@pytest.mark.parametrize("coins", [0, 3, 5, 6, 8])
def test_the_first_of_three_piles_thought_of_that_can_be_bought_is_bought(coins):
    costs = {"Province": 8, "Gold": 6, "Duchy": 5, "Silver": 3, "Copper": 0}
    wanted = {"Province": 0.4, "Gold": 0.25, "Duchy": 0.15, "Silver": 0.15, "Copper": 0.05}
    expected: Counter[str] = Counter()
    for order, probability in orders(wanted, 3).items():
        expected[next((name for name in order if costs[name] <= coins), "pass")] += probability

    assert fits(tries(buying(coins), preference(wanted), MANY), expected)


@uncompiled
def test_after_three_piles_that_cannot_be_bought_the_strategy_passes():
    wanted = {"Province": 0.5, "Gold": 0.3, "Duchy": 0.2}

    assert set(tries(buying(4), preference(wanted))) == {"pass"}


@uncompiled
def test_piles_thought_of_are_distinct():
    """Province is thought of first nearly always, and Silver second: it is bought."""
    assert set(tries(buying(4), preference({"Province": 0.999, "Silver": 0.001}))) == {"Silver"}


@uncompiled
def test_an_empty_pile_is_thought_of_but_not_bought():
    wanted = {"Smithy": 0.5, "Gold": 0.3, "Duchy": 0.2}

    assert set(tries(buying(4, "0 Smithy"), preference(wanted))) == {"pass"}


# Graded buys

GRADED = ("Gold > Silver > Copper", {"Province": 0.5, "Gold": 0.3, "Silver": 0.12, "Smithy": 0.08})


def graded(order: str = GRADED[0], wants: dict[str, float] = GRADED[1], **options):
    return weighing(order, wants, kingdom=FIRST_GAME, **options)


@pytest.mark.parametrize(
    ("coins", "expected"),
    [
        (8, {"Province": 0.5, "Gold": 0.3, "Silver": 0.12, "Smithy": 0.08}),
        (6, {"Gold": 0.6, "Silver": 0.24, "Smithy": 0.16}),
        (5, {"Silver": 0.6, "Smithy": 0.4}),
        (3, {"Silver": 1}),
    ],
)
def test_a_graded_buy_is_drawn_by_weight_among_what_can_be_bought(coins, expected):
    assert fits(tries(buying(coins), graded(), MANY), expected)


@uncompiled
def test_a_graded_strategy_passes_when_nothing_it_can_buy_has_weight():
    assert the_choice(buying(2), graded()) == "pass"


@uncompiled
def test_a_pile_without_weight_is_never_bought():
    assert set(tries(buying(8), graded(), 500)) <= set(GRADED[1])


@uncompiled
def test_a_pile_owned_up_to_its_limit_is_not_bought_but_what_is_wanted_next():
    position = "P1: hand Smithy; deck Smithy; discard Copper | P2: hand Smithy | " + BUY.format(4)
    wants = {"Smithy": 0.999999, "Silver": 0.000001}

    assert the_choice(parse_position(position), graded(wants=wants, limits={"Smithy": 3})) == "Smithy"
    assert the_choice(parse_position(position), graded(wants=wants, limits={"Smithy": 2})) == "Silver"
    assert the_choice(parse_position(position), graded(wants={"Smithy": 1}, limits={"Smithy": 2})) == "pass"


@uncompiled
def test_a_limit_of_none_keeps_a_pile_from_being_bought():
    assert the_choice(buying(4), graded(wants={"Smithy": 1}, limits={"Smithy": 0})) == "pass"


@uncompiled
def test_an_empty_pile_is_no_choice_of_a_graded_strategy():
    wants = {"Smithy": 0.999999, "Silver": 0.000001}

    assert the_choice(buying(4, "0 Smithy"), graded(wants=wants)) == "Silver"


@uncompiled
def test_a_limit_does_not_keep_from_a_buy_that_wins():
    position = "P1: hand Copper | P2: hand Duchy | supply: 1 Province | " + BUY.format(8)

    assert the_choice(parse_position(position), graded(wants={"Gold": 1}, limits={"Province": 0})) == "Province"


@uncompiled
def test_three_draws_know_no_limits():
    strategy = preference({"Silver": 1})
    strategy.limits[:] = 0

    assert the_choice(buying(3), strategy) == "Silver"


@uncompiled
def test_a_graded_strategy_plays_all_treasures_though_it_wants_none():
    game = parse_position("P1: hand Copper, Silver")

    assert "pass" not in tries(game, graded(wants={"Gold": 1}))


# Gains


def test_a_gain_is_drawn_among_what_can_be_gained():
    game = after("P1: hand Workshop", "Workshop")
    counts = tries(game, preference({"Gold": 0.9, "Silver": 0.06, "Estate": 0.04}), MANY)

    assert fits({name: counts[name] for name in ("Silver", "Estate")}, {"Silver": 0.6, "Estate": 0.4})
    assert counts["Silver"] + counts["Estate"] == MANY


@uncompiled
def test_a_limit_is_heeded_by_gains_too():
    wants = {"Smithy": 0.999999, "Silver": 0.000001}
    game = after("P1: hand Workshop, Smithy", "Workshop")

    assert the_choice(game, graded(wants=wants, limits={"Smithy": 2})) == "Smithy"
    assert the_choice(game, graded(wants=wants, limits={"Smithy": 1})) == "Silver"


@uncompiled
def test_a_simple_graded_strategy_gains_anything_when_nothing_is_wanted():
    strategy = graded(wants={"Gold": 1})
    strategy.ranks_cards = 0
    gains = tries(after("P1: hand Workshop", "Workshop"), strategy, 500)

    assert set(gains) == set(answers(after("P1: hand Workshop", "Workshop")))


@uncompiled
def test_a_gain_that_nobody_wants_is_made_all_the_same():
    game = after("P1: hand Workshop", "Workshop")

    assert "pass" not in tries(game, preference({"Gold": 1}))


REMODEL = "P1: hand Remodel, Gold, Estate"
TRADE = {"Province": 0.4, "Silver": 0.4, "Gold": 0.2}
"""Province and Gold need the Gold trashed; for a Silver the Estate will do, which is preferred least."""


def test_what_to_gain_is_drawn_first_over_all_trashes():
    counts = tries(after(REMODEL, "Remodel"), preference(TRADE), MANY)

    assert fits(counts, {"Gold": 0.6, "Estate": 0.4})


@uncompiled
def test_the_gain_is_the_one_the_trash_was_chosen_for():
    trades = Counter()
    for seed in range(60):
        game = after(REMODEL, "Remodel", seed=seed)
        trashed = game.strategy_choice(preference(TRADE)).name
        gained = game.enact(trashed).strategy_choice(preference(TRADE)).name
        trades[trashed, gained] += 1

    assert set(trades) == {("Gold", "Province"), ("Gold", "Gold"), ("Estate", "Silver")}


def test_among_the_trashes_that_allow_the_gain_the_least_preferred_goes():
    """Two cards are ranked by drawing, and the one drawn first is kept."""
    game = after("P1: hand Remodel, Estate, Moat", "Remodel")
    counts = tries(game, preference({"Militia": 0.92, "Estate": 0.02, "Moat": 0.06}), MANY)

    assert fits(counts, {"Estate": 0.75, "Moat": 0.25})


@uncompiled
def test_mine_trashes_for_the_treasure_that_is_wanted():
    game = after("P1: hand Mine, Copper, Silver", "Mine")

    assert set(tries(game, preference({"Gold": 1}))) == {"Silver"}
    assert set(tries(game, preference({"Silver": 0.9, "Copper": 0.1}))) <= {"Copper", "Silver"}


# Discards


def test_militia_takes_what_is_preferred_least():
    game = after("P1: hand Militia | P2: hand 2 Copper, 2 Gold", "Militia")
    counts = tries(game, preference({"Gold": 0.75, "Copper": 0.25}), MANY)

    assert fits(counts, {"Copper": 0.75, "Gold": 0.25})


def test_of_three_cards_the_last_in_rank_is_discarded():
    wanted = {"Gold": 0.5, "Silver": 0.3, "Copper": 0.2}
    game = after("P1: hand Militia | P2: hand 2 Copper, Silver, Gold", "Militia")
    expected: Counter[str] = Counter()
    for order, probability in orders(wanted, 3).items():
        expected[order[-1]] += probability

    assert fits(tries(game, preference(wanted), MANY), expected)


@uncompiled
def test_militia_discards_by_the_early_preference_however_late_it_is():
    game = after("P1: hand Militia; turns 30 | P2: hand 2 Copper, 2 Gold; turns 29", "Militia")

    assert set(tries(game, preference({"Gold": 1}, {"Copper": 1}, switch=5))) == {"Copper"}


@uncompiled
def test_moat_is_always_revealed():
    game = after("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia")

    assert set(tries(game, preference({"Gold": 1}))) == {"Moat"}


# Cellar


def discarded_to_cellar(position: str, **options) -> str:
    game = after(position, "Cellar")
    strategy = preference(**options)
    while game.decision.title == "Cellar":
        (choice,) = tries(game, strategy, 20)
        if choice == "pass":
            break
        game.enact(choice)
    return discard(game)


@uncompiled
def test_cellar_of_the_original_discards_all_victory_cards_and_nothing_else():
    position = "P1: hand Cellar, 2 Estate, Duchy, Curse, 2 Copper, Moat; deck 9 Gold"

    assert discarded_to_cellar(position, early={"Gold": 1}, cellar_victory_only=1) == "2 Estate, Duchy"


@uncompiled
def test_cellar_of_the_original_discards_nothing_without_a_victory_card():
    assert discarded_to_cellar("P1: hand Cellar, 2 Copper; deck 9 Gold", early={"Gold": 1}, cellar_victory_only=1) == ""


@uncompiled
def test_cellar_discards_what_is_worth_less_than_a_card_of_the_deck():
    position = "P1: hand Cellar, Estate, 2 Copper, Gold; deck 4 Silver, 5 Estate"
    wanted = {"Gold": 0.6, "Silver": 0.3, "Copper": 0.1}  # a card of the deck is worth 0.3 * 4/9 = 0.13

    assert discarded_to_cellar(position, early=wanted) == "2 Copper, Estate"


@uncompiled
def test_cellar_keeps_what_is_worth_more_than_a_card_of_the_deck():
    position = "P1: hand Cellar, Estate, 2 Copper, Gold; deck 3 Silver, 9 Estate"
    wanted = {"Gold": 0.6, "Silver": 0.3, "Copper": 0.1}  # a card of the deck is worth 0.3 * 3/12 = 0.075

    assert discarded_to_cellar(position, early=wanted) == "Estate"


@uncompiled
def test_cellar_looks_at_the_discard_pile_when_the_deck_is_empty():
    position = "P1: hand Cellar, Copper, Gold; discard 4 Gold"

    assert discarded_to_cellar(position, early={"Gold": 0.9, "Copper": 0.1}) == "Copper, 4 Gold"


# From early to late


@pytest.mark.parametrize(("turns", "bought"), [(11, "Silver"), (12, "Silver"), (13, "Duchy"), (30, "Duchy")])
@uncompiled
def test_late_preferences_begin_with_the_turn_after_the_switch(turns, bought):
    game = parse_position(f"P1: hand Copper; turns {turns} | P2: turns {turns - 1} | {BUY.format(5)}")

    assert set(tries(game, preference({"Silver": 1}, {"Duchy": 1}, switch=12))) == {bought}


@uncompiled
def test_the_turns_of_the_one_who_decides_count():
    position = f"P1: hand Copper; turns 13 | P2: hand Copper; turns 12 | {BUY.format(5).replace('P1', 'P2')}"

    assert set(tries(parse_position(position), preference({"Silver": 1}, {"Duchy": 1}, switch=12))) == {"Silver"}


# Tries leave no trace


@uncompiled
def test_thinking_changes_nothing_but_the_random_stream():
    game = after(REMODEL, "Remodel")
    before = game.state.copy()
    tries(game, preference(TRADE))

    assert game.state == before
    assert hand(game) == "Gold, Estate"


@uncompiled
def test_an_intent_whose_gain_was_never_asked_does_not_linger():
    game = after("P1: hand Workshop | P2: hand Copper")
    game.state.intent = PILE_NAMES.index("Estate")

    game.enact(game.strategy_choice(preference({"Silver": 1})))

    assert game.strategy_choice(preference({"Silver": 1})).name == "Silver"
