"""Answer the questions that have one rule for all models: `common_answer`. Options are the most frequent.

An option has the sum of the values of its Effects in coins. `Strategy.option_values` has the weights. No card is named:
the zones of a choice select the rule. The answers are compiled for kingdoms that ask the questions.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.engine.moves import affordable, cost_of
from evodom.dominion.engine.ops import Column, Count, Frame, Op, Zone
from evodom.dominion.engine.resolve import PASS_BIT, candidates, holds, n_options, option_row
from evodom.dominion.engine.rules import FIRST_OPTION, N_MODEL_PILES, NONE, PASS, RULES, Rules
from evodom.dominion.engine.state import STATE, State, bit, lowest_pile, n_bits
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.buy_lists.buying import first_buy
from evodom.dominion.strategies.buy_lists.columns import BuyListColumns
from evodom.dominion.strategies.choices import highest, lowest, lowest_deck_value, worthless
from evodom.dominion.strategies.lookahead import coins_after_treasures, phase_of, wanted_among
from evodom.dominion.strategies.option_values import OptionValue
from evodom.dominion.strategies.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.dominion.strategies.values import (
    LAST_GAINS,
    computed_drawn_value,
    drawn_coins,
    expected_amount,
    hand_coins,
    n_next,
    wanted_now,
)
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel

SPARE = 0.1
"""Value of a coin or an Action that changes nothing, and of a choice without a weight: it decides between equals."""

PER_ACTION = 1.5
"""Coins of a drawn Action that can be played. Lists of Minions win most with 1.5 to 2."""

MANY_DRAWN = 3
"""Number of drawn cards. From it on, the coins of a forecast differ by up to 2 from the expectation, else by 1."""

MOST_BUYS = 3
"""Number of the next buys whose value is computed."""

COPPER_SHARE, LOST_PER_COST = 0.5, 0.25
"""Value of trashing a Copper, and loss for each coin of the cost of a useful card, as shares of a useless card."""

POINT_GIVEN, ACTION_GIVEN = 0.3, 1.5
"""Value for another player of a victory point before the end of the game, and of an Action."""


@kernel
def common_answer(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the answer to a question with a rule for all models; NONE for other questions."""
    question = question_of(rules, state)
    return NONE if question == NONE else _call(question, rules, state, strategy)


