"""Choose the cards from hand to trade in, and decide whether to play an Action that asks for them.

Open it for Actions that may harm their player (`Rules.risky`). `wasted_actions` returns the Actions to leave in hand.
"""

from typing import Any

import numpy as np

from evodom.dominion.engine.choices import PASS_BIT, candidates
from evodom.dominion.engine.counts import holds
from evodom.dominion.engine.moves import HAND_SIZE, affordable, cost_of
from evodom.dominion.engine.ops import SUM, ChoiceSize, Column, Count, Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile, put, take
from evodom.dominion.strategies.choices import highest, lowest
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.turn_values import (
    SPARE,
    cards_to_lose,
    change_of_buys,
    least_missed,
    most_wanted,
    value_of_buys,
    value_of_gain,
    value_of_trashing,
)
from evodom.dominion.strategies.values import (
    PER_COIN,
    coins_per_draw,
    computed_drawn_value,
    drawn_value,
    hand_coins,
    wanted_now,
)
from evodom.jit.kernel import allocating_kernel, kernel

MANY_COINS = 25
"""A plan of `plan_of_sum` trashes cards that cost less than this in sum."""

PER_COIN_LOST = 0.6
"""Value lost for each coin of a Treasure that a plan of `plan_of_sum` trashes."""

LEAST_GAIN = 0.5
"""An Action is played for a trade of one card if the trade has more than this value."""

# Trades of one card.


