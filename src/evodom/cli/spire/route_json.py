"""The output of `evodom spire route` as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from evodom.cli.spire.map import ChosenMap
from evodom.spire.map import Node, Room
from evodom.spire.route import FixedChances, Route
from evodom.spire.route.query import Health, RouteAnswer
from evodom.spire.route.tables import room_name
from evodom.spire.route.uncertain import EventPlan

if TYPE_CHECKING:
    from evodom.spire.route.program import SolvedProgram
    from evodom.spire.route.simulation import DeckCosts, DeckRuns, SimulatedRoute
    from evodom.statistics import Share


Json = dict[str, object]


def route_json(chosen: ChosenMap, found: RouteAnswer, name: str) -> str:
    """Return every figure as JSON, exact ones also as text; `name` is that of the preferences."""
    is_seed = chosen.seed is not None
    query, table = found.query, found.query.preferences.table
    facts = {
        "title": chosen.title,
        "seed": chosen.seed,
        "act": chosen.act if is_seed else None,
        "ascension": chosen.ascension if is_seed else None,
        "evaluation": name,
        "worth": {room.name.lower(): _numbers(Fraction(table.value.get(room, 0))) for room in Room},
        "risk": {room.name.lower(): _numbers(Fraction(table.risk.get(room, 0))) for room in Room},
        "tolerance": None if query.tolerance is None else _numbers(query.tolerance),
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
        "fights": found.searched and found.runs and _costs_json(found.searched, found.runs),
        "events": found.plan and _plan_json(found.plan),
        "linear_program": found.program and _program_json(found.program),
    }
    return json.dumps(facts, indent=2, allow_nan=False)


def _numbers(value: Fraction) -> Json:
    return {"value": float(value), "exact": str(value)}


def _node(node: Node) -> Json:
    return {"x": node.x, "y": node.y, "floor": node.floor}


def _path_json(route: Route) -> list[Json]:
    return [
        {**_node(node), "class": room.value, "worth": _numbers(Fraction(worth))}
        for node, room, worth in zip(route.path, route.rooms, route.worths, strict=True)
    ]


def _route_json(route: Route, health: Health | None = None) -> Json:
    nodes = _path_json(route)
    if health:
        nodes = [{**node, "hp": hp} for node, hp in zip(nodes, health.along(route), strict=True)]
    return {"value": _numbers(route.value), "path": nodes}


def _simulated_json(simulated: SimulatedRoute) -> Json:
    """Return a route with its share of survivors, where runs died, and the mean HP of living runs after each room."""
    after = zip(_path_json(simulated.route), simulated.hp, simulated.alive, strict=True)
    return {
        "value": _numbers(simulated.route.value),
        "path": [{**node, "hp": hp, "alive": alive / simulated.n_runs} for node, hp, alive in after],
        "survived": _share(simulated.survived),
        "runs": simulated.n_runs,
        "deaths": [{"floor": floor, "encounter": name, "runs": n} for (floor, name), n in simulated.deaths.items()],
    }


def _health_json(health: Health) -> Json:
    return {
        "hp": health.hp,
        "max_hp": health.max_hp,
        "changes": {room_name(room): n for room, n in health.changes.items()},
        "starts": [
            {"low": start.low, "high": start.high, "route": start.routes and _route_json(start.routes.best[0])}
            for start in health.starts
        ],
    }


def _plan_json(plan: EventPlan) -> Json:
    chances = plan.game.chances
    return {
        "chances": {room.name.lower(): _numbers(chance) for room, chance in chances.table.items()}
        if isinstance(chances, FixedChances)
        else "game",
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


def _program_json(solved: SolvedProgram) -> Json:
    return {
        "rows": solved.written.incidence.shape[0] + len(solved.written.limits),
        "columns": solved.written.incidence.shape[1],
        "value": solved.flow.value,
        "path": [_node(node) for node in solved.flow.path],
        "relaxed_value": solved.relaxed.value,
        "relaxed_is_whole": solved.relaxed.whole,
        "seconds": solved.seconds,
    }


def _costs_json(found: DeckCosts, runs: DeckRuns) -> Json:
    """Return the mean costs of fights and the shares of survivors, for programs."""
    return {
        "hp": found.hp,
        "games": found.n_games,
        "simulations": found.n_simulations,
        "seed": found.seed,
        "costs": {
            room_name(room): {
                "hp": {"mean": cost.hp.value, "low": cost.hp.low, "high": cost.hp.high},
                "lost": _share(cost.death),
                "encounters": dict(cost.each),
            }
            for room, cost in found.costs.items()
        },
        "won": _share(runs.best.survived),
        "won_with_boss": _share(runs.boss),
    }


def _share(share: Share) -> Json:
    """Return a share and its interval, for programs."""
    return {"mean": share.share, "low": share.low, "high": share.high}
