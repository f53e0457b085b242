"""Limits and results of the solver: `SolverLimits`, `SolvedFight` and its parts.

Open it to look up the contents of a solution.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import NamedTuple

from evodom.errors import EvodomError

MOVES_PER_CHANCE_NODE = 30
"""Moves of a quick solution for each allowed chance node. 600,000 moves take 0.3 s."""


class FightTooLarge(EvodomError):
    """A fight has more positions than the limits allow."""


@dataclass(frozen=True, kw_only=True)
class SolverLimits:
    """Limits of the solver: bytes of memory, chance nodes of a graph, and moves of all graphs. None means no limit."""

    memory: int | None = None
    chance_nodes: int | None = None
    moves: int | None = None

    @classmethod
    def below(cls, chance_nodes: int) -> SolverLimits:
        """Return the limits of a quick solution. The time of a graph is proportional to its moves."""
        return cls(chance_nodes=chance_nodes, moves=MOVES_PER_CHANCE_NODE * chance_nodes)


class GraphSize(NamedTuple):
    """Size of an unfinished graph: chance nodes, `waiting` nodes that are not expanded yet, and bytes of memory."""

    chance_nodes: int
    waiting: int
    memory: int

    def estimated_total(self, before: GraphSize) -> int | None:
        """Return the estimated final number of chance nodes; None if the graph does not converge yet.

        `before` is an earlier size. Since then each expansion has added r = n_added / n_expanded nodes on average. If r
        stays below 1, the waiting nodes have waiting x r / (1 - r) descendants. While r rises, the estimate is too low.
        """
        n_expanded = (self.chance_nodes - self.waiting) - (before.chance_nodes - before.waiting)
        n_added = self.chance_nodes - before.chance_nodes
        if n_added < 0 or n_expanded <= n_added:
            return None
        return self.chance_nodes + self.waiting * n_added // (n_expanded - n_added)


@dataclass(kw_only=True)
class Effort:
    """Size of a solved graph and the work done.

    `states` is the number of pairs (chance node or decision, HP). `moves` is the number of moves played on the
    engine. `memory` is in bytes.
    """

    chance_nodes: int = 0
    decisions: int = 0
    states: int = 0
    moves: int = 0
    memory: int = 0

    def add(self, other: Effort) -> None:
        """Add the effort of another fight. `memory` becomes the maximum: the fights are solved one after the other."""
        self.chance_nodes += other.chance_nodes
        self.decisions += other.decisions
        self.states += other.states
        self.moves += other.moves
        self.memory = max(self.memory, other.memory)


@dataclass
class Results:
    """Probabilities of the HP left, and of losing. A fight not won within its turn limit is lost, with 0 HP left."""

    by_hp: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    death: float = 0.0

    def add(self, probability: float, other: Results) -> None:
        """Add the results of a part of the fight that occurs with this probability."""
        self.death += probability * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] += probability * chance

    def pairs(self) -> list[tuple[int, float]]:
        """Return (HP, probability) in ascending order of HP."""
        return sorted(self.by_hp.items())

    def mean(self) -> float:
        """Return the expected HP."""
        return sum(hp * chance for hp, chance in self.pairs())


@dataclass(kw_only=True)
class ExactFigures:
    """Figures of a fight as fractions.

    `value` is the optimum. `by_hp` and `death` are probabilities under one optimal strategy. `choices` has the values
    of `SolvedFight.moves` or `SolvedFight.plans`. `n_decisions` is the number of pairs of a reachable decision and an
    HP value.
    """

    value: Fraction = Fraction(0)
    by_hp: dict[int, Fraction] = field(default_factory=dict)
    death: Fraction = Fraction(0)
    choices: list[Fraction] = field(default_factory=list)
    n_decisions: int = 0

    def add(self, probability: Fraction, other: ExactFigures) -> None:
        """Add the figures of a part of the fight that occurs with this probability."""
        self.value += probability * other.value
        self.death += probability * other.death
        for hp, chance in other.by_hp.items():
            self.by_hp[hp] = self.by_hp.get(hp, Fraction(0)) + probability * chance
        self.n_decisions += other.n_decisions

    def results(self) -> Results:
        """Return the probabilities as floats."""
        return Results(defaultdict(float, {hp: float(chance) for hp, chance in self.by_hp.items()}), float(self.death))


@dataclass(kw_only=True)
class SolvedFight:
    """Solution of a fight: its value and the results of optimal play.

    `error` bounds the error of `value`, apart from rounding errors. `moves` are the moves of the position `state` with
    their values, best first. `plans` are the plans of the turn (sequences of moves) with their values, best first. In a
    fight with a turn limit, `upper_bound` is an upper bound of the value without the limit, None if unknown. `exact`
    has the figures as fractions, or is None. With the payoff GUARANTEED, `is_worst_case` is True. With the tie-break
    TURNS, `turns` is the mean number of turns that the player ends.
    """

    value: float = 0.0
    results: Results = field(default_factory=Results)
    moves: list[tuple[int, float]] = field(default_factory=list)
    plans: list[tuple[tuple[int, ...], float]] = field(default_factory=list)
    state: bytes = b""
    error: float = 0.0
    upper_bound: float | None = None
    turns: float | None = None
    is_worst_case: bool = False
    exact: ExactFigures | None = None
    effort: Effort = field(default_factory=Effort)

    @classmethod
    def empty(cls, *, is_worst_case: bool, fractions: bool) -> SolvedFight:
        """Return a solution without parts, to which `add` adds the parts of a fight."""
        exact = ExactFigures() if fractions else None
        return cls(value=inf if is_worst_case else 0.0, is_worst_case=is_worst_case, exact=exact)

    def add(self, probability: float | Fraction, other: SolvedFight) -> None:
        """Add a part of the fight that occurs with this probability. Keep `exact` only if both have fractions."""
        if self.exact and other.exact:
            self.exact.add(Fraction(probability).limit_denominator(10**6), other.exact)
        else:
            self.exact = None
        probability = float(probability)
        self.value = min(self.value, other.value) if self.is_worst_case else self.value + probability * other.value
        self.results.add(probability, other.results)
        self.error = max(self.error, other.error)
        self.effort.add(other.effort)
        if other.turns is not None:
            self.turns = (self.turns or 0.0) + probability * other.turns
        if other.upper_bound is not None:
            self.upper_bound = (self.upper_bound or 0.0) + probability * other.upper_bound
