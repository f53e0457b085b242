"""`evodom serve`: the page on this machine, to play in a browser."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import (
    data_dir_option,
    ensure_compiled,
    note_unusable_network,
    quiet_option,
)
from evodom.errors import EvodomError, install_advice

PORT = 8017
NEEDED = ("starlette", "uvicorn")


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Port; 0 is any free one.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen at. With another than the default, whoever can reach this machine can play, and sees what "
    "is saved.",
)
@click.option("--open", "opening", is_flag=True, help="Open the page in the browser.")
@quiet_option
@data_dir_option
def serve(port: int, host: str, opening: bool, quiet: bool, data_dir: Path | None) -> None:
    """Open a page on this machine to play Dominion in the browser, until Ctrl-C.

    Nothing leaves this machine, and nothing is loaded from elsewhere. Games are saved as you play, and are those of
    evodom play: what is begun in one goes on in the other.
    """
    check_installed()
    from evodom import runs as store
    from evodom.web.guard import is_local
    from evodom.web.server import serve as listen
    from evodom.web.site import Site

    def tell(address: str) -> None:
        if not quiet:
            click.echo(f"evodom is at {address} (Ctrl-C ends it)", err=True)
            if not is_local(host):
                click.echo("Whoever can reach this machine can play, and sees what is saved.", err=True)
        if opening:
            click.launch(address)

    root = store.data_dir(data_dir)
    store.remove_leftovers(root)
    site = Site(root, lambda doing: _prepare(doing, quiet=quiet))
    if not listen(site, host, port, tell):
        click.echo("Stopped. Games are saved.", err=True)
        click.get_current_context().exit(INTERRUPTED)


def check_installed() -> None:
    """Raise EvodomError, in one line, unless the extra `web` is installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EvodomError(f"the page needs {' and '.join(missing)}, not installed: {install_advice('web')}")


def _prepare(doing: Callable[[str], None], *, quiet: bool) -> None:
    """Compile all that a game can need, and say what; later nobody waits for it."""
    from evodom.jit.groups import GROUPS, groups_to_compile

    for name in ("games", "networks", "thinking"):
        text = GROUPS[name].text
        doing(f"Compiling {text}, once for this version" if groups_to_compile(name) else "Loading the engine")
        ensure_compiled(name, quiet=quiet)
    note_unusable_network(quiet=quiet)
