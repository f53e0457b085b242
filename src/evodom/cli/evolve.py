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
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec.structs import replace

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    RunKey,
    chosen_kingdom,
    chosen_seed,
    command_line,
    is_terminal,
    warm_up,
    workers,
)
from evodom.cli.entrants import EntrantName, saved_rivals
from evodom.cli.options import KingdomArguments, RunArguments, given_flags, refuse_changes, takes
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.dominion.strategies.base import SWITCH_EVOLVED
from evodom.dominion.strategies.registry import SETTINGS as MODEL_SETTINGS
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.options import option
from evodom.presentation.format import counted

if TYPE_CHECKING:
    from evodom.runs import Generation, Run

EVOLVED = "evolved"

STDERR = 2


class EvolveInputs(KingdomArguments, frozen=True, kw_only=True):
    """What a new run is told besides `Options`: texts that are looked up."""

    switch_index: (
        Annotated[
            str,
            option(
                "--switch-index",
                f"Last turn of the early preferences, or evolved between {SWITCH_EVOLVED[0]} and {SWITCH_EVOLVED[1]}.",
                metavar=f"TURN|{EVOLVED}",
                default_text=f"{EVOLVED}, with the classic model {MODEL_SETTINGS['classic'].switch[0]}",
            ),
        ]
        | None
    ) = None
    rivals: (
        Annotated[
            str,
            option(
                "--rivals",
                "Baselines to race against, with commas between them.",
                metavar="NAMES",
                default_text="the strongest of those that teach",
            ),
        ]
        | None
    ) = None
    guests: Annotated[
        tuple[str, ...],
        option(
            "--rival",
            "Race against this strategy too: a run, evolved or learned, the network, a baseline or a file. It is saved "
            "with the run. A run has at most 64 rivals.",
            type=EntrantName(),
        ),
    ] = ()


@click.command(short_help="Evolve strategies, saved under a key.")
@click.argument("key", type=RunKey())
@takes(EvolveInputs, "inputs")
@takes(Options, "options")
@takes(RunArguments, "run_arguments")
@click.pass_context
def evolve(
    ctx: click.Context, /, key: str, inputs: EvolveInputs, options: Options, run_arguments: RunArguments
) -> None:
    """Evolve strategies for KEY: a tournament a generation, every generation saved.

    Ctrl-C saves and stops; --resume goes on as if it had never stopped. With --ngen it goes on up to that many
    generations.
    """
    from evodom import runs as saved
    from evodom.evolution.runs import carry_on, extend, start
    from evodom.matches.guests import read_guests

    asked, root, resumed = run_arguments, saved.data_dir(run_arguments.data_dir), None
    with ExitStack() as opened:
        if asked.resume:
            refuse_changes(ctx, n_generations="--ngen")
            resumed = opened.enter_context(_reopened(key, root))
            options = extend(resumed, options.n_generations if "n_generations" in given_flags(ctx) else None)
        else:
            seed = chosen_seed(asked.seed)
            options = _completed(inputs, options, seed, root, has_rounds="migrate_every" in given_flags(ctx))
        if asked.cluster is not None and options.islands == 1:
            raise UsageError("a cluster evolves islands, one a task, and here is one population. Say --islands 8 too.")
        if not asked.resume:
            if not asked.overwrite:
                saved.check_free(key, root)
            saved.check_writable(key, root)
        # Workers that will not do are refused before anything is computed.
        pool = opened.enter_context(workers(asked.jobs, cluster=asked.cluster, n_tasks=options.islands))
        warm_up(read_guests(options.guests, options.kingdom), quiet=asked.quiet)
        interrupted = opened.enter_context(stop_on_interrupt(f"this {_unit(options)}"))
        started = time.perf_counter()
        with progress(options, asked.quiet) as bar:
            run = resumed or opened.enter_context(
                start(key, options, seed, root=root, overwrite=asked.overwrite, workers=pool, on_island=bar.on_island)
            )
            done = run.n_generations if asked.resume else 0
            if asked.resume or options.islands == 1:
                bar.begin(run.n_generations)
            finished = carry_on(run, pool, bar.on_generation, interrupted, bar.on_island)
        if not finished:
            go_on = command_line("evodom", "evolve", key, "--resume", data_dir=asked.data_dir)
            which = f"{_unit(options)} {run.n_generations}"
            click.echo(f"Stopped after {which}; all are saved. Go on with: {go_on}", err=True)
            ctx.exit(INTERRUPTED)
        _print_result(run, run.n_generations - done, time.perf_counter() - started, asked)


