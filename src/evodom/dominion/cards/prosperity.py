"""Prosperity: the kingdom cards of its second edition. Also Platinum and Colony, which a game has both or not at all.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022.
"""

from dataclasses import replace

from evodom.dominion.cards.card import ACTION, ATTACK, DURATION, REACTION, TREASURE, VICTORY, Card, CardChange, CardSet
from evodom.dominion.effects.deck import look_and_decide, move_revealed, put_back_revealed, reveal
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
    per,
)
from evodom.dominion.effects.hand import (
    actions,
    buys,
    cards,
    choose_to_play,
    coins,
    discard_any,
    draw_to_hand_size,
    may_discard,
    may_move_this,
    move_all,
    move_this,
    play_chosen,
    reveal_from_hand,
    reveal_hand,
    topdeck_from_hand,
    trash_any,
    trash_from_hand,
    trash_this,
    vp_tokens,
)
from evodom.dominion.effects.ops import Among, Count, Moment, Trigger, Zone
from evodom.dominion.effects.supply import (
    cheaper,
    gain,
    gain_copy,
    gain_costing_sum,
    gain_costing_up_to,
    gain_costing_up_to_trashed,
    left_player_names_card,
)

NAME = "Prosperity"

COLONY_CARDS = (
    Card("Platinum", 9, TREASURE, (coins(5),), card_set=NAME),
    Card("Colony", 11, VICTORY, vp=10, card_set=NAME),
)
"""Platinum and Colony. Their piles follow those of the kingdom cards. They are never drawn as kingdom cards."""

TREASURES_IN_HAND, TREASURES_IN_PLAY = Counted(Count.HAND, TREASURE), Counted(Count.IN_PLAY, TREASURE)
UNIQUE_TREASURES = Counted(Count.HAND_NAMES, TREASURE)
CHOSEN_COST = Counted(Count.CHOSEN_COST)
PILE_EMPTY = Requirement(Counted(Count.EMPTY_PILES), "If there is an empty Supply pile", least=1)
TWO_EMPTY = Requirement(Counted(Count.EMPTY_PILES), "If there are 2 or more", least=2)
FIVE_OR_MORE = Requirement(Counted(Count.HAND), "if they have 5 or more cards in hand", least=5)
TWO_DISCARDED = Requirement(CHOSEN, least=2)

