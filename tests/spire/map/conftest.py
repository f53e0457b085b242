"""Maps that tests look at."""

from pathlib import Path

import pytest

MAPS = Path(__file__).parent.parent.parent / "data" / "maps"


@pytest.fixture
def notebook_map():
    """The first act of seed 673465884448, from its file."""
    from evodom.spire.map import read_map

    return read_map(MAPS / "673465884448_Act1.json")
