"""Kernels of cards: cost and legality, playing a card, and cards that play themselves.

Open it to change how a card is played.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.relics import AT_ATTACK, AT_CARD, AT_POWER, AT_SHUFFLE, AT_SKILL
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.card_choices import start_choice
from evodom.spire.engine.chance import EXHAUSTED, SPOON, TOP_CARD, UPGRADED, draw_outcome, draw_uniform
from evodom.spire.engine.combat import card_block, gain_block, give_status, is_alive, lose_hp, random_enemy
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, QueuedEffect

X_COST = -1
UNPLAYABLE = -2


@kernel
def cost_of(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return the current cost of a card; UNPLAYABLE if it cannot be played."""
    cost = rules.cost[kind]
    if cost == UNPLAYABLE:
        if (rules.type[kind] == at.CURSE and rules.change[at.C_BLUE_CANDLE]) or (
            rules.type[kind] == at.STATUS and rules.change[at.C_MEDICAL_KIT]
        ):
            return 0
        return UNPLAYABLE
    if rules.type[kind] == at.SKILL and fight.powers[at.CORRUPTION] > 0:
        return 0
    if cost == X_COST:
        return fight.energy
    return cost


@kernel
def can_play_more(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return whether the limits of cards played in a turn (Velvet Choker, Normality) allow another card."""
    if rules.counts_cards:
        if rules.change[at.C_VELVET_CHOKER] and fight.played >= rules.change[at.C_VELVET_CHOKER]:
            return False
        for kind in range(rules.n_kinds):
            if (
                rules.max_cards_per_turn[kind]
                and fight.piles[at.HAND, kind] > 0
                and fight.played >= rules.max_cards_per_turn[kind]
            ):
                return False
    return True


@kernel
def is_allowed(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether a card can be played now if energy does not matter."""
    return (
        cost_of(rules, fight, kind) != UNPLAYABLE
        and can_play_more(rules, fight)
        and _meets_conditions(rules, fight, kind)
    )


@kernel
def is_playable(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether a card can be played with the current energy. The caller has checked `can_play_more`."""
    cost = cost_of(rules, fight, kind)
    return cost != UNPLAYABLE and cost <= fight.energy and _meets_conditions(rules, fight, kind)


@kernel
def _meets_condition(rules: CompiledRules, fight: FightRecord, condition: int) -> Any:
    """Return whether the hand and the draw pile meet a card's own condition."""
    if condition == at.ONLY_ATTACKS:
        return piles.n_of_type(rules, fight, at.HAND, at.ATTACK) == fight.n_cards[at.HAND]
    return piles.n_of_type(rules, fight, at.DRAW, condition - at.IN_DRAW_PILE) > 0


@kernel
def _meets_conditions(rules: CompiledRules, fight: FightRecord, kind: int) -> Any:
    """Return whether the card's own condition and Entangled allow it."""
    if rules.condition[kind] != 0 and not _meets_condition(rules, fight, rules.condition[kind]):
        return False
    return not (rules.type[kind] == at.ATTACK and fight.powers[at.ENTANGLED] > 0)


PLAYED, COPIED, FROM_TOP, FROM_TOP_EXHAUSTED, TURN_END = range(5)
"""Values of `how`, the way a card is played: by the player, as a copy, from the draw pile (and then exhausted), or from
the hand at the end of the turn.
"""

CARDS_OF_PANACHE = 5
"""Panache acts for every such number of cards in a turn."""

ATTACKED = 1 << 5
"""Bit of `types`: whether an Attack was played this turn. Orange Pellets clears the bits of the types, not this bit."""


@kernel
def push_card(rules: CompiledRules, fight: FightRecord, kind: int, target: int, energy: int, how: int) -> None:
    """Push the effects of a played card and all reactions onto the queue. The card has left its pile."""
    first, n = rules.first_effect[kind], rules.n_effects[kind]
    begin = fight.n_queue
    piles.push_effects(rules, fight, first, n, target, False)
    for place in range(begin, fight.n_queue):
        op = fight.queue[place, at.OP]
        if op == e.OP_HIT_X:
            fight.queue[place, at.TIMES] = energy + rules.change[at.C_CHEMICAL_X]
        elif op == e.OP_MAKE and fight.queue[place, at.N] == e.X:
            fight.queue[place, at.N] = energy + rules.change[at.C_CHEMICAL_X]
        elif op == e.OP_HIT_STRIKES:
            fight.queue[place, at.TIMES] = how == PLAYED
        if op <= e.OP_DROPKICK or op == e.OP_EXHAUST_HAND:
            _fix_strength(fight, place)
    for other in range(rules.n_kinds if rules.any_pain else 0):
        if rules.hp_loss_per_other_card[other] and fight.piles[at.HAND, other] > 0:
            for _ in range(fight.piles[at.HAND, other]):
                lose_hp(rules, fight, rules.hp_loss_per_other_card[other], True)
    if how != COPIED:
        _queue_copies(rules, fight, kind, target, energy)
    push_reactions(rules, fight, kind)
    if how != COPIED or rules.grown[kind] != at.NONE:
        piles.push(fight, e.OP_END_CARD, kind, 1, how, 0, 0, 0)


@kernel
def _fix_strength(fight: FightRecord, place: int) -> None:
    """Add the player's present Strength to a queued attack. Attacks on random targets add it at each hit."""
    if fight.queue[place, at.TO] != e.RANDOM:
        is_hit = fight.queue[place, at.OP] == e.OP_HIT
        times = fight.queue[place, at.MORE] if is_hit else 1
        fight.queue[place, at.N] += times * fight.status[at.PLAYER, at.STRENGTH]
        if is_hit:
            fight.queue[place, at.MORE] = 0


@kernel
def _queue_copies(rules: CompiledRules, fight: FightRecord, kind: int, target: int, energy: int) -> None:
    """Queue the copies of a card by Duplication and Double Tap."""
    copied = kind if rules.grown[kind] == at.NONE else rules.grown[kind]
    if fight.powers[at.DUPLICATION] > 0:
        fight.powers[at.DUPLICATION] -= 1
        queue_autoplay(fight, copied, target, energy, COPIED)
    if rules.type[kind] == at.ATTACK and fight.powers[at.DOUBLE_TAP] > 0:
        fight.powers[at.DOUBLE_TAP] -= 1
        queue_autoplay(fight, copied, target, energy, COPIED)


@kernel
def push_reactions(rules: CompiledRules, fight: FightRecord, kind: int) -> None:
    """Push the reactions of powers, relics and enemies to a played card onto the queue."""
    kind_type = rules.type[kind]
    if kind_type == at.ATTACK:
        if fight.powers[at.RAGE] > 0:
            piles.push(fight, e.OP_PLAIN_BLOCK, fight.powers[at.RAGE], 1, e.SELF, 0, 0, 0)
        if fight.powers[at.VIGOR] > 0:
            piles.push(fight, e.OP_LOSE, 0, 1, e.SELF, at.N_SHARED + at.VIGOR, 0, 0)
    if fight.powers[at.PANACHE] > 0:
        fight.powers[at.PANACHE_CARDS] += 1
        if fight.powers[at.PANACHE_CARDS] == CARDS_OF_PANACHE:
            fight.powers[at.PANACHE_CARDS] = 0
            piles.push(fight, e.OP_DAMAGE, fight.powers[at.PANACHE], 1, e.ENEMIES, 0, 0, 0)
    if rules.counts_cards:
        fight.played += 1
        fight.types |= 1 << kind_type | (ATTACKED if kind_type == at.ATTACK else 0)
        if rules.change[at.C_ORANGE_PELLETS] and fight.types & 7 == 7:
            fight.types &= ~7
            piles.push(fight, e.OP_CURE, 0, 1, e.SELF, 0, 0, 0)
    piles.trigger(rules, fight, AT_CARD, False)
    if kind_type == at.ATTACK:
        if rules.change[at.C_PEN_NIB]:
            fight.pen_nib += 1
            if fight.pen_nib >= 10:
                fight.pen_nib = 10
                piles.push(fight, e.OP_END_PEN_NIB, 0, 1, e.SELF, 0, 0, 0)
        piles.trigger(rules, fight, AT_ATTACK, False)
    elif kind_type == at.SKILL:
        piles.trigger(rules, fight, AT_SKILL, False)
    elif kind_type == at.POWER:
        piles.trigger(rules, fight, AT_POWER, True)
    elif kind_type == at.CURSE:
        piles.push(fight, e.OP_LOSE_HP, 1, 1, e.SELF, 0, 0, 0)
    for enemy in range(1, at.N_FIGHTERS):
        if kind_type == at.SKILL and fight.status[enemy, at.ENRAGE] > 0:
            piles.push(fight, e.OP_GIVE, fight.status[enemy, at.ENRAGE], 1, 0, at.STRENGTH, 0, enemy)
        if kind_type == at.ATTACK and fight.status[enemy, at.SHARP_HIDE] > 0:
            piles.push(fight, e.OP_DAMAGE_PLAYER, fight.status[enemy, at.SHARP_HIDE], 1, e.SELF, 0, 0, 0)


@kernel
def queue_autoplay(fight: FightRecord, kind: int, target: int, energy: int, how: int) -> None:
    """Queue a card that plays itself after all pending effects. Copies go to the front of the autoplay queue."""
    if fight.n_autoplays == at.N_AUTOPLAYS:
        fight.n_overflows += 1
    else:
        place = 0 if how == COPIED else fight.n_autoplays
        for other in range(fight.n_autoplays, place, -1):
            for column in range(4):
                fight.autoplays[other, column] = fight.autoplays[other - 1, column]
        fight.n_autoplays += 1
        fight.autoplays[place, 0] = kind
        fight.autoplays[place, 1] = target
        fight.autoplays[place, 2] = energy
        fight.autoplays[place, 3] = how


@kernel
def play_next_autoplay(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Play the first card of the autoplay queue if allowed. Otherwise a card of the draw pile moves to its pile."""
    kind, target = fight.autoplays[0, 0], fight.autoplays[0, 1]
    energy, how = fight.autoplays[0, 2], fight.autoplays[0, 3]
    fight.n_autoplays -= 1
    for place in range(fight.n_autoplays):
        for column in range(4):
            fight.autoplays[place, column] = fight.autoplays[place + 1, column]
    for column in range(4):
        fight.autoplays[fight.n_autoplays, column] = 0
    if how == TURN_END:
        _act_at_turn_end(rules, fight, kind, energy)
    elif is_allowed(rules, fight, kind) and (not rules.targeted[kind] or is_alive(fight, target)):
        push_card(rules, fight, kind, target, energy, how)
    elif how != COPIED:
        _put_away(rules, fight, dice, kind, rules.exhausts[kind] or how == FROM_TOP_EXHAUSTED)


@kernel
def queue_turn_end_cards(rules: CompiledRules, fight: FightRecord) -> None:
    """Queue the cards in hand that act at the end of a turn. Their energy column has the number of cards in hand."""
    n_hand = fight.n_cards[at.HAND]
    for kind in range(rules.n_kinds if rules.any_acts_at_turn_end else 0):
        if rules.end_turn_damage[kind] or rules.end_turn_hp_loss[kind] or rules.end_turn_status[kind] != at.NONE:
            for _ in range(fight.piles[at.HAND, kind]):
                queue_autoplay(fight, kind, 0, n_hand, TURN_END)


@kernel
def _act_at_turn_end(rules: CompiledRules, fight: FightRecord, kind: int, n_hand: int) -> None:
    """Push the effects of a card that acts in hand at the end of a turn, then the discard of the card."""
    piles.take(fight, kind, at.HAND)
    if rules.end_turn_damage[kind]:
        piles.push(fight, e.OP_DAMAGE_PLAYER, rules.end_turn_damage[kind], 1, e.SELF, 0, True, 0)
    if rules.end_turn_hp_loss[kind]:
        piles.push(fight, e.OP_LOSE_HP, n_hand, 1, e.SELF, 0, 0, 0)
    if rules.end_turn_status[kind] != at.NONE:
        fight.is_enemy_turn = 1  # as if given by an enemy: this debuff does not fade this round
        give_status(rules, fight, at.PLAYER, rules.end_turn_status[kind], 1)
        fight.is_enemy_turn = 0
    piles.push(fight, e.OP_END_CARD, kind, 1, TURN_END, 0, 0, 0)


@kernel
def finish_card(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int, how: int) -> None:
    """Move a played card to its pile."""
    if how == COPIED:  # a copy of Rampage increases the original, which is in the discard pile
        original = rules.discarded[kind]
        if fight.piles[at.DISCARD, original] > 0:
            piles.take(fight, original, at.DISCARD)
            piles.put(fight, rules.grown[original], at.DISCARD)
        return
    if how == TURN_END:
        piles.discard(rules, fight, kind)
        return
    kind_type = rules.type[kind]
    is_exhausted = how == FROM_TOP_EXHAUSTED or rules.exhausts[kind] or kind_type in (at.CURSE, at.STATUS)
    is_exhausted |= kind_type == at.SKILL and fight.powers[at.CORRUPTION] > 0
    _put_away(rules, fight, dice, rules.grown[kind] if rules.grown[kind] != at.NONE else kind, is_exhausted)


@kernel
def _put_away(rules: CompiledRules, fight: FightRecord, dice: Dice, kind: int, is_exhausted: int) -> None:
    """Exhaust a card or discard it. Strange Spoon may save it from exhaust. Powers leave the fight."""
    if rules.type[kind] == at.POWER:
        return
    if is_exhausted and rules.change[at.C_STRANGE_SPOON]:
        is_exhausted = draw_uniform(dice, 2, SPOON, 0) == 0
    if is_exhausted:
        piles.exhaust(rules, fight, kind)
    else:
        piles.discard(rules, fight, kind)


@kernel
def resolve_card_effect(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Resolve an effect on piles of cards."""
    op, n, to, item, more, aim = effect.op, effect.n, effect.to, effect.item, effect.more, effect.aim
    if op == e.OP_DRAW:
        piles.draw(rules, fight, dice, n)
    elif op == e.OP_CREATE:
        for _ in range(n):
            if more == at.DRAW:
                piles.shuffle_in(fight, dice, item)
            else:
                piles.put(fight, item, more)
    elif op == e.OP_EXHAUST_RANDOM:
        _exhaust_random(rules, fight, dice)
    elif op == e.OP_EXHAUST_HAND:
        _fiend_fire(rules, fight, n, aim)
    elif op == e.OP_EXHAUST_OTHERS:
        _exhaust_non_attacks(rules, fight, n)
    elif op == e.OP_UPGRADE_HAND:
        piles.upgrade_cards(rules, fight, dice, more)
    elif op == e.OP_UPGRADE_RANDOM:
        _upgrade_random(rules, fight, dice)
    elif op == e.OP_PLAY_TOP:
        _play_top(rules, fight, dice, n, more)
    elif op == e.OP_CHOOSE:
        start_choice(rules, fight, dice, n, to, more)


@kernel
def _exhaust_random(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Exhaust a random card of the hand."""
    if fight.n_cards[at.HAND] > 0:
        for kind in range(rules.n_kinds):
            dice.scratch[kind] = fight.piles[at.HAND, kind]
        kind = draw_outcome(dice, rules.n_kinds, EXHAUSTED, 0)
        piles.take(fight, kind, at.HAND)
        piles.exhaust(rules, fight, kind)


@kernel
def _fiend_fire(rules: CompiledRules, fight: FightRecord, n: int, aim: int) -> None:
    """Exhaust the hand. Then hit the target for `n`, once for each exhausted card."""
    times = fight.n_cards[at.HAND]
    if times > 0:
        piles.push_front(fight, e.OP_HIT, n, times, e.TARGET, 0, 0, aim)
    for kind in range(rules.n_kinds):
        while fight.piles[at.HAND, kind] > 0:
            piles.take(fight, kind, at.HAND)
            piles.exhaust(rules, fight, kind)


@kernel
def _exhaust_non_attacks(rules: CompiledRules, fight: FightRecord, block: int) -> None:
    """Exhaust all cards of the hand except Attacks. Gain `block` for each exhausted card."""
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
        piles.upgrade(rules, fight, draw_outcome(dice, rules.n_kinds, UPGRADED, 0))


@kernel
def _play_top(rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, exhausted: int) -> None:
    """Queue the next `n` cards of the draw pile to play themselves, each at a random target."""
    for _ in range(n):
        if fight.n_cards[at.DRAW] == 0:
            if fight.n_cards[at.DISCARD] == 0:
                return
            piles.trigger(rules, fight, AT_SHUFFLE, False)
            piles.shuffle(rules, fight)
        kind = piles.pop_draw_pile(rules, fight, dice, TOP_CARD)
        target = random_enemy(fight, dice, 0)
        queue_autoplay(fight, kind, target, fight.energy, FROM_TOP_EXHAUSTED if exhausted else FROM_TOP)
