"""The process of one task: read a `WorkOrder` from stdin as a line of JSON, and write events to stdout, one a line.

    {"progress": {"stage": "learning", "done": 2000, "total": 60000}, "samples": {"learning": [2.0, 51.5]}}
    {"state": "done", "result": {...}}

It saves its work and exits when stdin is closed, also because its server was killed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from evodom.web.task import WorkerEvent

NICER = 10
"""Increment of the process's niceness, so that games on the server get the processor first."""

LAST_SECONDS = 20.0
"""Seconds to save the work after stdin is closed. Then the process exits."""

Tell = Callable[["WorkerEvent"], None]


class WorkOrder(TypedDict):
    """A task as the server sends it."""

    kind: str
    asked: dict[str, object]
    root: str
    jobs: int


def main() -> None:
    """Read an order from stdin, do its task, and exit."""
    with suppress(OSError, AttributeError):
        os.nice(NICER)
    out = sys.stdout
    sys.stdout = sys.stderr  # other code's prints must not mix with events

    def tell(event: WorkerEvent) -> None:
        out.write(json.dumps(event, allow_nan=False) + "\n")
        out.flush()

    line = sys.stdin.readline()
    if not line:
        return
    stop = Event()
    Thread(target=_watch_input, args=(stop,), daemon=True).start()
    with suppress(BrokenPipeError):
        work(json.loads(line), tell, stop)
    with suppress(OSError):
        out.close()
    os._exit(0)  # a normal exit would wait for the thread that reads stdin


def work(order: WorkOrder, tell: Tell, stop: Event) -> None:
    """Do a task. Write an event with its result, or with the reason of a stop or failure."""
    from evodom.budget import Cancelled
    from evodom.errors import EvodomError
    from evodom.reading import convert
    from evodom.tasks import Workers
    from evodom.web import jobs
    from evodom.web.task import ASKED, DONE, FAILED, STOPPED

    try:
        if stop.is_set():
            raise Cancelled("stopped before the start")
        with ThreadPoolExecutor(order["jobs"]) as executor:
            desk = jobs.Desk(Path(order["root"]), Workers(executor, order["jobs"]), jobs.EventWriter(tell), stop)
            result = jobs.do_task(convert(order["asked"], ASKED[order["kind"]]), desk)
        tell({"state": DONE, "result": result})
    except Cancelled as stopped:
        tell({"state": STOPPED, "why": str(stopped)})
    except EvodomError as error:
        tell({"state": FAILED, "why": str(error)})
    except Exception as error:  # the page shows it: there is no terminal
        tell({"state": FAILED, "why": f"internal error in evodom: {type(error).__name__}: {error}"})


def _watch_input(stop: Event) -> None:
    """Set ``stop`` at the end of stdin. Exit after LAST_SECONDS if the task is not done."""
    with suppress(OSError, ValueError):
        while sys.stdin.read(1):
            pass
    stop.set()
    time.sleep(LAST_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
