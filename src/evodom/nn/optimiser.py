"""Adam and its saved state, and exponential schedules of the learning rate and the entropy bonus."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8
"""Constants of Kingma and Ba 2015, "Adam: a method for stochastic optimization"."""

Vector = npt.NDArray[np.float32]


@dataclass
class Adam:
    """State of the optimiser of a float32 vector: means of gradients and of squared gradients, number of steps."""

    mean: Vector
    square: Vector
    n_steps: int = field(default=0)

    @classmethod
    def of(cls, weights: Vector) -> "Adam":
        """Return the state before the first step."""
        return cls(np.zeros_like(weights), np.zeros_like(weights))

    @classmethod
    def restored(cls, saved: Any) -> "Adam":
        """Return the state saved in a record with `learner_fields`."""
        return cls(np.array(saved["mean"]), np.array(saved["square"]), int(saved["n_steps"]))

    def save(self, weights: Vector, saved: Any) -> None:
        """Write ``weights`` and the state into a record with `learner_fields`."""
        saved["weights"], saved["mean"], saved["square"] = weights, self.mean, self.square
        saved["n_steps"] = self.n_steps

    def step(self, weights: Vector, gradient: Vector, learning_rate: float) -> None:
        """Change ``weights`` in place by one step against ``gradient``, with learning rate ``learning_rate``."""
        self.n_steps += 1
        self.mean += np.float32(1.0 - MEAN_DECAY) * (gradient - self.mean)
        self.square += np.float32(1.0 - SQUARE_DECAY) * (gradient * gradient - self.square)
        mean_correction, square_correction = 1.0 - MEAN_DECAY**self.n_steps, 1.0 - SQUARE_DECAY**self.n_steps
        scale = np.sqrt(self.square * np.float32(1.0 / square_correction)) + np.float32(EPSILON)
        weights -= np.float32(learning_rate / mean_correction) * self.mean / scale


def learner_fields(n: int) -> list[Any]:
    """Return the dtype fields for ``n`` float32 weights and the state of their optimiser."""
    return [*((name, "<f4", (n,)) for name in ("weights", "mean", "square")), ("n_steps", "<i8")]


def are_learners_bounded(saved: Any, largest: float) -> bool:
    """Return whether no absolute value in saved learners exceeds ``largest``, and no square or step is negative."""
    numbers = [saved[name] for name in ("weights", "mean", "square")]
    return all(bool((np.abs(array) <= largest).all()) for array in numbers) and bool(
        (saved["square"] >= 0).all() and (saved["n_steps"] >= 0).all()
    )


Endpoints = tuple[float, float]
"""First and last value of an exponential schedule."""


def exponential_decay(endpoints: Endpoints, share_done: float) -> float:
    """Return the value of a schedule at the share ``share_done`` (0 to 1)."""
    first, last = endpoints
    return float(first * (last / first) ** share_done)


@dataclass(frozen=True)
class Schedule:
    """Exponential schedules of the learning rate and the entropy bonus."""

    learning_rate: Endpoints
    entropy_bonus: Endpoints

    def with_lower_start(self, share: float) -> "Schedule":
        """Return the schedule with its first rate multiplied by ``share``, but not below the last rate."""
        first, last = self.learning_rate
        return Schedule((max(first * share, last), last), self.entropy_bonus)

    def at(self, share_done: float) -> tuple[float, float]:
        """Return the learning rate and the entropy bonus at the share ``share_done`` (0 to 1)."""
        return exponential_decay(self.learning_rate, share_done), exponential_decay(self.entropy_bonus, share_done)
