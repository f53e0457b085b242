"""Random states of fights in progress that `spire solve` accepts, small enough to be solved in milliseconds.

`random_fight(number)` has the encounter, relic, potion, and statuses of its number; the rest is random. So
consecutive numbers cover all encounters, relics, potions and statuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.random import Generator as Rng

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire.content.cards import CARDS, HAND_LIMIT
from evodom.spire.content.encounters import encounters
from evodom.spire.content.enemies import SPLIT, enemy_row
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.rules import FightRules, Setup
from evodom.spire.fights.fight import EnemyState, Fight, FightState, Payoff
from evodom.spire.fights.states import (
    ENEMY_STATUSES,
    PLAYER_STATUSES,
    TYPES,
    WITHOUT_AMOUNT,
    counters_of,
    histories_of,
    state_from_fight,
)

ENCOUNTERS = tuple(encounters())


def states(numbers: range) -> Iterator[tuple[Fight, SpireFight, State]]:
    """Yield a random fight of each number, with its game and its state."""
    for number in numbers:
        fight = random_fight(number)
        game = SpireFight(fight.setup)
        yield fight, game, state_from_fight(fight, game)


def random_fight(number: int) -> Fight:
    """Return the random fight in progress of a number."""
    rng = np.random.default_rng([45, number])
    while True:
        try:
            return _drawn(number, rng)
        except UsageError:  # an enemy that cannot be in this state, such as one that must split now
            continue


def _drawn(number: int, rng: Rng) -> Fight:
    group = encounters()[ENCOUNTERS[number % len(ENCOUNTERS)]].groups.sample(rng)
    relics, potions = [*RELICS][number % len(RELICS)], [*POTIONS][number % len(POTIONS)]
    hand, draw, discard, exhaust = (_cards(rng, least, most) for least, most in ((0, 3), (0, 3), (0, 2), (0, 1)))
    max_hp = int(rng.integers(1, 40))
    setup = Setup(
        enemies=certain(group),
        ascension=int(rng.integers(0, 21)),
        deck=hand + draw + discard + exhaust or Counter(["Strike"]),
        hp=int(rng.integers(1, max_hp + 1)),
        max_hp=max_hp,
        relics=tuple(dict.fromkeys([relics, *_some(rng, [*RELICS], 2)])) if rng.random() < 0.8 else (),
        potions=(potions, *_some(rng, [*POTIONS], 1)) if rng.random() < 0.6 else (),
        max_turns=_turns(rng),
    )
    rules = FightRules(setup)
    counters = {name: int(rng.integers(0, most + 1)) for name, most in counters_of(rules).items()}
    fight = Fight(
        Setup(**{**vars(setup), "counters": {name: n for name, n in counters.items() if n}}),
        Payoff(str(rng.choice(["hp", "hp", "win", "both"])), float(rng.choice([0, 4])), float(rng.choice([0, 2]))),
        FightState(
            turn=int(rng.integers(1, (setup.max_turns or 3) + 1)),
            energy=int(rng.integers(0, 4)),
            block=int(rng.choice([0, 0, 3, 9])),
            statuses=_statuses(rng, PLAYER_STATUSES, number),
            hand=hand,
            draw=draw,
            discard=discard,
            exhaust=exhaust,
            top=_top(rng, draw),
            played=tuple(_some(rng, TYPES[:3], 3)),
            enemies=_enemies(rng, group, rules, number),
        ),
    )
    state_from_fight(fight, SpireFight(fight.setup))
    return fight


def _turns(rng: Rng) -> int | None:
    """Return a limit of turns, or none."""
    n = int(rng.integers(0, 4))
    return n or None


def _some(rng: Rng, names: list[str] | tuple[str, ...], most: int) -> list[str]:
    """Return up to `most` of the names, in random order."""
    return [str(name) for name in rng.permutation(names)[: rng.integers(0, most + 1)]]


def _cards(rng: Rng, least: int, most: int) -> Counter[str]:
    """Return `least` to `most` cards: half of them Strikes and Defends."""
    names = [*CARDS]
    n = int(rng.integers(least, min(most, HAND_LIMIT) + 1))
    return Counter(str(rng.choice(["Strike", "Defend"] if rng.random() < 0.5 else names)) for _ in range(n))


def _top(rng: Rng, draw: Counter[str]) -> tuple[str, ...]:
    """Return known cards on top of the draw pile, in one of four states."""
    cards = [str(name) for name in rng.permutation(sorted(draw.elements()))]
    return tuple(cards[: rng.integers(1, 3)]) if rng.random() < 0.25 else ()


def _statuses(rng: Rng, known: tuple[str, ...], number: int) -> dict[str, int]:
    """Return up to three statuses, in three of four states the one of the number."""
    names = [known[number % len(known)]] if rng.random() < 0.75 else []
    return {name: 1 if name in WITHOUT_AMOUNT else int(rng.integers(1, 5)) for name in names + _some(rng, known, 2)}


def _enemies(rng: Rng, group: tuple[str, ...], rules: FightRules, number: int) -> tuple[EnemyState, ...]:
    """Return some enemies of the fight, in one of eight states others than at its start, with a few HP."""
    known = list(rules.enemy_names[1:])
    names = [name for name in group if rng.random() < 0.7] or [group[0]]
    if rng.random() < 0.125:
        names = [str(name) for name in rng.choice(known, rng.integers(1, 3))]
    return tuple(_enemy(rng, name, rules, number + place) for place, name in enumerate(names[:3]))


def _enemy(rng: Rng, name: str, rules: FightRules, number: int) -> EnemyState:
    """Return an enemy with a random intent, with the statuses of its row and others."""
    row, histories = enemy_row(name, rules.setup.ascension), histories_of(name, rules)
    intent = str(rng.choice([*histories]))
    hp = int(rng.integers(1, 16))
    statuses = {**row.statuses, **{status: int(rng.integers(2, 6)) for status in row.random_statuses}}
    if row.interrupt_move:  # sleep, defence, and what belongs to certain intents
        statuses |= {"Metallicize": 8} if name == "Lagavulin" else {}
        statuses |= {"Mode Shift": int(rng.integers(1, 12))} if name == "The Guardian" else {}
        statuses |= {"Sharp Hide": 3} if intent in ("Roll Attack", "Twin Slam") else {}
    statuses |= {"Enrage": 2} if name == "Gremlin Nob" else {"Divider": 2} if name == "Hexaghost" else {}
    statuses |= {"Ritual": 3} if name == "Cultist" and intent == "Dark Strike" else {}
    if rng.random() < 0.5:
        allowed = tuple(status for status in ENEMY_STATUSES if status != "Mode Shift")
        statuses |= _statuses(rng, allowed, number)
    max_hp = hp * 2 + int(rng.integers(0, 5)) if intent == SPLIT else hp + int(rng.integers(0, hp))
    return EnemyState(
        name=name,
        hp=hp,
        max_hp=max_hp,
        intent=intent,
        history=int(rng.choice(histories[intent])),
        block=int(rng.choice([0, 0, 5])),
        statuses={status: n for status, n in statuses.items() if status in ENEMY_STATUSES},
    )
