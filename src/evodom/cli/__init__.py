"""The command line: the group of commands, exit codes and error messages.

Each command is a module of this package, imported when the command runs. `COMMANDS` lists them.
"""

import click
import os
import select
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from typing import Any
from evodom import __version__
from evodom.errors import EvodomError, did_you_mean, one_line
from evodom.exit_codes import INTERRUPTED as INTERRUPTED


class Group(click.Group):
    """Suggest the nearest subcommand for one that does not exist, in all supported versions of click."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the subcommand and its arguments; raise click.UsageError if there is none."""
        name = args[0]
        if not ctx.resilient_parsing and name[:1].isalnum() and self.get_command(ctx, name) is None:
            suggestion = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"No such command '{name}'. {suggestion}".rstrip())
        _, command, rest = super().resolve_command(ctx, args)
        return command.name if command else None, command, rest


class LazyGroup(Group):
    """A group that imports a command's module when the command is used, so that `--help` is fast.

    `lines` are the commands, each with its module in `package` and the line that `--help` shows.
    """

    def __init__(self, *args: Any, package: str, lines: Mapping[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self._package, self._lines = package, lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lines:
            return None
        module, line = self._lines[cmd_name]
        found = vars(import_module(f"{self._package}.{module}")).values()
        command = next(each for each in found if isinstance(each, click.Command) and each.name == cmd_name)
        command.short_help = line
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._lines.items()])


COMMANDS = {
    "advise": ("advise", "Find the best strategy for a kingdom and explain it."),
    "benchmark": ("benchmark", "Play a strategy against the fixed suite of opponents."),
    "cards": ("cards", "List the cards, or show a card's cost and text."),
    "compare": ("compare", "Compare settings of evolve or train over the same seeds."),
    "evolve": ("evolve", "Evolve strategies and save the run under a key."),
    "kingdoms": ("cards", "List kingdoms, show the cards of a kingdom, or draw a kingdom."),
    "match": ("tournament", "Play a match and print the win rate of each strategy."),
    "play": ("play", "Play Dominion in the terminal against strategies."),
    "report": ("report", "Report the results of a run."),
    "risk": ("risk", "Compute exact odds of battles in Risk."),
    "runs": ("runs", "List, show, export, import or delete saved runs."),
    "serve": ("serve", "Start a local web page: play, ask for advice, start runs."),
    "spire": ("spire", "Slay the Spire: solve fights, draw maps, find routes."),
    "strategies": ("strategies", "List baselines, or print a strategy as a file."),
    "tournament": ("tournament", "Play a tournament and rank strategies."),
    "train": ("train", "Train networks by self-play and save the run under a key."),
}
"""Each command with its module and its line in `evodom --help`."""


@click.group(cls=LazyGroup, package=__name__, lines=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="evodom")
def cli() -> None:
    """Find strategies for deck-building games: evolve, train, evaluate and explain them, and play against them."""


def main() -> None:
    """Run the command line; exit codes: 0 ok, 1 failure, 2 usage, 130 interrupted."""
    # The null device replaces each standard stream that the shell has closed (`<&-`), which is None in Python.
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115  # open as long as the program runs
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdin, TextIOWrapper):  # replace undecodable bytes, before the first line is read
        sys.stdin.reconfigure(errors="replace")
    sys.exit(_run())


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Yield a list that is empty until Ctrl-C is pressed.

    NumPy and Numba turn a KeyboardInterrupt into other errors, and Python ignores exceptions in callbacks.
    """
    pressed: list[int] = []

    def press(number: int, frame: object) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    def leave(error: Any) -> None:
        if not isinstance(error.exc_value, KeyboardInterrupt):
            usual(error)
            return
        os.write(2, b"Interrupted.\n")
        os._exit(INTERRUPTED)

    usual, before = sys.unraisablehook, signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield pressed
        return
    sys.unraisablehook = leave
    signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = usual


def _run() -> int:
    """Run the command and return its exit code; report every failure on stderr."""
    with _interrupts() as pressed:
        try:
            return _run_command()
        except Exception:
            if not pressed:
                raise
            click.echo("Interrupted.", err=True)
            return INTERRUPTED


def _run_command() -> int:
    try:
        try:
            code: int | None = cli.main(prog_name="evodom", standalone_mode=False)
        finally:
            sys.stdout.flush()  # a full disk is reported here; at interpreter exit it could not be
        return code or 0
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except EvodomError as error:
        click.echo(f"Error: {error}", err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except SystemExit as error:  # click exits with 1 where a pipe is broken
        if error.code == 1 and _reader_left():
            return 0
        raise
    except OSError as error:
        left = isinstance(error, BrokenPipeError) and _reader_left()
        if not error.filename:
            _drop_output()
        if left:
            return 0
        if not isinstance(error, BrokenPipeError):
            place = error.filename or "standard input or output"
            click.echo(f"Error: {one_line(f'{place} cannot be used: {error.strerror or error}')}", err=True)
        return 1


def _show(error: click.ClickException) -> None:
    """Report wrong arguments in one line; `evodom` without arguments shows its help."""
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx and "\n" not in message:
        click.echo(f"Error: {one_line(message)} See: {error.ctx.command_path} --help", err=True)
    elif isinstance(error, click.UsageError):
        error.show()
    else:
        click.echo(f"Error: {one_line(message)}", err=True)


def _reader_left() -> bool:
    """Return True if stdout is a pipe whose reader has closed it, as in `evodom strategies | head -1`."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _drop_output() -> None:
    """Discard the unwritten output. Otherwise the interpreter would write it again when it exits."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
