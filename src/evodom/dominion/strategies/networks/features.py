"""Features of a state for the deciding seat: small integers, in blocks of piles and single numbers.

All features are known to the seat: its own cards, its hand, the Supply, the turn, the pending choice, and public
information about opponents.
"""

from typing import Any

import numpy as np

from evodom.dominion.cards import CURSE_PILE, PROVINCE
from evodom.dominion.engine.ops import Column, Frame, Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES, Rules
from evodom.dominion.engine.state import State
from evodom.dominion.engine.turn import n_owned, score
from evodom.dominion.strategies.base import IntArray
from evodom.dominion.strategies.lookahead import gains_to_end, is_trade
from evodom.jit.kernel import kernel

OWNED, OWNS_ANY, IN_HAND, PENDING = (block * N_MODEL_PILES for block in range(4))
"""Index of the first feature of each block. A block has one feature for each pile: cards owned, whether any is owned,
cards in hand, and whether its Effect is pending.
"""

N_BLOCKS = 4
FIRST_SCALAR = N_BLOCKS * N_MODEL_PILES

SCALARS: dict[str, float] = {
    "one": 1.0,
    "turn": 0.05,
    "turns before the eighth": 0.125,
    "Provinces": 0.125,
    "Provinces below five": 0.25,
    "gains to the end": 0.1,
    "gains to the end below six": 0.2,
    "empty piles": 0.5,
    "Curses left": 0.1,
    "lead": 0.1,
    "lead near the end": 0.1,
    "coins": 0.125,
    "coins above seven": 0.2,
    "further Buys": 0.5,
    "Actions": 0.5,
    "no Action": 1.0,
    "own turn": 1.0,
    "cards in hand": 0.2,
    "terminals in hand": 0.5,
    "other Actions in hand": 0.5,
    "coins in hand": 0.2,
    "cards owned": 0.05,
    "coins owned": 0.05,
    "coins of ten cards": 0.1,
    "Actions owned": 0.2,
    "terminals owned": 0.33,
    "terminals too many": 0.33,
    "draw pile": 0.1,
    "discard pile": 0.1,
    "attacks of an opponent": 0.5,
    "further players": 0.5,
    "choices left": 0.25,
    "may pass": 1.0,
    "from hand": 1.0,
    "from the deck": 1.0,
    "from the discard pile": 1.0,
    "by an Action": 1.0,
    "to the discard pile": 1.0,
    "onto the deck": 1.0,
    "cards of another": 1.0,
    "a trade": 1.0,
}
"""Single features in order, with scales that bring them to about 1."""

N_FEATURES = FIRST_SCALAR + len(SCALARS)

(
    ONE, TURN, TURNS_EARLY, PROVINCES, PROVINCES_LATE, GAINS_LEFT, GAINS_LATE, EMPTY_PILES, CURSES_LEFT,
    LEAD, LEAD_LATE, COINS, COINS_OVER, BUYS, ACTIONS, NO_ACTION, OWN_TURN, CARDS_IN_HAND, HAND_TERMINALS,
    HAND_ACTIONS, HAND_COINS, CARDS_OWNED, COINS_OWNED, MONEY_DENSITY, ACTIONS_OWNED, TERMINALS_OWNED,
    TERMINALS_TOO_MANY, DRAW_PILE, DISCARDS, ATTACKS, FURTHER_PLAYERS, CHOICES_LEFT, MAY_PASS, FROM_HAND,
    FROM_DECK, FROM_DISCARDS, FROM_SUPPLY, TO_DISCARDS, ONTO_DECK, OF_ANOTHER, A_TRADE,
) = range(FIRST_SCALAR, N_FEATURES)  # fmt: skip

SCALES = np.array([*np.repeat([0.25, 1.0, 0.5, 1.0], N_MODEL_PILES), *SCALARS.values()], "<f4")
"""Scale of each feature, (N_FEATURES,) float32."""

MAX_FEATURE = 100
"""Upper bound of features, which are stored as int8."""


@kernel
def observe(rules: Rules, state: State, seat: int, features: IntArray) -> None:
    """Write the features of ``seat`` at its pending Decision into ``features``, (N_FEATURES,) int8."""
    for feature in range(PENDING, N_FEATURES):
        features[feature] = 0
    _observe_piles(state, seat, features)
    _observe_deck(rules, state, seat, features)
    _observe_hand(rules, state, seat, features)
    _observe_game(rules, state, seat, features)
    _observe_question(rules, state, seat, features)


@kernel
def _observe_piles(state: State, seat: int, features: IntArray) -> None:
    """Write the seat's own cards, pile by pile."""
    hand = Zone.HAND + seat
    for pile in range(N_MODEL_PILES):
        n = state.owned[seat, pile]
        features[OWNED + pile] = min(n, MAX_FEATURE)
        features[OWNS_ANY + pile] = n > 0
        features[IN_HAND + pile] = min(state.cards[hand, pile], MAX_FEATURE)


