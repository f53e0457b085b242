"""Create, resume and finish runs: the base class of `evolve`, `train` and `spire train`."""

from __future__ import annotations

import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from evodom.api.progress import workers
from evodom.cli import INTERRUPTED
from evodom.cli.common import command_line
from evodom.cli.options import RunArguments, given_flags, refuse_changes
from evodom.errors import UsageError
from evodom.options import chosen_seed

if TYPE_CHECKING:
    from evodom.budget import Budget
    from evodom.runs import Run, RunStore
    from evodom.runs.lifecycle import RunKind, RunMonitor
    from evodom.tasks import Tasks, Workers

O = TypeVar("O")  # noqa: E741


class RunProgress:
    """The display of a run's progress. `monitor` is passed to the run; `begin` is called once its file is open."""

    def __init__(self, monitor: RunMonitor, begin: Callable[[Run], object] = lambda run: None) -> None:
        self.monitor, self.begin = monitor, begin


class CreatesRun(click.Command):
    """A click command whose callback returns a `RunCommand`, which is then carried out."""

    def prepared(self, ctx: click.Context) -> RunCommand[Any]:
        """Return the command for the parsed arguments, without carrying it out."""
        found: RunCommand[Any] = super().invoke(ctx)
        return found

    def invoke(self, ctx: click.Context) -> None:
        """Carry out the command."""
        self.prepared(ctx).carry_out(ctx.params["key"])


class RunCommand(ABC, Generic[O]):
    """Base class of commands that create runs. ``changeable`` are the parameters that --resume allows."""

    words: tuple[str, ...]
    changeable: tuple[str, ...] = ()

    def __init__(self, ctx: click.Context, asked: RunArguments) -> None:
        self.ctx, self.asked, self.given = ctx, asked, given_flags(ctx)

    @abstractmethod
    def kind(self) -> RunKind[Any]:
        """Return the kind of the runs."""

    @abstractmethod
    def new(self, key: str, seed: int) -> O:
        """Return the options of a new run, checked before anything is computed."""

    def resumed(self, run: Run) -> O:
        """Return the options of a run that is resumed."""
        options: O = self.kind().options_of(run)
        return options

    def tasks(self, options: O) -> Tasks | None:
        """Return the executor of tasks: processes, a cluster, or None."""
        return None

    @abstractmethod
    def compile(self, options: O) -> None:
        """Compile the kernels."""

    def timed(self, options: O, pool: Workers, run: Run | None) -> tuple[O, Budget]:
        """Return the options and the time limit of a run."""
        from evodom.budget import NO_LIMIT

        return options, NO_LIMIT

    @abstractmethod
    def step(self, options: O) -> str:
        """Return the step that is finished after Ctrl-C, such as "generation"."""

    @abstractmethod
    def progress(
        self, options: O, interrupted: Callable[[], bool], budget: Budget
    ) -> AbstractContextManager[RunProgress]:
        """Show the progress on stderr if it is a terminal."""

    @abstractmethod
    def stopped(self, run: Run, options: O) -> str:
        """Return a phrase for the saved part of a stopped run."""

    @abstractmethod
    def print_result(self, run: Run, n_new: int, seconds: float) -> None:
        """Print the result of a run and the commands to try next. ``n_new`` new generations took ``seconds``."""

    def next_commands(self, *commands: tuple[str, ...]) -> str:
        """Return commands to try next."""
        return "Next: " + ", or: ".join(
            command_line("evodom", *words, data_dir=self.asked.data_dir) for words in commands
        )

    def carry_out(self, key: str) -> None:
        """Make or resume the run, show its progress, and print its result."""
        asked, kind, run = self.asked, self.kind(), None
        store = asked.store
        store.remove_leftovers()
        with ExitStack() as opened:
            if asked.resume:
                refuse_changes(self.ctx, self.changeable)
                run = opened.enter_context(reopened(key, store, kind))
                options, seed = self.resumed(run), 0
            else:
                seed = chosen_seed(asked.seed)
                options = self.new(key, seed)
            tasks = self.tasks(options)
            if run is None:
                store.check_free(key, overwrite=asked.overwrite)
            # Unsuitable workers are refused before anything is computed.
            pool = opened.enter_context(workers(asked.jobs, tasks))
            if run is None:
                store.check_writable(key)
            self.compile(options)
            interrupted = opened.enter_context(stop_on_interrupt(f"this {self.step(options)}"))
            started = time.perf_counter()
            options, budget = self.timed(options, pool, run)
            with self.progress(options, interrupted, budget) as shown:
                if run is None:
                    run = opened.enter_context(
                        kind.start(
                            key,
                            options,
                            seed,
                            store=store,
                            overwrite=asked.overwrite,
                            workers=pool,
                            monitor=shown.monitor,
                            budget=budget,
                        )
                    )
                n_before = run.n_generations if asked.resume else 0
                shown.begin(run)
                finished = kind.carry_on(run, pool, shown.monitor, budget)
            if not finished:
                go_on = command_line("evodom", *self.words, key, "--resume", data_dir=asked.data_dir)
                click.echo(f"Stopped{self.stopped(run, options)}. Continue with: {go_on}", err=True)
                self.ctx.exit(INTERRUPTED)
            if asked.as_json or not asked.quiet:
                self.print_result(run, run.n_generations - n_before, time.perf_counter() - started)


@contextmanager
def reopened(key: str, store: RunStore, kind: RunKind[Any]) -> Iterator[Run]:
    """Open a saved run of a kind for writing; raise UsageError with the command for one of another kind."""
    from evodom.runs.lifecycle import RunKind, kind_of

    with store.open(key, write=True) as run:
        if not kind.owns(run):
            other = kind_of(run)
            if not isinstance(other, RunKind):
                raise UsageError(kind.wrong_kind_message(run))
            raise UsageError(
                f"run '{key}' was {other.participle}, not {kind.participle}. "
                f"Continue: evodom {other.command} {key} --resume"
            )
        kind.check_contents(run)
        yield run


@contextmanager
def stop_on_interrupt(what: str = "this generation") -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C set a flag, so that ``what`` is finished. The second interrupts."""
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        # Not through a stream: the signal may interrupt a write to it.
        os.write(2, f"\nStopping after {what}. Press Ctrl-C again to stop immediately.\n".encode())

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
