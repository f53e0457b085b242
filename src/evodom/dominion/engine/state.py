"""The game record: every card of a game in one table of counts, and the few primitives that move cards.

A state is one NumPy record of STATE. ``cards[row, pile]`` counts the cards of each pile in each zone, and every card is
in exactly one row or on a known deck top, so that column sums never change. Shuffling is deferred: a deck is the
multiset of its unseen cards (the rows from DECK) below a stack of cards its owner knows (``top``); an unseen card is
sampled when it is drawn, which gives the same games as a shuffled deck and leaves nothing hidden in the record.
"""

from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.ops import FRESH, Frame, Phase, Trigger, Zone
from evodom.dominion.engine.rules import MAX_COINS, MAX_SEATS, N_PILES, NONE, STARTING_DECK, Masks, Numbers, Rules
from evodom.jit.kernel import cold_kernel, kernel, next_word, random_below

N_ROWS = Zone.TRASH + 1
MAX_KNOWN = 64
"""Known cards on one deck. A game comes nowhere near; beyond it the deepest one counts as unseen again."""

MAX_DEPTH = 32
"""Cards being resolved at once: ten Throne Rooms in a row, on a Spy among six players, need half of it."""

HAND_SIZE = 5

EVERYBODY = (1 << MAX_SEATS) - 1
"""The mask of all seats."""

PHASE_NAMES = ("action", "treasure", "buy", "cleanup")

END_NAMES = ("playing", "Provinces", "empty piles", "cut")

Streams = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


class State(Protocol):
    """A record of STATE: one game. ``n_cards`` and ``mask`` follow the rows of ``cards``."""

    chance: Streams
    """Random streams by seat: what chance does to the seat's deck."""
    choices: Streams
    """Random streams by seat: what the strategy that decides for the seat draws.

    They are apart from ``chance``, so that two strategies can be compared with equal luck.
    """
    cards: Numbers
    """The cards of each pile in each row of a zone."""
    n_cards: Numbers
    mask: Masks
    top: Numbers
    """The known cards on each deck, the deepest first."""
    n_top: Numbers
    seen: Bytes
    """For each known card on a deck the mask of the seats that saw it put there. Its owner always knows it."""
    unseen_discards: Numbers
    """The cards of each discard pile that went there unseen since the last shuffle."""
    owned: Numbers
    """What each seat owns, in any zone."""
    turns: Numbers
    n_empty: int
    ended: int
    """An `Ending`."""
    active: int
    phase: int
    actions: int
    buys: int
    coins: int
    bonus: Numbers
    """Coins that the first Treasure of each pile brings."""
    bonus_piles: int
    treasures_played: int
    """Mask of the Treasures played this turn."""
    discount: Numbers
    """By how much the cost of each pile is reduced this turn."""
    discounted: int
    """Mask of the piles with a discount."""
    decider: int
    """The seat that the pending Decision asks; NONE for nobody."""
    asking: int
    """The row of the Effect that asks."""
    legal: int
    """Mask of the legal answers."""
    depth: int
    """Number of frames on the stack of what is being resolved."""
    stack: Numbers
    """Frames, with the columns of `Frame`."""
    chosen: int
    n_chosen: int
    unaffected: int
    """Mask of the seats that revealed a Reaction to the Attack being resolved."""
    auto_treasures: int
    """Mask of the seats whose Treasures are all played without asking."""
    intent: int
    """A strategy's note for its own next Decision."""

    def __getitem__(self, field: str) -> Any:
        """Return a field."""

    def __setitem__(self, field: str, value: object) -> None:
        """Set a field."""

    def copy(self) -> Self:
        """Return a copy."""

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""


class States(Protocol):
    """An array of STATE."""

    def __getitem__(self, index: int) -> State:
        """Return a record of the array."""

    def __setitem__(self, index: int, state: State) -> None:
        """Copy a record into the array."""

    def __len__(self) -> int:
        """Return the number of records."""


