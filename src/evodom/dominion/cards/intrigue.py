"""Intrigue: the kingdom cards of its second edition.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022. Farm is the new name of Harem.
"""

from evodom.dominion.cards.model import ACTION, ATTACK, CURSE, TREASURE, VICTORY, Card, CardSet, VpPer
from evodom.dominion.engine.effects import (
    Condition,
    Counted,
    actions,
    buys,
    cards,
    cheaper,
    choose_options,
    coins,
    discard_from_hand,
    discard_hand,
    each_opponent,
    gain,
    group,
    move_revealed,
    on_condition,
    option,
    put_back_revealed,
    reveal_own,
    topdeck_from_hand,
    trash_from_hand,
)
from evodom.dominion.engine.ops import Count, Zone

_CARDS = (
    Card("Courtyard", 2, ACTION, (cards(3), topdeck_from_hand())),
    Card(
        "Pawn",
        2,
        ACTION,
        (
            choose_options(
                2,
                option("cards", cards(1)),
                option("actions", actions(1)),
                option("buys", buys(1)),
                option("coins", coins(1)),
            ),
        ),
    ),
    Card(
        "Steward",
        3,
        ACTION,
        (
            choose_options(
                1, option("cards", cards(2)), option("coins", coins(2)), option("trash", trash_from_hand(n=2))
            ),
        ),
    ),
    Card("Bridge", 4, ACTION, (buys(1), coins(1), cheaper(1))),
    Card("Duke", 5, VICTORY, vp_per=VpPer(1, name="Duchy")),
    Card(
        "Minion",
        5,
        ACTION | ATTACK,
        (
            actions(1),
            choose_options(
                1,
                option("coins", coins(2)),
                option(
                    "discard",
                    discard_hand(),
                    cards(4),
                    each_opponent(
                        on_condition(
                            Condition(Counted(Count.HAND), least=5),
                            group(discard_hand(), cards(4)),
                        ),
                    ),
                    text="discard your hand, +4 Cards, and each other player with at least 5 cards in hand discards it "
                    "and draws 4 cards",
                ),
            ),
        ),
    ),
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
    Card(
        "Torturer",
        5,
        ACTION | ATTACK,
        (
            cards(3),
            each_opponent(
                choose_options(
                    1,
                    option("discard", discard_from_hand(2)),
                    option("curse", gain("Curse", Zone.HAND), text="gain a Curse to hand"),
                    text="chooses one: ",
                ),
            ),
        ),
    ),
    Card("Farm", 6, TREASURE | VICTORY, (coins(2),), vp=2),
    Card(
        "Nobles",
        6,
        ACTION | VICTORY,
        (choose_options(1, option("cards", cards(3)), option("actions", actions(2))),),
        vp=2,
    ),
)

INTRIGUE = CardSet("Intrigue", _CARDS, {})
"""Intrigue."""
