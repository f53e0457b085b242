"""Settings shared by all tests."""

import signal

import pytest
from hypothesis import settings

from evodom.jit.groups import GROUPS, compile_groups, groups_to_compile
from evodom.jit.kernel import COMPILED
from evodom.runs import RunStore
from tests.effort import effort

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


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the transcripts of the documents."""
    parser.addoption("--write-transcripts", action="store_true", help="Write the commands' output into the documents.")


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
