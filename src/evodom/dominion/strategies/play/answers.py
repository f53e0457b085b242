"""Answer the questions that have one rule for all models: `common_answer`.

The zones of a choice and the next Effect determine the rule. The asking card does not. The answers are compiled when a
kingdom first asks such a question. The longer answers are in `menu`, `treasures`, `trades` and `wasted`.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from evodom.dominion.effects.ops import NO_LIMIT, SUM, ChoiceSize, Column, Count, Frame, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.moves import affordable
from evodom.dominion.engine.rules import FIRST_OPTION, N_MODEL_PILES, NONE, PASS, RULES, Rules
from evodom.dominion.engine.state import STATE, State, bit, lowest_pile, n_bits
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.play import trades, turn_values, wasted
from evodom.dominion.strategies.play.choices import lowest_deck_value
from evodom.dominion.strategies.play.deck_values import LAST_GAINS, wanted_now
from evodom.dominion.strategies.play.estimates import coins_per_draw
from evodom.dominion.strategies.play.hand_values import NO_USE, PER_COIN, TIE_BREAK, computed_drawn_value
from evodom.dominion.strategies.play.menu import excess_over_mean, is_good_draw, select_option
from evodom.dominion.strategies.play.pick import highest, lowest
from evodom.dominion.strategies.play.treasures import select_repeated_treasure, select_start, select_treasure
from evodom.dominion.strategies.play.wanted import n_terminals, spare_actions
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel

PER_GIVEN_POINT = 0.3
"""Value of a victory point for another player before the last turns, in coins."""


IDLE_SHARE = 0.5
"""Value of a card whose extra Actions the deck does not need, as a share of its cost."""


class CommonQuestion(IntEnum):
    """A question that all models answer in the same way.

    A new one needs a condition in `question_of` or `question_of_hand`, and a line in `answer`.
    """

    OPTION = 0
    """The next option of a card."""
    NAME = 1
    """A card to name."""
    TRASHED_FROM_SUPPLY = 2
    """A card of the Supply to trash."""
    GIFT = 3
    """A card that another player gains."""
    GAINED_FROM_TRASH = 4
    """A card of the trash to gain."""
    REVEALED = 5
    """A card to reveal."""
    TRASH_THIS = 6
    """Whether the played card is trashed."""
    PAID_DISCARD = 7
    """Cards to discard for coins or cards."""
    PLACE = 8
    """A place in a deck."""
    HANDED_ON = 9
    """A card to pass to another player."""
    TREASURE = 10
    """A Treasure to play."""
    START = 11
    """The next effect at the start of a turn."""
    REPEATED_TREASURE = 12
    """A Treasure to play twice."""
    TOPDECK_GAINED = 13
    """Whether the gained card goes onto the deck."""
    ACCEPT = 14
    """Whether to play an offered card, or to put a card in play onto the deck."""
    DISCARD_FOR_GAIN = 15
    """A card to discard for a gain."""
    TRADED = 16
    """A card to trash for a reward that depends on its cost."""
    FOR_SUM = 17
    """Cards to trash for the sum of their costs."""
    COPIED = 18
    """A card in hand to gain a copy of."""
    FOR_MAT = 19
    """A card to put on a mat."""
    FOR_NEXT_TURN = 20
    """A card to set aside for the next turn."""
    WASTED = 21
    """Not a question: `without_wasted` asks for the mask of Actions that are wasted if played."""


@kernel
def common_answer(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the answer to a question with a rule for all models; NONE for other questions."""
    question = question_of(rules, state)
    return NONE if question == NONE else _call(0, rules, state, strategy, question)


