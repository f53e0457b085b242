"""The output of `evodom spire route` as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from evodom.cli.spire_route_deck import costs_json, share_json
from evodom.cli.spire_route_text import EventPlan, Health, RouteAnswer, SolvedProgram
from evodom.spire.map import Node, Room
from evodom.spire.route import Route
from evodom.spire.route.tables import room_name
from evodom.spire.route.uncertain import GAME

if TYPE_CHECKING:
    from evodom.spire.route.simulation import SimulatedRoute


def found_json(found: RouteAnswer) -> str:
    """Return every figure as JSON; exact ones also as text."""
    chosen = found.chosen
    is_seed = chosen.seed is not None
    facts = {
        "title": chosen.title,
        "seed": chosen.seed,
        "act": chosen.act if is_seed else None,
        "ascension": chosen.ascension if is_seed else None,
        "evaluation": found.taste,
        "worth": {room.name.lower(): _numbers(Fraction(found.table.value.get(room, 0))) for room in Room},
        "risk": {room.name.lower(): _numbers(Fraction(found.table.risk.get(room, 0))) for room in Room},
        "tolerance": None if found.tolerance is None else _numbers(found.tolerance),
        "rules": [str(rule) for rule in found.rules],
        "value": _numbers(found.routes.value),
        "optimal": found.routes.n_optimal,
        "paths": found.routes.n_paths,
        "routes": [_simulated_json(one) for one in found.runs.routes]
        if found.runs
        else [_route_json(route, found.health) for route in found.routes.best],
        "tolerances": [
            {
                "low": _numbers(stretch.low),
                "high": _numbers(stretch.high),
                "intercept": _numbers(stretch.intercept),
                "slope": _numbers(stretch.slope),
                "optimal": stretch.routes.n_optimal,
                "route": _route_json(stretch.routes.best[0]),
            }
            for stretch in found.stretches
        ],
        "hp": found.health and _health_json(found.health),
        "fights": found.searched and found.runs and costs_json(found.searched, found.runs),
        "events": found.plan and _plan_json(found.plan),
        "linear_program": found.program and _program_json(found.program),
    }
    return json.dumps(facts, indent=2, allow_nan=False)


def _numbers(value: Fraction) -> dict[str, Any]:
    return {"value": float(value), "exact": str(value)}


def _node(node: Node) -> dict[str, int]:
    return {"x": node.x, "y": node.y, "floor": node.floor}


def _route_json(route: Route, health: Health | None = None) -> dict[str, Any]:
    nodes = [
        {**_node(node), "class": room.value, "worth": _numbers(Fraction(worth))}
        for node, room, worth in zip(route.path, route.rooms, route.worths, strict=True)
    ]
    if health:
        nodes = [{**node, "hp": hp} for node, hp in zip(nodes, health.along(route), strict=True)]
    return {"value": _numbers(route.value), "path": nodes}


def _simulated_json(simulated: SimulatedRoute) -> dict[str, Any]:
    """Return a route with its share of survivors, where runs died, and the mean HP of living runs after each room."""
    page = _route_json(simulated.route)
    after = zip(page["path"], simulated.hp, simulated.alive, strict=True)
    return page | {
        "survived": share_json(simulated.survived),
        "runs": simulated.n_runs,
        "deaths": [{"floor": floor, "encounter": name, "runs": n} for (floor, name), n in simulated.deaths.items()],
        "path": [{**node, "hp": hp, "alive": alive / simulated.n_runs} for node, hp, alive in after],
    }


def _health_json(health: Health) -> dict[str, Any]:
    return {
        "hp": health.hp,
        "max_hp": health.max_hp,
        "changes": {room_name(room): n for room, n in health.changes.items()},
        "starts": [
            {"low": start.low, "high": start.high, "route": start.routes and _route_json(start.routes.best[0])}
            for start in health.starts
        ],
    }


def _plan_json(plan: EventPlan) -> dict[str, Any]:
    chances = plan.game.chances
    return {
        "chances": "game" if chances == GAME else {r.name.lower(): _numbers(c) for r, c in chances.table.items()},  # type: ignore[attr-defined]
        "expected": _numbers(plan.solution.value),
        "expected_of_route": None if plan.keeping is None else _numbers(plan.keeping),
        "results": [{"value": _numbers(v), "probability": float(p)} for v, p in sorted(plan.solution.results())],
        "path": [_node(node) for node in plan.path],
        "onward": [
            {**_node(node), "room": room.value, "next": [{**_node(n), "share": share} for n, share in nexts.items()]}
            for node, onward in plan.onward.items()
            for room, nexts in onward.items()
        ],
        "states": plan.solution.n_states,
    }


def _program_json(solved: SolvedProgram) -> dict[str, Any]:
    return {
        "rows": solved.written.incidence.shape[0] + len(solved.written.limits),
        "columns": solved.written.incidence.shape[1],
        "value": solved.flow.value,
        "path": [_node(node) for node in solved.flow.path],
        "relaxed_value": solved.relaxed.value,
        "relaxed_is_whole": solved.relaxed.whole,
        "seconds": solved.seconds,
    }
