"""One lifecycle for all kinds of runs: start, resume, and check saved data.

A `SavedKind` reads and checks saved runs. A `RunKind` also computes their generations. `kind_of` returns the kind of a
saved run. A run can be stopped at any moment. A resumed run has the same result as a run without a stop.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct

from evodom.budget import NO_LIMIT, Budget, Cancelled
from evodom.errors import RunError, UsageError, short
from evodom.formats import RULES, versions
from evodom.options import checked_seed
from evodom.reading import convert
from evodom.runs.file import FORMAT
from evodom.runs.generation import Contents, Generation
from evodom.runs.run import COMPUTE_AGAIN, Run
from evodom.runs.store import RunStore
from evodom.tasks import Workers

RIVAL_RECORDS = "guests"
"""Name of the setting with rivals that are not baselines, as texts. It is large: a network has 180 kB."""


def new_meta(options: dict[str, Any], seed: int, rules: str) -> dict[str, Any]:
    """Return the meta of a new run: its settings as plain JSON types, its seed, the fingerprint of its rules."""
    return {
        "options": options,
        "seed": seed,
        RULES: rules,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }


def shown_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a run for display, without RIVAL_RECORDS. The setting ``rivals`` names the opponents."""
    return {name: value for name, value in options.items() if name != RIVAL_RECORDS}


KINDS = {
    "": "evodom.evolution.runs:EVOLUTION",
    "train": "evodom.learning.run:LEARNING",
    "fights": "evodom.learning.fights.run:FIGHTS",
    "answer": "evodom.advice.answer:ANSWERS",
    "comparison": "evodom.comparison.run:COMPARISONS",
}
"""The `SavedKind` of each name, as "module:attribute". It is imported at the first use."""


class SavedOptions(Protocol):
    """The options of a run, which are saved with it."""

    def to_json(self) -> dict[str, object]: ...


O = TypeVar("O", bound=SavedOptions)  # noqa: E741


@dataclass(frozen=True)
class RunMonitor:
    """Callbacks of a run.

    ``on_games`` receives a number of games just played and their statistics. ``on_generation`` receives each
    generation, ``on_part`` the number of each finished part of a generation. A run ends early if ``should_stop`` or
    ``on_generation`` returns a true value. It can be resumed.
    """

    on_games: Callable[[int, Mapping[str, float]], object] = lambda n, figures: None
    on_generation: Callable[[Generation], object] = lambda generation: None
    on_part: Callable[[int], object] = lambda number: None
    should_stop: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class RunResources:
    """Resources to compute generations: threads and tasks, the monitor, and the time limit."""

    workers: Workers | None = None
    monitor: RunMonitor = RunMonitor()
    budget: Budget = NO_LIMIT


