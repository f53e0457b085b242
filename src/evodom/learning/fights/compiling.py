"""What learning from fights needs compiled beside what plays them."""

import numpy as np

from evodom.learning.fights.experience import TrainingData
from evodom.learning.fights.learner import FightLearner
from evodom.spire.play.network import OTHER, FeatureSpec, new_network


def compile_learning() -> None:
    """Compile the gradient, or see that the cache has it."""
    learner = FightLearner(new_network(FeatureSpec(("energy",), (1.0,), (OTHER,)), 8, np.random.default_rng(0)))
    one = np.zeros((1, 1), np.float32)
    learner.gradient(
        learner.positions(TrainingData(one, one, np.zeros((1, 2), np.float32))), np.zeros(1, np.int64), (1.0, 1.0, 1.0)
    )
