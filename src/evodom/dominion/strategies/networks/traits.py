"""Cards by what they do: the numbers by which a network of all kingdoms knows a card, those it never met included.

They are read off the card's own row. Numbers that stand for one card alone come last: what is learned of it besides.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION as ACTION_TYPE
from evodom.dominion.cards import ATTACK, BASIC, KINGDOM, REACTION, TERMINAL, TERMINAL_DRAW, TREASURE, VICTORY
from evodom.dominion.cards import CARDS as ALL_CARDS
from evodom.dominion.cards.model import Card
from evodom.dominion.engine.effects import Effect
from evodom.dominion.engine.ops import Count, Op, Zone
from evodom.dominion.kingdom import Kingdom

TRAITS = (
    "any card", "cost", "Action", "Treasure", "Victory", "Attack", "Reaction", "terminal", "draws only", "coins",
    "bonus for a Treasure", "cards", "Actions", "Buys", "points", "points for others", "draws up to",
    "draws for discards", "discards own", "discards for empty piles", "looks at the deck", "sorts the discard pile",
    "puts onto the deck", "trashes from hand", "must trash", "trashes Copper", "trades", "trades by", "trashes itself",
    "gains up to", "gains to hand", "gains a card worth", "plays another", "plays again", "attacks the hand",
    "gives Curses", "trashes others' Treasures", "topdecks others' cards", "gives others cards",
)  # fmt: skip
"""What a card is and does, a number each, about 0 to 1."""

PASSING = "passing"
NAMES = (*TRAITS, *(card.name for card in BASIC), PASSING)
N_SHARED = len(NAMES)
"""Numbers that all networks know: the traits, each of the seven basic cards, and passing."""

_OWN = {card.name: N_SHARED + place for place, card in enumerate(KINGDOM)}
N_NUMBERS = N_SHARED + len(KINGDOM)

Numbers = npt.NDArray[np.float32]


def descriptions(kingdom: Kingdom) -> Numbers:
    """Return the numbers of each pile of a kingdom and, last, of passing: (n_piles + 1, N_NUMBERS) float32."""
    found = np.zeros((len(kingdom.piles) + 1, N_NUMBERS), np.float32)
    for pile, card in enumerate(kingdom.piles):
        for name, value in traits_of(card).items():
            found[pile, NAMES.index(name)] = value
        if card in BASIC:
            found[pile, NAMES.index(card.name)] = 1.0
        elif card.name in _OWN:
            found[pile, _OWN[card.name]] = 1.0
    found[-1, NAMES.index(PASSING)] = 1.0
    return found


@lru_cache
def traits_of(card: Card) -> dict[str, float]:
    """Return what a card is and does, by the names in TRAITS; what it does not is left out."""
    traits = {
        "any card": 1.0,
        "cost": card.cost / 5,
        "Action": float(ACTION_TYPE in card.types),
        "Treasure": float(TREASURE in card.types),
        "Victory": float(VICTORY in card.types),
        "Attack": float(ATTACK in card.types),
        "Reaction": float(REACTION in card.types),
        "points": card.vp / 6,
        "points for others": float(card.vp_per is not None),
    }
    if ACTION_TYPE in card.types:
        traits["terminal"] = float(card.action_class in (TERMINAL, TERMINAL_DRAW))
        traits["draws only"] = float(card.action_class == TERMINAL_DRAW)
    for name, value in _of_effects(card.effects):
        traits[name] = traits.get(name, 0.0) + value
    return traits


def _of_effects(effects: tuple[Effect, ...], *, by_others: bool = False) -> Iterator[tuple[str, float]]:
    """Give what effects do, as (name, value); ``by_others`` for those that other players resolve."""
    for place, effect in enumerate(effects):
        if effect.op == Op.EACH_PLAYER:
            yield from _of_effects(effect.each, by_others=True)
        elif by_others:
            yield from _of_attack(effect)
        elif effect.op == Op.CHOOSE:
            following = effects[place + 1] if place + 1 < len(effects) else None
            yield from _of_choice(effect, following)
        else:
            yield from _of_gift(effect)


def _of_gift(effect: Effect) -> Iterator[tuple[str, float]]:
    """Give what an effect without a choice does for its player."""
    plain = {
        Op.COINS: ("coins", effect.n / 2),
        Op.BONUS: ("bonus for a Treasure", 1.0),
        Op.CARDS: ("cards", effect.n / 3),
        Op.ACTIONS: ("Actions", effect.n / 2),
        Op.BUYS: ("Buys", float(effect.n)),
        Op.DRAW_UP_TO: ("draws up to", effect.n / 7),
        Op.CARDS_PER_CHOSEN: ("draws for discards", 1.0),
        Op.REVEAL: ("looks at the deck", effect.n / 2),
        Op.REVEAL_UNTIL: ("cards", effect.n / 3),
        Op.PLAY_CHOSEN: ("plays again", effect.n - 1.0),
        Op.TRASH_THIS: ("trashes itself", 1.0),
    }
    if effect.op in plain:
        yield plain[effect.op]
    elif effect.op == Op.GAIN:
        yield "gains a card worth", ALL_CARDS[effect.name].cost / 6


def _of_choice(effect: Effect, following: Effect | None) -> Iterator[tuple[str, float]]:
    """Give what a choice of its player's is about."""
    if effect.source == Zone.SUPPLY:
        if effect.plus is None:
            yield "gains up to", (effect.max_cost or 0) / 5
        else:
            yield "trades", 1.0
            yield "trades by", effect.plus / 3
        if effect.target == Zone.HAND:
            yield "gains to hand", 1.0
    elif effect.target == Zone.TRASH:
        if effect.name == "Copper":
            yield "trashes Copper", 1.0
        elif following is None or following.plus is None:
            yield "trashes from hand", (2 if effect.source == Zone.REVEALED else effect.n) / 4
        if not effect.optional and effect.source == Zone.HAND:
            yield "must trash", 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.HAND:
        yield ("discards for empty piles" if effect.count == Count.EMPTY_PILES else "discards own"), 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.REVEALED and effect.count == Count.ANY:
        yield "discards own", 0.5
    elif effect.target == Zone.DECK_TOP:
        yield ("sorts the discard pile" if effect.source == Zone.DISCARD else "puts onto the deck"), 1.0
    elif effect.target == Zone.IN_PLAY and not effect.this:
        yield "plays another", 1.0


def _of_attack(effect: Effect) -> Iterator[tuple[str, float]]:
    """Give what an effect that others resolve does to them."""
    if effect.op == Op.CARDS:
        yield "gives others cards", effect.n / 2
    elif effect.op == Op.GAIN:
        yield "gives Curses", 1.0
    elif effect.op == Op.CHOOSE and effect.count == Count.DOWN_TO:
        yield "attacks the hand", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.TRASH:
        yield "trashes others' Treasures", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.DECK_TOP:
        yield "topdecks others' cards", 1.0
