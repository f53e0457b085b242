"""The events of a game as text for a person: a turn in one line, or event by event.

Cards another player drew are never named, nor what they discarded in clean-up: there only the top card is seen.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from evodom.dominion.cards import CARDS
from evodom.dominion.engine.effects import Type
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.events import DISCARDS_DECK, Event
from evodom.dominion.game import Decision, DominionGame


def counted(cards: Iterable[str]) -> list[str]:
    """Return each card once, in the order given, with its number if there are several: "Copper x3", "Silver".

    A Counter gives its own numbers.
    """
    return [name if n == 1 else f"{name} x{n}" for name, n in Counter(cards).items()]


HAS = "has"
"""The verb of an event that `note_coins` adds to the game's: how many coins a player has to buy with."""

_CLEANUP = ("discards", "shuffles", "draws")
_TOLD = ("gains", "trashes", "topdecks", "buys", "puts into hand", DISCARDS_DECK)
"""What a line tells of a player's own turn, besides the Actions played and the coins."""


@dataclass(frozen=True)
class Turn:
    """One player's turn: its events, other players' among them, without those of the clean-up."""

    seat: int
    number: int
    events: tuple[Event, ...]
    finished: bool


def note_coins(game: DominionGame, decision: Decision | None) -> None:
    """Add to a game's events how many coins there are to buy with, once a turn; ``decision`` is the pending one."""
    if decision is None or decision.effect.op != Op.BUY:
        return
    for event in reversed(game.events):
        if event.verb == HAS:
            return
        if event.verb == "turn":
            break
    game.events.append(Event(decision.seat, HAS, number=int(game.state.coins)))


def turns(events: Sequence[Event]) -> list[Turn]:
    """Split a game's events into turns; the last one may still be going on."""
    starts = [index for index, event in enumerate(events) if event.verb == "turn"]
    edges = [0, *starts, len(events)]
    over = bool(events) and events[-1].verb == "ends"
    found = []
    for first, last in pairwise(edges):
        opening = events[first] if first in starts else Event(0, "turn", number=1)
        inside = tuple(event for event in events[first:last] if event.verb not in ("turn", "ends"))
        finished = last < len(events) or over
        if finished:
            inside = _before_cleanup(inside, opening.seat)
        found.append(Turn(opening.seat, opening.number, inside, finished))
    return found


def line(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return a turn as one line: "demo #1: Village, Militia; $6; buys Gold; you discard Estate"."""
    mine = turn.seat == person
    parts: list[str] = [*_actions(turn)]
    others: list[str] = []
    for event in merged(event for event in turn.events if event.seat != turn.seat or _is_told(event)):
        if event.seat != turn.seat:
            others += _seen_of_others(event, names, person)
        else:
            parts.append(f"${event.number}" if event.verb == HAS else _phrase(event, person))
    if turn.finished and not any(event.verb == "buys" for event in turn.events):
        parts.append("buy nothing" if mine else "buys nothing")
    return f"{names[turn.seat]}: {'; '.join(parts + others) or '...'}"


def _is_told(event: Event) -> bool:
    """Tell whether a line tells this of a player's own turn, besides the Actions played."""
    return event.verb in (HAS, *_TOLD) or (event.verb == "discards" and event.source == Zone.DECK)


def story(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return a turn event by event, as one paragraph; of the cards that others drew only the number."""
    parts = []
    for event in merged(turn.events):
        who = "" if event.seat == turn.seat else f"{'you' if event.seat == person else names[event.seat]} "
        parts.append(f"${event.number}" if event.verb == HAS else who + _phrase(event, person))
    return f"{names[turn.seat]}: {'; '.join(parts) or '...'}"


def merged(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events, repeated ones of one player joined: "discards Copper x2"."""
    for _, group in groupby(events, lambda event: (event.seat, event.verb, event.hidden, event.source, event.target)):
        first, *rest = group
        cards = tuple(card for event in (first, *rest) for card in event.cards)
        yield replace(first, cards=cards, number=(first, *rest)[-1].number)


def _before_cleanup(events: tuple[Event, ...], seat: int) -> tuple[Event, ...]:
    """Return the events without those of the clean-up: what a player discards and draws after the last buy."""
    last = max((index for index, event in enumerate(events) if event.verb in (HAS, "buys")), default=-1)
    return tuple(e for index, e in enumerate(events) if index <= last or e.seat != seat or e.verb not in _CLEANUP)


def _actions(turn: Turn) -> Iterator[str]:
    """Yield the Actions played as one text: "Throne Room, Village, Village again"."""
    marks = {"plays": "", "plays again": " again"}
    played = [
        card + marks[event.verb]
        for event in turn.events
        if event.verb in marks
        for card in event.cards
        if Type.ACTION in CARDS[card].types
    ]
    if played:
        yield ", ".join(counted(played))


def _seen_of_others(event: Event, names: Sequence[str], person: int | None) -> Iterator[str]:
    """Yield what happened to the other players: all about the person; else reveals, gains, trashes."""
    if event.seat == person:
        yield f"you {_phrase(event, person)}"
    elif event.verb in ("gains", "trashes") or (event.verb == "reveals" and event.source == Zone.HAND):
        yield f"{names[event.seat]} {_phrase(event, person)}"


def _phrase(event: Event, person: int | None) -> str:
    """Return "plays Copper x2", or "play Copper x2" of the person's own; of hidden cards only how many."""
    mine = event.seat == person
    n = len(event.cards)
    unseen = "a card" if n == 1 and event.verb == "topdecks" else f"{n} card{'s' * (n > 1)}"
    told = event.phrase(", ".join(counted(event.cards)) if mine or not event.hidden else unseen)
    if not mine:
        return told
    verb, _, rest = told.partition(" ")
    base = "trash" if verb == "trashes" else verb.removesuffix("s")
    return f"{base} {rest}".rstrip().replace(" the ", " your ")
