"""Random streams of a game: one for the deck and one for the strategy of each seat."""

from typing import Any

import numpy as np
import pytest

from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.batch import new_state
from evodom.dominion.engine.rules import MAX_SEATS, N_PILES
from evodom.dominion.engine.state import STATE, seed_streams
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from tests.effort import effort
from tests.jit.test_kernel import reference_words

QUIET = Kingdom(("Village", "Smithy", "Market", "Laboratory"))
"""A kingdom in which nobody touches another player's cards."""

N_TURNS = 8
"""So early no pile is empty, so that a player has the same choices whatever the others do."""


@pytest.mark.uncompiled
def test_all_streams_follow_from_the_seed():
    """The first six words of SplitMix64 begin the choices, the next six the decks, the last seat's first."""
    state = np.zeros(1, STATE)[0]

    seed_streams(state, np.uint64(1234567))

    words = reference_words(1234567)
    assert [int(word) for word in state.strategy_streams] == [next(words) for _ in range(MAX_SEATS)]
    assert [int(word) for word in state.deck_streams[::-1]] == [next(words) for _ in range(MAX_SEATS)]


@pytest.mark.uncompiled
def test_a_deck_draws_from_its_own_stream():
    state, before = new_state(QUIET.rules(3), 5), np.zeros(1, STATE)[0]
    seed_streams(before, np.uint64(5))

    assert (state.deck_streams != before.deck_streams).tolist() == [True] * 3 + [False] * 3
    assert (state.strategy_streams == before.strategy_streams).all()


def draws_and_choices(strategies: list[str], seat: int, seed: int) -> tuple[list[Any], list[Any]]:
    """Return a seat's hands at its first turns, as counts by pile, and the names of all that it chose in them."""
    table = [baseline(name, QUIET) for name in strategies]
    game = DominionGame(QUIET, len(table), seed=seed, log=False)
    hands, chosen = [], []
    while (decision := game.decision) is not None and game.state.turns[seat] <= N_TURNS:
        if decision.seat == seat and game.state.turns[seat] > len(hands):
            hands.append([int(n) for n in game.state.cards[Zone.HAND + seat, :N_PILES]])
        choice = game.strategy_choice(table[decision.seat])
        if decision.seat == seat:
            chosen.append(choice.name)
        game.enact(choice)
    return hands, chosen


@pytest.mark.parametrize("player", ["big-money", "random"])
def test_another_strategy_in_one_seat_changes_neither_draws_nor_choices_of_the_others(player):
    for seed in range(effort(10, 3, 3)):
        against_money = draws_and_choices(["big-money", player, "big-money"], 1, seed)
        against_chance = draws_and_choices(["random", player, "big-money-smithy"], 1, seed)

        assert len(against_money[0]) == N_TURNS
        assert against_money == against_chance


def test_another_seed_changes_draws_and_choices():
    hands, choices = draws_and_choices(["random", "random"], 0, 1)

    assert draws_and_choices(["random", "random"], 0, 2)[0] != hands
    assert draws_and_choices(["random", "random"], 1, 1)[1] != choices
