"""Settings shared by all tests."""

import pytest
from hypothesis import settings

from evodom.kernel import COMPILED
from evodom.learning.compiling import compile_learning
from evodom.matches.compiling import compile_dominion

# Derandomized, so that a run is the same everywhere; plain Python gets a few examples only.
settings.register_profile("evodom", deadline=None, derandomize=True, database=None, max_examples=60 if COMPILED else 10)
settings.load_profile("evodom")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before a run of the whole suite, so that its workers do not all do it at once."""
    is_worker = hasattr(session.config, "workerinput")
    is_whole_suite = session.config.args_source == pytest.Config.ArgsSource.TESTPATHS
    if COMPILED and is_whole_suite and not is_worker and not session.config.option.collectonly:
        compile_dominion()
        compile_learning()
