"""Choices among cards: which to trash, discard, put onto the deck, set aside or play.

Most choices use two tables of a strategy: deck values (`deck_value`) and hand values (`hand_value`). No card is
named: the source and target zones of a choice select the rule. Random choices use the stream of the deciding seat.
"""

from typing import Any

from evodom.dominion.engine.moves import affordable, cost_of
from evodom.dominion.engine.ops import ChoiceSize, Column, Frame, Zone
from evodom.dominion.engine.resolve import PASS_BIT
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, lowest_pile, n_bits
from evodom.dominion.strategies.base import FloatArray, IntArray, Strategy
from evodom.dominion.strategies.lookahead import deck_coins, is_trade, phase_of
from evodom.jit.kernel import kernel, random_below, random_float


@kernel
def sample_uniform(state: State, mask: int) -> Any:
    """Return one set bit of a mask, all equally likely. The mask is not empty."""
    for _ in range(random_below(state.strategy_streams, state.decider, n_bits(mask))):
        mask &= mask - 1
    return lowest_pile(mask)


@kernel
def sample_preferred(state: State, weights: FloatArray, mask: int) -> Any:
    """Return one pile of a mask in proportion to its weight; NONE for an empty mask."""
    total = 0.0
    for pile in range(N_MODEL_PILES):
        if (mask >> pile) & 1:
            total += weights[pile]
    point = random_float(state.strategy_streams, state.decider) * total
    last = NONE
    for pile in range(N_MODEL_PILES):
        if (mask >> pile) & 1:
            last = pile
            point -= weights[pile]
            if point < 0.0:
                break
    return last


@kernel
def sample_or_pass(state: State, weights: FloatArray, pass_weight: float, mask: int) -> Any:
    """Return one pile of a mask in proportion to its weight, or PASS in proportion to ``pass_weight``."""
    if pass_weight > 0.0:
        total = pass_weight
        for pile in range(N_MODEL_PILES):
            if (mask >> pile) & 1:
                total += weights[pile]
        if random_float(state.strategy_streams, state.decider) * total < pass_weight:
            return PASS
    return sample_preferred(state, weights, mask)


@kernel
def least_preferred(state: State, weights: FloatArray, mask: int) -> Any:
    """Rank the piles of a mask by sampling without replacement and return the last."""
    while mask & (mask - 1) != 0:
        mask &= ~(1 << sample_preferred(state, weights, mask))
    return lowest_pile(mask)


