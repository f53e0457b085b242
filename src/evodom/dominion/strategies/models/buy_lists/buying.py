"""Kernels that evaluate the rules of a buy list: which card it buys with some coins, which cards it wants."""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.effects.ops import Phase, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import gains_to_end, score
from evodom.dominion.strategies.models.buy_lists import columns as layout
from evodom.dominion.strategies.models.buy_lists.columns import BuyListColumns
from evodom.dominion.strategies.models.buy_lists.language import Quantity
from evodom.dominion.strategies.play.lookahead import LOSES, ending_piles, piles_with_outcome
from evodom.dominion.strategies.play.prices import coins_after_treasures, for_sale
from evodom.dominion.strategies.play.wanted import count_in_deck, n_terminals, spare_actions
from evodom.dominion.strategies.record import ALL_PILES, Strategy
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def first_wanted(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the pile of `first_rule`, or NONE."""
    return pile_of(strategy, first_rule(rules, state, strategy, piles))


@kernel
def pile_of(strategy: Strategy, rule: int) -> Any:
    """Return the pile of a rule; NONE for the rule NONE."""
    lists: BuyListColumns = strategy["buy_lists"]
    return np.int64(NONE) if rule == NONE else np.int64(lists.rules[rule, layout.PILE])


@kernel
def first_rule(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the index of the first rule that holds for one of the piles, or NONE.

    With ``endgame_check`` no pile counts whose gain would end the game with a loss.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    if lists.endgame_check != 0:
        piles = without_losing_gains(rules, state, piles)
    for rule in range(lists.n_rules):
        if (piles >> np.int64(lists.rules[rule, layout.PILE])) & 1 and rule_holds(rules, state, strategy, rule):
            return rule
    return NONE


@kernel
def without_losing_gains(rules: Rules, state: State, piles: int) -> Any:
    """Return ``piles`` without those whose gain would end the game with a loss."""
    ending = ending_piles(rules, state) & piles
    return piles if ending == 0 else piles & ~piles_with_outcome(rules, state, ending, LOSES, NONE)


@kernel
def wanted_piles(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of piles for which a rule holds, regardless of cost and of cards left."""
    lists: BuyListColumns = strategy["buy_lists"]
    wanted = 0
    for rule in range(lists.n_rules):
        pile: Any = np.int64(lists.rules[rule, layout.PILE])
        if (wanted >> pile) & 1 == 0 and rule_holds(rules, state, strategy, rule):
            wanted |= 1 << pile
    return wanted


@kernel
def first_buy(rules: Rules, state: State, strategy: Strategy, coins: int) -> Any:
    """Return the pile of `buy_rule`, or NONE."""
    return pile_of(strategy, buy_rule(rules, state, strategy, coins))


@kernel
def buy_rule(rules: Rules, state: State, strategy: Strategy, coins: int) -> Any:
    """Return the index of the rule for a buy with ``coins`` coins, or NONE. Conditions are evaluated in a Buy phase."""
    piles = for_sale(rules, state, coins)
    present_coins, phase = state.coins, state.phase
    state.coins, state.phase = max(coins, 0), Phase.BUY
    rule = first_rule(rules, state, strategy, piles)
    state.coins, state.phase = present_coins, phase
    return rule


@kernel
def rule_holds(rules: Rules, state: State, strategy: Strategy, rule: int) -> Any:
    """Return whether all conditions of a rule hold for the deciding seat."""
    lists: BuyListColumns = strategy["buy_lists"]
    if state.owned[state.decider, lists.rules[rule, layout.PILE]] >= lists.bounds[rule, layout.OWNED_BELOW]:
        return False
    if state.cards[Zone.SUPPLY, PROVINCE] > lists.bounds[rule, layout.PROVINCES_AT_MOST]:
        return False
    for condition in range(lists.rules[rule, layout.FIRST_CONDITION], lists.rules[rule, layout.END_CONDITION]):
        total = np.int64(0)
        for term in range(lists.conditions[condition, layout.FIRST_TERM], lists.conditions[condition, layout.END_TERM]):
            kind = lists.terms[term, layout.QUANTITY]
            argument: Any = np.int64(lists.terms[term, layout.ARGUMENT])
            # Most conditions count cards. They come first, before the call for other quantities.
            if kind == Quantity.COUNT_IN_SUPPLY:
                amount = np.int64(state.cards[Zone.SUPPLY, argument])
            elif kind == Quantity.COUNT_IN_DECK:
                amount = np.int64(state.owned[state.decider, argument])
            elif kind == Quantity.COUNT_TYPE_IN_DECK:
                amount = count_in_deck(state, lists.type_masks[argument])
            else:
                amount = other_quantity(rules, state, kind, argument)
            total += amount * lists.factors[term]
        constant = lists.constants[condition]
        result = 0 if total < constant else 1 if total == constant else 2
        if (lists.conditions[condition, layout.COMPARISON] >> result) & 1 == 0:
            return False
    return True


@cold_kernel
def coins_of_turn(rules: Rules, state: State) -> Any:
    """Return the coins left in the Buy phase. Before it, add the coins of the Treasures in hand."""
    if state.phase == Phase.BUY:
        return np.int64(state.coins)
    return np.int64(coins_after_treasures(rules, state, state.decider, NONE))


@cold_kernel
def available_money(rules: Rules, state: State) -> Any:
    """Return `total_money` without the cards of the deciding seat that are set aside or on mats."""
    seat = state.decider
    total = total_money(rules, state)
    for pile in range(N_MODEL_PILES):
        away = state.cards[Zone.SET_ASIDE + seat, pile] + state.cards[Zone.ISLAND_MAT + seat, pile]
        total -= (away + state.cards[Zone.VILLAGE_MAT + seat, pile]) * rules.money[pile]
    return total


@kernel
def total_money(rules: Rules, state: State) -> Any:
    """Return the coins printed on all cards of the deciding seat."""
    total = np.int64(0)
    for pile in range(N_MODEL_PILES):
        total += state.owned[state.decider, pile] * rules.money[pile]
    return total


@kernel
def other_quantity(rules: Rules, state: State, kind: int, argument: int) -> Any:
    """Return a quantity that `rule_holds` does not count itself."""
    seat = state.decider
    if kind == Quantity.TOTAL_MONEY:
        return total_money(rules, state)
    if kind == Quantity.TURN_NUMBER:
        return np.int64(state.turns[seat])
    if kind == Quantity.COUNT_IN_HAND:
        return np.int64(state.cards[Zone.HAND + seat, argument])
    if kind == Quantity.COUNT_IN_PLAY:
        return np.int64(state.cards[Zone.IN_PLAY + seat, argument])
    if kind == Quantity.VP_TOKENS:
        return np.int64(state.vp_tokens[seat])
    if kind == Quantity.GAINS_TO_END:
        return np.int64(gains_to_end(rules, state))
    if kind == Quantity.EMPTY_PILES:
        return np.int64(state.n_empty)
    if kind == Quantity.VP:
        return np.int64(score(rules, state, seat))
    if kind == Quantity.LEAD:
        return np.int64(score(rules, state, seat)) - opponent_vp(rules, state)
    if kind == Quantity.OPPONENT_VP:
        return opponent_vp(rules, state)
    if kind == Quantity.COINS:
        return coins_of_turn(rules, state)
    if kind == Quantity.BUYS:
        return np.int64(state.buys if seat == state.active else 1)
    if kind == Quantity.ACTION_PHASE:
        return np.int64(state.phase == Phase.ACTION or state.phase == Phase.START)
    if kind == Quantity.TERMINALS:
        return n_terminals(rules, state)
    if kind == Quantity.EXCESS_TERMINALS:
        return -spare_actions(rules, state)
    if kind == Quantity.AVAILABLE_MONEY:
        return available_money(rules, state)
    return count_in_deck(state, ALL_PILES)


@kernel
def opponent_vp(rules: Rules, state: State) -> Any:
    """Return the points of the deciding seat's best opponent. Without opponents, return 0."""
    best = np.int64(0)
    is_first = True
    for other in range(rules.n_seats):
        if other != state.decider:
            points = np.int64(score(rules, state, other))
            best = points if is_first else max(best, points)
            is_first = False
    return best
