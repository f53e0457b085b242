"""The observation of a seat: OBSERVATION declares the features, and the kernel `observe` writes them.

Features are small integers. They use only information that the seat has: its own cards, its hand, the Supply, the turn,
the pending Decision, and public information about opponents. Add a new part at the end: networks depend on the order.
"""

from typing import Any, NamedTuple

import numpy as np

from evodom.dominion.cards import CURSE_PILE, NONTERMINAL, PROVINCE
from evodom.dominion.effects.ops import NO_LIMIT, Column, Frame, Later, Op, Zone
from evodom.dominion.engine.durations import shielded_seats
from evodom.dominion.engine.moves import n_cards_of
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE, Rules
from evodom.dominion.engine.state import State, bit, deck_size, hide_passes, lowest_pile
from evodom.dominion.engine.turn import Integers, gains_to_end, n_owned, score
from evodom.jit.kernel import cold_kernel, kernel

MAX_FEATURE = 100
"""Upper bound of features, which are stored as int8."""

MAX_LEAD = 30
"""Upper bound of the absolute value of a lead in victory points or VP tokens."""


class Part(NamedTuple):
    """A part of the observation: its name, number of features, scale and bounds.

    A feature times ``scale`` is about 1.
    """

    name: str
    n: int
    scale: float
    low: int = 0
    high: int = MAX_FEATURE


OBSERVATION = (
    Part("owned", N_MODEL_PILES, 0.25),
    Part("owns any", N_MODEL_PILES, 1.0),
    Part("in hand", N_MODEL_PILES, 0.5),
    Part("effect is pending", N_MODEL_PILES, 1.0),
    Part("one", 1, 1.0),
    Part("turn", 1, 0.05),
    Part("turns before the eighth", 1, 0.125),
    Part("Provinces", 1, 0.125),
    Part("Provinces below five", 1, 0.25),
    Part("gains to the end", 1, 0.1),
    Part("gains to the end below six", 1, 0.2),
    Part("empty piles", 1, 0.5),
    Part("Curses left", 1, 0.1),
    Part("lead", 1, 0.1, -MAX_LEAD, MAX_LEAD),
    Part("lead near the end", 1, 0.1, -36, 36),
    Part("coins", 1, 0.125),
    Part("coins above seven", 1, 0.2),
    Part("further Buys", 1, 0.5),
    Part("Actions", 1, 0.5),
    Part("no Action", 1, 1.0),
    Part("own turn", 1, 1.0),
    Part("cards in hand", 1, 0.2),
    Part("terminals in hand", 1, 0.5),
    Part("other Actions in hand", 1, 0.5),
    Part("coins in hand", 1, 0.2),
    Part("cards owned", 1, 0.05),
    Part("coins owned", 1, 0.05),
    Part("coins of ten cards", 1, 0.1),
    Part("Actions owned", 1, 0.2),
    Part("terminals owned", 1, 0.33),
    Part("terminals too many", 1, 0.33, -MAX_FEATURE),
    Part("draw pile", 1, 0.1),
    Part("discard pile", 1, 0.1),
    Part("attacks of an opponent", 1, 0.5),
    Part("further players", 1, 0.5),
    Part("choices left", 1, 0.25),
    Part("may pass", 1, 1.0),
    Part("from hand", 1, 1.0),
    Part("from the deck", 1, 1.0),
    Part("from the discard pile", 1, 1.0),
    Part("by an Action", 1, 1.0),
    Part("to the discard pile", 1, 1.0),
    Part("onto the deck", 1, 1.0),
    Part("cards of another", 1, 1.0),
    Part("a trade", 1, 1.0),
    Part("game with Colonies", 1, 1.0),
    Part("Colonies", 1, 0.125),
    Part("Colonies below five", 1, 0.25),
    Part("cost reduction", 1, 0.5),
    Part("cost reduction of Actions", 1, 0.5),
    Part("Actions played", 1, 0.25),
    Part("Actions in play", 1, 0.25),
    Part("Treasures in play", 1, 0.2),
    Part("largest hand of an opponent", 1, 0.2),
    Part("Actions in the trash", 1, 0.25),
    Part("cards next turn", 1, 0.5),
    Part("coins next turn", 1, 0.5),
    Part("Actions next turn", 1, 0.5),
    Part("Buys next turn", 1, 0.5),
    Part("cards on the mat", 1, 0.25),
    Part("cards set aside", 1, 0.5),
    Part("protected", 1, 1.0),
    Part("lead in VP tokens", 1, 0.1, -MAX_LEAD, MAX_LEAD),
    Part("extra turn", 1, 1.0),
)
"""All features in order. A part has one feature, or a feature for each pile."""

