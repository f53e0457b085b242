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
from evodom.errors import UsageError, short
from evodom.matches.agents import MakeAgent, PythonAgent, user_code
from evodom.matches.names import PlayerKind, PlayerName, parse_player
from evodom.matches.observations import FEATURES, OBSERVATIONS
from evodom.matches.policies import BatchPolicy, as_policy

MISSING = object()
"""Default of `getattr` for a name that a module lacks."""

EXPECTED = "an agent takes (view, decision), a factory of agents (kingdom, seat, rng)"


def load_agent(named: str | PlayerName) -> PythonAgent:
    """Load an agent or policy by name. This runs its file or module. Raise UsageError on failure."""
    found = parse_player(named) if isinstance(named, str) else named
    word, name = found.word, found.member
    if found.kind is PlayerKind.POLICY:
        from evodom.matches.policy_files import load_policy  # environments start faster without it

        return replace(load_policy(Path(found.place)), name=word)
    if found.kind is not PlayerKind.AGENT:
        raise UsageError(f"'{word[:60]}' names no agent. Allowed: ./mine.py, mine.py:name or module:name.")
    module = _run_file(Path(found.place)) if found.is_in_file else _import(found.place, word)
    with user_code(f"'{word}' cannot be used", kind=UsageError):
        agent = getattr(module, name, MISSING)
        advice = _advice(module, name) if agent is MISSING else ""
    if agent is MISSING:
        raise UsageError(f"'{word}': there is no '{name}' in it.{advice}")
    return replace(as_agent(agent, word), source=found.source)


def as_agent(found: object, name: str) -> PythonAgent:
    """Wrap a user's callable as a PythonAgent.

    A callable of two arguments is the agent itself: (view, decision). It is a policy, (observations, masks), with the
    attribute ``takes_observations``: one of OBSERVATIONS, or True for FEATURES. A class or function of three arguments
    (kingdom, seat, rng) creates an agent for each game, so no state is carried between games. Raises UsageError for any
    other object.
    """
    names = ("scaled", "chooses_treasures", "sees_discard_tops")
    with user_code(f"'{name}' cannot be used", kind=UsageError):
        n, is_class = _n_arguments(found), inspect.isclass(found)
        scaled, chooses, sees = (bool(getattr(found, one, False)) for one in names)
        taken = getattr(found, "takes_observations", False)
    if n == 2 and taken is not False:
        observation = FEATURES if taken is True else taken
        if not isinstance(observation, str) or observation not in OBSERVATIONS:
            allowed = ", ".join(map(repr, OBSERVATIONS))
            raise UsageError(f"'{name}': takes_observations is {short(taken)}. Allowed: True, {allowed}.")
        return as_policy(cast("BatchPolicy", found), name, scaled=scaled, observation=observation)
    if n == 3 or (n == 2 and not is_class):
        agent = cast("Agent", found)
        make = cast("MakeAgent", found) if n == 3 else lambda kingdom, seat, rng: agent
        return PythonAgent(name, make, chooses_treasures=chooses, sees_discard_tops=sees)
    what = "is a class that takes" if is_class else "takes"
    got = "is not callable" if n is None else f"{what} {n} argument{'' if n == 1 else 's'}"
    raise UsageError(f"'{name}' {got}. Expected: {EXPECTED}. See docs/guide/agents.md.")


def _n_arguments(found: object) -> int | None:
    """Return the number of required positional arguments of a callable, or None for other objects.

    A callable with ``*args`` counts as one of at least two arguments.
    """
    if not callable(found):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    n = sum(one.kind in kinds and one.default is inspect.Parameter.empty for one in parameters)
    takes_any = any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters)
    return max(n, 2) if takes_any else n


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
    with user_code(f"{path} cannot be run", f" Try it alone: python {path}", UsageError):
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
    return module


def _import(name: str, word: str) -> ModuleType:
    with user_code(f"module '{name}' cannot be imported", kind=UsageError):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            lacking = error.name
            if not (lacking and (name == lacking or name.startswith(f"{lacking}."))):
                raise
    raise UsageError(
        f"'{word}': there is no module '{lacking}'. For a file type ./{lacking}.py, for a run its key, or a number "
        "after the colon: demo:2."
    )


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
