"""`evodom evolve`: evolve strategies and save every generation."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    RunKey,
    chosen_kingdom,
    chosen_seed,
    command_line,
    data_dir_option,
    first_edition_option,
    is_terminal,
    jobs_option,
    json_option,
    kingdom_option,
    quiet_option,
    seed_option,
    warm_up,
    was_given,
    workers,
)
from evodom.cli.entrants import EntrantName, saved_rivals
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.model import SWITCH_EVOLVED
from evodom.dominion.strategies.registry import SETTINGS as MODEL_SETTINGS
from evodom.errors import UsageError
from evodom.evolution.options import Options, flagged
from evodom.report.layout import counted

if TYPE_CHECKING:
    from evodom.matches.workers import Workers
    from evodom.store import Generation, Run

EVOLVED = "evolved"

STDERR = 2

SETTINGS = flagged()
"""The settings of a run that have a flag; one that is not given has the default of `Options`."""

DEFAULTS = Options()

UNCHANGEABLE = {
    "kingdom": "--kingdom",
    "players": "--players",
    "first_edition": "--first-edition",
    **{setting.name: setting.metadata["flag"] for setting in SETTINGS if setting.name != "n_generations"},
    "switch_index": "--switch-index",
    "rivals": "--rivals",
    "guests": "--rival",
    "seed": "--seed",
}
"""The settings of a run that --resume cannot change, with their flags."""


def setting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add a command-line option for each of SETTINGS."""
    for setting in reversed(SETTINGS):
        choices = setting.metadata.get("choices")
        kind = click.Choice(choices) if choices else type(setting.default)
        default = setting.metadata.get("default_text", setting.default)
        text = f"{setting.metadata['help']}  [default: {default}]"
        command = click.option(setting.metadata["flag"], setting.name, type=kind, help=text)(command)
    return command


@click.command(short_help="Evolve strategies, saved under a key.")
@click.argument("key", type=RunKey())
@kingdom_option
@first_edition_option
@click.option("--players", type=int, help=f"Players at a table, 2 to 6.  [default: {DEFAULTS.players}]")
@setting_options
@click.option(
    "--switch-index",
    metavar=f"TURN|{EVOLVED}",
    help=f"Last turn of the early preferences, or evolved between {SWITCH_EVOLVED[0]} and {SWITCH_EVOLVED[1]}."
    f"  [default: {EVOLVED}, with the classic model {MODEL_SETTINGS['classic'].switch[0]}]",
)
@click.option(
    "--rivals",
    metavar="NAMES",
    help="Baselines to race against, with commas between them.  [default: the strongest of those that teach]",
)
@click.option(
    "--rival",
    "guests",
    type=EntrantName(),
    multiple=True,
    help="Race against this strategy too: a run, evolved or learned, the network, a baseline or a file. It is saved "
    "with the run.",
)
@click.option("--resume", is_flag=True, help="Go on with a saved run; with --ngen, up to that many generations.")
@click.option("-o", "--overwrite", is_flag=True, help="Replace a saved run of this key.")
@seed_option
@jobs_option
@data_dir_option
@json_option
@quiet_option
@click.pass_context
def evolve(ctx: click.Context, /, key: str, data_dir: Path | None, **given: Any) -> None:
    """Evolve strategies for KEY: a tournament a generation, every generation saved.

    Ctrl-C saves and stops; --resume goes on as if it had never stopped.
    """
    from evodom.evolution.reading import options_of
    from evodom.evolution.run import carry_on
    from evodom.matches.guests import read_guests
    from evodom.store import data_dir as find_data_dir

    if given["resume"] and given["overwrite"]:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    options, begin = (_resumed if given["resume"] else _new)(key, find_data_dir(data_dir), given)
    warm_up(read_guests(options.guests, options.kingdom), quiet=given["quiet"])
    with workers(given["jobs"]) as pool, stop_on_interrupt() as interrupted:
        started = time.perf_counter()
        with begin(pool) as run:
            done = run.n_generations if given["resume"] else 0
            with progress(options_of(run).n_generations, run.n_generations, given["quiet"]) as on_generation:
                finished = carry_on(run, pool, on_generation, interrupted)
            if not finished:
                go_on = command_line("evodom", "evolve", key, "--resume", data_dir=data_dir)
                click.echo(
                    f"Stopped after generation {run.n_generations}; all are saved. Go on with: {go_on}", err=True
                )
                ctx.exit(INTERRUPTED)
            _print_result(run, run.n_generations - done, time.perf_counter() - started, given, data_dir)


Begin = Callable[["Workers"], "Run"]


def _new(key: str, root: Path, given: dict[str, Any]) -> tuple[Options, Begin]:
    """Check the options of a new run, before anything is computed, and return them with a function that starts it."""
    from evodom.evolution.run import start
    from evodom.store import check_free, check_writable

    seed = chosen_seed(given["seed"])
    options = _options(given, seed, root)
    if not given["overwrite"]:
        check_free(key, root)
    check_writable(key, root)
    return options, lambda pool: start(key, options, seed, root=root, overwrite=given["overwrite"], workers=pool)


def _resumed(key: str, root: Path, given: dict[str, Any]) -> tuple[Options, Begin]:
    """Open a saved run for writing and return its options with a function that returns it, to match `_new`."""
    from evodom.evolution.run import extend
    from evodom.learning.run import is_learned
    from evodom.store import Run

    changed = [flag for name, flag in UNCHANGEABLE.items() if was_given(given[name])]
    if changed:
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. Allowed: --ngen. Start another run instead.")
    run = Run.open(key, root=root, write=True)
    try:
        if is_learned(run):
            raise UsageError(f"run '{key}' was trained, not evolved. Go on with: evodom train {key} --resume")
        options = extend(run, given["n_generations"])
    except BaseException:
        run.close()
        raise
    return options, lambda pool: run


