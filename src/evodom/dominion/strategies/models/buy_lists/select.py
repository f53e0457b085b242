"""Kernels that choose for a buy list: buy and gain cards, play Actions, trash cards.

The card with the lowest deck value is trashed first. `play` is the order of playing Actions. The source and target
zones of a choice select the function. Other choices among cards are those of `choices`.
"""

from typing import Any

from evodom.dominion.cards import COPPER, CURSE_PILE, GOLD, NONTERMINAL, SILVER
from evodom.dominion.effects.ops import GAINS_NOTHING, NO_LIMIT, Column, Count, Frame, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.observation import is_trade
from evodom.dominion.engine.rules import MAX_COINS, N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, lowest_pile
from evodom.dominion.strategies import record
from evodom.dominion.strategies.base import NetworkRecord
from evodom.dominion.strategies.models.buy_lists import published
from evodom.dominion.strategies.models.buy_lists.buying import first_buy, first_wanted, total_money, wanted_piles
from evodom.dominion.strategies.play import estimates
from evodom.dominion.strategies.play.answers import common_answer, without_wasted
from evodom.dominion.strategies.play.choices import gains_with_action, lowest_deck_value, select_card
from evodom.dominion.strategies.play.deck_values import coin_floor_of, deck_value_of
from evodom.dominion.strategies.play.hand_values import NO_USE, PER_COIN, buy_score, value_of_gain
from evodom.dominion.strategies.play.lookahead import (
    LOSES,
    ending_piles,
    gains_for_trashing,
    gains_of,
    piles_with_outcome,
)
from evodom.dominion.strategies.play.pick import highest, lowest
from evodom.dominion.strategies.play.prices import coins_after_treasures
from evodom.jit.kernel import kernel

MANY_TO_TRASH = 3
"""Minimum number of cards to trash in hand for a trashing Action to precede other terminal Actions."""

# Weights of `card_to_trade`, fitted by matches of lists with Remodel, Replace, Upgrade and Expand.

WORTHLESS_BONUS = 2.0
"""Value of the loss of a worthless card."""

TRASHED_SHARE = 0.75
"""Share of the cost and points of a trashed card, not worthless, that is subtracted."""

BUYS_SHARE = 0.25
"""Share of the loss of this turn's buys that is subtracted."""

FIRST_TERMINAL = 17
"""Computed number in the order of play that precedes all terminal Actions."""

MIN_WITH_SPARE_ACTIONS = 21
"""Minimum of a computed number in the order of play while several Actions are left. Numbers up to 20 precede it."""


