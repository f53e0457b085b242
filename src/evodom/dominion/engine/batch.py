"""Start games and write their results, for loops over games.

A batch is an array of STATE. The last record is no game. It is the state before dealing, and `restart` copies it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.moves import HAND_SIZE, draw
from evodom.dominion.engine.rules import MAX_SEATS, N_MODEL_PILES, NONE, STARTING_DECK, Rules
from evodom.dominion.engine.state import ALL_SEATS, STATE, State, States, begin_turn, recount_rows, seed_streams
from evodom.dominion.engine.turn import advance, write_result
from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import kernel

IntArray = npt.NDArray[np.signedinteger]

Results = npt.NDArray[Any]
"""An array of RESULT records."""


class Result(Protocol):
    """A record of RESULT: one finished game, by seat."""

    ended: int
    vp: Annotated[IntArray, MAX_SEATS]
    turns: Annotated[IntArray, MAX_SEATS]
    points: Annotated[npt.NDArray[np.float64], MAX_SEATS]
    """Opponents beaten; ties count half."""
    win: Annotated[npt.NDArray[np.float64], MAX_SEATS]
    """Share of the win: 1, 1/k of a victory shared by k, or 0."""
    owned: Annotated[IntArray, (MAX_SEATS, N_MODEL_PILES)]
    """The final deck."""


RESULT = record_dtype(Result, "<i4")


def undealt_state(rules: Rules, deck: Mapping[int, int] | None = None) -> State:
    """Return a game with starting decks and empty hands. `restart` deals from a copy of it.

    ``deck`` has the number of cards of each pile in a starting deck. Without cards it is STARTING_DECK.
    """
    state: State = np.zeros(1, STATE)[0]
    state.cards[Zone.SUPPLY] = rules.supply
    for seat in range(rules.n_seats):
        for pile, count in (deck or STARTING_DECK).items():
            state.cards[Zone.DECK + seat, pile] = state.owned[seat, pile] = count
    state.decider = state.chosen = state.planned_gain = NONE
    state.passed[:] = NONE
    recount_rows(state)
    return state


def new_batch(
    rules: Rules, n: int = 1, auto_treasures: int = ALL_SEATS, deck: Mapping[int, int] | None = None
) -> States:
    """Return a batch of ``n`` games for `start_game`.

    ``auto_treasures`` is the field `State.auto_treasures`, ``deck`` the starting deck of `undealt_state`.
    """
    games: States = np.zeros(n + 1, STATE)
    games[n] = undealt_state(rules, deck)
    games[n].auto_treasures = auto_treasures
    return games


def new_state(rules: Rules, seed: int, deck: Mapping[int, int] | None = None) -> State:
    """Return the game of ``seed`` (uint64) in its first turn: opening hands drawn, no Decision pending."""
    games = new_batch(rules, 1, 0, deck)
    restart(games, 0, np.uint64(seed))
    return games[0]


@kernel
def restart(games: States, row: int, seed: np.uint64) -> None:
    """Begin a game of a batch: copy the last record, seed the random streams, draw the opening hands."""
    games[row] = games[len(games) - 1]
    state = games[row]
    seed_streams(state, seed)
    for seat in range(MAX_SEATS):
        draw(state, seat, HAND_SIZE)
    begin_turn(state, 0)


@kernel
def start_game(rules: Rules, games: States, row: int, seed: np.uint64) -> None:
    """Start a game of a batch and run it to its first Decision."""
    restart(games, row, seed)
    advance(rules, games[row])


@kernel
def record_result(rules: Rules, state: State, result: Result) -> None:
    """Write a finished game's RESULT."""
    result.ended = state.ended
    for seat in range(rules.n_seats):
        # One by one: an assignment of whole arrays compiles Numba's text functions, a third of the compile time.
        for pile in range(N_MODEL_PILES):
            result.owned[seat, pile] = state.owned[seat, pile]
        result.turns[seat] = state.turns[seat]
    write_result(rules, state, result.vp, result.points, result.win)
