"""Potions of the Ironclad, one row each. Open it to add or change a potion."""

from dataclasses import dataclass

from evodom.spire.content import effects as e
from evodom.spire.content.cards import COLOURLESS
from evodom.spire.content.effects import SpireEffect, apply_status, deal_damage, plain_block


@dataclass(frozen=True)
class Potion:
    """A potion. With Sacred Bark its numbers double if `doubles` is true."""

    text: str
    effects: tuple[SpireEffect, ...] = ()
    doubles: bool = True
    revives: int = 0
    """Percent of the maximum HP that the player has instead of dying; 0 for other potions."""

    @property
    def targeted(self) -> bool:
        """Whether it needs a target."""
        return any(effect.to == e.TARGET for effect in self.effects)


def _status_potion(name: str, n: int) -> Potion:
    return Potion(f"{name} {n}", (apply_status(name, n),))


def _offer_potion(pool: str, purpose: int) -> Potion:
    offer = SpireEffect(e.OP_OFFER, 1, to=purpose, name=pool, scope=e.THIS_TURN)
    return Potion(f"choose 1 of 3 random cards ({pool}), which costs 0 this turn", (offer,))


def _choice_potion(text: str, purpose: int) -> Potion:
    return Potion(text, (SpireEffect(e.OP_CHOOSE, e.ANY_NUMBER, to=purpose, pile=e.HAND),), doubles=False)


POTIONS = {
    "Ancient Potion": _status_potion("Artifact", 1),
    "Attack Potion": _offer_potion("Attack", e.TO_ADD_OR_SKIP),
    "Block Potion": Potion("12 block", (plain_block(12),)),
    "Blessing of the Forge": Potion("upgrade the hand", (SpireEffect(e.OP_UPGRADE_HAND, to=e.SELF),), doubles=False),
    "Blood Potion": Potion("heal 20 % of the maximum", (SpireEffect(e.OP_HEAL, 20, to=e.SELF, more=1),)),
    "Colorless Potion": _offer_potion(COLOURLESS, e.TO_ADD),
    "Cultist Potion": _status_potion("Ritual", 1),
    "Dexterity Potion": _status_potion("Dexterity", 2),
    "Distilled Chaos": Potion("play the top 3 cards of the draw pile", (SpireEffect(e.OP_PLAY_TOP, 3, to=e.SELF),)),
    "Duplication Potion": Potion("the next card this turn is played twice", (apply_status("Duplication", 1),)),
    "Elixir": _choice_potion("exhaust any number of cards", e.TO_EXHAUST),
    "Energy Potion": Potion("2 energy", (SpireEffect(e.OP_ENERGY, 2, to=e.SELF),)),
    "Essence of Steel": _status_potion("Plated Armor", 4),
    "Explosive Potion": Potion("10 damage to all", (deal_damage(10),)),
    "Fairy in a Bottle": Potion("30 % of the maximum of HP instead of death", revives=30),
    "Fear Potion": Potion("Vulnerable 3", (apply_status("Vulnerable", 3, e.TARGET),)),
    "Fire Potion": Potion("20 damage", (deal_damage(20, e.TARGET),)),
    "Flex Potion": Potion("Strength 5 this turn", (apply_status("Strength", 5), apply_status("Strength Down", 5))),
    "Fruit Juice": Potion("5 more HP and maximum of HP", (SpireEffect(e.OP_MAX_HP, 5, to=e.SELF),)),
    "Gambler's Brew": _choice_potion("discard any number of cards and draw as many", e.TO_DISCARD_AND_DRAW),
    "Heart of Iron": _status_potion("Metallicize", 6),
    "Liquid Bronze": _status_potion("Thorns", 3),
    "Liquid Memories": Potion(
        "take a card of the discard pile into the hand, it costs 0 this turn",
        (SpireEffect(e.OP_CHOOSE, 1, to=e.TO_HAND_FREE, pile=e.DISCARD, scope=e.THIS_TURN),),
    ),
    "Power Potion": _offer_potion("Power", e.TO_ADD_OR_SKIP),
    "Regen Potion": _status_potion("Regen", 5),
    "Skill Potion": _offer_potion("Skill", e.TO_ADD_OR_SKIP),
    "Smoke Bomb": Potion("flee from the fight, not from a boss", (SpireEffect(e.OP_FLEE, to=e.SELF),), doubles=False),
    "Snecko Oil": Potion(
        "draw 5, then every card of the hand gets a random cost of 0 to 3",
        (SpireEffect(e.OP_DRAW, 5, to=e.SELF), SpireEffect(e.OP_RANDOM_COSTS, to=e.SELF)),
    ),
    "Speed Potion": Potion("Dexterity 5 this turn", (apply_status("Dexterity", 5), apply_status("Dexterity Down", 5))),
    "Strength Potion": _status_potion("Strength", 2),
    "Swift Potion": Potion("draw 3", (SpireEffect(e.OP_DRAW, 3, to=e.SELF),)),
    "Weak Potion": Potion("Weak 3", (apply_status("Weak", 3, e.TARGET),)),
}
"""All potions by name."""

UNSUPPORTED = {"Entropic Brew": "makes random potions"}
"""Potions that are not supported, with the reason."""
