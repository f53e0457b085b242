"""Handle piles of cards, and the cards that the player chooses."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.combat import card_block, gain_block, random_enemy
from evodom.spire.engine.dice import EXHAUSTED, TOP_CARD, UPGRADED, pick
from evodom.spire.engine.layout import ATTACK, DISCARD, DRAW, HAND, NONE, POWER
from evodom.spire.engine.piles import (
    draw,
    exhaust,
    move,
    next_card,
    put,
    put_on_top,
    shuffle_in,
    take,
    upgrade,
    upgrade_hand,
)
from evodom.spire.engine.queue import push, push_front
from evodom.spire.engine.using import FROM_TOP, FROM_TOP_EXHAUSTED, wait
from evodom.spire.rows.cards import HAND_LIMIT
from evodom.spire.rows.effects import (
    ANY_NUMBER,
    OP_CHOOSE,
    OP_CREATE,
    OP_DRAW,
    OP_EXHAUST_HAND,
    OP_EXHAUST_OTHERS,
    OP_EXHAUST_RANDOM,
    OP_HIT,
    OP_PLAY_TOP,
    OP_UPGRADE_HAND,
    OP_UPGRADE_RANDOM,
    SELF,
    TARGET,
    TO_COPY,
    TO_DISCARD_AND_DRAW,
    TO_DRAW_TOP,
    TO_EXHAUST,
    TO_HAND,
    TO_UPGRADE,
)


@kernel
def handle_cards(rules: Any, fight: Any, dice: Any, op: Any, n: Any, to: Any, x: Any, more: Any, aim: Any) -> None:
    """Do what changes piles of cards."""
    if op == OP_DRAW:
        draw(rules, fight, dice, n)
    elif op == OP_CREATE:
        for _ in range(n):
            if more == DRAW:
                shuffle_in(fight, dice, x)
            else:
                put(fight, x, more)
    elif op == OP_EXHAUST_RANDOM:
        _exhaust_random(rules, fight, dice)
    elif op == OP_EXHAUST_HAND:
        _fiend_fire(rules, fight, n, aim)
    elif op == OP_EXHAUST_OTHERS:
        _exhaust_others(rules, fight, n)
    elif op == OP_UPGRADE_HAND:
        upgrade_hand(rules, fight)
    elif op == OP_UPGRADE_RANDOM:
        _upgrade_random(rules, fight, dice)
    elif op == OP_PLAY_TOP:
        _play_top(rules, fight, dice, n, more)
    elif op == OP_CHOOSE:
        _ask(rules, fight, n, to, more)


@kernel
def _exhaust_random(rules: Any, fight: Any, dice: Any) -> None:
    """Exhaust a random card of the hand."""
    if fight.n_cards[HAND] > 0:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[HAND, kind]
        kind = pick(dice, rules.n_kinds, EXHAUSTED, 0)
        take(fight, kind, HAND)
        exhaust(rules, fight, kind)


@kernel
def _fiend_fire(rules: Any, fight: Any, n: Any, aim: Any) -> None:
    """Exhaust the hand, then hit once for each card."""
    times = fight.n_cards[HAND]
    if times > 0:
        push_front(fight, OP_HIT, n, times, TARGET, 0, 1, aim)
    for kind in range(rules.n_kinds):
        while fight.piles[HAND, kind] > 0:
            take(fight, kind, HAND)
            exhaust(rules, fight, kind)


@kernel
def _exhaust_others(rules: Any, fight: Any, block: Any) -> None:
    """Exhaust all cards of the hand but the Attacks; gain block once for each, if there is any."""
    n = 0
    for kind in range(rules.n_kinds):
        if rules.type[kind] != ATTACK:
            while fight.piles[HAND, kind] > 0:
                take(fight, kind, HAND)
                exhaust(rules, fight, kind)
                n += 1
    if block:
        for _ in range(n):
            gain_block(fight, card_block(fight, block))


@kernel
def _upgrade_random(rules: Any, fight: Any, dice: Any) -> None:
    """Upgrade a random card of the hand that can be upgraded."""
    n = 0
    for kind in range(rules.n_kinds):
        dice.scratch[kind] = fight.piles[HAND, kind] if rules.upgraded[kind] != NONE else 0
        n += dice.scratch[kind]
    if n > 0:
        upgrade(rules, fight, pick(dice, rules.n_kinds, UPGRADED, 0))


@kernel
def _play_top(rules: Any, fight: Any, dice: Any, n: Any, exhausted: Any) -> None:
    """Have the next cards of the draw pile play themselves, at random targets."""
    for _ in range(n):
        kind = next_card(rules, fight, dice, TOP_CARD)
        if kind == NONE:
            return
        target = random_enemy(fight, dice, 0)
        wait(fight, kind, target, fight.energy, FROM_TOP_EXHAUSTED if exhausted else FROM_TOP)


# Choices.


@kernel
def qualifies(rules: Any, fight: Any, what: Any, pile: Any, kind: Any) -> Any:
    """Tell whether a card may be chosen."""
    if fight.piles[pile, kind] <= 0:
        return False
    if what == TO_UPGRADE:
        return rules.upgraded[kind] != NONE
    if what == TO_COPY:
        return rules.type[kind] == ATTACK or rules.type[kind] == POWER
    if what == TO_HAND:
        return not rules.exhume[kind]
    return True


@kernel
def _ask(rules: Any, fight: Any, n: Any, what: Any, pile: Any) -> None:
    """Have the player choose a card; where there is one kind only, it is chosen."""
    if what == TO_HAND and fight.n_cards[HAND] >= HAND_LIMIT:
        return
    n_kinds, last = 0, 0
    for kind in range(rules.n_kinds):
        if qualifies(rules, fight, what, pile, kind):
            n_kinds += 1
            last = kind
    if n_kinds == 0:
        return
    fight.choose_pile = pile
    fight.choose_n = n
    if n_kinds == 1 and n != ANY_NUMBER:
        fight.choosing = 1 + what
        choose(rules, fight, last)
    else:
        fight.choosing = 1 + what


@kernel
def choose(rules: Any, fight: Any, kind: Any) -> None:
    """Do with the chosen card what the choice is about."""
    what, pile = fight.choosing - 1, fight.choose_pile
    any_number = fight.choose_n == ANY_NUMBER
    if what == TO_EXHAUST:
        take(fight, kind, pile)
        exhaust(rules, fight, kind)
    elif what == TO_DRAW_TOP:
        take(fight, kind, pile)
        put_on_top(fight, kind)
    elif what == TO_HAND:
        move(fight, kind, pile, HAND)
    elif what == TO_UPGRADE:
        upgrade(rules, fight, kind)
    elif what == TO_COPY:
        for _ in range(fight.choose_n):
            put(fight, kind, HAND)
    elif what == TO_DISCARD_AND_DRAW:
        move(fight, kind, HAND, DISCARD)
        fight.chosen += 1
    fight.choose_from = kind
    if not any_number or fight.n_cards[pile] == 0:
        end_choice(fight)


@kernel
def end_choice(fight: Any) -> None:
    """End a choice; who has discarded cards to draw as many does so now."""
    if fight.chosen > 0:
        push(fight, OP_DRAW, fight.chosen, 1, SELF, 0, 0, 0)
    fight.choosing = 0
    fight.choose_pile = 0
    fight.choose_n = 0
    fight.chosen = 0
    fight.choose_from = 0
