"""Exact figures of a solved graph: values, probabilities under optimal play, and the number of decisions.

Open it to change how exact figures are computed. The compiled solver has solved the graph in floats. `ExactGraph`
repeats this in fractions:

1. Replace each probability by the nearest fraction of small denominator. The fractions of a node must sum to 1.
2. From the roots down, keep the plans whose float value is within TIE_TOLERANCE of the best plan of their decision.
3. From the ends up, compare the kept plans as fractions.

The result is the optimum if the floats are accurate to TIE_TOLERANCE / 2. There is no result if the best plans form a
cycle on which no HP are lost.
"""

from collections import defaultdict
from fractions import Fraction
from math import lcm

from evodom.spire.solver.building import FightGraph
from evodom.spire.solver.graph import DEATH, ENDS_TURN, LAST, Criterion
from evodom.spire.solver.sweep import MIN_VALUE, TIE_TOLERANCE

MAX_EDGES = 4_000_000
MAX_KEPT = 300_000
"""MAX_EDGES limits the edges of the graph, MAX_KEPT the pairs (decision, HP) with kept plans, to about a minute."""

DENOMINATORS = 10**6, 6 * 10**7
"""Maximum denominators of probabilities, tried in order. Two different fractions with denominators up to the larger
maximum are different floats.
"""

EndProbabilities = dict[tuple[int, int], Fraction]
"""Probabilities of the ends of a fight, by (number of the end, HP); (0, 0) is death."""

NodeHp = tuple[int, int]
"""A chance node and the player's HP."""


class NoFractions(Exception):
    """No exact figures: a probability has no fraction of small denominator, or the graph is cyclic or too large."""


