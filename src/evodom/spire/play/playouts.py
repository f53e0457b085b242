"""Playouts of fights: a heuristic random policy, and the search for lethal sequences of attacks.

Open it to change the playout policy. A lethal sequence of attacks is played if one is found. Otherwise a move is drawn
by its weight. Weights favour block while damage is incoming, powers, expensive attacks, and the weakest enemy as
target. A playout style sets the weight of block; the search selects the best style for the fight. The weights were
tuned against enemies with proven optima.
"""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import kernel, random_float
from evodom.spire.content.cards import ATTACK, POWER, SKILL, SpireCard
from evodom.spire.content.effects import OP_BITE, OP_BLOCK, OP_DIVIDE, OP_GIVE, OP_HIT
from evodom.spire.engine import layout as at
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import PLAYER, CompiledRules, Dice, FightRecord, Numbers
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION, N_MOVES, legal, play
from evodom.spire.play.tree import NONE, TreeWorkspace

WEIGHT_PER_EXTRA_ENERGY = 2.0
"""An Attack of cost 1 has weight 1. Each further energy of its cost adds this to the weight."""

POWER_WEIGHT = 2.0
STATUS_WEIGHT = 0.3
"""Weight of a Status or Curse."""
POTION_WEIGHT = 0.2

N_ORDERS = 2
"""Number of orders in which the search for lethal sequences tries attacks.

0  cards that give Vulnerable first, then by damage per energy
1  by damage per energy
"""

STYLES = (0.5, 2.0, 6.0)
"""Weight of block cards while incoming damage exceeds the block, for each style."""

SPARE_BLOCK_WEIGHT = 0.1
"""Weight of block cards while the block covers the incoming damage, in every style."""

END_TURN_WEIGHT = 0.02
"""Weight of ending a turn while cards can be played. An Attack of cost 1 has weight 1."""

ENRAGING_FACTOR = 0.1
"""Factor of the weight of a Skill while an enemy has Enrage."""

WAKING_FACTOR = 0.1
"""Factor of the weight of an Attack that would wake an enemy, while all enemies are asleep."""

MAX_MOVES = 3000
"""Maximum number of moves of a playout. A longer fight stays unfinished."""

Moves = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class PlayoutPolicy(Protocol):
    """The policy of playouts in a fight: a record of PLAYOUT_POLICY."""

    weight: Annotated[Floats, at.N_KINDS]
    is_skill: Annotated[Numbers, at.N_KINDS]
    is_block: Annotated[Numbers, at.N_KINDS]
    damage: Annotated[Numbers, (at.N_KINDS, 2)]  # damage of each hit of an Attack, and its number of hits
    gives_vulnerable: Annotated[Numbers, at.N_KINDS]  # whether the card gives Vulnerable
    attacks: Annotated[Numbers, (N_ORDERS, at.N_KINDS)]  # kinds of Attacks in each order: `n_attacks` in each row
    n_attacks: int
    hits: Annotated[Numbers, (at.N_INTENTS, 2)]  # damage of each hit of an intent, and its number of hits
    needed_block: float  # weight of block while incoming damage exceeds the block
    weights: Annotated[Floats, N_MOVES]  # scratch: of the legal moves
    enemy_hp: Annotated[Numbers, at.N_FIGHTERS]  # scratch: HP plus block of enemies in a search for lethal sequences


PLAYOUT_POLICY = record_dtype(PlayoutPolicy, "<i4")


def set_playout_policy(policy: PlayoutPolicy, game: SpireFight) -> None:
    """Fill in the policy for a fight."""
    policy.damage[:] = policy.gives_vulnerable[:] = policy.attacks[:] = policy.hits[:] = 0
    kinds = game.rules.kinds
    for kind, card in enumerate(kinds):
        policy.is_skill[kind] = card.kind == SKILL
        policy.is_block[kind] = any(effect.op == OP_BLOCK for effect in card.effects) and card.kind == SKILL
        attack_weight = 1.0 + WEIGHT_PER_EXTRA_ENERGY * max((card.cost or 0) - 1, 0)
        policy.weight[kind] = {ATTACK: attack_weight, SKILL: 1.0, POWER: POWER_WEIGHT}.get(card.kind, STATUS_WEIGHT)
        policy.damage[kind] = _damage(card)
        policy.gives_vulnerable[kind] = "Vulnerable" in [x.name for x in card.effects if x.op == OP_GIVE]

    def by_damage_per_energy(kind: int) -> float:
        return -float(policy.damage[kind].prod()) / max(kinds[kind].cost or 0, 0.5)

    attacks = sorted((kind for kind in range(len(kinds)) if policy.damage[kind, 0] > 0), key=by_damage_per_energy)
    policy.n_attacks = len(attacks)
    policy.attacks[0, : len(attacks)] = sorted(attacks, key=lambda kind: -int(policy.gives_vulnerable[kind]))
    policy.attacks[1, : len(attacks)] = attacks
    record = game.record
    for intent in range(len(game.rules.intents)):
        first = int(record.intent_effect[intent])
        for line in range(first, min(first + int(record.intent_n_effects[intent]), at.N_EFFECTS)):
            if record.effects[line, at.OP] in (OP_HIT, OP_BITE, OP_DIVIDE):
                policy.hits[intent] = record.effects[line, at.N], record.effects[line, at.TIMES]


