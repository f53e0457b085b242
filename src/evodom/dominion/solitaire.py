"""Solve solitaire Dominion: minimise the expected turns to a number of Provinces or of victory points.

The game has Treasures and Victory cards, no kingdom cards and no opponent. A turn is as in the engine: draw five cards,
play all Treasures, buy at most one card, clean up. The discard pile is shuffled when a card is drawn from an empty
deck. Every turn has reward -1, so the negated value is the expected turn on which the target is reached. Published
tables count in the same way.

Equivalent states are merged. Owned Victory cards are interchangeable; only their piles differ. A hand is reduced to
the highest price it can pay and the remaining deck, because the whole hand is discarded with the bought card. An empty
deck equals a deck of all cards, because the next draw shuffles them.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple

from evodom.distribution import Distribution, certain, draw_counts
from evodom.dominion.cards import BASIC
from evodom.errors import UsageError
from evodom.games import ListedGame
from evodom.solve import Limits, no_progress
from evodom.solve.cycles import BoundedSolution, NotConverged, evaluate_bounds, solve_bounds
from evodom.solve.forward import visits

TREASURES = ("Copper", "Silver", "Gold")
VICTORIES = ("Estate", "Duchy", "Province")
KINDS = TREASURES + VICTORIES

CARDS = {card.name: card for card in BASIC if card.name in KINDS}

STARTING_DECK = {"Copper": 7, "Estate": 3}

HAND_SIZE = 5

DRAW = "draw"
"""The only action between two turns: draw five new cards, which begins a turn."""

NOTHING = "nothing"
"""The action of buying nothing."""

Counts = tuple[int, ...]
"""Cards of a deck by kind (Coppers, Silvers, Golds, Victory cards), or of the Supply by pile (as in `KINDS`)."""


class SolitaireState(NamedTuple):
    """A state: before a hand is drawn (`coins` is None), or before its buy.

    - `coins`: the highest cost of a card in this Supply that the hand can pay.
    - `deck`: the cards left to draw, by kind.
    - `owned`: all cards by kind, including the hand.
    - `left`: the cards of each pile of the Supply.
    - `to_go`: the number of Provinces, or of victory points, that are missing.
    """

    coins: int | None
    deck: Counts
    owned: Counts
    left: Counts
    to_go: int


WON = SolitaireState(None, (), (), (), 0)
"""The state at the end: the target is reached."""


@dataclass(frozen=True)
class Solitaire(ListedGame[SolitaireState, str]):
    """The game to reach `provinces` Provinces, or `vp` victory points if that is given, in few turns from a `deck`.

    `supply` and `deck` are counts by card. A Supply without an entry for Provinces contains as many as the target
    needs. Victory points count all owned cards. Raises UsageError for other cards, numbers below 0, a deck of fewer
    than five cards, or an unreachable target.
    """

    all_actions: ClassVar[tuple[str, ...]] = (DRAW, *KINDS, NOTHING)

    supply: Mapping[str, int]
    provinces: int = 1
    vp: int | None = None
    deck: Mapping[str, int] = field(default_factory=lambda: dict(STARTING_DECK))

    def __post_init__(self) -> None:
        _check_cards("supply", self.supply)
        _check_cards("deck", self.deck)
        if self.first.to_go < 1:
            raise UsageError(
                "the deck reaches the target. Allowed: at least 1 Province, more victory points than owned."
            )
        if sum(self.deck.values()) < HAND_SIZE:
            raise UsageError(f"a race starts with at least {HAND_SIZE} cards, got {sum(self.deck.values())}")
        self._check_winnable()

    def starts(self) -> Distribution[SolitaireState]:
        """Return the start state with probability 1."""
        return certain(self.first)

    @cached_property
    def first(self) -> SolitaireState:
        """The state at the beginning, before the first hand."""
        points = sum(CARDS[name].vp * n for name, n in self.deck.items())
        to_go = self.provinces if self.vp is None else self.vp - points
        provinces = max(0, -(-to_go // self.progress["Province"]))
        owned = [self.deck.get(name, 0) for name in TREASURES]
        counts = (*owned, sum(self.deck.get(name, 0) for name in VICTORIES))
        left = tuple((dict.fromkeys(KINDS, 0) | {"Province": provinces} | dict(self.supply)).values())
        return SolitaireState(None, counts, counts, left, to_go)

    @cached_property
    def progress(self) -> dict[str, int]:
        """Progress of each card towards the target: 1 for a Province, or its victory points."""
        return {name: int(name == "Province") if self.vp is None else CARDS[name].vp for name in KINDS}

    def actions(self, state: SolitaireState) -> Sequence[str]:
        """Return `DRAW` before a hand is drawn; else the affordable cards, most expensive first, and `NOTHING`."""
        if not state.to_go:
            return ()
        if state.coins is None:
            return (DRAW,)
        coins, left = state.coins, state.left
        return (*[name for name, cost, pile in _BY_COST if cost <= coins and left[pile]], NOTHING)

    def outcomes(self, state: SolitaireState, action: str) -> Distribution[SolitaireState]:
        """Return the distribution of states after drawing a hand, or the state after a buy."""
        coins, deck, owned, left, to_go = state
        if coins is not None:
            return certain(self._bought(state, action))
        prices = self._prices
        hands, total = _hands(deck, owned)
        pairs = [(SolitaireState(prices[coins], rest, owned, left, to_go), weight) for coins, rest, weight in hands]
        return Distribution(pairs, total, merged=True)

    def returns(self, state: SolitaireState) -> tuple[int]:
        """Return 0: the value consists of rewards only."""
        return (0,)

    def rewards(self, state: SolitaireState, action: str) -> tuple[int]:
        """Return -1 for every turn begun."""
        return (-1,) if action == DRAW else (0,)

    @cached_property
    def _prices(self) -> tuple[int, ...]:
        """For 0 to 15 coins, the highest cost of a card in this Supply that they pay."""
        costs = {0, *(cost for _, cost, pile in _BY_COST if self.first.left[pile])}
        return tuple(max(cost for cost in costs if cost <= coins) for coins in range(3 * HAND_SIZE + 1))

    def _bought(self, state: SolitaireState, action: str) -> SolitaireState:
        """Return the state after a buy and the clean-up."""
        _, deck, owned, left, to_go = state
        if action != NOTHING:
            gained, taken = _BOUGHT[action]
            owned = tuple([a + b for a, b in zip(owned, gained, strict=True)])
            left = tuple([a - b for a, b in zip(left, taken, strict=True)])
            to_go -= self.progress[action]
            if to_go <= 0:
                return WON
        return SolitaireState(None, deck if any(deck) else owned, owned, left, to_go)

    def _check_winnable(self) -> None:
        """Raise UsageError if all cards that can ever be paid for do not reach the target."""
        left = dict(zip(KINDS, self.first.left, strict=True))
        owned = {name: self.deck.get(name, 0) for name in TREASURES}
        for name in TREASURES:  # cheaper Treasures pay for the others
            if _best_hand(owned) >= CARDS[name].cost:
                owned[name] += left[name]
        coins = _best_hand(owned)
        reached = sum(left[name] * self.progress[name] for name in KINDS if CARDS[name].cost <= coins)
        if reached < self.first.to_go:
            what = "Provinces" if self.vp is None else "victory points"
            raise UsageError(
                f"the target cannot be reached: the best hand pays {coins} coins, and all cards up to this cost give "
                f"{reached} of {self.first.to_go} {what}. Add cards to the supply, for example 4 Silver"
            )


ConditionalBuy = tuple[str, Callable[[SolitaireState], bool]]
"""A card, and the condition under which it is bought."""


def buy_rules(*rules: str | ConditionalBuy) -> Callable[[SolitaireState], str]:
    """Return the policy that buys the first card of `rules` that is affordable, available and meets its condition."""
    listed = [(rule, None) if isinstance(rule, str) else rule for rule in rules]

    def policy(state: SolitaireState) -> str:
        if state.coins is None:
            return DRAW
        for name, holds in listed:
            if CARDS[name].cost <= state.coins and state.left[KINDS.index(name)] and (holds is None or holds(state)):
                return name
        return NOTHING

    return policy


BIG_MONEY = buy_rules("Province", "Gold", "Silver")
"""Big Money: a Province, else a Gold, else a Silver."""


def duchy_late(points: int) -> Callable[[SolitaireState], str]:
    """Return Big Money with late Duchies.

    It prefers a Duchy to a Gold once at most `points` are missing, and an Estate to a Gold from 2 points on. The order
    is that of the end game in Big Money Ultimate.
    """
    return buy_rules(
        "Province",
        ("Duchy", lambda state: state.to_go <= points),
        ("Estate", lambda state: state.to_go <= 2),
        "Gold",
        "Silver",
    )


class FirstBuys(NamedTuple):
    """The hands of the first shuffle: their probability, their coins and the buy of each."""

    probability: Fraction
    coins: tuple[int, ...]
    buys: tuple[str, ...]


def openings(game: Solitaire, policy: Callable[[SolitaireState], str]) -> list[FirstBuys]:
    """Return a policy's buys with the first two hands, or with one hand if the deck has fewer than ten cards."""
    found: dict[tuple[tuple[int, ...], tuple[str, ...]], Fraction] = {}
    n_turns = 2 if sum(game.first.deck) >= 2 * HAND_SIZE else 1

    def turn(state: SolitaireState, share: Fraction, coins: tuple[int, ...], buys: tuple[str, ...]) -> None:
        if len(coins) == n_turns or state == WON:
            found[coins, buys] = found.get((coins, buys), Fraction(0)) + share
            return
        for drawn, chance in game.outcomes(state, DRAW):
            paid = sum(coin * (n - left) for coin, n, left in zip(_COINS, state.deck, drawn.deck, strict=True))
            action = policy(drawn)
            (after, _), *_ = game.outcomes(drawn, action).pairs
            turn(after, share * Fraction(chance), (*coins, paid), (*buys, action))

    turn(game.first, Fraction(1), (), ())
    return [FirstBuys(share, coins, buys) for (coins, buys), share in sorted(found.items())]