@kernel
def select_by_list(rules: Rules, state: State, strategy: record.Strategy, network: NetworkRecord) -> Any:
    """Return the choice of a buy list for the pending Decision."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.BUY:
        wanted = first_wanted(rules, state, strategy, state.legal & ~PASS_BIT)
        return PASS if wanted == NONE else wanted
    if op == Op.PLAY_ACTION:
        return next_action(rules, state, strategy, state.legal & ~PASS_BIT)
    if op == Op.OFFER_REACTION:
        return lowest_pile(state.legal)
    common = common_answer(rules, state, strategy)
    if common != NONE:
        return common
    return select_card_by_list(rules, state, strategy, state.legal & ~PASS_BIT)


@kernel
def select_card_by_list(rules: Rules, state: State, strategy: record.Strategy, cards: int) -> Any:
    """Return the choice among the cards of the pending Effect."""
    source = rules.effects[state.asked_effect, Column.SOURCE]
    target = rules.effects[state.asked_effect, Column.TARGET]
    if source == Zone.SUPPLY:
        return select_gain(rules, state, strategy, cards)
    if target == Zone.TRASH:
        return select_trash(rules, state, strategy, cards)
    if target == Zone.IN_PLAY and source == Zone.HAND:
        return action_to_repeat(rules, state, strategy, cards)
    if target == Zone.IN_PLAY and source == Zone.REVEALED:
        return highest(strategy.hand_value, cards)
    if strategy.play_values == record.PUBLISHED_VALUES:
        if target == Zone.DISCARD and source in (Zone.HAND, Zone.REVEALED):
            return published.select_discard(rules, state, strategy, cards)
        if target == Zone.DECK_TOP:
            hand = state.piles_in[Zone.HAND + state.decider] & rules.actions
            is_done = next_action(rules, state, strategy, hand) == PASS
            return published.select_put_back(rules, state, strategy, cards, is_done)
        if target == Zone.SET_ASIDE:
            # Library: an Action that cannot be played only fills the hand.
            return lowest(strategy.hand_value, cards) if state.actions == 0 else PASS
    return select_card(rules, state, strategy)


# Playing Actions.


@kernel
def play_number(rules: Rules, state: State, strategy: record.Strategy, pile: int) -> Any:
    """Return the present number of an Action in the order of play.

    These numbers replace numbers that are not explicit:

    - FIRST_TERMINAL for an Action that trashes several cards, if the hand has MANY_TO_TRASH cards to trash.
    - FIRST_TERMINAL for an Action that can gain the card that the list wants most.
    - MIN_WITH_SPARE_ACTIONS while several Actions are left, if the number for that case is lower and not the usual.
    """
    is_computed = (strategy.computed[record.PLAY_ROW] >> pile) & 1 != 0
    if is_computed and rules.gain_cost[pile] != GAINS_NOTHING and rules.gain_cost[pile] < MAX_COINS:
        most_wanted = first_wanted(rules, state, strategy, state.piles_in[Zone.SUPPLY])
        if most_wanted != NONE and (gains_of(rules, state, pile) >> most_wanted) & 1:
            return FIRST_TERMINAL
    if is_computed and (rules.begins_with_trash >> pile) & 1:
        row = estimates.opening_row(rules, pile)
        wanted = wanted_piles(rules, state, strategy)
        if rules.effects[row, Column.N] > 1 and n_worthless(rules, state, strategy, wanted) >= MANY_TO_TRASH:
            return FIRST_TERMINAL
    if state.cards[Zone.SUPPLY, CURSE_PILE] == 0 and strategy.play[record.PLAY_NO_CURSES, pile] != 0:
        return strategy.play[record.PLAY_NO_CURSES, pile]
    usual = strategy.play[record.PLAY_USUAL, pile]
    if state.actions <= 1:
        return usual
    spare = strategy.play[record.PLAY_SPARE, pile]
    return max(spare, MIN_WITH_SPARE_ACTIONS) if is_computed and spare != usual else spare


@kernel
def next_action(rules: Rules, state: State, strategy: record.Strategy, actions: int) -> Any:
    """Return the useful Action with the lowest play number; PASS for none. A tie goes to the last pile."""
    useful = useful_actions(rules, state, strategy)
    # With repeating Actions alone, there is no Action to repeat.
    if useful & rules.may_do_nothing != 0 and useful & ~repeating_actions(rules, useful) == 0:
        return PASS
    found = actions & useful
    if found & (found - 1) == 0:
        return PASS if found == 0 else lowest_pile(found)
    first = PASS
    least = 0
    for pile in range(N_MODEL_PILES):
        if (found >> pile) & 1 == 0:
            continue
        number = play_number(rules, state, strategy, pile)
        if first == PASS or number <= least:
            first = pile
            least = number
    return first


@kernel
def action_to_repeat(rules: Rules, state: State, strategy: record.Strategy, actions: int) -> Any:
    """Return the Action to play several times: the Action that gives the turn the most coins. Return PASS for none.

    Throne Room repeats another Throne Room if all useful Actions are terminal and there are at least two.
    """
    useful = actions & useful_actions(rules, state, strategy)
    repeating = repeating_actions(rules, useful)
    useful &= ~repeating
    if useful == 0:
        return PASS
    if strategy.play_values == record.PUBLISHED_VALUES:
        return highest(strategy.hand_value, useful)
    times = rules.effects[state.asked_effect + 1, Column.N]
    n = 0
    best = PASS
    most = 0.0
    per_draw = estimates.coins_per_draw(rules, state, state.decider)
    for pile in range(N_MODEL_PILES):
        if (useful >> pile) & 1 == 0:
            continue
        n += state.cards[Zone.HAND + state.decider, pile]
        is_nonterminal = (rules.action_classes[NONTERMINAL] >> pile) & 1 != 0
        more_actions = times * (rules.extra_actions[pile] + 1) if is_nonterminal else 0
        # Explicit values only order the Actions.
        coins = times * estimates.played_coins(rules, state, pile, per_draw)
        coins += estimates.hand_coins(rules, state, pile, -1, more_actions)
        if (strategy.computed[record.HAND_ROW] >> pile) & 1 == 0:
            coins = (strategy.hand_value[pile] - NO_USE) / PER_COIN
        if best == PASS or coins > most:
            best = pile
            most = coins
    if repeating != 0 and useful & rules.action_classes[NONTERMINAL] == 0 and n > 1 and state.actions == 0:
        return lowest_pile(repeating)
    return best


@kernel
def repeating_actions(rules: Rules, actions: int) -> Any:
    """Return the mask of Actions that play another from hand (Throne Room). They need another useful Action."""
    found = 0
    for action in range(N_MODEL_PILES):
        if (actions >> action) & 1 and estimates.is_repeating(rules, action):
            found |= 1 << action
    return found


@kernel
def useful_actions(rules: Rules, state: State, strategy: record.Strategy) -> Any:
    """Return the mask of the useful Actions in hand. An Action that begins with a trash or gain needs a card for it."""
    hand = Zone.HAND + state.decider
    actions = without_wasted(rules, state, strategy, state.piles_in[hand] & rules.actions)
    if actions & rules.may_do_nothing == 0:
        return actions
    wanted = wanted_piles(rules, state, strategy)
    for action in range(N_MODEL_PILES):
        if (actions & rules.may_do_nothing & ~rules.risky) >> action & 1 == 0:
            continue
        if (rules.begins_with_trash >> action) & 1:
            cards = state.piles_in[hand] & rules.effects[estimates.opening_row(rules, action), Column.MASK]
            if state.cards[hand, action] == 1:
                cards &= ~(1 << action)
            if not can_trash_card(rules, state, strategy, wanted, action, cards):
                actions &= ~(1 << action)
        # An Action whose gain has no cost limit gains one fixed card: there is no choice.
        elif (
            rules.gains[action] != 0
            and rules.gain_cost[action] < MAX_COINS
            and rules.effects[rules.gain_effect[action], Column.EXTRA_COST] == NO_LIMIT
            and first_wanted(rules, state, strategy, gains_of(rules, state, action)) == NONE
        ):
            actions &= ~(1 << action)
    return actions


@kernel
def can_trash_card(rules: Rules, state: State, strategy: record.Strategy, wanted: int, action: int, cards: int) -> Any:
    """Return whether an Action that first trashes one of ``cards`` has a card to trash.

    ``wanted`` is the mask of `wanted_piles`.
    """
    row = estimates.opening_row(rules, action)
    if rules.effects[rules.gain_effect[action], Column.EXTRA_COST] != NO_LIMIT:
        return card_to_trade(rules, state, strategy, wanted, row, cards) != NONE
    if row + 1 != rules.end_effect[action] and rules.effects[row + 1, Column.IF] == Count.CHOSEN:
        return cards != 0
    least = lowest_deck_value(rules, state, strategy, wanted, cards)
    if least == NONE or not is_worthless(rules, state, strategy, wanted, least):
        return False
    money, floor = total_money(rules, state), coin_floor_of(rules, state, strategy, wanted)
    if money >= floor and money - rules.money[least] < floor:
        return False
    # The Action itself is still in hand and does not count.
    n = n_worthless(rules, state, strategy, wanted)
    n -= is_worthless(rules, state, strategy, wanted, action)
    if is_better_than_buy(rules, row, n):
        return True
    return not is_needed_to_buy(rules, state, strategy, least)


# Trashing.


@kernel
def is_worthless(rules: Rules, state: State, strategy: record.Strategy, wanted: int, pile: int) -> Any:
    """Return whether a card has a deck value below the trashing threshold."""
    return deck_value_of(rules, state, strategy, wanted, pile) < strategy.trash_below[record.EARLY]


@kernel
def n_worthless(rules: Rules, state: State, strategy: record.Strategy, wanted: int) -> Any:
    """Return the number of worthless cards in hand."""
    hand = Zone.HAND + state.decider
    n = 0
    for pile in range(N_MODEL_PILES):
        if state.cards[hand, pile] > 0 and is_worthless(rules, state, strategy, wanted, pile):
            n += state.cards[hand, pile]
    return n


@kernel
def is_better_than_buy(rules: Rules, row: int, n_worthless_cards: int) -> Any:
    """Return whether an Effect is better than the buy: it trashes n > 1 cards, and n in hand are worthless."""
    n = rules.effects[row, Column.N]
    return n > 1 and n_worthless_cards >= n


@kernel
def is_needed_to_buy(rules: Rules, state: State, strategy: record.Strategy, pile: int) -> Any:
    """Return whether this turn's buy would change if a card of this pile left the hand."""
    if rules.coins[pile] == 0:
        return False
    coins = coins_after_treasures(rules, state, state.decider, NONE)
    without = first_buy(rules, state, strategy, coins - rules.coins[pile])
    return first_buy(rules, state, strategy, coins) != without


