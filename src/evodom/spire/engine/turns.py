"""The course of a fight: its start, the start and the end of a turn, and what the enemies do."""

from typing import Any

from evodom.kernel import kernel
from evodom.spire.engine.combat import (
    PLAYER,
    alive,
    attack_damage,
    damage_enemy,
    damage_player,
    gain_block,
    give,
    heal,
    hit_player,
    leave,
    lose_hp,
    n_living,
    push,
    random_enemy,
    trigger,
)
from evodom.spire.engine.dice import pick, pick_one
from evodom.spire.engine.layout import (
    DISCARD,
    DRAW,
    HAND,
    LATE,
    MORE,
    N_FIGHTERS,
    N_SHARED,
    NONE,
    OP,
    PLAYING,
    TIMES,
    TO,
    N,
    X,
)
from evodom.spire.engine.piles import exhaust, put, put_on_top, take
from evodom.spire.engine.resolve import run
from evodom.spire.engine.statuses import (
    BARRICADE,
    BERSERK,
    BITE,
    BRUTALITY,
    C_ART,
    C_CALIPERS,
    C_ENERGY,
    C_ICE_CREAM,
    C_INSECT,
    C_LAMENT,
    C_LAST_BLOCK,
    C_LAST_HEAL,
    C_LAST_HEAL_LOW,
    C_PYRAMID,
    C_STONE,
    C_WATCH,
    COMBUST,
    COMBUST_COST,
    DEMON_FORM,
    DEXTERITY,
    DEXTERITY_DOWN,
    DIVIDER,
    DOUBLE_TAP,
    DUPLICATION,
    ENTANGLED,
    FLAME_BARRIER,
    FRAIL,
    INTANGIBLE,
    METALLICIZE,
    MODE_SHIFT,
    NEXT_BLOCK,
    NEXT_DRAW,
    NO_DRAW,
    PLATED,
    RAGE,
    REGEN,
    REGENERATE,
    RITUAL,
    SHARP_HIDE,
    SHIFTS,
    STOLEN,
    STRENGTH,
    STRENGTH_DOWN,
    VULNERABLE,
    WEAK,
)
from evodom.spire.rows.effects import (
    OP_ACTIVATE,
    OP_ATTACK_MODE,
    OP_BITE,
    OP_CREATE,
    OP_DIVIDE,
    OP_DRAW,
    OP_ESCAPE,
    OP_GIVE,
    OP_HIT,
    OP_LOSE,
    OP_LOSE_HP,
    OP_PLAIN_BLOCK,
    OP_PROTECT,
    OP_SPLIT,
    OP_STEAL,
    OP_TURN_INTO,
    SELF,
)
from evodom.spire.rows.relics import AT_LATE_TURN, AT_START, AT_TURN, AT_TURN_END

ENERGY = 3
HAND_SIZE = 5

NO_MARK, MARK_STRENGTH, MARK_HP, MARK_METALLICIZE, MARK_REGENERATE = range(5)
"""The marks of a burning elite."""


# The start of a fight.


@kernel
def start_fight(rules: Any, fight: Any, group: Any, known_hp: Any, mark: Any, dice: Any) -> None:
    """Begin a fight, up to the player's first decision; `fight` is all 0, with the counters of relics set.

    `group` are the rows of the enemies by place, `known_hp` their HP, 0 where they are rolled.
    """
    fight.hp[PLAYER], fight.max_hp[PLAYER] = rules.hp, rules.max_hp
    fight.ours = 1
    for place in range(N_FIGHTERS - 1):
        if group[place]:
            _enter(rules, fight, place + 1, group[place], known_hp[place], dice)
            _burn(rules, fight, place + 1, mark)
    for potion in range(rules.n_potions):
        fight.potions[potion] = 1
    _deal(rules, fight)
    _start_turn(rules, fight, dice)


