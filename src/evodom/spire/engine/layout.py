"""Records of a fight as NumPy structures: compiled rules, state and dice.

Open it to look up a field of `CompiledRules`, `FightRecord` or `Dice`, the columns of an effect, or the number of a
status. A fight has six fighters: the player at place 0, and up to five enemies at places 1 to 5, left to right. Cards
are counted by *kind*: cards with the same name have the same kind, a number.
"""

from typing import Annotated, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import Record, record_dtype
from evodom.spire.content import encounters
from evodom.spire.content.relics import CHANGES
from evodom.spire.content.statuses import ENEMY_ONLY, PLAYER_ONLY, SHARED, STATUSES

MAX_ENEMIES = encounters.MAX_ENEMIES
N_FIGHTERS = 1 + MAX_ENEMIES
PLAYER = 0
N_KINDS = 256
"""Maximum number of kinds of cards in a fight, with created and upgraded cards. The next constants are maxima too."""

N_EFFECTS = 800
N_ROWS = 12
N_INTENTS = 96
N_FOLLOWING = 4
N_RELICS = 24
N_POTIONS = 5
N_QUEUE = 56
N_AUTOPLAYS = 12
N_TOP = 12
N_DICE = 80

N_COSTS = 4
"""Random costs are 0 to N_COSTS - 1."""

N_OFFERED = 3
"""Number of cards offered in a choice of random cards."""

STATUS_INDEX = {name: place for place, name in enumerate(STATUSES)}
"""Number of each status. The first N_SHARED are places in `FightRecord.status`. The others, minus N_SHARED, are places
in `FightRecord.powers`: only the player can have them.
"""

N_SHARED = len(SHARED) + len(ENEMY_ONLY)
N_POWERS = len(PLAYER_ONLY)

DEBUFFS = tuple(STATUS_INDEX[name] for name, status in STATUSES.items() if status.debuff)
FADING = tuple(STATUS_INDEX[name] for name, status in STATUSES.items() if status.fades and name not in PLAYER_ONLY)
FADING_POWERS = tuple(STATUS_INDEX[name] - N_SHARED for name, status in PLAYER_ONLY.items() if status.fades)
ENDING_POWERS = tuple(STATUS_INDEX[name] - N_SHARED for name, status in STATUSES.items() if status.ends_with_turn)
DEBUFF_POWERS = tuple(STATUS_INDEX[name] - N_SHARED for name, status in PLAYER_ONLY.items() if status.debuff)
"""Numbers of debuffs, and of statuses that fall by 1 a round. Places of powers: falling, ending with the turn, debuffs.
"""

CHANGE_INDEX = {name: place for place, name in enumerate(CHANGES)}

OP, N, TIMES, TO, ITEM, MORE, AIM = range(7)
N_COLUMNS = 7
"""Columns of an effect, as in `content.effects.SpireEffect`: opcode, amount, number of hits, recipient, status or kind
of card, second number or pile, and the fighter that the card or potion is aimed at.
"""

ATTACK, SKILL, POWER, STATUS, CURSE = range(5)
"""Types of cards."""

ONLY_ATTACKS, IN_DRAW_PILE = 1, 2
"""Conditions of playing a card, see `CompiledRules.condition`."""

PLAYING, WON, LOST, FLED, LATE = range(5)
"""Values of `FightRecord.over`. LATE: not won within `max_turns`."""

HAND, DRAW, DISCARD, EXHAUST = range(4)
"""Piles of cards."""

MAX_COUNT = 127
"""Maximum number of cards of a kind in a pile: a number of one byte."""

NONE = -1

Numbers: TypeAlias = npt.NDArray[np.signedinteger]
"""Integer array of a record."""

Words: TypeAlias = npt.NDArray[np.uint64]


