"""Compute costs and coins of a turn: the piles for sale, the cost of a card, the coins of the Treasures in hand.

Cards that change costs in the Buy phase, forbid purchases or give special coins are included.
"""

from typing import Any

from evodom.dominion.effects.ops import Column, Count, Op, Phase, Zone
from evodom.dominion.engine.moves import affordable, cost_of, n_cards_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.engine.turn import not_for_sale
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def for_sale(rules: Rules, state: State, coins: int) -> Any:
    """Return the mask of the piles that can be bought this turn with some coins, at the costs of the Buy phase."""
    if rules.cheaper_piles | rules.restricted_piles != 0:
        return for_sale_with_exceptions(rules, state, coins)
    return state.piles_in[Zone.SUPPLY] & affordable(rules, state, max(coins, 0))


@cold_kernel
def for_sale_with_exceptions(rules: Rules, state: State, coins: int) -> Any:
    """Compute `for_sale` in a game with cards that are cheaper in a Buy phase, or that some Treasures forbid to buy.

    Before the Buy phase ``coins`` include the coins of the Treasures in hand. A card is then for sale only if the coins
    are enough without the Treasures that forbid it.
    """
    before_buys = state.phase < Phase.BUY or state.phase == Phase.START
    phase = state.phase
    if before_buys:
        state.phase = Phase.TREASURE
    piles = state.piles_in[Zone.SUPPLY] & affordable(rules, state, max(coins, 0)) & ~not_for_sale(rules, state)
    restricted = piles & rules.restricted_piles if before_buys else 0
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
    """Return the cost of a card in the Buy phase of this turn. Cards in play can reduce it."""
    phase = state.phase
    if (rules.cheaper_piles >> pile) & 1:
        state.phase = Phase.BUY
    cost = cost_of(rules, state, pile)
    state.phase = phase
    return cost


@cold_kernel
def special_treasure_coins(rules: Rules, state: State, seat: int, changed: int, change: int) -> Any:
    """Return the coins of special Treasures in hand, in addition to `Rules.coins`.

    The hand has ``change`` more cards of the pile ``changed``. Special Treasures count Treasures in play, play another
    Treasure twice, or have coins among their options.
    """
    hand = Zone.HAND + seat
    treasures = n_cards_of(state, hand, rules.treasures) + n_cards_of(state, Zone.IN_PLAY + seat, rules.treasures)
    if changed != NONE and (rules.treasures >> changed) & 1:
        treasures += change
    coins = n_repeats = 0
    for pile in range(N_MODEL_PILES):
        n = state.cards[hand, pile] + (change if pile == changed else 0)
        if n <= 0 or (rules.treasures & ~rules.plain_treasures) >> pile & 1 == 0:
            continue
        for row in range(rules.first_effect[pile], rules.end_effect[pile]):
            op = rules.effects[row, Column.OP]
            if op == Op.COINS and rules.effects[row, Column.COUNT] == Count.IN_PLAY:
                coins += rules.effects[row, Column.N] * (n * treasures - n * (n - 1) // 2)
            elif op == Op.PLAY_CHOSEN and rules.effects[row, Column.N] > 1:
                n_repeats += n * (rules.effects[row, Column.N] - 1)
            elif op == Op.OPTIONS and rules.effects[row + 2, Column.OP] == Op.COINS:
                coins += n * rules.effects[row + 2, Column.N]
    # The Treasures with the most coins are played again.
    left = rules.treasures & ((1 << N_MODEL_PILES) - 1)
    while n_repeats > 0 and left != 0:
        best = lowest_pile(left)
        for pile in range(N_MODEL_PILES):
            if (left >> pile) & 1 and rules.coins[pile] > rules.coins[best]:
                best = pile
        n = min(max(state.cards[hand, best] + (change if best == changed else 0), 0), n_repeats)
        coins += n * rules.coins[best]
        n_repeats -= n
        left &= ~bit(best)
    return coins


@kernel
def coins_after_treasures(rules: Rules, state: State, seat: int, trashed: int) -> Any:
    """Return the coins of this turn once all Treasures in hand are played, except one of ``trashed`` (or NONE).

    In another player's turn, return the coins of the hand alone.
    """
    coins = state.coins if seat == state.active else 0
    if state.piles_in[Zone.HAND + seat] & rules.treasures & ~rules.plain_treasures != 0:
        coins += special_treasure_coins(rules, state, seat, trashed, -1)
    piles = state.piles_in[Zone.HAND + seat] & rules.treasures
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = state.cards[Zone.HAND + seat, pile] - (1 if pile == trashed else 0)
        coins += n * rules.coins[pile]
        if n > 0 and (state.treasures_played >> pile) & 1 == 0:
            coins += state.bonus[pile]
    return coins
