"""Compute which cards preferences want now: the phase, the limits, the room for terminal Actions.

The counts of the decider's coins, Actions and terminal Actions are here, too.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE, TERMINAL, TERMINAL_DRAW
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.base import FloatArray
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.record import ALL_PILES, EARLY, LATE, SWITCH_PROVINCES, SWITCH_TURN, UNLIMITED, Strategy
from evodom.jit.kernel import kernel


@kernel
def phase_of(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the deciding seat's phase, EARLY or LATE."""
    if strategy.switch_on == SWITCH_TURN:
        return LATE if state.turns[state.decider] > strategy.switch else EARLY
    if strategy.switch_on == SWITCH_PROVINCES:
        return LATE if state.cards[Zone.SUPPLY, PROVINCE] <= strategy.switch_left else EARLY
    return LATE if gains_to_end(rules, state) <= strategy.switch_left else EARLY


@kernel
def deck_coins(rules: Rules, state: State, seat: int) -> Any:
    """Return the total coins of a seat's Treasures."""
    coins = 0
    for pile in range(N_MODEL_PILES):
        coins += state.owned[seat, pile] * rules.coins[pile]
    return coins


@kernel
def has_room_for_terminal(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return whether a deck has fewer terminal Actions than the strategy's limit."""
    wants: PreferenceColumns = strategy["preferences"]
    room = wants.terminals + spare_actions(rules, state)
    if wants.terminal_per > 0:
        room += count_in_deck(state, ALL_PILES) // wants.terminal_per
    return room > 0


@kernel
def spare_actions(rules: Rules, state: State) -> Any:
    """Return the extra Actions of the decider's cards (Village) minus the number of its terminal Actions."""
    spare = -n_terminals(rules, state)
    for pile in range(N_MODEL_PILES):
        spare += state.owned[state.decider, pile] * rules.extra_actions[pile]
    return spare


@kernel
def n_terminals(rules: Rules, state: State) -> Any:
    """Return the number of the decider's terminal Actions."""
    return count_in_deck(state, rules.action_classes[TERMINAL_DRAW] | rules.action_classes[TERMINAL])


@kernel
def count_in_deck(state: State, piles: int) -> Any:
    """Return the number of cards that the deciding seat has of a mask of piles."""
    total = np.int64(0)
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1:
            total += state.owned[state.decider, pile]
    return total


@kernel
def wanted_among(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, piles: int) -> Any:
    """Return the mask of piles with a positive weight whose next card is wanted now."""
    wants: PreferenceColumns = strategy["preferences"]
    seat = state.decider
    left = gains_to_end(rules, state)
    unchecked = piles
    while unchecked != 0:
        pile = lowest_pile(unchecked)
        unchecked &= unchecked - 1
        has_enough = state.owned[seat, pile] >= wants.limits[pile]
        if weights[pile] == 0.0 or has_enough or left > wants.max_gains_to_end[pile]:
            piles &= ~bit(pile)
    needs_coins = wants.province_coins > 0 and (piles >> PROVINCE) & 1 != 0
    if needs_coins and deck_coins(rules, state, seat) <= wants.province_coins:
        piles &= ~(1 << PROVINCE)
    terminals = rules.action_classes[TERMINAL_DRAW] | rules.action_classes[TERMINAL]
    if piles & terminals != 0 and wants.terminals < UNLIMITED and not has_room_for_terminal(rules, state, strategy):
        piles &= ~terminals
    return piles
