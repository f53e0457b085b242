"""A small run of learning, and threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.tasks import Workers
from tests.learning.small import trained


@pytest.fixture(scope="session")
def reference(tmp_path_factory):
    """Return a folder with the run `whole`, trained in one go by one thread, and its contents."""
    root = tmp_path_factory.mktemp("learned")
    return root, trained("whole", root)


@pytest.fixture
def thread_pool():
    with ThreadPoolExecutor(3) as executor:
        yield Workers(executor, 3)
