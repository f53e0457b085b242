"""Run evolution under a key: save every generation, and resume a stopped run with the same result."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

from evodom.dominion.kingdom import RULES
from evodom.dominion.strategies.baselines import TEACHERS
from evodom.errors import UsageError
from evodom.evolution.algorithm import Evolution, hall_generations
from evodom.evolution.evaluation import champion_of, evaluate
from evodom.evolution.history import thinned, thinned_by
from evodom.evolution.islands import Archipelago
from evodom.evolution.options import Options
from evodom.evolution.reading import checked, generation_of, options_of
from evodom.matches.evaluate import strongest_baselines
from evodom.matches.guests import read_guests
from evodom.store import Generation, Run, check_free, new_meta, seed_of
from evodom.tasks import OnDone, Workers, nobody

SAVE_EVERY_S = 0.5
"""Finished generations wait at most this long to be saved, plus the time one generation takes."""


def with_rivals(options: Options) -> Options:
    """Return the options with all rivals named: by default the strongest teachers of the kingdom, and the guests."""
    if options.rivals is not None or not options.race:
        return options
    strongest = strongest_baselines(options.kingdom, options.players, among=TEACHERS)
    guests = read_guests(options.guests, options.kingdom)
    return replace(options, rivals=tuple(dict.fromkeys((*strongest, *(guest.name for guest in guests)))))


def start(
    key: str,
    options: Options,
    seed: int,
    *,
    root: Path,
    overwrite: bool,
    workers: Workers,
    on_island: OnDone = nobody,
) -> Run:
    """Start a run under a key and return it, open for writing, with its first generation saved.

    ``overwrite`` replaces an old run of this key once the first generation is ready; without it, raise UsageError if
    there is one. Of islands the first round is saved, and ``on_island`` is told the number of each that is done.
    """
    options = with_rivals(options)
    if not overwrite:
        check_free(key, root)
    if options.islands > 1:
        first = next(Archipelago(options, seed).rounds(workers, on_island))
    else:
        first = next(_generations(Evolution(options, seed), workers))
    return Run.create(key, new_meta(options.to_json(), seed, RULES), [first], root=root, overwrite=overwrite)


def extend(run: Run, n_generations: int | None) -> Options:
    """Change how many generations a run is to have, save that, and return its settings; None changes nothing.

    Raises UsageError if the run already has more than ``n_generations``.
    """
    options = options_of(run)
    if n_generations is None or n_generations == options.n_generations:
        return options
    done = run.n_generations * options.round_length
    if n_generations < done:
        raise UsageError(
            f"--ngen is {n_generations}, but run '{run.key}' has {done} generations already. Allowed: {done} or more."
        )
    options = replace(options, n_generations=n_generations)
    run.set_meta(options=options.to_json())
    return options


def carry_on(
    run: Run,
    workers: Workers,
    on_generation: Callable[[Generation], object],
    should_stop: Callable[[], bool] = lambda: False,
    on_island: OnDone = nobody,
) -> bool:
    """Evolve a run to its last generation and save each one; return False if ``should_stop`` ended it early.

    Of islands each round is saved, and ``on_island`` is told the number of each that is done.
    """
    options = options_of(run)
    n_saved, following = run.n_generations, _following(run, options, workers, on_island)
    with _Buffer(run) as saved:
        while n_saved < options.n_saved:
            if should_stop():
                return False
            generation = next(following)
            saved.add(generation)
            on_generation(generation)
            n_saved += 1
    return True


def _following(run: Run, options: Options, workers: Workers, on_island: OnDone) -> Iterator[Generation]:
    """Give the generations, or rounds of islands, after the saved ones, without end."""
    last, seed = checked(run, run.last(), options), seed_of(run)
    if options.islands > 1:
        before = range(max(0, last.index + 1 - options.hall), last.index + 1)
        hall = [champion_of(generation_of(run, index, options)) for index in before]
        return Archipelago(options, seed, last, hall).rounds(workers, on_island)
    hall = [champion_of(generation_of(run, index, options)) for index in hall_generations(last.index, options)]
    return _generations(Evolution.resume(options, seed, last.index, last.genomes, last.ranking, hall), workers)


def _generations(evolution: Evolution, workers: Workers) -> Iterator[Generation]:
    """Give one generation of a population after the other, from the current one."""
    while True:
        generation = evaluate(evolution, workers)
        yield generation
        evolution.tell(generation.ranking)


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
            n_before = self._run.n_generations
            thin = thinned_by(n_before, n_before + len(self._waiting))
            new = [thinned(each) if each.index in thin else each for each in self._waiting]
            self._run.append(new, instead=[thinned(self._run.generation(old)) for old in thin if old < n_before])
        self._waiting = []
        self._saved_at = time.monotonic()
