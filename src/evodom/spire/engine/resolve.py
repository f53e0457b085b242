"""Resolve what is in the queue, effect by effect, until it is empty or the player has to choose a card."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.cards import end_card, handle_cards, play_waiting
from evodom.spire.engine.chance import BEFORE_DRAWS
from evodom.spire.engine.combat import (
    PLAYER,
    alive,
    all_gone,
    attack_damage,
    card_block,
    damage_enemy,
    damage_player,
    gain_block,
    give,
    heal,
    hit_enemy,
    lose_hp,
    random_enemy,
)
from evodom.spire.engine.layout import (
    AIM,
    DISCARD,
    DRAW,
    FLED,
    HAND,
    MORE,
    N_FIGHTERS,
    N_SHARED,
    NONE,
    OP,
    PLAYING,
    TIMES,
    TO,
    WON,
    CompiledRules,
    Dice,
    FightRecord,
    N,
    QueuedEffect,
    X,
)
from evodom.spire.engine.queue import clear, drop_first, push, push_front
from evodom.spire.engine.statuses import (
    C_TOP,
    DEXTERITY,
    DEXTERITY_DOWN,
    ENTANGLED,
    FRAIL,
    NO_DRAW,
    STRENGTH,
    STRENGTH_DOWN,
    VULNERABLE,
    WEAK,
)
from evodom.spire.rows.effects import (
    ENEMIES,
    OP_BLOCK,
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
    OP_REAP,
    OP_SPOT,
    RANDOM,
    SELF,
)


@kernel
def run(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Do all that is in the queue, then play the cards that play themselves; stop where the player has to choose."""
    while fight.over == PLAYING and not fight.choosing:
        if all_gone(fight):
            _win(rules, fight)
        elif fight.n_queue > 0:
            if dice.listing == BEFORE_DRAWS and awaits_draw(fight):
                return
            _do_next(rules, fight, dice)
        elif fight.n_waiting > 0:
            play_waiting(rules, fight, dice)
        elif rules.change[C_TOP] and fight.ours and fight.n_cards[HAND] == 0 and _can_draw(fight):
            push(fight, OP_DRAW, 1, 1, SELF, 0, 0, 0)
        else:
            return
    if fight.over != PLAYING:
        clear(fight)


@kernel
def awaits_draw(fight: FightRecord) -> Any:
    """Tell whether the next that happens is that the player draws cards, in the player's turn."""
    return fight.ours and fight.n_queue > 0 and fight.queue[0, OP] == OP_DRAW and not fight.choosing


@kernel
def _can_draw(fight: FightRecord) -> Any:
    """Tell whether a card can be drawn."""
    return fight.powers[NO_DRAW] == 0 and fight.n_cards[DRAW] + fight.n_cards[DISCARD] > 0


@kernel
def _win(rules: CompiledRules, fight: FightRecord) -> None:
    """Win the fight, unless damage that is in the queue already kills the player; heals and block still come."""
    while fight.n_queue > 0 and fight.over == PLAYING:
        op, n = fight.queue[0, OP], fight.queue[0, N]
        to, more = fight.queue[0, TO], fight.queue[0, MORE]
        drop_first(fight)
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
def _do_next(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Do the first effect of the queue."""
    op, n, times = fight.queue[0, OP], fight.queue[0, N], fight.queue[0, TIMES]
    to, x, more, aim = fight.queue[0, TO], fight.queue[0, X], fight.queue[0, MORE], fight.queue[0, AIM]
    drop_first(fight)
    if op <= OP_DROPKICK:
        _attack(rules, fight, dice, QueuedEffect(op, n, times, to, x, more, aim))
    elif op < OP_DRAW:
        _affect(rules, fight, dice, QueuedEffect(op, n, times, to, x, more, aim))
    elif op < OP_FLEE:
        handle_cards(rules, fight, dice, QueuedEffect(op, n, times, to, x, more, aim))
    elif op == OP_FLEE:
        fight.over = FLED
    elif op == OP_END_CARD:
        end_card(rules, fight, dice, n, to)
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
def _attack(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Attack with a line of a card."""
    op, n, times, to, more, aim = effect.op, effect.n, effect.times, effect.to, effect.more, effect.aim
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
            push_front(fight, OP_DRAW, 1, 1, SELF, 0, 0, 0)
            push_front(fight, OP_ENERGY, 1, 1, SELF, 0, 0, 0)


@kernel
def _hits(
    rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, times: int, to: int, strength: int, aim: int
) -> None:
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
def _affect(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Do what changes fighters: damage, block, HP, statuses and energy."""
    op, n, to, x, more, aim = effect.op, effect.n, effect.to, effect.x, effect.more, effect.aim
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
def _give(rules: CompiledRules, fight: FightRecord, n: int, to: int, status: int, aim: int) -> None:
    """Give a status to the player, the target or all enemies."""
    if to == SELF:
        give(rules, fight, PLAYER, status, n)
    elif to == ENEMIES:
        for enemy in range(1, N_FIGHTERS):
            give(rules, fight, enemy, status, n)
    else:
        give(rules, fight, aim, status, n)


@kernel
def _cure(fight: FightRecord) -> None:
    """End all debuffs of the player."""
    for status in (WEAK, VULNERABLE, FRAIL):
        fight.status[PLAYER, status] = 0
    for status in (STRENGTH, DEXTERITY):
        fight.status[PLAYER, status] = max(fight.status[PLAYER, status], 0)
    for power in (NO_DRAW, STRENGTH_DOWN, DEXTERITY_DOWN, ENTANGLED):
        fight.powers[power] = 0
