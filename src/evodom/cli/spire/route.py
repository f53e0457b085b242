"""`evodom spire route`: find the best route through an act and mark it on the map."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec import structs

from evodom.api.progress import ensure_compiled, progress
from evodom.cli.common import NegativeNumbers, solving
from evodom.cli.options import CommonArguments, Overwrite, picture_option, takes
from evodom.cli.spire.fights import SaveFileOption, note_on, with_player
from evodom.cli.spire.map import MapArguments, chosen_map, draw_picture, has_colours, is_file
from evodom.errors import UsageError, errors_at
from evodom.options import OptionStruct, chosen_seed, option

if TYPE_CHECKING:
    from evodom.presentation.documents.route import ChosenMap
    from evodom.spire.current_run import CurrentRun
    from evodom.spire.fights import Fight
    from evodom.spire.route.event_rooms import Chances
    from evodom.spire.route.parsing import RoutePreferences
    from evodom.spire.route.query import RouteAnswer, RouteQuery


TOLERANCE = Fraction(1, 2)
"""The default of an evaluation with risks."""

GAMES, SIMULATIONS = 100, 1000
"""Defaults of simulated routes."""

Texts = tuple[str, ...]


class RouteOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the command, except those of the map and the common options."""

    preferences: Annotated[
        str, option("--preferences VALUES", 'Values of rooms: rank, risk, a table such as "elite=5", or a TOML file.')
    ] = "risk"
    tolerance: Annotated[str | None, option("--tolerance X", "0 counts all risk, 1 none.", default_text="0.5")] = None
    tolerances: Annotated[bool, option("--tolerances", "List the best route for every tolerance from 0 to 1.")] = False
    at_least: Annotated[Texts, option("--at-least RULE", 'Lower limit, such as "1 shop before 8" (floors).')] = ()
    at_most: Annotated[Texts, option("--at-most RULE", 'Upper limit, such as "1 event after 9".')] = ()
    through: Annotated[Texts, option("--through X,FLOOR", "Require a room (column,floor), or: burning.")] = ()
    avoid: Annotated[Texts, option("--avoid X,FLOOR", "Exclude a room (column,floor), or: burning.")] = ()
    best: Annotated[int, option("--best K", "List the K best routes.", ge=1, le=1000)] = 1
    hp: Annotated[int | None, option("--player-hp", "Your HP. Deadly routes are excluded.", ge=1, le=999)] = None
    hp_changes: Annotated[
        str | None, option("--hp-changes TABLE", 'HP changes of rooms, such as "weak=-4, monster=-8, rest=24".')
    ] = None
    max_hp: Annotated[
        int | None, option("--max-hp", "Your maximum HP.", ge=1, le=999, default_text="by ascension level")
    ] = None
    save_file: SaveFileOption = None
    deck: Annotated[Path | None, option("--deck FILE", "Simulate routes with this fight file (act 1).")] = None
    games: Annotated[
        int | None, option("--samples", "Simulated fights and runs (act 1).", ge=2, le=10**6, default_text=f"{GAMES}")
    ] = None
    simulations: Annotated[
        int | None, option("--simulations", "Simulations per move of fights.", ge=1, le=10**6, default_text="1,000")
    ] = None
    events: Annotated[bool, option("--events", "Event rooms become other rooms as in the game.")] = False
    event_chances: Annotated[str | None, option("--event-chances TABLE", 'Or: "monster=10%, shop=3%".')] = None
    method: Annotated[str, option("--method", "lp: also a linear program (SciPy).", choices=("dp", "lp"))] = "dp"
    save: Annotated[Path | None, picture_option("the map and the route")] = None
    overwrite: Overwrite = False


