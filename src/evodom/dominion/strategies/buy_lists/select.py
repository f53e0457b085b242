"""Kernels that choose for a buy list: evaluate rules, buy and gain cards, and choose among cards.

The card with the lowest `hand_value` is discarded first, that with the lowest `deck_value` is trashed first. `play` is
the order of playing Actions. The source and target zones of a choice select the function.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import COPPER, CURSE_PILE, GOLD, PROVINCE, SILVER
from evodom.dominion.engine.moves import affordable
from evodom.dominion.engine.ops import NO_LIMIT, ChoiceSize, Column, Frame, Op, Zone
from evodom.dominion.engine.resolve import PASS_BIT
from evodom.dominion.engine.rules import MAX_COINS, N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, lowest_pile
from evodom.dominion.engine.turn import score
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.buy_lists import rules as layout
from evodom.dominion.strategies.buy_lists.rules import Quantity
from evodom.dominion.strategies.choices import gains_for_trashing, highest, lowest, select_card, select_topdeck
from evodom.dominion.strategies.lookahead import (
    LOSES,
    coins_after_treasures,
    ending_piles,
    gains_to_end,
    is_trade,
    piles_with_outcome,
)
from evodom.dominion.strategies.record import EARLY
from evodom.jit.kernel import kernel


@kernel
def first_wanted(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the pile of the first rule that holds for one of the piles, or NONE."""
    if strategy.endgame_check != 0:
        piles = without_losing_gains(rules, state, piles)
    for rule in range(strategy.n_rules):
        pile = strategy.rules[rule, layout.PILE]
        if (piles >> pile) & 1 and rule_holds(rules, state, strategy, rule):
            return np.int64(pile)
    return np.int64(NONE)


@kernel
def without_losing_gains(rules: Rules, state: State, piles: int) -> Any:
    """Return ``piles`` without those whose gain would end the game with a loss."""
    ending = ending_piles(rules, state) & piles
    return piles if ending == 0 else piles & ~piles_with_outcome(rules, state, ending, LOSES, NONE)


