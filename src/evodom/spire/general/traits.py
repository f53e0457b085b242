"""What cards, enemies and their moves do, as numbers with names: what a network of all fights knows them by.

They are read off the rows. A name that stands for one card or one enemy alone is what is learned of it besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from evodom.spire.rows.cards import CARDS, Card, variants
from evodom.spire.rows.effects import (
    ANY_NUMBER,
    ENEMIES,
    OP_BITE,
    OP_CHOOSE,
    OP_CREATE,
    OP_DIVIDE,
    OP_GIVE,
    OP_HIT,
    OP_LOSE,
    RANDOM,
    SELF,
    Effect,
)
from evodom.spire.rows.enemies import ENEMIES as ALL_ENEMIES
from evodom.spire.rows.enemies import MAX_ASCENSION, enemy_row
from evodom.spire.rows.patterns import Intent

Traits = dict[str, float]
"""Numbers by name, about -1 to 1; what is not there is 0."""


@lru_cache(maxsize=1024)
def card_traits(card: Card) -> Traits:
    """Return what a card is and does."""
    base = card.name.partition("+")[0].partition(" (")[0]
    found = {"any card": 1.0, card.kind: 1.0, f"costs {card.cost}": 1.0, f"is {base}": 1.0}
    found["upgraded"] = float("+" in card.name)
    found["last damage"], found["status left"] = card.last_damage / 4, float(bool(card.last_status))
    found["drawn energy"], found["exhaust energy"] = card.drawn_energy, card.exhaust_energy / 2
    for name in ("exhausts", "ethereal", "innate", "needs_attacks", "last_loss", "limit", "pain"):
        found[name] = float(bool(getattr(card, name)))
    _add(found, card.effects)
    return {name: amount for name, amount in found.items() if amount}


@lru_cache(maxsize=4096)
def move_traits(enemy: str, move: str, ascension: int) -> Traits:
    """Return what a move of an enemy does."""
    found: Traits = {}
    _add(found, enemy_row(enemy, ascension).moves.get(move, ()))
    return {name: amount for name, amount in found.items() if amount}


def _add(found: Traits, effects: Iterable[Effect]) -> None:
    """Add what effects do."""
    for effect in effects:
        if effect.op in (OP_GIVE, OP_LOSE):
            what, amount = f"{'gets' if effect.to == SELF else 'gives'} {effect.name}", effect.n / 4
        elif effect.op == OP_CREATE:
            what, amount = f"creates {effect.name.rstrip('+')} {effect.pile}", effect.n / 2
        elif effect.op == OP_CHOOSE:
            what, amount = f"chooses {effect.to}", 1.0
        else:
            amount = (0 if effect.n == ANY_NUMBER else effect.n) * max(effect.times, 1) / 10
            what = f"amount {effect.op}"
            found[f"does {effect.op}"] = 1.0
        found[what] = found.get(what, 0.0) + amount
        if effect.op in (OP_HIT, OP_BITE, OP_DIVIDE):
            found["hits"] = found.get("hits", 0.0) + effect.times / 4
        if effect.to in (ENEMIES, RANDOM):
            found[f"to {effect.to}"] = 1.0


@lru_cache(maxsize=1)
def trait_names() -> tuple[str, ...]:
    """Return the names of the traits of cards."""
    cards = (one for card in CARDS.values() for one in variants(card))
    return tuple(dict.fromkeys(name for card in cards for name in card_traits(card)))


@lru_cache(maxsize=1)
def move_trait_names() -> tuple[str, ...]:
    """Return the names of the traits of enemies' moves."""
    found = (
        move_traits(enemy, move, ascension)
        for enemy in ALL_ENEMIES
        for ascension in (0, MAX_ASCENSION)
        for move in enemy_row(enemy, ascension).moves
    )
    return tuple(dict.fromkeys(name for traits in found for name in traits))


@lru_cache(maxsize=1)
def intent_names() -> tuple[str, ...]:
    """Return the names of all intents of all enemies."""
    both = (
        f"{enemy} {move} {run}"
        for enemy in ALL_ENEMIES
        for at in (0, MAX_ASCENSION)
        for move, run in _intents(enemy, at)
    )
    return tuple(dict.fromkeys(both))


def _intents(enemy: str, ascension: int) -> Iterator[Intent]:
    """Give the intents of an enemy."""
    row = enemy_row(enemy, ascension)
    to_do = [intent for intent, _ in row.pattern.first()]
    to_do += [row.pattern.at(move) for move in (row.interrupted, row.alone) if move]
    seen: set[Intent] = set()
    while to_do:
        intent = to_do.pop()
        if intent not in seen:
            seen.add(intent)
            yield intent
            if not (row.children and intent[0] == row.interrupted):
                to_do += [after for after, _ in row.pattern.following(*intent)]