N_PILE_PARTS = 4
"""Number of parts with a feature for each pile. They come first: owned, owns any, in hand, effect is pending."""

# Indices of the first features of the parts with a feature for each pile.
OWNED, OWNS_ANY, IN_HAND, PENDING = (part * N_MODEL_PILES for part in range(N_PILE_PARTS))

FIRST_SCALAR = N_PILE_PARTS * N_MODEL_PILES
N_FEATURES = sum(part.n for part in OBSERVATION)

# Indices of the other features, in the order of OBSERVATION. FROM_SUPPLY is "by an Action": an Action gains the card.
(
    ONE, TURN, TURNS_EARLY, PROVINCES, PROVINCES_LATE, GAINS_LEFT, GAINS_LATE, EMPTY_PILES, CURSES_LEFT,
    LEAD, LEAD_LATE, COINS, COINS_OVER, BUYS, ACTIONS, NO_ACTION, OWN_TURN, CARDS_IN_HAND, HAND_TERMINALS,
    HAND_ACTIONS, HAND_COINS, CARDS_OWNED, COINS_OWNED, MONEY_DENSITY, ACTIONS_OWNED, TERMINALS_OWNED,
    TERMINALS_TOO_MANY, DRAW_PILE, DISCARDS, ATTACKS, FURTHER_PLAYERS, CHOICES_LEFT, MAY_PASS, FROM_HAND,
    FROM_DECK, FROM_DISCARDS, FROM_SUPPLY, TO_DISCARDS, ONTO_DECK, OF_ANOTHER, A_TRADE, COLONY_GAME, COLONIES,
    COLONIES_LATE, REDUCTION, REDUCTION_OF_ACTIONS, ACTIONS_PLAYED, ACTIONS_IN_PLAY, TREASURES_IN_PLAY, LARGEST_HAND,
    ACTIONS_IN_TRASH, NEXT_CARDS, NEXT_COINS, NEXT_ACTIONS, NEXT_BUYS, ON_MAT, SET_ASIDE, PROTECTED, LEAD_IN_TOKENS,
    EXTRA_TURN,
) = range(FIRST_SCALAR, N_FEATURES)  # fmt: skip

SCALAR_SCALES = {part.name: part.scale for part in OBSERVATION[N_PILE_PARTS:]}
"""Scale of each part with one feature, by name."""

SCALES = np.concatenate([np.full(part.n, part.scale, "<f4") for part in OBSERVATION])
"""Scale of each feature, (N_FEATURES,) float32."""


