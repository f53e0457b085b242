"""Players written in Python (`PythonAgent`), and games with them. `loading` finds them by name.

An agent is a callable that takes a View and a Decision and returns one of the Decision's Consequences, or its name.
A searching agent takes the game itself and must redeal it before it reads hidden cards.

Games run in the calling thread, with the same seeds and the same RESULT records as games of compiled strategies.

A *guest* is an opponent saved within a run, as a line of JSON: a name, and a strategy file or the weights of a network.
A baseline needs only its name. A run stays complete even if the original files of its guests change or disappear.
"""

import base64
import inspect
import json
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import evodom
from evodom.dominion.cards import name_key
from evodom.dominion.engine.batch import RESULT, record_result
from evodom.dominion.engine.turn import enact
from evodom.dominion.game import Agent, Consequence, Decision, DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import RANDOM
from evodom.dominion.strategies.baselines import BASELINES, baseline, fitting_baselines
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.layers import Weights
from evodom.dominion.strategies.models.networks.model import are_sound, network_strategy, weights_of
from evodom.dominion.strategies.record import Strategy, blank_strategies
from evodom.dominion.strategies.registry import was_learned
from evodom.dominion.strategies.select import select
from evodom.errors import AgentError, EvodomError, UsageError, one_line, short
from evodom.files import parse_json
from evodom.matches import MAX_RIVALS, check_rivals
from evodom.matches.mixtures import Mixture
from evodom.matches.seating import agent_generator
from evodom.tasks import Workers

SearchingAgent = Callable[[DominionGame, Workers | None], str]
"""Searching agent. It returns the name of its choice and must not read hidden information of the game."""

MakeAgent = Callable[[Kingdom, int, np.random.Generator], Agent | SearchingAgent]

PACKAGE = Path(evodom.__file__).parent
"""Folder of the package. Code outside it is the user's."""

MAX_SHOWN_BITS = 1000
"""Maximum size of an integer that is shown. Python does not print integers of more than 4,300 digits."""

LONGEST_REASON = 300
"""Maximum number of characters of an exception's text in a message."""


@dataclass(frozen=True, eq=False)
class PythonAgent:
    """An agent written in Python. ``name`` is given by the user, and ``make`` creates the agent for each game and seat.

    The agent's Treasures are played automatically unless it ``chooses_treasures``. `View.discard_tops` are "" unless it
    ``sees_discard_tops``. To see them makes a game five times slower.
    """

    name: str
    make: MakeAgent
    source: str = ""
    """The absolute path of the agent's file, or its module."""
    chooses_treasures: bool = False
    sees_discard_tops: bool = False
    reads_game: bool = False
    """True for a SearchingAgent: it takes the game itself."""
    is_searching: bool = False
    """True if the choices depend on a clock. A replay of a game then uses the recorded choices."""

    def seat(self, kingdom: Kingdom, seat: int, game_seed: int, workers: Workers | None = None) -> "SeatedAgent":
        """Return the agent for one game and seat, with a random generator derived from both.

        ``workers`` are the threads available to a searching agent.
        """
        rng = agent_generator(game_seed, seat)
        with user_code(f"agent '{self.name}' could not be made"):
            agent = self.make(kingdom, seat, rng)
        return SeatedAgent(self, agent, workers)


SinglePlayer: TypeAlias = Strategy | PythonAgent

Player: TypeAlias = SinglePlayer | Mixture
"""A player of matches. `Venue` draws the strategy of a Mixture for each game."""


@dataclass(frozen=True)
class SeatedAgent:
    """An agent in one game. It checks the choices of the user's agent."""

    player: PythonAgent
    agent: Any
    """An Agent, or a SearchingAgent."""
    workers: Workers | None = None

    @property
    def name(self) -> str:
        """The name given by the user."""
        return self.player.name

    def __call__(self, game: DominionGame) -> Consequence:
        """Return the choice for the pending Decision of its seat.

        Raises AgentError with a message of one line if the agent fails or its choice is not allowed.
        """
        decision = game.decision
        assert decision is not None
        inputs = (game, self.workers) if self.player.reads_game else (game.view(decision.seat), decision)
        asked = f" Asked: {decision.prompt}"
        is_guarded = self.player.reads_game  # `PolicyAgent.actions` converts the errors of the user's policy itself
        with nullcontext() if is_guarded else user_code(f"agent '{self.name}' failed", asked):
            answer = self.agent(*inputs)
            name = answer.name if isinstance(answer, Consequence) else answer
            for allowed in decision.consequences:
                if isinstance(name, str) and name_key(allowed.name) == name_key(name):
                    return allowed
            if inspect.iscoroutine(name):
                name.close()  # Python would warn of a coroutine that is not awaited
            n_bits = name.bit_length() if isinstance(name, int) else 0
            text = repr(name) if n_bits <= MAX_SHOWN_BITS else f"an integer of {n_bits:,} bits"
        raise AgentError(
            f"agent '{self.name}' answered {text if len(text) <= 60 else f'{text[:57]}...'}. Asked: {decision.prompt} "
            f"Allowed: {', '.join(allowed.name for allowed in decision.consequences)}."
        )


