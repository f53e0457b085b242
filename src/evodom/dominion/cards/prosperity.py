"""Cards of Prosperity: Platinum and Colony, two more basic cards that a game has both or neither of."""

from evodom.dominion.cards.model import TREASURE, VICTORY, Card
from evodom.dominion.engine.effects import coins

NAME = "Prosperity"

COLONY_CARDS = (
    Card("Platinum", 9, TREASURE, (coins(5),), card_set=NAME),
    Card("Colony", 11, VICTORY, vp=10, card_set=NAME),
)
"""In the order of their piles, which follow those of the kingdom cards. They are never drawn as kingdom cards."""
