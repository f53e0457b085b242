"""Find strategies for deck-building games by evolution and learning, and play against them.

The names below are the main interface. Each package documents more names. docs/guide/python.md is the guide.
"""

from evodom._lazy import attach

TYPE_CHECKING = False  # typing is not imported: it would delay the handling of Ctrl-C most
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
    from evodom.runs import RunStore as RunStore

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
        "runs": "RunStore",
    },
)
__all__ += ["__version__"]