class SavedKind(ABC, Generic[O]):
    """A kind of saved runs: its command, and how to read and check a run.

    `kind_of` returns the kind of a run. Commands that open, resume, import and report runs call its methods.
    """

    name: ClassVar[str] = ""
    """Entry "kind" of the meta. Runs of evolution have no such entry."""
    command: ClassVar[str] = "evolve"
    participle: ClassVar[str] = "evolved"
    """Participle for messages about a run: "run 'demo' was evolved"."""

    has_kingdom: ClassVar[bool] = False
    """True if the settings have a kingdom of Dominion and a number of players."""
    whole_interval: int = 0
    """Old generations keep all strategies if their index is a multiple of this, else only the champion. 0 keeps all."""

    @abstractmethod
    def rules_of(self, options: O) -> str:
        """Return the fingerprint of the present rules of a run's game."""

    @abstractmethod
    def read_options(self, saved: object) -> O:
        """Return saved options. Raise ValueError if they are invalid."""

    @abstractmethod
    def check_run(self, run: Run) -> None:
        """Raise RunError or UsageError unless all contents of a run are valid."""

    def extra_meta(self, options: O, seed: int) -> dict[str, object]:
        """Return further entries of the meta of a new run."""
        return {}

    def meta_of(self, options: O, seed: int) -> dict[str, Any]:
        """Return the meta of a new run. Raise UsageError for an invalid seed."""
        seed = checked_seed(seed)
        kind = {"kind": self.name} if self.name else {}
        return kind | self.extra_meta(options, seed) | new_meta(options.to_json(), seed, self.rules_of(options))

    def best(self, run: Run, n: int, generation: Generation | None = None) -> Any:
        """Return the ``n`` best strategies of a generation, best first; by default of the last."""
        raise UsageError(self.wrong_kind_message(run))

    def mixture(self, run: Run, generation: Generation) -> Mapping[int, float]:
        """Return the weights of the strategies in a generation's mixture by their rank from 1; {} without a mixture."""
        return {}

    def answer_in(self, run: Run) -> Any:
        """Return the saved answer in a run, None for runs that are no answers."""
        return None

    def owns(self, run: Run) -> bool:
        """Return True if a run is of this kind."""
        return bool(run.meta.get("kind", "") == self.name)

    def wrong_kind_message(self, run: Run) -> str:
        """Return the error message for a run of another kind."""
        other = kind_of(run)  # two kinds may share a participle: networks for Dominion and for fights are "trained"
        made = "for fights" if other.participle == self.participle else f"not {self.participle}"
        return f"run '{run.key}' was {other.participle}, {made}: this is for runs of `evodom {self.command}` only."

    def options_of(self, run: Run) -> O:
        """Return the options of a run.

        Raise UsageError for another kind of run, RunError for unreadable options or other rules of the game.
        """
        if not self.owns(run):
            raise UsageError(self.wrong_kind_message(run))
        try:
            options = self.read_options(run.meta.get("options"))
        except ValueError as error:
            raise RunError(f"run '{run.key}' has settings this version cannot use: {error}") from error
        FORMAT.check(f"run '{run.key}'", run.meta, self.rules_of(options))
        return options


