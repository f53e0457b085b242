"""The rules, compiled: resolve Effects until a Decision is pending, enact the chosen Consequence, score.

`advance` runs the game up to the next real choice, one `step` at a time. A turn is told as the rulebook tells it:
action phase, treasures, buys, clean-up. While a card is being resolved, its frame lies on the stack and points at the
Effect that comes next. Choices with one legal answer are taken at once; every other choice is a Decision: one pile, or
PASS, out of the mask ``state.legal``.
"""

from typing import Any

from evodom.dominion.cards import COPPER, GOLD, PROVINCE, SILVER
from evodom.dominion.effects import (
    BUY_ROW,
    COUNT,
    COUNT_ANY,
    COUNT_DOWN_TO,
    DISCARD,
    HAND,
    IF_CHOSEN,
    IN_PLAY,
    MASK,
    MAX_COST,
    NO_LIMIT,
    OP,
    OP_ACTIONS,
    OP_BUY,
    OP_BUYS,
    OP_CARDS,
    OP_CARDS_PER_CHOSEN,
    OP_CHOOSE,
    OP_COINS,
    OP_EACH_OPPONENT,
    OP_GAIN,
    OP_OFFER_REACTION,
    OP_PLAY_ACTION,
    OP_PLAY_TREASURE,
    OP_SILVER_BONUS,
    OPTIONAL,
    PLAY_ACTION_ROW,
    PLAY_TREASURE_ROW,
    PLUS,
    SIZE,
    SOURCE,
    SUPPLY,
    TARGET,
    TRASH,
    UNLESS_UNAFFECTED,
    N,
)
from evodom.dominion.rules import MAX_COINS, N_PILES, NONE, PASS, Rules
from evodom.dominion.state import (
    ENDED_CUT,
    ENDED_PILES,
    ENDED_PROVINCES,
    HAND_SIZE,
    PHASE_ACTION,
    PHASE_BUY,
    PHASE_CLEANUP,
    PHASE_TREASURE,
    PLAYING,
    State,
    begin_turn,
    draw,
    empty_into,
    gain_card,
    put,
    put_in_zone,
    row_of,
    take,
)
from evodom.kernel import kernel

# Columns of a frame on the stack.
NEXT, END, SEAT, LEFT = 0, 1, 2, 3
FRESH = -1
"""Choices left of a choice that has not been asked yet."""

PASS_BIT = 1 << PASS


@kernel
def advance(rules: Rules, state: State) -> None:
    """Go on until a player has a real choice (``decider`` is their seat) or the game has ended."""
    while state.ended == PLAYING:
        if state.decider == NONE:
            step(rules, state)
        elif state.legal & (state.legal - 1) == 0:
            resolve_choice(rules, state, lowest_pile(state.legal))
        else:
            return


@kernel
def enact(rules: Rules, state: State, choice: Any) -> None:
    """Have the chosen Consequence of the pending Decision resolved; ``choice`` is a pile of ``legal`` or PASS."""
    resolve_choice(rules, state, choice)
    advance(rules, state)


@kernel
def step(rules: Rules, state: State) -> None:
    """Resolve one Effect, or take one step of the turn."""
    if state.depth > 0:
        resolve_effect(rules, state)
    else:
        take_turn(rules, state)


@kernel
def take_turn(rules: Rules, state: State) -> None:
    """Go through the phases of a turn up to the next choice or the end of the turn."""
    seat = state.active
    if state.phase == PHASE_ACTION:
        playable = state.mask[HAND + seat] & rules.actions
        if playable != 0 and state.actions > 0:
            ask(state, seat, PLAY_ACTION_ROW, playable | PASS_BIT)
            return
        state.phase = PHASE_TREASURE
    if state.phase == PHASE_TREASURE:
        playable = state.mask[HAND + seat] & rules.treasures
        if playable != 0 and (state.auto_treasures >> seat) & 1 == 0:
            ask(state, seat, PLAY_TREASURE_ROW, playable | PASS_BIT)
            return
        for pile in range(COPPER, GOLD + 1):
            play_treasures(rules, state, pile, state.cards[HAND + seat, pile])
        state.phase = PHASE_BUY
    if state.phase == PHASE_BUY and state.buys > 0:
        affordable = rules.affordable[min(state.coins, MAX_COINS)]
        ask(state, seat, BUY_ROW, (state.mask[SUPPLY] & affordable) | PASS_BIT)
        return
    clean_up(rules, state)


