"""Records of a fight: compiled rules, state and dice, as NumPy structures that the kernels work on.

Open it to look up a field of `CompiledRules`, `FightRecord` or `Dice`, the columns of an effect, or the number of a
status. A fight has six fighters: the player at place 0 and up to five enemies at places 1 to 5, left to right. Cards
are counted by kind: two cards that can never differ in this fight have the same kind.
"""

from typing import Annotated, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype
from evodom.spire.rows import encounters
from evodom.spire.rows.relics import CHANGES
from evodom.spire.rows.statuses import BOTH, OF_ENEMIES, OF_PLAYER, STATUSES

MAX_ENEMIES = encounters.MAX_ENEMIES
N_FIGHTERS = 1 + MAX_ENEMIES
PLAYER = 0
N_KINDS = 56
"""Maximum number of kinds of cards in a fight, including created and upgraded cards."""

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
"""Place of each status: in `status` for both sides; statuses of the player alone are in `powers`, less N_SHARED."""

N_SHARED = len(BOTH) + len(OF_ENEMIES)
N_POWERS = len(OF_PLAYER)

DEBUFFS = tuple(AT[name] for name, status in STATUSES.items() if status.debuff)
FADING = tuple(AT[name] for name, status in STATUSES.items() if status.fades)
ENDING_POWERS = tuple(AT[name] - N_SHARED for name, status in STATUSES.items() if status.turn)
DEBUFF_POWERS = tuple(AT[name] - N_SHARED for name, status in OF_PLAYER.items() if status.debuff)
"""Statuses that are debuffs in any amount, statuses that fade every round, powers of the player that end with the turn,
and powers of the player that are debuffs.
"""

CHANGE = {name: place for place, name in enumerate(CHANGES)}

# Columns of a line (one effect).
OP, N, TIMES, TO, X, MORE, AIM = range(7)
N_COLUMNS = 7

ATTACK, SKILL, POWER, STATUS, CURSE = range(5)
"""Types of cards."""

PLAYING, WON, LOST, FLED, LATE = range(5)
"""Whether and how a fight has ended. LATE: not won within `max_turns`."""

HAND, DRAW, DISCARD, EXHAUST = range(4)

NONE = -1

Numbers: TypeAlias = npt.NDArray[np.signedinteger]
"""Integer array of a record."""

Words: TypeAlias = npt.NDArray[np.uint64]


