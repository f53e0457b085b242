"""Values of cards in hand and in the deck, computed from the state. Choices among cards compare them.

The unit is that of strategy files: a card without use in hand has 10, and each coin adds 5 (Copper 15, Silver 20). An
explicit value of a strategy replaces the computed one. `State.decider` is the seat whose cards are valued.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import COPPER, CURSE_PILE
from evodom.dominion.effects.ops import ChoiceSize, Column, Count, Op, Zone
from evodom.dominion.engine.counts import counted, holds
from evodom.dominion.engine.moves import n_of
from evodom.dominion.engine.options import n_options, option_row
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, deck_size, lowest_pile
from evodom.dominion.engine.turn import gains_to_end
from evodom.dominion.strategies.models.buy_lists.buying import buy_rule, first_buy, wanted_piles
from evodom.dominion.strategies.models.buy_lists.columns import ANY_NUMBER, OWNED_BELOW, PILE, BuyListColumns
from evodom.dominion.strategies.models.buy_lists.rules import PLAY_NO_CURSES
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.play.lookahead import highest, phase_of, price_of, special_coins
from evodom.dominion.strategies.record import COIN_FLOOR, COMPUTED, DECK, FLOOR_WITH_MONEY, HAND, UNLIMITED, Strategy
from evodom.jit.kernel import cold_kernel, kernel

NO_USE = 10.0
"""Value in hand of a card without use."""

PER_COIN = 5.0
"""Value of a coin."""

KEPT = 30.0
"""Least value in the deck of Victory cards that are kept."""

AFTER_CURSES = 20.0
"""Greatest value in the deck of an Action that gives Curses, once none are left."""

MANY_POINTS = 2
"""Minimum victory points of a Victory card that is always kept."""

LAST_GAINS = 3
"""Victory cards are kept once this many gains can end the game."""

TRASHED_COST, MANY_TREASURES = 2.0, 3
"""Usual cost of a trashed card, and usual number of Treasures in play."""

LATER_SHARE, ACTION_KEPT, EXTRA_TURN_COINS = 0.9, 0.5, 3.0
"""Value of a coin of the next turn, of an Action of the next turn, and of an extra turn with three cards, in coins."""

PER_EXTRA_ACTION = 0.3
"""Estimated coins of an extra Action."""

PER_ATTACK = 1.5
"""Estimated coins of the harm of an Attack."""

PER_BUY = 0.5
"""Estimated coins of a Buy."""

PER_GAIN = 1.5
"""Estimated coins of a chosen gain."""

SPARE = 0.1
"""Value of a coin or an Action that changes nothing, and of a choice without a weight: it decides between equals."""

MAX_BUYS = 3
"""Maximum number of the next buys whose value is computed."""

ACTION_COINS = 2.0
"""Coins of an Action in a larger hand: more Actions can be played there."""


# Expected values of unseen cards.


@kernel
def n_next(state: State, seat: int, pile: int) -> Any:
    """Return the number of cards of a pile in the deck, or in the discard pile if the deck is empty."""
    if deck_size(state, seat) == 0:
        return state.cards[Zone.DISCARD + seat, pile]
    n = state.cards[Zone.DECK + seat, pile]
    for index in range(state.n_known[seat]):
        if state.known[seat, index] == pile:
            n += 1
    return n


@kernel
def coins_per_draw(rules: Rules, state: State, seat: int) -> Any:
    """Return the expected coins of a drawn card. An Action counts as a coin."""
    return drawn_coins(rules, state, seat, 1)


@kernel
def coins_per_card(rules: Rules, state: State) -> Any:
    """Return the mean coins of the decider's cards. An Action counts as ACTION_COINS."""
    total, n = 0.0, 0
    for pile in range(N_MODEL_PILES):
        n += state.owned[state.decider, pile]
        total += state.owned[state.decider, pile] * (ACTION_COINS if (rules.actions >> pile) & 1 else rules.coins[pile])
    return total / max(n, 1)


