"""The cards, enemies and relics that the oracle supports, and the rules of a turn.

A turn is: playing cards, ending it, the moves of the enemies, the start of the next one. It depends on the `Combat`,
the card and its target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from evodom.distribution import Distribution, certain, uniform
from evodom.spire.content import cards, enemies, potions, relics
from evodom.spire.content.cards import ATTACK, ENERGY, HAND_SIZE, SKILL, SpireCard
from evodom.spire.content.effects import OP_CHOOSE, OP_CREATE, OP_HEAL
from evodom.spire.content.enemies import MAX_ASCENSION, STUNNED, EnemyRow, Range, enemy_row
from evodom.spire.content.relics import AT_START, AT_TURN, Relic
from evodom.spire.content.statuses import STATUSES
from tests.oracles.spire.board import KNOWN, Act, Board, Combat, Enemy, Fighter, acts_of, knows

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

_CARD_FIELDS = frozenset(
    (
        "name", "cost", "kind", "effects", "rarity", "exhausts", "ethereal", "needs_only_attacks", "end_turn_damage",
    )
)  # fmt: skip
"""The fields of a card that the oracle supports. A card with other fields is not supported."""


def _knows_card(card: SpireCard) -> bool:
    plain = all(getattr(card, one.name) == one.default for one in fields(card) if one.name not in _CARD_FIELDS)
    grows = cards.grown(card) or cards.cheaper(card)
    return plain and not grows and card.cost != cards.X and all(map(knows, card.effects))


CARDS = {name: card for name, card in cards.CARDS.items() if _knows_card(card)}
"""The cards that the oracle supports."""

POTIONS = {
    name: SpireCard(name, 0, "Potion", potion.effects)
    for name, potion in potions.POTIONS.items()
    if potion.effects and all(map(knows, potion.effects))
}
"""The potions that the oracle supports, as cards."""

CARD_ACTS = {name: acts_of(card.effects) for name, card in (CARDS | POTIONS).items()}
"""The effects of each card and potion."""

PICKING = frozenset(name for name, card in CARDS.items() if any(effect.op == OP_CHOOSE for effect in card.effects))
"""The cards that are played by choosing a card of the hand to exhaust."""


def _knows_row(row: EnemyRow) -> bool:
    effects = [effect for line in row.moves.values() for effect in line]
    return (
        {*row.statuses, *row.random_statuses} <= KNOWN
        and row.interrupt_move in ("", STUNNED)
        and not row.move_when_alone
        and all(map(knows, effects))
        and all(effect.name in CARDS for effect in effects if effect.op == OP_CREATE)
    )


ENEMIES = tuple(name for name in enemies.ENEMIES if all(_knows_row(enemy_row(name, at)) for at in (0, MAX_ASCENSION)))
"""The names of the enemies that the oracle supports."""


@cache
def moves_of(name: str, ascension: int) -> Mapping[str, tuple[Act, ...]]:
    """Return the effects of the moves of an enemy."""
    return {move: acts_of(effects) for move, effects in enemy_row(name, ascension).moves.items()}


@dataclass(frozen=True)
class KnownRelic:
    """The effects of a relic at the start of the fight, or (`turns`) at the start of turn `turn`, 0 for every turn."""

    acts: tuple[Act, ...]
    turns: bool
    turn: int
    heal_first: int
    """HP healed before the first turn."""
    changes: Mapping[str, int]
    front: bool


def _known_relics() -> Iterator[tuple[str, KnownRelic]]:
    """Yield the supported relics. Relics that count, act at other times or change other rules are not supported."""
    for name, relic in relics.RELICS.items():
        first = relic.effects if relic.when == AT_START else ()
        healing = [effect for effect in first if effect.op == OP_HEAL and not effect.more]
        acting = [effect for effect in relic.effects if effect not in healing]
        plain = Relic(relic.text, relic.when, relic.effects, relic.turn, changes=relic.changes)
        if (
            replace(relic, front=False, max_lifts=0) == plain
            and relic.when in (None, AT_START, AT_TURN)
            and (relic.effects or relic.changes)
            and set(relic.changes) <= {"energy", "turn_end_block", "fight_end_heal"}
            and all(map(knows, acting))
        ):
            healed = sum(effect.n for effect in healing)
            turns = relic.when == AT_TURN
            yield name, KnownRelic(acts_of(acting), turns, relic.turn, healed, relic.changes, relic.front)


RELICS = dict(_known_relics())
"""The relics that the oracle supports."""


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

    The player loses `burnt` HP, heals `healed` and then loses `lost`.
    `after` are the combats of the next turn with their weights (of `total`). There are none if the fight is over:
    `won`, or lost because it took too many turns.
    """

    after: Combats
    total: int
    burnt: int
    healed: int
    lost: int
    created: tuple[tuple[str, int], ...]
    won: bool = False


