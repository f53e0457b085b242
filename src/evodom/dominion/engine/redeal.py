"""Sample hidden information: resample the opponents' hands, decks and unseen discards from the viewer's information.

Open it for searches with hidden information, or to see which cards a seat may observe. The viewer observes of an
opponent:

- all cards owned, and the number of cards in each zone;
- the cards in play, revealed and set aside;
- the face-up discards since the last shuffle;
- the cards that the viewer has seen put onto the deck.

All other cards are shuffled among the hidden places with equal probability. Two facts that a player could remember are
not recorded: a card revealed from a hand, or gained to a hand, counts as hidden afterwards.
"""

from evodom.dominion.engine.ops import Column, Frame, Op, SeenBy, Zone
from evodom.dominion.engine.resolve import PASS_BIT, choosable
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import State, States, Streams, empty_into, put, seed_streams, take, take_nth
from evodom.jit.kernel import kernel, next_word, random_below

N_TRIES = 10_000
"""Maximum number of samples until the pending Decision of an opponent is possible. Then the true cards are kept.

In the rarest positions of play, one sample in a few dozen succeeds.
"""


@kernel
def redeal(rules: Rules, slots: States, viewer: int, streams: Streams) -> None:
    """Resample the information hidden from the seat ``viewer`` in ``slots[0]``. ``slots[1]`` is scratch.

    All samples, and the new random streams of the game, come from ``streams[0]`` (uint64).
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
    """Resample the cards of the seat ``owner`` that are hidden from ``viewer``."""
    deck = Zone.DECK + owner
    n_hand = state.n_cards[Zone.HAND + owner]
    n_revealed = state.n_cards[Zone.REVEALED] if only_viewer(rules, state) == owner else 0
    # Collect all hidden cards in the row of the deck.
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
    # Deal them out again. The remaining cards are the deck.
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
    """Remove a uniformly random card from a row and return its pile."""
    return take_nth(state, row, random_below(streams, 0, state.n_cards[row]))


@kernel
def only_viewer(rules: Rules, state: State) -> int:
    """Return the only seat that sees the revealed cards while a Decision is pending.

    Return NONE if all players see them, if no card is revealed, or if no Decision is pending.
    """
    if state.n_cards[Zone.REVEALED] == 0 or state.decider == NONE:
        return NONE
    sees = rules.effects[state.asking, Column.REVEALED_TO]
    if sees == SeenBy.ALL:
        return NONE
    seat: int = state.stack[state.depth - 1, Frame.SEAT]
    return state.active if sees == SeenBy.ACTIVE else seat


@kernel
def owner_asked_about(rules: Rules, state: State) -> int:
    """Return the seat that owns the candidates of the pending Decision."""
    if rules.effects[state.asking, Column.OP] == Op.CHOOSE:
        seat: int = state.stack[state.depth - 1, Frame.SEAT]
        return seat
    return state.decider


@kernel
def can_be_asked(rules: Rules, state: State) -> bool:
    """Return whether the pending Decision is possible with the current cards: it has at least two legal answers.

    Also write its legal answers into ``state.legal``, unless it is a buy.
    """
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
