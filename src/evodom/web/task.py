"""A task of minutes (advice, a report, a tournament): its request, its state, its files.

A task has two files: the task, and its result once it is done. The work of a stopped search for advice is in its saved
runs.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal, TypedDict

from msgspec import Meta, Struct, field, to_builtins

from evodom import advice
from evodom.dominion.cards import COLONY_CARDS, KINGDOM_SIZE
from evodom.dominion.kingdom import RANDOM, parse_kingdom
from evodom.errors import RunError
from evodom.evolution.options import Options
from evodom.files import parse_json, read_text, replace_file
from evodom.formats import FileFormat
from evodom.options import chosen_seed
from evodom.reading import convert
from evodom.web.site import Json, Seed

FORMAT = FileFormat("task", 1)

MAX_BYTES = 5_000_000
"""Maximum size of a file that is read. A report with its charts has about 500,000 bytes."""

MAX_POINTS = 240
"""Maximum number of points of a chart of a running task."""

MAX_MINUTES = 60.0
MAX_GENERATIONS = 2000
MAX_ENTRANTS = 16

RUNNING: Final = "running"
DONE: Final = "done"
STOPPED: Final = "stopped"
FAILED: Final = "failed"
State = Literal["running", "done", "stopped", "failed"]

CardNames = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=KINGDOM_SIZE + len(COLONY_CARDS))]
Players = Annotated[int, Meta(ge=2, le=6)]


class AdviceAsked(Struct, tag="advice", tag_field="kind", forbid_unknown_fields=True):
    """A request for advice. ``generations`` replaces ``minutes`` as the limit of the search.

    A page may leave out ``cards`` and ``seed``: `evodom.web.ask` draws them. ``drawn`` are the cards that were drawn.
    """

    cards: CardNames
    drawn: CardNames = []
    players: Players = 2
    minutes: Annotated[float, Meta(ge=advice.MIN_MINUTES, le=MAX_MINUTES)] = advice.DEFAULT_MINUTES
    seed: Seed | None = None
    learned_games: Annotated[int, Meta(ge=advice.MIN_LEARNED_GAMES, le=advice.MAX_LEARNED_GAMES)] | None = None
    generations: Annotated[int, Meta(ge=1, le=MAX_GENERATIONS)] | None = None
    games: Annotated[int, Meta(ge=100, le=advice.MAX_GAMES)] = advice.DEFAULT_GAMES
    strategies: Annotated[int, Meta(ge=8, le=512)] = advice.DEFAULT_STRATEGIES
    overwrite: bool = False


class ReportAsked(Struct, tag="report", tag_field="kind", forbid_unknown_fields=True):
    """A request for the report of a run."""

    key: str
    games: int


class TournamentAsked(Struct, tag="tournament", tag_field="kind", forbid_unknown_fields=True):
    """A request for a tournament. Entrants are named as on the command line.

    Without ``players``, tables have the size that the runs were made for, else 2 seats.
    """

    entrants: Annotated[list[Annotated[str, Meta(max_length=120)]], Meta(max_length=MAX_ENTRANTS)]
    players: Players | None = None
    seed: Seed = field(default_factory=chosen_seed)


class EvolutionAsked(Struct, tag="evolution", tag_field="kind", forbid_unknown_fields=True):
    """A request for a run of evolution. ``kingdom`` is a text as on the command line."""

    key: Annotated[str, Meta(max_length=200)]
    kingdom: Annotated[str, Meta(max_length=2000)] = RANDOM
    players: Players = 2
    generations: Annotated[int, Meta(ge=1, le=MAX_GENERATIONS)] = 20
    seed: Seed = field(default_factory=chosen_seed)

    @property
    def options(self) -> Options:
        """The settings of the run. Raises UsageError for an unknown kingdom."""
        kingdom = parse_kingdom(self.kingdom, seed=self.seed)
        return Options(kingdom=kingdom, players=self.players, n_generations=self.generations)


Asked = AdviceAsked | EvolutionAsked | ReportAsked | TournamentAsked


class TaskOrder(Struct):
    """A request as the server sends it to the task's process. ``jobs`` is the number of threads."""

    asked: Asked
    root: str
    jobs: int


class WorkerEvent(TypedDict, total=False):
    """An event of a task's process: progress, points of charts, or the final state."""

    progress: Json
    samples: dict[str, list[float]]
    state: State
    why: str
    result: Json


class Task(Struct):
    """A task. ``name`` has 16 hexadecimal digits, ``why`` is the reason of a stop or failure in one line.

    Only a running task has ``progress``, its latest progress, and ``samples``, the points of each chart.
    """

    name: str
    title: str
    asked: Asked
    state: State = RUNNING
    started: Annotated[datetime, Meta(tz=True)] = field(default_factory=lambda: datetime.now(UTC))
    why: str = ""
    progress: Json = {}
    samples: dict[str, list[list[float]]] = {}

    @property
    def kind(self) -> str:
        """The kind of its request: "advice", "evolution", "report" or "tournament"."""
        return str(self.asked.__struct_config__.tag)

    def apply_event(self, event: WorkerEvent) -> None:
        """Add an event's progress and points. A chart with more than MAX_POINTS points is halved."""
        self.progress |= event.get("progress", {})
        for name, point in event.get("samples", {}).items():
            points = [*self.samples.get(name, []), point]
            self.samples[name] = points if len(points) <= MAX_POINTS else points[::2]


def tasks_folder(root: Path) -> Path:
    """Return the folder of task files."""
    return root / "asked"


def _file(name: str, root: Path) -> Path:
    return tasks_folder(root) / f"{name}.json"


def save(task: Task, root: Path) -> None:
    """Write a task to its file atomically. Raises RunError on failure."""
    _write(_file(task.name, root), to_builtins(task))


def save_result(name: str, result: Json, root: Path) -> None:
    """Write the result of a task to its file atomically. Raises RunError on failure."""
    _write(_file(f"{name}.result", root), result)


def _write(path: Path, content: Json) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(FORMAT.stamp() | content, allow_nan=False))
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_result(name: str, root: Path) -> Json:
    """Return the result of a task that is done. Raises EvodomError if it cannot be read."""
    return _read(_file(f"{name}.result", root))


def delete(name: str, root: Path) -> None:
    """Delete the files of a task. Raises RunError on failure."""
    for path in (_file(name, root), _file(f"{name}.result", root)):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be deleted: {error.strerror or error}.") from error


def read_task(path: Path) -> Task:
    """Return the task of a file. Raises EvodomError, in one line without the path, if it is damaged."""
    task = convert(_read(path), Task, source="this task is damaged")
    task.name, task.progress, task.samples = path.stem, {}, {}
    return task


def _read(path: Path) -> Json:
    """Return the content of a file. Raises EvodomError if it has none of this format."""
    if not path.is_file():
        raise RunError("it is not a file.")
    try:
        content = parse_json(read_text(path, "a task", "JSON", MAX_BYTES))
    except ValueError as error:  # includes UsageError
        raise RunError(f"this is no task of evodom: {error}") from error
    if not isinstance(content, dict):
        raise RunError("this is no task of evodom.")
    FORMAT.check("this", content)
    return content