@kernel
def observe(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write the features of ``seat`` at its pending Decision into ``features``, (N_FEATURES,) int8.

    The features of the Decision are 0 if none is pending, at the end of a game.
    """
    for feature in range(PENDING, N_FEATURES):
        features[feature] = 0
    _observe_piles(state, seat, features)
    _observe_deck(rules, state, seat, features)
    _observe_hand(rules, state, seat, features)
    _observe_game(rules, state, seat, features)
    _observe_opponents(rules, state, seat, features)
    _observe_turn(rules, state, seat, features)
    if rules.start_cards != 0:
        _observe_next_turn(rules, state, seat, features)
    if state.decider != NONE:
        _observe_question(rules, state, seat, features)


@kernel
def _observe_piles(state: State, seat: int, features: Integers) -> None:
    """Write the seat's own cards, pile by pile."""
    hand = Zone.HAND + seat
    for pile in range(N_MODEL_PILES):
        n = state.owned[seat, pile]
        features[OWNED + pile] = min(n, MAX_FEATURE)
        features[OWNS_ANY + pile] = n > 0
        features[IN_HAND + pile] = min(state.cards[hand, pile], MAX_FEATURE)


@kernel
def _observe_deck(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the cards that a seat owns. Sums of int32 without branches compile to vector instructions."""
    actions, terminals = rules.actions, rules.actions & ~rules.action_classes[NONTERMINAL]
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
def _observe_hand(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the cards in a seat's hand."""
    hand = Zone.HAND + seat
    terminals = rules.actions & ~rules.action_classes[NONTERMINAL]
    others = rules.actions & rules.action_classes[NONTERMINAL]
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
def _observe_game(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the game's progress and of the turn's resources."""
    turn = state.turns[seat]
    provinces = state.cards[Zone.SUPPLY, PROVINCE]
    left = gains_to_end(rules, state)
    features[ONE] = 1
    features[TURN] = min(turn, 40)
    features[TURNS_EARLY] = max(8 - turn, 0)
    features[PROVINCES] = min(provinces, MAX_FEATURE)
    features[PROVINCES_LATE] = max(5 - provinces, 0)
    features[GAINS_LEFT] = min(left, 20)
    features[GAINS_LATE] = max(6 - left, 0)
    features[EMPTY_PILES] = state.n_empty
    features[CURSES_LEFT] = min(state.cards[Zone.SUPPLY, CURSE_PILE], MAX_FEATURE)
    features[COINS] = min(state.coins, 30)
    features[COINS_OVER] = min(max(state.coins - 7, 0), 20)
    features[BUYS] = min(max(state.buys - 1, 0), 10)
    features[ACTIONS] = min(state.actions, 10)
    features[NO_ACTION] = state.actions == 0
    features[OWN_TURN] = state.active == seat
    features[DRAW_PILE] = min(deck_size(state, seat), MAX_FEATURE)
    features[DISCARDS] = min(state.n_cards[Zone.DISCARD + seat], MAX_FEATURE)
    features[FURTHER_PLAYERS] = rules.n_seats - 2
    features[ON_MAT] = min(state.n_cards[Zone.VILLAGE_MAT + seat], MAX_FEATURE)
    features[SET_ASIDE] = min(state.n_cards[Zone.SET_ASIDE + seat], MAX_FEATURE)
    features[EXTRA_TURN] = state.active == seat and state.extra_turn + state.is_extra > 0
    colonies = rules.ending_piles & ~bit(PROVINCE)
    if colonies != 0:
        n_colonies = state.cards[Zone.SUPPLY, lowest_pile(colonies)]
        features[COLONY_GAME] = 1
        features[COLONIES] = min(n_colonies, MAX_FEATURE)
        features[COLONIES_LATE] = max(5 - n_colonies, 0)


@kernel
def _observe_opponents(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the opponents' scores, attacks, hands and VP tokens. `_observe_game` comes first."""
    lead = MAX_FEATURE
    most_attacks = 0
    largest_hand = 0
    most_tokens = 0
    if state.n_passes > 0:
        hide_passes(state, seat, 1)
    own = score(rules, state, seat)
    for other in range(rules.n_seats):
        if other != seat:
            lead = min(lead, own - score(rules, state, other))
            most_attacks = max(most_attacks, n_owned(state, other, rules.attacks))
            largest_hand = max(largest_hand, state.n_cards[Zone.HAND + other])
            most_tokens = max(most_tokens, state.vp_tokens[other])
    if state.n_passes > 0:
        hide_passes(state, seat, -1)
    lead = max(min(lead, MAX_LEAD), -MAX_LEAD)
    features[LEAD] = lead
    features[LEAD_LATE] = min(max(lead, -6), 6) * features[GAINS_LATE]
    features[ATTACKS] = min(most_attacks, MAX_FEATURE)
    features[LARGEST_HAND] = min(largest_hand, MAX_FEATURE)
    features[LEAD_IN_TOKENS] = max(min(state.vp_tokens[seat] - most_tokens, MAX_LEAD), -MAX_LEAD)


@kernel
def _observe_turn(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the cards in play, of reduced costs, and of the trash."""
    features[ACTIONS_PLAYED] = min(state.actions_played, MAX_FEATURE)
    features[ACTIONS_IN_PLAY] = n_in(state, Zone.IN_PLAY + seat, rules.actions)
    features[TREASURES_IN_PLAY] = n_in(state, Zone.IN_PLAY + seat, rules.treasures)
    features[ACTIONS_IN_TRASH] = n_in(state, Zone.TRASH, rules.actions)
    if state.discounted != 0:
        of_actions = state.discounted & rules.actions
        features[REDUCTION] = min(state.discount[PROVINCE], 10)
        features[REDUCTION_OF_ACTIONS] = min(state.discount[lowest_pile(of_actions)], 10) if of_actions != 0 else 0


@cold_kernel
def _observe_next_turn(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write the cards, coins, Actions and Buys that a seat's Durations give next turn, and whether they protect it."""
    features[PROTECTED] = (shielded_seats(rules, state) >> seat) & 1
    for index in range(state.n_later):
        if state.later[index, Later.SEAT] != seat:
            continue
        first = state.later[index, Later.EFFECT] + 1
        for effect in range(first, first + rules.effects[first - 1, Column.N_INNER]):
            op = rules.effects[effect, Column.OP]
            n = rules.effects[effect, Column.N] * state.later[index, Later.TIMES]
            if op == Op.CARDS:
                features[NEXT_CARDS] = min(features[NEXT_CARDS] + n, MAX_FEATURE)
            elif op == Op.COINS:
                features[NEXT_COINS] = min(features[NEXT_COINS] + n, MAX_FEATURE)
            elif op == Op.ACTIONS:
                features[NEXT_ACTIONS] = min(features[NEXT_ACTIONS] + n, MAX_FEATURE)
            elif op == Op.BUYS:
                features[NEXT_BUYS] = min(features[NEXT_BUYS] + n, MAX_FEATURE)


@kernel
def n_in(state: State, row: int, piles: int) -> Any:
    """Return the number of cards in a row that belong to ``piles``, at most MAX_FEATURE."""
    return min(n_cards_of(state, row, piles), MAX_FEATURE)


@kernel
def _observe_question(rules: Rules, state: State, seat: int, features: Integers) -> None:
    """Write features of the pending choice: its card, and the source and target zones."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op in (Op.BUY, Op.PLAY_ACTION):
        features[MAY_PASS] = 1
        return
    for pile in range(N_MODEL_PILES):
        features[PENDING + pile] = rules.first_effect[pile] <= row and row < rules.end_effect[pile]
    source, target = rules.effects[row, Column.SOURCE], rules.effects[row, Column.TARGET]
    features[MAY_PASS] = rules.effects[row, Column.OPTIONAL] != 0
    features[FROM_HAND] = source == Zone.HAND
    features[FROM_DECK] = source == Zone.REVEALED
    features[FROM_DISCARDS] = source == Zone.DISCARD
    features[FROM_SUPPLY] = source == Zone.SUPPLY
    features[TO_DISCARDS] = target == Zone.DISCARD
    features[ONTO_DECK] = target == Zone.DECK_TOP
    if state.depth > 0:
        frame = state.depth - 1
        features[CHOICES_LEFT] = min(max(state.stack[frame, Frame.CARDS_LEFT], 0), 10)
        features[OF_ANOTHER] = state.stack[frame, Frame.SEAT] != seat
        features[A_TRADE] = is_trade(rules, row, state.stack[frame, Frame.END])


@kernel
def is_trade(rules: Rules, effect: int, end_effect: int) -> Any:
    """Return whether the next Effect gains a card by the cost of the chosen card (Remodel)."""
    return effect + 1 < end_effect and rules.effects[effect + 1, Column.EXTRA_COST] != NO_LIMIT
