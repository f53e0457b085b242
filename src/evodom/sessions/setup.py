"""The players and the kingdom of a game: all that it needs besides the choices of people."""

import base64
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy, was_learned
from evodom.dominion.strategies.networks.model import Loan, content_at
from evodom.entrants import settings_of, strongest
from evodom.errors import UsageError
from evodom.matches.agents import Entrant, PythonAgent
from evodom.runs import Run
from evodom.sessions.files import as_json

PERSON = "You"
DEFAULT_PLAYERS = 4
MIN_PLAYERS, MAX_PLAYERS = 2, 6


@dataclass(frozen=True)
class Participant:
    """One player: a strategy, an agent written in Python, or a person, who has neither."""

    name: str
    strategy: Strategy | PythonAgent | None = None
    loan: Loan | None = field(default=None, compare=False, repr=False)
    """What holds the weights of a network that was read with a game or for one; None for what is kept for good."""


@dataclass(frozen=True)
class GameSetup:
    """One game before it begins; two games of one setup and the same choices are equal.

    ``command`` is what to type to play the same game again.
    """

    kingdom: Kingdom
    players: tuple[Participant, ...]
    seed: int
    command: str = ""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons: several where they share a screen."""
        return tuple(seat for seat, player in enumerate(self.players) if player.strategy is None)

    @property
    def seat(self) -> int | None:
        """The seat of the person, the first one if they are several; None where only strategies play."""
        return next(iter(self.people), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(player.name for player in self.players)


def run_table(key: str, *, root: Path) -> tuple[Kingdom, int]:
    """Return the kingdom of a saved run and for how many players it was made."""
    with Run.open(key, root=root) as run:
        options = settings_of(run)
    return options.kingdom, options.players


def run_opponents(key: str, n: int, *, root: Path) -> list[Participant]:
    """Return the ``n`` strongest strategies of a saved run, best first, as "key #1", "key #2", ..."""
    with Run.open(key, root=root) as run:
        found = strongest(run, n)
    return [Participant(f"{key} #{rank}", strategy) for rank, strategy in enumerate(found, 1)]


def named_opponents(entrants: Sequence[Entrant]) -> list[Participant]:
    """Return strategies of any origin as players, under the names they were asked for by."""
    return [Participant(entrant.name, entrant.strategy) for entrant in entrants]


def fill_seats(opponents: Sequence[Participant], n: int) -> list[Participant]:
    """Return ``n`` opponents, repeating the given ones as needed; those of one name are numbered."""
    if len(opponents) > n:
        raise UsageError(f"{len(opponents)} opponents were given, and the table has room for {n}. Leave some out.")
    chosen = [opponents[index % len(opponents)] for index in range(n)]
    total, seen = Counter(player.name for player in chosen), Counter[str]()
    for index, player in enumerate(chosen):
        seen[player.name] += 1
        if total[player.name] > 1:
            mark = f" ({seen[player.name]})" if "#" in player.name else f" #{seen[player.name]}"
            chosen[index] = replace(player, name=player.name + mark)
    return chosen


def seat_person(opponents: Sequence[Participant], seed: int, seat: int | None = None) -> tuple[Participant, ...]:
    """Return the players in turn order, the person at ``seat`` (from 0; by default it follows from the seed)."""
    n = len(opponents) + 1
    if seat is None:
        seat = int(np.random.SeedSequence(seed).generate_state(1)[0]) % n
    if not 0 <= seat < n:
        raise UsageError(f"seat {seat + 1} does not exist at a table of {n}. Allowed: 1 to {n}.")
    return (*opponents[:seat], Participant(PERSON), *opponents[seat:])


def players_to_json(setup: GameSetup) -> tuple[list[dict[str, object]], str]:
    """Return the players as JSON objects, and the weights of their networks as the JSON text of a list."""
    networks: list[int] = []
    players = [{"name": player.name} | _strategy_to_json(player.strategy, networks) for player in setup.players]
    return players, f"[{', '.join(_network_as_json(content_at(one)) for one in networks)}]"


@lru_cache(64)
def _network_as_json(content: bytes) -> str:
    """Return the weights of a network as JSON, which is most of a file: 64 of them are kept, 20 MB at most."""
    return as_json(base64.b64encode(content).decode())


def _strategy_to_json(strategy: Strategy | PythonAgent | None, networks: list[int]) -> dict[str, object]:
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
