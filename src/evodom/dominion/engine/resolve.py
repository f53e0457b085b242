"""Resolve Effects: kernels that run the rows of a played card, one row a step. Open it to add an operation.

A played card is a frame on the stack. `Frame.NEXT` is the row of the next Effect. The frame of a choice stays on top
until the last card is chosen. An Effect may push frames (another card, rows of other players); the frame below
continues when they are done.
"""

from evodom.dominion.engine.moves import (
    affordable,
    cost_of,
    discard_deck,
    draw,
    forget_known,
    gain,
    move,
    reveal,
    take_from_deck,
)
from evodom.dominion.engine.ops import (
    FIRST_DECK_OP,
    FIRST_PLAYER_OP,
    FIRST_ZONE_OP,
    FRESH,
    NO_LIMIT,
    Column,
    Count,
    Frame,
    Op,
    Zone,
)
from evodom.dominion.engine.rules import NONE, PASS, Rules
from evodom.dominion.engine.state import EVERYBODY, State, bit, lowest_pile, pop, push, put, row_of
from evodom.jit.kernel import kernel

PASS_BIT = 1 << PASS


@kernel
def ask(state: State, seat: int, row: int, legal: int) -> None:
    """Make a Decision pending."""
    state.decider = seat
    state.asking = row
    state.legal = legal


@kernel
def play_card(rules: Rules, state: State, pile: int, times: int) -> None:
    """Push one frame of a card's Effects for each of ``times`` plays."""
    if rules.end_row[pile] == rules.first_row[pile]:
        return
    for play in range(times, 0, -1):
        push(state, rules.first_row[pile], rules.end_row[pile], state.active)
        state.stack[state.depth - 1, Frame.AGAIN] = play > 1


@kernel
def resolve_effect(rules: Rules, state: State) -> None:
    """Resolve the next Effect of the top frame, or pop the frame at its end."""
    frame = state.depth - 1
    row = state.stack[frame, Frame.NEXT]
    if row == state.stack[frame, Frame.END]:
        pop(state)
        return
    seat = state.stack[frame, Frame.SEAT]
    op = rules.effects[row, Column.OP]
    if op == Op.CHOOSE:
        ask_choice(rules, state, frame, row, seat)
        return
    if op == Op.OFFER_REACTION:
        offer_reaction_step(rules, state, frame, row)
        return
    if op == Op.DRAW_UP_TO:
        draw_up_to_step(rules, state, frame, row, seat)
        return
    state.stack[frame, Frame.NEXT] = row + 1 + rules.effects[row, Column.SIZE]
    if rules.effects[row, Column.IF_CHOSEN] != 0 and state.chosen == NONE:
        return
    if op < FIRST_DECK_OP:
        add_to_turn(state, op, rules.effects[row, Column.N], rules.effects[row, Column.MASK])
    elif op < FIRST_ZONE_OP:
        take_off_deck(state, seat, op, rules.effects[row, Column.N], rules.effects[row, Column.MASK])
    elif op < FIRST_PLAYER_OP:
        move_cards(rules, state, frame, row, seat)
    elif op == Op.EACH_PLAYER:
        push_each_player(rules, state, row, rules.effects[row, Column.N])
    elif op == Op.PLAY_CHOSEN:
        # Pop a finished frame first: a chain of Throne Rooms then needs half the stack.
        if state.stack[frame, Frame.NEXT] == state.stack[frame, Frame.END]:
            pop(state)
        play_card(rules, state, state.chosen, rules.effects[row, Column.N])


@kernel
def add_to_turn(state: State, op: int, n: int, piles: int) -> None:
    """Resolve an Effect that changes the turn: Actions, Buys, coins, a bonus for a Treasure, or costs."""
    if op == Op.ACTIONS:
        state.actions += n
    elif op == Op.COINS:
        state.coins += n
    elif op == Op.BUYS:
        state.buys += n
    elif op == Op.BONUS and piles != 0:
        state.bonus[lowest_pile(piles)] += n
        state.bonus_piles |= piles
    elif op == Op.CHEAPER:
        state.discounted |= piles
        while piles != 0:
            state.discount[lowest_pile(piles)] += n
            piles &= piles - 1