@kernel
def play_treasures(rules: Rules, state: State, pile: Any, n: Any) -> None:
    """Play ``n`` Treasures of a pile; the first Silver of a turn brings what Merchants promised."""
    if n == 0:
        return
    hand = HAND + state.active
    left = state.cards[hand, pile] - n
    state.cards[hand, pile] = left
    state.n_cards[hand] -= n
    if left == 0:
        state.mask[hand] &= ~(1 << pile)
    state.cards[IN_PLAY, pile] += n
    state.n_cards[IN_PLAY] += n
    state.mask[IN_PLAY] |= 1 << pile
    state.coins += n * rules.coins[pile]
    if pile == SILVER and state.silver_played == 0:
        state.coins += state.silver_bonus
        state.silver_played = 1


@kernel
def clean_up(rules: Rules, state: State) -> None:
    """Discard hand and play area, draw five, see whether the game ends, and pass the turn to the left."""
    seat = state.active
    empty_into(state, IN_PLAY, DISCARD + seat)
    empty_into(state, HAND + seat, DISCARD + seat)
    draw(state, seat, HAND_SIZE)
    following = seat + 1 if seat + 1 < rules.n_seats else 0
    if state.cards[SUPPLY, PROVINCE] == 0:
        state.ended = ENDED_PROVINCES
    elif state.n_empty >= rules.piles_to_end:
        state.ended = ENDED_PILES
    elif state.turns[following] >= rules.max_turns:
        state.ended = ENDED_CUT
    else:
        begin_turn(state, following)


@kernel
def ask(state: State, seat: Any, row: Any, legal: Any) -> None:
    """Make a Decision pending."""
    state.decider = seat
    state.asking = row
    state.legal = legal


@kernel
def play_card(rules: Rules, state: State, pile: Any) -> None:
    """Begin to follow a card's Effects."""
    if rules.end_row[pile] > rules.first_row[pile]:
        push(state, rules.first_row[pile], rules.end_row[pile], state.active)


@kernel
def push(state: State, first: Any, end: Any, seat: Any) -> None:
    """Put a frame on the stack: the rows from ``first`` to before ``end``, for ``seat``."""
    state.stack[state.depth, NEXT] = first
    state.stack[state.depth, END] = end
    state.stack[state.depth, SEAT] = seat
    state.stack[state.depth, LEFT] = FRESH
    state.depth += 1


@kernel
def resolve_effect(rules: Rules, state: State) -> None:
    """Resolve the Effect the top frame points at; a choice stays on top until its last answer."""
    frame = state.depth - 1
    row = state.stack[frame, NEXT]
    if row == state.stack[frame, END]:
        state.depth = frame
        return
    seat = state.stack[frame, SEAT]
    op = rules.effects[row, OP]
    if op == OP_CHOOSE:
        ask_choice(rules, state, frame, row, seat)
        return
    if op == OP_OFFER_REACTION:
        offer_reaction_step(rules, state, frame, row)
        return
    state.stack[frame, NEXT] = row + 1 + rules.effects[row, SIZE]
    n = rules.effects[row, N]
    if op == OP_CARDS:
        draw(state, seat, n)
    elif op == OP_ACTIONS:
        state.actions += n
    elif op == OP_COINS:
        state.coins += n
    elif op == OP_BUYS:
        state.buys += n
    elif op == OP_EACH_OPPONENT:
        push_each_opponent(rules, state, row)
    elif op == OP_CARDS_PER_CHOSEN:
        draw(state, seat, state.n_chosen)
    elif op == OP_SILVER_BONUS:
        state.silver_bonus += n
    elif op == OP_GAIN:
        gain_card(state, seat, lowest_pile(rules.effects[row, MASK]), rules.effects[row, TARGET])


