"""Choices among cards: which to trash, discard, put onto the deck, set aside or play.

The choices compare values in the deck or in hand (`deck_values`, `hand_values`). No card is named: the source and
target zones of a choice select the rule.
"""

from enum import IntEnum
from typing import Any

from evodom.dominion.effects.ops import ChoiceSize, Column, Count, Frame, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.observation import is_trade
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, deck_size, lowest_pile
from evodom.dominion.strategies.play import hand_values
from evodom.dominion.strategies.play.deck_values import coin_floor_of, deck_value_of, wanted_now
from evodom.dominion.strategies.play.estimates import coins_per_draw, draws_now, hand_coins, opening_row
from evodom.dominion.strategies.play.lookahead import gains_for_trashing
from evodom.dominion.strategies.play.pick import highest
from evodom.dominion.strategies.play.wanted import deck_coins, phase_of
from evodom.dominion.strategies.record import COMPUTED, HAND_ROW, Strategy
from evodom.jit.kernel import kernel


@kernel
def select_card(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice for a pending Decision that moves a card. Gains from the Supply are left out."""
    effect = state.asked_effect
    target = rules.effects[effect, Column.TARGET]
    cards = state.legal & ~PASS_BIT
    if target == Zone.TRASH:
        return select_trash(rules, state, strategy, cards)
    if target == Zone.DISCARD:
        return select_discard(rules, state, strategy, cards)
    if target == Zone.DECK_TOP:
        return select_topdeck(rules, state, strategy, cards)
    if target == Zone.SET_ASIDE:
        return lowest_hand_value_below(
            rules, state, strategy, cards, hand_values.expected_drawn_value(rules, state, strategy, state.decider)
        )
    return select_to_play(rules, state, strategy, cards)


# Values.


@kernel
def hand_value_of(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the value of a card of the pending choice: in this hand, added to this hand, or in the next hand."""
    row = state.asked_effect
    if rules.effects[row, Column.SOURCE] == Zone.HAND:
        return hand_values.value_this_turn(rules, state, strategy, pile, -1)
    if rules.effects[row, Column.TARGET] == Zone.SET_ASIDE:
        return hand_values.value_this_turn(rules, state, strategy, pile, 1)
    return hand_values.drawn_value(rules, state, strategy, pile)


class Measure(IntEnum):
    """The value that a choice compares: in the deck, in the present hand, or as a card of the next hand."""

    DECK = 0
    HAND = 1
    DRAWN = 2


LOWEST, HIGHEST = -1.0, 1.0
"""Signs of `extremum`."""


@kernel
def extremum(rules: Rules, state: State, strategy: Strategy, measure: int, sign: float, wanted: int, piles: int) -> Any:
    """Return the pile of a mask with the lowest or highest value by a measure; NONE for an empty mask.

    On a tie return the first pile, or with Measure.HAND the pile with the lowest deck value. Only deck values depend on
    ``wanted``, the mask of `wanted_now`.
    """
    best = NONE
    most = 0.0
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if measure == Measure.DECK:
            value = sign * deck_value_of(rules, state, strategy, wanted, pile)
        elif measure == Measure.HAND:
            value = sign * hand_value_of(rules, state, strategy, pile)
        else:
            value = sign * hand_values.drawn_value(rules, state, strategy, pile)
        is_tie = measure == Measure.HAND and best != NONE and value == most
        if best == NONE or value > most or (is_tie and strategy.deck_value[pile] < strategy.deck_value[best]):
            best = pile
            most = value
    return best


@kernel
def lowest_deck_value(rules: Rules, state: State, strategy: Strategy, wanted: int, piles: int) -> Any:
    """Return the pile of a mask with the lowest deck value; NONE for an empty mask."""
    return extremum(rules, state, strategy, Measure.DECK, LOWEST, wanted, piles)


@kernel
def mean_deck_value(rules: Rules, state: State, strategy: Strategy, wanted: int) -> Any:
    """Return the mean deck value of the decider's cards."""
    total = 0.0
    n = 0
    for pile in range(N_MODEL_PILES):
        n_owned = state.owned[state.decider, pile]
        if n_owned > 0:
            total += n_owned * deck_value_of(rules, state, strategy, wanted, pile)
            n += n_owned
    return total / max(n, 1)


@kernel
def lowest_hand_value_below(rules: Rules, state: State, strategy: Strategy, cards: int, bound: float) -> Any:
    """Return the card with the lowest hand value if that is below ``bound``, else PASS."""
    pile = extremum(rules, state, strategy, Measure.HAND, LOWEST, 0, cards)
    return pile if hand_value_of(rules, state, strategy, pile) < bound else PASS


# Choices.


@kernel
def select_trash(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Trash the card with the lowest deck value, or another player's card with the highest deck value."""
    frame = state.depth - 1
    if state.stack[frame, Frame.SEAT] != state.decider:
        return highest(strategy.deck_value, cards)
    return card_to_trash(rules, state, strategy, state.asked_effect, state.stack[frame, Frame.END], cards)


@kernel
def card_to_trash(rules: Rules, state: State, strategy: Strategy, effect: int, end_effect: int, cards: int) -> Any:
    """Return the card that an Effect would trash, or PASS. ``end_effect`` is the row after the card's last Effect.

    A mandatory choice takes the card with the lowest deck value. An optional choice takes only worthless cards. If the
    next Effect depends on the trash (Moneylender), an optional choice takes any card below the deck's mean.
    """
    if cards == 0:
        return PASS
    wanted = wanted_now(rules, state, strategy)
    if rules.effects[effect, Column.OPTIONAL] == 0:
        return lowest_deck_value(rules, state, strategy, wanted, cards)
    if effect + 1 != end_effect and rules.effects[effect + 1, Column.IF] == Count.CHOSEN:
        pile = lowest_deck_value(rules, state, strategy, wanted, cards)
        value = deck_value_of(rules, state, strategy, wanted, pile)
        return pile if value < mean_deck_value(rules, state, strategy, wanted) else PASS
    cards = worthless_cards(rules, state, strategy, wanted, cards)
    return PASS if cards == 0 else lowest_deck_value(rules, state, strategy, wanted, cards)


@kernel
def worthless_cards(rules: Rules, state: State, strategy: Strategy, wanted: int, cards: int) -> Any:
    """Return the mask of cards with a deck value below the trashing threshold, except Treasures that the deck needs."""
    seat = state.decider
    bound = strategy.trash_below[phase_of(rules, state, strategy)]
    coins, floor = deck_coins(rules, state, seat), coin_floor_of(rules, state, strategy, wanted)
    found = 0
    while cards != 0:
        pile = lowest_pile(cards)
        cards &= cards - 1
        if deck_value_of(rules, state, strategy, wanted, pile) >= bound:
            continue
        if rules.coins[pile] == 0 or coins - rules.coins[pile] >= floor:
            found |= bit(pile)
    return found


@kernel
def useless_trashing_actions(rules: Rules, state: State, strategy: Strategy, actions: int) -> Any:
    """Return the mask of Actions in hand that begin with a trash, without a card for it or for a good trade."""
    found = actions & rules.begins_with_trash & ~rules.risky
    if found == 0:
        return 0
    hand = Zone.HAND + state.decider
    for action in range(N_MODEL_PILES):
        if (found >> action) & 1 == 0:
            continue
        effect = opening_row(rules, action)
        cards = state.piles_in[hand] & rules.effects[effect, Column.MASK]
        if state.cards[hand, action] == 1:
            cards &= ~(1 << action)
        if is_trashing_useful(rules, state, strategy, effect, rules.end_effect[action], cards):
            found &= ~(1 << action)
    return found


@kernel
def is_trashing_useful(rules: Rules, state: State, strategy: Strategy, effect: int, end_effect: int, cards: int) -> Any:
    """Return whether the Action has a card to trash, or a trade for a card with a higher deck value."""
    if not is_trade(rules, effect, end_effect):
        return card_to_trash(rules, state, strategy, effect, end_effect, cards) != PASS
    for trashed in range(N_MODEL_PILES):
        if (cards >> trashed) & 1:
            gains = gains_for_trashing(rules, state, effect + 1, trashed)
            if gains & better_piles(rules, state, strategy, trashed) != 0:
                return True
    return False


@kernel
def better_piles(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the mask of piles with a higher deck value than ``pile``."""
    wanted = wanted_now(rules, state, strategy)
    value = deck_value_of(rules, state, strategy, wanted, pile)
    found = 0
    for other in range(N_MODEL_PILES):
        if deck_value_of(rules, state, strategy, wanted, other) > value:
            found |= 1 << other
    return found


@kernel
def gains_with_action(rules: Rules, state: State, cards: int) -> Any:
    """Return the ``cards`` whose gain adds an Action (Ironworks), 0 if the hand does not need this Action."""
    if state.actions > 0 or state.piles_in[Zone.HAND + state.decider] & rules.actions == 0:
        return 0
    found = 0
    for row in range(state.asked_effect + 1, state.stack[state.depth - 1, Frame.END]):
        if rules.effects[row, Column.OP] == Op.ACTIONS and rules.effects[row, Column.IF] == Count.CHOSEN_OF:
            found |= cards & rules.effects[row, Column.IF_MASK]
    return found


@kernel
def select_discard(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Choose a card that moves to a discard pile.

    - A mandatory discard takes the card with the lowest hand value.
    - An optional discard (Cellar, Sentry) takes a card up to `discard_to`. If that is COMPUTED, the card is below the
      expected value of a drawn card.
    - Another player's card (Spy) is discarded if it is above the expected value of this player's next card.
    - A card from the trash (Thief) is gained if its deck value is above the deck's mean. If it costs 0, it must also be
      wanted.
    """
    if rules.effects[state.asked_effect, Column.SOURCE] == Zone.TRASH:
        wanted = wanted_now(rules, state, strategy)
        pile = lowest_deck_value(rules, state, strategy, wanted, cards)
        value = deck_value_of(rules, state, strategy, wanted, pile)
        is_good = ((wanted | ~rules.affordable[0]) >> pile) & 1 != 0
        return pile if is_good and value > mean_deck_value(rules, state, strategy, wanted) else PASS
    if state.legal & PASS_BIT == 0:
        return extremum(rules, state, strategy, Measure.HAND, LOWEST, 0, cards)
    seat = state.stack[state.depth - 1, Frame.SEAT]
    if seat != state.decider:
        pile = extremum(rules, state, strategy, Measure.DRAWN, LOWEST, 0, cards)
        expected = hand_values.expected_drawn_value(rules, state, strategy, seat)
        return pile if hand_values.drawn_value(rules, state, strategy, pile) > expected else PASS
    return select_own_discard(rules, state, strategy, cards)


@kernel
def select_own_discard(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the card to discard, if that improves the hand or the next cards of the deck, else PASS."""
    seat = state.decider
    is_exchange = rules.effects[state.asked_effect, Column.SOURCE] == Zone.HAND
    if is_exchange:
        n_unseen = deck_size(state, seat) + state.n_cards[Zone.DISCARD + seat]
        if state.n_chosen >= n_unseen - state.n_chosen:
            return PASS
    pile = extremum(rules, state, strategy, Measure.HAND, LOWEST, 0, cards)
    if strategy.discard_to != COMPUTED:
        return pile if hand_value_of(rules, state, strategy, pile) <= strategy.discard_to else PASS
    if is_exchange and (strategy.computed[HAND_ROW] >> pile) & 1:
        return pile if hand_values.is_exchange_better(rules, state, strategy, pile) else PASS
    return lowest_hand_value_below(
        rules, state, strategy, cards, hand_values.expected_drawn_value(rules, state, strategy, seat)
    )


@kernel
def select_topdeck(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Put a card onto the deck.

    - From the discard pile: the highest hand value, if it is above the expected value of a drawn card.
    - From the hand: the card that the next hand needs more than this one. Without computed values, the best Action that
      cannot be played any more, else the lowest hand value.
    - Of several cards put back: the lowest hand value first, so that the best is on top.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    if source == Zone.DISCARD:
        if cards & ~strategy.computed[HAND_ROW] == 0 and draws_now(rules, state):
            return best_for_this_turn(rules, state, cards)
        pile = extremum(rules, state, strategy, Measure.DRAWN, HIGHEST, 0, cards)
        expected = hand_values.expected_drawn_value(rules, state, strategy, state.decider)
        return pile if hand_values.drawn_value(rules, state, strategy, pile) > expected else PASS
    if source == Zone.HAND and state.decider == state.active:
        if cards & ~strategy.computed[HAND_ROW] == 0:
            return best_for_next_turn(rules, state, strategy, cards)
        unplayable = cards & rules.actions
        if state.actions == 0 and unplayable != 0:
            return highest(strategy.deck_value, unplayable)
    if rules.effects[state.asked_effect, Column.CHOICE_SIZE] == ChoiceSize.ANY:
        return extremum(rules, state, strategy, Measure.DRAWN, LOWEST, 0, cards)
    return extremum(rules, state, strategy, Measure.HAND, LOWEST, 0, cards)


@kernel
def best_for_this_turn(rules: Rules, state: State, cards: int) -> Any:
    """Return the card that improves the hand most if it is drawn this turn, PASS if an unseen card is better."""
    best = PASS
    now = hand_coins(rules, state, NONE, 0, 0)
    most = coins_per_draw(rules, state, state.decider)
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1:
            gain = hand_coins(rules, state, pile, 1, 0) - now
            if gain > most:
                best = pile
                most = gain
    return best


@kernel
def best_for_next_turn(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the card in hand whose value in the next hand exceeds its value for this turn's buys by the most coins."""
    total = hand_coins(rules, state, NONE, 0, 0)
    score = hand_values.buy_score(rules, state, strategy, total)
    best = NONE
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        loss = score - hand_values.buy_score(rules, state, strategy, hand_coins(rules, state, pile, -1, 0))
        gain = hand_values.drawn_value(rules, state, strategy, pile) - hand_values.PER_COIN * loss
        if best == NONE or gain > most:
            best = pile
            most = gain
    return best


@kernel
def select_to_play(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Play a card, or discard the deck.

    - From the hand: the useful Action with the highest deck value.
    - From the deck: the card, unless it is worthless.
    - From in play (Chancellor): discard the deck if its mean hand value is below the mean of the discard pile.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    seat = state.decider
    if source == Zone.THIS:
        deck = hand_values.expected_drawn_value(rules, state, strategy, seat) if deck_size(state, seat) > 0 else 0.0
        worse = deck < hand_values.mean_of_discard_pile(rules, state, strategy, seat)
        return highest(strategy.deck_value, cards) if worse else PASS
    if source == Zone.HAND:
        cards &= ~useless_trashing_actions(rules, state, strategy, cards)
        return PASS if cards == 0 else highest(strategy.deck_value, cards)
    pile = highest(strategy.deck_value, cards)
    return pile if strategy.deck_value[pile] >= strategy.trash_below[phase_of(rules, state, strategy)] else PASS
