"""Piles of cards as numbers: how many of each kind, seven bits a kind.

A pile is a multiset: the order of cards that nobody has seen does not matter, and it is never kept. As one integer a
pile adds, subtracts and hashes as fast as a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from evodom.distribution import Distribution, draw_counts
from evodom.errors import EvodomError, UsageError
from evodom.spire.exact.known import CARDS
from evodom.spire.rows.cards import Card

BITS = 7
MOST = 63
"""The most cards of one kind in a pile that is drawn from; the bits have room for what a turn adds."""

_MASK = (1 << BITS) - 1

Pile = int


class Overflow(EvodomError):
    """A fight creates more cards than a pile can hold: it can go on creating them for ever."""


class CardKinds:
    """The kinds of cards that can be in the piles of one fight, in a fixed order."""

    def __init__(self, names: Iterable[str]) -> None:
        """Number the kinds, each named once."""
        self.cards: tuple[Card, ...] = tuple(CARDS[name] for name in dict.fromkeys(names))
        self.units = {card.name: 1 << (BITS * i) for i, card in enumerate(self.cards)}
        self._counts: dict[Pile, tuple[int, ...]] = {}
        self._draws: dict[tuple[Pile, Pile, int], Distribution[tuple[Pile, Pile, Pile]]] = {}

    def pack(self, cards: Mapping[str, int]) -> Pile:
        """Return the pile of so many cards of each name."""
        for name, n in cards.items():
            if name not in self.units:
                raise UsageError(f"{name} is not in this fight. Allowed: {', '.join(self.units)}")
            if not 0 <= n <= MOST:
                raise UsageError(f"{n} {name} in a pile; allowed: 0 to {MOST}")
        return sum(self.units[name] * n for name, n in cards.items())

    def unpack(self, pile: Pile) -> Counter[str]:
        """Return how many cards of each name are in the pile."""
        return Counter({card.name: n for card, n in zip(self.cards, self.counts(pile), strict=True) if n})

    def counts(self, pile: Pile) -> tuple[int, ...]:
        """Return how many of each kind are in the pile."""
        known = self._counts.get(pile)
        if known is None:
            known = tuple((pile >> (BITS * i)) & _MASK for i in range(len(self.cards)))
            self._counts[pile] = known
        return known

    def size(self, pile: Pile) -> int:
        """Return the number of cards in the pile."""
        return sum(self.counts(pile))

    def without(self, pile: Pile, kinds: Iterable[Card]) -> Pile:
        """Return the pile without any card of these kinds."""
        gone = 0
        for card in kinds:
            gone |= _MASK * self.units[card.name]
        return pile & ~gone

    def draw(self, pile: Pile, discard: Pile, n: int) -> Distribution[tuple[Pile, Pile, Pile]]:
        """Return the distribution of `n` draws: (cards drawn, draw pile, discard pile).

        If the draw pile has fewer cards all are taken, the discard pile becomes the draw pile, and the rest is drawn
        from it. If it has just enough it is not reshuffled yet. Raises `Overflow` once there are more than `MOST`
        cards of a kind in a pile.
        """
        key = (pile, discard, n)
        known = self._draws.get(key)
        if known is None:
            self._check(pile)
            self._check(discard)
            taken, source, rest = 0, pile, discard
            n_here = self.size(pile)
            if n > n_here:
                taken, source, rest = pile, discard, 0
                n = min(n - n_here, self.size(discard))
            units = tuple(self.units.values())

            def result(counts: tuple[int, ...]) -> tuple[Pile, Pile, Pile]:
                drawn = sum(unit * k for unit, k in zip(units, counts, strict=True))
                return taken + drawn, source - drawn, rest

            known = self._draws[key] = draw_counts(self.counts(source), n).map(result).merge()
        return known

    def _check(self, pile: Pile) -> None:
        for card, n in zip(self.cards, self.counts(pile), strict=True):
            if n > MOST:
                raise Overflow(f"{n} {card.name} in a pile, and {MOST} are allowed: such cards are created without end")
