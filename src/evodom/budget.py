"""Time limits: a `Budget` is measured while a search runs, and divided among its stages.

    budget = Budget.of(60.0)
    learn(budget.part(0.35))           # at most 35 % of the time
    evolve(budget.part(0.5))           # at most half of the time that is left then
    for stage in budget.each([2, 1]):  # all that is left, two parts and one
        measure(stage)

A stage that ends early leaves its time to the stages after it. Kernels are compiled before a budget begins.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

NEXT = 0.25
"""The share of the time left that the next portion of work takes: a threefold slower pace still keeps the limit."""

Clock = Callable[[], float]
"""Returns the time in seconds."""


@dataclass(frozen=True)
class Budget:
    """The time from ``began`` to ``ends`` on a clock. Without an end the work is limited by counts alone."""

    began: float = 0.0
    ends: float = math.inf
    clock: Clock = time.monotonic

    @classmethod
    def of(cls, seconds: float, clock: Clock = time.monotonic) -> "Budget":
        """Return a budget of ``seconds`` that begins now."""
        now = clock()
        return cls(now, now + seconds, clock)

    @property
    def is_limited(self) -> bool:
        """True if the budget has an end."""
        return self.ends < math.inf

    @property
    def is_over(self) -> bool:
        """True if no time is left."""
        return self.is_limited and self.clock() >= self.ends

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(self.ends - self.clock(), 0.0) if self.is_limited else math.inf

    @property
    def spent(self) -> float:
        """The seconds since the budget began; 0 without a limit."""
        return self.clock() - self.began if self.is_limited else 0.0

    @property
    def used(self) -> float:
        """The share of the time that is used, in [0, 1]; 0 without a limit."""
        if not self.is_limited:
            return 0.0
        return min(self.spent / (self.ends - self.began), 1.0) if self.ends > self.began else 1.0

    def part(self, share: float) -> "Budget":
        """Return a budget that begins now, of a share of the time that is left."""
        return Budget.of(share * self.left, self.clock) if self.is_limited else self

    def keeping(self, seconds: float, most: float) -> "Budget":
        """Return a budget that begins now and keeps ``seconds`` for later, at most a share ``most`` of what is left."""
        if not self.is_limited:
            return self
        left = self.left
        return Budget.of(left - min(seconds, most * left), self.clock)

    def each(self, weights: Sequence[float]) -> Iterator["Budget"]:
        """Yield a budget for each weight: its part of the time that is left once the budget before it is done with."""
        for number, weight in enumerate(weights):
            rest = sum(weights[number:])
            yield self.part(weight / rest if rest else 0.0)

    def fitting(self, done: int, least: int, most: int) -> int:
        """Return how many units of work to do next, in multiples of ``least`` up to ``most``.

        They take NEXT of the time that is left at the pace of the ``done`` units since the budget began. The rest
        allows for a pace that falls. Without a limit it is ``most``.
        """
        if not self.is_limited:
            return most
        fit = NEXT * done * self.left / max(self.spent, 1e-9)
        return min(least * max(int(fit / least), 1), most)

    def portions(self, n: int, least: int, most: int | None = None) -> Iterator[int]:
        """Yield the sizes of portions of ``n`` units, to be done one after another until the time is over.

        Yield at least one portion if ``n`` is positive, even if no time is left. Without a limit, each portion except
        the last has ``most`` units, by default all.
        """
        done = 0
        while done < n and not (done and self.is_over):
            portion = min(self.fitting(done, least, min(most or n, n)), n - done)
            yield portion
            done += portion


NO_LIMIT = Budget()
