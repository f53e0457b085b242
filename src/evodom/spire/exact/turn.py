"""The rules of a turn: playing one card, ending the turn, the enemies' moves, the start of the next turn.

What happens depends on the `Combat` (and on the card and its target) and on nothing else, so every result is computed
once and remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from evodom.distribution import Distribution, certain, uniform
from evodom.spire.exact.acts import Act
from evodom.spire.exact.board import Board, Combat, Enemy, Fighter
from evodom.spire.exact.known import CARD_ACTS, RELICS, moves_of
from evodom.spire.exact.statuses import (
    DEMON_FORM,
    ENRAGE,
    METALLICIZE,
    NO_DRAW,
    PLATED_ARMOR,
    RITUAL,
    STRENGTH,
    STRENGTH_DOWN,
    VIGOR,
)
from evodom.spire.rows.cards import ATTACK, ENERGY, HAND_SIZE, SKILL, Card
from evodom.spire.rows.enemies import Range, enemy_row
from evodom.spire.rows.statuses import STATUSES

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


_FADING = tuple(name for name, status in STATUSES.items() if status.fades)


class CardResult(NamedTuple):
    """The result of playing a card; `combat` is None if it won the fight."""

    combat: Combat | None
    lost: int
    drawing: int
    exhausting: int
    created: tuple[tuple[str, int], ...]


Combats = tuple[tuple[Combat, int], ...]
"""Combats with weights."""


class TurnResult(NamedTuple):
    """The result of the end of a turn and the enemies' moves.

    `after` are the combats of the next turn with their weights (of `total`). There are none if the fight is over:
    `won`, or lost because it took too many turns.
    """

    after: Combats
    total: int
    lost: int
    created: tuple[tuple[str, int], ...]
    won: bool = False
    hurt: bool = False
    """Whether the enemy of a fight against one lost HP (by Thorns, or a relic)."""


class FightOpening(NamedTuple):
    """A fight before its first turn: the combat, and how many cards to draw."""

    combat: Combat | None
    drawing: int


class FightRules:
    """The rules of one fight, given its ascension, the player's relics, and how many turns it may take, if limited."""

    def __init__(self, ascension: int, relics: Sequence[str], max_turns: int | None = None) -> None:
        self.ascension = ascension
        self._max_turns = max_turns
        known = [RELICS[name] for name in relics]
        self.heal_first = sum(relic.heal_first for relic in known)
        self.heal = sum(relic.changes.get("last_heal", 0) for relic in known)
        self._energy = ENERGY + sum(relic.changes.get("energy", 0) for relic in known)
        self._last_block = sum(relic.changes.get("last_block", 0) for relic in known)
        self._opening: list[Act] = [act for relic in known if not relic.turns for act in relic.acts]
        self._turns: list[tuple[int, Act]] = [(relic.turn, act) for relic in known if relic.turns for act in relic.acts]
        self._last_turn = max((max_turns or 0, *(turn for turn, _ in self._turns)))
        self._played: dict[tuple[Combat, str, int], CardResult] = {}
        self._ended: dict[tuple[object, ...], TurnResult] = {}
        self._rolls: dict[tuple[str, str, int], Distribution[tuple[str, int]]] = {}

    def play(self, combat: Combat, card: Card, target: int) -> CardResult:
        """Return the result of playing `card` at the enemy of index `target`."""
        key = (combat, card.name, target)
        known = self._played.get(key)
        if known is None:
            known = self._played[key] = self._play(combat, card, target)
        return known

    def end(self, combat: Combat, burn: int) -> TurnResult:
        """Return the result of ending the turn with `burn` damage in hand, up to the start of the next turn."""
        key = (combat.block, combat.turn, combat.statuses, combat.enemies, burn)
        known = self._ended.get(key)
        if known is None:
            known = self._ended[key] = self._end(combat, burn)
        return known

    def _play(self, combat: Combat, card: Card, target: int) -> CardResult:
        board = Board(combat)
        play_on(board, card, target)
        if board.won:
            return CardResult(None, board.lost, 0, 0, ())
        return CardResult(board.freeze(), board.lost, board.drawing, board.exhausting, tuple(board.created))

    def _end(self, combat: Combat, burn: int) -> TurnResult:
        board = Board(combat)
        self._end_player(board, burn)
        self._move_enemies(board)
        created = tuple(board.created)
        if board.won:
            return TurnResult((), 1, board.lost, created, won=True, hurt=True)
        if board.turn == self._max_turns:
            return TurnResult((), 1, board.lost, created)
        _end_round(board)
        chosen = _joined([self._roll(enemy) for enemy in board.enemies])
        after = self._next_turns(board, chosen)
        hurt = any(following.hp != combat.hp for following, _ in after)
        return TurnResult(after, cast(int, chosen.total), board.lost, created, won=not after, hurt=hurt)

    def _next_turns(self, board: Board, chosen: Distribution[tuple[tuple[str, int], ...]]) -> Combats:
        """Start the next turn for each of the moves the enemies may choose; a relic may win the fight at its start."""
        if len(chosen.pairs) == 1:
            opened = [(self._next_turn(board, moves), weight) for moves, weight in chosen.pairs]
        else:
            combat = board.freeze()
            opened = [(self._next_turn(Board(combat), moves), weight) for moves, weight in chosen.pairs]
        return tuple((opening.combat, weight) for opening, weight in opened if opening.combat is not None)

    def _roll(self, enemy: Fighter) -> Distribution[tuple[str, int]]:
        """Return the distribution of the enemy's next (move, run)."""
        key = (enemy.name, enemy.move, enemy.run)
        known = self._rolls.get(key)
        if known is None:
            pattern = enemy_row(enemy.name, self.ascension).pattern
            known = self._rolls[key] = pattern.following(enemy.move, enemy.run).merge()
        return known

    def _end_player(self, board: Board, burn: int) -> None:
        """End the player's turn: relics, block from powers, burning cards, then statuses that last one turn."""
        player = board.player
        if not player.block:
            player.block = self._last_block
        player.block += player.amount(METALLICIZE) + player.amount(PLATED_ARMOR)
        board.damage(player, burn)
        player.add(STRENGTH, -player.statuses.pop(STRENGTH_DOWN, 0))
        player.statuses.pop(NO_DRAW, None)

    def _move_enemies(self, board: Board) -> None:
        """Take the enemies' block, then let them move left to right.

        An enemy that dies of its own attack (by Thorns) still does the rest of its move, unless that ends the fight.
        """
        for enemy in board.enemies:
            enemy.block = 0
        for enemy in list(board.enemies):
            for act in moves_of(enemy.name, self.ascension)[enemy.move]:
                if board.won:
                    return
                act(board, enemy, board.player)

    def _next_turn(self, board: Board, moves: Sequence[tuple[str, int]]) -> FightOpening:
        """Set the enemies' next moves and start the player's turn."""
        for enemy, (move, run) in zip(board.enemies, moves, strict=True):
            enemy.move, enemy.run = move, run
        board.turn = min(board.turn + 1, self._last_turn + 1)
        board.player.block, board.energy = 0, self._energy
        return self._start_turn(board)

    def _start_turn(self, board: Board) -> FightOpening:
        """Have the relics and powers act that do so at the start of a turn."""
        player = board.player
        for turn, act in self._turns:
            if turn in (0, board.turn):
                act(board, player, player)
        if player.amount(DEMON_FORM):
            player.add(STRENGTH, player.amount(DEMON_FORM))
        return FightOpening(None if board.won else board.freeze(), HAND_SIZE + board.drawing)

    def opening(self, names: Sequence[str], hp: Sequence[int | None]) -> Distribution[FightOpening]:
        """Return how a fight against these enemies may start; `hp` has their HP, None where unknown."""
        enemies = [self._enemy(name, known) for name, known in zip(names, hp, strict=True)]
        return _joined(enemies).map(self._open)

    def sample_opening(self, names: Sequence[str], hp: Sequence[int | None], rng: Rng) -> FightOpening:
        """Return one way the fight may start, drawn from `rng` without listing all."""
        return self._open([self._enemy(name, known).sample(rng) for name, known in zip(names, hp, strict=True)])

    def _open(self, enemies: Sequence[Enemy]) -> FightOpening:
        board = Board(Combat(0, self._energy, 1, (), tuple(enemies)))
        for act in self._opening:
            act(board, board.player, board.player)
        return self._start_turn(board)

    def _enemy(self, name: str, hp: int | None) -> Distribution[Enemy]:
        """Roll an enemy: its HP, what else is rolled for it, and its first move."""
        row = enemy_row(name, self.ascension)
        rolls: list[Distribution[Any]] = [certain(hp) if hp is not None else _even(row.hp), row.pattern.first()]
        rolls += [_even(bounds) for bounds in row.rolled.values()]

        def made(rolled: tuple[Any, ...]) -> Enemy:
            health, (move, run), *amounts = rolled
            statuses = {**row.statuses, **dict(zip(row.rolled, amounts, strict=True))}
            return Enemy(name, health, row.block, move, run, tuple(sorted(statuses.items())))

        return _joined(rolls).map(made)


