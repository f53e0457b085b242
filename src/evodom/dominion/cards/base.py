"""The seven cards of every Supply, and the Base Set. The set has the second edition and six cards of the first.

Costs, types and effects: Rio Grande Games, second edition 2016, first edition 2008. The second edition's rulebook
recommends six sets of Base Set cards alone, the first edition's five.
"""

from evodom.dominion.cards.card import ACTION, ATTACK, CURSE, REACTION, TREASURE, VICTORY, Card, CardSet, VpPer
from evodom.dominion.effects.deck import (
    discard_or_put_back,
    discard_revealed,
    discard_top_and_may_play,
    draw_or_set_aside,
    look,
    may_discard_deck,
    reveal,
    reveal_until,
    sift_revealed,
    trash_revealed,
)
from evodom.dominion.effects.effect import Watch, each_opponent, each_player, if_chosen
from evodom.dominion.effects.hand import (
    actions,
    buys,
    cards,
    cards_per_chosen,
    choose_to_play,
    coins,
    discard_any,
    discard_down_to,
    discard_per_empty_pile,
    first_play_bonus,
    move_all,
    play_chosen,
    topdeck_from_discard,
    topdeck_from_hand,
    trash_from_hand,
    trash_this,
)
from evodom.dominion.effects.ops import Moment, Zone
from evodom.dominion.effects.supply import gain, gain_costing_up_to, gain_costing_up_to_trashed, gain_trashed

BASIC = (
    Card("Copper", 0, TREASURE, (coins(1),)),
    Card("Silver", 3, TREASURE, (coins(2),)),
    Card("Gold", 6, TREASURE, (coins(3),)),
    Card("Estate", 2, VICTORY, vp=1),
    Card("Duchy", 5, VICTORY, vp=3),
    Card("Province", 8, VICTORY, vp=6),
    Card("Curse", 0, CURSE, vp=-1),
)
"""The seven cards of every Supply, in the order of their piles."""

COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE_PILE = range(len(BASIC))


FIRST_EDITION = " (1st edition)"
"""Suffix of the names of first-edition kingdoms. Users may omit it if no other kingdom has the same name."""

MOAT_REVEALED = Watch(
    Moment.ATTACK,
    "When another player plays an Attack, you may first reveal this from your hand: that Attack then does nothing to "
    "you",
    protects=True,
)

