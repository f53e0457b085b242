"""Derive the events of a game from the records before and after each step, and format them as text.

The engine writes no log, so games without a log cost nothing. One step resolves one Effect or takes one step of a turn.
The Effect determines the zones, and the difference of the records determines the cards. The text hides the cards that
another player draws, and the cards discarded in clean-up, of which only the top card is seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from evodom.dominion.cards import CARDS, Card, counted, name_cards
from evodom.dominion.engine.effects import Effect, Type
from evodom.dominion.engine.ops import FRESH, Column, Ending, Frame, Op, Zone
from evodom.dominion.engine.rules import N_PILES, NONE, Numbers
from evodom.dominion.engine.state import State

if TYPE_CHECKING:
    from evodom.dominion.game import Decision, DominionGame


DISCARDS_DECK = "puts the deck into the discard pile"
"""Verb of an event without cards, because they are discarded unseen."""

_VERBS: dict[int, str] = {
    Zone.IN_PLAY: "plays",
    Zone.DISCARD: "discards",
    Zone.TRASH: "trashes",
    Zone.DECK_TOP: "topdecks",
    Zone.HAND: "puts into hand",
    Zone.SET_ASIDE: "sets aside",
}
"""Verbs for moves by target zone, except for cards that leave a deck or are gained."""

_PHRASES = {
    "topdecks": "puts {} onto the deck",
    "puts into hand": "puts {} into the hand",
    "plays again": "plays {} again",
}
_GAINED: dict[int, str] = {Zone.HAND: " to the hand", Zone.DECK_TOP: " onto the deck"}


@dataclass(frozen=True, slots=True)
class Event:
    """An event of one seat."""

    seat: int
    verb: str
    """"turn", "plays", "plays again", "buys", "gains", "trashes", "discards", "topdecks", "draws", "reveals",
    "looks at", "puts into hand", "sets aside", DISCARDS_DECK, "shuffles", "ends"."""
    cards: tuple[str, ...] = ()
    """In the order in which they left a deck or were put onto it, as far as known."""
    hidden: bool = False
    """True if only this seat saw the cards."""
    number: int = 0
    """For "turn" its number, for DISCARDS_DECK the number of cards, for HAS the coins. Else 0."""
    source: int = NONE
    target: int = NONE
    """Zones of the move. Both are HAND for a card revealed from hand."""

    @property
    def is_from_deck(self) -> bool:
        """True if the cards are discarded from a deck."""
        return self.verb == "discards" and self.source == Zone.DECK

    @property
    def text(self) -> str:
        """The event as a phrase: "plays 2 Copper, Silver"."""
        return self.phrase(name_cards(self.cards))

    def phrase(self, cards: str) -> str:
        """Return the event as a phrase with ``cards`` in place of the names: "puts a card onto the deck"."""
        where = _GAINED.get(self.target, "") if self.verb == "gains" else ""
        return (_PHRASES.get(self.verb, self.verb + " {}").format(cards) + where).rstrip()


@contextmanager
def record_events(game: "DominionGame") -> Iterator[None]:
    """Append the events of the step made inside the block to ``game.events``, and update ``game.discards``."""
    if not game.log:
        yield
        return
    before = game.state.copy()
    yield
    events = list(_Step(game, before).events())
    game.events += events
    discards = slice(Zone.DISCARD, Zone.DISCARD + game.n_players)
    changed = (game.state["cards"][discards] != before["cards"][discards]).any(axis=1)
    for seat in np.flatnonzero(changed).tolist():
        _update_discards(game, before, seat)
    for event in events:
        if event.verb == DISCARDS_DECK:
            game.discards[event.seat].append("")


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of the engine: the game after it, and the record before it."""

    game: "DominionGame"
    before: State

    def events(self) -> Iterator[Event]:
        """Yield the events of the step, in order."""
        state, before = self.game.state, self.before
        if before["decider"] != NONE:
            yield from self._choice()
        elif before["depth"] > 0:
            yield from self._effect()
        elif self._turn_is_over():
            yield from self._clean_up()
        else:
            yield from self._moved(int(before["active"]), Zone.HAND, Zone.IN_PLAY)
        yield from self._played_again()
        if state["ended"] != Ending.PLAYING:
            yield Event(int(before["active"]), "ends")
        elif self._turn_is_over():
            yield Event(int(state["active"]), "turn", number=int(state["turns"][state["active"]]))

    def _choice(self) -> Iterator[Event]:
        """Yield the events of a player's choice."""
        card, effect = self.game.card_effects[self.before.asked_effect]
        if effect.op == Op.OFFER_REACTION:
            if self.game.state.unaffected != self.before.unaffected:
                revealed = int(self.before.legal) & int(self.game.rules.reactions)
                name = self.game.piles[revealed.bit_length() - 1].name
                yield Event(int(self.before.decider), "reveals", (name,), source=Zone.HAND, target=Zone.HAND)
        elif effect.op == Op.BUY:
            yield from self._moved(int(self.before.active), Zone.SUPPLY, Zone.DISCARD, "buys")
        else:
            seat = self.before.active if card is None else self.before.stack[self.before.depth - 1, Frame.SEAT]
            yield from self._moved_by(int(self.before.asked_effect), int(seat))

    def _effect(self) -> Iterator[Event]:
        """Yield the events of the Effect that was next in the top frame."""
        frame = self.before.stack[self.before.depth - 1]
        if frame[Frame.NEXT] == frame[Frame.END]:
            return
        card, effect = self.game.card_effects[frame[Frame.NEXT]]
        seat = int(frame[Frame.SEAT])
        if effect.op in (Op.CARDS, Op.CARDS_PER_CHOSEN, Op.DRAW_UP_TO):
            yield from self._off_deck(seat, Zone.HAND, "draws", hidden=True)
        elif effect.op in (Op.REVEAL, Op.REVEAL_UNTIL):
            verb = effect.verb or ("looks at" if effect.hidden else "reveals")
            yield from self._off_deck(seat, _shown_zone(card, Zone.REVEALED), verb, hidden=effect.hidden, effect=effect)
        elif effect.op == Op.MOVE_ALL and (effect.source, effect.target) == (Zone.DECK, Zone.DISCARD):
            size = int((self._zone(self.before, Zone.DECK, seat) - self._zone(self.game.state, Zone.DECK, seat)).sum())
            if size:
                yield Event(seat, DISCARDS_DECK, number=size, source=Zone.DECK, target=Zone.DISCARD)
        elif effect.op in (Op.GAIN, Op.MOVE_ALL):
            yield from self._moved_by(int(frame[Frame.NEXT]), seat)
        elif effect.op == Op.TRASH_THIS:
            yield from self._moved(seat, Zone.IN_PLAY, Zone.TRASH)
        elif effect.op == Op.CHOOSE and frame[Frame.CARDS_LEFT] == FRESH:
            yield from self._nothing_to_choose(effect, seat)

    def _clean_up(self) -> Iterator[Event]:
        """Yield the events of the clean-up: discards of hand and play area, and the draw of a hand."""
        before, seat = self.before, int(self.before.active)
        for zone in (Zone.HAND, Zone.IN_PLAY):
            if cards := self._names(self._zone(before, zone, seat)):
                yield Event(seat, "discards", cards, source=zone, target=Zone.DISCARD)
        yield from self._off_deck(seat, Zone.HAND, "draws", hidden=True)

    def _nothing_to_choose(self, effect: Effect, seat: int) -> Iterator[Event]:
        """Yield the reveal of a hand that has no card of the required type."""
        state = self.game.state
        cards = self._names(self._zone(state, Zone.HAND, seat))
        asked_for = effect.types and (effect.source, effect.target) == (Zone.HAND, Zone.DECK_TOP)
        if state.decider == NONE and asked_for and cards:
            yield Event(seat, "reveals", cards, source=Zone.HAND, target=Zone.HAND)

    def _played_again(self) -> Iterator[Event]:
        """Yield "plays again" when the frame of a card's second play has reached the top of the stack."""
        state = self.game.state
        if not 0 < state["depth"] < self.before["depth"]:
            return
        frame = state.stack[state.depth - 1]
        if not frame[Frame.IS_REPLAY] or frame[Frame.CARDS_LEFT] != FRESH or frame[Frame.NEXT] == frame[Frame.END]:
            return
        pile = np.flatnonzero(self.game.rules.first_effect[: len(self.game.piles)] == frame[Frame.NEXT])
        if len(pile):
            yield Event(int(frame[Frame.SEAT]), "plays again", (self.game.piles[pile[0]].name,))

    # Cards that moved.

    def _moved_by(self, index: int, seat: int) -> Iterator[Event]:
        """Yield the events of cards moved by the Effect with this index in `Rules.effects`."""
        card, effect = self.game.card_effects[index]
        hidden = effect.target == Zone.DECK_TOP and not self.game.rules.effects[index, Column.FACE_UP]
        if effect.source == Zone.TRASH:
            seat = int(self.before.active)
        source, target = _shown_zone(card, effect.source), _shown_zone(card, effect.target)
        for event in self._moved(seat, effect.source, effect.target):
            if source == target:
                return
            verb = event.verb if event.verb == "gains" else _VERBS[target]
            yield Event(seat, verb, event.cards, hidden, 0, source, target)

    def _moved(self, seat: int, source: int, target: int, verb: str = "") -> Iterator[Event]:
        """Yield the event of the cards that moved from one zone to another."""
        lost = self._zone(self.before, source, seat) - self._zone(self.game.state, source, seat)
        cards = self._names(lost)
        gained = "gains" if source in (Zone.SUPPLY, Zone.TRASH) else _VERBS[target]
        if cards:
            yield Event(seat, verb or gained, cards, source=source, target=target)

    def _off_deck(
        self, seat: int, target: int, verb: str, *, hidden: bool, effect: Effect | None = None
    ) -> Iterator[Event]:
        """Yield the events of cards taken off a deck, and of a shuffle in between."""
        before, state = self.before, self.game.state
        deck, left = self._zone(before, Zone.DECK, seat), self._zone(state, Zone.DECK, seat)
        pile = self._zone(before, Zone.DISCARD, seat)
        if effect is None and self._turn_is_over():
            pile = pile + self._zone(before, Zone.HAND, seat) + self._zone(before, Zone.IN_PLAY, seat)
        shuffled = pile.any() and not state.n_cards[Zone.DISCARD + seat]
        known = [int(each) for each in before.known[seat, : before.n_known[seat]][::-1]]
        parts = [self._in_order(deck if shuffled else deck - left, known, effect)]
        if shuffled:
            parts.append(self._in_order(pile - left, [], effect))
        for number, cards in enumerate(parts):
            if number:
                yield Event(seat, "shuffles")
            if cards:
                yield Event(seat, verb, cards, hidden, 0, Zone.DECK, target)

    def _in_order(self, taken: Numbers, known: list[int], effect: Effect | None) -> tuple[str, ...]:
        """Order cards taken off a deck: known cards first, in deck order, and cards of the Effect's types last."""
        known = known[: int(taken.sum())]
        rest = self._names(taken - np.bincount(known, minlength=N_PILES))
        if effect and effect.types:
            wanted = effect.types
            rest = tuple(sorted(rest, key=lambda name: bool(CARDS[name].types & wanted)))
        return (*(self.game.piles[each].name for each in known), *rest)

    # The records.

    def _turn_is_over(self) -> bool:
        state = self.game.state
        return bool(state["ended"] != Ending.PLAYING or (state["turns"] != self.before["turns"]).any())

    def _zone(self, state: State, zone: int, seat: int) -> Any:
        """Return the cards of a zone as counts, including known cards of a deck."""
        if zone in (Zone.DECK, Zone.DECK_TOP):
            top = np.bincount(state["known"][seat, : state["n_known"][seat]], minlength=N_PILES)
            return state["cards"][Zone.DECK + seat] + top
        return state["cards"][zone + seat if zone < Zone.REVEALED else zone]

    def _names(self, counts: Numbers) -> tuple[str, ...]:
        return tuple(card.name for card, n in zip(self.game.piles, counts, strict=False) for _ in range(n))


