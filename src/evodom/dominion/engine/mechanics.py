"""Call the mechanics that the Base Set does not have.

Their kernels are in `expansions`. They are compiled separately from the engine, when a kingdom first needs one of them.
So games of the Base Set neither compile nor contain them.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from evodom.dominion.engine.rules import RULES, Rules
from evodom.dominion.engine.state import STATE, State
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel


class Mechanic(IntEnum):
    """Mechanics. After each colon: the argument."""

    RESOLVE = 0
    """Resolve an Effect of the top frame: the index of the Effect."""
    ANSWER = 1
    """Apply an answer to a choice of a RESOLVE Effect, or of the start of a turn: the answer."""
    CONTINUE_TURN = 2
    """Continue a turn before the Actions or after the buys: 0."""
    PLAY_CHOSEN = 3
    """Play the chosen card, which may stay in play: the index of the Effect."""
    NOTE_PLAYS = 4
    """Note the plays on top of the stack: the pile, plus 64 for each play."""
    NOTE_GAIN = 5
    """Resolve the cards that watch for a gain: the pile, plus 64 times the seat, plus 512 times the zone."""
    SEIZE = 6
    """Trash the Treasure just played, if a Duration of another player requires it: the pile."""
    MOVE_THIS = 7
    """Move the played card: the zone."""
    NOT_FOR_SALE = 8
    """Return the mask of the piles that cards in play forbid to buy: 0."""
    REDUCTION = 9
    """Return the reduction of a cost by Actions in play: the pile."""
    AMONG = 10
    """Return the mask of the piles that `Column.AMONG` allows: the seat, plus 8 times the index of the Effect."""
    SHIELDED = 11
    """Return the mask of the seats that a Duration protects from Attacks: 0."""
    REACTIONS = 12
    """Return the mask of the Reactions in hand that have Effects for an Attack and may be revealed: the seat."""


MECHANICS = DispatchTable(
    "evodom.dominion.mechanics",
    ["evodom.dominion.engine.expansions:run_mechanic"],
    (RULES, STATE, np.dtype(np.int64)),
)
"""The mechanics as separately compiled machine code."""

_call = MECHANICS.call


@kernel
def call_mechanic(rules: Rules, state: State, mechanic: int, argument: int) -> Any:
    """Execute a `Mechanic`. Return its result, or 0."""
    return _call(0, rules, state, argument << 4 | mechanic)
