"""Background tasks of the web server, one at a time, in a subprocess; routes to list, stop, restart and delete them."""

import json
import os
import secrets
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import RLock, Thread
from typing import cast

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evodom.advice.search import LEARNING
from evodom.errors import EvodomError, UsageError, one_line
from evodom.files import folder_lock, parse_json, read_text, replace_file
from evodom.presentation.documents.course import course
from evodom.subprocesses import python_command, python_environment
from evodom.web import task as task_files
from evodom.web.site import Conflict, Json, Missing, Nothing, Site, action, answer, api, site_of, view
from evodom.web.task import DONE, FAILED, RUNNING, STOPPED, AdviceAsked, Asked, ReportAsked, State, Task, TaskOrder

MAX_TASKS = 300
"""Maximum number of tasks, whatever their state."""

WORK = "evodom.web.jobs"
"""Module that the subprocess of a task runs."""

CLOSING_SECONDS = 8.0
"""Seconds that a process has to save its work when the server stops, before it is killed."""


class SiteTasks:
    """The tasks of a site, ordered by start time. One runs at a time.

    One server owns the task folder: it holds a lock on it. Other servers with the same data directory show the tasks
    as saved and refuse changes. After the owner has exited, the next server that reads the tasks becomes the owner.

    Methods that change tasks raise Conflict if this server does not own the folder.
    """

    def __init__(self, site: Site) -> None:
        self._root, self._n_jobs = site.store.root, max(1, site.n_processors - 1)
        self._tasks: dict[str, Task] = {}
        self._damaged: dict[Path, str] = {}
        self._owned, self._why_not, self._lock = False, "", ExitStack()
        self._change = RLock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: Thread | None = None
        self._closing = False
        self._refresh()

    def add(self, title: str, asked: Asked) -> Task:
        """Start a task. Raise Conflict if another task is running, UsageError if there are MAX_TASKS tasks."""
        with self._change:
            self._check_free()
            if len(self._tasks) >= MAX_TASKS:
                raise UsageError(f"{MAX_TASKS} answers are kept. Delete some of them first.")
            return self._begin(Task(secrets.token_hex(8), title, asked))

    def all(self) -> list[Task]:
        """Return all tasks, newest first."""
        with self._change:
            self._refresh()
            return list(self._tasks.values())[::-1]

    def damaged(self) -> dict[Path, str]:
        """Return the damaged task files that still exist, each with a description of the damage."""
        return {path: why for path, why in self._damaged.items() if path.exists()}

    def task(self, name: str) -> Task:
        """Return the task ``name``. Raise Missing if there is none."""
        with self._change:
            self._refresh()
            if name not in self._tasks:
                raise Missing("this answer was deleted.")
            return self._tasks[name]

    def stop(self, name: str) -> Task:
        """Ask the process of a running task to save its work and exit. Do not wait for it."""
        with self._change:
            task = self._changeable(name)
            if task.state == RUNNING and self._process:
                task.progress["stopping"] = True
                _ask_to_stop(self._process)
        return task

    def go_on(self, name: str) -> Task:
        """Restart a stopped or failed task. Raise Conflict if another task is running.

        A search for advice continues from its saved runs. Other tasks start from the beginning.
        """
        with self._change:
            task = self._changeable(name)
            if task.state in (STOPPED, FAILED):
                self._check_free()
                task = self._begin(Task(name, task.title, task.asked))
        return task

    def delete(self, name: str) -> None:
        """Delete a task and its files. Raise UsageError if it is running, RunError if a file cannot be deleted."""
        with self._change:
            if self._changeable(name).state == RUNNING:
                raise UsageError("this task is running. Stop it first.")
            task_files.delete(name, self._root)
            del self._tasks[name]

    def close(self) -> None:
        """Stop the running task and release the folder. Kill the process if it takes longer than CLOSING_SECONDS."""
        with self._change:
            self._closing = True
            process, thread = self._process, self._thread
            if process:
                _ask_to_stop(process)
        if process and thread:
            thread.join(CLOSING_SECONDS)
            process.kill()
            thread.join(CLOSING_SECONDS)
        self._lock.close()

    def _refresh(self) -> None:
        """If this server does not own the task folder, try to become its owner and reload the task files."""
        if self._owned or self._closing:
            return
        folder = task_files.tasks_folder(self._root)
        owner = folder / "owner"  # contains the process ID of the server that owns the folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock.enter_context(folder_lock(folder, wait=False))
            self._owned = True
            replace_file(owner, str(os.getpid()))
        except BlockingIOError:
            number = ""
            with suppress(EvodomError):
                number = read_text(owner, "the owner of tasks", "text", 100)
            server = f"another evodom serve ({f'process {number}' if number.isdecimal() else 'its process is unknown'})"
            self._why_not = f"{server} runs the tasks of {self._root}. Use its page, or end it and try again"
        except OSError as error:
            self._why_not = f"{folder} cannot be used: {error.strerror or error}"
        self._load(folder)

    def _load(self, folder: Path) -> None:
        """Read the task files. If this server owns the folder, set interrupted tasks from RUNNING to STOPPED."""
        found, self._damaged = [], {}
        for path in folder.glob("[0-9a-f]" * 16 + ".json"):
            try:
                task = task_files.read_task(path)
            except EvodomError as error:
                self._damaged[path] = one_line(error)
                continue
            if task.state == RUNNING and self._owned:
                task.state, task.why = STOPPED, "evodom serve was stopped before this finished"
            elif task.state == RUNNING:
                task.progress["elsewhere"] = True
            found.append(task)
        self._tasks = {task.name: task for task in sorted(found, key=lambda task: (task.started, task.name))}

    def _check_owned(self) -> None:
        """Raise Conflict if this server does not own the task folder and cannot become its owner."""
        self._refresh()
        if not self._owned:
            raise Conflict(self._why_not)

    def _changeable(self, name: str) -> Task:
        """Return the task ``name``. Raise Conflict unless this server owns the folder, Missing if there is none."""
        self._check_owned()
        return self.task(name)

    def _check_free(self) -> None:
        """Raise Conflict unless this server owns the folder, is not shutting down, and has no running task."""
        self._check_owned()
        if self._closing:
            raise Conflict("evodom serve is being stopped")
        for task in self._tasks.values():
            if task.state == RUNNING:
                raise Conflict(f"the {task.kind} '{task.title}' is running. Wait for its end, or stop it on its page")

    def _begin(self, task: Task) -> Task:
        """Save a task, start its process, and start a thread that applies the events of the process."""
        task_files.save(task, self._root)
        self._tasks.pop(task.name, None)  # a restarted task moves to the end
        self._tasks[task.name] = task
        try:
            self._process = _start(task.asked, self._root, self._n_jobs)
        except OSError as error:
            self._end(task, FAILED, f"its process cannot be started: {error.strerror or error}")
            return task
        self._thread = Thread(target=self._follow, args=(task, self._process), name="task", daemon=True)
        self._thread.start()
        return task

    def _follow(self, task: Task, process: "subprocess.Popen[str]") -> None:
        """Apply the events of a process to its task until the process exits. Run in a thread per process."""
        assert process.stdout
        last: task_files.WorkerEvent = {}
        try:
            with process:
                for line in process.stdout:
                    with suppress(ValueError):  # a killed process may leave an incomplete line
                        event = parse_json(line)
                        if isinstance(event, dict):
                            last = cast(task_files.WorkerEvent, event)
                            with self._change:
                                task.apply_event(last)
                                self._note_begun(task)
            if last.get("state") == DONE:
                task_files.save_result(task.name, last["result"], self._root)
        except Exception as error:  # shown on the page
            last = {"state": FAILED, "why": f"internal error in evodom: {error}"}
            process.kill()
        with self._change:
            self._process = None
            if "state" in last:
                self._end(task, last["state"], last.get("why", ""))
            elif task.progress.get("stopping") or self._closing:
                self._end(task, STOPPED, "stopped")
            else:
                self._end(task, FAILED, f"its process ended with code {process.returncode}")

    def _note_begun(self, task: Task) -> None:
        """Clear ``overwrite`` after a search has replaced earlier runs, so that a restart continues the new runs."""
        asked = task.asked
        if isinstance(asked, AdviceAsked) and asked.overwrite and task.progress.get("stage") == LEARNING:
            asked.overwrite = False
            task_files.save(task, self._root)

    def _end(self, task: Task, state: State, why: str) -> None:
        task.state, task.why, task.progress, task.samples = state, one_line(why), {}, {}
        try:
            task_files.save(task, self._root)
        except EvodomError as error:
            task.why = str(error)


