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
from evodom.cli.spire_network import check_known, trained
from evodom.cli.spire_search import figures_of, hp_text, playing, share_text
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.search.estimates import Estimate
    from evodom.spire.search.network import Network

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

    FIRST and SECOND are keys of trainings, or `playouts` for the search without a network. If no fight is given, it is
    the one that FIRST was trained for, or else SECOND.
    """
    from evodom.intervals import mean_interval
    from evodom.spire.search.estimates import estimate
    from evodom.spire.search.player import Budget

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
) -> tuple[Fight, dict[str, Network | None]]:
    """Return the fight, and the network of each entrant."""
    found = {name: None if name == PLAYOUTS else trained(name, data_dir) for name in (first, second)}
    base = next(one[0][0] for one in found.values() if one is not None)
    fight = fight_of(given, base)
    for name, one in found.items():
        if one is not None:
            check_known(name, one[1], fight)
    return fight, {name: None if one is None else one[1] for name, one in found.items()}