def _unit(options: Options) -> str:
    """What a saved generation is called: of islands it is a round."""
    return "generation" if options.islands == 1 else "round"


def _reopened(key: str, root: Path) -> "Run":
    """Open a saved run of evolution for writing."""
    from evodom.learning.run import is_learned
    from evodom.runs import Run

    run = Run.open(key, root=root, write=True)
    if is_learned(run):
        run.close()
        raise UsageError(f"run '{key}' was trained, not evolved. Go on with: evodom train {key} --resume")
    return run


def _completed(inputs: EvolveInputs, options: Options, seed: int, root: Path, *, has_rounds: bool) -> Options:
    """Return the Options of a new run; the cards that the kingdom lacks are drawn with ``seed``."""
    kingdom = chosen_kingdom(inputs.kingdom, seed=seed, first_edition=inputs.first_edition)
    names, guests = saved_rivals(inputs.guests, "--rival", root=root, kingdom=kingdom)
    rivals = None
    if inputs.rivals is not None:
        rivals = tuple(dict.fromkeys((*_rivals(inputs.rivals, kingdom), *names)))
    options = replace(options, kingdom=kingdom, guests=guests, rivals=rivals)
    if inputs.switch_index is not None:
        low, high = _switch_bounds(inputs.switch_index)
        options = replace(options, switch_low=low, switch_high=high)
    if has_rounds and options.islands == 1:
        raise UsageError(f"--migrate-every is {options.migrate_every}, and there is one island. Say --islands 8 too.")
    if (options.rivals or options.guests) and not options.race:
        flag, text = ("--rivals", inputs.rivals) if inputs.rivals is not None else ("--rival", inputs.guests[0])
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


def _print_result(run: "Run", n_new: int, seconds: float, asked: RunArguments) -> None:
    """Print the result of a run, of which ``n_new`` generations took ``seconds``, and the commands to try next."""
    from evodom.evolution.runs import options_of, summaries_of

    last, options = summaries_of(run)[-1], options_of(run)
    if asked.as_json:
        n_generations = run.n_generations * options.round_length
        facts = {"key": run.key, "seed": run.meta["seed"], "generations": n_generations, "seconds": seconds}
        facts |= {"islands": options.islands} if options.islands > 1 else {}
        facts |= {"players": options.players, "kingdom_name": options.kingdom.name, "kingdom": options.kingdom.cards}
        click.echo(json.dumps(facts | {"last": last}, indent=2))
        return
    length = options.round_length
    made = counted(run.n_generations * length, "generation")
    made += f" on {options.islands} islands" if options.islands > 1 else ""
    made += f", {n_new * length} of them now," if asked.resume else ""
    click.echo(
        f"{run.key}: {made} in {seconds:.1f} s, seed {run.meta['seed']}. "
        f"{_result(last, options)}. Games of its generation last {last['rounds']:.0f} rounds and are won with "
        f"{last['winner_vp']:.0f} VP."
    )
    if options.kingdom.name == CUSTOM:
        click.echo(f"Kingdom: {', '.join(options.kingdom.cards)}")
    if not asked.quiet:
        play, report = (command_line("evodom", name, run.key, data_dir=asked.data_dir) for name in ("play", "report"))
        click.echo(f"Next: {play}, or: {report}")
