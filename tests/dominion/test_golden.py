"""A whole game goes as it always went."""

import pytest

from tests.dominion.golden import GOLDEN_FILE, golden_text


@pytest.mark.uncompiled
def test_the_golden_game_is_played_move_by_move_as_written():
    assert golden_text() == GOLDEN_FILE.read_text()
