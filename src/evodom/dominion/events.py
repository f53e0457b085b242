"""Read the events of a game in order. An event has the seats that saw its cards.

While the engine runs a game with a log, `engine.events` writes rows to an array. This module converts them to events.
`log` formats events as text and hides the cards that a player has not seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from typing import Any

import numpy as np

from evodom.dominion.cards import Card
from evodom.dominion.effects.effect import Effect
from evodom.dominion.effects.ops import EventKind as EventKind
from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.engine.events import must_stop
from evodom.dominion.engine.rules import NONE, Rules
from evodom.dominion.engine.state import ALL_SEATS, MAX_EVENTS, N_EVENT_COLUMNS, State
from evodom.dominion.engine.turn import ADVANCE, run_engine


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a seat did or that happened to it, such as a buy, a draw or a new turn."""

    seat: int
    kind: EventKind
    cards: tuple[str, ...] = ()
    """Card names, in the order of the moves. Cards that moved together are in the order of the piles."""
    number: int = 0
    """The number of an event without cards, such as the turn (see `EventKind`); 0 with cards."""
    source: int = NONE
    """Source zone of the cards, or NONE. HAND for cards revealed from a hand."""
    target: int = NONE
    """Target zone of the cards, or NONE. HAND for cards revealed from a hand."""
    seen_by: int = ALL_SEATS
    """Bit mask of the seats that saw the cards."""
    option: str = ""
    """The text of a chosen option."""

    def is_seen(self, seat: int | None) -> bool:
        """Return whether ``seat`` saw the cards; for None, whether all seats saw them."""
        return self.seen_by == ALL_SEATS if seat is None else bool(self.seen_by >> seat & 1)


def record_events(
    rules: Rules, state: State, action: int, run: Callable[[Rules, State, int], object] = run_engine
) -> list[list[int]]:
    """Run the engine on ``state`` to the next Decision and return the rows of the events.

    ``action`` is the answer to the pending Decision, or ADVANCE. The engine stops whenever the log is more than half
    full, so that this function can copy its rows. At the end the record equals the record of a game without a log.
    ``run`` replaces the kernel that executes the action.
    """
    log = np.empty((MAX_EVENTS, N_EVENT_COLUMNS), np.int64)
    state.log = log.ctypes.data
    rows, is_full = [], True
    try:
        while is_full:
            run(rules, state, action)
            rows += log[: state.n_events].tolist()
            is_full, action = must_stop(state), ADVANCE
            state.n_events = 0
    finally:  # also after Ctrl-C: no copy of the record may keep the address
        state.log = state.n_events = 0
    return rows


def read_events(
    rows: Iterable[Sequence[int]], names: Sequence[str], effects: Sequence[tuple[Card | None, Effect]]
) -> list[Event]:
    """Convert the rows of the event buffer to events. Merge consecutive events that differ only in their cards.

    Args:
        names: card names, by pile.
        effects: card and Effect of each row of `Rules.effects`.
    """
    events = []
    for kind, seat, pile, number, source, target, seen_by, cause in rows:
        cards = (names[pile],) * number if pile != NONE else ()
        shown_as = effects[cause][1].event if cause != NONE and source in (Zone.DECK, Zone.REVEALED) else None
        option = _option_text(effects[cause][1], number) if kind == EventKind.OPTION else ""
        n = 0 if cards or option else number
        events.append(Event(seat, shown_as or EventKind(kind), cards, n, source, target, seen_by, option))
    return list(merged(events, lambda event: replace(event, cards=(), number=0)))


def place_text(n: int) -> str:
    """Return the text of the place in a deck under ``n`` cards."""
    return f"under {n} card{'s' * (n > 1)}" if n else "on top"


def _option_text(effect: Effect, number: int) -> str:
    return place_text(number) if effect.op == Op.PLACE else effect.inner[number].text


def merged(events: Iterable[Event], key: Callable[[Event], Any]) -> Iterator[Event]:
    """Merge consecutive events with the same key into one event with all cards. Add numbers of VP tokens."""
    for _, group in groupby(events, key):
        first, *rest = group
        cards = tuple(card for event in (first, *rest) for card in event.cards)
        numbers = [event.number for event in (first, *rest)]
        yield replace(first, cards=cards, number=sum(numbers) if first.kind == EventKind.VP else numbers[-1])


def follow_discards(piles: list[list[str]], events: Iterable[Event]) -> None:
    """Apply events to the discard piles of all seats. A pile lists cards from bottom to top, "" for an unseen card."""
    for event in events:
        pile = piles[event.seat]
        if event.kind == EventKind.SHUFFLE:
            pile.clear()
        elif event.kind == EventKind.DISCARD_DECK:
            pile += [""] * event.number
        elif event.target == Zone.DISCARD:
            pile += event.cards
        elif event.source == Zone.DISCARD:
            for card in event.cards:
                taken = card if card in pile else ""
                if taken in pile:  # false for a card discarded before the first event
                    del pile[len(pile) - 1 - pile[::-1].index(taken)]


@dataclass(frozen=True)
class Turn:
    """A turn of one player: the events of all players from its start until the clean-up begins."""

    seat: int
    number: int
    events: tuple[Event, ...]
    finished: bool
    is_extra: bool = False
    """True for an extra turn. It has the number of the turn before."""


def turns(events: Sequence[Event]) -> list[Turn]:
    """Split the events of a game into turns. The last turn may be unfinished."""
    starts = [index for index, event in enumerate(events) if event.kind == EventKind.TURN]
    found: list[Turn] = []
    for first, last in pairwise([*sorted({0, *starts}), len(events)]):
        # The engine writes no TURN event for the first turn of a game.
        opening = events[first] if first in starts else Event(0, EventKind.TURN, number=1)
        inside = (event for event in events[first:last] if event != opening)
        before = tuple(takewhile(lambda event: event.kind != EventKind.CLEAN_UP, inside))
        over = last > first and events[last - 1].kind == EventKind.END
        is_extra = bool(found) and (found[-1].seat, found[-1].number) == (opening.seat, opening.number)
        found.append(Turn(opening.seat, opening.number, before, last < len(events) or over, is_extra))
    return found
