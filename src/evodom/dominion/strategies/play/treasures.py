"""Choose the order of Treasures, the Treasure to play twice, and the order of Effects at the start of a turn.

No card is named: `order_of` computes the place of a Treasure in the order of play from its Effects.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Count, Later, Op, Watcher, WatchKind, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.moves import affordable, cost_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.strategies.play.deck_values import wanted_now
from evodom.dominion.strategies.play.estimates import coins_per_draw, opening_row, played_coins
from evodom.dominion.strategies.play.pick import highest
from evodom.dominion.strategies.play.prices import coins_after_treasures, forbidding_coins, price_of
from evodom.dominion.strategies.play.turn_values import cards_better_trashed, has_buy_plan, most_wanted, next_buy
from evodom.dominion.strategies.record import Strategy
from evodom.jit.kernel import kernel

REPEATS, CHANGES_TURN, CHOOSES, GIVES_COINS, REPEATS_LAST, COUNTS, NEVER = range(7)
"""Places in the order of Treasures:

- REPEATS: the Treasure plays another Treasure twice.
- CHANGES_TURN: it reduces costs or watches for gains.
- CHOOSES: it has a choice.
- GIVES_COINS: any other Treasure.
- REPEATS_LAST replaces REPEATS if a Treasure of COUNTS is in hand.
- COUNTS: it counts Treasures in play.
- NEVER: it is better not played.
"""

PER_WATCH = 1.0
"""Value of one more play of a Treasure that watches for gains, in coins."""


@kernel
def select_treasure(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Play the first Treasure in the order of `order_of`. At equal places play the Treasure with the fewest coins.

    So Silver is played before Gold. Corsair trashes the first Silver or Gold that a player plays.
    """
    cards = state.legal & ~PASS_BIT & ~treasures_to_keep(rules, state, strategy)
    best = np.int64(PASS)
    least = NEVER
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        order = order_of(rules, state, strategy, pile)
        if order < least or (order == least and best != PASS and rules.coins[pile] < rules.coins[best]):
            best = np.int64(pile)
            least = order
    return best