STATE = np.dtype(
    (
        np.record,
        [
            ("chance", "<u8", (MAX_SEATS,)),
            ("choices", "<u8", (MAX_SEATS,)),
            ("cards", "<i4", (N_ROWS, N_PILES)),
            ("n_cards", "<i4", (N_ROWS,)),
            ("mask", "<i8", (N_ROWS,)),
            ("top", "<i4", (MAX_SEATS, MAX_KNOWN)),
            ("n_top", "<i4", (MAX_SEATS,)),
            ("seen", "<u1", (MAX_SEATS, MAX_KNOWN)),
            ("unseen_discards", "<i4", (MAX_SEATS, N_PILES)),
            ("owned", "<i4", (MAX_SEATS, N_PILES)),
            ("turns", "<i4", (MAX_SEATS,)),
            ("n_empty", "<i4"),
            ("ended", "<i4"),
            ("active", "<i4"),
            ("phase", "<i4"),
            ("actions", "<i4"),
            ("buys", "<i4"),
            ("coins", "<i4"),
            ("bonus", "<i4", (N_PILES,)),
            ("bonus_piles", "<i8"),
            ("treasures_played", "<i8"),
            ("discount", "<i4", (N_PILES,)),
            ("discounted", "<i8"),
            ("decider", "<i4"),
            ("asking", "<i4"),
            ("legal", "<i8"),
            ("depth", "<i4"),
            ("stack", "<i4", (MAX_DEPTH, len(Frame))),
            ("chosen", "<i4"),
            ("n_chosen", "<i4"),
            ("unaffected", "<i4"),
            ("auto_treasures", "<i4"),
            ("intent", "<i4"),
        ],
    )
)
"""One game; `State` describes the fields."""


def undealt_state(rules: Rules) -> State:
    """Return a game with its decks in place and no card drawn yet; `restart` begins games from it."""
    state: State = np.zeros(1, STATE)[0]
    state.cards[Zone.SUPPLY] = rules.supply
    for seat in range(rules.n_seats):
        for pile, count in STARTING_DECK.items():
            state.cards[Zone.DECK + seat, pile] = state.owned[seat, pile] = count
    state.decider = state.chosen = state.intent = NONE
    refresh(state)
    return state


def new_state(rules: Rules, seed: int) -> State:
    """Return the game of a seed (a uint64) at its first turn: opening hands drawn, no Decision pending."""
    slots: States = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    restart(slots, np.uint64(seed))
    return slots[0]


def refresh(state: State) -> None:
    """Recompute what follows from ``cards``: sizes and masks of the rows."""
    state.n_cards[:] = state.cards.sum(axis=1)
    state.mask[:] = ((state.cards > 0).astype(np.int64) << np.arange(N_PILES)).sum(axis=1)


@kernel
def bit(pile: int) -> Any:
    """Return the mask of a pile. A shift of an int32 would lose piles above 31 where kernels are not compiled."""
    return np.int64(1) << np.int64(pile)


@kernel
def n_bits(mask: int) -> int:
    """Return the number of piles in a mask. The compiler makes one instruction of the loop."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@kernel
def lowest_pile(mask: int) -> int:
    """Return the lowest pile of a mask that has one. Counting the bits below it takes a fifth of a search's time."""
    return n_bits((mask & -mask) - 1)


@kernel
def row_of(zone: int, seat: int) -> int:
    """Return the row of ``cards`` of a zone for a seat."""
    return zone + seat if zone < Zone.IN_PLAY else zone


@kernel
def put(state: State, row: int, pile: int) -> None:
    """Add a card of ``pile`` to a row."""
    state.cards[row, pile] += 1
    state.n_cards[row] += 1
    state.mask[row] |= bit(pile)


@kernel
def take(state: State, row: int, pile: int) -> None:
    """Remove a card of ``pile`` from a row."""
    left = state.cards[row, pile] - 1
    state.cards[row, pile] = left
    state.n_cards[row] -= 1
    if left == 0:
        state.mask[row] &= ~bit(pile)


@kernel
def put_on_deck(state: State, seat: int, pile: int, seen: int) -> None:
    """Put a card onto a deck, where its owner and the seats in the mask ``seen`` know it to be."""
    if state.n_top[seat] == MAX_KNOWN:
        put(state, Zone.DECK + seat, state.top[seat, 0])
        for index in range(MAX_KNOWN - 1):
            state.top[seat, index] = state.top[seat, index + 1]
            state.seen[seat, index] = state.seen[seat, index + 1]
        state.n_top[seat] -= 1
    state.top[seat, state.n_top[seat]] = pile
    state.seen[seat, state.n_top[seat]] = seen | 1 << seat
    state.n_top[seat] += 1


