"""Statuses of a fight, one row each: descriptions and properties.

The engine (`evodom.spire.engine`) implements their effects. It numbers the statuses in the order of `STATUSES`.
"""

from typing import NamedTuple


class Status(NamedTuple):
    """A status: its description and its properties."""

    text: str
    debuff: bool = False
    """Whether Artifact cancels it."""
    fades: bool = False
    """Whether its amount falls by 1 every round."""
    ends_with_turn: bool = False
    """Whether it ends at the end of the player's turn."""


SHARED = {
    "Strength": Status("added to the damage of every hit"),
    "Dexterity": Status("added to the block of every card"),
    "Vulnerable": Status("takes 50 % more damage from attacks", debuff=True, fades=True),
    "Weak": Status("deals 25 % less damage with attacks", debuff=True, fades=True),
    "Frail": Status("gains 25 % less block from cards", debuff=True, fades=True),
    "Artifact": Status("number of debuffs that it cancels"),
    "Metallicize": Status("block at the end of its turn (of the round, for an enemy)"),
    "Plated Armor": Status("block at the end of its turn; 1 less after each attack that costs HP"),
    "Ritual": Status("Strength at the end of each round (of each turn, for the player), from the next on"),
    "Thorns": Status("damage to the attacker for every hit"),
}

ENEMY_ONLY = {
    "Enrage": Status("Strength whenever the player plays a Skill"),
    "Angry": Status("Strength for each hit that costs it HP"),
    "Curl Up": Status("block, once, after the first attack card that costs it HP"),
    "Asleep": Status("does nothing, and is stunned for a turn when it loses HP"),
    "Bite": Status("the damage of a louse's bite, rolled when the fight starts"),
    "Spore Cloud": Status("Vulnerable for the player when it dies and other enemies are alive"),
    "Sharp Hide": Status("damage to the player for every Attack played"),
    "Mode Shift": Status("HP it can lose before it shifts to defence"),
    "Shifts": Status("number of shifts to defence"),
    "Regenerate": Status("HP healed at the end of each round"),
    "Divider": Status("damage of each hit of Divider, fixed by Activate"),
    "Splits": Status("splits into two at half of its HP or less"),
    "Stolen": Status("gold it has stolen"),
    "Shackled": Status("Strength that it regains at the end of the round", debuff=True),
}

PLAYER_ONLY = {
    "Vigor": Status("added to every hit of the next Attack"),
    "No Draw": Status("no more cards are drawn this turn", debuff=True, ends_with_turn=True),
    "Demon Form": Status("Strength at the start of every turn"),
    "Strength Down": Status("Strength that is lost at the end of the turn", debuff=True),
    "Dexterity Down": Status("Dexterity that is lost at the end of the turn", debuff=True),
    "Regen": Status("HP healed at the end of the turn, 1 less each turn"),
    "Entangled": Status("no Attacks can be played this turn", debuff=True, ends_with_turn=True),
    "Barricade": Status("block is kept"),
    "Berserk": Status("energy at the start of every turn"),
    "Brutality": Status("cards drawn, then HP lost, at the start of each turn"),
    "Combust": Status("damage to all enemies at the end of the turn"),
    "Combust cost": Status("HP that Combust costs at the end of the turn"),
    "Corruption": Status("Skills cost 0, and exhaust"),
    "Dark Embrace": Status("draws a card for every card exhausted"),
    "Double Tap": Status("Attacks played twice this turn", ends_with_turn=True),
    "Duplication": Status("cards played twice this turn", fades=True),
    "Evolve": Status("cards drawn for each Status drawn"),
    "Feel No Pain": Status("block for every card exhausted"),
    "Fire Breathing": Status("damage to all enemies for every Status or Curse drawn"),
    "Flame Barrier": Status("damage to the attacker for every hit, until the next turn"),
    "Juggernaut": Status("damage to a random enemy whenever block is gained"),
    "Rage": Status("block for every Attack played this turn", ends_with_turn=True),
    "Rupture": Status("Strength whenever a card of the player costs HP"),
    "Intangible": Status("all damage and losses of HP are reduced to 1", fades=True),
    "Buffer": Status("losses of HP that are prevented"),
    "Next Turn Block": Status("block at the start of the next turn"),
    "Next Turn Draw": Status("additional cards drawn at the start of the next turn"),
    "No Block": Status("no block from cards", debuff=True, fades=True),
    "Magnetism": Status("random colourless cards into the hand at the start of each turn"),
    "Mayhem": Status("cards of the draw pile played at the start of each turn"),
    "Panache": Status("damage to all enemies for every fifth card of a turn"),
    "Panache cards": Status("cards of this turn counted by Panache"),
    "Sadistic Nature": Status("damage to an enemy for each debuff it is given"),
    "Bomb in 1 turn": Status("damage to all enemies at the end of this turn"),
    "Bomb in 2 turns": Status("damage to all enemies at the end of the next turn"),
    "Bomb in 3 turns": Status("damage to all enemies at the end of the turn after the next"),
    "Confused": Status("every card drawn gets a random cost of 0 to 3", debuff=True),
}

STATUSES = SHARED | ENEMY_ONLY | PLAYER_ONLY
"""All statuses by name."""
