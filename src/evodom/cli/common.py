"""Output, messages and progress that several commands share."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.api.progress import progress_bar

if TYPE_CHECKING:
    from evodom.presentation.document import Document


def can_print(text: str) -> bool:
    """Return whether stdout's encoding has all characters of a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def command_line(*words: str, data_dir: Path | None) -> str:
    """Return a command quoted for a shell, with --data-dir if a folder was given explicitly."""
    where = ("--data-dir", str(data_dir)) if data_dir else ()
    return shlex.join((*words, *where))


@contextmanager
def solving(*, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show the number of solved states; yield the function that updates it."""
    with progress_bar(quiet=quiet, unit=" states", unit_scale=True) as bar:

        def on_states(n_states: int) -> None:
            bar.update(n_states - bar.n)

        yield on_states


def write_report(document: Document, html: Path | None, folder: Path | None, *, quiet: bool) -> None:
    """Write a document as a page, and its tables into a folder, if they are given. Print their paths on stderr."""
    from evodom.files import write_output
    from evodom.presentation import page
    from evodom.presentation.csv_tables import write_tables

    if html is not None:
        write_output(html, page.render(document))
        if not quiet:
            click.echo(f"Page: {html}", err=True)
    if folder is not None:
        tables = write_tables(document, folder)
        if not quiet:
            click.echo(f"Tables: {len(tables)} files in {folder}", err=True)


def print_report(document: Document, to_json: Callable[[], dict[str, Any]], *, as_json: bool) -> None:
    """Print a document as text or as the JSON of ``to_json``."""
    from evodom.presentation.text import SPARK_BLOCKS, render

    shown = json.dumps(to_json(), indent=2, allow_nan=False) if as_json else None
    click.echo(shown or render(document, block_characters=can_print(SPARK_BLOCKS)))


def write_picture(svg: str, file: Path, *, quiet: bool = False) -> None:
    """Save the SVG of a page as a picture, and print its path on stderr."""
    from evodom.presentation.picture import save_picture

    save_picture(svg, file)
    if not quiet:
        click.echo(f"Picture: {file}", err=True)


class NegativeNumbers(click.Command):
    """A command with numbers as arguments: `-5` is a number, not an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with_value = {name for option in self.params for name in option.opts if not getattr(option, "is_flag", True)}
        before = ["", *args]
        isolated = [(i, word) for i, word in enumerate(args) if before[i] not in with_value]
        values = [i for i, word in isolated if re.fullmatch(r"[^-].*|-\d.*|-", word, re.DOTALL)]
        if "--" not in args:
            rest = [word for i, word in enumerate(args) if i not in values]
            args = [*rest, "--", *(args[i] for i in values)]
        return super().parse_args(ctx, args)
