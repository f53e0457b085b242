"""Play many games in step: `GameBatch`. The caller plays some seats, compiled strategies play the others.

Environments and policies use it. One call of `GameBatch.step` takes an action for each game. It plays each game until a
seat of the caller must decide, and writes the observation and the legal actions of that seat.

Actions are numbers as in `Dominion.all_actions`: the piles in order, "pass", and the other answers to cards. Or they
are places: PLACE_ANSWERS has the same answers in every kingdom, so the games of a batch can be in several kingdoms.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.contract import Dominion
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.batch import RESULT, Results, record_result, start_game, undealt_state
from evodom.dominion.engine.observation import N_FEATURES, observe
from evodom.dominion.engine.rules import N_ANSWERS, N_MODEL_PILES, N_OPTIONS, NONE, PASS, PASS_NAME, RULES
from evodom.dominion.engine.state import ALL_SEATS, STATE, State, check_overflow
from evodom.dominion.engine.turn import enact
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import NO_NETWORKS, Lineup, LineupArrays
from evodom.dominion.strategies.models.networks.layers import new_networks
from evodom.dominion.strategies.record import STRATEGY, Strategy, check_kingdom
from evodom.dominion.strategies.select import select
from evodom.errors import UsageError, illegal_action
from evodom.jit.kernel import kernel, random_below
from evodom.tasks import Workers, map_chunks

CALLER = NONE
"""Entry of `Rows.tables` for a seat that the caller plays."""

START = -1
"""Entry of `Rows.actions`: start the next game. Callers of `GameBatch.choose` can pass neither START nor IDLE."""

IDLE = -2
"""Entry of `Rows.actions`: leave the game as it is."""

Actions = npt.NDArray[np.int64]

PLACE_ANSWERS = np.array([*range(N_MODEL_PILES), *range(PASS, N_ANSWERS)], np.int64)
"""The engine's answer of each place: the first N_MODEL_PILES places are piles, then come passing and the options."""

PLACE_NAMES = (
    *(f"pile {pile}" for pile in range(N_MODEL_PILES)),
    PASS_NAME,
    *(f"option {number + 1}" for number in range(N_OPTIONS)),
)

_NEXT_SEED = np.uint64(0xD1342543DE82EF95)
"""Difference between the seeds of a row's successive games. It is odd, so a row repeats no seed."""


_NO_ROWS = np.zeros(0, np.intp)


class Rows(NamedTuple):
    """The arrays of a batch of n games, one row a game.

    Attributes:
        kingdoms: (n,) int32, the number of the kingdom of the game that START starts, or that is in progress.
        tables: (n, n_seats) int32, the number of a strategy of this kingdom for each seat, CALLER, or a lower number
            for a policy that answers on behalf of the caller.
        seeds: (n,) uint64, the seed of the game that START starts.
        actions: (n,) int64, action numbers, START or IDLE.
        observations: (n, N_FEATURES) int8, of the seat in ``seats``.
        masks: (n, n_actions) bool, the legal actions of this seat; all False in a finished game.
        seats: (n,) int32, the seat of the caller or a policy that decides. In a finished game it is a seat of CALLER,
            the last to decide of several.
        ended: (n,) bool, whether the game is over.
        results: (n,) RESULT, written when a game ends.
    """

    kingdoms: npt.NDArray[np.int32]
    tables: npt.NDArray[np.int32]
    seeds: npt.NDArray[np.uint64]
    actions: Actions
    observations: npt.NDArray[np.int8]
    masks: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]
    ended: npt.NDArray[np.bool_]
    results: Results


@kernel
def step_rows(
    all_rules: npt.NDArray[Any],
    games: npt.NDArray[Any],
    lineup: LineupArrays,
    rows: Rows,
    answers: Actions,
    first: int,
    end: int,
) -> int:
    """Enact the actions of the rows from ``first`` to before ``end``, each once. Return the number of overflows.

    ``all_rules`` (n_kingdoms,) are those of each kingdom. ``games`` are those of the rows, then an undealt game of each
    kingdom. ``lineup`` has the strategies of each kingdom, equally many. ``answers`` (n_actions,) are the engine's
    answers by action number: bits of `State.legal`.
    """
    n_overflows = 0
    n_strategies = len(lineup.records) // len(all_rules)
    for row in range(first, end):
        action = rows.actions[row]
        if action == IDLE:
            continue
        rows.actions[row] = IDLE
        kingdom = rows.kingdoms[row]
        rules, state, first_strategy = all_rules[kingdom], games[row], kingdom * n_strategies
        if action == START:
            start_game(rules, games[: len(rows.actions) + kingdom + 1], row, rows.seeds[row])
        else:
            enact(rules, state, answers[action])
        while state.ended == Ending.PLAYING and rows.tables[row, state.decider] > CALLER:
            strategy = first_strategy + rows.tables[row, state.decider]
            enact(rules, state, select(rules, state, lineup, strategy))
        is_over = state.ended != Ending.PLAYING
        rows.ended[row] = is_over
        if is_over:
            record_result(rules, state, rows.results[row])
            for seat in range(rows.tables.shape[1] if rows.tables[row, rows.seats[row]] < CALLER else 0):
                if rows.tables[row, seat] == CALLER:
                    rows.seats[row] = seat
        else:
            rows.seats[row] = state.decider
        observe(rules, state, rows.seats[row], rows.observations[row])
        for number in range(len(answers)):
            rows.masks[row, number] = (not is_over) and (state.legal >> answers[number]) & 1
        n_overflows += state.ended == Ending.OVERFLOW
    return n_overflows


