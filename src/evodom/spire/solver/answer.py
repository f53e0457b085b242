"""Limits and results of the solver: `SolverLimits`, `SolvedFight` and its parts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class SolverLimits:
    """Limits of the solver: bytes of memory, and chance nodes (`rows`) of the graph. None means no limit."""

    memory: int | None = None
    rows: int | None = None


@dataclass(kw_only=True)
class Effort:
    """Size of a solved graph and the work done.

    `rows` is the number of chance nodes, `turns` of decision nodes; `states` counts both once for every HP value
    solved. `moves` is the number of moves played on the engine. `memory` is in bytes.
    """

    rows: int = 0
    turns: int = 0
    states: int = 0
    moves: int = 0
    memory: int = 0

    def add(self, other: Effort) -> None:
        """Add the effort of another fight solved after this one: sums, and the maximum of `memory`."""
        self.rows += other.rows
        self.turns += other.turns
        self.states += other.states
        self.moves += other.moves
        self.memory = max(self.memory, other.memory)


@dataclass
class Results:
    """Distribution of the HP left (0 if the fight was not won in time), and the probability of losing."""

    by_hp: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    death: float = 0.0

    def add(self, share: float, other: Results) -> None:
        """Add the results of a part of the fight, weighted by its probability."""
        self.death += share * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] += share * chance

    def pairs(self) -> list[tuple[int, float]]:
        """Return (HP, probability) in ascending order of HP."""
        return sorted(self.by_hp.items())

    def mean(self) -> float:
        """Return the expected HP."""
        return sum(hp * chance for hp, chance in self.pairs())


@dataclass(kw_only=True)
class ExactFigures:
    """Figures of a fight as fractions.

    `value` is the optimum. `by_hp` and `death` are probabilities under one optimal strategy. `choices` are the values
    of moves or plans, in their order. `decisions` is the number of reachable decisions, times HP.
    """

    value: Fraction = Fraction(0)
    by_hp: dict[int, Fraction] = field(default_factory=dict)
    death: Fraction = Fraction(0)
    choices: list[Fraction] = field(default_factory=list)
    decisions: int = 0

    def add(self, share: Fraction, other: ExactFigures) -> None:
        """Add the figures of a part of the fight, weighted by its probability."""
        self.value += share * other.value
        self.death += share * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] = self.by_hp.get(hp, Fraction(0)) + share * chance
        self.decisions += other.decisions

    def results(self) -> Results:
        """Return the probabilities as floats."""
        return Results(defaultdict(float, {hp: float(chance) for hp, chance in self.by_hp.items()}), float(self.death))


@dataclass(kw_only=True)
class SolvedFight:
    """Solution of a fight: its value, an error bound (`error`, without rounding), and the results of optimal play.

    `moves` are the moves of a position and their values, best first. `plans` are the plans of a turn as sequences of
    moves, in the same order. Both belong to the position `start`. With a limit of turns, `at_most` is an upper bound of
    the value without the limit, None if unknown. `exact` has the figures as fractions, or is None.
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
        """Add a part of the fight, weighted by its probability. `exact` stays if both have fractions."""
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
