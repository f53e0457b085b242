"""Dominion with explicit chance and perfect recall, for exact algorithms.

A `DrawnPosition` waits for an answer of a seat or for a draw. A draw decides pile by pile how many of the drawn cards
are of the pile. Its probabilities are hypergeometric. The order of the cards does not matter: equal hands are one
outcome. Each transition has a text for every seat: the events that the seat sees, its questions and its answers. All
texts of a game, one after the other, are the seat's information state.

The engine draws with random numbers. `DrawnDominion` lets it take a step, finds the drawn cards in its events, puts
them back and asks for the draw.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import comb
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.contract import Dominion
from evodom.dominion.effects.ops import MAX_SEATS, Ending, EventKind, Op, Zone
from evodom.dominion.engine.batch import undealt_state
from evodom.dominion.engine.moves import HAND_SIZE
from evodom.dominion.engine.rules import NONE, Numbers, Rules
from evodom.dominion.engine.state import ALL_SEATS, STATE, State, begin_turn, lowest_pile, recount_rows
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.events import record_events
from evodom.errors import UsageError

MAX_TRANSITIONS = 500_000
"""Maximum number of transitions that a game keeps in memory, about 1 kB each."""

_SEQUENTIAL = (Op.REVEAL_UNTIL, Op.DRAW_OR_SET_ASIDE)
"""Operations that draw a number of cards which depends on the cards."""


class Draw(NamedTuple):
    """A pending draw of ``n`` unseen cards from the deck of ``seat``, of the piles from ``pile`` on."""

    seat: int
    n: int
    row: int
    """Row of `State.cards` that receives the cards."""
    seen_by: int = ALL_SEATS
    pile: int = 0


@dataclass(frozen=True, eq=False)
class DrawnPosition:
    """A state of a game. Equal positions of a `DrawnDominion` are one object while it is kept in memory."""

    record: bytes
    """The compressed STATE record. Cards of pending draws are in the decks."""
    draws: tuple[Draw, ...]
    """The pending draws. The first is next."""
    outcomes: tuple[tuple[int, float], ...]
    """The numbers of cards of pile ``draws[0].pile`` that the draw may have, with their probabilities."""
    seat: int
    """The seat that decides; NONE for a draw and at the end."""
    answers: tuple[int, ...]
    """The legal answers of the seat."""
    returns: tuple[float, ...]
    """The returns of all seats at the end of the game, else ()."""

    @property
    def state(self) -> State:
        """A copy of the STATE record."""
        return _unpacked(self.record)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the position itself. It never changes."""
        return self


Transition = tuple[DrawnPosition, tuple[str, ...]]
"""The next position, and for each seat the text of the events since the last position that the seat sees."""


_Rows = list[list[int]]
"""Rows of events of the engine."""


