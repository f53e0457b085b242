"""What every run notes of itself, however its strategies were found: settings, seed, time, versions."""

from datetime import UTC, datetime
from typing import Any

from evodom import __version__
from evodom.errors import RunError
from evodom.store.runs import Run


def new_meta(options: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the meta of a run that begins now; ``options`` are its settings as plain JSON types."""
    from importlib.metadata import version

    return {
        "options": options,
        "seed": seed,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"evodom": __version__, "numpy": version("numpy"), "numba": version("numba")},
    }


def seed_of(run: Run) -> int:
    """Return the seed of a run; raise RunError if the file holds none."""
    seed = run.meta.get("seed")
    if not isinstance(seed, int) or seed < 0:
        raise RunError(f"run '{run.key}' holds no seed ({seed!r}). Delete it, or make it anew.")
    return seed
