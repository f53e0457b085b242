"""Format the events of a game as text, for the terminal, the web page and reports.

The text hides cards that the reader has not seen. Its tokens are cards (`CardToken`) and the text between them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from evodom.dominion.cards import CARDS, name_cards
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.state import ALL_SEATS
from evodom.dominion.events import Event, merged
from evodom.dominion.events import EventKind as EventKind
from evodom.dominion.events import Turn as Turn
from evodom.dominion.events import turns as turns
from evodom.dominion.zones import MATS


class CardToken(str):
    """A token of a text that is the name of a card."""

    __slots__ = ()


Tokens = list[str]

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
    EventKind.MAT: "puts {} onto the mat of ",
    EventKind.RESOLVE: "resolves {} of the last turn",
}
_PHRASE_ENDS: dict[tuple[int, int], str] = {
    (EventKind.GAIN, Zone.HAND): " to the hand",
    (EventKind.GAIN, Zone.DECK_TOP): " onto the deck",
    (EventKind.GAIN, Zone.SET_ASIDE): ", set aside",
}
"""Ends of phrases by kind and target zone."""
_VERBS_OF_YOU = {"trashes": "trash", "passes": "pass", "chooses:": "choose:"}
_MATS = {mat.zone: CardToken(mat.card) for mat in MATS}

_ALWAYS_SHOWN = (EventKind.BUY, EventKind.GAIN, EventKind.TRASH)
_SHOWN = (
    EventKind.COINS,
    EventKind.DISCARD_DECK,
    EventKind.OPTION,
    EventKind.NAME,
    *_ALWAYS_SHOWN,
    EventKind.TOPDECK,
    EventKind.TO_HAND,
    EventKind.PASS,
    EventKind.VP,
    EventKind.MAT,
)
"""Kinds of the active player's events in `turn_tokens`, in addition to plays, RESOLVE and discards from a deck."""


def event_text(event: Event) -> str:
    """Return an event as a phrase: "plays 2 Copper, Silver". It also names cards that some players have not seen."""
    cards = name_cards(event.cards) if event.cards else event.option or str(event.number)
    return "".join(_filled(event, _template(event), [cards]))


