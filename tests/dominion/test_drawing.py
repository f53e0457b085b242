"""Draws with deferred shuffling have the distribution of a shuffled deck."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.cards import GOLD, SILVER
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.batch import new_state, restart, undealt_state
from evodom.dominion.engine.menu import lower_top_card
from evodom.dominion.engine.moves import draw, put_on_deck
from evodom.dominion.engine.state import STATE, deck_size
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from tests.chi_square import fits
from tests.dominion.helpers import PILE_NAMES, hypergeometric
from tests.effort import effort

COPPER = PILE_NAMES.index("Copper")


def test_opening_hands_are_independent_and_hypergeometric():
    slots, counts, one = np.zeros(2, STATE), Counter(), hypergeometric(7, 10, 5)
    slots[1] = undealt_state(FIRST_GAME.rules(2))
    for seed in np.random.SeedSequence(11).generate_state(effort(12_000, 2_000, 2_000), np.uint64):
        restart(slots, 0, seed)
        counts[tuple(slots[0].cards[[Zone.HAND, Zone.HAND + 1], COPPER].tolist())] += 1
    of_consecutive_seeds = [new_state(FIRST_GAME.rules(2), seed) for seed in range(effort(2_000, 400, 400))]

    assert fits(counts, {(mine, theirs): one[mine] * one[theirs] for mine in one for theirs in one})
    assert fits(Counter(int(state.cards[Zone.HAND, COPPER]) for state in of_consecutive_seeds), one)


def drawn(position: str, n_drawn: int, name: str, n_tries: int = effort(4_000, 800, 800)) -> Counter[int]:
    """Return how often each number of a card is drawn from a position, from one random stream."""
    game = DominionGame.from_position(position, seed=2)
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


@pytest.mark.parametrize(
    ("zones", "n_certain", "sampled"),
    [
        ("deck 12 Copper, 3 Silver, 5 Estate", 0, (3, 20, 5)),
        ("deck 2 Silver; discard 6 Copper, 4 Silver", 2, (4, 10, 3)),
        ("top Silver, Gold; deck 6 Copper, 4 Silver; discard 9 Silver", 1, (4, 10, 3)),
        ("top 3 Silver; discard 6 Copper, 4 Silver", 3, (4, 10, 2)),
    ],
    ids=["from the deck", "across a shuffle", "known cards on a deck", "known cards on an empty deck"],
)
def test_the_old_deck_and_known_cards_are_drawn_first_and_the_rest_is_hypergeometric(zones, n_certain, sampled):
    counts = drawn(f"P1: hand Curse; {zones}", 5, "Silver")

    assert fits(counts, {n_certain + n: p for n, p in hypergeometric(*sampled).items()})


def expanded(state) -> list[int | None]:
    """Return a deck from top to bottom; None for unseen cards."""
    deck: list[int | None] = []
    for index in range(state.n_known[0] - 1, -1, -1):
        deck += [*[None] * int(state.unseen_above[0, index]), int(state.known[0, index])]
    return deck + [None] * (int(deck_size(state, 0)) - len(deck))


@settings(deadline=None, max_examples=effort(60, 6, 6))
@given(st.lists(st.one_of(st.tuples(st.integers(3, 9), st.integers(0, 30)), st.integers(1, 3)), max_size=20))
def test_a_deck_with_cards_at_any_depth_is_drawn_as_a_list(steps):
    """A step puts a card of a pile at a depth, or draws some cards."""
    state = DominionGame.from_position("P1: deck 6 Copper, 6 Silver").state
    model: list[int | None] = [None] * 12
    for step in steps:
        if isinstance(step, tuple):
            pile, depth = step[0], min(step[1], len(model))
            put_on_deck(state, 0, pile, 0)
            lower_top_card(state, 0, depth)
            model.insert(depth, pile)
        else:
            before = state.cards[Zone.HAND].copy()
            draw(state, 0, step)
            drawn, model = model[:step], model[step:]
            new = state.cards[Zone.HAND] - before
            assert [new[pile] for pile in range(3, 10)] == [drawn.count(pile) for pile in range(3, 10)]
            assert new.sum() == len(drawn)
        assert expanded(state) == model


@pytest.mark.parametrize("depth", [0, 1, 3, 7])
def test_unseen_cards_around_a_card_put_into_the_deck_are_drawn_as_from_a_shuffled_deck(depth):
    """Of seven unseen cards, three Silvers, four or five are drawn: one less if the Gold is among the five."""
    game = DominionGame.from_position("P1: deck 4 Copper, 3 Silver", seed=3)
    put_on_deck(game.state, 0, GOLD, 0)
    lower_top_card(game.state, 0, depth)
    counts, slots = Counter(), np.zeros(2, STATE)
    slots[1] = game.state
    for seed in np.random.SeedSequence(depth).generate_state(effort(3_000, 600, 600), np.uint64):
        slots[0] = slots[1]
        slots[0].deck_streams[0] = seed
        draw(slots[0], 0, 2)
        draw(slots[0], 0, 3)
        counts[tuple(slots[0].cards[Zone.HAND, [SILVER, GOLD]].tolist())] += 1

    n_gold = int(depth < 5)
    assert fits(counts, {(n, n_gold): p for n, p in hypergeometric(3, 7, 5 - n_gold).items()})
