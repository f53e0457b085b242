"""Format the events of a game as text, for the terminal, the web page and reports.

The text hides cards that the reader has not seen.
"""

from collections.abc import Iterable, Iterator, Sequence

from evodom.dominion.cards import CARDS, Card, counted, name_cards
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.state import ALL_SEATS
from evodom.dominion.events import Event, merged
from evodom.dominion.events import EventKind as EventKind
from evodom.dominion.events import Turn as Turn
from evodom.dominion.events import turns as turns

_PHRASES = {
    EventKind.TURN: "turn",
    EventKind.COINS: "has ${}",
    EventKind.CLEAN_UP: "cleans up",
    EventKind.END: "ends",
    EventKind.SHUFFLE: "shuffles",
    EventKind.DISCARD_DECK: "puts the deck into the discard pile",
    EventKind.PLAY: "plays {}",
    EventKind.REPLAY: "plays {} again",
    EventKind.BUY: "buys {}",
    EventKind.GAIN: "gains {}",
    EventKind.TRASH: "trashes {}",
    EventKind.DISCARD: "discards {}",
    EventKind.TOPDECK: "puts {} onto the deck",
    EventKind.TO_HAND: "puts {} into the hand",
    EventKind.SET_ASIDE: "sets aside {}",
    EventKind.DRAW: "draws {}",
    EventKind.REVEAL: "reveals {}",
    EventKind.ARRIVE: "",
    EventKind.OPTION: "chooses: {}",
    EventKind.NAME: "names {}",
    EventKind.PASS: "passes {} to the left",
    EventKind.VP: "takes {} VP",
    EventKind.MAT: "puts {} onto the mat",
    EventKind.RESOLVE: "resolves {} of the last turn",
}
_TARGETS: dict[tuple[int, int], str] = {
    (EventKind.GAIN, Zone.HAND): " to the hand",
    (EventKind.GAIN, Zone.DECK_TOP): " onto the deck",
    (EventKind.GAIN, Zone.SET_ASIDE): ", set aside",
    (EventKind.MAT, Zone.ISLAND_MAT): " of Island",
    (EventKind.MAT, Zone.VILLAGE_MAT): " of Native Village",
}
"""Ends of phrases by kind and target zone."""

_GAINS = (EventKind.BUY, EventKind.GAIN, EventKind.TRASH)
_SHOWN = (
    EventKind.COINS,
    EventKind.DISCARD_DECK,
    EventKind.OPTION,
    EventKind.NAME,
    *_GAINS,
    EventKind.TOPDECK,
    EventKind.TO_HAND,
    EventKind.PASS,
    EventKind.VP,
    EventKind.MAT,
)
"""Kinds of events in a line about the active player. Plays, due cards and discards from a deck are added to them."""


def event_text(event: Event) -> str:
    """Return an event as a phrase: "plays 2 Copper, Silver". It names cards that not all players have seen."""
    return _phrase_with(event, name_cards(event.cards) if event.cards else event.option or str(event.number))


