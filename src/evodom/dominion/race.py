"""The solitaire race: one player, Treasures and Victory cards, as few turns as possible to some Provinces or points.

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
from fractions import Fraction
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
"""Cards of a deck by kind (Coppers, Silvers, Golds, Victory cards), or of the Supply by pile (as in `KINDS`)."""


class Spot(NamedTuple):
    """A state of the race: before a hand is drawn (`coins` None), or before its buy.

    `coins` is the highest cost that the hand can pay, of the cards this race is about; `deck` are the cards left to
    draw; `owned` are all cards by kind, those of the hand among them; `left` is what the Supply still has of them, by
    pile; `to_go` are the Provinces, or the victory points, that are still missing.
    """

    coins: int | None
    deck: Counts
    owned: Counts
    left: Counts
    to_go: int


WON = Spot(None, (), (), (), 0)
"""The end of every race."""


@dataclass(frozen=True)
class Race:
    """The race to `provinces` Provinces, or if `vp` is given to so many victory points, from the deck `start`.

    `supply` and `start` say how many there are of each card; without a word about them there are as many Provinces as
    it takes. Victory points count all cards owned, as in the game. Raises UsageError for other cards, numbers below 0,
    fewer than five cards at the start, and a race that cannot be won.
    """

    supply: Mapping[str, int]
    provinces: int = 1
    vp: int | None = None
    start: Mapping[str, int] = field(default_factory=lambda: dict(START))

    def __post_init__(self) -> None:
        _check_cards("supply", self.supply)
        _check_cards("start", self.start)
        if self.first.to_go < 1:
            raise UsageError("a race needs something to reach: at least 1 Province, or more victory points than owned")
        if sum(self.start.values()) < HAND:
            raise UsageError(f"a race starts with at least {HAND} cards, got {sum(self.start.values())}")
        self._check_winnable()

    @cached_property
    def first(self) -> Spot:
        """The state at the beginning, before the first hand."""
        points = sum(CARDS[name].vp * n for name, n in self.start.items())
        to_go = self.provinces if self.vp is None else self.vp - points
        provinces = max(0, -(-to_go // self.worth["Province"]))
        owned = [self.start.get(name, 0) for name in TREASURES]
        counts = (*owned, sum(self.start.get(name, 0) for name in VICTORIES))
        left = tuple((dict.fromkeys(KINDS, 0) | {"Province": provinces} | dict(self.supply)).values())
        return Spot(None, counts, counts, left, to_go)

    @cached_property
    def worth(self) -> dict[str, int]:
        """How much nearer each card brings the end: 1 for a Province, or its victory points."""
        return {name: int(name == "Province") if self.vp is None else CARDS[name].vp for name in KINDS}

    def actions(self, state: Spot) -> Sequence[str]:
        """Return `DRAW` before a hand; else what can be bought, the dearest first, and `NOTHING`."""
        if not state.to_go:
            return ()
        if state.coins is None:
            return (DRAW,)
        coins, left = state.coins, state.left
        return (*[name for name, cost, pile in _BY_COST if cost <= coins and left[pile]], NOTHING)

    def outcomes(self, state: Spot, action: str) -> Distribution[Spot]:
        """Return the hands that may be drawn, or the one deck that a buy leads to."""
        coins, deck, owned, left, to_go = state
        if coins is not None:
            return certain(self._bought(state, action))
        prices = self._prices
        hands, total = _hands(deck, owned)
        pairs = [(Spot(prices[coins], rest, owned, left, to_go), weight) for coins, rest, weight in hands]
        return Distribution(pairs, total, merged=True)

    def payoff(self, state: Spot) -> int:
        """Return 0: only turns count."""
        return 0

    def reward(self, state: Spot, action: str) -> int:
        """Return -1 for every turn begun."""
        return -1 if action == DRAW else 0

    @cached_property
    def _prices(self) -> tuple[int, ...]:
        """The highest cost that so many coins pay, 0 to 15 coins, of the cards that the race has at all."""
        costs = {0, *(cost for _, cost, pile in _BY_COST if self.first.left[pile])}
        return tuple(max(cost for cost in costs if cost <= coins) for coins in range(3 * HAND + 1))

    def _bought(self, state: Spot, action: str) -> Spot:
        """Return the state after a buy and the clean-up."""
        _, deck, owned, left, to_go = state
        if action != NOTHING:
            gained, taken = _BOUGHT[action]
            owned = tuple([a + b for a, b in zip(owned, gained, strict=True)])
            left = tuple([a - b for a, b in zip(left, taken, strict=True)])
            to_go -= self.worth[action]
            if to_go <= 0:
                return WON
        return Spot(None, deck if any(deck) else owned, owned, left, to_go)

    def _check_winnable(self) -> None:
        """Raise UsageError if the cards that the best hands can pay do not bring the end."""
        left = dict(zip(KINDS, self.first.left, strict=True))
        owned = {name: self.start.get(name, 0) for name in TREASURES}
        for name in TREASURES:  # the cheaper ones help to the dearer ones
            if _best_hand(owned) >= CARDS[name].cost:
                owned[name] += left[name]
        coins = _best_hand(owned)
        reached = sum(left[name] * self.worth[name] for name in KINDS if CARDS[name].cost <= coins)
        if reached < self.first.to_go:
            what = "Provinces" if self.vp is None else "victory points"
            raise UsageError(
                f"this race cannot be won: its best hand pays {coins} coins, and what it can buy brings {reached} of "
                f"{self.first.to_go} {what} to go. Put more cards into the supply, for example 4 Silver"
            )


Rule = tuple[str, Callable[[Spot], bool]]
"""A card, and when to buy it."""


def buy_rules(*rules: str | Rule) -> Callable[[Spot], str]:
    """Return the policy that buys the first card of `rules` that it can pay, is left, and whose condition holds."""
    listed = [(rule, None) if isinstance(rule, str) else rule for rule in rules]

    def policy(state: Spot) -> str:
        if state.coins is None:
            return DRAW
        for name, holds in listed:
            if CARDS[name].cost <= state.coins and state.left[KINDS.index(name)] and (holds is None or holds(state)):
                return name
        return NOTHING

    return policy


BIG_MONEY = buy_rules("Province", "Gold", "Silver")
"""Big Money: a Province, else a Gold, else a Silver."""


def duchy_late(points: int) -> Callable[[Spot], str]:
    """Return Big Money that takes a Duchy before a Gold from `points` to go on, and an Estate before them from 2 on.

    The order is that of the end game in Big Money Ultimate.
    """
    return buy_rules(
        "Province",
        ("Duchy", lambda state: state.to_go <= points),
        ("Estate", lambda state: state.to_go <= 2),
        "Gold",
        "Silver",
    )


class Opening(NamedTuple):
    """The first hands of a race, as far as they come from one shuffle: their coins and what each buys."""

    probability: Fraction
    coins: tuple[int, ...]
    buys: tuple[str, ...]


def openings(race: Race, policy: Callable[[Spot], str]) -> list[Opening]:
    """Return what a policy buys in the first two turns, or in one if fewer than ten cards start, by coins."""
    found: dict[tuple[tuple[int, ...], tuple[str, ...]], Fraction] = {}
    n_turns = 2 if sum(race.first.deck) >= 2 * HAND else 1

    def turn(state: Spot, share: Fraction, coins: tuple[int, ...], buys: tuple[str, ...]) -> None:
        if len(coins) == n_turns or state == WON:
            found[coins, buys] = found.get((coins, buys), Fraction(0)) + share
            return
        for drawn, chance in race.outcomes(state, DRAW):
            paid = sum(coin * (n - left) for coin, n, left in zip(_COINS, state.deck, drawn.deck, strict=True))
            action = policy(drawn)
            (after, _), *_ = race.outcomes(drawn, action).pairs
            turn(after, share * Fraction(chance), (*coins, paid), (*buys, action))

    turn(race.first, Fraction(1), (), ())
    return [Opening(share, coins, buys) for (coins, buys), share in sorted(found.items())]


_BY_COST = sorted(((name, CARDS[name].cost, pile) for pile, name in enumerate(KINDS)), key=lambda row: -row[1])

_COINS = (*(CARDS[name].coins for name in TREASURES), 0)

_BOUGHT = {
    name: (tuple(int(kind == min(pile, 3)) for kind in range(4)), tuple(int(i == pile) for i in range(len(KINDS))))
    for pile, name in enumerate(KINDS)
}
"""What buying a card adds to what is owned, and takes from the Supply."""


def _check_cards(what: str, cards: Mapping[str, int]) -> None:
    for name, n in cards.items():
        if name not in KINDS:
            raise UsageError(f"the {what} of a race has no '{name}'. Allowed: {', '.join(KINDS)}.")
        if n < 0:
            raise UsageError(f"the {what} of a race has {n} {name}; allowed: 0 or more")


def _best_hand(owned: Mapping[str, int]) -> int:
    """Return the coins of the five best Treasures of a deck."""
    coins = [CARDS[name].coins for name, n in owned.items() for _ in range(min(n, HAND))]
    return sum(sorted(coins)[-HAND:])


@lru_cache(maxsize=1 << 16)
def _hands(deck: Counts, owned: Counts) -> tuple[list[tuple[int, Counts, int]], int]:
    """Return the hands that may be drawn, as (coins, what is left of the deck, weight), and the sum of the weights."""
    first: Counts = (0, 0, 0, 0)
    missing = HAND
    if sum(deck) < HAND:  # draw all of it, then shuffle the discard pile
        first, missing = deck, HAND - sum(deck)
        deck = tuple([a - b for a, b in zip(owned, deck, strict=True)])
    drawn = draw_counts(deck, missing)
    hands = []
    for taken, weight in drawn.pairs:
        coins = sum([coin * (a + b) for coin, a, b in zip(_COINS, first, taken, strict=True)])
        rest = tuple([a - b for a, b in zip(deck, taken, strict=True)])
        hands.append((coins, rest, weight))
    return hands, int(drawn.total)
