"""`evodom serve`: the page on this machine, to play in a browser."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated

import click

from evodom.cli import INTERRUPTED
from evodom.cli.common import ensure_compiled, note_unusable_network
from evodom.cli.options import CommonArguments, takes
from evodom.errors import EvodomError, install_advice
from evodom.options import OptionStruct, option

PORT = 8017
NEEDED = ("starlette", "uvicorn")


class ServeOptions(OptionStruct, frozen=True, kw_only=True):
    """The address of the page."""

    port: Annotated[int, option("--port", "Port; 0 is any free one.", ge=0, le=65535)] = PORT
    host: Annotated[
        str,
        option(
            "--host",
            "Address to listen at. With another than the default, whoever can reach this machine can play, and sees "
            "what is saved.",
            metavar="ADDRESS",
        ),
    ] = "127.0.0.1"
    opening: Annotated[bool, option("--open", "Open the page in the browser.")] = False


@click.command()
@takes(ServeOptions, "options")
@takes(CommonArguments, "common", "quiet", "data_dir")
def serve(options: ServeOptions, common: CommonArguments) -> None:
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
        if not common.quiet:
            click.echo(f"evodom is at {address} (Ctrl-C ends it)", err=True)
            if not is_local(options.host):
                click.echo("Whoever can reach this machine can play, and sees what is saved.", err=True)
        if options.opening:
            click.launch(address)

    root = store.data_dir(common.data_dir)
    store.remove_leftovers(root)
    site = Site(root, lambda doing: _prepare(doing, quiet=common.quiet))
    if not listen(site, options.host, options.port, tell):
        click.echo("Stopped. Games are saved.", err=True)
        click.get_current_context().exit(INTERRUPTED)


def check_installed() -> None:
    """Raise EvodomError, in one line, unless the extra `web` is installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EvodomError(f"the page needs {' and '.join(missing)}, not installed: {install_advice('web')}")


def _prepare(doing: Callable[[str], None], *, quiet: bool) -> None:
    """Compile the kernels of games, networks and searching opponents. Call ``doing`` with each step."""
    from evodom.jit.groups import GROUPS, groups_to_compile

    for name in ("games", "networks", "thinking"):
        text = GROUPS[name].text
        doing(f"Compiling {text}, once for this version" if groups_to_compile(name) else "Loading the engine")
        ensure_compiled(name, quiet=quiet)
    note_unusable_network(quiet=quiet)