class RunKind(SavedKind[O]):
    """A kind of runs that are computed one generation after the other."""

    checks_should_stop: ClassVar[bool] = False
    """True if `following` itself checks ``should_stop`` of the monitor, also inside a generation."""
    save_every_s: float = 0.0
    """Minimum time between two saves. Generations that finish earlier are saved together."""

    @abstractmethod
    def n_total(self, options: O) -> int:
        """Return the number of saved generations of a complete run."""

    @abstractmethod
    def checked(self, run: Run, generation: Generation, options: O | None = None) -> Generation:
        """Return the generation if its data is valid for kernels and reports. Otherwise raise RunError."""

    @abstractmethod
    def summary_type(self, index: int) -> type[Struct]:
        """Return the type of the summary of a generation, counted from 0. Further entries are allowed."""

    def check_summary(self, run: Run, index: int, summary: dict[str, Any], options: O | None) -> None:
        """Raise RunError unless the summary of a generation has all figures with the right types."""
        source = f"run '{run.key}', summary of generation {index}"
        convert(summary, self.summary_type(index), source=source, next_step=COMPUTE_AGAIN, error=RunError)

    @abstractmethod
    def first(self, options: O, seed: int, resources: RunResources) -> Generation:
        """Return the first generation of a run."""

    @abstractmethod
    def following(self, run: Run, options: O, resources: RunResources) -> Iterator[Generation]:
        """Yield the generations after the saved generations. Raise Cancelled if the monitor stops within one."""

    def with_defaults(self, options: O) -> O:
        """Return the options of a new run with all defaults filled in. Some depend on the version of evodom."""
        return options

    def thinned_generations(self, run: Run, new: list[Generation]) -> tuple[list[Generation], list[Generation]]:
        """Return two lists of generations, possibly reduced: new ones to append, and replacements of saved ones."""
        return new, []

    def finish(self, run: Run, options: O) -> None:
        """Complete the meta of a run after its last generation."""

    def generation_of(self, run: Run, index: int, options: O | None = None) -> Generation:
        """Read a generation, counted from 0, with `checked`."""
        return self.checked(run, run.generation(index), options)

    def summaries_of(self, run: Run) -> list[dict[str, Any]]:
        """Read the summaries of all generations in order, each checked."""
        summaries, options = run.summaries(), self.options_of(run)
        for index, summary in enumerate(summaries):
            self.check_summary(run, index, summary, options)
        return summaries

    def check_run(self, run: Run) -> None:
        """Raise RunError or UsageError unless all contents of a run are valid."""
        options, n = self.options_of(run), run.n_generations
        if not 1 <= n <= self.n_total(options):
            raise RunError(f"run '{run.key}' has {n} generations of {self.n_total(options)}.")
        self.check_contents(run)

    def check_contents(self, run: Run) -> None:
        """Raise RunError or UsageError unless the meta and all saved generations of a run are valid."""
        options = self.options_of(run)
        run.provenance()
        for generation in run:
            self.checked(run, generation, options)

    def start(
        self,
        key: str,
        options: O,
        seed: int,
        *,
        store: RunStore,
        overwrite: bool = False,
        workers: Workers | None = None,
        monitor: RunMonitor = RunMonitor(),
        budget: Budget = NO_LIMIT,
    ) -> Run:
        """Start a run, save its first generation, and return the run open for writing.

        ``overwrite`` replaces an old run of this key once the first generation is ready. Without it, raise UsageError
        if the key is taken.
        """
        store.check_free(key, overwrite=overwrite)
        meta, first = self.new(options, seed, RunResources(workers, monitor, budget))
        return store.create(key, meta, first, overwrite=overwrite)

    def new(self, options: O, seed: int, resources: RunResources) -> Contents:
        """Return the meta and the first generation of a new run."""
        options, seed = self.with_defaults(options), checked_seed(seed)
        return self.meta_of(options, seed), [self.first(options, seed, resources)]

    def carry_on(
        self,
        run: Run,
        workers: Workers | None = None,
        monitor: RunMonitor = RunMonitor(),
        budget: Budget = NO_LIMIT,
    ) -> bool:
        """Compute the missing generations of a run and save them. Return False if the monitor stopped the run."""
        options = self.options_of(run)
        n, n_total = run.n_generations, self.n_total(options)
        self.checked(run, run.last(), options)
        if n >= n_total:
            return True
        following = self.following(run, options, RunResources(workers, monitor, budget))
        with _saving(run, self) as save:
            while n < n_total:
                if not self.checks_should_stop and monitor.should_stop():
                    return False
                try:
                    generation = next(following)
                except Cancelled:
                    return False
                save(generation)
                n += 1
                if monitor.on_generation(generation) and n < n_total:
                    return False
        self.finish(run, options)
        return True


@contextmanager
def _saving(run: Run, kind: RunKind[Any]) -> Iterator[Callable[[Generation], None]]:
    """Yield a function that saves generations: together every ``save_every_s`` seconds, and at the end."""
    waiting: list[Generation] = []
    saved_at = time.monotonic()

    def save() -> None:
        nonlocal saved_at
        if waiting:
            new, replacements = kind.thinned_generations(run, waiting)
            run.append(new, replacements=replacements)
        waiting.clear()
        saved_at = time.monotonic()

    def add(generation: Generation) -> None:
        waiting.append(generation)
        if time.monotonic() - saved_at >= kind.save_every_s:
            save()

    try:
        yield add
    finally:
        save()


def kind_of(run: Run) -> SavedKind[Any]:
    """Return the kind of a run. Raise RunError for an unknown kind."""
    name = run.meta.get("kind", "")
    if not isinstance(name, str) or name not in KINDS:
        raise RunError(f"run '{run.key}' is of the kind {short(name)}, which this version does not have. Delete it.")
    return saved_kind(name)


def saved_kind(name: str) -> SavedKind[Any]:
    """Return the kind of runs with a name of KINDS."""
    module, _, attribute = KINDS[name].partition(":")
    kind: SavedKind[Any] = getattr(import_module(module), attribute)
    return kind
