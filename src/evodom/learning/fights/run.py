"""Trainings for fights in the store: start one, go on with it, read its network."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evodom.errors import RunError, UsageError
from evodom.learning.fights import KIND, is_for_fights
from evodom.learning.fights.experience import TrainingData, together
from evodom.learning.fights.gradient import DEATH, GAIN, POLICY
from evodom.learning.fights.learner import FightLearner, threads
from evodom.learning.fights.options import FightOptions
from evodom.learning.fights.training import FightTraining, Played, play_in_pieces
from evodom.learning.optimiser import Adam
from evodom.runs import Generation, Run, check_free, check_meta, check_rules, new_meta, seed_of
from evodom.spire.engine.layout import LATE, LOST
from evodom.spire.fights import Fight, fight_from_toml
from evodom.spire.history import RULES
from evodom.spire.play.network import FeatureSpec, Network, n_weights
from evodom.statistics import mean_interval
from evodom.tasks import Executor


@dataclass(frozen=True)
class FightMonitor:
    """Who looks on: `on_games` is told of games, `on_iteration` of checkpoints, `should_stop` asked between them."""

    on_games: Callable[[int], object] = lambda n: None
    on_iteration: Callable[[int, dict[str, Any]], object] = lambda iteration, summary: None
    should_stop: Callable[[], bool] = lambda: False


def start(key: str, options: FightOptions, seed: int, *, root: Path, overwrite: bool) -> Run:
    """Start a run under a key and return it, open for writing, with the untrained network saved."""
    if not overwrite:
        check_free(key, root)
    training = FightTraining(options, seed)
    meta = {"kind": KIND, "sight": training.sight.to_json()} | new_meta(options.to_json(), seed, RULES)
    first = _checkpoint(0, FightLearner(training.first()), {"games": 0})
    return Run.create(key, meta, [first], root=root, overwrite=overwrite)


def options_of(run: Run) -> FightOptions:
    """Return the settings a run was started with; RunError if this version cannot read them, or plays other rules.

    Raises UsageError for another kind of run.
    """
    options = _settings_of(run)
    check_rules(run, RULES)
    return options


def _settings_of(run: Run) -> FightOptions:
    """Return the settings of a run, whatever rules it was made under."""
    if not is_for_fights(run):
        raise UsageError(f"run '{run.key}' is not one of fights. Train a network with: evodom spire train {run.key}2")
    try:
        return FightOptions.from_json(run.meta["options"])
    except (KeyError, TypeError, ValueError, AttributeError, UsageError) as error:
        raise RunError(f"run '{run.key}' has settings this version cannot use: {error}") from error


def fights_of(run: Run) -> list[Fight]:
    """Return the fights that a network was trained for."""
    return _fights(run, options_of(run))


def _fights(run: Run, options: FightOptions) -> list[Fight]:
    return [fight_from_toml(text, name=f"run '{run.key}'") for text in options.fights]


def network_of(run: Run, index: int | None = None) -> Network:
    """Return the network of a checkpoint, the last by default; RunError for one that cannot be used."""
    options = options_of(run)
    checkpoint = run.last() if index is None else run.generation(index)
    return _checked(run, checkpoint, options)[0]


def last_checkpoint(run: Run) -> Generation:
    """Return the last checkpoint, checked; RunError for one that cannot be used."""
    last = run.last()
    _checked(run, last, options_of(run))
    return last


def summaries_of(run: Run) -> list[dict[str, Any]]:
    """Return the summaries of all checkpoints in order, each checked."""
    summaries = run.summaries()
    try:
        for index, summary in enumerate(summaries):
            _check_summary(index, summary)
    except UsageError as error:
        raise _unusable(run, error) from error
    return summaries


def check_run(run: Run) -> None:
    """Raise an EvodomError unless all that a training for fights holds can be used."""
    options = _settings_of(run)
    check_meta(run)
    _fights(run, options)
    if not 1 <= run.n_generations <= options.iterations + 1:
        raise RunError(f"run '{run.key}' has {run.n_generations} checkpoints of {options.iterations + 1}.")
    for checkpoint in run:
        _checked(run, checkpoint, options)


def carry_on(run: Run, n_threads: int, watcher: FightMonitor | None = None, tasks: Executor | None = None) -> bool:
    """Train to the last iteration and save each one; return False if the watcher stopped it.

    ``tasks`` that are done on other machines play the games in pieces; what is learned is the same.
    """
    watcher = watcher or FightMonitor()
    options = options_of(run)
    if run.n_generations > options.iterations:
        return True
    training = FightTraining(options, seed_of(run), n_threads, _sight_of(run))
    play = partial(play_in_pieces, tasks, training) if tasks and tasks.is_remote else training.play
    replay: deque[TrainingData] = deque(maxlen=options.recipe.window)
    for iteration in range(max(run.n_generations - options.recipe.window + 1, 1), run.n_generations):
        replay.append(play(iteration, network_of(run, iteration - 1)).experience)
    with threads(n_threads) as pool:
        while run.n_generations <= options.iterations:
            if watcher.should_stop():
                return False
            checkpoint = _following(run, training, play, replay, watcher, pool)
            run.append([checkpoint])
            watcher.on_iteration(checkpoint.index, checkpoint.summary)
    return True


def _following(
    run: Run,
    training: FightTraining,
    play: Callable[..., Played],
    replay: deque[TrainingData],
    watcher: FightMonitor,
    pool: ThreadPoolExecutor | None,
) -> Generation:
    """Return the checkpoint that follows the last one."""
    last = run.last()
    network, adam = _checked(run, last, training.options)
    iteration = last.index + 1
    played = play(iteration, network, watcher.on_games)
    replay.append(played.experience)
    learner, losses = training.learn(iteration, network, adam, together(replay), pool)
    before = int(last.summary["games"])
    return _checkpoint(iteration, learner, _summary(played, losses) | {"games": before + len(played.results)})


def _summary(played: Played, losses: Any) -> dict[str, Any]:
    """Return what is told of the games of an iteration: those played straight, and all of them."""
    straight = played.values[~played.varied]
    found = mean_interval(straight) if len(straight) > 1 else None
    return {
        "value": float(played.values.mean()),
        "straight": None if found is None else [found.value, found.low, found.high],
        "deaths": int(np.isin(played.results["over"], (LOST, LATE)).sum()),
        "positions": len(played.experience),
        "loss_moves": float(losses[POLICY]),
        "loss_gain": float(losses[GAIN]),
        "loss_death": float(losses[DEATH]),
    }


def _dtype(n: int) -> np.dtype[Any]:
    """Return the dtype of a checkpoint: the numbers of the network, and the state of its optimiser."""
    parts = [(name, "<f4", (n,)) for name in ("weights", "mean", "square")]
    return np.dtype([*parts, ("n_steps", "<i8")])


def _checkpoint(index: int, learner: FightLearner, summary: dict[str, Any]) -> Generation:
    """Return a checkpoint of one network."""
    member = np.zeros(1, _dtype(len(learner.weights)))
    adam = learner.adam
    member[0] = learner.weights, adam.mean, adam.square, adam.n_steps
    return Generation(index, member, np.zeros(1, np.int32), summary)


def _checked(run: Run, checkpoint: Generation, options: FightOptions) -> tuple[Network, Adam]:
    """Return the network of a checkpoint and its optimiser; RunError for what no kernel may be given."""
    sight = _sight_of(run)
    members = checkpoint.genomes
    try:
        if members.dtype != _dtype(n_weights(sight, options.width)) or len(members) != 1:
            raise UsageError("its numbers have another shape")
        (member,) = members
        _check_summary(checkpoint.index, checkpoint.summary)
        mean, square = np.array(member["mean"]), np.array(member["square"])
        if not (np.isfinite(mean).all() and np.isfinite(square).all()) or (square < 0).any() or member["n_steps"] < 0:
            raise UsageError("its optimiser has impossible numbers")
        return Network(sight, options.width, np.array(member["weights"])), Adam(mean, square, int(member["n_steps"]))
    except UsageError as error:
        raise _unusable(run, error) from error


def _unusable(run: Run, error: UsageError) -> RunError:
    return RunError(f"run '{run.key}' holds a network this version cannot use: {error}. Train it again.")


def _check_summary(index: int, summary: dict[str, Any]) -> None:
    """Raise UsageError unless the figures of a checkpoint are all there, as `_summary` writes them."""
    counts = ["games", "deaths", "positions"] if index else ["games"]
    numbers = ["value", "loss_moves", "loss_gain", "loss_death"] if index else []
    straight = summary.get("straight") if index else None
    fits = straight is None or (isinstance(straight, list) and len(straight) == 3)
    if not all(type(summary.get(name)) is int and 0 <= summary[name] < 2**53 for name in counts) or not fits:
        raise UsageError("its figures are missing")
    if not all(type(one) in (int, float) for one in [*(summary.get(name) for name in numbers), *(straight or ())]):
        raise UsageError("its figures are missing")


def _sight_of(run: Run) -> FeatureSpec:
    """Return what the network of a run is told."""
    try:
        return FeatureSpec.from_json(run.meta["sight"])
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"run '{run.key}' does not say what its network is told: {error}. Train it again.") from error
