"""The rules of a buy list, compiled: whether their conditions hold, and which of some piles is wanted first."""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.effects import HAND, SUPPLY
from evodom.dominion.engine.rules import MAX_COINS, N_PILES, NONE, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import score
from evodom.dominion.strategies.buy_lists.columns import (
    ARGUMENT,
    COMPARISON,
    CONSTANT,
    END_CONDITION,
    END_TERM,
    FACTOR,
    FIRST_CONDITION,
    FIRST_TERM,
    OWN_BELOW,
    PILE,
    PROVINCES_AT_MOST,
    QUANTITY,
)
from evodom.dominion.strategies.buy_lists.conditions import (
    CARDS_IN_DECK,
    COUNT_IN_DECK,
    COUNT_IN_HAND,
    COUNT_IN_SUPPLY,
    EMPTY_PILES,
    GAINS_TO_END,
    LEAD,
    TOTAL_MONEY,
    TURN_NUMBER,
    VP,
)
from evodom.dominion.strategies.lookahead import LOSES, ending_piles, piles_with_outcome
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.reading import gains_to_end
from evodom.jit.kernel import kernel


@kernel
def first_wanted(rules: Rules, state: State, strategy: Strategy, piles: Any) -> Any:
    """Return the pile of the first rule that holds for one of the piles, or NONE."""
    if strategy.endgame_check != 0:
        piles = without_lost_ends(rules, state, piles)
    for rule in range(strategy.n_rules):
        pile = strategy.rules[rule, PILE]
        if (piles >> pile) & 1 and rule_holds(rules, state, strategy, rule):
            return np.int64(pile)
    return np.int64(NONE)


@kernel
def without_lost_ends(rules: Rules, state: State, piles: Any) -> Any:
    """Return those of the piles whose gain does not end the game lost."""
    ending = ending_piles(rules, state) & piles
    return piles if ending == 0 else piles & ~piles_with_outcome(rules, state, ending, LOSES, NONE)


@kernel
def wanted_piles(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the piles for which a rule holds, whatever they cost and whether there are cards left."""
    wanted = 0
    for rule in range(strategy.n_rules):
        pile = strategy.rules[rule, PILE]
        if (wanted >> pile) & 1 == 0 and rule_holds(rules, state, strategy, rule):
            wanted |= 1 << pile
    return wanted


@kernel
def first_buy(rules: Rules, state: State, strategy: Strategy, coins: Any) -> Any:
    """Return what would be bought for so many coins, or NONE."""
    affordable = rules.affordable[max(min(coins, MAX_COINS), 0)]
    return first_wanted(rules, state, strategy, state.mask[SUPPLY] & affordable)


@kernel
def rule_holds(rules: Rules, state: State, strategy: Strategy, rule: Any) -> Any:
    """Tell whether all conditions of a rule hold for the one who decides."""
    if state.owned[state.decider, strategy.rules[rule, PILE]] >= strategy.rules[rule, OWN_BELOW]:
        return False
    if state.cards[SUPPLY, PROVINCE] > strategy.rules[rule, PROVINCES_AT_MOST]:
        return False
    for condition in range(strategy.rules[rule, FIRST_CONDITION], strategy.rules[rule, END_CONDITION]):
        total = np.int64(0)
        for term in range(strategy.conditions[condition, FIRST_TERM], strategy.conditions[condition, END_TERM]):
            kind = strategy.terms[term, QUANTITY]
            argument = strategy.terms[term, ARGUMENT]
            # Most conditions count cards: they do not wait for the others' questions.
            if kind == COUNT_IN_SUPPLY:
                amount = np.int64(state.cards[SUPPLY, argument])
            elif kind == COUNT_IN_DECK:
                amount = np.int64(state.owned[state.decider, argument])
            else:
                amount = other_quantity(rules, state, kind, argument)
            total += amount * strategy.terms[term, FACTOR]
        constant = strategy.conditions[condition, CONSTANT]
        found = 0 if total < constant else 1 if total == constant else 2
        if (strategy.conditions[condition, COMPARISON] >> found) & 1 == 0:
            return False
    return True


@kernel
def total_money(rules: Rules, state: State) -> Any:
    """Return the coins printed on all cards of the one who decides."""
    total = np.int64(0)
    for pile in range(N_PILES):
        total += state.owned[state.decider, pile] * rules.money[pile]
    return total


@kernel
def other_quantity(rules: Rules, state: State, kind: Any, argument: Any) -> Any:
    """Return what a term of a condition asks for, but counts of one pile; ``argument`` is a pile or a mask of them."""
    seat = state.decider
    if kind == TOTAL_MONEY:
        return total_money(rules, state)
    if kind == TURN_NUMBER:
        return np.int64(state.turns[seat])
    if kind == COUNT_IN_HAND:
        return np.int64(state.cards[HAND + seat, argument])
    if kind == GAINS_TO_END:
        return np.int64(gains_to_end(rules, state))
    if kind == EMPTY_PILES:
        return np.int64(state.n_empty)
    if kind == VP:
        return np.int64(score(rules, state, seat))
    if kind == LEAD:
        return lead(rules, state)
    total = np.int64(0)
    for pile in range(N_PILES):
        if kind == CARDS_IN_DECK or (argument >> pile) & 1:
            total += state.owned[seat, pile]
    return total


@kernel
def lead(rules: Rules, state: State) -> Any:
    """Return by how many points the one who decides is ahead of the best opponent; alone, the points."""
    mine = np.int64(score(rules, state, state.decider))
    best = np.int64(0)
    is_first = True
    for other in range(rules.n_seats):
        if other != state.decider:
            points = np.int64(score(rules, state, other))
            best = points if is_first else max(best, points)
            is_first = False
    return mine - best
