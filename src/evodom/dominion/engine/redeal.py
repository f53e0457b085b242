"""Redeal: resample the cards that are hidden from one seat, the viewer. It is the determinisation step of searches.

Open it also to see which cards a seat may observe. The viewer observes of an opponent:

- all cards owned, and the number of cards in each zone;
- the cards in play, revealed and set aside;
- the face-up discards since the last shuffle;
- the cards that the viewer has seen put onto the deck.

All other cards of the opponent (hand, deck, unseen discards) are shuffled and dealt to the hidden places again. Two
facts that a player could remember are not recorded: a card revealed from a hand, or gained to a hand, counts as hidden.
"""

from evodom.dominion.engine.ops import Column, Frame, Op, SeenBy, Zone
from evodom.dominion.engine.resolve import PASS_BIT, candidates, may_pass, usable_reactions
from evodom.dominion.engine.rules import N_PILES, NONE, Rules
from evodom.dominion.engine.state import (
    State,
    States,
    Streams,
    empty_into,
    player_of,
    put,
    seed_streams,
    take,
    take_nth,
)
from evodom.jit.kernel import kernel, next_word, random_below

N_TRIES = 10_000
"""Maximum number of deals per redeal.

A deal is rejected if the opponent could not have been asked the pending question. After N_TRIES the true cards are
kept. In the rarest positions of real games a few dozen deals suffice.
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
        while not update_legal(rules, state):
            tries += 1
            if tries == N_TRIES:
                slots[0] = slots[1]
                break
            redeal_seat(rules, state, candidate_owner(rules, state), viewer, streams)
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
    for index in range(state.n_known[owner]):
        if (state.known_by[owner, index] >> viewer) & 1 == 0:
            put(state, deck, state.known[owner, index])
    # Deal them out again. The remaining cards are the deck.
    for _ in range(n_hand):
        put(state, Zone.HAND + owner, take_random(state, deck, streams))
    for _ in range(n_revealed):
        put(state, Zone.REVEALED, take_random(state, deck, streams))
    for _ in range(n_discards):
        pile = take_random(state, deck, streams)
        put(state, Zone.DISCARD + owner, pile)
        state.unseen_discards[owner, pile] += 1
    for index in range(state.n_known[owner]):
        if (state.known_by[owner, index] >> viewer) & 1 == 0:
            state.known[owner, index] = take_random(state, deck, streams)


@kernel
def take_random(state: State, row: int, streams: Streams) -> int:
    """Remove a uniformly random card from a row of ``cards`` and return its pile."""
    return take_nth(state, row, random_below(streams, 0, state.n_cards[row]))


@kernel
def only_viewer(rules: Rules, state: State) -> int:
    """Return the only seat that sees the revealed cards while a Decision is pending.

    Return NONE if all players see them, if no card is revealed, or if no Decision is pending.
    """
    if state.n_cards[Zone.REVEALED] == 0 or state.decider == NONE:
        return NONE
    seen_by = rules.effects[state.asked_effect, Column.SEEN_BY]
    if seen_by == SeenBy.ALL:
        return NONE
    frame = state.depth - 1
    seat: int = state.stack[frame, Frame.SEAT]
    return player_of(state, frame) if seen_by == SeenBy.ACTIVE else seat


@kernel
def candidate_owner(rules: Rules, state: State) -> int:
    """Return the seat that owns the candidates of the pending Decision."""
    if rules.effects[state.asked_effect, Column.OP] == Op.CHOOSE:
        seat: int = state.stack[state.depth - 1, Frame.SEAT]
        return seat
    return state.decider


@kernel
def update_legal(rules: Rules, state: State) -> bool:
    """Write the legal answers of the pending Decision for the current cards. Return whether there are at least two.

    The legal answers of a buy, and options, do not depend on hidden cards.
    """
    op = rules.effects[state.asked_effect, Column.OP]
    hand: int = state.piles_in[Zone.HAND + state.decider]
    if op in (Op.BUY, Op.OPTIONS):
        return True
    if op == Op.PLAY_ACTION:
        legal = (hand & rules.actions) | PASS_BIT
    elif op == Op.PLAY_TREASURE:
        legal = (hand & rules.treasures) | PASS_BIT
    elif op == Op.OFFER_REACTION:
        legal = usable_reactions(rules, state, state.decider) | PASS_BIT
    else:
        legal = candidates(rules, state, state.asked_effect, state.stack[state.depth - 1, Frame.SEAT])
        if may_pass(rules, state, state.asked_effect):
            legal |= PASS_BIT
    state.legal = legal
    return legal & (legal - 1) != 0
