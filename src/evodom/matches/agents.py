"""Load and run agents written in Python, and read guests: rivals saved within a run.

An agent is a callable that takes a View and a Decision and returns one of the Decision's Consequences, or its name.
A searching agent takes the game itself and must redeal it before it reads hidden cards. `load_agent` loads by name:

    ./mine.py              the agent called `agent` in a file            mine.py:greedy      another agent in it
    package.module:name    one in a module that can be imported

Games run in the calling thread, with the same seeds and the same RESULT records as compiled strategies.

A guest is a line of JSON: its name with a strategy file or the weights of a network. A baseline needs only its name.
A run stays complete even if the original files of its guests change or disappear.
"""

import base64
import importlib
import importlib.util
import inspect
import json
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, TypeAlias, cast

import numpy as np

import evodom
from evodom.dominion.cards import name_key
from evodom.dominion.engine.batch import RESULT, note_result
from evodom.dominion.engine.turn import enact
from evodom.dominion.game import Agent, Consequence, DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import BASELINES, baseline, fitting_baselines
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.networks.model import are_sound, network_record, weights_of
from evodom.dominion.strategies.record import Strategy, blank_strategies
from evodom.dominion.strategies.registry import MODEL_PRESETS, was_learned
from evodom.dominion.strategies.select import select
from evodom.errors import AgentError, UsageError, short
from evodom.files import parse_json
from evodom.matches import MOST_RIVALS, check_rivals
from evodom.matches.seating import agent_generator
from evodom.tasks import Workers

SearchingAgent = Callable[[DominionGame, Workers | None], str]
"""Searching agent. It returns the name of its choice and must not read hidden information of the game."""

MakeAgent = Callable[[Kingdom, int, np.random.Generator], Agent | SearchingAgent]

PACKAGE = Path(evodom.__file__).parent
"""Folder of the package. Code outside it is the user's."""


@dataclass(frozen=True, eq=False)
class PythonAgent:
    """An agent written in Python, by the name given by the user. ``make`` creates it for each game and seat.

    Its Treasures are played automatically unless it ``chooses_treasures``. `View.discard_tops` are "" unless it
    ``sees_discard_tops``; tracking them makes a game five times slower.
    """

    name: str
    make: MakeAgent
    source: str = ""
    """Source independent of the working folder: the absolute path of its file, or its module."""
    chooses_treasures: bool = False
    sees_discard_tops: bool = False
    is_searching: bool = False
    """True for a SearchingAgent. Its choices depend on a clock, so a replay of a game reuses the recorded choices."""

    def seat(self, kingdom: Kingdom, seat: int, game_seed: int, workers: Workers | None = None) -> "SeatedAgent":
        """Return the agent for one game and seat, with a random generator derived from both.

        ``workers`` are the threads available to a searching agent.
        """
        rng = agent_generator(game_seed, seat)
        try:
            agent = self.make(kingdom, seat, rng)
        except Exception as error:
            raise AgentError(f"agent '{self.name}' could not be made: {error_text(error)}.") from error
        return SeatedAgent(self.name, agent, is_searching=self.is_searching, workers=workers)


Player: TypeAlias = Strategy | PythonAgent


@dataclass(frozen=True)
class SeatedAgent:
    """An agent in one game. It checks the choices of the user's agent."""

    name: str
    agent: Any
    """An Agent, or a SearchingAgent."""
    is_searching: bool = False
    workers: Workers | None = None

    def __call__(self, game: DominionGame) -> Consequence:
        """Return the choice for the pending Decision of its seat.

        Raises AgentError with a message of one line if the agent fails or its choice is not allowed.
        """
        decision = game.decision
        assert decision is not None
        try:
            inputs = (game, self.workers) if self.is_searching else (game.view(decision.seat), decision)
            answer = self.agent(*inputs)
        except Exception as error:
            raise AgentError(f"agent '{self.name}' failed: {error_text(error)}. Asked: {decision.prompt}") from error
        name = answer.name if isinstance(answer, Consequence) else answer
        for allowed in decision.consequences:
            if isinstance(name, str) and name_key(allowed.name) == name_key(name):
                return allowed
        raise AgentError(
            f"agent '{self.name}' answered {_short(answer)}. Asked: {decision.prompt} "
            f"Allowed: {', '.join(allowed.name for allowed in decision.consequences)}."
        )


