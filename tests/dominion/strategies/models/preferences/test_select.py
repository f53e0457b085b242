"""How a preference strategy chooses, Decision by Decision."""

from collections import Counter
from functools import partial
from itertools import permutations
from math import prod

import pytest

from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from tests.chi_square import fits
from tests.dominion.helpers import EPSILON, PILE_NAMES, after, discard, hand, preference, tries, weighing

MANY = 20_000
BUY = "turn: P1, 0 actions, 1 buy, {} coins, buy phase"
NONTERMINAL, TERMINAL_DRAW, TERMINAL = (1, EPSILON, EPSILON), (EPSILON, 1, EPSILON), (EPSILON, EPSILON, 1)

uncompiled = pytest.mark.uncompiled


def at_buy(coins: int, supply: str = "10 Smithy") -> str:
    return f"P1: hand Copper | P2: hand Copper | supply: {supply} | " + BUY.format(coins)


def buying(coins: int, supply: str = "10 Smithy"):
    return DominionGame.from_position(at_buy(coins, supply))


GRADED = ("Gold > Silver > Copper", {"Province": 0.5, "Gold": 0.3, "Silver": 0.12, "Smithy": 0.08})
REMODEL = "P1: hand Remodel, Gold, Estate"
TRADE = {"Province": 0.4, "Silver": 0.4, "Gold": 0.2}
"""Province and Gold need the Gold trashed; for a Silver the Estate will do, which is preferred least."""


def graded(order: str = GRADED[0], wants: dict[str, float] = GRADED[1], **options):
    return weighing(order, wants, kingdom=FIRST_GAME, **options)


def simple_graded(wants: dict[str, float]):
    strategy = graded(wants=wants)
    strategy.uses_card_values = 0
    return strategy


def without_limits(wants: dict[str, float]):
    strategy = preference(wants)
    strategy["preferences"].limits[:] = 0
    return strategy


SMITHY_FIRST = {"Smithy": 0.999999, "Silver": 0.000001}
OWNING_THREE = "P1: hand Smithy; deck Smithy; discard Copper | P2: hand Smithy | " + BUY.format(4)
LATE = "P1: hand Copper; turns {} | P2: turns {} | " + BUY.format(5)
UP_TO_4 = {"Copper", "Curse", "Estate", "Silver", "Cellar", "Merchant", "Militia", "Moat", "Remodel", "Smithy",
           "Village", "Workshop"}  # fmt: skip

CASES = [
    # The preferred class of Actions is played first; the action phase is not passed while an Action is playable.
    *(("P1: hand Village, Smithy, Militia, Gold", "", partial(preference, {"Gold": 1}, classes=classes), {played})
      for classes, played in ((NONTERMINAL, "Village"), (TERMINAL_DRAW, "Smithy"), (TERMINAL, "Militia"))),
    ("P1: hand Mine, Gold", "", partial(preference, {"Gold": 1}, classes=NONTERMINAL), {"Mine"}),
    # All Treasures are played, whatever is wanted.
    ("P1: hand Copper, Silver", "", partial(preference, {"Gold": 1}), ("Copper", "Silver")),
    ("P1: hand Copper, Silver", "", partial(graded, wants={"Gold": 1}), ("Copper", "Silver")),
    # Up to three distinct piles are thought of, whether they can be bought or not. They know no limits.
    (at_buy(4), "", partial(preference, {"Province": 0.5, "Gold": 0.3, "Duchy": 0.2}), {"pass"}),
    (at_buy(4), "", partial(preference, {"Province": 0.999, "Silver": 0.001}), {"Silver"}),
    (at_buy(4, "0 Smithy"), "", partial(preference, {"Smithy": 0.5, "Gold": 0.3, "Duchy": 0.2}), {"pass"}),
    (at_buy(3), "", partial(without_limits, {"Silver": 1}), {"Silver"}),
    # A graded buy is one of what can be bought and has weight; else it is passed.
    (at_buy(2), "", graded, {"pass"}),
    (at_buy(8), "", graded, tuple(GRADED[1])),
    (at_buy(4, "0 Smithy"), "", partial(graded, wants=SMITHY_FIRST), {"Silver"}),
    # A pile owned up to its limit is not bought, but what is wanted next.
    (OWNING_THREE, "", partial(graded, wants=SMITHY_FIRST, limits={"Smithy": 3}), {"Smithy"}),
    (OWNING_THREE, "", partial(graded, wants=SMITHY_FIRST, limits={"Smithy": 2}), {"Silver"}),
    (OWNING_THREE, "", partial(graded, wants={"Smithy": 1}, limits={"Smithy": 2}), {"pass"}),
    (at_buy(4), "", partial(graded, wants={"Smithy": 1}, limits={"Smithy": 0}), {"pass"}),
    # A limit does not keep from a buy that wins.
    ("P1: hand Copper | P2: hand Duchy | supply: 1 Province | " + BUY.format(8),
     "", partial(graded, wants={"Gold": 1}, limits={"Province": 0}), {"Province"}),
    # Gains heed limits too, and are made though nothing is wanted.
    ("P1: hand Workshop, Smithy", "Workshop", partial(graded, wants=SMITHY_FIRST, limits={"Smithy": 2}), {"Smithy"}),
    ("P1: hand Workshop, Smithy", "Workshop", partial(graded, wants=SMITHY_FIRST, limits={"Smithy": 1}), {"Silver"}),
    ("P1: hand Workshop", "Workshop", partial(simple_graded, {"Gold": 1}), UP_TO_4),
    ("P1: hand Workshop", "Workshop", partial(preference, {"Gold": 1}), tuple(UP_TO_4)),
    # Mine trashes for the Treasure that is wanted.
    ("P1: hand Mine, Copper, Silver", "Mine", partial(preference, {"Gold": 1}), {"Silver"}),
    # Militia discards by the early preference, however late it is. Moat is always revealed.
    ("P1: hand Militia; turns 30 | P2: hand 2 Copper, 2 Gold; turns 29",
     "Militia", partial(preference, {"Gold": 1}, {"Copper": 1}, switch=5), {"Copper"}),
    ("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia", partial(preference, {"Gold": 1}), {"Moat"}),
    # The late preference begins with the turn after the switch. The turns of the player who decides count.
    *((LATE.format(turns, turns - 1), "", partial(preference, {"Silver": 1}, {"Duchy": 1}, switch=12), {bought})
      for turns, bought in ((11, "Silver"), (12, "Silver"), (13, "Duchy"), (30, "Duchy"))),
    ("P1: hand Copper; turns 13 | P2: hand Copper; turns 12 | " + BUY.format(5).replace("P1", "P2"),
     "", partial(preference, {"Silver": 1}, {"Duchy": 1}, switch=12), {"Silver"}),
]  # fmt: skip
"""A position, the choice before, a strategy, and all that it chooses: a set, or a tuple of which some are chosen."""


