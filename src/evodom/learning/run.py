"""Runs of learning in the store: start one, go on with it, read its networks."""

from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from evodom.budget import NO_LIMIT, Budget, Cancelled
from evodom.dominion.kingdom import RULES
from evodom.dominion.strategies.base import Strategies, Strategy
from evodom.dominion.strategies.networks.model import network_record
from evodom.dominion.strategies.networks.weights import weights_of
from evodom.errors import RunError
from evodom.learning.options import GAMES, KIND, N_CHECKPOINTS, STARTS, TrainOptions
from evodom.learning.training import CHECKPOINT, Training, TrainingMonitor, network_records
from evodom.matches.guests import rival_records
from evodom.runs import Generation, Run, check_free, check_meta, check_rules, new_meta, seed_of
from evodom.tasks import Workers

LARGEST = 1e6
"""No number of a network is larger: what is summed up of them stays finite."""


def is_learned(run: Run) -> bool:
    """Tell whether a run is one of learning; else it is one of evolution."""
    return run.meta.get("kind") == KIND


def start(
    key: str,
    options: TrainOptions,
    seed: int,
    *,
    root: Path,
    overwrite: bool,
    workers: Workers | None = None,
    budget: Budget = NO_LIMIT,
) -> Run:
    """Start a run under a key and return it, open for writing, with checkpoint 0 saved; the key has to be free.

    Checkpoint 0 takes a small part of the ``budget``, which `carry_on` is to be given too.
    """
    if not overwrite:
        check_free(key, root)
    meta = {"kind": KIND} | new_meta(options.to_json(), seed, RULES)
    first = Training(options, seed, workers, _guests(options), budget).first()
    return Run.create(key, meta, [first], root=root, overwrite=overwrite)


def save_network(
    key: str, options: TrainOptions, seed: int, network: Strategy, told: dict[str, Any], *, root: Path, overwrite: bool
) -> None:
    """Save a network that was learned elsewhere as a run of one checkpoint; ``told`` is what its summary tells."""
    member = np.zeros(1, CHECKPOINT)
    member["weights"] = weights_of(network)
    only = Generation(0, member, np.zeros(1, np.int32), told | {"starts": [0]})
    meta = {"kind": KIND} | new_meta(options.to_json(), seed, RULES)
    Run.create(key, meta, [only], root=root, overwrite=overwrite).close()


def options_of(run: Run) -> TrainOptions:
    """Return the settings a run was started with; RunError if this version cannot read them, or plays other rules."""
    options = _settings_of(run)
    check_rules(run, RULES)
    return options


def _settings_of(run: Run) -> TrainOptions:
    """Return the settings of a run, whatever rules it was made under."""
    try:
        return TrainOptions.from_json(run.meta.get("options"))
    except ValueError as error:
        raise RunError(f"run '{run.key}' has settings this version cannot use: {error}") from error


def carry_on(run: Run, workers: Workers | None, monitor: TrainingMonitor, budget: Budget = NO_LIMIT) -> bool:
    """Train a run to its last checkpoint and save each one; return False if the monitor stopped it.

    The missing checkpoints share the ``budget``. A run of minutes that is given none takes `time_left` for them.
    """
    options, seed = options_of(run), seed_of(run)
    if checked(run, run.last()).index >= N_CHECKPOINTS:
        return True
    if options.minutes and not budget.is_limited:
        budget = time_left(run)
    training = Training(options, seed, workers, _guests(options), budget)
    saved = [checked(run, run.generation(index)) for index in range(run.n_generations)]
    while len(saved) <= N_CHECKPOINTS:
        try:
            saved.append(training.following(saved, monitor))
        except Cancelled:
            return False
        run.append(saved[-1:])
    played = int(saved[-1].summary["games"])
    if options.minutes or played < options.games_each * sum(options.lessons_from(1)):
        games = min(max(played, GAMES.start), GAMES.stop - 1)
        run.set_meta(options=replace(options, games=games).to_json())
    return True


