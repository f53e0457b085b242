"""Random fights of act 1: decks, HP, relics and potions as one may have them there, against all encounters."""

from __future__ import annotations

from collections import Counter

import numpy as np

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import MARKS, Setup
from evodom.spire.rows.cards import CARDS, COMMON, CURSE, RARE, UNCOMMON, Card, ironclad
from evodom.spire.rows.encounters import BOSS, ELITE, encounters, groups_of
from evodom.spire.rows.potions import POTIONS
from evodom.spire.rows.relics import RELICS

MOST_CARDS = 20
"""The cards of the largest decks."""

_HARD = {ELITE: 2.0, BOSS: 2.0}
"""Fights that are met more often than others, which are met once."""

_RARITIES = {COMMON: 0.6, UNCOMMON: 0.32, RARE: 0.08}
_HIGHEST, _STARTER, _WEAKENED, _RICH, _THIRSTY, _BURNING = 0.75, 0.2, 0.3, 0.3, 0.3, 0.15
"""How often the ascension is the highest, the deck the starter's, HP few, and there are relics, potions, and a mark."""


def random_fight(rng: np.random.Generator) -> SpireFight:
    """Return a random fight against one group of enemies."""
    while True:
        try:
            return SpireFight(_setup(rng))
        except UsageError:  # too many kinds of cards for one fight
            continue


def _setup(rng: np.random.Generator) -> Setup:
    known = encounters()
    weights = np.array([_HARD.get(one.pool, 1.0) for one in known.values()])
    name = list(known)[rng.choice(len(weights), p=weights / weights.sum())]
    pairs = groups_of(name).pairs
    chances = np.array([float(weight) for _, weight in pairs])
    group = pairs[rng.choice(len(pairs), p=chances / chances.sum())][0]
    ascension = 20 if rng.random() < _HIGHEST else int(rng.integers(21))
    hp, max_hp, deck = ironclad(ascension)
    if rng.random() < 0.2:
        max_hp += int(rng.integers(1, 16))
    low = 10 if rng.random() < _WEAKENED else 45
    hp = hp if rng.random() < 0.3 else int(rng.integers(low, max_hp + 1))
    marked = known[name].pool == ELITE and rng.random() < _BURNING
    return Setup(
        enemies=certain(group),
        ascension=ascension,
        deck=deck if rng.random() < _STARTER else random_deck(deck, rng),
        hp=min(hp, max_hp),
        max_hp=max_hp,
        relics=("Burning Blood", *_some(sorted(set(RELICS) - {"Burning Blood"}), _RICH, 3, rng)),
        potions=tuple(_some(list(POTIONS), _THIRSTY, 2, rng)),
        burning=str(rng.choice(MARKS[1:])) if marked else "",
    )


def _some(names: list[str], often: float, most: int, rng: np.random.Generator) -> list[str]:
    """Draw up to so many names, and none in most cases."""
    n = int(rng.integers(1, most + 1)) if rng.random() < often else 0
    return [str(name) for name in rng.choice(names, n, replace=False)]


def random_deck(starter: Counter[str], rng: np.random.Generator) -> Counter[str]:
    """Return a starter deck to which cards were added, of which some were upgraded and removed."""
    names = list(starter.elements())
    for _ in range(int(rng.integers(3)) if rng.random() < 0.3 else 0):
        names.remove("Strike" if rng.random() < 0.7 else "Defend")
    names += [_drawn(rng) for _ in range(int(rng.integers(1, MOST_CARDS - len(names) + 1)))]
    if rng.random() < 0.05:
        names.append(str(rng.choice([name for name, card in CARDS.items() if card.kind == CURSE])))
    better = rng.random(len(names)) < rng.choice((0.0, 0.1, 0.25))
    return Counter(_upgraded(name) if up else name for name, up in zip(names, better, strict=True))


def _drawn(rng: np.random.Generator) -> str:
    """Return a card that may be offered, by its rarity."""
    rarity = str(rng.choice(list(_RARITIES), p=list(_RARITIES.values())))
    offered = [name for name, card in CARDS.items() if card.rarity == rarity and card.upgradable]
    return offered[int(rng.integers(len(offered)))]


def _upgraded(name: str) -> str:
    card: Card = CARDS[name]
    return f"{name}+" if card.upgradable and f"{name}+" in CARDS else name
