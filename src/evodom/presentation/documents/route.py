"""Build the document and the JSON of the best route through an act.

`RouteReport` is printed by `evodom spire route`. Room values, HP, fight costs and event rooms are sections of it.
"""

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
    from evodom.spire.route.costs import DeckCosts
    from evodom.spire.route.linear_program import SolvedProgram
    from evodom.spire.route.simulation import DeckRuns, SimulatedRoute

Json = dict[str, object]

DECIMALS = 6
"""Number of decimals of fractions in text. JSON has the exact fractions."""


@dataclass(frozen=True)
class ChosenMap:
    """A map and its source. `seed` is None for a map from a file. `here` is the room of the player of a run."""

    act_map: ActMap
    title: str
    seed: int | None = None
    act: int = 1
    ascension: int = 20
    here: Node | None = None

    def drawn(self, route: Route) -> tuple[Node, ...]:
        """Return the nodes to mark for a route: its path from the room of the player."""
        return route.path if self.here in (None, route.path[0]) else (self.here, *route.path)


@dataclass(frozen=True)
class RouteReport:
    """The answer to a query about the routes of a map. `name` is the name of the preferences."""

    chosen: ChosenMap
    answer: RouteAnswer
    name: str

    def document(self, *, colour: bool) -> Document:
        """Return the map with the proposed route marked, and all parts of the answer."""
        return Document("", [Section("", self._blocks(colour=colour))])

    def _blocks(self, *, colour: bool) -> Iterator[Block]:
        answer, route = self.answer, self.answer.proposed
        runs = _survival_lines(answer.runs) if answer.runs else []
        yield Code("\n".join([self.chosen.title, _query_line(answer, self.name), *runs]))
        yield Code(draw_map(self.chosen.act_map, path=self.chosen.drawn(route), colour=colour))
        yield Code(f"Value   {number(route.value)}   {_uniqueness(answer.routes, route)}")
        yield _room_table(route)
        yield _path_table(answer, route)
        if answer.runs:
            yield _simulated_table(answer.runs.routes)
        elif len(answer.routes.best) > 1:
            yield _best_routes_table(answer.routes.best)
        if answer.tolerance_ranges:
            yield _tolerance_table(answer.tolerance_ranges)
        if answer.health:
            yield _hp_table(answer.health, by_mean=answer.runs is not None)
        if answer.deck_costs and answer.health:
            yield from _cost_blocks(answer.deck_costs, answer.health)
        if answer.plan:
            yield Code("\n".join(_event_lines(answer.plan)))
        if answer.program:
            yield Code(_program_line(answer.program, has_rules=bool(answer.rules)))

    def to_json(self) -> Json:
        """Return all figures as plain JSON types, exact fractions also as text."""
        chosen, answer, query = self.chosen, self.answer, self.answer.query
        table = query.preferences.table
        return {
            "title": chosen.title,
            "seed": chosen.seed,
            "act": None if chosen.seed is None else chosen.act,
            "ascension": None if chosen.seed is None else chosen.ascension,
            "here": chosen.here and _node_json(chosen.here),
            "evaluation": self.name,
            "worth": {room.name.lower(): _exact_json(Fraction(table.value.get(room, 0))) for room in Room},
            "risk": {room.name.lower(): _exact_json(Fraction(table.risk.get(room, 0))) for room in Room},
            "tolerance": None if query.tolerance is None else _exact_json(query.tolerance),
            "rules": [str(rule) for rule in answer.rules],
            "value": _exact_json(answer.routes.value),
            "optimal": answer.routes.n_optimal,
            "paths": answer.routes.n_paths,
            "routes": list(map(_simulated_json, answer.runs.routes))
            if answer.runs
            else [_route_json(route, answer.health) for route in answer.routes.best],
            "tolerances": [
                {key: _exact_json(getattr(interval, key)) for key in ("low", "high", "intercept", "slope")}
                | {"optimal": interval.routes.n_optimal, "route": _route_json(interval.routes.best[0])}
                for interval in answer.tolerance_ranges
            ],
            "hp": answer.health and _health_json(answer.health),
            "fights": answer.deck_costs and answer.runs and _costs_json(answer.deck_costs, answer.runs),
            "events": answer.plan and _plan_json(answer.plan),
            "linear_program": answer.program and _program_json(answer.program),
        }


