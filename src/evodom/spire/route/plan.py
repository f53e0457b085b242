"""Plans for uncertain event rooms, and the linear program that confirms the best route.

`plan_events` solves the route as a game with chance. `solve_program_of` solves the linear program and compares its
value with that of the dynamic program.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from evodom.errors import EvodomError
from evodom.solve import Solution, evaluate, silent, solve
from evodom.solve.limits import Progress
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.route.dynamic import Route
from evodom.spire.route.evaluation import Evaluation
from evodom.spire.route.rules import NoRoute, RouteRule, Survive
from evodom.spire.route.uncertain import Chances, RouteGame, RoutePosition, along

if TYPE_CHECKING:
    from evodom.spire.route.program import Flow, Program

AGREEMENT = 1e-6
"""Largest difference of HiGHS's value from the exact one, relative to values above 1."""

Onward = dict[Room, dict[Node, float]]
"""For each room that a node can turn out to be: the next nodes of the best plan, with their probabilities."""


@dataclass(frozen=True)
class EventPlan:
    """The solved game of a map; `keeping` is the value of following a fixed route, None if rules forbid it."""

    game: RouteGame
    solution: Solution[RoutePosition, Node, Fraction]
    keeping: Fraction | None

    @cached_property
    def onward(self) -> dict[Node, Onward]:
        """The next nodes after every node that is reached, in order, with their probabilities (float)."""
        reached: dict[RoutePosition, float] = {self.game.first: 1.0}
        found: dict[Node, Onward] = {}
        while reached:
            above: dict[RoutePosition, float] = defaultdict(float)
            for place, share in sorted(reached.items(), key=lambda item: item[0].node or Node(0, 0)):
                if not self.game.actions(place):
                    continue
                node = self.solution.policy(place)
                for successor, chance in self.game.outcomes(place, node):
                    above[successor] += share * float(chance)
                if place.node and place.room:
                    onward = found.setdefault(place.node, {}).setdefault(place.room, {})
                    onward[node] = onward.get(node, 0.0) + share
            reached = above
        return found

    @cached_property
    def turns(self) -> dict[Node, Onward]:
        """The nodes after which the next node depends on what the event rooms turned out to be."""
        return {node: o for node, o in self.onward.items() if len({n for nexts in o.values() for n in nexts}) > 1}

    @cached_property
    def path(self) -> tuple[Node, ...]:
        """The path of the best plan if every event room is an event, or the likeliest room where it cannot be one."""
        place, path = self.game.first, []
        while self.game.actions(place):
            node = self.solution.policy(place)
            path.append(node)
            outcomes = self.game.outcomes(place, node)
            place = next((p for p, _ in outcomes if p.room is Room.EVENT), outcomes.most_likely())
        return tuple(path)


@dataclass(frozen=True)
class SolvedProgram:
    """The linear program and its solutions; `relaxed` is without the constraint of whole numbers."""

    written: Program
    flow: Flow
    relaxed: Flow
    seconds: float


def plan_events(
    act_map: ActMap,
    evaluation: Evaluation,
    rules: Sequence[RouteRule],
    chances: Chances,
    route: Route,
    progress: Progress = silent,
) -> EventPlan:
    """Solve the map as a game in which event rooms are uncertain, and evaluate following a route."""
    game = _sure_game(act_map, evaluation, chances, rules)
    path = route.path
    keeping = evaluate(game, along(path), progress=silent).value if game.allows(path) else None
    return EventPlan(game, solve(game, progress=progress), keeping)


def solve_program_of(
    act_map: ActMap, evaluation: Evaluation, rules: Sequence[RouteRule], value: Fraction
) -> SolvedProgram:
    """Solve the linear program of a map. Raise EvodomError if its value differs from the exact `value`."""
    from evodom.spire.route.program import program, solve_program

    written = program(act_map, evaluation, rules)
    relaxed = solve_program(written, whole=False)
    begin = time.perf_counter()
    flow = solve_program(written)
    seconds = time.perf_counter() - begin
    if abs(flow.value - value) > AGREEMENT * max(1.0, abs(float(value))):
        raise EvodomError(f"the methods disagree: linear program {flow.value}, dynamic program {float(value)}")
    return SolvedProgram(written, flow, relaxed, seconds)


def _sure_game(act_map: ActMap, evaluation: Evaluation, chances: Chances, rules: Sequence[RouteRule]) -> RouteGame:
    """Return the game. If the HP are too few for certain survival, the error names the HP that suffice."""

    def is_enough(instead: Survive) -> bool:
        kept = (rule for rule in rules if not isinstance(rule, Survive))
        try:
            return bool(RouteGame(act_map, evaluation, chances, [*kept, instead]))
        except NoRoute:
            return False

    hurts = [rule for rule in rules if isinstance(rule, Survive)]
    stronger = (replace(rule, start=hp) for rule in hurts for hp in range(rule.start + 1, rule.most + 1))
    try:
        return RouteGame(act_map, evaluation, chances, rules)
    except NoRoute as error:
        enough = next(filter(is_enough, stronger), None)
        if enough is None:
            raise
        raise NoRoute(f"{error}. With {enough.start} HP there is a way.") from error
