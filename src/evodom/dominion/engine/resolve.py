"""Resolve the Effects of played cards: `resolve_effect` resolves the next one. Open it to add an operation.

A played card is a frame on the stack, and `Frame.NEXT` is the index of its next Effect. The frame of a choice stays on
top until the last card is chosen. An Effect may push frames: another card, or its inner Effects for each player. The
frame below continues when they are done.

``effect`` is an index in `Rules.effects`. The inner Effects of an Effect, and those inside them, follow it there: the
next one is at ``effect + 1 + N_INNER``.
"""

from evodom.dominion.engine.durations import n_free
from evodom.dominion.engine.events import note, note_replay, note_row, set_cause, viewers
from evodom.dominion.engine.mechanics import Mechanic, call_mechanic
from evodom.dominion.engine.moves import (
    affordable,
    cost_of,
    discard_deck,
    draw,
    gain,
    is_at,
    move,
    n_of,
    reveal,
    take_from_deck,
    trigger,
)
from evodom.dominion.engine.ops import (
    ALL_OR_NONE,
    ALWAYS_OPTIONAL,
    FIRST_ASKING_OP,
    FIRST_DECK_OP,
    FIRST_PLAYER_OP,
    FIRST_ZONE_OP,
    FRESH,
    NO_LIMIT,
    SUM,
    Among,
    ChoiceSize,
    Column,
    Count,
    Decider,
    EventKind,
    Frame,
    Op,
    Trigger,
    Zone,
)
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import (
    ALL_SEATS,
    State,
    bit,
    lowest_pile,
    n_bits,
    player_of,
    pop,
    push,
    push_play,
    put,
    row_of,
)
from evodom.jit.kernel import cold_kernel, kernel

PASS_BIT = 1 << PASS


@kernel
def ask(state: State, seat: int, effect: int, legal: int) -> None:
    """Make a Decision pending: ``seat`` decides, and ``legal`` is the mask of its answers."""
    state.decider = seat
    state.asked_effect = effect
    state.legal = legal


@kernel
def play_card(rules: Rules, state: State, seat: int, pile: int, times: int) -> None:
    """Push one frame of a card's Effects for each of ``times`` plays. The card is in play."""
    if rules.end_effect[pile] == rules.first_effect[pile]:
        return
    for play in range(times - 1, -1, -1):
        push_play(state, rules.first_effect[pile], rules.end_effect[pile], seat, pile, Zone.IN_PLAY, play)
        state.stack[state.depth - 1, Frame.LEFT] = times - 1 - play
    if rules.has_moments != 0:
        call_mechanic(rules, state, Mechanic.NOTE_PLAYS, times << 6 | pile)


@kernel
def resolve_effect(rules: Rules, state: State) -> None:
    """Resolve the next Effect of the top frame, or pop the frame at its end."""
    frame = state.depth - 1
    effect = state.stack[frame, Frame.NEXT]
    if effect == state.stack[frame, Frame.END]:
        pop(state)
        return
    seat = state.stack[frame, Frame.SEAT]
    set_cause(state, effect)
    note_replay(rules, state, frame, effect)
    op = rules.effects[effect, Column.OP]
    if rules.effects[effect, Column.IF] != Count.NONE and is_skipped(rules, state, frame, effect, seat):
        skip(rules, state, frame, effect)
        return
    if op >= FIRST_ASKING_OP:
        resolve_asking(rules, state, frame, effect, seat)
        return
    skip(rules, state, frame, effect)
    if op < FIRST_DECK_OP:
        add_to_turn(rules, state, effect, seat)
    elif op < FIRST_ZONE_OP:
        draw_or_reveal(rules, state, effect, seat)
    elif op < FIRST_PLAYER_OP:
        move_without_choice(rules, state, frame, effect, seat)
    elif op == Op.EACH_PLAYER:
        push_each_player(rules, state, effect, player_of(state, frame))
    elif op == Op.GROUP:
        push(state, effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER], seat)
    elif op == Op.LATER:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)
    elif rules.has_moments != 0 and rules.effects[effect, Column.N] > 1:
        call_mechanic(rules, state, Mechanic.PLAY_CHOSEN, effect)
    else:
        play_chosen(rules, state, effect)


@cold_kernel
def play_chosen(rules: Rules, state: State, effect: int) -> None:
    """Play the chosen card once or several times."""
    frame = state.depth - 1
    seat = state.stack[frame, Frame.SEAT]
    pile, n = state.chosen, rules.effects[effect, Column.N]
    if (rules.actions >> pile) & 1 and seat == state.active:
        state.actions_played += n
    if (rules.treasures >> pile) & 1:
        play_one_treasure(rules, state, pile)
    # Pop a finished frame first: a chain of Throne Rooms then needs half the stack.
    if state.stack[frame, Frame.NEXT] == state.stack[frame, Frame.END]:
        pop(state)
    play_card(rules, state, seat, pile, n)


