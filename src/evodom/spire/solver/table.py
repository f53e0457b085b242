"""Transposition tables of the graph: find chance and decision nodes by 128-bit keys, and pack positions.

Open it to change the hash, the lookup, or how positions are stored until they are expanded.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import FIGHT, N_COLUMNS, NONE, FightRecord, Numbers, Words
from evodom.spire.solver.graph import MASK_WORDS, N_WORDS, Records, SolverWorkspace

_FIELDS: Any = FIGHT.fields
_QUEUE_OFFSET, _AUTOPLAYS_OFFSET = _FIELDS["queue"][1], _FIELDS["autoplays"][1]

_STEP_1, _STEP_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_FACTOR_1, _FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_FACTOR_3, _FACTOR_4 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_SHIFT_27, _SHIFT_29, _SHIFT_30, _SHIFT_32 = (np.uint64(shift) for shift in (27, 29, 30, 32))
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel
def set_key(words: Words, place: int, fight: FightRecord, workspace: SolverWorkspace) -> None:
    """Write the key of the position `words[place]` to `workspace.key`: two sums of hashes of its nonzero words.

    The hash of a word depends on its index. Skip the unused rows of the queue, which are 0.
    """
    workspace.key[0] = workspace.key[1] = _ZERO
    _add_words(words, place, 0, (_QUEUE_OFFSET + 2 * N_COLUMNS * fight.n_queue) // 8 + 1, workspace)
    if fight.n_autoplays > 0:
        _add_words(words, place, _AUTOPLAYS_OFFSET // 8, N_WORDS, workspace)


@kernel
def _add_words(words: Words, place: int, first: int, last: int, workspace: SolverWorkspace) -> None:
    """Add the hashes of words `first` to `last` (exclusive) to the key."""
    low, high = workspace.key[0], workspace.key[1]
    index = first
    while index < last:
        if index + 4 <= last and not (
            words[place, index] | words[place, index + 1] | words[place, index + 2] | words[place, index + 3]
        ):
            index += 4
            continue
        word = words[place, index]
        if word:
            salt = np.uint64(index) + _ONE
            mixed = word + salt * _STEP_1
            mixed = (mixed ^ (mixed >> _SHIFT_30)) * _FACTOR_1
            mixed = (mixed ^ (mixed >> _SHIFT_27)) * _FACTOR_2
            low += mixed ^ (mixed >> _SHIFT_32)
            mixed = (word ^ (word >> _SHIFT_32)) * _FACTOR_3 + salt * _STEP_2
            mixed = (mixed ^ (mixed >> _SHIFT_29)) * _FACTOR_4
            high += mixed ^ (mixed >> _SHIFT_32)
        index += 1
    workspace.key[0], workspace.key[1] = low, high


@kernel
def find_node(workspace: SolverWorkspace, nodes: Records, index: Numbers) -> Any:
    """Find the node with key `workspace.key` by linear probing. Return the node and its slot in the index.

    If there is no such node, return NONE and the free slot for it.
    """
    mask = np.int64(len(index) - 1)
    slot = np.int64(workspace.key[0] & np.uint64(mask))
    while index[slot] != NONE:
        node = np.int64(index[slot])
        if nodes[node].key[0] == workspace.key[0] and nodes[node].key[1] == workspace.key[1]:
            return node, slot
        slot = (slot + 1) & mask
    return np.int64(NONE), slot


@kernel
def index_nodes(nodes: Records, n: int, index: Numbers) -> None:
    """Insert the first `n` nodes into an empty index."""
    mask = np.int64(len(index) - 1)
    for node in range(n):
        slot = np.int64(nodes[node].key[0] & np.uint64(mask))
        while index[slot] != NONE:
            slot = (slot + 1) & mask
        index[slot] = node


@kernel
def pack(words: Words, place: int, packed: Words, slot: int) -> Any:
    """Write the position `words[place]` to `packed[slot]`: a bit mask of its nonzero words, then these words.

    Return False if the slot is too narrow.
    """
    width = packed.shape[1]
    n_packed = MASK_WORDS
    for part in range(MASK_WORDS):
        bits = _ZERO
        for word in range(64 * part, min(64 * part + 64, N_WORDS)):
            if words[place, word]:
                if n_packed == width:
                    return False
                packed[slot, n_packed] = words[place, word]
                n_packed += 1
                bits |= _ONE << np.uint64(word - 64 * part)
        packed[slot, part] = bits
    return True


@kernel
def unpack(packed: Words, slot: int, words: Words, place: int) -> None:
    """Restore the position `packed[slot]` into `words[place]`."""
    n_read = MASK_WORDS
    for part in range(MASK_WORDS):
        bits = packed[slot, part]
        for word in range(64 * part, min(64 * part + 64, N_WORDS)):
            if bits & (_ONE << np.uint64(word - 64 * part)):
                words[place, word] = packed[slot, n_read]
                n_read += 1
            else:
                words[place, word] = _ZERO
