"""The course of a fight: its start, the start and the end of a turn."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.cards import ATTACKED
from evodom.spire.engine.combat import (
    PLAYER,
    alive,
    damage_enemy,
    damage_player,
    feel_skull,
    gain_block,
    give,
    heal,
    lose_hp,
)
from evodom.spire.engine.enemies import burn, enter, move_enemies, weaken
from evodom.spire.engine.layout import (
    DISCARD,
    DRAW,
    HAND,
    LATE,
    N_FIGHTERS,
    NONE,
    PLAYING,
    CompiledRules,
    Dice,
    FightRecord,
)
from evodom.spire.engine.piles import exhaust, put, put_on_top, take
from evodom.spire.engine.queue import push, trigger
from evodom.spire.engine.resolve import run
from evodom.spire.engine.statuses import (
    BARRICADE,
    BERSERK,
    BRUTALITY,
    C_ART,
    C_CALIPERS,
    C_ENERGY,
    C_ICE_CREAM,
    C_LAST_BLOCK,
    C_LAST_HEAL,
    C_LAST_HEAL_LOW,
    C_PYRAMID,
    C_WATCH,
    COMBUST,
    COMBUST_COST,
    DEMON_FORM,
    DEXTERITY,
    DEXTERITY_DOWN,
    DOUBLE_TAP,
    DUPLICATION,
    ENTANGLED,
    FLAME_BARRIER,
    FRAIL,
    INTANGIBLE,
    METALLICIZE,
    NEXT_BLOCK,
    NEXT_DRAW,
    NO_DRAW,
    PLATED,
    RAGE,
    REGEN,
    REGENERATE,
    RITUAL,
    STRENGTH,
    STRENGTH_DOWN,
    VULNERABLE,
    WEAK,
)
from evodom.spire.rows.cards import ENERGY, HAND_SIZE
from evodom.spire.rows.effects import OP_DRAW, OP_GIVE, OP_LOSE_HP, OP_PLAIN_BLOCK, SELF
from evodom.spire.rows.relics import AT_LATE_TURN, AT_START, AT_TURN, AT_TURN_END


@kernel
def begin(rules: CompiledRules, fight: FightRecord, mark: int, dice: Dice) -> None:
    """Begin a fight, up to the player's first decision: one that `moves.start_fight` has prepared."""
    fight.hp[PLAYER], fight.max_hp[PLAYER] = rules.hp, rules.max_hp
    fight.ours = 1
    for enemy in range(1, N_FIGHTERS):
        if fight.row[enemy]:
            enter(rules, fight, enemy, fight.row[enemy], fight.max_hp[enemy], dice)
            burn(rules, fight, enemy, mark)
            weaken(rules, fight, enemy)
    feel_skull(rules, fight)
    for potion in range(rules.n_potions):
        fight.potions[potion] = 1
    _deal(rules, fight)
    _start_turn(rules, fight, dice)


@kernel
def _deal(rules: CompiledRules, fight: FightRecord) -> None:
    """Put the deck into the draw pile, innate cards on top; what they are more than five is drawn besides."""
    n_innate = 0
    for kind in range(rules.n_kinds):
        for _ in range(rules.deck[kind]):
            if rules.innate[kind]:
                n_innate += 1
                put_on_top(fight, kind)
            else:
                put(fight, kind, DRAW)
    if n_innate > HAND_SIZE:
        fight.powers[NEXT_DRAW] = n_innate - HAND_SIZE


# Turns.