LATE = (3, 6, 9, 12, 15)
"""The points to go at which Duchies are tried before Gold."""


@dataclass(frozen=True)
class PolicyTurns:
    """A policy: its name, bounds of its expected turns, and the probability of each turn to be the last."""

    name: str
    low: float
    high: float
    turns: dict[int, float]


@dataclass(frozen=True)
class CostlyChoice:
    """A choice of Big Money that costs turns: its expected visits per game, and the turns that these cost."""

    to_go: int
    coins: int
    buys: str
    better: str
    visits: float
    turns: float


@dataclass(frozen=True)
class RaceSolution:
    """Solution of a race: turns of the optimal policy and of others, losses of Big Money, optimal openings."""

    race: Solitaire
    runners: list[PolicyTurns]
    losses: list[CostlyChoice]
    openings: list[FirstBuys]
    n_states: int
    seconds: float


def solve_race(race: Solitaire, limits: Limits, progress: Callable[[int], None]) -> RaceSolution:
    """Solve the game, and evaluate Big Money and its variants."""
    began = time.monotonic()
    best = solve_bounds(race, limits=limits, progress=progress)
    seconds = time.monotonic() - began
    runners = [_turns_of("the fastest", best)]
    losses: list[CostlyChoice] = []
    for name, policy in _rules(race):
        try:
            followed = evaluate_bounds(race, policy, limits=limits, progress=no_progress)
            runners.append(_turns_of(name, followed))
        except NotConverged:  # the policy may never reach the target: Big Money, if only Duchies are left
            continue
        losses = _costly_choices(best, policy) if policy is BIG_MONEY else losses
    return RaceSolution(race, runners, losses, openings(race, best.policy), best.n_states, seconds)