@kernel
def question_of(rules: Rules, state: State) -> Any:
    """Return the `CommonQuestion` that is pending. Return NONE if models answer it differently."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.OPTIONS:
        return CommonQuestion.OPTION
    if op == Op.PLACE:
        return CommonQuestion.PLACE
    if op == Op.PLAY_TREASURE:
        return CommonQuestion.TREASURE
    if op == Op.START:
        return CommonQuestion.START
    if op != Op.CHOOSE:
        return NONE
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    if source == Zone.SUPPLY:
        if target == Zone.SUPPLY:
            return CommonQuestion.NAME
        if target == Zone.TRASH:
            return CommonQuestion.TRASHED_FROM_SUPPLY
        return CommonQuestion.GIFT if state.stack[state.depth - 1, Frame.SEAT] != state.decider else NONE
    if source == Zone.TRASH and state.legal & PASS_BIT == 0:
        return CommonQuestion.GAINED_FROM_TRASH
    if source == Zone.THIS and target == Zone.TRASH:
        return CommonQuestion.TRASH_THIS
    if source == Zone.THIS and target == Zone.DECK_TOP:
        return CommonQuestion.TOPDECK_GAINED
    if (source == Zone.THIS and target == Zone.IN_PLAY) or source == Zone.IN_PLAY:
        return CommonQuestion.ACCEPT
    return question_of_hand(rules, row, target) if source == Zone.HAND else NONE


@kernel
def question_of_hand(rules: Rules, row: int, target: int) -> Any:
    """Return the `CommonQuestion` for a card from hand, by its target and by the Effect after it."""
    follows = rules.effects[row + 1]
    if target == Zone.DISCARD:
        if rules.effects[row, Column.OPTIONAL] == 0:
            return NONE
        if follows[Column.IF] == Count.CHOSEN and follows[Column.OP] == Op.CHOOSE:
            return CommonQuestion.DISCARD_FOR_GAIN
        is_paid = follows[Column.IF] == Count.CHOSEN or follows[Column.COUNT] == Count.CHOSEN
        is_draw = follows[Column.OP] == Op.CARDS and follows[Column.IF] == Count.CHOSEN
        return CommonQuestion.PAID_DISCARD if is_draw or (is_paid and follows[Column.OP] == Op.COINS) else NONE
    if target == Zone.TRASH:
        if follows[Column.COUNT] == Count.CHOSEN_COST:
            return CommonQuestion.TRADED
        return CommonQuestion.FOR_SUM if follows[Column.EXACT] == SUM else NONE
    if target == Zone.IN_PLAY:
        if rules.effects[row, Column.MASK] & ~rules.treasures == 0:
            return CommonQuestion.REPEATED_TREASURE
        return CommonQuestion.ACCEPT if follows[Column.OP] == Op.PLAY_CHOSEN and follows[Column.N] == 1 else NONE
    if target == Zone.HAND:
        return CommonQuestion.REVEALED if rules.effects[row, Column.OPTIONAL] == 0 else CommonQuestion.COPIED
    if target == Zone.NEXT_HAND:
        return CommonQuestion.HANDED_ON
    if target == Zone.ISLAND_MAT:
        return CommonQuestion.FOR_MAT
    return CommonQuestion.FOR_NEXT_TURN if target == Zone.SET_ASIDE else NONE


@kernel
def reward(rules: Rules, state: State, row: int) -> Any:
    """Return the reward that the next Effect gives for an optional choice, in coins.

    A drawn card counts as `coins_per_draw`.
    """
    n = float(rules.effects[row + 1, Column.N])
    return n if rules.effects[row + 1, Column.OP] == Op.COINS else n * coins_per_draw(rules, state, state.decider)


# Answers.


@kernel
def select_name(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the top card of the deck if it is known, else the most frequent card of the deck.

    An empty deck is replaced by the discard pile. If the name forbids another player's gain, return the best card that
    this player can gain.
    """
    seat = state.decider
    if state.stack[state.depth - 1, Frame.SEAT] != seat:
        return select_best_gain(rules, state, strategy)
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
def select_best_gain(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the most expensive card that the gain after the name allows. Victory cards are left out.

    At equal costs return the card with the highest deck value.
    """
    gain = state.asked_effect
    while rules.effects[gain, Column.MAX_COST] == NO_LIMIT:
        gain += 1
    piles = state.piles_in[Zone.SUPPLY] & ~state.named & affordable(rules, state, rules.effects[gain, Column.MAX_COST])
    piles &= ~rules.victories
    if piles == 0:
        return np.int64(lowest_pile(state.legal))
    dearest = 0
    cost = rules.cost[highest(rules.cost, piles)]
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1 and rules.cost[pile] == cost:
            dearest |= 1 << pile
    return np.int64(highest(strategy.deck_value, dearest))


@kernel
def select_from_trash(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the most wanted card; the most expensive card if none is wanted."""
    wanted = turn_values.most_wanted(rules, state, strategy, state.legal & ~PASS_BIT)
    return np.int64(wanted if wanted != NONE else highest(rules.cost, state.legal & ~PASS_BIT))


@kernel
def select_gift(rules: Rules, state: State) -> Any:
    """Return the pile with the lowest value for another player.

    The value is the sum of its points, its coins (`computed_drawn_value`) and TIE_BREAK for each coin of its cost.
    Before the last turns a positive point has only the value PER_GIVEN_POINT, since the card takes a place in hands.
    """
    best = NONE
    least = 0.0
    is_late = gains_to_end(rules, state) <= LAST_GAINS
    per_point, share = (1.0, turn_values.LATE_SHARE) if is_late else (PER_GIVEN_POINT, 1.0)
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1 == 0:
            continue
        value = rules.vp[pile] * (1.0 if rules.vp[pile] < 0 else per_point)
        value += share * (computed_drawn_value(rules, state, pile) - NO_USE) / PER_COIN + TIE_BREAK * rules.cost[pile]
        if best == NONE or value < least:
            best = pile
            least = value
    return best


@kernel
def select_trash_this(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Trash the played card if its coins add more to the value of this turn's buys than the card has.

    The value of the card is its cost if terminal Actions of the deck need its extra Actions, else IDLE_SHARE times its
    cost.
    """
    pile = np.int64(lowest_pile(state.legal))
    is_needed = spare_actions(rules, state) <= rules.extra_actions[pile] and n_terminals(rules, state) > 1
    value = float(rules.cost[pile]) * (1.0 if is_needed else IDLE_SHARE)
    coins = float(rules.effects[state.asked_effect + 1, Column.N])
    return pile if turn_values.change_of_buy_value(rules, state, strategy, coins, 0, 0) > value else np.int64(PASS)


@kernel
def select_paid_discard(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard the cards whose loss costs the hand the fewest coins. Pass if the reward is not above this loss.

    Before an Action that discards the hand (Tactician), discard all cards but this Action and one other if
    `is_hand_better_sold`.
    """
    row = state.asked_effect
    is_any = rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.ANY
    discarder: Any = wasted.hand_discarding_action(rules, state) if is_any else np.int64(NONE)
    if discarder != NONE and wasted.is_hand_better_sold(rules, state, strategy, rules.effects[row + 1, Column.N]):
        if state.n_cards[Zone.HAND + state.decider] <= 2:
            return np.int64(PASS)
        return turn_values.least_missed(rules, state, state.legal & ~PASS_BIT & ~bit(discarder))
    n = 1 if is_any else rules.effects[row, Column.N] - state.n_chosen
    cards = state.legal & ~PASS_BIT
    loss = turn_values.discard_loss(rules, state, cards, n)
    is_enough = state.n_cards[Zone.HAND + state.decider] >= n
    if state.legal & PASS_BIT and (loss >= reward(rules, state, row) or not is_enough):
        return np.int64(PASS)
    return turn_values.least_missed(rules, state, cards)


@kernel
def select_handed_on(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Give another player the card with the lowest deck value. Without card values use `select_gift`."""
    if strategy.uses_card_values == 0:
        return select_gift(rules, state)
    return lowest_deck_value(rules, state, strategy, wanted_now(rules, state, strategy), state.legal & ~PASS_BIT)


@kernel
def select_place(rules: Rules, state: State) -> Any:
    """Put a card on top of the deck if its computed value is above the deck's mean, else choose the last option.

    The last option is the bottom of the deck, or a further question about lower places.
    """
    seat = state.decider
    is_good = excess_over_mean(rules, state, state.known[seat, state.n_known[seat] - 1]) > 0.0
    return np.int64(lowest_pile(state.legal) if is_good else FIRST_OPTION + n_bits(state.legal) - 1)


@kernel
def answer(rules: Rules, state: State, strategy: Strategy, question: int) -> Any:
    """Return the answer to a `CommonQuestion`."""
    if question >= CommonQuestion.TREASURE:
        return other_answer(rules, state, strategy, question)
    if question == CommonQuestion.OPTION:
        return select_option(rules, state, strategy)
    if question == CommonQuestion.NAME:
        return select_name(rules, state, strategy)
    if question == CommonQuestion.TRASHED_FROM_SUPPLY:
        return lowest(rules.cost, state.legal & ~PASS_BIT)
    if question == CommonQuestion.GIFT:
        return select_gift(rules, state)
    if question == CommonQuestion.GAINED_FROM_TRASH:
        return select_from_trash(rules, state, strategy)
    if question == CommonQuestion.REVEALED:
        return highest(rules.n_types, state.legal & ~PASS_BIT)
    if question == CommonQuestion.TRASH_THIS:
        return select_trash_this(rules, state, strategy)
    if question == CommonQuestion.PAID_DISCARD:
        return select_paid_discard(rules, state, strategy)
    return select_place(rules, state) if question == CommonQuestion.PLACE else select_handed_on(rules, state, strategy)


@kernel
def other_answer(rules: Rules, state: State, strategy: Strategy, question: int) -> Any:
    """Return the answer to a `CommonQuestion` from TREASURE on."""
    cards = state.legal & ~PASS_BIT
    if question == CommonQuestion.TREASURE:
        return select_treasure(rules, state, strategy)
    if question == CommonQuestion.START:
        return select_start(rules, state)
    if question == CommonQuestion.REPEATED_TREASURE:
        return select_repeated_treasure(rules, state, strategy)
    if question == CommonQuestion.TOPDECK_GAINED:
        return np.int64(lowest_pile(state.legal) if is_good_draw(rules, state) else PASS)
    if question == CommonQuestion.ACCEPT:
        return np.int64(lowest_pile(state.legal))
    if question == CommonQuestion.DISCARD_FOR_GAIN:
        return trades.select_discard_for_gain(rules, state, strategy)
    if question == CommonQuestion.TRADED:
        return trades.best_trade(rules, state, strategy, state.asked_effect, cards)[0]
    if question == CommonQuestion.FOR_SUM:
        return trades.plan_of_sum(rules, state, strategy, state.asked_effect + 1, cards, state.chosen_cost)[0]
    if question == CommonQuestion.COPIED:
        piles = cards & state.piles_in[Zone.SUPPLY] & ~affordable(rules, state, 0)
        return trades.card_to_copy(rules, state, strategy, piles)
    if question == CommonQuestion.FOR_MAT:
        return trades.select_for_mat(rules, state, strategy)
    if question == CommonQuestion.FOR_NEXT_TURN:
        return trades.select_kept(rules, state, strategy)
    return wasted.wasted_actions(rules, state, strategy)


ANSWERS = DispatchTable("evodom.answers", [answer], (RULES, STATE, STRATEGY, np.dtype(np.int64)))
"""The answers as separately compiled machine code."""

_call = ANSWERS.call


@kernel
def without_wasted(rules: Rules, state: State, strategy: Strategy, actions: int) -> Any:
    """Return ``actions``, a mask of Actions in hand, without wasted ones."""
    return actions & ~_call(0, rules, state, strategy, CommonQuestion.WASTED) if actions & rules.risky != 0 else actions
