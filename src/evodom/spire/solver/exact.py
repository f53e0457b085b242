"""Fractions from a solved graph: values, probabilities under optimal play, and the number of decisions.

Open it to change how exact figures are computed. The compiled solver solves the graph in floats. `ExactGraph` repeats
this in fractions:

1. Replace each weight by the nearest fraction of small denominator. Those of a chance node must sum to exactly 1.
2. From the roots down, keep the lines whose float is within SLACK of the best of their turn.
3. From the leaves up, compare the kept lines as fractions.

The value is the optimum, provided that the floats are right to SLACK / 2. There are no fractions if the best lines form
a cycle without loss of HP.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from evodom.spire.solver.graph import DEAD, Graph, SolverRecord
from evodom.spire.solver.values import NOTHING, SLACK

MAX_EDGES = 4_000_000
MAX_STATES = 300_000
"""Maximum number of edges, and of decisions times HP on the best lines, for fractions: about a minute."""

DENOMINATORS = 10**6, 6 * 10**7
"""Maximum denominators of weights, tried in order. A float rounded once determines a fraction of the second limit."""

Ends = dict[tuple[int, int], Fraction]
"""Probabilities of the ends of a fight, by (number of the end, HP); (0, 0) is death."""


class NoFractions(Exception):
    """No exact figures: a weight has no fraction of small denominator, or the graph is cyclic or too large."""


class ExactGraph:
    """The graph of a fight as lists, solved exactly. Raise `NoFractions` if that is not possible."""

    def __init__(
        self, graph: Graph, work: SolverRecord, paid: npt.NDArray[np.float64], price: float, n_ordered: int
    ) -> None:
        if work.n_edges > MAX_EDGES:
            raise NoFractions
        rows, turns = graph.rows[: work.n_rows], graph.turns[: work.n_turns]
        hands, edges = graph.hands[: work.n_hands], graph.edges[: work.n_edges]
        self._order = graph.order[:n_ordered].tolist()
        self._values, self._firsts = graph.values.tolist(), graph.firsts.tolist()
        self._hp = rows["hp"].tolist()
        self._hands = list(zip(rows["hand"].tolist(), rows["n_hands"].tolist(), strict=True))
        self._turns = list(zip(turns["edge"].tolist(), turns["n"].tolist(), strict=True))
        self._turn_of: list[int] = hands["turn"].tolist()
        self._last: list[int] = edges["last"].tolist()
        self._targets, self._losses, self._used = (edges[name].tolist() for name in ("target", "loss", "used"))
        self._floats = edges["weight"].tolist()
        self._paid_floats, self._price_float = paid.tolist(), price
        self._paid = [[_nearest(value) for value in of_end] for of_end in self._paid_floats]
        self._price = _nearest(price)
        self._hand_floats = hands["weight"].tolist()
        self._hand_weights: dict[int, list[Fraction]] = {}
        self._line_weights: dict[int, list[Fraction]] = {}

    def solve(self, roots: list[int]) -> dict[int, Fraction]:
        """Return the optimum of each root. Nodes (row, HP) are solved depth first, each after its successors."""
        self._solved: dict[tuple[int, int], Fraction | None] = {}
        self._best: dict[tuple[int, int], tuple[Fraction, range]] = {}
        self._kept: dict[tuple[int, int], list[range]] = {}
        self._finished: list[tuple[int, int]] = []
        stack = [(root, self._hp[root]) for root in roots]
        while stack:
            node = stack[-1]
            if node not in self._solved:
                self._solved[node] = None
                stack += self._following(*node)
                continue
            stack.pop()
            if self._solved[node] is None:
                row, hp = node
                values = [self._best_line(turn, hp) for turn in self._turns_after(row)]
                self._solved[node] = _weighted_sum(self._draw(row), values)
                self._finished.append(node)
        return {root: self._value_at(root, self._hp[root]) for root in roots}

    def follow(self, root: int) -> Ends:
        """Return the probabilities of the ends under optimal play from a solved root."""
        found: Ends = defaultdict(Fraction)
        mass: dict[tuple[int, int], Fraction] = defaultdict(Fraction, {(root, self._hp[root]): Fraction(1)})
        for row, hp in reversed(self._finished):
            share = mass.pop((row, hp), None)
            if share is None:
                continue
            for turn, chance in zip(self._turns_after(row), self._draw(row), strict=True):
                line = self._best[turn, hp][1]
                for edge, weight in zip(line, self._outcomes(line), strict=True):
                    left, target, part = hp - self._losses[edge], self._targets[edge], share * chance * weight
                    if left <= 0 or target == DEAD:
                        found[0, 0] += part
                    elif target >= 0:
                        mass[target, left] += part
                    else:
                        found[DEAD - 1 - target, left] += part
        return dict(found)

    def n_decisions(self, roots: list[int]) -> int:
        """Return the number of reachable decisions, times HP. The turns of the roots do not count."""
        decided = [0] * len(self._turns)
        new: dict[int, int] = defaultdict(int)
        known: dict[int, int] = defaultdict(int)
        for root in roots:
            new[root] |= 1 << self._hp[root]
        while any(new.values()):
            for row in reversed(self._order):
                hp, new[row] = new[row] & ~known[row], 0
                known[row] |= hp
                for turn in dict.fromkeys(self._turns_after(row)) if hp else ():
                    decided[turn] |= 0 if row in roots else hp
                    for edge in range(self._turns[turn][0], sum(self._turns[turn])):
                        if self._targets[edge] >= 0:
                            new[self._targets[edge]] |= hp >> self._losses[edge] & ~1
        return sum(hp.bit_count() for hp in decided)

    def _following(self, row: int, hp: int) -> list[tuple[int, int]]:
        """Find the lines that may be optimal after a row. Return their unsolved successors (row, HP)."""
        found = {}
        for turn in self._turns_after(row):
            if (turn, hp) not in self._kept:
                self._kept[turn, hp] = self._keep_lines(turn, hp)
            for line in self._kept[turn, hp]:
                for edge in line:
                    node = self._targets[edge], hp - self._losses[edge]
                    if min(node) >= 0 and node[1]:
                        if self._solved.get(node, 0) is None:
                            raise NoFractions
                        if node not in self._solved:
                            found[node] = True
        return list(found)

    def _keep_lines(self, turn: int, hp: int) -> list[range]:
        """Return the lines of a turn that may be optimal."""
        if len(self._kept) == MAX_STATES:
            raise NoFractions
        worth = [(self._float_of(line, hp), line) for line in self._lines_of(turn)]
        best = max((value for value, _ in worth), default=NOTHING)
        kept = [line for value, line in worth if value >= best - SLACK]
        return kept[-1:] if best == 0 == self._price_float else kept  # no end pays less than 0: all are 0

    def _turns_after(self, row: int) -> list[int]:
        """Return the turns of a row's hands."""
        first, n = self._hands[row]
        return self._turn_of[first : first + n]

    def _lines_of(self, turn: int) -> list[range]:
        """Return the lines of a turn as ranges of edges."""
        begin, n = self._turns[turn]
        found = []
        for edge in range(begin, begin + n):
            if self._last[edge]:
                found.append(range(begin, edge + 1))
                begin = edge + 1
        return found

    def _float_of(self, line: range, hp: int) -> float:
        """Return the value of a line in floats."""
        total = 0.0
        for edge in line:
            left, target, value = hp - self._losses[edge], self._targets[edge], -self._price_float * self._used[edge]
            if left > 0 and target >= 0:
                value += self._values[self._firsts[target] + left - 1]
            elif left > 0 and target < DEAD:
                value += self._paid_floats[DEAD - 1 - target][left]
            total += self._floats[edge] * value
        return total

    def _best_line(self, turn: int, hp: int) -> Fraction:
        """Return the value of a turn. Of its optimal lines the last is stored as best."""
        known = self._best.get((turn, hp))
        if known is None:
            values = [(self._value_of(line, hp), line) for line in self._kept[turn, hp]]
            most = max(value for value, _ in values)
            known = self._best[turn, hp] = next(one for one in reversed(values) if one[0] == most)
        return known[0]

    def _value_of(self, line: range, hp: int) -> Fraction:
        values = []
        for edge in line:
            left, target, value = hp - self._losses[edge], self._targets[edge], -self._price * self._used[edge]
            if left > 0 and target >= 0:
                value += self._value_at(target, left)
            elif left > 0 and target < DEAD:
                value += self._paid[DEAD - 1 - target][left]
            values.append(value)
        return _weighted_sum(self._outcomes(line), values)

    def _value_at(self, row: int, hp: int) -> Fraction:
        """Return a solved value. Raise `NoFractions` in a cycle."""
        value = self._solved[row, hp]
        if value is None:
            raise NoFractions
        return value

    def _draw(self, row: int) -> list[Fraction]:
        """Return the probabilities of a row's hands."""
        if row not in self._hand_weights:
            first, n = self._hands[row]
            self._hand_weights[row] = _shares(self._hand_floats[first : first + n])
        return self._hand_weights[row]

    def _outcomes(self, line: range) -> list[Fraction]:
        """Return the probabilities of a line's edges."""
        if line.start not in self._line_weights:
            self._line_weights[line.start] = _shares(self._floats[line.start : line.stop])
        return self._line_weights[line.start]