class CompiledRules(Protocol):
    """A record of RULES: everything that is constant during a fight."""

    n_kinds: int
    last_turn: int  # last turn that a rule refers to; later turns are equal
    max_turns: int
    counts_cards: int  # whether a rule counts the cards played in a turn
    max_hp: int
    hp: int
    deck: Annotated[Numbers, N_KINDS]
    # Cards, by kind.
    cost: Annotated[Numbers, N_KINDS]
    type: Annotated[Numbers, N_KINDS]
    targeted: Annotated[Numbers, N_KINDS]
    exhausts: Annotated[Numbers, N_KINDS]
    ethereal: Annotated[Numbers, N_KINDS]
    innate: Annotated[Numbers, N_KINDS]
    needs_attacks: Annotated[Numbers, N_KINDS]
    last_damage: Annotated[Numbers, N_KINDS]
    last_status: Annotated[Numbers, N_KINDS]
    last_loss: Annotated[Numbers, N_KINDS]
    drawn_energy: Annotated[Numbers, N_KINDS]
    exhaust_energy: Annotated[Numbers, N_KINDS]
    limit: Annotated[Numbers, N_KINDS]
    pain: Annotated[Numbers, N_KINDS]
    strike: Annotated[Numbers, N_KINDS]
    exhume: Annotated[Numbers, N_KINDS]
    upgraded: Annotated[Numbers, N_KINDS]  # kind of the upgraded card, or NONE
    cheaper: Annotated[Numbers, N_KINDS]  # kind after a loss of HP, or NONE
    grown: Annotated[Numbers, N_KINDS]  # kind after it was played, or NONE
    first_line: Annotated[Numbers, N_KINDS]
    n_lines: Annotated[Numbers, N_KINDS]
    lines: Annotated[Numbers, (N_LINES, N_COLUMNS), "<i2"]
    # Enemies, by row; row 0 means no enemy.
    status: Annotated[Numbers, (N_ROWS, N_SHARED), "<i2"]
    enemy_hp: Annotated[Numbers, (N_ROWS, 2)]
    enemy_block: Annotated[Numbers, N_ROWS]
    rolled: Annotated[Numbers, (N_ROWS, 2, 3)]  # (status, least, most) of further rolls
    interrupted: Annotated[Numbers, N_ROWS]
    alone: Annotated[Numbers, N_ROWS]
    children: Annotated[Numbers, (N_ROWS, 2)]
    elite: Annotated[Numbers, N_ROWS]
    # Intents form a chain: successors with weights. `opening` is an artificial intent before an enemy's first.
    opening: Annotated[Numbers, N_ROWS]
    intent_line: Annotated[Numbers, N_INTENTS]
    intent_lines: Annotated[Numbers, N_INTENTS]
    attacks: Annotated[Numbers, N_INTENTS]
    n_following: Annotated[Numbers, N_INTENTS]
    following: Annotated[Numbers, (N_INTENTS, N_FOLLOWING)]
    weights: Annotated[Numbers, (N_INTENTS, N_FOLLOWING)]
    # Relics, in the order in which they were obtained.
    n_relics: int
    relic_when: Annotated[Numbers, N_RELICS]
    relic_turn: Annotated[Numbers, N_RELICS]
    relic_every: Annotated[Numbers, N_RELICS]
    relic_kept: Annotated[Numbers, N_RELICS]
    relic_line: Annotated[Numbers, N_RELICS]
    relic_lines: Annotated[Numbers, N_RELICS]
    change: Annotated[Numbers, len(CHANGES)]
    # Potions, by place on the belt.
    n_potions: int
    potion_targeted: Annotated[Numbers, N_POTIONS]
    potion_usable: Annotated[Numbers, N_POTIONS]
    potion_revives: Annotated[Numbers, N_POTIONS]
    potion_line: Annotated[Numbers, N_POTIONS]
    potion_lines: Annotated[Numbers, N_POTIONS]

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The dtype of the record."""


RULES = record_dtype(CompiledRules, "<i4")


class FightRecord(Protocol):
    """A record of FIGHT: the state of a fight. Absent things are 0, so equal states have equal bytes."""

    over: int
    turn: int
    energy: int
    ours: int  # whether it is the player's turn, without the effects at its end
    theirs: int  # whether it is the enemies' turn
    hp: Annotated[Numbers, N_FIGHTERS]
    max_hp: Annotated[Numbers, N_FIGHTERS]
    block: Annotated[Numbers, N_FIGHTERS]
    row: Annotated[Numbers, N_FIGHTERS]
    intent: Annotated[Numbers, N_FIGHTERS]
    fresh: Annotated[Numbers, N_FIGHTERS]  # mask of the statuses that do not fade or act this round
    status: Annotated[Numbers, (N_FIGHTERS, N_SHARED)]
    powers: Annotated[Numbers, N_POWERS]
    piles: Annotated[Numbers, (4, N_KINDS)]
    n_cards: Annotated[Numbers, 4]
    buried: Annotated[Numbers, N_KINDS]  # cards of the draw pile that cannot be drawn next
    n_buried: int
    top: Annotated[Numbers, N_TOP]  # known cards on the draw pile, the next card last
    n_top: int
    potions: Annotated[Numbers, N_POTIONS]
    counters: Annotated[Numbers, N_RELICS]
    pen_nib: int
    played: int  # cards played this turn, if `counts_cards`
    types: int  # mask of the types played this turn, if `counts_cards`
    tail: int
    skull: int
    gained: int  # maximum HP gained
    used: int  # potions used
    # The pending choice.
    choosing: int  # 1 + the purpose of the choice (TO_EXHAUST etc. of `effects`); 0 without a choice
    choose_pile: int
    choose_n: int
    chosen: int
    choose_from: int
    # Pending effects.
    queue: Annotated[Numbers, (N_QUEUE, N_COLUMNS)]
    n_queue: int
    waiting: Annotated[Numbers, (N_WAITING, 4)]  # cards that will play themselves: (kind, target, X, how)
    n_waiting: int
    spilled: int  # number of overflows of the arrays above; 0 in a valid fight

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""


FIGHT = record_dtype(FightRecord, "<i2")


class Dice(Protocol):
    """A record of DICE, the source of chance: a random stream, or a tape of listed results (see `chance`)."""

    stream: Annotated[Words, 1]
    listing: int
    asking: int
    at: int
    n: int
    choice: Annotated[Numbers, N_DICE]
    total: Annotated[Numbers, N_DICE]
    what: Annotated[Numbers, N_DICE]
    about: Annotated[Numbers, N_DICE]
    weights: Annotated[Numbers, (N_DICE, N_KINDS)]
    scratch: Annotated[Numbers, N_KINDS]


DICE = record_dtype(Dice, "<i4")


class QueuedEffect(NamedTuple):
    """A row of the queue: the columns of a line and the targeted fighter `aim`."""

    op: int
    n: int
    times: int
    to: int
    x: int
    more: int
    aim: int


STRENGTH, DEXTERITY, VULNERABLE, WEAK, FRAIL = (
    AT[name] for name in ("Strength", "Dexterity", "Vulnerable", "Weak", "Frail")
)
ARTIFACT, METALLICIZE, PLATED, RITUAL, THORNS = (
    AT[name] for name in ("Artifact", "Metallicize", "Plated Armor", "Ritual", "Thorns")
)
ENRAGE, ANGRY, CURL_UP, ASLEEP, BITE = (AT[name] for name in ("Enrage", "Angry", "Curl Up", "Asleep", "Bite"))
SPORES, SHARP_HIDE, MODE_SHIFT, SHIFTS = (AT[name] for name in ("Spore Cloud", "Sharp Hide", "Mode Shift", "Shifts"))
REGENERATE, DIVIDER, SPLITS, STOLEN = (AT[name] for name in ("Regenerate", "Divider", "Splits", "Stolen"))


def _power(name: str) -> int:
    """Return the place in `powers` of a status that only the player can have."""
    return AT[name] - N_SHARED


VIGOR, NO_DRAW, DEMON_FORM, STRENGTH_DOWN, DEXTERITY_DOWN, REGEN = (
    _power(name) for name in ("Vigor", "No Draw", "Demon Form", "Strength Down", "Dexterity Down", "Regen")
)
ENTANGLED, BARRICADE, BERSERK, BRUTALITY, COMBUST, COMBUST_COST = (
    _power(name) for name in ("Entangled", "Barricade", "Berserk", "Brutality", "Combust", "Combust cost")
)
CORRUPTION, DARK_EMBRACE, DOUBLE_TAP, DUPLICATION, EVOLVE = (
    _power(name) for name in ("Corruption", "Dark Embrace", "Double Tap", "Duplication", "Evolve")
)
FEEL_NO_PAIN, FIRE_BREATHING, FLAME_BARRIER, JUGGERNAUT, RAGE, RUPTURE = (
    _power(name) for name in ("Feel No Pain", "Fire Breathing", "Flame Barrier", "Juggernaut", "Rage", "Rupture")
)
INTANGIBLE, BUFFER, NEXT_BLOCK, NEXT_DRAW = (
    _power(name) for name in ("Intangible", "Buffer", "Next Turn Block", "Next Turn Draw")
)

(
    C_ENERGY, C_LAST_BLOCK, C_LAST_HEAL, C_LAST_HEAL_LOW, C_STRIKE, C_VULNERABLE, C_ODD, C_TORII, C_ROD, C_BOOT,
    C_CALIPERS, C_ICE_CREAM, C_PYRAMID, C_CHOKER, C_BELT, C_DRILL, C_FLOWER, C_CHEMICAL, C_MEDICAL, C_CANDLE, C_SKULL,
    C_TAIL, C_GINGER, C_TURNIP, C_SPOON, C_TOP, C_PEN_NIB, C_WATCH, C_ART, C_PELLETS, C_INSECT, C_LAMENT, C_STONE,
    C_BARK, C_SOZU,
) = range(len(CHANGE))  # fmt: skip
"""Places in `change` of the numbers that relics modify."""
