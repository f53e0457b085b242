"""Compute the values of cards in hand, and the value of a list's buys. Choices among cards compare these values.

The unit is the unit of strategy files. A card without use in hand has the value 10, and each coin adds 5: Copper has
15, Silver 20. An explicit value of a strategy replaces the computed value.
"""

from typing import Any

from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, deck_size, lowest_pile
from evodom.dominion.strategies.models.buy_lists.buying import first_buy
from evodom.dominion.strategies.models.buy_lists.columns import BuyListColumns
from evodom.dominion.strategies.play import estimates
from evodom.dominion.strategies.play.prices import price_of
from evodom.dominion.strategies.record import HAND_ROW, Strategy
from evodom.jit.kernel import kernel

NO_USE = 10.0
"""Value in hand of a card without use."""

PER_COIN = 5.0
"""Value of a coin."""

TIE_BREAK = 0.1
"""Value that breaks ties: of a coin or an Action that changes no buy, and of a choice without a weight."""

MAX_BUYS = 3
"""Maximum number of the next buys whose value is computed."""


@kernel
def drawn_value(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the value of a card as one of the next hand."""
    if (strategy.computed[HAND_ROW] >> pile) & 1 == 0:
        return float(strategy.hand_value[pile])
    return computed_drawn_value(rules, state, pile)


@kernel
def computed_drawn_value(rules: Rules, state: State, pile: int) -> Any:
    """Return the computed value of a card as one of the next hand."""
    if (rules.actions | (rules.treasures & ~rules.plain_treasures)) >> pile & 1:
        per_draw = estimates.coins_per_draw(rules, state, state.decider)
        return NO_USE + PER_COIN * estimates.played_coins(rules, state, pile, per_draw)
    return NO_USE + PER_COIN * rules.coins[pile]


@kernel
def value_this_turn(rules: Rules, state: State, strategy: Strategy, pile: int, change: int) -> Any:
    """Return the value of a card this turn; 0 for an Action that cannot be played.

    ``change`` is -1 for a card in the decider's hand, and 1 for one more card.
    """
    if state.decider == state.active and state.actions == 0 and (rules.actions >> pile) & 1:
        return 0.0
    if (strategy.computed[HAND_ROW] >> pile) & 1 == 0:
        return float(strategy.hand_value[pile])
    now = estimates.hand_coins(rules, state, NONE, 0, 0)
    coins = change * (estimates.hand_coins(rules, state, pile, change, 0) - now)
    if (rules.start_cards >> pile) & 1:
        coins += estimates.later_coins(rules, state, pile, estimates.coins_per_draw(rules, state, state.decider))
    return NO_USE + PER_COIN * coins


@kernel
def hand_value_of_row(rules: Rules, state: State, strategy: Strategy, row: int) -> Any:
    """Return the total value in hand of the cards in a row of `State.cards`."""
    total = 0.0
    piles = state.piles_in[row]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        total += state.cards[row, pile] * drawn_value(rules, state, strategy, pile)
    return total


@kernel
def mean_of_discard_pile(rules: Rules, state: State, strategy: Strategy, seat: int) -> Any:
    """Return the mean value in hand of the cards in a seat's discard pile; 0.0 for none."""
    row = Zone.DISCARD + seat
    return hand_value_of_row(rules, state, strategy, row) / max(state.n_cards[row], 1)


@kernel
def expected_drawn_value(rules: Rules, state: State, strategy: Strategy, seat: int) -> Any:
    """Return the expected value in hand of a card that a seat draws next."""
    if deck_size(state, seat) == 0:
        return mean_of_discard_pile(rules, state, strategy, seat)
    total = hand_value_of_row(rules, state, strategy, Zone.DECK + seat)
    for index in range(state.n_known[seat]):
        total += drawn_value(rules, state, strategy, state.known[seat, index])
    return total / deck_size(state, seat)


# The buys of this turn.


@kernel
def value_of_gain(rules: Rules, pile: int) -> Any:
    """Return the value of a gained card that a strategy wants: its cost and its points."""
    return float(rules.cost[pile] + rules.vp[pile])


@kernel
def buy_score(rules: Rules, state: State, strategy: Strategy, coins: float) -> Any:
    """Return `value_of_list_buys` with the turn's Buys; without rules, the coins."""
    lists: BuyListColumns = strategy["buy_lists"]
    return coins if lists.n_rules == 0 else value_of_list_buys(rules, state, strategy, coins, state.buys)


@kernel
def value_of_list_buys(rules: Rules, state: State, strategy: Strategy, coins: float, n_buys: int) -> Any:
    """Return the total cost and points of the next cards that a list buys, plus TIE_BREAK for each of ``coins``.

    At most MAX_BUYS cards count.
    """
    total = TIE_BREAK * coins
    left = int(coins)
    for _ in range(min(n_buys, MAX_BUYS)):
        pile = first_buy(rules, state, strategy, left)
        if pile == NONE:
            break
        total += value_of_gain(rules, pile)
        left -= price_of(rules, state, pile)
    return total


@kernel
def is_exchange_better(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return whether discarding a card for an unseen one improves the expected buys of this turn (Cellar).

    A card that adds more coins than an unseen card stays in hand. Cards that are drawn later may need it.
    """
    seat = state.decider
    per_draw = estimates.coins_per_draw(rules, state, seat)
    total = estimates.hand_coins(rules, state, NONE, 0, 0) + state.n_chosen * per_draw
    rest = estimates.hand_coins(rules, state, pile, -1, 0) + state.n_chosen * per_draw
    if rest >= total:
        return True
    if total - rest > per_draw:
        return False
    expected = 0.0
    n = 0
    for drawn in range(N_MODEL_PILES):
        n_cards = estimates.n_to_draw(state, seat, drawn)
        if n_cards == 0:
            continue
        n += n_cards
        coins = float(rules.coins[drawn])
        if (rules.actions >> drawn) & 1 and state.actions > 0:
            coins = estimates.action_coins(rules, state, drawn, per_draw)
        expected += n_cards * buy_score(rules, state, strategy, rest + coins)
    return expected > n * buy_score(rules, state, strategy, total)
