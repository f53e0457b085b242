"""Estimate the coins of a drawn card, of an Action in hand with its Effects, and of the deciding seat's hand.

`State.decider` is the seat whose cards are valued. `hand_values` and `turn_values` build on these estimates.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import CURSE_PILE
from evodom.dominion.effects.ops import ChoiceSize, Column, Count, Op, Zone
from evodom.dominion.engine.counts import holds, other_count
from evodom.dominion.engine.menu import n_options, option_row
from evodom.dominion.engine.moves import n_cards_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, deck_size, lowest_pile
from evodom.dominion.strategies.play.prices import special_treasure_coins
from evodom.jit.kernel import cold_kernel, kernel

TRASHED_COST = 2.0
"""Usual cost of a trashed card."""

USUAL_TREASURES = 3
"""Usual number of Treasures in play."""

LATER_SHARE = 0.9
"""Value of a coin of the next turn, in coins."""

PER_LATER_ACTION = 0.5
"""Value of an Action of the next turn, in coins."""

EXTRA_TURN_COINS = 3.0
"""Value of an extra turn with three cards, in coins."""

PER_EXTRA_ACTION = 0.3
"""Estimated coins of an extra Action."""

PER_ATTACK = 1.5
"""Estimated coins of the harm of an Attack."""

PER_BUY = 0.5
"""Estimated coins of a Buy."""

PER_GAIN = 1.5
"""Estimated coins of a chosen gain."""

ACTION_COINS = 2.0
"""Estimated coins of an Action in a hand of ten cards, where more Actions can be played."""


# Drawn cards.


@kernel
def n_to_draw(state: State, seat: int, pile: int) -> Any:
    """Return the number of cards of a pile in the deck, or in the discard pile if the deck is empty."""
    if deck_size(state, seat) == 0:
        return state.cards[Zone.DISCARD + seat, pile]
    n = state.cards[Zone.DECK + seat, pile]
    for index in range(state.n_known[seat]):
        if state.known[seat, index] == pile:
            n += 1
    return n


@kernel
def coins_per_draw(rules: Rules, state: State, seat: int) -> Any:
    """Return the expected coins of a drawn card. An Action counts as a coin."""
    return drawn_coins(rules, state, seat, 1)


@kernel
def coins_per_card(rules: Rules, state: State) -> Any:
    """Return the mean coins of the decider's cards. An Action counts as ACTION_COINS."""
    total, n = 0.0, 0
    for pile in range(N_MODEL_PILES):
        n += state.owned[state.decider, pile]
        total += state.owned[state.decider, pile] * (ACTION_COINS if (rules.actions >> pile) & 1 else rules.coins[pile])
    return total / max(n, 1)


@kernel
def drawn_coins(rules: Rules, state: State, seat: int, per_action: float) -> Any:
    """Return the expected coins of a drawn card. An Action counts as ``per_action`` coins.

    Cards are drawn from the discard pile if the deck is empty.
    """
    total, n = 0.0, 0
    has_deck = deck_size(state, seat) > 0
    zone = (Zone.DECK if has_deck else Zone.DISCARD) + seat
    piles = state.piles_in[zone]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n_cards = state.cards[zone, pile]
        n += n_cards
        total += n_cards * (per_action if (rules.actions >> pile) & 1 else rules.coins[pile])
    for index in range(state.n_known[seat]):
        pile = state.known[seat, index]
        n += 1
        total += per_action if (rules.actions >> pile) & 1 else rules.coins[pile]
    return total / max(n, 1)


# Actions and their Effects.


