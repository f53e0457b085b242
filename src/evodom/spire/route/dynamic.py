"""The best routes of a map, by dynamic programming: exact values, all optimal paths counted, the k best.

Ties: of paths of equal value, the one that is further left where they first differ comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import merge
from itertools import combinations, islice
from typing import Any

from evodom.errors import UsageError
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.route.evaluation import NOTHING, Evaluating, Evaluation, as_evaluation
from evodom.spire.route.rules import Limit, NoRoute, RouteRule, Survive
from evodom.spire.route.states import PathState, PathStates, unroll

CLASH_SEARCHED = 3
"""All sets of up to so many rules are tried; larger clashes are found by leaving out one rule after the other."""

Suffix = tuple[int, Any]
"""A path from a state to the end: its scaled value, and the linked list (state, rest) of its states."""


@dataclass(frozen=True)
class Route:
    """A path from the lowest row to the highest, with what each room is worth on it."""

    path: tuple[Node, ...]
    rooms: tuple[Room, ...]
    worths: tuple[Fraction, ...]

    @property
    def value(self) -> Fraction:
        """The sum of the worths."""
        return sum(self.worths, Fraction(0))


@dataclass(frozen=True)
class Routes:
    """The best routes, best first; `n_paths` is how many paths keep the rules, `n_optimal` how many are the best."""

    best: tuple[Route, ...]
    n_optimal: int
    n_paths: int

    @property
    def value(self) -> Fraction:
        """The value of the best route."""
        return self.best[0].value


def find_routes(act_map: ActMap, evaluation: Evaluating, rules: Sequence[RouteRule] = (), *, best: int = 1) -> Routes:
    """Return up to `best` routes that keep all rules, the best first; `NoRoute` if there is none."""
    if best < 1:
        raise UsageError(f"at least one route is looked for, got {best}")
    states = unroll(act_map, as_evaluation(evaluation), rules)
    if not states.starts:
        raise NoRoute(_no_route(act_map, rules))
    return BestPaths(act_map, states, best=best).routes(states.starts)


class BestPaths:
    """The best paths from every state of a map, and how many there are."""

    def __init__(self, act_map: ActMap, states: PathStates, *, best: int = 1) -> None:
        """Solve each state after all that follow it; merging keeps the left path first among equals."""
        self._act_map = act_map
        self._states = states
        self._n_best = best
        self._suffixes: dict[PathState, list[Suffix]] = {}
        self._optimal: dict[PathState, int] = {}
        self._paths: dict[PathState, int] = {}
        for state in states.downwards():
            worth = states.worth[state]
            nexts = states.following[state]
            self._suffixes[state] = (
                [(worth + value, (state, rest)) for value, rest in self._best(nexts)]
                if nexts
                else [(worth, (state, None))]
            )
            self._optimal[state] = self._n_optimal(nexts) if nexts else 1
            self._paths[state] = sum(self._paths[s] for s in nexts) if nexts else 1

    def routes(self, starts: Sequence[PathState]) -> Routes:
        """Return the best routes from any of these states, at least one."""
        return Routes(
            best=tuple(self._route(suffix) for suffix in self._best(starts)),
            n_optimal=self._n_optimal(starts),
            n_paths=sum(self._paths[state] for state in starts),
        )

    def _best(self, states: Sequence[PathState]) -> list[Suffix]:
        if self._n_best == 1:
            return [max((self._suffixes[state][0] for state in states), key=_value)]
        return list(islice(merge(*(self._suffixes[state] for state in states), key=_rank), self._n_best))

    def _n_optimal(self, states: Sequence[PathState]) -> int:
        values = [self._suffixes[state][0][0] for state in states]
        top = max(values)
        return sum(self._optimal[state] for state, value in zip(states, values, strict=True) if value == top)

    def _route(self, suffix: Suffix) -> Route:
        path, rest = [], suffix[1]
        while rest:
            state, rest = rest
            path.append(state)
        nodes = tuple(state.node for state in path)
        rooms = tuple(self._act_map.rooms[node] for node in nodes)
        worth, scale = self._states.worth, self._states.scale
        return Route(nodes, rooms, tuple(Fraction(worth[state], scale) for state in path))


def route_along(act_map: ActMap, evaluation: Evaluating, path: Sequence[Node]) -> Route:
    """Return the route of a given path, with what its rooms are worth."""
    judge = as_evaluation(evaluation)
    before, worths = judge.memory.start, []
    rooms = tuple(act_map.rooms[node] for node in path)
    for node, room in zip(path, rooms, strict=True):
        worths.append(Fraction(judge.exact(room, node.y, before)))
        before = judge.memory.after(before, room)
    return Route(tuple(path), rooms, tuple(worths))


def clashing(act_map: ActMap, rules: Sequence[RouteRule]) -> tuple[RouteRule, ...]:
    """Return a smallest set of rules that no path keeps together; empty if all can be kept, or there is no path.

    A set of more than three rules is one of which none can be left out.
    """
    if _possible(act_map, rules):
        return ()
    for n in range(min(CLASH_SEARCHED, len(rules)) + 1):
        for chosen in combinations(rules, n):
            if not _possible(act_map, chosen):
                return chosen
    left = list(rules)
    for rule in rules:
        without = [other for other in left if other is not rule]
        if not _possible(act_map, without):
            left = without
    return tuple(left)


def _possible(act_map: ActMap, rules: Sequence[RouteRule]) -> bool:
    return bool(unroll(act_map, Evaluation(lambda room, row, before: 0, NOTHING), rules).starts)


def _no_route(act_map: ActMap, rules: Sequence[RouteRule]) -> str:
    """Return why there is no route, in one line."""
    clash = clashing(act_map, rules)
    if not clash:
        return "this map has no path from its lowest row to its highest"
    if len(clash) > 1:
        return f"no path keeps these {len(clash)} rules together: {'; '.join(map(str, clash))}. Leave one of them out."
    (rule,) = clash
    if isinstance(rule, Survive):
        stronger = (replace(rule, start=hp) for hp in range(rule.start + 1, rule.most + 1))
        enough = next((other.start for other in stronger if _possible(act_map, [other])), None)
        hint = "and none with the maximum" if enough is None else f"it takes {enough}"
        return f"no path of this map lets you {rule}: {hint}"
    if not isinstance(rule, Limit):
        return f"no path of this map keeps the rule: {rule}"
    sign = 1 if rule.least else -1  # the most there can be, or the fewest
    counted = Evaluation(lambda room, row, before: 0, NOTHING)
    states = unroll(act_map, counted, ())
    values: dict[PathState, int] = {}
    for state in states.downwards():
        met = rule.counts(state.node, act_map.rooms[state.node])
        values[state] = sign * met + max((values[s] for s in states.following[state]), default=0)
    n = abs(max(values[state] for state in states.starts))
    return f"no path of this map keeps the rule: {rule}. {'Most' if rule.least else 'Fewest'} that a path has: {n}."


def _value(suffix: Suffix) -> int:
    return suffix[0]


def _rank(suffix: Suffix) -> int:
    return -suffix[0]