@kernel
def select_traded(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Trash the card of the best trade. The reward is coins or VP tokens in proportion to the cost of the card."""
    row = state.asked_effect
    return best_trade(rules, state, strategy, row, state.legal & ~PASS_BIT)[0]


@kernel
def best_trade(rules: Rules, state: State, strategy: Strategy, row: int, cards: int) -> Any:
    """Return the best of the ``cards`` to trash, and the value of this trade.

    The value is `value_of_trashing` plus the value of the reward. ``row`` is the Effect that trashes the card.
    """
    reward = row + 1
    now = hand_coins(rules, state, NONE, 0, 0)
    best = np.int64(NONE)
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        n = rules.effects[reward, Column.N] * (cost_of(rules, state, pile) // rules.effects[reward, Column.COUNT_PER])
        coins = hand_coins(rules, state, pile, -1, 0) - now
        value = value_of_trashing(rules, state, strategy, pile)
        if rules.effects[reward, Column.OP] == Op.COINS:
            coins += n
        else:
            value += n
        value += change_of_buys(rules, state, strategy, coins, 0, 0)
        if best == NONE or value > most:
            best = np.int64(pile)
            most = value
    return best, most


@kernel
def select_copied(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Reveal the card whose copy is wanted most.

    Otherwise reveal the most expensive card if it costs GOOD_COST or more, else pass.
    """
    piles = state.legal & ~PASS_BIT & state.piles_in[Zone.SUPPLY] & ~affordable(rules, state, 0)
    return copied(rules, state, strategy, piles)


GOOD_COST = 5
"""A Treasure of this cost or more is copied even if no buy list or preference wants it."""


@kernel
def copied(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the answer of `select_copied` among ``piles``."""
    if piles == 0:
        return np.int64(PASS)
    wanted = most_wanted(rules, state, strategy, piles)
    if wanted != NONE:
        return np.int64(wanted)
    best = highest(rules.cost, piles)
    return np.int64(best if rules.cost[best] >= GOOD_COST else PASS)


@kernel
def select_discard_for_gain(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard the card of `least_missed`.

    Pass if the gain that follows does not have more value than this turn's buys lose.
    """
    row = state.asked_effect
    gain = row + 1
    gained = most_wanted(rules, state, strategy, candidates(rules, state, gain, state.decider))
    if gained == NONE:
        return np.int64(PASS)
    cards = state.legal & ~PASS_BIT
    best = least_missed(rules, state, cards)
    loss = value_of_buys(rules, state, strategy, int(hand_coins(rules, state, NONE, 0, 0)), state.buys)
    loss -= value_of_buys(rules, state, strategy, int(hand_coins(rules, state, best, -1, 0)), state.buys)
    return np.int64(best if value_of_gain(rules, gained) > loss else PASS)


# Cards set aside for the next turn, or put on a mat.


@kernel
def select_kept(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Set aside the card whose value in the next hand exceeds its value for this turn's buys most."""
    total = hand_coins(rules, state, NONE, 0, 0)
    score = value_of_buys(rules, state, strategy, int(total), state.buys)
    best = np.int64(NONE)
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1 == 0:
            continue
        rest = int(hand_coins(rules, state, pile, -1, 0))
        value = -PER_COIN * (score - value_of_buys(rules, state, strategy, rest, state.buys))
        if strategy.uses_card_values != 0:
            value += drawn_value(rules, state, strategy, pile)
        else:
            value += computed_drawn_value(rules, state, pile)
        if best == NONE or value > most:
            best = np.int64(pile)
            most = value
    return best


@kernel
def select_for_mat(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Put the useless card with the most points on the mat (`Rules.useless`).

    Otherwise put the cheapest card of `cards_to_lose` there, or the cheapest card.
    """
    cards = state.legal & ~PASS_BIT
    dead = cards & rules.useless
    if dead != 0:
        return np.int64(highest(rules.vp, dead))
    bad = cards_to_lose(rules, state, strategy, wanted_now(rules, state, strategy), cards)
    return np.int64(lowest(rules.cost, bad if bad != 0 else cards))


# Trades of several cards for a card that costs exactly their sum.


@kernel
def select_for_sum(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Trash the first card of the best plan of `plan_of_sum`. Pass if the plan trashes no further card."""
    cards = state.legal & ~PASS_BIT
    pile, _ = plan_of_sum(rules, state, strategy, state.asked_effect + 1, cards, state.chosen_cost)
    return pile


@allocating_kernel
def plan_of_sum(rules: Rules, state: State, strategy: Strategy, gain: int, cards: int, before: int) -> Any:
    """Return the first card to trash (PASS for none) and the value of the best plan.

    A plan trashes some of the ``cards`` in hand and gains a card that costs exactly their sum. ``gain`` is the Effect
    of the gain. ``before`` is the sum of the costs of the cards trashed before.
    """
    values, firsts = np.empty(MANY_COINS, np.float64), np.empty(MANY_COINS, np.int64)
    for total in range(MANY_COINS):
        values[total], firsts[total] = 0.0 if total == 0 else -1e9, PASS
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        cost = cost_of(rules, state, pile)
        value = value_of_trashing(rules, state, strategy, pile) - PER_COIN_LOST * rules.coins[pile]
        for _ in range(state.cards[Zone.HAND + state.decider, pile]):
            for total in range(MANY_COINS - 1, cost - 1, -1):
                if values[total - cost] + value > values[total]:
                    values[total] = values[total - cost] + value
                    firsts[total] = firsts[total - cost] if firsts[total - cost] != PASS else pile
    best = 0
    most = -1e9
    for total in range(MANY_COINS):
        if values[total] > -1e8:
            value = values[total] + value_of_exact_gain(rules, state, strategy, gain, before + total)
            if value > most:
                best = total
                most = value
    return np.int64(firsts[best]), most


@kernel
def value_of_exact_gain(rules: Rules, state: State, strategy: Strategy, gain: int, cost: int) -> Any:
    """Return the value of a mandatory gain of a card of exactly this cost."""
    piles = rules.effects[gain, Column.MASK] & state.piles_in[Zone.SUPPLY] & affordable(rules, state, cost)
    if cost > 0:
        piles &= ~affordable(rules, state, cost - 1)
    if piles == 0:
        return 0.0
    wanted = most_wanted(rules, state, strategy, piles)
    if wanted != NONE and cost > 0:
        return value_of_gain(rules, wanted)
    return -1.0 if cost == 0 or piles & ~rules.useless == 0 else SPARE * cost


# Actions that are better not played.


@kernel
def wasted_actions(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of the risky Actions in hand whose play now does nothing, or harms the player."""
    found = np.int64(0)
    hand, actions, coins = Zone.HAND + state.decider, state.actions, state.coins
    risky = state.piles_in[hand] & rules.risky
    while risky != 0:
        pile = lowest_pile(risky)
        risky &= risky - 1
        # Value the hand as it is after the play.
        take(state, hand, pile)
        state.actions = max(actions - 1, 0)
        if is_wasted(rules, state, strategy, pile):
            found |= bit(pile)
        put(state, hand, pile)
        state.actions, state.coins = actions, coins
    return found


@kernel
def is_wasted(rules: Rules, state: State, strategy: Strategy, action: int) -> Any:
    """Return whether a risky Action is better not played now. The caller has taken it from the hand."""
    others = state.piles_in[Zone.HAND + state.decider]
    fixed = 0.0
    row = rules.first_effect[action]
    while row < rules.end_effect[action]:
        op = rules.effects[row, Column.OP]
        n = rules.effects[row, Column.N] if rules.effects[row, Column.COUNT] == Count.NONE else 0
        if op == Op.VP:
            fixed += n
        elif op == Op.COINS:
            # The value of the coins that a trashed card loses depends on these coins.
            fixed += change_of_buys(rules, state, strategy, float(n), 0, 0)
            state.coins += n
        if op == Op.EXTRA_TURN and not holds(rules, state, row, state.decider):
            return True
        if op == Op.CARDS and draws_nothing(rules, state, row):
            return True
        if op == Op.MOVE_ALL and rules.effects[row, Column.SOURCE] == Zone.HAND:
            return others == 0 or is_hand_better(rules, state, strategy)
        if op == Op.CHOOSE:
            return not is_choice_useful(rules, state, strategy, action, row, others, fixed)
        if op in (Op.EACH_PLAYER, Op.OPTIONS, Op.LATER):
            row += rules.effects[row, Column.N_INNER]
        row += 1
    return False


@kernel
def draws_nothing(rules: Rules, state: State, row: int) -> Any:
    """Return whether an Effect draws no card: the hand is full, or has none of the cards that the Effect counts."""
    if rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.DOWN_TO:
        return state.n_cards[Zone.HAND + state.decider] >= rules.effects[row, Column.N]
    hand = state.piles_in[Zone.HAND + state.decider]
    return rules.effects[row, Column.COUNT] == Count.HAND and hand & rules.effects[row, Column.COUNT_MASK] == 0


@kernel
def is_choice_useful(
    rules: Rules, state: State, strategy: Strategy, action: int, row: int, others: int, fixed: float
) -> Any:
    """Return whether the choice of a risky Action has a good answer.

    ``others`` is the mask of the cards in hand. ``fixed`` is the value of the Effects before the choice.
    """
    cards = others & rules.effects[row, Column.MASK]
    if rules.effects[row, Column.SOURCE] == Zone.SUPPLY:
        piles = candidates(rules, state, row, state.decider)
        return piles != 0 and most_wanted(rules, state, strategy, piles) != NONE
    target = rules.effects[row, Column.TARGET]
    if target == Zone.HAND:
        piles = cards & state.piles_in[Zone.SUPPLY] & ~affordable(rules, state, 0)
        return copied(rules, state, strategy, piles) != PASS
    if target == Zone.ISLAND_MAT:
        wanted = wanted_now(rules, state, strategy)
        bad = cards & rules.useless | cards_to_lose(rules, state, strategy, wanted, cards)
        return cards == 0 or bad != 0
    if rules.effects[row, Column.MASK] == bit(action):
        return cards != 0
    if rules.effects[row + 1, Column.EXACT] == SUM:
        pile, value = plan_of_sum(rules, state, strategy, row + 1, cards, 0)
        return pile != PASS and value > 0.0
    return cards == 0 or best_trade(rules, state, strategy, row, cards)[1] + fixed > LEAST_GAIN


@kernel
def is_hand_better(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return whether the hand has more value for this turn's buys than its discard adds to the next turn.

    The discard adds five cards, a Buy and an Action.
    """
    now = int(hand_coins(rules, state, NONE, 0, 0))
    loss = value_of_buys(rules, state, strategy, now, state.buys)
    loss -= value_of_buys(rules, state, strategy, state.coins, state.buys)
    usual = HAND_SIZE * coins_per_draw(rules, state, state.decider)
    more = value_of_buys(rules, state, strategy, int(2.0 * usual), 2)
    return loss > more - value_of_buys(rules, state, strategy, int(usual), 1)
