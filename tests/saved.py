"""What a run has saved, to compare."""

from pathlib import Path
from typing import Any

from evodom.runs import Run


def contents(root: Path, key: str) -> list[Any]:
    """Return all that the generations of a run hold."""
    with Run.open(key, root=root) as run:
        return [(each.genomes.tobytes(), each.ranking.tolist(), each.summary) for each in run]