class CompiledRules(Protocol):
    """A record of RULES: everything that is constant during a fight."""

    n_kinds: int
    last_turn: int  # last turn number that a rule reads; `turn` stops counting after it
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
    condition: Annotated[Numbers, N_KINDS]  # of playing it: 0, ONLY_ATTACKS in hand, or IN_DRAW_PILE + a type of card
    end_turn_damage: Annotated[Numbers, N_KINDS]  # these three: what a card in hand does at the end of a turn
    end_turn_status: Annotated[Numbers, N_KINDS]
    end_turn_hp_loss: Annotated[Numbers, N_KINDS]
    energy_when_drawn: Annotated[Numbers, N_KINDS]
    energy_when_exhausted: Annotated[Numbers, N_KINDS]
    returns: Annotated[Numbers, N_KINDS]  # whether a new copy comes into the hand when it is exhausted
    max_cards_per_turn: Annotated[Numbers, N_KINDS]  # maximum number of cards played in a turn while in hand
    hp_loss_per_other_card: Annotated[Numbers, N_KINDS]  # HP lost whenever a card is played while in hand
    strike: Annotated[Numbers, N_KINDS]  # whether its name contains "Strike"
    exhume: Annotated[Numbers, N_KINDS]
    upgraded: Annotated[Numbers, N_KINDS]  # kind of the upgraded card, or NONE
    cheaper: Annotated[Numbers, N_KINDS]  # kind after a loss of HP, or NONE
    grown: Annotated[Numbers, N_KINDS]  # kind after it was played, or NONE
    free_once: Annotated[Numbers, N_KINDS]  # kind that costs nothing until it is played, or NONE
    reverts: Annotated[Numbers, N_KINDS]  # kind after the end of the turn, or NONE
    discarded: Annotated[Numbers, N_KINDS]  # kind in the discard pile
    recost: Annotated[Numbers, (N_KINDS, 2, N_COSTS)]  # kind after its cost of this turn, or of this fight, is set
    pools: Annotated[Numbers, N_KINDS]  # mask of the pools of random cards that contain it
    # Whether a kind reverts, costs HP for other cards, is ethereal, or acts at the end of a turn. Or skip loops.
    any_reverts: int
    any_pain: int
    any_ethereal: int
    any_acts_at_turn_end: int
    by_cost: Annotated[Numbers, N_KINDS]  # the `n_cheaper` kinds that get cheaper, lowest cost first
    n_cheaper: int
    first_effect: Annotated[Numbers, N_KINDS]
    n_effects: Annotated[Numbers, N_KINDS]
    effects: Annotated[Numbers, (N_EFFECTS, N_COLUMNS), "<i2"]
    # Enemies, by row; row 0 means no enemy.
    status: Annotated[Numbers, (N_ROWS, N_SHARED), "<i2"]
    enemy_hp: Annotated[Numbers, (N_ROWS, 2)]
    enemy_block: Annotated[Numbers, N_ROWS]
    random_statuses: Annotated[Numbers, (N_ROWS, 2, 3)]  # (status, minimum, maximum) of up to two rolled statuses
    interrupt_move: Annotated[Numbers, N_ROWS]  # intent after it wakes, splits or shifts to defence
    move_when_alone: Annotated[Numbers, N_ROWS]  # intent when it is the last enemy, or NONE
    children: Annotated[Numbers, (N_ROWS, 2)]
    elite: Annotated[Numbers, N_ROWS]
    # Intents form a Markov chain: each has successors with weights. `opening` precedes an enemy's first intent.
    opening: Annotated[Numbers, N_ROWS]
    intent_effect: Annotated[Numbers, N_INTENTS]
    intent_n_effects: Annotated[Numbers, N_INTENTS]
    attacks: Annotated[Numbers, N_INTENTS]  # whether the intent is an attack
    n_following: Annotated[Numbers, N_INTENTS]
    following: Annotated[Numbers, (N_INTENTS, N_FOLLOWING)]
    weights: Annotated[Numbers, (N_INTENTS, N_FOLLOWING)]
    # Relics, in the order of their acquisition.
    n_relics: int
    relic_when: Annotated[Numbers, N_RELICS]  # its trigger, as AT_TURN in `content.relics`
    relic_turn: Annotated[Numbers, N_RELICS]  # turn in which it acts; 0 means every turn
    relic_every: Annotated[Numbers, N_RELICS]  # acts at every n-th trigger; 0 means once a fight
    relic_kept: Annotated[Numbers, N_RELICS]  # whether its counter continues in the next fight
    relic_effect: Annotated[Numbers, N_RELICS]
    relic_n_effects: Annotated[Numbers, N_RELICS]
    change: Annotated[Numbers, len(CHANGES)]  # changes of the rules by relics, at the places C_ENERGY etc.
    before_pocketwatch: int  # number of triggered relics obtained before Pocketwatch
    # Potions, by place on the belt.
    n_potions: int
    potion_targeted: Annotated[Numbers, N_POTIONS]
    potion_usable: Annotated[Numbers, N_POTIONS]
    potion_revives: Annotated[Numbers, N_POTIONS]
    potion_effect: Annotated[Numbers, N_POTIONS]
    potion_n_effects: Annotated[Numbers, N_POTIONS]

    @property
    def dtype(self) -> np.dtype[np.void]:
        """The dtype of the record."""