def _damage(card: SpireCard) -> tuple[int, int]:
    """Return the damage of an Attack and its number of hits; 0, 0 for other cards."""
    for effect in card.effects:
        if effect.op == OP_HIT and card.kind == ATTACK:
            return effect.n, effect.times
    return 0, 0


@kernel
def find_lethal_index(rules: CompiledRules, fight: FightRecord, n: int, policy: PlayoutPolicy, moves: Moves) -> int:
    """Return the index, among `n` legal moves, of the first attack of a sequence that probably wins this turn.

    Return NONE if there is none. The search is greedy. It sums the damage of the cards, and ignores effects such as
    Curl Up and Thorns. `find_lethal_move` plays the sequence instead.
    """
    if n < 2 or moves[0] != END:
        return NONE
    for order in range(N_ORDERS):
        move = _first_attack(rules, fight, policy, order)
        if move != NONE:
            for place in range(1, n):
                if moves[place] == move:
                    return place
    return NONE


@kernel
def _first_attack(rules: CompiledRules, fight: FightRecord, policy: PlayoutPolicy, order: int) -> int:
    """Return the first attack if playing attacks in the given order kills all enemies; otherwise NONE.

    Each attack targets the enemy with the fewest HP and block.
    """
    made_vulnerable, energy, first = NONE, fight.energy, NONE
    for enemy in range(1, at.N_FIGHTERS):
        policy.enemy_hp[enemy] = fight.hp[enemy] + fight.block[enemy] if fight.hp[enemy] > 0 else 0
    target = _weakest(policy)
    for place in range(policy.n_attacks):
        kind = policy.attacks[order, place]
        n, cost = fight.piles[at.HAND, kind], rules.cost[kind]
        while n > 0 and 0 <= cost <= energy:
            n -= 1
            energy -= cost
            if first == NONE:
                first = FIRST_CARD + at.N_FIGHTERS * kind + (target if rules.targeted[kind] else 0)
            _strike(rules, fight, policy, kind, target, made_vulnerable)
            if policy.gives_vulnerable[kind]:
                made_vulnerable = target
            target = _weakest(policy)
            if target == NONE:
                return first
    return NONE


@kernel
def _strike(
    rules: CompiledRules, fight: FightRecord, policy: PlayoutPolicy, kind: int, target: int, made_vulnerable: int
) -> None:
    """Subtract the damage of an attack from the HP and block of the enemies."""
    base = policy.damage[kind, 0] + fight.status[PLAYER, at.STRENGTH]
    if fight.status[PLAYER, at.WEAK] > 0:
        base = base * 3 // 4
    for enemy in range(1, at.N_FIGHTERS):
        if policy.enemy_hp[enemy] > 0 and (enemy == target or not rules.targeted[kind]):
            vulnerable = fight.status[enemy, at.VULNERABLE] > 0 or enemy == made_vulnerable
            hit = base * 3 // 2 if vulnerable else base
            policy.enemy_hp[enemy] -= max(hit, 0) * policy.damage[kind, 1]


@kernel
def _weakest(policy: PlayoutPolicy) -> int:
    """Return the living enemy with the fewest HP and block; NONE if none is left."""
    found = NONE
    for enemy in range(1, at.N_FIGHTERS):
        if policy.enemy_hp[enemy] > 0 and (found == NONE or policy.enemy_hp[enemy] < policy.enemy_hp[found]):
            found = enemy
    return found


