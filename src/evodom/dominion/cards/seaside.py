"""Seaside: the kingdom cards of its second edition.

Costs, types and effects: Rio Grande Games, second edition, with the texts of 2022.
"""

from dataclasses import replace

from evodom.dominion.cards.card import ACTION, ATTACK, DURATION, REACTION, TREASURE, VICTORY, Card, CardSet
from evodom.dominion.effects.deck import choose_revealed, look, mat_or_hand, take_copy_in_play
from evodom.dominion.effects.effect import (
    CHOSEN,
    Counted,
    Effect,
    Requirement,
    Watch,
    each_opponent,
    extra_turn,
    group,
    later,
    on_condition,
    per,
    stop_watching,
)
from evodom.dominion.effects.hand import (
    actions,
    buys,
    cards,
    coins,
    discard_from_hand,
    discard_hand,
    later_to_hand,
    may_move_this,
    move_all,
    move_this,
    play_chosen,
    put_on_mat_from_hand,
    set_aside_from_hand,
    trash_from_hand,
    trash_this,
)
from evodom.dominion.effects.ops import Among, ChoiceSize, Count, Moment, Op, Whose, Zone
from evodom.dominion.effects.supply import gain, gain_costing_up_to

HAND_NOT_EMPTY = Requirement(Counted(Count.HAND), "If you have a card in hand", least=1)
TWO_TRASHED = Requirement(CHOSEN, "If you trash 2 Treasure Maps", least=2)
NO_VICTORY_GAINED = Requirement(
    Counted(Count.VICTORIES_GAINED), "At the end of your Buy phase, if you gained no Victory card in it", most=0
)
NO_EXTRA_TURN = Requirement(
    Counted(Count.EXTRA_TURNS), "If this is the first Outpost of the turn and not an extra turn", most=0
)