def number(value: Fraction | int) -> str:
    """Return a number with DECIMALS decimals. Trailing zeros are cut if the number is exact."""
    text = f"{float(value):.{DECIMALS}f}"
    return text if Fraction(value) * 10**DECIMALS % 1 else text.rstrip("0").rstrip(".")


def _query_line(answer: RouteAnswer, name: str) -> str:
    """Return the query in one line."""
    tolerance = answer.query.tolerance
    at = "" if tolerance is None else f", tolerance {number(tolerance)}"
    rules = "".join(f"; {rule}" for rule in answer.rules if not (answer.runs and isinstance(rule, Survive)))
    if answer.runs:
        n = len(answer.runs.routes)
        return f"Route with the most survivors, of {n} route{'s' * (n > 1)} by {name}{at}{rules}"
    return f"Best route by {name}{at}{rules}"


def _survival_lines(runs: DeckRuns) -> list[str]:
    """Return the share of simulated runs that survive the best route, and where the others die."""
    best = runs.best
    lines = [f"Survive the marked route: {share_text(best.survived)}, {best.alive[-1]} of {best.n_runs} simulated runs"]
    if best.deaths:
        deaths = ", ".join(f"{name} (floor {floor}) {n}" for (floor, name), n in best.deaths.items())
        lines += fill(f"Deaths: {deaths}", indent=2)
    return [*lines, f"Survive the boss after it: {share_text(runs.boss)}"]


def _uniqueness(routes: Routes, route: Route) -> str:
    """Return how many paths share the best value. If the route has a lower value, return the best value instead."""
    paths = f"{routes.n_paths:,} path{'s' * (routes.n_paths > 1)}"
    if route.value < routes.value:
        return f"the highest value of {paths} is {number(routes.value)}"
    if routes.n_paths == 1:
        return "the only path"
    if routes.n_optimal == 1:
        return f"the only best of {paths}"
    return f"{routes.n_optimal:,} of {paths} have this value; the leftmost is shown"


def _room_table(route: Route) -> DataTable:
    """Return the number of rooms of each kind, and the sum of their values."""
    kinds = [room for room in Room if room in route.rooms]
    values = dict.fromkeys(kinds, Fraction(0))
    for room, worth in zip(route.rooms, route.values, strict=True):
        values[room] += worth
    worths = [number(values[room]) for room in kinds]
    rows: list[list[Cell]] = [["Rooms", *map(route.rooms.count, kinds)], ["Value", *worths]]
    return DataTable([text_column(), *(DataColumn(room.name.lower()) for room in kinds)], rows, name="kinds")


def _path_table(answer: RouteAnswer, route: Route) -> DataTable:
    """Return floors, columns, rooms and HP of a route, from the first floor up."""
    rows: dict[str, Sequence[Cell]] = {
        "Floor": [node.floor for node in route.path],
        "Column": [node.x for node in route.path],
        "Room": [room.letter for room in route.rooms],
    }
    if answer.runs:
        best = answer.runs.best
        rows["HP"] = [None if hp is None else round(hp) for hp in best.hp]
        rows["Alive, %"] = [round(100 * alive / best.n_runs) for alive in best.alive]
    elif answer.health:
        rows["HP"] = answer.health.hp_along(route)
    columns = [text_column(), *(DataColumn("") for _ in route.path)]
    return DataTable(columns, [(label, *cells) for label, cells in rows.items()], name="rooms")


def _room_letters(route: Route) -> str:
    return " ".join(room.letter for room in route.rooms)


def _column_numbers(path: Sequence[Node]) -> str:
    return " ".join(str(node.x) for node in path)


