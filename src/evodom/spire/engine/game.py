"""`SpireFight`: a fight as an `ExplicitGame` of `evodom.games`.

Open it to start, play or enumerate fights from Python. The rules are kernels in the other modules of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from evodom.distribution import Distribution, weighted
from evodom.errors import EvodomError, UsageError
from evodom.spire.engine import layout as at
from evodom.spire.engine import moves
from evodom.spire.engine.chance import DRAWN_CARD
from evodom.spire.engine.compiler import BURNING_MARKS, FightRules, Setup
from evodom.spire.engine.layout import FightRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.random import Generator as Rng

PEN_NIB = "Pen Nib"

State = bytes
"""State of a fight: the bytes of a record of `layout.FIGHT`."""


@dataclass(frozen=True)
class PendingChance:
    """A pending chance event: `event` and `subject` as in `chance.draw_outcome`, and the weight of each result."""

    event: int
    subject: int
    weights: tuple[int, ...]

    @property
    def possible(self) -> tuple[int, ...]:
        """Return the results with a weight above 0."""
        return tuple(result for result, weight in enumerate(self.weights) if weight > 0)


@dataclass(frozen=True)
class CarriedState:
    """The player's state between two fights with the same deck.

    `potions` has a flag for each place of the belt: whether the potion is left. `counters` are the counters of relics
    that count across fights. `lizard_tail_used` is True after Lizard Tail has acted.
    """

    hp: int
    max_hp: int
    potions: tuple[bool, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    lizard_tail_used: bool = False


Decide = Callable[[State, list[PendingChance]], int]
"""Type of a function that resolves chance: it returns the result of the first pending event.