@kernel
def question_of(rules: Rules, state: State) -> Any:
    """Return the number of the pending question in ANSWERS; NONE for a question without a common rule."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.OPTIONS:
        return OPTION
    if op == Op.PLACE:
        return PLACE
    if op == Op.PLAY_TREASURE:
        return TREASURE
    if op == Op.START:
        return START
    if op != Op.CHOOSE:
        return NONE
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    if source == Zone.SUPPLY:
        if target == Zone.SUPPLY:
            return NAME
        if target == Zone.TRASH:
            return CHEAPEST
        return GIFT if state.stack[state.depth - 1, Frame.SEAT] != state.decider else NONE
    if source == Zone.TRASH and state.legal & PASS_BIT == 0:
        return DEAREST
    if source == Zone.THIS and target == Zone.TRASH:
        return TRASH_THIS
    if source != Zone.HAND:
        return NONE
    if target == Zone.HAND:
        return MOST_TYPES
    if target == Zone.NEXT_HAND:
        return PASSED
    return PAID_DISCARD if target == Zone.DISCARD and reward(rules, row) > 0 else NONE


@kernel
def reward(rules: Rules, row: int) -> Any:
    """Return the coins that the next Effect gives for the chosen cards of an optional choice; 0 for none."""
    is_paid = rules.effects[row + 1, Column.OP] == Op.COINS and rules.effects[row + 1, Column.IF] == Count.CHOSEN
    return rules.effects[row + 1, Column.N] if is_paid and rules.effects[row, Column.OPTIONAL] != 0 else 0


# Answers.


@kernel
def select_option(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the option with the highest value for the deciding seat."""
    effect = state.asked_effect
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
def select_name(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the known top card of the deck, else the most frequent card of the deck or the discard pile."""
    seat = state.decider
    top = state.n_known[seat] - 1
    if top >= 0 and state.unseen_above[seat, top] == 0:
        return np.int64(state.known[seat, top])
    row = Zone.DECK + seat if state.n_cards[Zone.DECK + seat] > 0 else Zone.DISCARD + seat
    best = 0
    for pile in range(N_MODEL_PILES):
        if state.cards[row, pile] > state.cards[row, best]:
            best = pile
    return np.int64(best)


@kernel
def select_cheapest(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the cheapest card."""
    return lowest(rules.cost, state.legal)


@kernel
def select_dearest(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the most expensive card."""
    return highest(rules.cost, state.legal)


@kernel
def select_most_types(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the card with the most types."""
    return highest(rules.n_types, state.legal)


@kernel
def select_gift(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the pile of the lowest value for another player: its points, coins and cost, and whether it is an Action.

    Points count little before the end of the game, because the card then stays in the way.
    """
    best = NONE
    least = 0.0
    per_point = 1.0 if gains_to_end(rules, state) <= LAST_GAINS else POINT_GIVEN
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1 == 0:
            continue
        value = rules.vp[pile] * (1.0 if rules.vp[pile] < 0 else per_point)
        value += rules.coins[pile] + SPARE * rules.cost[pile]
        if (rules.actions >> pile) & 1:
            value += ACTION_GIVEN
        if best == NONE or value < least:
            best = pile
            least = value
    return best


@kernel
def select_trash_this(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Trash the played card if its coins make a Province affordable that is not so without them."""
    coins = coins_after_treasures(rules, state, state.decider, NONE)
    price = cost_of(rules, state, PROVINCE)
    is_decisive = coins < price and coins + rules.effects[state.asked_effect + 1, Column.N] >= price
    if is_decisive and state.cards[Zone.SUPPLY, PROVINCE] > 0:
        return lowest_pile(state.legal)
    return np.int64(PASS)


@kernel
def select_paid_discard(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard the cards of lowest value in the turn if it is lower than the reward, else pass."""
    row = state.asked_effect
    n = rules.effects[row, Column.N] - state.n_chosen
    cards = state.legal & ~PASS_BIT
    loss = discard_loss(rules, state, cards, n)
    is_enough = state.n_cards[Zone.HAND + state.decider] >= n
    if state.legal & PASS_BIT and (loss >= reward(rules, row) or not is_enough):
        return np.int64(PASS)
    return least_missed(rules, state, cards)


@kernel
def select_passed(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Pass the card with the lowest deck value; without card values, the least useful card for another player."""
    if strategy.uses_card_values == 0:
        return select_gift(rules, state, strategy)
    return lowest_deck_value(rules, state, strategy, wanted_now(rules, state, strategy), state.legal)


@kernel
def select_place(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Keep a card on top of the deck if its computed value in hand is above the deck's mean, else put it down.

    The last place offered is the bottom, or leads to it.
    """
    seat = state.decider
    value = computed_drawn_value(rules, state, state.known[seat, state.n_known[seat] - 1])
    above_mean = 0.0
    for pile in range(N_MODEL_PILES):
        n = n_next(state, seat, pile)
        if n > 0:
            above_mean += n * (value - computed_drawn_value(rules, state, pile))
    return np.int64(lowest_pile(state.legal) if above_mean > 0.0 else FIRST_OPTION + n_bits(state.legal) - 1)


@kernel
def select_treasure(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Play Treasures that do more than give coins first."""
    others = state.legal & ~PASS_BIT & ~rules.plain_treasures
    return lowest_pile(others if others != 0 else state.legal)


@kernel
def select_start(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Resolve the first card."""
    return lowest_pile(state.legal)


ANSWERS = DispatchTable(
    "evodom.answers",
    (
        select_option,
        select_name,
        select_cheapest,
        select_gift,
        select_dearest,
        select_most_types,
        select_trash_this,
        select_paid_discard,
        select_place,
        select_passed,
        select_treasure,
        select_start,
    ),
    (RULES, STATE, STRATEGY),
)
"""The answers by the number of the question."""

OPTION, NAME, CHEAPEST, GIFT, DEAREST, MOST_TYPES, TRASH_THIS, PAID_DISCARD, PLACE, PASSED, TREASURE, START = range(12)

_call = ANSWERS.call


# Values of options.


@kernel
def option_value(rules: Rules, state: State, strategy: Strategy, option: int) -> Any:
    """Return the value of an option: the change of the buys of the turn, and the values of its other Effects.

    ``option`` is the index of its Effect. In another player's turn coins count themselves.
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
            coins += weights[OptionValue.CARDS] * n * drawn_coins(rules, state, state.decider, per_action)
        elif op == Op.ACTIONS:
            # They count if an Action waits in hand.
            more = hand_coins(rules, state, NONE, 0, n) - hand_coins(rules, state, NONE, 0, 0)
            if more > 0:
                n_drawn = MANY_DRAWN
                coins += weights[OptionValue.ACTIONS] * more
                total += weights[OptionValue.ACTIONS] * SPARE * n
        elif op == Op.EACH_PLAYER:
            total += weights[OptionValue.HARM] * harm(rules, state, row)
            row += rules.effects[row, Column.N_INNER]
        else:
            coins += coins_of(rules, state, strategy, row, n)
            total += value_of(rules, state, strategy, row, n)
        row += 1
    if state.decider != state.active:
        return total + coins
    return total + change_of_buys(rules, state, strategy, coins, n_buys, n_drawn)


@kernel
def coins_of(rules: Rules, state: State, strategy: Strategy, row: int, n: int) -> Any:
    """Return the coins of the hand that an Effect adds, or takes away: a discard, Treasures to trash."""
    weights = strategy.option_values
    op = rules.effects[row, Column.OP]
    if op == Op.COINS:
        return weights[OptionValue.COINS] * n
    if rules.effects[row, Column.SOURCE] != Zone.HAND:
        return 0.0
    if op == Op.MOVE_ALL:
        coins = state.coins if state.decider == state.active else 0
        return weights[OptionValue.DISCARDS] * (coins - hand_coins(rules, state, NONE, 0, 0))
    if op != Op.CHOOSE:
        return 0.0
    cards = candidates(rules, state, row, state.decider)
    if rules.effects[row, Column.TARGET] == Zone.TRASH:
        return -trash(rules, state, strategy, cards, n)[1]
    return -weights[OptionValue.DISCARDS] * discard_loss(rules, state, cards, n)


@kernel
def value_of(rules: Rules, state: State, strategy: Strategy, row: int, n: int) -> Any:
    """Return the value of the cards that an Effect gains or trashes; SPARE for other choices."""
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
        return weights[OptionValue.TRASHING] * trash(rules, state, strategy, piles, n)[0]
    if is_choice and target == Zone.TRASH:
        return SPARE
    if not is_choice:
        piles &= state.piles_in[Zone.SUPPLY]
    if piles == 0:
        return 0.0
    pile = highest(rules.cost, piles)
    return -weights[OptionValue.CURSES] if rules.vp[pile] < 0 else weights[OptionValue.GAINS] * rules.cost[pile]


@kernel
def change_of_buys(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int, n_drawn: int) -> Any:
    """Return the change of the value of this turn's buys by ``coins`` more, expected of ``n_drawn`` cards in part."""
    now = hand_coins(rules, state, NONE, 0, 0)
    # Actions that can still be played make the coins uncertain, as drawn cards do.
    is_open = state.actions > 0 and state.piles_in[Zone.HAND + state.decider] & rules.actions != 0
    spread = 1 if is_open else 0
    before = forecast(rules, state, strategy, now, state.buys, spread)
    if n_drawn > 0:
        spread = 1 if n_drawn < MANY_DRAWN else 2
    after = forecast(rules, state, strategy, now + coins, state.buys, spread)
    if n_buys > 0:
        more = forecast(rules, state, strategy, now + coins, state.buys + n_buys, spread)
        after += strategy.option_values[OptionValue.BUYS] * (more - after)
    return after - before


@kernel
def forecast(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int, spread: int) -> Any:
    """Return the mean of `value_of_buys` for numbers of coins that differ by up to ``spread`` from the expected one."""
    total = 0.0
    for offset in range(-spread, spread + 1):
        total += value_of_buys(rules, state, strategy, int(coins + 0.5) + offset, n_buys)
    return total / (2 * spread + 1)


@kernel
def value_of_buys(rules: Rules, state: State, strategy: Strategy, coins: int, n_buys: int) -> Any:
    """Return the costs and the points of the cards that a strategy buys with some coins, and SPARE for each coin."""
    total = SPARE * coins
    for _ in range(min(n_buys, MOST_BUYS)):
        pile = next_buy(rules, state, strategy, coins)
        if pile == NONE:
            break
        total += rules.cost[pile] + rules.vp[pile]
        coins -= cost_of(rules, state, pile)
    return total


@kernel
def next_buy(rules: Rules, state: State, strategy: Strategy, coins: int) -> Any:
    """Return the pile that a list or preferences buy first with some coins; NONE for none.

    A strategy of another model buys the most expensive card.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    wants: PreferenceColumns = strategy["preferences"]
    if lists.n_rules > 0:
        return first_buy(rules, state, strategy, coins)
    piles = state.piles_in[Zone.SUPPLY] & affordable(rules, state, max(coins, 0))
    weights = wants.weights[phase_of(rules, state, strategy)]
    wanted = wanted_among(rules, state, strategy, weights, piles)
    if wanted != 0:
        return highest(weights, wanted)
    has_weights = weights[highest(weights, (1 << rules.n_piles) - 1)] > 0.0
    return np.int64(NONE) if has_weights else highest(rules.cost, piles)


@kernel
def harm(rules: Rules, state: State, row: int) -> Any:
    """Return whether Effects that the other players resolve harm one of them: 1, or -1 for help by drawn cards."""
    if rules.effects[row + 1, Column.OP] == Op.CARDS:
        return -1.0
    for seat in range(rules.n_seats):
        is_spared = rules.effects[row, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if seat != state.decider and not is_spared and holds(rules, state, row + 1, seat):
            return 1.0
    return 0.0


@kernel
def trash(rules: Rules, state: State, strategy: Strategy, cards: int, n: int) -> Any:
    """Return the value of trashing ``n`` cards of a mask, and the coins that the hand loses by it.

    The cards with the lowest deck value go. A useless card counts 1, cards that a strategy keeps as a loss.
    """
    wanted = wanted_now(rules, state, strategy)
    bad = cards_to_lose(rules, state, strategy, wanted, cards)
    value = 0.0
    coins = 0
    while n > 0 and cards != 0:
        if strategy.uses_card_values != 0:
            pile = lowest_deck_value(rules, state, strategy, wanted, cards)
        else:
            pile = lowest(rules.coins, cards & bad) if cards & bad != 0 else lowest(rules.cost, cards)
        n_cards = min(state.cards[Zone.HAND + state.decider, pile], n)
        coins += n_cards * rules.coins[pile]
        if (bad >> pile) & 1 == 0:
            value -= n_cards * LOST_PER_COST * rules.cost[pile]
        else:
            value += n_cards * (COPPER_SHARE if rules.coins[pile] > 0 else 1.0)
        n -= n_cards
        cards &= ~bit(pile)
    return value, float(coins)


@kernel
def cards_to_lose(rules: Rules, state: State, strategy: Strategy, wanted: int, cards: int) -> Any:
    """Return the mask of cards that are better trashed. Near the end of the game, cards with points are not."""
    if strategy.uses_card_values != 0:
        bad = worthless(rules, state, strategy, wanted, cards)
    else:
        bad = cards & (rules.useless | (rules.treasures & rules.affordable[0])) & ~rules.variable_vp
    is_late = gains_to_end(rules, state) <= LAST_GAINS
    for pile in range(N_MODEL_PILES):
        if (bad >> pile) & 1 and (rules.vp[pile] > 1 or (rules.vp[pile] > 0 and is_late)):
            bad &= ~bit(pile)
    return bad


@kernel
def discard_loss(rules: Rules, state: State, cards: int, n: int) -> Any:
    """Return the coins that the hand loses without ``n`` cards of a mask. The least useful cards are taken."""
    now = hand_coins(rules, state, NONE, 0, 0)
    total = 0.0
    while n > 0 and cards != 0:
        pile = least_missed(rules, state, cards)
        n_cards = min(state.cards[Zone.HAND + state.decider, pile], n)
        total += now - hand_coins(rules, state, pile, -n_cards, 0)
        n -= n_cards
        cards &= ~bit(pile)
    return total


@kernel
def least_missed(rules: Rules, state: State, cards: int) -> Any:
    """Return the pile of a mask whose card costs the hand the fewest coins if it goes."""
    best = NONE
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1:
            coins = hand_coins(rules, state, pile, -1, 0)
            if best == NONE or coins > most:
                best = pile
                most = coins
    return best
