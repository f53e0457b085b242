"""Execute the mechanics that the Base Set does not have (`run_mechanic`).

They are the start of a turn, Durations, cards that watch for gains, options, and Effects that only other sets have.
Open this module to add a mechanic or such an Effect. Kernels of one mechanic alone have a module each: `durations`,
`watchers`, `menu`. Only `mechanics` calls this module.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Among, Column, Ending, EventKind, Frame, Op, Phase, PhaseEffect, Trigger, Zone
from evodom.dominion.engine import durations, moves
from evodom.dominion.engine.choices import PASS_BIT, ask
from evodom.dominion.engine.counts import amount, holds
from evodom.dominion.engine.events import note, note_next_turn, note_number
from evodom.dominion.engine.mechanics import Mechanic
from evodom.dominion.engine.menu import ask_for_passes, ask_options, ask_place, choose_option, choose_place
from evodom.dominion.engine.resolve import play_card, play_chosen
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import ALL_SEATS, State, bit, lose_track, lowest_pile, push_play, put, take
from evodom.dominion.engine.turn import end_turn, play_from_hand
from evodom.dominion.engine.watchers import resolve_gain
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def run_mechanic(rules: Rules, state: State, call: int) -> Any:
    """Execute a `Mechanic`. ``call`` is its number + 16 * its argument. Return its result, or 0."""
    mechanic, argument = call & 15, call >> 4
    found: Any = np.int64(0)
    if mechanic == Mechanic.RESOLVE:
        resolve_expansion_effect(rules, state, argument)
    elif mechanic == Mechanic.ANSWER:
        apply_answer(rules, state, argument)
    elif mechanic == Mechanic.CONTINUE_TURN:
        start_or_end_turn(rules, state)
    elif mechanic == Mechanic.PLAY_CHOSEN:
        play_chosen_repeatedly(rules, state, argument)
    elif mechanic == Mechanic.BEGIN_PLAYS:
        begin_plays(rules, state, argument & 63, argument >> 6)
    elif mechanic == Mechanic.BEGIN_GAIN:
        begin_gain(rules, state, (argument >> 6) & 7, argument & 63, argument >> 9)
    elif mechanic == Mechanic.SEIZE:
        seize(rules, state, argument)
    elif mechanic == Mechanic.MOVE_THIS:
        move_this(rules, state, state.depth - 1, argument)
    elif mechanic == Mechanic.NOT_FOR_SALE:
        found = forbidden_piles(rules, state)
    elif mechanic == Mechanic.REDUCTION:
        found = reduction(rules, state, argument)
    elif mechanic == Mechanic.AMONG:
        found = piles_among(rules, state, argument >> 3, argument & 7)
    elif mechanic == Mechanic.SHIELDED_SEATS:
        found = durations.shielded_seats(rules, state)
    else:
        found = triggered_reactions(rules, state, argument)
    return np.int64(found)


@kernel
def resolve_expansion_effect(rules: Rules, state: State, effect: int) -> None:
    """Resolve an Effect of the top frame. The frame of an asking operation stays (`ops.FIRST_ASKING_OP`)."""
    frame = state.depth - 1
    seat = state.stack[frame, Frame.SEAT]
    op = rules.effects[effect, Column.OP]
    if op == Op.OPTIONS:
        ask_options(rules, state, frame, effect, seat)
    elif op == Op.GAINED:
        resolve_gain(rules, state, frame)
    elif op == Op.LATER:
        durations.keep_for_later(rules, state, frame, effect)
    elif op == Op.MOVE_THIS:
        state.n_chosen += move_this(rules, state, frame, rules.effects[effect, Column.TARGET])
    elif op == Op.PLACE:
        ask_place(state, frame, effect, seat)
    elif op == Op.PASS_CARDS:
        ask_for_passes(rules, state, frame, effect)
    else:
        resolve_turn_effect(rules, state, effect, seat)


@kernel
def apply_answer(rules: Rules, state: State, choice: int) -> None:
    """Apply an answer to the Decision of `State.asked_effect`."""
    op = rules.effects[state.asked_effect, Column.OP]
    if op == Op.OPTIONS:
        choose_option(state, choice)
    elif op == Op.PLACE:
        choose_place(state, choice)
    else:
        answer_at_start(rules, state, choice)


@cold_kernel
def play_chosen_repeatedly(rules: Rules, state: State, effect: int) -> None:
    """Play the chosen card several times. If the chosen card stays in play, so does the card that plays it."""
    pile, n = state.chosen, rules.effects[effect, Column.N]
    root = state.stack[state.depth - 1, Frame.ROOT]
    left = state.stack[root, Frame.PLAYS_LEFT]
    stays = state.stack[root, Frame.STAYS] == 0 and rules.end_effect[pile] > 0
    player = state.stack[root, Frame.PILE] if stays else NONE
    play_chosen(rules, state, effect)
    if player != NONE:
        for below in range(state.depth - n, state.depth):
            state.stack[below, Frame.REPEATER] = player
            state.stack[below, Frame.REPEATER_LEFT] = left


@cold_kernel
def start_or_end_turn(rules: Rules, state: State) -> None:
    """Continue a turn before the Action phase or after the buys, in a kingdom that needs mechanics."""
    if state.phase == Phase.START:
        start_turn(rules, state)
    elif state.phase == Phase.BUY and rules.triggers[Trigger.END_OF_BUYS] != 0:
        end_buys(rules, state)
    else:
        clean_up_with_durations(rules, state)


@cold_kernel
def start_turn(rules: Rules, state: State) -> None:
    """Resolve the next Effect of the start of a turn. If the order may matter, ask the player for the next card.

    Without Effects begin the Action phase. The player may pass if only cards in hand are left.
    """
    answers = durations.start_candidates(rules, state)
    if answers == 0:
        state.phase = Phase.ACTION
        return
    in_hand = answers & rules.start_from_hand
    if in_hand != 0 or (answers & (answers - 1) != 0 and durations.order_matters(rules, state)):
        ask(state, state.active, PhaseEffect.START, answers | (PASS_BIT if answers == in_hand else 0))
        return
    durations.resolve_due(rules, state, lowest_pile(answers))


@cold_kernel
def answer_at_start(rules: Rules, state: State, choice: int) -> None:
    """Resolve a due Effect of a card, or play it from hand. On PASS begin the Action phase."""
    if choice == PASS:
        state.phase = Phase.ACTION
    elif not durations.resolve_due(rules, state, choice):
        state.actions_played += 1
        play_from_hand(state, choice)
        play_card(rules, state, state.active, choice, 1)


@cold_kernel
def end_buys(rules: Rules, state: State) -> None:
    """End the Buy phase: push the END_OF_BUYS Effects of the cards in play."""
    state.phase = Phase.CLEANUP
    piles = rules.triggers[Trigger.END_OF_BUYS] & state.piles_in[Zone.IN_PLAY + state.active]
    while piles != 0:
        moves.trigger(rules, state, Trigger.END_OF_BUYS, state.active, lowest_pile(piles))
        piles &= piles - 1


@cold_kernel
def clean_up_with_durations(rules: Rules, state: State) -> None:
    """Clean up in a kingdom with cards that stay in play, or with extra turns. Draw three cards for an extra turn."""
    seat = state.active
    is_extra = state.extra_turn
    note_number(state, EventKind.CLEAN_UP, seat, 0)
    if state.n_later == 0 and is_extra == 0:
        moves.discard_hand_and_play_area(state, seat)  # nothing stays in play
    else:
        moves.discard_hand(state, seat)
        discard_play_area(state, seat)
    moves.draw(state, seat, moves.HAND_SIZE if is_extra == 0 else moves.EXTRA_TURN_HAND_SIZE)
    end_turn(rules, state, (seat + 1 - is_extra) % rules.n_seats, is_extra)
    if state.ended == Ending.PLAYING:
        durations.begin_turn_start(state)
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
    """Return the mask of the piles that the active player may not buy because of cards in play."""
    found = np.int64(0)
    piles = rules.restricted_piles
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        if rules.not_bought_with[pile] & state.piles_in[Zone.IN_PLAY + state.active] != 0:
            found |= bit(pile)
    return found


@cold_kernel
def begin_plays(rules: Rules, state: State, pile: int, times: int) -> None:
    """Initialise STAYS and REPEATER of the top ``times`` frames. Count the plays of a card that watches this turn."""
    if (rules.counted_plays >> pile) & 1:
        state.plays_this_turn[pile] += times
    for frame in range(state.depth - times, state.depth):
        state.stack[frame, Frame.STAYS] = 0
        state.stack[frame, Frame.REPEATER] = NONE


@cold_kernel
def seize(rules: Rules, state: State, pile: int) -> None:
    """Trash the Treasure just played if another player's Corsair requires it."""
    if durations.is_watched_by(state, rules.seizers, state.active):
        moves.move(rules, state, Zone.IN_PLAY, Zone.TRASH, state.active, pile, ALL_SEATS)


