"""Fingerprint of the rules of fights. After a change of any row, saved fights and trainings cannot be read."""

from functools import cache
from hashlib import blake2b

from evodom.spire.content.cards import CARDS
from evodom.spire.content.enemies import ENEMIES, MAX_ASCENSION, enemy_row
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS


@cache
def rules_fingerprint() -> str:
    """Return a hash of the rows of all cards, enemies, relics and potions."""
    enemies = [enemy_row(name, level) for name in ENEMIES for level in range(MAX_ASCENSION + 1)]
    return blake2b(repr((CARDS, enemies, RELICS, POTIONS)).encode(), digest_size=6).hexdigest()
