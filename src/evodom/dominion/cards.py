"""Every card as a row of data.

Costs, types and effects: the Base Set's second edition (Rio Grande Games, 2016), and the six cards of the first (2008)
that it dropped. To add a card, add a row.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b

from evodom.dominion.engine.effects import (
    DECK_TOP,
    HAND,
    OP_ACTIONS,
    OP_CARDS,
    OP_CHOOSE,
    OP_COINS,
    OP_DRAW_UP_TO,
    OP_PLAY_CHOSEN,
    OP_REVEAL_UNTIL,
    REVEALED,
    TRASH,
    Effect,
    Type,
    actions,
    affected_only,
    buys,
    cards,
    cards_per_chosen,
    choose_action,
    coins,
    discard_any,
    discard_down_to,
    discard_or_put_back,
    discard_per_empty_pile,
    discard_revealed,
    discard_top_and_may_play,
    draw_up_to,
    each_opponent,
    each_player,
    gain,
    gain_costing_up_to,
    gain_costing_up_to_trashed,
    gain_trashed,
    if_chosen,
    look,
    may_discard_deck,
    move_all,
    offer_reaction,
    play_chosen,
    reveal,
    reveal_until,
    sift_revealed,
    silver_bonus,
    topdeck_from_discard,
    topdeck_from_hand,
    trash_from_hand,
    trash_revealed,
    trash_this,
)
from evodom.errors import UsageError

ACTION, ATTACK, REACTION = Type.ACTION, Type.ATTACK, Type.REACTION
TREASURE, VICTORY, CURSE = Type.TREASURE, Type.VICTORY, Type.CURSE

NONTERMINAL, TERMINAL_DRAW, TERMINAL = 0, 1, 2
"""The three classes by which strategies order their Actions."""

ACTION_CLASS_NAMES = ("nonterminal", "terminal draw", "terminal")


@dataclass(frozen=True, slots=True)
class Card:
    """A card type: what is printed on it.

    ``coins`` is what a Treasure gives when played, ``vp`` what the card scores, and ``vp_per_ten`` what it scores for
    every ten cards its owner has. ``edition`` is 1 for the cards that the second edition dropped.
    """

    name: str
    cost: int
    types: Type
    effects: tuple[Effect, ...] = ()
    coins: int = 0
    vp: int = 0
    vp_per_ten: int = 0
    edition: int = 2

    @property
    def program(self) -> tuple[Effect, ...]:
        """The effects as they are resolved: an Attack begins with the offer to reveal a Reaction."""
        if Type.ATTACK not in self.types:
            return self.effects
        return (offer_reaction(), *(affected_only(effect) for effect in self.effects))

    @property
    def action_class(self) -> int:
        """NONTERMINAL if it leaves an Action to play or plays another twice, TERMINAL_DRAW if it only draws, else
        TERMINAL."""
        ops = {effect.op for effect in self.effects}
        if OP_ACTIONS in ops or any(effect.op == OP_PLAY_CHOSEN and effect.n > 1 for effect in self.effects):
            return NONTERMINAL
        return TERMINAL_DRAW if ops & {OP_CARDS, OP_DRAW_UP_TO, OP_REVEAL_UNTIL} else TERMINAL

    @property
    def money(self) -> int:
        """The coins printed on it: those a Treasure or an Action gives; 1 for those that depend on a choice."""
        given = [1 if effect.if_chosen else effect.n for effect in self.effects if effect.op == OP_COINS]
        return self.coins + sum(given)

    @property
    def is_useless(self) -> bool:
        """True if the card does nothing in a turn."""
        return not self.types & (Type.ACTION | Type.TREASURE)

    @property
    def trashes(self) -> bool:
        """True if its player chooses cards of their own to trash."""
        return any(effect.op == OP_CHOOSE and effect.target == TRASH for effect in self.effects)

    @property
    def text(self) -> str:
        """What the card does, in our own words."""
        lines = [effect.text for effect in self.effects if effect.text]
        if self.coins:
            lines.append(f"${self.coins}")
        if self.vp:
            lines.append(f"{self.vp} VP")
        if self.vp_per_ten:
            lines.append(f"{self.vp_per_ten} VP for every 10 cards you have, rounded down")
        if Type.REACTION in self.types:
            lines.append(
                "When another player plays an Attack, you may first reveal this from your hand: that Attack then does "
                "nothing to you"
            )
        return ". ".join(line[0].upper() + line[1:] for line in lines) + "."

    @property
    def type_line(self) -> str:
        """The types as printed, for example "Action - Attack"."""
        return " - ".join((kind.name or "").capitalize() for kind in Type if kind in self.types)


BASIC = (
    Card("Copper", 0, TREASURE, coins=1),
    Card("Silver", 3, TREASURE, coins=2),
    Card("Gold", 6, TREASURE, coins=3),
    Card("Estate", 2, VICTORY, vp=1),
    Card("Duchy", 5, VICTORY, vp=3),
    Card("Province", 8, VICTORY, vp=6),
    Card("Curse", 0, CURSE, vp=-1),
)
"""The seven cards of every Supply, in the order of their piles."""

COPPER, SILVER, GOLD, ESTATE, DUCHY, PROVINCE, CURSE_PILE = range(len(BASIC))

KINGDOM = (
    Card("Cellar", 2, ACTION, (actions(1), discard_any(), cards_per_chosen())),
    Card("Chapel", 2, ACTION, (trash_from_hand(n=4, optional=True),)),
    Card("Moat", 2, ACTION | REACTION, (cards(2),)),
    Card("Chancellor", 3, ACTION, (coins(2), *may_discard_deck()), edition=1),
    Card("Harbinger", 3, ACTION, (cards(1), actions(1), topdeck_from_discard())),
    Card("Merchant", 3, ACTION, (cards(1), actions(1), silver_bonus(1))),
    Card("Vassal", 3, ACTION, (coins(2), *discard_top_and_may_play())),
    Card("Village", 3, ACTION, (cards(1), actions(2))),
    Card("Woodcutter", 3, ACTION, (buys(1), coins(2)), edition=1),
    Card("Workshop", 3, ACTION, (gain_costing_up_to(4),)),
    Card("Bureaucrat", 4, ACTION | ATTACK, (gain("Silver", DECK_TOP), each_opponent(topdeck_from_hand(VICTORY)))),
    Card("Feast", 4, ACTION, (trash_this(), gain_costing_up_to(5)), edition=1),
    Card("Gardens", 4, VICTORY, vp_per_ten=1),
    Card("Militia", 4, ACTION | ATTACK, (coins(2), each_opponent(discard_down_to(3)))),
    Card("Moneylender", 4, ACTION, (trash_from_hand(name="Copper", optional=True), if_chosen(coins(3)))),
    Card("Poacher", 4, ACTION, (cards(1), actions(1), coins(1), discard_per_empty_pile())),
    Card("Remodel", 4, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=2))),
    Card("Smithy", 4, ACTION, (cards(3),)),
    Card("Spy", 4, ACTION | ATTACK, (cards(1), actions(1), each_player(reveal(1), *discard_or_put_back())), edition=1),
    Card(
        "Thief",
        4,
        ACTION | ATTACK,
        (each_opponent(reveal(2), trash_revealed(TREASURE, by_active=True), gain_trashed(), discard_revealed()),),
        edition=1,
    ),
    Card("Throne Room", 4, ACTION, (choose_action(), play_chosen(2))),
    Card(
        "Bandit",
        5,
        ACTION | ATTACK,
        (gain("Gold"), each_opponent(reveal(2), trash_revealed(TREASURE, but="Copper"), discard_revealed())),
    ),
    Card("Council Room", 5, ACTION, (cards(4), buys(1), each_opponent(cards(1)))),
    Card("Festival", 5, ACTION, (actions(2), buys(1), coins(2))),
    Card("Laboratory", 5, ACTION, (cards(2), actions(1))),
    Card("Library", 5, ACTION, draw_up_to(7)),
    Card("Market", 5, ACTION, (cards(1), actions(1), buys(1), coins(1))),
    Card(
        "Mine",
        5,
        ACTION,
        (trash_from_hand(TREASURE, optional=True), gain_costing_up_to_trashed(plus=3, types=TREASURE, target=HAND)),
    ),
    Card("Sentry", 5, ACTION, (cards(1), actions(1), look(2), *sift_revealed())),
    Card("Witch", 5, ACTION | ATTACK, (cards(2), each_opponent(gain("Curse")))),
    Card(
        "Adventurer",
        6,
        ACTION,
        (
            reveal_until(2, TREASURE),
            move_all(REVEALED, HAND, TREASURE, "Put those into your hand"),
            discard_revealed("Discard the rest"),
        ),
        edition=1,
    ),
    Card("Artisan", 6, ACTION, (gain_costing_up_to(5, target=HAND), topdeck_from_hand())),
)
"""The kingdom cards, by cost and name."""

CARDS = {card.name: card for card in (*BASIC, *KINGDOM)}
KINGDOM_SIZE = 10


def find_card(name: str) -> Card:
    """Return the card of this name, in any case; a UsageError names the nearest ones."""
    for known, card in CARDS.items():
        if known.casefold() == name.strip().casefold():
            return card
    near = get_close_matches(name.title(), CARDS, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "All are listed by: evodom cards"
    raise UsageError(f"no card named '{name}'. {hint}")


def fingerprint(piles: tuple[Card, ...]) -> int:
    """Return a number (uint64, never 0) that tells the piles of one kingdom, and their order, from all others."""
    digest = blake2b(",".join(card.name for card in piles).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1
