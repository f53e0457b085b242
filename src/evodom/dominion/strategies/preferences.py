"""The preference strategy: every choice follows two evolved distributions over the piles, early and late in the game.

Buys are up to three blind draws from the whole distribution; gains are drawn among what can be gained; what is given up
is what is preferred least. One gain ahead it sees whether the game would end, and takes a win or a tie for first.
"""

from typing import Any

from evodom.dominion.effects import (
    DECK,
    DISCARD,
    MASK,
    NO_LIMIT,
    OP,
    OP_BUY,
    OP_CHOOSE,
    OP_OFFER_REACTION,
    OP_PLAY_ACTION,
    OPTIONAL,
    PLUS,
    SOURCE,
    SUPPLY,
    TARGET,
    TRASH,
)
from evodom.dominion.resolve import END, PASS_BIT, lowest_pile
from evodom.dominion.rules import N_PILES, NONE, PASS, Rules
from evodom.dominion.state import State
from evodom.dominion.strategies.lookahead import (
    GOES_ON,
    LOSES,
    TIES,
    WINS,
    actions_with_outcome,
    best_of_trade,
    better,
    decisive_buys,
    ending_piles,
    piles_with_outcome,
)
from evodom.dominion.strategies.record import EARLY, LATE, Strategy
from evodom.dominion.strategies.sampling import least_preferred, sample_preferred, sample_uniform
from evodom.kernel import kernel

BUY_SAMPLES = 3
"""How many distinct piles a strategy thinks of when it buys."""


