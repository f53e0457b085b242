"""The tasks of a site: one runs at a time, in a process. Pages list, start, stop, continue and delete tasks."""

import json
import os
import secrets
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import RLock, Thread
from typing import IO, cast

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response

from evodom.errors import EvodomError, UsageError, one_line
from evodom.files import folder_lock, parse_json, read_text, replacing
from evodom.presentation.documents.course import course
from evodom.subprocesses import python_command, python_environment
from evodom.web.site import Conflict, Json, Missing, Nothing, Site, action, answer, api, site_of, view
from evodom.web.task import (
    ADVICE,
    DONE,
    ENDED,
    FAILED,
    RUNNING,
    STOPPED,
    AdviceAsked,
    Asked,
    DamagedTask,
    Task,
    WorkerEvent,
    forget,
    load_all,
    load_result,
    save,
    save_result,
    tasks_folder,
)

MOST_KEPT = 300
"""Maximum number of tasks in all states."""

LAST_SECONDS = 20.0
"""Seconds for a process to save its work after a cancellation. Then it is killed."""

WORK = "evodom.web.worker"
"""Module that a task's process runs."""

OWNER = "owner"
"""File in the folder of tasks with the process number of the server that owns the folder."""

CLOSING_SECONDS = 8.0
"""Seconds for a process to save its work when the server stops."""


class Queue:
    """The tasks of a site in the order of their starts. One task runs at a time.

    One server owns the folder of tasks, by a lock. Another server on the same data shows the tasks as their files are,
    and refuses changes. It owns the folder as soon as the first server has ended.
    """

    def __init__(self, site: Site) -> None:
        self._root, self._n_processors = site.root, site.n_processors
        self._tasks: dict[str, Task] = {}
        self._damaged: list[DamagedTask] = []
        self._owned, self._why_not, self._lock = False, "", ExitStack()
        self._change = RLock()
        self._process: subprocess.Popen[str] | None = None
        self._closing = False
        self._thread: Thread | None = None
        self._refresh()

    def add(self, kind: str, title: str, asked: Asked) -> Task:
        """Start a task. Raises Conflict if another task is running, UsageError if MOST_KEPT tasks are kept."""
        with self._change:
            self._check_free()
            if len(self._tasks) >= MOST_KEPT:
                raise UsageError(f"{MOST_KEPT} answers are kept. Delete some of them first.")
            return self._begin(Task(secrets.token_hex(8), kind, title, asked))

    def tasks(self) -> list[Task]:
        """Return all tasks, the newest first."""
        with self._change:
            self._refresh()
            return list(self._tasks.values())[::-1]

    def damaged(self) -> list[DamagedTask]:
        """Return the damaged task files that were found and still exist."""
        return [one for one in self._damaged if one.path.exists()]

    def task(self, name: str) -> Task:
        """Return the task of a name. Raises Missing for an unknown name."""
        with self._change:
            self._refresh()
            if name not in self._tasks:
                raise Missing("this answer was deleted.")
            return self._tasks[name]

    def result(self, task: Task) -> Json:
        """Return the result of a task that is done. Raises RunError if its file cannot be read."""
        return load_result(task.name, self._root)

    def cancel(self, name: str) -> Task:
        """Stop a running task, with LAST_SECONDS to save its work."""
        with self._change:
            self._check_owned()
            task = self.task(name)
            if task.state == RUNNING and self._process:
                task.progress["stopping"] = True
                _ask_to_stop(self._process)
                Thread(target=_end_in, args=(self._process, LAST_SECONDS), daemon=True).start()
        return task

    def go_on(self, name: str) -> Task:
        """Start a stopped or failed task again, from its saved work. Raises Conflict if another task is running."""
        with self._change:
            self._check_owned()
            task = self.task(name)
            if task.state in (STOPPED, FAILED):
                self._check_free()
                del self._tasks[name]
                task.state, task.why, task.progress, task.samples = RUNNING, "", {}, {}
                self._begin(task)
        return task

    def delete(self, name: str) -> None:
        """Delete a task and its files. Raises UsageError for a running task."""
        with self._change:
            self._check_owned()
            if self.task(name).state == RUNNING:
                raise UsageError("this task is running. Stop it first.")
            forget(name, self._root)
            del self._tasks[name]

    def close(self) -> None:
        """Stop the running task, with CLOSING_SECONDS to save its work, and give the folder up."""
        with self._change:
            self._closing = True
            process = self._process
            if process:
                _ask_to_stop(process)
        if process:
            _end_in(process, CLOSING_SECONDS)
        if self._thread:
            self._thread.join(CLOSING_SECONDS)
        self._lock.close()

    def _refresh(self) -> None:
        """Read the task files again, unless this server owns them. Own them from now on if no other server does."""
        if self._owned or self._closing:
            return
        folder = tasks_folder(self._root)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock.enter_context(folder_lock(folder, wait=False))
        except BlockingIOError:
            self._why_not = (
                f"another evodom serve ({_owner(folder)}) runs the tasks of {self._root}. Use its page, or end it and "
                "try again"
            )
        except OSError as error:
            self._why_not = f"{folder} cannot be used: {error.strerror or error}"
        else:
            self._owned = True
            with suppress(OSError), replacing(folder / OWNER) as file:
                file.write(str(os.getpid()).encode())
        tasks, self._damaged = load_all(self._root, owned=self._owned)
        self._tasks = {task.name: task for task in tasks}

    def _check_owned(self) -> None:
        """Raise Conflict if another server owns the folder of tasks."""
        with self._change:
            self._refresh()
            if not self._owned:
                raise Conflict(self._why_not)

    def _check_free(self) -> None:
        """Raise Conflict if another server owns the folder, if a task is running, or if the server stops."""
        self._check_owned()
        if self._closing:
            raise Conflict("evodom serve is being stopped")
        for task in self._tasks.values():
            if task.state == RUNNING:
                raise Conflict(f"the {task.kind} '{task.title}' is running. Wait for its end, or stop it on its page")

    def _begin(self, task: Task) -> Task:
        """Save a task and start its process, and a thread that applies its events."""
        save(task, self._root)
        self._tasks[task.name] = task
        task.began = time.monotonic()
        try:
            self._process = _start(task, self._root, max(1, self._n_processors - 1))
        except OSError as error:
            self._end(task, FAILED, f"its process cannot be started: {error.strerror or error}")
            return task
        self._thread = Thread(target=self._follow, args=(task, self._process), name="task", daemon=True)
        self._thread.start()
        return task

    def _follow(self, task: Task, process: "subprocess.Popen[str]") -> None:
        """Apply the events of a process to its task until it exits (the main function of its thread)."""
        assert process.stdout
        last: WorkerEvent = {}
        try:
            with process:
                for event in _events(process.stdout):
                    with self._change:
                        task.apply_event(event)
                    if event.get("state") in ENDED:
                        last = event
            if last.get("state") == DONE:
                save_result(task.name, last["result"], self._root)
        except Exception as error:  # the page shows any failure
            last = {"state": FAILED, "why": f"internal error in evodom: {error}"}
            process.kill()
        with self._change:
            self._process = None
            if last:
                self._end(task, last["state"], one_line(last.get("why", "")))
            elif task.progress.get("stopping") or self._closing:
                self._end(task, STOPPED, "stopped")
            else:
                self._end(task, FAILED, f"its process ended with code {process.returncode}")

    def _end(self, task: Task, state: str, why: str) -> None:
        task.state, task.why = state, why
        task.progress.pop("stopping", None)
        try:
            save(task, self._root)
        except EvodomError as error:
            task.why = str(error)