RULES = record_dtype(CompiledRules, "<i4")


class FightRecord(Record, Protocol):
    """A record of FIGHT: the state of a fight. Unused entries are 0, so equal states have equal bytes."""

    over: int
    turn: int
    energy: int
    is_player_turn: int  # 0 during the effects at the end of the turn
    is_enemy_turn: int
    hp: Annotated[Numbers, N_FIGHTERS]
    max_hp: Annotated[Numbers, N_FIGHTERS]
    block: Annotated[Numbers, N_FIGHTERS]
    row: Annotated[Numbers, N_FIGHTERS]  # of the enemy in the compiled rules; 0 means no enemy
    intent: Annotated[Numbers, N_FIGHTERS]
    new_statuses: Annotated[Numbers, N_FIGHTERS]  # mask of statuses that do not fade or act this round
    status: Annotated[Numbers, (N_FIGHTERS, N_SHARED)]
    powers: Annotated[Numbers, N_POWERS]
    piles: Annotated[Numbers, (4, N_KINDS), "<i1"]
    n_cards: Annotated[Numbers, 4]
    buried: Annotated[Numbers, N_KINDS, "<i1"]  # cards of the draw pile that cannot be drawn next
    n_buried: int
    top: Annotated[Numbers, N_TOP]  # known cards on the draw pile, the next card last
    n_top: int
    bottom: Annotated[Numbers, N_TOP]  # known cards at the bottom of the draw pile, the lowest first
    n_bottom: int
    potions: Annotated[Numbers, N_POTIONS]
    counters: Annotated[Numbers, N_RELICS]
    pen_nib: int  # Attacks counted by Pen Nib
    played: int  # cards played this turn, if `counts_cards`
    types: int  # mask of the types played this turn, if `counts_cards`
    tail: int  # whether Lizard Tail is used up
    skull: int  # whether Red Skull has given its Strength
    gained: int  # maximum HP gained
    used: int  # potions used
    # The pending choice.
    choosing: int  # 1 + the purpose of the choice (TO_EXHAUST etc. of `content.effects`); 0 without a choice
    choose_pile: int
    choose_n: int
    chosen: int  # cards discarded so far, to draw as many
    choose_from: int  # first kind that can be chosen
    offered: Annotated[Numbers, N_OFFERED]  # 1 + kind of each card that is offered
    # Pending effects.
    queue: Annotated[Numbers, (N_QUEUE, N_COLUMNS)]
    n_queue: int
    autoplays: Annotated[Numbers, (N_AUTOPLAYS, 4)]  # cards that play themselves: (kind, target, energy, how)
    n_autoplays: int
    n_overflows: int  # number of overflows of the arrays above; 0 in a valid fight


FIGHT = record_dtype(FightRecord, "<i2", unit=8)


