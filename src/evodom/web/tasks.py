"""The tasks of a site: one runs at a time, in a process. Pages list, start, stop, continue and delete tasks."""

import json
import os
import secrets
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import RLock, Thread
from typing import cast

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response

from evodom.advice.search import LEARNING
from evodom.errors import EvodomError, UsageError, one_line
from evodom.files import folder_lock, parse_json, read_text, replace_file
from evodom.presentation.documents.course import course
from evodom.subprocesses import python_command, python_environment
from evodom.web import task as task_files
from evodom.web.site import Conflict, Json, Missing, Nothing, Site, action, answer, api, site_of, view
from evodom.web.task import (
    DONE,
    FAILED,
    RUNNING,
    STOPPED,
    AdviceAsked,
    Asked,
    ReportAsked,
    State,
    Task,
    TaskOrder,
    WorkerEvent,
    read_result,
    read_task,
    save,
    save_result,
    tasks_folder,
)

MAX_TASKS = 300
"""Maximum number of tasks in all states."""

WORK = "evodom.web.jobs"
"""Module that a task's process runs."""

OWNER = "owner"
"""File in the folder of tasks with the process number of the server that owns the folder."""

CLOSING_SECONDS = 8.0
"""Seconds for a process to save its work when the server stops. Then it is killed."""