@kernel
def drawn_coins(rules: Rules, state: State, seat: int, per_action: float) -> Any:
    """Return the expected coins of a drawn card. An Action counts as ``per_action`` coins.

    Cards are drawn from the discard pile if the deck is empty.
    """
    total, n = 0.0, 0
    has_deck = deck_size(state, seat) > 0
    zone = (Zone.DECK if has_deck else Zone.DISCARD) + seat
    piles = state.piles_in[zone]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n_cards = state.cards[zone, pile]
        n += n_cards
        total += n_cards * (per_action if (rules.actions >> pile) & 1 else rules.coins[pile])
    for index in range(state.n_known[seat]):
        pile = state.known[seat, index]
        n += 1
        total += per_action if (rules.actions >> pile) & 1 else rules.coins[pile]
    return total / max(n, 1)


@kernel
def action_coins(rules: Rules, state: State, action: int, per_draw: float) -> Any:
    """Return the coins that an Action is equivalent to if it is played from the decider's hand now.

    A drawn card has ``per_draw`` coins. Extra Actions, Attacks, Buys and gains have estimates (PER_EXTRA_ACTION). Of
    several options, the option with the most coins counts. An Action that needs another copy has none without it.
    `later_coins` has the Effects of the next turn.
    """
    hand = Zone.HAND + state.decider
    if needs_copy(rules, action) and state.owned[state.decider, action] < 2:
        return 0.0
    total = PER_EXTRA_ACTION * rules.extra_actions[action]
    if (rules.attacks >> action) & 1:
        total += PER_ATTACK
    others = state.piles_in[hand]
    if state.cards[hand, action] == 1:
        others &= ~(1 << action)
    row = rules.first_effect[action]
    while row < rules.end_effect[action]:
        op = rules.effects[row, Column.OP]
        if op == Op.OPTIONS:
            total += rules.effects[row, Column.N] * best_option_coins(rules, state, row, others, per_draw)
        else:
            total += effect_coins(rules, state, row, others, per_draw)
        is_done = op in (Op.OPTIONS, Op.EACH_PLAYER, Op.LATER)
        if is_done or (op == Op.GROUP and likelihood(rules, state, row) == 0.0):
            row += rules.effects[row, Column.N_INNER]
        row += 1
    return total


@kernel
def later_coins(rules: Rules, state: State, card: int, per_draw: float) -> Any:
    """Return the coins that the Effects of a Duration for its player's next turn are equivalent to, else 0."""
    return kept_coins(rules, state, card, per_draw) if (rules.start_cards >> card) & 1 else 0.0


@cold_kernel
def kept_coins(rules: Rules, state: State, card: int, per_draw: float) -> Any:
    """Return the coins of `later_coins` of a card with such Effects."""
    others = state.piles_in[Zone.HAND + state.decider]
    total = 0.0
    end = 0
    for row in range(rules.first_effect[card], rules.end_effect[card]):
        op = rules.effects[row, Column.OP]
        if op == Op.LATER:
            end = row + rules.effects[row, Column.N_INNER]
        elif row <= end:
            n = ACTION_KEPT * rules.effects[row, Column.N] if op == Op.ACTIONS else 0.0
            total += n + effect_coins(rules, state, row, others, per_draw)
    return LATER_SHARE * total


@kernel
def best_option_coins(rules: Rules, state: State, effect: int, others: int, per_draw: float) -> Any:
    """Return the coins of the option with the most coins, as in `action_coins`."""
    best = 0.0
    for option in range(n_options(rules, effect)):
        row = option_row(rules, effect, option)
        end = row + 1 + rules.effects[row, Column.N_INNER]
        coins = 0.0
        while row < end:
            coins += effect_coins(rules, state, row, others, per_draw)
            if rules.effects[row, Column.OP] == Op.EACH_PLAYER:
                row += rules.effects[row, Column.N_INNER]
            row += 1
        best = max(best, coins)
    return best


