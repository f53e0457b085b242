"""Potions of the Ironclad, one row each. Open it to add or change a potion."""

from __future__ import annotations

from dataclasses import dataclass

from evodom.spire.content import effects as e
from evodom.spire.content.effects import SpireEffect, blocks, damages, gets


@dataclass(frozen=True)
class Potion:
    """A potion. `doubles` is whether Sacred Bark doubles its numbers."""

    text: str
    effects: tuple[SpireEffect, ...] = ()
    doubles: bool = True
    revives: int = 0
    """HP after a death that it prevents, in percent of the maximum; 0 for other potions."""

    @property
    def targeted(self) -> bool:
        """Whether it needs a target."""
        return any(effect.to == e.TARGET for effect in self.effects)


def _gets(name: str, n: int) -> Potion:
    return Potion(f"{name} {n}", (gets(name, n),))


POTIONS = {
    "Ancient Potion": _gets("Artifact", 1),
    "Block Potion": Potion("12 block", (blocks(12),)),
    "Blessing of the Forge": Potion("upgrade the hand", (SpireEffect(e.OP_UPGRADE_HAND, to=e.SELF),), doubles=False),
    "Blood Potion": Potion("heal 20 % of the maximum", (SpireEffect(e.OP_HEAL, 20, to=e.SELF, more=1),)),
    "Cultist Potion": _gets("Ritual", 1),
    "Dexterity Potion": _gets("Dexterity", 2),
    "Distilled Chaos": Potion("play the top 3 cards of the draw pile", (SpireEffect(e.OP_PLAY_TOP, 3, to=e.SELF),)),
    "Duplication Potion": Potion("the next card this turn is played twice", (gets("Duplication", 1),)),
    "Elixir": Potion(
        "exhaust any number of cards",
        (SpireEffect(e.OP_CHOOSE, e.ANY_NUMBER, to=e.TO_EXHAUST, pile=e.HAND),),
        doubles=False,
    ),
    "Energy Potion": Potion("2 energy", (SpireEffect(e.OP_ENERGY, 2, to=e.SELF),)),
    "Essence of Steel": _gets("Plated Armor", 4),
    "Explosive Potion": Potion("10 damage to all", (damages(10),)),
    "Fairy in a Bottle": Potion("30 % of the maximum of HP instead of death", revives=30),
    "Fear Potion": Potion("Vulnerable 3", (gets("Vulnerable", 3, e.TARGET),)),
    "Fire Potion": Potion("20 damage", (damages(20, e.TARGET),)),
    "Flex Potion": Potion("Strength 5 this turn", (gets("Strength", 5), gets("Strength Down", 5))),
    "Fruit Juice": Potion("5 more HP and maximum of HP", (SpireEffect(e.OP_MAX_HP, 5, to=e.SELF),)),
    "Gambler's Brew": Potion(
        "discard any number of cards and draw as many",
        (SpireEffect(e.OP_CHOOSE, e.ANY_NUMBER, to=e.TO_DISCARD_AND_DRAW, pile=e.HAND),),
        doubles=False,
    ),
    "Heart of Iron": _gets("Metallicize", 6),
    "Liquid Bronze": _gets("Thorns", 3),
    "Regen Potion": _gets("Regen", 5),
    "Smoke Bomb": Potion("flee from the fight, not from a boss", (SpireEffect(e.OP_FLEE, to=e.SELF),), doubles=False),
    "Speed Potion": Potion("Dexterity 5 this turn", (gets("Dexterity", 5), gets("Dexterity Down", 5))),
    "Strength Potion": _gets("Strength", 2),
    "Swift Potion": Potion("draw 3", (SpireEffect(e.OP_DRAW, 3, to=e.SELF),)),
    "Weak Potion": Potion("Weak 3", (gets("Weak", 3, e.TARGET),)),
}
"""All potions by name."""

UNSUPPORTED = {
    "Attack Potion": "makes random cards",
    "Colorless Potion": "makes random cards",
    "Entropic Brew": "makes random potions",
    "Liquid Memories": "makes a card free for a turn",
    "Power Potion": "makes random cards",
    "Skill Potion": "makes random cards",
    "Snecko Oil": "makes random costs",
}
"""Potions that are not supported, with the reason."""
