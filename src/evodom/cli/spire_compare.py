"""`evodom spire compare`: two ways to search the same fights, with the same luck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    chosen_seed,
    data_dir_option,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up_fights,
)
from evodom.cli.spire_fight import fight_of, fight_options
from evodom.cli.spire_network import check_known, named_network, trained
from evodom.cli.spire_search import figures_of, hp_text, playing, share_text
from evodom.errors import UsageError
from evodom.learning.fights import ACT

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.search.estimates import Estimate
    from evodom.spire.search.network import Judge

PLAYOUTS = "playouts"


@click.command("compare", short_help="Compare two networks, or a network and playouts, in the same fights.")
@click.argument("first")
@click.argument("second")
@fight_options
@click.option("--games", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Fights played.")
@click.option(
    "--simulations", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Simulations a move."
)
@seed_option
@jobs_option
@data_dir_option
@quiet_option
@json_option
def compare_command(
    first: str,
    second: str,
    as_json: bool,
    quiet: bool,
    data_dir: Path | None,
    games: int,
    simulations: int,
    seed: int | None,
    jobs: int,
    **given: Any,
) -> None:
    """Play the same fights with the same luck by two ways of searching, and tell the difference.

    FIRST and SECOND are keys of trainings, `playouts` for the search without a network, or `act1` for the network of
    act 1 that comes with evodom. If no fight is given, it is the one that FIRST was trained for, or else SECOND.
    """
    from evodom.spire.search.estimates import estimate
    from evodom.spire.search.player import Budget
    from evodom.statistics import mean_interval

    if first == second:
        raise UsageError(f"{first} is compared with itself. Name two.")
    fight, networks = _entrants(first, second, data_dir, given)
    warm_up_fights(quiet=quiet)
    number = chosen_seed(seed)
    found: dict[str, Estimate] = {}
    with playing(games * 2, quiet=quiet) as progress:
        for name, network in networks.items():
            found[name] = estimate(fight, games, Budget(simulations, network=network), number, jobs, progress)
    difference = mean_interval(found[first].values - found[second].values)
    if as_json:
        figures = {name: figures_of(fight, one) for name, one in found.items()}
        interval = {"mean": difference.value, "low": difference.low, "high": difference.high}
        page = {"entrants": figures, "difference": interval, "simulations": simulations, "seed": number}
        click.echo(json.dumps(page, indent=2))
        return
    click.echo(f"{fight.text}, the same {games:,} fights for both, {simulations:,} simulations a move:")
    width = max(map(len, found))
    for name, one in found.items():
        click.echo(f"{name:<{width}}  {hp_text(one.hp)} HP left, {share_text(one.death)} lost")
    click.echo(
        f"{first} - {second}: {difference.value:+.2f} ({difference.low:+.2f} to {difference.high:+.2f}); "
        "in brackets 95 %."
    )


def _entrants(
    first: str, second: str, data_dir: Path | None, given: dict[str, Any]
) -> tuple[Fight, dict[str, Judge | None]]:
    """Return the fight, and the network of each entrant."""
    of_trainings = {name: trained(name, data_dir) for name in (first, second) if name not in (PLAYOUTS, ACT)}
    fight = fight_of(given, next((fights[0] for fights, _ in of_trainings.values()), None))
    for name, (_, network) in of_trainings.items():
        check_known(name, network, fight)
    others: dict[str, Judge | None] = {PLAYOUTS: None} | ({ACT: named_network()} if ACT in (first, second) else {})
    return fight, {name: of_trainings[name][1] if name in of_trainings else others[name] for name in (first, second)}
