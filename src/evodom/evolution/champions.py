"""The strongest strategies of a saved run."""

from typing import Any

import numpy.typing as npt

from evodom.evolution.genome import strategies_of
from evodom.evolution.run import options_of
from evodom.store import Generation, Run


def champions(run: Run, n: int, generation: Generation | None = None) -> npt.NDArray[Any]:
    """Return the ``n`` best strategies of a generation (the last one by default), best first, as STRATEGY records."""
    chosen = generation or run.last()
    return strategies_of(chosen.genomes[chosen.ranking[:n]], options_of(run))
