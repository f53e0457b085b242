"""Kernels for the published play values: discards and cards put back, by the rules of published simulators.

Open it to compare a buy list with results of other simulators. `hand_values` and `choices` have the usual play.
"""

from typing import Any

from evodom.dominion.effects.ops import ChoiceSize, Column, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.rules import N_MODEL_PILES, PASS, Rules
from evodom.dominion.engine.state import State, deck_size
from evodom.dominion.strategies.play.choices import select_card, select_topdeck
from evodom.dominion.strategies.play.pick import highest, lowest
from evodom.dominion.strategies.record import EARLY, Strategy
from evodom.jit.kernel import kernel


@kernel
def select_discard(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Discard the card with the lowest hand value. An optional discard needs a low value and cards to draw."""
    row = state.asked_effect
    seat = state.decider
    if state.legal & PASS_BIT == 0:
        return card_to_give_up(rules, state, strategy, cards)
    if rules.effects[row, Column.CHOICE_SIZE] != ChoiceSize.ANY:
        return select_card(rules, state, strategy)
    if rules.effects[row, Column.SOURCE] == Zone.HAND:
        n_new = deck_size(state, seat) + state.n_cards[Zone.DISCARD + seat] - state.n_chosen
        if state.n_chosen >= n_new:
            return PASS
    least = lowest(strategy.hand_value, cards)
    return least if strategy.hand_value[least] <= strategy.discard_to else PASS


@kernel
def card_to_give_up(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the card of a hand to discard: a surplus terminal Action, else the card with the lowest hand value."""
    terminals = cards & rules.actions & ~rules.action_classes[0]
    n = 0
    for pile in range(N_MODEL_PILES):
        if (terminals >> pile) & 1:
            n += state.cards[Zone.HAND + state.decider, pile]
    return lowest(strategy.hand_value, terminals if n > 1 else cards)


@kernel
def select_put_back(rules: Rules, state: State, strategy: Strategy, cards: int, is_done: bool) -> Any:
    """Put a card onto the deck.

    - From the discard pile: the highest hand value. Pass if it is low, or if not ``is_done``: an Action can be played.
    - From the hand, in the own turn: the card of `select_topdeck`.
    - Otherwise: the lowest hand value.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    if source == Zone.DISCARD:
        best = highest(strategy.hand_value, cards)
        is_good = strategy.hand_value[best] >= strategy.trash_below[EARLY]
        return best if is_good and is_done else PASS
    if source == Zone.HAND and state.decider == state.active:
        return select_topdeck(rules, state, strategy, cards)
    return lowest(strategy.hand_value, cards)