@kernel
def select_card(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice for the pending Decision that moves a card but gains none from the Supply."""
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
            rules, state, strategy, cards, expected_hand_value(state, strategy, state.decider)
        )
    return select_to_play(rules, state, strategy, cards)


# Values.


@kernel
def hand_value_of(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the value of a card in the decider's hand; 0 for an Action that cannot be played."""
    if state.decider == state.active and state.actions == 0 and (rules.actions >> pile) & 1:
        return 0
    return strategy.hand_value[pile]


@kernel
def lowest(values: IntArray, piles: int) -> Any:
    """Return the pile of a mask with the lowest value."""
    least = NONE
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1 and (least == NONE or values[pile] < values[least]):
            least = pile
    return least


@kernel
def highest(values: IntArray, piles: int) -> Any:
    """Return the pile of a mask with the highest value."""
    most = NONE
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1 and (most == NONE or values[pile] > values[most]):
            most = pile
    return most


@kernel
def lowest_hand_value(rules: Rules, state: State, strategy: Strategy, piles: int) -> Any:
    """Return the pile of a mask with the lowest hand value; ties are broken by the lowest deck value."""
    least = NONE
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1 == 0:
            continue
        if least == NONE:
            least = pile
            continue
        difference = hand_value_of(rules, state, strategy, pile) - hand_value_of(rules, state, strategy, least)
        if difference < 0 or (difference == 0 and strategy.deck_value[pile] < strategy.deck_value[least]):
            least = pile
    return least


@kernel
def mean_of_row(state: State, row: int, values: IntArray) -> Any:
    """Return the mean value of the cards in a row of `State.cards`; 0.0 for none."""
    total = 0
    for pile in range(N_MODEL_PILES):
        total += state.cards[row, pile] * values[pile]
    return total / max(state.n_cards[row], 1)


@kernel
def mean_of_deck(state: State, seat: int, values: IntArray) -> Any:
    """Return the mean value of the cards of a deck, including those known to be on top; 0.0 for none."""
    n_known = state.n_known[seat]
    n_unseen = state.n_cards[Zone.DECK + seat]
    total = mean_of_row(state, Zone.DECK + seat, values) * n_unseen
    for index in range(n_known):
        total += values[state.known[seat, index]]
    return total / max(n_known + n_unseen, 1)


@kernel
def expected_hand_value(state: State, strategy: Strategy, seat: int) -> Any:
    """Return the expected hand value of a drawn card: the deck's mean, or the discard pile's if the deck is empty."""
    if state.n_known[seat] + state.n_cards[Zone.DECK + seat] > 0:
        return mean_of_deck(state, seat, strategy.hand_value)
    return mean_of_row(state, Zone.DISCARD + seat, strategy.hand_value)


@kernel
def mean_deck_value(state: State, strategy: Strategy, seat: int) -> Any:
    """Return the mean deck value of a seat's cards."""
    total = 0
    n = 0
    for pile in range(N_MODEL_PILES):
        total += state.owned[seat, pile] * strategy.deck_value[pile]
        n += state.owned[seat, pile]
    return total / max(n, 1)


@kernel
def lowest_hand_value_below(rules: Rules, state: State, strategy: Strategy, cards: int, bound: float) -> Any:
    """Return the card with the lowest hand value if that is below ``bound``, else PASS."""
    pile = lowest_hand_value(rules, state, strategy, cards)
    return pile if hand_value_of(rules, state, strategy, pile) < bound else PASS


# Choices.


@kernel
def select_trash(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Trash the card with the lowest deck value; of another player's cards, the highest."""
    frame = state.depth - 1
    if state.stack[frame, Frame.SEAT] != state.decider:
        return highest(strategy.deck_value, cards)
    return card_to_trash(rules, state, strategy, state.asked_effect, state.stack[frame, Frame.END], cards)


@kernel
def card_to_trash(rules: Rules, state: State, strategy: Strategy, effect: int, end_effect: int, cards: int) -> Any:
    """Return the card that an Effect would trash, or PASS. ``end_effect`` is the row after the card's last Effect.

    A mandatory choice takes the lowest deck value. An optional choice takes only worthless cards. If an effect depends
    on trashing (Moneylender), it takes any card below the deck's mean.
    """
    if cards == 0:
        return PASS
    if rules.effects[effect, Column.OPTIONAL] == 0:
        return lowest(strategy.deck_value, cards)
    if effect + 1 != end_effect and rules.effects[effect + 1, Column.IF_CHOSEN] != 0:
        pile = lowest(strategy.deck_value, cards)
        return pile if strategy.deck_value[pile] < mean_deck_value(state, strategy, state.decider) else PASS
    return lowest_or_pass(strategy, worthless(rules, state, strategy, cards))


@kernel
def lowest_or_pass(strategy: Strategy, cards: int) -> Any:
    """Return the card with the lowest deck value; PASS for none."""
    return PASS if cards == 0 else lowest(strategy.deck_value, cards)


@kernel
def worthless(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Return the mask of cards with a deck value below the trashing threshold, except Treasures that the deck needs."""
    seat = state.decider
    bound = strategy.trash_below[phase_of(rules, state, strategy)]
    coins = deck_coins(rules, state, seat)
    found = 0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0 or strategy.deck_value[pile] >= bound:
            continue
        if rules.coins[pile] == 0 or coins - rules.coins[pile] >= strategy.coin_floor:
            found |= 1 << pile
    return found


@kernel
def gains_for_trashing(rules: Rules, state: State, gain_effect: int, trashed: int) -> Any:
    """Return the mask of piles that can be gained for trashing a card of ``trashed``."""
    limit = cost_of(rules, state, trashed) + rules.effects[gain_effect, Column.EXTRA_COST]
    return state.piles_in[Zone.SUPPLY] & rules.effects[gain_effect, Column.MASK] & affordable(rules, state, limit)


@kernel
def useless_trashing_actions(rules: Rules, state: State, strategy: Strategy, actions: int) -> Any:
    """Return the mask of Actions in hand that first trash a card and have none to trash or to trade profitably."""
    found = actions & rules.begins_with_trash
    if found == 0:
        return 0
    hand = Zone.HAND + state.decider
    for action in range(N_MODEL_PILES):
        if (found >> action) & 1 == 0:
            continue
        effect = rules.first_effect[action]
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
        if (cards >> trashed) & 1 and gains_for_trashing(rules, state, effect + 1, trashed) & better_piles(
            strategy, trashed
        ) != 0:
            return True
    return False


@kernel
def better_piles(strategy: Strategy, pile: int) -> Any:
    """Return the mask of piles with a higher deck value than ``pile``."""
    found = 0
    for other in range(N_MODEL_PILES):
        if strategy.deck_value[other] > strategy.deck_value[pile]:
            found |= 1 << other
    return found


@kernel
def select_discard(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Discard the card with the lowest hand value.

    An optional discard (Cellar) takes only a card below the expected value of a drawn card. Another player's card is
    discarded if it is above that player's expected value (Spy). The card just trashed, the only choice from the trash,
    is gained if its deck value is above the deck's mean (Thief).
    """
    if rules.effects[state.asked_effect, Column.SOURCE] == Zone.TRASH:
        pile = lowest(strategy.deck_value, cards)
        return pile if strategy.deck_value[pile] > mean_deck_value(state, strategy, state.decider) else PASS
    if state.legal & PASS_BIT == 0:
        return lowest_hand_value(rules, state, strategy, cards)
    seat = state.stack[state.depth - 1, Frame.SEAT]
    if seat == state.decider:
        return lowest_hand_value_below(rules, state, strategy, cards, expected_hand_value(state, strategy, seat))
    pile = lowest(strategy.hand_value, cards)
    return pile if strategy.hand_value[pile] > expected_hand_value(state, strategy, seat) else PASS


@kernel
def select_topdeck(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Put a card onto the deck.

    - From the discard pile: the highest hand value, if it is above the expected value of a drawn card.
    - From the hand: the best Action that cannot be played any more, else the lowest hand value.
    - Of several cards put back: the lowest hand value first, so that the best is on top.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    if source == Zone.DISCARD:
        pile = highest(strategy.hand_value, cards)
        return pile if strategy.hand_value[pile] > expected_hand_value(state, strategy, state.decider) else PASS
    idle = cards & rules.actions
    if source == Zone.HAND and state.decider == state.active and state.actions == 0 and idle != 0:
        return highest(strategy.deck_value, idle)
    if rules.effects[state.asked_effect, Column.CHOICE_SIZE] == ChoiceSize.ANY:
        return lowest(strategy.hand_value, cards)
    return lowest_hand_value(rules, state, strategy, cards)


@kernel
def select_to_play(rules: Rules, state: State, strategy: Strategy, cards: int) -> Any:
    """Play the best useful Action of a hand, or a card from the deck unless it is worthless.

    From in play (Chancellor) the deck is discarded if its mean hand value is below the discard pile's.
    """
    source = rules.effects[state.asked_effect, Column.SOURCE]
    seat = state.decider
    if source == Zone.IN_PLAY:
        worse = mean_of_deck(state, seat, strategy.hand_value) < mean_of_row(
            state, Zone.DISCARD + seat, strategy.hand_value
        )
        return highest(strategy.deck_value, cards) if worse else PASS
    if source == Zone.HAND:
        cards &= ~useless_trashing_actions(rules, state, strategy, cards)
        return PASS if cards == 0 else highest(strategy.deck_value, cards)
    pile = highest(strategy.deck_value, cards)
    return pile if strategy.deck_value[pile] >= strategy.trash_below[phase_of(rules, state, strategy)] else PASS
