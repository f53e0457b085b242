"""Saved runs of advice: one run for each model, under keys derived from the request's key.

`open_runs` and `open_training` start or resume them. `evolve` continues evolution until a time limit or a generation.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from evodom.advice.best_response import RESPONSE
from evodom.advice.figures import Advice
from evodom.answers import BEST, EVOLVED, GIVEN, KEY_SUFFIXES, LEARNED, META_KEY, PLAN, answer_of, save_notes
from evodom.answers import default_key as default_key
from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.kingdom import Kingdom, slug
from evodom.errors import RunError, UsageError
from evodom.evolution.options import N_GENERATIONS, Options
from evodom.evolution.runs import NEWEST_WHOLE, carry_on, extend, is_whole, options_of, start
from evodom.learning import run as training
from evodom.learning.training import GAMES, TrainOptions
from evodom.matches.agents import Entrant
from evodom.runs import Generation, Run, check_free, check_key, delete_run, known_keys, seed_of
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers

KEY_SUFFIX_OF_MODEL = {part: end for part, end in KEY_SUFFIXES.items() if part != RESPONSE}
"""Suffix of the key for the run of each model."""

MODELS = EVOLVED
"""Models that are evolved."""

STEP = 5
"""With a time limit all runs evolve in turns of at most STEP generations, and end at the same generation."""

FLAGS_OF_SETTINGS = {
    "model": "--model",
    "islands": "--islands",
    "kingdom": "--kingdom",
    "players": "--players",
    "n_strategies": "--nstrat",
    "games": "--training-games",
}
"""Settings that a saved run must share with the request, and their flags. The games are those of learning."""


@dataclass(frozen=True)
class Request:
    """The kingdom, the table and the key of a request for advice."""

    kingdom: Kingdom
    players: int
    key: str
    n_strategies: int

    def options(self, model: str) -> Options:
        """Return the settings of the run of a model."""
        return Options(
            n_generations=1,
            n_strategies=self.n_strategies,
            model=model,
            players=self.players,
            kingdom=self.kingdom,
        )


def run_key(key: str, model: str) -> str:
    """Return the key of the run of a model. Raise UsageError for an invalid key."""
    return check_key(f"{check_key(key)}{KEY_SUFFIX_OF_MODEL[model]}")


def check_keys(key: str, root: Path) -> None:
    """Raise UsageError if the key of an answer, or of one of its runs, is new and no new file can have this name."""
    new = [] if saved_models(key, root) else [key]
    for name in (*new, *(f"{key}{suffix}" for suffix in KEY_SUFFIXES.values())):
        check_free(name, root, overwrite=True)


def check_runs(request: Request, seed: int | None, *, root: Path, n_games: int | None = None) -> int | None:
    """Return the seed of the saved runs, or None without any. Raise UsageError if they differ from the request.

    ``n_games`` is the requested number of games of learning. None accepts that of the saved run.
    """
    seed_source = f"--seed is {seed}"
    for model in saved_models(request.key, root):
        key = run_key(request.key, model)
        with Run.open(key, root=root) as run:
            _check_settings(run, model, _required_settings(request, model, n_games))
            saved_seed = seed_of(run)
        if seed is not None and seed != saved_seed:
            raise UsageError(
                f"run '{key}' was {_verb(model)} with seed {saved_seed}, and {seed_source}. "
                "Leave --seed out to continue, start again with --overwrite, or choose another --key."
            )
        seed, seed_source = saved_seed, f"run '{key}' with seed {saved_seed}"
    return seed


def _check_settings(run: Run, model: str, required: dict[str, Any]) -> None:
    """Raise UsageError if the run of a model differs from the requested settings."""
    if model == LEARNED and not training.is_learned(run):
        raise UsageError(f"run '{run.key}' was evolved, and learning is to be saved under this key. Say another --key.")
    saved = (training.options_of(run) if model == LEARNED else options_of(run)).to_json()
    different = next((name for name, value in required.items() if value != saved[name]), None)
    if different:
        raise UsageError(
            f"run '{run.key}' was {_verb(model)} with {_as_flag(different, saved)}, and the request has "
            f"{_as_flag(different, required)}. Start again with --overwrite, or choose another --key."
        )


def _required_settings(request: Request, model: str, n_games: int | None) -> dict[str, Any]:
    """Return the settings that the run of a model must have."""
    if model != LEARNED:
        options = request.options(model).to_json()
        return {name: options[name] for name in ("model", "islands", "kingdom", "players", "n_strategies")}
    required = {"kingdom": list(request.kingdom.cards), "players": request.players}
    return required | ({} if n_games is None else {"games": n_games})


def _verb(model: str) -> str:
    return "trained" if model == LEARNED else "evolved"


def saved_models(key: str, root: Path) -> list[str]:
    """Return the models that have a run under a key."""
    known = set(known_keys(root))
    return [model for model in KEY_SUFFIX_OF_MODEL if run_key(key, model) in known]


@contextmanager
def open_runs(
    request: Request, seed: int, *, root: Path, overwrite: bool, workers: Workers
) -> Iterator[tuple[Run, ...]]:
    """Open the runs of all models for writing. Start the missing runs."""
    there = [] if overwrite else saved_models(request.key, root)
    with ExitStack() as opened:
        runs = []
        for model in MODELS:
            key = run_key(request.key, model)
            if model in there:
                run = Run.open(key, root=root, write=True)
            else:
                run = start(key, request.options(model), seed, root=root, overwrite=overwrite, workers=workers)
            runs.append(opened.enter_context(run))
        yield tuple(runs)


@contextmanager
def open_training(
    request: Request,
    seed: int,
    options: TrainOptions,
    *,
    root: Path,
    overwrite: bool,
    workers: Workers,
    budget: Budget = NO_LIMIT,
) -> Iterator[Run]:
    """Open the run of learning for writing. Start it with ``options`` if it is missing.

    ``overwrite`` replaces it, and deletes the evolved runs of the key: they belong to the search that is replaced.
    """
    key = run_key(request.key, LEARNED)
    if not overwrite and LEARNED in saved_models(request.key, root):
        run = Run.open(key, root=root, write=True)
    else:
        run = training.start(key, options, seed, root=root, overwrite=overwrite, workers=workers, budget=budget)
        given = [card for card in request.kingdom.cards if card not in request.kingdom.drawn]
        run.set_meta(**{META_KEY: {GIVEN: given}})
    with run:
        if overwrite:
            for model in set(MODELS).intersection(saved_models(request.key, root)):
                delete_run(run_key(request.key, model), root)
        yield run


def learned_entrants(run: Run) -> tuple[Entrant, ...]:
    """Return the starts of a run of learning as entrants, best first."""
    found = training.latest_networks(run)
    names = [f"{run.key}:1", *(name for name, _, _ in found[1:])]
    return tuple(
        Entrant(name, ("start", f"{run.key} {start}"), record)
        for name, (_, start, record) in zip(names, found, strict=True)
    )


def save_response(request: Request, seed: int, advice: Advice, *, root: Path) -> str | None:
    """Save the best response that became the answer as a run, in place of an earlier one. Return its key.

    Return None if no best response became the answer, if the key belongs to another run, or if writing fails.
    """
    key, response = f"{request.key}{RESPONSE}", advice.best_response
    if response is None or not response.became_answer:
        return None
    games = min(max(response.n_games, GAMES.start), GAMES.stop - 1)
    options = TrainOptions(request.kingdom, request.players, games, n_starts=1)
    figures = {"games": response.n_games, "shares": [response.wins.share], RESPONSE: True}
    try:
        if key in known_keys(root):
            with Run.open(key, root=root) as run:
                if not run.last().summary.get(RESPONSE):
                    return None
        training.save_network(key, options, seed, advice.record, figures, root=root, overwrite=True)
    except RunError:
        return None
    return key


def note_answer(request: Request, best: str, plan: str, *, root: Path) -> str | None:
    """Save the name of the answer and the plan, as TOML. Return the answer's name among the saved runs.

    ``best`` is a baseline, or a strategy of a run of the request. Return None if nothing could be saved.
    """
    saved_name = best.removeprefix(request.key) if ":" in best else best  # the name of a baseline has no colon
    if not save_notes(request.key, root, **{BEST: saved_name, PLAN: plan}):
        return None
    found = answer_of(run_key(request.key, LEARNED), root)
    return None if found is None else found.name


def evolve(
    runs: Sequence[Run],
    workers: Workers,
    *,
    n_generations: int | None,
    budget: Budget = NO_LIMIT,
    on_generation: Callable[[Run, Generation], object],
    should_stop: Callable[[], bool],
) -> int | None:
    """Evolve all runs to the same generation. Return its number, counted from 1, or None if ``should_stop`` ended it.

    The goal is ``n_generations`` if given; longer runs stay unchanged. Otherwise the runs evolve until the ``budget``
    is over.
    """
    for run in runs if n_generations else ():
        _check_kept(run, n_generations or 0)
    goal = n_generations or max(run.n_generations for run in runs)
    for step in chain([0], [] if n_generations else budget.portions(N_GENERATIONS.stop - 1 - goal, 1, STEP)):
        if step and budget.is_over:
            break
        goal += step
        for run in runs:
            if run.n_generations < goal:
                extend(run, goal)
                if not carry_on(
                    run, workers, RunMonitor(on_generation=partial(on_generation, run), should_stop=should_stop)
                ):
                    return None
    return goal


def _check_kept(run: Run, n_generations: int) -> None:
    """Raise UsageError if a longer run keeps only the champion of the requested generation."""
    if n_generations <= run.n_generations and not is_whole(n_generations - 1, run.n_generations):
        raise UsageError(
            f"--ngen is {n_generations}, and run '{run.key}' has {run.n_generations} generations, of which "
            f"only the newest are whole. Allowed: {run.n_generations - NEWEST_WHOLE + 1} or more. Or give --overwrite."
        )


def _as_flag(name: str, options: dict[str, Any]) -> str:
    """Return a setting in the form of the command line."""
    value = options[name]
    return f"{FLAGS_OF_SETTINGS[name]} {','.join(map(slug, value)) if name == 'kingdom' else value}"
