"""The answers of `evodom spire route` as text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from evodom.cli.spire.map import ChosenMap
from evodom.cli.spire.search import hp_text, share_text
from evodom.spire.map import Node, Room, draw_map
from evodom.spire.route import FixedChances, Route, Routes, Stretch, Survive
from evodom.spire.route.query import Health, RouteAnswer
from evodom.spire.route.rules import HpChanges
from evodom.spire.route.tables import room_name
from evodom.spire.route.uncertain import Chances, EventPlan

if TYPE_CHECKING:
    from evodom.spire.route.program import SolvedProgram
    from evodom.spire.route.simulation import DeckCosts, DeckRuns, SimulatedRoute


WIDTH = 80
"""Columns of a line of text."""

DECIMALS = 6
"""Fractions that need more are rounded in the text; the JSON has them exactly."""
LABEL = 8


def question_text(answer: RouteAnswer, name: str) -> str:
    """Return the query in one line; `name` is how the preferences were given."""
    tolerance = answer.query.tolerance
    at = "" if tolerance is None else f", tolerance {number(tolerance)}"
    rules = "".join(f"; {rule}" for rule in answer.rules if not (answer.runs and isinstance(rule, Survive)))
    if answer.runs:
        n = len(answer.runs.routes)
        return f"Most survivors of {n} route{'s' * (n > 1)} by {name}{at}{rules}"
    return f"Best route by {name}{at}{rules}"


def number(value: Fraction | int) -> str:
    """Return a number as a short decimal, exact where six decimals can be."""
    exact = Fraction(value)
    if exact * 10**DECIMALS % 1:
        return f"{float(exact):.{DECIMALS}f}"
    return f"{float(exact):.{DECIMALS}f}".rstrip("0").rstrip(".")


def route_text(chosen: ChosenMap, found: RouteAnswer, name: str, *, colour: bool = False) -> str:
    """Return the map with the proposed route marked, and all answers as text; `name` is that of the preferences."""
    route = found.proposed
    sections = [
        "\n".join([chosen.title, question_text(found, name), *([_runs_text(found.runs)] if found.runs else [])]),
        draw_map(chosen.act_map, path=route.path, colour=colour),
        _steps_text(found, route),
    ]
    if found.runs:
        sections.append(_simulated_text(found.runs.routes))
    elif len(found.routes.best) > 1:
        sections.append(_best_text(found.routes.best))
    if found.stretches:
        sections.append(_stretches_text(found.stretches))
    if found.health:
        sections.append(_health_text(found.health, by_mean=found.runs is not None))
    if found.searched and found.health:
        sections.append(_costs_text(found.searched, found.health.changes))
    if found.plan:
        sections.append(_plan_text(found.plan))
    if found.program:
        sections.append(_program_text(found.program, has_rules=bool(found.rules)))
    return "\n\n".join(sections)


def _steps_text(found: RouteAnswer, route: Route) -> str:
    """Return the value, its parts, and the rooms from the bottom up."""
    kinds = [room for room in Room if room in route.rooms]
    worths = dict.fromkeys(kinds, Fraction(0))
    for room, worth in zip(route.rooms, route.worths, strict=True):
        worths[room] += worth
    lines = [
        f"{'Value':<{LABEL}}{number(route.value)}   {_optimal(found.routes, route)}",
        "",
        *_columns(
            {
                "": [room.name.lower() for room in kinds],
                "Rooms": [route.rooms.count(room) for room in kinds],
                "Worth": [number(worths[room]) for room in kinds],
            }
        ),
        "",
    ]
    steps: dict[str, Sequence[object]] = {
        "Floor": [node.floor for node in route.path],
        "Column": [node.x for node in route.path],
        "Room": [room.letter for room in route.rooms],
    }
    if found.runs:
        best = found.runs.best
        steps["HP"] = ["-" if hp is None else round(hp) for hp in best.hp]
        steps["Alive %"] = [round(100 * alive / best.n_runs) for alive in best.alive]
    elif found.health:
        steps["HP"] = found.health.along(route)
    return "\n".join([*lines, *_columns(steps)])


def _optimal(routes: Routes, route: Route) -> str:
    paths = f"{routes.n_paths:,} path{'s' * (routes.n_paths > 1)}"
    if route.value < routes.value:
        return f"the highest of {paths} is {number(routes.value)}"
    if routes.n_paths == 1:
        return "the only path there is"
    if routes.n_optimal == 1:
        return f"the one best of {paths}"
    return f"{routes.n_optimal:,} of {paths} are as good, and the leftmost is shown"


def _columns(rows: dict[str, Sequence[object]]) -> list[str]:
    """Return rows with a label each, their cells below one another."""
    widths = [max(2, *(len(str(cell)) for cell in cells)) for cells in zip(*rows.values(), strict=True)]
    return [
        f"{label:<{LABEL}}{' '.join(f'{cell!s:>{width}}' for cell, width in zip(cells, widths, strict=True))}".rstrip()
        for label, cells in rows.items()
    ]


def _letters(route: Route) -> str:
    return " ".join(room.letter for room in route.rooms)


def _places(path: Sequence[Node]) -> str:
    return " ".join(str(node.x) for node in path)


def _best_text(routes: Sequence[Route]) -> str:
    width = max(5, *(len(number(route.value)) for route in routes))
    letters = len(_letters(routes[0]))
    head = f"{'Best':<5} {'value':>{width}}  {'rooms':<{letters}}  columns"
    lines = [
        f"{i:>4}  {number(route.value):>{width}}  {_letters(route):<{letters}}  {_places(route.path)}"
        for i, route in enumerate(routes, start=1)
    ]
    return "\n".join([head, *lines])


def _simulated_text(simulated: Sequence[SimulatedRoute]) -> str:
    """Return the simulated routes as a table, the one with the most survivors first."""
    shares = [share_text(one.survived) for one in simulated]
    width, letters = max(map(len, shares)), len(_letters(simulated[0].route))
    values = max(5, *(len(number(one.route.value)) for one in simulated))
    lines = [
        f"Simulated, {simulated[0].n_runs} runs each; in brackets 95 %:",
        f"  {'survivors':<{width}}  {'value':>{values}}  {'rooms':<{letters}}  columns",
    ]
    for share, one in zip(shares, simulated, strict=True):
        route = one.route
        lines.append(
            f"  {share:<{width}}  {number(route.value):>{values}}  {_letters(route):<{letters}}  {_places(route.path)}"
        )
    return "\n".join(lines)


def _stretches_text(stretches: Sequence[Stretch]) -> str:
    lines = ["Over all tolerances t the value of the best route, and the leftmost of them:"]
    for stretch in stretches:
        routes = stretch.routes
        value = f"{number(stretch.intercept)} + {number(stretch.slope)} t"
        route = routes.best[0]
        others = f" (1 of {routes.n_optimal:,})" if routes.n_optimal > 1 else ""
        bounds = f"{stretch.low!s:>5} to {stretch.high!s:<5}"
        lines.append(f"{bounds} {value:<18} {_letters(route)}{others}")
        lines.append(f"{'':<14} {'columns':<18} {_places(route.path)}")
    return "\n".join(lines)


def _health_text(health: Health, *, by_mean: bool) -> str:
    changes = ", ".join(f"{room_name(room)} {n:+}" for room, n in health.changes.items() if n)
    how = "By mean costs alone, begun" if by_mean else "Begun"
    lines = [f"{how} with other HP, of at most {health.max_hp} ({changes or 'no room changes them'}):"]
    for start in health.starts:
        bounds = f"{start.low:>5} to {start.high:<5}" if start.low < start.high else f"{start.low:>5}{'':9}"
        if start.routes is None:
            lines.append(f"{bounds}  no path is survived")
        else:
            best = start.routes.best[0]
            lines.append(f"{bounds} {number(best.value):>7}  {_letters(best)}")
            lines.append(f"{'':<14} {'columns':>7}  {_places(best.path)}")
    return "\n".join(lines)


def _plan_text(plan: EventPlan) -> str:
    chances = _chances_text(plan.game.chances)
    if plan.keeping is None:
        kept = "keeping to the route above is not sure to keep the rules"
    else:
        kept = f"{number(plan.keeping)} for keeping to the route above"
    lines = [
        f"Event rooms may be something else, {chances}:",
        f"Expected value {number(plan.solution.value)}; {kept}",
        f"Columns {_places(plan.path)}, as long as event rooms are events",
    ]
    for node, onward in plan.turns.items():
        ways = "; ".join(f"{room.name.lower()}: {_ways(nexts)}" for room, nexts in onward.items())
        lines.append(f"  After {node.name} ({ways})")
    if not plan.turns:
        lines.append("Whatever they are, there is no reason to change the way.")
    return "\n".join(lines)


def _ways(nexts: dict[Node, float]) -> str:
    total = sum(nexts.values())
    if len(nexts) == 1:
        return f"to {next(iter(nexts)).name}"
    return " or ".join(f"to {node.name} in {share / total:.0%}" for node, share in nexts.items())


def _chances_text(chances: Chances) -> str:
    if not isinstance(chances, FixedChances):
        return "as likely as in the game"
    return ", ".join(f"{room.name.lower()} {float(100 * share):g} %" for room, share in chances.table.items())


def _program_text(solved: SolvedProgram, *, has_rules: bool) -> str:
    rows, columns = solved.written.incidence.shape
    rules = f" and {len(solved.written.limits)} of rules" if has_rules else ""
    relaxed = "whole anyway" if solved.relaxed.whole else f"not whole, {solved.relaxed.value:g}"
    return (
        f"The linear program agrees: {rows} rows{rules}, {columns} columns, {1000 * solved.seconds:.1f} ms. "
        f"Relaxed it is {relaxed}."
    )


def _runs_text(found: DeckRuns) -> str:
    """Return the share of survivors of the best route, and where its runs die."""
    best = found.best
    lines = [f"Survivors of the marked route: {share_text(best.survived)}, {best.alive[-1]} of {best.n_runs} runs"]
    if best.deaths:
        deaths = ", ".join(f"{name} (floor {floor}) {n}" for (floor, name), n in best.deaths.items())
        lines += wrap(f"Deaths: {deaths}", WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, f"Survivors of the boss after it: {share_text(found.boss)}"])


def _costs_text(found: DeckCosts, changes: HpChanges) -> str:
    """Return the mean costs of fights."""
    names = [room_name(room) for room in found.costs]
    width = max(map(len, names))
    lines = [f"Mean costs of fights with this deck, each begun with {found.hp} HP:"]
    for name, cost in zip(names, found.costs.values(), strict=True):
        lines.append(f"  {name:<{width}}  {hp_text(cost.hp)} HP, {share_text(cost.death)} lost")
        if name in ("elite", "boss"):
            lines.append(f"  {'':<{width}}  {', '.join(f'{one} {hp:.0f}' for one, hp in cost.each.items())}")
    again = ", ".join(f"{room_name(room)}={n}" for room, n in changes.items())
    return "\n".join(
        [
            *lines,
            f"{found.n_games} fights each, {found.n_simulations:,} simulations a move, seed {found.seed}; "
            "in brackets 95 %.",
            "The best route by these mean costs alone, without search:",
            f'  --hp {found.hp} --max-hp {found.max_hp} --hp-changes "{again}"',
        ]
    )