def play_on(board: Board, card: Card, target: int) -> None:
    """Resolve `card`, aimed at the enemy of index `target`, on the board; stop as soon as the fight is won."""
    player, aim = board.player, board.enemies[target]
    board.energy -= card.cost or 0
    for act in CARD_ACTS[card.name]:
        act(board, player, aim)
        if board.won:
            return
    if card.kind == ATTACK:
        player.statuses.pop(VIGOR, None)
    for enemy in board.enemies:
        if card.kind == SKILL and enemy.amount(ENRAGE):
            enemy.add(STRENGTH, enemy.amount(ENRAGE))
        enemy.block += enemy.curled
        enemy.curled = 0


def _end_round(board: Board) -> None:
    """End the round: enemies' block from powers, the player's statuses fade, then the enemies' grow and fade."""
    for enemy in board.enemies:
        enemy.block += enemy.amount(METALLICIZE) + enemy.amount(PLATED_ARMOR)
    _fade(board.player)
    for enemy in board.enemies:
        if RITUAL not in enemy.fresh:
            enemy.add(STRENGTH, enemy.amount(RITUAL))
        enemy.fresh.clear()
        _fade(enemy)


def _fade(fighter: Fighter) -> None:
    """Reduce every status that fades by one, except those that an enemy's move has newly given this round."""
    for status in _FADING:
        if fighter.amount(status) and status not in fighter.fresh:
            fighter.add(status, -1)


def _even(bounds: Range) -> Distribution[int]:
    return uniform(range(bounds[0], bounds[1] + 1))


def _joined(parts: Sequence[Distribution[Any]]) -> Distribution[tuple[Any, ...]]:
    """Return the distribution of one outcome of each part, all independent."""
    if len(parts) == 1:
        return Distribution([((outcome,), weight) for outcome, weight in parts[0].pairs], parts[0].total)
    rows = [tuple(part.pairs) for part in parts]
    pairs = [(tuple(outcome for outcome, _ in row), prod(weight for _, weight in row)) for row in product(*rows)]
    return Distribution(pairs, prod(part.total for part in parts))