@cold_kernel
def play_one_treasure(rules: Rules, state: State, pile: int) -> None:
    """Note that the active player plays a Treasure. A Duration of another player may trash the first in a turn."""
    if (rules.seized >> pile) & 1 and state.treasures_played & rules.seized == 0:
        call_mechanic(rules, state, Mechanic.SEIZE, pile)
    add_bonuses(state, bit(pile))


@kernel
def add_bonuses(state: State, treasures: int) -> None:
    """Add the pending bonus of each pile in ``treasures`` that is played for the first time this turn."""
    due = state.bonus_piles & treasures & ~state.treasures_played
    state.treasures_played |= treasures
    while due != 0:
        pile = lowest_pile(due)
        state.coins += state.bonus[pile]
        due &= due - 1


@kernel
def resolve_asking(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Take the next step of an Effect whose frame stays on top of the stack until the Effect is resolved."""
    op = rules.effects[effect, Column.OP]
    if op == Op.CHOOSE:
        ask_choice(rules, state, frame, effect, seat)
    elif op == Op.OFFER_REACTION:
        offer_reaction(rules, state, frame, effect)
    elif op == Op.DRAW_UP_TO:
        draw_up_to(rules, state, frame, effect, seat)
    else:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)


@kernel
def skip(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Advance a frame past an Effect and its inner Effects."""
    state.stack[frame, Frame.NEXT] = effect + 1 + rules.effects[effect, Column.N_INNER]


@cold_kernel
def is_skipped(rules: Rules, state: State, frame: int, effect: int, seat: int) -> bool:
    """Return whether an Effect that has not been started has a condition that does not hold."""
    return state.stack[frame, Frame.CARDS_LEFT] == FRESH and not holds(rules, state, effect, seat)


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
    """Return `Column.N` of an Effect, multiplied by its count if it has one."""
    n: int = rules.effects[effect, Column.N]
    count = rules.effects[effect, Column.COUNT]
    if count == Count.NONE:
        return n
    per: int = rules.effects[effect, Column.COUNT_PER]
    return n * (count_of(rules, state, seat, count, rules.effects[effect, Column.COUNT_MASK]) // per)


@kernel
def count_of(rules: Rules, state: State, seat: int, count: int, mask: int) -> int:
    """Return the number of a `Count` other than NONE. Cards in hand and in play are those of ``seat``."""
    return state.n_chosen if count == Count.CHOSEN else counted(rules, state, seat, count, mask)


@cold_kernel
def counted(rules: Rules, state: State, seat: int, count: int, mask: int) -> int:
    """Return the number of a `Count` other than NONE and CHOSEN."""
    if count == Count.EMPTY_PILES:
        return state.n_empty
    if count == Count.ACTIONS_PLAYED:
        return state.actions_played - n_waiting_plays(rules, state)
    if count == Count.VICTORIES_GAINED:
        return state.victories_gained
    if count == Count.EXTRA_TURNS:
        return state.is_extra + state.extra_turn
    if count == Count.CHOSEN_OF or count == Count.CHOSEN_COST or count == Count.CHOSEN_TYPES:
        return counted_of_chosen(rules, state, count, mask)
    row = seat + (Zone.IN_PLAY if count == Count.IN_PLAY else Zone.HAND)
    if count == Count.REVEALED:
        row = Zone.REVEALED
    return n_bits(state.piles_in[row] & mask) if count == Count.HAND_NAMES else n_of(state, row, mask)


@kernel
def counted_of_chosen(rules: Rules, state: State, count: int, mask: int) -> int:
    """Return whether the last chosen card is of a mask, its cost, or the number of its types; 0 without a card."""
    if state.chosen == NONE:
        return 0
    if count == Count.CHOSEN_OF:
        return (mask >> state.chosen) & 1
    n_types: int = rules.n_types[state.chosen]
    return cost_of(rules, state, state.chosen) if count == Count.CHOSEN_COST else n_types


@kernel
def n_waiting_plays(rules: Rules, state: State) -> int:
    """Return the number of plays on the stack that have not begun: they play an Action again."""
    n = 0
    for below in range(state.stack[state.depth - 1, Frame.ROOT] if state.depth > 0 else 0):
        pile = state.stack[below, Frame.PILE]
        is_new = state.stack[below, Frame.NEXT] == rules.first_effect[pile]
        is_new = is_new and state.stack[below, Frame.CARDS_LEFT] == FRESH
        n += (rules.actions >> pile) & 1 != 0 and state.stack[below, Frame.PLAY] > 0 and is_new
    return n


@kernel
def add_to_turn(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Resolve an Effect that changes the turn: Actions, Buys, coins, a bonus for a Treasure, or costs."""
    op = rules.effects[effect, Column.OP]
    if op > Op.BONUS:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)
        return
    n = amount(rules, state, effect, seat)
    if op == Op.ACTIONS:
        state.actions += n
    elif op == Op.COINS:
        state.coins += n
    elif op == Op.BUYS:
        state.buys += n
    elif rules.effects[effect, Column.MASK] != 0:
        pile = lowest_pile(rules.effects[effect, Column.MASK])
        state.bonus[pile] += n
        state.bonus_piles |= bit(pile)


@kernel
def draw_or_reveal(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Resolve an Effect that draws or reveals n cards, or reveals until it has n cards of `Column.MASK`."""
    op = rules.effects[effect, Column.OP]
    n = amount(rules, state, effect, seat)
    if op == Op.CARDS and rules.effects[effect, Column.CHOICE_SIZE] == ChoiceSize.DOWN_TO:
        draw(state, seat, n - state.n_cards[Zone.HAND + seat])
    elif op == Op.CARDS:
        draw(state, seat, n)
    elif op == Op.REVEAL and rules.effects[effect, Column.CHOICE_SIZE] == ChoiceSize.ANY:
        note_row(state, EventKind.REVEAL, seat, Zone.HAND + seat, Zone.HAND, Zone.HAND, ALL_SEATS)
    elif op == Op.REVEAL:
        for _ in range(n):
            reveal(state, seat, viewers(rules, state, effect, seat))
    elif op == Op.REVEAL_UNTIL:
        reveal_until(rules, state, effect, seat)


@kernel
def move_without_choice(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Resolve an Effect that moves cards without a choice: gain a named card, move a zone, or the played card."""
    op = rules.effects[effect, Column.OP]
    if op == Op.MOVE_ALL:
        move_all_of(rules, state, effect, seat)
        return
    if op == Op.MOVE_THIS:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)
        return
    mask = rules.effects[effect, Column.MASK]
    if mask == 0:
        return  # a card that this kingdom does not have
    # Pop a finished frame first: a chain of Curses from Blockades then needs half the stack. The frame of a play stays:
    # a gain without a play below it is a buy.
    if state.stack[frame, Frame.NEXT] == state.stack[frame, Frame.END] and state.stack[frame, Frame.ROOT] != frame:
        pop(state)
    gain(rules, state, seat, lowest_pile(mask), rules.effects[effect, Column.TARGET])


@kernel
def is_in_place(state: State, frame: int) -> bool:
    """Return whether the card of a frame's play, or the gained card, is where the play expects it."""
    root = state.stack[frame, Frame.ROOT]
    return is_at(state, state.stack[root, Frame.PLACE], state.stack[root, Frame.SEAT], state.stack[root, Frame.PILE])


@kernel
def reveal_until(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Reveal cards until `Column.N` of the piles in `Column.MASK` are revealed, or no card is left."""
    n = rules.effects[effect, Column.N]
    mask = rules.effects[effect, Column.MASK]
    while n > 0:
        pile = reveal(state, seat, viewers(rules, state, effect, seat))
        if pile == NONE:
            return
        n -= (mask >> pile) & 1


@kernel
def move_all_of(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Move all qualifying cards of a zone to another zone. A deck is discarded as a whole."""
    source = rules.effects[effect, Column.SOURCE]
    target = rules.effects[effect, Column.TARGET]
    mask = rules.effects[effect, Column.MASK]
    if rules.effects[effect, Column.AMONG] != Among.ALL:
        mask &= call_mechanic(rules, state, Mechanic.AMONG, effect << 3 | seat)
    if source == Zone.DECK:
        discard_deck(state, seat)
        return
    known_by = ALL_SEATS if rules.effects[effect, Column.FACE_UP] != 0 else 0
    piles = state.piles_in[row_of(source, seat)] & mask
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = n_free(state, seat, pile) if source == Zone.SET_ASIDE else state.cards[row_of(source, seat), pile]
        for _ in range(n):
            move(rules, state, source, target, seat, pile, known_by)
        if source == Zone.IN_PLAY:
            state.staying[seat, pile] = 0


@kernel
def draw_up_to(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Draw until the hand has `Column.N` cards. Reveal a drawn card of the mask and push the inner Effects for it.

    The frame stays on this Effect until the hand is full.
    """
    state.stack[frame, Frame.CARDS_LEFT] = 0  # not FRESH: `note_replay` would write a second event
    while state.n_cards[Zone.HAND + seat] < rules.effects[effect, Column.N]:
        pile = take_from_deck(state, seat)
        if pile == NONE:
            break
        if (rules.effects[effect, Column.MASK] >> pile) & 1:
            note(state, EventKind.DRAW, seat, pile, 1, Zone.DECK, Zone.REVEALED, 1 << seat)
            put(state, Zone.REVEALED, pile)
            push(state, effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER], seat)
            return
        note(state, EventKind.DRAW, seat, pile, 1, Zone.DECK, Zone.HAND, 1 << seat)
        put(state, Zone.HAND + seat, pile)
    state.stack[frame, Frame.NEXT] = effect + 1 + rules.effects[effect, Column.N_INNER]
    state.stack[frame, Frame.CARDS_LEFT] = FRESH


@kernel
def push_each_player(rules: Rules, state: State, effect: int, player: int) -> None:
    """Push the inner Effects for each player in turn order. The first is `Column.N` seats after ``player``.

    0 includes the player of the card, 1 only opponents. `Column.SKIP_UNAFFECTED` skips unaffected players.
    """
    for distance in range(rules.n_seats - 1, rules.effects[effect, Column.N] - 1, -1):
        seat = (player + distance) % rules.n_seats
        spared = rules.effects[effect, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if not spared:
            push(state, effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER], seat)


@kernel
def offer_reaction(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Ask the next opponent who can react to the Attack. An opponent is asked again until they pass."""
    first = state.stack[frame, Frame.LAST_ASKED]
    if first == FRESH:
        others = ALL_SEATS & ~(1 << player_of(state, frame))
        state.unaffected = call_mechanic(rules, state, Mechanic.SHIELDED, 0) & others if rules.shields != 0 else 0
        first = 1
    for distance in range(first, rules.n_seats):
        seat = (player_of(state, frame) + distance) % rules.n_seats
        reactions = usable_reactions(rules, state, seat)
        if reactions != 0:
            state.stack[frame, Frame.LAST_ASKED] = distance
            ask(state, seat, effect, reactions | PASS_BIT)
            return
    finish_choice(state, frame, effect)


@kernel
def usable_reactions(rules: Rules, state: State, seat: int) -> int:
    """Return the mask of the cards that a seat may reveal when an Attack is played."""
    hand = state.piles_in[Zone.HAND + seat]
    found: int = 0 if (state.unaffected >> seat) & 1 else hand & rules.reactions
    if hand & rules.triggers[Trigger.ATTACK] != 0:
        found |= call_mechanic(rules, state, Mechanic.REACTIONS, seat)
    return found


@kernel
def react(rules: Rules, state: State, seat: int, choice: int) -> None:
    """Apply the answer of ``seat`` to an offer: pass, be unaffected, or resolve the Effects of the Reaction."""
    if choice == PASS:
        state.stack[state.depth - 1, Frame.LAST_ASKED] += 1
        return
    note(state, EventKind.REVEAL, seat, choice, 1, Zone.HAND, Zone.HAND, ALL_SEATS)
    if (rules.reactions >> choice) & 1:
        state.unaffected |= 1 << seat
    trigger(rules, state, Trigger.ATTACK, seat, choice)


@kernel
def ask_choice(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Ask for the next card of a choice, or finish the choice if there is no candidate.

    The first card of a choice resets `State.chosen`, unless the choice refers to it (EXTRA_COST, AMONG).
    """
    is_fresh = state.stack[frame, Frame.CARDS_LEFT] == FRESH
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
    """Return the seat that makes a choice of a frame of ``seat``."""
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
    """Return whether a mandatory choice of several cards takes a whole zone, and their order does not matter."""
    left: int = state.stack[frame, Frame.CARDS_LEFT]
    if left <= 1 or rules.effects[effect, Column.TARGET] == Zone.DECK_TOP:
        return False
    in_source: int = state.n_cards[row_of(rules.effects[effect, Column.SOURCE], seat)]
    return left >= in_source


@kernel
def note_no_candidate(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Write the reveal of a hand without a card for a mandatory choice of certain cards, such as a Victory card."""
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
    """Return the mask of the piles from which a choice may take a card."""
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
    """Return the mask of the piles whose cost is at most ``limit``, or equal to it for an Effect with an EXACT cost."""
    legal = affordable(rules, state, limit)
    if rules.effects[effect, Column.EXACT] != 0 and limit > 0:
        legal &= ~affordable(rules, state, limit - 1)
    return legal


@kernel
def finish_choice(state: State, frame: int, effect: int) -> None:
    """Advance the frame to the Effect after a choice."""
    state.stack[frame, Frame.NEXT] = effect + 1
    state.stack[frame, Frame.CARDS_LEFT] = FRESH


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