class Dice(Protocol):
    """A record of DICE, the source of random results: a random stream, or a tape of results (see `chance`)."""

    stream: Annotated[Words, 1]
    mode: int  # SAMPLE, LIST or LIST_ALL_BUT_DRAWS of `chance`
    lists_certain: int  # whether the tape also holds certain results
    position: int  # place of the next result on the tape
    length: int  # number of results on the tape
    results: Annotated[Numbers, N_DICE]
    totals: Annotated[Numbers, N_DICE]  # sums of the weights
    events: Annotated[Numbers, N_DICE]  # types of the events, as in `chance`
    subjects: Annotated[Numbers, N_DICE]
    n_results: Annotated[Numbers, N_DICE]  # numbers below it have weights
    weights: Annotated[Numbers, (N_DICE, N_KINDS)]
    scratch: Annotated[Numbers, N_KINDS]


DICE = record_dtype(Dice, "<i4")


class QueuedEffect(NamedTuple):
    """A row of the queue: the columns of an effect."""

    op: int
    n: int
    times: int
    to: int
    item: int
    more: int
    aim: int


(
    STRENGTH, DEXTERITY, VULNERABLE, WEAK, FRAIL, ARTIFACT, METALLICIZE, PLATED, RITUAL, THORNS, ENRAGE, ANGRY, CURL_UP,
    ASLEEP, BITE, SPORES, SHARP_HIDE, MODE_SHIFT, SHIFTS, REGENERATE, DIVIDER, SPLITS, STOLEN, SHACKLED,
) = range(N_SHARED)  # fmt: skip
"""Places in `FightRecord.status`, in the order of SHARED and ENEMY_ONLY."""

(
    VIGOR, NO_DRAW, DEMON_FORM, STRENGTH_DOWN, DEXTERITY_DOWN, REGEN, ENTANGLED, BARRICADE, BERSERK, BRUTALITY, COMBUST,
    COMBUST_COST, CORRUPTION, DARK_EMBRACE, DOUBLE_TAP, DUPLICATION, EVOLVE, FEEL_NO_PAIN, FIRE_BREATHING,
    FLAME_BARRIER, JUGGERNAUT, RAGE, RUPTURE, INTANGIBLE, BUFFER, NEXT_BLOCK, NEXT_DRAW, NO_BLOCK, MAGNETISM, MAYHEM,
    PANACHE, PANACHE_CARDS, SADISTIC, BOMB_1, BOMB_2, BOMB_3, CONFUSED,
) = range(N_POWERS)  # fmt: skip
"""Places in `FightRecord.powers`, in the order of PLAYER_ONLY."""

(
    C_ENERGY, C_TURN_END_BLOCK, C_FIGHT_END_HEAL, C_FIGHT_END_HEAL_AT_HALF, C_STRIKE_DAMAGE, C_PAPER_PHROG,
    C_ODD_MUSHROOM, C_TORII, C_TUNGSTEN_ROD, C_THE_BOOT, C_CALIPERS, C_ICE_CREAM, C_RUNIC_PYRAMID, C_VELVET_CHOKER,
    C_CHAMPION_BELT, C_HAND_DRILL, C_MAGIC_FLOWER, C_CHEMICAL_X, C_MEDICAL_KIT, C_BLUE_CANDLE, C_RED_SKULL,
    C_LIZARD_TAIL, C_GINGER, C_TURNIP, C_STRANGE_SPOON, C_UNCEASING_TOP, C_PEN_NIB, C_POCKETWATCH, C_ART_OF_WAR,
    C_ORANGE_PELLETS, C_PRESERVED_INSECT, C_NEOWS_LAMENT, C_PHILOSOPHERS_STONE, C_SACRED_BARK, C_SOZU,
    C_FIGHT_END_MAX_HP, C_HAND_SIZE, C_NO_HEALING,
) = range(len(CHANGE_INDEX))  # fmt: skip
"""Places in `CompiledRules.change`, in the order of CHANGES."""
