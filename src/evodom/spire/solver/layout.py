"""The records of the solver: the graph of a fight, and what it works with.

A *row* of the graph is a position in which chance is about to decide: what cards are drawn, or which of several things
happens. It has *hands*: what chance may decide, each a *turn*: a decision of the player. A turn has *lines*: all that
the player can do until something is revealed. A line has *edges*: the rows that it may lead to, with their chances.

Where nothing in a fight reads the player's HP, a row stands for all HP at once: its record has `PLENTY` of them, and
the rows have an array of values, by HP. Elsewhere the HP are part of the record, and there is one value.
"""

from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.spire.engine.layout import FIGHT, N_KINDS, Dice
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


# The records and arrays that the kernels take. They take arrays out of a tuple one by one, only those they need: each
# costs a count of its references.

Numbers: TypeAlias = npt.NDArray[np.signedinteger]
Floats: TypeAlias = npt.NDArray[np.float64]
Words: TypeAlias = npt.NDArray[np.uint64]
Records: TypeAlias = npt.NDArray[np.void]


class SolverRecord(Protocol):
    """A record of WORK."""

    free: int
    dominates: int
    plain: int
    exhumes: int
    mark: int
    more: int
    top: int
    n_lines: int
    n_rows: int
    n_rows_indexed: int
    n_turns: int
    n_turns_indexed: int
    n_ends: int
    n_slots: int
    free_slot: int
    highest: int
    stamp: int
    n_hands: int
    n_edges: int
    n_plays: int
    n_back: int
    key: Words
    moves: Numbers
    pile: Numbers
    hand: Numbers
    ways: Floats


class OutcomeRecord(Protocol):
    """A record of OUTCOME."""

    weight: float
    loss: int
    used: int
    kind: int


class EdgeRecord(Protocol):
    """A record of EDGE."""

    weight: float
    target: int
    loss: int
    used: int
    last: int


class TurnRecord(Protocol):
    """A record of TURN_ROW."""

    edge: int
    n: int


class TurnBuffers(NamedTuple):
    """The positions that a row or a turn leads to (`words`, `states`, `outcomes`), and those within the turn."""

    words: Words
    states: Records
    outcomes: Records
    own_words: Words
    own_states: Records
    nodes: Records
    slots: Numbers
    lines: Numbers


class GraphArrays(NamedTuple):
    """The graph of a fight, its indexes, and the rows that wait to be expanded."""

    rows: Records
    row_index: Numbers
    turns: Records
    turn_index: Numbers
    hands: Records
    edges: Records
    packed: Words
    heads: Numbers
    ends: Records


class ValueArrays(NamedTuple):
    """The values of rows by HP, their order, the payoffs of ends, and the probabilities of the best play."""

    values: Floats
    firsts: Numbers
    sequence: Numbers
    marks: Numbers
    stack: Records
    paid: Floats
    best: Floats
    sums: Floats
    total: Floats
    mass: Floats
    results: Floats


class FightStart(NamedTuple):
    """The rows of the enemies by place, their HP (0 where they are rolled), and the tape of openings."""

    group: Numbers
    known_hp: Numbers
    opening: Dice


class SolverArrays(NamedTuple):
    """Everything that a task works on."""

    start: FightStart
    room: TurnBuffers
    graph: GraphArrays
    plan: ValueArrays
    work: SolverRecord
    dice: Dice