class SiteTasks:
    """The tasks of a site in the order of their starts. One runs at a time.

    One server owns the folder of tasks, by a lock. Another server on the same data shows the tasks as their files are,
    and refuses changes. It owns the folder as soon as the first server has ended.
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
        """Start a task. Raises Conflict if another task is running, UsageError if MAX_TASKS tasks are kept."""
        with self._change:
            self._check_free()
            if len(self._tasks) >= MAX_TASKS:
                raise UsageError(f"{MAX_TASKS} answers are kept. Delete some of them first.")
            return self._begin(Task(secrets.token_hex(8), title, asked))

    def all(self) -> list[Task]:
        """Return all tasks, the newest first."""
        with self._change:
            self._refresh()
            return list(self._tasks.values())[::-1]

    def damaged(self) -> dict[Path, str]:
        """Return the damaged files that were found and still exist, each with the reason."""
        return {path: why for path, why in self._damaged.items() if path.exists()}

    def task(self, name: str) -> Task:
        """Return the task of a name. Raises Missing for an unknown name."""
        with self._change:
            self._refresh()
            if name not in self._tasks:
                raise Missing("this answer was deleted.")
            return self._tasks[name]

    def stop(self, name: str) -> Task:
        """Stop a running task. Its process saves its work first."""
        with self._change:
            task = self._changeable(name)
            if task.state == RUNNING and self._process:
                task.progress["stopping"] = True
                _ask_to_stop(self._process)
        return task

    def go_on(self, name: str) -> Task:
        """Start a stopped or failed task again, from its saved work. Raises Conflict if another task is running."""
        with self._change:
            task = self._changeable(name)
            if task.state in (STOPPED, FAILED):
                self._check_free()
                task = self._begin(Task(name, task.title, task.asked))
        return task

    def delete(self, name: str) -> None:
        """Delete a task and its files. Raises UsageError for a running task, RunError on failure."""
        with self._change:
            if self._changeable(name).state == RUNNING:
                raise UsageError("this task is running. Stop it first.")
            task_files.delete(name, self._root)
            del self._tasks[name]

    def close(self) -> None:
        """Stop the running task, with CLOSING_SECONDS to save its work, and give the folder up."""
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
        """Read the task files again, unless this server owns them. Own them from now on if no other server does."""
        if self._owned or self._closing:
            return
        folder = tasks_folder(self._root)
        owner = folder / OWNER
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
        """Read the task files. In an owned folder, running tasks were interrupted: they get the state STOPPED."""
        found, self._damaged = [], {}
        for path in folder.glob("[0-9a-f]" * 16 + ".json"):
            try:
                task = read_task(path)
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
        """Raise Conflict if another server owns the folder of tasks."""
        self._refresh()
        if not self._owned:
            raise Conflict(self._why_not)

    def _changeable(self, name: str) -> Task:
        """Return the task of a name. Raises Conflict if another server owns the folder, Missing for an unknown name."""
        self._check_owned()
        return self.task(name)

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
        self._tasks.pop(task.name, None)  # the newest is the last
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
        """Apply the events of a process to its task until it exits (the main function of its thread)."""
        assert process.stdout
        last: WorkerEvent = {}
        try:
            with process:
                for line in process.stdout:
                    with suppress(ValueError):  # a killed process leaves half a line
                        event = parse_json(line)
                        if isinstance(event, dict):
                            last = cast(WorkerEvent, event)
                            with self._change:
                                task.apply_event(last)
                                self._note_begun(task)
            if last.get("state") == DONE:
                save_result(task.name, last["result"], self._root)
        except Exception as error:  # the page shows any failure
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
        """Let a search continue its runs from now on, if it has replaced those of an earlier search."""
        asked = task.asked
        if isinstance(asked, AdviceAsked) and asked.overwrite and task.progress.get("stage") == LEARNING:
            asked.overwrite = False
            save(task, self._root)

    def _end(self, task: Task, state: State, why: str) -> None:
        task.state, task.why, task.progress, task.samples = state, one_line(why), {}, {}
        try:
            save(task, self._root)
        except EvodomError as error:
            task.why = str(error)


def _start(asked: Asked, root: Path, n_jobs: int) -> "subprocess.Popen[str]":
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
    with suppress(OSError):
        process.stdin.write(json.dumps(to_builtins(TaskOrder(asked, str(root), n_jobs))) + "\n")
        process.stdin.flush()
    return process


def _ask_to_stop(process: "subprocess.Popen[str]") -> None:
    """Close the stdin of a process. The process then saves its work and exits."""
    assert process.stdin
    with suppress(OSError):
        process.stdin.close()


def summary(task: Task) -> Json:
    """Return the entry of a task in lists."""
    fields: Json = to_builtins(task)
    del fields["samples"]
    return fields


async def _list_tasks(request: Request) -> Response:
    """List the tasks of ``kind`` (default: all), newest first, and all damaged files."""
    tasks, kind = site_of(request).part(SiteTasks), request.query_params.get("kind")
    shown = [summary(task) for task in tasks.all() if kind in (None, task.kind)]
    damaged = [{"file": str(path), "why": why} for path, why in tasks.damaged().items()]
    return answer({"tasks": shown, "damaged": damaged})


async def _look(site: Site, name: str) -> Json:
    """Return a task with its charts or its result. A report has a page of its own."""
    tasks = site.part(SiteTasks)
    task = tasks.task(name)
    fields = summary(task)
    if task.state == RUNNING and isinstance(task.asked, AdviceAsked):
        fields["course"] = course(task.samples, task.asked.players)
    if task.state == DONE and not isinstance(task.asked, ReportAsked):
        fields["result"] = await site.quickly(lambda: read_result(name, site.store.root))
    return fields


async def _stop(site: Site, name: str, _: Nothing) -> Json:
    return summary(site.part(SiteTasks).stop(name))


async def _go_on(site: Site, name: str, _: Nothing) -> Json:
    return summary(site.part(SiteTasks).go_on(name))


async def _delete(site: Site, name: str, _: Nothing) -> Json:
    site.part(SiteTasks).delete(name)
    return {}


_TASK = "/api/tasks/{name}"

routes = [
    api("/api/tasks", _list_tasks),
    view(_TASK, _look),
    action(f"{_TASK}/stop", Nothing, _stop),
    action(f"{_TASK}/go-on", Nothing, _go_on),
    action(f"{_TASK}/delete", Nothing, _delete),
]