@kernel
def select_trash(rules: Rules, state: State, strategy: record.Strategy, cards: int) -> Any:
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
            return PASS if state.legal & PASS_BIT else lowest_deck_value(rules, state, strategy, wanted, cards)
        return trashed
    least = lowest_deck_value(rules, state, strategy, wanted, cards)
    if rules.effects[row, Column.OPTIONAL] == 0 or (not is_last and rules.effects[row + 1, Column.IF] == Count.CHOSEN):
        return least
    if not is_worthless(rules, state, strategy, wanted, least):
        return PASS
    needs_check = rules.effects[row, Column.SOURCE] == Zone.HAND or strategy.play_values != record.PUBLISHED_VALUES
    if needs_check and not is_expendable(rules, state, strategy, wanted, row, least):
        return PASS
    return least


@kernel
def is_expendable(rules: Rules, state: State, strategy: record.Strategy, wanted: int, row: int, pile: int) -> Any:
    """Return whether a card can be trashed without harm to the deck's coins and, from the hand, to this turn's buy."""
    if (rules.treasures >> pile) & 1:
        left = total_money(rules, state) - rules.money[pile]
        if left < coin_floor_of(rules, state, strategy, wanted):
            return False
    if rules.effects[row, Column.SOURCE] != Zone.HAND:
        return True
    # Cards chosen already have left the hand and count.
    if is_better_than_buy(rules, row, n_worthless(rules, state, strategy, wanted) + state.n_chosen):
        return True
    return not is_needed_to_buy(rules, state, strategy, pile)


