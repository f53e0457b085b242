"""Find the Actions in hand that are better not played: `wasted_actions`.

Open this module for an Action that may harm its player (`Rules.risky`). `is_hand_better_sold` decides whether to
discard the hand for coins before another Action discards it (Vault before Tactician).
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import NONTERMINAL
from evodom.dominion.effects.ops import SUM, ChoiceSize, Column, Count, Op, Zone
from evodom.dominion.engine.choices import candidates
from evodom.dominion.engine.counts import holds
from evodom.dominion.engine.moves import HAND_SIZE, affordable, n_cards_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile, put, take
from evodom.dominion.strategies.play import turn_values
from evodom.dominion.strategies.play.deck_values import wanted_now
from evodom.dominion.strategies.play.estimates import coins_per_card, hand_coins, n_to_draw
from evodom.dominion.strategies.play.hand_values import TIE_BREAK
from evodom.dominion.strategies.play.menu_weights import OptionWeight
from evodom.dominion.strategies.play.trades import best_trade, card_to_copy, plan_of_sum, value_of_mandatory_gain
from evodom.dominion.strategies.play.wanted import spare_actions
from evodom.dominion.strategies.record import Strategy
from evodom.jit.kernel import kernel

MIN_EXCHANGE = 0.5
"""An Action that trashes or discards cards for a reward is played if the exchange has a higher value."""

MIN_SHARE_TO_TRASH = 0.2
"""Minimum of `share_to_trash` for an Action that trashes one of the next cards of the deck."""

DISCARD_FODDER = 2.0
"""Value of a gained card that the deck's other copies of the Action can discard for coins."""

ADDED_ACTION = 3.0
"""Value of one more Action in a hand of twice the usual size, if terminal Actions exceed extra Actions by 2 or more."""


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
    value_before = 0.0
    row = rules.first_effect[action]
    while row < rules.end_effect[action]:
        op = rules.effects[row, Column.OP]
        n = rules.effects[row, Column.N] if rules.effects[row, Column.COUNT] == Count.NONE else 0
        if op == Op.VP:
            value_before += n
        elif op == Op.COINS:
            # Add the coins first: the loss of a trashed card is valued with them.
            value_before += turn_values.change_of_buy_value(rules, state, strategy, float(n), 0, 0)
            state.coins += n
        elif op == Op.BUYS:
            value_before += turn_values.change_of_buy_value(rules, state, strategy, 0.0, n, 0)
        if op == Op.EXTRA_TURN and not holds(rules, state, row, state.decider):
            return True
        if op == Op.CARDS and draws_nothing(rules, state, row):
            return True
        if op == Op.MOVE_ALL and rules.effects[row, Column.SOURCE] == Zone.HAND:
            # Play other Actions first. Their coins are not discarded.
            first = others & rules.actions & ~(rules.risky | rules.may_do_nothing)
            if state.actions == 0:
                first &= rules.action_classes[NONTERMINAL]
            return others == 0 or first != 0 or is_hand_better_kept(rules, state, strategy)
        if op == Op.CHOOSE:
            return not is_choice_useful(rules, state, strategy, action, row, others, value_before)
        if op in (Op.EACH_PLAYER, Op.OPTIONS, Op.LATER):
            row += rules.effects[row, Column.N_INNER]
        row += 1
    return False


@kernel
def draws_nothing(rules: Rules, state: State, row: int) -> Any:
    """Return whether an Effect draws no card: the hand is full, or has no card that the Effect counts."""
    if rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.DOWN_TO:
        return state.n_cards[Zone.HAND + state.decider] >= rules.effects[row, Column.N]
    hand = state.piles_in[Zone.HAND + state.decider]
    return rules.effects[row, Column.COUNT] == Count.HAND and hand & rules.effects[row, Column.COUNT_MASK] == 0


@kernel
def is_choice_useful(
    rules: Rules, state: State, strategy: Strategy, action: int, row: int, others: int, value_before: float
) -> Any:
    """Return whether the choice of a risky Action has a good answer.

    ``others`` is the mask of the cards in hand. ``value_before`` is the value of the Effects before the choice.
    """
    cards = others & rules.effects[row, Column.MASK]
    if rules.effects[row, Column.SOURCE] == Zone.REVEALED:
        return share_to_trash(rules, state, strategy) >= MIN_SHARE_TO_TRASH
    if rules.effects[row, Column.SOURCE] == Zone.SUPPLY:
        piles = candidates(rules, state, row, state.decider)
        return piles != 0 and turn_values.most_wanted(rules, state, strategy, piles) != NONE
    target = rules.effects[row, Column.TARGET]
    if target == Zone.HAND:
        piles = cards & state.piles_in[Zone.SUPPLY] & ~affordable(rules, state, 0)
        return card_to_copy(rules, state, strategy, piles) != PASS
    if target == Zone.ISLAND_MAT:
        wanted = wanted_now(rules, state, strategy)
        bad = cards & rules.useless | turn_values.cards_better_trashed(rules, state, strategy, wanted, cards)
        return cards == 0 or bad != 0
    if rules.effects[row, Column.MASK] == bit(action):
        return cards != 0 or can_trash_last_copy(rules, state, strategy, action)
    if rules.effects[row + 1, Column.IF] == Count.CHOSEN and rules.effects[row, Column.EXACT] != SUM:
        return value_of_exchange(rules, state, strategy, action, row, cards) + value_before > MIN_EXCHANGE
    if rules.effects[row + 1, Column.EXACT] == SUM:
        pile, value = plan_of_sum(rules, state, strategy, row + 1, cards, 0)
        return pile != PASS and value > 0.0
    return cards == 0 or best_trade(rules, state, strategy, row, cards)[1] + value_before > MIN_EXCHANGE


