"""Kernels of cards in a fight: legality and cost, the effects of playing a card, and choices among cards.

Open it to change how a card is played or chosen.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.chance import EXHAUSTED, SPOON, TOP_CARD, UPGRADED, pick, pick_one
from evodom.spire.engine.combat import alive, card_block, gain_block, lose_hp, random_enemy
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, QueuedEffect
from evodom.spire.rows import effects as e
from evodom.spire.rows.cards import HAND_LIMIT
from evodom.spire.rows.relics import AT_ATTACK, AT_CARD, AT_POWER, AT_SKILL

X_COST = -1
UNPLAYABLE = -2


@kernel
def cost_of(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return the current cost of a card; UNPLAYABLE if it cannot be played."""
    cost = rules.cost[kind]
    if cost == UNPLAYABLE:
        if (rules.type[kind] == at.CURSE and rules.change[at.C_CANDLE]) or (
            rules.type[kind] == at.STATUS and rules.change[at.C_MEDICAL]
        ):
            return 0
        return UNPLAYABLE
    if rules.type[kind] == at.SKILL and fight.powers[at.CORRUPTION] > 0:
        return 0
    if cost == X_COST:
        return fight.energy
    return cost


@kernel
def may_play(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return whether another card may be played this turn."""
    if rules.counts_cards:
        if rules.change[at.C_CHOKER] and fight.played >= rules.change[at.C_CHOKER]:
            return False
        for kind in range(rules.n_kinds):
            if rules.limit[kind] and fight.piles[at.HAND, kind] > 0 and fight.played >= rules.limit[kind]:
                return False
    return True


@kernel
def only_attacks(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return whether all cards of the hand are Attacks."""
    others = 0
    for kind in range(rules.n_kinds):
        if rules.type[kind] != at.ATTACK:
            others += fight.piles[at.HAND, kind]
    return others == 0


@kernel
def allowed(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether a card may be played now, regardless of energy."""
    return cost_of(rules, fight, kind) != UNPLAYABLE and may_play(rules, fight) and _fits(rules, fight, kind)


@kernel
def affordable(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether a card can be played with the current energy. The caller has checked `may_play`."""
    cost = cost_of(rules, fight, kind)
    return cost != UNPLAYABLE and cost <= fight.energy and _fits(rules, fight, kind)


@kernel
def _fits(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether neither the card's own condition nor Entangled forbids it."""
    if rules.needs_attacks[kind] and not only_attacks(rules, fight):
        return False
    return not (rules.type[kind] == at.ATTACK and fight.powers[at.ENTANGLED] > 0)


PLAYED, COPIED, FROM_TOP, FROM_TOP_EXHAUSTED = 0, 1, 2, 3
"""How a card is played: by the player, as a copy, from the draw pile, or from the draw pile and then exhausted."""

ATTACKED = 1 << 5
"""Bit of `types` set when an Attack was played this turn. Orange Pellets resets the bits of types, not this bit."""


@kernel
def use(rules: CompiledRules, fight: FightRecord, kind: int, target: int, energy: int, how: int) -> None:
    """Push all effects of playing a card onto the queue. The card must be in no pile."""
    first, n = rules.first_line[kind], rules.n_lines[kind]
    begin = fight.n_queue
    piles.push_lines(rules, fight, first, n, target, False)
    for place in range(begin, fight.n_queue):
        if fight.queue[place, at.OP] == e.OP_HIT_X:
            fight.queue[place, at.TIMES] = energy + rules.change[at.C_CHEMICAL]
        elif fight.queue[place, at.OP] == e.OP_HIT_STRIKES:
            fight.queue[place, at.TIMES] = how == PLAYED
    for other in range(rules.n_kinds):
        if rules.pain[other] and fight.piles[at.HAND, other] > 0:
            for _ in range(fight.piles[at.HAND, other]):
                lose_hp(rules, fight, rules.pain[other], True)
    if how != COPIED:
        _copies(rules, fight, kind, target, energy)
    used(rules, fight, kind)
    if how != COPIED or rules.grown[kind] != at.NONE:
        piles.push(fight, e.OP_END_CARD, kind, 1, how, 0, 0, 0)


@kernel
def _copies(rules: CompiledRules, fight: FightRecord, kind: int, target: int, energy: int) -> None:
    """Queue the copies of a card that Double Tap and Duplication play."""
    copied = kind if rules.grown[kind] == at.NONE else rules.grown[kind]
    if fight.powers[at.DUPLICATION] > 0:
        fight.powers[at.DUPLICATION] -= 1
        wait(fight, copied, target, energy, COPIED)
    if rules.type[kind] == at.ATTACK and fight.powers[at.DOUBLE_TAP] > 0:
        fight.powers[at.DOUBLE_TAP] -= 1
        wait(fight, copied, target, energy, COPIED)


@kernel
def used(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Push the reactions to a played card onto the queue: powers, relics, enemies."""
    kind_type = rules.type[kind]
    if rules.counts_cards:
        fight.played += 1
        fight.types |= 1 << kind_type | (ATTACKED if kind_type == at.ATTACK else 0)
        if rules.change[at.C_PELLETS] and fight.types & 7 == 7:
            fight.types &= ~7
            piles.push(fight, e.OP_CURE, 0, 1, e.SELF, 0, 0, 0)
    piles.trigger(rules, fight, AT_CARD, False)
    if kind_type == at.ATTACK:
        if rules.change[at.C_PEN_NIB]:
            fight.pen_nib += 1
            if fight.pen_nib >= 10:
                fight.pen_nib = 10
                piles.push(fight, e.OP_END_PEN_NIB, 0, 1, e.SELF, 0, 0, 0)
        if fight.powers[at.RAGE] > 0:
            piles.push(fight, e.OP_PLAIN_BLOCK, fight.powers[at.RAGE], 1, e.SELF, 0, 0, 0)
        if fight.powers[at.VIGOR] > 0:
            piles.push(fight, e.OP_LOSE, 0, 1, e.SELF, at.N_SHARED + at.VIGOR, 0, 0)
        piles.trigger(rules, fight, AT_ATTACK, False)
    elif kind_type == at.SKILL:
        piles.trigger(rules, fight, AT_SKILL, False)
    elif kind_type == at.POWER:
        piles.trigger(rules, fight, AT_POWER, False)
    elif kind_type == at.CURSE:
        piles.push(fight, e.OP_LOSE_HP, 1, 1, e.SELF, 0, 0, 0)
    for enemy in range(1, at.N_FIGHTERS):
        if kind_type == at.SKILL and fight.status[enemy, at.ENRAGE] > 0:
            piles.push(fight, e.OP_GIVE, fight.status[enemy, at.ENRAGE], 1, 0, at.STRENGTH, 0, enemy)
        if kind_type == at.ATTACK and fight.status[enemy, at.SHARP_HIDE] > 0:
            piles.push(fight, e.OP_DAMAGE_PLAYER, fight.status[enemy, at.SHARP_HIDE], 1, e.SELF, 0, 0, 0)


@kernel
def wait(fight: FightRecord, kind: int, target: int, energy: int, how: int) -> None:
    """Queue a card that plays itself after all other effects. A copy goes before other waiting cards."""
    if fight.n_waiting == at.N_WAITING:
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
def play_waiting(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Play the first waiting card. If that is not allowed, put a card from the draw pile away."""
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
        piles.put(fight, kind, at.DISCARD)
    elif how == FROM_TOP_EXHAUSTED:
        piles.exhaust(rules, fight, kind)


@kernel
def end_card(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int, how: int) -> None:
    """Move a played card to its pile. Powers go to none."""
    if how == COPIED:  # a copy of Rampage increases the original, which is in the discard pile
        if fight.piles[at.DISCARD, kind] > 0:
            piles.take(fight, kind, at.DISCARD)
            piles.put(fight, rules.grown[kind], at.DISCARD)
        return
    kind_type = rules.type[kind]
    if kind_type == at.POWER:
        return
    gone = how == FROM_TOP_EXHAUSTED or rules.exhausts[kind] or kind_type in (at.CURSE, at.STATUS)
    gone |= kind_type == at.SKILL and fight.powers[at.CORRUPTION] > 0
    if gone and rules.change[at.C_SPOON]:
        gone = pick_one(dice, 2, SPOON, 0) == 0
    if rules.grown[kind] != at.NONE:
        kind = rules.grown[kind]
    if gone:
        piles.exhaust(rules, fight, kind)
    else:
        piles.put(fight, kind, at.DISCARD)


@kernel
def handle_cards(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Resolve an effect on piles of cards."""
    op, n, to, x, more, aim = effect.op, effect.n, effect.to, effect.x, effect.more, effect.aim
    if op == e.OP_DRAW:
        piles.draw(rules, fight, dice, n)
    elif op == e.OP_CREATE:
        for _ in range(n):
            if more == at.DRAW:
                piles.shuffle_in(fight, dice, x)
            else:
                piles.put(fight, x, more)
    elif op == e.OP_EXHAUST_RANDOM:
        _exhaust_random(rules, fight, dice)
    elif op == e.OP_EXHAUST_HAND:
        _fiend_fire(rules, fight, n, aim)
    elif op == e.OP_EXHAUST_OTHERS:
        _exhaust_others(rules, fight, n)
    elif op == e.OP_UPGRADE_HAND:
        piles.upgrade_hand(rules, fight)
    elif op == e.OP_UPGRADE_RANDOM:
        _upgrade_random(rules, fight, dice)
    elif op == e.OP_PLAY_TOP:
        _play_top(rules, fight, dice, n, more)
    elif op == e.OP_CHOOSE:
        _ask(rules, fight, n, to, more)


@kernel
def _exhaust_random(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Exhaust a random card of the hand."""
    if fight.n_cards[at.HAND] > 0:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[at.HAND, kind]
        kind = pick(dice, rules.n_kinds, EXHAUSTED, 0)
        piles.take(fight, kind, at.HAND)
        piles.exhaust(rules, fight, kind)


@kernel
def _fiend_fire(rules: CompiledRules, fight: FightRecord, n: int, aim: int) -> None:
    """Exhaust the hand, then hit once for each card."""
    times = fight.n_cards[at.HAND]
    if times > 0:
        piles.push_front(fight, e.OP_HIT, n, times, e.TARGET, 0, 1, aim)
    for kind in range(rules.n_kinds):
        while fight.piles[at.HAND, kind] > 0:
            piles.take(fight, kind, at.HAND)
            piles.exhaust(rules, fight, kind)


@kernel
def _exhaust_others(rules: CompiledRules, fight: FightRecord, block: int) -> None:
    """Exhaust all cards of the hand except Attacks. Gain `block` for each, if it is not 0."""
    n = 0
    for kind in range(rules.n_kinds):
        if rules.type[kind] != at.ATTACK:
            while fight.piles[at.HAND, kind] > 0:
                piles.take(fight, kind, at.HAND)
                piles.exhaust(rules, fight, kind)
                n += 1
    if block:
        for _ in range(n):
            gain_block(fight, card_block(fight, block))


@kernel
def _upgrade_random(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Upgrade a random upgradable card of the hand."""
    n = 0
    for kind in range(rules.n_kinds):
        dice.scratch[kind] = fight.piles[at.HAND, kind] if rules.upgraded[kind] != at.NONE else 0
        n += dice.scratch[kind]
    if n > 0:
        piles.upgrade(rules, fight, pick(dice, rules.n_kinds, UPGRADED, 0))


@kernel
def _play_top(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, exhausted: int) -> None:
    """Queue the next `n` cards of the draw pile to play themselves, at random targets."""
    for _ in range(n):
        kind = piles.next_card(rules, fight, dice, TOP_CARD)
        if kind == at.NONE:
            return
        target = random_enemy(fight, dice, 0)
        wait(fight, kind, target, fight.energy, FROM_TOP_EXHAUSTED if exhausted else FROM_TOP)


# Choices.


@kernel
def qualifies(rules: CompiledRules, fight: FightRecord, what: int, pile: int, kind: int) -> Any:
    """Return whether a card may be chosen."""
    if fight.piles[pile, kind] <= 0:
        return False
    if what == e.TO_UPGRADE:
        return rules.upgraded[kind] != at.NONE
    if what == e.TO_COPY:
        return rules.type[kind] == at.ATTACK or rules.type[kind] == at.POWER
    if what == e.TO_HAND:
        return not rules.exhume[kind]
    return True


@kernel
def _ask(rules: CompiledRules, fight: FightRecord, n: int, what: int, pile: int) -> None:
    """Start a choice of cards. A single possible kind is chosen immediately, unless any number may be chosen."""
    if what == e.TO_HAND and fight.n_cards[at.HAND] >= HAND_LIMIT:
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
    if n_kinds == 1 and n != e.ANY_NUMBER:
        fight.choosing = 1 + what
        choose(rules, fight, last)
    else:
        fight.choosing = 1 + what


@kernel
def choose(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Apply a choice to the chosen card."""
    what, pile = fight.choosing - 1, fight.choose_pile
    any_number = fight.choose_n == e.ANY_NUMBER
    if what == e.TO_EXHAUST:
        piles.take(fight, kind, pile)
        piles.exhaust(rules, fight, kind)
    elif what == e.TO_DRAW_TOP:
        piles.take(fight, kind, pile)
        piles.put_on_top(fight, kind)
    elif what == e.TO_HAND:
        piles.move(fight, kind, pile, at.HAND)
    elif what == e.TO_UPGRADE:
        piles.upgrade(rules, fight, kind)
    elif what == e.TO_COPY:
        for _ in range(fight.choose_n):
            piles.put(fight, kind, at.HAND)
    elif what == e.TO_DISCARD_AND_DRAW:
        piles.move(fight, kind, at.HAND, at.DISCARD)
        fight.chosen += 1
    fight.choose_from = kind
    if not any_number or fight.n_cards[pile] == 0:
        end_choice(fight)


@kernel
def end_choice(fight: FightRecord) -> None:
    """End a choice. Draw as many cards as were discarded for that purpose."""
    if fight.chosen > 0:
        piles.push(fight, e.OP_DRAW, fight.chosen, 1, e.SELF, 0, 0, 0)
    fight.choosing = 0
    fight.choose_pile = 0
    fight.choose_n = 0
    fight.chosen = 0
    fight.choose_from = 0
