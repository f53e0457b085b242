"""`evodom serve`: start the local web server, to play and compute in a browser."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated

import click

from evodom.api.progress import ensure_compiled, note_unusable_network
from evodom.cli import INTERRUPTED
from evodom.cli.options import CommonArguments, takes
from evodom.errors import EvodomError, install_advice
from evodom.options import OptionStruct, option

NEEDED = ("starlette", "uvicorn")


class ServeOptions(OptionStruct, frozen=True, kw_only=True):
    """Address of the page."""

    port: Annotated[int, option("--port", "Port; 0 chooses a free port.", ge=0, le=65535)] = 8017
    host: Annotated[
        str,
        option(
            "--host ADDRESS",
            "Address to listen at. With other addresses than the default, everyone who can reach this machine can play "
            "and read all saved data.",
        ),
    ] = "127.0.0.1"
    opening: Annotated[bool, option("--open", "Open the page in the browser.")] = False


@click.command()
@takes(ServeOptions, "options")
@takes(CommonArguments, "common", "quiet", "data_dir")
def serve(options: ServeOptions, common: CommonArguments) -> None:
    """Start a web page on this machine, to play in the browser, ask for advice and start runs. Ctrl-C stops it.

    The page works offline and sends no data. Games are saved as you play. They are shared with evodom play: continue a
    game of either in the other.
    """
    check_installed()
    from evodom.web.guard import is_local
    from evodom.web.server import serve as listen
    from evodom.web.site import Site

    def announce(address: str) -> None:
        if not common.quiet:
            click.echo(f"evodom is at {address} (Ctrl-C stops it)", err=True)
            if not is_local(options.host):
                click.echo("Everyone who can reach this machine can play and read all saved data.", err=True)
        if options.opening:
            click.launch(address)

    store = common.store
    store.remove_leftovers()
    site = Site(store, lambda doing: _prepare(doing, quiet=common.quiet))
    if not listen(site, options.host, options.port, announce):
        click.echo("Stopped. Games are saved.", err=True)
        click.get_current_context().exit(INTERRUPTED)


def check_installed() -> None:
    """Raise EvodomError, in one line, unless the extra `web` is installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EvodomError(f"the page needs {' and '.join(missing)}, not installed: {install_advice('web')}")


def _prepare(doing: Callable[[str], None], *, quiet: bool) -> None:
    """Compile the kernels of games, networks and searching opponents. Call ``doing`` with each step."""
    from evodom.kernel_groups import compile_text, groups_to_compile

    names = ("games", "single games", "networks", "search", "expansions")
    is_compiling = any(map(groups_to_compile, names))
    for name in names:
        doing(compile_text(name) if groups_to_compile(name) else "Loading the engine")
        ensure_compiled(name, quiet=quiet)
    if is_compiling and not quiet:
        click.echo("Ready.", err=True)
    note_unusable_network(quiet=quiet)
