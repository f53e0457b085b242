"""Evolve strategies: the genetic algorithm, the race against rivals, and runs that are saved and can be resumed.

`Evolution` is the algorithm alone, with ask and tell; `evodom.evolution.islands` has several populations that exchange
their best. `start` begins a run under a key and `carry_on` continues it;
both save every generation. `evodom.evolution.champions` reads the best strategies of a saved run.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution
    from evodom.evolution.evaluation import evaluate
    from evodom.evolution.options import Options
    from evodom.evolution.reading import options_of
    from evodom.evolution.run import carry_on, extend, start

__all__ = [
    "Evolution",
    "Options",
    "carry_on",
    "evaluate",
    "extend",
    "options_of",
    "start",
]

__getattr__ = exports(
    __name__,
    {
        "algorithm": ("Evolution",),
        "evaluation": ("evaluate",),
        "options": ("Options",),
        "reading": ("options_of",),
        "run": ("carry_on", "extend", "start"),
    },
)