@click.command("route", cls=NegativeNumbers)
@click.argument("seed_or_file", metavar="[SEED|FILE]", required=False)
@takes(MapArguments, "of_seed")
@takes(RouteOptions, "options")
@takes(CommonArguments, "common", "seed", "jobs", "quiet", "as_json")
def route_command(
    seed_or_file: str | None, of_seed: MapArguments, options: RouteOptions, common: CommonArguments
) -> None:
    """Find the best route through an act, of a SEED or a FILE as in `evodom spire map`, and mark it on the map.

    The value of a route is the sum of the values of its rooms. rank is elite 5, rest 4, monster 3, event 2, shop 1.
    risk multiplies these values by ten and subtracts (1 - tolerance) times the risk of the room. Rooms are written as
    column,floor; the lowest floor is 1, as in the game.

    A message of CommunicationMod or an autosave is a run: routes begin at its room, with its HP and relics.

    With --deck, or --samples for a run, the HP cost of each kind of fight is estimated by search. Routes are found with
    the mean costs and simulated fight by fight; the route with the highest survival rate is marked.
    docs/guide/routes.md describes the models and files.
    """
    from evodom.presentation.documents.route import RouteReport
    from evodom.presentation.text import render
    from evodom.spire.content.rest_sites import rest_site

    if (seed_or_file is None) == (options.save_file is None):
        raise UsageError("a map is needed, from one source. Name a SEED, a FILE or --save-file FILE.")
    source = seed_or_file or os.path.join(".", str(options.save_file))  # a file has a dot or a slash
    run: CurrentRun | None = None
    if is_file(source):  # else the engine of fights is not imported
        from evodom.spire.current_run import read_current_run
        from evodom.spire.map.files import NEXT_STEP

        run = read_current_run(Path(source), NEXT_STEP)
    note = note_on(Path(source))
    preferences = _preferences(options.preferences)
    _check_options(options, preferences, run.game.act if run else of_seed.act, common.seed, run)
    fight = _deck_fight(options, of_seed.ascension, run, note)
    if fight is not None and not is_file(source):
        of_seed = structs.replace(of_seed, ascension=fight.setup.ascension)
    chosen = chosen_map(source, of_seed, quiet=common.quiet)
    query = _query(chosen, preferences, options, fight)
    if run:
        chosen = replace(chosen, title=f"{chosen.title}: {run.text()}", here=run.here())
        query = run.route_query(query)
    for line in rest_site(query.relics, 0, 0).notes:
        note(line)
    found = _answer(query, options, note) if fight is None else _simulated(query, fight, options, common, run)
    if query.chances is not None:
        with solving(quiet=common.quiet) as on_states:
            found = found.with_plan(on_states)
    report = RouteReport(chosen, found, options.preferences)
    if common.as_json:
        click.echo(json.dumps(report.to_json(), indent=2, allow_nan=False))
    else:
        click.echo(render(report.document(colour=has_colours())))
    if options.save:
        draw_picture(chosen, options.save, quiet=common.quiet, path=chosen.drawn(found.proposed))


def _preferences(text: str) -> RoutePreferences:
    """Return the values of rooms: by a name, a table, or a file."""
    from evodom.spire.route import RANK, RISK, RoomTable
    from evodom.spire.route.parsing import RoutePreferences, parse_numbers, read_preferences

    named = {"rank": RANK, "risk": RISK}
    if text in named:
        return RoutePreferences(named[text])
    if text.endswith(".toml"):
        return read_preferences(Path(text))
    if "=" in text:
        return RoutePreferences(RoomTable(parse_numbers(text)))
    raise UsageError(f'--preferences is rank, risk, a table such as "elite=5", or a .toml file, got {text!r}.')


def _check_options(
    options: RouteOptions, preferences: RoutePreferences, act: int | None, seed: int | None, run: CurrentRun | None
) -> None:
    """Raise UsageError for options that have no effect together."""
    has_risks = any(preferences.table.risk.values())
    if not has_risks and (options.tolerance is not None or options.tolerances):
        flag = "tolerances" if options.tolerance is None else "tolerance"
        raise UsageError(f"--{flag} applies to preferences with risks, and these have none. Try: --preferences risk")
    if options.hp is None and options.deck is None and run is None and (options.hp_changes or options.max_hp):
        raise UsageError("--hp-changes and --max-hp need --player-hp HP. Add it, or leave them out.")
    if options.max_hp and options.hp and options.hp > options.max_hp:
        raise UsageError(f"--player-hp is {options.hp}. Allowed: at most the maximum HP, {options.max_hp}.")
    if not _simulates(options, run):
        for flag, value in {"samples": options.games, "simulations": options.simulations, "seed": seed}.items():
            if value is not None:
                raise UsageError(f"--{flag} applies to simulated routes. Give --deck FILE too.")
    elif act not in (None, 1):
        raise UsageError(f"Simulated routes are of act 1, and this is act {act}. Leave out --deck, --samples or --act.")


def _simulates(options: RouteOptions, run: CurrentRun | None) -> bool:
    """Return whether routes are simulated: with the deck of a file, or of the run if that is asked for."""
    return options.deck is not None or (run is not None and bool(options.games or options.simulations))


