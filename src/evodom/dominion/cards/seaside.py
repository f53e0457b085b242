"""Seaside: the kingdom cards of its second edition.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022.
"""

from evodom.dominion.cards.model import ACTION, ATTACK, Card, CardSet
from evodom.dominion.engine.effects import (
    actions,
    cards,
    choose_revealed,
    coins,
    discard_from_hand,
    each_opponent,
    look,
    move_all,
)
from evodom.dominion.engine.ops import Zone

_CARDS = (
    Card(
        "Lookout",
        3,
        ACTION,
        (
            actions(1),
            look(3),
            choose_revealed("trash", "trash", "Trash one of them", target=Zone.TRASH),
            choose_revealed("discard", "discard", "Discard one of them", target=Zone.DISCARD),
            move_all(Zone.REVEALED, Zone.DECK_TOP, text="Put the last one back"),
        ),
    ),
    Card("Warehouse", 3, ACTION, (cards(3), actions(1), discard_from_hand(n=3))),
    Card("Cutpurse", 4, ACTION | ATTACK, (coins(2), each_opponent(discard_from_hand(name="Copper")))),
    Card("Bazaar", 5, ACTION, (cards(1), actions(2), coins(1))),
)

SEASIDE = CardSet("Seaside", _CARDS, {})
"""Seaside."""
