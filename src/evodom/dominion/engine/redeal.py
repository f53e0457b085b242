"""Redeal: resample the cards that are hidden from one seat, the viewer. Searches call this determinisation.

The viewer observes of an opponent:

- all cards owned (a card that one opponent passed to another is still observed as the giver's: `State.passes`);
- the number of cards in each zone;
- the cards in play, revealed, on the Island mat, and set aside face up;
- the face-up discards since the last shuffle;
- the cards that the viewer has seen put onto the deck, and the place of every card put into it.

All other cards of the opponent (hand, deck, unseen discards, Native Village mat, cards set aside face down) are
shuffled and dealt to the hidden places again. The cards that opponents have passed to each other, or have chosen to
pass, are drawn again, too. A player could remember a card that was revealed from a hand, or was gained or passed to a
hand. The record does not contain these facts, so such cards count as hidden.
"""

from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Frame, Later, Op, SeenBy, Zone
from evodom.dominion.engine.choices import PASS_BIT, candidates, may_pass
from evodom.dominion.engine.durations import start_candidates
from evodom.dominion.engine.menu import free_options
from evodom.dominion.engine.resolve import usable_reactions
from evodom.dominion.engine.rules import FIRST_OPTION, N_PILES, NONE, Rules
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
from evodom.jit.kernel import cold_kernel, kernel, next_word, random_below

N_TRIES = 10_000
"""Maximum number of deals per redeal. If all are rejected, the true cards are restored. Games need a few dozen."""


@kernel
def redeal(rules: Rules, games: States, viewer: int, streams: Streams) -> None:
    """Resample the information hidden from the seat ``viewer`` in ``games[0]``. ``games[1]`` is scratch.

    All samples, and the new random streams of the game, come from ``streams[0]`` (uint64). A deal is rejected if the
    opponent could not have been asked the pending question.
    """
    state = games[0]
    games[1] = games[0]
    for owner in range(rules.n_seats):
        if owner != viewer:
            collect_hidden(rules, state, games[1], owner, viewer)
    if state.n_passes > 0:
        exchange_passed(state, viewer, streams)
    for owner in range(rules.n_seats):
        if owner != viewer:
            deal_hidden(rules, state, games[1], owner, viewer, streams)
    if state.decider != NONE and state.decider != viewer:
        tries = 0
        while not update_legal(rules, state):
            tries += 1
            if tries == N_TRIES:
                games[0] = games[1]
                break
            owner = candidate_owner(rules, state)
            collect_hidden(rules, state, games[1], owner, viewer)
            deal_hidden(rules, state, games[1], owner, viewer, streams)
    seed_streams(state, next_word(streams, 0))


@kernel
def collect_hidden(rules: Rules, state: State, original: State, owner: int, viewer: int) -> None:
    """Move the cards of ``owner`` hidden from ``viewer`` to the row of the deck. ``original`` is a copy of the game."""
    deck = Zone.DECK + owner
    empty_into(state, Zone.HAND + owner, deck)
    empty_into(state, Zone.VILLAGE_MAT + owner, deck)
    for index in range(state.n_later):
        if is_face_down(rules, state, index, owner):
            take(state, Zone.SET_ASIDE + owner, state.later[index, Later.CARD])
            put(state, deck, state.later[index, Later.CARD])
    if only_viewer(rules, original) == owner:
        empty_into(state, Zone.REVEALED, deck)
    for pile in range(N_PILES):
        for _ in range(state.unseen_discards[owner, pile]):
            take(state, Zone.DISCARD + owner, pile)
            put(state, deck, pile)
        state.unseen_discards[owner, pile] = 0
    for index in range(state.n_known[owner]):
        if (state.known_by[owner, index] >> viewer) & 1 == 0:
            put(state, deck, state.known[owner, index])


