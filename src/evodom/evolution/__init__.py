"""Evolve strategies: the genetic algorithm, the race against rivals, and runs that are saved and can be resumed.

`Evolution` is the algorithm alone, with ask and tell; `evodom.evolution.islands` has several populations that exchange
their best. `start` begins a run under a key and `carry_on` continues it;
both save every generation. `evodom.evolution.runs` reads the best strategies of a saved run.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution
    from evodom.evolution.options import Options
    from evodom.evolution.runs import carry_on, extend, options_of, start
    from evodom.evolution.selection import evaluate

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
        "selection": ("evaluate",),
        "options": ("Options",),
        "runs": ("options_of", "carry_on", "extend", "start"),
    },
)