def _owner(folder: Path) -> str:
    """Return the process of the server that owns a folder of tasks, in words."""
    path = folder / OWNER
    with suppress(EvodomError):
        number = read_text(path, "the owner of tasks", "text", 100) if path.is_file() else ""
        if number.isdecimal():
            return f"process {number}"
    return "its process is unknown"


def _start(task: Task, root: Path, n_jobs: int) -> "subprocess.Popen[str]":
    """Start the process of a task and send its order."""
    process = subprocess.Popen(
        python_command("-m", WORK),
        env=python_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=os.name == "posix",  # Ctrl-C at the terminal reaches only the server, which stops the process
    )
    assert process.stdin
    asked = {"kind": task.kind, "asked": to_builtins(task.asked), "root": str(root), "jobs": n_jobs}
    with suppress(OSError):
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
    return process


def _events(lines: IO[str]) -> Iterator[WorkerEvent]:
    """Yield the events of a process: one JSON object a line. Skip other lines."""
    for line in lines:
        with suppress(ValueError):
            event = parse_json(line)
            if isinstance(event, dict):
                yield cast(WorkerEvent, event)


def _ask_to_stop(process: "subprocess.Popen[str]") -> None:
    """Close the stdin of a process. The process then saves its work and exits."""
    assert process.stdin
    with suppress(OSError):
        process.stdin.close()


def _end_in(process: "subprocess.Popen[str]", seconds: float) -> None:
    """Wait for a process to exit, and kill it after ``seconds``."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()


def summary(task: Task) -> Json:
    """Return the entry of a task in lists."""
    return {
        "name": task.name,
        "kind": task.kind,
        "title": task.title,
        "state": task.state,
        "created": task.created,
        "why": task.why,
        "asked": to_builtins(task.asked),
        "seconds": round(task.seconds, 1),
        "progress": {name: value for name, value in task.progress.items() if name != "plan"},
    }


async def _list_tasks(request: Request) -> Response:
    """List the tasks of ``kind`` (default: all), newest first, and damaged files of that or of unknown kind."""
    queue, kind = site_of(request).part(Queue), request.query_params.get("kind")
    tasks = [summary(task) for task in queue.tasks() if kind in (None, task.kind)]
    damaged = [one for one in queue.damaged() if kind is None or one.kind in (kind, "")]
    return answer({"tasks": tasks, "damaged": [{"file": str(one.path), "why": one.why} for one in damaged]})


async def _look(site: Site, name: str) -> Json:
    """Return a task with its progress or its result."""
    queue = site.part(Queue)
    task = queue.task(name)
    fields = summary(task)
    if task.state == RUNNING and isinstance(task.asked, AdviceAsked):
        fields |= {"plan": task.progress.get("plan"), "course": course(task.samples, task.asked.players)}
    if task.state == DONE:
        result, hidden = await site.quickly(lambda: queue.result(task)), "answer" if task.kind == ADVICE else "page"
        fields["result"] = {field: value for field, value in result.items() if field != hidden}
    return fields


async def _stop(site: Site, name: str, body: Nothing) -> Json:
    queue = site.part(Queue)
    return summary(queue.cancel(name))


async def _go_on(site: Site, name: str, body: Nothing) -> Json:
    queue = site.part(Queue)
    return summary(queue.go_on(name))


async def _delete(site: Site, name: str, body: Nothing) -> Json:
    site.part(Queue).delete(name)
    return {}


_TASK = "/api/tasks/{name}"

routes = [
    api("/api/tasks", _list_tasks),
    view(_TASK, _look),
    action(f"{_TASK}/stop", Nothing, _stop),
    action(f"{_TASK}/go-on", Nothing, _go_on),
    action(f"{_TASK}/delete", Nothing, _delete),
]
