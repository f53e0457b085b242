"""The solitaire race: one player, Treasures and Victory cards, and as few turns as possible to a number of Provinces.

A `Race` is a `Game` with the rules of the engine and nothing left out but other players and kingdom cards: five cards,
all Treasures played, at most one buy, clean-up, five new cards; the discard pile is shuffled when a card is to be drawn
from an empty deck. Every turn costs 1, so that minus the value is the expected number of the turn on which the race is
won (the way published tables count).

States merge what makes no difference. All Victory cards are alike once they are owned, except that their piles shrink.
Of a hand, only what it can buy and what it leaves in the deck matters, since all of it is discarded with what was
bought. An empty deck is as good as one with all cards in it, because the next card shuffles it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from evodom.distribution import Distribution, certain, draw_counts
from evodom.dominion.cards import BASIC
from evodom.errors import UsageError

TREASURES = ("Copper", "Silver", "Gold")
VICTORIES = ("Estate", "Duchy", "Province")
KINDS = TREASURES + VICTORIES

CARDS = {card.name: card for card in BASIC if card.name in KINDS}

START = {"Copper": 7, "Estate": 3}

HAND = 5

DRAW = "draw"
"""The only action between two turns: five new cards, which begin a turn."""

NOTHING = "nothing"
"""The action of a turn in which nothing is bought."""

Counts = tuple[int, ...]
"""Coppers, Silvers, Golds and Victory cards."""


class Spot(NamedTuple):
    """A state of the race: before a hand is drawn (`coins` None), or before its buy.

    `coins` is the highest cost that the hand can pay, of the cards this race is about; `deck` are the cards left to
    draw; `owned` are all cards by kind, those of the hand among them; `left` is what the Supply still has of them.
    """

    coins: int | None
    deck: Counts
    owned: Counts
    left: tuple[int, ...]


@dataclass(frozen=True)
class Race:
    """The race to `provinces` Provinces from the deck `start`, with `supply` to buy from besides (card to number).

    `supply` names Copper, Silver, Gold, Estate and Duchy, as far as there are any; there are as many Provinces as it
    takes. Raises UsageError for other cards, numbers below 0, fewer than five cards, and a race that cannot be won.
    """

    supply: Mapping[str, int]
    provinces: int = 1
    start: Mapping[str, int] = field(default_factory=lambda: dict(START))

    def __post_init__(self) -> None:
        for what, cards in (("supply", self.supply), ("start", self.start)):
            for name, n in cards.items():
                if name not in KINDS[:-1]:
                    raise UsageError(f"the {what} of a race has no '{name}'. Allowed: {', '.join(KINDS[:-1])}.")
                if n < 0:
                    raise UsageError(f"the {what} of a race has {n} {name}; allowed: 0 or more")
        if self.provinces < 1:
            raise UsageError(f"a race needs at least 1 Province to reach, got {self.provinces}")
        if sum(self.start.values()) < HAND:
            raise UsageError(f"a race starts with at least {HAND} cards, got {sum(self.start.values())}")
        if self._most_coins() < CARDS["Province"].cost:
            raise UsageError(
                f"no hand of this race can ever pay {CARDS['Province'].cost} coins for a Province, the most is "
                f"{self._most_coins()}: put more Treasures into the supply, for example 4 Silver"
            )

    @cached_property
    def first(self) -> Spot:
        """The state at the beginning, before the first hand."""
        owned = tuple(self.start.get(name, 0) for name in TREASURES)
        counts = (*owned, sum(self.start.get(name, 0) for name in VICTORIES))
        return Spot(None, counts, counts, tuple(self.supply.get(name, 0) for name in KINDS[:-1]) + (self.provinces,))

    def actions(self, state: Spot) -> Sequence[str]:
        """Return `DRAW` before a hand; else what can be bought, the dearest first, and `NOTHING`."""
        coins, _, _, left = state
        if not left[-1]:
            return ()
        if coins is None:
            return (DRAW,)
        return tuple(name for name, cost, pile in _BY_COST if cost <= coins and left[pile]) + (NOTHING,)

    def outcomes(self, state: Spot, action: str) -> Distribution[Spot]:
        """Return the hands that may be drawn, or the one deck that a buy leads to."""
        if state.coins is not None:
            return certain(_bought(state, action))
        _, deck, owned, left = state
        hands, total = _hands(deck, owned)
        return Distribution(
            [(Spot(self._prices[coins], rest, owned, left), weight) for coins, rest, weight in hands],
            total,
            merged=True,
        )

    def payoff(self, state: Spot) -> int:
        """Return 0: only turns count."""
        return 0

    def reward(self, state: Spot, action: str) -> int:
        """Return -1 for every turn begun."""
        return -1 if action == DRAW else 0

    @cached_property
    def _prices(self) -> tuple[int, ...]:
        """The highest cost that so many coins pay, 0 to 15 coins, of the cards that the race has at all."""
        left = self.first.left
        costs = {0, *(cost for _, cost, pile in _BY_COST if left[pile])}
        return tuple(max(cost for cost in costs if cost <= coins) for coins in range(3 * HAND + 1))

    def _most_coins(self) -> int:
        """Return the coins of the best hand there can be, if one buys whatever helps."""
        owned = [self.start.get(name, 0) for name in TREASURES]
        for pile, name in enumerate(TREASURES):  # the cheaper ones help to the dearer ones
            if _best_hand(owned) >= CARDS[name].cost:
                owned[pile] += self.supply.get(name, 0)
        return _best_hand(owned)


Rule = tuple[str, Callable[[Spot], bool]]
"""A card, and when to buy it."""


def buy_rules(*rules: str | Rule) -> Callable[[Spot], str]:
    """Return the policy that buys the first card of `rules` that it can pay, is left, and whose condition holds."""
    listed = [(rule, None) if isinstance(rule, str) else rule for rule in rules]

    def policy(state: Spot) -> str:
        if state.coins is None:
            return DRAW
        for name, condition in listed:
            if CARDS[name].cost <= state.coins and state.left[KINDS.index(name)] and (condition is None or condition(state)):
                return name
        return NOTHING

    return policy


BIG_MONEY = buy_rules("Province", "Gold", "Silver")
"""Big Money: a Province, else a Gold, else a Silver."""


def duchy_late(provinces_left: int) -> Callable[[Spot], str]:
    """Return Big Money that takes a Duchy before a Silver once so many Provinces, or fewer, are still to be bought."""
    return buy_rules("Province", "Gold", ("Duchy", lambda state: state.left[-1] <= provinces_left), "Silver")


_BY_COST = sorted(((name, CARDS[name].cost, pile) for pile, name in enumerate(KINDS)), key=lambda row: -row[1])

_BOUGHT = {
    name: (tuple(int(kind == min(pile, 3)) for kind in range(4)), tuple(int(i == pile) for i in range(len(KINDS))))
    for pile, name in enumerate(KINDS)
}
"""What buying a card adds to what is owned, and takes from the Supply."""


def _bought(state: Spot, action: str) -> Spot:
    """Return the state after a buy and the clean-up."""
    _, deck, owned, left = state
    if action != NOTHING:
        gained, taken = _BOUGHT[action]
        owned = tuple([a + b for a, b in zip(owned, gained, strict=True)])
        left = tuple([a - b for a, b in zip(left, taken, strict=True)])
        if not left[-1]:
            return Spot(None, (), (), (0,) * len(KINDS))
    return Spot(None, deck if any(deck) else owned, owned, left)


def _best_hand(owned: Sequence[int]) -> int:
    coins = [CARDS[name].coins for name, n in zip(TREASURES, owned, strict=True) for _ in range(n)]
    return sum(sorted(coins)[-HAND:])


@lru_cache(maxsize=1 << 16)
def _hands(deck: Counts, owned: Counts) -> tuple[list[tuple[int, Counts, int]], int]:
    """Return the hands that may be drawn, as (coins, what is left of the deck, weight), and the sum of the weights."""
    certain_cards = (0, 0, 0, 0)
    missing = HAND
    if sum(deck) < HAND:  # draw all of it, then shuffle the discard pile
        certain_cards, missing = deck, HAND - sum(deck)
        deck = tuple([a - b for a, b in zip(owned, deck, strict=True)])
    drawn = draw_counts(deck, missing)
    hands = []
    for taken, weight in drawn.pairs:
        copper, silver, gold, _ = (a + b for a, b in zip(certain_cards, taken, strict=True))
        rest = tuple([a - b for a, b in zip(deck, taken, strict=True)])
        hands.append((copper + 2 * silver + 3 * gold, rest, weight))
    return hands, int(drawn.total)
