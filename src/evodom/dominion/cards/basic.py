"""The seven cards of every Supply."""

from evodom.dominion.cards.card import CURSE, TREASURE, VICTORY, Card
from evodom.dominion.engine.effects import coins

BASIC = (
    Card("Copper", 0, TREASURE, (coins(1),), discard=15),
    Card("Silver", 3, TREASURE, (coins(2),), discard=20),
    Card("Gold", 6, TREASURE, (coins(3),), discard=24),
    Card("Estate", 2, VICTORY, vp=1, discard=9, keep_wanted=35),
    Card("Duchy", 5, VICTORY, vp=3, discard=8, keep_wanted=40),
    Card("Province", 8, VICTORY, vp=6, discard=7, keep=60),
    Card("Curse", 0, CURSE, vp=-1, discard=10, keep=0),
)
"""In the order of their piles."""

COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE_PILE = range(len(BASIC))
