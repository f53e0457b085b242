"""Requests and answers as JSON: what was sent is read with limits, and every refusal is one line."""

import shlex
import time
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from evodom.errors import EvodomError, RunError, UsageError, one_line, short
from evodom.files import parse_json
from evodom.runs import data_dir


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


async def body_of(request: Request, *known: str) -> dict[str, Any]:
    """Return the object that a request holds, of no other keys than those ``known``; raises UsageError for others."""
    try:
        body = parse_json((await request.body()).decode())
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the request is no JSON: {one_line(error, 200)}.") from None
    if not isinstance(body, dict):
        raise UsageError("the request is no JSON object.")
    if unknown := next((key for key in body if key not in known), None):
        raise UsageError(
            f"nothing in this request is called {short(unknown)}. Allowed: {', '.join(known) or 'nothing'}."
        )
    return body


def text(body: dict[str, Any], name: str, default: str | None = None, *, longest: int = 200) -> str:
    """Return a text of a request; raises UsageError for anything else, or a longer one."""
    value = body.get(name, default)
    if not isinstance(value, str) or len(value) > longest:
        raise UsageError(f"'{name}' is {short(value)}. Allowed: a text of up to {longest} characters.")
    return value


def number(body: dict[str, Any], name: str, least: int, most: int, default: int | None = None) -> int:
    """Return a whole number of a request, within bounds; raises UsageError for anything else."""
    value = body.get(name, default)
    if type(value) is not int or not least <= value <= most:
        raise UsageError(f"'{name}' is {short(value)}. Allowed: {least} to {most}.")
    return value


def flag(body: dict[str, Any], name: str, *, default: bool = False) -> bool:
    """Return a true or false of a request; raises UsageError for anything else."""
    value = body.get(name, default)
    if type(value) is not bool:
        raise UsageError(f"'{name}' is {short(value)}. Allowed: true or false.")
    return value


def texts(body: dict[str, Any], name: str, most: int, *, longest: int = 200) -> list[str]:
    """Return a list of texts of a request; raises UsageError for anything else, or more than ``most``."""
    value = body.get(name)
    if not isinstance(value, list) or len(value) > most:
        raise UsageError(f"'{name}' is {short(value)}. Allowed: a list of up to {most}.")
    return [text({name: one}, name, longest=longest) for one in value]


def answer(data: Any, status: int = 200) -> Response:
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
