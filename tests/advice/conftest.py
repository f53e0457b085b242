"""Threads to play with, and kingdoms in which it is known what is strong."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.matches.workers import Workers

WITCH_KINGDOM = Kingdom((
    "Bureaucrat", "Chapel", "Council Room", "Gardens", "Laboratory", "Militia", "Remodel", "Smithy", "Village", "Witch",
))  # fmt: skip


@pytest.fixture
def workers():
    with ThreadPoolExecutor(2) as executor:
        yield Workers(executor, 2)