@kernel
def card_to_trade(rules: Rules, state: State, strategy: record.Strategy, wanted: int, row: int, cards: int) -> Any:
    """Return the card to trash for the most valuable gain; NONE if every trade is a loss.

    The value is the cost and points of the gain, minus TRASHED_SHARE times those of the trashed card. A worthless
    trashed card adds WORTHLESS_BONUS instead. BUYS_SHARE times the loss of this turn's buys is subtracted. Conditions
    of the list do not count the trashed card.
    """
    if rules.effects[row + 1, Column.MASK] & ~rules.treasures == 0:
        return treasure_to_trade(rules, state, strategy, row, cards)
    now = buy_score(rules, state, strategy, estimates.hand_coins(rules, state, NONE, 0, 0))
    best = NONE
    most = 0.0
    for trashed in range(N_MODEL_PILES):
        if (cards >> trashed) & 1 == 0:
            continue
        loses_nothing = is_worthless(rules, state, strategy, wanted, trashed)
        rest = estimates.hand_coins(rules, state, trashed, -1, 0)
        state.owned[state.decider, trashed] -= 1
        gained = first_wanted(rules, state, strategy, gains_for_trashing(rules, state, row + 1, trashed))
        value = BUYS_SHARE * (buy_score(rules, state, strategy, rest) - now)
        state.owned[state.decider, trashed] += 1
        if gained in (NONE, trashed):
            continue
        value += WORTHLESS_BONUS if loses_nothing else -TRASHED_SHARE * value_of_gain(rules, trashed)
        value += value_of_gain(rules, gained)
        if value > most:
            best = trashed
            most = value
    return best


@kernel
def treasure_to_trade(rules: Rules, state: State, strategy: record.Strategy, row: int, cards: int) -> Any:
    """Return the Treasure to trash: Silver if Gold is the first Treasure wanted, else Copper for Silver, else NONE."""
    gains = gains_for_trashing(rules, state, row + 1, SILVER)
    if (cards >> SILVER) & 1 and first_wanted(rules, state, strategy, gains) == GOLD:
        return SILVER
    if (cards >> COPPER) & 1 and (state.piles_in[Zone.SUPPLY] >> SILVER) & 1:
        return COPPER
    return NONE


# Gaining.


@kernel
def select_gain(rules: Rules, state: State, strategy: record.Strategy, cards: int) -> Any:
    """Gain the card of the first rule that holds. If none holds, pass. A mandatory gain takes the highest deck value.

    A wanted card of `gains_with_action` comes first. A gain that ends the game with a loss is avoided. A gain of a
    Treasure for a trashed Treasure (Mine) takes the most expensive Treasure.
    """
    row = state.asked_effect
    if rules.effects[row, Column.EXTRA_COST] != NO_LIMIT and rules.effects[row, Column.MASK] & ~rules.treasures == 0:
        return highest(rules.cost, cards)
    wanted = first_wanted(rules, state, strategy, gains_with_action(rules, state, cards))
    if wanted == NONE:
        wanted = first_wanted(rules, state, strategy, cards)
    if wanted != NONE:
        return wanted
    if state.legal & PASS_BIT:
        return PASS
    safe = cards & ~piles_with_outcome(rules, state, ending_piles(rules, state) & cards, LOSES, NONE)
    return highest(strategy.deck_value, safe if safe != 0 else cards)
