"""Saved games: one JSON file each, with all that is needed to play them again from the start.

A file holds the setup, the strategies' records included, and the person's choices. It does not depend on the run the
strategies come from. Loading replays the choices. An agent written in Python is named, with its answers so far: it is
asked again, and the game is refused if it answers something else. Its code is run only if the caller trusts it. The
record of a network holds an address, which is nothing outside the process. Its weights are in the file, and are
checked.
"""

import base64
import json
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from evodom.dominion.kingdom import RULES, Kingdom
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.networks.layers import Weights
from evodom.dominion.strategies.networks.weights import Loan, are_sound, content_at, lend
from evodom.dominion.strategies.record import STRATEGY
from evodom.dominion.strategies.registry import is_sound, was_learned
from evodom.entrants import thinking_network
from evodom.errors import RunError, UsageError, one_line, short
from evodom.files import parse_json, read_text, replace_text
from evodom.matches.agents import PythonAgent, load_agent, names_agent, source_of
from evodom.runs.meta import FIRST
from evodom.sessions.dominion import MAX_PLAYERS, MIN_PLAYERS, GameSetup, Match, Participant
from evodom.sessions.slots import LARGEST, LONGEST_PLAYER, Slot
from evodom.tasks import Workers

FORMAT = 5
"""The format of the file, that of a strategy's bytes and the random streams included."""

PROGRAM = "evodom game"

KEYS = (
    "program", "format", "command", "seed", "kingdom", "seat", "players", "networks", "choices", "answers", "turn",
    "over", "rules", "checksum",
)  # fmt: skip
"""Fields of a saved game. Earlier versions have no version of the rules."""


Trust = Callable[[str], bool]
"""Return True for an agent, named by `source_of`, whose code may be run."""


class UntrustedAgent(UsageError):
    """A saved game names an agent in Python, and the caller does not trust it."""


def trust_nothing(source: str) -> bool:
    """Return False: no code that a file names is run."""
    return False


def write_game(path: Path, match: Match) -> None:
    """Save a game in one step: whatever happens meanwhile, the file holds the old game or the new one."""
    members = _members(match)
    members["checksum"] = str(_checksum_of(members))
    text = "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)
    except OSError as error:
        raise RunError(f"the game cannot be saved in {path}: {error.strerror or error}.") from error


def read_game(
    path: Path,
    workers: Workers | None = None,
    trust: Trust = trust_nothing,
    before_replay: Callable[[], object] = lambda: None,
) -> Match:
    """Return a saved game, replayed up to where it was left; raises RunError if it is missing or damaged.

    ``workers`` are the threads that opponents who think may use from here on. ``before_replay`` is called once the
    file is checked: only the replay needs compiled kernels. Raises UntrustedAgent, before any code is run, if the game
    names an agent in Python for which ``trust`` returns False.
    """
    try:
        text = read_text(path, "a saved game", "JSON", LARGEST)
    except UsageError as error:
        raise RunError(str(error)) from error
    try:
        saved = _checked(parse_json(text))
        if untrusted := next((agent for agent in _agents(saved) if not trust(source_of(agent))), None):
            raise UntrustedAgent(_refusal(Slot(path).name, untrusted))
        setup, choices, answers = _setup_from_json(saved), _names(saved["choices"]), _names(saved.get("answers", []))
        before_replay()
        return _replayed(setup, choices, answers, workers)
    except UntrustedAgent:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        advice = "Delete it, or begin another game without --continue."
        raise RunError(f"{path} cannot be used: {what}. {advice}") from error


def needs_consent(setup: GameSetup) -> bool:
    """Return True if reading the saved game needs consent: an agent in Python is among the players."""
    strategies = [player.strategy for player in setup.players]
    return any(isinstance(one, PythonAgent) and names_agent(one.source) for one in strategies)


def _agents(saved: dict[str, Any]) -> list[str]:
    """Return the agents in Python that a game names: loading one runs its code."""
    named = [player.get("agent") for player in saved["players"]]
    return [agent for agent in named if agent is not None and names_agent(agent)]


def _refusal(name: str, agent: str) -> str:
    return (
        f"game '{name}' names the agent {short(agent, 200)}, and its code is run when the game is read. Only the "
        f"terminal does so, if you trust the code: evodom play {name} --continue --trust-agent (or --review)."
    )


def _checked(saved: Any) -> dict[str, Any]:
    """Return the content of a file that is a saved game of this format, unchanged since it was written."""
    if not isinstance(saved, dict) or saved.get("program") != PROGRAM:
        raise ValueError("it is no saved game of evodom")
    if saved["format"] != FORMAT:
        raise ValueError(f"it has format {short(saved['format'])}, and this version reads format {FORMAT}")
    if unknown := next((key for key in saved if key not in KEYS), None):
        raise ValueError(f"nothing in a saved game is called {short(unknown)}")
    if "checksum" not in saved:
        raise ValueError("it has no checksum")
    if saved["checksum"] != checksum(saved):
        raise ValueError("it has a wrong checksum")
    if (rules := saved.get("rules", FIRST)) != RULES.version:
        raise ValueError(f"it was begun under version {short(rules)} of the rules, and this is version {RULES.version}")
    return saved


