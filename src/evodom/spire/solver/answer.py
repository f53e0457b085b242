"""What solving a fight may take, and what it finds."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class SolverLimits:
    """How far solving may go: bytes of memory, and rows of the graph (see `layout`); None for no limit."""

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
class SolvedFight:
    """What a fight is worth, off by no more than `error` besides rounding, and what comes of the best play.

    `moves` are those of a fight that has begun, with their values, the best first. With a limit of turns, `at_most` is
    an upper bound of the value without it; None where none is known.
    """

    value: float = 0.0
    results: Results = field(default_factory=Results)
    moves: list[tuple[int, float]] = field(default_factory=list)
    error: float = 0.0
    at_most: float | None = None
    effort: Effort = field(default_factory=Effort)

    def add(self, share: float, other: SolvedFight) -> None:
        """Add a part of the fights."""
        self.value += share * other.value
        self.results.add(share, other.results)
        self.error = max(self.error, other.error)
        self.effort.add(other.effort)
        if other.at_most is not None:
            self.at_most = (self.at_most or 0.0) + share * other.at_most
