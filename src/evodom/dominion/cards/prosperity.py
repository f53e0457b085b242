"""Prosperity: the kingdom cards of its second edition, and Platinum and Colony, which a game has both or neither of.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022.
"""

from evodom.dominion.cards.model import ACTION, ATTACK, TREASURE, VICTORY, Card, CardSet
from evodom.dominion.engine.effects import (
    actions,
    buys,
    cards,
    cheaper,
    choose_action,
    coins,
    each_opponent,
    gain_costing_up_to_trashed,
    move_revealed,
    play_chosen,
    put_back_revealed,
    reveal,
    trash_from_hand,
)
from evodom.dominion.engine.ops import Zone

NAME = "Prosperity"

COLONY_CARDS = (
    Card("Platinum", 9, TREASURE, (coins(5),), card_set=NAME),
    Card("Colony", 11, VICTORY, vp=10, card_set=NAME),
)
"""In the order of their piles, which follow those of the kingdom cards. They are never drawn as kingdom cards."""

_CARDS = (
    Card("Quarry", 4, TREASURE, (coins(1), cheaper(2, ACTION))),
    Card("Worker's Village", 4, ACTION, (cards(1), actions(2), buys(1))),
    Card(
        "Rabble",
        5,
        ACTION | ATTACK,
        (
            cards(3),
            each_opponent(
                reveal(3),
                move_revealed(Zone.DISCARD, ACTION, TREASURE, text="discards the revealed Actions and Treasures"),
                put_back_revealed("puts the rest back in any order they choose"),
            ),
        ),
    ),
    Card("Expand", 7, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=3))),
    Card("King's Court", 7, ACTION, (choose_action(3), play_chosen(3))),
)

PROSPERITY = CardSet(NAME, _CARDS, {})
"""Prosperity."""
