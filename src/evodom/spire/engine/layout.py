"""The records of a fight: its rules, its state, and the dice, as NumPy structures that the kernels work on.

A fight has six fighters: the player, at place 0, and up to five enemies at places 1 to 5, left to right. Cards are
counted by kind: cards that can never differ in this fight are of one kind.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.spire.rows import encounters
from evodom.spire.rows.relics import CHANGES
from evodom.spire.rows.statuses import BOTH, OF_ENEMIES, OF_PLAYER, STATUSES

MAX_ENEMIES = encounters.MAX_ENEMIES
N_FIGHTERS = 1 + MAX_ENEMIES
N_KINDS = 56
"""Kinds of cards in a fight, created and upgraded ones included."""

N_LINES = 400
N_ROWS = 12
N_INTENTS = 96
N_FOLLOWING = 4
N_RELICS = 24
N_POTIONS = 5
N_QUEUE = 56
N_WAITING = 12
N_TOP = 12
N_DICE = 80

AT = {name: place for place, name in enumerate(STATUSES)}
"""The place of each status: in `status` of both sides, those of the player alone in `powers` from N_SHARED on."""

N_SHARED = len(BOTH) + len(OF_ENEMIES)
N_POWERS = len(OF_PLAYER)

CHANGE = {name: place for place, name in enumerate(CHANGES)}

# The columns of a line.
OP, N, TIMES, TO, X, MORE, AIM = range(7)
N_COLUMNS = 7

ATTACK, SKILL, POWER, STATUS, CURSE = range(5)
"""Types of cards."""

PLAYING, WON, LOST, FLED, LATE = range(5)
"""Whether a fight is over, and how."""

HAND, DRAW, DISCARD, EXHAUST = range(4)

NONE = -1

Record: TypeAlias = Any
"""A `numpy.record`."""

RULES = np.dtype(
    (
        np.record,
        [
            ("n_kinds", "<i4"),
            ("last_turn", "<i4"),  # the last turn that anything asks for; later ones are all alike
            ("max_turns", "<i4"),
            ("counts_cards", "<i4"),  # whether anything asks how many cards were played in a turn
            ("max_hp", "<i4"),
            ("hp", "<i4"),
            ("deck", "<i4", (N_KINDS,)),
            # Cards, by kind.
            ("cost", "<i4", (N_KINDS,)),
            ("type", "<i4", (N_KINDS,)),
            ("targeted", "<i4", (N_KINDS,)),
            ("exhausts", "<i4", (N_KINDS,)),
            ("ethereal", "<i4", (N_KINDS,)),
            ("innate", "<i4", (N_KINDS,)),
            ("needs_attacks", "<i4", (N_KINDS,)),
            ("last_damage", "<i4", (N_KINDS,)),
            ("last_status", "<i4", (N_KINDS,)),
            ("last_loss", "<i4", (N_KINDS,)),
            ("drawn_energy", "<i4", (N_KINDS,)),
            ("exhaust_energy", "<i4", (N_KINDS,)),
            ("limit", "<i4", (N_KINDS,)),
            ("pain", "<i4", (N_KINDS,)),
            ("strike", "<i4", (N_KINDS,)),
            ("exhume", "<i4", (N_KINDS,)),
            ("upgraded", "<i4", (N_KINDS,)),  # the kind of the upgraded card, NONE if there is none
            ("cheaper", "<i4", (N_KINDS,)),  # what a loss of HP makes of it
            ("grown", "<i4", (N_KINDS,)),  # what playing it makes of it
            ("first_line", "<i4", (N_KINDS,)),
            ("n_lines", "<i4", (N_KINDS,)),
            ("lines", "<i2", (N_LINES, N_COLUMNS)),
            # Enemies, by row; row 0 is no enemy.
            ("status", "<i2", (N_ROWS, N_SHARED)),
            ("enemy_hp", "<i4", (N_ROWS, 2)),
            ("enemy_block", "<i4", (N_ROWS,)),
            ("rolled", "<i4", (N_ROWS, 2, 3)),  # (status, least, most) of what is rolled besides
            ("interrupted", "<i4", (N_ROWS,)),
            ("alone", "<i4", (N_ROWS,)),
            ("children", "<i4", (N_ROWS, 2)),
            ("elite", "<i4", (N_ROWS,)),
            # Intents. Each begins a chain: what may follow, with weights. `opening` are made-up ones, before the first.
            ("opening", "<i4", (N_ROWS,)),
            ("intent_line", "<i4", (N_INTENTS,)),
            ("intent_lines", "<i4", (N_INTENTS,)),
            ("attacks", "<i4", (N_INTENTS,)),
            ("n_following", "<i4", (N_INTENTS,)),
            ("following", "<i4", (N_INTENTS, N_FOLLOWING)),
            ("weights", "<i4", (N_INTENTS, N_FOLLOWING)),
            # Relics, in the order in which they were obtained.
            ("n_relics", "<i4"),
            ("relic_when", "<i4", (N_RELICS,)),
            ("relic_turn", "<i4", (N_RELICS,)),
            ("relic_every", "<i4", (N_RELICS,)),
            ("relic_kept", "<i4", (N_RELICS,)),
            ("relic_line", "<i4", (N_RELICS,)),
            ("relic_lines", "<i4", (N_RELICS,)),
            ("change", "<i4", (len(CHANGES),)),
            # Potions, by place on the belt.
            ("n_potions", "<i4"),
            ("potion_targeted", "<i4", (N_POTIONS,)),
            ("potion_usable", "<i4", (N_POTIONS,)),
            ("potion_revives", "<i4", (N_POTIONS,)),
            ("potion_line", "<i4", (N_POTIONS,)),
            ("potion_lines", "<i4", (N_POTIONS,)),
        ],
    )
)
"""What holds during a whole fight."""

FIGHT = np.dtype(
    (
        np.record,
        [
            ("over", "<i2"),
            ("turn", "<i2"),
            ("energy", "<i2"),
            ("ours", "<i2"),  # whether it is the player's turn; its end does not count
            ("theirs", "<i2"),  # whether it is the enemies' turn
            ("hp", "<i2", (N_FIGHTERS,)),
            ("max_hp", "<i2", (N_FIGHTERS,)),
            ("block", "<i2", (N_FIGHTERS,)),
            ("row", "<i2", (N_FIGHTERS,)),
            ("intent", "<i2", (N_FIGHTERS,)),
            ("fresh", "<i2", (N_FIGHTERS,)),  # a mask of the statuses that do not fade or act this round
            ("status", "<i2", (N_FIGHTERS, N_SHARED)),
            ("powers", "<i2", (N_POWERS,)),
            ("piles", "<i2", (4, N_KINDS)),
            ("n_cards", "<i2", (4,)),
            ("buried", "<i2", (N_KINDS,)),  # cards of the draw pile that cannot be the next one
            ("n_buried", "<i2"),
            ("top", "<i2", (N_TOP,)),  # known cards on the draw pile, the next one last
            ("n_top", "<i2"),
            ("potions", "<i2", (N_POTIONS,)),
            ("counters", "<i2", (N_RELICS,)),
            ("pen_nib", "<i2"),
            ("played", "<i2"),  # cards played this turn, where anything asks
            ("types", "<i2"),  # a mask of the types played this turn, where anything asks
            ("tail", "<i2"),
            ("skull", "<i2"),
            ("gained", "<i2"),  # maximum of HP gained
            ("used", "<i2"),  # potions used
            # The pending choice.
            ("choosing", "<i2"),  # 1 + what becomes of the chosen card; 0 if there is no choice
            ("choose_pile", "<i2"),
            ("choose_n", "<i2"),
            ("chosen", "<i2"),
            ("choose_from", "<i2"),
            # What is being done.
            ("queue", "<i2", (N_QUEUE, N_COLUMNS)),
            ("n_queue", "<i2"),
            ("waiting", "<i2", (N_WAITING, 4)),  # cards that play themselves: (kind, target, X, how)
            ("n_waiting", "<i2"),
            ("spilled", "<i2"),  # how often there was no room for something to be done: 0 in a fight that is right
        ],
    )
)
"""A fight at one moment. Whatever is not there is 0, so that equal fights are equal byte by byte."""

DICE = np.dtype(
    (
        np.record,
        [
            ("stream", "<u8", (1,)),
            ("listing", "<i4"),
            ("asking", "<i4"),
            ("at", "<i4"),
            ("n", "<i4"),
            ("choice", "<i4", (N_DICE,)),
            ("total", "<i4", (N_DICE,)),
            ("what", "<i4", (N_DICE,)),
            ("about", "<i4", (N_DICE,)),
            ("weights", "<i4", (N_DICE, N_KINDS)),
            ("scratch", "<i4", (N_KINDS,)),
        ],
    )
)
"""Where chance comes from: a random stream, or a list of results that is gone through."""


Numbers: TypeAlias = npt.NDArray[np.signedinteger]
"""An array of a record."""


class CompiledRules(Protocol):
    """A record of RULES: what holds during a whole fight."""

    dtype: np.dtype[np.void]
    n_kinds: int
    last_turn: int
    max_turns: int
    counts_cards: int
    max_hp: int
    hp: int
    deck: Numbers
    cost: Numbers
    type: Numbers
    targeted: Numbers
    exhausts: Numbers
    ethereal: Numbers
    innate: Numbers
    needs_attacks: Numbers
    last_damage: Numbers
    last_status: Numbers
    last_loss: Numbers
    drawn_energy: Numbers
    exhaust_energy: Numbers
    limit: Numbers
    pain: Numbers
    strike: Numbers
    exhume: Numbers
    upgraded: Numbers
    cheaper: Numbers
    grown: Numbers
    first_line: Numbers
    n_lines: Numbers
    lines: Numbers
    status: Numbers
    enemy_hp: Numbers
    enemy_block: Numbers
    rolled: Numbers
    interrupted: Numbers
    alone: Numbers
    children: Numbers
    elite: Numbers
    opening: Numbers
    intent_line: Numbers
    intent_lines: Numbers
    attacks: Numbers
    n_following: Numbers
    following: Numbers
    weights: Numbers
    n_relics: int
    relic_when: Numbers
    relic_turn: Numbers
    relic_every: Numbers
    relic_kept: Numbers
    relic_line: Numbers
    relic_lines: Numbers
    change: Numbers
    n_potions: int
    potion_targeted: Numbers
    potion_usable: Numbers
    potion_revives: Numbers
    potion_line: Numbers
    potion_lines: Numbers


class FightRecord(Protocol):
    """A record of FIGHT: a fight at one moment."""

    over: int
    turn: int
    energy: int
    ours: int
    theirs: int
    hp: Numbers
    max_hp: Numbers
    block: Numbers
    row: Numbers
    intent: Numbers
    fresh: Numbers
    status: Numbers
    powers: Numbers
    piles: Numbers
    n_cards: Numbers
    buried: Numbers
    n_buried: int
    top: Numbers
    n_top: int
    potions: Numbers
    counters: Numbers
    pen_nib: int
    played: int
    types: int
    tail: int
    skull: int
    gained: int
    used: int
    choosing: int
    choose_pile: int
    choose_n: int
    chosen: int
    choose_from: int
    queue: Numbers
    n_queue: int
    waiting: Numbers
    n_waiting: int
    spilled: int

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""


class QueuedEffect(NamedTuple):
    """A row of the queue: the columns of a line, and the fighter it is aimed at."""

    op: int
    n: int
    times: int
    to: int
    x: int
    more: int
    aim: int


class Dice(Protocol):
    """A record of DICE: a random stream, or a list of results."""

    stream: npt.NDArray[np.uint64]
    listing: int
    asking: int
    at: int
    n: int
    choice: Numbers
    total: Numbers
    what: Numbers
    about: Numbers
    weights: Numbers
    scratch: Numbers
