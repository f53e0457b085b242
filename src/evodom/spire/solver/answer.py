"""What solving a fight may take, and what it finds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class SolverLimits:
    """How far solving may go: bytes of memory, and rows of the graph (see `graph`); None for no limit."""

    memory: int | None = None
    rows: int | None = None


@dataclass(kw_only=True)
class Effort:
    """What solving took.

    `rows` are the positions in which chance decides, `turns` those in which the player does; `states` counts both once
    for every number of HP that they were solved with. `moves` were played on the engine. `memory` is in bytes.
    """

    rows: int = 0
    turns: int = 0
    states: int = 0
    moves: int = 0
    memory: int = 0

    def add(self, other: Effort) -> None:
        """Count what another fight took, after this one."""
        self.rows += other.rows
        self.turns += other.turns
        self.states += other.states
        self.moves += other.moves
        self.memory = max(self.memory, other.memory)


@dataclass
class Results:
    """The chances of the HP that are left, 0 if the fight was lost, and of losing."""

    by_hp: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    death: float = 0.0

    def add(self, share: float, other: Results) -> None:
        """Add what comes of a part of the fights."""
        self.death += share * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] += share * chance

    def pairs(self) -> list[tuple[int, float]]:
        """Return the HP and their chances, in ascending order."""
        return sorted(self.by_hp.items())

    def mean(self) -> float:
        """Return the HP that can be expected."""
        return sum(hp * chance for hp, chance in self.pairs())


@dataclass(kw_only=True)
class ExactFigures:
    """The figures of a fight as fractions.

    `value` is the optimum. `by_hp` and `death` are the chances of one best play; `choices` has the values of moves or
    plans, in the order of those. `decisions` is the number of decisions that any play may reach, times HP.
    """

    value: Fraction = Fraction(0)
    by_hp: dict[int, Fraction] = field(default_factory=dict)
    death: Fraction = Fraction(0)
    choices: list[Fraction] = field(default_factory=list)
    decisions: int = 0

    def add(self, share: Fraction, other: ExactFigures) -> None:
        """Add a part of the fights."""
        self.value += share * other.value
        self.death += share * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] = self.by_hp.get(hp, Fraction(0)) + share * chance
        self.decisions += other.decisions

    def results(self) -> Results:
        """Return the chances as floats."""
        return Results(defaultdict(float, {hp: float(chance) for hp, chance in self.by_hp.items()}), float(self.death))


@dataclass(kw_only=True)
class SolvedFight:
    """The value of a fight, off by no more than `error` besides rounding, and the results of the best play.

    `moves` are those of a fight that has begun, with their values, the best first. `plans` are the ways to play a turn
    as sequences of moves, in the same order. Both are made in the position `start`. With a limit of turns, `at_most` is
    an upper bound of the value without it; None where none is known. `exact` has the figures as fractions, None where
    there are none.
    """

    value: float = 0.0
    results: Results = field(default_factory=Results)
    moves: list[tuple[int, float]] = field(default_factory=list)
    plans: list[tuple[tuple[int, ...], float]] = field(default_factory=list)
    start: bytes = b""
    error: float = 0.0
    at_most: float | None = None
    exact: ExactFigures | None = None
    effort: Effort = field(default_factory=Effort)

    def add(self, share: float | Fraction, other: SolvedFight) -> None:
        """Add a part of the fights; `exact` stays if both have fractions."""
        if self.exact and other.exact:
            self.exact.add(Fraction(share).limit_denominator(10**6), other.exact)
        else:
            self.exact = None
        share = float(share)
        self.value += share * other.value
        self.results.add(share, other.results)
        self.error = max(self.error, other.error)
        self.effort.add(other.effort)
        if other.at_most is not None:
            self.at_most = (self.at_most or 0.0) + share * other.at_most
