"""Find strategies for deck-building games by evolution and learning, and play against them.

The names below are the main interface, in one level: kingdoms, games, strategies, and a function for each task. Each
package documents more names. docs/guide/python.md is the guide.
"""

from evodom._lazy import attach

TYPE_CHECKING = False  # typing is not imported: it would delay the handling of Ctrl-C most
if TYPE_CHECKING:
    from evodom.api.advice import KingdomAdvice as KingdomAdvice, advise as advise
    from evodom.api.compare import ComparisonResult as ComparisonResult, compare as compare
    from evodom.api.contests import ContestResult as ContestResult, play_match as play_match, tournament as tournament
    from evodom.api.history import RunHistory as RunHistory
    from evodom.api.runs import RunResult as RunResult, evolve as evolve, train as train
    from evodom.api.strategies import NamedStrategy as NamedStrategy, find_strategy as find_strategy
    from evodom.distribution import Distribution as Distribution
    from evodom.dominion.contract import Dominion as Dominion
    from evodom.dominion.game import DominionGame as DominionGame
    from evodom.dominion.kingdom import Kingdom as Kingdom, parse_kingdom as parse_kingdom
    from evodom.errors import AgentError as AgentError, EvodomError as EvodomError, UsageError as UsageError
    from evodom.evolution.algorithm import Evolution as Evolution
    from evodom.evolution.options import Options as Options
    from evodom.learning.training import TrainOptions as TrainOptions
    from evodom.runs import RunStore as RunStore
    from evodom.solving import solve as solve
    from evodom.spire.engine.game import SpireFight as SpireFight

__version__ = "0.1.0"


__getattr__, __dir__ = attach(__name__)
