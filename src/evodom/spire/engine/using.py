"""Use cards: what playing one puts into the queue, copies and cards that play themselves, and where a card goes."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.combat import alive, lose_hp
from evodom.spire.engine.dice import SPOON, pick_one
from evodom.spire.engine.layout import (
    ATTACK,
    CURSE,
    DISCARD,
    HAND,
    N_FIGHTERS,
    N_SHARED,
    N_WAITING,
    NONE,
    OP,
    POWER,
    SKILL,
    STATUS,
    TIMES,
)
from evodom.spire.engine.legal import allowed
from evodom.spire.engine.piles import exhaust, put, take
from evodom.spire.engine.queue import push, push_lines, trigger
from evodom.spire.engine.statuses import (
    C_CHEMICAL,
    C_PELLETS,
    C_PEN_NIB,
    C_SPOON,
    CORRUPTION,
    DOUBLE_TAP,
    DUPLICATION,
    ENRAGE,
    RAGE,
    SHARP_HIDE,
    STRENGTH,
    VIGOR,
)
from evodom.spire.rows.effects import (
    OP_CURE,
    OP_DAMAGE_PLAYER,
    OP_END_CARD,
    OP_END_PEN_NIB,
    OP_GIVE,
    OP_HIT_STRIKES,
    OP_HIT_X,
    OP_LOSE,
    OP_LOSE_HP,
    OP_PLAIN_BLOCK,
    SELF,
)
from evodom.spire.rows.relics import AT_ATTACK, AT_CARD, AT_POWER, AT_SKILL

PLAYED, COPIED, FROM_TOP, FROM_TOP_EXHAUSTED = 0, 1, 2, 3
"""How a card comes to be played: by the player, as a copy, off the draw pile, or so and exhausted."""

ATTACKED = 1 << 5
"""Marks among the types of cards played this turn that an Attack was; curing debuffs takes the types, but not this."""


@kernel
def use(rules: Any, fight: Any, kind: Any, target: Any, energy: Any, how: Any) -> None:
    """Put all that playing a card does into the queue; the card is in no pile now."""
    first, n = rules.first_line[kind], rules.n_lines[kind]
    begin = fight.n_queue
    push_lines(rules, fight, first, n, target, False)
    for place in range(begin, fight.n_queue):
        if fight.queue[place, OP] == OP_HIT_X:
            fight.queue[place, TIMES] = energy + rules.change[C_CHEMICAL]
        elif fight.queue[place, OP] == OP_HIT_STRIKES:
            fight.queue[place, TIMES] = how == PLAYED
    for other in range(rules.n_kinds):
        if rules.pain[other] and fight.piles[HAND, other] > 0:
            for _ in range(fight.piles[HAND, other]):
                lose_hp(rules, fight, rules.pain[other], True)
    if how != COPIED:
        _copies(rules, fight, kind, target, energy)
    used(rules, fight, kind)
    if how != COPIED or rules.grown[kind] != NONE:
        push(fight, OP_END_CARD, kind, 1, how, 0, 0, 0)


@kernel
def _copies(rules: Any, fight: Any, kind: Any, target: Any, energy: Any) -> None:
    """Have a card played once more by Double Tap and Duplication."""
    copied = kind if rules.grown[kind] == NONE else rules.grown[kind]
    if fight.powers[DUPLICATION] > 0:
        fight.powers[DUPLICATION] -= 1
        wait(fight, copied, target, energy, COPIED)
    if rules.type[kind] == ATTACK and fight.powers[DOUBLE_TAP] > 0:
        fight.powers[DOUBLE_TAP] -= 1
        wait(fight, copied, target, energy, COPIED)


@kernel
def used(rules: Any, fight: Any, kind: Any) -> None:
    """Put what follows from a card being played into the queue: powers, relics, enemies."""
    kind_type = rules.type[kind]
    if rules.counts_cards:
        fight.played += 1
        fight.types |= 1 << kind_type | (ATTACKED if kind_type == ATTACK else 0)
        if rules.change[C_PELLETS] and fight.types & 7 == 7:
            fight.types &= ~7
            push(fight, OP_CURE, 0, 1, SELF, 0, 0, 0)
    trigger(rules, fight, AT_CARD, False)
    if kind_type == ATTACK:
        if rules.change[C_PEN_NIB]:
            fight.pen_nib += 1
            if fight.pen_nib >= 10:
                fight.pen_nib = 10
                push(fight, OP_END_PEN_NIB, 0, 1, SELF, 0, 0, 0)
        if fight.powers[RAGE] > 0:
            push(fight, OP_PLAIN_BLOCK, fight.powers[RAGE], 1, SELF, 0, 0, 0)
        if fight.powers[VIGOR] > 0:
            push(fight, OP_LOSE, 0, 1, SELF, N_SHARED + VIGOR, 0, 0)
        trigger(rules, fight, AT_ATTACK, False)
    elif kind_type == SKILL:
        trigger(rules, fight, AT_SKILL, False)
    elif kind_type == POWER:
        trigger(rules, fight, AT_POWER, False)
    elif kind_type == CURSE:
        push(fight, OP_LOSE_HP, 1, 1, SELF, 0, 0, 0)
    for enemy in range(1, N_FIGHTERS):
        if kind_type == SKILL and fight.status[enemy, ENRAGE] > 0:
            push(fight, OP_GIVE, fight.status[enemy, ENRAGE], 1, 0, STRENGTH, 0, enemy)
        if kind_type == ATTACK and fight.status[enemy, SHARP_HIDE] > 0:
            push(fight, OP_DAMAGE_PLAYER, fight.status[enemy, SHARP_HIDE], 1, SELF, 0, 0, 0)


@kernel
def wait(fight: Any, kind: Any, target: Any, energy: Any, how: Any) -> None:
    """Have a card play itself when all else is done: a copy before others that wait."""
    if fight.n_waiting == N_WAITING:
        fight.spilled += 1
    else:
        place = 0 if how == COPIED else fight.n_waiting
        for other in range(fight.n_waiting, place, -1):
            for column in range(4):
                fight.waiting[other, column] = fight.waiting[other - 1, column]
        fight.n_waiting += 1
        fight.waiting[place, 0] = kind
        fight.waiting[place, 1] = target
        fight.waiting[place, 2] = energy
        fight.waiting[place, 3] = how


@kernel
def play_waiting(rules: Any, fight: Any, dice: Any) -> None:
    """Play the first card that plays itself."""
    kind, target = fight.waiting[0, 0], fight.waiting[0, 1]
    energy, how = fight.waiting[0, 2], fight.waiting[0, 3]
    fight.n_waiting -= 1
    for place in range(fight.n_waiting):
        for column in range(4):
            fight.waiting[place, column] = fight.waiting[place + 1, column]
    for column in range(4):
        fight.waiting[fight.n_waiting, column] = 0
    if allowed(rules, fight, kind) and (not rules.targeted[kind] or alive(fight, target)):
        use(rules, fight, kind, target, energy, how)
    elif how == FROM_TOP:
        put(fight, kind, DISCARD)
    elif how == FROM_TOP_EXHAUSTED:
        exhaust(rules, fight, kind)


@kernel
def end_card(rules: Any, fight: Any, dice: Any, kind: Any, how: Any) -> None:
    """Put a card that was played where it goes."""
    if how == COPIED:  # a copy of Rampage lets the original grow, which lies in the discard pile
        if fight.piles[DISCARD, kind] > 0:
            take(fight, kind, DISCARD)
            put(fight, rules.grown[kind], DISCARD)
        return
    kind_type = rules.type[kind]
    if kind_type == POWER:
        return
    gone = how == FROM_TOP_EXHAUSTED or rules.exhausts[kind] or kind_type in (CURSE, STATUS)
    gone |= kind_type == SKILL and fight.powers[CORRUPTION] > 0
    if gone and rules.change[C_SPOON]:
        gone = pick_one(dice, 2, SPOON, 0) == 0
    if rules.grown[kind] != NONE:
        kind = rules.grown[kind]
    if gone:
        exhaust(rules, fight, kind)
    else:
        put(fight, kind, DISCARD)
