"""Run evolution under a key: save every generation, and resume a stopped run with the same result."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.history import RULES
from evodom.dominion.strategies.baselines import TEACHERS, baseline_records
from evodom.dominion.strategies.model import Genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.errors import UsageError
from evodom.evolution.algorithm import Evolution, hall_generations, penalise
from evodom.evolution.halving import run_race
from evodom.evolution.options import Options
from evodom.evolution.reading import checked, generation_of, options_of
from evodom.matches.elimination import run_tournament
from evodom.matches.games import Games
from evodom.matches.standings import course
from evodom.matches.streams import RANKING, generation_stream
from evodom.matches.strongest import strongest_baselines
from evodom.matches.venue import Venue
from evodom.matches.workers import Workers
from evodom.store import Generation, Run, check_free, new_meta, seed_of

SAVE_EVERY_S = 0.5
"""Finished generations wait at most this long to be saved, plus the time one generation takes."""


def evaluate(evolution: Evolution, workers: Workers) -> Generation:
    """Rank the current generation and return it in the form in which it is saved.

    First a tournament ranks everybody. Then the better half races against the rivals and the hall of fame, if the
    options ask for it. Last, early victory points cost places (`penalise`).
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
        wins = dict(zip(runners.tolist(), finish.results, strict=True))
        summary = {"race_games": finish.n_games}
    ranking = penalise(ranking, strategies, options.vp_penalty)
    if len(opponents):
        summary |= _race_summary(wins.get(int(ranking[0])), options.rivals or ())
    summary = (
        _summary(games, int(ranking[0]))
        | summary
        | {"diversity": genetics_of(options.model).diversity(genomes), "origins": evolution.origins}
    )
    return Generation(evolution.index, genomes, ranking.astype(np.int32), summary)


def _summary(games: Games, best: int) -> dict[str, float]:
    """Return means over a tournament: points per game of the best (up to one per opponent), rounds, VP, endings."""
    figures = course(games)
    return {
        "best_points": float(games.points[games.tables == best].mean(dtype=float)),
        "games": figures.n_games,
        "rounds": figures.rounds,
        "winner_vp": figures.winner_vp,
        "ended_on_piles": figures.ended["empty_piles"],
        "cut": figures.ended["cut"],
    }


def _race_summary(wins: npt.NDArray[np.float64] | None, named: Sequence[str]) -> dict[str, Any]:
    """Return the champion's shares of the wins against each baseline of its race, and their mean.

    ``wins`` has those against all rivals, the baselines first; None for a champion that did not race. The hall is left
    out: the baselines are the same in all generations, so that these figures can be compared.
    """
    if wins is None or not named:
        return {}
    shares = {name: float(share) for name, share in zip(named, wins, strict=False)}
    return {"race_wins": sum(shares.values()) / len(shares), "race_wins_by_rival": shares}


def rival_strategies(evolution: Evolution) -> npt.NDArray[Any]:
    """Return the rivals of the current generation as STRATEGY records: the baselines, then the hall of fame."""
    options = evolution.options
    named = baseline_records(options.rivals or (), options.kingdom)
    return np.concatenate([named, strategies_of(evolution.hall, options)])


def with_rivals(options: Options) -> Options:
    """Return the options with the rivals named in them, by default the strongest teachers of the kingdom."""
    if options.rivals is not None or not options.race:
        return options
    return replace(options, rivals=strongest_baselines(options.kingdom, options.players, among=TEACHERS))


def start(key: str, options: Options, seed: int, *, root: Path, overwrite: bool, workers: Workers) -> Run:
    """Start a run under a key and return it, open for writing, with its first generation saved.

    ``overwrite`` replaces an old run of this key once the first generation is ready; without it, raise UsageError if
    there is one.
    """
    options = with_rivals(options)
    if not overwrite:
        check_free(key, root)
    first = evaluate(Evolution(options, seed), workers)
    return Run.create(key, new_meta(options.to_json(), seed, RULES), [first], root=root, overwrite=overwrite)


def extend(run: Run, n_generations: int | None) -> Options:
    """Change how many generations a run is to have, save that, and return its settings; None changes nothing.

    Raises UsageError if the run already has more than ``n_generations``.
    """
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
    on_generation: Callable[[Generation], object],
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Evolve a run to its last generation and save each one; return False if ``should_stop`` ended it early."""
    options = options_of(run)
    last = checked(run, run.last(), options)
    hall = [champion_of(generation_of(run, index, options)) for index in hall_generations(last.index, options)]
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


def games_of(generation: Generation) -> int:
    """Return how many games ranked a generation, those of its race among them."""
    return int(generation.summary["games"] + generation.summary.get("race_games", 0))


def champion_of(generation: Generation) -> Genomes:
    """Return the genome of a generation's champion, as an array of one."""
    return generation.genomes[generation.ranking[:1]]


class _Buffer:
    """Collects finished generations and saves them together every SAVE_EVERY_S seconds, and at the end."""

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
