"""The relics, one row each: what they give before the fight, at the start of turns and at their end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evodom.spire import statuses as s
from evodom.spire.effects import ENEMIES, SELF, BoardEffect, Damage, Draw, Energy, Give, PlainBlock


@dataclass(frozen=True)
class Relic:
    """What a relic does, and when it does it.

    `opening` acts before the first turn, `turns[n]` at the start of turn n, `every_turn` at the start of every turn.
    `last_block` is the block it gives at the end of a turn without any; `heal` is the HP after a fight that was won,
    `heal_first` those before a fight.
    """

    text: str
    opening: tuple[BoardEffect, ...] = ()
    turns: Mapping[int, tuple[BoardEffect, ...]] = field(default_factory=dict)
    every_turn: tuple[BoardEffect, ...] = ()
    last_block: int = 0
    heal: int = 0
    heal_first: int = 0


RELICS = {
    "Akabeko": Relic("the first Attack does 8 more", (Give(s.VIGOR, 8, SELF),)),
    "Anchor": Relic("10 block at the start", turns={1: (PlainBlock(10),)}),
    "Bag of Marbles": Relic("all enemies start with Vulnerable 1", (Give(s.VULNERABLE, 1, ENEMIES),)),
    "Bag of Preparation": Relic("2 more cards on turn 1", turns={1: (Draw(2),)}),
    "Blood Vial": Relic("heal 2 at the start", heal_first=2),
    "Bronze Scales": Relic("Thorns 3", (Give(s.THORNS, 3, SELF),)),
    "Burning Blood": Relic("heal 6 after a fight", heal=6),
    "Captain's Wheel": Relic("18 block on turn 3", turns={3: (PlainBlock(18),)}),
    "Horn Cleat": Relic("14 block on turn 2", turns={2: (PlainBlock(14),)}),
    "Lantern": Relic("1 more energy on turn 1", turns={1: (Energy(1),)}),
    "Mercury Hourglass": Relic("3 damage to all enemies at the start of every turn", every_turn=(Damage(3),)),
    "Oddly Smooth Stone": Relic("Dexterity 1", (Give(s.DEXTERITY, 1, SELF),)),
    "Orichalcum": Relic("6 block at the end of a turn without block", last_block=6),
    "Thread and Needle": Relic("Plated Armor 4", (Give(s.PLATED_ARMOR, 4, SELF),)),
    "Vajra": Relic("Strength 1", (Give(s.STRENGTH, 1, SELF),)),
}
"""Every relic by its name."""
