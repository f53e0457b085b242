"""Choose among the options of a card: the option with the highest value.

An option has the sum of the values of its Effects in coins. `Strategy.option_values` has the weights. No card is named.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Frame, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT, candidates
from evodom.dominion.engine.counts import holds
from evodom.dominion.engine.menu import n_options, option_row
from evodom.dominion.engine.rules import FIRST_OPTION, N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, deck_size, lowest_pile
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.play import turn_values
from evodom.dominion.strategies.play.deck_values import LAST_GAINS, wanted_now
from evodom.dominion.strategies.play.estimates import drawn_coins, expected_amount, hand_coins, n_to_draw
from evodom.dominion.strategies.play.hand_values import NO_USE, PER_COIN, TIE_BREAK, computed_drawn_value
from evodom.dominion.strategies.play.menu_weights import OptionWeight
from evodom.dominion.strategies.play.pick import highest
from evodom.dominion.strategies.record import Strategy
from evodom.jit.kernel import kernel

PER_ACTION = 1.5
"""Coins of a drawn Action that can be played. Lists of Minions win most with 1.5 to 2."""

PER_ACTION_IN_PLAY = 3.0
"""Coins of an Action in play that a shuffle leaves out."""

PER_SAVED_COIN = 1.0
"""Value of a coin that stays on a mat for a later turn."""


@kernel
def option_value(rules: Rules, state: State, strategy: Strategy, option: int) -> Any:
    """Return the value of an option: the change of the buys of the turn, and the values of its other Effects.

    ``option`` is the index of its Effect. In another player's turn each coin has the value 1.
    """
    weights = strategy.option_values
    total = coins = 0.0
    n_buys = n_drawn = 0
    row = option + 1
    while row < option + 1 + rules.effects[option, Column.N_INNER]:
        op = rules.effects[row, Column.OP]
        n = int(expected_amount(rules, state, row, state.piles_in[Zone.HAND + state.decider]))
        if op == Op.BUYS:
            n_buys += n
        elif op == Op.CARDS:
            n_drawn += n
            per_action = PER_ACTION if state.actions > 0 else 0.0
            coins += weights[OptionWeight.CARDS] * n * drawn_coins(rules, state, state.decider, per_action)
            total -= weights[OptionWeight.CARDS] * loss_of_shuffle(rules, state, n)
        elif op == Op.ACTIONS:
            # They count if an Action waits in hand.
            more = hand_coins(rules, state, NONE, 0, n) - hand_coins(rules, state, NONE, 0, 0)
            if more > 0:
                n_drawn = turn_values.MANY_DRAWN
                coins += weights[OptionWeight.ACTIONS] * more
                total += weights[OptionWeight.ACTIONS] * TIE_BREAK * n
        elif op == Op.EACH_PLAYER:
            total += weights[OptionWeight.HARM] * harm_to_others(rules, state, row)
            row += rules.effects[row, Column.N_INNER]
        elif op == Op.VP:
            total += n
        elif op == Op.MOVE_THIS or (op == Op.MOVE_ALL and rules.effects[row, Column.SOURCE] != Zone.HAND):
            kept, saved = value_of_move(rules, state, strategy, row)
            coins += kept
            total += saved
        else:
            coins += coins_of_effect(rules, state, strategy, row, n)
            total += value_of_effect(rules, state, strategy, row, n)
        row += 1
    if state.decider != state.active:
        return total + coins
    return total + turn_values.change_of_buy_value(rules, state, strategy, coins, n_buys, n_drawn)


@kernel
def loss_of_shuffle(rules: Rules, state: State, n: int) -> Any:
    """Return the coins that the deck loses if drawing ``n`` cards shuffles it before the cards in play are discarded.

    Each card in play loses its coins above the mean of the other cards.
    """
    seat = state.decider
    if seat != state.active or deck_size(state, seat) >= n or state.n_cards[Zone.DISCARD + seat] == 0:
        return 0.0
    played = left = 0.0
    n_left = 0
    for pile in range(N_MODEL_PILES):
        n_in_play = state.cards[Zone.IN_PLAY + seat, pile]
        n_others = state.owned[seat, pile] - n_in_play
        coins = PER_ACTION_IN_PLAY if (rules.actions >> pile) & 1 else float(rules.coins[pile])
        played += n_in_play * coins
        left += n_others * coins
        n_left += n_others
    return played - state.n_cards[Zone.IN_PLAY + seat] * left / max(n_left, 1)


@kernel
def value_of_move(rules: Rules, state: State, strategy: Strategy, row: int) -> Any:
    """Return the coins for the hand and the other value of an Effect that trashes its card, or uses a mat."""
    seat = state.decider
    share = turn_values.LATE_SHARE if gains_to_end(rules, state) <= LAST_GAINS else 1.0
    target = rules.effects[row, Column.TARGET]
    if rules.effects[row, Column.OP] == Op.MOVE_THIS:
        frame = state.depth - 1
        cost = rules.cost[state.stack[state.stack[frame, Frame.ROOT], Frame.PILE]]
        return 0.0, -share * strategy.option_values[OptionWeight.TRASHING] * turn_values.LOST_PER_COST * cost
    if target == Zone.VILLAGE_MAT:
        return 0.0, share * PER_SAVED_COIN * drawn_coins(rules, state, seat, PER_ACTION)
    coins = 0.0
    if rules.effects[row, Column.SOURCE] == Zone.VILLAGE_MAT:
        for pile in range(N_MODEL_PILES):
            n = state.cards[Zone.VILLAGE_MAT + seat, pile]
            if n > 0 and (state.actions > 0 or (rules.actions >> pile) & 1 == 0):
                coins += n * (computed_drawn_value(rules, state, pile) - NO_USE) / PER_COIN
    return coins, -share * PER_SAVED_COIN * coins


@kernel
def coins_of_effect(rules: Rules, state: State, strategy: Strategy, row: int, n: int) -> Any:
    """Return the coins that an Effect adds to the hand. A discard or a trash of Treasures takes coins away."""
    weights = strategy.option_values
    op = rules.effects[row, Column.OP]
    if op == Op.COINS:
        return weights[OptionWeight.COINS] * n
    if rules.effects[row, Column.SOURCE] != Zone.HAND:
        return 0.0
    if op == Op.MOVE_ALL:
        coins = state.coins if state.decider == state.active else 0
        return weights[OptionWeight.DISCARDS] * (coins - hand_coins(rules, state, NONE, 0, 0))
    if op != Op.CHOOSE:
        return 0.0
    cards = candidates(rules, state, row, state.decider)
    if rules.effects[row, Column.TARGET] == Zone.TRASH:
        return -turn_values.trash_value_and_loss(rules, state, strategy, cards, n)[1]
    return -weights[OptionWeight.DISCARDS] * turn_values.discard_loss(rules, state, cards, n)


@kernel
def value_of_effect(rules: Rules, state: State, strategy: Strategy, row: int, n: int) -> Any:
    """Return the value of the cards that an Effect gains or trashes; TIE_BREAK for other choices.

    A choice of a gain has no value if a list or preferences want none of the cards.
    """
    weights = strategy.option_values
    op = rules.effects[row, Column.OP]
    is_choice = op == Op.CHOOSE
    if op != Op.GAIN and not is_choice:
        return 0.0
    piles = candidates(rules, state, row, state.decider) if is_choice else rules.effects[row, Column.MASK]
    target = rules.effects[row, Column.TARGET]
    if rules.effects[row, Column.SOURCE] == Zone.HAND:
        if target != Zone.TRASH:
            return 0.0
        return weights[OptionWeight.TRASHING] * turn_values.trash_value_and_loss(rules, state, strategy, piles, n)[0]
    if is_choice and target == Zone.TRASH:
        return TIE_BREAK
    if not is_choice:
        piles &= state.piles_in[Zone.SUPPLY]
    pile = np.int64(NONE)
    if piles != 0:
        pile = turn_values.most_wanted(rules, state, strategy, piles) if is_choice else highest(rules.cost, piles)
    if pile == NONE:
        return 0.0
    return -weights[OptionWeight.CURSES] if rules.vp[pile] < 0 else weights[OptionWeight.GAINS] * rules.cost[pile]


@kernel
def harm_to_others(rules: Rules, state: State, row: int) -> Any:
    """Return 1 if an Effect on the other players harms one of them, -1 if it draws cards for them, else 0."""
    if rules.effects[row + 1, Column.OP] == Op.CARDS:
        return -1.0
    for seat in range(rules.n_seats):
        is_spared = rules.effects[row, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if seat != state.decider and not is_spared and holds(rules, state, row + 1, seat):
            return 1.0
    return 0.0


@kernel
def select_option(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the option with the highest value for the deciding seat."""
    effect = state.asked_effect
    if state.legal & PASS_BIT:
        return select_for_gained(rules, state, strategy)
    if state.piles_in[Zone.REVEALED] != 0:
        return select_for_revealed(rules, state, strategy)
    best = NONE
    most = 0.0
    for option in range(n_options(rules, effect)):
        if (state.legal >> (FIRST_OPTION + option)) & 1 == 0:
            continue
        value = option_value(rules, state, strategy, option_row(rules, effect, option))
        if best == NONE or value > most:
            best = option
            most = value
    return FIRST_OPTION + best