def _rules(race: Solitaire) -> Iterator[tuple[str, Callable[[SolitaireState], str]]]:
    """Yield Big Money; in a race to points with Duchies also variants that prefer them late, by name."""
    yield "Big Money", BIG_MONEY
    if race.vp is not None and race.first.left[KINDS.index("Duchy")]:
        for points in LATE:
            if points <= race.first.to_go:
                yield f"Duchies from {points} to go", duchy_late(points)


def _turns_of(name: str, enclosure: BoundedSolution[SolitaireState, str]) -> PolicyTurns:
    low, high = enclosure.value
    return PolicyTurns(name, -high, -low, {-turn: float(share) for turn, share in enclosure.results()})


def _costly_choices(
    best: BoundedSolution[SolitaireState, str], policy: Callable[[SolitaireState], str]
) -> list[CostlyChoice]:
    """Return the choices that cost a policy turns, the costliest first.

    The cost of a choice is its regret times the expected visits of its state. The costs sum to the policy's total loss
    (Kakade and Langford 2002), except for choices within the tolerance.
    """
    found: dict[tuple[int, int, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for state, often in visits(best.game, policy, best.start).items():
        if state.coins is None:
            continue
        options = best.action_values(state)
        taken = next(option for option in options if option.action == policy(state))
        cost = options[0].value.middle - taken.value.middle
        if cost > best.tolerance:
            entry = found[state.to_go, state.coins, taken.action, options[0].action]
            entry[0] += often
            entry[1] += often * cost
    losses = [CostlyChoice(*choice, *costs) for choice, costs in found.items()]
    return sorted(losses, key=lambda loss: -loss.turns)


_BY_COST = sorted(((name, CARDS[name].cost, pile) for pile, name in enumerate(KINDS)), key=lambda row: -row[1])

_COINS = (*(CARDS[name].coins for name in TREASURES), 0)

_BOUGHT = {
    name: (tuple(int(kind == min(pile, 3)) for kind in range(4)), tuple(int(i == pile) for i in range(len(KINDS))))
    for pile, name in enumerate(KINDS)
}
"""For each card, the counts added to `owned` and subtracted from `left` by a buy."""


def _check_cards(what: str, cards: Mapping[str, int]) -> None:
    for name, n in cards.items():
        if name not in KINDS:
            raise UsageError(f"the {what} of a race has no '{name}'. Allowed: {', '.join(KINDS)}.")
        if n < 0:
            raise UsageError(f"the {what} of a race has {n} {name}; allowed: 0 or more")


def _best_hand(owned: Mapping[str, int]) -> int:
    """Return the coins of the five best Treasures of a deck."""
    coins = [CARDS[name].coins for name, n in owned.items() for _ in range(min(n, HAND_SIZE))]
    return sum(sorted(coins)[-HAND_SIZE:])


@lru_cache(maxsize=1 << 16)
def _hands(deck: Counts, owned: Counts) -> tuple[list[tuple[int, Counts, int]], int]:
    """Return the hands that may be drawn, as (coins, rest of the deck, weight), and the sum of the weights."""
    first: Counts = (0, 0, 0, 0)
    missing = HAND_SIZE
    if sum(deck) < HAND_SIZE:  # draw all of it, then shuffle the discard pile
        first, missing = deck, HAND_SIZE - sum(deck)
        deck = tuple([a - b for a, b in zip(owned, deck, strict=True)])
    drawn = draw_counts(deck, missing)
    hands = []
    for taken, weight in drawn.pairs:
        coins = sum([coin * (a + b) for coin, a, b in zip(_COINS, first, taken, strict=True)])
        rest = tuple([a - b for a, b in zip(deck, taken, strict=True)])
        hands.append((coins, rest, weight))
    return hands, int(drawn.total)