@kernel
def action_coins(rules: Rules, state: State, action: int, per_draw: float) -> Any:
    """Return the coins that an Action is equivalent to if it is played from the decider's hand now.

    A drawn card has ``per_draw`` coins. Extra Actions, Attacks, Buys and gains have estimates (PER_EXTRA_ACTION). Of
    several options, the option with the most coins counts. An Action that needs a second copy counts 0 without it.
    `later_coins` has the Effects of the next turn.
    """
    hand = Zone.HAND + state.decider
    if needs_copy(rules, action) and state.owned[state.decider, action] < 2:
        return 0.0
    total = PER_EXTRA_ACTION * rules.extra_actions[action]
    if (rules.attacks >> action) & 1:
        total += PER_ATTACK
    others = state.piles_in[hand]
    if state.cards[hand, action] == 1:
        others &= ~(1 << action)
    row = rules.first_effect[action]
    while row < rules.end_effect[action]:
        op = rules.effects[row, Column.OP]
        if op == Op.OPTIONS:
            total += rules.effects[row, Column.N] * best_option_coins(rules, state, row, others, per_draw)
        else:
            total += effect_coins(rules, state, row, others, per_draw)
        is_done = op in (Op.OPTIONS, Op.EACH_PLAYER, Op.LATER)
        if is_done or (op == Op.GROUP and likelihood(rules, state, row) == 0.0):
            row += rules.effects[row, Column.N_INNER]
        row += 1
    return total


@kernel
def later_coins(rules: Rules, state: State, card: int, per_draw: float) -> Any:
    """Return the coins that a Duration's Effects in the next turn are equivalent to, 0 for other cards."""
    return duration_coins(rules, state, card, per_draw) if (rules.start_cards >> card) & 1 else 0.0


@kernel
def played_coins(rules: Rules, state: State, card: int, per_draw: float) -> Any:
    """Return the coins of a card for this turn and for the next (`action_coins`, `later_coins`)."""
    return action_coins(rules, state, card, per_draw) + later_coins(rules, state, card, per_draw)


@cold_kernel
def duration_coins(rules: Rules, state: State, card: int, per_draw: float) -> Any:
    """Compute `later_coins` for a Duration."""
    others = state.piles_in[Zone.HAND + state.decider]
    total = 0.0
    end = 0
    for row in range(rules.first_effect[card], rules.end_effect[card]):
        op = rules.effects[row, Column.OP]
        if op == Op.LATER:
            end = row + rules.effects[row, Column.N_INNER]
        elif row <= end:
            n = PER_LATER_ACTION * rules.effects[row, Column.N] if op == Op.ACTIONS else 0.0
            total += n + effect_coins(rules, state, row, others, per_draw)
    return LATER_SHARE * total


@kernel
def best_option_coins(rules: Rules, state: State, effect: int, others: int, per_draw: float) -> Any:
    """Return the coins of the option with the most coins, as in `action_coins`."""
    best = 0.0
    for option in range(n_options(rules, effect)):
        row = option_row(rules, effect, option)
        end = row + 1 + rules.effects[row, Column.N_INNER]
        coins = 0.0
        while row < end:
            coins += effect_coins(rules, state, row, others, per_draw)
            if rules.effects[row, Column.OP] == Op.EACH_PLAYER:
                row += rules.effects[row, Column.N_INNER]
            row += 1
        best = max(best, coins)
    return best


