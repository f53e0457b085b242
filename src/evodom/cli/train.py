"""`evodom train`: learn a strategy from its own games and save it."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from evodom.advice import LEAST_MINUTES, MOST_MINUTES
from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    Number,
    RunKey,
    chosen_kingdom,
    chosen_seed,
    cluster_option,
    command_line,
    data_dir_option,
    first_edition_option,
    is_terminal,
    jobs_option,
    json_option,
    kingdom_option,
    note_unusable_network,
    quiet_option,
    seed_option,
    warm_up_learning,
    was_given,
    workers,
)
from evodom.cli.entrants import EntrantName, saved_rivals
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.budget import Budget
    from evodom.learning.options import TrainOptions
    from evodom.learning.training import TrainingMonitor
    from evodom.runs import Run
    from evodom.tasks import Workers

DEFAULT_PLAYERS = 4

UNCHANGEABLE = {
    "kingdom": "--kingdom",
    "first_edition": "--first-edition",
    "players": "--players",
    "games": "--games",
    "minutes": "--minutes",
    "rivals": "--rival",
    "starts": "--starts",
    "seed": "--seed",
}
"""The options that --resume cannot change."""


@click.command(short_help="Learn a strategy from its own games, saved under a key.")
@click.argument("key", type=RunKey())
@kingdom_option
@first_edition_option
@click.option("--players", type=int, help=f"Players at a table, 2 to 6.  [default: {DEFAULT_PLAYERS}]")
@click.option("--games", type=int, help="Games in all.  [default: 300,000]")
@click.option(
    "--minutes",
    type=Number(LEAST_MINUTES, MOST_MINUTES),
    help="Time limit in minutes, without compile time, instead of --games. Only runs of --games can be repeated.",
)
@click.option(
    "--rival",
    "rivals",
    type=EntrantName(),
    multiple=True,
    help="Meet this strategy too: a run, the network, a baseline or a file. It is saved with the run, "
    "which has at most 64.",
)
@click.option(
    "--starts",
    type=click.IntRange(1, 9),
    help="Networks that learn side by side, the first as that of all kingdoms.  [default: 1 to 3, by the games]",
)
@click.option("--resume", is_flag=True, help="Go on with a saved run.")
@click.option("-o", "--overwrite", is_flag=True, help="Replace a saved run of this key.")
@seed_option
@jobs_option
@cluster_option
@data_dir_option
@json_option
@quiet_option
@click.pass_context
def train(ctx: click.Context, /, key: str, data_dir: Path | None, **given: Any) -> None:
    """Learn a strategy for KEY: networks play against themselves and rivals, and become better at it.

    Several starts learn side by side; the better ones go on. What is learned is a preference that depends on the state
    of the game. Every checkpoint is saved; Ctrl-C stops at the last one, --resume goes on from there.

    The first start begins as the network of all kingdoms. That network cannot be used once a card was changed, or for
    cards that do something new: then all starts imitate random buy lists, and docs/learning.md says how to make a
    network for the new cards.
    """
    from evodom.budget import NO_LIMIT, Budget
    from evodom.cli.evolve import stop_on_interrupt
    from evodom.learning.compiling import load_kernels
    from evodom.learning.run import carry_on, time_left
    from evodom.runs import data_dir as find_data_dir

    if given["resume"] and given["overwrite"]:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    root = find_data_dir(data_dir)
    begin = (_resumed if given["resume"] else _new)(key, root, given)
    note_unusable_network(quiet=given["quiet"] or given["resume"])
    warm_up_learning(quiet=given["quiet"])
    with workers(given["jobs"], cluster=given["cluster"]) as pool, stop_on_interrupt("this step") as interrupted:
        if given["minutes"] or given["resume"]:
            load_kernels()
        started = time.perf_counter()
        budget = Budget.starting_now(60.0 * given["minutes"]) if given["minutes"] else NO_LIMIT
        with begin(pool, budget) as run:
            budget = budget if budget.is_limited else time_left(run)
            with _progress(run, given["quiet"], interrupted, budget) as monitor:
                finished = carry_on(run, pool, monitor, budget)
            if not finished:
                go_on = command_line("evodom", "train", key, "--resume", data_dir=data_dir)
                click.echo(f"Stopped; checkpoint {run.n_generations - 1} is saved. Go on with: {go_on}", err=True)
                ctx.exit(INTERRUPTED)
            _print_result(run, time.perf_counter() - started, given, data_dir)


Begin = Callable[["Workers", "Budget"], "Run"]


def _new(key: str, root: Path, given: dict[str, Any]) -> Begin:
    """Check the options of a new run, before anything is computed, and return a function that starts it."""
    from evodom.learning.options import DEFAULT_GAMES, TrainOptions
    from evodom.learning.run import start
    from evodom.learning.training import estimate_n_games
    from evodom.runs import check_free, check_writable

    if given["games"] is not None and given["minutes"] is not None:
        raise UsageError("--games and --minutes both say when to stop. Give one of them.")
    seed = chosen_seed(given["seed"])
    kingdom = chosen_kingdom(given["kingdom"], seed=seed, first_edition=given["first_edition"])
    players = DEFAULT_PLAYERS if given["players"] is None else given["players"]
    n_games = DEFAULT_GAMES if given["games"] is None else given["games"]
    names, guests = saved_rivals(given["rivals"], "--rival", root=root, kingdom=kingdom)
    starts = given["starts"] or 0
    options = TrainOptions(kingdom, players, n_games, starts, names, guests)
    _check_cluster(given, options)
    if not given["overwrite"]:
        check_free(key, root)
    check_writable(key, root)

    def begin(pool: "Workers", budget: "Budget") -> "Run":
        chosen = options
        if given["minutes"] is not None:
            n_games = estimate_n_games(budget.seconds_left, kingdom, players, pool)
            chosen = structs.replace(options, games=n_games, n_starts=starts, minutes=given["minutes"])
        return start(key, chosen, seed, root=root, overwrite=given["overwrite"], workers=pool, budget=budget)

    return begin


def _resumed(key: str, root: Path, given: dict[str, Any]) -> Begin:
    """Open a saved run for writing and return a function that returns it, to match `_new`."""
    from evodom.learning.run import is_learned, options_of
    from evodom.runs import Run

    changed = [flag for name, flag in UNCHANGEABLE.items() if was_given(given[name])]
    if changed:
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. Start another run instead.")
    run = Run.open(key, root=root, write=True)
    try:
        if not is_learned(run):
            raise UsageError(f"run '{key}' was evolved, not trained. Go on with: evodom evolve {key} --resume")
        _check_cluster(given, options_of(run))
    except BaseException:
        run.close()
        raise
    return lambda pool, budget: run


def _check_cluster(given: dict[str, Any], options: "TrainOptions") -> None:
    """Raise UsageError for a cluster that would have nothing to do."""
    if given["cluster"] is not None and options.n_starts == 1:
        raise UsageError("a cluster trains starts, one a task, and here is one start. Say --starts 4 too.")


@contextmanager
def _progress(
    run: "Run", quiet: bool, interrupted: Callable[[], bool], budget: "Budget"
) -> "Iterator[TrainingMonitor]":
    """Show a progress bar on stderr if it is a terminal; yield what moves it."""
    from tqdm import tqdm

    from evodom.budget import Monitor
    from evodom.learning.run import checked, options_of

    hide = quiet or not is_terminal(sys.stderr)
    done = int(checked(run, run.last()).summary["games"])
    with tqdm(
        total=options_of(run).games, initial=done, disable=hide, unit=" games", unit_scale=True, leave=False
    ) as bar:

        def on_games(n: int, figures: Mapping[str, float]) -> None:
            bar.set_postfix_str(
                f"{100 * figures['share']:.0f} % against rivals, entropy {figures['entropy']:.2f}", refresh=False
            )
            bar.update(n)
            if budget.share_spent:
                bar.total = int(bar.n / budget.share_spent)

        yield Monitor(on_games, interrupted)


def _print_result(run: "Run", seconds: float, given: dict[str, Any], data_dir: Path | None) -> None:
    """Print the result of a run and the commands to try next."""
    from evodom.learning.run import checked, options_of

    last, options = checked(run, run.last()), options_of(run)
    facts = {
        "key": run.key,
        "seed": run.meta["seed"],
        "players": options.players,
        "games": last.summary["games"],
        "seconds": seconds,
        "kingdom_name": options.kingdom.name,
        "kingdom": options.kingdom.cards,
        "shares": last.summary["shares"],
    }
    if given["as_json"]:
        click.echo(json.dumps(facts, indent=2))
        return
    wins = 100 * sum(last.summary["shares"]) / len(last.summary["shares"])
    click.echo(
        f"{run.key}: {last.summary['games']:,} games in {seconds:.1f} s, seed {run.meta['seed']}. "
        f"The best of {options.n_starts} starts wins {wins:.0f} % against its rivals (par {100 / options.players:.0f})."
    )
    if not given["quiet"]:
        play, report = (command_line("evodom", name, run.key, data_dir=data_dir) for name in ("play", "report"))
        click.echo(f"Next: {play}, or: {report}")