def time_left(run: Run) -> Budget:
    """Return the part of a run's minutes that belongs to the checkpoints it lacks; no limit for a run of games."""
    options = options_of(run)
    missing = sum(options.lessons_from(run.n_generations)) / sum(options.lessons_from(1))
    return Budget.starting_now(60.0 * options.minutes * missing) if options.minutes else NO_LIMIT


def learned(run: Run, n: int, checkpoint: Generation | None = None) -> Strategies:
    """Return the ``n`` best networks of a checkpoint (the last by default), best first, as STRATEGY records.

    There are as many as starts were still trained then.
    """
    chosen = checked(run, checkpoint or run.last())
    best = chosen.genomes[chosen.ranking[:n]]
    return network_records([np.array(member["weights"]) for member in best], options_of(run))


def starts(run: Run) -> list[tuple[str, int, Strategy]]:
    """Return each start as it was when it was last trained, the best first: (what names it, its number, its record)."""
    found: dict[int, tuple[str, int, Strategy]] = {}
    options, index = options_of(run), run.n_generations
    while index and len(found) < options.n_starts:
        index -= 1
        checkpoint = checked(run, run.generation(index))
        for rank, member in enumerate(checkpoint.genomes[checkpoint.ranking], 1):
            start = int(member["start"])
            if start not in found:
                record = network_record(np.array(member["weights"]), options.kingdom)
                found[start] = f"{run.key}@{index}:{rank}", start, record
    return list(found.values())


def summaries_of(run: Run) -> list[dict[str, Any]]:
    """Read the summaries of all checkpoints in order, each checked."""
    summaries = run.summaries()
    if not all(map(_is_told, summaries)):
        raise _unplayable(run)
    return summaries


def check_run(run: Run) -> None:
    """Raise RunError unless all that a run of learning holds can be used."""
    _settings_of(run)
    check_meta(run)
    if not 1 <= run.n_generations <= N_CHECKPOINTS + 1:
        raise RunError(f"run '{run.key}' has {run.n_generations} checkpoints. Allowed: up to {N_CHECKPOINTS + 1}.")
    for checkpoint in run:
        checked(run, checkpoint)


def checked(run: Run, checkpoint: Generation) -> Generation:
    """Return a checkpoint after a look at its networks; raise RunError for what no kernel may be given."""
    if not (_is_sound(checkpoint) and _is_told(checkpoint.summary)):
        raise _unplayable(run)
    return checkpoint


def _guests(options: TrainOptions) -> list[Any]:
    """Return the records of the rivals that were named."""
    return list(rival_records(options.rivals, options.guests, options.kingdom))


def _unplayable(run: Run) -> RunError:
    return RunError(f"run '{run.key}' holds networks that this version cannot play. Train it anew.")


def _is_sound(checkpoint: Generation) -> bool:
    """Tell whether networks and their optimisers are of the right shape, and their numbers not too large to add up."""
    members = checkpoint.genomes
    if members.dtype != CHECKPOINT or members.ndim != 1 or not len(members):
        return False
    is_bounded = all(bool((np.abs(members[name]) <= LARGEST).all()) for name in ("weights", "mean", "square"))
    is_possible = (members["square"] >= 0).all() and (members["n_steps"] >= 0).all()
    is_possible &= len(set(members["start"].tolist()) & set(STARTS)) == len(members)
    return is_bounded and bool(is_possible) and np.array_equal(np.sort(checkpoint.ranking), np.arange(len(members)))


def _is_told(summary: dict[str, Any]) -> bool:
    """Tell whether a summary has what is shown of a checkpoint."""
    games, shares, starts = (summary.get(name) for name in ("games", "shares", "starts"))
    return (
        type(games) is int
        and 0 <= games < 2**53
        and isinstance(shares, list)
        and len(shares) > 0
        and all(type(share) is float and 0 <= share <= 1 for share in shares)
        and isinstance(starts, list)
    )
