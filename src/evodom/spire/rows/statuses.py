"""Statuses of a fight, one row each: debuffs (Artifact cancels them), and statuses that fade every round.

The engine (`evodom.spire.engine`) implements their effects. Order: statuses of both sides, of enemies, of the player.
"""

from typing import NamedTuple


class Status(NamedTuple):
    """A status: its description and its properties."""

    text: str
    debuff: bool = False
    fades: bool = False
    turn: bool = False
    """Whether it ends with the player's turn."""


BOTH = {
    "Strength": Status("added to the damage of every hit"),
    "Dexterity": Status("added to the block of every card"),
    "Vulnerable": Status("takes half as much damage again from attacks", debuff=True, fades=True),
    "Weak": Status("deals three quarters of the damage of its attacks", debuff=True, fades=True),
    "Frail": Status("gets three quarters of the block of its cards", debuff=True, fades=True),
    "Artifact": Status("cancels that many debuffs"),
    "Metallicize": Status("block at the end of its turn (of the round, for an enemy)"),
    "Plated Armor": Status("block at the end of its turn; one less after every attack that cost HP"),
    "Ritual": Status("Strength at the end of every round (of its turn, for the player), not in the one it came in"),
    "Thorns": Status("damage to the attacker for every hit"),
}

OF_ENEMIES = {
    "Enrage": Status("Strength whenever the player plays a Skill"),
    "Angry": Status("Strength for every attack hit that cost it HP"),
    "Curl Up": Status("block after the first attack card that cost it HP, once"),
    "Asleep": Status("does nothing, and is stunned for a turn when it loses HP"),
    "Bite": Status("the damage of a louse's bite, rolled when the fight starts"),
    "Spore Cloud": Status("when it dies and others live, the player gets Vulnerable"),
    "Sharp Hide": Status("damage to the player for every Attack played"),
    "Mode Shift": Status("so many HP more to lose, and it turns to defence"),
    "Shifts": Status("how often it has turned to defence"),
    "Regenerate": Status("heals so much at the end of every round"),
    "Divider": Status("the damage of each hit of its Divider, fixed when it was activated"),
    "Splits": Status("splits into two when it has half of its HP or less"),
    "Stolen": Status("gold it has stolen"),
}

OF_PLAYER = {
    "Vigor": Status("added to every hit of the next Attack"),
    "No Draw": Status("no more cards are drawn this turn", debuff=True, turn=True),
    "Demon Form": Status("Strength at the start of every turn"),
    "Strength Down": Status("Strength that is lost at the end of the turn", debuff=True),
    "Dexterity Down": Status("Dexterity that is lost at the end of the turn", debuff=True),
    "Regen": Status("heals so much at the end of the turn, one less each time"),
    "Entangled": Status("no Attacks can be played this turn", debuff=True, turn=True),
    "Barricade": Status("block is kept"),
    "Berserk": Status("energy at the start of every turn"),
    "Brutality": Status("at the start of every turn draw, then lose HP"),
    "Combust": Status("damage to all enemies at the end of the turn"),
    "Combust cost": Status("HP that Combust costs at the end of the turn"),
    "Corruption": Status("Skills cost 0, and exhaust"),
    "Dark Embrace": Status("draws a card for every card exhausted"),
    "Double Tap": Status("so many Attacks are played twice this turn", turn=True),
    "Duplication": Status("so many cards are played twice this turn"),
    "Evolve": Status("draws so many cards for every Status drawn"),
    "Feel No Pain": Status("block for every card exhausted"),
    "Fire Breathing": Status("damage to all enemies for every Status or Curse drawn"),
    "Flame Barrier": Status("damage to the attacker for every hit, until the next turn"),
    "Juggernaut": Status("damage to a random enemy whenever block is gained"),
    "Rage": Status("block for every Attack played this turn", turn=True),
    "Rupture": Status("Strength whenever HP are lost through an own card"),
    "Intangible": Status("every damage and loss of HP is 1"),
    "Buffer": Status("so many losses of HP do not happen"),
    "Next Turn Block": Status("block at the start of the next turn"),
    "Next Turn Draw": Status("cards drawn more at the start of the next turn"),
}

STATUSES = BOTH | OF_ENEMIES | OF_PLAYER
"""All statuses by name."""