@kernel
def effect_coins(rules: Rules, state: State, row: int, others: int, per_draw: float) -> Any:
    """Return the coins that an Effect of an Action in hand is equivalent to, as in `action_coins`.

    ``others`` is the mask of the other cards in hand.
    """
    hand = Zone.HAND + state.decider
    op = rules.effects[row, Column.OP]
    n = expected_amount(rules, state, row, others)
    if op == Op.COINS or op == Op.CHEAPER:
        return n
    if op == Op.CARDS:
        if rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.DOWN_TO:
            n = max(n + 1 - state.n_cards[hand], 0)
        return n * per_draw
    if op == Op.REVEAL_UNTIL:
        return n * max(per_draw, 1.5)
    if op == Op.PLAY_CHOSEN:
        return max(rules.effects[row, Column.N] - 1, 0) * max(per_draw, 1.5)
    if op == Op.DRAW_UP_TO:
        return max(n + 1 - state.n_cards[hand], 0) * per_draw
    if op == Op.BUYS:
        return PER_BUY * n
    if op == Op.GAIN:
        return 1.0
    if op == Op.REVEAL:
        return 0.5
    if op == Op.EACH_PLAYER:
        # A Curse for each of the other players is the most important.
        inner = rules.effects[row + 1, Column.OP] == Op.GAIN
        return 2.0 if inner and state.cards[Zone.SUPPLY, CURSE_PILE] > 0 else 0.0
    if op != Op.CHOOSE:
        return n if op == Op.VP else EXTRA_TURN_COINS * n if op == Op.EXTRA_TURN else 0.0
    source = rules.effects[row, Column.SOURCE]
    if source == Zone.SUPPLY:
        return PER_GAIN
    if source == Zone.HAND and others & rules.effects[row, Column.MASK] != 0:
        target = rules.effects[row, Column.TARGET]
        if target == Zone.TRASH:
            return 1.0
        if target == Zone.DISCARD and rules.effects[row, Column.CHOICE_SIZE] == ChoiceSize.ANY:
            return 0.5
    return 0.0


@kernel
def expected_amount(rules: Rules, state: State, row: int, others: int) -> Any:
    """Return the number of an Effect of an Action in hand. ``others`` is the mask of the other cards in hand.

    An Effect that requires a choice counts if there is a card to choose. Conditions of empty piles and of extra turns
    are those of now, others hold in half of the cases. The counts are those of `expected_count`.
    """
    n = float(rules.effects[row, Column.N])
    condition = rules.effects[row, Column.IF]
    if condition == Count.CHOSEN and others & rules.effects[row - 1, Column.MASK] == 0:
        return 0.0
    if condition > Count.CHOSEN:
        n *= likelihood(rules, state, row)
    count = rules.effects[row, Column.COUNT]
    return n if count == Count.NONE else n * expected_count(rules, state, row, count)


@cold_kernel
def expected_count(rules: Rules, state: State, row: int, count: int) -> Any:
    """Return the expected factor of an Effect of a card in hand. It is the present count unless a choice precedes it.

    A choice of cards for coins discards the useless cards. A trashed card costs TRASHED_COST. The Treasures in hand
    count as in play, and the sum is at least MANY_TREASURES.
    """
    mask = rules.effects[row, Column.COUNT_MASK]
    hand = Zone.HAND + state.decider
    if count == Count.CHOSEN:
        is_paid = rules.effects[row, Column.OP] == Op.COINS
        return float(n_of(state, hand, rules.useless)) if is_paid else 0.0
    if count == Count.CHOSEN_COST:
        return TRASHED_COST / rules.effects[row, Column.COUNT_PER]
    n = counted(rules, state, state.decider, count, mask)
    if count == Count.IN_PLAY:
        n = max(n + n_of(state, hand, mask), MANY_TREASURES)
    return float(n)


@cold_kernel
def likelihood(rules: Rules, state: State, row: int) -> Any:
    """Return the probability that the condition of an Effect holds when it is resolved."""
    condition = rules.effects[row, Column.IF]
    if condition == Count.EMPTY_PILES or condition == Count.EXTRA_TURNS:
        return 1.0 if holds(rules, state, row, state.decider) else 0.0
    return 0.5


@kernel
def opening_row(rules: Rules, card: int) -> Any:
    """Return the index of a card's first Effect after the offer to reveal a Reaction, with which Attacks begin."""
    row = np.int64(rules.first_effect[card])
    return row + 1 if rules.effects[row, Column.OP] == Op.OFFER_REACTION else row


