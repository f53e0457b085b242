"""The mechanics that the Base Set does not have: `run_mechanic` executes one. Open it to add one, or a rare Effect.

They are the start of a turn, Durations, cards that watch for gains, options, and the rarer Effects. Only `mechanics`
calls this module.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Among, Column, Ending, EventKind, Frame, Op, Phase, PhaseEffect, Trigger, Zone
from evodom.dominion.engine.choices import PASS_BIT, ask
from evodom.dominion.engine.counts import amount, holds
from evodom.dominion.engine.durations import (
    begin_start,
    is_watched_by,
    keep_for_later,
    order_matters,
    resolve_due,
    shielded,
    start_answers,
    stay_in_play,
)
from evodom.dominion.engine.events import note, note_next_turn, note_number
from evodom.dominion.engine.gains import resolve_gain
from evodom.dominion.engine.mechanics import Mechanic
from evodom.dominion.engine.moves import (
    EXTRA_TURN_HAND_SIZE,
    HAND_SIZE,
    discard_hand,
    discard_hand_and_play_area,
    draw,
    is_in_place,
    move,
    n_of,
    trigger,
)
from evodom.dominion.engine.options import ask_for_passes, ask_options, ask_place, choose_option, choose_place
from evodom.dominion.engine.resolve import play_card, play_chosen
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import ALL_SEATS, State, bit, lose_track, lowest_pile, push_play, put, take
from evodom.dominion.engine.turn import end_turn, play_from_hand
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def run_mechanic(rules: Rules, state: State, call: int) -> Any:
    """Execute a `Mechanic`. ``call`` is its number, plus 16 times its argument. Return its result, or 0."""
    mechanic, argument = call & 15, call >> 4
    found: Any = np.int64(0)
    if mechanic == Mechanic.RESOLVE:
        resolve_rare(rules, state, argument)
    elif mechanic == Mechanic.ANSWER:
        apply_answer(rules, state, argument)
    elif mechanic == Mechanic.CONTINUE_TURN:
        continue_with_moments(rules, state)
    elif mechanic == Mechanic.PLAY_CHOSEN:
        play_chosen_repeatedly(rules, state, argument)
    elif mechanic == Mechanic.NOTE_PLAYS:
        note_plays(rules, state, argument & 63, argument >> 6)
    elif mechanic == Mechanic.NOTE_GAIN:
        note_gain(rules, state, (argument >> 6) & 7, argument & 63, argument >> 9)
    elif mechanic == Mechanic.SEIZE:
        seize(rules, state, argument)
    elif mechanic == Mechanic.MOVE_THIS:
        move_this(rules, state, state.depth - 1, argument)
    elif mechanic == Mechanic.NOT_FOR_SALE:
        found = forbidden_piles(rules, state)
    elif mechanic == Mechanic.REDUCTION:
        found = reduction(rules, state, argument)
    elif mechanic == Mechanic.AMONG:
        found = among(rules, state, argument >> 3, argument & 7)
    elif mechanic == Mechanic.SHIELDED:
        found = shielded(rules, state)
    else:
        found = triggered_reactions(rules, state, argument)
    return np.int64(found)


@kernel
def resolve_rare(rules: Rules, state: State, effect: int) -> None:
    """Resolve an Effect of the top frame. Those from FIRST_ASKING_OP on stay on top until they are resolved."""
    frame = state.depth - 1
    seat = state.stack[frame, Frame.SEAT]
    op = rules.effects[effect, Column.OP]
    if op == Op.OPTIONS:
        ask_options(rules, state, frame, effect, seat)
    elif op == Op.GAINED:
        resolve_gain(rules, state, frame)
    elif op == Op.LATER:
        keep_for_later(rules, state, frame, effect)
    elif op == Op.MOVE_THIS:
        state.n_chosen += move_this(rules, state, frame, rules.effects[effect, Column.TARGET])
    elif op == Op.PLACE:
        ask_place(state, frame, effect, seat)
    elif op == Op.PASS_CARDS:
        ask_for_passes(rules, state, frame, effect)
    else:
        change_turn(rules, state, effect, seat)


@kernel
def apply_answer(rules: Rules, state: State, choice: int) -> None:
    """Apply an answer to the Decision of `State.asked_effect`."""
    op = rules.effects[state.asked_effect, Column.OP]
    if op == Op.OPTIONS:
        choose_option(state, choice)
    elif op == Op.PLACE:
        choose_place(state, choice)
    else:
        start_with(rules, state, choice)


@cold_kernel
def play_chosen_repeatedly(rules: Rules, state: State, effect: int) -> None:
    """Play the chosen card several times. If it stays in play, so does the card that plays it."""
    pile, n = state.chosen, rules.effects[effect, Column.N]
    root = state.stack[state.depth - 1, Frame.ROOT]
    left = state.stack[root, Frame.LEFT]
    stays = state.stack[root, Frame.STAYS] == 0 and rules.end_effect[pile] > 0
    player = state.stack[root, Frame.PILE] if stays else NONE
    play_chosen(rules, state, effect)
    if player != NONE:
        for below in range(state.depth - n, state.depth):
            state.stack[below, Frame.PLAYER] = player
            state.stack[below, Frame.PLAYER_LEFT] = left


@cold_kernel
def continue_with_moments(rules: Rules, state: State) -> None:
    """Continue a turn before the Actions or after the buys, in a kingdom with cards that have Effects then."""
    if state.phase == Phase.START:
        start_turn(rules, state)
    elif state.phase == Phase.BUY and rules.triggers[Trigger.END_OF_BUYS] != 0:
        end_buys(rules, state)
    else:
        clean_up_with_durations(rules, state)


@cold_kernel
def start_turn(rules: Rules, state: State) -> None:
    """Resolve the next Effect of the start of a turn, or ask for it if the order may matter; else begin the Actions.

    A card that may be played from hand can be declined once nothing else is due.
    """
    answers = start_answers(rules, state)
    if answers == 0:
        state.phase = Phase.ACTION
        return
    in_hand = answers & rules.from_hand
    if in_hand != 0 or (answers & (answers - 1) != 0 and order_matters(rules, state)):
        ask(state, state.active, PhaseEffect.START, answers | (PASS_BIT if answers == in_hand else 0))
        return
    resolve_due(rules, state, lowest_pile(answers))


@cold_kernel
def start_with(rules: Rules, state: State, choice: int) -> None:
    """Resolve a due Effect of a card, or play it from hand. On PASS begin the Action phase."""
    if choice == PASS:
        state.phase = Phase.ACTION
    elif not resolve_due(rules, state, choice):
        state.actions_played += 1
        play_from_hand(state, choice)
        play_card(rules, state, state.active, choice, 1)


@cold_kernel
def end_buys(rules: Rules, state: State) -> None:
    """End the Buy phase: push the Effects of the cards in play for this moment."""
    state.phase = Phase.CLEANUP
    piles = rules.triggers[Trigger.END_OF_BUYS] & state.piles_in[Zone.IN_PLAY + state.active]
    while piles != 0:
        trigger(rules, state, Trigger.END_OF_BUYS, state.active, lowest_pile(piles))
        piles &= piles - 1


@cold_kernel
def clean_up_with_durations(rules: Rules, state: State) -> None:
    """Clean up in a kingdom with cards that stay in play, or with extra turns. An extra turn has a hand of three."""
    seat = state.active
    is_extra = state.extra_turn
    note_number(state, EventKind.CLEAN_UP, seat, 0)
    if state.n_later == 0 and is_extra == 0:
        discard_hand_and_play_area(state, seat)  # nothing stays in play
    else:
        discard_hand(state, seat)
        discard_play_area(state, seat)
    draw(state, seat, HAND_SIZE if is_extra == 0 else EXTRA_TURN_HAND_SIZE)
    end_turn(rules, state, (seat + 1 - is_extra) % rules.n_seats, is_extra)
    if state.ended == Ending.PLAYING:
        begin_start(state)
        state.is_extra = is_extra
    note_next_turn(state)


@cold_kernel
def discard_play_area(state: State, seat: int) -> None:
    """Discard the cards in play that do not stay in play."""
    row = Zone.IN_PLAY + seat
    piles = state.piles_in[row]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = state.cards[row, pile] - state.staying[seat, pile]
        if n > 0:
            note(state, EventKind.DISCARD, seat, pile, n, Zone.IN_PLAY, Zone.DISCARD, ALL_SEATS)
        while n > 0:
            take(state, row, pile)
            put(state, Zone.DISCARD + seat, pile)
            n -= 1


@cold_kernel
def forbidden_piles(rules: Rules, state: State) -> Any:
    """Return the mask of the piles that the active player's cards in play forbid to buy."""
    found = np.int64(0)
    piles = rules.restricted
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if rules.not_bought_with[pile] & state.piles_in[Zone.IN_PLAY + state.active] != 0:
            found |= bit(pile)
    return found