class ExactGraph:
    """The graph of a fight as lists, solved exactly. Raise `NoFractions` if that is not possible."""

    def __init__(self, solved: FightGraph, n_ordered: int) -> None:
        workspace, graph, solution = solved.workspace, solved.arrays(), solved.solution
        if workspace.n_edges > MAX_EDGES:
            raise NoFractions
        nodes, decisions = graph.chance_nodes[: workspace.n_chance_nodes], graph.decisions[: workspace.n_decisions]
        branches, edges = graph.branches[: workspace.n_branches], graph.edges[: workspace.n_edges]
        self._order = solution.order[:n_ordered].tolist()
        self._offsets = solution.offsets.tolist()
        self._hp = nodes["hp"].tolist()
        self._branches = list(zip(nodes["first_branch"].tolist(), nodes["n_branches"].tolist(), strict=True))
        self._edges = list(zip(decisions["first_edge"].tolist(), decisions["n_edges"].tolist(), strict=True))
        self._decision_of_branch: list[int] = branches["decision"].tolist()
        self._last: list[bool] = (edges["flags"] & LAST > 0).tolist()
        self._ends_turn: list[bool] = (edges["flags"] & ENDS_TURN > 0).tolist()
        self._targets, self._hp_losses = edges["target"].tolist(), edges["hp_loss"].tolist()
        self._potions_used = edges["potions_used"].tolist()
        self._floats, self._ties = (
            Criterion(one.values.tolist(), one.payoffs.tolist(), *one[2:]) for one in (solution.main, solution.tie)
        )
        self._payoffs = [[_nearest(value) for value in of_end] for of_end in self._floats.payoffs]
        self._price = _nearest(solution.main.potion_price)
        self._edge_floats, self._branch_floats = edges["probability"].tolist(), branches["probability"].tolist()
        self._branch_fractions: dict[int, list[Fraction]] = {}
        self._plan_fractions: dict[int, list[Fraction]] = {}

    def solve(self, roots: list[int]) -> dict[int, Fraction]:
        """Return the optimum of each root. Nodes are solved depth first, each after its successors.

        A pair (node, HP) on the current path has the value None.
        """
        self._solved: dict[NodeHp, Fraction | None] = {}
        self._best: dict[tuple[int, int], tuple[Fraction, range]] = {}
        self._kept: dict[tuple[int, int], list[range]] = {}
        self._finished: list[NodeHp] = []
        stack = [(root, self._hp[root]) for root in roots]
        while stack:
            node, hp = stack[-1]
            if (node, hp) not in self._solved:
                self._solved[node, hp] = None
                stack += self._unsolved_successors(node, hp)
                continue
            stack.pop()
            if self._solved[node, hp] is None:
                values = [self._best_value(decision, hp) for decision in self._decisions_after(node)]
                self._solved[node, hp] = _weighted_sum(self._branch_probabilities(node), values)
                self._finished.append((node, hp))
        return {root: self._value_at(root, self._hp[root]) for root in roots}

    def end_probabilities(self, root: int) -> EndProbabilities:
        """Return the probabilities of the ends under optimal play from a solved root."""
        found: EndProbabilities = defaultdict(Fraction)
        reached: dict[NodeHp, Fraction] = defaultdict(Fraction, {(root, self._hp[root]): Fraction(1)})
        for node, hp in reversed(self._finished):
            probability = reached.pop((node, hp), None)
            if probability is None:
                continue
            for decision, chance in zip(self._decisions_after(node), self._branch_probabilities(node), strict=True):
                plan = self._best[decision, hp][1]
                for edge, share in zip(plan, self._edge_probabilities(plan), strict=True):
                    left, target = hp - self._hp_losses[edge], self._targets[edge]
                    part = probability * chance * share
                    if left <= 0 or target == DEATH:
                        found[0, 0] += part
                    elif target >= 0:
                        reached[target, left] += part
                    else:
                        found[DEATH - 1 - target, left] += part
        return dict(found)

    def n_decisions(self, roots: list[int]) -> int:
        """Return the number of pairs (decision, HP) that any play can reach, without the decisions of the roots.

        Sets of HP are bit masks. Sweep over the nodes, roots first, until no node is reached with new HP.
        """
        decided = [0] * len(self._edges)
        new: dict[int, int] = defaultdict(int)
        known: dict[int, int] = defaultdict(int)
        for root in roots:
            new[root] |= 1 << self._hp[root]
        while any(new.values()):
            for node in reversed(self._order):
                hp, new[node] = new[node] & ~known[node], 0
                known[node] |= hp
                for decision in dict.fromkeys(self._decisions_after(node)) if hp else ():
                    decided[decision] |= 0 if node in roots else hp
                    first, n = self._edges[decision]
                    for edge in range(first, first + n):
                        if self._targets[edge] >= 0:
                            new[self._targets[edge]] |= (hp >> self._hp_losses[edge]) & ~1  # bit 0 is death
        return sum(hp.bit_count() for hp in decided)

    def _unsolved_successors(self, node: int, hp: int) -> list[NodeHp]:
        """Store the plans that may be optimal, for each decision after a chance node. Return their unsolved successors.

        Raise `NoFractions` if a successor is on the current path: the graph is cyclic there.
        """
        found = {}
        for decision in self._decisions_after(node):
            if (decision, hp) not in self._kept:
                self._kept[decision, hp] = self._candidate_plans(decision, hp)
            for plan in self._kept[decision, hp]:
                for edge in plan:
                    target, left = successor = self._targets[edge], hp - self._hp_losses[edge]
                    if target >= 0 and left > 0:
                        if self._solved.get(successor, 0) is None:
                            raise NoFractions
                        if successor not in self._solved:
                            found[successor] = True
        return list(found)

    def _candidate_plans(self, decision: int, hp: int) -> list[range]:
        """Return the plans of a decision that may be optimal."""
        if len(self._kept) == MAX_KEPT:
            raise NoFractions
        values = [(self._float_value(plan, hp, self._floats), plan) for plan in self._plans_of(decision)]
        best = max((value for value, _ in values), default=MIN_VALUE)
        kept = [plan for value, plan in values if value >= best - TIE_TOLERANCE]
        # If potions are free, no value is below 0. So if the best is 0, all kept plans have value 0, and one is enough.
        return [self._last_best(kept, hp)] if best == 0 == self._floats.potion_price else kept

    def _decisions_after(self, node: int) -> list[int]:
        """Return the decisions of a chance node's branches."""
        first, n = self._branches[node]
        return self._decision_of_branch[first : first + n]

    def _plans_of(self, decision: int) -> list[range]:
        """Return the plans of a decision as ranges of edges."""
        begin, n = self._edges[decision]
        found = []
        for edge in range(begin, begin + n):
            if self._last[edge]:
                found.append(range(begin, edge + 1))
                begin = edge + 1
        return found

    def _last_best(self, plans: list[range], hp: int) -> range:
        """Return the plan with the highest tie value, the last of equal plans."""
        if not self._ties.values:
            return plans[-1]
        return max(reversed(plans), key=lambda plan: round(self._float_value(plan, hp, self._ties), 8))

    def _float_value(self, plan: range, hp: int, criterion: Criterion) -> float:
        """Return the value of a plan in floats."""
        total = 0.0
        for edge in plan:
            left, target = hp - self._hp_losses[edge], self._targets[edge]
            value = -criterion.potion_price * self._potions_used[edge] - criterion.turn_price * self._ends_turn[edge]
            if left > 0 and target >= 0:
                value += criterion.values[self._offsets[target] + left - 1]
            elif left > 0 and target < DEATH:
                value += criterion.payoffs[DEATH - 1 - target][left]
            total += self._edge_floats[edge] * value
        return total

    def _best_value(self, decision: int, hp: int) -> Fraction:
        """Return the value of a decision. Store the last of its best plans."""
        found = self._best.get((decision, hp))
        if found is None:
            values = [(self._exact_value(plan, hp), plan) for plan in self._kept[decision, hp]]
            best = max(value for value, _ in values)
            plan = self._last_best([plan for value, plan in values if value == best], hp)
            found = self._best[decision, hp] = best, plan
        return found[0]

    def _exact_value(self, plan: range, hp: int) -> Fraction:
        """Return the value of a plan."""
        values = []
        for edge in plan:
            left, target = hp - self._hp_losses[edge], self._targets[edge]
            value = -self._price * self._potions_used[edge]
            if left > 0 and target >= 0:
                value += self._value_at(target, left)
            elif left > 0 and target < DEATH:
                value += self._payoffs[DEATH - 1 - target][left]
            values.append(value)
        return _weighted_sum(self._edge_probabilities(plan), values)

    def _value_at(self, node: int, hp: int) -> Fraction:
        """Return a solved value. Raise `NoFractions` in a cycle."""
        value = self._solved[node, hp]
        if value is None:
            raise NoFractions
        return value

    def _branch_probabilities(self, node: int) -> list[Fraction]:
        """Return the probabilities of a chance node's branches."""
        if node not in self._branch_fractions:
            first, n = self._branches[node]
            self._branch_fractions[node] = _exact_probabilities(self._branch_floats[first : first + n])
        return self._branch_fractions[node]

    def _edge_probabilities(self, plan: range) -> list[Fraction]:
        """Return the probabilities of a plan's edges."""
        if plan.start not in self._plan_fractions:
            self._plan_fractions[plan.start] = _exact_probabilities(self._edge_floats[plan.start : plan.stop])
        return self._plan_fractions[plan.start]


