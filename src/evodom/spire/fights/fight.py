"""A fight as a person says it: who fights with what, what counts, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from evodom.distribution import Distribution
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.names import find_enemies

HP, WIN, BOTH = "hp", "win", "both"

POTION_PRICE = 4.0
"""The price in HP of a potion that is used, where a file or the options have no other.

It is what a potion saves in a later fight: 4.2 HP against strong monsters of act 1, the mean of eight common potions
(1.2 to 7.5). Those are 80 fights for each, by searches of 100 simulations, at ascension 20 with 75 HP and the starter
deck with Pommel Strike and Shrug It Off.
"""


@dataclass(frozen=True)
class Payoff:
    """What a fight is worth: the HP that are left, whether it is won, or both.

    `potion` is the price in HP of every potion that is used, 0 for none. `gain` is the prize in HP for each maximum HP
    that is gained.
    """

    kind: str = HP
    potion: float = 0.0
    gain: float = 0.0

    def prices(self, max_hp: int) -> tuple[float, float, float, float]:
        """Return what is paid for each HP left, for a win, for each potion used and for each maximum HP gained.

        "both" is (win + HP / maximum) / 2.
        """
        hp, win = {HP: (1.0, 0.0), WIN: (0.0, 1.0), BOTH: (0.5 / max_hp, 0.5)}[self.kind]
        unit = hp or 1.0 / max_hp
        return hp, win, self.potion * unit, self.gain * unit


@dataclass(frozen=True, kw_only=True)
class EnemyState:
    """An enemy in a fight that has begun.

    `intent` is its next move; `run` tells apart intents of the same move (None: the first of them).
    """

    name: str
    hp: int
    max_hp: int
    intent: str
    run: int | None = None
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FightState:
    """A fight that has begun, at a decision of the player; HP and the counters of relics are those of the `Setup`.

    Piles count cards by name; `draw` includes the known cards of `top`, the next one first. `potions` are those that
    are left, None for all. `played` are the types of the cards that were played this turn, in their order.
    """

    energy: int
    hand: Mapping[str, int]
    draw: Mapping[str, int]
    discard: Mapping[str, int]
    enemies: tuple[EnemyState, ...]
    turn: int = 1
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    exhaust: Mapping[str, int] = field(default_factory=dict)
    top: tuple[str, ...] = ()
    potions: tuple[str, ...] | None = None
    played: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fight:
    """A fight: its setup, what counts, and the state if it has begun.

    `encounters` are the names of what may be met, with chances; None stands for the groups of the setup.
    """

    setup: Setup
    payoff: Payoff = field(default_factory=Payoff)
    state: FightState | None = None
    encounters: Distribution[str] | None = None

    def named(self) -> Distribution[str]:
        """Return what may be met by name, with chances."""
        return self.encounters or self.setup.enemies.map(", ".join).merge()

    @property
    def text(self) -> str:
        """The fight in a few words: "Gremlin Nob, ascension 20, 68 of 75 HP"."""
        hp, max_hp, _ = self.setup.player()
        names = [name for name, _ in self.named()]
        many = f"{len(names)} encounters" if len(names) > 4 else " or ".join(names)
        return f"{many}, ascension {self.setup.ascension}, {hp} of {max_hp} HP"

    def parts(self) -> Iterator[tuple[str, Fraction, Setup]]:
        """Give each encounter with its chance and its own setup: all of them may be too many for one."""
        for name, chance in self.named():
            yield name, Fraction(chance), replace(self.setup, enemies=find_enemies(name))