@kernel
def _enter(rules: Any, fight: Any, enemy: Any, row: Any, known_hp: Any, dice: Any) -> None:
    """Have an enemy enter the fight: its HP and what else is rolled, and its first move."""
    fight.row[enemy] = row
    least, most = rules.enemy_hp[row, 0], rules.enemy_hp[row, 1]
    hp = known_hp if known_hp else least + pick_one(dice, most - least + 1)
    if rules.elite[row] and rules.change[C_INSECT]:
        hp = hp * 3 // 4
    fight.max_hp[enemy] = hp
    fight.hp[enemy] = 1 if rules.change[C_LAMENT] else hp
    fight.block[enemy] = rules.enemy_block[row]
    for status in range(N_SHARED):
        fight.status[enemy, status] = rules.status[row, status]
    for roll in range(2):
        if rules.rolled[row, roll, 0] != NONE:
            span = rules.rolled[row, roll, 2] - rules.rolled[row, roll, 1] + 1
            fight.status[enemy, rules.rolled[row, roll, 0]] = rules.rolled[row, roll, 1] + pick_one(dice, span)
    fight.status[enemy, STRENGTH] += rules.change[C_STONE]
    fight.intent[enemy] = _next_intent(rules, rules.opening[row], dice)


@kernel
def _burn(rules: Any, fight: Any, enemy: Any, mark: Any) -> None:
    """Give an enemy what a burning elite of act 1 has besides."""
    if mark == MARK_STRENGTH:
        fight.status[enemy, STRENGTH] += 2
    elif mark == MARK_HP:
        more = (fight.max_hp[enemy] + 2) // 4
        fight.max_hp[enemy] += more
        fight.hp[enemy] += more
    elif mark == MARK_METALLICIZE:
        fight.status[enemy, METALLICIZE] += 4
    elif mark == MARK_REGENERATE:
        fight.status[enemy, REGENERATE] += 3


@kernel
def _deal(rules: Any, fight: Any) -> None:
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
def _start_turn(rules: Any, fight: Any, dice: Any) -> None:
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
    trigger(rules, fight, AT_LATE_TURN, False)
    if fight.powers[DEMON_FORM] > 0:
        push(fight, OP_GIVE, fight.powers[DEMON_FORM], 1, SELF, STRENGTH, 0, 0)
    if fight.powers[BRUTALITY] > 0:
        push(fight, OP_DRAW, fight.powers[BRUTALITY], 1, SELF, 0, 0, 0)
        push(fight, OP_LOSE_HP, fight.powers[BRUTALITY], 1, SELF, 0, 0, 0)
    run(rules, fight, dice)


@kernel
def _after_last_turn(rules: Any, fight: Any) -> Any:
    """Have the relics act that look at the turn before; return how many cards more are drawn."""
    if rules.change[C_ART] and not fight.types & 1:
        fight.energy += 1
    if rules.change[C_WATCH] and fight.played <= 3:
        return rules.change[C_WATCH]
    return 0


@kernel
def end_turn(rules: Any, fight: Any, dice: Any) -> None:
    """End the player's turn, have the enemies move, and start the next turn."""
    fight.ours = 0
    _end_player(rules, fight, dice)
    if fight.over == PLAYING:
        for enemy in range(1, N_FIGHTERS):
            fight.block[enemy] = 0
        _move_enemies(rules, fight, dice)
    if fight.over == PLAYING:
        if rules.max_turns and fight.turn == rules.max_turns:
            fight.over = LATE
            return
        _end_round(rules, fight)
        _start_turn(rules, fight, dice)


@kernel
def _end_player(rules: Any, fight: Any, dice: Any) -> None:
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
def _last_cards(rules: Any, fight: Any) -> None:
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
                give(rules, fight, PLAYER, rules.last_status[kind], 1)
            take(fight, kind, HAND)
            put(fight, kind, DISCARD)


@kernel
def _last_powers(rules: Any, fight: Any) -> None:
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
def _discard_hand(rules: Any, fight: Any) -> None:
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
def _end_round(rules: Any, fight: Any) -> None:
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


# Enemies.


@kernel
def _next_intent(rules: Any, intent: Any, dice: Any) -> Any:
    """Return what follows an intent."""
    n = rules.n_following[intent]
    if n == 1:
        return rules.following[intent, 0]
    for place in range(n):
        dice.scratch[place] = rules.weights[intent, place]
    return rules.following[intent, pick(dice, n)]


@kernel
def _move_enemies(rules: Any, fight: Any, dice: Any) -> None:
    """Have the enemies move, left to right; those that come by a split do not."""
    moves = 0
    for enemy in range(1, N_FIGHTERS):
        if alive(fight, enemy):
            moves |= 1 << enemy
    for enemy in range(1, N_FIGHTERS):
        if moves & (1 << enemy) and alive(fight, enemy) and fight.over == PLAYING:
            intent = fight.intent[enemy]
            first, row = rules.intent_line[intent], fight.row[enemy]
            for line in range(first, first + rules.intent_lines[intent]):
                if fight.over == PLAYING and (alive(fight, enemy) or n_living(fight) > 0):
                    _do_line(rules, fight, enemy, line, dice)
            run(rules, fight, dice)
            if alive(fight, enemy) and fight.row[enemy] == row and fight.intent[enemy] == intent:
                if rules.alone[row] != NONE and n_living(fight) == 1:
                    fight.intent[enemy] = rules.alone[row]
                else:
                    fight.intent[enemy] = _next_intent(rules, intent, dice)