@kernel
def option_to(rules: Rules, effect: int, zone: int) -> Any:
    """Return the answer of the option whose first Effect moves a card to a zone; PASS if there is none."""
    for option in range(n_options(rules, effect)):
        if rules.effects[option_row(rules, effect, option) + 1, Column.TARGET] == zone:
            return np.int64(FIRST_OPTION + option)
    return np.int64(PASS)


@kernel
def select_for_revealed(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Play the card on top of the deck if possible. Trash it if its loss has a value.

    Discard it if it has no use in a turn. A Treasure of low value is trashed unless its coins change the buy. A risky
    Action stays on the deck.
    """
    effect = state.asked_effect
    pile = lowest_pile(state.piles_in[Zone.REVEALED])
    play = option_to(rules, effect, Zone.IN_PLAY)
    can_play = (state.legal >> play) & 1 != 0 and (rules.risky >> pile) & 1 == 0
    value = turn_values.value_of_trashing(rules, state, strategy, pile)
    if value > 0.0:
        if can_play and turn_values.change_of_buy_value(rules, state, strategy, rules.coins[pile], 0, 0) > value:
            return play
        return option_to(rules, effect, Zone.TRASH)
    if can_play:
        return play
    return option_to(rules, effect, Zone.DISCARD if (rules.useless >> pile) & 1 else Zone.DECK_TOP)


@kernel
def select_for_gained(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Trash a gained card that is useless and was not bought, put a good one onto the deck, else pass."""
    effect = state.asked_effect
    frame = state.stack[state.depth - 1, Frame.ROOT]
    pile = state.stack[frame, Frame.PILE]
    is_bought = frame == 0 and state.active == state.decider
    wanted = wanted_now(rules, state, strategy)
    if rules.vp[pile] < 0 or (
        not is_bought and turn_values.cards_better_trashed(rules, state, strategy, wanted, bit(pile)) != 0
    ):
        return option_to(rules, effect, Zone.TRASH)
    return option_to(rules, effect, Zone.DECK_TOP) if is_good_draw(rules, state) else np.int64(PASS)


@kernel
def is_good_draw(rules: Rules, state: State) -> Any:
    """Return whether the card just gained went to the discard pile, and is better than the deck's mean."""
    frame = state.stack[state.depth - 1, Frame.ROOT]
    pile = state.stack[frame, Frame.PILE]
    if state.stack[frame, Frame.PLACE] != Zone.DISCARD or (rules.useless >> pile) & 1:
        return False
    return excess_over_mean(rules, state, pile) > 0.0


@kernel
def excess_over_mean(rules: Rules, state: State, pile: int) -> Any:
    """Return a card's computed value in hand minus the mean of the cards to draw, times their number."""
    value = computed_drawn_value(rules, state, pile)
    total = 0.0
    for other in range(N_MODEL_PILES):
        n = n_to_draw(state, state.decider, other)
        if n > 0:
            total += n * (value - computed_drawn_value(rules, state, other))
    return total
