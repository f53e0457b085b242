"""Tasks of minutes (advice, reports, tournaments): their request, progress, result and files."""

import json
import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from msgspec import Struct, to_builtins

from evodom.errors import EvodomError, RunError, UsageError, one_line, short
from evodom.files import parse_json, read_text, replace_file
from evodom.reading import convert

ADVICE, REPORT, TOURNAMENT = "advice", "report", "tournament"
KINDS = (ADVICE, REPORT, TOURNAMENT)

RUNNING, DONE, STOPPED, FAILED = "running", "done", "stopped", "failed"
STATES = (RUNNING, DONE, STOPPED, FAILED)

ENDED = (DONE, STOPPED, FAILED)

NAME = re.compile(r"[0-9a-f]{16}")
"""Names of tasks: 16 hexadecimal digits, chosen by the server because they become names of files."""

LARGEST = 5_000_000
"""Maximum number of bytes of a file that is read. A report with its pictures takes a tenth of that."""

PROGRAM = "evodom task"

MOST_SAMPLES = 240
"""Maximum number of points of a chart of a running task."""


class AdviceAsked(Struct):
    """A question for advice. ``minutes`` or ``generations`` limits the search."""

    cards: list[str]
    drawn: list[str]
    players: int
    seed: int
    seed_given: bool
    anew: bool
    learned_games: int | None
    generations: int | None
    minutes: float | None
    games: int
    strategies: int


class ReportAsked(Struct):
    """The report of a run."""

    key: str
    games: int


class TournamentAsked(Struct):
    """A tournament. Entrants are named as on the command line."""

    entrants: list[str]
    players: int
    seed: int


class WorkerEvent(TypedDict, total=False):
    """An event of a task's process: progress, points of charts, or the final state."""

    progress: dict[str, object]
    samples: dict[str, list[float]]
    state: str
    why: str
    result: dict[str, object]


Json = dict[str, object]
Asked = AdviceAsked | ReportAsked | TournamentAsked

ASKED: dict[str, type[Asked]] = {ADVICE: AdviceAsked, REPORT: ReportAsked, TOURNAMENT: TournamentAsked}
"""Type of the request of each kind of task."""


@dataclass
class Task:
    """One task. Its result is in a separate file.

    ``asked`` is the checked request, ``progress`` the latest progress, ``samples`` the points of each chart. ``why`` is
    the reason of a stop or failure, in one line.
    """

    name: str
    kind: str
    title: str
    asked: Asked
    state: str = RUNNING
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    why: str = ""
    progress: Json = field(default_factory=dict)
    samples: dict[str, list[list[float]]] = field(default_factory=dict)
    began: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since the task started to run; 0 unless it is running."""
        return time.monotonic() - self.began if self.state == RUNNING and self.began else 0.0

    def apply_event(self, event: WorkerEvent) -> None:
        """Add an event's progress and points. A chart with more than MOST_SAMPLES points is halved."""
        self.progress |= event.get("progress", {})
        for name, point in event.get("samples", {}).items():
            course = self.samples.setdefault(name, [])
            course.append(point)
            if len(course) > MOST_SAMPLES:
                self.samples[name] = course[::2]


def tasks_folder(root: Path) -> Path:
    """Return the folder of task files."""
    return root / "asked"


def save(task: Task, root: Path) -> None:
    """Write a task to its file atomically. Raises RunError on failure."""
    kept = {
        "kind": task.kind,
        "title": task.title,
        "asked": to_builtins(task.asked),
        "state": task.state,
        "created": task.created,
    }
    _write(_file(task.name, root), {"program": PROGRAM} | kept | {"why": task.why})


def save_result(name: str, result: Json, root: Path) -> None:
    """Write the result of a task to its file atomically. Raises RunError on failure."""
    _write(_result_file(name, root), result)


def load_result(name: str, root: Path) -> Json:
    """Return the result of a task. Raises RunError if it cannot be read."""
    path = _result_file(name, root)
    try:
        result = parse_json(read_text(path, "an answer", "JSON", LARGEST))
    except ValueError as error:  # includes UsageError
        raise RunError(f"the answer cannot be read: {error}") from error
    if not isinstance(result, dict):
        raise RunError(f"{path} holds no answer. Delete it, and ask again.")
    return result


def forget(name: str, root: Path) -> None:
    """Delete the files of a task. Raises RunError on failure."""
    for path in (_file(name, root), _result_file(name, root)):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{path} cannot be deleted: {error.strerror or error}.") from error


def _file(name: str, root: Path) -> Path:
    return tasks_folder(root) / f"{name}.json"


def _result_file(name: str, root: Path) -> Path:
    return tasks_folder(root) / f"{name}.result.json"


def _write(path: Path, content: Json) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(content, allow_nan=False))
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}.") from error


@dataclass(frozen=True)
class DamagedTask:
    """A task file that cannot be read. ``kind`` is "" if it is unknown; ``why`` is the reason in one line."""

    path: Path
    kind: str
    why: str


def load_all(root: Path, *, owned: bool = True) -> tuple[list[Task], list[DamagedTask]]:
    """Return the saved tasks, oldest first, and the damaged files.

    In a folder that this process owns, running tasks were interrupted: they get the state STOPPED. In the folder of
    another server they stay running, and their progress is ``elsewhere``.
    """
    found, damaged = [], []
    for path in sorted(tasks_folder(root).glob("*.json")):
        if NAME.fullmatch(path.stem):
            text = ""
            try:
                if not path.is_file():
                    raise RunError(f"{path} is not a file.")
                text = read_text(path, "a task", "JSON", LARGEST)
                task = task_from_text(path.stem, text)
                if task.state == RUNNING and owned:
                    task.state, task.why = STOPPED, "evodom serve was stopped before this finished"
                elif task.state == RUNNING:
                    task.progress["elsewhere"] = True
                found.append(task)
            except EvodomError as error:
                damaged.append(DamagedTask(path, _kind_in(text), one_line(error)))
    return sorted(found, key=lambda task: (task.created, task.name)), damaged


def _kind_in(text: str) -> str:
    """Return the kind of a damaged task, or "" if its text has no valid kind."""
    try:
        content = parse_json(text)
    except (ValueError, RecursionError):
        return ""
    kind = content.get("kind") if isinstance(content, dict) else ""
    return kind if isinstance(kind, str) and kind in KINDS else ""


def task_from_text(name: str, text: str) -> Task:
    """Return the task of a file's text. Raises RunError for an invalid text."""
    try:
        content = parse_json(text)
    except ValueError as error:
        raise RunError(f"this is no task of evodom: {error}") from error
    if not isinstance(content, dict) or content.get("program") != PROGRAM:
        raise RunError("this is no task of evodom")
    kind, state, asked = content.get("kind"), content.get("state"), content.get("asked")
    if kind not in KINDS:
        raise RunError(f"this task is damaged: its kind is {short(kind)}. Allowed: {', '.join(KINDS)}")
    if state not in STATES:
        raise RunError(f"this task is damaged: its state is {short(state)}. Allowed: {', '.join(STATES)}")
    try:
        asked = convert(asked, ASKED[kind])
    except UsageError as error:
        raise RunError(f"this task is damaged: {error}") from error
    title, created, why = (one_line(content.get(key, "")) for key in ("title", "created", "why"))
    if not _is_time(created):
        raise RunError(f"this task is damaged: 'created' is {short(created)}, which is not a time")
    return Task(name, kind, title, asked, state, created, why)


def _is_time(text: str) -> bool:
    """Return whether a text is a time in ISO format."""
    try:
        return datetime.fromisoformat(text) is not None
    except ValueError:
        return False
