"""Keep Effects of a played card, usually a Duration, for its player's next turn, and resolve them then.

The kept Effects are an entry of `State.later`. The entry becomes due when the player's next turn begins. Until then the
card may protect its player, or watch for gains and Treasures (`Card.until_next_turn`).
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Among, Column, Ending, EventKind, Frame, Later, Phase, Zone
from evodom.dominion.engine.events import note
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import ALL_SEATS, MAX_LATER, State, bit, push_play
from evodom.jit.kernel import cold_kernel, kernel

_N_COLUMNS = len(Later)


@cold_kernel
def keep_for_later(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Add an entry to `State.later` for a LATER Effect, or count the play in an equal entry. The card stays in play.

    Do nothing if the Effect refers to a set-aside card that has left its place. If `State.later` is full, end the game
    with OVERFLOW.
    """
    root = state.stack[frame, Frame.ROOT]
    seat, pile = state.stack[root, Frame.SEAT], state.stack[root, Frame.PILE]
    card = state.chosen if rules.effects[effect, Column.AMONG] == Among.CHOSEN else NONE
    if card != NONE and n_unclaimed(state, seat, card) <= 0:
        return
    unaffected = state.unaffected if (rules.attacks >> pile) & 1 else 0
    stay_in_play(state, root)
    for index in range(state.n_later):
        is_equal = (
            state.later[index, Later.SEAT] == seat
            and state.later[index, Later.EFFECT] == effect
            and state.later[index, Later.UNAFFECTED] == unaffected
            and state.later[index, Later.DUE] == 0
            and card == NONE
        )
        if is_equal:
            state.later[index, Later.TIMES] += 1
            return
    index = state.n_later
    if index == MAX_LATER:
        state.ended = Ending.OVERFLOW
        return
    state.later[index, Later.SEAT] = seat
    state.later[index, Later.EFFECT] = effect
    state.later[index, Later.PILE] = pile
    state.later[index, Later.CARD] = card
    state.later[index, Later.UNAFFECTED] = unaffected
    state.later[index, Later.DUE] = 0
    state.later[index, Later.TIMES] = 1
    state.n_later = index + 1


@cold_kernel
def stay_in_play(state: State, root: int) -> None:
    """Let the played card of a frame stay in play at the next clean-up.

    A Throne Room that plays the card stays in play, too. Mark all frames of both cards, so that each card counts once.
    """
    if state.stack[root, Frame.STAYS] != 0 or state.stack[root, Frame.PLACE] != Zone.IN_PLAY:
        return
    seat = state.stack[root, Frame.SEAT]
    state.staying[seat, state.stack[root, Frame.PILE]] += 1
    lowest = root - state.stack[root, Frame.PLAYS_LEFT]
    if state.stack[root, Frame.REPEATER] != NONE:
        state.staying[seat, state.stack[root, Frame.REPEATER]] += 1
        lowest -= state.stack[root, Frame.REPEATER_LEFT]
    for below in range(lowest, root + 1):
        state.stack[below, Frame.STAYS] = 1
        state.stack[below, Frame.REPEATER] = NONE


@cold_kernel
def n_unclaimed(state: State, seat: int, pile: int) -> int:
    """Return the number of set-aside cards of ``pile`` that belong to no entry of `State.later`."""
    n: int = state.cards[Zone.SET_ASIDE + seat, pile]
    for index in range(state.n_later):
        if state.later[index, Later.SEAT] == seat and state.later[index, Later.CARD] == pile:
            n -= 1
    return n


@cold_kernel
def begin_turn_start(state: State) -> None:
    """Begin the phase START: make the entries of the active seat due, and reset the fields that describe one turn.

    Also clear `State.staying` of the active seat.
    """
    seat = state.active
    state.phase = Phase.START
    state.extra_turn = state.is_extra = state.victories_gained = 0
    state.named = state.gained[seat] = 0
    for index in range(state.n_later):
        if state.later[index, Later.SEAT] == seat:
            state.later[index, Later.DUE] = 1
    # Two loops, because LLVM vectorises a loop that writes one array.
    for pile in range(N_PILES):
        state.staying[seat, pile] = 0
    for pile in range(N_PILES):
        state.plays_this_turn[pile] = 0


