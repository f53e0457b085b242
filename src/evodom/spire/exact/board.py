"""The fighters of a fight, and what happens to them: damage, block and statuses.

A `Combat` is an immutable snapshot of a fight without its piles of cards and the player's HP. A `Board` is a working
copy of it: effects change the board, and `freeze` returns the new Combat. The HP that the player loses are counted, not
subtracted. Nothing in this model reads the player's HP during a fight, so fights that differ only in them share all
results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from evodom.spire.exact.statuses import (
    ARTIFACT,
    ASLEEP,
    CURL_UP,
    DEXTERITY,
    FRAIL,
    METALLICIZE,
    PLATED_ARMOR,
    STRENGTH,
    THORNS,
    VIGOR,
    VULNERABLE,
    WEAK,
)
from evodom.spire.rows.enemies import STUNNED
from evodom.spire.rows.statuses import STATUSES

Amounts = tuple[tuple[str, int], ...]
"""Statuses with their amounts, in alphabetical order; amounts of 0 are left out."""

PLENTY = 1 << 20
"""More HP than an enemy could lose in one turn."""


class Enemy(NamedTuple):
    """An enemy in a fight: `move` is what it is about to do, `run` how often running (or where in its script)."""

    name: str
    hp: int
    block: int
    move: str
    run: int
    statuses: Amounts


class Combat:
    """A fight without the cards and the player's HP. Equal ones are one object, so that a state is quick to hash.

    What happens to a single enemy does not depend on how much HP it has, as long as it lives. So a fight against one
    enemy has a `shape`, the same fight with `PLENTY` of HP: results are computed for the shape and used for every HP.
    `hp` is what the enemy actually has. A fight against several enemies is its own shape, and has no `hp`.
    """

    __slots__ = ("__weakref__", "_shape", "block", "enemies", "energy", "hp", "statuses", "turn")

    block: int
    energy: int
    turn: int
    statuses: Amounts
    enemies: tuple[Enemy, ...]
    hp: int
    _shape: Combat | None

    def __new__(cls, block: int, energy: int, turn: int, statuses: Amounts, enemies: tuple[Enemy, ...]) -> Combat:
        """Return the one Combat with these values; `turn` counts from 1 for as long as anything in the fight asks."""
        key = (block, energy, turn, statuses, enemies)
        known = _combats.get(key)
        if known is None:
            known = _combats[key] = object.__new__(cls)
            known.block, known.energy, known.turn, known.statuses, known.enemies = key
            known.hp = enemies[0].hp if len(enemies) == 1 else 0
            known._shape = known.with_hp(PLENTY) if known.hp not in (0, PLENTY) else None
        return known

    @property
    def shape(self) -> Combat:
        """The same fight against an enemy with `PLENTY` of HP; against several enemies, this one."""
        return self._shape or self

    def with_hp(self, hp: int) -> Combat:
        """Return the same fight with other HP of the single enemy."""
        enemy = Enemy(self.enemies[0][0], hp, *self.enemies[0][2:])
        return Combat(self.block, self.energy, self.turn, self.statuses, (enemy,))

    def __repr__(self) -> str:
        return (
            f"Combat(block={self.block}, energy={self.energy}, turn={self.turn}, statuses={self.statuses}, "
            f"enemies={self.enemies})"
        )

    def __reduce__(self) -> tuple[type[Combat], tuple[Any, ...]]:
        return Combat, (self.block, self.energy, self.turn, self.statuses, self.enemies)  # a copy is the same object


_combats: WeakValueDictionary[tuple[Any, ...], Combat] = WeakValueDictionary()


@dataclass(slots=True, eq=False)
class Fighter:
    """The player or an enemy; `hp` of the player starts at 0 and goes below it with what is lost."""

    name: str
    hp: int
    block: int
    statuses: dict[str, int]
    move: str = ""
    run: int = 0
    fresh: set[str] = field(default_factory=set)
    """Statuses that came this round from an enemy's move, and do not fade or act at its end."""
    curled: int = 0
    """Block to come from Curl Up when the card that hit has finished."""

    def amount(self, status: str) -> int:
        """Return how much of a status the fighter has."""
        return self.statuses.get(status, 0)

    def add(self, status: str, amount: int) -> None:
        """Add to a status, even if Artifact would prevent it."""
        total = self.statuses.get(status, 0) + amount
        if total:
            self.statuses[status] = total
        else:
            self.statuses.pop(status, None)


