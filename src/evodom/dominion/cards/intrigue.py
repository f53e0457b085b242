"""Intrigue: the kingdom cards of its second edition.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022. Farm is the new name of Harem.
"""

from evodom.dominion.cards.card import ACTION, ATTACK, CURSE, REACTION, TREASURE, VICTORY, Card, CardSet, VpPer
from evodom.dominion.effects.deck import move_revealed, name_and_take, put_back_revealed, replace_top_card, reveal_own
from evodom.dominion.effects.effect import (
    CHOSEN,
    Counted,
    Requirement,
    Watch,
    choose_options,
    each_opponent,
    group,
    if_chosen,
    on_condition,
    option,
)
from evodom.dominion.effects.hand import (
    actions,
    buys,
    cards,
    coins,
    discard_from_hand,
    discard_hand,
    may_discard,
    may_trash_this,
    pass_cards,
    put_into_deck,
    reveal_from_hand,
    reveal_hand,
    topdeck_from_hand,
    trash_from_hand,
)
from evodom.dominion.effects.ops import Count, Moment, Zone
from evodom.dominion.effects.supply import (
    cheaper,
    gain,
    gain_costing_up_to,
    gain_costing_up_to_trashed,
    gain_from_trash,
    topdeck_gained,
    trash_from_supply,
)

TWO_DISCARDED = Requirement(CHOSEN, "If you discard 2", least=2)
TWO_TRASHED = Requirement(CHOSEN, "If you trash 2", least=2)
IF_NONE = Requirement(CHOSEN, "If you don't", most=0)
NO_ACTIONS = Requirement(Counted(Count.HAND, ACTION), "If it has no Actions", most=0)
FIVE_OR_MORE = Requirement(Counted(Count.HAND), least=5)
FIVE_OR_FEWER = Requirement(Counted(Count.HAND), "If you then have 5 or fewer cards in hand", most=5)
THREE_PLAYED = Requirement(Counted(Count.ACTIONS_PLAYED), "If you have played at least 3 Actions this turn", least=3)
IF_ACTION = Requirement(Counted(Count.CHOSEN_OF, ACTION), "If it is an Action", least=1)
IF_TREASURE = Requirement(Counted(Count.CHOSEN_OF, TREASURE), "If it is a Treasure", least=1)
IF_VICTORY = Requirement(Counted(Count.CHOSEN_OF, VICTORY), "If it is a Victory card", least=1)

_CARDS = (
    Card("Courtyard", 2, ACTION, (cards(3), topdeck_from_hand())),
    Card(
        "Lurker",
        2,
        ACTION,
        (
            actions(1),
            choose_options(1, option("trash", trash_from_supply(ACTION)), option("gain", gain_from_trash(ACTION))),
        ),
        editions=(2,),
    ),
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
    Card("Masquerade", 3, ACTION, (cards(2), pass_cards(), trash_from_hand(optional=True))),
    Card("Shanty Town", 3, ACTION, (actions(2), reveal_hand(), on_condition(NO_ACTIONS, cards(2)))),
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
    Card("Swindler", 3, ACTION | ATTACK, (coins(2), each_opponent(*replace_top_card()))),
    Card("Wishing Well", 3, ACTION, (cards(1), actions(1), *name_and_take())),
    Card(
        "Baron",
        4,
        ACTION,
        (buys(1), may_discard(name="Estate"), if_chosen(coins(4)), on_condition(IF_NONE, gain("Estate"))),
    ),
    Card("Bridge", 4, ACTION, (buys(1), coins(1), cheaper(1))),
    Card("Conspirator", 4, ACTION, (coins(2), on_condition(THREE_PLAYED, group(cards(1), actions(1))))),
    Card(
        "Diplomat",
        4,
        ACTION | REACTION,
        (cards(2), on_condition(FIVE_OR_FEWER, actions(2))),
        editions=(2,),
        reaction=Watch(
            Moment.ATTACK,
            "When another player plays an Attack, you may first reveal this from a hand of 5 or more cards: +2 Cards, "
            "then discard 3 cards",
            (on_condition(FIVE_OR_MORE, group(cards(2), discard_from_hand(3))),),
        ),
    ),
    Card(
        "Ironworks",
        4,
        ACTION,
        (
            gain_costing_up_to(4),
            on_condition(IF_ACTION, actions(1)),
            on_condition(IF_TREASURE, coins(1)),
            on_condition(IF_VICTORY, cards(1)),
        ),
    ),
    Card(
        "Mill",
        4,
        ACTION | VICTORY,
        (cards(1), actions(1), may_discard(2), on_condition(TWO_DISCARDED, coins(2))),
        vp=1,
        editions=(2,),
    ),
    Card("Mining Village", 4, ACTION, (cards(1), actions(2), may_trash_this(), if_chosen(coins(2)))),
    Card("Secret Passage", 4, ACTION, (cards(2), actions(1), *put_into_deck()), editions=(2,)),
    Card(
        "Courtier",
        5,
        ACTION,
        (
            reveal_from_hand(),
            choose_options(
                1,
                option("actions", actions(1)),
                option("buys", buys(1)),
                option("coins", coins(3)),
                option("gold", gain("Gold")),
                text="For each type it has, choose a different one: ",
                counted=Counted(Count.CHOSEN_TYPES),
            ),
        ),
        editions=(2,),
    ),
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
                    each_opponent(on_condition(FIVE_OR_MORE, group(discard_hand(), cards(4)))),
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
        "Replace",
        5,
        ACTION | ATTACK,
        (
            trash_from_hand(),
            gain_costing_up_to_trashed(plus=2),
            topdeck_gained(ACTION, TREASURE, text="If it is an Action or a Treasure, put it onto your deck"),
            on_condition(IF_VICTORY, each_opponent(gain("Curse"))),
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
                )
            ),
        ),
    ),
    Card("Trading Post", 5, ACTION, (trash_from_hand(n=2), on_condition(TWO_TRASHED, gain("Silver", Zone.HAND)))),
    Card(
        "Upgrade", 5, ACTION, (cards(1), actions(1), trash_from_hand(), gain_costing_up_to_trashed(plus=1, exact=True))
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
