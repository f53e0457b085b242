"""Traits of cards and options, and embeddings."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.cards import ACTION, BASIC, CARDS, CURSE, Card, find_card
from evodom.dominion.effects.effect import Effect, choose_options, option
from evodom.dominion.effects.hand import coins, reveal_from_hand
from evodom.dominion.effects.ops import Count, Trigger, Zone
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.models.networks import hypernetwork
from evodom.dominion.strategies.models.networks.traits import (
    CARD_COLUMNS,
    OTHER,
    PASSING,
    SHARED_COLUMNS,
    TRAITS,
    options_of,
    traits_of,
    traits_of_option,
)

BY_HAND = {
    "Chapel": {"cost": 0.4, "Action": 1, "terminal": 1, "trashes from hand": 1, "hand to trash": 2},
    "Witch": {
        "cost": 1, "Action": 1, "Attack": 1, "terminal": 1, "draws only": 1, "cards": 2 / 3, "gives Curses": 1,
        "others' supply to discard": 0.5,
    },
    "Laboratory": {"cost": 1, "Action": 1, "cards": 2 / 3, "Actions": 0.5},
    "Gold": {"cost": 1.2, "Treasure": 1, "coins": 1.5},
    "Gardens": {"cost": 0.8, "Victory": 1, "points for others": 1, "points per card": 0.1},
    "Curse": {"points": -1 / 6},
    "Throne Room": {
        "cost": 0.8, "Action": 1, "plays another": 1, "plays again": 1, "hand to in play": 0.5, "if chosen": 0.5,
    },
    "Bridge": {"cost": 0.8, "Action": 1, "terminal": 1, "Buys": 1, "coins": 0.5, "cheaper": 0.5},
    "Conspirator": {
        "cost": 0.8, "Action": 1, "terminal": 1, "coins": 1, "if actions played": 0.5, "cards": 1 / 6, "Actions": 0.25,
    },
    "Nobles": {
        "cost": 1.2, "Action": 1, "Victory": 1, "points": 1 / 3, "options": 0.5, "cards": 0.5, "Actions": 0.5,
    },
    "Wharf": {
        "cost": 1, "Action": 1, "Duration": 1, "terminal": 1, "draws only": 1, "cards": 2 / 3, "Buys": 1,
        "next turn": 1, "cards next turn": 2 / 3, "Buys next turn": 1,
    },
    "Lighthouse": {
        "cost": 0.4, "Action": 1, "Duration": 1, "Actions": 0.5, "coins": 0.5, "next turn": 1, "coins next turn": 0.5,
        "until next turn": 1, "protects": 1,
    },
    "Hoard": {
        "cost": 1.2, "Treasure": 1, "coins": 1, "this turn": 1, "when gain": 1, "gains a card worth": 0.25,
        "supply to discard": 0.125,
    },
    "Peddler": {"cost": 1.6, "Action": 1, "cards": 1 / 3, "Actions": 0.5, "coins": 0.5, "cheaper per Action": 1},
    "Monument": {"cost": 0.8, "Action": 1, "terminal": 1, "coins": 1, "VP tokens": 1},
}  # fmt: skip


def without_zeros(traits: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in traits.items() if value}


def test_traits_of_cards():
    for name, expected in BY_HAND.items():
        assert without_zeros(traits_of(find_card(name))) == pytest.approx({"any card": 1, **expected})


def test_traits_of_options():
    steward, torturer, watchtower, investment = (
        [without_zeros(each) for each in options_of(find_card(name))]
        for name in ("Steward", "Torturer", "Watchtower", "Investment")
    )

    assert steward == [
        {"cards": pytest.approx(2 / 3)},
        {"coins": 1.0},
        {"trashes from hand": 0.5, "must trash": 1.0, "hand to trash": 1.0},
    ]
    assert torturer == [{"discards own": 1.0, "hand to discard": 1.0}, {"gains a Curse": 1.0, "supply to hand": 0.5}]
    assert watchtower == [{"gained to trash": 1.0}, {"gained to deck top": 1.0}]
    assert investment[1].keys() >= {"trashes itself", "per hand names", "VP tokens"}


def changed(effects: tuple[Effect, ...]) -> Iterator[tuple[Effect, ...]]:
    """Yield a program without each of its Effects, without each condition, and without each count."""
    for place, effect in enumerate(effects):
        before, after = effects[:place], effects[place + 1 :]
        yield (*before, *after)
        if effect.condition is not None:
            yield (*before, replace(effect, condition=None), *after)
        if effect.per is not None:
            yield (*before, replace(effect, per=None), *after)
        for inner in changed(effect.inner):
            yield (*before, replace(effect, inner=inner), *after)


def other_rows(card: Card) -> Iterator[Card]:
    """Yield the row of a card without each of its parts."""
    yield from (replace(card, effects=effects) for effects in changed(card.effects))
    for event, effects in card.on_event.items():
        yield replace(card, on_event={each: card.on_event[each] for each in card.on_event if each != event})
        yield from (replace(card, on_event={**card.on_event, event: fewer}) for fewer in changed(effects))
    yield from (replace(card, types=card.types & ~each) for each in card.types & ~CURSE)  # Curse has its own column
    yield replace(card, cost=card.cost + 1)
    for part in ("reaction", "this_turn", "until_next_turn"):
        watch = getattr(card, part)
        if watch is not None:
            yield replace(card, **{part: None})
            yield from (replace(card, **{part: replace(watch, effects=fewer)}) for fewer in changed(watch.effects))
    yield from (replace(card, end_of_buys=fewer) for fewer in changed(card.end_of_buys))
    unused = Card("", 0, ACTION)
    for part in ("end_of_buys", "changes", "cheaper_per_action", "not_bought_with"):
        if getattr(card, part):
            yield replace(card, **{part: getattr(unused, part)})
    if card.vp:
        yield replace(card, vp=0)
    if card.vp_per:
        yield replace(card, vp_per=None)
        yield replace(card, vp_per=replace(card.vp_per, n=card.vp_per.n + 1))


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_every_effect_condition_count_event_and_part_of_a_row_has_a_trait(card):
    traits = traits_of(card)

    assert OTHER not in traits
    for option_ in options_of(card):
        assert without_zeros(option_)
        assert OTHER not in option_
    for row in other_rows(card):
        assert without_zeros(traits_of(row)) != without_zeros(traits), row


@pytest.mark.parametrize(
    "effect",
    [
        Effect(99, n=1),  # an operation that has no trait
        replace(reveal_from_hand(), target=Zone.SUPPLY),
        replace(coins(1), per=replace(find_card("Poacher").effects[3].per, count=Count.EXTRA_TURNS)),
    ],
    ids=["operation", "move", "count"],
)
def test_an_effect_without_a_trait_counts_as_another_effect(effect):
    alone, inside = Card("Omen", 3, ACTION, (effect,)), choose_options(1, option("one", effect))

    assert traits_of(alone)[OTHER] > 0
    assert traits_of_option(inside.inner[0])[OTHER] > 0
    assert traits_of(Card("Tunnel", 3, ACTION, on_event={Trigger.DISCARDED: (coins(1),)}))[OTHER] > 0


def test_all_traits_are_used_and_about_one():
    used = set()
    for card in CARDS.values():
        for traits in (traits_of(card), *options_of(card)):
            used |= without_zeros(traits).keys()
            assert max(map(abs, traits.values())) <= 2.5
    assert used == TRAITS - {OTHER}


def test_embeddings_have_a_row_for_each_pile_and_passing():
    found = hypernetwork.card_embeddings(FIRST_GAME)

    assert found.shape == (len(FIRST_GAME.piles) + 1, hypernetwork.EMBEDDING_SIZE)
    assert found[-1].nonzero()[0].tolist() == [SHARED_COLUMNS.index(PASSING)]
    for row, card in zip(found, FIRST_GAME.piles, strict=False):
        assert {trait: row[SHARED_COLUMNS.index(trait)] for trait in TRAITS} == pytest.approx(
            dict.fromkeys(TRAITS, 0.0) | traits_of(card)
        )


def test_options_have_embeddings_in_the_order_of_the_effects():
    kingdom = Kingdom(("Nobles", "Pawn", "Smithy"))
    cards, actions, coins_ = (SHARED_COLUMNS.index(name) for name in ("cards", "Actions", "coins"))

    found = hypernetwork.option_embeddings(kingdom)

    assert found.shape == (6, hypernetwork.EMBEDDING_SIZE)
    assert found[:, cards] == pytest.approx([1 / 3, 0, 0, 0, 1, 0])
    assert found[:, actions].tolist() == [0, 0.5, 0, 0, 0, 1]
    assert found[:, coins_].nonzero()[0].tolist() == [3]
    assert hypernetwork.option_embeddings(FIRST_GAME).shape == (0, hypernetwork.EMBEDDING_SIZE)


def test_each_card_of_the_training_has_its_own_column():
    rows = [
        hypernetwork.card_embeddings(Kingdom((name,)))[Kingdom((name,)).pile(name)]
        for name in CARD_COLUMNS
        if name in CARDS
    ]

    assert (np.array(rows)[:, hypernetwork.N_SHARED_COLUMNS :] == np.eye(len(CARD_COLUMNS))).all()
    assert hypernetwork.TRAINED_SIZES.cards <= len(CARD_COLUMNS)
    basic = hypernetwork.card_embeddings(Kingdom(()))[:-1]
    assert not basic[:, hypernetwork.N_SHARED_COLUMNS :].any()
    assert len({tuple(row) for row in basic.tolist()}) == len(BASIC)
    for name in ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse"):
        assert basic[:, SHARED_COLUMNS.index(name)].nonzero()[0].tolist() == [Kingdom(()).pile(name)]
