"""Write the events of a game to its log. Open this module to record a new kind of event.

The log is an array outside of the record (`State.log`). Simulations have no log, and skip these kernels after one
comparison. `evodom.dominion.events` reads the log.
"""

import numpy as np

from evodom.dominion.effects.ops import NOT_STARTED, Column, Ending, EventKind, Frame, PhaseEffect, SeenBy, Zone
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import ALL_SEATS, MAX_EVENTS, N_EVENT_COLUMNS, State, player_of
from evodom.jit.kernel import cold_kernel, kernel
from evodom.jit.memory import store_number

KIND_OF_MOVE = np.full(Zone.THIS + 1, EventKind.SET_ASIDE)
"""Kind of the event when a card moves, by target zone."""
_KINDS = {
    Zone.TRASH: EventKind.TRASH,
    Zone.DISCARD: EventKind.DISCARD,
    Zone.IN_PLAY: EventKind.PLAY,
    Zone.DECK_TOP: EventKind.TOPDECK,
    Zone.HAND: EventKind.TO_HAND,
    Zone.ISLAND_MAT: EventKind.MAT,
    Zone.VILLAGE_MAT: EventKind.MAT,
}
KIND_OF_MOVE[[*_KINDS]] = [*_KINDS.values()]


@cold_kernel
def write_event(
    state: State, kind: int, seat: int, pile: int, number: int, source: int, target: int, seen_by: int
) -> None:
    """Write an event. Its columns are the arguments, and the index of the Effect that caused it.

    Args:
        pile: NONE for an event without cards.
        number: number of cards of the pile, or a number without cards (see `EventKind`).
        source: zone that the card leaves, or NONE. For a card revealed from a hand, source and target are HAND.
        target: zone to which the card goes, or NONE.
        seen_by: mask of the seats that see the cards.
    """
    if state.n_events < MAX_EVENTS:
        # Plain Numba, which does not widen arguments (`jit.linking`), indexes only tuples of one type.
        first_columns = np.int64(kind), np.int64(seat), np.int64(pile), np.int64(number)
        last_columns = np.int64(source), np.int64(target), np.int64(seen_by), np.int64(state.cause)
        columns = first_columns + last_columns
        for column in range(N_EVENT_COLUMNS):
            store_number(state.log, state.n_events * N_EVENT_COLUMNS + column, columns[column])
        state.n_events += 1


@kernel
def note(state: State, kind: int, seat: int, pile: int, number: int, source: int, target: int, seen_by: int) -> None:
    """Write an event if the game has a log (`write_event`)."""
    if state.log != 0:
        write_event(state, kind, seat, pile, number, source, target, seen_by)


@kernel
def note_number(state: State, kind: int, seat: int, number: int) -> None:
    """Write an event without cards."""
    note(state, kind, seat, NONE, number, NONE, NONE, ALL_SEATS)


@kernel
def note_row(state: State, kind: int, seat: int, row: int, source: int, target: int, seen_by: int) -> None:
    """Write an event for each pile in a row of `State.cards`."""
    if state.log != 0:
        for pile in range(N_PILES):
            if state.cards[row, pile] > 0:
                note(state, kind, seat, pile, state.cards[row, pile], source, target, seen_by)


@kernel
def note_move(state: State, source: int, target: int, seat: int, pile: int, known_by: int) -> None:
    """Write the event of a card that `moves.move` moves. The zones determine the kind of event."""
    if state.log != 0 and source != target:
        kind = KIND_OF_MOVE[target]
        if source in (Zone.SUPPLY, Zone.TRASH) and target != Zone.TRASH:
            kind = EventKind.BUY if state.cause == PhaseEffect.BUY else EventKind.GAIN
        is_hidden = target in (Zone.HAND, Zone.DECK_TOP, Zone.SET_ASIDE, Zone.VILLAGE_MAT)
        seen_by = known_by | 1 << seat if is_hidden else ALL_SEATS
        note(state, kind, seat, pile, 1, source, target, seen_by)


@kernel
def note_replay(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Write an event if a frame is a second or later play of a card and resolves its first Effect now."""
    if state.log != 0:
        if state.stack[frame, Frame.PLAY] == 0 or state.stack[frame, Frame.CARDS_LEFT] != NOT_STARTED:
            return
        pile = state.stack[frame, Frame.PILE]
        if rules.first_effect[pile] == effect:
            note(state, EventKind.REPLAY, state.stack[frame, Frame.SEAT], pile, 1, NONE, NONE, ALL_SEATS)


@kernel
def note_next_turn(state: State) -> None:
    """Write the event of the turn that begins, or of the end of the game."""
    kind = EventKind.TURN if state.ended == Ending.PLAYING else EventKind.END
    note_number(state, kind, state.active, state.turns[state.active])


@kernel
def viewers(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the mask of the seats that see the cards revealed by an Effect of ``seat``."""
    seen_by = rules.effects[effect, Column.SEEN_BY]
    if seen_by == SeenBy.ALL:
        return ALL_SEATS
    viewer = seat if seen_by == SeenBy.SEAT else player_of(state, state.depth - 1)
    return 1 << viewer


@kernel
def must_stop(state: State) -> bool:
    """Return whether the log must be read before the next Effect."""
    return state.n_events > MAX_EVENTS // 2
