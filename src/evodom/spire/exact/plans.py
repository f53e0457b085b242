"""The plans for a hand: the actions of a fight.

Turn by turn, a plan is everything that is played until something is revealed: a card that draws or exhausts at random,
or the end of the turn. Nothing becomes known in between, so choosing a plan is the same as choosing its cards one by
one. Of plans that lead to the same state only one is kept. Against a single enemy, a plan that differs from another
only in leaving the enemy more HP is dropped: no enemy's behaviour depends on how much HP it has left, so after the
better plan everything can be done that could be done after the other, and the enemy dies no later. What remains are the
sub-multisets of the hand, each played in its best order. Because nothing depends on the enemy's HP, all this is found
once for the fight's shape, in which the enemy has plenty of HP, and then applied to the HP it has.

Card by card, a plan is one card, or the end of the turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, cast

from evodom.spire.exact.board import PLENTY, Combat
from evodom.spire.exact.known import PICKING
from evodom.spire.exact.piles import CardKinds, Pile
from evodom.spire.exact.turn import CardResult, FightRules
from evodom.spire.rows.cards import ATTACK, HAND_LIMIT, POWER, Card
from evodom.spire.rows.effects import HAND

TURN_BY_TURN, CARD_BY_CARD = "turn by turn", "card by card"
MODES = (TURN_BY_TURN, CARD_BY_CARD)


class Play(NamedTuple):
    """A card that is played: at which enemy (by index, left to right), and which card of the hand it exhausts."""

    card: Card
    target: int = 0
    exhausted: Card | None = None


class Plan(NamedTuple):
    """Cards to play, and the result of playing them.

    `after` are the combats it may lead to with their weights (of `total`), none if it ends the fight. If it does not
    end the turn, `hand` is what is left of it, `limbo` the card still being played, and `drawing` or `exhausting` how
    many cards are then drawn or exhausted at random.
    """

    plays: tuple[Play, ...] = ()
    after: tuple[tuple[Combat, int], ...] = ()
    total: int = 1
    lost: int = 0
    won: bool = False
    ends: bool = False
    hand: Pile = 0
    to_discard: Pile = 0
    limbo: Pile = 0
    drawing: int = 0
    exhausting: int = 0


class _Way(NamedTuple):
    """A way to play a card, with what it takes from the hand and puts onto the discard pile."""

    play: Play
    unit: Pile
    gone: Pile


_Node = tuple[Combat, Pile, int, Pile]
"""A turn under way: the combat, the hand, the HP lost, and what has gone to the discard pile."""


class _PlayLine(NamedTuple):
    """Cards to play, the combat that leads to (None if it is won) and the HP it costs.

    Then either the turn goes on (`node`), or the cards are a plan: they win, or reveal something.
    """

    plays: tuple[Play, ...]
    combat: Combat | None
    lost: int
    node: _Node | None = None
    plan: Plan | None = None


class Planner:
    """Finds the plans for a combat and a hand, and remembers them."""

    def __init__(self, turns: FightRules, kinds: CardKinds, mode: str, *, spend_all: bool) -> None:
        self._turns = turns
        self._kinds = kinds
        self._spend_all = spend_all
        self._mode = mode
        self._plans: dict[tuple[Combat, Pile], tuple[Plan, ...]] = {}
        self._lines: dict[tuple[Combat, Pile], tuple[_PlayLine, ...]] = {}
        self._with: dict[tuple[Combat, int], Combat] = {}
        self._ways: dict[tuple[Pile, int, int], tuple[_Way, ...]] = {}
        self._lefts: dict[Pile, tuple[int, Pile]] = {}
        self._spendables: dict[tuple[Pile, int], bool] = {}

    def plans(self, combat: Combat, hand: Pile) -> tuple[Plan, ...]:
        """Return all plans: those of fewer cards first, equal ones in the order of the cards."""
        key = (combat, hand)
        known = self._plans.get(key)
        if known is None:
            found = self._find(combat, hand, self._spend_all)
            known = self._plans[key] = tuple(found or self._find(combat, hand, False))
        return known

    def _find(self, combat: Combat, hand: Pile, spend_all: bool) -> Collection[Plan]:
        if self._mode == CARD_BY_CARD:
            return _distinct(self._card_by_card((combat, hand, 0, 0), spend_all))
        return _distinct(self._turn_by_turn(combat, hand, spend_all))

    def _turn_by_turn(self, combat: Combat, hand: Pile, spend_all: bool) -> Iterator[Plan]:
        """Yield a plan for every line of the fight's shape, with the enemy's actual HP."""
        must_spend = spend_all and self._spendable(hand, combat.energy)
        for plays, reached, lost, node, plan in self._lines_of(combat.shape, hand):
            hp = combat.hp - (PLENTY - reached.hp) if combat.hp and reached else 0
            if combat.hp and hp <= 0:
                yield Plan(plays, lost=lost, won=True)
            elif plan:
                yield plan._replace(after=((self._with_hp(reached, hp), 1),)) if hp and reached else plan
            elif node and not (must_spend and node[0].energy):
                yield self._ending(node, plays, hp)

    def _lines_of(self, shape: Combat, hand: Pile) -> tuple[_PlayLine, ...]:
        """Return every way to play cards, those of fewer cards first."""
        key = (shape, hand)
        known = self._lines.get(key)
        if known is None:
            known = self._lines[key] = tuple(self._play_on((shape, hand, 0, 0)))
        return known

    def _play_on(self, start: _Node) -> Iterator[_PlayLine]:
        level: dict[object, _PlayLine] = {start: _PlayLine((), start[0], 0, start)}
        while level:
            following: dict[object, _PlayLine] = {}
            for line in level.values():
                yield line
                node = line.node
                assert node
                for way in self._playable(node):
                    result = self._played(node, way)
                    plays = (*line.plays, way.play)
                    if isinstance(result, Plan):
                        reached = result.after[0][0] if result.after else None
                        yield _PlayLine(plays, reached, result.lost, plan=result._replace(plays=plays))
                        continue
                    combat = result[0]
                    key = (combat.shape, *result[1:])
                    other = following.get(key)
                    if other is None or combat.hp < cast(Combat, other.combat).hp:
                        following[key] = _PlayLine(plays, combat, result[2], result)
            level = following

    def _with_hp(self, combat: Combat, hp: int) -> Combat:
        """Return the same fight with other HP of the single enemy."""
        known = self._with.get((combat, hp))
        if known is None:
            known = self._with[combat, hp] = combat.with_hp(hp)
        return known

    def _card_by_card(self, start: _Node, spend_all: bool) -> Iterator[Plan]:
        """Yield the end of the turn and each card; with `spend_all` only what can still lead to no energy left."""
        hand, energy = start[1], start[0].energy
        must_spend = spend_all and self._spendable(hand, energy)
        if not (must_spend and energy):
            yield self._ending(start, ())
        for way in self._playable(start):
            if must_spend and not self._spendable(hand - way.unit, energy - (way.play.card.cost or 0)):
                continue
            result = self._played(start, way)
            yield result if isinstance(result, Plan) else _unfinished(result, way.play)

    def _playable(self, node: _Node) -> tuple[_Way, ...]:
        """Return every way to play a card: which, at whom, and what it exhausts."""
        combat, hand = node[0], node[1]
        key = (hand, combat.energy, len(combat.enemies))
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = tuple(self._ways_to_play(*key))
        return known

    def _ways_to_play(self, hand: Pile, energy: int, n_enemies: int) -> Iterator[_Way]:
        units = self._kinds.units
        here = [(card, n) for card, n in zip(self._kinds.cards, self._kinds.counts(hand), strict=True) if n]
        only_attacks = all(card.kind == ATTACK for card, _ in here)
        for card, n in here:
            if card.cost is None or card.cost > energy or (card.needs_attacks and not only_attacks):
                continue
            unit = units[card.name]
            gone = 0 if card.exhausts or card.kind == POWER else unit
            picks = [other for other, m in here if other is not card or n > 1] if card.name in PICKING else []
            for target in range(n_enemies) if card.targeted else (0,):
                for pick in picks or (None,):
                    yield _Way(Play(card, target, pick), unit + (units[pick.name] if pick else 0), gone)

    def _played(self, node: _Node, way: _Way) -> _Node | Plan:
        """Play a card: a turn that goes on, or a plan if the fight is won or something is about to be revealed."""
        combat, hand, lost, to_discard = node
        play, unit, gone = way
        result = self._turns.play(combat, play.card, play.target)
        lost += result.lost
        if result.combat is None:
            return Plan((play,), lost=lost, won=True)
        hand -= unit
        if result.created:
            hand, to_discard = self._create(result, hand, to_discard)
        if result.drawing or (result.exhausting and hand):
            return Plan(
                (play,),
                ((result.combat, 1),),
                lost=lost,
                hand=hand,
                to_discard=to_discard,
                limbo=gone,
                drawing=result.drawing,
                exhausting=result.exhausting,
            )
        return result.combat, hand, lost, to_discard + gone

    def _create(self, result: CardResult, hand: Pile, to_discard: Pile) -> tuple[Pile, Pile]:
        """Put the cards that were created into their piles; a full hand takes no more."""
        for name, pile in result.created:
            unit = self._kinds.units[name]
            if pile == HAND and self._kinds.size(hand) < HAND_LIMIT:
                hand += unit
            else:
                to_discard += unit
        return hand, to_discard

    def _ending(self, node: _Node, plays: tuple[Play, ...], hp: int = 0) -> Plan:
        """End the turn: the hand is discarded, ethereal cards are gone. `hp` are those of a single enemy, or 0."""
        combat, hand, lost, to_discard = node
        burn, kept = self._left(hand)
        ended = self._turns.end(combat.shape if hp else combat, burn)
        if hp and ended.hurt:
            ended = self._turns.end(self._with_hp(combat, hp), burn)
            hp = 0
        return Plan(
            plays,
            tuple([(self._with_hp(following, hp), weight) for following, weight in ended.after]) if hp else ended.after,
            ended.total,
            lost + ended.lost,
            ended.won,
            True,
            to_discard=to_discard + kept + sum([self._kinds.units[name] for name, _ in ended.created]),
        )

    def _left(self, hand: Pile) -> tuple[int, Pile]:
        """Return what a hand does at the end of the turn: the damage of its burning cards, and the cards discarded."""
        known = self._lefts.get(hand)
        if known is None:
            cards = self._kinds.cards
            burn = sum(card.last_damage * n for card, n in zip(cards, self._kinds.counts(hand), strict=True))
            kept = self._kinds.without(hand, [card for card in cards if card.ethereal])
            known = self._lefts[hand] = burn, kept
        return known

    def _spendable(self, hand: Pile, energy: int) -> bool:
        """Tell whether some cards of the hand cost just `energy`.

        They may still not be playable together: one may exhaust another, or give energy.
        """
        known = self._spendables.get((hand, energy))
        if known is None:
            sums = {0}
            for card, n in zip(self._kinds.cards, self._kinds.counts(hand), strict=True):
                if card.cost is not None:
                    sums |= {total + card.cost * k for total in sums for k in range(1, n + 1)}
            known = self._spendables[hand, energy] = energy in sums
        return known


def _distinct(plans: Iterable[Plan]) -> Collection[Plan]:
    """Return the first of the plans that lead to the same; of those that win, the first that costs least HP."""
    found: dict[object, Plan] = {}
    for plan in plans:
        key = () if plan.won else plan[1:]
        known = found.get(key)
        if known is None or (plan.won and plan.lost < known.lost):
            found[key] = plan
    return found.values()


def _unfinished(node: _Node, play: Play) -> Plan:
    """Return the plan of one card after which nothing is revealed and the turn goes on."""
    combat, hand, lost, to_discard = node
    return Plan((play,), ((combat, 1),), lost=lost, hand=hand, to_discard=to_discard)