@kernel
def waiting_rows(rows: Rows, player: int, found: npt.NDArray[np.int64]) -> int:
    """Write the numbers of the rows where ``player``, an entry of `Rows.tables`, decides. Return how many there are."""
    n = 0
    for row in range(len(rows.seats)):
        if not rows.ended[row] and rows.tables[row, rows.seats[row]] == player:
            found[n] = row
            n += 1
    return n


@kernel
def restart_rows(
    tables: npt.NDArray[np.int32], seeds: npt.NDArray[np.uint64], ended: npt.NDArray[np.bool_], actions: Actions
) -> None:
    """Write START and the next seed for each game that is over. Move its players on by one seat."""
    for row in range(len(actions)):
        if ended[row]:
            actions[row] = START
            seeds[row] += _NEXT_SEED
            last = tables[row, tables.shape[1] - 1]
            for seat in range(tables.shape[1] - 1, 0, -1):
                tables[row, seat] = tables[row, seat - 1]
            tables[row, 0] = last


@kernel
def mark_illegal(masks: npt.NDArray[np.bool_], actions: Actions, is_illegal: npt.NDArray[np.bool_]) -> int:
    """Write to ``is_illegal`` which actions are illegal, and replace these by IDLE. Return their number.

    A row without legal actions has no illegal action either. Its action is replaced too.
    """
    n = 0
    for row in range(len(actions)):
        action = actions[row]
        is_legal = 0 <= action < masks.shape[1] and masks[row, action]
        is_illegal[row] = not is_legal and masks[row].any()
        if not is_legal:
            actions[row] = IDLE
        n += is_illegal[row]
    return n


@kernel
def sample_rows(masks: npt.NDArray[np.bool_], streams: npt.NDArray[np.uint64], actions: Actions) -> None:
    """Write a random legal action for each row, or 0 for a row without legal actions."""
    for row in range(len(actions)):
        n_legal = 0
        for number in range(masks.shape[1]):
            n_legal += masks[row, number]
        actions[row] = 0
        if n_legal > 0:
            nth = random_below(streams, row, n_legal)
            for number in range(masks.shape[1]):
                if masks[row, number]:
                    if nth == 0:
                        actions[row] = number
                    nth -= 1


