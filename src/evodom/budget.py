"""Limit, watch and stop long tasks. A `Budget` is a deadline that can be divided among stages.

    budget = Budget.starting_now(60.0)
    learn(budget.part(0.35))              # 35 % of the time that is left
    evolve(budget.part(0.5))              # half of the time that is left then
    for stage in budget.divided([2, 1]):  # two thirds of the rest, then what is left
        measure(stage)

A stage that ends early leaves its time to the stages after it. Time limits use `work_time`, without compile time.
A `Monitor` receives the progress of a task and can stop it.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, ParamSpec

PORTION_SHARE = 0.25
"""Share of the remaining time that the next portion may take. The limit holds even if the pace falls to a third."""

P = ParamSpec("P")

Clock = Callable[[], float]
"""Returns the time in seconds."""


class PausableClock:
    """A clock that stands still in pauses, which may be nested. Call it for the time in seconds."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock, self._depth = clock, 0
        self._skipped_and_since: tuple[float, float | None] = 0.0, None  # replaced in one step: other threads read it

    def __call__(self) -> float:
        skipped, since = self._skipped_and_since
        return (self._clock() if since is None else since) - skipped

    def pause(self) -> None:
        """Begin a pause."""
        self._depth += 1
        if self._depth == 1:
            self._skipped_and_since = self._skipped_and_since[0], self._clock()

    def resume(self) -> None:
        """End a pause."""
        self._depth -= 1
        skipped, since = self._skipped_and_since
        if self._depth == 0 and since is not None:
            self._skipped_and_since = skipped + self._clock() - since, None


work_time = PausableClock()
"""The clock of time limits. It stands still while this process compiles kernels."""


@dataclass(frozen=True)
class Budget:
    """The time from ``began`` to ``ends`` on a clock.

    If ``ends`` is infinite, only counts of games or generations limit the work.
    """

    began: float = 0.0
    ends: float = math.inf
    clock: Clock = work_time

    @classmethod
    def starting_now(cls, seconds: float, clock: Clock = work_time) -> "Budget":
        """Return a budget of ``seconds`` that begins now."""
        now = clock()
        return cls(now, now + seconds, clock)

    @property
    def is_limited(self) -> bool:
        """True if the budget has an end."""
        return self.ends < math.inf

    @property
    def is_over(self) -> bool:
        """True if the budget has an end and no time is left."""
        return self.is_limited and self.clock() >= self.ends

    @property
    def seconds_left(self) -> float:
        """The remaining seconds; infinite without a limit."""
        return max(self.ends - self.clock(), 0.0) if self.is_limited else math.inf

    @property
    def seconds_spent(self) -> float:
        """The seconds since the budget began; 0 without a limit."""
        return self.clock() - self.began if self.is_limited else 0.0

    @property
    def share_spent(self) -> float:
        """The share of the time that is spent, in [0, 1]; 0 without a limit."""
        if not self.is_limited:
            return 0.0
        return min(self.seconds_spent / (self.ends - self.began), 1.0) if self.ends > self.began else 1.0

    def part(self, share: float) -> "Budget":
        """Return a budget of this share of the remaining time. It begins now."""
        return Budget.starting_now(share * self.seconds_left, self.clock) if self.is_limited else self

    def reserving(self, seconds: float, max_share: float) -> "Budget":
        """Return a budget that begins now and reserves ``seconds`` at the end.

        The reserve is at most ``max_share`` of the remaining time.
        """
        if not self.is_limited:
            return self
        left = self.seconds_left
        return Budget.starting_now(left - min(seconds, max_share * left), self.clock)

    def divided(self, weights: Sequence[float]) -> Iterator["Budget"]:
        """Yield one budget per weight. Each is computed when requested, from the time that earlier stages left."""
        for number, weight in enumerate(weights):
            rest = sum(weights[number:])
            yield self.part(weight / rest if rest else 0.0)

    def next_portion(self, n_done: int, min_size: int, max_size: int) -> int:
        """Return the number of units of work to do next, at most ``max_size``, after ``n_done`` units.

        It is a positive multiple of ``min_size``, or ``max_size``. At the average pace so far, the portion takes
        PORTION_SHARE of the remaining time. The rest is a margin for a slower pace. Without a limit, return
        ``max_size``.
        """
        if not self.is_limited:
            return max_size
        fit = PORTION_SHARE * n_done * self.seconds_left / max(self.seconds_spent, 1e-9)
        return min(min_size * max(int(fit / min_size), 1), max_size)

    def portions(self, n: int, min_size: int, max_size: int | None = None) -> Iterator[int]:
        """Yield sizes of portions until ``n`` units are yielded or the time is over.

        Yield at least one portion if ``n`` is positive, even if no time is left. Without a limit, each portion except
        the last has ``max_size`` units, by default all.
        """
        done = 0
        while done < n and not (done and self.is_over):
            portion = min(self.next_portion(done, min_size, min(max_size or n, n)), n - done)
            yield portion
            done += portion


NO_LIMIT = Budget()


class Cancelled(Exception):
    """A monitor stopped a task. The message lists the saved data."""


@dataclass(frozen=True)
class Monitor(Generic[P]):
    """Callbacks of a long task: ``on_progress`` receives how far it is; a true ``should_stop`` ends it."""

    on_progress: Callable[P, object] = lambda *_, **__: None
    should_stop: Callable[[], bool] = lambda: False

    def check(self, message: str = "") -> None:
        """Raise Cancelled with ``message`` if the task should stop."""
        if self.should_stop():
            raise Cancelled(message)