@kernel
def is_repeating(rules: Rules, action: int) -> Any:
    """Return whether an Action plays another one from the hand (Throne Room)."""
    row = opening_row(rules, action)
    asks = rules.effects[row, Column.OP] == Op.CHOOSE and rules.effects[row, Column.SOURCE] == Zone.HAND
    return asks and rules.effects[row, Column.TARGET] == Zone.IN_PLAY


@kernel
def needs_copy(rules: Rules, action: int) -> Any:
    """Return whether an Action begins with trashing another card of its pile from the hand (Treasure Map)."""
    if (rules.begins_with_trash >> action) & 1 == 0:
        return False
    return rules.effects[opening_row(rules, action), Column.MASK] == bit(action)


@kernel
def draws_now(rules: Rules, state: State) -> Any:
    """Return whether the decider has an Action to play in hand that draws cards."""
    if state.decider != state.active or state.actions == 0:
        return False
    piles = rules.actions & state.piles_in[Zone.HAND + state.decider]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        for row in range(rules.first_effect[pile], rules.end_effect[pile]):
            if rules.effects[row, Column.OP] in (Op.CARDS, Op.DRAW_UP_TO):
                return True
    return False


# Values in hand.


@kernel
def hand_coins(rules: Rules, state: State, changed: int, change: int, more_actions: int) -> Any:
    """Return the coins that the decider's hand is equivalent to, with ``change`` cards of the pile ``changed`` more.

    All Treasures and nonterminal Actions count, and the best terminal Actions that can be played. In another player's
    turn the hand counts as the next turn's.
    """
    seat = state.decider
    is_own_turn = seat == state.active
    actions = more_actions + (state.actions if is_own_turn else 1)
    hand_row = Zone.HAND + seat
    hand = state.piles_in[hand_row]  # piles in hand before or after the change
    if changed != NONE:
        hand |= bit(changed)
    per_draw = coins_per_draw(rules, state, seat) if hand & rules.actions != 0 else 0.0
    total = float(state.coins if is_own_turn else 0)
    n_repeats = 0
    best = 0.0
    terminals = 0
    piles = hand
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = state.cards[hand_row, pile] + (change if pile == changed else 0)
        if n <= 0:
            continue
        if (rules.actions >> pile) & 1 == 0:
            total += n * rules.coins[pile]
        elif is_repeating(rules, pile):
            n_repeats += n * (rules.effects[rules.first_effect[pile] + 1, Column.N] - 1)
        elif (rules.action_classes[0] >> pile) & 1 == 0:
            terminals |= 1 << pile
        elif actions > 0:
            coins = action_coins(rules, state, pile, per_draw)
            best = max(best, coins)
            total += n * coins
            actions += n * rules.extra_actions[pile]
    # The best terminal Actions, from the highest value down.
    while terminals != 0 and actions > 0:
        top = NONE
        most = 0.0
        piles = terminals
        while piles != 0:
            pile = lowest_pile(piles)
            piles &= piles - 1
            is_alone = needs_copy(rules, pile) and state.cards[hand_row, pile] + (change if pile == changed else 0) < 2
            coins = 0.0 if is_alone else action_coins(rules, state, pile, per_draw)
            if top == NONE or coins > most:
                top = pile
                most = coins
        terminals &= ~bit(top)
        n = state.cards[hand_row, top] + (change if top == changed else 0)
        # A card that needs another copy counts with it.
        total += min(n, 2 if needs_copy(rules, top) else actions) * most
        best = max(best, most)
        actions -= n
    if hand & rules.treasures & ~rules.plain_treasures != 0:
        total += special_coins(rules, state, seat, changed, change)
    return total + n_repeats * best


