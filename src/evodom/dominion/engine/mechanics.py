"""Call the kernels for mechanics that the Base Set does not have, such as Durations. They are in `expansions`.

`expansions` is compiled separately from the engine, when a kingdom first needs it. So games of the Base Set neither
compile nor contain it. The engine calls `call_mechanic`. `expansions.run_mechanic` executes the call.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from evodom.dominion.engine.rules import RULES, Rules
from evodom.dominion.engine.state import STATE, State
from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel


class Mechanic(IntEnum):
    """A mechanic to call. Each has one argument, an int64; some pack several numbers into it."""

    RESOLVE = 0
    """Resolve an Effect of the top frame. The argument is the index of the Effect."""
    ANSWER = 1
    """Answer the pending Decision, if RESOLVE or the start of a turn has asked it. The argument is the answer."""
    CONTINUE_TURN = 2
    """Continue a turn before the Action phase or after the buys. The argument is 0."""
    PLAY_CHOSEN = 3
    """Play the chosen card in a kingdom with Durations, which stay in play. The argument is the Effect's index."""
    BEGIN_PLAYS = 4
    """Initialise the frames of new plays, and count them. The argument is the pile + 64 * number of plays."""
    BEGIN_GAIN = 5
    """Begin to resolve the cards that watch for a gain. The argument is the pile + 64 * seat + 512 * zone."""
    SEIZE = 6
    """Trash the Treasure just played if another player's Corsair requires it. The argument is the pile."""
    MOVE_THIS = 7
    """Move the played card. The argument is the target zone."""
    NOT_FOR_SALE = 8
    """Return the mask of the piles that may not be bought because of cards in play. The argument is 0."""
    REDUCTION = 9
    """Return the reduction of a cost by Actions in play. The argument is the pile."""
    AMONG = 10
    """Return the mask of the piles that `Column.AMONG` allows. The argument is the seat + 8 * index of the Effect."""
    SHIELDED_SEATS = 11
    """Return the mask of the seats that a Duration protects from Attacks. The argument is 0."""
    REACTIONS = 12
    """Return the mask of the Reactions in hand with Effects for an Attack. The argument is the seat."""


MECHANICS = DispatchTable(
    "evodom.dominion.mechanics", ["evodom.dominion.engine.expansions:run_mechanic"], (RULES, STATE, np.dtype(np.int64))
)
"""The mechanics as separately compiled machine code. Kernel 0 is the only one."""

_call = MECHANICS.call


@kernel
def call_mechanic(rules: Rules, state: State, mechanic: int, argument: int) -> Any:
    """Execute a `Mechanic`. Return its result, or 0."""
    return _call(0, rules, state, argument << 4 | mechanic)
