"""Find attacks that end a fight this turn: greedily, by what is printed on the cards."""

from typing import Any

from evodom.jit.kernel import lean_kernel
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.layout import HAND, N_FIGHTERS, NONE, PLAYING, WON
from evodom.spire.engine.moves import END, FIRST_CARD, legal, play
from evodom.spire.engine.statuses import STRENGTH, VULNERABLE, WEAK
from evodom.spire.search.habits import ORDERS


@lean_kernel
def finishing_place(rules: Any, fight: Any, n: Any, habits: Any, moves: Any) -> Any:
    """Return the place of a legal move, of `n`, that begins a row of attacks which probably wins the fight this turn.

    NONE if there is none. Curl Up, Thorns and the like are not foreseen.
    """
    if n < 2 or moves[0] != END:
        return NONE
    for order in range(ORDERS):
        move = _first_attack(rules, fight, habits, order)
        if move != NONE:
            for place in range(1, n):
                if moves[place] == move:
                    return place
    return NONE


@lean_kernel
def _first_attack(rules: Any, fight: Any, habits: Any, order: Any) -> Any:
    """Return the first of the attacks that kill all enemies, played in an order of kinds; NONE if they do not.

    Each is played at the enemy that has the least left.
    """
    exposed, energy, first = NONE, fight.energy, NONE
    for enemy in range(1, N_FIGHTERS):
        habits.left[enemy] = fight.hp[enemy] + fight.block[enemy] if fight.hp[enemy] > 0 else 0
    target = _weakest(habits)
    for place in range(habits.n_attacks):
        kind = habits.attacks[order, place]
        n, cost = fight.piles[HAND, kind], rules.cost[kind]
        while n > 0 and 0 <= cost <= energy:
            n -= 1
            energy -= cost
            if first == NONE:
                first = FIRST_CARD + N_FIGHTERS * kind + (target if rules.targeted[kind] else 0)
            _strike(rules, fight, habits, kind, target, exposed)
            if habits.exposes[kind]:
                exposed = target
            target = _weakest(habits)
            if target == NONE:
                return first
    return NONE


@lean_kernel
def _strike(rules: Any, fight: Any, habits: Any, kind: Any, target: Any, exposed: Any) -> None:
    """Take from what the enemies have left what an attack does."""
    base = habits.damage[kind, 0] + fight.status[PLAYER, STRENGTH]
    if fight.status[PLAYER, WEAK] > 0:
        base = base * 3 // 4
    for enemy in range(1, N_FIGHTERS):
        if habits.left[enemy] > 0 and (enemy == target or not rules.targeted[kind]):
            vulnerable = fight.status[enemy, VULNERABLE] > 0 or enemy == exposed
            hit = base * 3 // 2 if vulnerable else base
            habits.left[enemy] -= max(hit, 0) * habits.damage[kind, 1]


@lean_kernel
def _weakest(habits: Any) -> Any:
    """Return the enemy that has the least left, NONE if none has anything."""
    found = NONE
    for enemy in range(1, N_FIGHTERS):
        if habits.left[enemy] > 0 and (found == NONE or habits.left[enemy] < habits.left[found]):
            found = enemy
    return found


@lean_kernel
def wins_at_once(rules: Any, room: Any) -> Any:
    """Return the move that begins a row of attacks which wins the position at place 0 at no loss, NONE if none is seen.

    The attacks are tried: chance has no part in them. The position is not kept.
    """
    fight, tree, dice = room.states[0], room.tree, room.dice
    before, first = dice.stream[0], NONE
    hp = fight.hp[PLAYER]
    while fight.over == PLAYING:
        n = legal(rules, fight, tree.moves)
        place = finishing_place(rules, fight, n, tree.habits, tree.moves)
        if place == NONE:
            return NONE
        if first == NONE:
            first = tree.moves[place]
        play(rules, fight, tree.moves[place], dice)
    sure = fight.over == WON and fight.hp[PLAYER] == hp and dice.stream[0] == before
    dice.stream[0] = before
    return first if sure else NONE