@kernel
def put_in_zone(state: State, zone: int, seat: int, pile: int, seen: int) -> None:
    """Add a card of ``pile`` to a seat's zone, the top of its deck included, where the seats in ``seen`` know it."""
    if zone == Zone.DECK_TOP:
        put_on_deck(state, seat, pile, seen)
    else:
        put(state, row_of(zone, seat), pile)


@kernel
def empty_into(state: State, source: int, target: int) -> None:
    """Move all cards of one row to another."""
    if state.n_cards[source] == 0:
        return
    for pile in range(N_PILES):
        state.cards[target, pile] += state.cards[source, pile]
        state.cards[source, pile] = 0
    state.n_cards[target] += state.n_cards[source]
    state.mask[target] |= state.mask[source]
    state.n_cards[source] = 0
    state.mask[source] = 0


@kernel
def take_from_deck(state: State, seat: int) -> Any:
    """Remove a deck's top card and return its pile, reshuffling the discard pile if need be; NONE if both are empty."""
    n_known = state.n_top[seat]
    if n_known > 0:
        state.n_top[seat] = n_known - 1
        return np.int64(state.top[seat, n_known - 1])
    deck = Zone.DECK + seat
    if state.n_cards[deck] == 0:
        shuffle_discards(state, seat)
        if state.n_cards[deck] == 0:
            return np.int64(NONE)
    return take_nth(state, deck, random_below(state.chance, seat, state.n_cards[deck]))


@kernel
def shuffle_discards(state: State, seat: int) -> None:
    """Make a discard pile the deck, which is empty."""
    empty_into(state, Zone.DISCARD + seat, Zone.DECK + seat)
    for pile in range(N_PILES):
        state.unseen_discards[seat, pile] = 0


@kernel
def take_nth(state: State, row: int, nth: int) -> int:
    """Remove the card of a row that is number ``nth``, counted from 0 in the order of piles, and return its pile."""
    pile = 0
    while nth >= state.cards[row, pile]:
        nth -= state.cards[row, pile]
        pile += 1
    take(state, row, pile)
    return pile


@kernel
def draw(state: State, seat: int, n: int) -> None:
    """Draw ``n`` cards into a hand, or as many as there are."""
    deck = Zone.DECK + seat
    hand = Zone.HAND + seat
    while n > 0 and state.n_top[seat] > 0:
        put(state, hand, take_from_deck(state, seat))
        n -= 1
    while n > 0:
        size = state.n_cards[deck]
        if size == 0:
            shuffle_discards(state, seat)
            size = state.n_cards[deck]
            if size == 0:
                return
        if size <= n:
            empty_into(state, deck, hand)  # all of them: nothing is left to chance
            n -= size
        else:
            draw_unseen(state, seat, n)
            return


@kernel
def draw_unseen(state: State, seat: int, n: int) -> None:
    """Draw ``n`` cards of a deck's unseen ones, of which there are more, into a hand."""
    deck = Zone.DECK + seat
    hand = Zone.HAND + seat
    size = state.n_cards[deck]
    for drawn in range(n):
        nth = random_below(state.chance, seat, size - drawn)
        pile = 0
        while nth >= state.cards[deck, pile]:
            nth -= state.cards[deck, pile]
            pile += 1
        left = state.cards[deck, pile] - 1
        state.cards[deck, pile] = left
        if left == 0:
            state.mask[deck] &= ~bit(pile)
        state.cards[hand, pile] += 1
        state.mask[hand] |= bit(pile)
    state.n_cards[deck] = size - n
    state.n_cards[hand] += n


@kernel
def reveal(state: State, seat: int) -> int:
    """Put the top card of a deck among the revealed cards and return its pile; NONE if there is no card."""
    pile: int = take_from_deck(state, seat)
    if pile != NONE:
        put(state, Zone.REVEALED, pile)
    return pile


@kernel
def push(state: State, first: int, end: int, seat: int) -> None:
    """Put a frame on the stack: the rows from ``first`` to before ``end``, for ``seat``."""
    state.stack[state.depth, Frame.NEXT] = first
    state.stack[state.depth, Frame.END] = end
    state.stack[state.depth, Frame.SEAT] = seat
    state.stack[state.depth, Frame.LEFT] = FRESH
    state.stack[state.depth, Frame.AGAIN] = 0
    state.stack[state.depth, Frame.N_CHOSEN] = FRESH
    state.depth += 1