Arguments: the state after the move, and all pending events of the move. The state assumes the first possible result
of each pending event.
"""


class SpireFight:
    """A fight of act 1 as an `ExplicitGame` of one player. Actions are the move numbers of `moves`."""

    n_players = 1

    def __init__(self, setup: Setup) -> None:
        """Compile the fight. Raise `UsageError` for an invalid setup."""
        self.setup = setup
        self.rules = FightRules(setup)
        self.record = self.rules.record
        self.all_actions: Sequence[int] = range(moves.N_MOVES)
        self._moves = np.zeros(moves.N_MOVES, np.int32)
        self._dice = np.zeros(1, at.DICE)[0]
        self._mark = BURNING_MARKS.index(setup.burning)

    def view(self, state: State) -> Any:
        """Return a state as a readable record."""
        return np.frombuffer(state, at.FIGHT)[0]

    def start(self, rng: Rng) -> State:
        """Return an initial state drawn from `rng`."""
        return self._start(rng, CarriedState(self.rules.hp, self.rules.max_hp, counters=self.setup.counters))

    def start_with(self, rng: Rng, carried: CarriedState) -> State:
        """Return an initial state drawn from `rng`, with HP, potions and counters of `carried`, not of the setup."""
        hp_of_setup = self.record.hp, self.record.max_hp
        self.record.hp, self.record.max_hp = carried.hp, carried.max_hp
        try:
            return self._start(rng, carried)
        finally:
            self.record.hp, self.record.max_hp = hp_of_setup

    def carried(self, state: State) -> CarriedState:
        """Return the player's state after a fight."""
        fight, kept = self.view(state), self.record.relic_kept
        counters = {name: int(fight.counters[n]) for n, name in enumerate(self.rules.triggered_relics) if kept[n]}
        return CarriedState(
            hp=self.returns(state)[0],
            max_hp=int(fight.max_hp[0]),
            potions=tuple(bool(left) for left in fight.potions[: self.record.n_potions]),
            counters=counters | {PEN_NIB: int(fight.pen_nib)},
            lizard_tail_used=bool(fight.tail),
        )

    def starts(self) -> Distribution[State]:
        """Return the distribution of initial states. It is large if many HP and statuses are rolled."""
        groups = Distribution(list(enumerate(self.rules.group_weights.tolist())), int(self.rules.group_weights.sum()))
        return groups.bind(lambda group: self._distribution(lambda: self._started(group))).merge()

    def starts_with(self, hand: Mapping[str, int]) -> Distribution[State]:
        """Return the distribution of initial states with a first hand. Raise `UsageError` if it cannot be drawn."""
        wanted = np.zeros(at.N_KINDS, np.int64)
        for name, n in hand.items():
            wanted[self.rules.kind(name)] = n
        found = [
            (state, weight * chance)
            for group, weight in enumerate(self.rules.group_weights.tolist())
            for state, chance in self._enumerate(partial(self._started, group), wanted)
            if np.array_equal(self.view(state).piles[at.HAND], wanted)
        ]
        if found:
            return weighted(found).merge()
        n_cards, n_drawn = sum(hand.values()), int(self.view(self.start(np.random.default_rng(0))).n_cards[at.HAND])
        if n_drawn != n_cards:
            raise UsageError(f"a hand of {n_cards} card{'s' * (n_cards > 1)} was given, and {n_drawn} are drawn")
        deck = ", ".join(f"{n} {name}" if n > 1 else name for name, n in self.rules.deck.items() if n)
        raise UsageError(f"this hand cannot be drawn from the deck: {deck}")

    def player(self, state: State) -> int:
        """Return 0, the only player."""
        return 0

    def actions(self, state: State) -> list[int]:
        """Return the legal moves in ascending order; an empty list if the fight is over."""
        n = moves.legal(self.record, self.view(state), self._moves)
        return [int(move) for move in self._moves[:n]]

    def sample(self, state: State, action: int, rng: Rng) -> State:
        """Return the state after a move, with chance drawn from `rng`."""
        self._seed(rng)
        return self._played(state, action)

    def outcomes(self, state: State, action: int) -> Distribution[State]:
        """Return the distribution of states after a move, with exact probabilities."""
        return self._distribution(lambda: self._played(state, action))

    def resolve_chance(self, state: State, action: int, decide: Decide) -> State:
        """Return the state after a move. `decide` returns the result of each chance event in turn."""
        return self._resolved(lambda: self._played(state, action), decide)

    def resolve_start_chance(self, group: int, decide: Decide) -> State:
        """Return an initial state against group number `group`. `decide` returns the result of each chance event."""
        return self._resolved(lambda: self._started(group), decide)

    def returns(self, state: State) -> tuple[int]:
        """Return the HP left: 0 if the fight was lost or not won in time."""
        fight = self.view(state)
        return (int(moves.hp_left(self.record, fight)) if fight.over else int(fight.hp[0]),)

    def action_name(self, action: int) -> str:
        """Return the description of a move, such as "Bash at enemy 2"."""
        if action == moves.END:
            return "end"
        if action >= moves.FIRST_CHOICE:
            return f"choose {self._card(action - moves.FIRST_CHOICE)}"
        potion = action >= moves.FIRST_POTION
        what, place = divmod(action - (moves.FIRST_POTION if potion else moves.FIRST_CARD), at.N_FIGHTERS)
        name = self._potion(what) if potion else self._card(what)
        return f"{name} at enemy {place}" if place else name

    def _card(self, kind: int) -> str:
        return self.rules.kinds[kind].name if kind < len(self.rules.kinds) else f"card {kind}"

    def _potion(self, place: int) -> str:
        return f"{self.rules.potions[place] if place < len(self.rules.potions) else 'potion'} ({place + 1})"

    def _seed(self, rng: Rng) -> None:
        """Take the next random stream from `rng`."""
        self._dice.mode = 0
        self._dice.stream[0] = rng.integers(2**64, dtype=np.uint64)

    def _start(self, rng: Rng, carried: CarriedState) -> State:
        self._seed(rng)
        weights = self.rules.group_weights
        group = int(rng.choice(len(weights), p=weights / weights.sum()))
        fight = np.frombuffer(bytearray(self._started(group, carried.counters, carried.lizard_tail_used)), at.FIGHT)[0]
        if carried.potions:
            fight.potions[: len(carried.potions)] = carried.potions
        return _bytes(fight)

    def prepare(self, group: int, counters: Mapping[str, int] | None = None, tail: bool = False) -> tuple[Any, Any]:
        """Return a fight before its start, with counters, and the HP of the enemies by place (0: rolled)."""
        counters = self.setup.counters if counters is None else counters
        fight = np.zeros(1, at.FIGHT)[0]
        fight.counters[: len(self.rules.triggered_relics)] = self.rules.counts(counters)
        fight.pen_nib, fight.tail = counters.get(PEN_NIB, 0), tail
        known = np.zeros(at.MAX_ENEMIES, np.int32)
        filled = np.flatnonzero(self.rules.groups[group])
        for filled_place, given in zip(filled, self.setup.enemy_hp, strict=False):
            known[filled_place] = given or 0
        return fight, known

    def _started(self, group: int, counters: Mapping[str, int] | None = None, tail: bool = False) -> State:
        fight, known = self.prepare(group, counters, tail)
        moves.start_fight(self.record, fight, self.rules.groups[group], known, self._mark, self._dice)
        return _bytes(fight)

    def _played(self, state: State, action: int) -> State:
        fight = np.frombuffer(bytearray(state), at.FIGHT)[0]
        moves.play(self.record, fight, action, self._dice)
        return _bytes(fight)

    def _distribution(self, act: Callable[[], State]) -> Distribution[State]:
        """Return the distribution of the results of `act`, a function that uses the dice."""
        return weighted(self._enumerate(act)).merge()

    def _enumerate(self, act: Callable[[], State], hand: Any = None) -> Iterator[tuple[State, Fraction]]:
        """Yield each result of `act` with its probability. Of the random results, the last one changes first.

        With a `hand`, the number of cards of each kind, skip tapes that draw other cards.
        """
        dice = self._dice
        dice.mode, dice.length = 1, 0
        while True:
            dice.position = 0
            result = act()
            self._check_tape()
            chance = Fraction(1)
            for place in range(dice.length):
                chance *= Fraction(int(dice.weights[place, dice.results[place]]), int(dice.totals[place]))
            wrong = dice.length if hand is None else self._first_unwanted_card(hand)
            if wrong == dice.length:
                yield result, chance
            dice.length = min(dice.length, wrong + 1)
            while dice.length and not self._advance_place(dice.length - 1):
                dice.length -= 1
            if not dice.length:
                return

    def _first_unwanted_card(self, hand: Any) -> int:
        """Return the place on the tape of the first drawn card that is not in `hand`, or the tape's length."""
        left = hand.copy()
        for place in range(self._dice.length):
            if self._dice.events[place] == DRAWN_CARD:
                left[self._dice.results[place]] -= 1
                if left.min() < 0:
                    return place
        return int(self._dice.length)

    def _resolved(self, act: Callable[[], State], decide: Decide) -> State:
        """Return the result of `act`. `decide` fills the tape place by place."""
        dice = self._dice
        dice.mode = dice.lists_certain = 1
        n_decided = 0
        try:
            while True:
                dice.position, dice.length = 0, n_decided
                result = act()
                self._check_tape()
                if dice.length == n_decided:
                    return result
                pending = [self._pending(place) for place in range(n_decided, dice.length)]
                dice.results[n_decided] = decide(result, pending)
                n_decided += 1
        finally:
            dice.lists_certain = 0

    def _pending(self, place: int) -> PendingChance:
        """Return the chance event at a place of the tape."""
        dice = self._dice
        weights = tuple(dice.weights[place, : dice.n_results[place]].tolist())
        return PendingChance(int(dice.events[place]), int(dice.subjects[place]), weights)

    def _check_tape(self) -> None:
        """Raise `EvodomError` if there were more chance events than the tape holds."""
        if self._dice.position > at.N_DICE:
            raise EvodomError(f"a move with more than {at.N_DICE} random events cannot be listed: sample it")

    def _advance_place(self, place: int) -> bool:
        """Advance a place of the tape to its next possible result. Return False if there is none."""
        later = np.flatnonzero(self._dice.weights[place, : self._dice.n_results[place]] > 0)
        later = later[later > self._dice.results[place]]
        if len(later):
            self._dice.results[place] = later[0]
        return bool(len(later))


def check_overflow(fight: FightRecord) -> None:
    """Raise `EvodomError` if an array of the fight has overflowed."""
    if fight.n_overflows:
        raise EvodomError("the queue of effects of this fight overflows; leave cards or relics out")


def _bytes(fight: FightRecord) -> State:
    """Return a fight as a state. Raise `EvodomError` on overflow."""
    check_overflow(fight)
    state: bytes = fight.tobytes()
    return state


def compile_engine() -> None:
    """Compile the kernels of the engine, or load them from the cache."""
    game = SpireFight(Setup())
    rng = np.random.default_rng(0)
    state = game.start(rng)
    game.returns(game.sample(state, game.actions(state)[0], rng))
