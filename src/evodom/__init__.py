"""evodom finds strategies for deck-building games: it evolves them and lets a person play against what it found.

The names below are the way in; each package has more, documented in the same way. docs/python.md is the guide.
"""

from evodom._lazy import attach

TYPE_CHECKING = False  # as typing has it, which takes longer to import than all else before Ctrl-C is looked after
if TYPE_CHECKING:
    from evodom.distribution import Distribution as Distribution
    from evodom.dominion.contract import Dominion as Dominion
    from evodom.dominion.game import DominionGame as DominionGame
    from evodom.dominion.kingdom import Kingdom as Kingdom, parse_kingdom as parse_kingdom
    from evodom.errors import EvodomError as EvodomError, UsageError as UsageError
    from evodom.evolution.algorithm import Evolution as Evolution
    from evodom.evolution.options import Options as Options
    from evodom.matches.tournament import play_match as play_match, play_round_robin as play_round_robin
    from evodom.matches.venue import Venue as Venue

__version__ = "0.1.0"


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "distribution": "Distribution",
        "dominion.contract": "Dominion",
        "dominion.game": "DominionGame",
        "dominion.kingdom": "Kingdom parse_kingdom",
        "errors": "EvodomError UsageError",
        "evolution.algorithm": "Evolution",
        "evolution.options": "Options",
        "matches.tournament": "play_match play_round_robin",
        "matches.venue": "Venue",
    },
)
__all__ += ["__version__"]
