"""Resolve the queue of effects: the meaning of each opcode of `content.effects`.

Open it to change the result of an effect.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.engine import combat
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_choices import resolve_draw_pile_effect, resolve_random_cards
from evodom.spire.engine.card_play import finish_card, play_next_autoplay, resolve_card_effect
from evodom.spire.engine.chance import LIST_ALL_BUT_DRAWS
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, QueuedEffect
from evodom.spire.engine.piles import clear_pending, discard_hand, pop_effect, push, push_front, shuffle


@kernel
def resolve_queue(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Resolve the queue of effects, then the autoplay queue, until both are empty or the player must choose a card.

    With LIST_ALL_BUT_DRAWS, also stop before a draw in the player's turn.
    """
    while fight.over == at.PLAYING and not fight.choosing:
        if combat.n_living_enemies(fight) == 0:
            _end_fight(rules, fight, at.WON)
        elif fight.n_queue > 0:
            if dice.mode == LIST_ALL_BUT_DRAWS and awaits_draw(fight):
                return
            _resolve_next(rules, fight, dice)
        elif fight.n_autoplays > 0:
            play_next_autoplay(rules, fight, dice)
        elif (
            rules.change[at.C_UNCEASING_TOP]
            and fight.is_player_turn
            and fight.n_cards[at.HAND] == 0
            and fight.powers[at.NO_DRAW] == 0
            and fight.n_cards[at.DRAW] + fight.n_cards[at.DISCARD] > 0
        ):
            push(fight, e.OP_DRAW, 1, 1, e.SELF, 0, 0, 0)
        else:
            return
    if fight.over != at.PLAYING:
        clear_pending(fight)


@kernel
def awaits_draw(fight: FightRecord) -> Any:
    """Return whether the next effect is a draw of cards in the player's turn."""
    return fight.is_player_turn and fight.n_queue > 0 and fight.queue[0, at.OP] == e.OP_DRAW and not fight.choosing


