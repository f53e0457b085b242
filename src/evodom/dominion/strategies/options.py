"""Answer the questions that have one rule for all models: `common_answer`. Options are the most frequent.

An option has the sum of the values of its Effects in coins, as for an Action in hand (`values.action_coins`). Coins and
Cards count fully, Actions if an Action waits in hand. No card is named: the zones of a choice select the rule.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.moves import cost_of
from evodom.dominion.engine.ops import Column, Count, Frame, Op, Zone
from evodom.dominion.engine.resolve import PASS_BIT, candidates, n_options, option_row
from evodom.dominion.engine.rules import FIRST_OPTION, N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.choices import highest, lowest
from evodom.dominion.strategies.lookahead import coins_after_treasures
from evodom.dominion.strategies.values import LAST_GAINS, coins_per_draw, expected_amount, hand_coins
from evodom.jit.kernel import kernel

BUY, SPARE_ACTION, PER_COST, HARM = 0.5, 0.1, 0.4, 1.0
"""Coins that a Buy, an Action without use, each coin of a gained card's cost, and harm to the others count as."""

CURSED = -3.0
"""Coins that a gained Curse counts as."""

JUNK, COPPER_TRASHED, LOST_PER_COST = 1.5, 0.8, 0.5
"""Coins for trashing a card without use or a Copper, and the loss for each coin of another card's cost."""

ACTION_DISCARDED = 1.5
"""Coins that a discarded Action counts as."""


@kernel
def common_answer(rules: Rules, state: State) -> Any:
    """Return the answer to a question with a rule for all models; NONE for other questions.

    | question | answer |
    |---|---|
    | options | the highest value |
    | name a card | the known top card of the deck, else the most frequent card that may be there |
    | a gain of another player | the pile of the lowest value |
    | trash a card of the Supply | the cheapest |
    | gain a card of the trash, mandatory | the most expensive |
    | reveal a card of the hand | the most types |
    | trash the played card for coins | only if the coins then buy a Province |
    | discard cards for coins | only if the cards have a lower value |
    """
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.OPTIONS:
        return select_option(rules, state)
    if op != Op.CHOOSE:
        return NONE
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    if source == Zone.SUPPLY:
        if target == Zone.SUPPLY:
            return select_name(rules, state)
        if target == Zone.TRASH:
            return lowest(rules.cost, state.legal)
        is_gift = state.stack[state.depth - 1, Frame.SEAT] != state.decider
        return select_gift(rules, state) if is_gift else NONE
    if source == Zone.TRASH and state.legal & PASS_BIT == 0:
        return highest(rules.cost, state.legal)
    if source == Zone.HAND and target == Zone.HAND:
        return highest(rules.n_types, state.legal)
    if source == Zone.IN_PLAY and target == Zone.TRASH:
        return select_trash_this(rules, state)
    if source == Zone.HAND and target == Zone.DISCARD and reward(rules, row) > 0:
        return select_paid_discard(rules, state)
    return NONE


@kernel
def reward(rules: Rules, row: int) -> Any:
    """Return the coins that the next Effect gives for the chosen cards of an optional choice; 0 for none."""
    is_paid = rules.effects[row + 1, Column.OP] == Op.COINS and rules.effects[row + 1, Column.IF] == Count.CHOSEN
    return rules.effects[row + 1, Column.N] if is_paid and rules.effects[row, Column.OPTIONAL] != 0 else 0


@kernel
def select_paid_discard(rules: Rules, state: State) -> Any:
    """Discard the cards of lowest value in the turn if it is lower than the reward, else pass."""
    row = state.asked_effect
    n = rules.effects[row, Column.N] - state.n_chosen
    cards = state.legal & ~PASS_BIT
    loss = -choice_value(rules, state, row, n)
    is_enough = state.n_cards[Zone.HAND + state.decider] >= n
    if state.legal & PASS_BIT and (loss >= reward(rules, row) or not is_enough):
        return PASS
    return least_loss(rules, state, cards, Zone.DISCARD)


@kernel
def select_trash_this(rules: Rules, state: State) -> Any:
    """Trash the played card if its coins make a Province affordable that is not so without them."""
    coins = coins_after_treasures(rules, state, state.decider, NONE)
    price = cost_of(rules, state, PROVINCE)
    is_decisive = coins < price and coins + rules.effects[state.asked_effect + 1, Column.N] >= price
    if is_decisive and state.cards[Zone.SUPPLY, PROVINCE] > 0:
        return lowest_pile(state.legal)
    return PASS


@kernel
def select_name(rules: Rules, state: State) -> Any:
    """Return the known top card of the deck, else the most frequent card of the deck or the discard pile."""
    seat = state.decider
    if state.n_known[seat] > 0:
        return np.int64(state.known[seat, state.n_known[seat] - 1])
    row = Zone.DECK + seat if state.n_cards[Zone.DECK + seat] > 0 else Zone.DISCARD + seat
    best = 0
    for pile in range(N_MODEL_PILES):
        if state.cards[row, pile] > state.cards[row, best]:
            best = pile
    return np.int64(best)