def play_game(kingdom: Kingdom, seated: Sequence[Player], seed: int, workers: Workers | None = None) -> Any:
    """Play one game and return its RESULT. ``seated`` are PythonAgents or strategies in turn order.

    With strategies only, the result equals that of `play_games` with this seed. ``workers`` are for searching agents.
    """
    python = {seat: player for seat, player in enumerate(seated) if isinstance(player, PythonAgent)}
    agents = {seat: player.seat(kingdom, seat, seed, workers) for seat, player in python.items()}
    lineup = without_agents(seated).arrays
    game = DominionGame(kingdom, len(seated), seed=seed, log=sees_discard_piles(seated))
    game.play_treasures_automatically(*set(range(len(seated))) - seats_choosing_treasures(seated))
    while not game.is_over:
        seat = int(game.state.decider)
        pile = agents[seat](game).pile if seat in agents else select(game.rules, game.state, lineup, seat)
        if game.log:
            game.enact(game.answer_name(pile))
        else:
            enact(game.rules, game.state, pile)
    results = np.zeros(1, RESULT)
    note_result(game.rules, game.state, results[0])
    return results[0]


def without_agents(players: Sequence[Player]) -> Lineup:
    """Return the lineup of players. An agent is replaced by the random player."""
    random = blank_strategies(1, RANDOM)[0]
    return Lineup.of([random if isinstance(player, PythonAgent) else player for player in players])


def error_text(error: BaseException) -> str:
    """Format an exception with the line of the user's code that raised it: "ValueError: ... (mine.py:12)"."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    what = text.splitlines()[0] if text.strip() else ""
    where = _where(error)
    return f"{type(error).__name__}{f': {what}' if what else ''}{f' ({where})' if where else ''}".rstrip(".")


def _where(error: BaseException) -> str:
    """Return the file and line of the innermost frame of an exception in the user's code, or ""."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_from_here(error.filename)}:{error.lineno}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(_traceback(error))]
    libraries = PACKAGE, Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    own = [
        (file, line)
        for file, line in frames
        if not file.startswith("<") and not any(Path(file).is_relative_to(folder) for folder in libraries)
    ]
    return f"{_from_here(own[-1][0])}:{own[-1][1]}" if own else ""


def _from_here(file: str) -> str:
    """Return the path of a file relative to the working folder if the folder contains it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _traceback(error: BaseException) -> TracebackType | None:
    return error.__traceback__


def sees_discard_piles(seated: Sequence[Player]) -> bool:
    """Return whether an agent sees the tops of the discard piles."""
    return any(isinstance(one, PythonAgent) and one.sees_discard_tops for one in seated)


def seats_choosing_treasures(seated: Sequence[Player | None]) -> set[int]:
    """Return the seats of the agents that choose which Treasures they play."""
    return {seat for seat, one in enumerate(seated) if isinstance(one, PythonAgent) and one.chooses_treasures}


def _short(answer: object) -> str:
    text = repr(answer.name if isinstance(answer, Consequence) else answer)
    return text if len(text) <= 60 else f"{text[:57]}..."


DEFAULT_NAME = "agent"
"""Name of the agent in a file named without a colon."""

_IN_FILE = re.compile(r"(.+\.py)(?::(\w+))?")
_IN_MODULE = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")

PARTS_OF_ANSWERS = ("network", "list", *MODEL_PRESETS)
"""Names after the key of a saved answer, as in "first-game:list", that an agent's name could equal."""

EXPECTED = "an agent takes (view, decision), a factory of agents (kingdom, seat, rng)"


def names_agent(word: str) -> bool:
    """Return whether a word names an agent written in Python: a .py file, or `module:name`.

    Names of PARTS_OF_ANSWERS after a colon belong to saved answers. Use the file for an agent of such a name.
    """
    in_module = _IN_MODULE.fullmatch(word)
    return bool(_IN_FILE.fullmatch(word) or (in_module and in_module[2] not in PARTS_OF_ANSWERS))


