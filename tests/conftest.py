"""Settings shared by all tests."""

import re
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import settings

from evodom.dominion.cards import find_card, is_card
from evodom.jit.groups import GROUPS, compile_groups, groups_to_compile
from evodom.jit.kernel import COMPILED
from evodom.runs import RunStore
from evodom.tasks import Workers
from tests.effort import effort
from tests.web.browser import browser

# Derandomized, so that a run is the same everywhere.
settings.register_profile("evodom", deadline=None, derandomize=True, database=None, max_examples=effort(30, 10, 5))
settings.load_profile("evodom")

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


@pytest.fixture
def workers():
    """Return workers of one thread."""
    with ThreadPoolExecutor(1) as executor:
        yield Workers(executor, 1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the transcripts of the documents, and the option for the tests of a card."""
    parser.addoption("--write-transcripts", action="store_true", help="Write the commands' output into the documents.")
    parser.addoption("--card", help="Run the tests with an argument that names this card, and those marked cards.")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--card`` keep the tests of the card."""
    if not (name := config.getoption("card")):
        return
    if not is_card(name):
        raise pytest.UsageError(f"no card named {name!r}")
    named = re.compile(rf"\b{re.escape(find_card(name).name)}\b")
    kept = [
        item
        for item in items
        if item.get_closest_marker("cards") or (hasattr(item, "callspec") and named.search(repr(item.callspec.params)))
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


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
