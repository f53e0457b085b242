"""Open and continue the runs of a search for advice. The runs are parts of the answer's file.

`open_training` opens the run of learning, `open_runs` the runs of evolution. `evolve` continues evolution until a time
limit or a generation.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from evodom.advice.answer import ANSWERS, BEST, BEST_RESPONSE, EVOLVED, AnswerOptions
from evodom.advice.figures import Advice
from evodom.budget import NO_LIMIT, Budget
from evodom.dominion.kingdom import Kingdom, slug
from evodom.errors import RunError, UsageError
from evodom.evolution.options import N_GENERATIONS, Options
from evodom.evolution.runs import EVOLUTION, NEWEST_WHOLE, carry_on, extend, is_whole
from evodom.learning import run as training
from evodom.learning.training import GAMES, TrainOptions
from evodom.matches.agents import Entrant
from evodom.matches.names import LIST, NETWORK
from evodom.runs import Generation, Run, RunStore
from evodom.runs.lifecycle import RunMonitor, RunResources
from evodom.tasks import Workers

MAX_STEP = 5
"""Maximum number of generations of a run before the next run continues, if time is limited."""

FLAGS_OF_SETTINGS = {
    "kingdom": "--kingdom",
    "players": "--players",
    "n_strategies": "--nstrat",
    "games": "--training-games",
}
"""Settings that must be equal in a saved answer and a request, with their options. "games" is that of the training."""


@dataclass(frozen=True)
class Request:
    """The kingdom, the number of players and the key of a request for advice."""

    kingdom: Kingdom
    players: int
    key: str
    n_strategies: int

    @property
    def options(self) -> AnswerOptions:
        """The settings that are saved with the answer."""
        return AnswerOptions(kingdom=self.kingdom, players=self.players, n_strategies=self.n_strategies)

    def evolution(self, model: str) -> Options:
        """Return the settings of the evolved run of a model."""
        return Options(
            n_generations=1,
            n_strategies=self.n_strategies,
            model=model,
            players=self.players,
            kingdom=self.kingdom,
        )


def check_saved_answer(
    request: Request, seed: int | None, *, store: RunStore, n_games: int | None = None
) -> int | None:
    """Return the seed of the saved answer, or None if there is no answer with the request's key.

    ``n_games`` is the requested number of games of learning; None accepts any number. Raise UsageError if the saved
    answer differs from the request.
    """
    key = request.key
    if key not in store:
        return None
    advice = "Start again with --overwrite, or choose another --key."
    with store.open(key) as run:
        if not ANSWERS.owns(run):
            raise UsageError(f"{ANSWERS.wrong_kind_message(run)} Choose another --key.")
        saved, required = ANSWERS.options_of(run).to_json(), request.options.to_json()
        if n_games is not None:
            saved["games"], required["games"] = training.options_of(run.part(NETWORK)).games, n_games
        saved_seed = run.provenance().seed
    different = next((name for name in FLAGS_OF_SETTINGS if required.get(name) != saved.get(name)), None)
    if different:
        raise UsageError(
            f"answer '{key}' was found with {_as_flag(different, saved)}, and the request has "
            f"{_as_flag(different, required)}. {advice}"
        )
    if seed not in (None, saved_seed):
        raise UsageError(
            f"answer '{key}' was found with seed {saved_seed}, and --seed is {seed}. "
            "Leave --seed out to continue, start again with --overwrite, or choose another --key."
        )
    return saved_seed


@contextmanager
def open_training(
    request: Request,
    seed: int,
    options: TrainOptions,
    *,
    store: RunStore,
    overwrite: bool,
    workers: Workers,
    budget: Budget = NO_LIMIT,
) -> Iterator[Run]:
    """Open the learning run of an answer for writing. If the answer is missing, start it with ``options``.

    ``overwrite`` replaces the whole answer once the first checkpoint is ready.
    """
    if overwrite or request.key not in store:
        store.check_free(request.key, overwrite=overwrite)
        parts = {NETWORK: training.LEARNING.new(options, seed, RunResources(workers, budget=budget))}
        meta = ANSWERS.meta_of(request.options, seed)
        store.create(request.key, meta, [], overwrite=overwrite, parts=parts).close()
    with store.open(request.key, write=True) as answer:
        yield answer.part(NETWORK)


@contextmanager
def open_runs(request: Request, seed: int, *, store: RunStore, workers: Workers) -> Iterator[tuple[Run, ...]]:
    """Open the evolved runs of an answer for writing. Start the missing runs."""
    with store.open(request.key, write=True) as answer:
        for model in EVOLVED:
            if model not in answer.parts:
                answer.save_part(model, EVOLUTION.new(request.evolution(model), seed, RunResources(workers)))
        yield tuple(map(answer.part, EVOLVED))


def learned_entrants(run: Run) -> tuple[Entrant, ...]:
    """Return the last network of each start of a learning run as entrants, best first."""
    found = training.latest_networks(run)
    names = [f"{run.key}:1", *(name for name, _, _ in found[1:])]
    return tuple(
        Entrant(name, ("start", f"{run.key} {start}"), record)
        for name, (_, start, record) in zip(names, found, strict=True)
    )


def save_response(request: Request, seed: int, advice: Advice, *, store: RunStore) -> str | None:
    """Save the best response that became the answer. It replaces an earlier best response. Return the key of its part.

    Return None if no best response became the answer, or if writing fails.
    """
    response = advice.best_response
    if response is None or not response.became_answer:
        return None
    games = min(max(response.n_games, GAMES.start), GAMES.stop - 1)
    options = TrainOptions(request.kingdom, request.players, games, n_starts=1)
    figures = {"games": response.n_games, "shares": [response.wins.share]}
    with suppress(RunError), store.open(request.key, write=True) as answer:
        answer.save_part(BEST_RESPONSE, training.run_of_network(options, seed, advice.record, figures))
        return answer.part(BEST_RESPONSE).key
    return None


def note_answer(request: Request, best: str, plan: str, *, store: RunStore) -> str | None:
    """Save the plan (TOML) and the name of the best strategy. Return the answer's key, or None if writing fails.

    ``best`` names a baseline, or a strategy of a part.
    """
    with suppress(RunError), store.open(request.key, write=True) as answer:
        answer.set_meta(**{BEST: best.removeprefix(f"{request.key}:"), LIST: plan})
        return answer.key
    return None


def evolve(
    runs: Sequence[Run],
    workers: Workers,
    *,
    n_generations: int | None,
    budget: Budget = NO_LIMIT,
    on_generation: Callable[[Run, Generation], object],
    should_stop: Callable[[], bool],
) -> int | None:
    """Evolve all runs to the same number of generations, and return it. Return None if ``should_stop`` ended evolution.

    With ``n_generations``, runs that are longer stay unchanged. Without it, the runs evolve until the ``budget`` is
    over.
    """
    for run in runs if n_generations else ():
        _check_kept(run, n_generations or 0)
    goal = n_generations or max(run.n_generations for run in runs)
    for step in chain([0], [] if n_generations else budget.portions(N_GENERATIONS.stop - 1 - goal, 1, MAX_STEP)):
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
