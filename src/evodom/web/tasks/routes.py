"""What pages ask about tasks: which there are, how far one is, and to stop it, go on with it or forget it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from evodom.web.app import api
from evodom.web.exchange import answer, body_of
from evodom.web.site import site_of
from evodom.web.tasks.pictures import course
from evodom.web.tasks.queue import Queue
from evodom.web.tasks.task import ADVICE, DONE, OPEN, Task


def summary(queue: Queue, task: Task) -> dict[str, Any]:
    """Return what a list tells of a task."""
    return {
        "name": task.name,
        "kind": task.kind,
        "title": task.title,
        "state": task.state,
        "created": task.created,
        "why": task.why,
        "asked": task.asked,
        "ahead": queue.place(task),
        "seconds": round(task.seconds, 1),
        "progress": {name: value for name, value in task.progress.items() if name != "plan"},
    }


async def _list_tasks(request: Request) -> Response:
    """List the tasks of a kind, or all, the newest first; and the damaged files, those of unknown kind always."""
    queue, kind = site_of(request).part(Queue), request.query_params.get("kind")
    tasks = [summary(queue, task) for task in queue.tasks() if kind in (None, task.kind)]
    damaged = [one for one in queue.damaged() if kind is None or one.kind in (kind, "")]
    return answer({"tasks": tasks, "damaged": [{"file": str(one.path), "why": one.why} for one in damaged]})


async def _look(request: Request) -> Response:
    """Tell all of one task: how far it is, or what came of it."""
    site = site_of(request)
    queue = site.part(Queue)
    task = queue.task(_name(request))
    told = summary(queue, task)
    if task.state in OPEN and task.kind == ADVICE:
        told |= {"plan": task.progress.get("plan"), "course": course(task)}
    if task.state == DONE and task.kind == ADVICE:
        result = await site.quickly(lambda: queue.result(task))
        told["result"] = {name: value for name, value in result.items() if name != "answer"}
    elif task.state == DONE:
        result = await site.quickly(lambda: queue.result(task))
        told["result"] = {name: value for name, value in result.items() if name != "page"}
    return answer(told)


async def _stop(request: Request) -> Response:
    await body_of(request)
    queue = site_of(request).part(Queue)
    return answer(summary(queue, queue.cancel(_name(request))))


async def _go_on(request: Request) -> Response:
    await body_of(request)
    queue = site_of(request).part(Queue)
    return answer(summary(queue, queue.go_on(_name(request))))


async def _delete(request: Request) -> Response:
    await body_of(request)
    site_of(request).part(Queue).delete(_name(request))
    return answer({})


def _name(request: Request) -> str:
    return str(request.path_params["name"])


_TASK = "/api/tasks/{name}"

routes = [
    api("/api/tasks", _list_tasks),
    api(_TASK, _look),
    api(f"{_TASK}/stop", _stop, "POST"),
    api(f"{_TASK}/go-on", _go_on, "POST"),
    api(f"{_TASK}/delete", _delete, "POST"),
]