def _best_routes_table(routes: Sequence[Route]) -> DataTable:
    rows = [
        (i, number(route.value), _room_letters(route), _column_numbers(route.path))
        for i, route in enumerate(routes, start=1)
    ]
    return DataTable(
        [DataColumn("Best"), DataColumn("value"), text_column("rooms"), text_column("columns")], rows, name="best"
    )


def _route_rows(first: str, second: str, route: Route, note: str = "") -> list[tuple[Cell, ...]]:
    """Return two rows of a route: its rooms, and their columns on the map."""
    return [(first, second, _room_letters(route) + note), ("", "columns", _column_numbers(route.path))]


def _simulated_table(simulated: Sequence[SimulatedRoute]) -> DataTable:
    """Return the simulated routes, the most survivors first."""
    rows = [
        row
        for route in simulated
        for row in _route_rows(share_text(route.survived), number(route.route.value), route.route)
    ]
    title = f"Simulated routes, {simulated[0].n_runs} runs each (95 % intervals):"
    return DataTable([text_column("survivors"), DataColumn("value"), text_column("rooms")], rows, title)


def _tolerance_table(tolerance_ranges: Sequence[ToleranceRange]) -> DataTable:
    rows = []
    for interval in tolerance_ranges:
        n = interval.routes.n_optimal
        value = f"{number(interval.intercept)} + {number(interval.slope)} t"
        note = f" (1 of {n:,})" if n > 1 else ""
        rows += _route_rows(f"{interval.low} to {interval.high}", value, interval.routes.best[0], note)
    title = "Value of the best route for each tolerance t, and the leftmost best route:"
    return DataTable([text_column(), text_column(), text_column()], rows, title)


def _hp_table(health: Health, *, by_mean: bool) -> DataTable:
    """Return the best route for each range of HP at the start."""
    changes = ", ".join(f"{room_name(room)} {n:+}" for room, n in health.changes.items() if n)
    rows: list[tuple[Cell, ...]] = []
    for start in health.ranges:
        bounds = f"{start.low} to {start.high}" if start.low < start.high else f"{start.low}"
        if start.routes is None:
            rows.append((bounds, "", "no route survives"))
        else:
            rows += _route_rows(bounds, number(start.routes.value), start.routes.best[0])
    how = ", by mean costs without search" if by_mean else ""
    title = f"Best route by HP at the start{how}; maximum {health.max_hp} ({changes or 'no room changes HP'}):"
    return DataTable([DataColumn(""), DataColumn(""), text_column()], rows, title)


def _cost_blocks(costs: DeckCosts, health: Health) -> Iterator[Block]:
    """Yield the mean HP that fights cost, and the options that repeat the route without a search."""
    rows: list[tuple[Cell, ...]] = []
    for room, cost in costs.costs.items():
        rows.append((room_name(room), f"{mean_text(cost.hp)} HP, {share_text(cost.death)} lost"))
        if room_name(room) in ("elite", "boss"):
            rows.append(("", ", ".join(f"{encounter} {hp:.0f}" for encounter, hp in cost.by_encounter.items())))
    title = f"Mean HP lost in fights with this deck, each begun with {costs.hp} HP:"
    yield DataTable([text_column(), text_column()], rows, title, name="costs")
    changes = ", ".join(f"{room_name(room)}={n}" for room, n in health.changes.items())
    yield Code(
        f"{costs.n_games} fights each, {costs.n_simulations:,} simulations a move, seed {costs.seed}; "
        "95 % intervals.\n"
        "Options for the best route by these mean costs, without a search:\n"
        f'  --player-hp {costs.hp} --max-hp {costs.max_hp} --hp-changes "{changes}"'
    )


def _event_lines(plan: EventPlan) -> list[str]:
    if plan.value_of_route is None:
        kept = "the route above may break a rule if event rooms change"
    else:
        kept = f"{number(plan.value_of_route)} for the route above"
    lines = [
        f"Event rooms may become other rooms, {_chances_text(plan.game.chances)}:",
        f"Expected value {number(plan.solution.value)}; {kept}",
        f"Columns {_column_numbers(plan.path)}, while event rooms stay events",
    ]
    for node, onward in plan.branches.items():
        ways = "; ".join(f"{room.name.lower()}: {_next_rooms(nexts)}" for room, nexts in onward.items())
        lines.append(f"  After {node.name} ({ways})")
    return lines if plan.branches else [*lines, "The route is the same for all outcomes."]