def _weighted_sum(weights: list[Fraction], values: list[Fraction]) -> Fraction:
    """Return the sum of weight times value. One common denominator is faster than adding fraction by fraction."""
    if len(weights) == 1:
        return weights[0] * values[0]
    common = lcm(*(w.denominator * v.denominator for w, v in zip(weights, values, strict=True)))
    numerator = sum(
        w.numerator * v.numerator * (common // (w.denominator * v.denominator))
        for w, v in zip(weights, values, strict=True)
    )
    return Fraction(numerator, common)


def _exact_probabilities(floats: list[float]) -> list[Fraction]:
    """Return probabilities as fractions whose sum is 1. Raise `NoFractions` if there are none."""
    if len(floats) == 1 and floats[0] == 1.0:
        return [Fraction(1)]
    for max_denominator in DENOMINATORS:
        found = [_nearest(probability, max_denominator) for probability in floats]
        common = lcm(*(fraction.denominator for fraction in found))
        if sum(fraction.numerator * (common // fraction.denominator) for fraction in found) == common:
            return found
    raise NoFractions


_nearest_cache: dict[tuple[float, int], Fraction] = {}


def _nearest(value: float, max_denominator: int = DENOMINATORS[0]) -> Fraction:
    """Return the fraction nearest to a float. Raise `NoFractions` if it differs by more than rounding errors."""
    found = _nearest_cache.get((value, max_denominator))
    if found is None:
        found = Fraction(value).limit_denominator(max_denominator)
        if abs(float(found) - value) > 1e-14 * max(1.0, abs(value)):
            raise NoFractions
        _nearest_cache[value, max_denominator] = found
    return found
