"""What a strategy reads of a state: how near the end is, what the deck makes, and so which cards are wanted."""

from typing import Any

from evodom.dominion.cards import PROVINCE, TERMINAL, TERMINAL_DRAW
from evodom.dominion.engine.effects import SUPPLY
from evodom.dominion.engine.rules import N_PILES, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE, SWITCH_PROVINCES, SWITCH_TURN
from evodom.dominion.strategies.model import Strategy
from evodom.jit.kernel import kernel


@kernel
def gains_to_end(rules: Rules, state: State) -> Any:
    """Return the fewest gains that can end the game: all Provinces, or the smallest other piles until enough are empty.

    Empty piles count as those of zero cards; piles without a card in this kingdom do not count.
    """
    # The sizes of the four smallest piles, without a branch that no processor foresees.
    first = second = third = fourth = state.cards[SUPPLY, PROVINCE]  # a larger pile is no way to end it
    for pile in range(rules.n_piles):
        if pile == PROVINCE:
            continue
        n = state.cards[SUPPLY, pile]
        fourth = min(fourth, max(third, n))
        third = min(third, max(second, n))
        second = min(second, max(first, n))
        first = min(first, n)
    least = first + second + third + (fourth if rules.piles_to_end == 4 else 0)
    return min(least, state.cards[SUPPLY, PROVINCE])


@kernel
def phase_of(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the phase, EARLY or LATE, of the one who decides."""
    if strategy.switch_on == SWITCH_TURN:
        return LATE if state.turns[state.decider] > strategy.switch else EARLY
    if strategy.switch_on == SWITCH_PROVINCES:
        return LATE if state.cards[SUPPLY, PROVINCE] <= strategy.switch_left else EARLY
    return LATE if gains_to_end(rules, state) <= strategy.switch_left else EARLY


@kernel
def deck_coins(rules: Rules, state: State, seat: Any) -> Any:
    """Return the coins that all Treasures of a seat make."""
    coins = 0
    for pile in range(N_PILES):
        coins += state.owned[seat, pile] * rules.coins[pile]
    return coins


@kernel
def has_room_for_terminal(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Tell whether a deck has fewer terminal Actions than the strategy thinks it can play."""
    seat = state.decider
    terminals = rules.classes[TERMINAL_DRAW] | rules.classes[TERMINAL]
    room = strategy.terminals
    n_owned = 0
    for pile in range(N_PILES):
        n = state.owned[seat, pile]
        n_owned += n
        room += n * rules.extra_actions[pile]
        if (terminals >> pile) & 1:
            room -= n
    if strategy.terminal_per > 0:
        room += n_owned // strategy.terminal_per
    return room > 0


@kernel
def wanted_of(rules: Rules, state: State, strategy: Strategy, weights: Any, piles: Any) -> Any:
    """Return those of the piles that are preferred at all, and of which one more is wanted now."""
    seat = state.decider
    left = -1
    for pile in range(N_PILES):
        if (piles >> pile) & 1 == 0:
            continue
        if weights[pile] == 0.0 or state.owned[seat, pile] >= strategy.limits[pile]:
            piles &= ~(1 << pile)
        elif strategy.from_left[pile] < ALWAYS:
            if left < 0:
                left = gains_to_end(rules, state)
            if left > strategy.from_left[pile]:
                piles &= ~(1 << pile)
    waits = strategy.province_coins > 0 and (piles >> PROVINCE) & 1 != 0
    if waits and deck_coins(rules, state, seat) <= strategy.province_coins:
        piles &= ~(1 << PROVINCE)
    terminals = rules.classes[TERMINAL_DRAW] | rules.classes[TERMINAL]
    if piles & terminals != 0 and strategy.terminals < ALWAYS and not has_room_for_terminal(rules, state, strategy):
        piles &= ~terminals
    return piles
