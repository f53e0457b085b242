"""Load agents and policies written in Python, by their parsed names (`names.PlayerName`)."""

import importlib
import importlib.util
import inspect
import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import cast

from evodom.dominion.game import Agent
from evodom.errors import UsageError
from evodom.matches.agents import MakeAgent, PythonAgent, error_text
from evodom.matches.names import PlayerKind, PlayerName, parse_player
from evodom.matches.policies import BatchPolicy, as_policy, load_policy

EXPECTED = "an agent takes (view, decision), a factory of agents (kingdom, seat, rng)"


def load_agent(named: str | PlayerName) -> PythonAgent:
    """Load an agent or policy by name. This runs its file or module. Raise UsageError, in one line, on failure."""
    found = parse_player(named) if isinstance(named, str) else named
    word, name = found.word, found.member
    if found.kind is PlayerKind.POLICY:
        return replace(load_policy(Path(found.place)), name=word)
    if found.kind is not PlayerKind.AGENT:
        raise UsageError(f"'{word[:60]}' names no agent. Allowed: ./mine.py, mine.py:name or module:name.")
    module = _run_file(Path(found.place)) if found.is_in_file else _import(found.place, word)
    if not hasattr(module, name):
        raise UsageError(f"'{word}': there is no '{name}' in it.{_advice(module, name)}")
    return replace(as_agent(getattr(module, name), word), source=found.source)


def as_agent(found: object, name: str) -> PythonAgent:
    """Wrap a user's callable as a PythonAgent.

    A callable of two arguments is the agent itself: (view, decision). With the attribute ``takes_observations`` it is a
    policy: (observations, masks). A class or function of three arguments
    (kingdom, seat, rng) creates an agent for each game, so no state is carried between games. Raises UsageError for
    any other object.
    """
    n = _n_arguments(found)
    if n == 2 and getattr(found, "takes_observations", False):
        return as_policy(cast("BatchPolicy", found), name, scaled=bool(getattr(found, "scaled", False)))
    if n == 3:
        return _made(name, cast("MakeAgent", found), found)
    if n == 2 and not inspect.isclass(found):
        agent = cast("Agent", found)
        return _made(name, lambda kingdom, seat, rng: agent, found)
    what = "is a class that takes" if inspect.isclass(found) else "takes"
    got = "is not callable" if n is None else f"{what} {n} argument{'' if n == 1 else 's'}"
    raise UsageError(f"'{name}' {got}. Expected: {EXPECTED}. See docs/guide/agents.md.")


def _made(name: str, make: MakeAgent, found: object) -> PythonAgent:
    chooses, sees = (bool(getattr(found, wish, False)) for wish in ("chooses_treasures", "sees_discard_tops"))
    return PythonAgent(name, make, chooses_treasures=chooses, sees_discard_tops=sees)


def _n_arguments(found: object) -> int | None:
    """Return the number of required positional arguments of a callable, or None for other objects."""
    if not callable(found):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    return sum(one.kind in kinds and one.default is inspect.Parameter.empty for one in parameters)


def _run_file(path: Path) -> ModuleType:
    """Run a file and return it as a module. It can import modules from its own folder."""
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
    """Return a hint for an unknown name: a close name, or the callables of the file."""
    own = [
        one
        for one, value in vars(module).items()
        if callable(value) and not one.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    near = get_close_matches(name, own, n=1)
    if near:
        return f" Did you mean {near[0]}?"
    return f" Known there: {', '.join(own)}. Name one with a colon." if own else " Define it: see docs/guide/agents.md."
