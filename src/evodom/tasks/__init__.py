"""Pure tasks and who does them: this process, processes of this machine, or the workers of a cluster.

A task is a function of a module that takes bytes and returns bytes, which depend on the bytes it got alone. So it does
not matter who does it, or how often: an `Executor` gives the results in the order of the jobs, and repeats what was
lost when a process or a machine died.

>>> from evodom.tasks import Here
>>> Here().map(bytes.upper, [b"one", b"two"])
[b'ONE', b'TWO']
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

Task: TypeAlias = "Callable[[bytes], bytes]"
"""A function that can be imported by its name, and whose result follows from its argument."""

OnDone: TypeAlias = "Callable[[int], object]"
"""Is told the number of a job that was done."""


def nobody(number: int) -> None:
    """Tell nobody that a job was done."""


class Executor(Protocol):
    """Who does tasks. ``n`` says about how many are done at once."""

    @property
    def n(self) -> int: ...

    @property
    def is_remote(self) -> bool:
        """True if the tasks are done on other machines, so that more than islands is worth sending."""
        ...

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = nobody) -> list[bytes]:
        """Do a task for each of the jobs and return the results in their order.

        ``on_done`` is called as they come in, in any order. Raises what the task raised, and EvodomError where nobody
        is left to do it.
        """
        ...


class Here:
    """Does the tasks one after the other, in this process."""

    n = 1
    is_remote = False

    def map(self, task: Task, jobs: Sequence[bytes], on_done: OnDone = nobody) -> list[bytes]:
        """Do a task for each of the jobs and return the results in their order."""
        results = []
        for number, job in enumerate(jobs):
            results.append(task(job))
            on_done(number)
        return results
