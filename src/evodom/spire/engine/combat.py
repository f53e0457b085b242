"""Kernels of fighters: damage, block, HP, statuses, and the reactions to them.

Open it to change how HP, block or a status changes. Reactions are pushed to the back of the queue. If the
original game adds an action "to the top", it is pushed to the front.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.relics import AT_DEATH, AT_HP_LOSS
from evodom.spire.engine import layout as at
from evodom.spire.engine.chance import RANDOM_ENEMY, draw_outcome
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord
from evodom.spire.engine.piles import push, push_front, transform_cards, trigger

MAX_STATUS = 999

# Fighters in the fight.


@kernel
def is_alive(fight: FightRecord, fighter: int) -> Any:
    """Return whether a fighter has HP left."""
    return fight.hp[fighter] > 0


@kernel
def n_living_enemies(fight: FightRecord) -> Any:
    """Return the number of living enemies."""
    n = 0
    for enemy in range(1, at.N_FIGHTERS):
        n += fight.hp[enemy] > 0
    return n


@kernel
def random_enemy(fight: FightRecord, dice: Dice, excluded: int) -> Any:
    """Return a random living enemy other than `excluded`; NONE if there is none."""
    n = 0
    for fighter in range(at.N_FIGHTERS):
        dice.scratch[fighter] = fighter != at.PLAYER and fighter != excluded and fight.hp[fighter] > 0
        n += dice.scratch[fighter]
    return draw_outcome(dice, at.N_FIGHTERS, RANDOM_ENEMY, 0) if n else at.NONE


@kernel
def remove_enemy(fight: FightRecord, enemy: int) -> None:
    """Remove an enemy from the fight and clear all its fields."""
    for column in (fight.hp, fight.max_hp, fight.block, fight.row, fight.intent, fight.new_statuses):
        column[enemy] = 0
    for status in range(at.N_SHARED):
        fight.status[enemy, status] = 0


# Statuses.


@kernel
def give_status(rules: CompiledRules, fight: FightRecord, fighter: int, status: int, n: int) -> None:
    """Give a status. Artifact cancels a debuff, including a loss of Strength or Dexterity."""
    if n == 0 or (fighter != at.PLAYER and fight.hp[fighter] <= 0):
        return
    if n < 0 or status in at.DEBUFFS:
        if fighter == at.PLAYER and (
            (status == at.WEAK and rules.change[at.C_GINGER]) or (status == at.FRAIL and rules.change[at.C_TURNIP])
        ):
            return
        if fight.status[fighter, at.ARTIFACT] > 0:
            fight.status[fighter, at.ARTIFACT] -= 1
            return
        if fighter != at.PLAYER and fight.powers[at.SADISTIC] > 0:
            push(fight, e.OP_DAMAGE, fight.powers[at.SADISTIC], 1, e.TARGET, 0, 0, fighter)
    if status >= at.N_SHARED:
        power = status - at.N_SHARED
        fight.powers[power] += n
        if power in (at.BARRICADE, at.CORRUPTION, at.NO_DRAW, at.ENTANGLED):
            fight.powers[power] = 1
        return
    if fight.is_enemy_turn and fight.status[fighter, status] == 0:
        mark_new_status(fight, fighter, status)
    fight.status[fighter, status] = max(min(fight.status[fighter, status] + n, MAX_STATUS), -MAX_STATUS)
    if fighter != at.PLAYER and status == at.VULNERABLE and rules.change[at.C_CHAMPION_BELT]:
        push(fight, e.OP_GIVE, 1, 1, e.TARGET, at.WEAK, 0, fighter)


@kernel
def mark_new_status(fight: FightRecord, fighter: int, status: int) -> None:
    """Mark a status that was given in the enemies' turn.

    A new debuff of the player does not fade this round. A new Ritual of an enemy does not act this round.
    """
    if status == at.RITUAL if fighter != at.PLAYER else status in at.FADING:
        fight.new_statuses[fighter] |= 1 << status


# Block.


@kernel
def card_block(fight: FightRecord, base: int) -> Any:
    """Return the block that a card with block `base` gives.

    Dexterity is added, Frail reduces the sum to 3/4, No Block to 0.
    """
    if fight.powers[at.NO_BLOCK] > 0:
        return 0
    block = base + fight.status[at.PLAYER, at.DEXTERITY]
    if fight.status[at.PLAYER, at.FRAIL] > 0:
        block = block * 3 // 4
    return max(block, 0)


@kernel
def gain_block(fight: FightRecord, n: int) -> None:
    """Give the player `n` block, up to a total of 999. Juggernaut reacts."""
    if n > 0:
        fight.block[at.PLAYER] = min(fight.block[at.PLAYER] + n, 999)
        if fight.powers[at.JUGGERNAUT] > 0:
            push(fight, e.OP_DAMAGE, fight.powers[at.JUGGERNAUT], 1, e.RANDOM, 0, 0, 0)


# Damage.


@kernel
def attack_damage(
    rules: CompiledRules, fight: FightRecord, attacker: int, defender: int, base: int, strength: int
) -> Any:
    """Return the damage of a hit with damage `base`. The attacker's Strength is added `strength` times.

    The product with all factors is rounded down once, at the end.
    """
    numerator, denominator = base + fight.status[attacker, at.STRENGTH] * strength, 1
    if attacker == at.PLAYER:
        numerator += fight.powers[at.VIGOR]
        if rules.change[at.C_PEN_NIB] and fight.pen_nib == 10:
            numerator *= 2
    if fight.status[attacker, at.WEAK] > 0:
        numerator, denominator = numerator * 3, denominator * 4
    if fight.status[defender, at.VULNERABLE] > 0:
        if defender == at.PLAYER and rules.change[at.C_ODD_MUSHROOM]:
            numerator, denominator = numerator * 5, denominator * 4
        elif defender != at.PLAYER and rules.change[at.C_PAPER_PHROG]:
            numerator, denominator = numerator * 7, denominator * 4
        else:
            numerator, denominator = numerator * 3, denominator * 2
    return max(numerator // denominator, 0)


@kernel
def apply_block(rules: CompiledRules, fight: FightRecord, fighter: int, amount: int) -> Any:
    """Reduce a fighter's block by damage. Return the damage beyond the block. Hand Drill reacts to broken block."""
    blocked = min(fight.block[fighter], amount)
    fight.block[fighter] -= blocked
    if fighter != at.PLAYER and blocked > 0 and fight.block[fighter] == 0 and rules.change[at.C_HAND_DRILL]:
        push(fight, e.OP_GIVE, rules.change[at.C_HAND_DRILL], 1, e.TARGET, at.VULNERABLE, 0, fighter)
    return amount - blocked


