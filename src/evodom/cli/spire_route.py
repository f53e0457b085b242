"""`evodom spire route`: the best route through an act, marked on its map."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import json_option, plot_option, quiet_option, solving
from evodom.cli.spire_map import OnSeed, chosen_map, draw_picture, has_colours, is_file, map_arguments
from evodom.cli.spire_route_deck import (
    DeckCosts,
    check_deck_options,
    deck_options,
    fight_of_deck,
    search_costs,
    short_costs,
    simulate_routes,
    simulation_of,
)
from evodom.errors import EvodomError, UsageError

if TYPE_CHECKING:
    from evodom.cli.spire_route_text import EventPlan, RouteAnswer, SolvedProgram
    from evodom.spire.fights import Fight
    from evodom.spire.map import ActMap
    from evodom.spire.route import Limit, Route, RouteGame
    from evodom.spire.route.evaluation import Evaluation, RoomTable
    from evodom.spire.route.rules import HpChanges
    from evodom.spire.route.tables import Taste

MAX_BEST = 1000
TOLERANCE = Fraction(1, 2)
"""The default of an evaluation with risks."""
AGREEMENT = 1e-6
"""How far HiGHS's value may be from the exact one, relative to values above 1."""
BURNING = "burning"


class ShareParam(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A number from 0 to 1 that is kept exactly: 0.5, 1/2 or 50%."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        from evodom.spire.route.tables import parse_chance

        try:
            return value if isinstance(value, Fraction) else parse_chance(str(value))
        except UsageError:
            self.fail(f"{value!r} is no number from 0 to 1.", param, ctx)


@click.command("route", cls=OnSeed, short_help="Find the best route through an act.")
@map_arguments
@click.option(
    "--eval",
    "taste",
    metavar="TASTE",
    default="risk",
    show_default=True,
    help='What rooms are worth: rank, risk, a table such as "monster=3, elite=5", or a TOML file.',
)
@click.option("--tolerance", type=ShareParam(), help="Of risk: 0 fears it all, 1 none.  [default: 0.5]")
@click.option("--tolerances", is_flag=True, help="Tell for all tolerances from 0 to 1 which route is best.")
@click.option("--avoid-elites", is_flag=True, help='Like --at-most "0 elites".')
@click.option("--at-least", metavar="RULE", multiple=True, help='Such as "1 shop before 8", floors counted from 1.')
@click.option("--at-most", metavar="RULE", multiple=True, help='Such as "2 elites" or "1 event after 9".')
@click.option(
    "--through", metavar="X,FLOOR", multiple=True, help="Go through the room in column X of a floor, or: burning."
)
@click.option(
    "--avoid", metavar="X,FLOOR", multiple=True, help="Go around the room in column X of a floor, or: burning."
)
@click.option("--best", type=click.IntRange(1, MAX_BEST), default=1, metavar="K", help="List the K best routes.")
@click.option("--hp", type=click.IntRange(1, 999), help="Begin with so many HP, and live; tell what other HP allow.")
@click.option("--hp-changes", metavar="TABLE", help='What rooms do to HP, such as "weak=-4, monster=-8, rest=24".')
@click.option("--max-hp", type=click.IntRange(1, 999), help="The maximum of HP.  [default: as the ascension says]")
@deck_options
@click.option("--events", is_flag=True, help="Event rooms may be fights, shops or treasures, as likely as in the game.")
@click.option("--event-chances", metavar="TABLE", help='The same with chances of yours: "monster=10%, shop=3%".')
@click.option("--lp", is_flag=True, help="Solve it as a linear program too (needs SciPy), and compare.")
@plot_option("a picture too")
@quiet_option
@json_option
def route_command(
    seed_or_file: str, act: int | None, ascension: int | None, as_json: bool, quiet: bool, **given: Any
) -> None:
    """Find the best route through an act, of a SEED or a FILE as in `evodom spire map`, and mark it on the map.

    The value of a route is the sum of what its rooms are worth. rank counts elite 5, rest 4, monster 3, event 2,
    shop 1; risk is ten times that, less a risk that counts the more the lower the tolerance is. Rooms are told as
    column,floor; the lowest floor is 1, as in the game. With --deck every kind of fight of the act is played many times
    by search, routes are found with the mean costs, and simulated fight by fight. The one with the most survivors is
    marked. docs/routes.md has the models and files.
    """
    from evodom.cli.spire_route_json import found_json
    from evodom.cli.spire_route_text import found_text

    taste = _taste(given["taste"])
    _check_options(given, taste)
    check_deck_options(given, act)
    fight = fight_of_deck(given, ascension)
    if fight is not None and not is_file(seed_or_file):
        ascension = fight.setup.ascension
    chosen = chosen_map(seed_or_file, act, ascension, quiet=quiet)
    found = _find(chosen, taste, fight, given, quiet=quiet)
    click.echo(found_json(found) if as_json else found_text(found, colour=has_colours()))
    if given["plot"]:
        draw_picture(chosen, given["plot"], quiet=quiet, path=found.proposed.path)


def _taste(text: str) -> Taste:
    """Return what rooms are worth: by a name, a table, or a file."""
    from evodom.spire.route import RANK, RISK, RoomTable
    from evodom.spire.route.tables import Taste, parse_numbers, read_taste

    named = {"rank": RANK, "risk": RISK}
    if text in named:
        return Taste(named[text])
    if text.endswith(".toml"):
        return read_taste(Path(text))
    if "=" in text:
        return Taste(RoomTable(parse_numbers(text)))
    raise UsageError(f'--eval is rank, risk, a table such as "monster=3, elite=5", or a .toml file, got {text!r}.')


def _check_options(given: dict[str, Any], taste: Taste) -> None:
    """Raise UsageError for options that have no effect together."""
    risky = any(taste.table.risk.values())
    for option in ("tolerance", "tolerances"):
        if given[option] not in (None, False) and not risky:
            raise UsageError(f"--{option} is for an evaluation with risks, and this one has none. Try: --eval risk")
    if given["hp"] is None and given["deck"] is None and (given["hp_changes"] or given["max_hp"]):
        raise UsageError("--hp-changes and --max-hp are for paths that begin with --hp HP. Add it, or leave them out.")
    if given["max_hp"] and given["hp"] and given["hp"] > given["max_hp"]:
        raise UsageError(f"--hp is at most the maximum of HP, {given['max_hp']}, got {given['hp']}.")


def _find(chosen: Any, taste: Taste, fight: Fight | None, given: dict[str, Any], *, quiet: bool) -> RouteAnswer:
    """Compute all answers that the options ask for."""
    from evodom.cli.spire_route_text import Health, RouteAnswer
    from evodom.spire.route import Survive, by_hp, find_routes, stretches
    from evodom.spire.route.tables import parse_changes

    act_map, table = chosen.act_map, taste.table
    tolerance = _tolerance(given, table)
    evaluation = table.at(tolerance if tolerance is not None else 1)
    limits = _limits(act_map, given)
    chances = _chances(taste, given)
    typed = parse_changes(given["hp_changes"]) if given["hp_changes"] else None
    if fight is not None:
        find_routes(act_map, evaluation, limits)  # what cannot be is told before fights are searched for minutes
    searched = None if fight is None else search_costs(fight, given, quiet=quiet)
    rules: list[Any] = list(limits)
    health = None
    if start := _start_hp(given, chosen.ascension, searched):
        hp, max_hp = start
        changes = _changes(max_hp, taste, typed, searched)
        rules.append(Survive(hp, changes, max_hp))
        health = Health(hp, max_hp, changes, by_hp(act_map, evaluation, changes, limits, max_hp=max_hp))
    with _telling(searched):
        routes = find_routes(act_map, evaluation, rules, best=given["best"])
        runs = None
        if fight is not None and searched is not None:
            fixed = _fixed_changes(taste, typed, searched)
            simulation = simulation_of(act_map, fight, searched, fixed, chances, given["jobs"])
            candidates = _candidates(act_map, evaluation, rules, routes.best, health.changes if health else {})
            runs = simulate_routes(simulation, candidates, quiet=quiet)
        return RouteAnswer(
            chosen=chosen,
            taste=given["taste"],
            table=table,
            tolerance=tolerance,
            rules=tuple(rules),
            routes=routes,
            stretches=stretches(act_map, table.at, rules) if given["tolerances"] else (),
            health=health,
            searched=searched,
            runs=runs,
            plan=_plan(act_map, evaluation, rules, runs.best.route if runs else routes.best[0], chances, quiet=quiet),
            program=_program(act_map, evaluation, rules, routes.value) if given["lp"] else None,
        )


def _candidates(
    act_map: ActMap, evaluation: Evaluation, rules: list[Any], best: Sequence[Route], changes: HpChanges
) -> list[Route]:
    """Return the routes to simulate: the best by mean costs, the one that costs least HP, the best without elites."""
    from evodom.spire.map import Room
    from evodom.spire.route import NoRoute, RoomTable, at_most, find_routes, route_along

    costs = RoomTable({room: change for room, change in changes.items() if isinstance(room, Room)})
    cheapest = find_routes(act_map, costs, rules).best[0]
    candidates = [*best, route_along(act_map, evaluation, cheapest.path)]
    with suppress(NoRoute):
        candidates.append(find_routes(act_map, evaluation, [*rules, at_most(0, Room.ELITE)]).best[0])
    return list(dict.fromkeys(candidates))


def _start_hp(given: dict[str, Any], ascension: int, searched: DeckCosts | None) -> tuple[int, int] | None:
    """Return the HP at the start and their maximum; None if HP do not matter."""
    from evodom.spire.route.health import most_hp

    if searched is not None:
        return searched.hp, searched.max_hp
    if given["hp"] is None:
        return None
    return given["hp"], given["max_hp"] or max(most_hp(ascension), given["hp"])


def _changes(max_hp: int, taste: Taste, typed: HpChanges | None, searched: DeckCosts | None) -> HpChanges:
    """Return what rooms do to HP: what is typed, or found by search, or of a taste comes before rough figures."""
    from evodom.spire.map import Room
    from evodom.spire.route import hp_changes
    from evodom.spire.route.rules import WEAK

    if searched is None:
        return typed or taste.hp or hp_changes(max_hp)
    found = searched.changes
    fixed = dict(typed or {})
    if Room.MONSTER in fixed:
        fixed.setdefault(WEAK, fixed[Room.MONSTER])  # without `weak`, `monster` is for the first three as well
    return {**found, **hp_changes(max_hp), **(taste.hp or {}), **found, **fixed}


def _fixed_changes(taste: Taste, typed: HpChanges | None, searched: DeckCosts) -> HpChanges:
    """Return the changes of HP that are given: typed ones, and those of a taste for rooms without searched fights."""
    other = {room: n for room, n in (taste.hp or {}).items() if room not in searched.costs}
    return {**other, **(typed or {})}


@contextmanager
def _telling(searched: DeckCosts | None) -> Iterator[None]:
    """Have the error that there is no route tell what fights cost, if that was searched."""
    from evodom.spire.route import NoRoute

    try:
        yield
    except NoRoute as error:
        if searched is None:
            raise
        raise NoRoute(f"{str(error).rstrip('.')}. {short_costs(searched)}") from error


def _tolerance(given: dict[str, Any], table: RoomTable) -> Fraction | None:
    """Return the tolerance, None for an evaluation without risks."""
    if not any(table.risk.values()):
        return None
    tolerance: Fraction | None = given["tolerance"]
    return TOLERANCE if tolerance is None else tolerance


def _limits(act_map: ActMap, given: dict[str, Any]) -> list[Limit]:
    """Return the rules of the options."""
    from evodom.spire.map import Node, Room
    from evodom.spire.route import at_most, avoid, through
    from evodom.spire.route.rules import check_node
    from evodom.spire.route.tables import parse_limit, parse_node

    def node(text: str) -> Node:
        if text.strip().lower() != BURNING:
            return check_node(act_map, parse_node(text))
        if act_map.burning is None:
            raise UsageError("this map has no burning elite that is known. Name a room as column,floor such as 3,5.")
        return act_map.burning[0]

    return [
        *([at_most(0, Room.ELITE)] if given["avoid_elites"] else []),
        *(parse_limit(text, "least") for text in given["at_least"]),
        *(parse_limit(text, "most") for text in given["at_most"]),
        *(through(node(text)) for text in given["through"]),
        *(avoid(node(text)) for text in given["avoid"]),
    ]


def _chances(taste: Taste, given: dict[str, Any]) -> Any:
    """Return the chances of event rooms, None if all are events."""
    from evodom.spire.route import GAME, FixedChances
    from evodom.spire.route.tables import parse_chance, parse_numbers

    table: Any = taste.events if given["events"] else None
    if given["event_chances"]:
        table = parse_numbers(given["event_chances"], read=parse_chance)
    if table:
        return FixedChances(table)
    return GAME if given["events"] else None


def _plan(
    act_map: ActMap, evaluation: Evaluation, rules: list[Any], route: Route, chances: Any, *, quiet: bool
) -> EventPlan | None:
    """Solve the map as a game if event rooms are uncertain, and evaluate keeping to a route."""
    if chances is None:
        return None
    from evodom.cli.spire_route_text import EventPlan
    from evodom.solve import evaluate, silent, solve
    from evodom.spire.route import along

    game = _sure_game(act_map, evaluation, chances, rules)
    path = route.path
    keeping = evaluate(game, along(path), progress=silent).value if game.allows(path) else None
    with solving(quiet=quiet) as progress:
        return EventPlan(game, solve(game, progress=progress), keeping)


def _sure_game(act_map: ActMap, evaluation: Evaluation, chances: Any, rules: list[Any]) -> RouteGame:
    """Return the game; if the HP are too few to survive for sure, the error says how many would be enough."""
    from evodom.spire.route import NoRoute, RouteGame, Survive

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


def _program(act_map: ActMap, evaluation: Evaluation, rules: list[Any], value: Fraction) -> SolvedProgram:
    """Solve the linear program, without and where there are rules with whole numbers, and compare."""
    from evodom.cli.spire_route_text import SolvedProgram
    from evodom.spire.route.program import program, solve_program

    written = program(act_map, evaluation, rules)
    relaxed = solve_program(written, whole=False)
    begin = time.perf_counter()
    flow = solve_program(written)
    seconds = time.perf_counter() - begin
    if abs(flow.value - value) > AGREEMENT * max(1.0, abs(float(value))):
        raise EvodomError(f"the methods disagree: linear program {flow.value}, dynamic program {float(value)}")
    return SolvedProgram(written, flow, relaxed, seconds)
