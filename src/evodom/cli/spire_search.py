"""`evodom spire search`: what a fight is worth by search; and what all commands share that play many fights."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

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
from evodom.cli.options import takes
from evodom.cli.spire_fight import fight_options
from evodom.cli.spire_network import fight_and_network, fight_argument, name_fight, name_of, network_option, told
from evodom.options import OptionStruct, option

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.play.estimates import Estimate
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.statistics import IntervalEstimate, Share

F = TypeVar("F", bound=Callable[..., Any])


class SampleOptions(OptionStruct, frozen=True, kw_only=True):
    """How many fights are played, and how much each move is searched."""

    games: Annotated[int, option("--games", "Fights played.", ge=2, le=1_000_000)] = 100
    simulations: Annotated[int, option("--simulations", "Simulations a move.", ge=1, le=1_000_000)] = 1000


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
@takes(SampleOptions, "effort")
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
    effort: SampleOptions,
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
    from evodom.spire.play.searcher import FightSearchOptions

    name_fight(given, name)
    key = given["network"]
    fight, network = fight_and_network(given)
    warm_up_fights(quiet=quiet)
    if solve_below:
        warm_up_solver(quiet=quiet)
    begin = time.perf_counter()
    number = chosen_seed(seed)
    options = FightSearchOptions(effort.simulations, network=network, gumbel=gumbel, solve_below=solve_below)
    (found,) = estimates({"": (fight, options)}, effort.games, number, jobs, quiet=quiet).values()
    seconds = time.perf_counter() - begin
    if as_json:
        facts = {"simulations": effort.simulations, "seed": number, "network": name_of(network, key)}
        click.echo(json.dumps(figures_of(fight, found) | facts, indent=2))
    else:
        click.echo("\n".join(filter(None, [_text(fight, found, effort.simulations, seconds), told(network, key)])))


def estimates(
    fights: dict[str, tuple[Fight, FightSearchOptions]], n_games: int, seed: int, jobs: int, *, quiet: bool
) -> dict[str, Estimate]:
    """Estimate fights with the same luck, by their names, and show the progress."""
    from evodom.spire.play.estimates import estimate_all

    with playing(n_games * len(fights), quiet=quiet) as progress:
        return estimate_all(fights, n_games, seed, jobs, progress)


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
    n = len(found.results)
    searched = int(found.results["n_moves"].sum())
    lines = [f"{fight.text}: {hp_text(found.hp)} HP left, {share_text(found.death)} lost."]
    if fight.payoff.kind != "hp" or (fight.payoff.potion and fight.setup.potions) or fight.payoff.gain:
        lines.append(f"The payoff is {_number(found.value)}.")
    if n_potions := len(fight.setup.potions):
        lines.append(
            f"Potions used: {found.potions_used:.2f} of {n_potions} a fight, at {fight.payoff.potion:g} HP each "
            "(--potion-price)."
        )
    if len(by_encounter := found.hp_by_encounter) > 1:
        width = max(map(len, by_encounter))
        for name, hp in by_encounter.items():
            lines.append(f"  {name:<{width}}  {hp.value:5.1f} HP in {found.encounters.count(name)} fights")
    lines.append(
        f"{n} fights, {simulations:,} simulations a move, {1000 * seconds / max(searched, 1):.0f} ms each; "
        "in brackets 95 %."
    )
    return "\n".join(lines)


def hp_text(hp: IntervalEstimate) -> str:
    return f"{hp.value:.1f} ({hp.low:.1f} to {hp.high:.1f})"


def _number(value: IntervalEstimate) -> str:
    return f"{value.value:.3f} ({value.low:.3f} to {value.high:.3f})"


def share_text(share: Share) -> str:
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def interval_json(value: float, low: float, high: float) -> dict[str, float]:
    return {"mean": value, "low": low, "high": high}


def figures_of(fight: Fight, found: Estimate) -> dict[str, Any]:
    """Return an estimate as JSON."""
    hp, value, death = found.hp, found.value, found.death
    return {
        "fight": fight.text,
        "games": len(found.results),
        "potions_used": found.potions_used,
        "potion_price": fight.payoff.potion,
        "hp": interval_json(hp.value, hp.low, hp.high),
        "value": interval_json(value.value, value.low, value.high),
        "death": interval_json(death.share, death.low, death.high),
    }