@cold_kernel
def resolve_turn_effect(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Resolve an Effect on costs, VP tokens, named cards, an extra turn, or plays that watch for gains."""
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
        durations.stay_in_play(state, state.stack[state.depth - 1, Frame.ROOT])
    elif op == Op.STOP_WATCHING:
        state.plays_this_turn[lowest_pile(piles)] -= 1


@cold_kernel
def move_this(rules: Rules, state: State, frame: int, target: int) -> bool:
    """Move the played card, or the gained card of a gain's frame. The remaining plays of the card cannot move it again.

    Return False, and move nothing, if the card is no longer in the zone `Frame.PLACE`.
    """
    if not moves.is_in_place(state, frame):
        return False
    root = state.stack[frame, Frame.ROOT]
    place: Any = np.int64(state.stack[root, Frame.PLACE])
    lose_track(state, frame)
    moves.move(rules, state, place, target, state.stack[root, Frame.SEAT], state.stack[root, Frame.PILE], ALL_SEATS)
    return True


@cold_kernel
def piles_among(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the mask of the piles that `Column.AMONG` of an Effect allows. AMONG must not be ALL."""
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
    """Return whether a watching card has moved the card gained last, which must be the chosen card."""
    return state.gain_was_moved != 0 and (rules.watched >> state.chosen) & 1 != 0


@cold_kernel
def begin_gain(rules: Rules, state: State, seat: int, pile: int, zone: int) -> None:
    """Record a gain of the active player. Push a frame of GAINED, which resolves the cards that watch for gains."""
    state.gain_was_moved = 0
    if seat == state.active:
        state.gained[seat] |= bit(pile)
        is_victory = (rules.victories >> pile) & 1
        state.victories_gained += is_victory * (state.phase == Phase.TREASURE or state.phase == Phase.BUY)
    if rules.n_watchers > 0:
        push_play(state, PhaseEffect.GAINED, PhaseEffect.GAINED + 1, seat, pile, zone, 0)
        state.stack[state.depth - 1, Frame.TIMES_DONE] = state.stack[state.depth - 1, Frame.N_MERGED] = 0


@cold_kernel
def reduction(rules: Rules, state: State, pile: int) -> int:
    """Return the reduction of a cost by the active player's Actions in play, 0 until the Action phase ends."""
    if state.phase == Phase.ACTION or state.phase == Phase.START:
        return 0
    n: int = rules.cheaper_per_action[pile] * moves.n_cards_of(state, Zone.IN_PLAY + state.active, rules.actions)
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
