"""Draws with deferred shuffling have the distribution of a shuffled deck."""

from collections import Counter

import numpy as np
import pytest

from evodom.dominion.engine.moves import draw, new_state, restart, undealt_state
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.state import STATE
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.position import parse_position
from tests.dominion.helpers import PILE_NAMES, fits, hypergeometric

N_DEALS = 60_000
COPPER = PILE_NAMES.index("Copper")


@pytest.fixture(scope="module")
def openings():
    """The Coppers in the first hand of each of two players, of many deals from one stream of seeds."""
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(FIRST_GAME.rules(2))
    seeds = np.random.SeedSequence(11).generate_state(N_DEALS, np.uint64)
    counts = Counter()
    for seed in seeds:
        restart(slots, seed)
        counts[int(slots[0].cards[Zone.HAND, COPPER]), int(slots[0].cards[Zone.HAND + 1, COPPER])] += 1
    return counts


def test_opening_hands_of_two_players_are_independent_and_hypergeometric(openings):
    one = hypergeometric(7, 10, 5)

    assert fits(openings, {(mine, theirs): one[mine] * one[theirs] for mine in one for theirs in one})


def test_an_opening_is_five_and_two_once_in_six(openings):
    splits = Counter()
    for (coppers, _), n in openings.items():
        splits["5/2" if coppers in (2, 5) else "4/3"] += n

    assert fits(splits, {"5/2": 1 / 6, "4/3": 5 / 6})


def test_openings_of_consecutive_seeds_are_independent_enough():
    rules = FIRST_GAME.rules(2)
    counts = Counter(int(new_state(rules, seed).cards[Zone.HAND, COPPER]) for seed in range(5_000))

    assert fits(counts, hypergeometric(7, 10, 5))


def drawn(position: str, n_drawn: int, name: str, n_tries: int = 20_000) -> Counter[int]:
    """Return how often each number of a card is drawn from a position, from one random stream."""
    game = parse_position(position, seed=2)
    pile, before = PILE_NAMES.index(name), game.cards(Zone.HAND)[name]
    counts, slots = Counter(), np.zeros(2, STATE)
    slots[1] = game.state
    state, stream = slots[0], game.state.deck_streams[0]
    for _ in range(n_tries):
        slots[0] = slots[1]
        state.deck_streams[0] = stream
        draw(state, 0, n_drawn)
        stream = state.deck_streams[0]
        counts[int(state.cards[Zone.HAND, pile]) - before] += 1
    return counts


def test_a_draw_from_the_deck_is_hypergeometric():
    counts = drawn("P1: hand Curse; deck 12 Copper, 3 Silver, 5 Estate", 5, "Silver")

    assert fits(counts, hypergeometric(3, 20, 5))


@pytest.mark.parametrize(
    ("zones", "n_certain", "n_sampled"),
    [
        ("deck 2 Silver; discard 6 Copper, 4 Silver", 2, 3),
        ("top Silver, Gold; deck 6 Copper, 4 Silver; discard 9 Silver", 1, 3),
        ("top 3 Silver; discard 6 Copper, 4 Silver", 3, 2),
    ],
    ids=["across a shuffle", "known cards on a deck", "known cards on an empty deck"],
)
def test_the_old_deck_and_known_cards_are_drawn_first_and_the_rest_is_hypergeometric(zones, n_certain, n_sampled):
    counts = drawn(f"P1: hand Curse; {zones}", 5, "Silver")

    assert fits(counts, {n_certain + n: p for n, p in hypergeometric(4, 10, n_sampled).items()})


def test_the_order_of_two_draws_does_not_matter():
    """Five cards after five others are distributed like the first five."""
    game = parse_position("P1: deck 7 Copper, 3 Silver; hand Curse", seed=8)
    counts = Counter()
    slots = np.zeros(2, STATE)
    slots[1] = game.state
    for seed in np.random.SeedSequence(12).generate_state(20_000, np.uint64):
        slots[0] = slots[1]
        state = slots[0]
        state.deck_streams[0] = seed
        draw(state, 0, 5)
        first = int(state.cards[Zone.HAND, COPPER])
        draw(state, 0, 5)
        counts[int(state.cards[Zone.HAND, COPPER]) - first] += 1
        assert state.n_cards[Zone.DECK] == state.n_cards[Zone.DISCARD] == 0

    assert fits(counts, hypergeometric(7, 10, 5))