class DrawnDominion:
    """Games of a `Dominion` with a chance node for each draw.

    Raise UsageError for a card that draws until it finds a kind of card.
    """

    def __init__(self, dominion: Dominion) -> None:
        for card, effect in dominion.card_effects:
            if effect.op in _SEQUENTIAL:
                raise UsageError(f"{card and card.name} draws until it finds a card. Perfect recall excludes it.")
        self.dominion = dominion
        self.rules: Rules = dominion.rules
        self._position = lru_cache(MAX_TRANSITIONS)(self._new_position)
        self.drawn = lru_cache(MAX_TRANSITIONS)(self._drawn)
        self.answered = lru_cache(MAX_TRANSITIONS)(self._answered)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself: copies share its memory."""
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[Dominion]]:
        """Return the arguments of a copy by pickle, which begins with an empty memory."""
        return type(self), (self.dominion,)

    @cached_property
    def start(self) -> Transition:
        """The position before the opening hands are drawn."""
        state = undealt_state(self.rules, self.dominion.deck)
        state.auto_treasures = ALL_SEATS
        begin_turn(state, 0)
        seats = range(self.dominion.n_players)
        hands = [Draw(seat, HAND_SIZE, Zone.HAND + seat, 1 << seat) for seat in seats]
        return self._continued(state, hands, [""] * len(seats))

    def _drawn(self, position: DrawnPosition, n: int) -> Transition:
        """Return the transition for ``n`` drawn cards of the draw's pile."""
        state, texts = position.state, [""] * self.dominion.n_players
        draw = self._take(state, position.draws[0], n, texts)
        return self._continued(state, [draw, *position.draws[1:]], texts)

    def _answered(self, position: DrawnPosition, answer: int) -> Transition:
        """Return the transition after an answer of the seat that decides."""
        state, texts = position.state, [""] * self.dominion.n_players
        texts[position.seat] = f">{self.dominion.action_name(answer)};"
        return self._continued(state, self._run(state, answer, texts), texts)

    def _continued(self, state: State, draws: Sequence[Draw], texts: list[str]) -> Transition:
        """Run the engine to the next Decision or to a draw with several outcomes. Complete the texts."""
        waiting = self._without_certain(state, draws, texts)
        while not waiting and state.ended == Ending.PLAYING:
            is_asked = state.decider != NONE
            if is_asked and state.legal & (state.legal - 1) != 0:
                texts[state.decider] += f"?{self.dominion.card_effects[int(state.asked_effect)][1].kind};"
                break
            answer = int(lowest_pile(state.legal)) if is_asked else NONE
            waiting = self._without_certain(state, self._run(state, answer, texts), texts)
        if state.ended != Ending.PLAYING:
            waiting = []  # the hand for a next turn has no effect
        state.deck_streams[:] = 0
        state.strategy_streams[:] = 0
        return self._position(zlib.compress(state.tobytes(), 1), tuple(waiting)), tuple(texts)

    def _run(self, state: State, answer: int, texts: list[str]) -> list[Draw]:
        """Apply an answer, or take a step with NONE. Put randomly drawn cards back, and return their draw."""
        decks = state.cards[Zone.DECK : Zone.DECK + MAX_SEATS].copy()
        rows = record_events(self.rules, state, answer, _step if answer == NONE else apply_choice)
        draws, others = _put_back(state, decks, rows)
        for seat in range(len(texts)):
            sees_draw = any(draw.seen_by >> seat & 1 for draw in draws)
            texts[seat] += self._text(others if sees_draw else rows, seat)
        return draws

    def _without_certain(self, state: State, draws: Sequence[Draw], texts: list[str]) -> list[Draw]:
        """Carry out all draws until the first with several outcomes. Return it and the draws after it."""
        waiting = list(draws)
        while waiting:
            draw = waiting[0]
            pool = state.cards[Zone.DECK + draw.seat, draw.pile :]
            if draw.n == 0 or not pool.any():
                del waiting[0]
            elif len(_outcomes(pool, draw.n)) == 1:
                waiting[0] = self._take(state, draw, _outcomes(pool, draw.n)[0][0], texts)
            else:
                break
        return waiting

    def _take(self, state: State, draw: Draw, n: int, texts: list[str]) -> Draw:
        """Move ``n`` cards of the draw's pile from the deck. Return the rest of the draw."""
        if n:
            state.cards[Zone.DECK + draw.seat, draw.pile] -= n
            state.cards[draw.row, draw.pile] += n
            recount_rows(state)
            kind = EventKind.DRAW if draw.row < Zone.DECK else EventKind.REVEAL
            for seat in range(len(texts)):
                row = [kind, draw.seat, draw.pile, n, Zone.DECK, Zone.HAND, draw.seen_by]
                texts[seat] += self._text([row], seat) if draw.seen_by >> seat & 1 else ""
        return draw._replace(n=draw.n - n, pile=draw.pile + 1)

    def _text(self, rows: Sequence[Sequence[int]], seat: int) -> str:
        """Return the events of some rows as ``seat`` sees them. Hidden cards that move together are only counted."""
        text = ""
        for key, group in groupby(
            rows, lambda row: (row[0], row[1], row[4], row[5], row[2] == NONE or row[6] >> seat & 1)
        ):
            cards = [(row[2], row[3]) for row in group]
            names = [self.dominion.action_name(pile) if pile != NONE else "" for pile, _ in cards]
            shown = "+".join(f"{n} {name}".strip() for name, (_, n) in zip(names, cards, strict=True))
            hidden = f"{sum(n for _, n in cards)} cards"
            text += f"P{key[1]} {EventKind(key[0]).name.lower()} {shown if key[-1] else hidden};"
        return text

    def _new_position(self, record: bytes, draws: tuple[Draw, ...]) -> DrawnPosition:
        """Return the position of a compressed record."""
        state = _unpacked(record)
        if draws:
            pool = state.cards[Zone.DECK + draws[0].seat, draws[0].pile :]
            return DrawnPosition(record, draws, _outcomes(pool, draws[0].n), NONE, (), ())
        if state.ended != Ending.PLAYING:
            return DrawnPosition(record, (), (), NONE, (), tuple(self.dominion.returns(state)))
        return DrawnPosition(record, (), (), int(state.decider), tuple(self.dominion.actions(state)), ())


def _unpacked(record: bytes) -> State:
    """Return the STATE record of its compressed bytes."""
    state: State = np.frombuffer(bytearray(zlib.decompress(record)), STATE)[0]
    return state


def _step(rules: Rules, state: State, action: int) -> None:
    """Take one step: a function for `record_events`."""
    step(rules, state)


def _put_back(state: State, decks: npt.NDArray[np.int32], rows: _Rows) -> tuple[list[Draw], _Rows]:
    """Undo the draw of unseen cards in one step. Return the draw, if any, and the rows of the other events.

    A seat that shuffles has drawn its whole deck before, so that only the cards after the shuffle are random.
    ``decks`` are the unseen cards of all decks before the step.
    """
    taken = [row for row in rows if row[4] == Zone.DECK and row[2] != NONE]
    if not taken:
        return [], rows
    _, seat, _, _, _, target, seen_by, _ = taken[-1]
    deck = state.cards[Zone.DECK + seat]
    shuffles = [index for index, row in enumerate(rows) if row[0] == EventKind.SHUFFLE and row[1] == seat]
    if shuffles:
        random = [row for row in taken if any(row is each for each in rows[shuffles[-1] :])]
        drawn: Numbers = np.zeros_like(deck)
        for row in random:
            drawn[row[2]] += row[3]
    else:
        drawn = decks[seat] - deck
        random = taken[len(taken) - int(drawn.sum()) :]
    if not drawn.any() or not deck.any():
        return [], rows
    row_of_cards = Zone.HAND + seat if target == Zone.HAND else int(Zone.REVEALED)
    state.cards[row_of_cards] -= drawn
    deck += drawn
    recount_rows(state)
    others = [row for row in rows if not any(row is each for each in random)]
    return [Draw(seat, int(drawn.sum()), row_of_cards, seen_by)], others


def _outcomes(pool: Numbers, n: int) -> tuple[tuple[int, float], ...]:
    """Return how many of ``n`` cards drawn from a pool may be of its first pile, with the probabilities."""
    first, total = int(pool[0]), int(pool.sum())
    n, others = min(n, total), total - first
    counts = range(max(0, n - others), min(first, n) + 1)
    return tuple((k, comb(first, k) * comb(others, n - k) / comb(total, n)) for k in counts)
