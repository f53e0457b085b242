"""The vocabulary of effects: what a line of a card, an enemy's move or a relic does, as data.

An effect acts on a `Board` for a source (who does it) and a target (whom it was aimed at). The rows of cards give every
number twice, plain and upgraded; the small functions at the end make both effects of such a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evodom.spire.board import Board, Fighter, card_block
from evodom.spire.statuses import BITE, NO_DRAW

SELF, TARGET, ENEMIES = "self", "target", "enemies"
HAND, DRAW, DISCARD = "hand", "draw pile", "discard pile"


class BoardEffect(Protocol):
    """One change to the board."""

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Change the board."""


@dataclass(frozen=True)
class Hit:
    """Attack the target or all enemies, each `times` times."""

    amount: int
    times: int = 1
    at: str = TARGET

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Hit left to right."""
        for defender in _chosen(board, source, target, self.at):
            board.attack(source, defender, self.amount, self.times)


@dataclass(frozen=True)
class HitForBlock:
    """Attack for as much as the source's block."""

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Hit once."""
        board.attack(source, target, source.block)


@dataclass(frozen=True)
class BiteFor:
    """Attack for the damage that was rolled for this louse."""

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Hit once."""
        board.attack(source, target, source.amount(BITE))


@dataclass(frozen=True)
class Damage:
    """Deal plain damage to all enemies: blockable, not changed by Strength, Weak or Vulnerable."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Damage left to right."""
        for enemy in list(board.enemies):
            board.damage(enemy, self.amount)


@dataclass(frozen=True)
class Block:
    """Gain the block of a card."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Gain it."""
        source.block += card_block(source, self.amount)


@dataclass(frozen=True)
class PlainBlock:
    """Gain block that Dexterity and Frail do not change: from enemies' moves and relics."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Gain it."""
        source.block += self.amount


@dataclass(frozen=True)
class Give:
    """Give a status to the target, to all enemies or to oneself."""

    status: str
    amount: int
    to: str = TARGET

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Give it to each."""
        for fighter in _chosen(board, source, target, self.to):
            board.give(fighter, self.status, self.amount)


@dataclass(frozen=True)
class Lose:
    """Lose all of a status."""

    status: str

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Take it away."""
        source.statuses.pop(self.status, None)


@dataclass(frozen=True)
class LoseHp:
    """Lose HP, whatever the block."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Lose it."""
        board.lose_hp(source, self.amount)


@dataclass(frozen=True)
class Energy:
    """Gain energy for this turn."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Gain it."""
        board.energy += self.amount


@dataclass(frozen=True)
class Draw:
    """Draw cards, when the rest of the card is done."""

    amount: int

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Note how many, unless cards can no longer be drawn this turn."""
        if not source.amount(NO_DRAW):
            board.drawing += self.amount


@dataclass(frozen=True)
class Create:
    """Put new cards into a pile."""

    card: str
    amount: int = 1
    pile: str = DISCARD

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Note which."""
        board.created.extend([(self.card, self.pile)] * self.amount)


@dataclass(frozen=True)
class ExhaustRandom:
    """Exhaust a random card of the hand, when the rest of the card is done."""

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Note it."""
        board.exhausting += 1


@dataclass(frozen=True)
class ExhaustChosen:
    """Exhaust a card of the hand; which one is part of how the card is played."""

    def act(self, board: Board, source: Fighter, target: Fighter) -> None:
        """Do nothing: the card was taken from the hand when the play that names it was chosen."""


def _chosen(board: Board, source: Fighter, target: Fighter, who: str) -> Sequence[Fighter]:
    if who == ENEMIES:
        return list(board.enemies)
    return (source,) if who == SELF else (target,)


Pair = tuple[BoardEffect, BoardEffect]
"""An effect of a plain card, and the same of the upgraded one."""


def hit(amount: int, upgraded: int | None = None, *, times: tuple[int, int] = (1, 1), at: str = TARGET) -> Pair:
    """Attack for `amount`, `times` times (plain, upgraded)."""
    return Hit(amount, times[0], at), Hit(_or(upgraded, amount), times[1], at)


def block(amount: int, upgraded: int | None = None) -> Pair:
    """Gain block."""
    return Block(amount), Block(_or(upgraded, amount))


def give(status: str, amount: int, upgraded: int | None = None, *, to: str = TARGET) -> Pair:
    """Give a status."""
    return Give(status, amount, to), Give(status, _or(upgraded, amount), to)


def draw(amount: int, upgraded: int | None = None) -> Pair:
    """Draw cards."""
    return Draw(amount), Draw(_or(upgraded, amount))


def energy(amount: int, upgraded: int | None = None) -> Pair:
    """Gain energy."""
    return Energy(amount), Energy(_or(upgraded, amount))


def create(card: str, upgraded: str | None = None, *, amount: int = 1, pile: str = DISCARD) -> Pair:
    """Put new cards into a pile."""
    return Create(card, amount, pile), Create(upgraded or card, amount, pile)


def both(effect: BoardEffect) -> Pair:
    """Make the same effect for both, upgraded or not."""
    return effect, effect


def _or(upgraded: int | None, plain: int) -> int:
    return plain if upgraded is None else upgraded