@kernel
def drawn_value(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the value of a card as one of the next hand."""
    if (strategy.computed[HAND] >> pile) & 1 == 0:
        return float(strategy.hand_value[pile])
    return computed_drawn_value(rules, state, pile)


@kernel
def computed_drawn_value(rules: Rules, state: State, pile: int) -> Any:
    """Return the computed value of a card as one of the next hand."""
    if (rules.actions | (rules.treasures & ~rules.plain_treasures)) >> pile & 1:
        per_draw = coins_per_draw(rules, state, state.decider)
        coins = action_coins(rules, state, pile, per_draw) + later_coins(rules, state, pile, per_draw)
        return NO_USE + PER_COIN * coins
    return NO_USE + PER_COIN * rules.coins[pile]


@kernel
def value_this_turn(rules: Rules, state: State, strategy: Strategy, pile: int, change: int) -> Any:
    """Return the value of a card this turn; 0 for an Action that cannot be played.

    ``change`` is -1 for a card in the decider's hand, and 1 for one more card.
    """
    if state.decider == state.active and state.actions == 0 and (rules.actions >> pile) & 1:
        return 0.0
    if (strategy.computed[HAND] >> pile) & 1 == 0:
        return float(strategy.hand_value[pile])
    now = hand_coins(rules, state, NONE, 0, 0)
    coins = change * (hand_coins(rules, state, pile, change, 0) - now)
    if (rules.start_cards >> pile) & 1:
        coins += later_coins(rules, state, pile, coins_per_draw(rules, state, state.decider))
    return NO_USE + PER_COIN * coins


@kernel
def total_of_row(rules: Rules, state: State, strategy: Strategy, row: int) -> Any:
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
    return total_of_row(rules, state, strategy, row) / max(state.n_cards[row], 1)


@kernel
def expected_drawn_value(rules: Rules, state: State, strategy: Strategy, seat: int) -> Any:
    """Return the expected value in hand of a card that a seat draws next."""
    if deck_size(state, seat) == 0:
        return mean_of_discard_pile(rules, state, strategy, seat)
    total = total_of_row(rules, state, strategy, Zone.DECK + seat)
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
    """Return the costs and points of the next cards that a list buys with some coins, and SPARE for each coin.

    At most MAX_BUYS cards count.
    """
    total = SPARE * coins
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

    A card above the expected coins of an unseen one stays: it may still be needed with the cards drawn later.
    """
    seat = state.decider
    per_draw = coins_per_draw(rules, state, seat)
    total = hand_coins(rules, state, NONE, 0, 0) + state.n_chosen * per_draw
    rest = hand_coins(rules, state, pile, -1, 0) + state.n_chosen * per_draw
    if rest >= total:
        return True
    if total - rest > per_draw:
        return False
    expected = 0.0
    n = 0
    for drawn in range(N_MODEL_PILES):
        n_cards = n_next(state, seat, drawn)
        if n_cards == 0:
            continue
        n += n_cards
        coins = float(rules.coins[drawn])
        if (rules.actions >> drawn) & 1 and state.actions > 0:
            coins = action_coins(rules, state, drawn, per_draw)
        expected += n_cards * buy_score(rules, state, strategy, rest + coins)
    return expected > n * buy_score(rules, state, strategy, total)


# Values in the deck.


@kernel
def wanted_now(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of piles that a strategy wants now: a rule holds, or the present weight is positive.

    It is 0 for a strategy without computed values.
    """
    wants: PreferenceColumns = strategy["preferences"]
    lists: BuyListColumns = strategy["buy_lists"]
    if strategy.computed[DECK] == 0:
        return 0
    if lists.n_rules > 0:
        return wanted_piles(rules, state, strategy)
    wanted = 0
    phase = phase_of(rules, state, strategy)
    for pile in range(N_MODEL_PILES):
        if wants.weights[phase, pile] > 0.0:
            wanted |= 1 << pile
    return wanted


@kernel
def coin_floor_of(rules: Rules, state: State, strategy: Strategy, wanted: int) -> Any:
    """Return the coins that the deck keeps when a Treasure is trashed. ``wanted`` is the mask of `wanted_now`.

    The computed floor is enough for a Gold. FLOOR_WITH_MONEY is enough while new money follows: each buy for
    FLOOR_WITH_MONEY to COIN_FLOOR coins is a better Treasure than Copper, or has a limited number of copies.
    """
    if strategy.coin_floor != COMPUTED:
        return np.int64(strategy.coin_floor)
    for coins in range(FLOOR_WITH_MONEY, COIN_FLOOR + 1):
        if not is_money_bought(rules, state, strategy, wanted, coins):
            return np.int64(COIN_FLOOR)
    return np.int64(FLOOR_WITH_MONEY)


@kernel
def is_money_bought(rules: Rules, state: State, strategy: Strategy, wanted: int, coins: int) -> Any:
    """Return whether the buy for some coins adds coins, or is limited to a number of copies.

    The buy of preferences is the wanted card with the highest weight. Without weights it is any wanted Treasure.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    wants: PreferenceColumns = strategy["preferences"]
    better = rules.treasures & ~(1 << COPPER)
    if lists.n_rules > 0:
        rule = buy_rule(rules, state, strategy, coins)
        if rule == NONE:
            return False
        pile = np.int64(lists.rules[rule, PILE])
        is_limited = True
        for other in range(lists.n_rules):
            if lists.rules[other, PILE] == pile:
                is_limited = is_limited and lists.bounds[other, OWNED_BELOW] < ANY_NUMBER
        return is_limited or (better >> pile) & 1 != 0
    piles = wanted & state.piles_in[Zone.SUPPLY] & rules.affordable[coins]
    best = highest(wants.weights[phase_of(rules, state, strategy)], piles)
    return best != NONE and ((better >> best) & 1 != 0 or wants.limits[best] < UNLIMITED)


@kernel
def points_of(rules: Rules, state: State, pile: int) -> Any:
    """Return the victory points of one card in the decider's deck."""
    points = rules.vp[pile]
    if rules.vp_per[pile] != 0:
        n = 0
        for other in range(N_MODEL_PILES):
            if (rules.vp_per_mask[pile] >> other) & 1:
                n += state.owned[state.decider, other]
        points += rules.vp_per[pile] * (n // rules.vp_per_n[pile])
    return points


@kernel
def is_counted(rules: Rules, state: State, wanted: int, pile: int) -> Any:
    """Return whether cards of a pile add points to a Victory card that the decider owns or wants (Gardens)."""
    scoring = rules.variable_vp
    for other in range(N_MODEL_PILES):
        is_kept = state.owned[state.decider, other] > 0 or (wanted >> other) & 1 != 0
        if (scoring >> other) & 1 and (rules.vp_per_mask[other] >> pile) & 1 and is_kept:
            return True
    return False


@kernel
def deck_value_of(rules: Rules, state: State, strategy: Strategy, wanted: int, pile: int) -> Any:
    """Return the value of a card in the decider's deck. ``wanted`` is the mask of `wanted_now`."""
    if (strategy.computed[DECK] >> pile) & 1:
        return computed_deck_value(rules, state, strategy, wanted, pile)
    if strategy.deck_value_if_wanted[pile] != 0 and (wanted >> pile) & 1:
        return float(strategy.deck_value_if_wanted[pile])
    return float(strategy.deck_value[pile])


@kernel
def computed_deck_value(rules: Rules, state: State, strategy: Strategy, wanted: int, pile: int) -> Any:
    """Return the computed value of a card in the decider's deck.

    Victory cards with many points, and wanted ones, are kept. So are all cards but Curses that count for Gardens.
    """
    lists: BuyListColumns = strategy["buy_lists"]
    value = float(strategy.deck_value[pile])
    if strategy.play[PLAY_NO_CURSES, pile] != 0 and state.cards[Zone.SUPPLY, CURSE_PILE] == 0:
        return min(value, AFTER_CURSES)
    points = points_of(rules, state, pile)
    if points < 0:
        return value
    is_wanted = (wanted >> pile) & 1 != 0
    if (rules.victories >> pile) & 1:
        is_scoring = (rules.variable_vp >> pile) & 1 != 0 and lists.n_rules > 0
        if is_wanted or is_scoring or points >= MANY_POINTS or gains_to_end(rules, state) <= LAST_GAINS:
            return KEPT + PER_COIN * points
    if rules.variable_vp != 0 and is_counted(rules, state, wanted, pile):
        return max(value, KEPT - PER_COIN)
    return value
