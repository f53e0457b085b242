"""What can be done with a hand: the plans.

Turn by turn, a plan is all that is played until something is revealed: a card that draws or exhausts at random, or the
end of the turn. Nothing becomes known in between, so that choosing a plan is the same as choosing its cards one by one.
Plans that come to the same are one. Against a single enemy, a plan that differs from another only in leaving the enemy
more HP is left out: no enemy's behaviour depends on how much HP it has left, so that whoever has the better plan can do
all that could be done after the other one and see the enemy dead no later. What is left are the sub-multisets of
the hand, each played in its best order.

Card by card, a plan is one card, or the end of the turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from evodom.spire.board import Combat
from evodom.spire.cards import ATTACK, POWER, Card
from evodom.spire.effects import DRAW, HAND
from evodom.spire.piles import Kinds, Pile
from evodom.spire.turn import Played, Turns

TURN_BY_TURN, CARD_BY_CARD = "turn by turn", "card by card"
MODES = (TURN_BY_TURN, CARD_BY_CARD)

HAND_LIMIT = 10
"""Cards in hand beyond which none is drawn, and created ones go to the discard pile."""


class Play(NamedTuple):
    """A card that is played: at which enemy (by index, left to right), and which card of the hand it exhausts."""

    card: Card
    target: int = 0
    exhausted: Card | None = None


class Plan(NamedTuple):
    """Cards to play, and what that comes to.

    `after` are the combats it may lead to with their weights (of `total`), none if it wins the fight. If it does not
    end the turn, `hand` is what is left of it, `limbo` the card still being played, and `drawing` or `exhausting` how
    many cards are then drawn or exhausted at random.
    """

    plays: tuple[Play, ...] = ()
    after: tuple[tuple[Combat, int], ...] = ()
    total: int = 1
    lost: int = 0
    won: bool = False
    ends: bool = False
    energy: int = 0
    hand: Pile = 0
    to_discard: Pile = 0
    to_draw: Pile = 0
    limbo: Pile = 0
    drawing: int = 0
    exhausting: int = 0


class _Node(NamedTuple):
    """A turn under way: the board, the hand, the HP lost, and what has gone to the other piles."""

    combat: Combat
    hand: Pile
    lost: int = 0
    to_discard: Pile = 0
    to_draw: Pile = 0


class Planner:
    """Finds the plans for a combat and a hand, and remembers them."""

    def __init__(self, turns: Turns, kinds: Kinds, mode: str, *, spend_all: bool) -> None:
        self._turns = turns
        self._kinds = kinds
        self._spend_all = spend_all
        self._find = self._turn_by_turn if mode == TURN_BY_TURN else self._card_by_card
        self._plans: dict[tuple[Combat, Pile], tuple[Plan, ...]] = {}
        self._ethereal = [card for card in kinds.cards if card.ethereal]

    def plans(self, combat: Combat, hand: Pile) -> tuple[Plan, ...]:
        """Return all plans: those of fewer cards first, equal ones in the order of the cards."""
        key = (combat, hand)
        known = self._plans.get(key)
        if known is None:
            known = self._plans[key] = tuple(self._find(_Node(combat, hand)))
        return known

    def _turn_by_turn(self, start: _Node) -> list[Plan]:
        """Play one card more, round after round, until every way to go on is found."""
        plans: list[Plan] = []
        level: dict[object, tuple[_Node, tuple[Play, ...]]] = {start: (start, ())}
        while level:
            following: dict[object, tuple[_Node, tuple[Play, ...]]] = {}
            for node, plays in level.values():
                plans.append(self._ending(node, plays))
                for play in self._playable(node):
                    result = self._played(node, play)
                    if isinstance(result, Plan):
                        plans.append(result._replace(plays=(*plays, *result.plays)))
                        continue
                    key = _but_enemy_hp(result)
                    if key not in following or _enemy_hp(result) < _enemy_hp(following[key][0]):
                        following[key] = (result, (*plays, play))
            level = following
        if self._spend_all and self._spendable(start.hand, start.combat.energy):
            plans = [plan for plan in plans if plan.won or not plan.energy]
        return _distinct(plans)

    def _card_by_card(self, start: _Node) -> list[Plan]:
        """Play one card, or end the turn; with `spend_all` only what can still lead to no energy left."""
        energy = start.combat.energy
        thrifty = self._spend_all and self._spendable(start.hand, energy)
        plans: list[Plan] = []
        if not (thrifty and energy):
            plans.append(self._ending(start, ()))
        for play in self._playable(start):
            rest = start.hand - self._kinds.units[play.card.name]
            if thrifty and not self._spendable(rest, energy - (play.card.cost or 0)):
                continue
            result = self._played(start, play)
            plans.append(result if isinstance(result, Plan) else _unfinished(result, play))
        return _distinct(plans)

    def _playable(self, node: _Node) -> Iterator[Play]:
        """Yield every way to play a card: which, at whom, and what it exhausts."""
        here = [(card, n) for card, n in zip(self._kinds.cards, self._kinds.counts(node.hand), strict=True) if n]
        only_attacks = all(card.kind == ATTACK for card, _ in here)
        for card, n in here:
            if card.cost is None or card.cost > node.combat.energy or (card.needs_attacks and not only_attacks):
                continue
            targets = range(len(node.combat.enemies)) if card.targeted else (0,)
            picks = [other for other, m in here if other is not card or n > 1] if card.picks else []
            for target in targets:
                for pick in picks or (None,):
                    yield Play(card, target, pick)

    def _played(self, node: _Node, play: Play) -> _Node | Plan:
        """Play a card: a turn that goes on, or a plan if the fight is won or something is about to be revealed."""
        card, units = play.card, self._kinds.units
        result = self._turns.play(node.combat, card, play.target)
        lost = node.lost + result.lost
        if result.combat is None:
            return Plan((play,), lost=lost, won=True, energy=node.combat.energy - (card.cost or 0))
        hand = node.hand - units[card.name] - (units[play.exhausted.name] if play.exhausted else 0)
        hand, to_discard, to_draw = self._create(result, hand, node.to_discard, node.to_draw)
        gone = 0 if card.exhausts or card.kind == POWER else units[card.name]
        if result.drawing or (result.exhausting and hand):
            return Plan(
                (play,),
                ((result.combat, 1),),
                lost=lost,
                energy=result.combat.energy,
                hand=hand,
                to_discard=to_discard,
                to_draw=to_draw,
                limbo=gone,
                drawing=result.drawing,
                exhausting=result.exhausting,
            )
        return _Node(result.combat, hand, lost, to_discard + gone, to_draw)

    def _create(self, result: Played, hand: Pile, to_discard: Pile, to_draw: Pile) -> tuple[Pile, Pile, Pile]:
        """Put the cards that were created into their piles; a full hand takes no more."""
        for name, pile in result.created:
            unit = self._kinds.units[name]
            if pile == HAND and self._kinds.size(hand) < HAND_LIMIT:
                hand += unit
            elif pile == DRAW:
                to_draw += unit
            else:
                to_discard += unit
        return hand, to_discard, to_draw

    def _ending(self, node: _Node, plays: tuple[Play, ...]) -> Plan:
        """End the turn: the hand is discarded, ethereal cards are gone."""
        counts = self._kinds.counts(node.hand)
        burn = sum(card.burn * n for card, n in zip(self._kinds.cards, counts, strict=True) if card.burn)
        ended = self._turns.end(node.combat, burn)
        created = sum(self._kinds.units[name] for name, _ in ended.created)
        kept = self._kinds.without(node.hand, self._ethereal) if self._ethereal else node.hand
        return Plan(
            plays,
            ended.after,
            ended.total,
            lost=node.lost + ended.lost,
            won=not ended.after,
            ends=True,
            energy=node.combat.energy,
            to_discard=node.to_discard + kept + created,
            to_draw=node.to_draw,
        )

    def _spendable(self, hand: Pile, energy: int) -> bool:
        """Tell whether some cards of the hand cost just `energy`."""
        sums = {0}
        for card, n in zip(self._kinds.cards, self._kinds.counts(hand), strict=True):
            if card.cost is not None:
                sums |= {total + card.cost * k for total in sums for k in range(1, n + 1)}
        return energy in sums


def plan_to_text(plan: Plan, enemies: tuple[str, ...]) -> str:
    """Write a plan as a player says it: "Bash, 2 Strike"; with several enemies also at which each card is aimed."""
    if not plan.plays:
        return "end the turn"
    parts = Counter(_play_to_text(play, enemies) for play in plan.plays)
    return ", ".join(f"{n} {text}" if n > 1 else text for text, n in parts.items())


def _play_to_text(play: Play, enemies: tuple[str, ...]) -> str:
    text = play.card.name
    if play.card.targeted and len(enemies) > 1:
        text += f" at {enemies[play.target]} {play.target + 1}"
    return text + (f" exhausting {play.exhausted.name}" if play.exhausted else "")


def _distinct(plans: list[Plan]) -> list[Plan]:
    """Return the first of plans that come to the same; of those that win, the first that loses least."""
    found: dict[object, Plan] = {}
    for plan in plans:
        key = () if plan.won else (plan.after, plan.lost, *plan[7:])
        known = found.get(key)
        if known is None or (plan.won and plan.lost < known.lost):
            found[key] = plan
    return list(found.values())


def _unfinished(node: _Node, play: Play) -> Plan:
    """Return the plan of one card after which nothing is revealed and the turn goes on."""
    return Plan(
        (play,),
        ((node.combat, 1),),
        lost=node.lost,
        energy=node.combat.energy,
        hand=node.hand,
        to_discard=node.to_discard,
        to_draw=node.to_draw,
    )


def _but_enemy_hp(node: _Node) -> object:
    """Return what must be equal for two turns under way to differ in the HP of a single enemy alone."""
    combat = node.combat
    if len(combat.enemies) > 1:
        return node
    return node[1:], combat.block, combat.energy, combat.turn, combat.statuses, combat.enemies[0][2:]


def _enemy_hp(node: _Node) -> int:
    return node.combat.enemies[0].hp