def source_of(word: str) -> str:
    """Return the name of an agent that is valid in every folder: the absolute path of its file, or its module."""
    found = _IN_FILE.fullmatch(word)
    return f"{Path(found[1]).resolve()}:{found[2] or DEFAULT_NAME}" if found else word


def load_agent(word: str) -> PythonAgent:
    """Load an agent by name. This runs its file or module. Raise UsageError with a message of one line on failure."""
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


def as_agent(found: object, name: str) -> PythonAgent:
    """Wrap a user's callable as a PythonAgent.

    A callable of two arguments is the agent itself: (view, decision). A class or function of three arguments
    (kingdom, seat, rng) creates an agent for each game, so no state is carried between games. Raises UsageError for
    any other object.
    """
    n = _n_arguments(found)
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


@dataclass(frozen=True)
class Entrant:
    """A named player: a strategy, or an agent written in Python.

    Entrants with the same ``origin`` are copies of each other.
    """

    name: str
    origin: tuple[str, ...]
    strategy: Player

    @property
    def record(self) -> Strategy:
        """The strategy. Raises UsageError for an agent written in Python."""
        if isinstance(self.strategy, PythonAgent):
            raise UsageError(f"{self.name} is an agent in Python, which has no strategy record.")
        return self.strategy


NAME, FILE, NETWORK = "name", "file", "network"


def guest_text(entrant: Entrant, kingdom: Kingdom) -> str:
    """Return the saved text of a guest. Agents written in Python cannot be guests."""
    name = entrant.name
    if name in BASELINES:
        return json.dumps({NAME: name})
    strategy = entrant.record
    if was_learned(strategy):
        weights = weights_of(strategy).astype("<f4").tobytes()
        return json.dumps({NAME: name, NETWORK: base64.b64encode(weights).decode()})
    return json.dumps({NAME: name, FILE: dump_strategy(strategy, kingdom, name=name)})


@lru_cache(MOST_RIVALS)  # each generation asks for the same ones
def read_guest(text: str, kingdom: Kingdom) -> Entrant:
    """Read a guest. Raise ValueError if the text is invalid or does not fit the kingdom."""
    content = parse_json(text)
    if not isinstance(content, dict) or not all(isinstance(part, str) for part in content.values()):
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    name = content.pop(NAME, None)
    if not name or not name.isprintable() or not set(content) <= {FILE, NETWORK} or len(content) > 1:
        raise ValueError(f"a rival that is saved with it is {short(text)}")
    return Entrant(name, ("guest", name), _strategy(name, content, kingdom))


def read_guests(guests: Sequence[str], kingdom: Kingdom) -> tuple[Entrant, ...]:
    """Read guests as entrants. Raise ValueError like `read_guest`."""
    return tuple(read_guest(text, kingdom) for text in guests)


def named_rivals(names: Sequence[str], guests: Sequence[str], kingdom: Kingdom) -> list[Strategy]:
    """Return the rivals of a run by name. A name is a guest's or else a baseline's.

    Raises ValueError for an unknown name or more than MOST_RIVALS names.
    """
    check_rivals(names, guests)
    known = {guest.name: guest.record for guest in read_guests(guests, kingdom)}
    return [known[name] if name in known else _fitting(name, kingdom) for name in names]


def _strategy(name: str, content: dict[str, str], kingdom: Kingdom) -> Strategy:
    if NETWORK in content:
        return network_record(_weights(content[NETWORK], name), kingdom)
    if FILE in content:
        return parse_strategy(content[FILE], name=name, where=name).record(kingdom)
    return _fitting(name, kingdom)


def _fitting(name: object, kingdom: Kingdom) -> Strategy:
    if name not in fitting_baselines(kingdom):
        raise ValueError(f"a rival is {short(name)}, and nothing is saved of it")
    return baseline(name, kingdom)


def _weights(text: str, name: str) -> Any:
    """Decode and check the weights of a network. Kernels do not check them."""
    content = base64.b64decode(text, validate=True)
    weights = np.frombuffer(content[: len(content) // 4 * 4], "<f4")
    if not are_sound(weights):
        raise UsageError(f"the network of {short(name)} is damaged.")
    return weights