def _deck_fight(
    options: RouteOptions, ascension: int | None, run: CurrentRun | None, note: Callable[[str], None]
) -> Fight | None:
    """Return the fight of --deck or of the run, with the HP and ascension that are given; None without simulation."""
    if not _simulates(options, run):
        return None
    from evodom.spire.engine.compiler import Setup
    from evodom.spire.fights import Fight, Payoff, read_fight
    from evodom.spire.fights.fight import POTION_PRICE

    if options.deck or run is None:
        fight = read_fight(options.deck or "")
    else:
        player = run.player(skip=True)
        fight = Fight(with_player(Setup(), player, note, player.potions), Payoff(potion=POTION_PRICE))
    changes: dict[str, Any] = {"hp": options.hp, "max_hp": options.max_hp, "ascension": ascension}
    setup = replace(fight.setup, **{name: value for name, value in changes.items() if value is not None})
    hp, max_hp, _ = setup.player()
    if hp > max_hp:
        raise UsageError(f"--player-hp is {hp}. Allowed: at most the maximum HP, {max_hp}. Change it with --max-hp.")
    return replace(fight, setup=setup)


def _query(chosen: ChosenMap, preferences: RoutePreferences, options: RouteOptions, fight: Fight | None) -> RouteQuery:
    """Return the query that the options ask for, with the relics of the fight."""
    from evodom.spire.route.parsing import parse_chance, parse_hp_changes
    from evodom.spire.route.query import RouteQuery, read_limits

    with errors_at("--tolerance"):
        tolerance = TOLERANCE if options.tolerance is None else parse_chance(options.tolerance)
    return RouteQuery(
        chosen.act_map,
        preferences,
        tolerance if any(preferences.table.risk.values()) else None,
        read_limits(chosen.act_map, options.at_least, options.at_most, options.through, options.avoid),
        n_best=options.best,
        ascension=chosen.ascension,
        hp=options.hp,
        max_hp=options.max_hp,
        changes=parse_hp_changes(options.hp_changes) if options.hp_changes else None,
        chances=_chances(preferences, options),
        with_tolerances=options.tolerances,
        with_linear_program=options.method == "lp",
        relics=fight.setup.relics if fight else (),
        n_cards=fight.setup.player()[2].total() if fight else 0,
    )


def _answer(query: RouteQuery, options: RouteOptions, note: Callable[[str], None]) -> RouteAnswer:
    """Return the answer. If no route survives with the HP of a run by rough costs, leave the HP out."""
    from evodom.spire.route import NoRoute

    try:
        return query.answer()
    except NoRoute as error:
        if query.hp is None or query.hp == options.hp:
            raise
        found = replace(query, hp=None).answer()
        note(f"{error}. These are rough costs: HP are left out. --samples 100 simulates the fights.")
        return found


def _chances(preferences: RoutePreferences, options: RouteOptions) -> Chances | None:
    """Return the chances of event rooms, None if all are events."""
    from evodom.spire.route import GAME_CHANCES, FixedChances
    from evodom.spire.route.parsing import parse_chance, parse_numbers

    table = preferences.events if options.events else None
    if options.event_chances:
        table = parse_numbers(options.event_chances, read=parse_chance)
    if table:
        return FixedChances(table)
    return GAME_CHANCES if options.events else None


def _simulated(
    query: RouteQuery, fight: Fight, options: RouteOptions, common: CommonArguments, run: CurrentRun | None
) -> RouteAnswer:
    """Estimate the costs of fights by search, and rank routes by simulated runs, with progress on stderr."""
    from evodom.spire.embedding.hypernetwork import shipped
    from evodom.spire.fights.names import enemy_names_in
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.spire.route.costs import ROOM_OF_POOL, fight_costs
    from evodom.spire.route.simulation import DeckRuns, RouteSimulation, candidate_routes

    query.check()  # before the fights are searched for minutes
    n_games, seed = options.games or GAMES, chosen_seed(common.seed)
    ensure_compiled("fights", quiet=common.quiet)
    budget = FightSearchOptions(options.simulations or SIMULATIONS, network=shipped())
    boss = enemy_names_in(run.game.act_boss)[0] if run and run.game.act_boss else None
    with progress(n_games * len(ROOM_OF_POOL), quiet=common.quiet, unit="fights") as on_fights:
        deck_costs = fight_costs(fight, n_games, budget, seed, common.jobs, on_fights, boss)
    threads, changes = common.jobs, query.fixed_changes(deck_costs)
    simulation = RouteSimulation(
        query.act_map, fight, n_games, budget, seed, n_threads=threads, changes=changes, chances=query.chances
    )
    if run:
        simulation.continue_run(query.n_monsters, boss, rested=run.is_rested())

    def simulate(*found: Any) -> DeckRuns:
        routes = candidate_routes(query.act_map, *found)
        with progress(simulation.n_rooms(routes), quiet=common.quiet, unit="rooms of runs") as on_rooms:
            return simulation.compare(routes, on_rooms)

    return query.answer(deck_costs, simulate)
