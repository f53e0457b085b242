"""The table of solved positions: found by a key of 128 bits, the values apart."""

from typing import Any

import numpy as np

from evodom.kernel import kernel
from evodom.spire.engine.layout import FIGHT, N_COLUMNS, NONE

_QUEUE = FIGHT.fields["queue"][1]
_WAITING = FIGHT.fields["waiting"][1]
_END = FIGHT.itemsize

_STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03))
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_MIX_3 = np.uint64(0xFF51AFD7ED558CCD)
_MIX_4 = np.uint64(0xC4CEB9FE1A85EC53)
_STEP_1, _STEP_2 = _STEPS
_S27, _S29, _S30, _S32 = (np.uint64(shift) for shift in (27, 29, 30, 32))
_ONE = np.uint64(1)


@kernel
def set_key(words: Any, place: Any, fight: Any, work: Any) -> None:
    """Write the key of a position into `work.key`: two sums over its words, each word mixed with its place.

    Words of 0 add nothing, and the rows of the queue that are not in use are not looked at.
    """
    work.key[0] = work.key[1] = np.uint64(0)
    _add_words(words, place, 0, (_QUEUE + 2 * N_COLUMNS * fight.n_queue) // 8 + 1, work)
    if fight.n_waiting > 0:
        _add_words(words, place, _WAITING // 8, _END // 8, work)


@kernel
def _add_words(words: Any, place: Any, first: Any, last: Any, work: Any) -> None:
    """Add the words of a range to the key."""
    one, two = work.key[0], work.key[1]
    for at in range(first, last):
        word = words[place, at]
        if word:
            here = np.uint64(at) + _ONE
            left = word + here * _STEP_1
            left = (left ^ (left >> _S30)) * _MIX_1
            left = (left ^ (left >> _S27)) * _MIX_2
            one += left ^ (left >> _S32)
            right = (word ^ (word >> _S32)) * _MIX_3 + here * _STEP_2
            right = (right ^ (right >> _S29)) * _MIX_4
            two += right ^ (right >> _S32)
    work.key[0], work.key[1] = one, two


@kernel
def find_row(work: Any, rows: Any, index: Any) -> Any:
    """Return the row of `work.key`, made if it is new; NONE if there is no room for it."""
    mask = np.uint64(len(index) - 1)
    slot = np.int64(work.key[0] & mask)
    while index[slot] != NONE:
        row = index[slot]
        if rows[row].key[0] == work.key[0] and rows[row].key[1] == work.key[1]:
            return row
        slot = (slot + 1) & np.int64(mask)
    row = work.n_rows
    if row == len(rows):
        return NONE
    work.n_rows = row + 1
    work.n_indexed = row + 1
    index[slot] = row
    rows[row].key[0] = work.key[0]
    rows[row].key[1] = work.key[1]
    rows[row].first = 0
    rows[row].lo = 1
    rows[row].hi = 0
    rows[row].busy = 0
    return row


@kernel
def index_rows(work: Any, rows: Any, index: Any) -> None:
    """Enter the rows into an index that is new."""
    mask = np.uint64(len(index) - 1)
    for row in range(work.n_indexed, work.n_rows):
        slot = np.int64(rows[row].key[0] & mask)
        while index[slot] != NONE:
            slot = (slot + 1) & np.int64(mask)
        index[slot] = row
    work.n_indexed = work.n_rows
