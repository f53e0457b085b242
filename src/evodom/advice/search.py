"""Search for advice: learn, evolve and measure within a time limit or up to a generation, and report progress.

    found = answer(Question(request, seed, minutes=1.0), root=folder, workers=workers)

Equal questions with equal seeds, games of learning and generations have equal answers (docs/reference/learning.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from evodom.advice import DEFAULT_GAMES, DEFAULT_MINUTES, LEARNED_GAMES
from evodom.advice.effort import ADVICE_EFFORT
from evodom.advice.exploit import REPLY
from evodom.advice.finding import Advice, Learning, estimated_games, find_advice
from evodom.advice.runs import (
    Request,
    check_keys,
    check_runs,
    evolve,
    learned_entrants,
    note_answer,
    open_runs,
    open_training,
    save_reply,
)
from evodom.budget import NO_LIMIT, Budget, Cancelled, Clock, Monitor, work_time
from evodom.dominion.strategies.files import dump_strategy
from evodom.evolution import runs as reading
from evodom.evolution.algorithm import games_of
from evodom.jit.groups import load_groups
from evodom.learning.run import carry_on, checked, options_of
from evodom.learning.training import TrainOptions, estimate_n_games
from evodom.matches.agents import Entrant
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from evodom.runs import Generation, Run
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers

EFFORT = ADVICE_EFFORT

LEARNING_SHARE, EVOLVING_SHARE = 0.3, 0.2
"""Shares of the remaining time for learning, then for evolution. The rest is for `find_advice`."""

REPLY_SHARE, CARDS_SHARE = 0.1, 0.15
"""Games of a segment against the answer and of all cards, relative to learning, if counts are the limit."""

LEARNING, EVOLVING, MEASURING = "learning", "evolving", "measuring"
"""Stages of a search, in order."""

SAVED = "what was learned and all generations are saved"


@dataclass(frozen=True)
class Question:
    """A request for advice, with its effort: ``minutes``, or ``n_generations`` of each model.

    ``games`` is the number of games of each figure, ``own`` are the user's opponents. With ``overwrite`` the search
    starts again. Otherwise it continues the runs saved under the request's key.
    """

    request: Request
    seed: int
    minutes: float | None = None
    n_generations: int | None = None
    learned_games: int | None = None
    games: int = DEFAULT_GAMES
    own: tuple[Entrant, ...] = ()
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
    """Progress of a search: its stage, the amount done, and the games played since the start.

    ``done`` counts games of ``total`` while learning, then generations, then games of measuring. ``share`` is the
    learner's win rate against its rivals. ``segment`` is its checkpoint and start: two segments have different rivals.
    ``step`` is the current measurement, ``best`` the best strategy so far.
    ``newest`` is a run and its last generation.
    """

    stage: str
    done: int
    games: int
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
    """The advice, the generations of each model, and the games of learning.

    ``reply`` is the run of a reply that became the answer. ``name`` is the answer's name among the saved runs.
    """

    advice: Advice
    n_generations: int
    n_games: int
    seconds: float
    reply: str | None = None
    name: str | None = None

    @property
    def plays_answer(self) -> bool:
        """True if the answer is saved, so that it can be an opponent."""
        return self.advice.ranking[0] != REPLY or self.reply is not None


def saved_seed(question: Question, seed: int | None, root: Path) -> int:
    """Return the seed of a question's saved runs, or its own seed without any.

    ``seed`` is the requested seed, or None. Raise UsageError if the saved runs differ from the question, or if no run
    can be saved under its key.
    """
    check_keys(question.request.key, root)
    if question.overwrite:
        return question.seed
    saved = check_runs(question.request, seed, n_games=question.learned_games, root=root)
    return question.seed if saved is None else saved


def answer(
    question: Question,
    *,
    root: Path,
    workers: Workers,
    monitor: AdviceMonitor | None = None,
    clock: Clock = work_time,
) -> AdviceResult:
    """Learn, evolve and measure. Raise Cancelled if the monitor stops the search."""
    if question.is_timed:
        load_groups("games", "learning")
    return _AdviceSearch(question, root, workers, monitor or Monitor(), clock).run()


class _AdviceSearch:
    """One search for an answer, with the number of games played."""

    def __init__(self, question: Question, root: Path, workers: Workers, monitor: AdviceMonitor, clock: Clock) -> None:
        self._question, self._workers, self._monitor, self._clock = question, workers, monitor, clock
        self._shared: dict[str, Any] = {"root": root, "overwrite": question.overwrite, "workers": workers}
        self._budget = question.budget(clock)
        self._games = 0

    def run(self) -> AdviceResult:
        """Run all stages and return the result."""
        began, question = self._clock(), self._question
        budget = self._budget.part(LEARNING_SHARE)
        options = self._learning(budget)
        with open_training(question.request, question.seed, options, budget=budget, **self._shared) as training:
            self._learn(training, budget)
            learned, n_games = learned_entrants(training), options_of(training).games
        per_share = n_games / LEARNING_SHARE
        learning = Learning(learned, int(REPLY_SHARE * per_share), int(CARDS_SHARE * per_share / 20), EFFORT)
        if question.is_timed:
            learning = Learning(learned, inf, inf, EFFORT)
        advice, n_generations = self._evolve_and_measure(learning)
        saved = save_reply(question.request, question.seed, advice, root=self._shared["root"])
        found = AdviceResult(advice, n_generations, n_games, self._clock() - began, saved)
        return replace(
            found, name=note_answer(question.request, *_best_and_plan(question, found), root=self._shared["root"])
        )

    def _learning(self, budget: Budget) -> TrainOptions:
        """Return the settings for a new run of learning."""
        question, request = self._question, self._question.request
        minutes, n_games = 0.0, question.learned_games or LEARNED_GAMES
        if question.is_timed and not question.learned_games:
            minutes = budget.seconds_left / 60.0
            n_games = estimate_n_games(budget.seconds_left, request.kingdom, request.players, self._workers)
        return TrainOptions(request.kingdom, request.players, n_games, minutes=minutes)

    def _learn(self, training: Run, budget: Budget) -> None:
        """Continue the training to its end."""
        options, played = options_of(training), int(checked(training, training.last()).summary["games"])

        def on_games(n: int, figures: Mapping[str, float]) -> None:
            nonlocal played
            played += n
            self._games += n
            share = budget.share_spent
            total = max(int(played / share), 1) if options.minutes and share else options.games
            segment = int(figures["checkpoint"]), int(figures["start"])
            self._monitor.on_progress(AdviceProgress(LEARNING, played, self._games, total, figures["share"], segment))

        if not carry_on(training, self._workers, RunMonitor(on_games, should_stop=self._monitor.should_stop), budget):
            raise Cancelled(f"checkpoint {training.n_generations - 1} of what is learned is saved")

    def _evolve_and_measure(self, learning: Learning) -> tuple[Advice, int]:
        """Evolve for a part of the remaining time, then measure all strategies."""
        question = self._question
        with open_runs(question.request, question.seed, **self._shared) as runs:

            def on_generation(run: Run, generation: Generation, *, played: bool = True) -> None:
                self._games += games_of(generation) if played else 0
                done, total = generation.index + 1, question.n_generations
                self._monitor.on_progress(AdviceProgress(EVOLVING, done, self._games, total, newest=(run, generation)))

            for run in runs:
                on_generation(run, reading.checked(run, run.last(), reading.options_of(run)), played=False)
            n = evolve(
                runs,
                self._workers,
                n_generations=question.n_generations,
                budget=self._budget.part(EVOLVING_SHARE),
                on_generation=on_generation,
                should_stop=self._monitor.should_stop,
            )
            if n is None:
                raise Cancelled(SAVED)
            return self._measure(runs, n, learning), n

    def _measure(self, runs: Sequence[Run], n_generations: int, learning: Learning) -> Advice:
        """Compare all strategies and measure the best."""
        question, doing, played = self._question, ("", ""), 0

        def on_games(n: int) -> None:
            nonlocal played
            self._monitor.check(SAVED)
            played += n
            self._games += n
            step, best = doing
            self._monitor.on_progress(
                AdviceProgress(MEASURING, played, self._games, estimated_games(question.games), step=step, best=best)
            )

        def on_step(step: str, best: str) -> None:
            nonlocal doing
            doing = step, best
            on_games(0)

        request = question.request
        venue = Venue(
            request.kingdom, request.players, question.seed, Use.ADVICE, self._workers, on_games, self._budget
        )
        return find_advice(venue, runs, n_generations, question.games, learning, own=question.own, on_step=on_step)


def best_saved_opponent(question: Question, found: AdviceResult) -> tuple[str, bool]:
    """Return the name of the best saved opponent, and whether its run has the kingdom. The answer is preferred."""
    own = [one.name for one in question.own]
    first = next(name for name in _saved_names(found))
    if found.name and first not in own:
        return found.name, True
    return first, ":" in first and first not in own


def _saved_names(found: AdviceResult) -> Iterator[str]:
    """Yield the names of the ranking that are saved, best first."""
    saved = (name for name in found.advice.ranking if name != REPLY or found.reply)
    return (f"{found.reply}:1" if name == REPLY else name for name in saved)


def _best_and_plan(question: Question, found: AdviceResult) -> tuple[str, str]:
    """Return the best strategy that is saved apart from the question's opponents, and the plan as TOML."""
    own = [one.name for one in question.own]
    best = next(name for name in _saved_names(found) if name not in own)
    return best, dump_strategy(found.advice.plan, question.request.kingdom, name="list")