class FightOpening(NamedTuple):
    """A fight before its first turn: the combat, and how many cards to draw."""

    combat: Combat | None
    drawing: int


class TurnRules:
    """The rules of one fight, given its ascension, the player's relics, and how many turns it may take, if limited."""

    def __init__(self, ascension: int, relics: Sequence[str], max_turns: int | None = None) -> None:
        self.ascension = ascension
        self._max_turns = max_turns
        known = [RELICS[name] for name in relics]
        self.heal_first = sum(relic.heal_first for relic in known)
        self.heal = sum(relic.changes.get("fight_end_heal", 0) for relic in known)
        self._energy = ENERGY + sum(relic.changes.get("energy", 0) for relic in known)
        self._last_block = sum(relic.changes.get("turn_end_block", 0) for relic in known)
        opening = [relic for relic in reversed(known) if relic.front] + [relic for relic in known if not relic.front]
        self._opening: list[Act] = [act for relic in opening if not relic.turns for act in relic.acts]
        self._turns: list[tuple[int, Act]] = [(relic.turn, act) for relic in known if relic.turns for act in relic.acts]
        self._played: dict[tuple[Combat, str, int], CardResult] = {}
        self._ended: dict[tuple[Combat, tuple[int, ...]], TurnResult] = {}
        self._last_turn = max((max_turns or 0, *(turn for turn, _ in self._turns)))

    def counted(self, turn: int) -> int:
        """Return the number of a turn as `Combat.turn` counts it."""
        return min(turn, self._last_turn + 1)

    def play(self, combat: Combat, card: SpireCard, target: int) -> CardResult:
        """Return the result of playing `card` at the enemy of index `target`."""
        key = combat, card.name, target
        if key not in self._played:
            self._played[key] = self._play(combat, card, target)
        return self._played[key]

    def _play(self, combat: Combat, card: SpireCard, target: int) -> CardResult:
        board = Board(combat)
        play_on(board, card, target)
        if board.won:
            return CardResult(None, board.lost, 0, 0, ())
        return CardResult(board.freeze(), board.lost, board.drawing, board.exhausting, tuple(board.created))

    def end(self, combat: Combat, burns: tuple[int, ...]) -> TurnResult:
        """Return the result of ending the turn, up to the start of the next. `burns` is the damage of cards in hand."""
        key = combat._replace(energy=0), burns
        if key not in self._ended:
            self._ended[key] = self._end(combat, burns)
        return self._ended[key]

    def _end(self, combat: Combat, burns: tuple[int, ...]) -> TurnResult:
        board = Board(combat)
        healed = self._end_player(board, burns)
        burnt = board.lost
        self._move_enemies(board)
        created, lost = tuple(board.created), board.lost - burnt
        if board.won:
            return TurnResult((), 1, burnt, healed, lost, created, won=True)
        if board.turn == self._max_turns:
            return TurnResult((), 1, burnt, healed, lost, created)
        _end_round(board)
        chosen = _joined([self._roll(enemy) for enemy in board.enemies])
        after = self._next_turns(board, chosen)
        return TurnResult(after, int(chosen.total), burnt, healed, lost, created, won=not after)

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
        return enemy_row(enemy.name, self.ascension).pattern.following(enemy.move, enemy.run).merge()

    def _end_player(self, board: Board, burns: tuple[int, ...]) -> int:
        """End the player's turn: relics, block from powers, burning cards, then statuses that last one turn.

        Return the HP that Regen heals after that.
        """
        player = board.player
        if not player.block:
            player.block = self._last_block
        player.block += player.amount("Metallicize") + player.amount("Plated Armor")
        for damage in burns:
            board.damage(player, damage)
        for lost, status in (("Strength Down", "Strength"), ("Dexterity Down", "Dexterity")):
            if amount := player.statuses.pop(lost, 0):
                board.give(player, status, -amount)
        for status in ("No Draw", "Entangled", "Rage"):
            player.statuses.pop(status, None)
        healed = player.amount("Regen")
        if healed:
            player.add("Regen", -1)
        player.add("Strength", player.amount("Ritual"))
        player.fresh.clear()
        return healed

    def _move_enemies(self, board: Board) -> None:
        """Take the enemies' block, then let them move left to right.

        An enemy that its attack kills by Thorns completes its move, unless the fight has ended.
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
        board.turn = self.counted(board.turn + 1)
        player = board.player
        kept = player.block if player.amount("Barricade") else 0
        player.block, board.energy = (
            kept + player.statuses.pop("Next Turn Block", 0),
            self._energy + player.amount("Berserk"),
        )
        player.statuses.pop("Flame Barrier", None)
        return self._start_turn(board)

    def _start_turn(self, board: Board) -> FightOpening:
        """Have the relics and powers act that do so at the start of a turn."""
        player = board.player
        for turn, act in self._turns:
            if turn in (0, board.turn):
                act(board, player, player)
        if player.amount("Demon Form"):
            player.add("Strength", player.amount("Demon Form"))
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
        rolls += [_even(bounds) for bounds in row.random_statuses.values()]

        def made(rolled: tuple[Any, ...]) -> Enemy:
            health, (move, run), *amounts = rolled
            statuses = {**row.statuses, **dict(zip(row.random_statuses, amounts, strict=True))}
            return Enemy(name, health, row.block, move, run, tuple(sorted(statuses.items())))

        return _joined(rolls).map(made)


def play_on(board: Board, card: SpireCard, target: int) -> None:
    """Resolve `card`, aimed at the enemy of index `target`, on the board; stop as soon as the fight is won."""
    player, aim = board.player, board.enemies[target]
    board.energy -= card.cost or 0
    hides = [enemy.amount("Sharp Hide") for enemy in board.enemies if card.kind == ATTACK]
    rage = player.amount("Rage") if card.kind == ATTACK else 0
    for act in CARD_ACTS[card.name]:
        if not board.won:
            act(board, player, aim)
    player.block += rage
    for damage in filter(None, hides):
        board.damage(player, damage)
    if card.kind == ATTACK:
        player.statuses.pop("Vigor", None)
    for enemy in board.enemies:
        if card.kind == SKILL and enemy.amount("Enrage"):
            enemy.add("Strength", enemy.amount("Enrage"))
        enemy.block += enemy.curled
        enemy.curled = 0


def _end_round(board: Board) -> None:
    """End the round: enemies' block from powers, the player's statuses fade, then the enemies' grow and fade."""
    for enemy in board.enemies:
        enemy.block += enemy.amount("Metallicize") + enemy.amount("Plated Armor")
    if board.player.amount("Intangible"):
        board.player.add("Intangible", -1)
    _fade(board.player)
    for enemy in board.enemies:
        if "Ritual" not in enemy.fresh:
            enemy.add("Strength", enemy.amount("Ritual"))
        enemy.fresh.clear()
        _fade(enemy)


def _fade(fighter: Fighter) -> None:
    """Reduce every status that fades by one, except new statuses given in this round by an enemy's move."""
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
