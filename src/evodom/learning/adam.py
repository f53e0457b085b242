"""Adam, the optimiser: each number moves by the mean of its gradients over the root of the mean of their squares."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8
"""The constants of Kingma and Ba 2015, "Adam: a method for stochastic optimization"."""

Vector = npt.NDArray[np.float32]


@dataclass
class Adam:
    """The state of the optimiser of one vector of float32: means of gradients and of their squares, and steps done."""

    mean: Vector
    square: Vector
    n_steps: int = field(default=0)

    @classmethod
    def of(cls, weights: Vector) -> "Adam":
        """Return the state before the first step."""
        return cls(np.zeros_like(weights), np.zeros_like(weights))

    def step(self, weights: Vector, gradient: Vector, rate: float) -> None:
        """Change ``weights`` in place by one step against ``gradient``; ``rate`` is the learning rate."""
        self.n_steps += 1
        self.mean += np.float32(1.0 - MEAN_DECAY) * (gradient - self.mean)
        self.square += np.float32(1.0 - SQUARE_DECAY) * (gradient * gradient - self.square)
        mean_left, square_left = 1.0 - MEAN_DECAY**self.n_steps, 1.0 - SQUARE_DECAY**self.n_steps
        scale = np.sqrt(self.square * np.float32(1.0 / square_left)) + np.float32(EPSILON)
        weights -= np.float32(rate / mean_left) * self.mean / scale
