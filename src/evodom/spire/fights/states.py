"""The record of a fight that has begun: made of what a person sees, and read back into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from evodom.errors import UsageError
from evodom.spire.engine import layout as at
from evodom.spire.engine.cards import ATTACKED
from evodom.spire.engine.game import PEN_NIB, SpireFight, State
from evodom.spire.engine.rules import FightRules, Setup
from evodom.spire.fights.fight import EnemyState, Fight, FightState
from evodom.spire.rows.cards import HAND_LIMIT
from evodom.spire.rows.effects import PILES
from evodom.spire.rows.enemies import SPLIT, enemy_row, n_places
from evodom.spire.rows.relics import RELICS
from evodom.spire.rows.statuses import BOTH, OF_ENEMIES, OF_PLAYER, STATUSES

MAX_AMOUNT = 999
MAX_ENERGY = 99
SIGNED = ("Strength", "Dexterity")
"""Statuses whose amount may be negative."""

FLAGS = ("No Draw", "Entangled", "Barricade", "Corruption")
"""Statuses that one has or has not."""

IMPLIED = ("Splits", "Asleep")
"""Statuses that nobody sees: who can split does so, and who sleeps or is about to wake is asleep."""

TYPES = ("Attack", "Skill", "Power", "Status", "Curse")
"""The types of cards, in the order of the engine."""

PLAYER_STATUSES = (*BOTH, *OF_PLAYER)
ENEMY_STATUSES = tuple(name for name in (*BOTH, *OF_ENEMIES) if name not in IMPLIED)

MAX_PEN_NIB = 9

_ASLEEP = ("Sleep", "Wake")

_NEEDED = (
    (("Red Louse", "Green Louse"), (), "Bite"),
    (("Hexaghost",), ("Divider",), "Divider"),
    (("The Guardian",), ("Charging Up", "Fierce Bash", "Vent Steam", "Whirlwind"), "Mode Shift"),
    (("The Guardian",), ("Roll Attack", "Twin Slam"), "Sharp Hide"),
    (("Lagavulin",), _ASLEEP, "Metallicize"),
    (("Gremlin Nob",), ("Rush", "Skull Bash"), "Enrage"),
    (("Cultist",), ("Dark Strike",), "Ritual"),
)
"""Which enemies, before which moves (none: any), always have a status: without it they would be others."""


# What is possible.


def counters_of(rules: FightRules) -> dict[str, int]:
    """Return the relics that count in this fight, each with the highest number that it shows."""
    found = {PEN_NIB: MAX_PEN_NIB} if rules.record.change[at.CHANGE["pen_nib"]] else {}
    for name, relic in zip(rules.setup.relics, rules.relics, strict=True):
        if name in rules.counted and (relic.once or relic.every > 1 or relic.lifts):
            found[name] = relic.lifts or (1 if relic.once else relic.every - 1)
    return found


def check_state(state: FightState, rules: FightRules) -> None:
    """Raise UsageError, in one line that begins with the key, for a state that cannot be in this fight."""
    if state.turn > (rules.setup.max_turns or state.turn):
        raise UsageError(f"turn is {state.turn}. Allowed: at most {rules.setup.max_turns}, the turns of the fight.")
    if (n := sum(state.hand.values())) > HAND_LIMIT:
        raise UsageError(f"hand has {n} cards. Allowed: at most {HAND_LIMIT}.")
    known = [card.name for card in rules.kinds]
    for pile in PILES:
        if unknown := [name for name in getattr(state, pile) if name not in known]:
            raise UsageError(f"{pile} has {unknown[0]}. Allowed: {', '.join(known)}.")
    if len(state.top) > at.N_TOP:
        raise UsageError(f"top has {len(state.top)} cards. Allowed: at most {at.N_TOP}.")
    if missing := Counter(state.top) - Counter(state.draw):
        raise UsageError(f"top has {next(iter(missing))} more often than draw. Allowed: cards of the draw pile.")
    if state.potions is not None and (missing := Counter(state.potions) - Counter(rules.potions)):
        allowed = ", ".join(rules.potions) or "none, the fight has no potions"
        raise UsageError(f"potions has {next(iter(missing))}. Allowed: {allowed}.")
    for number, enemy in enumerate(state.enemies):
        _check_enemy(enemy, rules, f"enemies[{number}]")
    if not state.enemies or sum(n_places(enemy.name) for enemy in state.enemies) > at.MAX_ENEMIES:
        raise UsageError(
            f"enemies are {len(state.enemies)}. Allowed: 1 to {at.MAX_ENEMIES} places; what splits needs several."
        )


def _check_enemy(enemy: EnemyState, rules: FightRules, where: str) -> None:
    """Raise UsageError for an enemy that cannot be in this fight."""
    if enemy.name not in rules.rows[1:]:
        raise UsageError(f"{where}.name is {enemy.name}. Allowed: {', '.join(rules.rows[1:])}.")
    if not 1 <= enemy.hp <= enemy.max_hp:
        raise UsageError(f"{where}.hp is {enemy.hp}. Allowed: 1 to {enemy.max_hp}, its max_hp.")
    runs = runs_of(enemy.name, rules)
    if enemy.intent not in runs:
        raise UsageError(f"{where}.intent is {enemy.intent!r}. Allowed: {', '.join(runs)}.")
    if enemy.run is not None and enemy.run not in runs[enemy.intent]:
        allowed = ", ".join(map(str, runs[enemy.intent]))
        raise UsageError(f"{where}.run is {enemy.run}. Allowed for {enemy.intent}: {allowed}.")
    for names, moves, status in _NEEDED:
        if enemy.name in names and (not moves or enemy.intent in moves) and not enemy.statuses.get(status):
            raise UsageError(f"{where}.statuses lacks {status}: {STATUSES[status].text}. {enemy.name} has it then.")
    if SPLIT in runs:
        half, lament = enemy.hp * 2 <= enemy.max_hp, bool(rules.record.change[at.CHANGE["lament"]])
        if (enemy.intent == SPLIT) != half and not (half and lament):
            raise UsageError(
                f"{where}.intent is {enemy.intent!r}. Allowed: {SPLIT} at half of max_hp or less, only then."
            )


def runs_of(name: str, rules: FightRules) -> dict[str, list[int]]:
    """Return the moves of an enemy of the fight, each with the runs that it may have."""
    runs: dict[str, list[int]] = {}
    for move, run in rules.chains[rules.rows.index(name)]:
        runs.setdefault(move, []).append(run)
    return {move: sorted(found) for move, found in runs.items()}


# To the record.


def state_of(fight: Fight, game: SpireFight) -> State:
    """Return the state of a fight that has begun as the bytes of a record of `layout.FIGHT`.

    Raises UsageError for a fight without a state, or with one that cannot be in this game.
    """
    state, rules = fight.state, game.rules
    if state is None:
        raise UsageError("the fight has not begun; a state is needed. Add [state] to its file.")
    check_state(state, rules)
    record = cast(at.FightRecord, np.zeros(1, at.FIGHT)[0])
    record.hp[0], record.max_hp[0] = rules.hp, rules.max_hp
    record.block[0], record.energy, record.ours = state.block, state.energy, 1
    record.turn = min(state.turn, int(rules.record.last_turn) + 1)
    for name, amount in state.statuses.items():
        _put_status(record, 0, name, amount)
    _put_cards(record, state, rules)
    _put_belt(record, state, rules)
    place = 1
    for enemy in state.enemies:
        _put_enemy(record, place, enemy, rules)
        place += n_places(enemy.name)
    if rules.record.change[at.CHANGE["skull"]]:
        record.skull = rules.hp * 2 <= rules.max_hp
    return record.tobytes()


def _put_status(record: at.FightRecord, who: int, name: str, amount: int) -> None:
    place = at.AT[name]
    if place < at.N_SHARED:
        record.status[who, place] = amount
    else:
        record.powers[place - at.N_SHARED] = amount


def _put_cards(record: at.FightRecord, state: FightState, rules: FightRules) -> None:
    """Fill the piles, and what was played."""
    for number, pile in enumerate(PILES):
        for name, n in getattr(state, pile).items():
            record.piles[number, rules.kind(name)] = n
            record.n_cards[number] += n
    for place, name in enumerate(reversed(state.top)):
        record.top[place] = rules.kind(name)
    record.n_top = len(state.top)
    if rules.record.counts_cards:
        record.played = len(state.played)
        for kind in state.played:
            record.types |= 1 << TYPES.index(kind) | (ATTACKED if kind == TYPES[0] else 0)
            if rules.record.change[at.CHANGE["pellets"]] and record.types & 7 == 7:
                record.types &= ~7


def _put_belt(record: at.FightRecord, state: FightState, rules: FightRules) -> None:
    """Fill the potions that are left, and what relics have counted."""
    left = Counter(rules.potions if state.potions is None else state.potions)
    for place, name in enumerate(rules.potions):
        record.potions[place] = left[name] > 0
        left[name] -= 1
    record.used = len(rules.potions) - int(record.potions.sum())
    counters = rules.setup.counters
    record.counters[: len(rules.counted)] = rules.counts(counters)
    record.pen_nib = counters.get(PEN_NIB, 0)


def _put_enemy(record: at.FightRecord, place: int, enemy: EnemyState, rules: FightRules) -> None:
    row = rules.rows.index(enemy.name)
    record.row[place], record.hp[place], record.max_hp[place] = row, enemy.hp, enemy.max_hp
    record.block[place] = enemy.block
    run = runs_of(enemy.name, rules)[enemy.intent][0] if enemy.run is None else enemy.run
    record.intent[place] = rules.chains[row][enemy.intent, run]
    splits = "Splits" in enemy_row(enemy.name, rules.setup.ascension).statuses
    for name, amount in {**enemy.statuses, "Splits": splits, "Asleep": enemy.intent in _ASLEEP}.items():
        _put_status(record, place, name, int(amount))


# From the record.


def fight_at(fight: Fight, game: SpireFight, state: State) -> Fight:
    """Return a fight as it is in a state of its game: HP and counters go into its setup, the rest into its state.

    Which cards of the draw pile cannot come next, and how much the maximum of HP has grown, is not told. Raises
    UsageError for a fight that is over or in which a choice is pending.
    """
    record, rules = game.view(state), game.rules
    if record.over or record.choosing:
        raise UsageError(f"the fight {'is over' if record.over else 'waits for a choice'}; only turns can be written.")
    counters = {name: int(record.counters[place]) for place, name in enumerate(rules.counted)} | {
        PEN_NIB: int(record.pen_nib)
    }
    setup = replace(
        fight.setup,
        hp=int(record.hp[0]),
        max_hp=int(record.max_hp[0]),
        counters={name: counters[name] for name in counters_of(rules) if counters.get(name)} | _lifts(fight.setup),
    )
    hand, draw, discard, exhaust = (_cards_in(pile, rules) for pile in record.piles)
    found = FightState(
        turn=int(record.turn),
        energy=int(record.energy),
        block=int(record.block[0]),
        statuses=_statuses(record, 0),
        top=tuple(rules.kinds[record.top[place]].name for place in range(record.n_top - 1, -1, -1)),
        potions=tuple(name for name, left in zip(rules.potions, record.potions, strict=False) if left),
        played=_played(record),
        enemies=tuple(_enemy(record, place, rules) for place in range(1, at.N_FIGHTERS) if record.hp[place] > 0),
        hand=hand,
        draw=draw,
        discard=discard,
        exhaust=exhaust,
    )
    return replace(fight, setup=setup, state=found)


def _lifts(setup: Setup) -> dict[str, int]:
    """Return the counters that a fight does not change."""
    return {name: n for name, n in setup.counters.items() if RELICS[name].lifts}


def _cards_in(pile: at.Numbers, rules: FightRules) -> dict[str, int]:
    return {card.name: int(n) for card, n in zip(rules.kinds, pile, strict=False) if n}


def _statuses(record: at.FightRecord, who: int) -> dict[str, int]:
    amounts = [*record.status[who], *(record.powers if who == 0 else ())]
    named = zip(STATUSES, amounts, strict=False)
    return {name: int(amount) for name, amount in named if amount and name not in IMPLIED}


def _played(record: at.FightRecord) -> tuple[str, ...]:
    """Return types of cards that leave the same traces as those that were played."""
    attack, skill, power, *_ = TYPES
    n = int(record.played)
    kinds = [kind for number, kind in enumerate(TYPES) if record.types & 1 << number]
    if attack not in kinds and record.types & ATTACKED:  # all three were played, and Orange Pellets began anew
        kinds = [*[attack] * (n - 2 - len(kinds)), skill, power, *kinds]
    return tuple(kinds + kinds[-1:] * (n - len(kinds)))


def _enemy(record: at.FightRecord, place: int, rules: FightRules) -> EnemyState:
    row = int(record.row[place])
    chain: Mapping[tuple[str, int], int] = rules.chains[row]
    move, run = next(intent for intent, number in chain.items() if number == record.intent[place])
    return EnemyState(
        name=rules.rows[row],
        hp=int(record.hp[place]),
        max_hp=int(record.max_hp[place]),
        intent=move,
        run=run,
        block=int(record.block[place]),
        statuses=_statuses(record, place),
    )