@kernel
def hit_enemy(rules: CompiledRules, fight: FightRecord, enemy: int, damage: int) -> Any:
    """Hit an enemy with an attack. Return the HP that it lost."""
    through = apply_block(rules, fight, enemy, damage)
    if rules.change[at.C_THE_BOOT] and 0 < through < 5:
        through = 5
    lost = min(through, fight.hp[enemy])
    if lost > 0:
        if fight.hp[enemy] > lost:
            if fight.status[enemy, at.CURL_UP] > 0:
                push(fight, e.OP_ENEMY_BLOCK, fight.status[enemy, at.CURL_UP], 1, e.SELF, 0, 0, enemy)
                fight.status[enemy, at.CURL_UP] = 0
            if fight.status[enemy, at.ANGRY] > 0:
                fight.status[enemy, at.STRENGTH] += fight.status[enemy, at.ANGRY]
            if fight.status[enemy, at.PLATED] > 0:
                fight.status[enemy, at.PLATED] -= 1
        reduce_enemy_hp(rules, fight, enemy, lost)
    return lost


@kernel
def damage_enemy(rules: CompiledRules, fight: FightRecord, enemy: int, amount: int) -> None:
    """Deal damage that is not an attack to an enemy."""
    if fight.hp[enemy] > 0:
        reduce_enemy_hp(rules, fight, enemy, apply_block(rules, fight, enemy, amount))


