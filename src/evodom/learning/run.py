"""Learning runs: save and resume the checkpoints of a training, and return the networks of a run."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from evodom.budget import NO_LIMIT, Budget, Monitor
from evodom.dominion.strategies.models.networks.model import weights_of
from evodom.dominion.strategies.record import Strategy
from evodom.errors import RunError
from evodom.learning import training as network_training
from evodom.nn.optimiser import are_learners_bounded
from evodom.reading import Count, Proportion
from evodom.runs import Contents, Generation, Run
from evodom.runs.lifecycle import RunKind, RunResources

MAX_NUMBER = 1e6
"""Maximum absolute value in a network. Within this limit all sums are finite."""


def run_of_network(
    options: network_training.TrainOptions, seed: int, network: Strategy, figures: dict[str, Any]
) -> Contents:
    """Return a run with one checkpoint: a network that was trained outside of runs, and a summary with ``figures``."""
    saved_start = np.zeros(1, network_training.SAVED_START)
    saved_start["weights"] = weights_of(network)
    checkpoint = Generation(0, saved_start, np.zeros(1, np.int32), figures | {"starts": [0]})
    return LEARNING.meta_of(options, seed), [checkpoint]


def learned(run: Run, n: int, checkpoint: Generation | None = None) -> list[Strategy]:
    """Return the ``n`` best networks of a checkpoint (the last by default), best first.

    There are fewer if the checkpoint has fewer starts.
    """
    chosen = checked(run, checkpoint or run.last())
    best = chosen.genomes[chosen.ranking[:n]]
    return network_training.network_records(best, options_of(run).kingdom)


def latest_networks(run: Run) -> list[tuple[str, int, Strategy]]:
    """Return the last saved network of each start as (name, number of the start, strategy), best first.

    The name has the form KEY@CHECKPOINT:RANK.
    """
    found: dict[int, tuple[str, int, Strategy]] = {}
    options, index = options_of(run), run.n_generations
    while index and len(found) < options.n_starts:
        index -= 1
        checkpoint = checked(run, run.generation(index))
        for rank, saved_start in enumerate(checkpoint.genomes[checkpoint.ranking], 1):
            start = int(saved_start["start"])
            if start not in found:
                (record,) = network_training.network_records([saved_start], options.kingdom)
                found[start] = f"{run.key}@{index}:{rank}", start, record
    return list(found.values())


def _is_sound(checkpoint: Generation) -> bool:
    """Return whether a checkpoint has the right dtype, distinct starts, a ranking of all starts and no huge number."""
    saved_starts = checkpoint.genomes
    if saved_starts.dtype != network_training.SAVED_START or saved_starts.ndim != 1 or not len(saved_starts):
        return False
    are_distinct = len(set(saved_starts["start"].tolist()) & set(network_training.STARTS)) == len(saved_starts)
    is_ranked = np.array_equal(np.sort(checkpoint.ranking), np.arange(len(saved_starts)))
    return are_learners_bounded(saved_starts, MAX_NUMBER) and are_distinct and is_ranked


class CheckpointSummary(Struct):
    """Figures in the summary of a checkpoint: games, the best start's win rates against rivals, and all starts."""

    games: Count
    shares: Annotated[list[Proportion], Meta(min_length=1)]
    starts: list[int]


class LearningRuns(RunKind[network_training.TrainOptions]):
    """Learning runs. A generation is a checkpoint of all starts still in training."""

    name = network_training.KIND
    command, participle = "train", "trained"
    has_kingdom = True
    checks_should_stop = True
    read_options = staticmethod(network_training.TrainOptions.from_json)

    def __init__(self, effort: network_training.TrainEffort) -> None:
        self.effort = effort

    def rules_of(self, options: network_training.TrainOptions) -> str:
        return options.kingdom.rules_fingerprint

    def n_total(self, options: network_training.TrainOptions) -> int:
        return self.effort.n_checkpoints + 1

    def checked(
        self, run: Run, generation: Generation, options: network_training.TrainOptions | None = None
    ) -> Generation:
        """Check and return a checkpoint. Raise RunError for data that a kernel must not receive."""
        if not _is_sound(generation):
            raise RunError(f"run '{run.key}' holds networks that this version cannot play. Train it again.")
        self.check_summary(run, generation.index, generation.summary, options)
        return generation

    def summary_type(self, index: int) -> type[Struct]:
        return CheckpointSummary

    def first(self, options: network_training.TrainOptions, seed: int, resources: RunResources) -> Generation:
        """Return checkpoint 0. It takes a small part of the budget."""
        return network_training.Training(options, seed, resources.workers, resources.budget, self.effort).first()

    def following(
        self, run: Run, options: network_training.TrainOptions, resources: RunResources
    ) -> Iterator[Generation]:
        """Yield the missing checkpoints. They share the budget, by default `time_left`."""
        budget = resources.budget if resources.budget.is_limited else self.time_left(run)
        training = network_training.Training(options, run.provenance().seed, resources.workers, budget, self.effort)
        saved = [self.generation_of(run, index) for index in range(run.n_generations)]
        monitor = Monitor(resources.monitor.on_games, resources.monitor.should_stop)
        while True:
            saved.append(training.following(saved, monitor))
            yield saved[-1]

    def finish(self, run: Run, options: network_training.TrainOptions) -> None:
        """Save the number of games as a setting, if a time limit determined it."""
        played = int(run.last().summary["games"])
        if options.minutes or played < self.effort.games_each(options) * sum(self._segments_from(options, 1)):
            games = min(max(played, network_training.GAMES.start), network_training.GAMES.stop - 1)
            run.set_meta(options=replace(options, games=games).to_json())

    def time_left(self, run: Run) -> Budget:
        """Return the time for the missing checkpoints: their share of the run's minutes, or no limit."""
        options = self.options_of(run)
        missing = sum(self._segments_from(options, run.n_generations)) / sum(self._segments_from(options, 1))
        return Budget.starting_now(60.0 * options.minutes * missing) if options.minutes else NO_LIMIT

    def _segments_from(self, options: network_training.TrainOptions, checkpoint: int) -> list[int]:
        return self.effort.segments_from(options.n_starts, checkpoint)

    def best(self, run: Run, n: int, generation: Generation | None = None) -> Sequence[Strategy]:
        return learned(run, n, generation)


LEARNING = LearningRuns(network_training.TrainEffort())
start, carry_on, is_learned, time_left = LEARNING.start, LEARNING.carry_on, LEARNING.owns, LEARNING.time_left
options_of, checked = LEARNING.options_of, LEARNING.checked
summaries_of, check_run = LEARNING.summaries_of, LEARNING.check_run
