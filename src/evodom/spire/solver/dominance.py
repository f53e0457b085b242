"""Dominance in plain fights against several enemies: dominated ends of a turn, and equivalent orders of enemies.

Open it to change which positions the solver prunes or merges. A fight is *plain* if its cards only hit one enemy, give
block, or make one enemy Vulnerable or Weak, and its enemies only attack, gain Strength, or make the player Weak or
Frail. Enemies may have Curl Up. No relic or potion acts during the fight.

**Dominance.** Let A and B be two positions at the same moment of a plain fight, with the same cards in the same piles.
B *dominates* A if all of this holds:

- In B the player has at least as many HP and as much block, and is Weak and Frail for no longer.
- Each enemy of A is dead in B, or has the same next move and the same Bite (the attack damage rolled for a louse). In B
  it has no more HP, block, Strength or Curl Up, and is Vulnerable and Weak at least as long.

Then the value of B is at least that of A. Any play in A is possible in B, with the same hands and the same enemies'
moves. An attack on an enemy that is dead in B is skipped; its card is discarded at the end of the turn as if it had
been played. Each step preserves dominance:

- An attack does at least as much damage in B, and takes at least as many HP, because block is no higher there.
- Block stays no higher in B. Only Curl Up gives an enemy block, once, at the first attack that takes HP. An enemy that
  can still curl up has no block, and a hit does at least 2 damage (1 if the player is Weak). So the first attack
  triggers Curl Up. An enemy that can still curl up in B can also do so in A: the same attack triggers both, with no
  more block in B. Any other enemy gains no block in B.
- The enemies that live in B also live in A. They make the same moves with no more Strength, and the player has at least
  as much block. So the player loses no more HP. Weak and Frail come from no more enemies. A new status does not fade in
  its round, an existing status does. So if Weak is new in B and renewed in A, it lasts at least as long in A.

So at the end of B's fight, which is no later, at least as many HP are left.

All cards played in a turn and the rest of the hand end in the discard pile. So the possible last positions of a turn
differ only in the enemies and the player's block. Dominated positions are pruned (`is_dominated_end`). The enemies'
block is ignored there: it is removed before they move.

**Equivalent enemies.** In a plain fight the order of the enemies has no effect: each attacks independently, and a
status given to the player changes no other enemy's attack. So they are sorted (`canonicalise_enemies`), and positions
that differ only in the order of two louses are equal.
"""

from math import comb
from typing import Any, NamedTuple, cast

import numpy as np

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.enemies import DEFENSIVE, MAX_ASCENSION, SPLIT, enemy_row
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_play import UNPLAYABLE
from evodom.spire.engine.compiler import CARD_FIELDS
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import CompiledRules, FightRecord, Numbers
from evodom.spire.solver.graph import MAX_DRAWN, MAX_PILE, SOLVER_WORKSPACE, Records, SolverWorkspace

_ZERO_FIELDS = frozenset((*CARD_FIELDS, "condition")) - {"targeted", "ethereal", "innate"}
_NONE_FIELDS = ("end_turn_status", "cheaper", "grown", "reverts")
"""Fields of the compiled rules that are 0 (_ZERO_FIELDS) or NONE (_NONE_FIELDS) for the cards of a plain fight."""

_PLAIN_OF_PLAYER = [at.WEAK, at.FRAIL]
_PLAIN_OF_ENEMIES = [at.VULNERABLE, at.WEAK, at.STRENGTH, at.BITE, at.CURL_UP]
"""Statuses that occur in plain fights."""


# Properties of a fight.


def reads_hp(game: SpireFight) -> bool:
    """Return whether a rule of the fight reads the player's HP or heals the player during the fight."""
    rules, relic_values = game.rules, game.record.change
    return bool(
        rules.can_heal
        or rules.feed_max_hp
        or any(rules.potion_max_hp)
        or relic_values[at.C_RED_SKULL]
        or relic_values[at.C_LIZARD_TAIL]
        or (game.record.effects[:, at.OP] == e.OP_ACTIVATE).any()
    )


class Shortcuts(NamedTuple):
    """Simplifications of the graph that are valid for a fight, or for some positions of it.

    `hp_independent`: one chance node represents all HP. `enemy_hp_monotone`: less HP of the single enemy is
    never worse for the player. `is_plain`: see the module.
    """

    hp_independent: bool
    enemy_hp_monotone: bool
    is_plain: bool