@kernel
def reduce_enemy_hp(rules: CompiledRules, fight: FightRecord, enemy: int, lost: int) -> None:
    """Reduce the HP of an enemy, with all consequences: it dies, wakes, splits or shifts to defence."""
    if lost <= 0:
        return
    fight.hp[enemy] = max(fight.hp[enemy] - lost, 0)
    if fight.hp[enemy] == 0:
        kill_enemy(rules, fight, enemy)
        return
    interrupt_intent = rules.interrupt_move[fight.row[enemy]]
    if fight.status[enemy, at.ASLEEP] > 0:
        fight.status[enemy, at.ASLEEP] = 0
        initial = rules.status[fight.row[enemy], at.METALLICIZE]
        fight.status[enemy, at.METALLICIZE] = max(fight.status[enemy, at.METALLICIZE] - initial, 0)
        fight.intent[enemy] = interrupt_intent
    elif fight.status[enemy, at.SPLITS] > 0 and fight.hp[enemy] * 2 <= fight.max_hp[enemy]:
        fight.intent[enemy] = interrupt_intent
    elif fight.status[enemy, at.MODE_SHIFT] > 0:
        fight.status[enemy, at.MODE_SHIFT] = max(fight.status[enemy, at.MODE_SHIFT] - lost, 0)
        if fight.status[enemy, at.MODE_SHIFT] == 0:
            push(fight, e.OP_DEFENSIVE_MODE, 20, 1, e.SELF, 0, 0, enemy)


@kernel
def kill_enemy(rules: CompiledRules, fight: FightRecord, enemy: int) -> None:
    """Remove a dead enemy. Spore Cloud and relics react if other enemies live."""
    spores = fight.status[enemy, at.SPORES]
    remove_enemy(fight, enemy)
    if n_living_enemies(fight) > 0:
        if spores > 0:
            push_front(fight, e.OP_GIVE, spores, 1, e.SELF, at.VULNERABLE, 0, 0)
        trigger(rules, fight, AT_DEATH)


@kernel
def hit_player(rules: CompiledRules, fight: FightRecord, enemy: int, damage: int) -> None:
    """Hit the player with an attack of `enemy`. Thorns and Flame Barrier damage the attacker."""
    if fight.powers[at.INTANGIBLE] > 0:
        damage = min(damage, 1)
    through = apply_buffer(fight, apply_block(rules, fight, at.PLAYER, damage))
    if rules.change[at.C_TORII] and 2 <= through <= 5:
        through = 1
    thorns = fight.status[at.PLAYER, at.THORNS] + fight.powers[at.FLAME_BARRIER]
    if thorns > 0:
        damage_enemy(rules, fight, enemy, thorns)
    reduce_player_hp(rules, fight, through, False, True)


@kernel
def damage_player(rules: CompiledRules, fight: FightRecord, amount: int, own: int) -> None:
    """Deal damage that is not an attack to the player. `own`: whether a card of the player causes it."""
    if fight.powers[at.INTANGIBLE] > 0:
        amount = min(amount, 1)
    reduce_player_hp(rules, fight, apply_buffer(fight, apply_block(rules, fight, at.PLAYER, amount)), own, False)


@kernel
def lose_hp(rules: CompiledRules, fight: FightRecord, amount: int, own: int) -> None:
    """Reduce the player's HP, ignoring block. `own`: whether a card of the player causes the loss."""
    if fight.powers[at.INTANGIBLE] > 0:
        amount = min(amount, 1)
    reduce_player_hp(rules, fight, apply_buffer(fight, amount), own, False)


@kernel
def apply_buffer(fight: FightRecord, amount: int) -> Any:
    """Return the rest of a loss of HP after Buffer. If a Buffer is left, use it up and return 0."""
    if amount > 0 and fight.powers[at.BUFFER] > 0:
        fight.powers[at.BUFFER] -= 1
        return 0
    return amount


@kernel
def reduce_player_hp(rules: CompiledRules, fight: FightRecord, amount: int, own: int, attacked: int) -> None:
    """Reduce the player's HP, with all consequences: Rupture, relics, cheaper cards, revival or defeat."""
    if amount > 0 and rules.change[at.C_TUNGSTEN_ROD]:
        amount -= 1
    if amount <= 0 or fight.over:
        return
    fight.hp[at.PLAYER] = max(fight.hp[at.PLAYER] - amount, 0)
    if own and fight.powers[at.RUPTURE] > 0:
        push_front(fight, e.OP_GIVE, fight.powers[at.RUPTURE], 1, e.SELF, at.STRENGTH, 0, 0)
    if attacked and fight.status[at.PLAYER, at.PLATED] > 0:
        fight.status[at.PLAYER, at.PLATED] -= 1
    reduce_costs(rules, fight)
    trigger(rules, fight, AT_HP_LOSS)
    if fight.hp[at.PLAYER] == 0:
        revive(rules, fight)
    update_red_skull(rules, fight)


