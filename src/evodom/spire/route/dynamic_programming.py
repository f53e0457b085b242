"""Optimal routes of a map by dynamic programming: the exact value, the number of paths, and the k best routes.

`tolerance_ranges` returns the best routes for each tolerance of risk. Open it to change how routes are searched.

A state is a node, the evaluation's memory of the path, and the tallies of the rules. Of two paths with equal values,
the path that is further left at their first difference comes first. `event_rooms` solves maps with chance, and explains
why its search differs.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import combinations, islice, pairwise
from math import lcm
from operator import itemgetter
from typing import Any, NamedTuple

from evodom.errors import EvodomError, UsageError
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.route import rules as route_rules

MAX_STATES = 1_000_000
"""Maximum number of states, about a gigabyte of memory."""


class PathState(NamedTuple):
    """A node, and the properties of the path to it that values and rules use.

    `memory` is the evaluation's memory of the rooms before the node. `tallies` are the tallies of the rules after it.
    """

    node: Node
    memory: Hashable
    tallies: tuple[int, ...]


@dataclass(frozen=True)
class PathStates:
    """States with a path to the highest row that keeps all rules, lowest row first.

    Attributes:
        values: value of entering each state, times `scale`. Integers are much faster than fractions.
        scale: common denominator of the values.
        successors: next states of each state from left to right; none at the end of a path.
        starts: states of the lowest row.
    """

    values: dict[PathState, int]
    scale: int
    successors: dict[PathState, tuple[PathState, ...]]
    starts: tuple[PathState, ...]

    def backwards(self) -> Iterator[PathState]:
        """Yield every state after its successors."""
        return reversed(self.values)


def build_states(
    act_map: ActMap,
    evaluation: route_rules.Evaluation,
    rules: Sequence[route_rules.RouteRule],
    *,
    initial_tallies: Sequence[tuple[int, ...]] | None = None,
) -> PathStates:
    """Return the states of a map; no states if no path keeps the rules.

    An entry of `initial_tallies` has a tally for each rule. Paths begin with each of the entries, by default only with
    the initial tallies of the rules. `hp_ranges` uses entries to solve all HP at the start together.
    """
    check_upwards(act_map)
    if initial_tallies is None:
        initial_tallies = [tuple(rule.initial_tally for rule in rules)]
    starts = [state for tallies in initial_tallies for state in start_states(act_map, evaluation, rules, tallies)]
    found: dict[Node, dict[PathState, None]] = {
        node: {} for node in sorted(act_map.rooms, key=lambda node: (node.y, node.x))
    }
    for state in starts:
        found[state.node][state] = None
    successors: dict[PathState, tuple[PathState, ...]] = {}
    for node, states in found.items():  # edges lead upwards, so all states of a node are found before its turn
        room = act_map.rooms[node]
        for state in states:
            memory = evaluation.memory.after(state.memory, room)
            nexts = (entered_state(act_map, n, memory, state.tallies, rules) for n in act_map.successors[node])
            successors[state] = tuple(dict.fromkeys(s for s in nexts if s))
            for successor in successors[state]:
                found[successor.node][successor] = None
            if len(successors) > MAX_STATES:
                raise EvodomError(
                    f"more than {MAX_STATES:,} states: use an evaluation with a smaller memory, or fewer rules"
                )
    return _prune_dead_ends(act_map, evaluation, rules, starts, successors)


def start_states(
    act_map: ActMap,
    evaluation: route_rules.Evaluation,
    rules: Sequence[route_rules.RouteRule],
    tallies: tuple[int, ...],
) -> tuple[PathState, ...]:
    """Return the states of the lowest row for given initial tallies, from left to right."""
    entered = (entered_state(act_map, node, evaluation.memory.initial, tallies, rules) for node in act_map.starts)
    return tuple(state for state in entered if state)


def entered_state(
    act_map: ActMap, node: Node, memory: Hashable, tallies: tuple[int, ...], rules: Sequence[route_rules.RouteRule]
) -> PathState | None:
    """Return the state after entering a node, None if it breaks a rule."""
    counted = route_rules.next_tallies(rules, tallies, node, act_map.rooms[node])
    return None if counted is None else PathState(node, memory, counted)


def check_upwards(act_map: ActMap) -> None:
    """Raise UsageError unless every edge leads to a higher row."""
    for source, destination in act_map.edges:
        if destination.y <= source.y:
            raise UsageError(f"edges must lead to a higher row, got one from row {source.y} to row {destination.y}")


def _prune_dead_ends(
    act_map: ActMap,
    evaluation: route_rules.Evaluation,
    rules: Sequence[route_rules.RouteRule],
    starts: Sequence[PathState],
    successors: dict[PathState, tuple[PathState, ...]],
) -> PathStates:
    """Drop states without a path to the highest row that keeps all rules."""
    ends = set(act_map.ends)
    kept: dict[PathState, tuple[PathState, ...]] = {}
    for state in reversed(successors):
        if state.node in ends:
            if all(rule.is_kept(tally) for rule, tally in zip(rules, state.tallies, strict=True)):
                kept[state] = ()
        elif nexts := tuple(successor for successor in successors[state] if successor in kept):
            kept[state] = nexts
    order = [state for state in successors if state in kept]
    values = {s: evaluation.exact_value(act_map.rooms[s.node], s.node.y, s.memory) for s in order}
    scale = lcm(*(value.denominator for value in values.values()))
    scaled = {state: value.numerator * (scale // value.denominator) for state, value in values.items()}
    return PathStates(scaled, scale, kept, tuple(dict.fromkeys(state for state in starts if state in kept)))


@dataclass(frozen=True)
class Route:
    """A path from the lowest to the highest row, and the values of its rooms."""

    path: tuple[Node, ...]
    rooms: tuple[Room, ...]
    values: tuple[Fraction, ...]

    @property
    def value(self) -> Fraction:
        """Sum of the values of the rooms."""
        return sum(self.values, Fraction(0))


@dataclass(frozen=True)
class Routes:
    """The best routes, best first. `n_paths` paths keep the rules. `n_optimal` of these paths have the best value."""

    best: tuple[Route, ...]
    n_optimal: int
    n_paths: int

    @property
    def value(self) -> Fraction:
        """The value of the best route."""
        return self.best[0].value


def find_routes(
    act_map: ActMap,
    evaluation: route_rules.EvaluationLike,
    rules: Sequence[route_rules.RouteRule] = (),
    *,
    best: int = 1,
) -> Routes:
    """Return up to `best` routes that keep all rules, the best first; `NoRoute` if there is none."""
    if best < 1:
        raise UsageError(f"the number of routes must be at least 1, got {best}")
    states = build_states(act_map, route_rules.as_evaluation(evaluation), rules)
    if not states.starts:
        raise route_rules.NoRoute(_no_route_message(act_map, rules))
    return BestPaths(act_map, states, best=best).routes(states.starts)


Suffix = tuple[int, Any]
"""A path from a state to the highest row: its scaled value, and its states as a linked list (state, rest)."""


class BestPaths:
    """Best paths from every state to the highest row, and counts of paths."""

    def __init__(self, act_map: ActMap, states: PathStates, *, best: int = 1) -> None:
        """Solve each state after its successors. Of paths with equal values, the left one comes first."""
        self._act_map = act_map
        self._states = states
        self._n_best = best
        self._suffixes: dict[PathState, list[Suffix]] = {}
        self._n_optimal_from: dict[PathState, int] = {}
        self._n_paths_from: dict[PathState, int] = {}
        for state in states.backwards():
            own_value = states.values[state]
            nexts = states.successors[state]
            following = self._best(nexts) if nexts else [(0, None)]
            self._suffixes[state] = [(own_value + value, (state, rest)) for value, rest in following]
            self._n_optimal_from[state] = self._n_optimal(nexts) if nexts else 1
            self._n_paths_from[state] = sum(self._n_paths_from[s] for s in nexts) if nexts else 1

    def routes(self, starts: Sequence[PathState]) -> Routes:
        """Return the best routes from any of these states, at least one."""
        n_paths = sum(self._n_paths_from[state] for state in starts)
        return Routes(tuple(map(self._route, self._best(starts))), self._n_optimal(starts), n_paths)

    def _best(self, states: Sequence[PathState]) -> list[Suffix]:
        if self._n_best == 1:
            return [max((self._suffixes[state][0] for state in states), key=itemgetter(0))]
        suffixes = merge(*(self._suffixes[state] for state in states), key=itemgetter(0), reverse=True)
        return list(islice(suffixes, self._n_best))

    def _n_optimal(self, states: Sequence[PathState]) -> int:
        values = [self._suffixes[state][0][0] for state in states]
        top = max(values)
        return sum(self._n_optimal_from[state] for state, value in zip(states, values, strict=True) if value == top)

    def _route(self, suffix: Suffix) -> Route:
        path, rest = [], suffix[1]
        while rest:
            state, rest = rest
            path.append(state)
        nodes = tuple(state.node for state in path)
        rooms = tuple(self._act_map.rooms[node] for node in nodes)
        values, scale = self._states.values, self._states.scale
        return Route(nodes, rooms, tuple(Fraction(values[state], scale) for state in path))


def route_along(act_map: ActMap, evaluation: route_rules.EvaluationLike, path: Sequence[Node]) -> Route:
    """Return the route of a given path, with the values of its rooms."""
    evaluator = route_rules.as_evaluation(evaluation)
    memory, values = evaluator.memory.initial, []
    rooms = tuple(act_map.rooms[node] for node in path)
    for node, room in zip(path, rooms, strict=True):
        values.append(Fraction(evaluator.exact_value(room, node.y, memory)))
        memory = evaluator.memory.after(memory, room)
    return Route(tuple(path), rooms, tuple(values))


MAX_TESTED_CONFLICT = 3
"""Maximum size of the sets of rules that are all tested for conflicts."""

_ZERO_VALUES = route_rules.Evaluation(lambda room, row, memory: 0, route_rules.NO_MEMORY)


def conflicting_rules(act_map: ActMap, rules: Sequence[route_rules.RouteRule]) -> tuple[route_rules.RouteRule, ...]:
    """Return rules that no path keeps together. Return () if some path keeps all rules, or if the map has no path.

    The result is a smallest conflict if there is one of at most MAX_TESTED_CONFLICT rules. Otherwise it is a minimal
    conflict: without any one of its rules, some path keeps the others.
    """
    if _has_path(act_map, rules):
        return ()
    for n in range(min(MAX_TESTED_CONFLICT, len(rules)) + 1):
        for chosen in combinations(rules, n):
            if not _has_path(act_map, chosen):
                return chosen
    conflict = list(rules)
    for rule in rules:
        without = [other for other in conflict if other is not rule]
        if not _has_path(act_map, without):
            conflict = without
    return tuple(conflict)


def _has_path(act_map: ActMap, rules: Sequence[route_rules.RouteRule]) -> bool:
    return bool(build_states(act_map, _ZERO_VALUES, rules).starts)


def _no_route_message(act_map: ActMap, rules: Sequence[route_rules.RouteRule]) -> str:
    """Return an error message: why there is no route."""
    conflict = conflicting_rules(act_map, rules)
    if not conflict:
        return "this map has no path from its lowest row to its highest"
    if len(conflict) > 1:
        listed = "; ".join(map(str, conflict))
        return f"no path keeps these {len(conflict)} rules together: {listed}. Leave one of them out."
    (rule,) = conflict
    if isinstance(rule, route_rules.Survive):
        enough = route_rules.sufficient_hp([rule], lambda rules: _has_path(act_map, rules))
        hint = "and none with the maximum" if enough is None else f"it takes {enough}"
        return f"no path of this map lets you {rule}: {hint}"
    if not isinstance(rule, route_rules.Limit):
        return f"no path of this map keeps the rule: {rule}"
    # Maximise the number of matching rooms of a path. For a rule with `most`, maximise its negative.
    sign = 1 if rule.least else -1
    states = build_states(act_map, _ZERO_VALUES, ())
    values: dict[PathState, int] = {}
    for state in states.backwards():
        matches = rule.matches(state.node, act_map.rooms[state.node])
        values[state] = sign * matches + max((values[s] for s in states.successors[state]), default=0)
    n = abs(max(values[state] for state in states.starts))
    return f"no path of this map keeps the rule: {rule}. {'Maximum' if rule.least else 'Minimum'} on a path: {n}."


EvaluationAt = Callable[[route_rules.Number], route_rules.Evaluation]
"""Function that returns the evaluation at a tolerance, such as `RISK.at_tolerance`. Values must be linear in it."""


@dataclass(frozen=True)
class _ValueLine:
    intercept: Fraction
    slope: Fraction

    def value(self, tolerance: route_rules.Number) -> Fraction:
        """Return the value at a tolerance."""
        return self.intercept + self.slope * Fraction(tolerance)


@dataclass(frozen=True)
class ToleranceRange(_ValueLine):
    """A range of tolerances, `low` to `high`, with the same best routes.

    The best value at a tolerance is `intercept + slope * tolerance`. `routes` are the best routes at its midpoint.
    """

    low: Fraction
    high: Fraction
    routes: Routes


def tolerance_ranges(
    act_map: ActMap, evaluation_at: EvaluationAt, rules: Sequence[route_rules.RouteRule] = ()
) -> tuple[ToleranceRange, ...]:
    """Return the ranges from tolerance 0 to 1, in order.

    At a bound that two ranges share, the best routes of both have the best value.
    """

    def best_line(tolerance: Fraction) -> _ValueLine:
        path = find_routes(act_map, evaluation_at(tolerance), rules).best[0].path
        at_0, at_1 = (route_along(act_map, evaluation_at(end), path).value for end in (0, 1))
        return _ValueLine(at_0, at_1 - at_0)

    lines = _upper_envelope(best_line, Fraction(0), Fraction(1))
    bounds = [Fraction(0), *(_crossing(left, right) for left, right in pairwise(lines)), Fraction(1)]
    return tuple(
        ToleranceRange(
            line.intercept, line.slope, low, high, find_routes(act_map, evaluation_at((low + high) / 2), rules)
        )
        for line, (low, high) in zip(lines, pairwise(bounds), strict=True)
        if low < high
    )


def _upper_envelope(best_line: Callable[[Fraction], _ValueLine], low: Fraction, high: Fraction) -> list[_ValueLine]:
    """Return the lines of the upper envelope from `low` to `high`, by slope.

    `best_line(x)` returns a line with the highest value at x. The algorithm calls it at the crossing of two lines. If
    the new line is above the crossing, it is between the two on the envelope. Otherwise the two are neighbours.
    """
    envelope = [best_line(low)]
    lines_right = [best_line(high)]  # known lines to the right of the envelope, the next one last
    while lines_right:
        left, right = envelope[-1], lines_right[-1]
        if left.slope >= right.slope:  # the same line, or a line that is best at a single point
            lines_right.pop()
            continue
        crossing = _crossing(left, right)
        between = best_line(crossing)
        if between.value(crossing) > left.value(crossing):
            lines_right.append(between)
        else:
            envelope.append(lines_right.pop())
    return envelope


def _crossing(left: _ValueLine, right: _ValueLine) -> Fraction:
    return (left.intercept - right.intercept) / (right.slope - left.slope)