@kernel
def find_lethal_move(rules: CompiledRules, workspace: TreeWorkspace) -> int:
    """Return the first move of a sequence that certainly wins this turn without loss of HP, or NONE.

    Play the attacks of `find_lethal_index` with the state at index 0, and check the result. No outcome may be random: a
    random outcome would advance the random stream, which is restored afterwards.
    """
    fight, moves, dice = workspace.states[0], workspace.search.actions, workspace.chance
    policy = workspace.evaluator.options.policy
    before, first = dice.stream[0], NONE
    hp = fight.hp[PLAYER]
    while fight.over == at.PLAYING:
        n = legal(rules, fight, moves)
        place = find_lethal_index(rules, fight, n, policy, moves)
        if place == NONE:
            return NONE
        if first == NONE:
            first = moves[place]
        play(rules, fight, moves[place], dice)
    is_certain = dice.stream[0] == before
    dice.stream[0] = before
    return first if is_certain and fight.over == at.WON and fight.hp[PLAYER] == hp else NONE


@kernel
def incoming_damage(fight: FightRecord, policy: PlayoutPolicy) -> int:
    """Return the damage of the enemies' current intents, before block.

    `hits` has damage 0 for the moves Bite and Divider: the statuses BITE and DIVIDER have their damage. Other enemies
    have 0 of these statuses. Hexaghost keeps DIVIDER after its move Divider, so its later hits are overestimated.
    """
    total = 0
    for enemy in range(1, at.N_FIGHTERS):
        times = policy.hits[fight.intent[enemy], 1]
        if fight.hp[enemy] > 0 and times > 0:
            base = policy.hits[fight.intent[enemy], 0] + fight.status[enemy, at.STRENGTH]
            base += fight.status[enemy, at.BITE] + fight.status[enemy, at.DIVIDER]
            if fight.status[enemy, at.WEAK] > 0:
                base = base * 3 // 4
            if fight.status[PLAYER, at.VULNERABLE] > 0:
                base = base * 3 // 2
            total += max(base, 0) * times
    return total


@kernel
def weigh_moves(rules: CompiledRules, fight: FightRecord, n: int, policy: PlayoutPolicy, moves: Moves) -> float:
    """Write the weights of the `n` legal moves into `policy.weights`. Return their sum."""
    block_factor = policy.needed_block if incoming_damage(fight, policy) > fight.block[PLAYER] else SPARE_BLOCK_WEIGHT
    skill_factor, asleep, lowest_hp = 1.0, True, 1 << 20  # of the enemies
    for enemy in range(1, at.N_FIGHTERS):
        if fight.hp[enemy] > 0:
            lowest_hp = min(lowest_hp, fight.hp[enemy] + fight.block[enemy])
            asleep = asleep and fight.status[enemy, at.ASLEEP] > 0
            if fight.status[enemy, at.ENRAGE] > 0:
                skill_factor = ENRAGING_FACTOR
    total = 0.0
    for place in range(n):
        move, weight = moves[place], 1.0
        if move == END:
            weight = 1.0 if asleep else END_TURN_WEIGHT
        elif move < FIRST_POTION:
            kind, target = (move - FIRST_CARD) // at.N_FIGHTERS, (move - FIRST_CARD) % at.N_FIGHTERS
            weight = policy.weight[kind]
            if policy.is_skill[kind]:
                weight *= skill_factor
            if policy.is_block[kind]:
                weight *= block_factor
            if target:
                weight *= lowest_hp / (fight.hp[target] + fight.block[target])
            damage = policy.damage[kind, 0] * policy.damage[kind, 1]
            if asleep and rules.type[kind] == at.ATTACK and damage > fight.block[max(target, 1)]:
                weight *= WAKING_FACTOR
        elif move < FIRST_CHOICE:
            weight = POTION_WEIGHT
        policy.weights[place] = weight
        total += weight
    return total


@kernel
def play_out(rules: CompiledRules, fight: FightRecord, policy: PlayoutPolicy, moves: Moves, dice: Dice) -> None:
    """Play a fight to its end."""
    n_moves = 0
    while fight.over == at.PLAYING and n_moves < MAX_MOVES:
        n = legal(rules, fight, moves)
        place = find_lethal_index(rules, fight, n, policy, moves)
        if place == NONE:
            place = 0
            if n > 1:
                left = random_float(dice.stream, 0) * weigh_moves(rules, fight, n, policy, moves)
                while place < n - 1 and left >= policy.weights[place]:
                    left -= policy.weights[place]
                    place += 1
        play(rules, fight, moves[place], dice)
        n_moves += 1
