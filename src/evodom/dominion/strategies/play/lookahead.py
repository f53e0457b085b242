"""Facts about a state for strategies, and look-ahead of one or two gains near the end of the game.

`ending_piles` returns the piles whose last card ends the game, `is_near_end` whether two gains can end it. Most of the
time neither holds, and no other function of the look-ahead runs.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import PROVINCE, TERMINAL, TERMINAL_DRAW
from evodom.dominion.effects.ops import NO_LIMIT, Column, Count, Op, Phase, Zone
from evodom.dominion.engine.choices import within_cost
from evodom.dominion.engine.moves import affordable, cost_of, n_of
from evodom.dominion.engine.rules import MAX_TURNS, N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.engine.turn import fewest_ending_cards, gains_to_end, not_for_sale, score
from evodom.dominion.strategies.base import FloatArray, IntArray
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.record import ALL_PILES, EARLY, LATE, SWITCH_PROVINCES, SWITCH_TURN, UNLIMITED, Strategy
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def phase_of(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the deciding seat's phase, EARLY or LATE."""
    if strategy.switch_on == SWITCH_TURN:
        return LATE if state.turns[state.decider] > strategy.switch else EARLY
    if strategy.switch_on == SWITCH_PROVINCES:
        return LATE if state.cards[Zone.SUPPLY, PROVINCE] <= strategy.switch_left else EARLY
    return LATE if gains_to_end(rules, state) <= strategy.switch_left else EARLY


@kernel
def deck_coins(rules: Rules, state: State, seat: int) -> Any:
    """Return the total coins of a seat's Treasures."""
    coins = 0
    for pile in range(N_MODEL_PILES):
        coins += state.owned[seat, pile] * rules.coins[pile]
    return coins


