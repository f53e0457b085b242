"""Resolve the Effects of played cards: `resolve_effect` resolves the next Effect. Open this module to add an operation.

A played card is a frame on the stack. `Frame.NEXT` is the index of its next Effect. The frame of a choice stays on top
until the last card is chosen. An Effect may push frames, for another card or for inner Effects of each player. When
these are popped, the frame below continues.

``effect`` is an index in `Rules.effects`. The inner Effects of an Effect follow it in the table, at all depths. The
index of the next Effect is ``effect + 1 + N_INNER``.
"""

from evodom.dominion.effects.ops import (
    FIRST_ASKING_OP,
    FIRST_DECK_OP,
    FIRST_PLAYER_OP,
    FIRST_ZONE_OP,
    NOT_STARTED,
    Among,
    ChoiceSize,
    Column,
    Count,
    EventKind,
    Frame,
    Op,
    Trigger,
    Zone,
)
from evodom.dominion.engine.choices import PASS_BIT, ask, ask_choice, finish_choice
from evodom.dominion.engine.counts import amount, holds
from evodom.dominion.engine.durations import n_unclaimed
from evodom.dominion.engine.events import note, note_replay, note_row, viewers
from evodom.dominion.engine.mechanics import Mechanic, call_mechanic
from evodom.dominion.engine.moves import discard_deck, draw, gain, move, reveal, take_from_deck, trigger
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import (
    ALL_SEATS,
    State,
    bit,
    lowest_pile,
    player_of,
    pop,
    push,
    push_play,
    put,
    row_of,
)
from evodom.jit.kernel import cold_kernel, kernel


@kernel
def play_card(rules: Rules, state: State, seat: int, pile: int, times: int) -> None:
    """Push one frame of a card's Effects for each of ``times`` plays. The card is in play."""
    if rules.end_effect[pile] == rules.first_effect[pile]:
        return
    for play in range(times - 1, -1, -1):
        push_play(state, rules.first_effect[pile], rules.end_effect[pile], seat, pile, Zone.IN_PLAY, play)
        state.stack[state.depth - 1, Frame.PLAYS_LEFT] = times - 1 - play
    if rules.needs_mechanics != 0:
        call_mechanic(rules, state, Mechanic.BEGIN_PLAYS, times << 6 | pile)


@kernel
def resolve_effect(rules: Rules, state: State) -> None:
    """Resolve the next Effect of the top frame, or pop the frame at its end."""
    frame = state.depth - 1
    effect = state.stack[frame, Frame.NEXT]
    if effect == state.stack[frame, Frame.END]:
        pop(state)
        return
    seat = state.stack[frame, Frame.SEAT]
    state.cause = effect
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
    elif rules.needs_mechanics != 0 and rules.effects[effect, Column.N] > 1:
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
    # Pop a finished frame first: a chain of Throne Rooms then needs half as many frames.
    if state.stack[frame, Frame.NEXT] == state.stack[frame, Frame.END]:
        pop(state)
    play_card(rules, state, seat, pile, n)


@cold_kernel
def play_one_treasure(rules: Rules, state: State, pile: int) -> None:
    """Record the play of a Treasure by the active player. Another player's Corsair may trash it."""
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
    elif op == Op.DRAW_OR_SET_ASIDE:
        draw_or_set_aside(rules, state, frame, effect, seat)
    else:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)


