"""`evodom spire train`: train a network for a fight by self-play and save it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    RunKey,
    chosen_seed,
    cluster_option,
    command_line,
    data_dir_option,
    is_terminal,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up_fight_learning,
    workers,
)
from evodom.cli.spire_compare import PLAYOUTS
from evodom.cli.spire_fight import fight_of, fight_options
from evodom.cli.spire_network import RUN, names_enemies
from evodom.cli.spire_search import figures_of, hp_text, playing, share_text
from evodom.errors import UsageError
from evodom.learning.fights import ACT, WITHOUT

if TYPE_CHECKING:
    from evodom.learning.fights.options import FightOptions
    from evodom.learning.fights.run import FightMonitor
    from evodom.runs import Run

CHANGEABLE = frozenset(("key", "data_dir", "as_json", "quiet", "jobs", "cluster", "resume", "judge", "optimum"))
"""The options that --resume goes with."""


@click.command("train", short_help="Train a network for a fight by self-play, saved under a key.")
@click.argument("key", type=RunKey())
@fight_options
@click.option("--pick", metavar="CARDS", help='Train for each of several decks at once, as pick does: "Cleave, skip".')
@click.option("--iterations", type=int, help="How often it plays, and learns from its games.  [default: 20]")
@click.option("--games", type=int, help="Games of an iteration.  [default: 200]")
@click.option("--simulations", type=int, help="Simulations a move.  [default: 100]")
@click.option("--width", type=int, help="Width of the two hidden layers.  [default: 128]")
@click.option(
    "--network",
    type=click.Choice([ACT, WITHOUT]),
    help=f"Begin as the network of act 1 that comes with evodom, or as one that knows nothing.  [default: {ACT}]",
)
@click.option("--optimum", type=float, metavar="N", help="What is proven to be the best, to tell the distance to it.")
@click.option(
    "--judge", type=click.IntRange(2, 1_000_000), default=200, show_default=True, help="Games that judge it at the end."
)
@click.option("--resume", is_flag=True, help="Go on with a saved training.")
@click.option("-o", "--overwrite", is_flag=True, help="Replace a saved run of this key.")
@seed_option
@jobs_option
@cluster_option
@data_dir_option
@json_option
@quiet_option
@click.pass_context
def train_command(ctx: click.Context, /, key: str, data_dir: Path | None, **given: Any) -> None:
    """Train a network for KEY: it plays a fight again and again, every move searched, and learns from its games.

    What it learns is which moves are likely and what a position is worth; `search`, `pick` and `play` use it with
    --network KEY. Every iteration is saved; Ctrl-C stops after the one that runs, --resume goes on from there.
    """
    from evodom.cli.evolve import stop_on_interrupt
    from evodom.learning.fights.run import carry_on
    from evodom.runs import data_dir as find_data_dir

    if given["resume"] and given["overwrite"]:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    root = find_data_dir(data_dir)
    options = None if given["resume"] else _new_options(key, root, given)
    with (
        workers(given["jobs"], cluster=given["cluster"]) as pool,
        stop_on_interrupt("this iteration") as interrupted,
        _opened(ctx, key, root, options, given) as run,
    ):
        begin = time.perf_counter()
        with _progress(run, given, interrupted) as watcher:
            finished = carry_on(run, given["jobs"], watcher, pool.tasks)
        if not finished:
            go_on = command_line("evodom", "spire", "train", key, "--resume", data_dir=data_dir)
            click.echo(f"Stopped; iteration {run.n_generations - 1} is saved. Go on with: {go_on}", err=True)
            ctx.exit(INTERRUPTED)
        _print_result(run, time.perf_counter() - begin, given, data_dir)


def _new_options(key: str, root: Path, given: dict[str, Any]) -> FightOptions:
    """Return the settings of a new run, before anything is computed."""
    from evodom.learning.fights.options import RECIPES, FightOptions
    from evodom.runs import check_free
    from evodom.spire.fights import fight_to_toml
    from evodom.spire.fights.choices import choices_of

    fight = fight_of(given)
    fights = [fight] if given["pick"] is None else list(choices_of(fight, given["pick"]).values())
    if fight.state is not None and len(fight.named()) > 1:
        raise UsageError("a fight that has begun is against known enemies; name one encounter")
    if key in (ACT, WITHOUT, PLAYOUTS):
        raise UsageError(f"'{key}' stands for something else where networks are named. Choose another key.")
    numbers = {name: given[name] for name in ("iterations", "games", "simulations", "width") if given[name] is not None}
    begin = given["network"] or ACT
    options = FightOptions(tuple(map(fight_to_toml, fights)), **numbers, recipe=RECIPES[begin], begin=begin)
    if not given["overwrite"]:
        check_free(key, root)
    return options


@contextmanager
def _opened(
    ctx: click.Context, key: str, root: Path, options: FightOptions | None, given: dict[str, Any]
) -> Iterator[Run]:
    """Open the run for writing: a new one, or the one that is to be resumed."""
    from evodom.learning.fights.run import last_checkpoint, start
    from evodom.runs import Run

    if options is not None:
        warm_up_fight_learning(quiet=given["quiet"])
        with start(key, options, chosen_seed(given["seed"]), root=root, overwrite=given["overwrite"]) as run:
            yield run
        return
    changed = [
        next(flag for flag in parameter.opts if flag.startswith("--"))
        for parameter in ctx.command.params
        if isinstance(parameter, click.Option)
        and parameter.name not in CHANGEABLE
        and given.get(str(parameter.name)) not in (None, False, ())
    ]
    if changed:
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. Start another run instead.")
    with Run.open(key, root=root, write=True) as run:
        last_checkpoint(run)
        warm_up_fight_learning(quiet=given["quiet"])
        yield run


@contextmanager
def _progress(run: Run, given: dict[str, Any], interrupted: Any) -> Iterator[FightMonitor]:
    """Show a progress bar on stderr if it is a terminal, and a line for each iteration; yield what moves it."""
    from tqdm import tqdm

    from evodom.learning.fights.run import FightMonitor, options_of

    options = options_of(run)
    hide = given["quiet"] or not is_terminal(sys.stderr)
    done = int(run.last().summary["games"])
    with tqdm(
        total=options.games * options.iterations,
        initial=done,
        disable=hide,
        unit=" games",
        unit_scale=True,
        leave=False,
    ) as bar:
        clock = [time.perf_counter()]

        def on_iteration(iteration: int, summary: dict[str, Any]) -> None:
            now = time.perf_counter()
            speed = options.games / (now - clock[0])
            clock[0] = now
            if not given["quiet"]:
                with tqdm.external_write_mode(sys.stderr):
                    click.echo(_line(iteration, summary, speed, options.games, given["optimum"]), err=True)

        yield FightMonitor(bar.update, on_iteration, interrupted)


def _line(iteration: int, summary: dict[str, Any], speed: float, n: int, optimum: float | None) -> str:
    """Return what is told of an iteration."""
    straight = summary["straight"]
    parts = [f"{iteration:3}  {speed:5.0f} games/s"]
    if straight is not None:
        share = "" if optimum is None else f", {100 * straight[0] / optimum:.1f} %"
        parts.append(f"{straight[0]:7.2f} without noise ({straight[1]:.1f} to {straight[2]:.1f}{share})")
    parts.append(f"{summary['value']:7.2f} in all, {100 * summary['deaths'] / n:4.1f} % lost")
    losses = (f"{summary[name]:.4f}" for name in ("loss_moves", "loss_gain", "loss_death"))
    return "; ".join([*parts, f"losses {' '.join(losses)}"])


def _print_result(run: Run, seconds: float, given: dict[str, Any], data_dir: Path | None) -> None:
    """Judge the network in games of its own, and print how they went."""
    from evodom.learning.fights.run import fights_of, network_of, options_of, summaries_of
    from evodom.runs import seed_of
    from evodom.spire.play.estimates import estimate
    from evodom.spire.play.searcher import FightSearchOptions

    options, seed = options_of(run), seed_of(run)
    budget = FightSearchOptions(options.simulations, network=network_of(run))
    fights = fights_of(run)
    n = given["judge"]
    with playing(n * len(fights), quiet=given["quiet"]) as progress:
        found = [(fight, estimate(fight, n, budget, seed + 1, given["jobs"], progress)) for fight in fights]
    games = run.last().summary["games"]
    if given["as_json"]:
        facts = {"key": run.key, "seed": seed, "games": games, "seconds": seconds, "optimum": given["optimum"]}
        judged = [figures_of(fight, one) for fight, one in found]
        click.echo(json.dumps(facts | {"fights": judged, "iterations": summaries_of(run)[1:]}, indent=2))
        return
    click.echo(f"{run.key}: {options.iterations} iterations, {games:,} games in {seconds:.1f} s, seed {seed}.")
    for fight, one in found:
        share = "" if given["optimum"] is None else f", {100 * one.value.value / given['optimum']:.1f} % of the best"
        click.echo(f"{fight.text}: {hp_text(one.hp)} HP left, {share_text(one.death)} lost{share}.")
    click.echo(f"{n} other games, {options.simulations} simulations a move; in brackets 95 %.")
    if not given["quiet"]:
        name = f"{RUN}{run.key}" if names_enemies(run.key) else run.key
        play, search = (
            command_line("evodom", "spire", *words, data_dir=data_dir)
            for words in (("play", name), ("search", "--network", run.key))
        )
        click.echo(f"Next: {play}, or: {search}")