@uncompiled
@pytest.mark.parametrize(("position", "before", "strategy", "chosen"), CASES)
def test_choices_of_a_preference_strategy(position, before, strategy, chosen):
    found = set(tries(after(position, *filter(None, [before])), strategy(), 500 if len(chosen) > 1 else 100))

    assert found == chosen if isinstance(chosen, set) else found <= {*chosen}


DISCARDED = [
    # The original's Cellar discards all Victory cards and nothing else.
    ("hand Cellar, 2 Estate, Duchy, Curse, 2 Copper, Moat; deck 9 Gold", {"Gold": 1}, 1, "2 Estate, Duchy"),
    ("hand Cellar, 2 Copper; deck 9 Gold", {"Gold": 1}, 1, ""),
    # What is worth less than a card of the deck goes: 0.3 * 4/9 = 0.13, and 0.3 * 3/12 = 0.075.
    ("hand Cellar, Estate, 2 Copper, Gold; deck 4 Silver, 5 Estate",
     {"Gold": 0.6, "Silver": 0.3, "Copper": 0.1}, 0, "2 Copper, Estate"),
    ("hand Cellar, Estate, 2 Copper, Gold; deck 3 Silver, 9 Estate",
     {"Gold": 0.6, "Silver": 0.3, "Copper": 0.1}, 0, "Estate"),
    # With an empty deck the discard pile is what comes.
    ("hand Cellar, Copper, Gold; discard 4 Gold", {"Gold": 0.9, "Copper": 0.1}, 0, "Copper, 4 Gold"),
]  # fmt: skip


@uncompiled
@pytest.mark.parametrize(("position", "wants", "victory_only", "discarded"), DISCARDED)
def test_discards_for_a_cellar(position, wants, victory_only, discarded):
    game, strategy = after(f"P1: {position}", "Cellar"), preference(wants, cellar_victory_only=victory_only)
    while game.decision.title == "Cellar":
        (choice,) = tries(game, strategy, 20)
        if choice == "pass":
            break
        game.enact(choice)

    assert discard(game) == discarded


# Actions


@uncompiled
def test_every_action_has_its_class():
    """Each is preferred to an Action of every other class."""
    others = {"Village": NONTERMINAL, "Smithy": TERMINAL_DRAW, "Militia": TERMINAL}
    for classes, names in [
        (NONTERMINAL, ("Cellar", "Merchant", "Village", "Market")),
        (TERMINAL_DRAW, ("Moat", "Smithy")),
        (TERMINAL, ("Workshop", "Militia", "Remodel", "Mine")),
    ]:
        rest = ", ".join(other for other, its_classes in others.items() if its_classes != classes)
        for name in names:
            game = DominionGame.from_position(f"P1: hand {name}, {rest}, Gold")
            assert set(tries(game, preference({"Gold": 1}, classes=classes), 20)) == {name}


