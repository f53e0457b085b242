"""The statuses of a fight, one row each: which are debuffs (Artifact cancels them), and which fade every round."""

from __future__ import annotations

from typing import NamedTuple


class Status(NamedTuple):
    """What kind of status it is; what it does is programmed in `board` and `turn`."""

    text: str
    debuff: bool = False
    fades: bool = False


STRENGTH = "Strength"
DEXTERITY = "Dexterity"
VULNERABLE = "Vulnerable"
WEAK = "Weak"
FRAIL = "Frail"
ARTIFACT = "Artifact"
METALLICIZE = "Metallicize"
PLATED_ARMOR = "Plated Armor"
RITUAL = "Ritual"
ENRAGE = "Enrage"
CURL_UP = "Curl Up"
ASLEEP = "Asleep"
THORNS = "Thorns"
VIGOR = "Vigor"
NO_DRAW = "No Draw"
DEMON_FORM = "Demon Form"
STRENGTH_DOWN = "Strength Down"
BITE = "Bite"

STATUSES = {
    STRENGTH: Status("added to the damage of every hit"),
    DEXTERITY: Status("added to the block of every card"),
    VULNERABLE: Status("takes half as much damage again from attacks", debuff=True, fades=True),
    WEAK: Status("deals three quarters of the damage of its attacks", debuff=True, fades=True),
    FRAIL: Status("gets three quarters of the block of its cards", debuff=True, fades=True),
    ARTIFACT: Status("cancels that many debuffs"),
    METALLICIZE: Status("block at the end of its turn (of the round, for an enemy)"),
    PLATED_ARMOR: Status("block at the end of its turn; one less after every attack that cost HP"),
    RITUAL: Status("Strength at the end of every round but the one in which it came"),
    ENRAGE: Status("Strength whenever the player plays a Skill"),
    CURL_UP: Status("block after the first attack card that cost it HP, once"),
    ASLEEP: Status("does nothing, and is stunned for a turn when it loses HP"),
    THORNS: Status("damage to the attacker for every hit"),
    VIGOR: Status("added to every hit of the next Attack card"),
    NO_DRAW: Status("no more cards are drawn this turn", debuff=True),
    DEMON_FORM: Status("Strength at the start of every turn"),
    STRENGTH_DOWN: Status("Strength that is lost at the end of the turn", debuff=True),
    BITE: Status("the damage of a louse's bite, rolled when the fight starts"),
}
"""Every status with what it does."""
