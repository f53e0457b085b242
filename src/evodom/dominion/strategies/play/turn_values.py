"""Value the rest of a turn: its buys with some coins, and the loss of cards from the hand.

A card has the value of its cost and its points. The answers of `answers` compare these values. Other choices of the
Base Set do not need them.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.models.buy_lists.buying import first_buy, first_wanted
from evodom.dominion.strategies.models.buy_lists.columns import BuyListColumns
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.play.choices import lowest_deck_value, worthless_cards
from evodom.dominion.strategies.play.deck_values import LAST_GAINS, points_of, wanted_now
from evodom.dominion.strategies.play.estimates import coins_per_draw, hand_coins, later_coins
from evodom.dominion.strategies.play.hand_values import MAX_BUYS, TIE_BREAK, value_of_gain
from evodom.dominion.strategies.play.menu_weights import OptionWeight
from evodom.dominion.strategies.play.pick import highest, lowest
from evodom.dominion.strategies.play.prices import for_sale, price_of
from evodom.dominion.strategies.play.wanted import phase_of, wanted_among
from evodom.dominion.strategies.record import EARLY, LATE, Strategy
from evodom.jit.kernel import kernel

MANY_DRAWN = 3
"""Minimum number of drawn cards for which the coins of a `forecast` differ by up to 2 from the expectation, not 1."""

COPPER_SHARE = 0.5
"""Value of trashing a Copper, as a share of the value of trashing a useless card."""

LOST_PER_COST = 0.25
"""Loss for each coin of the cost of a trashed useful card, as a share of the value of trashing a useless card."""

LATE_SHARE = 0.25
"""Factor of the value of a card in the last turns. The value of its points stays."""


@kernel
def change_of_buy_value(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int, n_drawn: int) -> Any:
    """Return `buy_expectation` minus its value without the ``coins``, ``n_buys`` and ``n_drawn`` cards."""
    before = buy_expectation(rules, state, strategy, 0.0, 0, 0)
    return buy_expectation(rules, state, strategy, coins, n_buys, n_drawn) - before


@kernel
def buy_expectation(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int, n_drawn: int) -> Any:
    """Return the expected value of this turn's buys with ``coins`` and ``n_buys`` more than the hand has.

    Drawn cards, and Actions that can still be played, make the coins uncertain. ``coins`` include the coins expected of
    ``n_drawn`` cards.
    """
    total = hand_coins(rules, state, NONE, 0, 0) + coins
    is_open = state.actions > 0 and state.piles_in[Zone.HAND + state.decider] & rules.actions != 0
    spread = 1 if is_open else 0
    if n_drawn > 0:
        spread = 1 if n_drawn < MANY_DRAWN else 2
    value = forecast(rules, state, strategy, total, state.buys, spread)
    if n_buys > 0:
        more = forecast(rules, state, strategy, total, state.buys + n_buys, spread)
        value += strategy.option_values[OptionWeight.BUYS] * (more - value)
    return value


@kernel
def forecast(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int, spread: int) -> Any:
    """Return the mean of `value_of_buys` for numbers of coins that differ by up to ``spread`` from the expected one."""
    total = 0.0
    for offset in range(-spread, spread + 1):
        total += value_of_buys(rules, state, strategy, int(coins + 0.5) + offset, n_buys)
    return total / (2 * spread + 1)


@kernel
def value_of_buys(rules: Rules, state: State, strategy: Strategy, coins: int, n_buys: int) -> Any:
    """Return the total cost and points of the cards that a strategy buys, plus TIE_BREAK for each of ``coins``."""
    total = TIE_BREAK * coins
    for _ in range(min(n_buys, MAX_BUYS)):
        pile = next_buy(rules, state, strategy, coins)
        if pile == NONE:
            break
        total += value_of_gain(rules, pile)
        coins -= price_of(rules, state, pile)
    return total


@kernel
def next_buy(rules: Rules, state: State, strategy: Strategy, coins: int) -> Any:
    """Return the pile that a strategy buys first with some coins; NONE for none."""
    lists: BuyListColumns = strategy["buy_lists"]
    if lists.n_rules > 0:
        return first_buy(rules, state, strategy, coins)
    return most_wanted(rules, state, strategy, for_sale(rules, state, coins))


@kernel
def most_wanted(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the pile of a mask that a list or preferences want most; NONE for none.

    A strategy of another model wants the most expensive card.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    wants: PreferenceColumns = strategy["preferences"]
    if lists.n_rules > 0:
        return first_wanted(rules, state, strategy, piles)
    weights = wants.weights[phase_of(rules, state, strategy)]
    wanted = wanted_among(rules, state, strategy, weights, piles)
    if wanted != 0:
        return highest(weights, wanted)
    has_weights = weights[highest(weights, (1 << rules.n_piles) - 1)] > 0.0
    return np.int64(NONE) if has_weights or piles == 0 else np.int64(highest(rules.cost, piles))


@kernel
def has_buy_plan(strategy: Strategy) -> Any:
    """Return whether a strategy has a buy list or weights."""
    lists: BuyListColumns = strategy["buy_lists"]
    wants: PreferenceColumns = strategy["preferences"]
    found = lists.n_rules > 0
    for pile in range(N_MODEL_PILES):
        found = found or wants.weights[EARLY, pile] > 0.0 or wants.weights[LATE, pile] > 0.0
    return found


@kernel
def trash_value_and_loss(rules: Rules, state: State, strategy: Strategy, cards: int, n: int) -> Any:
    """Return the value of trashing ``n`` cards of a mask, and the coins that the hand loses by it.

    The cards with the lowest deck value are trashed. A useless card counts 1, a Copper COPPER_SHARE. A useful card
    subtracts LOST_PER_COST for each coin of its cost.
    """
    wanted = wanted_now(rules, state, strategy)
    bad = cards_better_trashed(rules, state, strategy, wanted, cards)
    value = 0.0
    coins = 0
    while n > 0 and cards != 0:
        if strategy.uses_card_values != 0:
            pile = lowest_deck_value(rules, state, strategy, wanted, cards)
        else:
            pile = lowest(rules.coins, cards & bad) if cards & bad != 0 else lowest(rules.cost, cards)
        n_cards = min(state.cards[Zone.HAND + state.decider, pile], n)
        coins += n_cards * rules.coins[pile]
        if (bad >> pile) & 1 == 0:
            value -= n_cards * LOST_PER_COST * rules.cost[pile]
        else:
            value += n_cards * (COPPER_SHARE if rules.coins[pile] > 0 else 1.0)
        n -= n_cards
        cards &= ~bit(pile)
    return value, float(coins)


@kernel
def value_of_trashing(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the value of trashing a card: positive for a useless card, else minus its cost. Subtract its points."""
    value = -float(rules.cost[pile])
    if cards_better_trashed(rules, state, strategy, wanted_now(rules, state, strategy), bit(pile)) != 0:
        value = strategy.option_values[OptionWeight.TRASHING] * (COPPER_SHARE if rules.coins[pile] > 0 else 1.0)
    if gains_to_end(rules, state) <= LAST_GAINS:
        value = min(value, 0.0) * LATE_SHARE
    return value - points_of(rules, state, pile)


