"""Evolve under a key: every generation is saved, and a run that was stopped goes on as if it had not been."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import numba
import numpy as np
import numpy.typing as npt

from evodom import __version__
from evodom.dominion.strategies.baselines import baseline_records
from evodom.dominion.strategies.model import Genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.errors import RunError, UsageError
from evodom.evolution.algorithm import Evolution, hall_generations, penalise
from evodom.evolution.halving import run_race
from evodom.evolution.options import Options
from evodom.evolution.rivals import strongest_baselines
from evodom.matches.elimination import run_tournament
from evodom.matches.games import Games
from evodom.matches.standings import course
from evodom.matches.streams import RANKING, generation_stream
from evodom.matches.venue import Venue
from evodom.matches.workers import Workers
from evodom.store import Generation, Run, check_free

SAVE_EVERY_S = 0.5
"""Finished generations wait at most this long to be saved (and as long as one generation takes)."""


def evaluate(evolution: Evolution, workers: Workers) -> Generation:
    """Rank the present generation and return it as it is saved.

    A tournament ranks everybody; then the better half races against the rivals and the hall of fame, if the options say
    so; then the penalty takes its places.
    """
    options, genomes = evolution.options, evolution.ask()
    strategies = strategies_of(genomes, options)
    opponents = rival_strategies(evolution) if options.race else strategies[:0]
    everybody = np.concatenate([strategies, opponents])
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, everybody)
    seeds = generation_stream(evolution.seed, evolution.index, RANKING)
    ranking, games = run_tournament(len(genomes), options.players, options.games, seeds, play)
    summary: dict[str, Any] = {}
    if len(opponents):
        n_runners = len(genomes) // 2
        runners, others = ranking[:n_runners], np.arange(len(genomes), len(everybody))
        finish = run_race(runners, others, options.players, options.race, seeds.spawn(1)[0], play)
        ranking = np.concatenate([runners[finish.order], ranking[n_runners:]])
        summary = {"race_games": finish.n_games}
    ranking = penalise(ranking, strategies, options.vp_penalty)
    summary = (
        _summary(games, int(ranking[0]))
        | summary
        | {"diversity": genetics_of(options.model).diversity(genomes), "origins": evolution.origins}
    )
    return Generation(evolution.index, genomes, ranking.astype(np.int32), summary)


def _summary(games: Games, best: int) -> dict[str, float]:
    """Return the means of a tournament: points a game of the best (up to one an opponent), rounds, VP, ways to end."""
    found = course(games)
    return {
        "best_points": float(games.points[games.tables == best].mean(dtype=float)),
        "games": found.n_games,
        "rounds": found.rounds,
        "winner_vp": found.winner_vp,
        "ended_on_piles": found.ended["empty_piles"],
        "cut": found.ended["cut"],
    }


def rival_strategies(evolution: Evolution) -> npt.NDArray[Any]:
    """Return whom the better half of a generation races against, as STRATEGY records: baselines, then the hall."""
    options = evolution.options
    named = baseline_records(options.rivals or (), options.kingdom)
    return np.concatenate([named, strategies_of(evolution.hall, options)])


def with_rivals(options: Options) -> Options:
    """Return the options with the names of the rivals in them: by default the strongest baselines of the kingdom."""
    if options.rivals is not None or not options.race:
        return options
    return replace(options, rivals=strongest_baselines(options.kingdom, options.players))


def start(key: str, options: Options, seed: int, *, root: Path, overwrite: bool, workers: Workers) -> Run:
    """Return a new run with its first generation saved; an old one of this key is gone only then."""
    options = with_rivals(options)
    meta = {
        "options": options.to_json(),
        "seed": seed,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"evodom": __version__, "numpy": np.__version__, "numba": numba.__version__},
    }
    if not overwrite:
        check_free(key, root)
    first = evaluate(Evolution(options, seed), workers)
    return Run.create(key, meta, [first], root=root, overwrite=overwrite)


def options_of(run: Run) -> Options:
    """Return the settings a run was started with; raises RunError for a file that holds none."""
    try:
        return Options.from_json(run.meta["options"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"run '{run.key}' has settings this version cannot use: {error}") from error


def seed_of(run: Run) -> int:
    """Return the seed of a run; raises RunError for a file that holds none."""
    seed = run.meta.get("seed")
    if not isinstance(seed, int):
        raise RunError(f"run '{run.key}' holds no seed ({seed!r}). Delete it, or evolve it anew.")
    return seed


def extend(run: Run, n_generations: int | None) -> Options:
    """Return the settings to resume a run with, ``n_generations`` in all if given; raises UsageError if it has more."""
    options = options_of(run)
    if n_generations is None or n_generations == options.n_generations:
        return options
    if n_generations < run.n_generations:
        raise UsageError(
            f"--ngen is {n_generations}, but run '{run.key}' has {run.n_generations} generations already. "
            f"Allowed: {run.n_generations} or more."
        )
    options = replace(options, n_generations=n_generations)
    run.set_meta(options=options.to_json())
    return options


def carry_on(
    run: Run,
    workers: Workers,
    on_generation: Callable[[Generation], None],
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Evolve a run to its last generation, saving as it goes; return False if ``should_stop`` ended it before."""
    options, last = options_of(run), run.last()
    hall = [champion_of(run.generation(index)) for index in hall_generations(last.index, options)]
    evolution = Evolution.resume(options, seed_of(run), last.index, last.genomes, last.ranking, hall)
    with _Buffer(run) as saved:
        while evolution.index < options.n_generations:
            if should_stop():
                return False
            generation = evaluate(evolution, workers)
            evolution.tell(generation.ranking)
            saved.add(generation)
            on_generation(generation)
    return True


def champion_of(generation: Generation) -> Genomes:
    """Return the genome of a generation's champion, an array of one."""
    return generation.genomes[generation.ranking[:1]]


class _Buffer:
    """Finished generations on their way to the file, written together every SAVE_EVERY_S seconds."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._waiting: list[Generation] = []
        self._saved_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._save()

    def add(self, generation: Generation) -> None:
        self._waiting.append(generation)
        if time.monotonic() - self._saved_at >= SAVE_EVERY_S:
            self._save()

    def _save(self) -> None:
        if self._waiting:
            self._run.append(self._waiting)
        self._waiting = []
        self._saved_at = time.monotonic()
