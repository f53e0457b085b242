"""The statuses that the exact solver knows, by name: what they do is programmed in `board`, `acts` and `turn`."""

from __future__ import annotations

STRENGTH = "Strength"
DEXTERITY = "Dexterity"
VULNERABLE = "Vulnerable"
WEAK = "Weak"
FRAIL = "Frail"
ARTIFACT = "Artifact"
METALLICIZE = "Metallicize"
PLATED_ARMOR = "Plated Armor"
RITUAL = "Ritual"
THORNS = "Thorns"
ENRAGE = "Enrage"
CURL_UP = "Curl Up"
ASLEEP = "Asleep"
BITE = "Bite"
VIGOR = "Vigor"
NO_DRAW = "No Draw"
DEMON_FORM = "Demon Form"
STRENGTH_DOWN = "Strength Down"

KNOWN = frozenset(
    (
        STRENGTH, DEXTERITY, VULNERABLE, WEAK, FRAIL, ARTIFACT, METALLICIZE, PLATED_ARMOR, RITUAL, THORNS, ENRAGE,
        CURL_UP, ASLEEP, BITE, VIGOR, NO_DRAW, DEMON_FORM, STRENGTH_DOWN,
    )
)  # fmt: skip
