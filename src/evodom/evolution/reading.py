"""Runs of evolution, read from files that anybody may have written: settings and generations, checked before use."""

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from evodom.dominion.kingdom import RULES
from evodom.dominion.strategies.registry import genetics_of
from evodom.errors import EvodomError, RunError, UsageError
from evodom.evolution.algorithm import KINDS, NOBODY
from evodom.evolution.history import ORIGINS, is_whole
from evodom.evolution.options import Options
from evodom.store import Generation, Run, check_meta, check_rules


def options_of(run: Run) -> Options:
    """Return the settings a run was started with.

    Raises UsageError for a run that was not evolved, RunError if this version cannot read them, or plays other rules.
    """
    options = _settings_of(run)
    check_rules(run, RULES)
    return options


def _settings_of(run: Run) -> Options:
    """Return the settings of a run, whatever rules it was made under."""
    if "kind" in run.meta:
        raise UsageError(f"run '{run.key}' was trained, not evolved: this is for runs of `evodom evolve` only.")
    try:
        return Options.from_json(run.meta.get("options"))
    except ValueError as error:
        raise RunError(f"run '{run.key}' has settings this version cannot use: {error}") from error


def checked(run: Run, generation: Generation, options: Options | None = None) -> Generation:
    """Return a generation of a run with its genomes as they are now, after a look at all that it holds.

    Kernels, reports and breeding trust what this returns. Raises RunError for what they could not.
    """
    options = options or options_of(run)
    try:
        n, n_here = options.n_genomes, len(generation.genomes)
        if n_here == 1 and is_whole(generation.index, run.n_generations):
            raise UsageError("it has the champion only, and should be whole.")
        if n_here not in (1, n) or generation.genomes.ndim != 1:
            raise UsageError(f"it has {n_here} strategies, and the run {n}.")
        genomes = genetics_of(options.model).upgrade(generation.genomes, options)
        if not np.array_equal(np.sort(generation.ranking), np.arange(n_here)):
            raise UsageError("its ranking does not have every strategy once.")
        _check_summary(generation.summary, n, generation.index)
    except EvodomError as error:
        raise RunError(f"run '{run.key}', generation {generation.index}: {error}") from error
    return replace(generation, genomes=genomes)


def generation_of(run: Run, index: int, options: Options | None = None) -> Generation:
    """Read a generation, counted from 0, with `checked`."""
    return checked(run, run.generation(index), options)


def summaries_of(run: Run) -> list[dict[str, Any]]:
    """Read the summaries of all generations in order, each checked."""
    summaries, n = run.summaries(), options_of(run).n_genomes
    for index, summary in enumerate(summaries):
        try:
            _check_summary(summary, n, index)
        except EvodomError as error:
            raise RunError(f"run '{run.key}', generation {index}: {error}") from error
    return summaries


def check_run(run: Run) -> None:
    """Raise RunError or UsageError unless all that a run of evolution holds can be used."""
    options, n = _settings_of(run), run.n_generations
    if not 1 <= n <= options.n_saved:
        raise RunError(f"run '{run.key}' has {n} generations of {options.n_saved}.")
    check_meta(run)
    for generation in run:
        checked(run, generation, options)


def _is_figure(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _are_shares(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_figure(share) and 0 <= share <= 1 for share in value.values())


def _are_figures(value: Any) -> bool:
    """Tell whether this is a list of figures by name."""
    return isinstance(value, list) and all(
        isinstance(one, dict) and all(isinstance(name, str) and _is_figure(figure) for name, figure in one.items())
        for one in value
    )


SUMMARY: dict[str, Callable[[Any], bool]] = {
    "best_points": _is_figure,
    "games": _is_count,
    "rounds": _is_figure,
    "winner_vp": _is_figure,
    "ended_on_piles": _is_figure,
    "cut": _is_figure,
    "diversity": _is_figure,
    "race_games": _is_count,
    "island_games": _is_count,
    "islands": _are_figures,
    "race_wins": _is_figure,
    "race_wins_by_rival": _are_shares,
}
"""What a summary may tell besides the origins, and what tells whether it is of the right kind."""

NEEDED = ("best_points", "games", "rounds", "winner_vp")
"""What every summary tells."""


def _check_summary(summary: dict[str, Any], n: int, index: int) -> None:
    """Raise UsageError unless a summary of ``n`` strategies has what it needs, and each entry is of the right kind."""
    for name in NEEDED:
        if name not in summary:
            raise UsageError(f"its summary lacks {name}.")
    for name, is_right in SUMMARY.items():
        if name in summary and not is_right(summary[name]):
            raise UsageError(f"{name} of its summary is none.")
    if ORIGINS in summary and not _are_origins(summary[ORIGINS], n, index):
        raise UsageError("its summary names parents that there are not.")


def _are_origins(value: Any, n: int, index: int) -> bool:
    """Tell whether these are the origins of ``n`` genomes: of each its kind, and its parents among those before."""
    most = n - 1 if index else NOBODY
    if not isinstance(value, list) or len(value) != n:
        return False
    for one in value:  # a plain loop: a report reads those of two hundred generations
        if not isinstance(one, list | tuple) or len(one) != 3:
            return False
        kind, first, second = one
        if kind not in KINDS or type(first) is not int or type(second) is not int:
            return False
        if not NOBODY <= first <= most or not NOBODY <= second <= most:
            return False
    return True