def _next_rooms(nexts: dict[Node, float]) -> str:
    total = sum(nexts.values())
    if len(nexts) == 1:
        return f"to {next(iter(nexts)).name}"
    return " or ".join(f"to {node.name} in {share / total:.0%}" for node, share in nexts.items())


def _chances_text(chances: Chances) -> str:
    if not isinstance(chances, FixedChances):
        return "with the probabilities of the game"
    return ", ".join(f"{room.name.lower()} {float(100 * share):g} %" for room, share in chances.table.items())


def _program_line(solved: SolvedProgram, *, has_rules: bool) -> str:
    rows, columns = solved.program.incidence.shape
    rules = f" and {len(solved.program.limits)} of rules" if has_rules else ""
    relaxed = "is integral" if solved.relaxed.integral else f"is fractional, {solved.relaxed.value:g}"
    return f"The linear program agrees: {rows} rows{rules}, {columns} columns. Its relaxation {relaxed}."


def _exact_json(value: Fraction) -> Json:
    return {"value": float(value), "exact": str(value)}


def _node_json(node: Node) -> Json:
    return {"x": node.x, "y": node.y, "floor": node.floor}


def _path_json(route: Route) -> list[Json]:
    return [
        {**_node_json(node), "class": room.value, "worth": _exact_json(Fraction(worth))}
        for node, room, worth in zip(route.path, route.rooms, route.values, strict=True)
    ]


def _route_json(route: Route, health: Health | None = None) -> Json:
    nodes = _path_json(route)
    if health:
        nodes = [{**node, "hp": hp} for node, hp in zip(nodes, health.hp_along(route), strict=True)]
    return {"value": _exact_json(route.value), "path": nodes}


def _simulated_json(simulated: SimulatedRoute) -> Json:
    """Return a route with its share of survivors, where runs died, and the mean HP of living runs after each room."""
    after = zip(_path_json(simulated.route), simulated.hp, simulated.alive, strict=True)
    return {
        "value": _exact_json(simulated.route.value),
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
        "chances": {room.name.lower(): _exact_json(chance) for room, chance in chances.table.items()}
        if isinstance(chances, FixedChances)
        else "game",
        "expected": _exact_json(plan.solution.value),
        "expected_of_route": None if plan.value_of_route is None else _exact_json(plan.value_of_route),
        "results": [{"value": _exact_json(v), "probability": float(p)} for v, p in sorted(plan.solution.results())],
        "path": [_node_json(node) for node in plan.path],
        "onward": [
            _node_json(node)
            | {"room": room.value, "next": [_node_json(n) | {"share": share} for n, share in nexts.items()]}
            for node, onward in plan.next_nodes.items()
            for room, nexts in onward.items()
        ],
        "states": plan.solution.n_states,
    }


def _program_json(solved: SolvedProgram) -> Json:
    rows, columns = solved.program.incidence.shape
    return {
        "rows": rows + len(solved.program.limits),
        "columns": columns,
        "value": solved.flow.value,
        "path": [_node_json(node) for node in solved.flow.path],
        "relaxed_value": solved.relaxed.value,
        "relaxed_is_whole": solved.relaxed.integral,
    }


def _costs_json(costs: DeckCosts, runs: DeckRuns) -> Json:
    """Return the mean costs of fights and the shares of survivors."""
    return {
        "hp": costs.hp,
        "games": costs.n_games,
        "simulations": costs.n_simulations,
        "seed": costs.seed,
        "costs": {
            room_name(room): {
                "hp": interval_json(cost.hp),
                "lost": interval_json(cost.death),
                "encounters": dict(cost.by_encounter),
            }
            for room, cost in costs.costs.items()
        },
        "won": interval_json(runs.best.survived),
        "won_with_boss": interval_json(runs.boss),
    }
