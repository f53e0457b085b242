"""Train networks for Dominion by self-play: saved runs for one kingdom, and the network of all kingdoms.

`start` begins a run under a key and `carry_on` continues it. Both save every checkpoint. A run trains one or more
*starts*: networks with different initial weights. The best remain. `learned` returns the best networks of a run.
A `Learner` is one network in training, and a `League` holds its opponents. docs/reference/learning.md describes the
methods.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.budget import Monitor as Monitor

    from evodom.learning.league import League as League
    from evodom.learning.ppo import Learner as Learner, Rollouts as Rollouts, new_weights as new_weights
    from evodom.learning.run import (
        carry_on as carry_on,
        is_learned as is_learned,
        learned as learned,
        options_of as options_of,
        start as start,
    )
    from evodom.learning.training import TrainOptions as TrainOptions
    from evodom.nn.optimiser import Adam as Adam


__getattr__, __dir__ = attach(__name__)
