"""The games that an environment plays (`AgentGames`): kingdom, seats, opponents, observation and rewards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.contract import Dominion
from evodom.dominion.engine.batch import Results
from evodom.dominion.engine.observation import N_PILE_PARTS, OBSERVATION, SCALES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import check_kingdom
from evodom.environments.kingdoms import KingdomPool, drawn_kingdom
from evodom.environments.opponents import GameOpponents, player_in
from evodom.errors import UsageError, short
from evodom.matches.agents import SinglePlayer, without_agents
from evodom.matches.batch import CALLER, GameBatch
from evodom.matches.observations import BY_CARD, FEATURES, OBSERVATIONS, CardPlaces, PlaceRows
from evodom.matches.policies import PolicyAgent, answer, entries_of

ILLEGAL_REWARD = -1.0
"""The reward of an illegal action if ``illegal`` is "lose". Only the reward "lead" can be lower."""

# Effects of an illegal action: it raises UsageError, or ends the episode with ILLEGAL_REWARD.
RAISE, LOSE = ILLEGAL = ("raise", "lose")


def _lead(results: Results, n_seats: int) -> npt.NDArray[np.float32]:
    """Return the lead of each seat over the best other seat, in victory points."""
    vp = _by_seat("vp", results, n_seats)
    best = np.sort(vp, axis=1)
    return vp - np.where(vp == best[:, -1:], best[:, -2:-1], best[:, -1:])


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
    if options is not None and not (isinstance(options, dict) and set(options) <= {*allowed}):
        raise UsageError(f"options are {short(options)}. Allowed: {', '.join(allowed) or 'none'}.")
    return options or {}


def game_arguments(arguments: dict[str, Any], *more: str) -> dict[str, Any]:
    """Return the ``games`` arguments of an environment: "players", "sets", "seed", and ``more``; else UsageError."""
    allowed = ("players", "sets", "seed", *more)
    for name in arguments:
        if name not in allowed:
            raise UsageError(f"'{name}' is no argument. Further arguments are: {', '.join(allowed)}.")
    return arguments


class AgentGames:
    """A batch of games: the kingdom of each game, the learner's seat, and the opponents' seats.

    Args:
        kingdom: a Kingdom, or a text as for ``--kingdom``. With BY_CARD also a list of these, or one of SPLITS.
        observation: FEATURES: an array of small integers, and actions by number in this kingdom. BY_CARD: the dict of
            `PlaceObservations`, and actions by place, equal in all kingdoms.
        players: number of seats, 2 to 6.
        opponents: players of the other seats, as in `GameOpponents.of`. With None all seats are learners.
        rewards: a key of REWARDS.
        illegal: one of ILLEGAL.
        scaled: observations are multiplied by their scales, also for opponents that are functions. With BY_CARD always.
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
        observation: str = FEATURES,
        n: int = 1,
        **drawing: Any,
    ) -> None:
        if not isinstance(players, (int, np.integer)) or not 2 <= players <= 6:
            raise UsageError(f"players is {short(players)}. Allowed: whole numbers from 2 to 6.")
        if not isinstance(n, (int, np.integer)) or n < 1:
            raise UsageError(f"num_envs is {short(n)}. Allowed: whole numbers from 1.")
        self.n_seats, self.scaled = int(players), scaled
        self.reward = REWARDS[check_allowed("rewards", rewards, list(REWARDS))]
        self.illegal = check_allowed("illegal", illegal, ILLEGAL)
        self.pool: KingdomPool | None = None
        self.observation = check_allowed("observation", observation, OBSERVATIONS)
        if self.observation == BY_CARD:
            self.pool = KingdomPool(kingdom, n, **drawing)
        n_slots = self.pool.n_slots if self.pool else None
        self.kingdom = self.pool.first if self.pool else drawn_kingdom(kingdom, **drawing)
        self.place_rows = PlaceRows(CardPlaces(*[self.kingdom] * n_slots), n) if n_slots else None
        self.game, self.has_begun = Dominion(self.kingdom, players), False
        tables, seeds = np.full((n, players), CALLER, np.int32), np.zeros(n, np.uint64)
        self.batch = GameBatch(self.kingdom, tables, seeds, n_kingdoms=n_slots)
        self.features = features(self.kingdom)
        self.action_names = self.batch.action_names
        self._players: list[SinglePlayer] = []
        """The opponents of games in progress and of games to come, by their numbers in the batch."""
        self._named: list[Any] = []
        """The opponents as the user gave them. Names are found again in each kingdom; policies by card are kept."""
        self._entries, self._policies = entries_of(self._players)
        self._opponents: GameOpponents | None = None
        self._are_drawn = False
        """True if each new game draws its opponents. Otherwise they stay the same and move on by one seat."""
        if opponents is not None:
            self._opponents = self._enter(opponents)
            self._are_drawn = self._opponents.limits is not None

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, as in `GameOpponents.of`. Games in progress keep theirs."""
        if opponents is None or self._opponents is None:
            raise UsageError("opponents cannot be replaced by None, or added to an environment made with None.")
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
        if self.pool:
            self.pool.deal(rows, self._load, rng)
        self.advance()

    def restart_finished(self) -> None:
        """Let `advance` start the next game in each finished row. Every seat moves on by one."""
        rows = self.batch.rows
        self.batch.restart_finished()
        if self._are_drawn and len(over := np.flatnonzero(rows.ended)):
            self._seat_opponents(over, np.argmax(rows.tables[over] == CALLER, axis=1))
        if self.pool:
            self.pool.deal(rows, self._load)

    def advance(self) -> None:
        """Carry out the actions of the batch, and play each game to a learner's decision or to its end.

        Compiled strategies answer in compiled code. Each policy answers for all games that wait for it in one call. If
        a policy fails, no game is in progress.
        """
        self.has_begun = False
        self.batch.step()
        places = self.place_rows.places if self.place_rows else None
        while self._policies and answer(self.batch.rows, self._policies, places):
            self.batch.step()
        self.has_begun = True

    def observations(self, *, copy: bool) -> Any:
        """Return the observations of all games. Without ``copy`` the next call may overwrite their arrays."""
        rows = self.batch.rows
        if self.place_rows:
            found = self.place_rows.update(rows.observations, rows.masks, rows.kingdoms)._asdict()
            return {name: array.copy() for name, array in found.items()} if copy else found
        if self.scaled:
            return rows.observations * SCALES
        return rows.observations.copy() if copy else rows.observations

    @property
    def kingdoms(self) -> dict[int, Kingdom]:
        """The kingdoms by number (`KingdomPool`). Without a pool the kingdom has number 0."""
        return self.pool.kingdoms if self.pool else {0: self.kingdom}

    @property
    def _in_play(self) -> list[Kingdom]:
        """The kingdoms in play, by their slots in the batch."""
        return self.place_rows.places.kingdoms if self.place_rows else [self.kingdom]

    def place_infos(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return for observations by card the numbers of the kingdoms and of the pending menus, (n,) each."""
        if self.pool is None or self.place_rows is None:
            return {}
        return {"kingdom": self.pool.numbers[self.batch.rows.kingdoms], "menu": self.place_rows.menus}

    def game_of(self, row: int) -> Dominion:
        """Return the game contract of a row, in the row's kingdom."""
        return Dominion(self._in_play[self.batch.rows.kingdoms[row]], self.n_seats)

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
        opponents = GameOpponents.of(
            given, self.kingdom, n_seats=self.n_seats, scaled=self.scaled, observation=self.observation
        )
        pairs = zip(opponents.named, opponents.players, strict=True)
        named = [player if isinstance(player, PolicyAgent) else name for name, player in pairs]
        tables = self.batch.rows.tables
        numbers = np.where(tables < CALLER, CALLER - 1 - tables, tables)
        kept = np.unique(numbers[numbers != CALLER])
        self._check(named)
        self._players = [self._players[number] for number in kept] + list(opponents.players)
        self._named = [self._named[number] for number in kept] + named
        entries, self._policies = entries_of(self._players)
        is_opponent = tables != CALLER
        tables[is_opponent] = entries[np.searchsorted(kept, numbers[is_opponent])]
        self._entries = entries[len(kept) :]
        for slot, kingdom in enumerate(self._in_play):
            self.batch.set_strategies(self._strategies_in(kingdom), slot)
        return opponents

    def _check(self, named: Sequence[Any]) -> None:
        """Raise UsageError for a new opponent that cannot play one of the kingdoms. Nothing has changed then."""
        for kingdom in {one.fingerprint: one for one in (*self._in_play, *self.kingdoms.values())}.values():
            check_kingdom(self._found_in(kingdom, named).records, kingdom.fingerprint)

    def _strategies_in(self, kingdom: Kingdom) -> Lineup:
        """Return the strategies of the opponents in a kingdom, by their numbers in the batch."""
        return without_agents(self._players) if kingdom is self.kingdom else self._found_in(kingdom, self._named)

    def _found_in(self, kingdom: Kingdom, named: Sequence[Any]) -> Lineup:
        """Return the strategies of opponents, given as by the user, in a kingdom."""
        return without_agents(
            [player_in(one, kingdom, scaled=self.scaled, observation=self.observation) for one in named]
        )

    def _load(self, slot: int, kingdom: Kingdom) -> None:
        """Replace the kingdom in a slot of the pool."""
        assert self.place_rows
        self.place_rows.places.replace(slot, kingdom)
        self.batch.set_kingdom(slot, kingdom, self._strategies_in(kingdom))