def _start(asked: Asked, root: Path, n_jobs: int) -> "subprocess.Popen[str]":
    """Start the process of a task and send it a `TaskOrder`."""
    process = subprocess.Popen(
        python_command("-m", WORK),
        env=python_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=os.name == "posix",  # Ctrl-C reaches only the server, which then stops the process
    )
    assert process.stdin
    with suppress(OSError):
        process.stdin.write(json.dumps(to_builtins(TaskOrder(asked, str(root), n_jobs))) + "\n")
        process.stdin.flush()
    return process


def _ask_to_stop(process: "subprocess.Popen[str]") -> None:
    """Close the stdin of a process. This makes it save its work and exit."""
    assert process.stdin
    with suppress(OSError):
        process.stdin.close()


def summary(task: Task) -> Json:
    """Return a task as JSON, without the points of its charts."""
    fields: Json = to_builtins(task)
    del fields["samples"]
    return fields


async def _list_tasks(request: Request) -> Response:
    """List the tasks, newest first, and the damaged files. The query parameter ``kind`` selects one kind of task."""
    tasks, kind = site_of(request).part(SiteTasks), request.query_params.get("kind")
    shown = [summary(task) for task in tasks.all() if kind in (None, task.kind)]
    damaged = [{"file": str(path), "why": why} for path, why in tasks.damaged().items()]
    return answer({"tasks": shown, "damaged": damaged})


async def _look(site: Site, name: str) -> Json:
    """Return a task, with its charts while a search for advice runs, and with its result when it is done.

    The result of a report is left out: it is served as a page.
    """
    tasks = site.part(SiteTasks)
    task = tasks.task(name)
    fields = summary(task)
    if task.state == RUNNING and isinstance(task.asked, AdviceAsked):
        fields["course"] = course(task.samples, task.asked.players)
    if task.state == DONE and not isinstance(task.asked, ReportAsked):
        fields["result"] = await site.quickly(lambda: task_files.read_result(name, site.store.root))
    return fields


def _change(what: str, change: Callable[[SiteTasks, str], Task | None]) -> Route:
    """Return the route of a change of a task. It returns the summary of a task that is left."""

    async def do(site: Site, name: str, _: Nothing) -> Json:
        task = change(site.part(SiteTasks), name)
        return summary(task) if task else {}

    return action(f"{_TASK}/{what}", Nothing, do)


_TASK = "/api/tasks/{name}"

routes = [
    api("/api/tasks", _list_tasks),
    view(_TASK, _look),
    _change("stop", SiteTasks.stop),
    _change("go-on", SiteTasks.go_on),
    _change("delete", SiteTasks.delete),
]
