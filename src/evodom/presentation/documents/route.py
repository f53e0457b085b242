"""The best route through an act: its document, and the same in JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from evodom.presentation.document import Block, Cell, Code, DataColumn, DataTable, Document, Section, text_column
from evodom.presentation.format import interval_json, mean_text, share_text
from evodom.presentation.text import fill
from evodom.spire.map import ActMap, Node, Room, draw_map
from evodom.spire.route import FixedChances, Route, Routes, Survive, ToleranceRange
from evodom.spire.route.event_rooms import Chances, EventPlan
from evodom.spire.route.parsing import room_name
from evodom.spire.route.query import Health, RouteAnswer

if TYPE_CHECKING:
    from evodom.spire.route.linear_program import SolvedProgram
    from evodom.spire.route.simulation import DeckCosts, DeckRuns, SimulatedRoute

Json = dict[str, object]

DECIMALS = 6
"""Fractions that need more are rounded in the text; the JSON has them exactly."""


@dataclass(frozen=True)
class ChosenMap:
    """A map and where it is from; `seed` is None for a file."""

    act_map: ActMap
    title: str
    seed: int | None = None
    act: int = 1
    ascension: int = 20


@dataclass(frozen=True)
class RouteReport:
    """The answer to a query about the routes of a map; `name` is how the preferences were given."""

    chosen: ChosenMap
    found: RouteAnswer
    name: str

    def document(self, *, colour: bool) -> Document:
        """Return the map with the proposed route marked, and all answers."""
        return Document("", [Section("", self._blocks(colour=colour))])

    def _blocks(self, *, colour: bool) -> Iterator[Block]:
        found, route = self.found, self.found.proposed
        runs = _runs(found.runs) if found.runs else []
        yield Code("\n".join([self.chosen.title, _question(found, self.name), *runs]))
        yield Code(draw_map(self.chosen.act_map, path=route.path, colour=colour))
        yield Code(f"Value   {number(route.value)}   {_optimal(found.routes, route)}")
        yield _kinds(route)
        yield _steps(found, route)
        if found.runs:
            yield _simulated(found.runs.routes)
        elif len(found.routes.best) > 1:
            yield _best(found.routes.best)
        if found.tolerance_ranges:
            yield _stretches(found.tolerance_ranges)
        if found.health:
            yield _health(found.health, by_mean=found.runs is not None)
        if found.deck_costs and found.health:
            yield from _costs(found.deck_costs, found.health)
        if found.plan:
            yield Code("\n".join(_plan(found.plan)))
        if found.program:
            yield Code(_program(found.program, has_rules=bool(found.rules)))

    def to_json(self) -> Json:
        """Return every figure, exact ones also as text."""
        chosen, found, query = self.chosen, self.found, self.found.query
        table = query.preferences.table
        return {
            "title": chosen.title,
            "seed": chosen.seed,
            "act": None if chosen.seed is None else chosen.act,
            "ascension": None if chosen.seed is None else chosen.ascension,
            "evaluation": self.name,
            "worth": {room.name.lower(): _exact(Fraction(table.value.get(room, 0))) for room in Room},
            "risk": {room.name.lower(): _exact(Fraction(table.risk.get(room, 0))) for room in Room},
            "tolerance": None if query.tolerance is None else _exact(query.tolerance),
            "rules": [str(rule) for rule in found.rules],
            "value": _exact(found.routes.value),
            "optimal": found.routes.n_optimal,
            "paths": found.routes.n_paths,
            "routes": [_simulated_json(route) for route in found.runs.routes]
            if found.runs
            else [_route_json(route, found.health) for route in found.routes.best],
            "tolerances": [
                {
                    "low": _exact(interval.low),
                    "high": _exact(interval.high),
                    "intercept": _exact(interval.intercept),
                    "slope": _exact(interval.slope),
                    "optimal": interval.routes.n_optimal,
                    "route": _route_json(interval.routes.best[0]),
                }
                for interval in found.tolerance_ranges
            ],
            "hp": found.health and _health_json(found.health),
            "fights": found.deck_costs and found.runs and _costs_json(found.deck_costs, found.runs),
            "events": found.plan and _plan_json(found.plan),
            "linear_program": found.program and _program_json(found.program),
        }


def number(value: Fraction | int) -> str:
    """Return a number as a short decimal, exact where six decimals can be."""
    exact = Fraction(value)
    if exact * 10**DECIMALS % 1:
        return f"{float(exact):.{DECIMALS}f}"
    return f"{float(exact):.{DECIMALS}f}".rstrip("0").rstrip(".")


def _question(answer: RouteAnswer, name: str) -> str:
    """Return the query in one line."""
    tolerance = answer.query.tolerance
    at = "" if tolerance is None else f", tolerance {number(tolerance)}"
    rules = "".join(f"; {rule}" for rule in answer.rules if not (answer.runs and isinstance(rule, Survive)))
    if answer.runs:
        n = len(answer.runs.routes)
        return f"Most survivors of {n} route{'s' * (n > 1)} by {name}{at}{rules}"
    return f"Best route by {name}{at}{rules}"


def _runs(found: DeckRuns) -> list[str]:
    """Return the share of survivors of the best route, and where its runs die."""
    best = found.best
    lines = [f"Survivors of the marked route: {share_text(best.survived)}, {best.alive[-1]} of {best.n_runs} runs"]
    if best.deaths:
        deaths = ", ".join(f"{name} (floor {floor}) {n}" for (floor, name), n in best.deaths.items())
        lines += fill(f"Deaths: {deaths}", indent=2)
    return [*lines, f"Survivors of the boss after it: {share_text(found.boss)}"]


def _optimal(routes: Routes, route: Route) -> str:
    paths = f"{routes.n_paths:,} path{'s' * (routes.n_paths > 1)}"
    if route.value < routes.value:
        return f"the highest of {paths} is {number(routes.value)}"
    if routes.n_paths == 1:
        return "the only path there is"
    if routes.n_optimal == 1:
        return f"the one best of {paths}"
    return f"{routes.n_optimal:,} of {paths} are as good, and the leftmost is shown"


def _kinds(route: Route) -> DataTable:
    """Return the number of rooms of each kind, and the sum of their values."""
    kinds = [room for room in Room if room in route.rooms]
    worths = dict.fromkeys(kinds, Fraction(0))
    for room, worth in zip(route.rooms, route.values, strict=True):
        worths[room] += worth
    rows: list[list[Cell]] = [
        ["Rooms", *map(route.rooms.count, kinds)],
        ["Worth", *(number(worths[room]) for room in kinds)],
    ]
    return DataTable([text_column(), *(DataColumn(room.name.lower()) for room in kinds)], rows, name="kinds")


def _steps(found: RouteAnswer, route: Route) -> DataTable:
    """Return the rooms from the bottom up."""
    rows: dict[str, Sequence[Cell]] = {
        "Floor": [node.floor for node in route.path],
        "Column": [node.x for node in route.path],
        "Room": [room.letter for room in route.rooms],
    }
    if found.runs:
        best = found.runs.best
        rows["HP"] = [None if hp is None else round(hp) for hp in best.hp]
        rows["Alive %"] = [round(100 * alive / best.n_runs) for alive in best.alive]
    elif found.health:
        rows["HP"] = found.health.hp_along(route)
    columns = [text_column(), *(DataColumn("") for _ in route.path)]
    return DataTable(columns, [(label, *cells) for label, cells in rows.items()], name="rooms")


def _letters(route: Route) -> str:
    return " ".join(room.letter for room in route.rooms)


def _places(path: Sequence[Node]) -> str:
    return " ".join(str(node.x) for node in path)


def _best(routes: Sequence[Route]) -> DataTable:
    rows = [(i, number(route.value), _letters(route), _places(route.path)) for i, route in enumerate(routes, start=1)]
    return DataTable(
        [DataColumn("Best"), DataColumn("value"), text_column("rooms"), text_column("columns")], rows, name="best"
    )


def _route_rows(first: str, second: str, route: Route, note: str = "") -> list[tuple[Cell, ...]]:
    """Return the row of a route, and that of its columns below its rooms."""
    return [(first, second, _letters(route) + note), ("", "columns", _places(route.path))]


def _simulated(simulated: Sequence[SimulatedRoute]) -> DataTable:
    """Return the simulated routes, most survivors first."""
    rows = [
        row
        for route in simulated
        for row in _route_rows(share_text(route.survived), number(route.route.value), route.route)
    ]
    title = f"Simulated, {simulated[0].n_runs} runs each; in brackets 95 %:"
    return DataTable([text_column("survivors"), DataColumn("value"), text_column("rooms")], rows, title)


def _stretches(tolerance_ranges: Sequence[ToleranceRange]) -> DataTable:
    rows = []
    for interval in tolerance_ranges:
        n = interval.routes.n_optimal
        value = f"{number(interval.intercept)} + {number(interval.slope)} t"
        note = f" (1 of {n:,})" if n > 1 else ""
        rows += _route_rows(f"{interval.low} to {interval.high}", value, interval.routes.best[0], note)
    title = "Over all tolerances t the value of the best route, and the leftmost of them:"
    return DataTable([text_column(), text_column(), text_column()], rows, title)


def _health(health: Health, *, by_mean: bool) -> DataTable:
    """Return the best route for each number of HP at the start."""
    changes = ", ".join(f"{room_name(room)} {n:+}" for room, n in health.changes.items() if n)
    rows: list[tuple[Cell, ...]] = []
    for start in health.ranges:
        bounds = f"{start.low} to {start.high}" if start.low < start.high else f"{start.low}"
        if start.routes is None:
            rows.append((bounds, "", "no path is survived"))
        else:
            rows += _route_rows(bounds, number(start.routes.value), start.routes.best[0])
    how = "By mean costs alone, begun" if by_mean else "Begun"
    title = f"{how} with other HP, of at most {health.max_hp} ({changes or 'no room changes them'}):"
    return DataTable([DataColumn(""), DataColumn(""), text_column()], rows, title)


def _costs(found: DeckCosts, health: Health) -> Iterator[Block]:
    """Yield the mean costs of fights, and the options that need no search for them."""
    rows: list[tuple[Cell, ...]] = []
    for room, cost in found.costs.items():
        rows.append((room_name(room), f"{mean_text(cost.hp)} HP, {share_text(cost.death)} lost"))
        if room_name(room) in ("elite", "boss"):
            rows.append(("", ", ".join(f"{encounter} {hp:.0f}" for encounter, hp in cost.by_encounter.items())))
    yield DataTable(
        [text_column(), text_column()],
        rows,
        f"Mean costs of fights with this deck, each begun with {found.hp} HP:",
        name="costs",
    )
    changes = ", ".join(f"{room_name(room)}={n}" for room, n in health.changes.items())
    yield Code(
        f"{found.n_games} fights each, {found.n_simulations:,} simulations a move, seed {found.seed}; "
        "in brackets 95 %.\n"
        "The best route by these mean costs alone, without search:\n"
        f'  --player-hp {found.hp} --max-hp {found.max_hp} --hp-changes "{changes}"'
    )


def _plan(plan: EventPlan) -> list[str]:
    if plan.value_of_route is None:
        kept = "keeping to the route above is not sure to keep the rules"
    else:
        kept = f"{number(plan.value_of_route)} for keeping to the route above"
    lines = [
        f"Event rooms may be something else, {_chances(plan.game.chances)}:",
        f"Expected value {number(plan.solution.value)}; {kept}",
        f"Columns {_places(plan.path)}, as long as event rooms are events",
    ]
    for node, onward in plan.branches.items():
        ways = "; ".join(f"{room.name.lower()}: {_ways(nexts)}" for room, nexts in onward.items())
        lines.append(f"  After {node.name} ({ways})")
    return lines if plan.branches else [*lines, "Whatever they are, there is no reason to change the way."]


def _ways(nexts: dict[Node, float]) -> str:
    total = sum(nexts.values())
    if len(nexts) == 1:
        return f"to {next(iter(nexts)).name}"
    return " or ".join(f"to {node.name} in {share / total:.0%}" for node, share in nexts.items())


def _chances(chances: Chances) -> str:
    if not isinstance(chances, FixedChances):
        return "as likely as in the game"
    return ", ".join(f"{room.name.lower()} {float(100 * share):g} %" for room, share in chances.table.items())


def _program(solved: SolvedProgram, *, has_rules: bool) -> str:
    rows, columns = solved.program.incidence.shape
    rules = f" and {len(solved.program.limits)} of rules" if has_rules else ""
    relaxed = "whole anyway" if solved.relaxed.integral else f"not whole, {solved.relaxed.value:g}"
    return (
        f"The linear program agrees: {rows} rows{rules}, {columns} columns, {1000 * solved.seconds:.1f} ms. "
        f"Relaxed it is {relaxed}."
    )


def _exact(value: Fraction) -> Json:
    return {"value": float(value), "exact": str(value)}


def _node(node: Node) -> Json:
    return {"x": node.x, "y": node.y, "floor": node.floor}


def _path_json(route: Route) -> list[Json]:
    return [
        {**_node(node), "class": room.value, "worth": _exact(Fraction(worth))}
        for node, room, worth in zip(route.path, route.rooms, route.values, strict=True)
    ]


def _route_json(route: Route, health: Health | None = None) -> Json:
    nodes = _path_json(route)
    if health:
        nodes = [{**node, "hp": hp} for node, hp in zip(nodes, health.hp_along(route), strict=True)]
    return {"value": _exact(route.value), "path": nodes}


def _simulated_json(simulated: SimulatedRoute) -> Json:
    """Return a route with its share of survivors, where runs died, and the mean HP of living runs after each room."""
    after = zip(_path_json(simulated.route), simulated.hp, simulated.alive, strict=True)
    return {
        "value": _exact(simulated.route.value),
        "path": [{**node, "hp": hp, "alive": alive / simulated.n_runs} for node, hp, alive in after],
        "survived": interval_json(simulated.survived),
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
            for start in health.ranges
        ],
    }


def _plan_json(plan: EventPlan) -> Json:
    chances = plan.game.chances
    return {
        "chances": {room.name.lower(): _exact(chance) for room, chance in chances.table.items()}
        if isinstance(chances, FixedChances)
        else "game",
        "expected": _exact(plan.solution.value),
        "expected_of_route": None if plan.value_of_route is None else _exact(plan.value_of_route),
        "results": [{"value": _exact(v), "probability": float(p)} for v, p in sorted(plan.solution.results())],
        "path": [_node(node) for node in plan.path],
        "onward": [
            {**_node(node), "room": room.value, "next": [{**_node(n), "share": share} for n, share in nexts.items()]}
            for node, onward in plan.next_nodes.items()
            for room, nexts in onward.items()
        ],
        "states": plan.solution.n_states,
    }


def _program_json(solved: SolvedProgram) -> Json:
    return {
        "rows": solved.program.incidence.shape[0] + len(solved.program.limits),
        "columns": solved.program.incidence.shape[1],
        "value": solved.flow.value,
        "path": [_node(node) for node in solved.flow.path],
        "relaxed_value": solved.relaxed.value,
        "relaxed_is_whole": solved.relaxed.integral,
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
                "hp": interval_json(cost.hp),
                "lost": interval_json(cost.death),
                "encounters": dict(cost.by_encounter),
            }
            for room, cost in found.costs.items()
        },
        "won": interval_json(runs.best.survived),
        "won_with_boss": interval_json(runs.boss),
    }
