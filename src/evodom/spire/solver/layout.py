"""The records of the solver: what it works with, the frames of its walk, and the table of what is solved.

A position is solved for a range of the player's HP at once where nothing in the fight reads them: its record then has
`PLENTY` of HP, and its values are an array by HP. Elsewhere the HP are part of the record, and the array has one value.
"""

from typing import Any, TypeAlias

import numpy as np

from evodom.spire.engine.layout import FIGHT, N_KINDS
from evodom.spire.engine.moves import N_MOVES

PLENTY = 16_000
"""More HP than a fight can cost."""

MAX_DEPTH = 1200
"""Frames of the walk: moves and draws that follow one another."""

MAX_DRAWN = 10
MAX_PILE = 255
"""The most cards of a pile that are drawn from."""

N_WORDS = FIGHT.itemsize // 8

STARTING, TURN, DRAW, OVER, MOVE = range(5)
"""What is expanded: the start of a fight, a decision, a draw of cards, nothing, and a single move of a decision."""

DONE, MORE, NO_ROWS, NO_VALUES, NO_ROOM, NO_NODES, NO_LEAVES, TOO_DEEP, COMES_BACK, TOO_RANDOM, SPILLED = range(11)
"""How a call of the walk ends: solved, to be called again, out of some room, or with a fight it cannot solve."""

WORK = np.dtype(
    (
        np.record,
        [
            ("free", "<i4"),  # whether positions are solved for all HP at once
            ("dominates", "<i4"),  # whether less HP of the single enemy is always at least as good
            ("exhumes", "<i4"),  # whether anything reads the exhaust pile
            ("late_pays", "<i4"),  # whether a fight that is not won in time counts as won
            ("margin", "<i4"),  # how many HP below those asked for are solved besides
            ("mark", "<i4"),
            ("depth", "<i4"),
            ("top", "<i4"),  # the first free outcome
            ("n_leaves", "<i4"),
            ("n_rows", "<i4"),
            ("n_indexed", "<i4"),
            ("stamp", "<i4"),
            ("n_values", "<i8"),
            ("n_plays", "<i8"),
            ("n_turns", "<i8"),
            ("n_decisions", "<i8"),
            ("n_again", "<i8"),
            ("key", "<u8", (2,)),
            ("prices", "<f8", (4,)),
            ("moves", "<i4", (N_MOVES,)),
            ("pile", "<i4", (N_KINDS,)),
            ("hand", "<i4", (N_KINDS,)),
            ("ways", "<f8", (MAX_PILE + 1, MAX_DRAWN + 1)),
        ],
    )
)
"""What the walk is about, how far it is, what it counted, and room to work in."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("kind", "<i4"),
            ("node", "<i4"),  # the outcome it expands
            ("move", "<i4"),
            ("row", "<i4"),  # that of a draw in the table
            ("expanded", "<i4"),
            ("returned", "<i4"),  # whether the frame above has left its values
            ("more", "<i4"),  # whether more outcomes of the start are to come
            ("lo", "<i4"),
            ("hi", "<i4"),
            ("least", "<i4"),  # the HP for which the leaf at hand is needed
            ("most", "<i4"),
            ("leaf", "<i4"),
            ("last_leaf", "<i4"),
            ("outcome", "<i4"),
            ("top", "<i4"),
            ("n_leaves", "<i4"),
            ("busy", "<i4"),
        ],
    )
)
"""A position that is being solved, one above the other."""

LEAF = np.dtype((np.record, [("first", "<i4"), ("n", "<i4"), ("score", "<f8")]))
"""What a line of play leads to: outcomes with weights."""

OUTCOME = np.dtype((np.record, [("weight", "<f8"), ("cost", "<f8"), ("loss", "<i4"), ("kind", "<i4")]))
"""A position that may come: its chance, what the potions and the HP used on the way cost, and what kind it is."""

NODE = np.dtype((np.record, [("key", "<u8", (2,)), ("cost", "<f8"), ("loss", "<i4")]))
"""A position within a turn."""

ROW = np.dtype(
    (
        np.record,
        [
            ("key", "<u8", (2,)),
            ("first", "<i8"),  # its values
            ("lo", "<i2"),
            ("hi", "<i2"),  # the HP that are solved, none if hi is 0
            ("busy", "<i2"),  # the most HP for which it is being solved now, 0 if it is not
        ],
    )
)
"""A position that was or is being solved; nothing of its record is kept."""

Record: TypeAlias = Any
