"""Enemies: how they enter a fight, what their moves do, and how they choose the next one."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.chance import INTENT, ROLLED_HP, ROLLED_STATUS, pick, pick_one
from evodom.spire.engine.combat import PLAYER, alive, attack_damage, give, hit_player, leave, n_living, random_enemy
from evodom.spire.engine.layout import (
    DISCARD,
    DRAW,
    MORE,
    N_FIGHTERS,
    N_SHARED,
    NONE,
    OP,
    PLAYING,
    TIMES,
    TO,
    CompiledRules,
    Dice,
    FightRecord,
    N,
    Numbers,
    X,
)
from evodom.spire.engine.piles import put, turn_into
from evodom.spire.engine.resolve import run
from evodom.spire.engine.statuses import (
    BITE,
    C_INSECT,
    C_LAMENT,
    C_STONE,
    DIVIDER,
    METALLICIZE,
    MODE_SHIFT,
    REGENERATE,
    SHARP_HIDE,
    SHIFTS,
    STOLEN,
    STRENGTH,
)
from evodom.spire.rows.effects import (
    OP_ACTIVATE,
    OP_ATTACK_MODE,
    OP_BITE,
    OP_CREATE,
    OP_DIVIDE,
    OP_ESCAPE,
    OP_GIVE,
    OP_HIT,
    OP_LOSE,
    OP_PLAIN_BLOCK,
    OP_PROTECT,
    OP_SPLIT,
    OP_STEAL,
    OP_TURN_INTO,
    SELF,
)

NO_MARK, MARK_STRENGTH, MARK_HP, MARK_METALLICIZE, MARK_REGENERATE = range(5)
"""The marks of a burning elite."""


@kernel
def enter(rules: CompiledRules, fight: FightRecord, enemy: int, row: int, known_hp: Numbers, dice: Dice) -> None:
    """Have an enemy enter the fight: its HP and what else is rolled, and its first move."""
    fight.row[enemy] = row
    least, most = rules.enemy_hp[row, 0], rules.enemy_hp[row, 1]
    hp = known_hp if known_hp else least + pick_one(dice, most - least + 1, ROLLED_HP, enemy)
    fight.hp[enemy] = fight.max_hp[enemy] = hp
    fight.block[enemy] = rules.enemy_block[row]
    for status in range(N_SHARED):
        fight.status[enemy, status] = rules.status[row, status]
    for roll in range(2):
        if rules.rolled[row, roll, 0] != NONE:
            span = rules.rolled[row, roll, 2] - rules.rolled[row, roll, 1] + 1
            more = pick_one(dice, span, ROLLED_STATUS, enemy + N_FIGHTERS * roll)
            fight.status[enemy, rules.rolled[row, roll, 0]] = rules.rolled[row, roll, 1] + more
    fight.status[enemy, STRENGTH] += rules.change[C_STONE]
    fight.intent[enemy] = next_intent(rules, rules.opening[row], enemy, dice)


@kernel
def burn(rules: CompiledRules, fight: FightRecord, enemy: int, mark: int) -> None:
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
def weaken(rules: CompiledRules, fight: FightRecord, enemy: int) -> None:
    """Take from an enemy what relics take from its HP at the start of a fight."""
    if rules.elite[fight.row[enemy]] and rules.change[C_INSECT]:
        fight.hp[enemy] = fight.max_hp[enemy] * 3 // 4
    if rules.change[C_LAMENT]:
        fight.hp[enemy] = 1


@kernel
def next_intent(rules: CompiledRules, intent: int, enemy: int, dice: Dice) -> Any:
    """Return what follows an intent of an enemy."""
    n = rules.n_following[intent]
    if n == 1:
        return rules.following[intent, 0]
    for place in range(n):
        dice.scratch[place] = rules.weights[intent, place]
    return rules.following[intent, pick(dice, n, INTENT, enemy + N_FIGHTERS * intent)]


@kernel
def move_enemies(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
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
                    fight.intent[enemy] = next_intent(rules, intent, enemy, dice)


@kernel
def _do_line(rules: CompiledRules, fight: FightRecord, enemy: int, line: int, dice: Dice) -> None:
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
        fight.status[enemy, x] -= min(rules.status[fight.row[enemy], x], fight.status[enemy, x])
    elif op == OP_PLAIN_BLOCK:
        if alive(fight, enemy):
            fight.block[enemy] += n
    elif op == OP_CREATE:
        for _ in range(n):
            put(fight, x, DISCARD)
    elif op == OP_TURN_INTO:
        turn_into(fight, x, more, DRAW)
    elif alive(fight, enemy):
        _do_special(rules, fight, enemy, op, n, dice)


@kernel
def _do_special(rules: CompiledRules, fight: FightRecord, enemy: int, op: int, n: int, dice: Dice) -> None:
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
def _split(rules: CompiledRules, fight: FightRecord, enemy: int, dice: Dice) -> None:
    """Replace an enemy by the two that it splits into; the second stands as far right as the first may need."""
    hp, row = fight.hp[enemy], fight.row[enemy]
    leave(fight, enemy)
    first, second = rules.children[row, 0], rules.children[row, 1]
    width = 2 if rules.children[first, 0] else 1
    enter(rules, fight, enemy, first, hp, dice)
    enter(rules, fight, enemy + width, second, hp, dice)
