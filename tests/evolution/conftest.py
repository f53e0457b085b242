"""Workers, and runs of evolution that can be stopped."""

from evodom.evolution.runs import carry_on, start
from evodom.runs import RunStore
from evodom.runs.lifecycle import RunMonitor
from tests.saved import short_runs as short_runs


def evolve(root, workers, options, *, key="demo", seed=1, stop_after=None):
    """Evolve and save a run, up to ``stop_after`` further generations. Return those generations."""
    seen = []
    monitor = RunMonitor(on_generation=seen.append, should_stop=lambda: len(seen) == stop_after)
    with start(key, options, seed, store=RunStore(root), workers=workers) as run:
        carry_on(run, workers, monitor)
    return seen
