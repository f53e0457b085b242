"""The enemies of act 1, one row each: their HP, what they start with, their moves and how they choose the next one.

Numbers rise with the ascension, at steps that depend on the kind of enemy: HP at 7 (normal) or 8 (elite), damage at 2
or 3, behaviour at 17 or 18. A row names every number at all its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, Protocol, TypeVar

from evodom.distribution import Distribution, certain, weighted
from evodom.spire import statuses as s
from evodom.spire.board import STUNNED
from evodom.spire.effects import SELF, BiteFor, BoardEffect, Create, Give, Hit, Lose, PlainBlock

T = TypeVar("T")

NORMAL, ELITE = "normal", "elite"
MAX_ASCENSION = 20

_STEPS = {NORMAL: (7, 2, 17), ELITE: (8, 3, 18)}
"""From which ascension on HP, damage and behaviour are raised."""


@dataclass(frozen=True)
class Steps:
    """Picks the numbers of a row that hold at an ascension, which depends on the kind of enemy."""

    ascension: int
    kind: str

    def hp(self, plain: T, raised: T) -> T:
        """Pick a range of HP, or another number that rises at the same ascension."""
        return raised if self.ascension >= _STEPS[self.kind][0] else plain

    def damage(self, plain: T, raised: T) -> T:
        """Pick damage."""
        return raised if self.ascension >= _STEPS[self.kind][1] else plain

    def behaviour(self, plain: T, raised: T) -> T:
        """Pick a number or pattern that changes with the behaviour."""
        return raised if self.ascension >= _STEPS[self.kind][2] else plain


class Pattern(Protocol):
    """How an enemy chooses its moves: the first one, and the next given the last and how often in a row it was made."""

    def first(self) -> Distribution[tuple[str, int]]:
        """Return the distribution of (move, run) at the start."""

    def following(self, move: str, run: int) -> Distribution[tuple[str, int]]:
        """Return the distribution of the next (move, run)."""


@dataclass(frozen=True)
class Script:
    """Moves in a fixed order; after the last it goes on at place `again`. `run` is the place in the order.

    An enemy that was stunned goes on at `again`.
    """

    moves: tuple[str, ...]
    again: int = 0

    def first(self) -> Distribution[tuple[str, int]]:
        """Begin at the beginning."""
        return certain((self.moves[0], 0))

    def following(self, move: str, run: int) -> Distribution[tuple[str, int]]:
        """Go on to the next place."""
        place = run + 1 if move != STUNNED and run + 1 < len(self.moves) else self.again
        return certain((self.moves[place], place))


class MoveOption(NamedTuple):
    """A move an enemy may roll: its weight, how often in a row at most, and what is rolled instead beyond that."""

    weight: int
    at_most: int | None = None
    instead: Mapping[str, int | float] = {}


@dataclass(frozen=True)
class Roll:
    """Moves by chance; `run` is how often in a row a move was made, counted as far as a limit needs it."""

    opening: Mapping[str, int]
    options: Mapping[str, MoveOption]

    def first(self) -> Distribution[tuple[str, int]]:
        """Roll the opening."""
        return weighted({(move, self._run(move, 1)): weight for move, weight in self.opening.items()})

    def following(self, move: str, run: int) -> Distribution[tuple[str, int]]:
        """Roll a move, and roll again if it was made too often in a row."""
        chosen = weighted({name: option.weight for name, option in self.options.items()})
        return chosen.bind(lambda name: self._allowed(name, move, run)).map(
            lambda name: (name, self._run(name, run + 1 if name == move else 1))
        )

    def _allowed(self, name: str, move: str, run: int) -> Distribution[str]:
        option = self.options[name]
        if name != move or option.at_most is None or run < option.at_most:
            return certain(name)
        return weighted(option.instead)

    def _run(self, move: str, run: int) -> int:
        option = self.options.get(move)
        return min(run, option.at_most) if option and option.at_most else 0


Range = tuple[int, int]
"""The least and the most of a number that is rolled, all values having the same chance."""


Moves = Mapping[str, tuple[BoardEffect, ...]]
"""What each move of an enemy does."""


@dataclass(frozen=True)
class EnemyRow:
    """An enemy at one ascension; `rolled` are the statuses whose amount is rolled for each one."""

    hp: Range
    moves: Moves
    pattern: Pattern
    statuses: Mapping[str, int] = field(default_factory=dict)
    rolled: Mapping[str, Range] = field(default_factory=dict)
    block: int = 0


def _cultist(at: Steps) -> EnemyRow:
    ritual = at.behaviour(at.damage(3, 4), 5)
    moves: Moves = {"Incantation": (Give(s.RITUAL, ritual, SELF),), "Dark Strike": (Hit(6),)}
    return EnemyRow(at.hp((48, 54), (50, 56)), moves, Script(("Incantation", "Dark Strike"), again=1))


def _jaw_worm(at: Steps) -> EnemyRow:
    strength = at.behaviour(at.damage(3, 4), 5)
    moves: Moves = {
        "Chomp": (Hit(at.damage(11, 12)),),
        "Thrash": (Hit(7), PlainBlock(5)),
        "Bellow": (Give(s.STRENGTH, strength, SELF), PlainBlock(at.behaviour(6, 9))),
    }
    options = {
        "Chomp": MoveOption(25, 1, {"Bellow": 5625, "Thrash": 4375}),
        "Thrash": MoveOption(30, 2, {"Chomp": 357, "Bellow": 643}),
        "Bellow": MoveOption(45, 1, {"Chomp": 416, "Thrash": 584}),
    }
    return EnemyRow(at.hp((40, 44), (42, 46)), moves, Roll({"Chomp": 1}, options))


def _louse(at: Steps, other: str, effect: BoardEffect, hp: Range) -> EnemyRow:
    options = {
        other: MoveOption(25, at.behaviour(2, 1), {"Bite": 1}),
        "Bite": MoveOption(75, 2, {other: 1}),
    }
    rolled = {s.CURL_UP: at.behaviour(at.hp((3, 7), (4, 8)), (9, 12)), s.BITE: at.damage((5, 7), (6, 8))}
    return EnemyRow(hp, {other: (effect,), "Bite": (BiteFor(),)}, Roll({other: 25, "Bite": 75}, options), rolled=rolled)


def _red_louse(at: Steps) -> EnemyRow:
    return _louse(at, "Grow", Give(s.STRENGTH, at.behaviour(3, 4), SELF), at.hp((10, 15), (11, 16)))


def _green_louse(at: Steps) -> EnemyRow:
    return _louse(at, "Spit Web", Give(s.WEAK, 2), at.hp((11, 17), (12, 18)))


def _acid_slime_s(at: Steps) -> EnemyRow:
    options = {"Tackle": MoveOption(1, 1, {"Lick": 1}), "Lick": MoveOption(1, 1, {"Tackle": 1})}
    moves: Moves = {"Tackle": (Hit(at.damage(3, 4)),), "Lick": (Give(s.WEAK, 1),)}
    opening = at.behaviour({"Tackle": 1, "Lick": 1}, {"Lick": 1})
    return EnemyRow(at.hp((8, 12), (9, 13)), moves, Roll(opening, options))


def _acid_slime_m(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Corrosive Spit": (Hit(at.damage(7, 8)), Create("Slimed")),
        "Tackle": (Hit(at.damage(10, 12)),),
        "Lick": (Give(s.WEAK, 1),),
    }
    early = {
        "Corrosive Spit": MoveOption(30, 2, {"Tackle": 50, "Lick": 50}),
        "Tackle": MoveOption(40, 1, {"Corrosive Spit": 40, "Lick": 60}),
        "Lick": MoveOption(30, 2, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    late = {
        "Corrosive Spit": MoveOption(40, 2, {"Tackle": 50, "Lick": 50}),
        "Tackle": MoveOption(40, 2, {"Corrosive Spit": 50, "Lick": 50}),
        "Lick": MoveOption(20, 1, {"Corrosive Spit": 40, "Tackle": 60}),
    }
    return EnemyRow(at.hp((28, 32), (29, 34)), moves, _rolled(at.behaviour(early, late)))


def _spike_slime_s(at: Steps) -> EnemyRow:
    return EnemyRow(at.hp((10, 14), (11, 15)), {"Tackle": (Hit(at.damage(5, 6)),)}, Script(("Tackle",)))


def _spike_slime_m(at: Steps) -> EnemyRow:
    moves: Moves = {"Flame Tackle": (Hit(at.damage(8, 10)), Create("Slimed")), "Lick": (Give(s.FRAIL, 1),)}
    options = {
        "Flame Tackle": MoveOption(30, 2, {"Lick": 1}),
        "Lick": MoveOption(70, at.behaviour(2, 1), {"Flame Tackle": 1}),
    }
    return EnemyRow(at.hp((28, 32), (29, 34)), moves, _rolled(options))


def _gremlin_nob(at: Steps) -> EnemyRow:
    moves: Moves = {
        "Bellow": (Give(s.ENRAGE, at.behaviour(2, 3), SELF),),
        "Rush": (Hit(at.damage(14, 16)),),
        "Skull Bash": (Hit(at.damage(6, 8)), Give(s.VULNERABLE, 2)),
    }
    early: Pattern = Roll({"Bellow": 1}, {"Skull Bash": MoveOption(33), "Rush": MoveOption(67, 2, {"Skull Bash": 1})})
    late: Pattern = Script(("Bellow", "Skull Bash", "Rush", "Rush"), again=1)
    return EnemyRow(at.hp((82, 86), (85, 90)), moves, at.behaviour(early, late))


def _lagavulin(at: Steps) -> EnemyRow:
    drain = at.behaviour(-1, -2)
    moves: Moves = {
        "Sleep": (),
        "Wake": (Lose(s.ASLEEP), Lose(s.METALLICIZE)),
        "Attack": (Hit(at.damage(18, 20)),),
        "Siphon Soul": (Give(s.STRENGTH, drain), Give(s.DEXTERITY, drain)),
    }
    script = Script(("Sleep", "Sleep", "Wake", "Attack", "Attack", "Siphon Soul"), again=3)
    asleep = {s.ASLEEP: 1, s.METALLICIZE: 8}
    return EnemyRow(at.hp((109, 111), (112, 115)), moves, script, asleep, block=8)


def _sentry(at: Steps, first: str, second: str) -> EnemyRow:
    moves: Moves = {
        "Bolt": (Create("Dazed", at.behaviour(2, 3)),),
        "Beam": (Hit(at.damage(9, 10)),),
    }
    return EnemyRow(at.hp((38, 42), (39, 45)), moves, Script((first, second)), {s.ARTIFACT: 1})


def _rolled(options: Mapping[str, MoveOption]) -> Roll:
    """Roll the first move as all others."""
    return Roll({name: option.weight for name, option in options.items()}, options)


_ROWS: dict[str, tuple[str, Callable[[Steps], EnemyRow]]] = {
    "Cultist": (NORMAL, _cultist),
    "Jaw Worm": (NORMAL, _jaw_worm),
    "Red Louse": (NORMAL, _red_louse),
    "Green Louse": (NORMAL, _green_louse),
    "Acid Slime (S)": (NORMAL, _acid_slime_s),
    "Acid Slime (M)": (NORMAL, _acid_slime_m),
    "Spike Slime (S)": (NORMAL, _spike_slime_s),
    "Spike Slime (M)": (NORMAL, _spike_slime_m),
    "Gremlin Nob": (ELITE, _gremlin_nob),
    "Lagavulin": (ELITE, _lagavulin),
    "Sentry": (ELITE, lambda at: _sentry(at, "Bolt", "Beam")),
    "Middle Sentry": (ELITE, lambda at: _sentry(at, "Beam", "Bolt")),
}

ENEMIES = tuple(_ROWS)
"""The names of all enemies."""

ENCOUNTERS: dict[str, tuple[str, ...]] = {
    "Sentries": ("Sentry", "Middle Sentry", "Sentry"),
    "Two Red Louses": ("Red Louse", "Red Louse"),
    "Two Louses": ("Red Louse", "Green Louse"),
    "Two Green Louses": ("Green Louse", "Green Louse"),
    "Small Slimes": ("Spike Slime (S)", "Acid Slime (M)"),
    "Other Small Slimes": ("Acid Slime (S)", "Spike Slime (M)"),
}
"""Groups of enemies that are met together, left to right."""


@cache
def enemy_row(name: str, ascension: int) -> EnemyRow:
    """Return the row of an enemy at an ascension (0 to 20)."""
    kind, row = _ROWS[name]
    return row(Steps(ascension, kind))
