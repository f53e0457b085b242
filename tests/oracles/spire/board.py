"""Fighters, and the operations of `content.effects` on them.

A `Combat` is an immutable snapshot of a fight without its piles of cards and the player's HP. A `Board` is a working
copy of it: effects change the board, and `freeze` returns the new Combat. HP that the player loses are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from evodom.spire.content import effects as e
from evodom.spire.content.effects import SpireEffect
from evodom.spire.content.enemies import STUNNED
from evodom.spire.content.statuses import STATUSES

METALLICIZE_ASLEEP = 8
"""Metallicize that an enemy loses when it wakes."""

KNOWN = frozenset(
    (
        "Strength", "Dexterity", "Vulnerable", "Weak", "Frail", "Artifact", "Metallicize", "Plated Armor", "Ritual",
        "Thorns", "Enrage", "Curl Up", "Asleep", "Bite", "Vigor", "No Draw", "Demon Form", "Strength Down",
        "Dexterity Down", "Regen", "Entangled", "Barricade", "Berserk", "Flame Barrier", "Rage", "Intangible", "Buffer",
        "Next Turn Block", "Angry", "Sharp Hide", "Spore Cloud",
    )
)  # fmt: skip
"""The statuses that the oracle supports."""

Amounts = tuple[tuple[str, int], ...]
"""Statuses with their amounts, in alphabetical order; amounts of 0 are left out."""


class Enemy(NamedTuple):
    """An enemy: `move` is its next move; `run` counts repetitions of the move, or is the position in a script."""

    name: str
    hp: int
    block: int
    move: str
    run: int
    statuses: Amounts


class Combat(NamedTuple):
    """A fight without the cards and the player's HP. `turn` counts from 1, as long as a rule depends on it."""

    block: int
    energy: int
    turn: int
    statuses: Amounts
    enemies: tuple[Enemy, ...]


@dataclass(slots=True, eq=False)
class Fighter:
    """The player or an enemy. `hp` of the player starts at 0 and is minus the HP lost."""

    name: str
    hp: int
    block: int
    statuses: dict[str, int]
    move: str = ""
    run: int = 0
    fresh: set[str] = field(default_factory=set)
    """Statuses given in this round by an enemy's move. They do not fade or act at its end."""
    curled: int = 0
    """Block from Curl Up, given after the card that hit the enemy."""

    def amount(self, status: str) -> int:
        """Return the amount of a status."""
        return self.statuses.get(status, 0)

    def add(self, status: str, amount: int) -> None:
        """Add to a status, even if Artifact would prevent it."""
        total = self.statuses.get(status, 0) + amount
        if total:
            self.statuses[status] = total
        else:
            self.statuses.pop(status, None)


class Board:
    """A fight in progress: the fighters, and the changes of piles that effects caused."""

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
        """Return the board as a Combat."""
        enemies = tuple([Enemy(e.name, e.hp, e.block, e.move, e.run, _amounts(e.statuses)) for e in self.enemies])
        return Combat(self.player.block, self.energy, self.turn, _amounts(self.player.statuses), enemies)

    def attack(self, attacker: Fighter, defender: Fighter, base: int, times: int = 1, strength: int = 1) -> None:
        """Hit `defender` `times` times, each time with the damage of an attack of `base`."""
        damage = attack_damage(attacker, defender, base, strength)
        for _ in range(times):
            if defender.hp <= 0 and defender is not self.player:
                return
            cost_hp = self.damage(defender, damage)
            if cost_hp:
                _struck(defender)
            if thorns := defender.amount("Thorns") + defender.amount("Flame Barrier"):
                self.damage(attacker, thorns)
                if attacker.hp <= 0 and attacker is not self.player:
                    return

    def damage(self, defender: Fighter, amount: int) -> int:
        """Take `amount` from the defender's block and then its HP; return the HP lost."""
        if defender.amount("Intangible"):
            amount = min(amount, 1)
        through = max(0, amount - defender.block)
        defender.block = max(0, defender.block - amount)
        return self.lose_hp(defender, through)

    def lose_hp(self, fighter: Fighter, amount: int) -> int:
        """Take HP and no block. Return the HP lost. A sleeping enemy wakes stunned, a dead enemy leaves the board."""
        if fighter.amount("Intangible"):
            amount = min(amount, 1)
        if amount > 0 and fighter.amount("Buffer"):
            fighter.add("Buffer", -1)
            amount = 0
        if amount <= 0:
            return 0
        fighter.hp -= amount
        if fighter is self.player:
            return amount
        if fighter.hp <= 0:
            self.enemies = [enemy for enemy in self.enemies if enemy is not fighter]
            if self.enemies and fighter.amount("Spore Cloud"):
                self.give(self.player, "Vulnerable", fighter.amount("Spore Cloud"))
        elif fighter.statuses.pop("Asleep", 0):
            fighter.add("Metallicize", -min(METALLICIZE_ASLEEP, fighter.amount("Metallicize")))
            fighter.move, fighter.run = STUNNED, -1  # the run of a move that is not in a script
        return amount

    def give(self, fighter: Fighter, status: str, amount: int) -> None:
        """Give a status. Artifact prevents a debuff; negative Strength or Dexterity is a debuff."""
        debuff = STATUSES[status].debuff or amount < 0
        if debuff and fighter.amount("Artifact"):
            fighter.add("Artifact", -1)
            return
        if not fighter.amount(status):
            fighter.fresh.add(status)
        fighter.add(status, amount)