def _shown_zone(card: Card | None, zone: int) -> int:
    """Return the zone to show for a zone of the record.

    Cards that are drawn to hand, or discarded from a deck, stay in REVEALED while a question about them is pending.
    """
    if card is None or zone != Zone.REVEALED:
        return zone
    if any(effect.op == Op.DRAW_UP_TO for effect in card.program):
        return Zone.HAND
    discarded = any(effect.op == Op.REVEAL and effect.verb == "discards" for effect in card.program)
    return Zone.DISCARD if discarded else Zone.REVEALED


def _update_discards(game: "DominionGame", before: State, seat: int) -> None:
    """Update the known order of a discard pile. At clean-up the cards from play are on top."""
    pile, cards, cards_before = game.discards[seat], game.state["cards"], before["cards"]
    change = cards[Zone.DISCARD + seat] - cards_before[Zone.DISCARD + seat]
    if not game.state["n_cards"][Zone.DISCARD + seat]:
        pile.clear()
        return
    played = np.clip(cards_before[Zone.IN_PLAY + seat] - cards[Zone.IN_PLAY + seat], 0, np.maximum(change, 0))
    for counts in (change - played, played):
        for card, n in zip(game.piles, counts.tolist(), strict=False):
            pile += [card.name] * n
    for card, n in zip(game.piles, (-change).tolist(), strict=False):
        for _ in range(min(n, pile.count(card.name))):  # a pile whose beginning is unknown may not have it
            del pile[len(pile) - 1 - pile[::-1].index(card.name)]


