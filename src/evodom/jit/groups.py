"""Groups of kernels that commands compile at their first start, once for each version of the package.

A group has one or two tasks: functions that compile kernels, or load them from the cache. Two tasks run in parallel, in
two processes. They share few kernels, so that neither waits for results of the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from evodom.jit.kernel import compile_in_parallel, mark_compiled, needs_compiling

Task = Callable[[], None]


@dataclass(frozen=True)
class KernelGroup:
    """A group: its description for users, and its tasks as "module:function"."""

    text: str
    tasks: tuple[str, ...]
    uncached: int = 2
    """Number of tasks to run without a cache. A command compiles the rest when it needs it."""
    is_timed: bool = False
    """True if kernels are loaded before a command begins, because their callers have time limits."""


_SPIRE_ENGINE = "evodom.spire.engine.game:compile_engine"

GROUPS = {
    "games": KernelGroup(
        "the engine (about 15 s)",
        ("evodom.matches.simulate:compile_games", "evodom.matches.simulate:compile_others"),
        uncached=1,
    ),
    "networks": KernelGroup("networks (about 5 s)", ("evodom.matches.simulate:compile_networks",)),
    "thinking": KernelGroup(
        "the search (about 10 s)", ("evodom.matches.playout_search:compile_playouts",), is_timed=True
    ),
    "learning": KernelGroup(
        "what learning needs (about 10 s)",
        ("evodom.learning.ppo:compile_play", "evodom.learning.ppo:compile_demonstrations"),
    ),
    "imitation": KernelGroup(
        "what imitation of strategies needs (about 7 s)", ("evodom.learning.ppo:compile_demonstrations",)
    ),
    "fights": KernelGroup("the fights (about 20 s)", ("evodom.spire.play.searcher:compile_search", _SPIRE_ENGINE)),
    "solver": KernelGroup(
        "the solver of fights (about 20 s)", ("evodom.spire.solver.solver:compile_solver", _SPIRE_ENGINE)
    ),
    "fight-learning": KernelGroup(
        "what learning needs (about 3 s)", ("evodom.learning.fights.learner:compile_gradient",)
    ),
}
"""All groups by name. "games" comes before the groups of Dominion that follow, "fights" before "fight-learning"."""


def compile_group(name: str, *, cached: bool = True) -> None:
    """Compile the kernels of a group, or load them from the cache, and mark the group as compiled."""
    group = GROUPS[name]
    first, *others = map(_task, group.tasks if cached else group.tasks[: group.uncached])
    if others:
        compile_in_parallel(first, *others)
    else:
        first()
    mark_compiled(name)


def load_groups(*names: str) -> None:
    """Compile the kernels of groups, or load them from the cache, in this process."""
    for name in names:
        for task in GROUPS[name].tasks:
            _task(task)()


def groups_to_compile(*names: str) -> list[str]:
    """Return the groups that are not yet compiled on this machine."""
    return [name for name in names if needs_compiling(name)]


def _task(path: str) -> Task:
    """Return the function at "module:function"."""
    module, name = path.split(":")
    return cast(Task, getattr(import_module(module), name))
