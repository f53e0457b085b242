"""Saved runs of training for fights: start and continue a run, and read its network."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from evodom.errors import RunError, UsageError
from evodom.learning.fights import KIND, FightOptions
from evodom.learning.fights.gradient import DEATH, GAIN, POLICY
from evodom.learning.fights.learner import FightLearner, TrainingData, concatenate_data, thread_pool
from evodom.learning.fights.training import FightTraining, PlayedGames
from evodom.nn.optimiser import Adam, are_learners_bounded, learner_fields
from evodom.reading import Count, convert
from evodom.runs import Generation, Run
from evodom.runs.lifecycle import RunKind, RunResources
from evodom.spire.content.fingerprint import rules_fingerprint
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.play.network import FeatureSpec, Network, n_weights
from evodom.statistics import mean_interval


def fights_of(run: Run) -> list[Fight]:
    """Return the fights of a run's training."""
    return _fights(run, options_of(run))


def _fights(run: Run, options: FightOptions) -> list[Fight]:
    return [fight_from_toml(text, name=f"run '{run.key}'") for text in options.fights]


def network_of(run: Run, index: int | None = None) -> Network:
    """Return the network of a checkpoint, the last by default. Raise RunError if it cannot be used."""
    options = options_of(run)
    checkpoint = run.last() if index is None else run.generation(index)
    return _checked(run, checkpoint, options)[0]


def _summary(played: PlayedGames, losses: Any) -> dict[str, Any]:
    """Return the figures of an iteration's games."""
    greedy = played.values[~played.varied]
    found = mean_interval(greedy) if len(greedy) > 1 else None
    return {
        "value": float(played.values.mean()),
        "straight": None if found is None else [found.value, found.low, found.high],
        "deaths": int(np.isin(played.results["over"], (LOST, LATE)).sum()),
        "positions": len(played.experience),
        "loss_moves": float(losses[POLICY]),
        "loss_gain": float(losses[GAIN]),
        "loss_death": float(losses[DEATH]),
    }


def _checkpoint(index: int, learner: FightLearner, summary: dict[str, Any]) -> Generation:
    """Return a checkpoint of one network."""
    saved = np.zeros(1, np.dtype(learner_fields(len(learner.weights))))
    learner.adam.save(learner.weights, saved[0])
    return Generation(index, saved, np.zeros(1, np.int32), summary)


def _checked(run: Run, checkpoint: Generation, options: FightOptions) -> tuple[Network, Adam]:
    """Return a checkpoint's network and its optimiser. Raise RunError for data that a kernel must not receive."""
    FIGHTS.check_summary(run, checkpoint.index, checkpoint.summary, options)
    features = _features_of(run)
    saved = checkpoint.genomes
    try:
        if saved.dtype != np.dtype(learner_fields(n_weights(features, options.width))) or len(saved) != 1:
            raise UsageError("its numbers have another shape")
        network = Network(features, options.width, np.array(saved[0]["weights"]))
        if not are_learners_bounded(saved, float(np.finfo(np.float32).max)):
            raise UsageError("its optimiser has impossible numbers")
        return network, Adam.restored(saved[0])
    except UsageError as error:
        raise RunError(f"run '{run.key}' holds a network this version cannot use: {error}. Train it again.") from error


class InitialSummary(Struct):
    """The figure in the summary of the initial network."""

    games: Count


class IterationSummary(InitialSummary):
    """Figures in the summary of an iteration. "straight" is the value of games that are not varied, with interval."""

    value: float
    straight: tuple[float, float, float] | None
    deaths: Count
    positions: Count
    loss_moves: float
    loss_gain: float
    loss_death: float


def _features_of(run: Run) -> FeatureSpec:
    """Return the features of a run's network."""
    try:
        return convert(run.meta["features"], FeatureSpec)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"run '{run.key}' has no valid features of its network: {error}. Train it again.") from error


class FightRuns(RunKind[FightOptions]):
    """Runs of training for fights. A generation is the checkpoint of an iteration."""

    name = KIND
    command, participle = "spire train", "trained"
    read_options = staticmethod(FightOptions.from_json)

    def wrong_kind_message(self, run: Run) -> str:
        return f"run '{run.key}' is not one of fights. Train a network with: evodom spire train {run.key}2"

    def with_defaults(self, options: FightOptions) -> FightOptions:
        if not options.fights:
            raise UsageError("a training needs a fight.")
        return options

    def rules_of(self, options: FightOptions) -> str:
        return rules_fingerprint()

    def n_total(self, options: FightOptions) -> int:
        return options.iterations + 1

    def extra_meta(self, options: FightOptions, seed: int) -> dict[str, object]:
        return {"features": FightTraining(options, seed).features.to_json()}

    def checked(self, run: Run, generation: Generation, options: FightOptions | None = None) -> Generation:
        """Check and return a checkpoint. Raise RunError for data that a kernel must not receive."""
        _checked(run, generation, options or self.options_of(run))
        return generation

    def summary_type(self, index: int) -> type[Struct]:
        return IterationSummary if index else InitialSummary

    def check_run(self, run: Run) -> None:
        super().check_run(run)
        fights_of(run)

    def first(self, options: FightOptions, seed: int, resources: RunResources) -> Generation:
        """Return the checkpoint of the initial network."""
        return _checkpoint(0, FightLearner(FightTraining(options, seed).first()), {"games": 0})

    def following(self, run: Run, options: FightOptions, resources: RunResources) -> Iterator[Generation]:
        """Yield the checkpoints of the missing iterations."""
        n_threads = resources.workers.n if resources.workers else 1
        training = FightTraining(options, run.provenance().seed, n_threads, _features_of(run))
        replay: deque[TrainingData] = deque(maxlen=options.recipe.window)
        for iteration in range(max(run.n_generations - options.recipe.window + 1, 1), run.n_generations):
            replay.append(training.play(iteration, network_of(run, iteration - 1)).experience)
        last = run.last()
        with thread_pool(n_threads) as pool:
            while True:
                network, adam = _checked(run, last, options)
                played = training.play(last.index + 1, network, lambda n: resources.monitor.on_games(n, {}))
                replay.append(played.experience)
                learner, losses = training.learn(last.index + 1, network, adam, concatenate_data(replay), pool)
                n_games = int(last.summary["games"]) + len(played.results)
                last = _checkpoint(last.index + 1, learner, _summary(played, losses) | {"games": n_games})
                yield last


FIGHTS = FightRuns()
start, carry_on, options_of = FIGHTS.start, FIGHTS.carry_on, FIGHTS.options_of
summaries_of, check_run = FIGHTS.summaries_of, FIGHTS.check_run
