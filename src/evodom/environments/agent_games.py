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
from evodom.environments.opponents import GameOpponents
from evodom.errors import UsageError, short
from evodom.matches.agents import SinglePlayer, without_agents
from evodom.matches.batch import CALLER, GameBatch
from evodom.matches.policies import answer, entries_of

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


def game_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the ``games`` arguments of an environment. Allow "players", "sets", "seed"; else raise UsageError."""
    allowed = ("players", "sets", "seed")
    for name in arguments:
        if name not in allowed:
            raise UsageError(f"'{name}' is no argument. Allowed: the arguments of the class, and {', '.join(allowed)}.")
    return arguments


def drawn_kingdom(kingdom: Kingdom | str, *, sets: str | Sequence[str] = DRAWN_SETS, seed: int = 0) -> Kingdom:
    """Return a kingdom. ``seed`` draws missing cards from ``sets``, and decides about Platinum and Colony."""
    if not isinstance(seed, int) or seed < 0:
        raise UsageError(f"seed is {short(seed)}. Allowed: whole numbers from 0.")
    return as_kingdom(kingdom, seed=seed, sets=sets)


class AgentGames:
    """A batch of games of one kingdom: the learner's seat in each game, and the opponents' seats.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``.
        players: number of seats, 2 to 6.
        opponents: players of the other seats, as in `GameOpponents.of`. With None all seats are learners.
        rewards: a key of REWARDS.
        illegal: one of ILLEGAL.
        scaled: give scaled observations to opponents that are functions.
        n: number of games.
        drawing: ``sets`` and ``seed`` of `drawn_kingdom`.
    """

    def __init__(
        self,
        kingdom: Kingdom | str,
        *,
        players: int = 2,
        opponents: Any = None,
        rewards: str = "win",
        illegal: str = RAISE,
        scaled: bool = False,
        n: int = 1,
        **drawing: Any,
    ) -> None:
        self.kingdom = drawn_kingdom(kingdom, **drawing)
        if not isinstance(players, int) or not 2 <= players <= 6:
            raise UsageError(f"players is {short(players)}. Allowed: 2 to 6.")
        if n < 1:
            raise UsageError(f"the number of games is {short(n)}. Allowed: at least 1.")
        self.n_seats, self.scaled = players, scaled
        self.reward = REWARDS[check_allowed("rewards", rewards, list(REWARDS))]
        self.illegal = check_allowed("illegal", illegal, ILLEGAL)
        self.game = Dominion(self.kingdom, players)
        self.batch = GameBatch(self.kingdom, np.full((n, players), CALLER, np.int32), np.zeros(n, np.uint64))
        self.features = features(self.kingdom)
        self.action_names = self.batch.action_names
        self._players: list[SinglePlayer] = []
        """The opponents of games in progress and of games to come, by their numbers in the batch."""
        self._entries, self._policies = entries_of(self._players)
        self._opponents: GameOpponents | None = None
        self._are_drawn = False
        """True if new games draw their opponents. Otherwise the players of a row only move on by one seat."""
        if opponents is not None:
            self._opponents = self._enter(opponents)
            self._are_drawn = self._opponents.limits is not None

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, as in `GameOpponents.of`. Games in progress keep theirs."""
        if self._opponents is None or opponents is None:
            raise UsageError("all seats are learners without opponents. Make the environment with opponents.")
        self._opponents = self._enter(opponents)
        self._are_drawn = True

    def start_all(self, seats: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
        """Start a game in each row, with the learner in ``seats`` (n,), and play to its first decision.

        ``rng`` draws the seeds of the games. Seeds determine the opponents of a league.
        """
        rows = self.batch.rows
        rows.seats[:] = seats
        self.batch.start_all(rng.integers(2**64, size=len(seats), dtype=np.uint64))
        if self._opponents:
            rows.tables[np.arange(len(seats)), seats] = CALLER
            self._seat_opponents(np.arange(len(seats)), seats)
        self.advance()

    def restart_finished(self) -> None:
        """Let `advance` start the next game in each finished row. Every seat moves on by one."""
        rows = self.batch.rows
        self.batch.restart_finished()
        if self._are_drawn and len(over := np.flatnonzero(rows.ended)):
            self._seat_opponents(over, np.argmax(rows.tables[over] == CALLER, axis=1))

    def advance(self) -> None:
        """Carry out the actions of the batch, and play each game to a learner's decision or to its end.

        Compiled strategies answer in compiled code. Each policy answers for all games that wait for it in one call.
        """
        self.batch.step()
        while self._policies and answer(self.batch.rows, self._policies):
            self.batch.step()

    def rewards_of(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """Return the rewards of finished games, (len(rows), n_seats) float32."""
        return self.reward(self.batch.rows.results[rows], self.n_seats)

    def _seat_opponents(self, rows: npt.NDArray[np.intp], seats: npt.NDArray[np.int64]) -> None:
        """Write the opponents of new games. ``seats`` are those of the learner."""
        assert self._opponents
        drawn = self._opponents.draw(self.batch.rows.seeds[rows], self.n_seats - 1)
        others = (seats[:, None] + np.arange(1, self.n_seats)) % self.n_seats
        self.batch.rows.tables[rows[:, None], others] = self._entries[drawn]

    def _enter(self, given: Any) -> GameOpponents:
        """Give opponents their entries of the tables, and return them. Players of running games get new entries."""
        opponents = GameOpponents.of(given, self.kingdom, n_seats=self.n_seats, scaled=self.scaled)
        tables = self.batch.rows.tables
        numbers = np.where(tables < CALLER, CALLER - 1 - tables, tables)
        kept = np.unique(numbers[numbers != CALLER])
        self._players = [self._players[number] for number in kept] + list(opponents.players)
        entries, self._policies = entries_of(self._players)
        is_opponent = tables != CALLER
        tables[is_opponent] = entries[np.searchsorted(kept, numbers[is_opponent])]
        self._entries = entries[len(kept) :]
        self.batch.set_strategies(without_agents(self._players))
        return opponents