@kernel
def take_off_deck(state: State, seat: int, op: int, n: int, piles: int) -> None:
    """Resolve an Effect that draws or reveals cards: ``n`` cards, or until ``n`` of the mask ``piles`` are revealed."""
    if op == Op.CARDS:
        draw(state, seat, n)
    elif op == Op.CARDS_PER_CHOSEN:
        draw(state, seat, state.n_chosen)
    elif op == Op.REVEAL:
        for _ in range(n):
            reveal(state, seat)
    elif op == Op.REVEAL_UNTIL:
        reveal_until(state, seat, n, piles)


@kernel
def move_cards(rules: Rules, state: State, frame: int, row: int, seat: int) -> None:
    """Resolve an Effect that moves cards without a choice: gain a named card, move a zone, trash the played card."""
    op = rules.effects[row, Column.OP]
    if op == Op.MOVE_ALL:
        move_zone(rules, state, row, seat)
        return
    mask = rules.effects[row, Column.MASK]
    if mask == 0:
        return  # a card that this kingdom does not have
    pile = lowest_pile(mask)
    if op == Op.GAIN:
        gain(rules, state, seat, pile, rules.effects[row, Column.TARGET])
    elif op == Op.TRASH_THIS and state.stack[frame, Frame.AGAIN] == 0 and state.cards[Zone.IN_PLAY + seat, pile] > 0:
        move(rules, state, Zone.IN_PLAY, Zone.TRASH, seat, pile, EVERYBODY)


@kernel
def reveal_until(state: State, seat: int, n: int, mask: int) -> None:
    """Reveal cards until ``n`` of the piles in ``mask`` are revealed, or no card is left."""
    while n > 0:
        pile = reveal(state, seat)
        if pile == NONE:
            return
        n -= (mask >> pile) & 1


@kernel
def move_zone(rules: Rules, state: State, row: int, seat: int) -> None:
    """Move all qualifying cards of a zone to another zone. A deck is discarded as a whole."""
    source = rules.effects[row, Column.SOURCE]
    target = rules.effects[row, Column.TARGET]
    mask = rules.effects[row, Column.MASK]
    if source == Zone.DECK:
        if target == Zone.DISCARD:
            discard_deck(state, seat)
            return
        forget_known(state, seat, mask)
    seen = EVERYBODY if rules.effects[row, Column.SHOWN] != 0 else 0
    piles = state.mask[row_of(source, seat)] & mask
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        for _ in range(state.cards[row_of(source, seat), pile]):
            move(rules, state, source, target, seat, pile, seen)


@kernel
def draw_up_to_step(rules: Rules, state: State, frame: int, row: int, seat: int) -> None:
    """Draw until the hand has `Column.N` cards. Reveal a drawn card of the mask and push the inner rows for it."""
    state.stack[frame, Frame.LEFT] = 0
    while state.n_cards[Zone.HAND + seat] < rules.effects[row, Column.N]:
        pile = take_from_deck(state, seat)
        if pile == NONE:
            break
        if (rules.effects[row, Column.MASK] >> pile) & 1:
            put(state, Zone.REVEALED, pile)
            push(state, row + 1, row + 1 + rules.effects[row, Column.SIZE], seat)
            return
        put(state, Zone.HAND + seat, pile)
    state.stack[frame, Frame.NEXT] = row + 1 + rules.effects[row, Column.SIZE]
    state.stack[frame, Frame.LEFT] = FRESH


