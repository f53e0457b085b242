"""evodom finds strategies for deck-building games: it evolves them and lets a person play against what it found.

The names below are the way in; each package has more, documented in the same way. docs/python.md is the guide.
"""

from evodom._lazy import exports

TYPE_CHECKING = False  # as typing has it, which takes longer to import than all else before Ctrl-C is looked after
if TYPE_CHECKING:
    from evodom.distribution import Distribution
    from evodom.dominion.contract import Dominion
    from evodom.dominion.game import DominionGame
    from evodom.dominion.kingdom import Kingdom, parse_kingdom
    from evodom.errors import EvodomError, UsageError
    from evodom.evolution.algorithm import Evolution
    from evodom.evolution.options import Options
    from evodom.matches.tournament import play_match, play_round_robin
    from evodom.matches.venue import Venue

__version__ = "0.1.0"

__all__ = [
    "Distribution",
    "Dominion",
    "DominionGame",
    "EvodomError",
    "Evolution",
    "Kingdom",
    "Options",
    "UsageError",
    "Venue",
    "__version__",
    "parse_kingdom",
    "play_match",
    "play_round_robin",
]

__getattr__ = exports(
    __name__,
    {
        "distribution": ("Distribution",),
        "dominion.contract": ("Dominion",),
        "dominion.game": ("DominionGame",),
        "dominion.kingdom": ("Kingdom", "parse_kingdom"),
        "errors": ("EvodomError", "UsageError"),
        "evolution.algorithm": ("Evolution",),
        "evolution.options": ("Options",),
        "matches.tournament": ("play_match", "play_round_robin"),
        "matches.venue": ("Venue",),
    },
)