def turn_line(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return a turn as one line: "demo #1: Village, Militia; $6; buys Gold; you discard Estate".

    ``names`` are the players by seat. ``person`` is the seat addressed as "you", or None.
    """
    due = [event for event in turn.events if event.kind == EventKind.RESOLVE]
    parts = [*_extra(turn), *(_phrase(event, person) for event in _merged(due)), *_played(turn)]
    others: list[str] = []
    for event in _merged(event for event in turn.events if event.seat != turn.seat or _is_shown(event)):
        if event.seat != turn.seat:
            others += _event_of_another(event, names, person)
        else:
            parts.append(_phrase(event, person))
    if turn.finished and not any(event.kind == EventKind.BUY for event in turn.events):
        parts.append("buy nothing" if turn.seat == person else "buys nothing")
    return f"{names[turn.seat]}: {'; '.join(parts + others) or '...'}"


def turn_story(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return all events of a turn as one paragraph. Cards that ``person`` has not seen are only counted."""
    parts = _extra(turn)
    for event in _merged(turn.events):
        who = "" if event.seat == turn.seat else f"{'you' if event.seat == person else names[event.seat]} "
        parts.append(who + _phrase(event, person))
    return f"{names[turn.seat]}: {'; '.join(parts) or '...'}"


def _merged(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events that have a text. Merge consecutive events with the same text and the same readers."""
    no_tokens = EventKind.VP, 0
    shown = (each for each in events if each.kind != EventKind.ARRIVE and (each.kind, each.number) != no_tokens)
    return merged(shown, lambda event: (event.seat, _phrase_with(event, event.option), event.seen_by))


def _is_shown(event: Event) -> bool:
    return event.kind in _SHOWN or (event.kind == EventKind.DISCARD and event.source == Zone.DECK)


def turn_name(number: int, *, is_extra: bool) -> str:
    """Return the name of a turn: "12", or "12 (extra)" for the extra turn after it."""
    return f"{number} (extra)" if is_extra else str(number)


def _extra(turn: Turn) -> list[str]:
    return ["extra turn"] if turn.is_extra else []


def _played(turn: Turn) -> Iterator[str]:
    """Yield the played cards as one text, without plain Treasures: "Throne Room, Village, Village again"."""
    marks = {EventKind.PLAY: "", EventKind.REPLAY: " again"}
    own = (event for event in turn.events if event.seat == turn.seat and event.kind in marks)
    plays = ((card, event.kind) for event in own for card in event.cards)
    if played := [card + marks[kind] for card, kind in plays if not _is_plain(CARDS[card])]:
        yield ", ".join(counted(played))


def _is_plain(card: Card) -> bool:
    return card.only_gives_coins or card.is_useless


def _event_of_another(event: Event, names: Sequence[str], person: int | None) -> Iterator[str]:
    """Yield a phrase for an event of another player.

    Every event of ``person`` has a phrase. Of other players only plays, gains, named cards, trashes, reveals of a hand,
    and cards passed to ``person`` have a phrase.
    """
    is_reveal = (event.kind, event.source) == (EventKind.REVEAL, Zone.HAND)
    is_received = event.kind == EventKind.PASS and event.is_seen(person)
    if event.seat == person:
        yield f"you {_phrase(event, person)}"
    elif event.kind in (EventKind.PLAY, EventKind.NAME, *_GAINS) or is_reveal or is_received:
        yield f"{names[event.seat]} {_phrase(event, person)}"


def _phrase(event: Event, person: int | None) -> str:
    """Return "plays Copper x2", or "play Copper x2" for ``person``. Cards that ``person`` has not seen are counted."""
    if event.kind == EventKind.COINS:
        return f"${event.number}"
    n = len(event.cards)
    if event.option:
        return f"choose: {event.option}" if event.seat == person else _phrase_with(event, event.option)
    is_one = n == 1 and event.kind in (EventKind.TOPDECK, EventKind.PASS, EventKind.MAT, EventKind.SET_ASIDE)
    unseen = "a card" if is_one else f"{n} card{'s' * (n > 1)}"
    seen = ", ".join(counted(event.cards)) or str(event.number)
    phrase = _phrase_with(event, seen if event.is_seen(person) else unseen)
    if event.seat != person:
        passed_to_person = event.kind == EventKind.PASS and event.is_seen(person)
        return phrase.replace(" to the left", " to you") if passed_to_person else phrase
    verb, _, rest = phrase.partition(" ")
    base = verb.removesuffix("es") if verb in ("trashes", "passes") else verb.removesuffix("s")
    return f"{base} {rest}".rstrip().replace(" the ", " your ")


def _phrase_with(event: Event, cards: str) -> str:
    """Return an event as a phrase with ``cards`` in place of the names: "puts a card onto the deck"."""
    if event.kind == EventKind.REVEAL and event.seen_by != ALL_SEATS:
        return f"looks at {cards}"
    return _PHRASES[event.kind].format(cards) + _TARGETS.get((event.kind, event.target), "")
