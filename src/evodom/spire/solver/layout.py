"""The records of the solver: the graph of a fight, and what it works with.

A *row* of the graph is a position in which chance is about to decide: what cards are drawn, or which of several things
happens. It has *hands*: what chance may decide, each a *turn*: a decision of the player. A turn has *lines*: all that
the player can do until something is revealed. A line has *edges*: the rows that it may lead to, with their chances.

Where nothing in a fight reads the player's HP, a row stands for all HP at once: its record has `PLENTY` of them, and
the rows have an array of values, by HP. Elsewhere the HP are part of the record, and there is one value.
"""

from typing import Any, TypeAlias

import numpy as np

from evodom.spire.engine.layout import FIGHT, N_KINDS
from evodom.spire.engine.moves import N_MOVES

PLENTY = 16_000
"""More HP than a fight can cost."""

MAX_DRAWN = 10
MAX_PILE = 255
"""The most cards of a pile that are drawn from."""

N_WORDS = FIGHT.itemsize // 8
MASK_WORDS = (N_WORDS + 63) // 64
"""The words that say which words of a packed record are not 0."""

TURN, DRAW, OVER = range(3)
"""What a position is: a decision, a draw of cards that is about to happen, or the end of the fight."""

DONE, MORE, NO_ROWS, NO_TURNS, NO_HANDS, NO_EDGES, NO_SLOTS, NARROW, NO_ROOM, NO_LINES, NO_NODES, NO_ENDS = range(12)
TOO_RANDOM, SPILLED, TOO_MANY = 12, 13, 14
"""How a task ends: done, to be called again, out of some room, or with a fight that cannot be solved."""

DEAD = -1
"""The target of an edge that no HP outlive; below it are the ends of the fight, -2 for the first."""

WORK = np.dtype(
    (
        np.record,
        [
            ("free", "<i4"),  # whether a row stands for all HP
            ("dominates", "<i4"),  # whether less HP of the single enemy is always at least as good
            ("plain", "<i4"),  # whether several enemies are compared, and put in order (see `plain`)
            ("exhumes", "<i4"),  # whether anything reads the exhaust pile
            ("mark", "<i4"),
            ("more", "<i4"),  # whether more starts are to come
            ("top", "<i4"),  # the first free outcome
            ("n_lines", "<i4"),
            ("n_rows", "<i4"),
            ("n_rows_indexed", "<i4"),
            ("n_turns", "<i4"),
            ("n_turns_indexed", "<i4"),
            ("n_ends", "<i4"),
            ("n_slots", "<i4"),
            ("free_slot", "<i4"),
            ("highest", "<i4"),  # no row waits with more HP
            ("stamp", "<i4"),
            ("n_hands", "<i8"),
            ("n_edges", "<i8"),
            ("n_plays", "<i8"),
            ("n_back", "<i8"),  # edges to rows that come before them
            ("key", "<u8", (2,)),
            ("moves", "<i4", (N_MOVES,)),
            ("pile", "<i4", (N_KINDS,)),
            ("hand", "<i4", (N_KINDS,)),
            ("ways", "<f8", (MAX_PILE + 1, MAX_DRAWN + 1)),
        ],
    )
)
"""What the solver works on, how large the graph is, and room to work in."""

OUTCOME = np.dtype((np.record, [("weight", "<f8"), ("loss", "<i4"), ("used", "<i4"), ("kind", "<i4")]))
"""A position that may come: its chance, the HP and the potions that the way to it costs, and what kind it is."""

NODE = np.dtype((np.record, [("key", "<u8", (2,)), ("loss", "<i4"), ("used", "<i4")]))
"""A position within a turn."""

ROW = np.dtype(
    (
        np.record,
        [
            ("key", "<u8", (2,)),
            ("hand", "<i8"),  # its first hand
            ("n_hands", "<i4"),  # 0 if it is not expanded
            ("hp", "<i2"),  # the most HP with which it is reached, 0 if it is not
            ("kind", "<i2"),
            ("slot", "<i4"),  # its packed record, until it is expanded
            ("before", "<i4"),  # its neighbours among those that wait with as many HP
            ("after", "<i4"),
        ],
    )
)
"""A row of the graph."""

HAND = np.dtype((np.record, [("weight", "<f8"), ("turn", "<i4")]))

TURN_ROW = np.dtype((np.record, [("key", "<u8", (2,)), ("edge", "<i8"), ("n", "<i4")]))
"""A turn: its edges."""

EDGE = np.dtype(
    (
        np.record,
        [
            ("weight", "<f8"),
            ("target", "<i4"),  # a row, DEAD, or an end of the fight
            ("loss", "<i2"),
            ("used", "<i1"),  # potions
            ("last", "<i1"),  # whether it is the last one of its line
        ],
    )
)
"""What may come of a line."""

END = np.dtype((np.record, [("over", "<i4"), ("hp", "<i4"), ("left", "<i4"), ("gained", "<i4")]))
"""How a fight may end, where the HP are part of it: those of the player, and those that are left after it."""

STEP = np.dtype((np.record, [("row", "<i4"), ("hand", "<i4"), ("edge", "<i4")]))
"""A row that is being put in order, and how far."""

# The places of arrays in the tuples that the kernels take. Only those that are needed are taken out, one by one: each
# costs a count of its references.
WORDS, STATES, OUTCOMES, OWN_WORDS, OWN_STATES, NODES, SLOTS, LINES = range(8)
ROWS, ROW_INDEX, TURNS, TURN_INDEX, HANDS, EDGES, PACKED, HEADS, ENDS = range(9)
VALUES, FIRSTS, SEQUENCE, MARKS, STACK, PAID, BEST, SUMS, TOTAL, MASS, RESULTS = range(11)

Record: TypeAlias = Any