class Board:
    """A fight in progress: the fighters, and the changes of the piles that effects have asked for."""

    __slots__ = ("created", "drawing", "enemies", "energy", "exhausting", "player", "turn")

    def __init__(self, combat: Combat) -> None:
        self.player = Fighter("Ironclad", 0, combat.block, dict(combat.statuses))
        self.enemies = [
            Fighter(name, hp, block, dict(amounts), move, run) for name, hp, block, move, run, amounts in combat.enemies
        ]
        self.energy = combat.energy
        self.turn = combat.turn
        self.drawing = 0
        self.exhausting = 0
        self.created: list[tuple[str, int]] = []

    @property
    def won(self) -> bool:
        """Whether no enemy is left."""
        return not self.enemies

    @property
    def lost(self) -> int:
        """The HP the player has lost on this board."""
        return -self.player.hp

    def freeze(self) -> Combat:
        """Return the Combat the board has become."""
        enemies = tuple([Enemy(e.name, e.hp, e.block, e.move, e.run, _amounts(e.statuses)) for e in self.enemies])
        return Combat(self.player.block, self.energy, self.turn, _amounts(self.player.statuses), enemies)

    def attack(self, attacker: Fighter, defender: Fighter, base: int, times: int = 1, strength: int = 1) -> None:
        """Hit `defender` `times` times, each for the damage that an attack of `base` does now."""
        damage = attack_damage(attacker, defender, base, strength)
        for _ in range(times):
            if defender.hp <= 0 and defender is not self.player:
                return
            cost_hp = self.damage(defender, damage)
            if cost_hp:
                _struck(defender)
            if thorns := defender.amount(THORNS):
                self.damage(attacker, thorns)
                if attacker.hp <= 0 and attacker is not self.player:
                    return

    def damage(self, defender: Fighter, amount: int) -> int:
        """Take `amount` from the defender's block and then its HP; return the HP lost."""
        through = max(0, amount - defender.block)
        defender.block = max(0, defender.block - amount)
        self.lose_hp(defender, through)
        return through

    def lose_hp(self, fighter: Fighter, amount: int) -> None:
        """Take HP, whatever the block; a sleeper wakes and is stunned, the dead leave the board."""
        if amount <= 0:
            return
        fighter.hp -= amount
        if fighter is self.player:
            return
        if fighter.hp <= 0:
            self.enemies = [enemy for enemy in self.enemies if enemy is not fighter]
        elif fighter.statuses.pop(ASLEEP, 0):
            fighter.statuses.pop(METALLICIZE, None)
            fighter.move, fighter.run = STUNNED, -1  # the run of a move that is not in a script

    def give(self, fighter: Fighter, status: str, amount: int) -> None:
        """Give a status; Artifact cancels a debuff, and negative Strength or Dexterity is one."""
        debuff = STATUSES[status].debuff or amount < 0
        if debuff and fighter.amount(ARTIFACT):
            fighter.add(ARTIFACT, -1)
            return
        if not fighter.amount(status):
            fighter.fresh.add(status)
        fighter.add(status, amount)


def attack_damage(attacker: Fighter, defender: Fighter, base: int, strength: int = 1) -> int:
    """Return what a hit of `base` does: Weak and Vulnerable multiply the sum, which is rounded down once at the end.

    `strength` is how often Strength counts.
    """
    numerator, denominator = base + strength * attacker.amount(STRENGTH) + attacker.amount(VIGOR), 1
    if attacker.amount(WEAK):
        numerator, denominator = numerator * 3, denominator * 4
    if defender.amount(VULNERABLE):
        numerator, denominator = numerator * 3, denominator * 2
    return max(0, numerator // denominator)


def card_block(fighter: Fighter, base: int) -> int:
    """Return the block a card of `base` gives: Dexterity is added, Frail takes a quarter, rounded down."""
    block = base + fighter.amount(DEXTERITY)
    return max(0, block * 3 // 4 if fighter.amount(FRAIL) else block)


def _struck(fighter: Fighter) -> None:
    """Apply the statuses that react to an attack that cost HP."""
    if fighter.amount(PLATED_ARMOR):
        fighter.add(PLATED_ARMOR, -1)
    if fighter.hp > 0:
        fighter.curled += fighter.statuses.pop(CURL_UP, 0)


def _amounts(statuses: dict[str, int]) -> Amounts:
    return tuple(sorted(statuses.items())) if len(statuses) > 1 else tuple(statuses.items())