@kernel
def order_of(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return the place of a Treasure in hand in the order of play."""
    order = CHANGES_TURN if (rules.counted_plays >> pile) & 1 else GIVES_COINS
    for row in range(rules.first_effect[pile], rules.end_effect[pile]):
        op = rules.effects[row, Column.OP]
        if op == Op.PLAY_CHOSEN and rules.effects[row, Column.N] > 1:
            return REPEATS_LAST if has_counting_treasure(rules, state) else REPEATS
        if rules.effects[row, Column.COUNT] == Count.IN_PLAY:
            return COUNTS
        if op == Op.CHEAPER:
            order = CHANGES_TURN
        elif op in (Op.CHOOSE, Op.OPTIONS) and order == GIVES_COINS:
            order = CHOOSES
    return NEVER if is_harmful(rules, state, strategy, pile) else order


@kernel
def has_counting_treasure(rules: Rules, state: State) -> Any:
    """Return whether the active player has a Treasure in hand that counts Treasures in play."""
    for pile in range(N_MODEL_PILES):
        if (state.piles_in[Zone.HAND + state.active] & rules.treasures) >> pile & 1:
            for row in range(rules.first_effect[pile], rules.end_effect[pile]):
                if rules.effects[row, Column.COUNT] == Count.IN_PLAY:
                    return True
    return False


@kernel
def is_harmful(rules: Rules, state: State, strategy: Strategy, pile: int) -> Any:
    """Return whether a Treasure in hand must first trash another card, and all other cards are better kept."""
    row = opening_row(rules, pile)
    if (rules.begins_with_trash >> pile) & 1 == 0 or rules.effects[row, Column.OPTIONAL] != 0:
        return False
    cards = state.piles_in[Zone.HAND + state.active]
    if state.cards[Zone.HAND + state.active, pile] == 1:
        cards &= ~bit(pile)
    return cards != 0 and cards_better_trashed(rules, state, strategy, wanted_now(rules, state, strategy), cards) == 0


@kernel
def treasures_to_keep(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of the Treasures in hand to leave unplayed.

    - Treasures that forbid the most wanted buy while they are in play, if it is affordable without them.
    - Treasures of `treasures_saved_from_trash`.
    """
    kept = treasures_saved_from_trash(rules, state, strategy)
    restricted = rules.restricted_piles & state.piles_in[Zone.SUPPLY]
    while restricted != 0:
        pile = lowest_pile(restricted)
        restricted &= restricted - 1
        forbidding = rules.not_bought_with[pile] & state.piles_in[Zone.HAND + state.active]
        if forbidding == 0 or rules.not_bought_with[pile] & state.piles_in[Zone.IN_PLAY + state.active] != 0:
            continue
        coins = coins_after_treasures(rules, state, state.active, NONE)
        if cost_of(rules, state, pile) > coins - forbidding_coins(rules, state, pile):
            continue
        wanted = most_wanted(rules, state, strategy, state.piles_in[Zone.SUPPLY] & affordable(rules, state, coins))
        is_dearest = wanted != NONE and not has_buy_plan(strategy) and rules.cost[wanted] <= rules.cost[pile]
        if wanted == pile or is_dearest:
            kept |= forbidding
    return kept


@kernel
def treasures_saved_from_trash(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the mask of the Treasures in hand that the turn's only buy would trash (Mint) and does not need.

    The Treasures with the most coins are saved first.
    """
    kept = np.int64(0)
    for index in range(rules.n_watchers):
        row = rules.watchers[index, Watcher.FIRST]
        pile = rules.watchers[index, Watcher.PILE]
        if rules.watchers[index, Watcher.KIND] != WatchKind.ITSELF or rules.effects[row, Column.SOURCE] != Zone.IN_PLAY:
            continue
        # Most strategies want no such card: this test comes before the costly one.
        if state.buys > 1 or not has_buy_plan(strategy) or most_wanted(rules, state, strategy, bit(pile)) == NONE:
            continue
        coins = coins_after_treasures(rules, state, state.active, NONE)
        if next_buy(rules, state, strategy, coins) != pile:
            continue
        spare = coins - price_of(rules, state, pile)
        left = state.piles_in[Zone.HAND + state.active] & rules.effects[row, Column.MASK]
        while left != 0:
            best = highest(rules.coins, left)
            left &= ~bit(best)
            n = state.cards[Zone.HAND + state.active, best]
            n_saved = min(n, spare // rules.coins[best]) if rules.coins[best] > 0 else n
            spare -= n_saved * rules.coins[best]
            if n_saved == n:
                kept |= bit(best)
    return kept


@kernel
def select_repeated_treasure(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Choose the Treasure to play twice: one that repeats another, else the Treasure that adds the most coins."""
    cards = state.legal & ~PASS_BIT & ~treasures_to_keep(rules, state, strategy)
    per_draw = coins_per_draw(rules, state, state.decider)
    best = np.int64(PASS)
    repeating = np.int64(PASS)
    most = 0.0
    for pile in range(N_MODEL_PILES):
        if (cards >> pile) & 1 == 0:
            continue
        order = order_of(rules, state, strategy, pile)
        if order in (REPEATS, REPEATS_LAST):
            repeating = np.int64(pile)
        elif order != NEVER:
            value = played_coins(rules, state, pile, per_draw)
            if (rules.counted_plays >> pile) & 1:
                value += PER_WATCH
            if best == PASS or value > most:
                best = np.int64(pile)
                most = value
    return best if repeating == PASS else repeating


ANY_TIME, PLAYS, GAINS, TRASHES, DRAWS_AND_DISCARDS, DISCARDS = range(6)
"""Places in the order at the start of a turn:

- ANY_TIME: Effects whose order does not matter, such as draws, coins and cards that return to the hand.
- PLAYS: a card that is played from hand.
- GAINS, TRASHES: Effects that gain or trash a card.
- DRAWS_AND_DISCARDS, DISCARDS: Effects that discard cards, with and without a draw.
"""


@kernel
def select_start(rules: Rules, state: State) -> Any:
    """Resolve the card that comes first in the order of `order_at_start`."""
    best = np.int64(NONE)
    least = 0
    for pile in range(N_MODEL_PILES):
        if (state.legal >> pile) & 1:
            order = order_at_start(rules, state, pile)
            if best == NONE or order < least:
                best = np.int64(pile)
                least = order
    return best


@kernel
def order_at_start(rules: Rules, state: State, pile: int) -> Any:
    """Return the place of a card in the order at the start of a turn.

    The card's oldest due Effects determine the place. A card without due Effects is played from hand.
    """
    for index in range(state.n_later):
        if state.later[index, Later.DUE] == 0 or state.later[index, Later.PILE] != pile:
            continue
        effect = state.later[index, Later.EFFECT]
        if rules.effects[effect, Column.OPTIONAL] == 0:
            return ANY_TIME
        order = GAINS
        draws = False
        for row in range(effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER]):
            draws = draws or rules.effects[row, Column.OP] == Op.CARDS
            if rules.effects[row, Column.OP] == Op.CHOOSE and rules.effects[row, Column.SOURCE] == Zone.HAND:
                if rules.effects[row, Column.TARGET] == Zone.TRASH:
                    order = TRASHES
                elif rules.effects[row, Column.TARGET] == Zone.DISCARD:
                    order = DRAWS_AND_DISCARDS if draws else DISCARDS
        return order
    return PLAYS
