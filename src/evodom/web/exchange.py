"""Requests and answers as JSON: what was sent is read with limits, and every refusal is one line."""

import shlex
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from evodom.errors import EvodomError, RunError, UsageError, one_line
from evodom.files import parse_json
from evodom.reading import convert
from evodom.runs import data_dir

T = TypeVar("T")

Json = dict[str, object]
"""A JSON object that is sent to a page."""

LARGEST_SEED = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""

Seed = Annotated[int, Meta(ge=0, le=LARGEST_SEED)]


class Conflict(EvodomError):
    """What was asked for was meant for an earlier state; the page has to look again."""


class Missing(EvodomError):
    """What was asked for is not there."""


class NotReady(EvodomError):
    """The server does as much as it can, or is being stopped."""


class Compiling(NotReady):
    """Kernels are being compiled. It is answered with status 200 and the progress: waiting is no failure.

    ``doing`` describes the step; ``since`` is its start on `time.monotonic`.
    """

    def __init__(self, doing: str, since: float) -> None:
        super().__init__(f"{doing} ...")
        self.progress = {"state": "compiling", "doing": doing, "seconds": round(time.monotonic() - since, 1)}


class Full(EvodomError):
    """No more can be saved before something is deleted."""


_STATUS = {Missing: 404, Conflict: 409, Full: 429, NotReady: 503, UsageError: 400, RunError: 400}
"""The status that goes with an error; others are 500."""


class Nothing(Struct, forbid_unknown_fields=True):
    """A request without fields."""


async def body_of(request: Request, kind: type[T]) -> T:
    """Return the JSON object of a request as a struct. Raises UsageError, in one line, if it is not valid."""
    try:
        body = parse_json((await request.body()).decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the request is no JSON: {one_line(error, 200)}.") from None
    if not isinstance(body, dict):
        raise UsageError("the request is no JSON object.")
    return convert(body, kind)


def answer(data: Mapping[str, object], status: int = 200) -> Response:
    """Return an answer that no browser keeps."""
    return JSONResponse(data, status, {"Cache-Control": "no-store"})


def refuse(request: Request, error: Exception) -> Response:
    """Return an error as one line, or the progress of compiling."""
    if isinstance(error, Compiling):
        return answer(error.progress)
    return refusal(*status_of(error))


def status_of(error: Exception) -> tuple[int, str]:
    """Return the HTTP status of an error, and its text."""
    if isinstance(error, HTTPException):
        return error.status_code, _PHRASES.get(error.status_code, error.detail)
    return next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500), str(error)


def refusal(status: int, why: str) -> Response:
    """Return the answer that says why not, in one line."""
    return answer({"error": one_line(why)}, status)


_PHRASES = {404: "there is no such page.", 405: "this cannot be done here."}


def command_line(root: Path, *words: str) -> str:
    """Return a command as one types it into a shell, with --data-dir unless runs are saved in the usual folder."""
    try:
        usual = data_dir() == root
    except RunError:
        usual = False
    return shlex.join(words if usual else (*words, "--data-dir", str(root)))