def checksum(content: dict[str, Any]) -> int:
    """Return a checksum of all that a file holds but the checksum."""
    return _checksum_of({key: _as_json(value) for key, value in content.items() if key != "checksum"})


def _checksum_of(members: dict[str, str]) -> int:
    """Return the checksum of an object whose members are given as JSON."""
    return zlib.crc32(("{" + ", ".join(f'"{key}": {members[key]}' for key in sorted(members)) + "}").encode())


def _as_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _members(match: Match) -> dict[str, str]:
    """Return all that a file holds but the checksum, each as JSON."""
    setup = match.setup
    networks: list[int] = []
    players = [{"name": player.name} | _strategy_to_json(player.strategy, networks) for player in setup.players]
    turn = int(match.game.state.turns[setup.seat]) if setup.seat is not None else None
    content = {
        "program": PROGRAM,
        "format": FORMAT,
        "rules": RULES.version,
        "command": setup.command,
        "seed": setup.seed,
        "kingdom": list(setup.kingdom.cards),
        "seat": setup.seat,
        "players": players,
        "turn": turn,
        "over": match.game.is_over,
        "choices": match.choices,
        "answers": match.answers,
    }
    members = {key: _as_json(value) for key, value in content.items()}
    return members | {"networks": f"[{', '.join(_network_as_json(content_at(one)) for one in networks)}]"}


@lru_cache(64)
def _network_as_json(content: bytes) -> str:
    """Return the weights of a network as JSON, which is most of a file: 64 of them are kept, 20 MB at most."""
    return _as_json(base64.b64encode(content).decode())


def _setup_from_json(saved: dict[str, Any]) -> GameSetup:
    kingdom, seed, players = saved["kingdom"], saved["seed"], saved["players"]
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise ValueError(f"the seed is {short(seed)}")
    if not isinstance(kingdom, list) or not all(isinstance(name, str) for name in kingdom):
        raise ValueError("the kingdom is no list of cards")
    found = Kingdom(tuple(kingdom))
    if not isinstance(players, list) or not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise ValueError("the players are not as many as can play")
    networks = [lend(_weights(text)) for text in saved["networks"]]
    seated = tuple(
        Participant(one_line(player["name"], LONGEST_PLAYER), *_strategy(player, found, networks)) for player in players
    )
    setup = GameSetup(found, seated, seed, one_line(saved["command"]))
    if not setup.people:
        raise ValueError("there is no seat for a person")
    return setup


def _strategy_to_json(strategy: Strategy | PythonAgent | None, networks: list[int]) -> dict[str, Any]:
    """Return a player's strategy as JSON; ``networks`` are the addresses met so far, a new one is added."""
    if isinstance(strategy, PythonAgent):
        return {"strategy": None, "agent": strategy.source}
    if strategy is None or not was_learned(strategy):
        return {"strategy": None if strategy is None else strategy.tobytes().hex()}
    address = int(strategy["network"])
    if address not in networks:
        networks.append(address)
    without = strategy.copy()
    without["network"] = 0
    return {"strategy": without.tobytes().hex(), "network": networks.index(address)}


def _strategy(
    player: dict[str, Any], kingdom: Kingdom, networks: list[Loan]
) -> tuple[Strategy | PythonAgent | None, Loan | None]:
    """Return a player's strategy: an agent by its name, or the hexadecimal digits of a record, checked; with its loan.

    Kernels trust what a record says.
    """
    if "agent" in player:
        return thinking_network(player["agent"], kingdom) or load_agent(player["agent"]), None
    text = player["strategy"]
    if text is None:
        return None, None
    found = np.frombuffer(bytes.fromhex(text), STRATEGY)
    if len(found) != 1:
        raise ValueError("a strategy has the wrong size")
    strategy = found.copy()[0]
    if not is_sound(strategy):
        raise ValueError("a strategy is damaged")
    if not was_learned(strategy):
        return strategy, None
    number = player["network"]
    if type(number) is not int or number not in range(len(networks)):
        raise ValueError("a network is missing")
    strategy["network"] = networks[number].address
    return strategy, networks[number]


def _weights(text: str) -> Weights:
    """Return the weights of a network that a file holds, checked."""
    content = base64.b64decode(text, validate=True)
    weights = np.frombuffer(content[: len(content) // 4 * 4], "<f4")
    if not are_sound(weights):
        raise ValueError("a network is damaged")
    return weights


def _names(names: Any) -> list[str]:
    """Return choices or answers, checked to be a list of names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("its choices are no list of names")
    return names


def _replayed(setup: GameSetup, choices: list[str], answers: list[str], workers: Workers | None) -> Match:
    match = Match(setup, answers, workers)
    for number, choice in enumerate(choices, 1):
        try:
            match.play_on()
            match.mark()
            match.choose(choice)
        except UsageError as error:
            raise ValueError(f"choice {number} ('{choice}') is not possible there") from error
    return match
