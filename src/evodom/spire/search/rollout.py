"""Play a fight out quickly, to see what a position is worth: at random, with a few habits of people.

A fight that can be won this turn is. Otherwise block where it is needed, powers early, dear attacks rather than cheap
ones, the weakest enemy first, few Skills before an enemy that they enrage, no attack that wakes who sleeps, and a turn
seldom ends with cards left to play. How dear block is is a matter of style: what does well in this fight is found out
on the way. The weights were found by playing against enemies whose best line is known.
"""

from typing import Any

from evodom.jit.kernel import kernel, random_float
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.layout import ATTACK, N_FIGHTERS, NONE, PLAYING
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION, legal, play
from evodom.spire.engine.statuses import ASLEEP, BITE, DIVIDER, ENRAGE, STRENGTH, VULNERABLE, WEAK
from evodom.spire.search.finishing import finishing_place

STYLES = (0.5, 2.0, 6.0)
"""By how much a card that gives block is weighed while more damage is to come than there is block, in each style."""

SPARE_BLOCK = 0.1
"""By how much it is weighed otherwise."""

END_TURN = 0.02
"""The weight of ending a turn while cards can be played; that of an Attack of cost 1 is 1."""

ENRAGING, WAKING = 0.1, 0.1
"""By how much a Skill is weighed before an enemy that it enrages, and an Attack that wakes enemies who all sleep."""

A_POTION = 0.2

MAX_MOVES = 3000
"""A fight that is played out ends after so many moves as it stands."""


@kernel
def coming(fight: Any, habits: Any) -> Any:
    """Return the damage that the enemies are about to do, before block."""
    total = 0
    for enemy in range(1, N_FIGHTERS):
        times = habits.hits[fight.intent[enemy], 1]
        if fight.hp[enemy] > 0 and times > 0:
            base = habits.hits[fight.intent[enemy], 0] + fight.status[enemy, STRENGTH]
            base += fight.status[enemy, BITE] + fight.status[enemy, DIVIDER]
            if fight.status[enemy, WEAK] > 0:
                base = base * 3 // 4
            if fight.status[PLAYER, VULNERABLE] > 0:
                base = base * 3 // 2
            total += max(base, 0) * times
    return total


@kernel
def weigh(rules: Any, fight: Any, n: Any, habits: Any, moves: Any) -> Any:
    """Weigh the `n` legal moves, in `habits.weights`; return the sum of the weights."""
    block = habits.needed_block if coming(fight, habits) > fight.block[PLAYER] else SPARE_BLOCK
    skill, asleep, least = 1.0, True, 1 << 20
    for enemy in range(1, N_FIGHTERS):
        if fight.hp[enemy] > 0:
            least = min(least, fight.hp[enemy] + fight.block[enemy])
            asleep = asleep and fight.status[enemy, ASLEEP] > 0
            if fight.status[enemy, ENRAGE] > 0:
                skill = ENRAGING
    total = 0.0
    for place in range(n):
        move, weight = moves[place], 1.0
        if move == END:
            weight = 1.0 if asleep else END_TURN
        elif move < FIRST_POTION:
            kind, target = (move - FIRST_CARD) // N_FIGHTERS, (move - FIRST_CARD) % N_FIGHTERS
            weight = habits.weight[kind]
            if habits.skill[kind]:
                weight *= skill
            if habits.blocks[kind]:
                weight *= block
            if target:
                weight *= least / (fight.hp[target] + fight.block[target])
            damage = habits.damage[kind, 0] * habits.damage[kind, 1]
            if asleep and rules.type[kind] == ATTACK and damage > fight.block[max(target, 1)]:
                weight *= WAKING
        elif move < FIRST_CHOICE:
            weight = A_POTION
        habits.weights[place] = weight
        total += weight
    return total


@kernel
def play_out(rules: Any, fight: Any, habits: Any, moves: Any, dice: Any) -> None:
    """Play a fight to its end."""
    n_moves = 0
    while fight.over == PLAYING and n_moves < MAX_MOVES:
        n = legal(rules, fight, moves)
        place = finishing_place(rules, fight, n, habits, moves)
        if place == NONE:
            place = 0
            if n > 1:
                left = random_float(dice.stream, 0) * weigh(rules, fight, n, habits, moves)
                while place < n - 1 and left >= habits.weights[place]:
                    left -= habits.weights[place]
                    place += 1
        play(rules, fight, moves[place], dice)
        n_moves += 1