def attack_damage(attacker: Fighter, defender: Fighter, base: int, strength: int = 1) -> int:
    """Return the damage of a hit of `base`.

    Weak and Vulnerable multiply the sum, which is rounded down once at the end. Strength counts `strength` times.
    """
    numerator, denominator = base + strength * attacker.amount("Strength") + attacker.amount("Vigor"), 1
    if attacker.amount("Weak"):
        numerator, denominator = numerator * 3, denominator * 4
    if defender.amount("Vulnerable"):
        numerator, denominator = numerator * 3, denominator * 2
    return max(0, numerator // denominator)


def card_block(fighter: Fighter, base: int) -> int:
    """Return the block of a card of `base`: Dexterity is added, Frail takes a quarter, rounded down."""
    block = base + fighter.amount("Dexterity")
    return max(0, block * 3 // 4 if fighter.amount("Frail") else block)


def _struck(fighter: Fighter) -> None:
    """Apply the statuses that react to an attack that cost HP."""
    if fighter.amount("Plated Armor"):
        fighter.add("Plated Armor", -1)
    if fighter.hp > 0:
        fighter.curled += fighter.statuses.pop("Curl Up", 0)
        fighter.add("Strength", fighter.amount("Angry"))


def _amounts(statuses: dict[str, int]) -> Amounts:
    return tuple(sorted(statuses.items())) if len(statuses) > 1 else tuple(statuses.items())


# Effects.


Act = Callable[[Board, Fighter, Fighter], None]
"""A function of a board, a source and a target that carries out one effect."""


def act(effect: SpireEffect, board: Board, source: Fighter, target: Fighter) -> None:
    """Carry out an effect. Cards are drawn and exhausted when the rest of the card is done."""
    match effect.op:
        case e.OP_HIT:
            for defender in _chosen(effect, board, source, target):
                board.attack(source, defender, effect.n, effect.times, effect.strength)
        case e.OP_HIT_BLOCK:
            board.attack(source, target, source.block)
        case e.OP_BITE:
            board.attack(source, target, source.amount("Bite"))
        case e.OP_DAMAGE:
            for enemy in _chosen(effect, board, source, target):
                board.damage(enemy, effect.n)
        case e.OP_BLOCK:
            source.block += card_block(source, effect.n)
        case e.OP_PLAIN_BLOCK:
            source.block += effect.n
        case e.OP_DOUBLE_BLOCK:
            source.block *= 2
        case e.OP_GIVE:
            for fighter in _chosen(effect, board, source, target):
                board.give(fighter, effect.name, effect.n)
        case e.OP_LOSE:
            source.statuses.pop(effect.name, None)
        case e.OP_DOUBLE_STRENGTH:
            if amount := source.amount("Strength"):
                board.give(source, "Strength", amount)
        case e.OP_LOSE_HP:
            board.lose_hp(source, effect.n)
        case e.OP_ENERGY:
            board.energy += effect.n
        case e.OP_DRAW:
            board.drawing += 0 if source.amount("No Draw") else effect.n
        case e.OP_CREATE:
            board.created.extend([(effect.name, effect.pile)] * effect.n)
        case e.OP_EXHAUST_RANDOM:
            board.exhausting += effect.n
        case e.OP_CHOOSE:
            pass  # the card was taken from the hand when the play that names it was chosen


OPERATIONS = frozenset(
    (
        e.OP_HIT, e.OP_HIT_BLOCK, e.OP_BITE, e.OP_DAMAGE, e.OP_BLOCK, e.OP_PLAIN_BLOCK, e.OP_DOUBLE_BLOCK, e.OP_GIVE,
        e.OP_LOSE, e.OP_DOUBLE_STRENGTH, e.OP_LOSE_HP, e.OP_ENERGY, e.OP_DRAW, e.OP_CREATE, e.OP_EXHAUST_RANDOM,
        e.OP_CHOOSE,
    )
)  # fmt: skip
"""The operations of `act`."""


def _is_certain(effect: SpireEffect) -> bool:
    return effect.to in (e.TARGET, e.SELF, e.ENEMIES)


_ONLY: dict[int, Callable[[SpireEffect], bool]] = {
    e.OP_HIT: _is_certain,
    e.OP_DAMAGE: _is_certain,
    e.OP_GIVE: lambda effect: _is_certain(effect) and effect.name in KNOWN,
    e.OP_LOSE: lambda effect: effect.name in KNOWN,
    # A card that is shuffled into the draw pile is never on top of it, and here a pile has no order.
    e.OP_CREATE: lambda effect: effect.pile in (e.HAND, e.DISCARD),
    e.OP_CHOOSE: lambda effect: (effect.to, effect.n, effect.pile) == (e.TO_EXHAUST, 1, e.HAND),
}
"""Conditions on the effects of operations that the oracle supports only in part."""


def knows(effect: SpireEffect) -> bool:
    """Return whether the oracle supports an effect."""
    return effect.op in OPERATIONS and (effect.op not in _ONLY or _ONLY[effect.op](effect))


def acts_of(effects: Iterable[SpireEffect]) -> tuple[Act, ...]:
    """Return a function for each effect."""
    return tuple(partial(act, effect) for effect in effects)


def _chosen(effect: SpireEffect, board: Board, source: Fighter, target: Fighter) -> Sequence[Fighter]:
    """Return the fighters that an effect is for."""
    if effect.to == e.ENEMIES:
        return list(board.enemies)
    return (source,) if effect.to == e.SELF else (target,)
