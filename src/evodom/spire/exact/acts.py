"""What each operation of `rows.effects` does to a `Board`, for whoever does it and the target it was aimed at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from evodom.spire.exact.board import Board, Fighter, card_block
from evodom.spire.exact.statuses import BITE, KNOWN, NO_DRAW, STRENGTH
from evodom.spire.rows import effects as e
from evodom.spire.rows.effects import Effect

Act = Callable[[Board, Fighter, Fighter], None]
"""An effect, ready to act on a board for its source and its target."""


def _hit(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    for defender in _chosen(effect, board, source, target):
        board.attack(source, defender, effect.n, effect.times, effect.strength)


def _hit_for_block(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    board.attack(source, target, source.block)


def _bite(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    board.attack(source, target, source.amount(BITE))


def _damage(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    for enemy in _chosen(effect, board, source, target):
        board.damage(enemy, effect.n)


def _block(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    source.block += card_block(source, effect.n)


def _plain_block(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    source.block += effect.n


def _double_block(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    source.block *= 2


def _lose_hp(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    board.lose_hp(source, effect.n)


def _give(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    for fighter in _chosen(effect, board, source, target):
        board.give(fighter, effect.name, effect.n)


def _lose(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    source.statuses.pop(effect.name, None)


def _double_strength(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    source.add(STRENGTH, source.amount(STRENGTH))


def _energy(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    board.energy += effect.n


def _draw(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    """Note how many cards are drawn when the rest of the card is done, unless none can be drawn this turn."""
    if not source.amount(NO_DRAW):
        board.drawing += effect.n


def _create(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    board.created.extend([(effect.name, effect.pile)] * effect.n)


def _exhaust_random(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    """Note that a random card of the hand is exhausted when the rest of the card is done."""
    board.exhausting += effect.n


def _choose(effect: Effect, board: Board, source: Fighter, target: Fighter) -> None:
    """Do nothing: the card was taken from the hand when the play that names it was chosen."""


ACTS: dict[int, Callable[[Effect, Board, Fighter, Fighter], None]] = {
    e.OP_HIT: _hit,
    e.OP_HIT_BLOCK: _hit_for_block,
    e.OP_BITE: _bite,
    e.OP_DAMAGE: _damage,
    e.OP_BLOCK: _block,
    e.OP_PLAIN_BLOCK: _plain_block,
    e.OP_DOUBLE_BLOCK: _double_block,
    e.OP_LOSE_HP: _lose_hp,
    e.OP_GIVE: _give,
    e.OP_LOSE: _lose,
    e.OP_DOUBLE_STRENGTH: _double_strength,
    e.OP_ENERGY: _energy,
    e.OP_DRAW: _draw,
    e.OP_CREATE: _create,
    e.OP_EXHAUST_RANDOM: _exhaust_random,
    e.OP_CHOOSE: _choose,
}
"""What an operation does; those that are not here the exact solver does not know."""


def _is_certain(effect: Effect) -> bool:
    return effect.to in (e.TARGET, e.SELF, e.ENEMIES)


_ONLY: dict[int, Callable[[Effect], bool]] = {
    e.OP_HIT: _is_certain,
    e.OP_DAMAGE: _is_certain,
    e.OP_GIVE: lambda effect: _is_certain(effect) and effect.name in KNOWN,
    e.OP_LOSE: lambda effect: effect.name in KNOWN,
    # A card that is shuffled into the draw pile is never on top of it, and here a pile has no order.
    e.OP_CREATE: lambda effect: effect.pile in (e.HAND, e.DISCARD),
    e.OP_CHOOSE: lambda effect: (effect.to, effect.n, effect.pile) == (e.TO_EXHAUST, 1, e.HAND),
}
"""Which effects of an operation the solver knows, where it does not know all of them."""


def knows(effect: Effect) -> bool:
    """Tell whether there is an act for an effect."""
    return effect.op in ACTS and (effect.op not in _ONLY or _ONLY[effect.op](effect))


def acts_of(effects: Iterable[Effect]) -> tuple[Act, ...]:
    """Return what effects do, each bound to its numbers once, so that nothing is looked up when it acts."""
    return tuple(partial(ACTS[effect.op], effect) for effect in effects)


def _chosen(effect: Effect, board: Board, source: Fighter, target: Fighter) -> Sequence[Fighter]:
    """Return whom an effect is for."""
    if effect.to == e.ENEMIES:
        return list(board.enemies)
    return (source,) if effect.to == e.SELF else (target,)
