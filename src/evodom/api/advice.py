"""Advice for ten cards as one call: `advise`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evodom.advice.answer import default_key
from evodom.advice.figures import Advice
from evodom.advice.runs import Request
from evodom.advice.search import AdviceMonitor, AdviceResult, Question, checked_question, find_advice
from evodom.api.progress import ensure_compiled, note_unusable_network, workers
from evodom.api.results import Figure, ReportedResult, bars
from evodom.api.strategies import NamedStrategy
from evodom.dominion.kingdom import Kingdom, as_kingdom, engine_groups
from evodom.options import checked_seed
from evodom.presentation.charts import estimate_bar
from evodom.presentation.document import Document
from evodom.presentation.documents.advice import advice_document
from evodom.presentation.documents.advice_facts import summary_of
from evodom.runs import RunStore


@dataclass(frozen=True, repr=False)
class KingdomAdvice(ReportedResult):
    """The result of `advise`. ``advice`` has all figures. ``commands`` has the commands to try next."""

    question: Question
    result: AdviceResult
    commands: Mapping[str, str] = field(default_factory=dict)

    @property
    def advice(self) -> Advice:
        """All figures of the answer."""
        return self.result.advice

    @cached_property
    def best(self) -> NamedStrategy:
        """The best strategy found."""
        return self._named(self.advice.name, self.advice.record)

    @cached_property
    def buy_list(self) -> NamedStrategy:
        """The list for play by hand."""
        return self._named("list", self.advice.plan)

    def _named(self, name: str, record: Any) -> NamedStrategy:
        request = self.question.request
        return NamedStrategy(name, record, request.kingdom, request.players, request.players)

    @property
    def _facts(self) -> dict[str, Any]:
        return summary_of(self.question, self.result) | dict(self.commands)

    def to_dict(self) -> dict[str, Any]:
        """Return the request and all figures as JSON types."""
        return self._facts | {"seconds": self.result.seconds} | self.advice.to_json()

    def document(self, *, full: bool = False, sample: bool = False) -> Document:
        """Return the text of ``evodom advise``. ``full`` gives the full report. ``sample`` adds a game of the list."""
        return advice_document(self._facts, self.advice, self.result.seconds, full=full, sample=sample)

    def plot(self) -> Figure:
        """Return the win rates of the best strategy and of the list as bars with 95 % intervals."""
        found, players = self.advice, self.question.request.players
        rows = [
            estimate_bar("best, against Big Money", found.against_big_money),
            estimate_bar(f"best, against {found.runner_up}", found.against_runner_up),
            estimate_bar("list, against Big Money", found.plan_against_big_money),
        ]
        return bars("Win rates", rows, 1 / players)

    def _summary(self) -> str:
        return f"best {self.best.name}: {self.best.buys()}"


def advise(
    kingdom: Kingdom | str,
    *,
    minutes: float = 1.0,
    n_generations: int | None = None,
    players: int = 2,
    seed: int = 0,
    key: str = "",
    overwrite: bool = False,
) -> KingdomAdvice:
    """Find the best strategy for a kingdom and a list for play by hand, like ``evodom advise``.

    Args:
        kingdom: a Kingdom or a text as for ``--kingdom``.
        minutes: time limit. The answer then depends on the speed of the machine.
        n_generations: generations of each model. It replaces the time limit.
        players: number of players, 2 to 6.
        seed: seed of the search.
        key: key of the saved answer. The default depends on the kingdom. A second call with the same seed continues it.
        overwrite: replace a saved answer.

    Raises UsageError for bad arguments.
    """
    seed = checked_seed(seed)
    chosen = as_kingdom(kingdom, seed=seed)
    request = Request(chosen, players, key or default_key(chosen, players), 128)
    limit = None if n_generations else minutes
    question = Question(request, seed, minutes=limit, n_generations=n_generations, overwrite=overwrite)
    return answer_question(checked_question(question, seed, RunStore()))


def answer_question(
    question: Question,
    *,
    store: RunStore | None = None,
    jobs: int | None = None,
    quiet: bool = True,
    watch: AbstractContextManager[AdviceMonitor] | None = None,
) -> KingdomAdvice:
    """Compile the kernels of a search, and find the answer to a question.

    ``watch`` yields the monitor of the search. The monitor may stop the search.
    """
    note_unusable_network(quiet=quiet)
    ensure_compiled(*engine_groups(question.request.kingdom), "single games", "learning", "search", quiet=quiet)
    with workers(jobs) as threads, watch or nullcontext() as monitor:
        found = find_advice(question, store=store or RunStore(), workers=threads, monitor=monitor)
    return KingdomAdvice(question, found)