def shortcuts_of_fight(game: SpireFight) -> Shortcuts:
    """Return the simplifications that are valid from the start of a fight."""
    hp_independent = not reads_hp(game)
    return Shortcuts(hp_independent, hp_independent and _is_enemy_hp_monotone(game), hp_independent and is_plain(game))


def shortcuts_of_positions(of_fight: Shortcuts, positions: Records) -> Shortcuts:
    """Return the simplifications of a fight that are valid from positions of it.

    A position from a file can have statuses and enemies that the fight does not have at its start.
    """
    alone = bool(((positions["hp"][:, 1:] > 0).sum(axis=1) <= 1).all())
    heals = bool(positions["powers"][:, at.REGEN].any())
    player, enemies = positions["status"][:, at.PLAYER], positions["status"][:, 1:]
    has_others = bool(
        positions["powers"].any()
        or np.delete(player, _PLAIN_OF_PLAYER, axis=-1).any()
        or np.delete(enemies, _PLAIN_OF_ENEMIES, axis=-1).any()
    )
    return Shortcuts(
        of_fight.hp_independent and not heals,
        of_fight.enemy_hp_monotone and alone and not heals,
        of_fight.is_plain and not has_others,
    )


def new_workspace(game: SpireFight) -> SolverWorkspace:
    """Return a workspace with the constants of a fight."""
    workspace: Any = np.zeros(1, SOLVER_WORKSPACE)[0]
    workspace.uses_exhaust_pile = any(card.name.startswith("Exhume") for card in game.rules.kinds)
    for n in range(MAX_PILE + 1):
        workspace.binomial[n] = [comb(n, k) for k in range(MAX_DRAWN + 1)]
    return cast(SolverWorkspace, workspace)


def _is_enemy_hp_monotone(game: SpireFight) -> bool:
    """Return whether lower HP of a single enemy are never worse for the player.

    Every play against the enemy with higher HP is also possible against the enemy with lower HP. That enemy dies no
    later, and the player's HP never rise. Exceptions are enemies that split or turn to defence, and a relic that
    heals a player with low HP.
    """
    rules, record = game.rules, game.record
    alone = bool((np.count_nonzero(rules.groups, axis=1) == 1).all())
    interrupts = {enemy_row(name, MAX_ASCENSION).interrupt_move for name in rules.enemy_names[1:]} & {SPLIT, DEFENSIVE}
    return alone and not interrupts and not record.change[at.C_FIGHT_END_HEAL_AT_HALF]


# Which fights are plain.


def is_plain(game: SpireFight) -> bool:
    """Return whether a fight is plain and against several enemies."""
    rules, record = game.rules, game.record
    relic_values = [value for place, value in enumerate(record.change) if place != at.C_FIGHT_END_HEAL and value]
    if record.n_relics or relic_values or record.n_potions or rules.setup.burning or record.counts_cards:
        return False
    rows = sorted({int(row) for row in rules.groups.ravel() if row})
    several = bool(((rules.groups > 0).sum(axis=1) > 1).all())
    cards = all(_is_plain_card(record, kind) for kind in range(record.n_kinds))
    return several and cards and all(_is_plain_enemy(record, row) for row in rows)


def _is_plain_card(record: CompiledRules, kind: int) -> bool:
    """Return whether a card only hits one enemy, blocks, or gives one enemy Vulnerable or Weak, then is discarded."""
    if any(getattr(record, name)[kind] for name in _ZERO_FIELDS) or any(
        getattr(record, name)[kind] != at.NONE for name in _NONE_FIELDS
    ):
        return False
    if record.cost[kind] == UNPLAYABLE:
        return True
    if record.cost[kind] < 0 or record.ethereal[kind] or record.type[kind] not in (at.ATTACK, at.SKILL):
        return False
    first, n = record.first_effect[kind], record.n_effects[kind]
    return all(_is_plain_effect(line) for line in record.effects[first : first + n])


def _is_plain_effect(line: Numbers) -> bool:
    """Return whether an effect of a card is plain."""
    if line[at.OP] == e.OP_HIT:
        return bool(line[at.TO] == e.TARGET and line[at.N] >= 2)
    if line[at.OP] == e.OP_GIVE:
        return bool(line[at.TO] == e.TARGET and line[at.ITEM] in (at.VULNERABLE, at.WEAK) and line[at.N] > 0)
    return bool(line[at.OP] == e.OP_BLOCK and line[at.N] >= 0)