_CARDS = (
    Card("Haven", 2, ACTION | DURATION, (cards(1), actions(1), set_aside_from_hand(), later_to_hand(hidden=True))),
    Card(
        "Lighthouse",
        2,
        ACTION | DURATION,
        (actions(1), coins(1), later(coins(1))),
        until_next_turn=Watch(
            Moment.ATTACK, "Until then, Attacks that other players play do not affect you", protects=True
        ),
    ),
    Card("Native Village", 2, ACTION, (actions(2), mat_or_hand())),
    Card("Astrolabe", 3, TREASURE | DURATION, (coins(1), buys(1), later(coins(1), buys(1))), editions=(2,)),
    Card("Fishing Village", 3, ACTION | DURATION, (actions(2), coins(1), later(actions(1), coins(1)))),
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
    Card(
        "Monkey",
        3,
        ACTION | DURATION,
        (later(cards(1)),),
        editions=(2,),
        until_next_turn=Watch(
            Moment.GAIN,
            "Until then, when the player to your right gains a card, +1 Card",
            (cards(1),),
            whose=Whose.RIGHT,
        ),
    ),
    Card("Sea Chart", 3, ACTION, (cards(1), actions(1), *take_copy_in_play()), editions=(2,)),
    Card("Smugglers", 3, ACTION, (gain_costing_up_to(6, among=Among.GAINED_BY_RIGHT),)),
    Card("Warehouse", 3, ACTION, (cards(3), actions(1), discard_from_hand(n=3))),
    Card(
        "Blockade",
        4,
        ACTION | DURATION | ATTACK,
        (
            replace(
                gain_costing_up_to(4, target=Zone.SET_ASIDE),
                text="Gain a card costing up to $4, setting it aside",
                verb="gain and set aside",
            ),
            later_to_hand(),
        ),
        editions=(2,),
        until_next_turn=Watch(
            Moment.GAIN,
            "While it is set aside, when another player gains a copy of it on their turn, they gain a Curse",
            (gain("Curse"),),
            whose=Whose.OTHERS,
            copies=True,
            by_gainer=True,
        ),
    ),
    Card("Caravan", 4, ACTION | DURATION, (cards(1), actions(1), later(cards(1)))),
    Card("Cutpurse", 4, ACTION | ATTACK, (coins(2), each_opponent(discard_from_hand(name="Copper")))),
    Card(
        "Island",
        4,
        ACTION | VICTORY,
        (
            move_this(Zone.ISLAND_MAT, "Put this and a card from your hand onto your Island mat"),
            put_on_mat_from_hand(Zone.ISLAND_MAT),
        ),
        vp=2,
    ),
    Card(
        "Sailor",
        4,
        ACTION | DURATION,
        (actions(1), later(coins(2), trash_from_hand(optional=True))),
        editions=(2,),
        this_turn=Watch(
            Moment.GAIN,
            "Once this turn, when you gain a Duration card, you may play it",
            (may_move_this(Zone.IN_PLAY, "", "play", "play_gained"), stop_watching(), play_chosen(1)),
            types=DURATION,
        ),
    ),
    Card(
        "Salvager",
        4,
        ACTION,
        (
            buys(1),
            trash_from_hand(),
            replace(per(Counted(Count.CHOSEN_COST), "", coins(1)), text="+$1 per $1 it costs"),
        ),
    ),
    Card("Tide Pools", 4, ACTION | DURATION, (cards(3), actions(1), later(discard_from_hand(2))), editions=(2,)),
    Card(
        "Treasure Map",
        4,
        ACTION,
        (
            replace(
                trash_from_hand(name="Treasure Map"), text="Trash this and a Treasure Map from your hand", kind="trash"
            ),
            replace(trash_this(), text=""),
            on_condition(TWO_TRASHED, group(*4 * (gain("Gold", Zone.DECK_TOP),), text="gain 4 Golds onto your deck")),
        ),
    ),
    Card("Bazaar", 5, ACTION, (cards(1), actions(2), coins(1))),
    Card(
        "Corsair",
        5,
        ACTION | DURATION | ATTACK,
        (coins(2), later(cards(1))),
        editions=(2,),
        # The engine trashes the Treasure: see `Rules.seizers`.
        until_next_turn=Watch(
            Moment.TREASURE,
            "Until then, each other player trashes the first Silver or Gold they play each turn",
            whose=Whose.OTHERS,
            names=("Silver", "Gold"),
        ),
    ),
    Card("Merchant Ship", 5, ACTION | DURATION, (coins(2), later(coins(2)))),
    Card("Outpost", 5, ACTION | DURATION, (on_condition(NO_EXTRA_TURN, extra_turn()),)),
    Card(
        "Pirate",
        5,
        ACTION | DURATION | REACTION,
        (later(gain_costing_up_to(6, target=Zone.HAND, types=TREASURE)),),
        editions=(2,),
        reaction=Watch(
            Moment.GAIN,
            "When any player gains a Treasure, you may play this from your hand",
            (
                Effect(Op.CHOOSE, "", "play", "play_pirate", n=1, target=Zone.IN_PLAY, only_this=True, optional=True),
                play_chosen(1),
            ),
            whose=Whose.ANY,
            types=TREASURE,
        ),
    ),
    Card(
        "Sea Witch",
        5,
        ACTION | DURATION | ATTACK,
        (cards(2), each_opponent(gain("Curse")), later(cards(2), discard_from_hand(2))),
        editions=(2,),
    ),
    Card(
        "Tactician",
        5,
        ACTION | DURATION,
        (on_condition(HAND_NOT_EMPTY, group(discard_hand(), later(cards(5), buys(1), actions(1)))),),
    ),
    Card(
        "Treasury",
        5,
        ACTION,
        (cards(1), actions(1), coins(1)),
        end_of_buys=(
            on_condition(
                NO_VICTORY_GAINED,
                Effect(
                    Op.CHOOSE,
                    "You may put this onto your deck",
                    "put onto your deck",
                    "topdeck_treasury",
                    size=ChoiceSize.ANY,
                    source=Zone.IN_PLAY,
                    target=Zone.DECK_TOP,
                    only_this=True,
                    optional=True,
                ),
            ),
        ),
    ),
    Card("Wharf", 5, ACTION | DURATION, (cards(2), buys(1), later(cards(2), buys(1)))),
)

SEASIDE = CardSet("Seaside", _CARDS, {})
