"""`evodom evolve`: evolve strategies and save every generation."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
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
    quiet_option,
    seed_option,
    warm_up,
    was_given,
    workers,
)
from evodom.cli.entrants import EntrantName, saved_rivals
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.base import SWITCH_EVOLVED
from evodom.dominion.strategies.registry import SETTINGS as MODEL_SETTINGS
from evodom.errors import UsageError
from evodom.evolution.options import Options, flagged
from evodom.presentation.format import counted

if TYPE_CHECKING:
    from evodom.runs import Generation, Run
    from evodom.tasks import OnDone, Workers

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
    "with the run. A run has at most 64 rivals.",
)
@click.option("--resume", is_flag=True, help="Go on with a saved run; with --ngen, up to that many generations.")
@click.option("-o", "--overwrite", is_flag=True, help="Replace a saved run of this key.")
@seed_option
@jobs_option
@cluster_option
@data_dir_option
@json_option
@quiet_option
@click.pass_context
def evolve(ctx: click.Context, /, key: str, data_dir: Path | None, **given: Any) -> None:
    """Evolve strategies for KEY: a tournament a generation, every generation saved.

    Ctrl-C saves and stops; --resume goes on as if it had never stopped.
    """
    from evodom.evolution.runs import carry_on
    from evodom.matches.guests import read_guests
    from evodom.runs import data_dir as find_data_dir

    if given["resume"] and given["overwrite"]:
        raise UsageError("--resume and --overwrite exclude each other. Give one of them.")
    with ExitStack() as opened:
        options, begin = (_resumed if given["resume"] else _new)(key, find_data_dir(data_dir), given, opened)
        # Workers that will not do are refused before anything is computed.
        pool = opened.enter_context(workers(given["jobs"], cluster=given["cluster"], n_tasks=options.islands))
        warm_up(read_guests(options.guests, options.kingdom), quiet=given["quiet"])
        interrupted = opened.enter_context(stop_on_interrupt(f"this {_unit(options)}"))
        started = time.perf_counter()
        with progress(options, given["quiet"]) as bar:
            run = opened.enter_context(begin(pool, bar.on_island))
            done = run.n_generations if given["resume"] else 0
            if given["resume"] or options.islands == 1:
                bar.begin(run.n_generations)
            finished = carry_on(run, pool, bar.on_generation, interrupted, bar.on_island)
        if not finished:
            go_on = command_line("evodom", "evolve", key, "--resume", data_dir=data_dir)
            which = f"{_unit(options)} {run.n_generations}"
            click.echo(f"Stopped after {which}; all are saved. Go on with: {go_on}", err=True)
            ctx.exit(INTERRUPTED)
        _print_result(run, run.n_generations - done, time.perf_counter() - started, given, data_dir)


Begin = Callable[["Workers", "OnDone"], "Run"]
"""Starts a run, or returns the one to go on with; tells of each island that is done."""


def _new(key: str, root: Path, given: dict[str, Any], opened: ExitStack) -> tuple[Options, Begin]:
    """Check the options of a new run, before anything is computed; return them and what starts it."""
    from evodom.evolution.runs import start
    from evodom.runs import check_free, check_writable

    seed = chosen_seed(given["seed"])
    options = _options(given, seed, root)
    _check_cluster(given, options)
    if not given["overwrite"]:
        check_free(key, root)
    check_writable(key, root)
    how = {"root": root, "overwrite": given["overwrite"]}
    return options, lambda pool, on_island: start(key, options, seed, workers=pool, on_island=on_island, **how)


def _resumed(key: str, root: Path, given: dict[str, Any], opened: ExitStack) -> tuple[Options, Begin]:
    """Open a saved run for writing until ``opened`` ends; return its options and what returns it, to match `_new`."""
    from evodom.evolution.runs import extend
    from evodom.learning.run import is_learned
    from evodom.runs import Run

    changed = [flag for name, flag in UNCHANGEABLE.items() if was_given(given[name])]
    if changed:
        raise UsageError(f"{', '.join(changed)} cannot change on --resume. Allowed: --ngen. Start another run instead.")
    run = opened.enter_context(Run.open(key, root=root, write=True))
    if is_learned(run):
        raise UsageError(f"run '{key}' was trained, not evolved. Go on with: evodom train {key} --resume")
    options = extend(run, given["n_generations"])
    _check_cluster(given, options)
    return options, lambda pool, on_island: run


def _check_cluster(given: dict[str, Any], options: Options) -> None:
    """Raise UsageError for a cluster that would have nothing to do."""
    if given["cluster"] is not None and options.islands == 1:
        raise UsageError("a cluster evolves islands, one a task, and here is one population. Say --islands 8 too.")


def _unit(options: Options) -> str:
    """What a saved generation is called: of islands it is a round."""
    return "generation" if options.islands == 1 else "round"


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
    if given["migrate_every"] is not None and options.islands == 1:
        raise UsageError(f"--migrate-every is {options.migrate_every}, and there is one island. Say --islands 8 too.")
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
def progress(options: Options, quiet: bool) -> Iterator["Progress"]:
    """Show a progress bar on stderr if it is a terminal; yield what moves it.

    With islands it counts the generations of all of them.
    """
    from tqdm import tqdm

    hide = quiet or not is_terminal(sys.stderr)
    total = options.n_generations * options.islands
    with tqdm(total=total, disable=hide, unit="gen", dynamic_ncols=True, leave=False) as bar:
        yield Progress(bar, options)


class Progress:
    """A bar, and what is told beside it: how fast games are played, how strong the champion is, how many islands."""

    def __init__(self, bar: Any, options: Options) -> None:
        self._bar, self._options = bar, options
        self._began = time.perf_counter()
        self._n_games = self._n_islands = 0
        self._champion = ""

    def begin(self, n_saved: int) -> None:
        """Count what is there already, and time only what comes after it."""
        self._bar.reset(self._bar.total)
        self._bar.initial = self._bar.n = n_saved * self._options.round_length * self._options.islands
        self._began = time.perf_counter()

    def on_generation(self, generation: "Generation") -> None:
        """Tell of a saved generation, or of a round of islands."""
        from evodom.evolution.selection import games_of

        self._n_games += games_of(generation)
        speed = self._n_games / (time.perf_counter() - self._began)
        self._champion = f"{speed:,.0f} games/s, champion {_strength(generation.summary)}"
        self._n_islands = 0
        self._bar.set_postfix_str(self._champion, refresh=False)
        if self._options.islands == 1:
            self._bar.update()

    def on_island(self, number: int) -> None:
        """Tell of an island that is done with the present round."""
        self._n_islands += 1
        islands = f"{self._n_islands} of {self._options.islands} islands"
        self._bar.set_postfix_str(", ".join(filter(None, (islands, self._champion))), refresh=False)
        self._bar.update(self._options.round_length)


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
    from evodom.evolution.runs import options_of, summaries_of

    last, options = summaries_of(run)[-1], options_of(run)
    if given["as_json"]:
        n_generations = run.n_generations * options.round_length
        facts = {"key": run.key, "seed": run.meta["seed"], "generations": n_generations, "seconds": seconds}
        facts |= {"islands": options.islands} if options.islands > 1 else {}
        facts |= {"players": options.players, "kingdom_name": options.kingdom.name, "kingdom": options.kingdom.cards}
        click.echo(json.dumps(facts | {"last": last}, indent=2))
        return
    length = options.round_length
    made = counted(run.n_generations * length, "generation")
    made += f" on {options.islands} islands" if options.islands > 1 else ""
    made += f", {n_new * length} of them now," if given["resume"] else ""
    click.echo(
        f"{run.key}: {made} in {seconds:.1f} s, seed {run.meta['seed']}. "
        f"{_result(last, options)}. Games of its generation last {last['rounds']:.0f} rounds and are won with "
        f"{last['winner_vp']:.0f} VP."
    )
    if options.kingdom.name == CUSTOM:
        click.echo(f"Kingdom: {', '.join(options.kingdom.cards)}")
    if not given["quiet"]:
        play, report = (command_line("evodom", name, run.key, data_dir=data_dir) for name in ("play", "report"))
        click.echo(f"Next: {play}, or: {report}")
