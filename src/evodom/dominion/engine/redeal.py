"""Drawing anew what a seat cannot know: the other players' hands, decks, and the discards that nobody saw.

What a seat knows of another player are all cards that player owns, how many lie where, the cards in play, revealed and
set aside, the discards that went to the pile face up since the last shuffle, and the cards that it has seen put onto
the deck. The rest is one heap of cards whose places are equally likely. Two things that a player could remember are
not kept: a card shown out of a hand, or gained to a hand, counts as any other card of that hand afterwards.
"""

from evodom.dominion.engine.ops import Column, Frame, Op, SeenBy, Zone
from evodom.dominion.engine.resolve import PASS_BIT, choosable
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import State, States, Streams, empty_into, put, seed_streams, take, take_nth
from evodom.jit.kernel import kernel, next_word, random_below

N_TRIES = 10_000
"""So often cards are drawn until the pending question of another player can have been asked; then they stay as they
are. One draw in a few dozen is enough in the rarest cases met in play."""


@kernel
def redeal(rules: Rules, slots: States, viewer: int, streams: Streams) -> None:
    """Draw anew in ``slots[0]`` what the seat ``viewer`` cannot know of it; ``slots[1]`` is scratch.

    All draws, and the new random streams of the game itself, come from ``streams[0]`` (uint64).
    """
    state = slots[0]
    slots[1] = slots[0]
    for owner in range(rules.n_seats):
        if owner != viewer:
            redeal_seat(rules, state, owner, viewer, streams)
    if state.decider != NONE and state.decider != viewer:
        tries = 0
        while not can_be_asked(rules, state):
            tries += 1
            if tries == N_TRIES:
                slots[0] = slots[1]
                break
            redeal_seat(rules, state, owner_asked_about(rules, state), viewer, streams)
    seed_streams(state, next_word(streams, 0))


@kernel
def redeal_seat(rules: Rules, state: State, owner: int, viewer: int, streams: Streams) -> None:
    """Draw anew what ``viewer`` cannot know of another player's cards."""
    deck = Zone.DECK + owner
    n_hand = state.n_cards[Zone.HAND + owner]
    n_revealed = state.n_cards[Zone.REVEALED] if only_viewer(rules, state) == owner else 0
    # All hidden cards are put into one heap, the row of the deck, ...
    empty_into(state, Zone.HAND + owner, deck)
    if n_revealed > 0:
        empty_into(state, Zone.REVEALED, deck)
    n_discards = 0
    for pile in range(N_PILES):
        n = state.unseen_discards[owner, pile]
        state.unseen_discards[owner, pile] = 0
        n_discards += n
        for _ in range(n):
            take(state, Zone.DISCARD + owner, pile)
            put(state, deck, pile)
    for index in range(state.n_top[owner]):
        if (state.seen[owner, index] >> viewer) & 1 == 0:
            put(state, deck, state.top[owner, index])
    # ... and drawn from it again; what is left is the deck.
    for _ in range(n_hand):
        put(state, Zone.HAND + owner, draw_anew(state, deck, streams))
    for _ in range(n_revealed):
        put(state, Zone.REVEALED, draw_anew(state, deck, streams))
    for _ in range(n_discards):
        pile = draw_anew(state, deck, streams)
        put(state, Zone.DISCARD + owner, pile)
        state.unseen_discards[owner, pile] += 1
    for index in range(state.n_top[owner]):
        if (state.seen[owner, index] >> viewer) & 1 == 0:
            state.top[owner, index] = draw_anew(state, deck, streams)


@kernel
def draw_anew(state: State, row: int, streams: Streams) -> int:
    """Remove a card of a row, all equally likely, and return its pile."""
    return take_nth(state, row, random_below(streams, 0, state.n_cards[row]))


@kernel
def only_viewer(rules: Rules, state: State) -> int:
    """Return the seat that alone sees the revealed cards while a Decision is pending; NONE if all players see them."""
    if state.n_cards[Zone.REVEALED] == 0 or state.decider == NONE:
        return NONE
    sees = rules.effects[state.asking, Column.REVEALED_TO]
    if sees == SeenBy.ALL:
        return NONE
    seat: int = state.stack[state.depth - 1, Frame.SEAT]
    return state.active if sees == SeenBy.ACTIVE else seat


@kernel
def owner_asked_about(rules: Rules, state: State) -> int:
    """Return the seat from whose cards the pending Decision is to choose."""
    if rules.effects[state.asking, Column.OP] == Op.CHOOSE:
        seat: int = state.stack[state.depth - 1, Frame.SEAT]
        return seat
    return state.decider


@kernel
def can_be_asked(rules: Rules, state: State) -> bool:
    """Write the legal answers of the pending Decision; tell whether there are two, so that it can have been asked."""
    op = rules.effects[state.asking, Column.OP]
    hand: int = state.mask[Zone.HAND + state.decider]
    if op == Op.BUY:
        return True
    if op == Op.PLAY_ACTION:
        legal = (hand & rules.actions) | PASS_BIT
    elif op == Op.PLAY_TREASURE:
        legal = (hand & rules.treasures) | PASS_BIT
    elif op == Op.OFFER_REACTION:
        legal = (hand & rules.reactions) | PASS_BIT
    else:
        legal = choosable(rules, state, state.asking, state.stack[state.depth - 1, Frame.SEAT])
        if rules.effects[state.asking, Column.OPTIONAL] != 0:
            legal |= PASS_BIT
    state.legal = legal
    return legal & (legal - 1) != 0