_CARDS = (
    Card(
        "Anvil", 3, TREASURE, (coins(1), may_discard(types=TREASURE), if_chosen(gain_costing_up_to(4))), editions=(2,)
    ),
    Card(
        "Watchtower",
        3,
        ACTION | REACTION,
        (draw_to_hand_size(6),),
        reaction=Watch(
            Moment.GAIN,
            "When you gain a card, you may reveal this from your hand, to trash that card or to put it onto your deck",
            (
                replace(
                    choose_options(
                        1,
                        option("trash", move_this(Zone.TRASH, "trash it")),
                        option("topdeck", move_this(Zone.DECK_TOP, "put it onto your deck")),
                    ),
                    kind="reveal_watchtower",
                    optional=True,
                ),
            ),
        ),
    ),
    Card(
        "Bishop",
        4,
        ACTION,
        (
            coins(1),
            vp_tokens(1),
            trash_from_hand(),
            replace(per(CHOSEN_COST, "", vp_tokens(1), n=2), text="+1 VP per $2 it costs, rounded down"),
            replace(
                each_opponent(trash_from_hand(optional=True)), text="Each other player may trash a card from their hand"
            ),
        ),
    ),
    Card(
        "Clerk",
        4,
        ACTION | REACTION | ATTACK,
        (
            coins(2),
            replace(
                each_opponent(on_condition(FIVE_OR_MORE, topdeck_from_hand())),
                text="Each other player with 5 or more cards in hand puts one onto their deck",
            ),
        ),
        editions=(2,),
        reaction=Watch(Moment.TURN, "At the start of your turn, you may play this from your hand"),
    ),
    Card(
        "Investment",
        4,
        TREASURE,
        (
            trash_from_hand(),
            choose_options(
                1,
                option("coins", coins(1)),
                option(
                    "trash",
                    trash_this(),
                    if_chosen(
                        group(reveal_hand(), per(UNIQUE_TREASURES, "differently named Treasure in it", vp_tokens(1)))
                    ),
                    text="trash this to reveal your hand for +1 VP per differently named Treasure in it",
                ),
            ),
        ),
        editions=(2,),
    ),
    Card("Monument", 4, ACTION, (coins(2), vp_tokens(1))),
    Card("Quarry", 4, TREASURE, (coins(1), cheaper(2, ACTION))),
    Card(
        "Tiara",
        4,
        TREASURE,
        (buys(1), choose_to_play(2, TREASURE), play_chosen(2)),
        editions=(2,),
        this_turn=Watch(
            Moment.GAIN,
            "This turn, when you gain a card, you may put it onto your deck",
            (may_move_this(Zone.DECK_TOP, "", "put onto your deck", "topdeck_gained"),),
        ),
    ),
    Card("Worker's Village", 4, ACTION, (cards(1), actions(2), buys(1))),
    Card(
        "Charlatan",
        5,
        ACTION | ATTACK,
        (coins(3), each_opponent(gain("Curse"))),
        editions=(2,),
        changes=CardChange("Curse", TREASURE, (coins(1),), "In games using this, Curse is also a Treasure worth $1"),
    ),
    Card(
        "City",
        5,
        ACTION,
        (cards(1), actions(2), on_condition(PILE_EMPTY, cards(1)), on_condition(TWO_EMPTY, group(buys(1), coins(1)))),
    ),
    Card(
        "Collection",
        5,
        TREASURE,
        (coins(2), buys(1)),
        editions=(2,),
        this_turn=Watch(Moment.GAIN, "This turn, when you gain an Action card, +1 VP", (vp_tokens(1),), types=ACTION),
    ),
    Card("Crystal Ball", 5, TREASURE, (coins(1), *look_and_decide()), editions=(2,)),
    Card("Magnate", 5, ACTION, (reveal_hand(), per(TREASURES_IN_HAND, "Treasure in it", cards(1))), editions=(2,)),
    Card(
        "Mint",
        5,
        ACTION,
        (reveal_from_hand(TREASURE, optional=True), gain_copy()),
        on_event={
            Trigger.GAINED: (
                replace(
                    move_all(Zone.IN_PLAY, Zone.TRASH, TREASURE, "trash your Treasures in play except Durations"),
                    except_types=DURATION,
                ),
            )
        },
    ),
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
    Card(
        "Vault",
        5,
        ACTION,
        (
            cards(2),
            discard_any(),
            per(CHOSEN, "discarded card", coins(1)),
            replace(
                each_opponent(may_discard(2), on_condition(TWO_DISCARDED, cards(1))),
                text="Each other player may discard 2 cards, to draw a card",
            ),
        ),
    ),
    Card(
        "War Chest",
        5,
        TREASURE,
        (*left_player_names_card(), gain_costing_up_to(5, among=Among.NOT_NAMED)),
        editions=(2,),
    ),
    Card("Grand Market", 6, ACTION, (cards(1), actions(1), buys(1), coins(2)), not_bought_with="Copper"),
    Card(
        "Hoard",
        6,
        TREASURE,
        (coins(2),),
        this_turn=Watch(
            Moment.GAIN,
            "This turn, when you gain a Victory card that you bought, gain a Gold",
            (gain("Gold"),),
            types=VICTORY,
            bought=True,
        ),
    ),
    Card("Bank", 7, TREASURE, (per(TREASURES_IN_PLAY, "Treasure you have in play, this included", coins(1)),)),
    Card("Expand", 7, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=3))),
    Card("Forge", 7, ACTION, (trash_any(), gain_costing_sum())),
    Card("King's Court", 7, ACTION, (choose_to_play(3), play_chosen(3))),
    Card("Peddler", 8, ACTION, (cards(1), actions(1), coins(1)), cheaper_per_action=2),
)

PROSPERITY = CardSet(NAME, _CARDS, {})
