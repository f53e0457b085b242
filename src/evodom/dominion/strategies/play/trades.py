"""Choose the cards from hand to exchange for coins, tokens, a copy or a gain, or to keep for later turns."""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT, candidates
from evodom.dominion.engine.moves import affordable, cost_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, lowest_pile
from evodom.dominion.strategies.play import hand_values, turn_values
from evodom.dominion.strategies.play.deck_values import MANY_POINTS, wanted_now
from evodom.dominion.strategies.play.estimates import hand_coins
from evodom.dominion.strategies.play.pick import highest, lowest
from evodom.dominion.strategies.record import Strategy
from evodom.jit.kernel import allocating_kernel, kernel

SUM_LIMIT = 25
"""Limit of the total cost of the cards that a plan of `plan_of_sum` trashes. Plans stay below it."""

IMPOSSIBLE = -1e9
"""Value of a sum of costs that no cards in hand make."""

PER_COIN_LOST = 0.6
"""Value lost for each coin of a Treasure that a plan of `plan_of_sum` trashes."""

# Trades of one card.


@kernel
def best_trade(rules: Rules, state: State, strategy: Strategy, row: int, cards: int) -> Any:
    """Return the best of the ``cards`` to trash, and the value of this trade.

    The value is `value_of_trashing` plus the value of the reward. ``row`` is the Effect that trashes the card.
    """
    reward = row + 1
    seat = state.decider
    now, before = hand_coins(rules, state, NONE, 0, 0), turn_values.buy_expectation(rules, state, strategy, 0.0, 0, 0)
    best = np.int64(NONE)
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        n = rules.effects[reward, Column.N] * (cost_of(rules, state, pile) // rules.effects[reward, Column.COUNT_PER])
        coins = hand_coins(rules, state, pile, -1, 0) - now
        value = turn_values.value_of_trashing(rules, state, strategy, pile)
        if rules.effects[reward, Column.OP] == Op.COINS:
            coins += n
        else:
            value += n
        # Conditions of a list do not count the trashed card.
        state.owned[seat, pile] -= 1
        value += turn_values.buy_expectation(rules, state, strategy, coins, 0, 0) - before
        state.owned[seat, pile] += 1
        if best == NONE or value > most:
            best = np.int64(pile)
            most = value
    return best, most


GOOD_COST = 5
"""A Treasure of this cost or more is copied even if no buy list or preference wants it."""


@kernel
def card_to_copy(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the card of ``piles`` to reveal for a copy, or PASS: the wanted card, else the most expensive card.

    An unwanted card must cost at least GOOD_COST.
    """
    if piles == 0:
        return np.int64(PASS)
    wanted = turn_values.most_wanted(rules, state, strategy, piles)
    if wanted != NONE:
        return np.int64(wanted)
    best = highest(rules.cost, piles)
    return np.int64(best if rules.cost[best] >= GOOD_COST else PASS)


@kernel
def select_discard_for_gain(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard the card of `least_missed` for the gain that follows.

    Pass if the value of the gain does not exceed the loss of this turn's buys.
    """
    row = state.asked_effect
    gain = row + 1
    gained = turn_values.most_wanted(rules, state, strategy, candidates(rules, state, gain, state.decider))
    if gained == NONE:
        return np.int64(PASS)
    cards = state.legal & ~PASS_BIT
    best = turn_values.least_missed(rules, state, cards)
    loss = turn_values.value_of_buys(rules, state, strategy, int(hand_coins(rules, state, NONE, 0, 0)), state.buys)
    loss -= turn_values.value_of_buys(rules, state, strategy, int(hand_coins(rules, state, best, -1, 0)), state.buys)
    return np.int64(best if hand_values.value_of_gain(rules, gained) > loss else PASS)


# Cards set aside for the next turn, or put on a mat.


@kernel
def select_kept(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Set aside the card whose value in the next hand exceeds its value for this turn's buys most."""
    total = hand_coins(rules, state, NONE, 0, 0)
    score = turn_values.value_of_buys(rules, state, strategy, int(total), state.buys)
    best = np.int64(NONE)
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1 == 0:
            continue
        rest = int(hand_coins(rules, state, pile, -1, 0))
        value = -hand_values.PER_COIN * (score - turn_values.value_of_buys(rules, state, strategy, rest, state.buys))
        if strategy.uses_card_values != 0:
            value += hand_values.drawn_value(rules, state, strategy, pile)
        else:
            value += hand_values.computed_drawn_value(rules, state, pile)
        if best == NONE or value > most:
            best = np.int64(pile)
            most = value
    return best


@kernel
def select_for_mat(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Put the useless card with the most points on the mat (`Rules.useless`).

    Otherwise put the cheapest card of `cards_better_trashed` there, or the cheapest card.
    """
    cards = state.legal & ~PASS_BIT
    dead = cards & rules.useless
    if dead != 0:
        return np.int64(highest(rules.vp, dead))
    bad = turn_values.cards_better_trashed(rules, state, strategy, wanted_now(rules, state, strategy), cards)
    return np.int64(lowest(rules.cost, bad if bad != 0 else cards))


# Trades of several cards for a card that costs exactly their sum.


@allocating_kernel
def plan_of_sum(rules: Rules, state: State, strategy: Strategy, gain: int, cards: int, before: int) -> Any:
    """Return the first card to trash (PASS for none) and the value of the best plan.

    A plan trashes some of the ``cards`` in hand and gains a card that costs exactly their sum. ``gain`` is the Effect
    of the gain. ``before`` is the sum of the costs of the cards trashed before.
    """
    seat = state.decider
    values, plans = np.full(SUM_LIMIT, IMPOSSIBLE), np.zeros((SUM_LIMIT, N_MODEL_PILES), np.int16)
    values[0] = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        cost = cost_of(rules, state, pile)
        value = turn_values.value_of_trashing(rules, state, strategy, pile) - PER_COIN_LOST * rules.coins[pile]
        for _ in range(state.cards[Zone.HAND + seat, pile]):
            for total in range(SUM_LIMIT - 1, cost - 1, -1):
                if values[total - cost] + value > values[total]:
                    values[total] = values[total - cost] + value
                    plans[total] = plans[total - cost]
                    plans[total, pile] += 1
    best = 0
    most = IMPOSSIBLE
    for total in range(SUM_LIMIT):
        if values[total] > IMPOSSIBLE / 2:
            # Conditions of a list do not count the trashed cards.
            for pile in range(N_MODEL_PILES):
                state.owned[seat, pile] -= plans[total, pile]
            value = values[total] + value_of_exact_gain(rules, state, strategy, gain, before + total)
            for pile in range(N_MODEL_PILES):
                state.owned[seat, pile] += plans[total, pile]
            if value > most:
                best = total
                most = value
    for pile in range(N_MODEL_PILES):
        if plans[best, pile] > 0:
            return np.int64(pile), most
    return np.int64(PASS), most


@kernel
def value_of_exact_gain(rules: Rules, state: State, strategy: Strategy, gain: int, cost: int) -> Any:
    """Return the value of a mandatory gain of a card that costs exactly ``cost``. The value is -1 at a cost of 0."""
    piles = rules.effects[gain, Column.MASK] & state.piles_in[Zone.SUPPLY] & affordable(rules, state, cost)
    if cost > 0:
        piles &= ~affordable(rules, state, cost - 1)
    return -1.0 if cost == 0 and piles != 0 else value_of_mandatory_gain(rules, state, strategy, piles)


@kernel
def value_of_mandatory_gain(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the value of a mandatory gain from ``piles``: 0 without piles, -1 if all are useless and none is wanted.

    Simple preferences have small weights for all cards. So a useless card with few points is wanted only if it is in
    `wanted_now`. An unwanted gain of another card has the value TIE_BREAK for each coin of its cost.
    """
    if piles == 0:
        return 0.0
    wanted = turn_values.most_wanted(rules, state, strategy, piles)
    good = ~rules.useless | wanted_now(rules, state, strategy)
    if wanted != NONE and (rules.vp[wanted] >= MANY_POINTS or (good >> wanted) & 1 != 0):
        return hand_values.value_of_gain(rules, wanted)
    return -1.0 if piles & ~rules.useless == 0 else hand_values.TIE_BREAK * rules.cost[lowest_pile(piles)]