def play_game(kingdom: Kingdom, seated: Sequence[SinglePlayer], seed: int, workers: Workers | None = None) -> Any:
    """Play one game and return its RESULT. ``seated`` are PythonAgents or strategies in turn order.

    With strategies only, the result equals the result of `play_games` with this seed. ``workers`` are for searching
    agents.
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
    record_result(game.rules, game.state, results[0])
    return results[0]


def decisions_of_seat(
    game: DominionGame, players: Sequence[Strategy], seat: int
) -> Iterator[tuple[Decision, Consequence]]:
    """Play a game to its end. Yield each Decision of a seat and its answer, before the answer is carried out."""
    while (decision := game.decision) is not None:
        choice = game.strategy_choice(players[decision.seat])
        if decision.seat == seat:
            yield decision, choice
        game.enact(choice)


def without_agents(players: Sequence[SinglePlayer]) -> Lineup:
    """Return the lineup of players, with the random player in place of each agent."""
    random = blank_strategies(1, RANDOM)[0]
    return Lineup.of([random if isinstance(player, PythonAgent) else player for player in players])


@contextmanager
def user_code(failure: str, after: str = "", kind: type[EvodomError] = AgentError) -> Iterator[None]:
    """Convert every exception of the user's code, except KeyboardInterrupt, to an error with a message of one line.

    The message is ``failure``, the exception and ``after``.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise kind(f"{failure}: {error_text(error)}.{after}") from error


def error_text(error: BaseException) -> str:
    """Format an exception with the line of the user's code that raised it: "ValueError: ... (mine.py:12)"."""
    try:
        text = str(error.msg or "") if isinstance(error, SyntaxError) else str(error)
        what = one_line(text.splitlines()[0], LONGEST_REASON) if text.strip() else ""
        where = _where(error)
        return f"{type(error).__name__}{f': {what}' if what else ''}{f' ({where})' if where else ''}".rstrip(".")
    except KeyboardInterrupt:
        raise
    except BaseException:  # raised by the exception's own methods
        return type(error).__name__


def _where(error: BaseException) -> str:
    """Return the file and line of the innermost frame of an exception in the user's code, or ""."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_from_here(error.filename)}:{error.lineno}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
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


def sees_discard_piles(seated: Sequence[SinglePlayer]) -> bool:
    """Return whether an agent sees the tops of the discard piles."""
    return any(isinstance(one, PythonAgent) and one.sees_discard_tops for one in seated)


def seats_choosing_treasures(seated: Sequence[SinglePlayer | None]) -> set[int]:
    """Return the seats of the agents that choose which Treasures they play."""
    return {seat for seat, one in enumerate(seated) if isinstance(one, PythonAgent) and one.chooses_treasures}


@dataclass(frozen=True)
class Entrant:
    """A named player: a strategy, an agent written in Python, or a mixture of strategies.

    Entrants with the same ``origin`` are copies of each other.
    """

    name: str
    origin: tuple[str, ...]
    strategy: Player

    @property
    def record(self) -> Strategy:
        """The strategy. Raises UsageError for an agent written in Python, and for a mixture."""
        if isinstance(self.strategy, PythonAgent):
            raise UsageError(f"{self.name} is an agent in Python, which has no strategy record.")
        if isinstance(self.strategy, Mixture):
            key = self.name.partition(":")[0]
            raise UsageError(f"{self.name} is a mixture, and one strategy is needed here. Allowed: {key}, {key}:2.")
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


@lru_cache(MAX_RIVALS)  # each generation reads the same guests
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
    """Return the strategies of rivals by name. Guests come before baselines of the same name.

    Raises ValueError for an unknown name or more than MAX_RIVALS names.
    """
    check_rivals(names, guests)
    known = {guest.name: guest.record for guest in read_guests(guests, kingdom)}
    return [known[name] if name in known else _fitting(name, kingdom) for name in names]


def _strategy(name: str, content: dict[str, str], kingdom: Kingdom) -> Strategy:
    if NETWORK in content:
        weights = decoded_weights(content[NETWORK])
        if weights is None:
            raise UsageError(f"the network of {short(name)} is damaged.")
        return network_strategy(weights, kingdom)
    if FILE in content:
        return parse_strategy(content[FILE], name=name, where=name).record(kingdom)
    return _fitting(name, kingdom)


def _fitting(name: object, kingdom: Kingdom) -> Strategy:
    if name not in fitting_baselines(kingdom):
        raise UsageError(f"a rival is {short(name)}, and nothing is saved of it. Allowed: baselines.")
    return baseline(name, kingdom)


def decoded_weights(text: str) -> Weights | None:
    """Return the weights of a network from base64, None if they are damaged. Kernels do not check them."""
    content = base64.b64decode(text, validate=True)
    weights = np.frombuffer(content[: len(content) // 4 * 4], "<f4")
    return weights if are_sound(weights) else None