class GameBatch:
    """A batch of games, one in each row, in one kingdom or several.

    ``tables`` (n, n_seats) has an index into ``strategies`` for each seat, or CALLER. ``seeds`` (n,) seed the first
    games. ``workers`` share the rows. A caller may change ``rows.tables``, ``rows.seeds`` and ``rows.kingdoms`` before
    a game starts. Treasures are played automatically. Raises UsageError for a strategy of another kingdom.

    With ``n_kingdoms`` actions are places, and all kingdoms are ``kingdom`` until `set_kingdom` replaces some.
    """

    def __init__(
        self,
        kingdom: Kingdom,
        tables: npt.NDArray[np.int32],
        seeds: npt.NDArray[np.uint64],
        strategies: Lineup | Sequence[Strategy] = (),
        workers: Workers | None = None,
        n_kingdoms: int | None = None,
    ) -> None:
        n, n_seats = tables.shape
        self.workers = workers
        game = Dominion(kingdom, n_seats)
        self._answers, self.action_names = PLACE_ANSWERS, PLACE_NAMES
        if n_kingdoms is None:
            self._answers = np.array(game.all_actions, np.int64)
            self.action_names = tuple(map(game.action_name, game.all_actions))
        self.rules: Any = np.zeros(n_kingdoms or 1, RULES)
        self._games: npt.NDArray[Any] = np.zeros(n + len(self.rules), STATE)
        self._lineup = Lineup.of(()).arrays
        self._sampling = seeds + np.arange(n, dtype=np.uint64) * _NEXT_SEED
        self._is_illegal = np.zeros(n, np.bool_)
        self.rows = Rows(
            kingdoms=np.zeros(n, np.int32),
            tables=np.array(tables, np.int32),
            seeds=seeds.copy(),
            actions=np.full(n, START, np.int64),
            observations=np.zeros((n, N_FEATURES), np.int8),
            masks=np.zeros((n, len(self._answers)), np.bool_),
            seats=np.argmax(tables == CALLER, axis=1).astype(np.int32),
            ended=np.ones(n, np.bool_),
            results=np.zeros(n, RESULT),
        )
        for number in range(len(self.rules)):
            self.set_kingdom(number, kingdom, strategies)

    def set_kingdom(self, number: int, kingdom: Kingdom, strategies: Lineup | Sequence[Strategy]) -> None:
        """Replace a kingdom and its strategies. No game may be in progress there."""
        self.rules[number] = kingdom.rules(self.rows.tables.shape[1])
        undealt = len(self.rows.actions) + number
        self._games[undealt] = undealt_state(self.rules[number])
        self._games[undealt]["auto_treasures"] = ALL_SEATS
        self.set_strategies(strategies, number)

    def set_strategies(self, strategies: Lineup | Sequence[Strategy], number: int = 0) -> None:
        """Replace the strategies of a kingdom. Their numbers in ``rows.tables`` must stay valid.

        All kingdoms have the same number of strategies and networks. A change of one of these numbers removes the
        strategies of the other kingdoms.
        """
        new = Lineup.of(strategies).arrays
        check_kingdom(new.records, int(self.rules[number]["kingdom"]))
        n_kingdoms = len(self.rules)
        n, n_networks = len(new.records), 0 if new.networks is NO_NETWORKS else len(new.networks)
        if len(self._lineup.records) != n * n_kingdoms or len(self._lineup.networks) != max(n_networks * n_kingdoms, 1):
            networks = new_networks(n_networks * n_kingdoms) if n_networks else NO_NETWORKS
            self._lineup = LineupArrays(np.zeros(n * n_kingdoms, STRATEGY), networks)
        records = self._lineup.records[number * n : (number + 1) * n]
        records[:] = new.records
        records["network"] += number * n_networks
        if n_networks:
            self._lineup.networks[number * n_networks : (number + 1) * n_networks] = new.networks

    def step(self) -> Rows:
        """Carry out ``rows.actions`` and return the rows, the same arrays in each call."""
        n_overflows: list[int] = []

        def step_some(first: int, end: int) -> None:
            n_overflows.append(step_rows(self.rules, self._games, self._lineup, self.rows, self._answers, first, end))

        map_chunks(step_some, len(self.rows.actions), self.workers)
        if any(n_overflows):
            check_overflow(Ending.OVERFLOW)
        return self.rows

    def start_all(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Let the next step start a game in each row. ``seeds`` (n,) determine the games and `sample_actions`."""
        self.rows.seeds[:] = seeds
        self._sampling[:] = seeds ^ _NEXT_SEED
        self.rows.actions[:] = START

    def choose(self, actions: npt.ArrayLike, *, refuse: bool = True) -> npt.NDArray[np.intp]:
        """Let the next step carry out the action of each row, and return the rows with an illegal action.

        Games that are over, or have an illegal action, stay as they are. Raises UsageError unless ``actions`` are
        integers, (n,), and with ``refuse`` for an illegal action.
        """
        numbers, rows = np.asarray(actions), self.rows
        if numbers.dtype.kind not in "iu" or numbers.shape != rows.actions.shape:
            raise UsageError(
                f"actions are {numbers.dtype} of shape {numbers.shape}. Allowed: action numbers, integers of shape "
                f"{rows.actions.shape}."
            )
        rows.actions[:] = numbers
        if not mark_illegal(rows.masks, rows.actions, self._is_illegal):
            return _NO_ROWS
        illegal = np.flatnonzero(self._is_illegal)
        if refuse:
            row = int(illegal[0])
            where = f" of game {row}" if len(numbers) > 1 else ""
            legal = {int(number): self.action_names[number] for number in np.flatnonzero(rows.masks[row])}
            raise illegal_action(int(numbers[row]), legal, where)
        return illegal

    def restart_finished(self) -> None:
        """Let the next step start a game in each row whose game is over. Every seat moves on by one."""
        restart_rows(self.rows.tables, self.rows.seeds, self.rows.ended, self.rows.actions)

    def state(self, row: int) -> State:
        """Return a copy of the record of a game."""
        state: State = self._games[row].copy()
        return state

    def sample_actions(self) -> Actions:
        """Return a random legal action for each row, a new array. The entry of a game that is over is 0."""
        actions = np.empty_like(self.rows.actions)
        sample_rows(self.rows.masks, self._sampling, actions)
        return actions
