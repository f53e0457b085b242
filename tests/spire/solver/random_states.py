"""Random states of fights in progress that `spire solve` accepts, most of them small.

A state has the encounter, relic, potion and statuses of its number; the rest is random. So consecutive numbers cover
all encounters, relics, potions and statuses of a pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator as Rng

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.cards import CARDS, COLOURLESS
from evodom.spire.content.encounters import encounters
from evodom.spire.content.enemies import SPLIT, enemy_row
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.engine.compiler import FightRules, Setup
from evodom.spire.fights.fight import EnemyState, Fight, FightState, Payoff
from evodom.spire.fights.states import (
    CARD_TYPES,
    ENEMY_STATUSES,
    PLAYER_STATUSES,
    REQUIRED_STATUSES,
    WITHOUT_AMOUNT,
    check_state,
    histories_of,
    max_counters,
)
from tests.oracles.spire import turn
from tests.oracles.spire.board import KNOWN


class Pool(NamedTuple):
    """Names of encounters, cards, relics, potions and statuses."""

    encounters: tuple[str, ...]
    cards: tuple[str, ...]
    relics: tuple[str, ...]
    potions: tuple[str, ...]
    statuses: tuple[str, ...]
    enemy_statuses: tuple[str, ...]


ALL = Pool(
    tuple(encounters()),
    tuple(CARDS),
    tuple(RELICS),
    tuple(POTIONS),
    PLAYER_STATUSES,
    tuple(name for name in ENEMY_STATUSES if name != "Mode Shift"),
)
VARIANTS = "Bash (costs 0)", "Bludgeon (costs 1 this turn)", "Carnage (free once)", "Rampage (13) (costs 0 this turn)"
OF_COLOURLESS_CARDS = ALL._replace(
    cards=(*(name for name, card in CARDS.items() if card.rarity == COLOURLESS), "Necronomicurse", *VARIANTS)
)
"""The colourless cards and some cards with another cost, instead of the cards of the Ironclad."""

OF_ORACLE = Pool(
    tuple(name for name, one in encounters().items() if all({*group} <= {*turn.ENEMIES} for group, _ in one.groups)),
    tuple(turn.CARDS),
    tuple(turn.RELICS),
    tuple(turn.POTIONS),
    tuple(name for name in PLAYER_STATUSES if name in KNOWN),
    tuple(name for name in ALL.enemy_statuses if name in KNOWN),
)
"""Encounters, cards, relics, potions and statuses that the oracle supports."""


def random_fight(number: int, attempt: int = 0, pool: Pool = ALL) -> Fight:
    """Return the random fight in progress of a number."""
    rng = np.random.default_rng([45, number, attempt])
    while True:
        try:
            return _drawn(number, rng, pool)
        except UsageError:  # an enemy that cannot be in this state, such as one that must split now
            continue


def _drawn(number: int, rng: Rng, pool: Pool) -> Fight:
    group = encounters()[pool.encounters[number % len(pool.encounters)]].groups.sample(rng)
    relic, potion = pool.relics[number % len(pool.relics)], pool.potions[number % len(pool.potions)]
    hand, draw, discard, exhaust = (_cards(rng, pool.cards, most) for most in (3, 3, 2, 1))
    max_hp = int(rng.integers(1, 40))
    setup = Setup(
        enemies=certain(group),
        ascension=int(rng.integers(0, 21)),
        deck=hand + draw + discard + exhaust or Counter(["Strike"]),
        hp=int(rng.integers(1, max_hp + 1)),
        max_hp=max_hp,
        relics=tuple(dict.fromkeys([relic, *_some(rng, pool.relics, 2)])) if rng.random() < 0.8 or number % 5 else (),
        potions=(potion, *_some(rng, pool.potions, 1)) if rng.random() < 0.6 else (),
        max_turns=int(rng.integers(0, 4)) or None,
    )
    rules = FightRules(setup)
    counters = {name: int(rng.integers(0, most + 1)) for name, most in max_counters(rules).items()}
    payoff = Payoff(str(rng.choice(["hp", "hp", "win", "both"])), float(rng.choice([0, 4])), float(rng.choice([0, 2])))
    fight = Fight(
        replace(setup, counters={name: n for name, n in counters.items() if n}),
        payoff if pool is ALL else Payoff(),
        FightState(
            turn=int(rng.integers(1, (setup.max_turns or 3) + 1)),
            energy=int(rng.integers(0, 4)),
            block=int(rng.choice([0, 0, 3, 9])),
            statuses=_statuses(rng, pool.statuses, number),
            hand=hand,
            draw=draw,
            discard=discard,
            exhaust=exhaust,
            top=_top(rng, draw) if pool is ALL else (),
            played=tuple(_some(rng, CARD_TYPES[:3], 3)),
            enemies=_enemies(rng, group, rules, number, pool.enemy_statuses),
        ),
    )
    check_state(fight.state, rules)
    return fight


def _some(rng: Rng, names: Sequence[str], most: int) -> list[str]:
    """Return up to `most` of the names, in random order."""
    return [str(name) for name in rng.permutation(names)[: rng.integers(0, most + 1)]]


def _cards(rng: Rng, names: Sequence[str], most: int) -> Counter[str]:
    """Return up to `most` cards: half of them Strikes and Defends."""
    n = int(rng.integers(0, most + 1))
    return Counter(str(rng.choice(["Strike", "Defend"] if rng.random() < 0.5 else names)) for _ in range(n))


def _top(rng: Rng, draw: Counter[str]) -> tuple[str, ...]:
    """Return known cards on top of the draw pile, in one of four states."""
    cards = [str(name) for name in rng.permutation(sorted(draw.elements()))]
    return tuple(cards[: rng.integers(1, 3)]) if rng.random() < 0.25 else ()


def _statuses(rng: Rng, known: Sequence[str], number: int) -> dict[str, int]:
    """Return up to three statuses, in three of four states with the status of the number."""
    names = [known[number % len(known)]] if rng.random() < 0.75 else []
    return {name: 1 if name in WITHOUT_AMOUNT else int(rng.integers(1, 5)) for name in names + _some(rng, known, 2)}


def _enemies(
    rng: Rng, group: Sequence[str], rules: FightRules, number: int, known: Sequence[str]
) -> tuple[EnemyState, ...]:
    """Return some enemies of the fight, in one of eight states others than at its start, with a few HP."""
    names = [name for name in group if rng.random() < 0.7] or [group[0]]
    if rng.random() < 0.125:
        names = [str(name) for name in rng.choice(rules.enemy_names[1:], rng.integers(1, 3))]
    return tuple(_enemy(rng, name, rules, number + place, known) for place, name in enumerate(names[:3]))


def _enemy(rng: Rng, name: str, rules: FightRules, number: int, known: Sequence[str]) -> EnemyState:
    """Return an enemy with a random intent, with the statuses of its row and others of `known`."""
    row, histories = enemy_row(name, rules.setup.ascension), histories_of(name, rules)
    intent = str(rng.choice([*histories]))
    hp = int(rng.integers(1, 16))
    statuses = row.statuses | {status: int(rng.integers(2, 6)) for status in row.random_statuses}
    if rng.random() < 0.5:
        statuses |= _statuses(rng, known, number)
    for names, intents, status in REQUIRED_STATUSES:
        if name in names and (not intents or intent in intents):
            statuses.setdefault(status, int(rng.integers(1, 12)))
    return EnemyState(
        name=name,
        hp=hp,
        max_hp=hp * 2 + int(rng.integers(0, 5)) if intent == SPLIT else hp + int(rng.integers(0, hp)),
        intent=intent,
        history=int(rng.choice(histories[intent])),
        block=int(rng.choice([0, 0, 5])),
        statuses={status: n for status, n in statuses.items() if status in ENEMY_STATUSES},
    )