@cold_kernel
def note_plays(rules: Rules, state: State, pile: int, times: int) -> None:
    """Note the ``times`` plays on top of the stack. Count them if the card watches for gains. STAYS is 0 at first."""
    if (rules.hooked >> pile) & 1:
        state.this_turn[pile] += times
    for frame in range(state.depth - times, state.depth):
        state.stack[frame, Frame.STAYS] = 0
        state.stack[frame, Frame.PLAYER] = NONE


@cold_kernel
def seize(rules: Rules, state: State, pile: int) -> None:
    """Trash a Treasure that the active player has just played, if a Duration of another player requires it."""
    if is_watched_by(state, rules.seizers, state.active):
        move(rules, state, Zone.IN_PLAY, Zone.TRASH, state.active, pile, ALL_SEATS)


@cold_kernel
def change_turn(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Resolve an Effect that changes a turn or a score: costs, VP tokens, named cards, an extra turn, used up plays."""
    op = rules.effects[effect, Column.OP]
    n = amount(rules, state, effect, seat)
    piles = rules.effects[effect, Column.MASK]
    if op == Op.CHEAPER:
        state.discounted |= piles
        while piles != 0:
            state.discount[lowest_pile(piles)] += n
            piles &= piles - 1
    elif op == Op.VP:
        state.vp_tokens[seat] += n
        note_number(state, EventKind.VP, seat, n)
    elif op == Op.NOTE_NAME and state.chosen != NONE:
        state.named |= bit(state.chosen)
    elif op == Op.EXTRA_TURN:
        state.extra_turn = 1
        stay_in_play(state, state.stack[state.depth - 1, Frame.ROOT])
    elif op == Op.USE_UP:
        state.this_turn[lowest_pile(piles)] -= 1


@cold_kernel
def move_this(rules: Rules, state: State, frame: int, target: int) -> bool:
    """Move the card of a frame's play, or the gained card, if it is where the play expects it. Return whether it was.

    The play then loses track of it.
    """
    if not is_in_place(state, frame):
        return False
    root = state.stack[frame, Frame.ROOT]
    place: Any = np.int64(state.stack[root, Frame.PLACE])
    lose_track(state, frame)
    move(rules, state, place, target, state.stack[root, Frame.SEAT], state.stack[root, Frame.PILE], ALL_SEATS)
    return True


@cold_kernel
def among(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the mask of the piles that `Column.AMONG` of an Effect, other than ALL, allows ``seat``."""
    kind = rules.effects[effect, Column.AMONG]
    if kind == Among.CHOSEN:
        allowed: int = bit(state.chosen) if state.chosen != NONE else 0
    elif kind == Among.IN_PLAY:
        allowed = state.piles_in[Zone.IN_PLAY + seat]
    elif kind == Among.NOT_NAMED:
        allowed = ~state.named
    else:
        allowed = state.gained[(seat - 1) % rules.n_seats]
    if rules.effects[effect, Column.SOURCE] == Zone.DISCARD and was_moved(rules, state):
        allowed = 0
    return allowed


@cold_kernel
def was_moved(rules: Rules, state: State) -> bool:
    """Return whether a card that watches for gains has moved the card gained last, which is the chosen card."""
    return state.lost != 0 and (rules.watched >> state.chosen) & 1 != 0


@cold_kernel
def note_gain(rules: Rules, state: State, seat: int, pile: int, zone: int) -> None:
    """Note a gain if it is by the active player. Push the frame that resolves the cards which watch for gains."""
    state.lost = 0
    if seat == state.active:
        state.gained[seat] |= bit(pile)
        is_victory = (rules.victories >> pile) & 1
        state.victories_gained += is_victory * (state.phase == Phase.TREASURE or state.phase == Phase.BUY)
    if rules.n_watchers > 0:
        push_play(state, PhaseEffect.GAINED, PhaseEffect.GAINED + 1, seat, pile, zone, 0)
        state.stack[state.depth - 1, Frame.OPTIONS] = state.stack[state.depth - 1, Frame.PLAYER_LEFT] = 0


@cold_kernel
def reduction(rules: Rules, state: State, pile: int) -> int:
    """Return the reduction of a cost by the active player's Actions in play. It is 0 until the Action phase ends."""
    if state.phase == Phase.ACTION or state.phase == Phase.START:
        return 0
    n: int = rules.cheaper_per_action[pile] * n_of(state, Zone.IN_PLAY + state.active, rules.actions)
    return n


@cold_kernel
def triggered_reactions(rules: Rules, state: State, seat: int) -> int:
    """Return the mask of the Reactions in hand whose Effects for an Attack may be resolved now."""
    piles = state.piles_in[Zone.HAND + seat] & rules.triggers[Trigger.ATTACK]
    found: int = np.int64(0)  # type: ignore[assignment]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if holds(rules, state, rules.trigger_first[Trigger.ATTACK, pile], seat):
            found |= bit(pile)
    return found
