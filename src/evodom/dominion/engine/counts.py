"""Compute the amount of an Effect, and whether its condition holds. A new member of `ops.Count` is computed here."""

from evodom.dominion.effects.ops import NOT_STARTED, Column, Count, Frame, Zone
from evodom.dominion.engine.moves import cost_of, n_cards_of
from evodom.dominion.engine.rules import NONE, Rules
from evodom.dominion.engine.state import State, n_bits
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def holds(rules: Rules, state: State, effect: int, seat: int) -> bool:
    """Return whether an Effect has no condition, or one that holds."""
    condition = rules.effects[effect, Column.IF]
    if condition == Count.NONE:
        return True
    n = count_of(rules, state, seat, condition, rules.effects[effect, Column.IF_MASK])
    least: int = rules.effects[effect, Column.IF_MIN]
    most: int = rules.effects[effect, Column.IF_MAX]
    return least <= n <= most


@kernel
def amount(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the amount of an Effect: `Column.N`, or with a count `Column.N` * (count // `Column.COUNT_PER`)."""
    n: int = rules.effects[effect, Column.N]
    count = rules.effects[effect, Column.COUNT]
    if count == Count.NONE:
        return n
    per: int = rules.effects[effect, Column.COUNT_PER]
    return n * (count_of(rules, state, seat, count, rules.effects[effect, Column.COUNT_MASK]) // per)


@kernel
def count_of(rules: Rules, state: State, seat: int, count: int, mask: int) -> int:
    """Return the value of a `Count` other than NONE. Cards in hand and in play are those of ``seat``."""
    return state.n_chosen if count == Count.CHOSEN else other_count(rules, state, seat, count, mask)


@cold_kernel
def other_count(rules: Rules, state: State, seat: int, count: int, mask: int) -> int:
    """Return the value of a `Count` other than NONE and CHOSEN."""
    if count == Count.EMPTY_PILES:
        return state.n_empty
    if count == Count.ACTIONS_PLAYED:
        return state.actions_played - n_waiting_plays(rules, state)
    if count == Count.VICTORIES_GAINED:
        return state.victories_gained
    if count == Count.EXTRA_TURNS:
        return state.is_extra + state.extra_turn
    if count == Count.CHOSEN_OF or count == Count.CHOSEN_COST or count == Count.CHOSEN_TYPES:
        return count_for_chosen(rules, state, count, mask)
    row = seat + (Zone.IN_PLAY if count == Count.IN_PLAY else Zone.HAND)
    if count == Count.REVEALED:
        row = Zone.REVEALED
    return n_bits(state.piles_in[row] & mask) if count == Count.HAND_NAMES else n_cards_of(state, row, mask)


@kernel
def count_for_chosen(rules: Rules, state: State, count: int, mask: int) -> int:
    """Return the value of CHOSEN_OF, CHOSEN_COST or CHOSEN_TYPES. It is 0 if no card was chosen."""
    if state.chosen == NONE:
        return 0
    if count == Count.CHOSEN_OF:
        return (mask >> state.chosen) & 1
    n_types: int = rules.n_types[state.chosen]
    return cost_of(rules, state, state.chosen) if count == Count.CHOSEN_COST else n_types


@kernel
def n_waiting_plays(rules: Rules, state: State) -> int:
    """Return the number of repeated plays of Actions on the stack that have not begun."""
    n = 0
    for below in range(state.stack[state.depth - 1, Frame.ROOT] if state.depth > 0 else 0):
        pile = state.stack[below, Frame.PILE]
        is_new = state.stack[below, Frame.NEXT] == rules.first_effect[pile]
        is_new = is_new and state.stack[below, Frame.CARDS_LEFT] == NOT_STARTED
        n += (rules.actions >> pile) & 1 != 0 and state.stack[below, Frame.PLAY] > 0 and is_new
    return n
