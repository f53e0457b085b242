"""Choose cards: `ask_choice` asks for the next card of a choice, `choose_card` applies the answer.

The frame of a choice stays on top of the stack until the last card is chosen.
"""

from evodom.dominion.effects.ops import (
    ALL_OR_NONE,
    ALWAYS_OPTIONAL,
    NO_LIMIT,
    NOT_STARTED,
    SUM,
    Among,
    ChoiceSize,
    Column,
    Decider,
    EventKind,
    Frame,
    Zone,
)
from evodom.dominion.engine.counts import amount
from evodom.dominion.engine.events import note, note_row
from evodom.dominion.engine.mechanics import Mechanic, call_mechanic
from evodom.dominion.engine.moves import affordable, cost_of, is_in_place, move
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import ALL_SEATS, State, bit, player_of, row_of
from evodom.jit.kernel import kernel

PASS_BIT = 1 << PASS


@kernel
def ask(state: State, seat: int, effect: int, legal: int) -> None:
    """Make a Decision pending. ``seat`` decides, and ``legal`` is the mask of the legal answers."""
    state.decider = seat
    state.asked_effect = effect
    state.legal = legal


@kernel
def ask_choice(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Ask for the next card of a choice, or finish the choice if there is no candidate.

    The first card of a choice resets `State.chosen`, unless the choice refers to it (EXTRA_COST, AMONG).
    """
    is_fresh = state.stack[frame, Frame.CARDS_LEFT] == NOT_STARTED
    if is_fresh:
        state.stack[frame, Frame.CARDS_LEFT] = n_to_choose(rules, state, effect, seat)
        state.n_chosen = 0
        if rules.effects[effect, Column.EXTRA_COST] == NO_LIMIT and rules.effects[effect, Column.AMONG] != Among.CHOSEN:
            state.chosen = NONE
            state.chosen_cost = 0
    legal = 0
    if state.stack[frame, Frame.CARDS_LEFT] > 0:
        legal = candidates(rules, state, effect, seat)
    if legal == 0:
        if is_fresh:
            note_no_candidate(rules, state, effect, seat)
        finish_choice(state, frame, effect)
        return
    if may_pass(rules, state, effect):
        legal |= PASS_BIT
    elif takes_all(rules, state, frame, effect, seat):
        # Only the lowest pile stays legal: the engine takes a single answer itself.
        legal &= -legal
    ask(state, chooser(rules, state, frame, effect, seat), effect, legal)


@kernel
def chooser(rules: Rules, state: State, frame: int, effect: int, seat: int) -> int:
    """Return the seat that makes a choice. ``seat`` is the seat of the frame."""
    decider = rules.effects[effect, Column.DECIDER]
    if decider == Decider.LEFT:
        return (seat + 1) % rules.n_seats
    return player_of(state, frame) if decider == Decider.PLAYER else seat


@kernel
def may_pass(rules: Rules, state: State, effect: int) -> bool:
    """Return whether the player may choose no further card."""
    optional: int = rules.effects[effect, Column.OPTIONAL]
    return optional == ALWAYS_OPTIONAL or (optional == ALL_OR_NONE and state.n_chosen == 0)


@kernel
def takes_all(rules: Rules, state: State, frame: int, effect: int, seat: int) -> bool:
    """Return whether a mandatory choice takes all cards of a zone, and the order of the cards does not matter."""
    left: int = state.stack[frame, Frame.CARDS_LEFT]
    if left <= 1 or rules.effects[effect, Column.TARGET] == Zone.DECK_TOP:
        return False
    in_source: int = state.n_cards[row_of(rules.effects[effect, Column.SOURCE], seat)]
    return left >= in_source


@kernel
def note_no_candidate(rules: Rules, state: State, effect: int, seat: int) -> None:
    """If a mandatory choice requires a type of card that the hand lacks, write the reveal of the hand."""
    is_any_card = rules.effects[effect, Column.MASK] == bit(rules.n_piles) - 1
    is_mandatory = rules.effects[effect, Column.OPTIONAL] == 0 and state.stack[state.depth - 1, Frame.CARDS_LEFT] > 0
    if rules.effects[effect, Column.SOURCE] == Zone.HAND and is_mandatory and not is_any_card:
        note_row(state, EventKind.REVEAL, seat, Zone.HAND + seat, Zone.HAND, Zone.HAND, ALL_SEATS)


@kernel
def n_to_choose(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the number of cards of a choice."""
    n = amount(rules, state, effect, seat)
    size = rules.effects[effect, Column.CHOICE_SIZE]
    if size == ChoiceSize.N:
        return n
    in_source: int = state.n_cards[row_of(rules.effects[effect, Column.SOURCE], seat)]
    if size == ChoiceSize.DOWN_TO:
        return max(in_source - n, 0)
    return in_source


@kernel
def candidates(rules: Rules, state: State, effect: int, seat: int) -> int:
    """Return the mask of the candidates of a choice."""
    source = rules.effects[effect, Column.SOURCE]
    legal: int = rules.effects[effect, Column.MASK]
    if source == Zone.SUPPLY and rules.effects[effect, Column.TARGET] == Zone.SUPPLY:
        return legal  # a card is named
    if source == Zone.THIS:
        frame = state.depth - 1
        return bit(state.stack[state.stack[frame, Frame.ROOT], Frame.PILE]) if is_in_place(state, frame) else 0
    legal &= state.piles_in[row_of(source, seat)]
    if rules.effects[effect, Column.MAX_COST] != NO_LIMIT:
        legal &= within_cost(rules, state, effect, rules.effects[effect, Column.MAX_COST])
    if rules.effects[effect, Column.EXTRA_COST] != NO_LIMIT:
        is_sum = rules.effects[effect, Column.EXACT] == SUM
        limit = state.chosen_cost if is_sum else cost_of(rules, state, state.chosen)
        limit += rules.effects[effect, Column.EXTRA_COST]
        legal &= within_cost(rules, state, effect, limit)
    if rules.effects[effect, Column.AMONG] != Among.ALL:
        legal &= call_mechanic(rules, state, Mechanic.AMONG, effect << 3 | seat)
    return legal


@kernel
def within_cost(rules: Rules, state: State, effect: int, limit: int) -> int:
    """Return the mask of the piles that cost at most ``limit``. With `Column.EXACT`: exactly ``limit``."""
    legal = affordable(rules, state, limit)
    if rules.effects[effect, Column.EXACT] != 0 and limit > 0:
        legal &= ~affordable(rules, state, limit - 1)
    return legal


@kernel
def finish_choice(state: State, frame: int, effect: int) -> None:
    """Finish a choice, and advance the frame to the next Effect."""
    state.stack[frame, Frame.NEXT] = effect + 1
    state.stack[frame, Frame.CARDS_LEFT] = NOT_STARTED


@kernel
def note_chosen(state: State, zone: int, seat: int, pile: int) -> None:
    """Write the event of a chosen card that does not move: a named card, or a card revealed from the hand."""
    if zone == Zone.SUPPLY:
        note(state, EventKind.NAME, seat, pile, 1, NONE, NONE, ALL_SEATS)
    elif zone == Zone.HAND:
        note(state, EventKind.REVEAL, seat, pile, 1, Zone.HAND, Zone.HAND, ALL_SEATS)


@kernel
def choose_card(rules: Rules, state: State, choice: int) -> None:
    """Move the chosen card to the target of the choice and count it. On PASS finish the choice."""
    frame = state.depth - 1
    effect = state.asked_effect
    if choice == PASS:
        finish_choice(state, frame, effect)
        return
    state.chosen = choice
    state.n_chosen += 1
    state.stack[frame, Frame.CARDS_LEFT] -= 1
    known_by = ALL_SEATS if rules.effects[effect, Column.FACE_UP] != 0 else 0
    source = rules.effects[effect, Column.SOURCE]
    target = rules.effects[effect, Column.TARGET]
    seat = state.stack[frame, Frame.SEAT]
    if target == Zone.TRASH:
        state.chosen_cost += cost_of(rules, state, choice)
    if source == target:
        note_chosen(state, source, chooser(rules, state, frame, effect, seat), choice)
        return
    if target == Zone.NEXT_HAND:
        state.passed[seat] = choice
        return
    if source == Zone.TRASH:
        seat = player_of(state, frame)  # not the frame's seat: a victim of Thief
    elif source == Zone.THIS:
        call_mechanic(rules, state, Mechanic.MOVE_THIS, target)
        return
    move(rules, state, source, target, seat, choice, known_by)