@kernel
def select_gift(rules: Rules, state: State) -> Any:
    """Return the pile of the lowest value for another player, by victory points, coins and types."""
    best = NONE
    least = 0.0
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1 == 0:
            continue
        value = float(rules.vp[pile]) + rules.coins[pile] + 0.1 * rules.cost[pile]
        if (rules.actions >> pile) & 1:
            value += ACTION_DISCARDED
        if best == NONE or value < least:
            best = pile
            least = value
    return best


@kernel
def select_option(rules: Rules, state: State) -> Any:
    """Return the option with the highest value for the deciding seat."""
    effect = state.asked_effect
    best = NONE
    most = 0.0
    for option in range(n_options(rules, effect)):
        if (state.legal >> (FIRST_OPTION + option)) & 1 == 0:
            continue
        value = option_value(rules, state, option_row(rules, effect, option))
        if best == NONE or value > most:
            best = option
            most = value
    return FIRST_OPTION + best


@kernel
def option_value(rules: Rules, state: State, option: int) -> Any:
    """Return the value in coins of an option. ``option`` is the index of its Effect."""
    total = 0.0
    row = option + 1
    while row < option + 1 + rules.effects[option, Column.N_INNER]:
        if rules.effects[row, Column.OP] == Op.EACH_PLAYER:
            total += value_for_others(rules, state, row)
            row += rules.effects[row, Column.N_INNER]
        else:
            total += effect_value(rules, state, row)
        row += 1
    return total


@kernel
def effect_value(rules: Rules, state: State, row: int) -> Any:
    """Return the value in coins of an Effect that the deciding seat resolves itself."""
    op = rules.effects[row, Column.OP]
    n = expected_amount(rules, state, row, state.piles_in[Zone.HAND + state.decider])
    if op == Op.COINS:
        return n
    if op == Op.CARDS:
        return n * coins_per_draw(rules, state, state.decider)
    if op == Op.BUYS:
        return BUY * n
    if op == Op.ACTIONS:
        more = hand_coins(rules, state, NONE, 0, int(n)) - hand_coins(rules, state, NONE, 0, 0)
        return more + SPARE_ACTION * n
    if op == Op.GAIN:
        return gain_value(rules, state, rules.effects[row, Column.MASK])
    if op == Op.MOVE_ALL and rules.effects[row, Column.SOURCE] == Zone.HAND:
        in_hand = hand_coins(rules, state, NONE, 0, 0)
        return state.coins - in_hand if state.decider == state.active else -in_hand
    return choice_value(rules, state, row, int(n)) if op == Op.CHOOSE else 0.0


@kernel
def value_for_others(rules: Rules, state: State, row: int) -> Any:
    """Return the value in coins of Effects that the other players resolve: harm, or help with cards that they draw."""
    is_help = rules.effects[row + 1, Column.OP] == Op.CARDS
    return -HARM if is_help else HARM


@kernel
def gain_value(rules: Rules, state: State, piles: int) -> Any:
    """Return the value in coins of gaining a card of a pile in a mask; 0.0 if none is left."""
    piles &= state.piles_in[Zone.SUPPLY]
    if piles == 0:
        return 0.0
    pile = lowest_pile(piles)
    return CURSED if rules.vp[pile] < 0 else PER_COST * rules.cost[pile]


@kernel
def choice_value(rules: Rules, state: State, row: int, n: int) -> Any:
    """Return the value in coins of a choice of ``n`` cards: the cards that cost least in hand, or the best to gain."""
    cards = candidates(rules, state, row, state.decider)
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    if source != Zone.HAND:
        if target == Zone.TRASH or cards == 0:
            return SPARE_ACTION
        return PER_COST * rules.cost[highest(rules.cost, cards)]
    total = 0.0
    left = cards
    for _ in range(n):
        pile = least_loss(rules, state, left, target)
        if pile == NONE:
            break
        total += value_without(rules, state, pile, target)
        # A single card cannot be chosen again.
        left = cards & ~bit(pile) if state.cards[Zone.HAND + state.decider, pile] < 2 else cards
    return total


@kernel
def least_loss(rules: Rules, state: State, piles: int, target: int) -> Any:
    """Return the pile of a mask with the highest `value_without`."""
    best = NONE
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1:
            value = value_without(rules, state, pile, target)
            if best == NONE or value > most:
                best = pile
                most = value
    return best


@kernel
def value_without(rules: Rules, state: State, pile: int, target: int) -> Any:
    """Return the value in coins of a card of the hand that is trashed or discarded: positive for a bad card."""
    is_useless = (rules.useless >> pile) & 1 != 0
    if target != Zone.TRASH:
        if is_useless:
            return 0.0
        return -float(rules.coins[pile]) if rules.coins[pile] > 0 else -ACTION_DISCARDED
    if rules.vp[pile] < 0:
        return JUNK
    if is_useless and rules.vp[pile] <= 1 and rules.vp_per[pile] == 0 and gains_to_end(rules, state) > LAST_GAINS:
        return JUNK
    return COPPER_TRASHED if rules.cost[pile] == 0 else -LOST_PER_COST * rules.cost[pile]