def _weighted_sum(weights: list[Fraction], values: list[Fraction]) -> Fraction:
    """Return the sum of weight times value, with one common denominator: faster than adding fractions one by one."""
    if len(weights) == 1:
        return weights[0] * values[0]
    common = lcm(*(w.denominator * v.denominator for w, v in zip(weights, values, strict=True)))
    top = sum(
        w.numerator * v.numerator * (common // (w.denominator * v.denominator))
        for w, v in zip(weights, values, strict=True)
    )
    return Fraction(top, common)


def _shares(weights: list[float]) -> list[Fraction]:
    """Return weights as fractions whose sum is 1. Raise `NoFractions` if there are none."""
    if len(weights) == 1 and weights[0] == 1.0:
        return [Fraction(1)]
    for most in DENOMINATORS:
        found = [_nearest(weight, most) for weight in weights]
        common = lcm(*(share.denominator for share in found))
        if sum(share.numerator * (common // share.denominator) for share in found) == common:
            return found
    raise NoFractions


_known: dict[tuple[float, int], Fraction] = {}


def _nearest(value: float, most: int = DENOMINATORS[0]) -> Fraction:
    """Return the fraction nearest to a float, with a denominator of at most `most`.

    Raise `NoFractions` if none is close.
    """
    found = _known.get((value, most))
    if found is None:
        found = Fraction(value).limit_denominator(most)
        if abs(float(found) - value) > 1e-14 * max(1.0, abs(value)):
            raise NoFractions
        _known[value, most] = found
    return found
