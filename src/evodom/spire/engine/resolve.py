"""Resolve what is in the queue, effect by effect, until it is empty or the player has to choose a card."""

from typing import Any

from evodom.kernel import kernel
from evodom.spire.engine.combat import (
    PLAYER,
    alive,
    attack_damage,
    card_block,
    damage_enemy,
    damage_player,
    gain_block,
    give,
    heal,
    hit_enemy,
    lose_hp,
    n_living,
    push,
    push_lines,
    random_enemy,
    trigger,
)
from evodom.spire.engine.dice import pick, pick_one
from evodom.spire.engine.layout import (
    AIM,
    ATTACK,
    CURSE,
    DISCARD,
    DRAW,
    FLED,
    HAND,
    MAX_HAND,
    MORE,
    N_COLUMNS,
    N_FIGHTERS,
    N_SHARED,
    N_WAITING,
    NONE,
    OP,
    PLAYING,
    POWER,
    SKILL,
    STATUS,
    TIMES,
    TO,
    WON,
    N,
    X,
)
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
from evodom.spire.engine.statuses import (
    C_CHEMICAL,
    C_PELLETS,
    C_PEN_NIB,
    C_SPOON,
    C_TOP,
    CORRUPTION,
    DEXTERITY,
    DEXTERITY_DOWN,
    DOUBLE_TAP,
    DUPLICATION,
    ENRAGE,
    ENTANGLED,
    FRAIL,
    NO_DRAW,
    RAGE,
    SHARP_HIDE,
    STRENGTH,
    STRENGTH_DOWN,
    VIGOR,
    VULNERABLE,
    WEAK,
)
from evodom.spire.rows.effects import (
    ANY_NUMBER,
    ENEMIES,
    OP_BLOCK,
    OP_CHOOSE,
    OP_CREATE,
    OP_CURE,
    OP_DAMAGE,
    OP_DAMAGE_PLAYER,
    OP_DOUBLE_BLOCK,
    OP_DOUBLE_STRENGTH,
    OP_DRAW,
    OP_DROPKICK,
    OP_END_CARD,
    OP_END_PEN_NIB,
    OP_ENEMY_BLOCK,
    OP_ENERGY,
    OP_EXHAUST_HAND,
    OP_EXHAUST_OTHERS,
    OP_EXHAUST_RANDOM,
    OP_FEED,
    OP_FLEE,
    OP_GIVE,
    OP_HEAL,
    OP_HIT,
    OP_HIT_BLOCK,
    OP_HIT_STRIKES,
    OP_HIT_X,
    OP_LOSE,
    OP_LOSE_HP,
    OP_MAX_HP,
    OP_MODE_BLOCK,
    OP_PLAIN_BLOCK,
    OP_PLAY_TOP,
    OP_REAP,
    OP_SPOT,
    OP_UPGRADE_HAND,
    OP_UPGRADE_RANDOM,
    RANDOM,
    SELF,
    TO_COPY,
    TO_DISCARD_AND_DRAW,
    TO_DRAW_TOP,
    TO_EXHAUST,
    TO_HAND,
    TO_UPGRADE,
)
from evodom.spire.rows.relics import AT_ATTACK, AT_CARD, AT_POWER, AT_SKILL

PLAYED, COPIED, FROM_TOP, FROM_TOP_EXHAUSTED = 0, 1, 2, 3
"""How a card comes to be played: by the player, as a copy, off the draw pile, or so and exhausted."""

X_COST = -1
UNPLAYABLE = -2


@kernel
def run(rules: Any, fight: Any, dice: Any) -> None:
    """Do all that is in the queue, then play the cards that play themselves; stop where the player has to choose."""
    while fight.over == PLAYING and not fight.choosing:
        if n_living(fight) == 0:
            _win(rules, fight)
        elif fight.n_queue > 0:
            _do_next(rules, fight, dice)
        elif fight.n_waiting > 0:
            _play_waiting(rules, fight, dice)
        elif rules.change[C_TOP] and fight.ours and fight.n_cards[HAND] == 0 and _can_draw(fight):
            push(fight, OP_DRAW, 1, 1, SELF, 0, 0, 0)
        else:
            return
    if fight.over != PLAYING:
        _clear(fight)


@kernel
def _can_draw(fight: Any) -> Any:
    """Tell whether there is a card to draw."""
    return fight.n_cards[DRAW] + fight.n_cards[DISCARD] > 0


