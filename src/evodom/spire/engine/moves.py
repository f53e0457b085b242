"""Moves of a fight as numbers: list and play them.

Open it to call the engine from another kernel: `legal`, `play`, `start_fight`, `hp_left`. Moves are numbered:

0                                   end the turn, or end a choice of any number of cards
1 + 6 kind + place                  play a card at the enemy of a place (0: no target)
FIRST_POTION + 6 potion + place     use a potion
FIRST_CHOICE + kind                 choose a card
"""

from typing import Any

import numpy as np

from evodom.jit.dispatch import DispatchTable
from evodom.jit.kernel import kernel
from evodom.spire.content.effects import TO_ADD_OR_SKIP, UP_TO
from evodom.spire.content.relics import AT_POTION
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_choices import choose, end_choice, is_choosable
from evodom.spire.engine.card_play import PLAYED, can_play_more, cost_of, is_playable, push_card
from evodom.spire.engine.combat import hp_after_fight, is_alive
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, Numbers
from evodom.spire.engine.piles import push_effects, take, trigger
from evodom.spire.engine.resolve import resolve_queue
from evodom.spire.engine.turns import begin, end_turn

END = 0
FIRST_CARD = 1
FIRST_POTION = FIRST_CARD + at.N_KINDS * at.N_FIGHTERS
FIRST_CHOICE = FIRST_POTION + at.N_POTIONS * at.N_FIGHTERS
N_MOVES = FIRST_CHOICE + at.N_KINDS
RESOLVE, BEGIN = -1, -2


@kernel
def legal(rules: CompiledRules, fight: FightRecord, moves: Numbers) -> Any:
    """Write the legal moves into `moves`, in ascending order. Return their number."""
    if fight.over != at.PLAYING:
        return 0
    if fight.choosing:
        return _legal_choices(rules, fight, moves)
    moves[0] = END
    n = 1
    more = can_play_more(rules, fight)
    for kind in range(rules.n_kinds):
        if more and fight.piles[at.HAND, kind] > 0 and is_playable(rules, fight, kind):
            n = _add_targets(fight, moves, n, FIRST_CARD + at.N_FIGHTERS * kind, rules.targeted[kind])
    for potion in range(rules.n_potions):
        if fight.potions[potion] and rules.potion_usable[potion]:
            n = _add_targets(fight, moves, n, FIRST_POTION + at.N_FIGHTERS * potion, rules.potion_targeted[potion])
    return n


@kernel
def _legal_choices(rules: CompiledRules, fight: FightRecord, moves: Numbers) -> Any:
    """Write the legal choices and return their number. Several cards are chosen in ascending order of kinds."""
    n = 0
    if fight.choose_n > UP_TO or fight.choosing == 1 + TO_ADD_OR_SKIP:
        moves[0] = END
        n = 1
    for kind in range(fight.choose_from, rules.n_kinds):
        if is_choosable(rules, fight, fight.choosing - 1, fight.choose_pile, kind):
            moves[n] = FIRST_CHOICE + kind
            n += 1
    return n


@kernel
def _add_targets(fight: FightRecord, moves: Numbers, n: int, first: int, targeted: int) -> Any:
    """Write a move for each possible target. Return the new number of moves."""
    if not targeted:
        moves[n] = first
        return n + 1
    for enemy in range(1, at.N_FIGHTERS):
        if is_alive(fight, enemy):
            moves[n] = first + enemy
            n += 1
    return n


@kernel
def _run_engine(rules: CompiledRules, fight: FightRecord, number: int, dice: Dice) -> Any:
    """Execute a legal move and its consequences up to the player's next decision. Return `fight.over`.

    `number` is a move, RESOLVE (resolve pending effects), or BEGIN minus the mark of a burning elite (begin a fight).
    This kernel contains the whole engine and is compiled separately, so that search and solver compile faster.
    """
    if number <= BEGIN:
        begin(rules, fight, BEGIN - number, dice)
    elif number == END and not fight.choosing:
        end_turn(rules, fight, dice)
    else:
        if number >= FIRST_CHOICE:
            choose(rules, fight, dice, number - FIRST_CHOICE)
        elif number >= FIRST_POTION:
            potion, target = (number - FIRST_POTION) // at.N_FIGHTERS, (number - FIRST_POTION) % at.N_FIGHTERS
            fight.potions[potion] = 0
            fight.used += 1
            push_effects(rules, fight, rules.potion_effect[potion], rules.potion_n_effects[potion], target, False)
            trigger(rules, fight, AT_POTION, False)
        elif number >= FIRST_CARD:
            kind, energy = (number - FIRST_CARD) // at.N_FIGHTERS, fight.energy
            fight.energy -= cost_of(rules, fight, kind)
            take(fight, kind, at.HAND)
            push_card(rules, fight, kind, (number - FIRST_CARD) % at.N_FIGHTERS, energy, PLAYED)
        elif number == END:
            end_choice(fight)
        resolve_queue(rules, fight, dice)
    return np.int64(fight.over)


ENGINE = DispatchTable("evodom.fight", [_run_engine], (at.RULES, at.FIGHT, np.dtype(np.int64), at.DICE))
"""The engine as separately compiled machine code."""

_call = ENGINE.call


@kernel
def play(rules: CompiledRules, fight: FightRecord, number: int, dice: Dice) -> None:
    """Play a legal move and resolve all effects up to the player's next decision."""
    _call(0, rules, fight, number, dice)


@kernel
def start_fight(
    rules: CompiledRules, fight: FightRecord, group: Numbers, known_hp: Numbers, mark: int, dice: Dice
) -> None:
    """Begin a fight, up to the player's first decision. `fight` must be 0, except for the counters of relics.

    `group` has the rows of the enemies by place. `known_hp` has their HP, or 0 for HP that are rolled.
    """
    for place in range(at.N_FIGHTERS - 1):
        fight.row[place + 1], fight.max_hp[place + 1] = group[place], known_hp[place]
    _call(0, rules, fight, BEGIN - mark, dice)


@kernel
def hp_left(rules: CompiledRules, fight: FightRecord) -> Any:
    """Return the HP left at the end of a fight: 0 if it was lost or not won in time."""
    return hp_after_fight(rules, fight) if survived(fight) else 0


@kernel
def survived(fight: FightRecord) -> Any:
    """Return whether the player has won or fled."""
    return fight.over in (at.WON, at.FLED)