@kernel
def has_room_for_terminal(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return whether a deck has fewer terminal Actions than the strategy's limit."""
    wants: PreferenceColumns = strategy["preferences"]
    room = wants.terminals + spare_actions(rules, state)
    if wants.terminal_per > 0:
        room += count_in_deck(state, ALL_PILES) // wants.terminal_per
    return room > 0


@kernel
def spare_actions(rules: Rules, state: State) -> Any:
    """Return the extra Actions of the decider's cards (Village) minus the number of its terminal Actions."""
    spare = -n_terminals(rules, state)
    for pile in range(N_MODEL_PILES):
        spare += state.owned[state.decider, pile] * rules.extra_actions[pile]
    return spare


@kernel
def n_terminals(rules: Rules, state: State) -> Any:
    """Return the number of the decider's terminal Actions."""
    return count_in_deck(state, rules.action_classes[TERMINAL_DRAW] | rules.action_classes[TERMINAL])


@kernel
def count_in_deck(state: State, piles: int) -> Any:
    """Return the number of cards that the deciding seat has of a mask of piles."""
    total = np.int64(0)
    for pile in range(N_MODEL_PILES):
        if (piles >> pile) & 1:
            total += state.owned[state.decider, pile]
    return total


@kernel
def wanted_among(rules: Rules, state: State, strategy: Strategy, weights: FloatArray, piles: int) -> Any:
    """Return the mask of piles with a positive weight whose next card is wanted now."""
    wants: PreferenceColumns = strategy["preferences"]
    seat = state.decider
    left = gains_to_end(rules, state)
    rest = piles
    while rest != 0:
        pile = lowest_pile(rest)
        rest &= rest - 1
        has_enough = state.owned[seat, pile] >= wants.limits[pile]
        if weights[pile] == 0.0 or has_enough or left > wants.max_gains_to_end[pile]:
            piles &= ~bit(pile)
    waits = wants.province_coins > 0 and (piles >> PROVINCE) & 1 != 0
    if waits and deck_coins(rules, state, seat) <= wants.province_coins:
        piles &= ~(1 << PROVINCE)
    terminals = rules.action_classes[TERMINAL_DRAW] | rules.action_classes[TERMINAL]
    if piles & terminals != 0 and wants.terminals < UNLIMITED and not has_room_for_terminal(rules, state, strategy):
        piles &= ~terminals
    return piles


@kernel
def lowest(values: IntArray, piles: int) -> Any:
    """Return the pile of a mask with the lowest value. The mask has no PASS_BIT."""
    least = NONE
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if least == NONE or values[pile] < values[least]:
            least = pile
    return least


@kernel
def highest(values: "IntArray | FloatArray", piles: int) -> Any:
    """Return the pile of a mask with the highest value. The mask has no PASS_BIT."""
    most = NONE
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if most == NONE or values[pile] > values[most]:
            most = pile
    return most


# Prices and coins.


@kernel
def for_sale(rules: Rules, state: State, coins: int) -> Any:
    """Return the mask of the piles that can be bought this turn with some coins, at the costs of the Buy phase."""
    if rules.cheaper_piles | rules.restricted_piles != 0:
        return special_sale(rules, state, coins)
    return state.piles_in[Zone.SUPPLY] & affordable(rules, state, max(coins, 0))


@cold_kernel
def special_sale(rules: Rules, state: State, coins: int) -> Any:
    """Compute `for_sale` in a game with cards that are cheaper in a Buy phase, or that other cards forbid.

    Before the Buy phase ``coins`` include those of the Treasures in hand. A forbidden card must be payable without the
    Treasures that forbid it.
    """
    before = state.phase < Phase.BUY or state.phase == Phase.START
    phase = state.phase
    if before:
        state.phase = Phase.TREASURE
    piles = state.piles_in[Zone.SUPPLY] & affordable(rules, state, max(coins, 0)) & ~not_for_sale(rules, state)
    restricted = piles & rules.restricted_piles if before else 0
    while restricted != 0:
        pile = lowest_pile(restricted)
        restricted &= restricted - 1
        if cost_of(rules, state, pile) > coins - forbidding_coins(rules, state, pile):
            piles &= ~bit(pile)
    state.phase = phase
    return piles


@cold_kernel
def forbidding_coins(rules: Rules, state: State, pile: int) -> Any:
    """Return the coins of the Treasures in the decider's hand that forbid to buy a card while they are in play."""
    coins = 0
    for other in range(N_MODEL_PILES):
        if (rules.not_bought_with[pile] >> other) & 1:
            coins += state.cards[Zone.HAND + state.decider, other] * rules.coins[other]
    return coins


@kernel
def price_of(rules: Rules, state: State, pile: int) -> Any:
    """Return the cost of a card in the Buy phase of this turn, as far as the cards in play reduce it."""
    phase = state.phase
    if (rules.cheaper_piles >> pile) & 1:
        state.phase = Phase.BUY
    cost = cost_of(rules, state, pile)
    state.phase = phase
    return cost


@cold_kernel
def special_coins(rules: Rules, state: State, seat: int, changed: int, change: int) -> Any:
    """Return the further coins of Treasures in hand, with ``change`` cards of ``changed`` more.

    Those are Treasures that count Treasures in play, that play another twice, or that have coins among their options.
    """
    hand = Zone.HAND + seat
    treasures = n_of(state, hand, rules.treasures) + n_of(state, Zone.IN_PLAY + seat, rules.treasures)
    if changed != NONE and (rules.treasures >> changed) & 1:
        treasures += change
    coins = repeats = 0
    for pile in range(N_MODEL_PILES):
        n = state.cards[hand, pile] + (change if pile == changed else 0)
        if n <= 0 or (rules.treasures & ~rules.plain_treasures) >> pile & 1 == 0:
            continue
        for row in range(rules.first_effect[pile], rules.end_effect[pile]):
            op = rules.effects[row, Column.OP]
            if op == Op.COINS and rules.effects[row, Column.COUNT] == Count.IN_PLAY:
                coins += rules.effects[row, Column.N] * (n * treasures - n * (n - 1) // 2)
            elif op == Op.PLAY_CHOSEN and rules.effects[row, Column.N] > 1:
                repeats += n * (rules.effects[row, Column.N] - 1)
            elif op == Op.OPTIONS and rules.effects[row + 2, Column.OP] == Op.COINS:
                coins += n * rules.effects[row + 2, Column.N]
    # The Treasures with the most coins are played again.
    left = rules.treasures & ((1 << N_MODEL_PILES) - 1)
    while repeats > 0 and left != 0:
        best = lowest_pile(left)
        for pile in range(N_MODEL_PILES):
            if (left >> pile) & 1 and rules.coins[pile] > rules.coins[best]:
                best = pile
        n = min(max(state.cards[hand, best] + (change if best == changed else 0), 0), repeats)
        coins += n * rules.coins[best]
        repeats -= n
        left &= ~bit(best)
    return coins


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
def coins_after_treasures(rules: Rules, state: State, seat: int, trashed: int) -> Any:
    """Return the coins of this turn once all Treasures in hand are played, except one of ``trashed`` (or NONE).

    In another player's turn the hand counts as the next turn's.
    """
    coins = state.coins if seat == state.active else 0
    if state.piles_in[Zone.HAND + seat] & rules.treasures & ~rules.plain_treasures != 0:
        coins += special_coins(rules, state, seat, trashed, -1)
    piles = state.piles_in[Zone.HAND + seat] & rules.treasures
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = state.cards[Zone.HAND + seat, pile] - (1 if pile == trashed else 0)
        coins += n * rules.coins[pile]
        if n > 0 and (state.treasures_played >> pile) & 1 == 0:
            coins += state.bonus[pile]
    return coins


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
def best_action_outcome(rules: Rules, state: State, seat: int, action: int) -> Any:
    """Return the best outcome of the gain of an Action in hand; GOES_ON if it gains nothing."""
    if rules.gains[action] == 0:
        return GOES_ON
    gain_effect = rules.gain_effect[action]
    if rules.effects[gain_effect, Column.EXTRA_COST] == NO_LIMIT:
        gains = state.piles_in[Zone.SUPPLY] & rules.gains[action] & affordable(rules, state, rules.gain_cost[action])
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
    """Return the gains that win, directly or by a buy; else the gains that tie; else all that do not end the game."""
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
