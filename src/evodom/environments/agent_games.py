"""The games that an environment plays (`AgentGames`): kingdom, seats, opponents, observation and rewards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.contract import Dominion
from evodom.dominion.engine.batch import Results
from evodom.dominion.engine.observation import N_PILE_PARTS, OBSERVATION
from evodom.dominion.kingdom import DRAWN_SETS, Kingdom, as_kingdom
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError, short
from evodom.matches.agents import PythonAgent
from evodom.matches.batch import CALLER, GameBatch
from evodom.matches.entrants import find_entrants
from evodom.runs import RunStore

ILLEGAL_REWARD = -1.0
"""The reward of an illegal action if ``illegal`` is "lose". Only the reward "lead" can be lower."""

# Effects of an illegal action: it raises UsageError, or ends the episode with ILLEGAL_REWARD.
RAISE, LOSE = ILLEGAL = ("raise", "lose")


def _lead(results: Results, n_seats: int) -> npt.NDArray[np.float32]:
    """Return the lead of each seat over the best other seat, in victory points."""
    vp = _by_seat("vp", results, n_seats)
    best = np.sort(vp, axis=1)
    others = np.where(vp == best[:, -1:], best[:, -2:-1], best[:, -1:])
    return vp - others


def _by_seat(field: str, results: Results, n_seats: int) -> npt.NDArray[np.float32]:
    return results[field][:, :n_seats].astype(np.float32)


REWARDS: dict[str, Callable[[Results, int], npt.NDArray[np.float32]]] = {
    "win": partial(_by_seat, "win"),  # the share of the win: 1, 1/k for a win shared by k, or 0
    "points": partial(_by_seat, "points"),  # the number of opponents that a seat beats; ties count half
    "lead": _lead,
}
"""Functions that return the rewards at the end of a game. Rewards before the end are 0."""


@dataclass(frozen=True)
class Feature:
    """An entry of an observation: its name, its bounds, and its scale. An entry times ``scale`` is about 1."""

    name: str
    low: int
    high: int
    scale: float


def features(kingdom: Kingdom) -> tuple[Feature, ...]:
    """Return the entries of an observation in order. Entries by pile have a card's name: "owned: Copper"."""
    found: list[Feature] = []
    for number, part in enumerate(OBSERVATION):
        names = [part.name]
        if number < N_PILE_PARTS:
            names = [f"{part.name}: {card}" for card in kingdom.names]
            names += [f"{part.name}: pile {pile}" for pile in range(len(names), part.n)]
        found += [Feature(name, part.low, part.high, part.scale) for name in names]
    return tuple(found)


def check_allowed(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return a value if it is one of ``allowed``, else raise UsageError."""
    if value not in allowed:
        raise UsageError(f"{name} is {short(value)}. Allowed: {', '.join(allowed)}.")
    return str(value)


def check_options(options: dict[str, Any] | None, *allowed: str) -> dict[str, Any]:
    """Return the options of a reset, {} for None. Raise UsageError for options that are not ``allowed``."""
    for name in options or {}:
        if name not in allowed:
            raise UsageError(f"options are {short(options)}. Allowed: {', '.join(allowed) or 'none'}.")
    return options or {}


def opponents_of(opponents: str | Strategy | Sequence[str | Strategy], kingdom: Kingdom) -> list[Strategy]:
    """Return the strategies of opponents, given as strategies or as names of players.

    Raises UsageError for an unknown name, and for a player that searches. Compiled games have no searching players.
    """
    named = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else list(opponents)
    if not named:
        raise UsageError("there are no opponents. Name one or more, such as big-money.")
    found: list[Strategy] = []
    for one in named:
        if isinstance(one, str):
            (entrant,) = find_entrants([one], store=RunStore(), kingdom=kingdom, agents=False).entrants
            if isinstance(entrant.strategy, PythonAgent):
                raise UsageError(
                    f"'{one}' searches, and opponents cannot search. Allowed: network, a baseline, a run, a file."
                )
            found.append(entrant.record)
        else:
            found.append(one)
    return found


def game_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the ``games`` arguments of an environment. Allow "players", "sets", "seed"; else raise UsageError."""
    allowed = ("players", "sets", "seed")
    for name in arguments:
        if name not in allowed:
            raise UsageError(f"'{name}' is no argument. Allowed: the arguments of the class, and {', '.join(allowed)}.")
    return arguments


class AgentGames:
    """A batch of games of one kingdom. The caller plays one seat of each game, or all seats.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``.
        sets: the sets from which missing kingdom cards are drawn.
        seed: the seed that draws missing cards, and decides about Platinum and Colony, like ``--seed``.
        players: number of seats, 2 to 6.
        opponents: opponents in the other seats, in order, repeated to fill the seats. With None the caller plays all
            seats.
        rewards: a key of REWARDS.
        illegal: one of ILLEGAL.
        n: number of games.
    """

    def __init__(
        self,
        kingdom: Kingdom | str,
        *,
        players: int = 2,
        opponents: str | Strategy | Sequence[str | Strategy] | None = None,
        rewards: str = "win",
        illegal: str = RAISE,
        n: int = 1,
        sets: str | Sequence[str] = DRAWN_SETS,
        seed: int = 0,
    ) -> None:
        if not isinstance(seed, int) or seed < 0:
            raise UsageError(f"seed is {short(seed)}. Allowed: whole numbers from 0.")
        self.kingdom = as_kingdom(kingdom, seed=seed, sets=sets)
        if not isinstance(players, (int, np.integer)) or not 2 <= players <= 6:
            raise UsageError(f"players is {short(players)}. Allowed: whole numbers from 2 to 6.")
        if not isinstance(n, (int, np.integer)) or n < 1:
            raise UsageError(f"the number of games is {short(n)}. Allowed: whole numbers from 1.")
        self.n_seats = int(players)
        self.reward = REWARDS[check_allowed("rewards", rewards, list(REWARDS))]
        self.illegal = check_allowed("illegal", illegal, ILLEGAL)
        strategies = [] if opponents is None else opponents_of(opponents, self.kingdom)
        if len(strategies) >= players:
            raise UsageError(
                f"{len(strategies)} opponents are named for {players - 1} seat{'s' * (players > 2)}. Name at most "
                f"{players - 1}, or give players={len(strategies) + 1}."
            )
        self.game = Dominion(self.kingdom, players)
        self.first_lineups = _lineups(n, players, len(strategies))
        """The players of the first games by row and seat. The caller of row r has seat r % n_seats."""
        self.batch = GameBatch(self.kingdom, self.first_lineups, np.zeros(n, np.uint64), strategies)
        self.features = features(self.kingdom)
        self.action_names = self.batch.action_names

    def rewards_of(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """Return the rewards of finished games, (len(rows), n_seats) float32."""
        return self.reward(self.batch.rows.results[rows], self.n_seats)


def _lineups(n: int, n_seats: int, n_opponents: int) -> npt.NDArray[np.int32]:
    """Return the players of the first games, (n, n_seats): numbers of opponents, or CALLER."""
    lineup = np.full(n_seats, CALLER, np.int32)
    if n_opponents:
        lineup[1:] = np.resize(np.arange(n_opponents), n_seats - 1)
    return np.array([np.roll(lineup, row) for row in range(n)], np.int32)