@kernel
def _observe_deck(rules: Rules, state: State, seat: int, features: IntArray) -> None:
    """Write features of the cards that a seat owns. Sums of int32 without branches compile to vector instructions."""
    actions, terminals = rules.actions, rules.actions & ~rules.action_classes[0]
    n_cards: Any = np.int32(0)
    coins: Any = np.int32(0)
    n_actions: Any = np.int32(0)
    n_terminals: Any = np.int32(0)
    extra_actions: Any = np.int32(0)
    for pile in range(N_MODEL_PILES):
        n = state.owned[seat, pile]
        n_cards = np.int32(n_cards + n)
        coins = np.int32(coins + n * rules.coins[pile])
        n_actions = np.int32(n_actions + n * ((actions >> pile) & 1))
        n_terminals = np.int32(n_terminals + n * ((terminals >> pile) & 1))
        extra_actions = np.int32(extra_actions + n * rules.extra_actions[pile])
    features[CARDS_OWNED] = min(n_cards, MAX_FEATURE)
    features[COINS_OWNED] = min(coins, MAX_FEATURE)
    features[MONEY_DENSITY] = min(10 * coins // max(n_cards, 1), MAX_FEATURE)
    features[ACTIONS_OWNED] = min(n_actions, MAX_FEATURE)
    features[TERMINALS_OWNED] = min(n_terminals, MAX_FEATURE)
    features[TERMINALS_TOO_MANY] = min(max(n_terminals - extra_actions, -MAX_FEATURE), MAX_FEATURE)


@kernel
def _observe_hand(rules: Rules, state: State, seat: int, features: IntArray) -> None:
    """Write features of the cards in a seat's hand."""
    hand = Zone.HAND + seat
    terminals = rules.actions & ~rules.action_classes[0]
    others = rules.actions & rules.action_classes[0]
    coins: Any = np.int32(0)
    n_terminals: Any = np.int32(0)
    n_others: Any = np.int32(0)
    for pile in range(N_MODEL_PILES):
        n = state.cards[hand, pile]
        coins = np.int32(coins + n * rules.coins[pile])
        n_terminals = np.int32(n_terminals + n * ((terminals >> pile) & 1))
        n_others = np.int32(n_others + n * ((others >> pile) & 1))
    features[CARDS_IN_HAND] = min(state.n_cards[hand], MAX_FEATURE)
    features[HAND_TERMINALS] = min(n_terminals, MAX_FEATURE)
    features[HAND_ACTIONS] = min(n_others, MAX_FEATURE)
    features[HAND_COINS] = min(coins, MAX_FEATURE)


@kernel
def _observe_game(rules: Rules, state: State, seat: int, features: IntArray) -> None:
    """Write features of the game's progress, the turn's resources, and the opponents' score and attacks."""
    lead = MAX_FEATURE
    most_attacks = 0
    own = score(rules, state, seat)
    for other in range(rules.n_seats):
        if other != seat:
            lead = min(lead, own - score(rules, state, other))
            most_attacks = max(most_attacks, n_owned(state, other, rules.attacks))
    lead = max(min(lead, 30), -30)
    turn = state.turns[seat]
    provinces = state.cards[Zone.SUPPLY, PROVINCE]
    left = gains_to_end(rules, state)
    late = max(6 - left, 0)
    features[ONE] = 1
    features[TURN] = min(turn, 40)
    features[TURNS_EARLY] = max(8 - turn, 0)
    features[PROVINCES] = min(provinces, MAX_FEATURE)
    features[PROVINCES_LATE] = max(5 - provinces, 0)
    features[GAINS_LEFT] = min(left, 20)
    features[GAINS_LATE] = late
    features[EMPTY_PILES] = state.n_empty
    features[CURSES_LEFT] = min(state.cards[Zone.SUPPLY, CURSE_PILE], MAX_FEATURE)
    features[LEAD] = lead
    features[LEAD_LATE] = min(max(lead, -6), 6) * late
    features[COINS] = min(state.coins, 30)
    features[COINS_OVER] = min(max(state.coins - 7, 0), 20)
    features[BUYS] = min(max(state.buys - 1, 0), 10)
    features[ACTIONS] = min(state.actions, 10)
    features[NO_ACTION] = state.actions == 0
    features[OWN_TURN] = state.active == seat
    features[DRAW_PILE] = min(state.n_cards[Zone.DECK + seat] + state.n_known[seat], MAX_FEATURE)
    features[DISCARDS] = min(state.n_cards[Zone.DISCARD + seat], MAX_FEATURE)
    features[ATTACKS] = min(most_attacks, MAX_FEATURE)
    features[FURTHER_PLAYERS] = rules.n_seats - 2


@kernel
def _observe_question(rules: Rules, state: State, seat: int, features: IntArray) -> None:
    """Write features of the pending choice: its card, and the source and target zones."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op in (Op.BUY, Op.PLAY_ACTION):
        features[MAY_PASS] = 1
        return
    for pile in range(N_MODEL_PILES):
        features[PENDING + pile] = rules.first_effect[pile] <= row and row < rules.end_effect[pile]
    frame = state.depth - 1
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    features[CHOICES_LEFT] = min(max(state.stack[frame, Frame.CARDS_LEFT], 0), 10)
    features[MAY_PASS] = rules.effects[row, Column.OPTIONAL] != 0
    features[FROM_HAND] = source == Zone.HAND
    features[FROM_DECK] = source == Zone.REVEALED
    features[FROM_DISCARDS] = source == Zone.DISCARD
    features[FROM_SUPPLY] = source == Zone.SUPPLY
    features[TO_DISCARDS] = target == Zone.DISCARD
    features[ONTO_DECK] = target == Zone.DECK_TOP
    features[OF_ANOTHER] = state.stack[frame, Frame.SEAT] != seat
    features[A_TRADE] = is_trade(rules, row, state.stack[frame, Frame.END])
