"""Whatever numbers a strategy is made of, it chooses what is legal, and its games end."""

import numpy as np
import pytest

from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import undealt_state
from evodom.dominion.engine.rules import MAX_SEATS, N_MODEL_PILES
from evodom.dominion.engine.state import STATE
from evodom.dominion.kingdom import Kingdom, draw_cards
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.columns import TYPES
from evodom.dominion.strategies.models.buy_lists.language import COMPARISONS, NO_ARGUMENT, OF_CARD, OF_TYPE, QUANTITIES
from evodom.dominion.strategies.record import PLAY_VALUES, STRATEGY, UNLIMITED, blank_strategies
from evodom.jit.kernel import COMPILED
from tests.dominion.checked_play import DECISIONS, FAULTS, play_each
from tests.dominion.helpers import BASE
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_KINGDOMS, N_GAMES = effort((60, 3), (12, 1), (2, 1))
"""Plain Python plays a few games, and only their beginnings."""

MOST_STEPS = effort(1_000_000, 1_000_000, 60)


def random_strategies(rng: np.random.Generator, *, uses_card_values: int) -> np.ndarray:
    """Return strategies of random numbers, ties, zeros and nonsense among them, one a seat."""
    strategies = blank_strategies(MAX_SEATS, "preferences")
    strategies["uses_card_values"] = uses_card_values
    strategies["preferences"]["graded"] = rng.integers(2, size=MAX_SEATS)
    weights = rng.random((MAX_SEATS, 2, N_MODEL_PILES)) ** 4 * (rng.random((MAX_SEATS, 2, N_MODEL_PILES)) < 0.6)
    strategies["preferences"]["weights"] = weights / weights.sum(axis=2, keepdims=True)
    strategies["preferences"]["class_weights"] = rng.dirichlet(np.ones(3), MAX_SEATS)
    strategies["switch"] = rng.integers(1, 25, size=MAX_SEATS)
    strategies["preferences"]["cellar_victory_only"] = rng.random(MAX_SEATS) < 0.2
    strategies["preferences"]["limits"] = rng.choice([0, 1, 2, 5, 99], size=(MAX_SEATS, N_MODEL_PILES))
    strategies["preferences"]["max_gains_to_end"] = rng.choice([0, 3, 8, UNLIMITED], size=(MAX_SEATS, N_MODEL_PILES))
    strategies["preferences"]["pass_weights"] = rng.random((MAX_SEATS, 2)) * (rng.random((MAX_SEATS, 2)) < 0.3)
    for part, field, greatest in (
        (strategies, "switch_on", 2),
        (strategies, "switch_left", 12),
        (strategies["preferences"], "province_coins", 20),
        (strategies["preferences"], "terminal_per", 20),
    ):
        part[field] = rng.integers(greatest + 1, size=MAX_SEATS)
    strategies["preferences"]["terminals"] = rng.choice([0, 2, UNLIMITED], size=MAX_SEATS)
    for field in ("deck_value", "hand_value"):
        strategies[field] = rng.integers(N_MODEL_PILES, size=(MAX_SEATS, N_MODEL_PILES))
    strategies["trash_below"] = rng.integers(N_MODEL_PILES + 2, size=(MAX_SEATS, 2))
    strategies["coin_floor"] = rng.integers(13, size=MAX_SEATS)
    return strategies


def random_buy_list(kingdom: Kingdom, rng: np.random.Generator) -> BuyList:
    """Return a list that buys nearly all cards there are, with conditions of every kind and any numbers of its own."""
    names = list(kingdom.names)
    quantities = []
    for name, (_, kind) in QUANTITIES.items():
        argument = {NO_ARGUMENT: "", OF_CARD: f"({rng.choice(names)})", OF_TYPE: f"({rng.choice([*TYPES])})"}[kind]
        quantities.append(name + argument)
    rules = []
    for name in rng.permutation(names)[1:]:
        left, right = rng.choice(quantities, size=2, replace=False)
        limit = f"count_in_deck({name}) < {rng.integers(1, 5)}"
        either = f"{left} {rng.choice([*COMPARISONS])} {right} + {rng.integers(-3, 4)}"
        rules.append(f"{name} if {either if rng.random() < 0.3 else limit}".replace("+ -", "- "))
    tables = {
        table: {name: int(rng.integers(1, 50)) for name in rng.choice(names, size=3)}
        for table in (
            "play", "play_with_spare_actions", "play_without_curses", "hand_value", "deck_value",
            "deck_value_if_wanted",
        )
    }  # fmt: skip
    floor, below, to = (int(n) for n in rng.integers(0, 40, size=3))
    check = bool(rng.integers(2))
    values = int(rng.integers(len(PLAY_VALUES)))
    return BuyList(
        tuple(rules), check, values, **tables, coin_floor=floor, trash_below=below, discard_to=to if to > 20 else None
    )


def played(seed: int, kind: str) -> tuple[Kingdom, np.ndarray, np.ndarray, np.ndarray]:
    """Return a random kingdom, and the last records, the faults and what was seen of games in it."""
    rng = np.random.default_rng(seed)
    kingdom = Kingdom(tuple(card.name for card in draw_cards([], seed=seed, first_edition=True)))
    if kind == "buy list":
        strategies = np.zeros(MAX_SEATS, STRATEGY)
        for seat in range(MAX_SEATS):
            strategies[seat] = buy_list_strategy(random_buy_list(kingdom, rng), kingdom)
    else:
        strategies = random_strategies(rng, uses_card_values=kind == "ranking")
    rules = kingdom.rules(2 + seed % 5)
    slots, start = np.zeros(2, STATE), undealt_state(rules)
    slots[1] = start
    start_total = start.owned.sum(axis=0) + rules.supply
    seeds = np.random.SeedSequence(seed).generate_state(N_GAMES, np.uint64)
    finals, faults = np.zeros(N_GAMES, STATE), np.zeros(N_GAMES, np.int64)
    table = rng.permutation(MAX_SEATS)
    seen = play_each(rules, slots, Lineup(strategies).arrays, table, seeds, start_total, MOST_STEPS, finals, faults)
    return kingdom, finals, faults, seen


@pytest.mark.parametrize("kind", ["ranking", "simple", "buy list"])
def test_random_strategies_in_random_kingdoms_choose_what_is_legal_and_their_games_end(kind):
    kinds = set()
    for seed in range(N_KINGDOMS):
        kingdom, finals, faults, seen = played(seed, kind)
        kinds |= set(kingdom.cards)

        assert [FAULTS[fault] for fault in faults if fault] == [], (seed, kingdom)
        assert not COMPILED or (finals["ended"] != Ending.PLAYING).all(), (seed, kingdom)
        assert seen[DECISIONS] > 0
    assert not COMPILED or kinds == {card.name for card in BASE}
