"""Look ahead one or two gains near the end of the game: which gains win, tie or lose.

`ending_piles` returns the piles whose last card ends the game, `is_near_end` whether two gains can end it. Most of the
time neither holds, and no other function of the look-ahead runs.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE
from evodom.dominion.effects.ops import NO_LIMIT, Column, Zone
from evodom.dominion.engine.choices import within_cost
from evodom.dominion.engine.moves import affordable, cost_of
from evodom.dominion.engine.rules import MAX_TURNS, N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.engine.turn import fewest_ending_cards, gains_to_end, score
from evodom.dominion.strategies.play.prices import coins_after_treasures, for_sale
from evodom.jit.kernel import kernel

LOSES, TIES, WINS, GOES_ON = 0, 1, 2, 3
"""Outcomes of a gain: the game ends and is lost, tied for first or won alone; or it goes on."""

LOWEST_RANK = -(1 << 40)
"""Lower than `rank_of` any seat."""


@kernel
def ending_piles(rules: Rules, state: State) -> Any:
    """Return the mask of piles with one card left whose gain ends the game after this turn."""
    ending = 0
    if state.cards[Zone.SUPPLY, PROVINCE] == 1:
        ending |= 1 << PROVINCE
    others = rules.ending_piles & ~(1 << PROVINCE)
    while others != 0:
        if state.cards[Zone.SUPPLY, lowest_pile(others)] == 1:
            ending |= others & -others
        others &= others - 1
    if state.n_empty == rules.piles_to_end - 1:
        ending |= piles_with_cards(state, 1)
    return ending


@kernel
def piles_with_cards(state: State, n: int) -> Any:
    """Return the mask of Supply piles with ``n`` cards."""
    found = 0
    for pile in range(N_MODEL_PILES):
        found |= (state.cards[Zone.SUPPLY, pile] == n) << pile
    return found


@kernel
def rank_of(rules: Rules, state: State, seat: int) -> Any:
    """Return a number that is higher for a better result of a seat. Fewer turns break ties in victory points."""
    return score(rules, state, seat) * (2 * MAX_TURNS) - state.turns[seat]


@kernel
def best_rank_of_others(rules: Rules, state: State, seat: int) -> Any:
    """Return the highest `rank_of` the opponents of a seat."""
    best = np.int64(LOWEST_RANK)
    for other in range(rules.n_seats):
        if other != seat:
            best = max(best, rank_of(rules, state, other))
    return best


@kernel
def outcome_after(rules: Rules, state: State, seat: int, best: int, gained: int, trashed: int) -> Any:
    """Return the outcome for a seat if gaining ``gained``, after trashing ``trashed`` (or NONE), ends the game.

    ``best`` is the number of `best_rank_of_others`.
    """
    state.owned[seat, gained] += 1
    if trashed != NONE:
        state.owned[seat, trashed] -= 1
    mine = rank_of(rules, state, seat)
    state.owned[seat, gained] -= 1
    if trashed != NONE:
        state.owned[seat, trashed] += 1
    return LOSES if mine < best else TIES if mine == best else WINS


@kernel
def piles_with_outcome(rules: Rules, state: State, piles: int, outcome: int, trashed: int) -> Any:
    """Return the mask of ending ``piles`` whose gain, after trashing ``trashed`` (or NONE), has this outcome."""
    if piles == 0:
        return 0
    found = 0
    best = best_rank_of_others(rules, state, state.decider)
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if outcome_after(rules, state, state.decider, best, pile, trashed) == outcome:
            found |= bit(pile)
    return found


@kernel
def decisive_buys(rules: Rules, state: State, buys: int) -> Any:
    """Return the mask of buys that win, else of buys that tie for first, else 0.

    A buy counts if it ends the game itself or with another buy this turn.
    """
    if not is_near_end(rules, state):
        return 0
    ending = ending_piles(rules, state) & buys
    for outcome in (WINS, TIES):
        found = piles_with_outcome(rules, state, ending, outcome, NONE)
        if found == 0 and state.buys > 1:
            found = first_gains_with_outcome(rules, state, buys & ~ending, state.coins, True, outcome)
        if found != 0:
            return found
    return 0


@kernel
def first_gains_with_outcome(rules: Rules, state: State, gains: int, coins: int, is_paid: bool, outcome: int) -> Any:
    """Return the ``gains`` after which a buy can end the game with this outcome. ``state`` is restored.

    A gain that is paid leaves fewer of the ``coins`` for the buy.
    """
    if ending_piles(rules, state) == 0:
        # Only the gain of a pile's last or last but one card can let a further gain end the game.
        gains &= piles_with_cards(state, 1) | piles_with_cards(state, 2)
    found = 0
    while gains != 0:
        pile = lowest_pile(gains)
        gains &= gains - 1
        left = coins - cost_of(rules, state, pile) if is_paid else coins
        empties = 1 if state.cards[Zone.SUPPLY, pile] == 1 else 0
        state.cards[Zone.SUPPLY, pile] -= 1
        state.n_empty += empties
        state.owned[state.decider, pile] += 1
        second = ending_piles(rules, state)
        if second != 0:
            second &= for_sale(rules, state, left)
        if piles_with_outcome(rules, state, second, outcome, NONE) != 0:
            found |= bit(pile)
        state.owned[state.decider, pile] -= 1
        state.cards[Zone.SUPPLY, pile] += 1
        state.n_empty -= empties
    return found


@kernel
def is_near_end(rules: Rules, state: State) -> Any:
    """Return whether two gains can end the game."""
    if fewest_ending_cards(rules, state) > 2 and state.n_empty < rules.piles_to_end - 2:
        return False
    return gains_to_end(rules, state) <= 2


@kernel
def gains_before_buy(rules: Rules, state: State, gains: int, outcome: int, trashed: int) -> Any:
    """Return the ``gains`` of an action phase after which a buy can end the game with this outcome."""
    seat = state.decider
    if seat != state.active or state.buys == 0 or gains == 0 or not is_near_end(rules, state):
        return 0
    coins = coins_after_treasures(rules, state, seat, trashed)
    if trashed != NONE:
        state.owned[seat, trashed] -= 1
    found = first_gains_with_outcome(rules, state, gains, coins, False, outcome)
    if trashed != NONE:
        state.owned[seat, trashed] += 1
    return found


@kernel
def best_trade_outcome(rules: Rules, state: State, seat: int, gains: int, trashed: int) -> Any:
    """Return the best outcome of ``gains`` after trashing ``trashed`` (or NONE), in the order of `better_outcome`."""
    ending = ending_piles(rules, state)
    best = LOSES
    if gains & ~ending != 0:
        best = GOES_ON
    if piles_with_outcome(rules, state, gains & ending, WINS, trashed) != 0:
        return WINS
    if piles_with_outcome(rules, state, gains & ending, TIES, trashed) != 0:
        best = TIES
    for outcome in (WINS, TIES):
        if gains_before_buy(rules, state, gains & ~ending, outcome, trashed) != 0:
            return better_outcome(best, outcome)
    return best


@kernel
def gains_for_trashing(rules: Rules, state: State, gain_effect: int, trashed: int) -> Any:
    """Return the mask of piles that can be gained for trashing a card of ``trashed``."""
    limit = cost_of(rules, state, trashed) + rules.effects[gain_effect, Column.EXTRA_COST]
    piles = within_cost(rules, state, gain_effect, limit)
    return state.piles_in[Zone.SUPPLY] & rules.effects[gain_effect, Column.MASK] & piles


@kernel
def gains_of(rules: Rules, state: State, action: int) -> Any:
    """Return the mask of the piles that an Action can gain now, if a trashed card does not limit the cost."""
    return state.piles_in[Zone.SUPPLY] & rules.gains[action] & affordable(rules, state, rules.gain_cost[action])


@kernel
def best_action_outcome(rules: Rules, state: State, seat: int, action: int) -> Any:
    """Return the best outcome of the gain of an Action in hand; GOES_ON if it gains nothing."""
    if rules.gains[action] == 0:
        return GOES_ON
    gain_effect = rules.gain_effect[action]
    if rules.effects[gain_effect, Column.EXTRA_COST] == NO_LIMIT:
        gains = gains_of(rules, state, action)
        return best_trade_outcome(rules, state, seat, gains, NONE) if gains != 0 else GOES_ON
    best = NONE
    for trashed in range(N_MODEL_PILES):
        # The Action leaves the hand before a card to trash is chosen.
        in_hand = state.cards[Zone.HAND + seat, trashed] - (1 if trashed == action else 0)
        if in_hand <= 0 or (rules.trashed_for_gain[action] >> trashed) & 1 == 0:
            continue
        gains = gains_for_trashing(rules, state, gain_effect, trashed)
        if gains != 0:
            best = better_outcome(best, best_trade_outcome(rules, state, seat, gains, trashed))
    return GOES_ON if best == NONE else best


@kernel
def better_outcome(first: int, second: int) -> Any:
    """Return the better of two outcomes (or NONE); from best to worst: WINS, TIES, GOES_ON, LOSES."""
    if first == WINS or second == WINS:
        return WINS
    if first == TIES or second == TIES:
        return TIES
    return max(first, second)


@kernel
def actions_by_outcome(rules: Rules, state: State, actions: int) -> Any:
    """Return three masks of ``actions`` in hand: those whose best gain LOSES, TIES and WINS."""
    loses = ties = wins = 0
    while actions != 0:
        action = lowest_pile(actions)
        actions &= actions - 1
        outcome = best_action_outcome(rules, state, state.decider, action)
        loses |= (outcome == LOSES) << action
        ties |= (outcome == TIES) << action
        wins |= (outcome == WINS) << action
    return loses, ties, wins


@kernel
def acceptable_gains(rules: Rules, state: State, gains: int) -> Any:
    """Return the gains that win, directly or by a buy; else the gains that tie; else the gains that end no game."""
    if not is_near_end(rules, state):
        return gains
    ending = ending_piles(rules, state) & gains
    for outcome in (WINS, TIES):
        decisive = piles_with_outcome(rules, state, ending, outcome, NONE)
        if decisive == 0:
            decisive = gains_before_buy(rules, state, gains & ~ending, outcome, NONE)
        if decisive != 0:
            return decisive
    return gains & ~ending
