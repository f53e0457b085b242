"""Evolve strategies. Runs of evolution are saved and can be resumed.

- `algorithm` breeds generations, with an ask-and-tell interface. `evaluate` plays one.
- `ranking` ranks a generation by games. `archive` selects the genomes that local search improves, the *lines*.
  `local_search` improves them. `emitters` propose all other genomes; one of them draws decks from a `grammar`.
- `history` has statistics of generations, as rows of a table (`history_of`).
- `islands` evolves several populations that exchange their best genomes.
- `runs` starts and continues a run under a key of a `RunStore` (`start`, `carry_on`), and saves every generation.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution as Evolution, evaluate as evaluate
    from evodom.evolution.archive import Archive as Archive, RankedPopulation as RankedPopulation
    from evodom.evolution.emitters import Emitted as Emitted, Parents as Parents
    from evodom.evolution.history import history_row as history_row
    from evodom.evolution.options import Options as Options
    from evodom.evolution.runs import (
        carry_on as carry_on,
        extend as extend,
        history_of as history_of,
        options_of as options_of,
        start as start,
    )


__getattr__, __dir__ = attach(__name__)
