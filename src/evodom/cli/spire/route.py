"""`evodom spire route`: the best route through an act, marked on its map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    chosen_seed,
    ensure_compiled,
    jobs_option,
    json_option,
    plot_option,
    quiet_option,
    seed_option,
    solving,
)
from evodom.cli.spire.map import ChosenMap, OnSeed, chosen_map, draw_picture, has_colours, is_file, map_arguments
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.route.query import RouteAnswer, RouteQuery
    from evodom.spire.route.tables import RoutePreferences
    from evodom.spire.route.uncertain import Chances


MAX_BEST = 1000
TOLERANCE = Fraction(1, 2)
"""The default of an evaluation with risks."""

GAMES, SIMULATIONS = 100, 1000
"""Defaults of simulated routes."""


class ShareParam(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A number from 0 to 1 that is kept exactly: 0.5, 1/2 or 50%."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        from evodom.spire.route.tables import parse_chance

        try:
            return value if isinstance(value, Fraction) else parse_chance(str(value))
        except UsageError:
            self.fail(f"{value!r} is no number from 0 to 1.", param, ctx)


@dataclass(frozen=True)
class RouteOptions:
    """The options of the command that the map, the output and the threads do not need."""

    taste: str
    tolerance: Fraction | None
    tolerances: bool
    avoid_elites: bool
    at_least: tuple[str, ...]
    at_most: tuple[str, ...]
    through: tuple[str, ...]
    avoid: tuple[str, ...]
    best: int
    hp: int | None
    hp_changes: str | None
    max_hp: int | None
    deck: Path | None
    games: int | None
    simulations: int | None
    seed: int | None
    jobs: int
    events: bool
    event_chances: str | None
    lp: bool


@click.command("route", cls=OnSeed)
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
@click.option(
    "--deck",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Simulate routes with the deck and HP of a fight in a TOML file, every fight by search (act 1).",
)
@click.option(
    "--games",
    type=click.IntRange(2, 1_000_000),
    help=f"With --deck: fights of each kind, and runs of each route.  [default: {GAMES}]",
)
@click.option(
    "--simulations",
    type=click.IntRange(1, 1_000_000),
    help=f"With --deck: simulations a move.  [default: {SIMULATIONS:,}]",
)
@seed_option
@jobs_option
@click.option("--events", is_flag=True, help="Event rooms may be fights, shops or treasures, as likely as in the game.")
@click.option("--event-chances", metavar="TABLE", help='The same with chances of yours: "monster=10%, shop=3%".')
@click.option("--lp", is_flag=True, help="Solve it as a linear program too (needs SciPy), and compare.")
@plot_option("a picture too")
@quiet_option
@json_option
def route_command(
    seed_or_file: str,
    act: int | None,
    ascension: int | None,
    as_json: bool,
    quiet: bool,
    plot: Path | None,
    **given: Any,
) -> None:
    """Find the best route through an act, of a SEED or a FILE as in `evodom spire map`, and mark it on the map.

    The value of a route is the sum of what its rooms are worth. rank counts elite 5, rest 4, monster 3, event 2,
    shop 1; risk is ten times that, less a risk that counts the more the lower the tolerance is. Rooms are told as
    column,floor; the lowest floor is 1, as in the game. With --deck every kind of fight of the act is played many times
    by search, routes are found with the mean costs, and simulated fight by fight. The one with the most survivors is
    marked. docs/routes.md has the models and files.
    """
    from evodom.cli.spire.route_json import route_json
    from evodom.cli.spire.route_text import route_text

    options = RouteOptions(**given)
    preferences = _preferences(options.taste)
    _check_options(options, preferences, act)
    fight = _deck_fight(options, ascension)
    if fight is not None and not is_file(seed_or_file):
        ascension = fight.setup.ascension
    chosen = chosen_map(seed_or_file, act, ascension, quiet=quiet)
    query = _query(chosen, preferences, options)
    found = query.answer() if fight is None else _simulated(query, fight, options, quiet=quiet)
    if query.chances is not None:
        with solving(quiet=quiet) as progress:
            found = found.with_plan(progress)
    if as_json:
        click.echo(route_json(chosen, found, options.taste))
    else:
        click.echo(route_text(chosen, found, options.taste, colour=has_colours()))
    if plot:
        draw_picture(chosen, plot, quiet=quiet, path=found.proposed.path)


def _preferences(text: str) -> RoutePreferences:
    """Return the values of rooms: by a name, a table, or a file."""
    from evodom.spire.route import RANK, RISK, RoomTable
    from evodom.spire.route.tables import RoutePreferences, parse_numbers, read_preferences

    named = {"rank": RANK, "risk": RISK}
    if text in named:
        return RoutePreferences(named[text])
    if text.endswith(".toml"):
        return read_preferences(Path(text))
    if "=" in text:
        return RoutePreferences(RoomTable(parse_numbers(text)))
    raise UsageError(f'--eval is rank, risk, a table such as "monster=3, elite=5", or a .toml file, got {text!r}.')


def _check_options(options: RouteOptions, preferences: RoutePreferences, act: int | None) -> None:
    """Raise UsageError for options that have no effect together."""
    has_risks = any(preferences.table.risk.values())
    if not has_risks and (options.tolerance is not None or options.tolerances):
        option = "tolerances" if options.tolerance is None else "tolerance"
        raise UsageError(f"--{option} is for an evaluation with risks, and this one has none. Try: --eval risk")
    if options.hp is None and options.deck is None and (options.hp_changes or options.max_hp):
        raise UsageError("--hp-changes and --max-hp are for paths that begin with --hp HP. Add it, or leave them out.")
    if options.max_hp and options.hp and options.hp > options.max_hp:
        raise UsageError(f"--hp is at most the maximum of HP, {options.max_hp}, got {options.hp}.")
    if options.deck is None:
        for option, value in {"games": options.games, "simulations": options.simulations, "seed": options.seed}.items():
            if value is not None:
                raise UsageError(f"--{option} is for searched fights. Say with what deck: --deck FILE")
    elif act not in (None, 1):
        raise UsageError(f"--deck searches the fights of act 1, and this is act {act}. Leave one of them out.")


def _deck_fight(options: RouteOptions, ascension: int | None) -> Fight | None:
    """Return the fight of --deck with the HP and ascension that are given; None without --deck."""
    from evodom.spire.fights import read_fight

    if options.deck is None:
        return None
    fight = read_fight(options.deck)
    changes: dict[str, Any] = {"hp": options.hp, "max_hp": options.max_hp, "ascension": ascension}
    setup = replace(fight.setup, **{name: value for name, value in changes.items() if value is not None})
    hp, max_hp, _ = setup.player()
    if hp > max_hp:
        raise UsageError(f"--hp is at most the maximum of HP, {max_hp}, got {hp}. Another is --max-hp.")
    return replace(fight, setup=setup)


def _query(chosen: ChosenMap, preferences: RoutePreferences, options: RouteOptions) -> RouteQuery:
    """Return the query that the options ask for."""
    from evodom.spire.route.query import RouteQuery, read_limits
    from evodom.spire.route.tables import parse_changes

    tolerance = TOLERANCE if options.tolerance is None else options.tolerance
    return RouteQuery(
        chosen.act_map,
        preferences,
        tolerance if any(preferences.table.risk.values()) else None,
        read_limits(
            chosen.act_map,
            least=options.at_least,
            most=options.at_most,
            through_nodes=options.through,
            avoided_nodes=options.avoid,
            avoid_elites=options.avoid_elites,
        ),
        n_best=options.best,
        ascension=chosen.ascension,
        hp=options.hp,
        max_hp=options.max_hp,
        changes=parse_changes(options.hp_changes) if options.hp_changes else None,
        chances=_chances(preferences, options),
        with_tolerances=options.tolerances,
        with_program=options.lp,
    )


def _chances(preferences: RoutePreferences, options: RouteOptions) -> Chances | None:
    """Return the chances of event rooms, None if all are events."""
    from evodom.spire.route import GAME, FixedChances
    from evodom.spire.route.tables import parse_chance, parse_numbers

    table = preferences.events if options.events else None
    if options.event_chances:
        table = parse_numbers(options.event_chances, read=parse_chance)
    if table:
        return FixedChances(table)
    return GAME if options.events else None


def _simulated(query: RouteQuery, fight: Fight, options: RouteOptions, *, quiet: bool) -> RouteAnswer:
    """Estimate the costs of fights by search, and rank routes by simulated runs, with progress on stderr."""
    from evodom.cli.spire.fights import shipped_network
    from evodom.cli.spire.search import playing
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.spire.route.simulation import KINDS, DeckRuns, RouteSimulation, candidates, fight_costs

    query.check()  # before the fights are searched for minutes
    n_games, seed = options.games or GAMES, chosen_seed(options.seed)
    ensure_compiled("fights", quiet=quiet)
    budget = FightSearchOptions(options.simulations or SIMULATIONS, network=shipped_network())
    with playing(n_games * len(KINDS), quiet=quiet) as progress:
        searched = fight_costs(fight, n_games, budget, seed, options.jobs, progress)
    simulation = RouteSimulation(
        query.act_map,
        fight,
        n_games,
        budget,
        seed,
        n_threads=options.jobs,
        changes=query.fixed_changes(searched),
        chances=query.chances,
    )

    def simulate(*found: Any) -> DeckRuns:
        routes = candidates(query.act_map, *found)
        with playing(simulation.n_rooms(routes), quiet=quiet, unit="rooms of runs") as progress:
            return simulation.compare(routes, progress)

    return query.answer(searched, simulate)