@kernel
def _do_line(rules: Any, fight: Any, enemy: Any, line: Any, dice: Any) -> None:
    """Do a line of an enemy's move."""
    op, n, times = rules.lines[line, OP], rules.lines[line, N], rules.lines[line, TIMES]
    to, x, more = rules.lines[line, TO], rules.lines[line, X], rules.lines[line, MORE]
    if op in (OP_HIT, OP_BITE, OP_DIVIDE):
        base = n if op == OP_HIT else fight.status[enemy, BITE if op == OP_BITE else DIVIDER]
        if alive(fight, enemy):
            damage = attack_damage(rules, fight, enemy, PLAYER, base, 1)
            for _ in range(times):
                if alive(fight, enemy) and fight.over == PLAYING:
                    hit_player(rules, fight, enemy, damage)
    elif op == OP_GIVE:
        give(rules, fight, enemy if to == SELF else PLAYER, x, n)
    elif op == OP_LOSE:
        fight.status[enemy, x] = 0
    elif op == OP_PLAIN_BLOCK:
        if alive(fight, enemy):
            fight.block[enemy] += n
    elif op == OP_CREATE:
        for _ in range(n):
            put(fight, x, DISCARD)
    elif op == OP_TURN_INTO:
        _turn_into(fight, x, more)
    else:
        _do_special(rules, fight, enemy, op, n, dice)


@kernel
def _turn_into(fight: Any, kind: Any, other: Any) -> None:
    """Turn every card of a kind in draw and discard pile into another."""
    for pile in (DRAW, DISCARD):
        fight.piles[pile, other] += fight.piles[pile, kind]
        fight.piles[pile, kind] = 0
    fight.buried[other] += fight.buried[kind]
    fight.buried[kind] = 0
    for place in range(fight.n_top):
        if fight.top[place] == kind:
            fight.top[place] = other


@kernel
def _do_special(rules: Any, fight: Any, enemy: Any, op: Any, n: Any, dice: Any) -> None:
    """Do what only one kind of enemy does."""
    if op == OP_STEAL:
        fight.status[enemy, STOLEN] += n
    elif op == OP_ESCAPE:
        leave(fight, enemy)
    elif op == OP_PROTECT:
        other = random_enemy(fight, dice, enemy)
        fight.block[enemy if other == NONE else other] += n
    elif op == OP_SPLIT:
        _split(rules, fight, enemy, dice)
    elif op == OP_ACTIVATE:
        fight.status[enemy, DIVIDER] = fight.hp[PLAYER] // 12 + 1
    elif op == OP_ATTACK_MODE:
        fight.status[enemy, SHARP_HIDE] = 0
        fight.status[enemy, SHIFTS] += 1
        fight.status[enemy, MODE_SHIFT] = n + 10 * fight.status[enemy, SHIFTS]
        fight.block[enemy] = 0


@kernel
def _split(rules: Any, fight: Any, enemy: Any, dice: Any) -> None:
    """Replace an enemy by the two that it splits into; the second stands as far right as the first may need."""
    hp, row = fight.hp[enemy], fight.row[enemy]
    leave(fight, enemy)
    first, second = rules.children[row, 0], rules.children[row, 1]
    width = 2 if rules.children[first, 0] else 1
    _enter(rules, fight, enemy, first, hp, dice)
    _enter(rules, fight, enemy + width, second, hp, dice)
    for child in (enemy, enemy + width):
        fight.hp[child] = fight.max_hp[child] = hp


@kernel
def healed(rules: Any, fight: Any) -> Any:
    """Return the HP that are left after a won fight, with what relics heal."""
    hp = fight.hp[PLAYER]
    if rules.change[C_LAST_HEAL_LOW] and hp * 2 <= fight.max_hp[PLAYER]:
        hp = min(hp + rules.change[C_LAST_HEAL_LOW], fight.max_hp[PLAYER])
    return min(hp + rules.change[C_LAST_HEAL], fight.max_hp[PLAYER])
