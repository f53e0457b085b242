"""Intrigue: the kingdom cards of its second edition.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022. Farm is the new name of Harem.
"""

from evodom.dominion.cards.model import ACTION, CURSE, TREASURE, VICTORY, Card, CardSet, VpPer
from evodom.dominion.engine.effects import (
    buys,
    cards,
    cheaper,
    coins,
    move_revealed,
    put_back_revealed,
    reveal_own,
    topdeck_from_hand,
)
from evodom.dominion.engine.ops import Zone

_CARDS = (
    Card("Courtyard", 2, ACTION, (cards(3), topdeck_from_hand())),
    Card("Bridge", 4, ACTION, (buys(1), coins(1), cheaper(1))),
    Card("Duke", 5, VICTORY, vp_per=VpPer(1, name="Duchy")),
    Card(
        "Patrol",
        5,
        ACTION,
        (
            cards(3),
            reveal_own(4),
            move_revealed(Zone.HAND, VICTORY, CURSE, text="Put the Victory cards and Curses into your hand"),
            put_back_revealed(),
        ),
        editions=(2,),
    ),
    Card("Farm", 6, TREASURE | VICTORY, (coins(2),), vp=2),
)

INTRIGUE = CardSet("Intrigue", _CARDS, {})
"""Intrigue."""