def _is_plain_enemy(record: CompiledRules, row: int) -> bool:
    """Return whether an enemy only attacks, gains Strength and makes the player Weak or Frail."""
    has = {status for status in range(at.N_SHARED) if record.status[row, status]}
    has |= {int(status) for status in record.random_statuses[row, :, 0] if status != at.NONE}
    special = record.interrupt_move[row] != at.NONE or record.move_when_alone[row] != at.NONE
    if special or record.children[row].any() or record.enemy_block[row] or not has <= {at.BITE, at.CURL_UP}:
        return False
    found, left = set(), [int(record.opening[row])]
    while left:
        intent = left.pop()
        if intent not in found:
            found.add(intent)
            left += [int(after) for after in record.following[intent, : record.n_following[intent]]]
    return all(_is_plain_move(record, intent) for intent in found)


def _is_plain_move(record: CompiledRules, intent: int) -> bool:
    """Return whether a move of an enemy is plain."""
    first, n = record.intent_effect[intent], record.intent_n_effects[intent]
    for line in record.effects[first : first + n]:
        gives = line[at.OP] == e.OP_GIVE and line[at.N] > 0
        stronger = gives and line[at.TO] == e.SELF and line[at.ITEM] == at.STRENGTH
        weaker = gives and line[at.TO] != e.SELF and line[at.ITEM] in (at.WEAK, at.FRAIL)
        if not (line[at.OP] in (e.OP_HIT, e.OP_BITE) or stronger or weaker):
            return False
    return True


# Dominance.


@kernel
def is_dominated_end(position: int, n: int, position_states: Records) -> Any:
    """Return whether ending the turn at a position is dominated by ending it at another of the turn's `n` positions.

    Of positions that dominate each other, only the first is not dominated.
    """
    fight = position_states[position]
    for other in range(n):
        if (
            other != position
            and _is_no_worse(position_states[other], fight)
            and (other < position or not _is_no_worse(fight, position_states[other]))
        ):
            return True
    return False


@kernel
def _is_no_worse(fight: FightRecord, other: FightRecord) -> Any:
    """Return whether ending the turn in `fight` is at least as good as in `other`, a position of the same turn."""
    if fight.block[at.PLAYER] < other.block[at.PLAYER]:
        return False
    for enemy in range(1, at.N_FIGHTERS):
        if fight.hp[enemy] == 0:
            continue
        if fight.hp[enemy] > other.hp[enemy] or fight.intent[enemy] != other.intent[enemy]:
            return False
        for status in range(at.N_SHARED):
            here, there = fight.status[enemy, status], other.status[enemy, status]
            if status in (at.VULNERABLE, at.WEAK):
                if here < there:
                    return False
            elif status in (at.STRENGTH, at.CURL_UP):
                if here > there:
                    return False
            elif here != there:
                return False
    return True


# Equivalent enemies.


@kernel
def canonicalise_enemies(fight: FightRecord) -> None:
    """Sort the enemies (bubble sort), dead enemies last."""
    for last in range(at.N_FIGHTERS - 1, 1, -1):
        for enemy in range(1, last):
            if _compare(fight, enemy, enemy + 1) > 0:
                _swap(fight, enemy, enemy + 1)


@kernel
def _compare(fight: FightRecord, one: int, other: int) -> Any:
    """Compare two enemies. Return a positive number if `one` is sorted after `other`, negative if before, else 0."""
    if (fight.hp[one] > 0) != (fight.hp[other] > 0):
        return 1 if fight.hp[other] > 0 else -1
    difference = 0
    for column in (fight.row, fight.hp, fight.intent, fight.block, fight.new_statuses):
        if difference == 0:
            difference = column[one] - column[other]
    for status in range(at.N_SHARED):
        if difference == 0:
            difference = fight.status[one, status] - fight.status[other, status]
    return difference


@kernel
def _swap(fight: FightRecord, one: int, other: int) -> None:
    """Exchange the places of two enemies."""
    for column in (fight.hp, fight.max_hp, fight.block, fight.row, fight.intent, fight.new_statuses):
        kept = column[one]
        column[one] = column[other]
        column[other] = kept
    for status in range(at.N_SHARED):
        kept = fight.status[one, status]
        fight.status[one, status] = fight.status[other, status]
        fight.status[other, status] = kept
