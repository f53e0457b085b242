"""Compute the values of cards in the deck, and the coins that the deck keeps. Choices to trash compare these values.

The unit is the unit of `hand_values`. An explicit value of a strategy replaces the computed value.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import COPPER, CURSE_PILE
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies import record
from evodom.dominion.strategies.models.buy_lists.buying import buy_rule, wanted_piles
from evodom.dominion.strategies.models.buy_lists.columns import ANY_NUMBER, OWNED_BELOW, PILE, BuyListColumns
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.play.hand_values import PER_COIN
from evodom.dominion.strategies.play.pick import highest
from evodom.dominion.strategies.play.wanted import phase_of, wanted_among
from evodom.jit.kernel import kernel

KEPT_VALUE = 30.0
"""Minimum value in the deck of a Victory card that is kept."""

MAX_AFTER_CURSES = 20.0
"""Maximum value in the deck of an Action that gives Curses, once no Curses are left."""

MANY_POINTS = 2
"""Minimum victory points of a Victory card that is always kept."""

LAST_GAINS = 3
"""Victory cards are kept once this many gains can end the game."""


@kernel
def wanted_now(rules: Rules, state: State, strategy: record.Strategy) -> Any:
    """Return the mask of piles that a strategy wants now: a rule holds, or the present weight is positive.

    It is 0 for a strategy without computed values.
    """
    wants: PreferenceColumns = strategy["preferences"]
    lists: BuyListColumns = strategy["buy_lists"]
    if strategy.computed[record.DECK_ROW] == 0:
        return 0
    if lists.n_rules > 0:
        return wanted_piles(rules, state, strategy)
    return wanted_among(rules, state, strategy, wants.weights[phase_of(rules, state, strategy)], record.ALL_PILES)


@kernel
def coin_floor_of(rules: Rules, state: State, strategy: record.Strategy, wanted: int) -> Any:
    """Return the coins that the deck keeps when a Treasure is trashed. ``wanted`` is the mask of `wanted_now`.

    The computed floor is COIN_FLOOR, the cost of a Gold. It is LOW_COIN_FLOOR if `is_money_bought` holds for each
    number of coins from LOW_COIN_FLOOR to COIN_FLOOR.
    """
    if strategy.coin_floor != record.COMPUTED:
        return np.int64(strategy.coin_floor)
    for coins in range(record.LOW_COIN_FLOOR, record.COIN_FLOOR + 1):
        if not is_money_bought(rules, state, strategy, wanted, coins):
            return np.int64(record.COIN_FLOOR)
    return np.int64(record.LOW_COIN_FLOOR)


@kernel
def is_money_bought(rules: Rules, state: State, strategy: record.Strategy, wanted: int, coins: int) -> Any:
    """Return whether the next buy for ``coins`` is a better Treasure than Copper, or a card with a limit.

    Preferences buy the affordable wanted card with the highest weight.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    wants: PreferenceColumns = strategy["preferences"]
    better = rules.treasures & ~(1 << COPPER)
    if lists.n_rules > 0:
        rule = buy_rule(rules, state, strategy, coins)
        if rule == NONE:
            return False
        pile = np.int64(lists.rules[rule, PILE])
        is_limited = True
        for other in range(lists.n_rules):
            if lists.rules[other, PILE] == pile:
                is_limited = is_limited and lists.bounds[other, OWNED_BELOW] < ANY_NUMBER
        return is_limited or (better >> pile) & 1 != 0
    piles = wanted & state.piles_in[Zone.SUPPLY] & rules.affordable[coins]
    best = highest(wants.weights[phase_of(rules, state, strategy)], piles)
    return best != NONE and ((better >> best) & 1 != 0 or wants.limits[best] < record.UNLIMITED)


@kernel
def points_of(rules: Rules, state: State, pile: int) -> Any:
    """Return the victory points of one card in the decider's deck."""
    points = rules.vp[pile]
    if rules.vp_per[pile] != 0:
        n = 0
        for other in range(N_MODEL_PILES):
            if (rules.vp_per_mask[pile] >> other) & 1:
                n += state.owned[state.decider, other]
        points += rules.vp_per[pile] * (n // rules.vp_per_n[pile])
    return points


@kernel
def counts_for_points(rules: Rules, state: State, wanted: int, pile: int) -> Any:
    """Return whether cards of a pile add points to a Victory card that the decider owns or wants (Gardens)."""
    scoring = rules.variable_vp
    for other in range(N_MODEL_PILES):
        is_kept = state.owned[state.decider, other] > 0 or (wanted >> other) & 1 != 0
        if (scoring >> other) & 1 and (rules.vp_per_mask[other] >> pile) & 1 and is_kept:
            return True
    return False


@kernel
def deck_value_of(rules: Rules, state: State, strategy: record.Strategy, wanted: int, pile: int) -> Any:
    """Return the value of a card in the decider's deck. ``wanted`` is the mask of `wanted_now`."""
    if (strategy.computed[record.DECK_ROW] >> pile) & 1:
        return computed_deck_value(rules, state, strategy, wanted, pile)
    if strategy.deck_value_if_wanted[pile] != 0 and (wanted >> pile) & 1:
        return float(strategy.deck_value_if_wanted[pile])
    return float(strategy.deck_value[pile])


@kernel
def computed_deck_value(rules: Rules, state: State, strategy: record.Strategy, wanted: int, pile: int) -> Any:
    """Return the computed value of a card in the decider's deck.

    The value is at least KEPT_VALUE for wanted Victory cards and for Victory cards with MANY_POINTS. Cards that count
    for Gardens are kept, too, except Curses.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    value = float(strategy.deck_value[pile])
    if strategy.play[record.PLAY_NO_CURSES, pile] != 0 and state.cards[Zone.SUPPLY, CURSE_PILE] == 0:
        return min(value, MAX_AFTER_CURSES)
    points = points_of(rules, state, pile)
    if points < 0:
        return value
    is_wanted = (wanted >> pile) & 1 != 0
    if (rules.victories >> pile) & 1:
        is_scoring = (rules.variable_vp >> pile) & 1 != 0 and lists.n_rules > 0
        if is_wanted or is_scoring or points >= MANY_POINTS or gains_to_end(rules, state) <= LAST_GAINS:
            return KEPT_VALUE + PER_COIN * points
    if rules.variable_vp != 0 and counts_for_points(rules, state, wanted, pile):
        return max(value, KEPT_VALUE - PER_COIN)
    return value