@kernel
def wanted_piles(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of piles for which a rule holds, regardless of cost and of cards left."""
    wanted = 0
    for rule in range(strategy.n_rules):
        pile = strategy.rules[rule, layout.PILE]
        if (wanted >> pile) & 1 == 0 and rule_holds(rules, state, strategy, rule):
            wanted |= 1 << pile
    return wanted


@kernel
def first_buy(rules: Rules, state: State, strategy: Strategy, coins: int) -> Any:
    """Return the pile to buy with ``coins`` coins, or NONE."""
    can_pay = affordable(rules, state, max(coins, 0))
    return first_wanted(rules, state, strategy, state.piles_in[Zone.SUPPLY] & can_pay)


@kernel
def rule_holds(rules: Rules, state: State, strategy: Strategy, rule: int) -> Any:
    """Return whether all conditions of a rule hold for the deciding seat."""
    if state.owned[state.decider, strategy.rules[rule, layout.PILE]] >= strategy.rules[rule, layout.OWNED_BELOW]:
        return False
    if state.cards[Zone.SUPPLY, PROVINCE] > strategy.rules[rule, layout.PROVINCES_AT_MOST]:
        return False
    for condition in range(strategy.rules[rule, layout.FIRST_CONDITION], strategy.rules[rule, layout.END_CONDITION]):
        total = np.int64(0)
        for term in range(
            strategy.conditions[condition, layout.FIRST_TERM], strategy.conditions[condition, layout.END_TERM]
        ):
            kind = strategy.terms[term, layout.QUANTITY]
            argument = strategy.terms[term, layout.ARGUMENT]
            # Most conditions count cards. They come first, before the call for other quantities.
            if kind == Quantity.COUNT_IN_SUPPLY:
                amount = np.int64(state.cards[Zone.SUPPLY, argument])
            elif kind == Quantity.COUNT_IN_DECK:
                amount = np.int64(state.owned[state.decider, argument])
            else:
                amount = other_quantity(rules, state, kind, argument)
            total += amount * strategy.terms[term, layout.FACTOR]
        constant = strategy.conditions[condition, layout.CONSTANT]
        found = 0 if total < constant else 1 if total == constant else 2
        if (strategy.conditions[condition, layout.COMPARISON] >> found) & 1 == 0:
            return False
    return True


@kernel
def total_money(rules: Rules, state: State) -> Any:
    """Return the coins printed on all cards of the deciding seat."""
    total = np.int64(0)
    for pile in range(N_MODEL_PILES):
        total += state.owned[state.decider, pile] * rules.money[pile]
    return total


@kernel
def other_quantity(rules: Rules, state: State, kind: int, argument: int) -> Any:
    """Return the quantity of a term, except counts of one pile. ``argument`` is a pile or a mask of piles."""
    seat = state.decider
    if kind == Quantity.TOTAL_MONEY:
        return total_money(rules, state)
    if kind == Quantity.TURN_NUMBER:
        return np.int64(state.turns[seat])
    if kind == Quantity.COUNT_IN_HAND:
        return np.int64(state.cards[Zone.HAND + seat, argument])
    if kind == Quantity.GAINS_TO_END:
        return np.int64(gains_to_end(rules, state))
    if kind == Quantity.EMPTY_PILES:
        return np.int64(state.n_empty)
    if kind == Quantity.VP:
        return np.int64(score(rules, state, seat))
    if kind == Quantity.LEAD:
        return lead(rules, state)
    total = np.int64(0)
    for pile in range(N_MODEL_PILES):
        if kind == Quantity.CARDS_IN_DECK or (argument >> pile) & 1:
            total += state.owned[seat, pile]
    return total


@kernel
def lead(rules: Rules, state: State) -> Any:
    """Return the points of the deciding seat minus those of the best opponent; alone, the points."""
    mine = np.int64(score(rules, state, state.decider))
    best = np.int64(0)
    is_first = True
    for other in range(rules.n_seats):
        if other != state.decider:
            points = np.int64(score(rules, state, other))
            best = points if is_first else max(best, points)
            is_first = False
    return mine - best


@kernel
def select_by_list(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of a buy list for the pending Decision."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.BUY:
        wanted = first_wanted(rules, state, strategy, state.legal & ~PASS_BIT)
        return PASS if wanted == NONE else wanted
    if op == Op.PLAY_ACTION:
        return next_action(rules, state, strategy, state.legal & ~PASS_BIT)
    if op in (Op.OFFER_REACTION, Op.PLAY_TREASURE):
        return lowest_pile(state.legal)
    return select_card_by_list(rules, state, strategy, state.legal & ~PASS_BIT)


@kernel
def select_card_by_list(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the choice among the cards of the pending Effect."""
    source = rules.effects[state.asked_effect, Column.SOURCE]
    target = rules.effects[state.asked_effect, Column.TARGET]
    if source == Zone.SUPPLY:
        return select_gain(rules, state, strategy, cards)
    if target == Zone.TRASH:
        return select_trash(rules, state, strategy, cards)
    if target == Zone.DISCARD and source in (Zone.HAND, Zone.REVEALED):
        return select_discard(rules, state, strategy, cards)
    if target == Zone.DECK_TOP:
        return select_put_back(rules, state, strategy, cards)
    if target == Zone.SET_ASIDE:
        # Library: an Action that cannot be played only fills the hand.
        return lowest(strategy.hand_value, cards) if state.actions == 0 else PASS
    if target == Zone.IN_PLAY and source == Zone.HAND:
        return action_to_repeat(rules, state, strategy, cards)
    if target == Zone.IN_PLAY and source == Zone.REVEALED:
        return highest(strategy.hand_value, cards)
    return select_card(rules, state, strategy)


# Playing Actions.


@kernel
def play_number(state: State, strategy: Strategy, pile: int) -> Any:
    """Return the present number of an Action in the order of play."""
    if state.cards[Zone.SUPPLY, CURSE_PILE] == 0 and strategy.play[layout.PLAY_NO_CURSES, pile] != 0:
        return strategy.play[layout.PLAY_NO_CURSES, pile]
    return strategy.play[layout.PLAY_SPARE if state.actions > 1 else layout.PLAY_USUAL, pile]


@kernel
def next_action(rules: Rules, state: State, strategy: Strategy, actions: int) -> Any:
    """Return the useful Action with the lowest play number; PASS for none. A tie goes to the last pile."""
    useful = useful_actions(rules, state, strategy)
    # With repeating Actions alone, there is no Action to repeat.
    if useful & rules.may_do_nothing != 0 and useful & ~repeating_actions(rules, useful) == 0:
        return PASS
    found = actions & useful
    if found & (found - 1) == 0:
        return PASS if found == 0 else lowest_pile(found)
    first = PASS
    for pile in range(N_MODEL_PILES):
        if (found >> pile) & 1 and (
            first == PASS or play_number(state, strategy, pile) <= play_number(state, strategy, first)
        ):
            first = pile
    return first


@kernel
def action_to_repeat(rules: Rules, state: State, strategy: Strategy, actions: int) -> Any:
    """Return the Action to play twice: the useful one with the highest hand value; PASS for none."""
    useful = actions & useful_actions(rules, state, strategy)
    useful &= ~repeating_actions(rules, useful)
    return PASS if useful == 0 else highest(strategy.hand_value, useful)


@kernel
def repeating_actions(rules: Rules, actions: int) -> Any:
    """Return the mask of Actions that play another from hand (Throne Room). They need another useful Action."""
    found = 0
    for action in range(N_MODEL_PILES):
        row = rules.first_effect[action]
        asks = rules.effects[row, Column.OP] == Op.CHOOSE and rules.effects[row, Column.SOURCE] == Zone.HAND
        if (actions >> action) & 1 and asks and rules.effects[row, Column.TARGET] == Zone.IN_PLAY:
            found |= 1 << action
    return found


@kernel
def useful_actions(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of useful Actions in hand: those that begin with a trash or gain need a card for it."""
    hand = Zone.HAND + state.decider
    actions = state.piles_in[hand] & rules.actions
    if actions & rules.may_do_nothing == 0:
        return actions
    wanted = wanted_piles(rules, state, strategy)
    for action in range(N_MODEL_PILES):
        if (actions & rules.may_do_nothing) >> action & 1 == 0:
            continue
        if (rules.begins_with_trash >> action) & 1:
            cards = state.piles_in[hand] & rules.effects[rules.first_effect[action], Column.MASK]
            if state.cards[hand, action] == 1:
                cards &= ~(1 << action)
            if not is_trash_useful(rules, state, strategy, wanted, action, cards):
                actions &= ~(1 << action)
        # An Action whose gain has no cost limit gains one fixed card: there is no choice.
        elif (
            rules.gains[action] != 0
            and rules.gain_cost[action] < MAX_COINS
            and rules.gain_extra_cost[action] == NO_LIMIT
        ):
            gains = (
                state.piles_in[Zone.SUPPLY] & rules.gains[action] & affordable(rules, state, rules.gain_cost[action])
            )
            if first_wanted(rules, state, strategy, gains) == NONE:
                actions &= ~(1 << action)
    return actions


@kernel
def is_trash_useful(rules: Rules, state: State, strategy: Strategy, wanted: int, action: int, cards: int) -> Any:
    """Return whether an Action that first trashes one of ``cards`` has a card to trash.

    ``wanted`` is the mask of `wanted_piles`.
    """
    row = rules.first_effect[action]
    if rules.gain_extra_cost[action] != NO_LIMIT:
        return card_to_trade(rules, state, strategy, wanted, row, cards) != NONE
    if row + 1 != rules.end_effect[action] and rules.effects[row + 1, Column.IF_CHOSEN] != 0:
        return cards != 0
    least = lowest_current_value(strategy, wanted, cards)
    if least == NONE or current_deck_value(strategy, wanted, least) >= strategy.trash_below[EARLY]:
        return False
    money = total_money(rules, state)
    if money >= strategy.coin_floor and money - rules.money[least] < strategy.coin_floor:
        return False
    # The Action itself is still in hand and does not count. A trash of N worthless cards takes precedence over the buy.
    n_worthless_cards = n_worthless(state, strategy, wanted) - (
        current_deck_value(strategy, wanted, action) < strategy.trash_below[EARLY]
    )
    return n_worthless_cards >= rules.effects[row, Column.N] or not is_needed_to_buy(rules, state, strategy, least)


# Trashing.


@kernel
def current_deck_value(strategy: Strategy, wanted: int, pile: int) -> Any:
    """Return the deck value of a card, which can differ while a rule for it holds (`deck_value_if_wanted`)."""
    if strategy.deck_value_if_wanted[pile] != 0 and (wanted >> pile) & 1:
        return strategy.deck_value_if_wanted[pile]
    return strategy.deck_value[pile]


@kernel
def lowest_current_value(strategy: Strategy, wanted: int, cards: int) -> Any:
    """Return the pile of a mask with the lowest present deck value; NONE for an empty mask."""
    least = NONE
    lowest_found = 0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        value = current_deck_value(strategy, wanted, pile)
        if least == NONE or value < lowest_found:
            least = pile
            lowest_found = value
    return least


@kernel
def n_worthless(state: State, strategy: Strategy, wanted: int) -> Any:
    """Return the number of cards in hand with a deck value below the trashing threshold."""
    hand = Zone.HAND + state.decider
    n = 0
    for pile in range(N_MODEL_PILES):
        if state.cards[hand, pile] > 0 and current_deck_value(strategy, wanted, pile) < strategy.trash_below[EARLY]:
            n += state.cards[hand, pile]
    return n


@kernel
def is_needed_to_buy(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return whether this turn's buy would change if a card of this pile left the hand."""
    if rules.coins[pile] == 0:
        return False
    coins = coins_after_treasures(rules, state, state.decider, NONE)
    without = first_buy(rules, state, strategy, coins - rules.coins[pile])
    return first_buy(rules, state, strategy, coins) != without


@kernel
def select_trash(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Trash the card with the lowest deck value, or another player's card with the highest."""
    row = state.asked_effect
    frame = state.depth - 1
    is_last = row + 1 == state.stack[frame, Frame.END]
    if state.stack[frame, Frame.SEAT] != state.decider:
        return highest(strategy.deck_value, cards)
    wanted = wanted_piles(rules, state, strategy)
    if is_trade(rules, row, state.stack[frame, Frame.END]):
        trashed = card_to_trade(rules, state, strategy, wanted, row, cards)
        if trashed == NONE:
            return PASS if state.legal & PASS_BIT else lowest_current_value(strategy, wanted, cards)
        return trashed
    least = lowest_current_value(strategy, wanted, cards)
    if rules.effects[row, Column.OPTIONAL] == 0 or (not is_last and rules.effects[row + 1, Column.IF_CHOSEN] != 0):
        return least
    if current_deck_value(strategy, wanted, least) >= strategy.trash_below[EARLY]:
        return PASS
    if rules.effects[row, Column.SOURCE] == Zone.HAND and not is_expendable(rules, state, strategy, wanted, row, least):
        return PASS
    return least


@kernel
def is_expendable(rules: Rules, state: State, strategy: Strategy, wanted: int, row: int, pile: int) -> Any:
    """Return whether a card in hand can be trashed without harm to the coins of the deck and the buy of this turn."""
    if (rules.treasures >> pile) & 1 and total_money(rules, state) - rules.money[pile] < strategy.coin_floor:
        return False
    # As in `is_trash_useful`. Cards chosen already have left the hand and count.
    n_worthless_cards = n_worthless(state, strategy, wanted) + state.n_chosen
    return n_worthless_cards >= rules.effects[row, Column.N] or not is_needed_to_buy(rules, state, strategy, pile)


@kernel
def card_to_trade(rules: Rules, state: State, strategy: Strategy, wanted: int, row: int, cards: int) -> Any:
    """Return the card to trash for the gain with the earliest rule; NONE if no trade increases the deck value."""
    if rules.effects[row + 1, Column.MASK] & ~rules.treasures == 0:
        return treasure_to_trade(rules, state, strategy, row, cards)
    best = NONE
    best_rank = strategy.n_rules
    for trashed in range(N_MODEL_PILES):
        if (cards >> trashed) & 1 == 0:
            continue
        value = current_deck_value(strategy, wanted, trashed)
        gains = gains_for_trashing(rules, state, row + 1, trashed)
        gained = first_wanted(rules, state, strategy, gains)
        if gained == NONE or current_deck_value(strategy, wanted, gained) <= value:
            continue
        rank = rule_rank(rules, state, strategy, gained)
        if rank < best_rank or (rank == best_rank and value < current_deck_value(strategy, wanted, best)):
            best = trashed
            best_rank = rank
    return best


@kernel
def rule_rank(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the index of the first rule that holds for a pile, or the number of rules."""
    for rule in range(strategy.n_rules):
        if strategy.rules[rule, layout.PILE] == pile and rule_holds(rules, state, strategy, rule):
            return rule
    return strategy.n_rules


@kernel
def treasure_to_trade(rules: Rules, state: State, strategy: Strategy, row: int, cards: int) -> Any:
    """Return the Treasure to trash: Silver if Gold is the first Treasure wanted, else Copper for Silver, else NONE."""
    reach = gains_for_trashing(rules, state, row + 1, SILVER)
    if (cards >> SILVER) & 1 and first_wanted(rules, state, strategy, reach) == GOLD:
        return SILVER
    if (cards >> COPPER) & 1 and (state.piles_in[Zone.SUPPLY] >> SILVER) & 1:
        return COPPER
    return NONE


# Gaining, discarding, putting back.


@kernel
def select_gain(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Gain the card of the first rule that holds. Without one, pass, or gain the highest deck value.

    A gain that ends the game lost is avoided.
    """
    row = state.asked_effect
    if rules.effects[row, Column.EXTRA_COST] != NO_LIMIT and rules.effects[row, Column.MASK] & ~rules.treasures == 0:
        return highest(rules.cost, cards)
    wanted = first_wanted(rules, state, strategy, cards)
    if wanted != NONE:
        return wanted
    if state.legal & PASS_BIT:
        return PASS
    safe = cards & ~piles_with_outcome(rules, state, ending_piles(rules, state) & cards, LOSES, NONE)
    return highest(strategy.deck_value, safe if safe != 0 else cards)


@kernel
def select_discard(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Discard the card with the lowest hand value. An optional discard requires a low value, and new cards to draw."""
    row = state.asked_effect
    seat = state.decider
    if state.legal & PASS_BIT == 0:
        return card_to_give_up(rules, state, strategy, cards)
    if rules.effects[row, Column.CHOICE_SIZE] != ChoiceSize.ANY:
        return select_card(rules, state, strategy)
    if rules.effects[row, Column.SOURCE] == Zone.HAND:
        n_new = (
            state.n_known[seat] + state.n_cards[Zone.DECK + seat] + state.n_cards[Zone.DISCARD + seat] - state.n_chosen
        )
        if state.n_chosen >= n_new:
            return PASS
    least = lowest(strategy.hand_value, cards)
    return least if strategy.hand_value[least] <= strategy.discard_to else PASS


@kernel
def card_to_give_up(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the card of a hand to discard: a surplus terminal Action, else the card with the lowest hand value."""
    terminals = cards & rules.actions & ~rules.action_classes[0]
    n = 0
    for pile in range(N_MODEL_PILES):
        if (terminals >> pile) & 1:
            n += state.cards[Zone.HAND + state.decider, pile]
    return lowest(strategy.hand_value, terminals if n > 1 else cards)


@kernel
def select_put_back(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Put a card onto the deck.

    - From the discard pile: the highest hand value. Pass if it is low, or while an Action can be played.
    - From the hand, in the own turn: as `select_topdeck`.
    - Otherwise: the lowest hand value.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    if source == Zone.DISCARD:
        hand = state.piles_in[Zone.HAND + state.decider] & rules.actions
        best = highest(strategy.hand_value, cards)
        is_good = strategy.hand_value[best] >= strategy.trash_below[EARLY]
        return best if is_good and next_action(rules, state, strategy, hand) == PASS else PASS
    if source == Zone.HAND and state.decider == state.active:
        return select_topdeck(rules, state, strategy, cards)
    return lowest(strategy.hand_value, cards)
