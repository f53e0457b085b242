"""The command line: one small module per command, imported only when its command runs."""

import sys
from importlib import import_module

import click

from evodom import __version__
from evodom.errors import EvodomError

COMMANDS = {
    "evolve": "Evolve strategies, saved under a key.",
    "play": "Play a text game against the strongest of a run.",
    "report": "Tell what a run has found.",
    "runs": "List, show, export, import or delete saved runs.",
}
"""The commands, each in the module of its name, with the line `evodom --help` shows."""

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used, so that `--help` answers at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"evodom.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="evodom")
def cli() -> None:
    """Find strategies for deck-building games: evolve them, play against them, read what was found."""


def main() -> None:
    """Run the command line; exit codes: 0 ok, 1 failure, 2 usage, 130 interrupted."""
    try:
        sys.exit(cli.main(prog_name="evodom", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except EvodomError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