@kernel
def reduce_costs(rules: CompiledRules, fight: FightRecord) -> None:
    """Lower the cost of every Blood for Blood outside the exhaust pile.

    Each cost is a kind of the card. Lower costs come first, so that each card moves by one kind.
    """
    for place in range(rules.n_cheaper):
        kind = rules.by_cost[place]
        transform_cards(fight, kind, rules.cheaper[kind], at.HAND)


@kernel
def revive(rules: CompiledRules, fight: FightRecord) -> None:
    """Revive the player with Fairy in a Bottle or Lizard Tail, or end the fight."""
    for place in range(0 if rules.change[at.C_NO_HEALING] else rules.n_potions):
        if fight.potions[place] and rules.potion_revives[place]:
            fight.potions[place] = 0
            fight.used += 1
            heal(rules, fight, max(fight.max_hp[at.PLAYER] * rules.potion_revives[place] // 100, 1))
            return
    if rules.change[at.C_LIZARD_TAIL] and not (fight.tail or rules.change[at.C_NO_HEALING]):
        fight.tail = 1
        heal(rules, fight, fight.max_hp[at.PLAYER] // 2)
        return
    fight.over = at.LOST


@kernel
def heal(rules: CompiledRules, fight: FightRecord, n: int) -> None:
    """Heal the player by `n`, up to the maximum HP. A heal can only end the Strength of Red Skull."""
    fight.hp[at.PLAYER] = healed_hp(rules, fight.hp[at.PLAYER], n, fight.max_hp[at.PLAYER])
    if fight.skull:
        update_red_skull(rules, fight)


@kernel
def healed_hp(rules: CompiledRules, hp: int, n: int, max_hp: int) -> Any:
    """Return `hp` after a heal of `n`, times 1.5 with Magic Flower, up to the maximum HP.

    Mark of the Bloom prevents the heal.
    """
    if rules.change[at.C_NO_HEALING]:
        return hp
    if rules.change[at.C_MAGIC_FLOWER]:
        n = (n * 3 + 1) // 2
    return min(hp + n, max_hp)


@kernel
def hp_after_fight(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return the HP left after a fight that was survived.

    Meat on the Bone heals first, then Burning Blood and Black Blood. Face of Cleric heals the HP that it has added to
    the maximum.
    """
    added = rules.change[at.C_FIGHT_END_MAX_HP]
    hp, max_hp = fight.hp[at.PLAYER], fight.max_hp[at.PLAYER] - added
    if hp * 2 <= max_hp:
        hp = healed_hp(rules, hp, rules.change[at.C_FIGHT_END_HEAL_AT_HALF], max_hp)
    hp = healed_hp(rules, hp, rules.change[at.C_FIGHT_END_HEAL], max_hp)
    return healed_hp(rules, hp, added, max_hp + added)


@kernel
def gain_max_hp(rules: CompiledRules, fight: FightRecord, n: int) -> None:
    """Raise the player's maximum HP by `n`, and heal `n`."""
    fight.max_hp[at.PLAYER] += n
    fight.gained += n
    heal(rules, fight, n)


@kernel
def update_red_skull(rules: CompiledRules, fight: FightRecord) -> None:
    """Give or take the Strength of Red Skull when the HP cross half of the maximum."""
    if rules.change[at.C_RED_SKULL]:
        low = fight.hp[at.PLAYER] * 2 <= fight.max_hp[at.PLAYER]
        if low != fight.skull:
            fight.skull = low
            n = rules.change[at.C_RED_SKULL] if low else -rules.change[at.C_RED_SKULL]
            push_front(fight, e.OP_GIVE, n, 1, e.SELF, at.STRENGTH, 0, at.PLAYER)
