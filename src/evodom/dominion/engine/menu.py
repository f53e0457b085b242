"""Ask for options (+2 Cards or +2 Coins), for places in a deck, and for cards to pass.

An Effect of OPTIONS has a GROUP as an inner Effect for each option. Options are numbered from 0.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import NOT_STARTED, Column, EventKind, Frame, Zone
from evodom.dominion.engine.choices import PASS_BIT, ask, finish_choice
from evodom.dominion.engine.counts import amount, holds
from evodom.dominion.engine.events import note, note_number
from evodom.dominion.engine.resolve import push_each_player, skip
from evodom.dominion.engine.rules import FIRST_OPTION, N_OPTIONS, NONE, PASS, Rules
from evodom.dominion.engine.state import MAX_PASSES, State, bit, deck_size, n_bits, player_of, push, put, take
from evodom.jit.kernel import cold_kernel, kernel


@cold_kernel
def ask_options(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Ask for the next option, or choose all remaining options if they must be chosen. Then push the chosen options."""
    if state.stack[frame, Frame.CARDS_LEFT] == NOT_STARTED:
        state.stack[frame, Frame.CARDS_LEFT] = amount(rules, state, effect, seat)
        state.stack[frame, Frame.OPTIONS] = 0
        state.n_chosen = 0
    n = n_options(rules, effect)
    chosen: Any = np.int64(state.stack[frame, Frame.OPTIONS])
    free = free_options(rules, state, effect, seat) & ~chosen
    left = state.stack[frame, Frame.CARDS_LEFT]
    is_optional = rules.effects[effect, Column.OPTIONAL] != 0 and left > 0
    if 0 < left < n_bits(free) or is_optional:
        ask(state, seat, effect, (free << FIRST_OPTION) | (PASS_BIT if is_optional else 0))
        return
    if left > 0:
        chosen |= free
    skip(rules, state, frame, effect)
    state.stack[frame, Frame.CARDS_LEFT] = NOT_STARTED
    for option in range(n - 1, -1, -1):
        if (chosen >> option) & 1:
            row = option_row(rules, effect, option)
            push(state, row + 1, row + 1 + rules.effects[row, Column.N_INNER], seat)


@kernel
def free_options(rules: Rules, state: State, effect: int, seat: int) -> Any:
    """Return the mask of an Effect's options whose condition holds, or that have no condition."""
    free: Any = np.int64(0)
    row, option = effect + 1, 0
    while row <= effect + rules.effects[effect, Column.N_INNER]:
        if holds(rules, state, row, seat):
            free |= bit(option)
        row += 1 + rules.effects[row, Column.N_INNER]
        option += 1
    return free


@kernel
def n_options(rules: Rules, effect: int) -> int:
    """Return the number of options of an Effect."""
    n = 0
    row = effect + 1
    while row <= effect + rules.effects[effect, Column.N_INNER]:
        row += 1 + rules.effects[row, Column.N_INNER]
        n += 1
    return n


@kernel
def option_row(rules: Rules, effect: int, option: int) -> int:
    """Return the index of the GROUP of an option."""
    row = effect + 1
    for _ in range(option):
        row += 1 + rules.effects[row, Column.N_INNER]
    return row


@kernel
def choose_option(state: State, choice: int) -> None:
    """Record a chosen option. On PASS choose no further option."""
    frame = state.depth - 1
    if choice == PASS:
        state.stack[frame, Frame.CARDS_LEFT] = 0
        return
    option = choice - FIRST_OPTION
    note_number(state, EventKind.OPTION, state.stack[frame, Frame.SEAT], option)
    state.stack[frame, Frame.OPTIONS] |= 1 << option
    state.stack[frame, Frame.CARDS_LEFT] -= 1


@kernel
def ask_place(state: State, frame: int, effect: int, seat: int) -> None:
    """Ask under how many cards the top card of a deck goes. Option 0 is the highest place that is still offered."""
    if state.stack[frame, Frame.CARDS_LEFT] == NOT_STARTED:
        state.stack[frame, Frame.CARDS_LEFT] = 0
    n = min(deck_size(state, seat) - state.stack[frame, Frame.CARDS_LEFT], N_OPTIONS)
    ask(state, seat, effect, (bit(n) - 1) << FIRST_OPTION)


