"""Adam, the fields of saved learners, and the schedules of the learning rate and the entropy bonus."""

from dataclasses import dataclass, field
from typing import Any

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

    @classmethod
    def restored(cls, saved: Any) -> "Adam":
        """Return the state in a record with `learner_fields`."""
        return cls(np.array(saved["mean"]), np.array(saved["square"]), int(saved["n_steps"]))

    def save(self, weights: Vector, saved: Any) -> None:
        """Write ``weights`` and the state into a record with `learner_fields`."""
        saved["weights"], saved["mean"], saved["square"] = weights, self.mean, self.square
        saved["n_steps"] = self.n_steps

    def step(self, weights: Vector, gradient: Vector, rate: float) -> None:
        """Change ``weights`` in place by one step against ``gradient``; ``rate`` is the learning rate."""
        self.n_steps += 1
        self.mean += np.float32(1.0 - MEAN_DECAY) * (gradient - self.mean)
        self.square += np.float32(1.0 - SQUARE_DECAY) * (gradient * gradient - self.square)
        mean_left, square_left = 1.0 - MEAN_DECAY**self.n_steps, 1.0 - SQUARE_DECAY**self.n_steps
        scale = np.sqrt(self.square * np.float32(1.0 / square_left)) + np.float32(EPSILON)
        weights -= np.float32(rate / mean_left) * self.mean / scale


def learner_fields(n: int) -> list[Any]:
    """Return the fields of a record that holds ``n`` float32 weights and the state of their optimiser."""
    return [*((name, "<f4", (n,)) for name in ("weights", "mean", "square")), ("n_steps", "<i8")]


def are_bounded(saved: Any, largest: float) -> bool:
    """Return whether no number of saved learners exceeds ``largest``, and squares and steps are not negative."""
    numbers = [saved[name] for name in ("weights", "mean", "square")]
    return all(bool((np.abs(one) <= largest).all()) for one in numbers) and bool(
        (saved["square"] >= 0).all() and (saved["n_steps"] >= 0).all()
    )


Ends = tuple[float, float]
"""A first and a last value; from one to the other it falls by equal factors."""


def exponential_decay(ends: Ends, done: float) -> float:
    """Return the value between a first and a last one when so much is done, from 0 to 1."""
    first, last = ends
    return float(first * (last / first) ** done)


@dataclass(frozen=True)
class Schedule:
    """The learning rate and the entropy bonus, which fall from a first to a last value."""

    rate: Ends
    entropy: Ends

    def with_lower_start(self, share: float) -> "Schedule":
        """Return the same with a first rate that is lower by a factor, but no lower than the last."""
        first, last = self.rate
        return Schedule((max(first * share, last), last), self.entropy)

    def at(self, done: float) -> tuple[float, float]:
        """Return the learning rate and the entropy bonus when so much is done, from 0 to 1."""
        return exponential_decay(self.rate, done), exponential_decay(self.entropy, done)
