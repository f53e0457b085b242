"""The events of a game: what happened, in the order in which it happened, with the seats that saw it.

`engine.events` writes them while the engine runs a recorded game. Games without a log cost nothing. `log` formats them
as text, and hides cards that a player has not seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from typing import Any

import numpy as np

from evodom.dominion.cards import Card
from evodom.dominion.engine.effects import Effect
from evodom.dominion.engine.events import must_stop
from evodom.dominion.engine.ops import EventKind as EventKind
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.rules import NONE, Rules
from evodom.dominion.engine.state import ALL_SEATS, RECORDED, STATE, State
from evodom.dominion.engine.turn import ADVANCE, run_engine


@dataclass(frozen=True, slots=True)
class Event:
    """An event of one seat."""

    seat: int
    kind: EventKind
    cards: tuple[str, ...] = ()
    """In the order of the moves. Cards that moved together are in pile order."""
    number: int = 0
    """Number of an event without cards (see `EventKind`)."""
    source: int = NONE
    target: int = NONE
    """Zones of the move. Both are HAND for a card revealed from a hand."""
    seen_by: int = ALL_SEATS
    """Mask of the seats that saw the cards."""

    def is_seen(self, seat: int | None) -> bool:
        """Return whether a seat saw the cards; for None, whether all seats did."""
        return self.seen_by == ALL_SEATS if seat is None else bool(self.seen_by >> seat & 1)


def record(rules: Rules, state: State, action: int) -> list[list[int]]:
    """Run the engine to the next Decision, with an answer or ADVANCE, and return the rows of its buffer of events."""
    buffer = bytearray(state.tobytes().ljust(RECORDED.itemsize, b"\0"))
    game: State = np.frombuffer(buffer, RECORDED)[0]
    rows, is_full = [], True
    while is_full:
        run_engine(rules, game, action)
        rows += game.events[: game.n_events[0]].tolist()
        is_full, action = must_stop(game), ADVANCE
        game.n_events[0] = 0
    after: State = np.frombuffer(buffer, STATE, 1)[0]
    for field in STATE.names or ():
        state[field] = after[field]
    return rows


def read_events(
    rows: Iterable[Sequence[int]], names: Sequence[str], effects: Sequence[tuple[Card | None, Effect]]
) -> list[Event]:
    """Return the events of rows of a buffer. ``names`` are the piles, ``effects`` the entries of `Rules.effects`."""
    events = []
    for kind, seat, pile, number, source, target, seen_by, cause in rows:
        cards = (names[pile],) * number if pile != NONE else ()
        shown_as = effects[cause][1].event if cause != NONE and source in (Zone.DECK, Zone.REVEALED) else None
        event = Event(seat, shown_as or EventKind(kind), cards, 0 if cards else number, source, target, seen_by)
        events.append(event)
    return list(merged(events, lambda event: replace(event, cards=(), number=0)))


def merged(events: Iterable[Event], key: Callable[[Event], Any]) -> Iterator[Event]:
    """Yield the events. Consecutive events with the same key become one with all their cards."""
    for _, group in groupby(events, key):
        first, *rest = group
        cards = tuple(card for event in (first, *rest) for card in event.cards)
        yield replace(first, cards=cards, number=(first, *rest)[-1].number)


def follow_discards(piles: list[list[str]], events: Iterable[Event]) -> None:
    """Update the order of the discard piles, from bottom to top. "" is a card discarded unseen with a deck."""
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
                if taken in pile:  # the beginning of the pile may be unknown
                    del pile[len(pile) - 1 - pile[::-1].index(taken)]


@dataclass(frozen=True)
class Turn:
    """A turn of one player with the events of all players in it, without the clean-up."""

    seat: int
    number: int
    events: tuple[Event, ...]
    finished: bool


def turns(events: Sequence[Event]) -> list[Turn]:
    """Split a game's events into turns. The last turn may be unfinished."""
    starts = [index for index, event in enumerate(events) if event.kind == EventKind.TURN]
    found = []
    for first, last in pairwise([0, *starts, len(events)]):
        opening = events[first] if first in starts else Event(0, EventKind.TURN, number=1)
        inside = (event for event in events[first:last] if event != opening)
        before = tuple(takewhile(lambda event: event.kind != EventKind.CLEAN_UP, inside))
        over = last > first and events[last - 1].kind == EventKind.END
        found.append(Turn(opening.seat, opening.number, before, last < len(events) or over))
    return found
