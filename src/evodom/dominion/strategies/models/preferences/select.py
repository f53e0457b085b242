"""Kernels of the preference strategy: buys and gains follow two evolved distributions over the piles, early and late.

An ungraded buy takes up to three draws from the whole distribution. Gains are drawn among the available piles. A gain
that wins or ties for first is taken. Other choices among cards compare card values (`choices`). Strategies without card
values give up the card that the early preference weighs least.
"""

from typing import Any

from evodom.dominion.effects.ops import Column, Frame, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.observation import is_trade
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, lowest_pile
from evodom.dominion.strategies.base import FloatArray, NetworkRecord
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.play import choices, lookahead, pick
from evodom.dominion.strategies.play.answers import common_answer, without_wasted
from evodom.dominion.strategies.play.deck_values import wanted_now
from evodom.dominion.strategies.play.wanted import phase_of, wanted_among
from evodom.dominion.strategies.record import EARLY, Strategy
from evodom.jit.kernel import kernel

BUY_SAMPLES = 3
"""Number of distinct piles drawn for an ungraded buy."""


@kernel
def select_preferred(rules: Rules, state: State, strategy: Strategy, network: NetworkRecord) -> Any:
    """Return the choice of a preference strategy for the pending Decision."""
    wants: PreferenceColumns = strategy["preferences"]
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    # Each choice clears the planned gain. A gain with one legal pile is no choice and would not clear it.
    planned = state.planned_gain
    state.planned_gain = NONE
    phase = phase_of(rules, state, strategy)
    weights = wants.weights[phase]
    if op == Op.BUY:
        return select_buy(rules, state, strategy, weights, wants.pass_weights[phase])
    if op == Op.PLAY_ACTION:
        return select_action(rules, state, strategy)
    if op == Op.OFFER_REACTION:
        return lowest_pile(state.legal)
    common = common_answer(rules, state, strategy)
    if common != NONE:
        return common
    if op != Op.CHOOSE:
        return pick.sample_preferred(state, weights, state.legal & ~PASS_BIT)
    if rules.effects[row, Column.SOURCE] == Zone.SUPPLY:
        return select_gain(rules, state, strategy, weights, planned)
    end = state.stack[state.depth - 1, Frame.END]
    if rules.effects[row, Column.TARGET] == Zone.TRASH and is_trade(rules, row, end):
        return select_trade(rules, state, strategy, weights)
    if state.legal & rules.risky != 0 and rules.effects[row, Column.TARGET] == Zone.IN_PLAY:
        return select_without_wasted(rules, state, strategy)
    return select_for_card(rules, state, strategy)


