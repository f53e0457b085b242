"""Settings shared by all tests."""

import re
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any

import pytest
from hypothesis import settings

from evodom.dominion.cards import find_card, is_card
from evodom.dominion.strategies.models.networks import shipped as dominion_networks
from evodom.jit.kernel import COMPILED
from evodom.kernel_groups import GROUPS, compile_groups, groups_to_compile
from evodom.runs import RunStore
from evodom.spire.embedding import hypernetwork as fight_networks
from evodom.tasks import Workers
from tests import effort
from tests.web.browser import browser

# Keep the bytecode of rewritten assertions: without it every process rewrites all tests, which takes 20 seconds.
sys.dont_write_bytecode = False


# A shell starts what runs in the background with Ctrl-C ignored, and the programs that tests start and interrupt would
# inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def store(tmp_path):
    """Return the store of the runs in the test's folder."""
    return RunStore(tmp_path)


@pytest.fixture(scope="session")
def chromium():
    """Return the browser of this process: Playwright allows only one."""
    with browser() as found:
        yield found


@pytest.fixture(scope="session")
def workers():
    """Return workers of two threads."""
    with ThreadPoolExecutor(2) as executor:
        yield Workers(executor, 2)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a folder in which the shipped networks are looked for."""
    monkeypatch.setattr(resources, "files", lambda name: tmp_path)
    for shipped in (dominion_networks.shipped, fight_networks.shipped):
        shipped.cache_clear()
    yield tmp_path
    for shipped in (dominion_networks.shipped, fight_networks.shipped):
        shipped.cache_clear()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options: for all tests, for the transcripts of the documents, and for the tests of a card."""
    parser.addoption("--full", action="store_true", help="Run all tests in full volume, also those marked full.")
    parser.addoption("--write-transcripts", action="store_true", help="Write the commands' output into the documents.")
    parser.addoption("--card", help="Run the tests with an argument that names this card, and those marked cards.")


def pytest_configure(config: pytest.Config) -> None:
    """Set the volume of tests. Hypothesis is derandomized: each run has the same examples."""
    effort.is_full = config.getoption("full")
    n_examples = effort.effort(30, 3, 3)
    settings.register_profile("evodom", deadline=None, derandomize=True, database=None, max_examples=n_examples)
    settings.load_profile("evodom")


def keep(config: pytest.Config, items: list[pytest.Item], is_kept: Callable[[pytest.Item], object]) -> None:
    """Deselect the other tests."""
    config.hook.pytest_deselected(items=[item for item in items if not is_kept(item)])
    items[:] = filter(is_kept, items)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without ``--full`` leave out the tests marked full. With ``--card`` keep the tests of the card."""
    if not config.getoption("full"):
        keep(config, items, lambda item: not item.get_closest_marker("full"))
    if not (name := config.getoption("card")):
        return
    if not is_card(name):
        raise pytest.UsageError(f"no card named {name!r}")
    named = re.compile(rf"\b{re.escape(find_card(name).name)}\b")

    def is_of_card(item: pytest.Item) -> bool:
        parameters = repr(item.callspec.params) if hasattr(item, "callspec") else ""
        return bool(item.get_closest_marker("cards") or named.search(parameters))

    keep(config, items, is_of_card)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print that tests were left out."""
    if not config.getoption("full"):
        terminalreporter.write_line("Tests marked full were left out, others had a tenth of their volume: see --full.")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before a run of the whole suite in several processes, which would each compile them."""
    is_worker = hasattr(session.config, "workerinput")
    is_whole_suite = session.config.args_source == pytest.Config.ArgsSource.TESTPATHS
    has_workers = getattr(session.config.option, "numprocesses", 0)
    if COMPILED and is_whole_suite and has_workers and not is_worker and not session.config.option.collectonly:
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        if groups_to_compile(*GROUPS):
            terminal.write_line("Compiling all kernels, once for this version ...")
        compile_groups(*GROUPS)