@kernel
def _start_turn(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Start a turn of the player."""
    first = fight.turn == 0
    fight.turn = min(fight.turn + 1, rules.last_turn + 1)
    fight.ours = 1
    if fight.powers[BARRICADE] == 0:
        fight.block[PLAYER] = max(fight.block[PLAYER] - rules.change[C_CALIPERS], 0) if rules.change[C_CALIPERS] else 0
    kept = fight.energy if rules.change[C_ICE_CREAM] else 0
    fight.energy = ENERGY + rules.change[C_ENERGY] + kept
    n_draw = HAND_SIZE + fight.powers[NEXT_DRAW]
    if first:
        fight.powers[NEXT_DRAW] = 0
        push(fight, OP_DRAW, n_draw, 1, SELF, 0, 0, 0)
        trigger(rules, fight, AT_START, False)
        trigger(rules, fight, AT_TURN, False)
    else:
        n_draw += _after_last_turn(rules, fight)
        trigger(rules, fight, AT_TURN, False)
        fight.energy += fight.powers[BERSERK]
        if fight.powers[NEXT_BLOCK] > 0:
            push(fight, OP_PLAIN_BLOCK, fight.powers[NEXT_BLOCK], 1, SELF, 0, 0, 0)
        fight.powers[NEXT_BLOCK] = 0
        fight.powers[NEXT_DRAW] = 0
        fight.powers[FLAME_BARRIER] = 0
        push(fight, OP_DRAW, n_draw, 1, SELF, 0, 0, 0)
    fight.played = 0
    fight.types = 0
    for relic in range(rules.n_relics):
        if rules.relic_every[relic] > 1 and not rules.relic_kept[relic]:
            fight.counters[relic] = 0
    trigger(rules, fight, AT_LATE_TURN, False)
    if fight.powers[DEMON_FORM] > 0:
        push(fight, OP_GIVE, fight.powers[DEMON_FORM], 1, SELF, STRENGTH, 0, 0)
    if fight.powers[BRUTALITY] > 0:
        push(fight, OP_DRAW, fight.powers[BRUTALITY], 1, SELF, 0, 0, 0)
        push(fight, OP_LOSE_HP, fight.powers[BRUTALITY], 1, SELF, 0, 0, 0)
    run(rules, fight, dice)


@kernel
def _after_last_turn(rules: CompiledRules, fight: FightRecord) -> Any:
    """Have the relics act that look at the turn before; return how many cards more are drawn."""
    if rules.change[C_ART] and not fight.types & ATTACKED:
        fight.energy += 1
    if rules.change[C_WATCH] and fight.played <= 3:
        return rules.change[C_WATCH]
    return 0


@kernel
def end_turn(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """End the player's turn, have the enemies move, and start the next turn."""
    fight.ours = 0
    _end_player(rules, fight, dice)
    if fight.over == PLAYING:
        fight.theirs = 1
        for enemy in range(1, N_FIGHTERS):
            fight.block[enemy] = 0
        move_enemies(rules, fight, dice)
        fight.theirs = 0
    if fight.over == PLAYING:
        if rules.max_turns and fight.turn == rules.max_turns:
            fight.over = LATE
            return
        _end_round(rules, fight)
        _start_turn(rules, fight, dice)


@kernel
def _end_player(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """End the player's turn: relics, block, cards that act in hand, powers, then the hand is discarded."""
    if rules.change[C_LAST_BLOCK] and fight.block[PLAYER] == 0:
        gain_block(fight, rules.change[C_LAST_BLOCK])
    trigger(rules, fight, AT_TURN_END, False)
    gain_block(fight, fight.status[PLAYER, METALLICIZE])
    gain_block(fight, fight.status[PLAYER, PLATED])
    run(rules, fight, dice)
    _last_cards(rules, fight)
    if fight.over == PLAYING:
        _last_powers(rules, fight)
    run(rules, fight, dice)
    if fight.over == PLAYING:
        _discard_hand(rules, fight)
        run(rules, fight, dice)


@kernel
def _last_cards(rules: CompiledRules, fight: FightRecord) -> None:
    """Have the cards act that do so at the end of a turn in hand; they are discarded."""
    n_hand = fight.n_cards[HAND]
    for kind in range(rules.n_kinds):
        acts = rules.last_damage[kind] or rules.last_loss[kind] or rules.last_status[kind] != NONE
        while acts and fight.piles[HAND, kind] > 0 and fight.over == PLAYING:
            if rules.last_damage[kind]:
                damage_player(rules, fight, rules.last_damage[kind], True)
            if rules.last_loss[kind]:
                lose_hp(rules, fight, n_hand, True)
            if rules.last_status[kind] != NONE:
                fight.theirs = 1  # such a debuff does not fade this round, as if an enemy had given it
                give(rules, fight, PLAYER, rules.last_status[kind], 1)
                fight.theirs = 0
            take(fight, kind, HAND)
            put(fight, kind, DISCARD)


@kernel
def _last_powers(rules: CompiledRules, fight: FightRecord) -> None:
    """Have the player's powers act at the end of the turn, and end those that last a turn."""
    if fight.powers[COMBUST] > 0:
        lose_hp(rules, fight, fight.powers[COMBUST_COST], True)
        for enemy in range(1, N_FIGHTERS):
            damage_enemy(rules, fight, enemy, fight.powers[COMBUST])
    if fight.powers[STRENGTH_DOWN] > 0:
        give(rules, fight, PLAYER, STRENGTH, -fight.powers[STRENGTH_DOWN])
        fight.powers[STRENGTH_DOWN] = 0
    if fight.powers[DEXTERITY_DOWN] > 0:
        give(rules, fight, PLAYER, DEXTERITY, -fight.powers[DEXTERITY_DOWN])
        fight.powers[DEXTERITY_DOWN] = 0
    fight.powers[RAGE] = 0
    fight.powers[DOUBLE_TAP] = 0
    fight.powers[NO_DRAW] = 0
    fight.powers[ENTANGLED] = 0
    if fight.powers[REGEN] > 0 and fight.over == PLAYING:
        heal(rules, fight, fight.powers[REGEN])
        fight.powers[REGEN] -= 1
    fight.status[PLAYER, STRENGTH] += fight.status[PLAYER, RITUAL]


@kernel
def _discard_hand(rules: CompiledRules, fight: FightRecord) -> None:
    """Exhaust the ethereal cards of the hand, and discard the others."""
    for kind in range(rules.n_kinds):
        while rules.ethereal[kind] and fight.piles[HAND, kind] > 0:
            take(fight, kind, HAND)
            exhaust(rules, fight, kind)
    if not rules.change[C_PYRAMID]:
        for kind in range(rules.n_kinds):
            n = fight.piles[HAND, kind]
            fight.piles[HAND, kind] = 0
            fight.piles[DISCARD, kind] += n
            fight.n_cards[DISCARD] += n
            fight.n_cards[HAND] -= n


@kernel
def _end_round(rules: CompiledRules, fight: FightRecord) -> None:
    """End the round: enemies' block and healing, then statuses fade, the player's first."""
    for enemy in range(1, N_FIGHTERS):
        if alive(fight, enemy):
            fight.block[enemy] += fight.status[enemy, METALLICIZE] + fight.status[enemy, PLATED]
            fight.hp[enemy] = min(fight.hp[enemy] + fight.status[enemy, REGENERATE], fight.max_hp[enemy])
    fight.powers[INTANGIBLE] = max(fight.powers[INTANGIBLE] - 1, 0)
    fight.powers[DUPLICATION] = 0
    for who in range(N_FIGHTERS):
        if who != PLAYER and fight.status[who, RITUAL] > 0 and not fight.fresh[who] & (1 << RITUAL):
            fight.status[who, STRENGTH] += fight.status[who, RITUAL]
        for status in (VULNERABLE, WEAK, FRAIL):
            if fight.status[who, status] > 0 and not fight.fresh[who] & (1 << status):
                fight.status[who, status] -= 1
        fight.fresh[who] = 0


@kernel
def healed(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return the HP that are left after a won fight, with what relics heal."""
    hp = fight.hp[PLAYER]
    if rules.change[C_LAST_HEAL_LOW] and hp * 2 <= fight.max_hp[PLAYER]:
        hp = min(hp + rules.change[C_LAST_HEAL_LOW], fight.max_hp[PLAYER])
    return min(hp + rules.change[C_LAST_HEAL], fight.max_hp[PLAYER])