@kernel
def skip(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Advance a frame past an Effect and its inner Effects."""
    state.stack[frame, Frame.NEXT] = effect + 1 + rules.effects[effect, Column.N_INNER]


@cold_kernel
def is_skipped(rules: Rules, state: State, frame: int, effect: int, seat: int) -> bool:
    """Return whether an Effect that has not been started has a condition that does not hold."""
    return state.stack[frame, Frame.CARDS_LEFT] == NOT_STARTED and not holds(rules, state, effect, seat)


@kernel
def add_to_turn(rules: Rules, state: State, effect: int, seat: int) -> None:
    """Add Actions, Buys, coins or a bonus for a Treasure to the turn. Other operations of this kind are a `Mechanic`.

    Add nothing if ``seat`` is not the active player: cards may also be resolved on the turn of an opponent.
    """
    op = rules.effects[effect, Column.OP]
    if op > Op.BONUS:
        call_mechanic(rules, state, Mechanic.RESOLVE, effect)
        return
    n = amount(rules, state, effect, seat) * (seat == state.active)
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
    """Draw n cards or up to a hand of n; or reveal n cards, the hand, or cards until n are of `Column.MASK`."""
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
    """Resolve an Effect that moves cards without a choice: a certain gained card, a whole zone, or the played card."""
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
    # Pop a finished frame first: a chain of Curses from Blockades then needs half as many frames. Keep the frame of a
    # play: a gain with no frame below counts as a buy.
    if state.stack[frame, Frame.NEXT] == state.stack[frame, Frame.END] and state.stack[frame, Frame.ROOT] != frame:
        pop(state)
    gain(rules, state, seat, lowest_pile(mask), rules.effects[effect, Column.TARGET])


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
    """Move all qualifying cards of a zone to another zone. A deck is discarded as a whole.

    Cards that a Duration has set aside are not moved. Cards moved out of play are deleted from `State.staying`.
    """
    source = rules.effects[effect, Column.SOURCE]
    target = rules.effects[effect, Column.TARGET]
    if source == Zone.DECK:
        discard_deck(state, seat)
        return
    mask = rules.effects[effect, Column.MASK]
    if rules.effects[effect, Column.AMONG] != Among.ALL:
        mask &= call_mechanic(rules, state, Mechanic.AMONG, effect << 3 | seat)
    known_by = ALL_SEATS if rules.effects[effect, Column.FACE_UP] != 0 else 0
    piles = state.piles_in[row_of(source, seat)] & mask
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = n_unclaimed(state, seat, pile) if source == Zone.SET_ASIDE else state.cards[row_of(source, seat), pile]
        for _ in range(n):
            move(rules, state, source, target, seat, pile, known_by)
        if source == Zone.IN_PLAY:
            state.staying[seat, pile] = 0


@kernel
def draw_or_set_aside(rules: Rules, state: State, frame: int, effect: int, seat: int) -> None:
    """Draw until the hand has `Column.N` cards. Reveal a drawn card of the mask and push the inner Effects for it.

    The frame stays on this Effect until the hand is full or no card is left.
    """
    state.stack[frame, Frame.CARDS_LEFT] = 0  # with NOT_STARTED `note_replay` would write a second event
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
    skip(rules, state, frame, effect)
    state.stack[frame, Frame.CARDS_LEFT] = NOT_STARTED


@kernel
def push_each_player(rules: Rules, state: State, effect: int, player: int) -> None:
    """Push the inner Effects for each player in turn order. The first player is `Column.N` seats after ``player``.

    With N = 0 the player of the card takes part, with 1 only the opponents. `Column.SKIP_UNAFFECTED` skips unaffected
    players.
    """
    for distance in range(rules.n_seats - 1, rules.effects[effect, Column.N] - 1, -1):
        seat = (player + distance) % rules.n_seats
        spared = rules.effects[effect, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if not spared:
            push(state, effect + 1, effect + 1 + rules.effects[effect, Column.N_INNER], seat)


@kernel
def offer_reaction(rules: Rules, state: State, frame: int, effect: int) -> None:
    """Record the opponents with a shield. Then ask each opponent who can react until the opponent passes."""
    first = state.stack[frame, Frame.ASKED_DISTANCE]
    if first == NOT_STARTED:
        others = ALL_SEATS & ~(1 << player_of(state, frame))
        state.unaffected = call_mechanic(rules, state, Mechanic.SHIELDED_SEATS, 0) & others if rules.shields != 0 else 0
        first = 1
    for distance in range(first, rules.n_seats):
        seat = (player_of(state, frame) + distance) % rules.n_seats
        reactions = usable_reactions(rules, state, seat)
        if reactions != 0:
            state.stack[frame, Frame.ASKED_DISTANCE] = distance
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
        state.stack[state.depth - 1, Frame.ASKED_DISTANCE] += 1
        return
    note(state, EventKind.REVEAL, seat, choice, 1, Zone.HAND, Zone.HAND, ALL_SEATS)
    if (rules.reactions >> choice) & 1:
        state.unaffected |= 1 << seat
    trigger(rules, state, Trigger.ATTACK, seat, choice)
