"""`evodom spire route --deck`: what fights cost with a deck, and routes simulated fight by fight, by search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import chosen_seed, jobs_option, seed_option, warm_up_fights
from evodom.cli.spire_network import shipped_network
from evodom.cli.spire_search import hp_text, playing, share_text
from evodom.errors import UsageError
from evodom.spire.map.act import Room
from evodom.spire.route.rules import HpChanges
from evodom.spire.route.tables import room_name

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.map import ActMap
    from evodom.spire.play.searcher import Budget
    from evodom.spire.route import Route
    from evodom.spire.route.costs import Cost
    from evodom.spire.route.simulation import RouteSimulation, SimulatedRoute
    from evodom.spire.route.uncertain import Chances
    from evodom.statistics import Share

F = TypeVar("F", bound=Callable[..., Any])

GAMES, SIMULATIONS = 100, 1000
"""The default."""

WIDTH = 80
"""Columns of a line of text."""

_OPTIONS = (
    click.option(
        "--deck",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Simulate routes with the deck and HP of a fight in a TOML file, every fight by search (act 1).",
    ),
    click.option(
        "--games",
        type=click.IntRange(2, 1_000_000),
        help=f"With --deck: fights of each kind, and runs of each route.  [default: {GAMES}]",
    ),
    click.option(
        "--simulations",
        type=click.IntRange(1, 1_000_000),
        help=f"With --deck: simulations a move.  [default: {SIMULATIONS:,}]",
    ),
    seed_option,
    jobs_option,
)


@dataclass(frozen=True)
class DeckCosts:
    """What fights cost with a deck, and how that was found; `hp` are those that every fight began with."""

    costs: Mapping[Room | str, Cost]
    hp: int
    max_hp: int
    games: int
    simulations: int
    seed: int

    @property
    def changes(self) -> HpChanges:
        """How many HP the fights change, on average."""
        from evodom.spire.route.costs import changes_of

        return changes_of(self.costs)


@dataclass(frozen=True)
class DeckRuns:
    """Routes simulated with a deck, the one with the most survivors first; `boss` is the share that beats the boss."""

    routes: Sequence[SimulatedRoute]
    boss: Share

    @property
    def best(self) -> SimulatedRoute:
        """The route with the highest share of survivors."""
        return self.routes[0]


def deck_options(function: F) -> F:
    """Add the options of searched fights."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_deck_options(given: dict[str, Any], act: int | None) -> None:
    """Raise UsageError for options that have no effect together."""
    for option in ("games", "simulations", "seed"):
        if given[option] is not None and given["deck"] is None:
            raise UsageError(f"--{option} is for searched fights. Say with what deck: --deck FILE")
    if given["deck"] is not None and act not in (None, 1):
        raise UsageError(f"--deck searches the fights of act 1, and this is act {act}. Leave one of them out.")


def fight_of_deck(given: dict[str, Any], ascension: int | None) -> Fight | None:
    """Return the fight of --deck, changed by what else is given; None without it."""
    from evodom.spire.fights import read_fight

    if given["deck"] is None:
        return None
    fight = read_fight(given["deck"])
    changes = {"hp": given["hp"], "max_hp": given["max_hp"], "ascension": ascension}
    setup = replace(fight.setup, **{name: value for name, value in changes.items() if value is not None})
    hp, max_hp, _ = setup.player()
    if hp > max_hp:
        raise UsageError(f"--hp is at most the maximum of HP, {max_hp}, got {hp}. Another is --max-hp.")
    return replace(fight, setup=setup)


def search_costs(fight: Fight, given: dict[str, Any], *, quiet: bool) -> DeckCosts:
    """Play the fights of the act, with progress on stderr."""
    from evodom.spire.route.costs import KINDS, fight_costs

    games, simulations = given["games"] or GAMES, given["simulations"] or SIMULATIONS
    number = chosen_seed(given["seed"])
    warm_up_fights(quiet=quiet)
    with playing(games * len(KINDS), quiet=quiet) as progress:
        costs = fight_costs(fight, games, _budget(simulations), number, given["jobs"], progress)
    return DeckCosts(costs, *fight.setup.player()[:2], games, simulations, number)


def _budget(simulations: int) -> Budget:
    from evodom.spire.play.searcher import Budget

    return Budget(simulations, network=shipped_network())


def simulation_of(
    act_map: ActMap, fight: Fight, found: DeckCosts, changes: HpChanges, chances: Chances | None, jobs: int
) -> RouteSimulation:
    """Return the simulation of a map with the seed and the effort of the costs."""
    from evodom.spire.route.simulation import RouteSimulation

    budget = _budget(found.simulations)
    return RouteSimulation(
        act_map, fight, found.games, budget, found.seed, n_threads=jobs, changes=changes, chances=chances
    )


def simulate_routes(simulation: RouteSimulation, routes: Sequence[Route], *, quiet: bool) -> DeckRuns:
    """Simulate routes and rank them, with progress on stderr."""
    from evodom.spire.route.simulation import rank

    with playing(simulation.n_rooms(routes), quiet=quiet, unit="rooms of runs") as progress:
        ranked = rank([simulation.walk(route, progress) for route in routes])
        return DeckRuns(ranked, simulation.boss(ranked[0].route, progress))


def runs_text(found: DeckRuns) -> str:
    """Return the share of survivors of the best route, and where its runs die."""
    best = found.best
    lines = [f"Survivors of the marked route: {share_text(best.survived)}, {best.alive[-1]} of {best.n_runs} runs"]
    if best.deaths:
        deaths = ", ".join(f"{name} (floor {floor}) {n}" for (floor, name), n in best.deaths.items())
        lines += wrap(f"Deaths: {deaths}", WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, f"Survivors of the boss after it: {share_text(found.boss)}"])


def costs_text(found: DeckCosts, changes: HpChanges) -> str:
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
            f"{found.games} fights each, {found.simulations:,} simulations a move, seed {found.seed}; "
            "in brackets 95 %.",
            "The best route by these mean costs alone, without search:",
            f'  --hp {found.hp} --max-hp {found.max_hp} --hp-changes "{again}"',
        ]
    )


def short_costs(found: DeckCosts) -> str:
    """Return what fights cost in one line, for an error."""
    parts = [
        f"{room_name(room)} {cost.hp.value:.0f} HP, {100 * cost.death.share:.0f} % lost"
        for room, cost in found.costs.items()
    ]
    return f"Fights with this deck cost: {'; '.join(parts)}"


def costs_json(found: DeckCosts, runs: DeckRuns) -> dict[str, Any]:
    """Return the mean costs of fights and the shares of survivors, for programs."""
    return {
        "hp": found.hp,
        "games": found.games,
        "simulations": found.simulations,
        "seed": found.seed,
        "costs": {
            room_name(room): {
                "hp": {"mean": cost.hp.value, "low": cost.hp.low, "high": cost.hp.high},
                "lost": share_json(cost.death),
                "encounters": dict(cost.each),
            }
            for room, cost in found.costs.items()
        },
        "won": share_json(runs.best.survived),
        "won_with_boss": share_json(runs.boss),
    }


def share_json(share: Share) -> dict[str, float]:
    """Return a share and its interval, for programs."""
    return {"mean": share.share, "low": share.low, "high": share.high}