@kernel
def deal_hidden(rules: Rules, state: State, original: State, owner: int, viewer: int, streams: Streams) -> None:
    """Deal the collected cards to the hidden places. Sizes are those in ``original``. The other cards are the deck."""
    deck, hand = Zone.DECK + owner, Zone.HAND + owner
    for _ in range(original.n_cards[hand]):
        put(state, hand, take_random(state, deck, streams))
    for _ in range(original.n_cards[Zone.VILLAGE_MAT + owner]):
        put(state, Zone.VILLAGE_MAT + owner, take_random(state, deck, streams))
    for index in range(state.n_later):
        if is_face_down(rules, state, index, owner):
            state.later[index, Later.CARD] = take_random(state, deck, streams)
            put(state, Zone.SET_ASIDE + owner, state.later[index, Later.CARD])
    if only_viewer(rules, original) == owner:
        for _ in range(original.n_cards[Zone.REVEALED]):
            put(state, Zone.REVEALED, take_random(state, deck, streams))
    n_discards = 0
    for pile in range(N_PILES):
        n_discards += original.unseen_discards[owner, pile]
    for _ in range(n_discards):
        pile = take_random(state, deck, streams)
        put(state, Zone.DISCARD + owner, pile)
        state.unseen_discards[owner, pile] += 1
    for index in range(state.n_known[owner]):
        if (state.known_by[owner, index] >> viewer) & 1 == 0:
            state.known[owner, index] = take_random(state, deck, streams)
    if state.passed[owner] != NONE:
        state.passed[owner] = take_random(state, hand, streams)
        put(state, hand, state.passed[owner])


@kernel
def is_face_down(rules: Rules, state: State, index: int, owner: int) -> bool:
    """Return whether an entry of `State.later` belongs to ``owner`` and has a card set aside face down."""
    if state.later[index, Later.SEAT] != owner or state.later[index, Later.CARD] == NONE:
        return False
    face_up: int = rules.effects[state.later[index, Later.EFFECT], Column.FACE_UP]
    return face_up == 0


@cold_kernel
def exchange_passed(state: State, viewer: int, streams: Streams) -> None:
    """Resample the cards that opponents of ``viewer`` have passed to each other, the latest first.

    Draw each from the giver's hidden cards and the passed card, all equally likely. All hidden cards must be in the
    rows of the decks. Skip a card that is no longer among the receiver's hidden cards.
    """
    for index in range(state.n_passes - 1, -1, -1):
        giver: Any = np.int64(state.passes[index, 0])
        receiver: Any = np.int64(state.passes[index, 1])
        pile: Any = np.int64(state.passes[index, 2])
        if viewer in (giver, receiver) or state.cards[Zone.DECK + receiver, pile] == 0:
            continue
        n_others = state.n_cards[Zone.DECK + giver]
        nth = random_below(streams, 0, n_others + 1)
        if nth == n_others:
            continue  # the same card
        other = take_nth(state, Zone.DECK + giver, nth)
        take(state, Zone.DECK + receiver, pile)
        put(state, Zone.DECK + giver, pile)
        put(state, Zone.DECK + receiver, other)
        state.owned[giver, pile] += 1
        state.owned[giver, other] -= 1
        state.owned[receiver, pile] -= 1
        state.owned[receiver, other] += 1
        state.passes[index, 2] = other


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

    The legal answers of a buy and places do not depend on hidden cards.
    """
    op = rules.effects[state.asked_effect, Column.OP]
    hand: int = state.piles_in[Zone.HAND + state.decider]
    if op in (Op.BUY, Op.PLACE):
        return True
    if op == Op.OPTIONS:
        return update_options(rules, state)
    if op == Op.START:
        legal = start_candidates(rules, state)
        if legal & ~rules.start_from_hand == 0:
            legal |= PASS_BIT
    elif op == Op.PLAY_ACTION:
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


@cold_kernel
def update_options(rules: Rules, state: State) -> bool:
    """Write the legal options of the pending Decision for the current cards, as `update_legal`."""
    frame = state.depth - 1
    free = free_options(rules, state, state.asked_effect, state.stack[frame, Frame.SEAT])
    chosen: Any = np.int64(state.stack[frame, Frame.OPTIONS])
    legal: Any = (free & ~chosen) << FIRST_OPTION
    state.legal = legal | (state.legal & PASS_BIT)
    return bool(legal & (legal - 1) != 0) or state.legal & PASS_BIT != 0