@kernel
def cards_better_trashed(rules: Rules, state: State, strategy: Strategy, wanted: int, cards: int) -> Any:
    """Return the mask of cards that are better trashed. Near the end of the game it has no cards with points."""
    if strategy.uses_card_values != 0:
        bad = worthless_cards(rules, state, strategy, wanted, cards)
    else:
        bad = cards & (rules.useless | (rules.treasures & rules.affordable[0])) & ~rules.variable_vp
    is_late = gains_to_end(rules, state) <= LAST_GAINS
    for pile in range(N_MODEL_PILES):
        if (bad >> pile) & 1 and (rules.vp[pile] > 1 or (rules.vp[pile] > 0 and is_late)):
            bad &= ~bit(pile)
    return bad


@kernel
def discard_loss(rules: Rules, state: State, cards: int, n: int) -> Any:
    """Return the coins that the hand loses without ``n`` cards of a mask. `least_missed` selects the cards."""
    now = hand_coins(rules, state, NONE, 0, 0)
    total = 0.0
    while n > 0 and cards != 0:
        pile = least_missed(rules, state, cards)
        n_cards = min(state.cards[Zone.HAND + state.decider, pile], n)
        total += now - hand_coins(rules, state, pile, -n_cards, 0) + n_cards * playable_later_coins(rules, state, pile)
        n -= n_cards
        cards &= ~bit(pile)
    return total


@kernel
def least_missed(rules: Rules, state: State, cards: int) -> Any:
    """Return the pile of a mask whose discard loses the fewest coins of the hand."""
    best = NONE
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1:
            coins = hand_coins(rules, state, pile, -1, 0) - playable_later_coins(rules, state, pile)
            if best == NONE or coins > most:
                best = pile
                most = coins
    return best


@kernel
def playable_later_coins(rules: Rules, state: State, pile: int) -> Any:
    """Return the next turn's coins from a Duration in hand, 0 if it cannot be played this turn."""
    if state.decider == state.active and state.actions == 0 and (rules.actions >> pile) & 1:
        return 0.0
    return later_coins(rules, state, pile, coins_per_draw(rules, state, state.decider))