@kernel
def select_without_wasted(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of an Action to play several times, without `wasted_actions`; PASS if no Action is left."""
    legal = state.legal
    state.legal = without_wasted(rules, state, strategy, legal)
    choice = PASS if state.legal & ~PASS_BIT == 0 else select_for_card(rules, state, strategy)
    state.legal = legal
    return choice


@kernel
def select_for_card(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Choose among cards by their values, or by preference alone."""
    wants: PreferenceColumns = strategy["preferences"]
    row = state.asked_effect
    if strategy.uses_card_values != 0 and not (wants.cellar_victory_only != 0 and is_optional_discard(rules, row)):
        return choices.select_card(rules, state, strategy)
    return select_by_preference(rules, state, strategy)


@kernel
def select_by_preference(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Choose among cards by preference alone: give up the least preferred card if the choice is mandatory, else pass.

    A choice among another player's cards takes a preferred card.
    """
    wants: PreferenceColumns = strategy["preferences"]
    row = state.asked_effect
    cards = state.legal & ~PASS_BIT
    target = rules.effects[row, Column.TARGET]
    if rules.effects[row, Column.OPTIONAL] == 0:
        if state.stack[state.depth - 1, Frame.SEAT] != state.decider:
            return pick.sample_preferred(state, wants.weights[EARLY], cards)
        return pick.least_preferred(state, wants.weights[EARLY], cards)
    if is_optional_discard(rules, row):
        return select_optional_discard(rules, state, strategy)
    if target == Zone.IN_PLAY and rules.effects[row, Column.SOURCE] != Zone.THIS:
        return pick.sample_preferred(state, wants.weights[EARLY], cards)
    return PASS


@kernel
def is_optional_discard(rules: Rules, row: int) -> Any:
    """Return whether a choice is the optional discard of a hand card for a new card."""
    discards = rules.effects[row, Column.SOURCE] == Zone.HAND and rules.effects[row, Column.TARGET] == Zone.DISCARD
    return discards and rules.effects[row, Column.OPTIONAL] != 0


@kernel
def select_action(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Play an Action whose gain wins or ties now. Otherwise draw one of the Action classes in hand and play from it."""
    wants: PreferenceColumns = strategy["preferences"]
    playable = state.legal & ~PASS_BIT
    if lookahead.is_near_end(rules, state):
        loses, ties, wins = lookahead.actions_by_outcome(rules, state, playable)
        if wins | ties != 0:
            return pick.sample_uniform(state, wins if wins != 0 else ties)
        playable &= ~loses
        if playable == 0:
            return PASS
    playable = without_wasted(rules, state, strategy, playable)
    if strategy.uses_card_values != 0:
        playable &= ~choices.useless_trashing_actions(rules, state, strategy, playable)
    if playable == 0:
        return PASS
    available = 0
    for index in range(3):
        available |= (playable & rules.action_classes[index] != 0) << index
    if available & (available - 1) != 0:
        playable &= rules.action_classes[pick.sample_preferred(state, wants.class_weights, available)]
    return best_or_any(state, strategy, playable)


@kernel
def best_or_any(state: State, strategy: Strategy, piles: int) -> Any:
    """Return the pile with the highest deck value. Without card values return a random pile."""
    return pick.highest(strategy.deck_value, piles) if strategy.uses_card_values else pick.sample_uniform(state, piles)


@kernel
def sample_gain(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, gains: int) -> Any:
    """Draw a pile to gain from the preference. If no pile is wanted, take that of `best_or_any`."""
    wanted = wanted_among(rules, state, strategy, weights, gains)
    if wanted != 0:
        return pick.sample_preferred(state, weights, wanted)
    return best_or_any(state, strategy, gains)


@kernel
def select_buy(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, pass_weight: float) -> Any:
    """Buy a card that wins or ties now; else draw among the wanted, affordable piles and passing."""
    wants: PreferenceColumns = strategy["preferences"]
    legal = state.legal & ~PASS_BIT
    decisive = lookahead.decisive_buys(rules, state, legal)
    if decisive != 0:
        return pick.sample_preferred(state, weights, decisive)
    acceptable = legal & ~lookahead.ending_piles(rules, state)
    if wants.graded == 0:
        return draw_buy(rules, state, weights, acceptable)
    wanted = wanted_among(rules, state, strategy, weights, acceptable)
    return PASS if wanted == 0 else pick.sample_or_pass(state, weights, pass_weight, wanted)


@kernel
def draw_buy(rules: Rules, state: State, weights: FloatArray, acceptable: int) -> Any:
    """Draw up to BUY_SAMPLES distinct piles, affordable or not, and buy the first that is acceptable."""
    wanted = (1 << rules.n_piles) - 1
    for _ in range(BUY_SAMPLES):
        pile = pick.sample_preferred(state, weights, wanted)
        if (acceptable >> pile) & 1:
            return pile
        wanted &= ~(1 << pile)
    return PASS


@kernel
def select_gain(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, planned: int) -> Any:
    """Gain ``planned``, the pile that `select_trade` chose with the trashed card, else draw an available pile."""
    if planned != NONE and (state.legal >> planned) & 1:
        return planned
    gains = lookahead.acceptable_gains(rules, state, state.legal & ~PASS_BIT)
    if gains != 0:
        return sample_gain(rules, state, strategy, weights, gains)
    if state.legal & PASS_BIT:
        return PASS
    return sample_gain(rules, state, strategy, weights, state.legal)


@kernel
def select_trade(rules: Rules, state: State, strategy: Strategy, weights: FloatArray) -> Any:
    """Plan a gain among all possible trades. Return the least valuable card to trash that allows this gain."""
    gain_effect = state.asked_effect + 1
    trashes = state.legal & ~PASS_BIT
    best = NONE
    for trashed in range(N_MODEL_PILES):
        if (trashes >> trashed) & 1:
            gains = lookahead.gains_for_trashing(rules, state, gain_effect, trashed)
            if gains != 0:
                outcome = lookahead.best_trade_outcome(rules, state, state.decider, gains, trashed)
                best = lookahead.better_outcome(best, outcome)
    wanted = 0
    if best not in (NONE, lookahead.LOSES):
        for trashed in range(N_MODEL_PILES):
            if (trashes >> trashed) & 1:
                wanted |= trade_gains(rules, state, strategy, trashed, best)
    if wanted == 0:
        return PASS if state.legal & PASS_BIT else least_valuable(rules, state, strategy, weights, trashes)
    state.planned_gain = sample_gain(rules, state, strategy, weights, wanted)
    allowing_cards = 0
    for trashed in range(N_MODEL_PILES):
        if (trashes >> trashed) & 1:
            allowed = trade_gains(rules, state, strategy, trashed, best)
            allowing_cards |= ((allowed >> state.planned_gain) & 1) << trashed
    return least_valuable(rules, state, strategy, weights, allowing_cards)


@kernel
def least_valuable(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, cards: int) -> Any:
    """Return the card with the lowest deck value. Without card values return the least preferred card."""
    if strategy.uses_card_values == 0:
        return pick.least_preferred(state, weights, cards)
    return choices.lowest_deck_value(rules, state, strategy, wanted_now(rules, state, strategy), cards)


@kernel
def trade_gains(rules: Rules, state: State, strategy: Strategy, trashed: int, outcome: int) -> Any:
    """Return the mask of gains with this outcome after trashing ``trashed``.

    With card values, a gain after which the game goes on must have a higher deck value.
    """
    gains = lookahead.gains_for_trashing(rules, state, state.asked_effect + 1, trashed)
    ending = lookahead.ending_piles(rules, state) & gains
    if outcome == lookahead.GOES_ON:
        better = choices.better_piles(rules, state, strategy, trashed) if strategy.uses_card_values != 0 else gains
        return gains & ~ending & better
    found = lookahead.piles_with_outcome(rules, state, ending, outcome, trashed)
    return found if found != 0 else lookahead.gains_before_buy(rules, state, gains & ~ending, outcome, trashed)


@kernel
def select_optional_discard(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard a card to draw another (Cellar) if its value this turn is below the deck's mean.

    The value is the card's early preference, or 0 for cards useless in a turn (Victory cards and Curses). With
    ``cellar_victory_only``, all Victory cards are discarded and no others. This is the simple choice: with evolved
    values `choices.select_discard` decides.
    """
    wants: PreferenceColumns = strategy["preferences"]
    hand = state.legal & ~PASS_BIT
    if wants.cellar_victory_only != 0:
        return lowest_pile(hand & rules.victories | PASS_BIT)
    pool = Zone.DECK + state.decider
    if state.n_cards[pool] == 0:
        pool = Zone.DISCARD + state.decider
    total = 0.0
    for pile in range(N_MODEL_PILES):
        if (rules.useless >> pile) & 1 == 0:
            total += state.cards[pool, pile] * wants.weights[EARLY, pile]
    mean = total / max(state.n_cards[pool], 1)
    worse = 0
    for pile in range(N_MODEL_PILES):
        useless = (rules.useless >> pile) & 1 != 0
        if (hand >> pile) & 1 and (useless or wants.weights[EARLY, pile] < mean):
            worse |= 1 << pile
    return lowest_pile(worse | PASS_BIT)
