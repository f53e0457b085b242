"""Effects as data: opcodes, and constructors of the effects of cards, enemies' moves, relics and potions.

`evodom.spire.engine` encodes an effect as a row of integers and resolves it. Write effects with the functions below.
Functions for cards return two effects, one of the plain and one of the upgraded card. Functions for enemies, relics and
potions return one effect.

cards           others
`hit`           `attack`
`give`          `apply_status`
`create`        `add_cards`
`block`         `plain_block`, which Dexterity and Frail do not change
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TARGET, SELF, ENEMIES, RANDOM, OTHER = 0, 1, 2, 3, 4
"""Recipients of an effect: its target, its source, all enemies, a random enemy, a random other enemy."""

HAND, DRAW, DISCARD, EXHAUST = 0, 1, 2, 3
PILES = ("hand", "draw", "discard", "exhaust")
"""Piles of cards, and their names."""

# Opcodes in groups. The unused numbers between two groups have no meaning.
# Damage and block.
OP_HIT, OP_HIT_BLOCK, OP_HIT_STRIKES, OP_HIT_X, OP_BITE, OP_DIVIDE, OP_FEED, OP_REAP, OP_DROPKICK = range(1, 10)
OP_DAMAGE, OP_BLOCK, OP_PLAIN_BLOCK, OP_DOUBLE_BLOCK = range(10, 14)
OP_LOSE_HP, OP_HEAL, OP_MAX_HP = range(15, 18)
# Statuses and energy. Only the engine queues OP_DEFENSIVE_MODE.
OP_GIVE, OP_LOSE, OP_DOUBLE_STRENGTH, OP_SPOT, OP_ENERGY, OP_SHACKLE, OP_DEFENSIVE_MODE = range(20, 27)
# Cards.
OP_DRAW, OP_CREATE, OP_EXHAUST_RANDOM, OP_EXHAUST_HAND, OP_EXHAUST_OTHERS, OP_UPGRADE_HAND = range(30, 36)
OP_PLAY_TOP, OP_CHOOSE, OP_UPGRADE_COPIES, OP_UPGRADE_RANDOM = range(36, 40)
# Cards of the draw pile.
OP_DRAW_WITHOUT_ATTACKS, OP_SHUFFLE_ALL, OP_TAKE_ATTACKS = range(70, 73)
# Enemies' moves.
OP_STEAL, OP_ESCAPE, OP_PROTECT, OP_SPLIT, OP_ACTIVATE, OP_ATTACK_MODE, OP_FLEE = range(40, 47)
# Effects that only the engine queues.
OP_END_CARD, OP_DAMAGE_PLAYER, OP_ENEMY_BLOCK, OP_END_PEN_NIB, OP_CURE = range(50, 55)
OP_DISCARD_HAND, OP_END_TURN, OP_SHUFFLE, OP_RED_SKULL = range(56, 60)
# Random cards and costs. OP_RANDOM_COSTS changes the hand (`n` = 0), or the kind `item` (`n` = 1).
OP_MAKE, OP_OFFER, OP_FREE_RANDOM, OP_RANDOM_COSTS, OP_LIMIT_COSTS = range(60, 65)

# Purposes of a choice of cards.
TO_EXHAUST, TO_DRAW_TOP, TO_HAND, TO_UPGRADE, TO_COPY, TO_DISCARD_AND_DRAW, TO_TAKE_ATTACK, TO_TAKE_SKILL = range(8)
TO_HAND_FREE, TO_ADD, TO_ADD_OR_SKIP, TO_DRAW_BOTTOM = range(8, 12)

THIS_TURN, THIS_FIGHT = 1, 2
"""Values of `scope`: a changed cost lasts this turn, or the fight."""

ANY_NUMBER = 99
"""`n` of a choice of any number of cards."""

X = -1
"""`n` of an effect that uses all energy."""

UP_TO = 80
"""UP_TO + k is `n` of a choice of at most k cards."""


@dataclass(frozen=True)
class SpireEffect:
    """One change to a fight."""

    op: int
    n: int = 0
    times: int = 1
    to: int = TARGET
    """Recipient of the effect. For OP_CHOOSE: the purpose of the choice, TO_EXHAUST etc."""
    name: str = ""
    """Status, card, move or pool of cards of the effect."""
    pile: int = HAND
    scope: int = 0
    """THIS_TURN or THIS_FIGHT if the effect changes the cost of cards, otherwise 0."""
    strength: int = 1
    """Number of times that Strength counts in a hit."""
    more: int = 0
    """Second number of these operations:

    OP_FEED         maximum HP gained
    OP_HIT_BLOCK    1 if the damage is the size of the draw pile, 0 if it is the block
    OP_HIT_STRIKES  damage for each card with Strike in its name
    OP_PLAY_TOP     1 if the played cards are exhausted, else 0
    OP_UPGRADE_HAND 1 if the cards of all piles are upgraded, else 0
    OP_HEAL         1 if `n` is a percentage of the maximum HP, 0 if it is a number of HP
    """


EffectPair = tuple[SpireEffect, SpireEffect]
"""An effect of a plain card and of its upgraded version."""


PerVersion = int | str | tuple[int, int] | tuple[str, str]
"""A field of an effect: one value, or (plain, upgraded)."""


def fields_of_version(fields: Mapping[str, PerVersion], version: int) -> dict[str, Any]:
    """Return the fields of the plain card (version 0) or of the upgraded card (version 1)."""
    return {name: value[version] if isinstance(value, tuple) else value for name, value in fields.items()}


def effect_pair(op: int, n: int = 0, upgraded: int | None = None, **fields: PerVersion) -> EffectPair:
    """Return an effect of a card, plain and upgraded.

    `n` is the number of the plain card. `upgraded` is the number of the upgraded card, by default `n`. `fields` are
    other fields of the effects.
    """
    plain, other = (fields_of_version(fields, version) for version in (0, 1))
    return SpireEffect(op, n, **plain), SpireEffect(op, n if upgraded is None else upgraded, **other)


# Functions for cards.


def hit(n: int, upgraded: int | None = None, *, times: int | tuple[int, int] = 1, to: int = TARGET) -> EffectPair:
    """Attack for `n`, `times` times."""
    return effect_pair(OP_HIT, n, upgraded, times=times, to=to)


def block(n: int, upgraded: int | None = None) -> EffectPair:
    """Gain block, more with Dexterity and less when Frail."""
    return effect_pair(OP_BLOCK, n, upgraded, to=SELF)


def give(name: str, n: int, upgraded: int | None = None, *, to: int = TARGET) -> EffectPair:
    """Give a status."""
    return effect_pair(OP_GIVE, n, upgraded, name=name, to=to)


def draw(n: int, upgraded: int | None = None) -> EffectPair:
    """Draw cards."""
    return effect_pair(OP_DRAW, n, upgraded, to=SELF)


def energy(n: int, upgraded: int | None = None) -> EffectPair:
    """Gain energy for this turn."""
    return effect_pair(OP_ENERGY, n, upgraded, to=SELF)


def lose_hp(n: int) -> EffectPair:
    """Lose HP, ignoring block."""
    return effect_pair(OP_LOSE_HP, n, to=SELF)


def heal(n: int, upgraded: int | None = None) -> EffectPair:
    """Heal HP."""
    return effect_pair(OP_HEAL, n, upgraded, to=SELF)


def create(name: str, upgraded: str | None = None, *, n: int = 1, pile: int = DISCARD) -> EffectPair:
    """Put new cards into a pile."""
    return effect_pair(OP_CREATE, n, to=SELF, name=(name, upgraded or name), pile=pile)


def make(pool: str, n: int = 1, upgraded: int | None = None, *, pile: int = HAND, scope: int = 0) -> EffectPair:
    """Put random cards of a pool into a pile."""
    return effect_pair(OP_MAKE, n, upgraded, to=SELF, name=pool, pile=pile, scope=scope)


def offer(pool: str) -> EffectPair:
    """Choose one of three random cards of a pool, which costs 0 this turn."""
    return effect_pair(OP_OFFER, 1, to=TO_ADD, name=pool, scope=THIS_TURN)


def choose(purpose: int, n: int = 1, upgraded: int | None = None, *, pile: int = HAND) -> EffectPair:
    """Choose cards of a pile for a purpose (TO_EXHAUST etc.)."""
    return effect_pair(OP_CHOOSE, n, upgraded, to=purpose, pile=pile)


# Functions for enemies, relics and potions.


def attack(n: int, times: int = 1) -> SpireEffect:
    """Attack the target."""
    return SpireEffect(OP_HIT, n, times)


def apply_status(name: str, n: int, to: int = SELF) -> SpireEffect:
    """Give a status to the source, or to another recipient."""
    return SpireEffect(OP_GIVE, n, to=to, name=name)


def plain_block(n: int) -> SpireEffect:
    """Gain block, unaffected by Dexterity and Frail."""
    return SpireEffect(OP_PLAIN_BLOCK, n, to=SELF)


def add_cards(name: str, n: int, pile: int = DISCARD) -> SpireEffect:
    """Put new cards into a pile of the player."""
    return SpireEffect(OP_CREATE, n, to=SELF, name=name, pile=pile)


def deal_damage(n: int, to: int = ENEMIES) -> SpireEffect:
    """Deal damage that is not an attack. Block reduces it; Strength, Weak and Vulnerable do not change it."""
    return SpireEffect(OP_DAMAGE, n, to=to)