def turn_line(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return the name of the player and the tokens of `turn_tokens` as text: "demo #1: Village, Militia; $6"."""
    return f"{names[turn.seat]}: {''.join(turn_tokens(turn, names, person))}"


def turn_story(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return the name of the player and the tokens of `story_tokens` as text."""
    return f"{names[turn.seat]}: {''.join(story_tokens(turn, names, person))}"


def turn_tokens(turn: Turn, names: Sequence[str], person: int | None) -> Tokens:
    """Return a turn as one line: "Village, Militia; $6; buys Gold; you discard Estate".

    ``names`` are the players by seat. ``person`` is the seat addressed as "you", or None.
    """
    due = [event for event in turn.events if event.kind == EventKind.RESOLVE]
    parts = [*_extra_turn_mark(turn), *(_phrase(event, person) for event in _merged(due)), *_played(turn)]
    others: list[Tokens] = []
    for event in _merged(event for event in turn.events if event.seat != turn.seat or _is_shown(event)):
        if event.seat != turn.seat:
            others += _event_of_another(event, names, person)
        else:
            parts.append(_phrase(event, person))
    if turn.finished and not any(event.kind == EventKind.BUY for event in turn.events):
        parts.append(["buy nothing" if turn.seat == person else "buys nothing"])
    return _joined("; ", parts + others) or ["..."]


def story_tokens(turn: Turn, names: Sequence[str], person: int | None) -> Tokens:
    """Return all events of a turn as one paragraph. Cards that ``person`` has not seen are only counted."""
    parts = _extra_turn_mark(turn)
    for event in _merged(turn.events):
        who = "" if event.seat == turn.seat else f"{'you' if event.seat == person else names[event.seat]} "
        parts.append([who, *_phrase(event, person)])
    return _joined("; ", parts) or ["..."]


def _joined(separator: str, parts: Iterable[Tokens]) -> Tokens:
    return [token for part in parts for token in (separator, *part)][1:]


def _merged(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events that have a text. Merge consecutive events with the same text and the same readers."""
    no_tokens = EventKind.VP, 0
    shown = (each for each in events if each.kind != EventKind.ARRIVE and (each.kind, each.number) != no_tokens)
    return merged(shown, lambda event: (event.seat, _filled(event, _template(event), [event.option]), event.seen_by))


def _is_shown(event: Event) -> bool:
    return event.kind in _SHOWN or (event.kind == EventKind.DISCARD and event.source == Zone.DECK)


def turn_name(number: int, *, is_extra: bool) -> str:
    """Return the name of a turn: "12", or "12 (extra)" for an extra turn after turn 12."""
    return f"{number} (extra)" if is_extra else str(number)


def _extra_turn_mark(turn: Turn) -> list[Tokens]:
    return [["extra turn"]] if turn.is_extra else []


def _played(turn: Turn) -> Iterator[Tokens]:
    """Yield the played cards as one text, without plain Treasures: "Throne Room, Village, Village again"."""
    marks = {EventKind.PLAY: "", EventKind.REPLAY: " again"}
    own = (event for event in turn.events if event.seat == turn.seat and event.kind in marks)
    plays = ((card, marks[event.kind]) for event in own for card in event.cards)
    if played := [play for play in plays if not (CARDS[play[0]].only_gives_coins or CARDS[play[0]].is_useless)]:
        yield _listed(played)


def _listed(cards: Iterable[tuple[str, str]]) -> Tokens:
    """Return each different pair of a card and a mark once, with its count if above 1: "Village again x2, Silver"."""
    counts = Counter(cards).items()
    return _joined(", ", ([CardToken(card), mark + f" x{n}" * (n > 1)] for (card, mark), n in counts))


def _event_of_another(event: Event, names: Sequence[str], person: int | None) -> Iterator[Tokens]:
    """Yield a phrase for an event of another player.

    Every event of ``person`` has a phrase. Events of others have one only for plays, gains, named cards, trashes,
    reveals of a hand, and cards passed to ``person``.
    """
    is_reveal = (event.kind, event.source) == (EventKind.REVEAL, Zone.HAND)
    is_received = event.kind == EventKind.PASS and event.is_seen(person)
    if event.seat == person:
        yield ["you ", *_phrase(event, person)]
    elif event.kind in (EventKind.PLAY, EventKind.NAME, *_ALWAYS_SHOWN) or is_reveal or is_received:
        yield [f"{names[event.seat]} ", *_phrase(event, person)]


def _phrase(event: Event, person: int | None) -> Tokens:
    """Return "plays Copper x2", or "play Copper x2" for ``person``. Cards that ``person`` has not seen are counted."""
    if event.kind == EventKind.COINS:
        return [f"${event.number}"]
    n, template = len(event.cards), _template(event)
    if event.seat == person:
        verb, space, rest = template.partition(" ")
        template = _VERBS_OF_YOU.get(verb, verb.removesuffix("s")) + space + rest.replace("the ", "your ")
    elif event.kind == EventKind.PASS and event.is_seen(person):
        template = template.replace(" to the left", " to you")
    if event.option:
        cards = [event.option]
    elif event.is_seen(person):
        cards = _listed((card, "") for card in event.cards) or [str(event.number)]
    else:
        is_one = n == 1 and event.kind in (EventKind.TOPDECK, EventKind.PASS, EventKind.MAT, EventKind.SET_ASIDE)
        cards = ["a card" if is_one else f"{n} card{'s' * (n > 1)}"]
    return _filled(event, template, cards)


def _template(event: Event) -> str:
    """Return the phrase of an event, with {} in place of the cards."""
    if event.kind == EventKind.REVEAL and event.seen_by != ALL_SEATS:
        return "looks at {}"
    return _PHRASES[event.kind] + _PHRASE_ENDS.get((event.kind, event.target), "")


def _filled(event: Event, template: str, cards: Tokens) -> Tokens:
    """Return a template with ``cards``, and with the card of the mat that the event names."""
    before, slot, after = template.partition("{}")
    mat = [_MATS[Zone(event.target)]] if event.kind == EventKind.MAT else []
    return [before, *(cards if slot else []), after, *mat]
