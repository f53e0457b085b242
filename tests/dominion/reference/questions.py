"""Questions of the reference: cards that are asked for, drawn and moved between lists."""

from collections.abc import Generator, Iterable
from typing import TypeAlias, TypeVar

PASS = "pass"

Question: TypeAlias = tuple[int, frozenset[str]]
"""Who is asked, and the answers allowed: at least two."""
T = TypeVar("T")
Answer: TypeAlias = Generator[Question, str, T]
Asking: TypeAlias = Answer[None]
Answering: TypeAlias = Answer[str | None]


class ShuffleNeeded(Exception):
    """A card is wanted from an empty deck while the discard pile has some."""


class Questions:
    """Hands, decks and discard piles. Decks have the top card last."""

    def __init__(self, hands, decks, discards) -> None:
        self.n_players = len(hands)
        self.hands, self.decks, self.discards = hands, decks, discards

    def ask(self, seat: int, answers: Iterable[str], *, optional: bool = False) -> Answering:
        """Ask for one of the answers; one that is the only one is not asked for. Passing gives None."""
        allowed = frozenset(answers) | ({PASS} if optional else set())
        if not allowed:
            return None
        answer = (yield seat, allowed) if len(allowed) > 1 else next(iter(allowed))
        return None if answer == PASS else answer

    def of(self, cards: Iterable[str], kind: Iterable[str]) -> list[str]:
        return [card for card in cards if card in kind]

    def options(self, seat: int, k: int, *names: str) -> Answer[list[str]]:
        """Ask for ``k`` of the options, one by one, and return them in their order."""
        chosen: list[str] = []
        while len(chosen) < k:
            left = [name for name in names if name not in chosen]
            if len(left) <= k - len(chosen):
                return list(names)
            chosen.append((yield from self.ask(seat, left)) or "")
        return [name for name in names if name in chosen]

    def top(self, seat: int) -> str | None:
        """Take the top card of a deck."""
        if self.decks[seat]:
            return self.decks[seat].pop()
        if self.discards[seat]:
            raise ShuffleNeeded
        return None

    def tops(self, seat: int, n: int) -> list[str]:
        return [card for card in (self.top(seat) for _ in range(n)) if card]

    def draw(self, seat: int, n: int) -> None:
        self.hands[seat] += self.tops(seat, n)

    def others(self, seat: int) -> list[int]:
        return [(seat + step) % self.n_players for step in range(1, self.n_players)]

    def move(self, seat: int, cards: Iterable[str], source: list[str], place: list[str]) -> Answering:
        """Ask for one card and move it."""
        card = yield from self.ask(seat, cards)
        if card:
            source.remove(card)
            place.append(card)
        return card

    def move_any(self, seat: int, source: list[str], place: list[str], most: int) -> Answer[list[str]]:
        """Ask for cards, one by one, up to ``most``; return those that were moved."""
        moved: list[str] = []
        while len(moved) < most and (card := (yield from self.ask(seat, source, optional=True))):
            source.remove(card)
            place.append(card)
            moved.append(card)
        return moved

    def move_n(self, seat: int, source: list[str], place: list[str], n: int) -> Asking:
        """Ask for ``n`` cards, one by one, and move them; all if there are no more."""
        for left in range(n, 0, -1):
            if len(source) <= left:
                place += source
                source.clear()
            yield from self.move(seat, source, source, place)

    def two_or_none(self, seat: int, hand: list[str]) -> Answer[bool]:
        """Ask for two cards to discard or none; return whether two were discarded."""
        first = yield from self.move_any(seat, hand, self.discards[seat], 1)
        return bool(first and (yield from self.move(seat, hand, hand, self.discards[seat])))


def take(card: str, place: list[str]) -> None:
    """Remove a card from a place: the last of its name, which is the top one of a deck."""
    del place[len(place) - 1 - place[::-1].index(card)]