@cold_kernel
def start_candidates(rules: Rules, state: State) -> int:
    """Return the mask of the piles with a due entry, or with a card that may be played from hand now."""
    found: int = state.piles_in[Zone.HAND + state.active] & rules.start_from_hand
    for index in range(state.n_later):
        if state.later[index, Later.DUE] != 0:
            found |= bit(state.later[index, Later.PILE])
    return found


@cold_kernel
def order_matters(rules: Rules, state: State) -> bool:
    """Return whether the order of the due entries matters: `Column.OPTIONAL` of a LATER Effect is 1."""
    for index in range(state.n_later):
        effect = state.later[index, Later.EFFECT]
        if state.later[index, Later.DUE] != 0 and rules.effects[effect, Column.OPTIONAL] != 0:
            return True
    return False


@cold_kernel
def resolve_due(rules: Rules, state: State, pile: int) -> bool:
    """Push the Effects of one play from the oldest due entry of ``pile``. Return False if the pile has none."""
    seat = state.active
    for index in range(state.n_later):
        if state.later[index, Later.DUE] == 0 or state.later[index, Later.PILE] != pile:
            continue
        effect: Any = np.int64(state.later[index, Later.EFFECT])
        card, unaffected = state.later[index, Later.CARD], state.later[index, Later.UNAFFECTED]
        state.later[index, Later.TIMES] -= 1
        if state.later[index, Later.TIMES] == 0:
            remove_entry(state, index)
        note(state, EventKind.RESOLVE, seat, pile, 1, NONE, NONE, ALL_SEATS)
        push_play(state, effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER], seat, pile, Zone.IN_PLAY, 0)
        state.stack[state.depth - 1, Frame.STAYS] = 1
        state.chosen = card
        state.n_chosen = card != NONE
        state.unaffected = unaffected
        return True
    return False


@kernel
def remove_entry(state: State, index: int) -> None:
    """Remove an entry of `State.later`."""
    state.n_later -= 1
    for row in range(index, state.n_later):
        for column in range(_N_COLUMNS):
            state.later[row, column] = state.later[row + 1, column]


@cold_kernel
def n_watching(state: State, seat: int, pile: int, other: int, card: int) -> int:
    """Return the number of plays of ``pile`` by ``seat`` that watch the seat ``other``.

    Count plays whose entries are not yet due and affect ``other``. If ``card`` is a pile, count only plays that have
    set aside a card of this pile.
    """
    n = 0
    for index in range(state.n_later):
        if (
            state.later[index, Later.SEAT] == seat
            and state.later[index, Later.PILE] == pile
            and state.later[index, Later.DUE] == 0
            and (state.later[index, Later.UNAFFECTED] >> other) & 1 == 0
            and (card == NONE or state.later[index, Later.CARD] == card)
        ):
            n += state.later[index, Later.TIMES]
    return n


@cold_kernel
def is_watched_by(state: State, piles: int, seat: int) -> bool:
    """Return whether another seat has an entry of one of the ``piles`` that affects ``seat`` and is not yet due."""
    for index in range(state.n_later):
        if (
            state.later[index, Later.SEAT] != seat
            and (piles >> state.later[index, Later.PILE]) & 1
            and state.later[index, Later.DUE] == 0
            and (state.later[index, Later.UNAFFECTED] >> seat) & 1 == 0
        ):
            return True
    return False


@cold_kernel
def shielded_seats(rules: Rules, state: State) -> int:
    """Return the mask of the seats that a card protects from Attacks until their next turn."""
    seats = 0
    for index in range(state.n_later):
        if (rules.shields >> state.later[index, Later.PILE]) & 1 and state.later[index, Later.DUE] == 0:
            seats |= 1 << state.later[index, Later.SEAT]
    return seats