@kernel
def _win(rules: Any, fight: Any) -> None:
    """Win the fight, unless damage that is in the queue already kills the player; heals and block still come."""
    while fight.n_queue > 0 and fight.over == PLAYING:
        op, n = fight.queue[0, OP], fight.queue[0, N]
        to, more = fight.queue[0, TO], fight.queue[0, MORE]
        _drop_first(fight)
        if op == OP_DAMAGE_PLAYER:
            damage_player(rules, fight, n, False)
        elif op == OP_HEAL and to == SELF:
            heal(rules, fight, fight.max_hp[PLAYER] * n // 100 if more else n)
        elif op == OP_BLOCK:
            gain_block(fight, card_block(fight, n))
        elif op == OP_PLAIN_BLOCK:
            gain_block(fight, n)
    if fight.over == PLAYING:
        fight.over = WON


@kernel
def _clear(fight: Any) -> None:
    """Empty what is still to be done."""
    while fight.n_queue > 0:
        fight.n_queue -= 1
        for column in range(N_COLUMNS):
            fight.queue[fight.n_queue, column] = 0
    while fight.n_waiting > 0:
        fight.n_waiting -= 1
        for column in range(4):
            fight.waiting[fight.n_waiting, column] = 0
    fight.choosing = 0


@kernel
def _drop_first(fight: Any) -> None:
    """Take the first effect out of the queue."""
    fight.n_queue -= 1
    for place in range(fight.n_queue):
        for column in range(N_COLUMNS):
            fight.queue[place, column] = fight.queue[place + 1, column]
    for column in range(N_COLUMNS):
        fight.queue[fight.n_queue, column] = 0


@kernel
def _do_next(rules: Any, fight: Any, dice: Any) -> None:
    """Do the first effect of the queue."""
    op, n, times = fight.queue[0, OP], fight.queue[0, N], fight.queue[0, TIMES]
    to, x, more, aim = fight.queue[0, TO], fight.queue[0, X], fight.queue[0, MORE], fight.queue[0, AIM]
    _drop_first(fight)
    if op <= OP_DROPKICK:
        _attack(rules, fight, dice, op, n, times, to, more, aim)
    elif op < OP_DRAW:
        _affect(rules, fight, dice, op, n, to, x, more, aim)
    elif op < OP_FLEE:
        _handle_cards(rules, fight, dice, op, n, to, x, more, aim)
    elif op == OP_FLEE:
        fight.over = FLED
    elif op == OP_END_CARD:
        _end_card(rules, fight, dice, n, to)
    elif op == OP_DAMAGE_PLAYER:
        damage_player(rules, fight, n, False)
    elif op in (OP_ENEMY_BLOCK, OP_MODE_BLOCK):
        if alive(fight, aim):
            fight.block[aim] += n
    elif op == OP_END_PEN_NIB:
        fight.pen_nib = 0
    elif op == OP_CURE:
        _cure(fight)


# Attacks.


@kernel
def _attack(rules: Any, fight: Any, dice: Any, op: Any, n: Any, times: Any, to: Any, more: Any, aim: Any) -> None:
    """Attack with a line of a card."""
    if op == OP_HIT:
        _hits(rules, fight, dice, n, times, to, more, aim)
    elif op == OP_HIT_X:
        _hits(rules, fight, dice, n, times, ENEMIES, 1, aim)
    elif op == OP_HIT_BLOCK:
        _hits(rules, fight, dice, fight.block[PLAYER], 1, to, 1, aim)
    elif op == OP_HIT_STRIKES:
        n_strikes = times  # itself, unless it was played off the draw pile
        for kind in range(rules.n_kinds):
            if rules.strike[kind]:
                for pile in range(3):
                    n_strikes += fight.piles[pile, kind]
        _hits(rules, fight, dice, n + more * n_strikes, 1, to, 1, aim)
    elif op == OP_FEED:
        was = alive(fight, aim)
        _hits(rules, fight, dice, n, 1, to, 1, aim)
        if was and not alive(fight, aim):
            fight.max_hp[PLAYER] += more
            fight.gained += more
            heal(rules, fight, more)
    elif op == OP_REAP:
        lost = 0
        for enemy in range(1, N_FIGHTERS):
            if alive(fight, enemy):
                lost += hit_enemy(rules, fight, enemy, attack_damage(rules, fight, PLAYER, enemy, n, 1))
        if lost > 0:
            push(fight, OP_HEAL, lost, 1, SELF, 0, 0, 0)
    elif op == OP_DROPKICK:
        weak_spot = alive(fight, aim) and fight.status[aim, VULNERABLE] > 0
        _hits(rules, fight, dice, n, 1, to, 1, aim)
        if weak_spot:
            push(fight, OP_ENERGY, 1, 1, SELF, 0, 0, 0)
            push(fight, OP_DRAW, 1, 1, SELF, 0, 0, 0)


@kernel
def _hits(rules: Any, fight: Any, dice: Any, n: Any, times: Any, to: Any, strength: Any, aim: Any) -> None:
    """Hit the target, all enemies or random ones; the damage is fixed when the hits begin, but for random targets."""
    if to == ENEMIES:
        for _ in range(times):
            for enemy in range(1, N_FIGHTERS):
                if alive(fight, enemy):
                    hit_enemy(rules, fight, enemy, attack_damage(rules, fight, PLAYER, enemy, n, strength))
    elif to == RANDOM:
        for _ in range(times):
            enemy = random_enemy(fight, dice, 0)
            if enemy != NONE:
                hit_enemy(rules, fight, enemy, attack_damage(rules, fight, PLAYER, enemy, n, strength))
    elif alive(fight, aim):
        damage = attack_damage(rules, fight, PLAYER, aim, n, strength)
        for _ in range(times):
            if alive(fight, aim):
                hit_enemy(rules, fight, aim, damage)


# Fighters.


@kernel
def _affect(rules: Any, fight: Any, dice: Any, op: Any, n: Any, to: Any, x: Any, more: Any, aim: Any) -> None:
    """Do what changes fighters: damage, block, HP, statuses and energy."""
    if op == OP_DAMAGE:
        if to == ENEMIES:
            for enemy in range(1, N_FIGHTERS):
                damage_enemy(rules, fight, enemy, n)
        else:
            enemy = random_enemy(fight, dice, 0) if to == RANDOM else aim
            if enemy != NONE:
                damage_enemy(rules, fight, enemy, n)
    elif op == OP_BLOCK:
        gain_block(fight, card_block(fight, n))
    elif op == OP_PLAIN_BLOCK:
        gain_block(fight, n)
    elif op == OP_DOUBLE_BLOCK:
        gain_block(fight, fight.block[PLAYER])
    elif op == OP_LOSE_HP:
        lose_hp(rules, fight, n, True)
    elif op == OP_HEAL:
        heal(rules, fight, fight.max_hp[PLAYER] * n // 100 if more else n)
    elif op == OP_MAX_HP:
        fight.max_hp[PLAYER] += n
        fight.gained += n
        heal(rules, fight, n)
    elif op == OP_GIVE:
        _give(rules, fight, n, to, x, aim)
    elif op == OP_LOSE:
        if x < N_SHARED:
            fight.status[PLAYER, x] = 0
        else:
            fight.powers[x - N_SHARED] = 0
    elif op == OP_DOUBLE_STRENGTH:
        strength = fight.status[PLAYER, STRENGTH]
        fight.status[PLAYER, STRENGTH] = max(min(strength * 2, 999), -999)
    elif op == OP_SPOT:
        if alive(fight, aim) and rules.attacks[fight.intent[aim]]:
            give(rules, fight, PLAYER, STRENGTH, n)
    elif op == OP_ENERGY:
        fight.energy = min(fight.energy + n, 99)


@kernel
def _give(rules: Any, fight: Any, n: Any, to: Any, status: Any, aim: Any) -> None:
    """Give a status to the player, the target or all enemies."""
    if to == SELF:
        give(rules, fight, PLAYER, status, n)
    elif to == ENEMIES:
        for enemy in range(1, N_FIGHTERS):
            give(rules, fight, enemy, status, n)
    else:
        give(rules, fight, aim, status, n)


@kernel
def _cure(fight: Any) -> None:
    """End all debuffs of the player."""
    for status in (WEAK, VULNERABLE, FRAIL):
        fight.status[PLAYER, status] = 0
    for status in (STRENGTH, DEXTERITY):
        fight.status[PLAYER, status] = max(fight.status[PLAYER, status], 0)
    for power in (NO_DRAW, STRENGTH_DOWN, DEXTERITY_DOWN, ENTANGLED):
        fight.powers[power] = 0


# Cards.


@kernel
def _handle_cards(rules: Any, fight: Any, dice: Any, op: Any, n: Any, to: Any, x: Any, more: Any, aim: Any) -> None:
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
        kind = pick(dice, rules.n_kinds)
        take(fight, kind, HAND)
        exhaust(rules, fight, kind)


@kernel
def _fiend_fire(rules: Any, fight: Any, n: Any, aim: Any) -> None:
    """Exhaust the hand, then hit once for each card."""
    times = fight.n_cards[HAND]
    for kind in range(rules.n_kinds):
        while fight.piles[HAND, kind] > 0:
            take(fight, kind, HAND)
            exhaust(rules, fight, kind)
    if times > 0:
        push(fight, OP_HIT, n, times, 0, 0, 1, aim)


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
        upgrade(rules, fight, pick(dice, rules.n_kinds))


@kernel
def _play_top(rules: Any, fight: Any, dice: Any, n: Any, exhausted: Any) -> None:
    """Have the next cards of the draw pile play themselves, at random targets."""
    for _ in range(n):
        kind = next_card(rules, fight, dice)
        if kind == NONE:
            return
        if fight.n_waiting == N_WAITING:
            put(fight, kind, DISCARD)
        else:
            target = random_enemy(fight, dice, 0)
            _wait(fight, kind, target, fight.energy, FROM_TOP_EXHAUSTED if exhausted else FROM_TOP)


# Playing cards.


@kernel
def _wait(fight: Any, kind: Any, target: Any, energy: Any, how: Any) -> None:
    """Have a card play itself when all else is done."""
    if fight.n_waiting < N_WAITING:
        place = fight.n_waiting
        fight.n_waiting += 1
        fight.waiting[place, 0] = kind
        fight.waiting[place, 1] = target
        fight.waiting[place, 2] = energy
        fight.waiting[place, 3] = how


@kernel
def _play_waiting(rules: Any, fight: Any, dice: Any) -> None:
    """Play the first card that plays itself."""
    kind, target = fight.waiting[0, 0], fight.waiting[0, 1]
    energy, how = fight.waiting[0, 2], fight.waiting[0, 3]
    fight.n_waiting -= 1
    for place in range(fight.n_waiting):
        for column in range(4):
            fight.waiting[place, column] = fight.waiting[place + 1, column]
    for column in range(4):
        fight.waiting[fight.n_waiting, column] = 0
    if how == COPIED:
        if not rules.targeted[kind] or alive(fight, target):
            use(rules, fight, kind, target, energy, COPIED)
    elif rules.cost[kind] == UNPLAYABLE or (rules.targeted[kind] and not alive(fight, target)):
        _end_card(rules, fight, dice, kind, how)
    else:
        use(rules, fight, kind, target, energy, how)


@kernel
def use(rules: Any, fight: Any, kind: Any, target: Any, energy: Any, how: Any) -> None:
    """Put all that playing a card does into the queue; the card is in no pile now."""
    for other in range(rules.n_kinds):
        if rules.pain[other] and fight.piles[HAND, other] > 0:
            for _ in range(fight.piles[HAND, other]):
                lose_hp(rules, fight, rules.pain[other], True)
    first, n = rules.first_line[kind], rules.n_lines[kind]
    begin = fight.n_queue
    push_lines(rules, fight, first, n, target, False)
    for place in range(begin, fight.n_queue):
        if fight.queue[place, OP] == OP_HIT_X:
            fight.queue[place, TIMES] = energy + rules.change[C_CHEMICAL]
        elif fight.queue[place, OP] == OP_HIT_STRIKES:
            fight.queue[place, TIMES] = how == PLAYED
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
        _wait(fight, copied, target, energy, COPIED)
    if rules.type[kind] == ATTACK and fight.powers[DOUBLE_TAP] > 0:
        fight.powers[DOUBLE_TAP] -= 1
        _wait(fight, copied, target, energy, COPIED)


@kernel
def used(rules: Any, fight: Any, kind: Any) -> None:
    """Put what follows from a card being played into the queue: powers, relics, enemies."""
    kind_type = rules.type[kind]
    if rules.counts_cards:
        fight.played += 1
        fight.types |= 1 << kind_type
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
    for enemy in range(1, N_FIGHTERS):
        if kind_type == SKILL and fight.status[enemy, ENRAGE] > 0:
            push(fight, OP_GIVE, fight.status[enemy, ENRAGE], 1, 0, STRENGTH, 0, enemy)
        if kind_type == ATTACK and fight.status[enemy, SHARP_HIDE] > 0:
            push(fight, OP_DAMAGE_PLAYER, fight.status[enemy, SHARP_HIDE], 1, SELF, 0, 0, 0)


@kernel
def _end_card(rules: Any, fight: Any, dice: Any, kind: Any, how: Any) -> None:
    """Put a card that was played where it goes."""
    if how == COPIED:  # a copy of Rampage lets the original grow, which lies in the discard pile
        if fight.piles[DISCARD, kind] > 0:
            take(fight, kind, DISCARD)
            put(fight, rules.grown[kind], DISCARD)
        return
    kind_type = rules.type[kind]
    unplayed = how != PLAYED and rules.cost[kind] == UNPLAYABLE
    if kind_type == POWER and not unplayed:
        return
    gone = how == FROM_TOP_EXHAUSTED or (rules.exhausts[kind] and not unplayed)
    gone |= kind_type == SKILL and fight.powers[CORRUPTION] > 0
    gone |= kind_type == CURSE and not unplayed
    gone |= kind_type == STATUS and not unplayed
    if gone and not unplayed and rules.change[C_SPOON]:
        gone = pick_one(dice, 2) == 0
    if rules.grown[kind] != NONE:
        kind = rules.grown[kind]
    if gone:
        exhaust(rules, fight, kind)
    else:
        put(fight, kind, DISCARD)


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
    if what == TO_HAND and fight.n_cards[HAND] >= MAX_HAND:
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
