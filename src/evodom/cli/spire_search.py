"""`evodom spire search`: what a fight is worth by search; and what all commands share that play many fights."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import (
    chosen_seed,
    is_terminal,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up_fights,
    warm_up_solver,
)
from evodom.cli.spire_fight import fight_options
from evodom.cli.spire_network import fight_and_network, fight_argument, name_fight, name_of, network_option, told

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.play.estimates import Estimate
    from evodom.statistics import IntervalEstimate, Share

F = TypeVar("F", bound=Callable[..., Any])

_EFFORT = (
    click.option("--games", type=click.IntRange(2, 1_000_000), default=100, show_default=True, help="Fights played."),
    click.option(
        "--simulations", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Simulations a move."
    ),
)


def effort_options(function: F) -> F:
    """Add the options that say how much is searched."""
    for option in reversed(_EFFORT):
        function = option(function)
    return function


def solve_below_option(default: int) -> Callable[[F], F]:
    """Return the option that says which positions go to the solver."""
    return click.option(
        "--solve-below",
        type=click.IntRange(0, 1_000_000),
        default=default,
        show_default=True,
        help="Solve a position that takes at most so many rows of the solver's graph, and do not search it; 0: none.",
    )


@click.command("search", short_help="Tell what a fight of act 1 costs, by search: any deck, any enemy.")
@fight_argument
@fight_options
@network_option
@effort_options
@click.option(
    "--gumbel",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    help="Consider so many moves of a position, by sequential halving; 0: all of them, by PUCT.",
)
@solve_below_option(0)
@seed_option
@jobs_option
@quiet_option
@json_option
def search_command(
    name: str | None,
    as_json: bool,
    quiet: bool,
    games: int,
    simulations: int,
    gumbel: int,
    solve_below: int,
    seed: int | None,
    jobs: int,
    **given: Any,
) -> None:
    """Play a fight many times, every move found by tree search, and tell the HP that are left and the chance to die.

    FIGHT is a file, an encounter or enemies, such as nob or "3 louses", or the key of a training (run:KEY).

    It answers every fight of act 1, with any deck, relics and potions. Good play is a lower bound of the best: what
    `evodom spire solve` proves is at least as high.
    """
    from evodom.spire.play.estimates import estimate
    from evodom.spire.play.searcher import FightSearchOptions

    name_fight(given, name)
    key = given["network"]
    fight, network = fight_and_network(given)
    warm_up_fights(quiet=quiet)
    if solve_below:
        warm_up_solver(quiet=quiet)
    begin = time.perf_counter()
    number = chosen_seed(seed)
    budget = FightSearchOptions(simulations, network=network, gumbel=gumbel, solve_below=solve_below)
    with playing(games, quiet=quiet) as progress:
        found = estimate(fight, games, budget, number, jobs, progress)
    seconds = time.perf_counter() - begin
    if as_json:
        facts = {"simulations": simulations, "seed": number, "network": name_of(network, key)}
        click.echo(json.dumps(figures_of(fight, found) | facts, indent=2))
    else:
        click.echo("\n".join(filter(None, [_text(fight, found, simulations, seconds), told(network, key)])))


@contextmanager
def playing(n: int, *, quiet: bool, unit: str = "fights") -> Iterator[Callable[[int], None]]:
    """Show on stderr how many of `n` units are done, if it is a terminal; yield the function that counts them."""
    from tqdm import tqdm

    with tqdm(total=n, unit=f" {unit}", leave=False, disable=quiet or not is_terminal(sys.stderr)) as bar:

        def count(some: int) -> None:
            bar.update(some)

        yield count


def _text(fight: Fight, found: Estimate, simulations: int, seconds: float) -> str:
    """Return what a search found, for people."""
    from evodom.statistics import mean_interval

    n = len(found.results)
    searched = int(found.results["n_moves"].sum())
    lines = [f"{fight.text}: {hp_text(found.hp)} HP left, {share_text(found.death)} lost."]
    if fight.payoff.kind != "hp" or (fight.payoff.potion and fight.setup.potions) or fight.payoff.gain:
        lines.append(f"The payoff is {_number(found.value)}.")
    if n_potions := len(fight.setup.potions):
        lines.append(
            f"Potions used: {potions_used(found):.2f} of {n_potions} a fight, at {fight.payoff.potion:g} HP each "
            "(--potion-price)."
        )
    names = list(dict.fromkeys(found.encounters))
    if len(names) > 1:
        width = max(map(len, names))
        for name in sorted(names):
            ours = [place for place, other in enumerate(found.encounters) if other == name]
            hp = mean_interval(found.results["hp"][ours].astype(float))
            lines.append(f"  {name:<{width}}  {hp.value:5.1f} HP in {len(ours)} fights")
    lines.append(
        f"{n} fights, {simulations:,} simulations a move, {1000 * seconds / max(searched, 1):.0f} ms each; "
        "in brackets 95 %."
    )
    return "\n".join(lines)


def hp_text(hp: IntervalEstimate) -> str:
    return f"{hp.value:.1f} ({hp.low:.1f} to {hp.high:.1f})"


def potions_used(found: Estimate) -> float:
    """Return the mean number of potions that are used in a fight."""
    return float(found.results["used"].mean())


def _number(value: IntervalEstimate) -> str:
    return f"{value.value:.3f} ({value.low:.3f} to {value.high:.3f})"


def share_text(share: Share) -> str:
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def figures_of(fight: Fight, found: Estimate) -> dict[str, Any]:
    """Return what a search found, for programs."""
    intervals = {name: (one.value, one.low, one.high) for name, one in (("hp", found.hp), ("value", found.value))}
    intervals["death"] = found.death.share, found.death.low, found.death.high
    return {
        "fight": fight.text,
        "games": len(found.results),
        "potions_used": potions_used(found),
        "potion_price": fight.payoff.potion,
        **{name: dict(zip(("mean", "low", "high"), one, strict=True)) for name, one in intervals.items()},
    }