@kernel
def effect_coins(rules: Rules, state: State, row: int, others: int, per_draw: float) -> Any:
    """Return the coins that an Effect of an Action in hand is equivalent to, as in `action_coins`.

    ``others`` is the mask of the other cards in hand.
    """
    hand = Zone.HAND + state.decider
    op = rules.effects[row, Column.OP]
    n = expected_amount(rules, state, row, others)
    if op == Op.COINS or op == Op.CHEAPER:
        return n
    if op == Op.CARDS:
        if rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.DOWN_TO:
            n = max(n + 1 - state.n_cards[hand], 0)
        return n * per_draw
    if op == Op.REVEAL_UNTIL:
        return n * max(per_draw, 1.5)
    if op == Op.PLAY_CHOSEN:
        return max(rules.effects[row, Column.N] - 1, 0) * max(per_draw, 1.5)
    if op == Op.DRAW_OR_SET_ASIDE:
        return max(n + 1 - state.n_cards[hand], 0) * per_draw
    if op == Op.BUYS:
        return PER_BUY * n
    if op == Op.GAIN:
        return 1.0
    if op == Op.REVEAL:
        return 0.5
    if op == Op.EACH_PLAYER:
        # A Curse for each of the other players is the most important.
        inner = rules.effects[row + 1, Column.OP] == Op.GAIN
        return 2.0 if inner and state.cards[Zone.SUPPLY, CURSE_PILE] > 0 else 0.0
    if op != Op.CHOOSE:
        return n if op == Op.VP else EXTRA_TURN_COINS * n if op == Op.EXTRA_TURN else 0.0
    source = rules.effects[row, Column.SOURCE]
    if source == Zone.SUPPLY:
        return PER_GAIN
    if source == Zone.HAND and others & rules.effects[row, Column.MASK] != 0:
        target = rules.effects[row, Column.TARGET]
        if target == Zone.TRASH:
            return 1.0
        if target == Zone.DISCARD and rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.ANY:
            return 0.5
    return 0.0


@kernel
def expected_amount(rules: Rules, state: State, row: int, others: int) -> Any:
    """Return the number of an Effect of an Action in hand. ``others`` is the mask of the other cards in hand.

    An Effect that requires a choice counts if there is a card to choose. Other conditions multiply the number by
    `likelihood`, counts by `expected_count`.
    """
    n = float(rules.effects[row, Column.N])
    condition = rules.effects[row, Column.IF]
    if condition == Count.CHOSEN and others & rules.effects[row - 1, Column.MASK] == 0:
        return 0.0
    if condition > Count.CHOSEN:
        n *= likelihood(rules, state, row)
    count = rules.effects[row, Column.COUNT]
    return n if count == Count.NONE else n * expected_count(rules, state, row, count)


@cold_kernel
def expected_count(rules: Rules, state: State, row: int, count: int) -> Any:
    """Return the expected factor of an Effect of a card in hand. It is the present count unless a choice precedes it.

    A choice of cards for coins discards the useless cards. A trashed card costs TRASHED_COST. The Treasures in hand
    count as in play, and the sum is at least USUAL_TREASURES.
    """
    mask = rules.effects[row, Column.COUNT_MASK]
    hand = Zone.HAND + state.decider
    if count == Count.CHOSEN:
        is_paid = rules.effects[row, Column.OP] == Op.COINS
        return float(n_cards_of(state, hand, rules.useless)) if is_paid else 0.0
    if count == Count.CHOSEN_COST:
        return TRASHED_COST / rules.effects[row, Column.COUNT_PER]
    n = other_count(rules, state, state.decider, count, mask)
    if count == Count.IN_PLAY:
        n = max(n + n_cards_of(state, hand, mask), USUAL_TREASURES)
    return float(n)


@cold_kernel
def likelihood(rules: Rules, state: State, row: int) -> Any:
    """Return the probability that the condition of an Effect holds when it is resolved."""
    condition = rules.effects[row, Column.IF]
    if condition == Count.EMPTY_PILES or condition == Count.EXTRA_TURNS:
        return 1.0 if holds(rules, state, row, state.decider) else 0.0
    return 0.5


@kernel
def opening_row(rules: Rules, card: int) -> Any:
    """Return the row of a card's first Effect. An Attack's offer to reveal a Reaction does not count."""
    row = np.int64(rules.first_effect[card])
    return row + 1 if rules.effects[row, Column.OP] == Op.OFFER_REACTION else row


@kernel
def is_repeating(rules: Rules, action: int) -> Any:
    """Return whether an Action plays another one from the hand (Throne Room)."""
    row = opening_row(rules, action)
    asks = rules.effects[row, Column.OP] == Op.CHOOSE and rules.effects[row, Column.SOURCE] == Zone.HAND
    return asks and rules.effects[row, Column.TARGET] == Zone.IN_PLAY


