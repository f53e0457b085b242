"""Every card as a row of data, and the named kingdoms.

Costs, types and effects: the Base Set's second edition (Rio Grande Games, 2016). To add a card, add a row.
"""

from dataclasses import dataclass
from difflib import get_close_matches

from evodom.dominion.effects import (
    HAND,
    Effect,
    Type,
    actions,
    affected_only,
    buys,
    cards,
    cards_per_chosen,
    coins,
    discard_any,
    discard_down_to,
    each_opponent,
    gain_costing_up_to,
    gain_costing_up_to_trashed,
    offer_reaction,
    silver_bonus,
    trash_from_hand,
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

    ``coins`` is what a Treasure gives when played, ``vp`` what the card scores.
    """

    name: str
    cost: int
    types: Type
    effects: tuple[Effect, ...] = ()
    coins: int = 0
    vp: int = 0

    @property
    def program(self) -> tuple[Effect, ...]:
        """The effects as they are resolved: an Attack begins with the offer to reveal a Reaction."""
        if Type.ATTACK not in self.types:
            return self.effects
        return (offer_reaction(), *(affected_only(effect) for effect in self.effects))

    @property
    def action_class(self) -> int:
        """NONTERMINAL if it gives an Action, TERMINAL_DRAW if it only draws, else TERMINAL."""
        ops = {effect.op for effect in self.effects}
        if actions(1).op in ops:
            return NONTERMINAL
        return TERMINAL_DRAW if cards(1).op in ops else TERMINAL

    @property
    def text(self) -> str:
        """What the card does, in our own words."""
        lines = [effect.text for effect in self.effects]
        if self.coins:
            lines.append(f"${self.coins}")
        if self.vp:
            lines.append(f"{self.vp} VP")
        if Type.REACTION in self.types:
            lines.append("When another player plays an Attack, you may first reveal this: it does not affect you")
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
    Card("Moat", 2, ACTION | REACTION, (cards(2),)),
    Card("Merchant", 3, ACTION, (cards(1), actions(1), silver_bonus(1))),
    Card("Village", 3, ACTION, (cards(1), actions(2))),
    Card("Workshop", 3, ACTION, (gain_costing_up_to(4),)),
    Card("Militia", 4, ACTION | ATTACK, (coins(2), each_opponent(discard_down_to(3)))),
    Card("Remodel", 4, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=2))),
    Card("Smithy", 4, ACTION, (cards(3),)),
    Card("Market", 5, ACTION, (cards(1), actions(1), buys(1), coins(1))),
    Card(
        "Mine",
        5,
        ACTION,
        (trash_from_hand(TREASURE, optional=True), gain_costing_up_to_trashed(plus=3, types=TREASURE, target=HAND)),
    ),
)
"""The kingdom cards, by cost and name."""

CARDS = {card.name: card for card in (*BASIC, *KINGDOM)}

KINGDOMS = {
    "First Game": (
        "Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop",
    ),
}  # fmt: skip
"""The recommended sets of ten by name (second edition rulebook)."""

FIRST_GAME = KINGDOMS["First Game"]

KINGDOM_SIZE = 10


def find_card(name: str) -> Card:
    """Return the card of this name, in any case; a UsageError names the nearest ones."""
    for known, card in CARDS.items():
        if known.casefold() == name.strip().casefold():
            return card
    near = get_close_matches(name.title(), CARDS, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(CARDS)}."
    raise UsageError(f"no card named '{name}'. {hint}")


def kingdom_piles(kingdom: tuple[str, ...] = FIRST_GAME) -> tuple[Card, ...]:
    """Return the cards of the piles, in pile order: the seven basic ones, then the kingdom by cost and name.

    Raises UsageError for an unknown, basic or repeated card, or more than ten.
    """
    cards = [find_card(name) for name in kingdom]
    for card in cards:
        if card in BASIC:
            raise UsageError(f"{card.name} is in every Supply. Allowed in a kingdom: kingdom cards.")
        if cards.count(card) > 1:
            raise UsageError(f"{card.name} stands twice in the kingdom. Allowed: ten different cards.")
    if len(cards) > KINGDOM_SIZE:
        raise UsageError(f"the kingdom has {len(cards)} cards. Allowed: up to {KINGDOM_SIZE}.")
    return (*BASIC, *sorted(cards, key=lambda card: (card.cost, card.name)))
