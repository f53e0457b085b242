"""Runs of learning that take less than a second: the same code with small numbers."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from evodom.dominion.kingdom import Kingdom
from evodom.learning.run import carry_on, start
from evodom.learning.training import TrainOptions
from evodom.options import refusal
from evodom.runs import Run
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers

N_CHECKPOINTS = 3
SEED = 7

SMALL: dict[str, dict[str, Any]] = {
    "learning.run": {"N_CHECKPOINTS": N_CHECKPOINTS},
    "learning.training": {
        "GAMES": range(2, 1_000_000), "N_CHECKPOINTS": N_CHECKPOINTS, "GAMES_PER_ITERATION": 24, "RANKING_GAMES": 8,
        "N_IMITATION": 1, "N_LIST_RIVALS": 2,
    },
    "learning.league": {"N_CANDIDATES": 8, "N_BEST": 2},
}  # fmt: skip

KINGDOM = Kingdom(
    ("Cellar", "Chapel", "Festival", "Market", "Militia", "Moat", "Remodel", "Smithy", "Village", "Workshop")
)

OPTIONS: dict[str, Any] = {"kingdom": KINGDOM, "players": 2, "games": 180, "n_starts": 2}


def shrink(setattr_: Callable[[Any, str, Any], None] = setattr) -> None:
    """Set all numbers of SMALL with a function, such as that of a MonkeyPatch."""
    for module, values in SMALL.items():
        for name, value in values.items():
            setattr_(import_module(f"evodom.{module}"), name, value)
    for module in ("options", "cli.options"):
        setattr_(import_module(f"evodom.{module}"), "refusal", _without_least_games)


def _without_least_games(kind: type[Struct], name: str, value: object) -> str:
    """Allow the command fewer games than it allows otherwise."""
    return "" if (kind.__name__, name) == ("TrainInputs", "games") else refusal(kind, name, value)


def begun(key: str, root: Path, workers: Workers | None = None, **changes: Any) -> Run:
    """Return a run that has just been started, open for writing."""
    options = TrainOptions(**(OPTIONS | changes))
    return start(key, options, SEED, root=root, overwrite=False, workers=workers)


def trained(key: str, root: Path, workers: Workers | None = None, **changes: Any) -> list[tuple[Any, ...]]:
    """Train a run to its end and return its contents."""
    with begun(key, root, workers, **changes) as run:
        assert carry_on(run, workers, RunMonitor())
    return contents(key, root)


def contents(key: str, root: Path) -> list[tuple[Any, ...]]:
    """Return all that a run has saved, byte for byte."""
    with Run.open(key, root=root) as run:
        return [(each.genomes.tobytes(), each.ranking.tolist(), each.summary) for each in run]
