"""Runs of learning that take less than a second: the same code with small numbers."""

from pathlib import Path
from typing import Any

from evodom.dominion.kingdom import Kingdom
from evodom.learning.run import LearningRuns
from evodom.learning.training import TrainEffort, TrainOptions
from evodom.runs import Run, RunStore
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers
from tests.saved import contents

SEED = 7

EFFORT = TrainEffort(n_checkpoints=3, games_per_iteration=24, ranking_games=8, n_imitation=1, n_lists=8, n_best_lists=2)
RUNS = LearningRuns(EFFORT)

KINGDOM = Kingdom(
    ("Cellar", "Chapel", "Festival", "Market", "Militia", "Moat", "Remodel", "Smithy", "Village", "Workshop")
)

OPTIONS: dict[str, Any] = {"kingdom": KINGDOM, "players": 2, "games": 180, "n_starts": 2}


def begun(key: str, root: Path, workers: Workers | None = None, **changes: Any) -> Run:
    """Return a run that has just been started, open for writing."""
    options = TrainOptions(**(OPTIONS | changes))
    return RUNS.start(key, options, SEED, store=RunStore(root), workers=workers)


def trained(key: str, root: Path, workers: Workers | None = None, **changes: Any) -> list[tuple[Any, ...]]:
    """Train a run to its end and return its contents."""
    with begun(key, root, workers, **changes) as run:
        assert RUNS.carry_on(run, workers, RunMonitor())
    return contents(root, key)