@kernel
def leads_further(state: State, frame: int, seat: int, option: int) -> bool:
    """Return whether an option means "further down". This is the last option, if there are more places than options."""
    n_places: int = deck_size(state, seat) - state.stack[frame, Frame.CARDS_LEFT]
    return option == N_OPTIONS - 1 and n_places > N_OPTIONS


@cold_kernel
def choose_place(state: State, choice: int) -> None:
    """Move the card on top of a deck to the chosen place, or ask for the places further down."""
    frame = state.depth - 1
    seat = state.stack[frame, Frame.SEAT]
    option = choice - FIRST_OPTION
    n = state.stack[frame, Frame.CARDS_LEFT] + option
    if leads_further(state, frame, seat, option):
        state.stack[frame, Frame.CARDS_LEFT] = n
        return
    note_number(state, EventKind.OPTION, seat, n)
    lower_top_card(state, seat, n)
    finish_choice(state, frame, state.asked_effect)


@cold_kernel
def ask_for_passes(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Let each player with cards in hand choose one to pass, if at least two have cards. Then pass the cards."""
    n = 0
    for seat in range(rules.n_seats):
        n += state.n_cards[Zone.HAND + seat] > 0
    if state.stack[frame, Frame.CARDS_LEFT] == NOT_STARTED and n > 1:
        state.stack[frame, Frame.CARDS_LEFT] = 0
        push_each_player(rules, state, effect, player_of(state, frame))
        return
    pass_cards(rules, state)
    skip(rules, state, frame, effect)
    state.stack[frame, Frame.CARDS_LEFT] = NOT_STARTED


@cold_kernel
def lower_top_card(state: State, seat: int, n: int) -> None:
    """Move the top card of a deck, which must be a known card, under the next ``n`` cards."""
    index = state.n_known[seat] - 1
    pile = state.known[seat, index]
    known_by = state.known_by[seat, index]
    while index > 0 and n > state.unseen_above[seat, index - 1]:
        # The place is below this run of unseen cards. Move the known card under the run one index up.
        n -= state.unseen_above[seat, index - 1] + 1
        state.known[seat, index] = state.known[seat, index - 1]
        state.known_by[seat, index] = state.known_by[seat, index - 1]
        state.unseen_above[seat, index] = state.unseen_above[seat, index - 1]
        index -= 1
    state.known[seat, index] = pile
    state.known_by[seat, index] = known_by
    state.unseen_above[seat, index] = n
    if index > 0:
        state.unseen_above[seat, index - 1] -= n


@cold_kernel
def pass_cards(rules: Rules, state: State) -> None:
    """Move the cards of `State.passed` together, each to the hand of the next seat that passes a card.

    This is no gain. With more than two players, `State.passes` records that other seats have not seen the cards.
    """
    for seat in range(rules.n_seats):
        pile = state.passed[seat]
        if pile == NONE:
            continue
        receiver = (seat + 1) % rules.n_seats
        while state.passed[receiver] == NONE:
            receiver = (receiver + 1) % rules.n_seats
        note(state, EventKind.PASS, seat, pile, 1, Zone.HAND, Zone.NEXT_HAND, 1 << seat | 1 << receiver)
        take(state, Zone.HAND + seat, pile)
        put(state, Zone.HAND + receiver, pile)
        state.owned[seat, pile] -= 1
        state.owned[receiver, pile] += 1
        if rules.n_seats > 2:
            record_pass(state, seat, receiver, pile)
    for seat in range(rules.n_seats):
        state.passed[seat] = NONE


@kernel
def record_pass(state: State, giver: int, receiver: int, pile: int) -> None:
    """Add an entry to `State.passes`. If it is full, drop the oldest."""
    if state.n_passes == MAX_PASSES:
        for index in range(MAX_PASSES - 1):
            for column in range(3):
                state.passes[index, column] = state.passes[index + 1, column]
        state.n_passes -= 1
    state.passes[state.n_passes, 0] = giver
    state.passes[state.n_passes, 1] = receiver
    state.passes[state.n_passes, 2] = pile
    state.n_passes += 1