HAS = "has"
"""Verb of the events of `note_coins`: a player's coins in the buy phase."""

_CLEANUP = ("discards", "shuffles", "draws")
_SHOWN_VERBS = (HAS, "gains", "trashes", "topdecks", "buys", "puts into hand", DISCARDS_DECK)
"""Verbs of the events in a line about the active player, in addition to Actions played."""


@dataclass(frozen=True)
class Turn:
    """A turn of one player with the events of all players in it. Finished turns omit the clean-up."""

    seat: int
    number: int
    events: tuple[Event, ...]
    finished: bool


def note_coins(game: "DominionGame", decision: "Decision | None") -> None:
    """Append a HAS event with the available coins, once a turn, if the pending ``decision`` is a buy."""
    if decision is None or decision.effect.op != Op.BUY:
        return
    for event in reversed(game.events):
        if event.verb == HAS:
            return
        if event.verb == "turn":
            break
    game.events.append(Event(decision.seat, HAS, number=int(game.state.coins)))


def turns(events: Sequence[Event]) -> list[Turn]:
    """Split a game's events into turns. The last turn may be unfinished."""
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


def turn_line(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return a turn as one line: "demo #1: Village, Militia; $6; buys Gold; you discard Estate".

    ``names`` are the players by seat. ``person`` is the seat addressed as "you", or None.
    """
    mine = turn.seat == person
    parts: list[str] = [*_actions(turn)]
    others: list[str] = []
    for event in merged(
        event for event in turn.events if event.seat != turn.seat or event.verb in _SHOWN_VERBS or event.is_from_deck
    ):
        if event.seat != turn.seat:
            others += _event_of_another(event, names, person)
        else:
            parts.append(f"${event.number}" if event.verb == HAS else _phrase(event, person))
    if turn.finished and not any(event.verb == "buys" for event in turn.events):
        parts.append("buy nothing" if mine else "buys nothing")
    return f"{names[turn.seat]}: {'; '.join(parts + others) or '...'}"


def turn_story(turn: Turn, names: Sequence[str], person: int | None) -> str:
    """Return all events of a turn as one paragraph. Hidden cards of other players are only counted."""
    parts = []
    for event in merged(turn.events):
        who = "" if event.seat == turn.seat else f"{'you' if event.seat == person else names[event.seat]} "
        parts.append(f"${event.number}" if event.verb == HAS else who + _phrase(event, person))
    return f"{names[turn.seat]}: {'; '.join(parts) or '...'}"


def merged(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events with consecutive equal moves of one player merged: "discards Copper x2"."""
    for _, group in groupby(events, lambda event: (event.seat, event.verb, event.hidden, event.source, event.target)):
        first, *rest = group
        cards = tuple(card for event in (first, *rest) for card in event.cards)
        yield replace(first, cards=cards, number=(first, *rest)[-1].number)


def _before_cleanup(events: tuple[Event, ...], seat: int) -> tuple[Event, ...]:
    """Return the events without the clean-up: the discards, shuffles and draws of ``seat`` after the last buy."""
    last = max((index for index, event in enumerate(events) if event.verb in (HAS, "buys")), default=-1)
    return tuple(e for index, e in enumerate(events) if index <= last or e.seat != seat or e.verb not in _CLEANUP)


def _actions(turn: Turn) -> Iterator[str]:
    """Yield the Actions played as one text: "Throne Room, Village, Village again"."""
    marks = {"plays": "", "plays again": " again"}
    plays = ((card, event.verb) for event in turn.events if event.verb in marks for card in event.cards)
    if played := [card + marks[verb] for card, verb in plays if Type.ACTION in CARDS[card].types]:
        yield ", ".join(counted(played))


def _event_of_another(event: Event, names: Sequence[str], person: int | None) -> Iterator[str]:
    """Yield a phrase for an event of another player: any event of ``person``, else gains, trashes and reveals."""
    if event.seat == person:
        yield f"you {_phrase(event, person)}"
    elif event.verb in ("gains", "trashes") or (event.verb == "reveals" and event.source == Zone.HAND):
        yield f"{names[event.seat]} {_phrase(event, person)}"


def _phrase(event: Event, person: int | None) -> str:
    """Return "plays Copper x2", or "play Copper x2" for ``person``. Other players' hidden cards are only counted."""
    mine = event.seat == person
    n = len(event.cards)
    unseen = "a card" if n == 1 and event.verb == "topdecks" else f"{n} card{'s' * (n > 1)}"
    phrase = event.phrase(", ".join(counted(event.cards)) if mine or not event.hidden else unseen)
    if not mine:
        return phrase
    verb, _, rest = phrase.partition(" ")
    base = "trash" if verb == "trashes" else verb.removesuffix("s")
    return f"{base} {rest}".rstrip().replace(" the ", " your ")
