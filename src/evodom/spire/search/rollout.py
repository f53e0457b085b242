"""Play a fight out quickly, to see what a position is worth: at random, with a few habits of people.

Block where it is needed, powers early, dear attacks rather than cheap ones, few Skills before an enemy that they
enrage, and a turn seldom ends with cards left to play. The weights were found by playing against enemies whose best
line is known.
"""

from typing import Any

import numpy as np

from evodom.kernel import kernel, random_float
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import N_FIGHTERS, N_INTENTS, N_KINDS, N_LINES, OP, PLAYING, TIMES, N
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION, N_MOVES, legal, play
from evodom.spire.engine.statuses import BITE, DIVIDER, ENRAGE, STRENGTH, VULNERABLE, WEAK
from evodom.spire.rows.cards import ATTACK, POWER, SKILL
from evodom.spire.rows.effects import OP_BITE, OP_BLOCK, OP_DIVIDE, OP_HIT

END_TURN = 0.02
"""The weight of ending a turn while cards can be played; that of an Attack of cost 1 is 1."""

NEEDED_BLOCK, SPARE_BLOCK = 1.5, 0.1
"""By how much a card that gives block is weighed, while more damage is to come than there is block, and otherwise."""

ENRAGING = 0.1
"""By how much a Skill is weighed before an enemy that it enrages."""

COSTLY, A_POWER, A_STATUS, A_POTION = 2.0, 2.0, 0.3, 0.2
"""What each energy beyond the first adds to the weight of an Attack; the weights of other things."""

MAX_MOVES = 3000
"""A fight that is played out ends after so many moves as it stands."""

HABITS = np.dtype(
    [
        ("weight", "<f8", (N_KINDS,)),
        ("skill", "<i4", (N_KINDS,)),
        ("blocks", "<i4", (N_KINDS,)),
        ("hits", "<i4", (N_INTENTS, 2)),  # the damage of an intent, and how often it hits
        ("weights", "<f8", (N_MOVES,)),  # of the legal moves, to work in
    ]
)
"""What playing out needs to know of a fight."""


def set_habits(habits: Any, game: SpireFight) -> None:
    """Fill in a record of HABITS for a fight."""
    for kind, card in enumerate(game.rules.kinds):
        habits.skill[kind] = card.kind == SKILL
        habits.blocks[kind] = any(effect.op == OP_BLOCK for effect in card.effects) and card.kind == SKILL
        dear = 1.0 + COSTLY * max((card.cost or 0) - 1, 0)
        habits.weight[kind] = {ATTACK: dear, SKILL: 1.0, POWER: A_POWER}.get(card.kind, A_STATUS)
    rules = game.record
    for intent in range(len(game.rules.intents)):
        first = int(rules.intent_line[intent])
        for line in range(first, min(first + int(rules.intent_lines[intent]), N_LINES)):
            if rules.lines[line, OP] in (OP_HIT, OP_BITE, OP_DIVIDE):
                habits.hits[intent] = rules.lines[line, N], rules.lines[line, TIMES]


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
def _weigh(fight: Any, n: Any, habits: Any, moves: Any) -> Any:
    """Weigh the legal moves; return the sum of the weights."""
    block = NEEDED_BLOCK if coming(fight, habits) > fight.block[PLAYER] else SPARE_BLOCK
    skill = 1.0
    for enemy in range(1, N_FIGHTERS):
        if fight.status[enemy, ENRAGE] > 0:
            skill = ENRAGING
    total = 0.0
    for place in range(n):
        move, weight = moves[place], 1.0
        if move == END:
            weight = END_TURN
        elif move < FIRST_POTION:
            kind = (move - FIRST_CARD) // N_FIGHTERS
            weight = habits.weight[kind]
            if habits.skill[kind]:
                weight *= skill
            if habits.blocks[kind]:
                weight *= block
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
        place = 0
        if n > 1:
            left = random_float(dice.stream, 0) * _weigh(fight, n, habits, moves)
            while place < n - 1 and left >= habits.weights[place]:
                left -= habits.weights[place]
                place += 1
        play(rules, fight, moves[place], dice)
        n_moves += 1
