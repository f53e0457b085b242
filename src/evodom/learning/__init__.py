"""Learn strategies: networks that play, look back at their games, and become better at them.

`start` begins a run under a key and `carry_on` continues it; both save every checkpoint, and `learned` reads the best
networks of one. A `Learner` is one network in training, and a `League` is whom it plays against. `GeneralLearner`
trains the network of all kingdoms. docs/learning.md tells how they learn.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.budget import Monitor
    from evodom.learning.general import GeneralLearner, Schedule
    from evodom.learning.league import League
    from evodom.learning.optimiser import Adam
    from evodom.learning.options import TrainOptions
    from evodom.learning.ppo import Experience, Learner, new_weights
    from evodom.learning.run import carry_on, is_learned, learned, options_of, start
    from evodom.learning.shipped import preferred_weights, shipped_weights

__all__ = [
    "Adam",
    "Experience",
    "GeneralLearner",
    "League",
    "Learner",
    "Monitor",
    "Schedule",
    "TrainOptions",
    "carry_on",
    "is_learned",
    "learned",
    "new_weights",
    "options_of",
    "preferred_weights",
    "shipped_weights",
    "start",
]

__getattr__ = exports(
    __name__,
    {
        "optimiser": ("Adam",),
        "general": ("GeneralLearner", "Schedule"),
        "league": ("League",),
        "ppo": ("Experience", "Learner", "new_weights"),
        "options": ("TrainOptions",),
        "run": ("carry_on", "is_learned", "learned", "options_of", "start"),
        "shipped": ("preferred_weights", "shipped_weights"),
        ".budget": ("Monitor",),
    },
)