def test_classes_are_drawn_by_weight_and_actions_of_a_class_uniformly():
    two_classes = DominionGame.from_position("P1: hand Smithy, Militia, Gold")
    one_class = DominionGame.from_position("P1: hand Village, 2 Market, Merchant, Cellar, Smithy")

    by_class = tries(two_classes, preference({"Gold": 1}, classes=(0.5, 0.3, 0.2)), MANY)

    assert fits(by_class, {"Smithy": 0.6, "Militia": 0.4})
    uniform = dict.fromkeys(("Village", "Market", "Merchant", "Cellar"), 1 / 4)
    assert fits(tries(one_class, preference({"Market": 1}), MANY), uniform)


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
def test_a_buy_is_passed_in_proportion_to_the_pass_weight():
    strategy = weighing("Gold > Silver > Copper > Curse", {"Silver": 1}, kingdom=FIRST_GAME)
    strategy["preferences"].pass_weights[:] = 1

    counts = tries(buying(4), strategy, 100)

    assert set(counts) == {"Silver", "pass"}
    assert 25 < counts["pass"] < 75


@pytest.mark.parametrize("coins", [0, 3, 5, 6, 8])
def test_the_first_affordable_of_three_drawn_piles_is_bought(coins):
    costs = {"Province": 8, "Gold": 6, "Duchy": 5, "Silver": 3, "Copper": 0}
    wanted = {"Province": 0.4, "Gold": 0.25, "Duchy": 0.15, "Silver": 0.15, "Copper": 0.05}
    expected: Counter[str] = Counter()
    for order, probability in orders(wanted, 3).items():
        expected[next((name for name in order if costs[name] <= coins), "pass")] += probability

    assert fits(tries(buying(coins), preference(wanted), MANY), expected)


# Graded buys


def test_a_graded_buy_is_drawn_by_weight_among_affordable_piles():
    for coins, expected in [
        (8, {"Province": 0.5, "Gold": 0.3, "Silver": 0.12, "Smithy": 0.08}),
        (6, {"Gold": 0.6, "Silver": 0.24, "Smithy": 0.16}),
        (5, {"Silver": 0.6, "Smithy": 0.4}),
        (3, {"Silver": 1}),
    ]:
        assert fits(tries(buying(coins), graded(), MANY), expected)


# Gains


def test_a_gain_is_drawn_by_weight_among_available_piles():
    game = after("P1: hand Workshop", "Workshop")
    counts = tries(game, preference({"Gold": 0.9, "Silver": 0.06, "Estate": 0.04}), MANY)

    assert fits({name: counts[name] for name in ("Silver", "Estate")}, {"Silver": 0.6, "Estate": 0.4})
    assert counts["Silver"] + counts["Estate"] == MANY


def test_the_gain_of_a_trade_is_drawn_over_all_trashes():
    counts = tries(after(REMODEL, "Remodel"), preference(TRADE), MANY)

    assert fits(counts, {"Gold": 0.6, "Estate": 0.4})


@uncompiled
def test_a_trade_gains_the_pile_intended_by_the_trash():
    trades = Counter()
    for seed in range(60):
        game = after(REMODEL, "Remodel", seed=seed)
        trashed = game.strategy_choice(preference(TRADE)).name
        gained = game.enact(trashed).strategy_choice(preference(TRADE)).name
        trades[trashed, gained] += 1

    assert set(trades) == {("Gold", "Province"), ("Gold", "Gold"), ("Estate", "Silver")}


def test_a_trade_trashes_the_least_preferred_card_that_allows_the_gain():
    """Two cards are ranked by drawing, and the one drawn first is kept."""
    game = after("P1: hand Remodel, Estate, Moat", "Remodel")
    counts = tries(game, preference({"Militia": 0.92, "Estate": 0.02, "Moat": 0.06}), MANY)

    assert fits(counts, {"Estate": 0.75, "Moat": 0.25})


# Discards


def test_the_least_preferred_card_by_drawn_rank_is_discarded():
    wanted = {"Gold": 0.5, "Silver": 0.3, "Copper": 0.2}
    game = after("P1: hand Militia | P2: hand 2 Copper, Silver, Gold", "Militia")
    expected: Counter[str] = Counter()
    for order, probability in orders(wanted, 3).items():
        expected[order[-1]] += probability

    assert fits(tries(game, preference(wanted), MANY), expected)


# Tries leave no trace


@uncompiled
def test_a_choice_changes_only_the_random_stream():
    game = after(REMODEL, "Remodel")
    before = game.state.copy()
    tries(game, preference(TRADE))

    assert game.state == before
    assert hand(game) == "Gold, Estate"


@uncompiled
def test_an_unused_intent_is_dropped():
    game = after("P1: hand Workshop | P2: hand Copper")
    game.state.planned_gain = PILE_NAMES.index("Estate")

    game.enact(game.strategy_choice(preference({"Silver": 1})))

    assert game.strategy_choice(preference({"Silver": 1})).name == "Silver"