@kernel
def push_each_player(rules: Rules, state: State, row: int, nearest: int) -> None:
    """Push the inner rows for the players in turn order. The first is ``nearest`` seats left of the active player.

    Skip unaffected players if the row has `Column.UNLESS_UNAFFECTED`.
    """
    for distance in range(rules.n_seats - 1, nearest - 1, -1):
        seat = (state.active + distance) % rules.n_seats
        spared = rules.effects[row, Column.UNLESS_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if not spared:
            push(state, row + 1, row + 1 + rules.effects[row, Column.SIZE], seat)


@kernel
def offer_reaction_step(rules: Rules, state: State, frame: int, row: int) -> None:
    """Ask the next opponent who holds a Reaction whether to reveal it."""
    distance = state.stack[frame, Frame.LEFT]
    if distance == FRESH:
        state.unaffected = 0
        distance = 0
    for further in range(distance + 1, rules.n_seats):
        seat = (state.active + further) % rules.n_seats
        reactions = state.mask[Zone.HAND + seat] & rules.reactions
        if reactions != 0:
            state.stack[frame, Frame.LEFT] = further
            ask(state, seat, row, reactions | PASS_BIT)
            return
    finish_choice(state, frame, row)


@kernel
def ask_choice(rules: Rules, state: State, frame: int, row: int, seat: int) -> None:
    """Ask for the next card of a choice, or finish the choice if there is no candidate."""
    optional = rules.effects[row, Column.OPTIONAL] != 0
    if state.stack[frame, Frame.LEFT] == FRESH:
        if rules.effects[row, Column.IF_CHOSEN] != 0 and state.chosen == NONE:
            finish_choice(state, frame, row)
            return
        state.stack[frame, Frame.LEFT] = n_choices(rules, state, row, seat)
        state.n_chosen = 0
        if rules.effects[row, Column.PLUS] == NO_LIMIT and rules.effects[row, Column.SAME] == 0:
            state.chosen = NONE
    legal = 0
    if state.stack[frame, Frame.LEFT] > 0:
        legal = choosable(rules, state, row, seat)
    if legal == 0:
        finish_choice(state, frame, row)
        return
    if optional:
        legal |= PASS_BIT
    elif (
        rules.effects[row, Column.COUNT] == Count.EMPTY_PILES
        and state.stack[frame, Frame.LEFT] >= state.n_cards[Zone.HAND + seat]
    ):
        # The whole hand is discarded: keep one legal answer, so that no Decision is pending.
        legal &= -legal
    asked = state.active if rules.effects[row, Column.OF_ACTIVE] != 0 else seat
    ask(state, asked, row, legal)


@kernel
def n_choices(rules: Rules, state: State, row: int, seat: int) -> int:
    """Return the number of cards of a choice."""
    n: int = rules.effects[row, Column.N]
    count = rules.effects[row, Column.COUNT]
    in_source: int = state.n_cards[row_of(rules.effects[row, Column.SOURCE], seat)]
    if count == Count.DOWN_TO:
        return max(in_source - n, 0)
    if count == Count.ANY:
        return in_source
    if count == Count.EMPTY_PILES:
        return state.n_empty
    return n


@kernel
def choosable(rules: Rules, state: State, row: int, seat: int) -> int:
    """Return the mask of piles of the candidates of a choice."""
    legal: int = state.mask[row_of(rules.effects[row, Column.SOURCE], seat)] & rules.effects[row, Column.MASK]
    if rules.effects[row, Column.MAX_COST] != NO_LIMIT:
        legal &= affordable(rules, state, rules.effects[row, Column.MAX_COST])
    if rules.effects[row, Column.PLUS] != NO_LIMIT:
        legal &= affordable(rules, state, cost_of(rules, state, state.chosen) + rules.effects[row, Column.PLUS])
    if rules.effects[row, Column.SAME] != 0:
        legal &= bit(state.chosen)
    return legal


@kernel
def finish_choice(state: State, frame: int, row: int) -> None:
    """Advance the frame to the Effect after a choice."""
    state.stack[frame, Frame.NEXT] = row + 1
    state.stack[frame, Frame.LEFT] = FRESH


@kernel
def choose_card(rules: Rules, state: State, choice: int) -> None:
    """Move the chosen card to the target of the choice and count it. On PASS finish the choice."""
    frame = state.depth - 1
    row = state.asking
    if choice == PASS:
        finish_choice(state, frame, row)
        return
    state.chosen = choice
    state.n_chosen += 1
    state.stack[frame, Frame.LEFT] -= 1
    seen = EVERYBODY if rules.effects[row, Column.SHOWN] != 0 else 0
    move(
        rules,
        state,
        rules.effects[row, Column.SOURCE],
        rules.effects[row, Column.TARGET],
        state.stack[frame, Frame.SEAT],
        choice,
        seen,
    )