@kernel
def needs_copy(rules: Rules, action: int) -> Any:
    """Return whether an Action begins with trashing another card of its pile from the hand (Treasure Map)."""
    if (rules.begins_with_trash >> action) & 1 == 0:
        return False
    return rules.effects[opening_row(rules, action), Column.MASK] == bit(action)


@kernel
def draws_now(rules: Rules, state: State) -> Any:
    """Return whether the decider has an Action to play in hand that draws cards."""
    if state.decider != state.active or state.actions == 0:
        return False
    piles = rules.actions & state.piles_in[Zone.HAND + state.decider]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        for row in range(rules.first_effect[pile], rules.end_effect[pile]):
            if rules.effects[row, Column.OP] in (Op.CARDS, Op.DRAW_OR_SET_ASIDE):
                return True
    return False


# The hand.


@kernel
def hand_coins(rules: Rules, state: State, changed: int, change: int, more_actions: int) -> Any:
    """Return the coins that the decider's hand is equivalent to, with ``change`` cards of the pile ``changed`` more.

    All Treasures and nonterminal Actions count, and the best terminal Actions that can be played. ``more_actions`` adds
    Actions to play. In another player's turn the hand has one Action and no further coins.
    """
    seat = state.decider
    is_own_turn = seat == state.active
    actions = more_actions + (state.actions if is_own_turn else 1)
    hand = state.piles_in[Zone.HAND + seat]  # piles in hand before or after the change
    if changed != NONE:
        hand |= bit(changed)
    per_draw = coins_per_draw(rules, state, seat) if hand & rules.actions != 0 else 0.0
    total = float(state.coins if is_own_turn else 0)
    n_repeats = 0
    best = 0.0
    terminals = 0
    piles = hand
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = n_in_hand(state, pile, changed, change)
        if n <= 0:
            continue
        if (rules.actions >> pile) & 1 == 0:
            total += n * rules.coins[pile]
        elif is_repeating(rules, pile):
            n_repeats += n * (rules.effects[rules.first_effect[pile] + 1, Column.N] - 1)
        elif (rules.action_classes[0] >> pile) & 1 == 0:
            terminals |= 1 << pile
        elif actions > 0:
            coins = action_coins(rules, state, pile, per_draw)
            best = max(best, coins)
            total += n * coins
            actions += n * rules.extra_actions[pile]
    total, best_terminal = add_terminals(rules, state, changed, change, terminals, actions, per_draw, total)
    if hand & rules.treasures & ~rules.plain_treasures != 0:
        total += special_treasure_coins(rules, state, seat, changed, change)
    return total + n_repeats * max(best, best_terminal)


@kernel
def n_in_hand(state: State, pile: int, changed: int, change: int) -> Any:
    """Return the number of cards of a pile in the decider's hand, with ``change`` cards of ``changed`` more."""
    return state.cards[Zone.HAND + state.decider, pile] + (change if pile == changed else 0)


@kernel
def add_terminals(
    rules: Rules, state: State, changed: int, change: int, terminals: int, actions: int, per_draw: float, total: float
) -> Any:
    """Return ``total`` plus the coins of the best terminal Actions that can be played, and the coins of the best.

    ``terminals`` is the mask of the terminal Actions in hand, ``actions`` the number that can be played.
    """
    best = 0.0
    while terminals != 0 and actions > 0:
        top = NONE
        most = 0.0
        piles = terminals
        while piles != 0:
            pile = lowest_pile(piles)
            piles &= piles - 1
            lacks_copy = needs_copy(rules, pile) and n_in_hand(state, pile, changed, change) < 2
            coins = 0.0 if lacks_copy else action_coins(rules, state, pile, per_draw)
            if top == NONE or coins > most:
                top = pile
                most = coins
        terminals &= ~bit(top)
        n = n_in_hand(state, top, changed, change)
        # A card that needs another copy counts with it.
        total += min(n, 2 if needs_copy(rules, top) else actions) * most
        best = max(best, most)
        actions -= n
    return total, best
