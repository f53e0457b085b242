"""Compare settings of evolution or training over the same seeds: `compare`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from evodom.api.progress import progress_bar
from evodom.api.results import Figure, ReportedResult, bars
from evodom.api.runs import store_for
from evodom.comparison.plan import GAMES, N_SEEDS, N_SETTINGS, ComparisonPlan, PlannedRun
from evodom.comparison.result import Comparison, result_of
from evodom.comparison.run import COMPARISONS, carry_on, start
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.learning.training import TrainOptions
from evodom.options import checked_seeds
from evodom.presentation.charts import estimate_bar
from evodom.presentation.document import Document
from evodom.presentation.documents.comparison import comparison_document
from evodom.presentation.format import percent
from evodom.runs import Run, RunStore
from evodom.tasks import Processes, Tasks
from evodom.tasks.cluster import cluster


@dataclass(frozen=True, repr=False)
class ComparisonResult(ReportedResult):
    """The result of `compare`: ``comparison`` has the settings, best first, and their differences."""

    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types."""
        return self.comparison.to_json()

    def document(self) -> Document:
        """Return the tables and learning curves that ``evodom compare`` prints."""
        return comparison_document(self.comparison)

    def plot(self) -> Figure:
        """Return the mean final win rates as bars with 95 % intervals over seeds."""
        players = self.comparison.plan.runs[0].options.players
        rows = [estimate_bar(one.name, one.wins) for one in self.comparison.settings]
        return bars("Final win rate", rows, 1 / players)

    def _summary(self) -> str:
        wins = ", ".join(f"{one.name} {percent(one.wins.value)} %" for one in self.comparison.settings)
        return f"{wins}; {len(self.comparison.plan.seeds)} seeds"


def compare(
    settings: Mapping[str, Options] | Mapping[str, TrainOptions],
    *,
    seeds: Sequence[int],
    n_games: int = GAMES,
    key: str = "",
    processes: int = 1,
    progress: bool = False,
) -> ComparisonResult:
    """Run evolution or training with two or more settings over the same seeds, like ``evodom compare``.

    Args:
        settings: options by name of the setting: all `Options` or all `TrainOptions`, of one kingdom.
        seeds: 2 to 20 seeds.
        n_games: games at each point of a learning curve against copies of each held-out baseline.
        key: save the comparison under this key. A second call continues it. Without a key nothing is saved.
        processes: number of processes that compute runs. With more than 1, the main module must be importable.
        progress: show a progress bar.

    Raises UsageError for bad arguments, and for a key that is taken by another run.
    """
    if not N_SETTINGS[0] <= len(settings) <= N_SETTINGS[1]:
        raise UsageError(f"{len(settings)} settings are given. Allowed: {N_SETTINGS[0]} to {N_SETTINGS[1]}.")
    seeds = checked_seeds(seeds, *N_SEEDS)
    kinds = {type(options) for options in settings.values()}
    if len(kinds) > 1 or not kinds <= {Options, TrainOptions}:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise UsageError(f"settings are of {names}. Allowed: all Options, or all TrainOptions.")
    command = "evolve" if kinds == {Options} else "train"
    plan = ComparisonPlan.of(
        command, {name: dict.fromkeys(seeds, options) for name, options in settings.items()}, n_games
    )
    # A comparison without a key is always new. A store in memory may still have an older one.
    return compute_comparison(
        key or "comparison", plan, store=store_for(key), jobs=processes, overwrite=not key, quiet=not progress
    )


def compute_comparison(
    key: str,
    plan: ComparisonPlan,
    *,
    store: RunStore,
    jobs: int = 1,
    cluster_address: str | None = None,
    overwrite: bool = False,
    quiet: bool = True,
) -> ComparisonResult:
    """Start or continue the comparison saved under a key: compute its missing runs, with a progress bar.

    ``jobs`` is the number of processes. A cluster of Dask replaces them. Raise UsageError if the key has another run or
    a comparison with other settings.
    """
    with _opened(key, plan, store, overwrite=overwrite) as run:
        n_saved = len(run.parts)
        n = min(jobs, len(plan.runs) - n_saved)
        tasks = Tasks(partial(Processes, n)) if n > 1 else Tasks()
        with (
            tasks if cluster_address is None else Tasks(partial(cluster, cluster_address)) as entered,
            progress_bar(quiet=quiet, total=len(plan.runs), initial=n_saved, unit=" runs") as bar,
        ):

            def on_run(planned: PlannedRun, wins: float) -> None:
                bar.set_postfix_str(f"{planned.part} wins {100 * wins:.0f} %", refresh=False)
                bar.update()

            carry_on(run, entered, on_run)
        return ComparisonResult(result_of(run))


@contextmanager
def _opened(key: str, plan: ComparisonPlan, store: RunStore, *, overwrite: bool) -> Iterator[Run]:
    """Open the saved comparison for writing, or start it. Raise UsageError if a saved one has other settings."""
    if overwrite or key not in store:
        with start(key, plan, store=store, overwrite=overwrite) as run:
            yield run
        return
    with store.open(key, write=True) as run:
        if not COMPARISONS.owns(run):
            raise UsageError(f"{COMPARISONS.wrong_kind_message(run)} Choose another --key.")
        if (different := COMPARISONS.options_of(run).first_difference(plan)) is not None:
            advice = "Start again with --overwrite, or choose another --key."
            raise UsageError(f"comparison '{key}' was started with other settings: {different}. {advice}")
        yield run
