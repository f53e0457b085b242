"""Finding an agent that a user has written in Python.

    ./mine.py           the agent called `agent` in a file            mine.py:greedy      another one in it
    package.module:name    one in a module that can be imported

The file is run, which is why it has to be named on purpose: it ends in .py, or has a colon before a name.
"""

import importlib
import importlib.util
import inspect
import re
import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from evodom.errors import UsageError
from evodom.matches.agents import MakeAgent, PythonAgent, error_text

DEFAULT_NAME = "agent"
"""What is looked for in a file named without a colon."""

_IN_FILE = re.compile(r"(.+\.py)(?::(\w+))?")
_IN_MODULE = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")

EXPECTED = "an agent takes (view, decision), what makes one takes (kingdom, seat, rng)"


def names_agent(word: str) -> bool:
    """Tell whether a word names an agent written in Python: a .py file, or `module:name`."""
    return bool(_IN_FILE.fullmatch(word) or _IN_MODULE.fullmatch(word))


def source_of(word: str) -> str:
    """Return the text that names an agent from every folder: the whole path of its file, or its module."""
    found = _IN_FILE.fullmatch(word)
    return f"{Path(found[1]).resolve()}:{found[2] or DEFAULT_NAME}" if found else word


def load_agent(word: str) -> PythonAgent:
    """Return the agent that a word names; its file or module is run. Raises UsageError, in one line, if it cannot."""
    source = source_of(word)
    if found := _IN_FILE.fullmatch(word):
        module, name = _run_file(Path(found[1])), found[2] or DEFAULT_NAME
    elif found := _IN_MODULE.fullmatch(word):
        module, name = _import(found[1], word), found[2]
    else:
        raise UsageError(f"'{word[:60]}' names no agent. Allowed: ./mine.py, mine.py:name or module:name.")
    if not hasattr(module, name):
        raise UsageError(f"'{word}': there is no '{name}' in it.{_advice(module, name)}")
    return replace(as_agent(getattr(module, name), word), source=source)


def as_agent(found: Any, name: str) -> PythonAgent:
    """Return an object of a user's as a PythonAgent: one that takes (view, decision), or what makes such an agent.

    What takes three arguments, a class or a function, makes a new agent for each game out of (kingdom, seat, rng): then
    nothing is carried from one game to the next. Raises UsageError for what takes neither.
    """
    n = _n_arguments(found)
    if n == 3:
        return _made(name, found, found)
    if n == 2 and not inspect.isclass(found):
        return _made(name, lambda kingdom, seat, rng: found, found)
    what = "is a class that takes" if inspect.isclass(found) else "takes"
    got = "is not callable" if n is None else f"{what} {n} argument{'' if n == 1 else 's'}"
    raise UsageError(f"'{name}' {got}. Expected: {EXPECTED}. See docs/agents.md.")


def _made(name: str, make: MakeAgent, found: Any) -> PythonAgent:
    chooses, sees = (bool(getattr(found, wish, False)) for wish in ("chooses_treasures", "sees_discard_tops"))
    return PythonAgent(name, make, chooses_treasures=chooses, sees_discard_tops=sees)


def _n_arguments(found: Any) -> int | None:
    """Return how many positional arguments have to be given to a callable, None if it is not one."""
    if not callable(found):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    return sum(one.kind in kinds and one.default is inspect.Parameter.empty for one in parameters)


def _run_file(path: Path) -> ModuleType:
    """Run a file and return it as a module; what stands beside it can be imported by it."""
    if not path.is_file():
        raise UsageError(f"there is no file {path}. Name a Python file with an agent in it, such as ./mine.py.")
    file = path.resolve()
    name = f"agent in {file}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be run as Python. Name a Python file with an agent in it.")
    module = importlib.util.module_from_spec(spec)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UsageError(f"{path} cannot be run: {error_text(error)}. Try it alone: python {path}") from error
    return module


def _import(name: str, word: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            raise UsageError(
                f"'{word}': there is no module '{error.name}'. For a file type ./{error.name}.py, for a run "
                "its key, or a number after the colon: demo:2."
            ) from error
        raise UsageError(f"module '{name}' cannot be imported: {error_text(error)}.") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"module '{name}' cannot be imported: {error_text(error)}.") from error


def _advice(module: ModuleType, name: str) -> str:
    """Return what a user may have meant: a near name, or the callables of the file."""
    own = [
        one
        for one, value in vars(module).items()
        if callable(value) and not one.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    near = get_close_matches(name, own, n=1)
    if near:
        return f" Did you mean {near[0]}?"
    return f" Known there: {', '.join(own)}. Name one with a colon." if own else " Define it: see docs/agents.md."
