"""What happened, read off the record: each step of the engine told as Events by comparing before and after.

The engine writes no log, so that games nobody watches cost nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evodom.dominion.effects import DISCARD, HAND, IN_PLAY, OP_OFFER_REACTION, SUPPLY
from evodom.dominion.rules import N_PILES, NONE
from evodom.dominion.state import PLAYING

if TYPE_CHECKING:
    from evodom.dominion.game import Game


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one seat."""

    seat: int
    verb: str
    """"turn", "plays", "buys", "gains", "trashes", "discards", "topdecks", "reveals", "draws", "shuffles", "ends"."""
    cards: tuple[str, ...] = ()
    hidden: bool = False
    """True if only this seat saw the cards."""
    number: int = 0
    """The turn number of a "turn"."""

    @property
    def text(self) -> str:
        """The event as a phrase: "plays 2 Copper, Silver"."""
        return f"{self.verb} {name_cards(self.cards)}".rstrip()


def name_cards(names: tuple[str, ...]) -> str:
    """Return cards as a person lists them: "2 Copper, Silver"."""
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in counts.items())


@contextmanager
def follow(game: "Game") -> Iterator[None]:
    """Append to ``game.events`` what happens inside the block, and keep track of the discard piles' top cards."""
    if not game.log:
        yield
        return
    before = game.state.copy()
    row = game.state.asking if game.state.decider != NONE else NONE
    yield
    for event in _differences(game, before, int(row)):
        game.events.append(event)
        if event.verb in ("buys", "gains", "discards"):
            _note_top(game, event, before)
    for seat in range(game.n_players):
        if not game.state.n_cards[DISCARD + seat]:
            game.discard_tops[seat] = ""


def _differences(game: "Game", before: Any, row: int) -> Iterator[Event]:
    """Tell the changes of one step in the order they happen."""
    state = game.state
    active = int(before["active"])
    change = state.cards - before["cards"]
    if row != NONE:
        yield from _reaction(game, before, row)
    yield from _moved(game, active, "plays", change[IN_PLAY])
    for offset in range(game.n_players):
        seat = (active + offset) % game.n_players
        gained = np.where(state.owned[seat] > before["owned"][seat], -change[SUPPLY], 0)
        buying = row != NONE and game.rows[row][0] is None
        yield from _moved(game, seat, "buys" if buying else "gains", gained)
        yield from _moved(game, seat, "trashes", np.minimum(state.owned[seat] - before["owned"][seat], 0) * -1)
        yield from _deck_and_hand(game, seat, before, change, gained)
    if state.ended != PLAYING:
        yield Event(active, "ends")
    elif _turn_is_over(state, before):
        yield Event(int(state.active), "turn", number=int(state.turns[state.active]))


def _reaction(game: "Game", before: Any, row: int) -> Iterator[Event]:
    if game.rows[row][1].op == OP_OFFER_REACTION and game.state.unaffected != before["unaffected"]:
        revealed = int(before["legal"]) & int(game.rules.reactions)
        yield Event(int(before["decider"]), "reveals", (game.piles[revealed.bit_length() - 1].name,))


def _deck_and_hand(game: "Game", seat: int, before: Any, change: Any, gained: Any) -> Iterator[Event]:
    """Tell what a seat drew and discarded; at clean-up both happen in one step."""
    state = game.state
    cleaning = before["active"] == seat and _turn_is_over(state, before)
    if cleaning:
        discarded = before["cards"][HAND + seat] + before["cards"][IN_PLAY]
        drawn = state.cards[HAND + seat]
    else:
        discarded = np.maximum(-change[HAND + seat], 0) * (change[DISCARD + seat] > 0)
        to_hand = np.maximum(change[HAND + seat], 0)
        drawn = np.maximum(to_hand - gained, 0)
    yield from _moved(game, seat, "discards", discarded)
    if drawn.any() and not state.n_cards[DISCARD + seat] and before["n_cards"][DISCARD + seat] + discarded.sum():
        yield Event(seat, "shuffles")
    yield from _moved(game, seat, "draws", drawn, hidden=True)
    if state.n_top[seat] > before["n_top"][seat]:
        yield Event(seat, "topdecks", (game.piles[state.top[seat, state.n_top[seat] - 1]].name,))


def _turn_is_over(state: Any, before: Any) -> bool:
    return bool(state.ended != PLAYING or state.turns.sum() != before["turns"].sum())


def _moved(game: "Game", seat: int, verb: str, counts: Any, *, hidden: bool = False) -> Iterator[Event]:
    names = tuple(game.piles[pile].name for pile in range(N_PILES) for _ in range(max(int(counts[pile]), 0)))
    if names:
        yield Event(seat, verb, names, hidden)


def _note_top(game: "Game", event: Event, before: Any) -> None:
    """Remember the card on top of a discard pile; after clean-up, one that was in play lies there if there is one."""
    row = DISCARD + event.seat
    grown = game.state.cards[row] > before["cards"][row]
    added = [name for name in event.cards if name in _names(game, grown)]
    played = _names(game, before["cards"][IN_PLAY]) if event.verb == "discards" else []
    shown = [name for name in added if name in played]
    if added:
        game.discard_tops[event.seat] = (shown or added)[-1]


def _names(game: "Game", piles: Any) -> list[str]:
    return [card.name for card, n in zip(game.piles, piles, strict=False) if n]
