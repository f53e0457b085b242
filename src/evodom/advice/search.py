"""Find advice on a kingdom within a time limit, or up to a generation.

    found = find_advice(Question(request, seed, minutes=1.0), store=store, workers=workers)

Questions with the same seed, games of learning and generations have the same answer (docs/reference/learning.md).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeAlias

from evodom.advice import DEFAULT_GAMES, DEFAULT_MINUTES, LEARNED_GAMES
from evodom.advice.answer import EVOLVED
from evodom.advice.best_response import RESPONSE, find_best_response
from evodom.advice.figures import Advice, advice_of, measure_win_rates, play_openings, try_cards
from evodom.advice.finding import RankedStrategies, entrants_of, find_list, rank
from evodom.advice.plan import buy_list_genomes
from evodom.advice.runs import (
    Request,
    check_saved_answer,
    evolve,
    learned_entrants,
    note_answer,
    open_runs,
    open_training,
    save_response,
)
from evodom.advice.stages import STAGES
from evodom.budget import NO_LIMIT, Budget, Cancelled, Clock, Monitor, work_time
from evodom.dominion.kingdom import engine_groups
from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.files import dump_strategy
from evodom.evolution import runs as reading
from evodom.evolution.history import games_of
from evodom.kernel_groups import load_groups
from evodom.learning.run import carry_on, checked, options_of
from evodom.learning.training import TrainOptions, estimate_n_games
from evodom.matches.agents import Entrant
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.runs import Generation, Run, RunStore, check_key
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers

STAGE_NAMES = LEARNING, EVOLVING, MEASURING = "learning", "evolving", "measuring"
"""Stages of the progress, in order."""

STEP_NAMES = TOURNAMENT, BEST_RESPONSE, LIST, FIGURES = "tournament", "best_response", "list", "figures"
"""Steps of MEASURING, in order. The step FIGURES measures win rates, openings and cards."""

SAVED = "the learned networks and all generations are saved"


@dataclass(frozen=True)
class Question:
    """A request for advice, with its effort.

    Attributes:
        minutes: the time limit, unless there are ``n_generations``.
        n_generations: number of generations of each model.
        learned_games: number of games of learning, or None for a default.
        games: number of games of each win rate.
        users: opponents that the user named.
        overwrite: True if the search starts again. Otherwise it continues the saved answer with the request's key.
    """

    request: Request
    seed: int
    minutes: float | None = None
    n_generations: int | None = None
    learned_games: int | None = None
    games: int = DEFAULT_GAMES
    users: tuple[Entrant, ...] = ()
    overwrite: bool = False

    @property
    def is_timed(self) -> bool:
        """True if time is the limit, False if generations are."""
        return not self.n_generations

    def budget(self, clock: Clock) -> Budget:
        """Return the time limit of a search that begins now. Compile time is excluded."""
        return Budget.starting_now(60.0 * (self.minutes or DEFAULT_MINUTES), clock) if self.is_timed else NO_LIMIT


@dataclass(frozen=True)
class AdviceProgress:
    """Progress of a search.

    Attributes:
        stage: LEARNING, EVOLVING or MEASURING.
        done, total: games of training, generations, or games of matches, by stage. An unknown total is None.
        games: games played since the start of the search.
        share: the learner's win rate against its opponents.
        segment: the learner's checkpoint and start. ``share`` changes with them, because the opponents change.
        step: the current step of MEASURING.
        best: name of the best strategy so far.
        newest: a run and its last generation.
    """

    stage: str
    done: int
    games: int = 0
    total: int | None = None
    share: float | None = None
    segment: tuple[int, int] = (0, 0)
    step: str = ""
    best: str = ""
    newest: tuple[Run, Generation] | None = None

    def to_json(self) -> dict[str, object]:
        """Return the progress as plain JSON types, without the generation."""
        return {name: value for name, value in vars(self).items() if name != "newest"}


AdviceMonitor: TypeAlias = Monitor[[AdviceProgress]]


@dataclass(frozen=True)
class AdviceResult:
    """The advice, the number of generations of each model, and the number of games of learning.

    ``response`` is the key of the best response, if it became the answer. ``name`` is the key of the saved answer.
    """

    advice: Advice
    n_generations: int
    n_games: int
    seconds: float
    response: str | None = None
    name: str | None = None

    @property
    def is_answer_saved(self) -> bool:
        """True if the answer is saved, so that it can be an opponent."""
        return self.advice.ranking[0] != RESPONSE or self.response is not None


def checked_question(question: Question, seed: int | None, store: RunStore) -> Question:
    """Return a question with the seed of its saved answer, if there is one.

    ``seed`` is the user's --seed, or None. Raise UsageError for settings that a model refuses, or if the saved answer
    differs from the question. Raise EvodomError if no answer can be saved under the key.
    """
    request = question.request
    for model in EVOLVED:
        request.evolution(model)
    if check_key(request.key) not in store:
        store.check_free(request.key)
    if not question.overwrite:
        saved = check_saved_answer(request, seed, n_games=question.learned_games, store=store)
        question = question if saved is None else replace(question, seed=saved)
    store.check_writable(request.key)
    return question


def find_advice(
    question: Question,
    *,
    store: RunStore,
    workers: Workers,
    monitor: AdviceMonitor | None = None,
    clock: Clock = work_time,
) -> AdviceResult:
    """Find and save the best strategy of a kingdom (the *answer*) and a list for people (the *plan*).

    1. Learning: train networks.
    2. Evolution: evolve preferences and buy lists.
    3. Tournament: rank the networks, the best evolved strategies, baselines and the user's opponents.
    4. Best response: train a network against the winner. The better strategy is the answer.
    5. List: find a list that wins against the answer, if it is a network. Otherwise improve the answer card by card.
    6. Win rates: measure the answer and the plan in new games.
    7. Openings: play the first two turns, and find the habits of a network.
    8. Cards: measure the effect of each kingdom card.

    `advice.stages` has the time and the games of each step. Raise Cancelled if the monitor stops the search.
    """
    if question.is_timed:
        # The time limit does not include compile time.
        load_groups(*engine_groups(question.request.kingdom), "learning", "search")
    began, users = clock(), question.users
    search = _Search(question, store, workers, monitor or Monitor(), clock)
    networks, n_games = search.learn()
    evolved, evolved_lists, n_generations = search.evolve()
    venue = search.venue
    stages = STAGES.planned(question.games, inf if question.is_timed else n_games)
    search.begin(TOURNAMENT)
    ranked = rank(venue, [*evolved, *networks], users, stages)
    search.begin(BEST_RESPONSE, ranked[0].name)
    ranked, response = find_best_response(venue, ranked, stages)
    search.begin(LIST, ranked[0].name)
    field = RankedStrategies.of(venue, stages, ranked)
    plan = find_list(field, evolved_lists)
    search.begin(FIGURES, ranked[0].name)
    win_rates = measure_win_rates(field, plan, users)
    play = play_openings(field, plan)
    advice = advice_of(field, response, plan, (win_rates, play, try_cards(field, plan, play)))
    saved = save_response(question.request, question.seed, advice, store=store)
    found = AdviceResult(advice, n_generations, n_games, clock() - began, saved)
    return replace(found, name=note_answer(question.request, *_best_and_plan(question, found), store=store))


class _Search:
    """A search for an answer: its time limit, its progress, and the steps that save runs."""

    def __init__(
        self, question: Question, store: RunStore, workers: Workers, monitor: AdviceMonitor, clock: Clock
    ) -> None:
        self._question, self._workers, self._monitor = question, workers, monitor
        self._shared: dict[str, Any] = {"store": store, "workers": workers}
        self._budget = question.budget(clock)
        self._games = self._measured = 0
        self._step = self._best = ""

    def learn(self) -> tuple[tuple[Entrant, ...], int]:
        """Train networks, or continue the saved training. Return the best of each start, and the games of training."""
        question, budget = self._question, self._budget.part(STAGES.learning.share)
        options = self._options(budget)
        overwrite = question.overwrite
        with open_training(
            question.request, question.seed, options, overwrite=overwrite, budget=budget, **self._shared
        ) as training:
            options, played = options_of(training), int(checked(training, training.last()).summary["games"])

            def on_games(n: int, figures: Mapping[str, float]) -> None:
                nonlocal played
                played += n
                share = budget.share_spent
                total = max(int(played / share), 1) if options.minutes and share else options.games
                segment = int(figures["checkpoint"]), int(figures["start"])
                self._report(n, AdviceProgress(LEARNING, played, total=total, share=figures["share"], segment=segment))

            monitor = RunMonitor(on_games, should_stop=self._monitor.should_stop)
            if not carry_on(training, self._workers, monitor, budget):
                raise Cancelled(f"checkpoint {training.n_generations - 1} of the learned networks is saved")
            return learned_entrants(training), options.games

    def _options(self, budget: Budget) -> TrainOptions:
        """Return the settings for a new run of learning."""
        question, request = self._question, self._question.request
        minutes, n_games = 0.0, question.learned_games or LEARNED_GAMES
        if question.is_timed and not question.learned_games:
            minutes = budget.seconds_left / 60.0
            n_games = estimate_n_games(budget.seconds_left, request.kingdom, request.players, self._workers)
        return TrainOptions(request.kingdom, request.players, n_games, minutes=minutes)

    def evolve(self) -> tuple[list[Entrant], Genomes, int]:
        """Evolve both models. Return the champions and baselines, the best buy lists, and the number of generations."""
        question = self._question
        with open_runs(question.request, question.seed, **self._shared) as runs:

            def on_generation(run: Run, generation: Generation, *, played: bool = True) -> None:
                done, total = generation.index + 1, question.n_generations
                progress = AdviceProgress(EVOLVING, done, total=total, newest=(run, generation))
                self._report(games_of(generation.summary) if played else 0, progress)

            for run in runs:
                on_generation(run, reading.checked(run, run.last(), reading.options_of(run)), played=False)
            n = evolve(
                runs,
                self._workers,
                n_generations=question.n_generations,
                budget=self._budget.part(STAGES.evolution.share),
                on_generation=on_generation,
                should_stop=self._monitor.should_stop,
            )
            if n is None:
                raise Cancelled(SAVED)
            return entrants_of(self.venue, runs, n, STAGES), buy_list_genomes(runs, n), n

    @property
    def venue(self) -> Venue:
        """The venue of all games after evolution, with the remaining time."""
        question, request = self._question, self._question.request
        table = request.kingdom, request.players, question.seed, Use.ADVICE
        return Venue(*table, self._workers, self._on_games, self._budget)

    def begin(self, step: str, best: str = "") -> None:
        """Report the next step after evolution, and the name of the best strategy so far."""
        self._step, self._best = step, best
        self._on_games(0)

    def _on_games(self, n: int) -> None:
        self._monitor.check(SAVED)
        self._measured += n
        total = STAGES.planned(self._question.games, 0).estimated_games
        self._report(n, AdviceProgress(MEASURING, self._measured, total=total, step=self._step, best=self._best))

    def _report(self, n: int, progress: AdviceProgress) -> None:
        """Count games, and report the progress."""
        self._games += n
        self._monitor.on_progress(replace(progress, games=self._games))


def best_saved_opponent(question: Question, found: AdviceResult) -> tuple[str, bool]:
    """Return the name of the best saved opponent, and whether this name implies the kingdom. Prefer the answer."""
    users = [one.name for one in question.users]
    first = next(name for name in _saved_names(found))
    if found.name and first not in users:
        return found.name, True
    return first, ":" in first and first not in users


def _saved_names(found: AdviceResult) -> Iterator[str]:
    """Yield the names of the ranking that are saved, best first."""
    saved = (name for name in found.advice.ranking if name != RESPONSE or found.response)
    return (f"{found.response}:1" if name == RESPONSE else name for name in saved)


def _best_and_plan(question: Question, found: AdviceResult) -> tuple[str, str]:
    """Return the name of the best saved strategy that the user did not name, and the plan as TOML."""
    users = [one.name for one in question.users]
    best = next(name for name in _saved_names(found) if name not in users)
    return best, dump_strategy(found.advice.plan, question.request.kingdom, name="list")