@kernel
def push_each_opponent(rules: Rules, state: State, row: Any) -> None:
    """Let the opponents resolve the rows that follow, the one to the left first."""
    for distance in range(rules.n_seats - 1, 0, -1):
        seat = (state.active + distance) % rules.n_seats
        spared = rules.effects[row, UNLESS_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
        if not spared:
            push(state, row + 1, row + 1 + rules.effects[row, SIZE], seat)


@kernel
def offer_reaction_step(rules: Rules, state: State, frame: Any, row: Any) -> None:
    """Ask the next opponent who holds a Reaction whether to reveal it."""
    distance = state.stack[frame, LEFT]
    if distance == FRESH:
        state.unaffected = 0
        distance = 0
    for further in range(distance + 1, rules.n_seats):
        seat = (state.active + further) % rules.n_seats
        reactions = state.mask[HAND + seat] & rules.reactions
        if reactions != 0:
            state.stack[frame, LEFT] = further
            ask(state, seat, row, reactions | PASS_BIT)
            return
    finish_choice(state, frame, row)


@kernel
def ask_choice(rules: Rules, state: State, frame: Any, row: Any, seat: Any) -> None:
    """Ask for the next card of a choice, or go on when there is none to choose."""
    if state.stack[frame, LEFT] == FRESH:
        if rules.effects[row, IF_CHOSEN] != 0 and state.chosen == NONE:
            finish_choice(state, frame, row)
            return
        state.stack[frame, LEFT] = n_choices(rules, state, row, seat)
        state.n_chosen = 0
        if rules.effects[row, PLUS] == NO_LIMIT:
            state.chosen = NONE
    legal = 0
    if state.stack[frame, LEFT] > 0:
        legal = choosable(rules, state, row, seat)
    if legal == 0:
        finish_choice(state, frame, row)
        return
    if rules.effects[row, OPTIONAL] != 0:
        legal |= PASS_BIT
    ask(state, seat, row, legal)


@kernel
def n_choices(rules: Rules, state: State, row: Any, seat: Any) -> Any:
    """Return how many cards a choice asks for."""
    n = rules.effects[row, N]
    count = rules.effects[row, COUNT]
    in_source = state.n_cards[row_of(rules.effects[row, SOURCE], seat)]
    if count == COUNT_DOWN_TO:
        return max(in_source - n, 0)
    if count == COUNT_ANY:
        return in_source
    return n


@kernel
def choosable(rules: Rules, state: State, row: Any, seat: Any) -> Any:
    """Return the mask of piles a choice may take a card from."""
    legal = state.mask[row_of(rules.effects[row, SOURCE], seat)] & rules.effects[row, MASK]
    if rules.effects[row, MAX_COST] != NO_LIMIT:
        legal &= rules.affordable[rules.effects[row, MAX_COST]]
    if rules.effects[row, PLUS] != NO_LIMIT:
        legal &= rules.affordable[rules.cost[state.chosen] + rules.effects[row, PLUS]]
    return legal


@kernel
def finish_choice(state: State, frame: Any, row: Any) -> None:
    """Go on to the Effect after a choice."""
    state.stack[frame, NEXT] = row + 1
    state.stack[frame, LEFT] = FRESH


@kernel
def resolve_choice(rules: Rules, state: State, choice: Any) -> None:
    """Have the pending Decision answered."""
    row = state.asking
    seat = state.decider
    op = rules.effects[row, OP]
    state.decider = NONE
    if op == OP_BUY:
        buy(rules, state, choice)
    elif op == OP_PLAY_ACTION:
        play_action(rules, state, choice)
    elif op == OP_PLAY_TREASURE:
        if choice == PASS:
            state.phase = PHASE_BUY
        else:
            play_treasures(rules, state, choice, 1)
    elif op == OP_OFFER_REACTION:
        if choice != PASS:
            state.unaffected |= 1 << seat
    else:
        choose_card(rules, state, choice, seat)


@kernel
def buy(rules: Rules, state: State, choice: Any) -> None:
    """Buy a card, or stop buying."""
    if choice == PASS:
        state.phase = PHASE_CLEANUP
        return
    state.coins -= rules.cost[choice]
    state.buys -= 1
    gain_card(state, state.active, choice, DISCARD)


@kernel
def play_action(rules: Rules, state: State, choice: Any) -> None:
    """Play an Action from hand, or end the action phase."""
    if choice == PASS:
        state.phase = PHASE_TREASURE
        return
    state.actions -= 1
    take(state, HAND + state.active, choice)
    put(state, IN_PLAY, choice)
    play_card(rules, state, choice)


@kernel
def choose_card(rules: Rules, state: State, choice: Any, seat: Any) -> None:
    """Move the chosen card where the choice says, and count it."""
    frame = state.depth - 1
    row = state.asking
    if choice == PASS:
        finish_choice(state, frame, row)
        return
    state.chosen = choice
    state.n_chosen += 1
    state.stack[frame, LEFT] -= 1
    source = rules.effects[row, SOURCE]
    target = rules.effects[row, TARGET]
    if source == SUPPLY:
        gain_card(state, seat, choice, target)
        return
    take(state, row_of(source, seat), choice)
    put_in_zone(state, target, seat, choice)
    if target == TRASH:
        state.owned[seat, choice] -= 1


@kernel
def lowest_pile(mask: Any) -> Any:
    """Return the lowest set bit of a mask that has one."""
    pile = 0
    while (mask >> pile) & 1 == 0:
        pile += 1
    return pile


@kernel
def score(rules: Rules, state: State, seat: Any) -> Any:
    """Return the victory points of all cards a seat owns."""
    points = 0
    for pile in range(N_PILES):
        points += state.owned[seat, pile] * rules.vp[pile]
    return points


@kernel
def stands_before(rules: Rules, state: State, seat: Any, other: Any) -> Any:
    """Return 1, 0 or -1: a seat's result is better than, equal to or worse than another's (most VP, fewest turns)."""
    difference = score(rules, state, seat) - score(rules, state, other)
    if difference == 0:
        difference = state.turns[other] - state.turns[seat]
    if difference == 0:
        return 0
    return 1 if difference > 0 else -1
