"""Kernels of choices of cards: which cards can be chosen for a purpose, and what happens to them.

Open it to change how cards are chosen. The pending choice is in the fields `choosing` to `choose_from` of the record.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.layout import CompiledRules, FightRecord


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
    return True


@kernel
def start_choice(rules: CompiledRules, fight: FightRecord, n: int, purpose: int, pile: int) -> None:
    """Start a choice of `n` cards. If only one kind is possible and `n` is not ANY_NUMBER, choose it."""
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
    if n_kinds == 1 and n != e.ANY_NUMBER:
        choose(rules, fight, last)


@kernel
def choose(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Apply a choice to the chosen card."""
    purpose, pile = fight.choosing - 1, fight.choose_pile
    any_number = fight.choose_n == e.ANY_NUMBER
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
    fight.choose_from = kind
    if not any_number or fight.n_cards[pile] == 0:
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
