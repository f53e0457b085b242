"""`evodom spire map`: draw the map of an act. Also the arguments that commands on maps share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.api.progress import is_terminal
from evodom.cli.common import NegativeNumbers, write_picture
from evodom.cli.options import CommonArguments, Overwrite, picture_option, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option

if TYPE_CHECKING:
    from evodom.presentation.documents.route import ChosenMap


ACT, ASCENSION = 1, 20
"""Defaults of --act and --ascension."""


class MapArguments(OptionStruct, frozen=True, kw_only=True):
    """Options of a map made from a seed."""

    act: Annotated[int | None, option("--act", "Act.", ge=1, le=4, default_text=str(ACT))] = None
    ascension: Annotated[
        int | None, option("--ascension", "Ascension level.", ge=0, le=20, default_text=str(ASCENSION))
    ] = None


class MapOutput(OptionStruct, frozen=True, kw_only=True):
    """Output files of a map."""

    save: Annotated[Path | None, picture_option("the map")] = None
    overwrite: Overwrite = False


def chosen_map(seed_or_file: str, of_seed: MapArguments, *, quiet: bool) -> ChosenMap:
    """Return the map of a seed or a file. Print the nodes of a file that are on no path to stderr."""
    from evodom.presentation.documents.route import ChosenMap
    from evodom.spire.map import generate, parse_seed, read_map, seed_text, unused_nodes

    if not is_file(seed_or_file):
        seed = parse_seed(seed_or_file)
        act, ascension = of_seed.act or ACT, ASCENSION if of_seed.ascension is None else of_seed.ascension
        title = f"Act {act} of seed {seed} ({seed_text(seed)}), ascension {ascension}"
        return ChosenMap(generate(seed, act, ascension=ascension), title, seed, act, ascension)
    for flag, value in {"--act": of_seed.act, "--ascension": of_seed.ascension}.items():
        if value is not None:
            raise UsageError(f"{flag} applies to the map of a seed, and {seed_or_file} is a file. Leave it out.")
    path = Path(seed_or_file)
    act_map = read_map(path)
    if not quiet and (nodes := unused_nodes(act_map)):
        click.echo(f"On no path: {', '.join(node.name for node in nodes)} (column,floor).", err=True)
    return ChosenMap(act_map, path.name)


def has_colours() -> bool:
    """Return whether stdout is a terminal and NO_COLOR is not set (https://no-color.org)."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")


def draw_picture(chosen: ChosenMap, file: Path, *, quiet: bool, **more: Any) -> None:
    """Draw a map into a file and report it; further options go to `map_svg`."""
    from evodom.presentation.act_map import map_svg

    write_picture(map_svg(chosen.act_map, title=chosen.title, **more), file, quiet=quiet)


@click.command("map", cls=NegativeNumbers)
@click.argument("seed_or_file", metavar="SEED|FILE")
@takes(MapArguments, "of_seed")
@takes(MapOutput, "output")
@takes(CommonArguments, "common", "quiet", "as_json")
def map_command(seed_or_file: str, of_seed: MapArguments, output: MapOutput, common: CommonArguments) -> None:
    """Draw the map of an act from the SEED of a run, as the game generates it.

    A seed is a number, such as 673465884448 or -5, or the text that the game shows, such as AGCK93XT. Digits alone are
    a number; text:1234 is a text. A FILE holds a map as JSON, a message of CommunicationMod, or an autosave of the
    game. The burning elite is marked *.
    """
    from evodom.spire.map import draw_map, map_to_json

    chosen = chosen_map(seed_or_file, of_seed, quiet=common.quiet)
    if common.as_json:
        click.echo(map_to_json(chosen.act_map))
    else:
        click.echo(f"{chosen.title}\n\n{draw_map(chosen.act_map, colour=has_colours())}")
    if output.save:
        draw_picture(chosen, output.save, quiet=common.quiet)


def is_file(word: str) -> bool:
    """Return whether a word is a file name: it has a dot or a slash, which no seed has."""
    return any(sign in word for sign in "./\\")