@kernel
def share_to_trash(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the share of the next cards of the deck that are `cards_better_trashed`."""
    bad = turn_values.cards_better_trashed(
        rules, state, strategy, wanted_now(rules, state, strategy), (1 << rules.n_piles) - 1
    )
    n = n_bad = 0
    for pile in range(N_MODEL_PILES):
        n_cards = n_to_draw(state, state.decider, pile)
        n += n_cards
        n_bad += n_cards * ((bad >> pile) & 1)
    return n_bad / max(n, 1)


@kernel
def can_trash_last_copy(rules: Rules, state: State, strategy: Strategy, action: int) -> Any:
    """Return whether to trash the last copy of an Action that needs a second copy.

    It is trashed if the list or the weights would then want no copy.
    """
    seat = state.decider
    if state.owned[seat, action] != 1 or not turn_values.has_buy_plan(strategy):
        return False
    state.owned[seat, action] -= 1
    is_wanted = (wanted_now(rules, state, strategy) >> action) & 1 != 0
    state.owned[seat, action] += 1
    return not is_wanted


@kernel
def value_of_exchange(rules: Rules, state: State, strategy: Strategy, action: int, row: int, cards: int) -> Any:
    """Return the value of trashing or discarding some of the ``cards`` in hand for fixed coins or gains.

    ``row`` is the Effect that chooses the cards. The next Effects depend on the number of chosen cards.
    """
    seat, target, cards_of_choice = state.decider, rules.effects[row, Column.TARGET], rules.effects[row, Column.MASK]
    n = min(rules.effects[row, Column.N], n_cards_of(state, Zone.HAND + seat, cards))
    if target == Zone.TRASH:
        value, lost = turn_values.trash_value_and_loss(rules, state, strategy, cards, n)
        value *= strategy.option_values[OptionWeight.TRASHING]
    else:
        value, lost = 0.0, turn_values.discard_loss(rules, state, cards, n)
    coins = -lost
    row += 1
    while row < rules.end_effect[action] and rules.effects[row, Column.IF] == Count.CHOSEN:
        if rules.effects[row, Column.IF_MIN] <= n and n <= rules.effects[row, Column.IF_MAX]:
            if rules.effects[row, Column.OP] == Op.COINS:
                coins += rules.effects[row, Column.N]
            elif rules.effects[row, Column.OP] == Op.GAIN:
                piles = rules.effects[row, Column.MASK] & state.piles_in[Zone.SUPPLY]
                value += value_of_mandatory_gain(rules, state, strategy, piles)
                if target != Zone.TRASH and piles & cards_of_choice != 0 and state.owned[seat, action] > 1:
                    value += DISCARD_FODDER
                if piles != 0 and rules.effects[row, Column.TARGET] == Zone.HAND:
                    coins += rules.coins[lowest_pile(piles)]
        row += 1
    return value + turn_values.change_of_buy_value(rules, state, strategy, coins, 0, 0)


@kernel
def is_hand_better_kept(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return whether the hand adds more to this turn's buys than its discard (Tactician) adds to the next turn's.

    The discard adds five cards, a Buy and an Action to the next turn.
    """
    now = int(hand_coins(rules, state, NONE, 0, 0))
    loss = turn_values.value_of_buys(rules, state, strategy, now, state.buys)
    loss -= turn_values.value_of_buys(rules, state, strategy, state.coins, state.buys)
    return loss + TIE_BREAK > value_of_larger_hand(rules, state, strategy)


@kernel
def value_of_larger_hand(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return how much five more cards, a Buy and an Action add to the value of the next turn's buys."""
    usual = HAND_SIZE * coins_per_card(rules, state)
    more = turn_values.value_of_buys(rules, state, strategy, int(2.0 * usual + 0.5), 2)
    value = more - turn_values.value_of_buys(rules, state, strategy, int(usual + 0.5), 1)
    return value + ADDED_ACTION if spare_actions(rules, state) < -1 else value


@kernel
def hand_discarding_action(rules: Rules, state: State) -> Any:
    """Return an Action in hand that can be played and discards the rest of the hand (Tactician); NONE for none."""
    hand = state.piles_in[Zone.HAND + state.decider]
    piles = hand & rules.actions & rules.risky if state.decider == state.active and state.actions > 0 else 0
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        for row in range(rules.first_effect[pile], rules.end_effect[pile]):
            if rules.effects[row, Column.OP] == Op.MOVE_ALL and rules.effects[row, Column.SOURCE] == Zone.HAND:
                return np.int64(pile)
    return np.int64(NONE)


@kernel
def is_hand_better_sold(rules: Rules, state: State, strategy: Strategy, per_card: int) -> Any:
    """Return whether to discard the hand for ``per_card`` coins a card, and then play an Action that discards the rest.

    This Action stays in hand, and one card that it can discard. The alternative is to discard only useless cards and to
    play the Treasures.
    """
    hand = Zone.HAND + state.decider
    all_coins = state.coins + per_card * (state.n_chosen + state.n_cards[hand] - 2)
    n_useless = n_cards_of(state, hand, rules.useless)
    usual_coins = int(hand_coins(rules, state, NONE, 0, 0)) + per_card * (state.n_chosen + n_useless)
    loss = turn_values.value_of_buys(rules, state, strategy, usual_coins, state.buys)
    loss -= turn_values.value_of_buys(rules, state, strategy, all_coins, state.buys)
    return loss < value_of_larger_hand(rules, state, strategy)