@kernel
def select_preferred(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of a preference strategy for the pending Decision."""
    row = state.asking
    op = rules.effects[row, OP]
    # An intent is for the very next choice: one that was never asked, having one answer only, must not linger.
    intent = state.intent
    state.intent = NONE
    weights = strategy.weights[LATE if state.turns[state.decider] > strategy.switch else EARLY]
    if op == OP_BUY:
        return select_buy(rules, state, weights)
    if op == OP_PLAY_ACTION:
        return select_action(rules, state, strategy)
    if op == OP_OFFER_REACTION:
        return lowest_pile(state.legal)
    if op != OP_CHOOSE:
        return sample_preferred(state, weights, state.legal & ~PASS_BIT)
    if rules.effects[row, SOURCE] == SUPPLY:
        return select_gain(rules, state, weights, intent)
    is_last = row + 1 == state.stack[state.depth - 1, END]
    if rules.effects[row, TARGET] == TRASH and not is_last and rules.effects[row + 1, PLUS] != NO_LIMIT:
        return select_trade(rules, state, weights)
    if rules.effects[row, TARGET] == DISCARD and rules.effects[row, OPTIONAL] != 0:
        return select_discard(rules, state, strategy)
    return least_preferred(state, strategy.weights[EARLY], state.legal & ~PASS_BIT)


@kernel
def select_action(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Play an Action: one that wins or ties at once, else one of a class drawn from those in hand."""
    playable = state.legal & ~PASS_BIT
    if ending_piles(rules, state) != 0:
        for outcome in (WINS, TIES):
            decisive = actions_with_outcome(rules, state, state.decider, playable, outcome)
            if decisive != 0:
                return sample_uniform(state, decisive)
        playable &= ~actions_with_outcome(rules, state, state.decider, playable, LOSES)
        if playable == 0:
            return PASS
    available = 0
    for index in range(3):
        if playable & rules.classes[index]:
            available |= 1 << index
    if available & (available - 1) == 0:
        return sample_uniform(state, playable)
    action_class = sample_preferred(state, strategy.class_weights, available)
    return sample_uniform(state, playable & rules.classes[action_class])


@kernel
def acceptable_gains(rules: Rules, state: State, gains: Any) -> Any:
    """Return the gains that win the game at once, else those that tie for first, else all that do not lose it."""
    ending = ending_piles(rules, state) & gains
    if ending == 0:
        return gains
    for outcome in (WINS, TIES):
        decisive = piles_with_outcome(rules, state, ending, outcome, 0)
        if decisive != 0:
            return decisive
    return gains & ~ending


@kernel
def select_buy(rules: Rules, state: State, weights: Any) -> Any:
    """Buy what wins or ties at once; else think of up to three distinct piles and buy the first that can be bought."""
    legal = state.legal & ~PASS_BIT
    decisive = decisive_buys(rules, state, legal)
    if decisive != 0:
        return sample_preferred(state, weights, decisive)
    acceptable = legal & ~ending_piles(rules, state)
    wanted = (1 << rules.n_piles) - 1
    for _ in range(BUY_SAMPLES):
        pile = sample_preferred(state, weights, wanted)
        if (acceptable >> pile) & 1:
            return pile
        wanted &= ~(1 << pile)
    return PASS


@kernel
def select_gain(rules: Rules, state: State, weights: Any, intent: Any) -> Any:
    """Gain what was intended when a card was trashed for it, else a pile drawn among those that can be gained."""
    if intent != NONE and (state.legal >> intent) & 1:
        return intent
    gains = acceptable_gains(rules, state, state.legal & ~PASS_BIT)
    if gains != 0:
        return sample_preferred(state, weights, gains)
    if state.legal & PASS_BIT:
        return PASS
    return sample_preferred(state, weights, state.legal)


@kernel
def select_trade(rules: Rules, state: State, weights: Any) -> Any:
    """Choose what to gain among all that any trash allows, then trash the least preferred card that allows it."""
    gain_row = state.asking + 1
    trashes = state.legal & ~PASS_BIT
    best = NONE
    for trashed in range(N_PILES):
        if (trashes >> trashed) & 1:
            gains = gains_for(rules, state, gain_row, trashed)
            if gains != 0:
                best = better(best, best_of_trade(rules, state, state.decider, gains, trashed))
    if best in (NONE, LOSES):
        return PASS if state.legal & PASS_BIT else least_preferred(state, weights, trashes)
    wanted = 0
    for trashed in range(N_PILES):
        if (trashes >> trashed) & 1:
            wanted |= gains_with_outcome(rules, state, gain_row, trashed, best)
    state.intent = sample_preferred(state, weights, wanted)
    allowing = 0
    for trashed in range(N_PILES):
        if (trashes >> trashed) & 1:
            allowed = gains_with_outcome(rules, state, gain_row, trashed, best)
            allowing |= ((allowed >> state.intent) & 1) << trashed
    return least_preferred(state, weights, allowing)


@kernel
def gains_for(rules: Rules, state: State, gain_row: Any, trashed: Any) -> Any:
    """Return the mask of piles that trashing a card of ``trashed`` lets one gain."""
    limit = rules.cost[trashed] + rules.effects[gain_row, PLUS]
    return state.mask[SUPPLY] & rules.effects[gain_row, MASK] & rules.affordable[limit]


@kernel
def gains_with_outcome(rules: Rules, state: State, gain_row: Any, trashed: Any, outcome: Any) -> Any:
    """Return those gains after trashing ``trashed`` that have this outcome."""
    gains = gains_for(rules, state, gain_row, trashed)
    ending = ending_piles(rules, state) & gains
    if outcome == GOES_ON:
        return gains & ~ending
    return piles_with_outcome(rules, state, ending, outcome, -rules.vp[trashed])


@kernel
def select_discard(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Discard a card to draw another (Cellar): one that is worth less this turn than what the deck gives on average.

    What a card is worth is its early preference, and nothing if it does nothing in a turn (Victory cards and Curses).
    With ``cellar_victory_only``, all Victory cards go and nothing else.
    """
    hand = state.legal & ~PASS_BIT
    if strategy.cellar_victory_only != 0:
        return lowest_pile(hand & rules.victories | PASS_BIT)
    pool = DECK + state.decider
    if state.n_cards[pool] == 0:
        pool = DISCARD + state.decider
    total = 0.0
    for pile in range(N_PILES):
        if (rules.useless >> pile) & 1 == 0:
            total += state.cards[pool, pile] * strategy.weights[EARLY, pile]
    mean = total / max(state.n_cards[pool], 1)
    worse = 0
    for pile in range(N_PILES):
        useless = (rules.useless >> pile) & 1 != 0
        if (hand >> pile) & 1 and (useless or strategy.weights[EARLY, pile] < mean):
            worse |= 1 << pile
    return lowest_pile(worse | PASS_BIT)
