"""The places of statuses, as the kernels know them."""

from evodom.spire.engine.layout import AT, CHANGE, N_SHARED

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
    """Return the place of a status of the player alone."""
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
"""The places of the numbers that relics change."""