@kernel
def pop(state: State) -> None:
    """Remove the top frame; after a triggered one, restore what had been chosen before."""
    frame = state.depth - 1
    if state.stack[frame, Frame.N_CHOSEN] != FRESH:
        state.chosen = state.stack[frame, Frame.CHOSEN]
        state.n_chosen = state.stack[frame, Frame.N_CHOSEN]
    state.depth = frame


@kernel
def trigger(rules: Rules, state: State, event: int, seat: int, pile: int) -> None:
    """Let ``seat`` resolve what a card says for a `Trigger`, before anything else goes on.

    Beyond MAX_DEPTH nothing is resolved.
    """
    if (rules.triggers[event] >> pile) & 1:
        push_triggered(rules, state, event, seat, pile)


@cold_kernel
def push_triggered(rules: Rules, state: State, event: int, seat: int, pile: int) -> None:
    """Put the frame of a triggered card on the stack, unless that is full."""
    if state.depth == MAX_DEPTH:
        return
    push(state, rules.trigger_row[event, pile], rules.trigger_end[event, pile], seat)
    state.stack[state.depth - 1, Frame.CHOSEN] = state.chosen
    state.stack[state.depth - 1, Frame.N_CHOSEN] = state.n_chosen


@kernel
def move(rules: Rules, state: State, source: int, target: int, seat: int, pile: int, seen: int) -> None:
    """Move a card of ``pile`` between zones of a seat: gain it, trash it, discard it or just put it there.

    A card in play belongs to the active player. Out of the trash it is gained by the active player. Onto a deck, the
    seats in ``seen`` know it.
    """
    if source == Zone.SUPPLY and target != Zone.TRASH:
        gain(rules, state, seat, pile, target)
        return
    take(state, row_of(source, seat), pile)
    if source == Zone.DISCARD:
        left = state.cards[Zone.DISCARD + seat, pile]
        state.unseen_discards[seat, pile] = min(state.unseen_discards[seat, pile], left)
    if source == Zone.SUPPLY:
        state.n_empty += state.cards[Zone.SUPPLY, pile] == 0
        put(state, Zone.TRASH, pile)
    elif source == Zone.TRASH:
        own(rules, state, state.active, pile, target, seen)
    elif target == Zone.TRASH:
        trash(rules, state, state.active if source == Zone.IN_PLAY else seat, pile)
    elif target == Zone.DISCARD:
        discard(rules, state, seat, pile)
    else:
        put_in_zone(state, target, seat, pile, seen)


@kernel
def gain(rules: Rules, state: State, seat: int, pile: int, zone: int) -> None:
    """Gain a card of ``pile`` to a zone; from an empty pile nothing happens."""
    if state.cards[Zone.SUPPLY, pile] == 0:
        return
    take(state, Zone.SUPPLY, pile)
    if state.cards[Zone.SUPPLY, pile] == 0:
        state.n_empty += 1
    own(rules, state, seat, pile, zone, EVERYBODY)


@kernel
def own(rules: Rules, state: State, seat: int, pile: int, zone: int, seen: int) -> None:
    """Put a card that nobody owned into a zone of its new owner."""
    state.owned[seat, pile] += 1
    put_in_zone(state, zone, seat, pile, seen)
    trigger(rules, state, Trigger.GAINED, seat, pile)


@kernel
def trash(rules: Rules, state: State, owner: int, pile: int) -> None:
    """Put a card that has left its zone into the trash."""
    state.owned[owner, pile] -= 1
    put(state, Zone.TRASH, pile)
    trigger(rules, state, Trigger.TRASHED, owner, pile)


@kernel
def discard(rules: Rules, state: State, seat: int, pile: int) -> None:
    """Put a card that has left its zone into a discard pile, face up."""
    put(state, Zone.DISCARD + seat, pile)
    trigger(rules, state, Trigger.DISCARDED, seat, pile)


@kernel
def cost_of(rules: Rules, state: State, pile: int) -> int:
    """Return what a card costs now."""
    cost: int = rules.cost[pile] - state.discount[pile]
    return max(cost, 0)