def _options(given: dict[str, Any], seed: int, root: Path) -> Options:
    """Return the Options of a new run; the cards that the kingdom lacks are drawn with ``seed``."""
    names = ("players", *(setting.name for setting in SETTINGS))
    chosen = {name: given[name] for name in names if given[name] is not None}
    kingdom = chosen_kingdom(given["kingdom"], seed=seed, first_edition=given["first_edition"])
    chosen["kingdom"] = kingdom
    if given["switch_index"] is not None:
        chosen["switch_low"], chosen["switch_high"] = _switch_bounds(given["switch_index"])
    names, chosen["guests"] = saved_rivals(given["guests"], "--rival", root=root, kingdom=kingdom)
    if given["rivals"] is not None:
        chosen["rivals"] = tuple(dict.fromkeys((*_rivals(given["rivals"], kingdom), *names)))
    options = Options(**chosen)
    if (options.rivals or options.guests) and not options.race:
        flag, text = ("--rivals", given["rivals"]) if given["rivals"] is not None else ("--rival", given["guests"][0])
        raise UsageError(f"{flag} is '{text[:40]}', and there is no race. Say --race 8 too.")
    return options


def _rivals(text: str, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the baselines that ``text`` names; raises UsageError for one that there is not, or not in a kingdom."""
    from evodom.dominion.strategies.baselines import baseline, fitting_baselines, missing_cards

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        baseline(name, kingdom)
        if missing := missing_cards(name, kingdom):
            fitting = ", ".join(fitting_baselines(kingdom))
            raise UsageError(f"{name} buys {missing[0]}, which the kingdom does not have. Fitting here: {fitting}.")
    return names


def _switch_bounds(text: str) -> tuple[int, int]:
    if text == EVOLVED:
        return SWITCH_EVOLVED
    if not text.isdecimal() or len(text) > 3 or int(text) == 0:
        raise UsageError(f"--switch-index is '{text[:20]}'. Allowed: 1 to 100, or {EVOLVED}.")
    return (int(text), int(text))


@contextmanager
def stop_on_interrupt(what: str = "this generation") -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C only set a flag, so that ``what`` is done is finished; the second interrupts."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        # Not through a stream: the signal may have come in the middle of a write to it.
        os.write(STDERR, f"\nStopping after {what}. Ctrl-C again stops at once.\n".encode())

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(n_generations: int, done: int, quiet: bool) -> Iterator[Callable[["Generation"], None]]:
    """Show a progress bar on stderr if it is a terminal; yield the function that moves it."""
    from tqdm import tqdm

    from evodom.evolution.run import games_of

    n_games = 0
    begin = time.perf_counter()
    hide = quiet or not is_terminal(sys.stderr)
    with tqdm(total=n_generations, initial=done, disable=hide, unit="gen", dynamic_ncols=True, leave=False) as bar:

        def on_generation(generation: "Generation") -> None:
            nonlocal n_games
            n_games += games_of(generation)
            speed = n_games / (time.perf_counter() - begin)
            bar.set_postfix_str(f"{speed:,.0f} games/s, champion {_strength(generation.summary)}", refresh=False)
            bar.update()

        yield on_generation


def _strength(summary: dict[str, Any]) -> str:
    """Say how strong a generation's champion is: in the race, which has the same rivals in all, or without one."""
    wins = summary.get("race_wins")
    return f"takes {summary['best_points']:.2f} points" if wins is None else f"wins {100 * wins:.0f} % of the race"


def _result(last: dict[str, Any], options: Options) -> str:
    """Say in a sentence how strong the champion of the last generation is, and against whom."""
    others = options.players - 1
    if last.get("race_wins") is None:
        return (
            f"The champion takes {last['best_points']:.2f} of {counted(others, 'point')} a game against its own "
            "generation"
        )
    rivals = ", ".join(options.rivals or ())
    tables = f"{others} of each of its rivals" if others > 1 else "each of its rivals"
    if len(options.rivals or ()) == 1:
        tables = f"{others} of its rival" if others > 1 else "its rival"
    return (
        f"The champion wins {100 * last['race_wins']:.0f} % of the race against {tables} ({rivals}), where equals win "
        f"{100 / options.players:.0f} %"
    )


def _print_result(run: "Run", n_new: int, seconds: float, given: dict[str, Any], data_dir: Path | None) -> None:
    """Print the result of a run, of which ``n_new`` generations took ``seconds``, and the commands to try next."""
    from evodom.evolution.reading import options_of, summaries_of

    last, options = summaries_of(run)[-1], options_of(run)
    if given["as_json"]:
        facts = {"key": run.key, "seed": run.meta["seed"], "generations": run.n_generations, "seconds": seconds}
        facts |= {"players": options.players, "kingdom_name": options.kingdom.name, "kingdom": options.kingdom.cards}
        click.echo(json.dumps(facts | {"last": last}, indent=2))
        return
    resumed = f", {n_new} of them now," if given["resume"] else ""
    click.echo(
        f"{run.key}: {counted(run.n_generations, 'generation')}{resumed} in {seconds:.1f} s, seed {run.meta['seed']}. "
        f"{_result(last, options)}. Games of its generation last {last['rounds']:.0f} rounds and are won with "
        f"{last['winner_vp']:.0f} VP."
    )
    if options.kingdom.name == CUSTOM:
        click.echo(f"Kingdom: {', '.join(options.kingdom.cards)}")
    if not given["quiet"]:
        play, report = (command_line("evodom", name, run.key, data_dir=data_dir) for name in ("play", "report"))
        click.echo(f"Next: {play}, or: {report}")
