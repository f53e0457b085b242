"""Transposition table of the graph: chance and decision nodes found by 128-bit keys, and packed positions.

Open it to change the hash, the lookup, or how unexpanded positions are stored.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import FIGHT, N_COLUMNS, NONE, FightRecord, Numbers, Words
from evodom.spire.solver.graph import MASK_WORDS, N_WORDS, Records, SolverRecord

_FIELDS: Any = FIGHT.fields
_QUEUE, _WAITING = _FIELDS["queue"][1], _FIELDS["waiting"][1]

_STEP_1, _STEP_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_MIX_3, _MIX_4 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_S27, _S29, _S30, _S32 = (np.uint64(shift) for shift in (27, 29, 30, 32))
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def set_key(words: Words, place: int, fight: FightRecord, work: SolverRecord) -> None:
    """Write the key of a position into `work.key`: two sums over its words, each word mixed with its index.

    Words of 0 add nothing. Unused rows of the queue are skipped.
    """
    work.key[0] = work.key[1] = _ZERO
    _add_words(words, place, 0, (_QUEUE + 2 * N_COLUMNS * fight.n_queue) // 8 + 1, work)
    if fight.n_waiting > 0:
        _add_words(words, place, _WAITING // 8, N_WORDS, work)


@kernel
def _add_words(words: Words, place: int, first: int, last: int, work: SolverRecord) -> None:
    """Add a range of words to the key."""
    one, two = work.key[0], work.key[1]
    at = first
    while at < last:
        if at + 4 <= last and not (
            words[place, at] | words[place, at + 1] | words[place, at + 2] | words[place, at + 3]
        ):
            at += 4
            continue
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
        at += 1
    work.key[0], work.key[1] = one, two


@kernel
def find(work: SolverRecord, rows: Records, index: Numbers) -> Any:
    """Return the node with key `work.key` and its slot in the index; NONE and a free slot if it is new."""
    mask = np.int64(len(index) - 1)
    slot = np.int64(work.key[0] & np.uint64(mask))
    while index[slot] != NONE:
        row = np.int64(index[slot])
        if rows[row].key[0] == work.key[0] and rows[row].key[1] == work.key[1]:
            return row, slot
        slot = (slot + 1) & mask
    return np.int64(NONE), slot


@kernel
def index_rows(rows: Records, first: int, last: int, index: Numbers) -> None:
    """Insert nodes `first` to `last` into an index."""
    mask = np.int64(len(index) - 1)
    for row in range(first, last):
        slot = np.int64(rows[row].key[0] & np.uint64(mask))
        while index[slot] != NONE:
            slot = (slot + 1) & mask
        index[slot] = row


@kernel
def pack(words: Words, place: int, packed: Words, slot: int) -> Any:
    """Write the nonzero words of a record into a slot, after a bit mask of them. Return False if the slot is too
    narrow.
    """
    width = packed.shape[1]
    at = MASK_WORDS
    for part in range(MASK_WORDS):
        bits = _ZERO
        for word in range(64 * part, min(64 * part + 64, N_WORDS)):
            if words[place, word]:
                if at == width:
                    return False
                packed[slot, at] = words[place, word]
                at += 1
                bits |= _ONE << np.uint64(word - 64 * part)
        packed[slot, part] = bits
    return True


@kernel
def unpack(packed: Words, slot: int, words: Words, place: int) -> None:
    """Restore a packed record."""
    at = MASK_WORDS
    for part in range(MASK_WORDS):
        bits = packed[slot, part]
        for word in range(64 * part, min(64 * part + 64, N_WORDS)):
            if bits & (_ONE << np.uint64(word - 64 * part)):
                words[place, word] = packed[slot, at]
                at += 1
            else:
                words[place, word] = _ZERO
