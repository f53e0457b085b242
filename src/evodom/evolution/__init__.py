"""Evolve strategies: the genetic algorithm, its race against rivals, and runs that are saved and can be resumed.

`Evolution` is the algorithm alone, with an ask-and-tell interface. `evodom.evolution.islands` evolves several
populations that exchange their best. `start` begins a run under a key of a `RunStore` and `carry_on` continues it. Both
save every generation. `evodom.evolution.runs` returns the best strategies of a saved run.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution as Evolution, RankedPopulation as RankedPopulation
    from evodom.evolution.options import Options as Options
    from evodom.evolution.runs import carry_on as carry_on, extend as extend, options_of as options_of, start as start
    from evodom.evolution.algorithm import evaluate as evaluate


__getattr__, __dir__ = attach(__name__)