_CARDS = (
    Card("Cellar", 2, ACTION, (actions(1), discard_any(), cards_per_chosen())),
    Card("Chapel", 2, ACTION, (trash_from_hand(n=4, optional=True),)),
    Card("Moat", 2, ACTION | REACTION, (cards(2),), reaction=MOAT_REVEALED),
    Card("Chancellor", 3, ACTION, (coins(2), *may_discard_deck()), editions=(1,)),
    Card("Harbinger", 3, ACTION, (cards(1), actions(1), topdeck_from_discard()), editions=(2,)),
    Card("Merchant", 3, ACTION, (cards(1), actions(1), first_play_bonus("Silver", 1)), editions=(2,)),
    Card("Vassal", 3, ACTION, (coins(2), *discard_top_and_may_play()), editions=(2,)),
    Card("Village", 3, ACTION, (cards(1), actions(2))),
    Card("Woodcutter", 3, ACTION, (buys(1), coins(2)), editions=(1,)),
    Card("Workshop", 3, ACTION, (gain_costing_up_to(4),)),
    Card("Bureaucrat", 4, ACTION | ATTACK, (gain("Silver", Zone.DECK_TOP), each_opponent(topdeck_from_hand(VICTORY)))),
    Card("Feast", 4, ACTION, (trash_this(), gain_costing_up_to(5)), editions=(1,)),
    Card("Gardens", 4, VICTORY, vp_per=VpPer(10)),
    Card("Militia", 4, ACTION | ATTACK, (coins(2), each_opponent(discard_down_to(3)))),
    Card("Moneylender", 4, ACTION, (trash_from_hand(name="Copper", optional=True), if_chosen(coins(3)))),
    Card("Poacher", 4, ACTION, (cards(1), actions(1), coins(1), discard_per_empty_pile()), editions=(2,)),
    Card("Remodel", 4, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=2))),
    Card("Smithy", 4, ACTION, (cards(3),)),
    Card(
        "Spy", 4, ACTION | ATTACK, (cards(1), actions(1), each_player(reveal(1), *discard_or_put_back())), editions=(1,)
    ),
    Card(
        "Thief",
        4,
        ACTION | ATTACK,
        (each_opponent(reveal(2), trash_revealed(TREASURE, by_active=True), gain_trashed(), discard_revealed()),),
        editions=(1,),
    ),
    Card("Throne Room", 4, ACTION, (choose_to_play(), play_chosen(2))),
    Card(
        "Bandit",
        5,
        ACTION | ATTACK,
        (gain("Gold"), each_opponent(reveal(2), trash_revealed(TREASURE, but="Copper"), discard_revealed())),
        editions=(2,),
    ),
    Card("Council Room", 5, ACTION, (cards(4), buys(1), each_opponent(cards(1)))),
    Card("Festival", 5, ACTION, (actions(2), buys(1), coins(2))),
    Card("Laboratory", 5, ACTION, (cards(2), actions(1))),
    Card("Library", 5, ACTION, draw_or_set_aside(7)),
    Card("Market", 5, ACTION, (cards(1), actions(1), buys(1), coins(1))),
    Card(
        "Mine",
        5,
        ACTION,
        (
            trash_from_hand(TREASURE, optional=True),
            gain_costing_up_to_trashed(plus=3, types=TREASURE, target=Zone.HAND),
        ),
    ),
    Card("Sentry", 5, ACTION, (cards(1), actions(1), look(2), *sift_revealed()), editions=(2,)),
    Card("Witch", 5, ACTION | ATTACK, (cards(2), each_opponent(gain("Curse")))),
    Card(
        "Adventurer",
        6,
        ACTION,
        (
            reveal_until(2, TREASURE),
            move_all(Zone.REVEALED, Zone.HAND, TREASURE, "Put those into your hand"),
            discard_revealed("Discard the rest"),
        ),
        editions=(1,),
    ),
    Card("Artisan", 6, ACTION, (gain_costing_up_to(5, target=Zone.HAND), topdeck_from_hand()), editions=(2,)),
)
"""The cards by cost and name. Seeded draws of kingdoms depend on this order."""

_KINGDOMS = {
    "First Game": "Cellar, Market, Merchant, Militia, Mine, Moat, Remodel, Smithy, Village, Workshop",
    "Size Distortion": "Artisan, Bandit, Bureaucrat, Chapel, Festival, Gardens, Sentry, Throne Room, Witch, Workshop",
    "Deck Top":
        "Artisan, Bureaucrat, Council Room, Festival, Harbinger, Laboratory, Moneylender, Sentry, Vassal, Village",
    "Sleight of Hand":
        "Cellar, Council Room, Festival, Gardens, Harbinger, Library, Militia, Poacher, Smithy, Throne Room",
    "Improvements": "Artisan, Cellar, Market, Merchant, Mine, Moat, Moneylender, Poacher, Remodel, Witch",
    "Silver & Gold":
        "Bandit, Bureaucrat, Chapel, Harbinger, Laboratory, Merchant, Mine, Moneylender, Throne Room, Vassal",
    "First Game (1st edition)": "Cellar, Market, Militia, Mine, Moat, Remodel, Smithy, Village, Woodcutter, Workshop",
    "Big Money (1st edition)":
        "Adventurer, Bureaucrat, Chancellor, Chapel, Feast, Laboratory, Market, Mine, Moneylender, Throne Room",
    "Interaction (1st edition)":
        "Bureaucrat, Chancellor, Council Room, Festival, Library, Militia, Moat, Spy, Thief, Village",
    "Size Distortion (1st edition)":
        "Cellar, Chapel, Feast, Gardens, Laboratory, Thief, Village, Witch, Woodcutter, Workshop",
    "Village Square (1st edition)":
        "Bureaucrat, Cellar, Festival, Library, Market, Remodel, Smithy, Throne Room, Village, Woodcutter",
}  # fmt: skip

BASE_SET = CardSet("Base", _CARDS, _KINGDOMS)
