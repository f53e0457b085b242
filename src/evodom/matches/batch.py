"""Many games in one compiled call: tables of strategies in, results out."""

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.engine.rules import MAX_SEATS, N_PILES, Rules
from evodom.dominion.engine.state import PLAYING, STATE, State, restart, undealt_state
from evodom.dominion.engine.turn import advance, enact, score, stands_before
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.record import STRATEGY, Strategy, check_kingdom
from evodom.dominion.strategies.select import select
from evodom.jit.kernel import kernel

RESULT = np.dtype(
    (
        np.record,
        [
            ("ended", "<i4"),
            ("vp", "<i4", (MAX_SEATS,)),
            ("turns", "<i4", (MAX_SEATS,)),
            ("points", "<f8", (MAX_SEATS,)),
            ("win", "<f8", (MAX_SEATS,)),
            ("owned", "<i4", (MAX_SEATS, N_PILES)),
        ],
    )
)
"""One finished game, by seat: victory points, turns taken, points (opponents beaten, ties count half), the share of the
win (1, 1/k of a victory shared by k, or 0) and the final deck."""

Results = npt.NDArray[Any]


def play_games(
    rules: Rules,
    strategies: npt.NDArray[Any],
    tables: npt.NDArray[np.int32],
    seeds: npt.NDArray[np.uint64],
    *,
    pool: tuple[Executor, int] | None = None,
) -> Results:
    """Play one game a row of ``tables`` and return a RESULT record for each.

    ``strategies`` is an array of STRATEGY; ``tables`` (n_games, n_seats) names one of them for each seat; ``seeds``
    (n_games,) starts each game's random streams. A game depends on its row alone, so that the results are the same for
    any ``pool``, an executor and the number of chunks to split the work into. Raises UsageError for a strategy of
    another kingdom.
    """
    check_kingdom(strategies, int(rules.kingdom))
    results = np.zeros(len(tables), RESULT)

    def play_chunk(bounds: tuple[int, int]) -> None:
        play_slice(rules, start_slots(rules), strategies, tables, seeds, results, *bounds)

    in_chunks(len(tables), play_chunk, pool)
    return results


def in_chunks(n_games: int, task: Callable[[tuple[int, int]], None], pool: tuple[Executor, int] | None) -> None:
    """Do a task for chunks of games, (first, end), that together are all of them: one, or as many as the pool says."""
    if pool is None:
        task((0, n_games))
        return
    executor, n_chunks = pool
    edges = [n_games * chunk // n_chunks for chunk in range(n_chunks + 1)]
    list(executor.map(task, pairwise(edges)))


def start_slots(rules: Rules) -> Any:
    """Return two STATE records: room for a game, and the start of all games, where Treasures are played unasked."""
    slots = np.zeros(2, STATE)
    slots[1] = undealt_state(rules)
    slots[1].auto_treasures = (1 << MAX_SEATS) - 1
    return slots


@kernel
def play_slice(
    rules: Rules,
    slots: Any,
    strategies: Any,
    tables: Any,
    seeds: Any,
    results: Any,
    first: Any,
    last: Any,
) -> None:
    """Play the games ``first`` to before ``last`` in ``slots[0]``, each from the start in ``slots[1]``."""
    state = slots[0]
    for game in range(first, last):
        restart(slots, seeds[game])
        play_out(rules, state, strategies, tables[game])
        note_result(rules, state, results[game])


@kernel
def play_out(rules: Rules, state: State, strategies: Any, table: Any) -> None:
    """Play a game to its end."""
    advance(rules, state)
    while state.ended == PLAYING:
        enact(rules, state, select(rules, state, strategies[table[state.decider]]))


@kernel
def note_result(rules: Rules, state: State, result: Any) -> None:
    """Write a finished game's RESULT."""
    result.ended = state.ended
    for seat in range(rules.n_seats):
        # One by one: an assignment of whole arrays drags Numba's text functions in, a third of all compiling.
        for pile in range(N_PILES):
            result.owned[seat, pile] = state.owned[seat, pile]
        result.vp[seat] = score(rules, state, seat)
        result.turns[seat] = state.turns[seat]
        points = 0.0
        n_equal = 1
        n_ahead = 0
        for other in range(rules.n_seats):
            if other == seat:
                continue
            standing = stands_before(rules, state, seat, other)
            points += 0.5 * (standing + 1)
            n_equal += standing == 0
            n_ahead += standing < 0
        result.points[seat] = points
        result.win[seat] = 0.0 if n_ahead > 0 else 1.0 / n_equal


@kernel
def choice_counts(rules: Rules, state: State, scratch: State, strategy: Strategy, counts: Any, n: Any) -> None:
    """Count what a strategy would choose at the pending Decision of ``state`` in ``n`` independent tries.

    ``counts`` has an entry for each pile and one for PASS; ``state`` stays as it is but for its random streams.
    """
    for _ in range(n):
        scratch.intent = state.intent
        counts[select(rules, scratch, strategy)] += 1


def warm_up() -> None:
    """Compile, or load from the cache, all that `play_games` needs."""
    rules = FIRST_GAME.rules(4)
    play_games(rules, np.zeros(1, STRATEGY), np.zeros((1, 4), np.int32), np.zeros(1, np.uint64))
