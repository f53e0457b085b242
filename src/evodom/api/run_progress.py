"""Compile the kernels of runs, and show the progress of evolution and of training."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from evodom.api.progress import compile_for, ensure_compiled, note_unusable_network, progress_bar
from evodom.budget import Budget
from evodom.dominion.kingdom import engine_groups
from evodom.evolution.history import games_of
from evodom.evolution.options import MIXED, Options
from evodom.evolution.ranking import HELD_OUT_WINS
from evodom.learning.training import TrainOptions
from evodom.matches.agents import read_guests
from evodom.presentation.format import counted
from evodom.runs import Generation, Run
from evodom.runs.lifecycle import RunMonitor


def compile_for_evolution(options: Options, *, quiet: bool, notes: bool = True) -> None:
    """Compile the kernels of a run of evolution. With ``notes`` say why the shipped network cannot be imitated."""
    is_mixed = options.start == MIXED
    if is_mixed:
        note_unusable_network(quiet=quiet or not notes)
    guests = read_guests(options.guests, options.kingdom)
    compile_for(guests, options.kingdom, groups=["imitation"] * is_mixed, quiet=quiet)


def compile_for_training(options: TrainOptions, *, quiet: bool, notes: bool = True) -> None:
    """Compile the kernels of a run of learning. With ``notes`` say why it cannot begin as the shipped network."""
    note_unusable_network(quiet=quiet or not notes)
    ensure_compiled(*engine_groups(options.kingdom), "learning", quiet=quiet)


@contextmanager
def evolution_bar(
    options: Options, *, quiet: bool, then: Callable[[Generation], object] = lambda generation: None
) -> "Iterator[EvolutionBar]":
    """Show a bar that counts the generations of all islands, and call ``then`` with each generation."""
    total = options.n_generations * options.islands
    with progress_bar(quiet=quiet, total=total, unit="gen", dynamic_ncols=True) as bar:
        yield EvolutionBar(bar, options, then)


class EvolutionBar:
    """A progress bar with games per second, the champion's strength and the number of finished islands."""

    def __init__(self, bar: Any, options: Options, then: Callable[[Generation], object]) -> None:
        self._bar, self._options, self._then = bar, options, then
        self._began = time.perf_counter()
        self._n_games = self._n_islands = 0
        self._champion = ""
        self._recent: deque[dict[str, Any]] = deque(maxlen=10)  # the bar shows the mean win rate of their champions

    def monitor(self, should_stop: Callable[[], bool] = lambda: False) -> RunMonitor:
        """Return a monitor that advances the bar."""
        return RunMonitor(on_generation=self.on_generation, on_part=self.on_island, should_stop=should_stop)

    def begin(self, run: Run) -> None:
        """Show the saved generations as finished. Measure the speed from now on."""
        self._bar.reset(self._bar.total)
        self._bar.initial = self._bar.n = run.n_generations * self._options.round_length * self._options.islands
        self._began = time.perf_counter()

    def on_generation(self, generation: Generation) -> object:
        """Show a saved generation, or a round of islands. Return the result of ``then``."""
        self._n_games += games_of(generation.summary)
        speed = self._n_games / (time.perf_counter() - self._began)
        self._recent.append(generation.summary)
        self._champion = f"{speed:,.0f} games/s, champion {_strength(self._recent)}"
        self._n_islands = 0
        self._bar.set_postfix_str(self._champion, refresh=False)
        if self._options.islands == 1:
            self._bar.update()
        return self._then(generation)

    def on_island(self, number: int) -> None:
        """Show that an island has finished the present round."""
        self._n_islands += 1
        islands = f"{self._n_islands} of {self._options.islands} islands"
        self._bar.set_postfix_str(", ".join(filter(None, (islands, self._champion))), refresh=False)
        self._bar.update(self._options.round_length)


def _strength(recent: Sequence[dict[str, Any]]) -> str:
    """Return the strength of the champions of the last generations as text, and the number of kinds of decks.

    The strength is the win rate against held-out baselines. If none fits the kingdom, it is the points of the last
    tournament.
    """
    last = recent[-1]
    wins = [summary[HELD_OUT_WINS] for summary in recent if HELD_OUT_WINS in summary]
    strength = f"wins {100 * sum(wins) / len(wins):.0f} %" if wins else f"scores {last['best_points']:.2f} points"
    n_kinds = len({line["cell"] for line in last.get("lines", {}).values()})
    return f"{strength}, {counted(n_kinds, 'kind')} of decks" if n_kinds else strength


@contextmanager
def training_bar(options: TrainOptions, budget: Budget, *, quiet: bool) -> "Iterator[TrainingBar]":
    """Show a bar that counts games of training."""
    with progress_bar(quiet=quiet, total=options.games, unit=" games", unit_scale=True) as bar:
        yield TrainingBar(bar, budget)


class TrainingBar:
    """A progress bar with the learner's win rate and entropy. With a time limit its total is an estimate."""

    def __init__(self, bar: Any, budget: Budget) -> None:
        self._bar, self._budget = bar, budget

    def monitor(self, should_stop: Callable[[], bool] = lambda: False) -> RunMonitor:
        """Return a monitor that advances the bar."""
        return RunMonitor(self.on_games, should_stop=should_stop)

    def begin(self, run: Run) -> None:
        """Count the games of the saved checkpoints."""
        self._bar.initial = self._bar.n = int(run.last().summary["games"])

    def on_games(self, n: int, figures: Mapping[str, float]) -> None:
        """Show the figures of an iteration of ``n`` games."""
        text = f"wins {100 * figures['share']:.0f} %, entropy {figures['entropy']:.2f}"
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(n)
        if self._budget.share_spent:
            self._bar.total = int(self._bar.n / self._budget.share_spent)