@kernel
def affordable(rules: Rules, state: State, coins: int) -> int:
    """Return the mask of piles whose cards cost at most ``coins`` now, 0 or more."""
    if state.discounted == 0 and coins <= MAX_COINS:
        mask: int = rules.affordable[coins]
        return mask
    return computed_affordable(rules, state, coins)


@cold_kernel
def computed_affordable(rules: Rules, state: State, coins: int) -> int:
    """Return what `affordable` returns, pile by pile."""
    mask: int = np.int64(0)  # type: ignore[assignment]
    for pile in range(rules.n_piles):
        if cost_of(rules, state, pile) <= coins:
            mask |= bit(pile)
    return mask


@kernel
def forget_known(state: State, seat: int, mask: int) -> None:
    """Move the known cards of the piles in ``mask`` from the top of a deck to its unseen cards."""
    kept = 0
    for index in range(state.n_top[seat]):
        pile = state.top[seat, index]
        if (mask >> pile) & 1:
            put(state, Zone.DECK + seat, pile)
        else:
            state.top[seat, kept] = pile
            state.seen[seat, kept] = state.seen[seat, index]
            kept += 1
    state.n_top[seat] = kept


@kernel
def discard_deck(state: State, seat: int) -> None:
    """Put a deck into the discard pile; the others see of it only the cards that they knew on top."""
    for index in range(state.n_top[seat]):
        if state.seen[seat, index] == EVERYBODY:
            put(state, Zone.DISCARD + seat, state.top[seat, index])
        else:
            put(state, Zone.DECK + seat, state.top[seat, index])
    state.n_top[seat] = 0
    for pile in range(N_PILES):
        state.unseen_discards[seat, pile] += state.cards[Zone.DECK + seat, pile]
    empty_into(state, Zone.DECK + seat, Zone.DISCARD + seat)


@kernel
def discard_hand_and_play(state: State, seat: int) -> None:
    """Discard the play area and a hand, at once: of the hand the others do not see the cards."""
    hand = Zone.HAND + seat
    target = Zone.DISCARD + seat
    # Pile by pile of the mask: a hand has few, and a pass over all 17 makes a whole turn 5 % slower.
    piles = state.mask[hand]
    while piles != 0:
        pile = lowest_pile(piles)
        piles &= piles - 1
        n = state.cards[hand, pile]
        state.unseen_discards[seat, pile] += n
        state.cards[target, pile] += n
        state.cards[hand, pile] = 0
    state.n_cards[target] += state.n_cards[hand]
    state.mask[target] |= state.mask[hand]
    state.n_cards[hand] = 0
    state.mask[hand] = 0
    empty_into(state, Zone.IN_PLAY, target)


@kernel
def seed_streams(state: State, seed: np.uint64) -> None:
    """Begin all random streams of a game anew; they follow from one seed (uint64)."""
    state.chance[0] = seed
    for seat in range(MAX_SEATS):
        state.choices[seat] = next_word(state.chance, 0)
    for seat in range(MAX_SEATS - 1, -1, -1):
        state.chance[seat] = next_word(state.chance, 0)


@kernel
def restart(slots: States, seed: np.uint64) -> None:
    """Make ``slots[0]`` a copy of ``slots[1]`` with the random streams of a seed, and draw the opening hands."""
    slots[0] = slots[1]
    state = slots[0]
    seed_streams(state, seed)
    for seat in range(MAX_SEATS):
        draw(state, seat, HAND_SIZE)
    begin_turn(state, 0)


@kernel
def begin_turn(state: State, seat: int) -> None:
    """Give the turn to ``seat``: one Action, one Buy, no coins."""
    state.active = seat
    state.turns[seat] += 1
    state.phase = Phase.ACTION
    state.actions = 1
    state.buys = 1
    state.coins = 0
    state.treasures_played = 0
    if state.bonus_piles | state.discounted != 0:
        end_bonuses(state)


@cold_kernel
def end_bonuses(state: State) -> None:
    """Forget the bonuses and discounts of a turn."""
    state.bonus_piles = state.discounted = 0
    for pile in range(N_PILES):
        state.bonus[pile] = 0
        state.discount[pile] = 0
