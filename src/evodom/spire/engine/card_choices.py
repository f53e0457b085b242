"""Kernels of choices of cards: which cards can be chosen for a purpose, and what happens to them.

Open it to change how cards are chosen or taken from the draw pile. The pending choice is in the fields `choosing` to
`choose_from` of the record.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.content.relics import AT_SHUFFLE
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.chance import TAKEN_CARD, draw_outcome
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord


@kernel
def is_choosable(rules: CompiledRules, fight: FightRecord, purpose: int, pile: int, kind: int) -> Any:
    """Return whether a card of a pile can be chosen for a purpose."""
    if fight.piles[pile, kind] <= 0:
        return False
    if purpose == e.TO_UPGRADE:
        return rules.upgraded[kind] != at.NONE
    if purpose == e.TO_COPY:
        return rules.type[kind] == at.ATTACK or rules.type[kind] == at.POWER
    if purpose == e.TO_HAND:
        return not rules.exhume[kind]
    if purpose == e.TO_TAKE_ATTACK:
        return rules.type[kind] == at.ATTACK
    if purpose == e.TO_TAKE_SKILL:
        return rules.type[kind] == at.SKILL
    return True


@kernel
def start_choice(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, purpose: int, pile: int) -> None:
    """Start a choice of `n` cards. If only one kind is possible and `n` is at most UP_TO, choose it."""
    if purpose == e.TO_HAND and fight.n_cards[at.HAND] >= HAND_LIMIT:
        return
    n_kinds, last = 0, 0
    for kind in range(rules.n_kinds):
        if is_choosable(rules, fight, purpose, pile, kind):
            n_kinds += 1
            last = kind
    if n_kinds == 0:
        return
    fight.choose_pile = pile
    fight.choose_n = n
    fight.choosing = 1 + purpose
    if n_kinds == 1 and n <= e.UP_TO:
        choose(rules, fight, dice, last)


@kernel
def choose(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int) -> None:
    """Apply a choice to the chosen card."""
    purpose, pile = fight.choosing - 1, fight.choose_pile
    if purpose == e.TO_EXHAUST:
        piles.take(fight, kind, pile)
        piles.exhaust(rules, fight, kind)
    elif purpose == e.TO_DRAW_TOP:
        piles.take(fight, kind, pile)
        piles.put_on_top(fight, kind)
    elif purpose == e.TO_HAND:
        piles.move(fight, kind, pile, at.HAND)
    elif purpose == e.TO_UPGRADE:
        piles.upgrade(rules, fight, kind)
    elif purpose == e.TO_COPY:
        for _ in range(fight.choose_n):
            piles.put(fight, kind, at.HAND)
    elif purpose == e.TO_DISCARD_AND_DRAW:
        piles.move(fight, kind, at.HAND, at.DISCARD)
        fight.chosen += 1
    elif purpose in (e.TO_TAKE_ATTACK, e.TO_TAKE_SKILL):
        piles.take_from_draw_pile(fight, dice, kind)
        piles.put(fight, kind, at.HAND)
    fight.choose_from = kind
    if e.UP_TO < fight.choose_n < e.ANY_NUMBER:
        fight.choose_n -= 1
    if fight.choose_n <= e.UP_TO or fight.n_cards[pile] == 0:
        end_choice(fight)


@kernel
def end_choice(fight: FightRecord) -> None:
    """End a choice. After TO_DISCARD_AND_DRAW, push the draw of the same number of cards."""
    if fight.chosen > 0:
        piles.push_front(fight, e.OP_DRAW, fight.chosen, 1, e.SELF, 0, 0, 0)
    fight.choosing = 0
    fight.choose_pile = 0
    fight.choose_n = 0
    fight.chosen = 0
    fight.choose_from = 0


@kernel
def resolve_draw_pile_effect(rules: CompiledRules, fight: FightRecord, dice: Dice, op: int, n: int) -> None:
    """Resolve an effect on the draw pile."""
    if op == e.OP_DRAW_WITHOUT_ATTACKS:
        if piles.n_of_type(rules, fight, at.HAND, at.ATTACK) == 0:
            piles.push_front(fight, e.OP_DRAW, n, 1, e.SELF, 0, 0, 0)
    elif op == e.OP_SHUFFLE_ALL:
        if fight.n_cards[at.DISCARD] > 0:
            piles.trigger(rules, fight, AT_SHUFFLE)
            fight.top.fill(0)
            fight.buried.fill(0)
            fight.n_top = fight.n_buried = 0
            piles.shuffle(rules, fight)
    elif op == e.OP_TAKE_ATTACKS:
        for _ in range(min(n, piles.n_of_type(rules, fight, at.DRAW, at.ATTACK))):
            for kind in range(rules.n_kinds):
                dice.scratch[kind] = fight.piles[at.DRAW, kind] if rules.type[kind] == at.ATTACK else 0
            kind = draw_outcome(dice, rules.n_kinds, TAKEN_CARD, 0)
            piles.take_from_draw_pile(fight, dice, kind)
            piles.put(fight, kind, at.HAND)