@kernel
def _end_fight(rules: CompiledRules, fight: FightRecord, over: int) -> None:
    """End the fight as WON or FLED, unless a queued loss of HP kills the player first.

    Resolve only the queued damage, losses of HP, heals and block, and drop the other effects. Face of Cleric raises the
    maximum HP here, and heals in `hp_after_fight`.
    """
    while fight.n_queue > 0 and fight.over == at.PLAYING:
        op, n, more = fight.queue[0, at.OP], fight.queue[0, at.N], fight.queue[0, at.MORE]
        pop_effect(fight)
        if op == e.OP_DAMAGE_PLAYER:
            combat.damage_player(rules, fight, n, more)
        elif op == e.OP_LOSE_HP:
            combat.lose_hp(rules, fight, n, True)
        elif op == e.OP_HEAL:
            combat.heal(rules, fight, fight.max_hp[at.PLAYER] * n // 100 if more else n)
        elif op == e.OP_BLOCK:
            combat.gain_block(fight, combat.card_block(fight, n))
        elif op == e.OP_PLAIN_BLOCK:
            combat.gain_block(fight, n)
    if fight.over == at.PLAYING:
        fight.over = over
        fight.max_hp[at.PLAYER] += rules.change[at.C_FIGHT_END_MAX_HP]
        fight.gained += rules.change[at.C_FIGHT_END_MAX_HP]


@kernel
def _resolve_next(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Resolve the first effect of the queue."""
    op, n, times, to = fight.queue[0, at.OP], fight.queue[0, at.N], fight.queue[0, at.TIMES], fight.queue[0, at.TO]
    item, more, aim = fight.queue[0, at.ITEM], fight.queue[0, at.MORE], fight.queue[0, at.AIM]
    pop_effect(fight)
    if op <= e.OP_DROPKICK:
        _resolve_attack(rules, fight, dice, QueuedEffect(op, n, times, to, item, more, aim))
    elif op < e.OP_DRAW:
        _resolve_fighter_effect(rules, fight, dice, QueuedEffect(op, n, times, to, item, more, aim))
    elif op < e.OP_FLEE:
        resolve_card_effect(rules, fight, dice, QueuedEffect(op, n, times, to, item, more, aim))
    elif op == e.OP_FLEE:
        _end_fight(rules, fight, at.FLED)
    elif op == e.OP_END_CARD:
        finish_card(rules, fight, dice, n, to)
    elif op == e.OP_DAMAGE_PLAYER:
        combat.damage_player(rules, fight, n, more)
    elif op == e.OP_ENEMY_BLOCK:
        if combat.is_alive(fight, aim):
            fight.block[aim] += n
    elif op == e.OP_DEFENSIVE_MODE:
        if combat.is_alive(fight, aim):  # the block is queued behind the effects that the same damage has caused
            fight.intent[aim] = rules.interrupt_move[fight.row[aim]]
            push(fight, e.OP_ENEMY_BLOCK, n, 1, e.SELF, 0, 0, aim)
    elif op == e.OP_END_PEN_NIB:
        fight.pen_nib = 0
    elif op == e.OP_CURE:
        _remove_debuffs(fight)
    elif op == e.OP_DISCARD_HAND:
        discard_hand(rules, fight)
    elif op == e.OP_END_TURN:
        if n:
            begin_enemy_turn(fight)
        else:  # behind the effects that the discard has queued
            push(fight, e.OP_END_TURN, True, 1, e.SELF, 0, 0, 0)
    elif op == e.OP_SHUFFLE:
        shuffle(rules, fight)
    elif op == e.OP_RED_SKULL:
        combat.update_red_skull(rules, fight)
    elif op >= e.OP_DRAW_WITHOUT_ATTACKS:
        resolve_draw_pile_effect(rules, fight, dice, op, n)
    elif op >= e.OP_MAKE:
        resolve_random_cards(rules, fight, dice, QueuedEffect(op, n, times, to, item, more, aim))


@kernel
def begin_enemy_turn(fight: FightRecord) -> None:
    """Begin the enemies' turn: they lose their block."""
    fight.is_enemy_turn = 1
    for enemy in range(1, at.N_FIGHTERS):
        fight.block[enemy] = 0


# Attacks.


@kernel
def _resolve_attack(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Resolve an attack of a card. `effect.n` includes the player's Strength, unless the targets are random."""
    op, n, times, to, more, aim = effect.op, effect.n, effect.times, effect.to, effect.more, effect.aim
    if op == e.OP_HIT:
        _hit_targets(rules, fight, dice, n, times, to, more, aim)
    elif op == e.OP_HIT_X:
        _hit_targets(rules, fight, dice, n, times, e.ENEMIES, 0, aim)
    elif op == e.OP_HIT_BLOCK:
        n += fight.n_cards[at.DRAW] if more else fight.block[at.PLAYER]
        _hit_targets(rules, fight, dice, n, 1, to, 0, aim)
    elif op == e.OP_HIT_STRIKES:
        n_strikes = times  # 1 for the played card, 0 if it was played from the draw pile or as a copy
        for kind in range(rules.n_kinds):
            if rules.strike[kind]:
                for pile in range(3):
                    n_strikes += fight.piles[pile, kind]
        _hit_targets(rules, fight, dice, n + more * n_strikes, 1, to, 0, aim)
    elif op == e.OP_FEED:
        was_alive = combat.is_alive(fight, aim)
        _hit_targets(rules, fight, dice, n, 1, to, 0, aim)
        if was_alive and not combat.is_alive(fight, aim):
            combat.gain_max_hp(rules, fight, more)
    elif op == e.OP_REAP:
        lost = _hit_targets(rules, fight, dice, n, 1, e.ENEMIES, 0, aim)
        if lost > 0:
            push(fight, e.OP_HEAL, lost, 1, e.SELF, 0, 0, 0)
    elif op == e.OP_DROPKICK:
        was_vulnerable = combat.is_alive(fight, aim) and fight.status[aim, at.VULNERABLE] > 0
        _hit_targets(rules, fight, dice, n, 1, to, 0, aim)
        if was_vulnerable:
            push_front(fight, e.OP_DRAW, 1, 1, e.SELF, 0, 0, 0)
            push_front(fight, e.OP_ENERGY, 1, 1, e.SELF, 0, 0, 0)


@kernel
def _hit_targets(
    rules: CompiledRules, fight: FightRecord, dice: Dice, n: int, times: int, to: int, strength: int, aim: int
) -> Any:
    """Hit the target, all enemies or random enemies. Return the HP that they lost.

    Damage to a single target is computed once, before the first hit. Otherwise it is computed before each hit.
    """
    lost = 0
    if to == e.ENEMIES:
        for _ in range(times):
            for enemy in range(1, at.N_FIGHTERS):
                if combat.is_alive(fight, enemy):
                    damage = combat.attack_damage(rules, fight, at.PLAYER, enemy, n, strength)
                    lost += combat.hit_enemy(rules, fight, enemy, damage)
    elif to == e.RANDOM:
        for _ in range(times):
            enemy = combat.random_enemy(fight, dice, 0)
            if enemy != at.NONE:
                damage = combat.attack_damage(rules, fight, at.PLAYER, enemy, n, strength)
                lost += combat.hit_enemy(rules, fight, enemy, damage)
    elif combat.is_alive(fight, aim):
        damage = combat.attack_damage(rules, fight, at.PLAYER, aim, n, strength)
        for _ in range(times):
            if combat.is_alive(fight, aim):
                lost += combat.hit_enemy(rules, fight, aim, damage)
    return lost


# Fighters.


@kernel
def _resolve_fighter_effect(rules: CompiledRules, fight: FightRecord, dice: Dice, effect: QueuedEffect) -> None:
    """Resolve an effect on fighters: damage, block, HP, statuses, energy."""
    op, n, to, item, more, aim = effect.op, effect.n, effect.to, effect.item, effect.more, effect.aim
    if op == e.OP_DAMAGE:
        if to == e.ENEMIES:
            for enemy in range(1, at.N_FIGHTERS):
                combat.damage_enemy(rules, fight, enemy, n)
        else:
            enemy = combat.random_enemy(fight, dice, 0) if to == e.RANDOM else aim
            if enemy != at.NONE:
                combat.damage_enemy(rules, fight, enemy, n)
    elif op == e.OP_BLOCK:
        combat.gain_block(fight, combat.card_block(fight, n))
    elif op == e.OP_PLAIN_BLOCK:
        combat.gain_block(fight, n)
    elif op == e.OP_DOUBLE_BLOCK:
        combat.gain_block(fight, fight.block[at.PLAYER])
    elif op == e.OP_LOSE_HP:
        combat.lose_hp(rules, fight, n, True)
    elif op == e.OP_HEAL:
        combat.heal(rules, fight, fight.max_hp[at.PLAYER] * n // 100 if more else n)
    elif op == e.OP_MAX_HP:
        combat.gain_max_hp(rules, fight, n)
    elif op == e.OP_GIVE:
        _give_statuses(rules, fight, n, to, item, aim)
    elif op == e.OP_LOSE:
        if item < at.N_SHARED:
            fight.status[at.PLAYER, item] = 0
        else:
            fight.powers[item - at.N_SHARED] = 0
    elif op == e.OP_DOUBLE_STRENGTH:
        combat.give_status(rules, fight, at.PLAYER, at.STRENGTH, fight.status[at.PLAYER, at.STRENGTH])
    elif op == e.OP_SPOT:
        if combat.is_alive(fight, aim) and rules.attacks[fight.intent[aim]]:
            combat.give_status(rules, fight, at.PLAYER, at.STRENGTH, n)
    elif op == e.OP_SHACKLE:
        if combat.is_alive(fight, aim) and fight.status[aim, at.ARTIFACT] == 0:
            fight.status[aim, at.SHACKLED] += n
        combat.give_status(rules, fight, aim, at.STRENGTH, -n)
    elif op == e.OP_ENERGY:
        fight.energy = max(min(fight.energy + n, 99), 0)


@kernel
def _give_statuses(rules: CompiledRules, fight: FightRecord, n: int, to: int, status: int, aim: int) -> None:
    """Give a status to the player, the target or all enemies."""
    if to == e.SELF:
        combat.give_status(rules, fight, at.PLAYER, status, n)
    elif to == e.ENEMIES:
        for enemy in range(1, at.N_FIGHTERS):
            combat.give_status(rules, fight, enemy, status, n)
    else:
        combat.give_status(rules, fight, aim, status, n)


@kernel
def _remove_debuffs(fight: FightRecord) -> None:
    """Remove all debuffs of the player."""
    for status in at.FADING:
        fight.status[at.PLAYER, status] = 0
    for status in (at.STRENGTH, at.DEXTERITY):
        fight.status[at.PLAYER, status] = max(fight.status[at.PLAYER, status], 0)
    for power in at.DEBUFF_POWERS:
        fight.powers[power] = 0
