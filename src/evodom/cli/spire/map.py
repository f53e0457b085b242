"""`evodom spire map`: the map of an act, and the arguments of all commands on maps."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import is_terminal, json_option, plot_option, quiet_option, tell_picture
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.spire.map import ActMap


F = TypeVar("F", bound=Callable[..., Any])

ACT, ASCENSION = 1, 20
"""The default."""


class OnSeed(click.Command):
    """A command on a seed: `-5` is a number there, and not an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with_value = {name for option in self.params for name in option.opts if not getattr(option, "is_flag", True)}
        before = ["", *args]
        numbers = [i for i, word in enumerate(args) if re.fullmatch(r"-\d.*", word) and before[i] not in with_value]
        if numbers and "--" not in args:
            rest = [word for i, word in enumerate(args) if i not in numbers]
            args = [*rest, "--", *(args[i] for i in numbers)]
        return super().parse_args(ctx, args)


@dataclass(frozen=True)
class ChosenMap:
    """The map that the arguments ask for, and where it is from; `seed` is None for a file."""

    act_map: ActMap
    title: str
    seed: int | None = None
    act: int = ACT
    ascension: int = ASCENSION


def map_arguments(command: F) -> F:
    """Give a command the arguments that `chosen_map` reads: seed_or_file, act and ascension."""
    for decorate in (
        click.option("--ascension", type=click.IntRange(0, 20), help=f"The ascension.  [default: {ASCENSION}]"),
        click.option("--act", type=click.IntRange(1, 4), help=f"The act.  [default: {ACT}]"),
        click.argument("seed_or_file", metavar="SEED|FILE"),
    ):
        command = decorate(command)
    return command


def chosen_map(seed_or_file: str, act: int | None, ascension: int | None, *, quiet: bool) -> ChosenMap:
    """Make the map of a seed, or read a file; print to stderr which nodes of a file no path uses."""
    from evodom.spire.map import generate, parse_seed, read_map, seed_text, unused

    if not is_file(seed_or_file):
        seed = parse_seed(seed_or_file)
        act, ascension = act or ACT, ASCENSION if ascension is None else ascension
        title = f"Act {act} of seed {seed} ({seed_text(seed)}), ascension {ascension}"
        return ChosenMap(generate(seed, act, ascension=ascension), title, seed, act, ascension)
    for option, value in {"--act": act, "--ascension": ascension}.items():
        if value is not None:
            raise UsageError(f"{option} is for the map of a seed, and {seed_or_file} is a file. Leave it out.")
    path = Path(seed_or_file)
    act_map = read_map(path)
    if not quiet and (nodes := unused(act_map)):
        click.echo(f"No path uses {', '.join(node.name for node in nodes)} (column,floor).", err=True)
    return ChosenMap(act_map, path.name)


def has_colours() -> bool:
    """Tell whether stdout is a terminal whose user did not ask for no colours (https://no-color.org)."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")


def draw_picture(chosen: ChosenMap, file: Path, *, quiet: bool, **more: Any) -> None:
    """Draw a map into a file and report it; further options go to `plot_map`."""
    from evodom.presentation.map_picture import plot_map

    plot_map(chosen.act_map, file, title=chosen.title, **more)
    tell_picture(file, quiet=quiet)


@click.command("map", cls=OnSeed)
@map_arguments
@plot_option("a picture too")
@click.option(
    "--save",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="FOLDER",
    help="Save the JSON there too, as SEED_ActN.json.",
)
@quiet_option
@json_option
def map_command(
    seed_or_file: str, act: int | None, ascension: int | None, as_json: bool, quiet: bool, **given: Path | None
) -> None:
    """Draw the map of an act as the game makes it from the SEED of a run.

    A seed is a number, such as 673465884448 or -5, or the game's text, such as AGCK93XT; figures alone are a number,
    and text:1234 is the text. A FILE holds a map as JSON. The burning elite is marked *.
    """
    from evodom.spire.map import draw_map, file_name, map_to_json, save_map

    chosen = chosen_map(seed_or_file, act, ascension, quiet=quiet)
    if given["save"] and chosen.seed is None:
        raise UsageError(f"--save is for the map of a seed, and {seed_or_file} is a file. Leave it out.")
    if as_json:
        click.echo(map_to_json(chosen.act_map))
    else:
        click.echo(f"{chosen.title}\n\n{draw_map(chosen.act_map, colour=has_colours())}")
    if given["save"] and chosen.seed is not None:
        file = given["save"] / file_name(chosen.seed, chosen.act, ascension=chosen.ascension)
        save_map(chosen.act_map, file)
        if not quiet:
            click.echo(f"Saved: {file}", err=True)
    if given["plot"]:
        draw_picture(chosen, given["plot"], quiet=quiet)


def is_file(word: str) -> bool:
    """Tell whether a file is meant: no seed has a dot or a slash."""
    return any(sign in word for sign in "./\\")
