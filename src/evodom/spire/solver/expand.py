"""Expand a position: list the plans of a turn, the results of a draw, or the starts of a fight.

Open it to change which positions are treated as equal. The outcomes of an expansion are appended to the buffers. A plan
ends at the first random result or at the end of the turn. Sequences of moves that lead to equal positions are merged.

`add_outcomes` lists the results of an *act*: a move, a draw or the start of a fight. It repeats the act once for each
sequence of random results. The tape of `dice` has this sequence (see `engine.chance`). For each repetition:

1. Rewind the tape: `dice.position = 0`.
2. Execute the act. The engine reads the tape, and at its end appends the first possible result of each further event.
3. `advance_tape` changes the last result that has a successor, and removes the results after it. Without such a result
   all outcomes are listed, and the tape is empty.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import copy_words, kernel
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.content.effects import OP_DRAW, SELF
from evodom.spire.engine import layout as at
from evodom.spire.engine import piles
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, Words
from evodom.spire.engine.moves import BEGIN, END, RESOLVE, legal, play
from evodom.spire.engine.piles import begin_draw, draw_card, move, pop_effect, push_draw_reactions, push_front, shuffle
from evodom.spire.engine.resolve import awaits_draw
from evodom.spire.solver import graph as g
from evodom.spire.solver.dominance import canonicalise_enemies, is_dominated_end
from evodom.spire.solver.graph import Buffers, OutcomeRecord, SolverWorkspace
from evodom.spire.solver.table import set_key

PLACEHOLDER_MAX_HP = 999
"""Maximum HP of an enemy in a canonical position, if no rule reads its maximum HP."""

DEAL = -100
"""Act that is no move of the engine: deal the cards `workspace.drawn`."""

DRAW_ONE = -101
"""Act that is no move of the engine: draw one card of a pending draw."""

ALL_OUTCOMES = 1 << 40
"""More outcomes than any act has."""

_COST_FACTOR = np.uint64(0x9FB21C651E98DF25)


# Positions and probabilities.


@kernel
def canonicalise(rules: CompiledRules, fight: FightRecord, outcome: OutcomeRecord, workspace: SolverWorkspace) -> None:
    """Canonicalise a position: reset fields that no later rule reads, so that equivalent positions have equal bytes.

    Move the HP lost and the potions used to `outcome`, and set its kind.
    """
    outcome.potions_used, outcome.ends_turn = fight.used, 0
    fight.used = 0
    outcome.hp_loss = 0
    if workspace.hp_independent:
        outcome.hp_loss = g.PLACEHOLDER_HP - fight.hp[at.PLAYER]
        fight.hp[at.PLAYER] = g.PLACEHOLDER_HP
    if fight.over != at.PLAYING:
        outcome.kind = g.FIGHT_OVER
        return
    outcome.kind = g.PENDING_DRAW if awaits_draw(fight) else g.DECISION
    for enemy in range(1, at.N_FIGHTERS):
        fight.status[enemy, at.STOLEN] = 0
        if fight.hp[enemy] > 0 and fight.status[enemy, at.SPLITS] == 0 and fight.status[enemy, at.REGENERATE] == 0:
            fight.max_hp[enemy] = PLACEHOLDER_MAX_HP
    if not workspace.uses_exhaust_pile:
        for kind in range(rules.n_kinds):
            fight.piles[at.EXHAUST, kind] = 0
        fight.n_cards[at.EXHAUST] = 0
    if workspace.is_plain and outcome.kind == g.PENDING_DRAW:
        canonicalise_enemies(fight)


@kernel
def tape_probability(dice: Dice) -> Any:
    """Return the product of the probabilities of all results on the tape."""
    probability = 1.0
    for place in range(dice.length):
        probability *= dice.weights[place, dice.results[place]] / dice.totals[place]
    return probability


@kernel
def advance_tape(dice: Dice) -> Any:
    """Advance the tape to the next sequence of results, last place first. Return False after the last sequence."""
    while dice.length > 0:
        place = dice.length - 1
        for choice in range(dice.results[place] + 1, dice.n_results[place]):
            if dice.weights[place, choice] > 0:
                dice.results[place] = choice
                return True
        dice.length = place
    return False


@kernel
def add_outcomes(rules: CompiledRules, act: int, n: int, source: Words, place: int, buffers: Buffers) -> Any:
    """Add up to `n` outcomes of an act in the position `source[place]`. Return a return code.

    `act` is a number of the engine (see `engine.moves`), DEAL or DRAW_ONE. For the start of a fight, continue the tape
    of the previous call.
    """
    words, states, outcomes, workspace = buffers.words, buffers.states, buffers.outcomes, buffers.workspace
    starts = DEAL < act <= BEGIN
    dice = buffers.start_dice if starts else buffers.dice
    if not starts:
        dice.length = 0
    for _ in range(n):
        here = workspace.n_outcomes
        if here == len(outcomes):
            return g.OUTCOMES_FULL
        copy_words(words, here, source, place)
        dice.position = 0
        fight, outcome = states[here], outcomes[here]
        if act == DEAL:
            _deal(rules, fight, workspace)
        elif act == DRAW_ONE:
            _draw_one_card(rules, fight, dice)
        play(rules, fight, RESOLVE if act in (DEAL, DRAW_ONE) else act, dice)
        if starts and workspace.hp_independent:
            fight.hp[at.PLAYER] = g.PLACEHOLDER_HP
        if dice.position > at.N_DICE:
            return g.TAPE_OVERFLOW
        if fight.n_overflows:
            return g.PILE_TOO_LARGE if piles.has_wrapped_counts(fight) else g.FIGHT_OVERFLOW
        canonicalise(rules, fight, outcome, workspace)
        outcome.probability = tape_probability(dice)
        if act == DEAL:
            outcome.probability *= workspace.deal_probability
        workspace.n_moves += 1
        workspace.n_outcomes = here + 1
        if not advance_tape(dice):
            break
    return g.DONE


# A draw of cards.


@kernel
def expand_draw(rules: CompiledRules, place: int, buffers: Buffers) -> Any:
    """Add all results of the pending draw of the position at `place` as outcomes. Return a return code.

    Several cards are drawn together: their counts have a multivariate hypergeometric distribution. If the order of the
    drawn cards matters, draw only one card; the rest of the draw stays pending. The position at `place` may change.
    """
    workspace, fight = buffers.workspace, buffers.states[place]
    reacts = fight.powers[at.EVOLVE] > 0 or fight.powers[at.FIRE_BREATHING] > 0 or fight.powers[at.CONFUSED] > 0
    is_partly_known = fight.n_top + fight.n_buried + fight.n_bottom > 0
    if is_partly_known or reacts or fight.powers[at.NO_DRAW] > 0:
        return add_outcomes(rules, DRAW_ONE, ALL_OUTCOMES, buffers.words, place, buffers)
    _draw_whole_piles(rules, fight)
    n = min(fight.queue[0, at.N], HAND_LIMIT - fight.n_cards[at.HAND], fight.n_cards[at.DRAW])
    n_kinds = rules.n_kinds
    if fight.n_cards[at.DRAW] > g.MAX_PILE:
        return g.PILE_TOO_LARGE
    for kind in range(n_kinds):
        workspace.pile[kind] = fight.piles[at.DRAW, kind]
    first_combination(workspace, n_kinds, n)
    n_combinations = workspace.binomial[fight.n_cards[at.DRAW], n]
    while True:
        n_ways = 1.0
        for kind in range(n_kinds):
            n_ways *= workspace.binomial[workspace.pile[kind], workspace.drawn[kind]]
        workspace.deal_probability = n_ways / n_combinations
        code = add_outcomes(rules, DEAL, ALL_OUTCOMES, buffers.words, place, buffers)
        if code != g.DONE or not next_combination(workspace, n_kinds):
            return code


@kernel
def _draw_whole_piles(rules: CompiledRules, fight: FightRecord) -> None:
    """While the pending draw needs more cards than the draw pile has: draw the whole draw pile, then shuffle."""
    while True:
        n = min(fight.queue[0, at.N], HAND_LIMIT - fight.n_cards[at.HAND])
        if n <= fight.n_cards[at.DRAW] or fight.n_cards[at.DRAW] + fight.n_cards[at.DISCARD] == 0:
            return
        pop_effect(fight)
        begin_draw(rules, fight, n)
        for kind in range(rules.n_kinds):
            _draw_cards(rules, fight, kind, fight.piles[at.DRAW, kind])
        pop_effect(fight)  # the shuffle that `begin_draw` has pushed
        shuffle(rules, fight)


@kernel
def _deal(rules: CompiledRules, fight: FightRecord, workspace: SolverWorkspace) -> None:
    """Resolve the pending draw: move the cards `workspace.drawn` into the hand."""
    pop_effect(fight)
    for kind in range(rules.n_kinds):
        _draw_cards(rules, fight, kind, workspace.drawn[kind])


@kernel
def _draw_cards(rules: CompiledRules, fight: FightRecord, kind: int, n: int) -> None:
    """Move `n` cards of a kind from the draw pile into the hand, which has room for them."""
    for _ in range(n):
        move(fight, kind, at.DRAW, at.HAND)
        push_draw_reactions(rules, fight, kind)


@kernel
def _draw_one_card(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Draw one card of the pending draw. The rest of the draw stays in the queue."""
    n = fight.queue[0, at.N]
    pop_effect(fight)
    n = begin_draw(rules, fight, n)
    if n > 1:
        push_front(fight, OP_DRAW, n - 1, 1, SELF, 0, 0, 0)
    if n > 0:
        draw_card(rules, fight, dice)


@kernel
def first_combination(workspace: SolverWorkspace, n_kinds: int, n: int) -> None:
    """Write the first combination of `n` cards of `workspace.pile` to `workspace.drawn`.

    It has as many cards as possible of the first kinds.
    """
    for kind in range(n_kinds):
        workspace.drawn[kind] = min(workspace.pile[kind], n)
        n -= workspace.drawn[kind]


@kernel
def next_combination(workspace: SolverWorkspace, n_kinds: int) -> Any:
    """Advance `workspace.drawn` to the next combination with the same number of cards. Return False after the last."""
    n_pile, n_drawn = 0, 0
    for kind in range(n_kinds - 1, -1, -1):
        if workspace.drawn[kind] > 0 and n_pile > n_drawn:
            workspace.drawn[kind] -= 1
            left = n_drawn + 1
            for later in range(kind + 1, n_kinds):
                workspace.drawn[later] = min(workspace.pile[later], left)
                left -= workspace.drawn[later]
            return True
        n_pile += workspace.pile[kind]
        n_drawn += workspace.drawn[kind]
    return False


# A decision.


@kernel
def expand_move(rules: CompiledRules, move: int, before: int, buffers: Buffers) -> Any:
    """Add all outcomes of a move in position number `before` of the turn. Return a return code."""
    outcomes, position, first = buffers.outcomes, buffers.positions[before], buffers.workspace.n_outcomes
    code = add_outcomes(rules, move, ALL_OUTCOMES, buffers.position_words, before, buffers)
    for place in range(first, buffers.workspace.n_outcomes):
        outcomes[place].hp_loss += position.hp_loss
        outcomes[place].potions_used += position.potions_used
        outcomes[place].ends_turn = move == END and not buffers.position_states[before].choosing
    return code


@kernel
def enter_turn(place: int, hp_loss: int, potions_used: int, buffers: Buffers) -> None:
    """Begin the expansion of a turn: make the outcome at `place` its first position."""
    positions = buffers.positions
    copy_words(buffers.position_words, 0, buffers.words, place)
    positions[0].hp_loss, positions[0].potions_used = hp_loss, potions_used
    buffers.workspace.turn_stamp += 1


@kernel
def expand_turn(rules: CompiledRules, buffers: Buffers) -> Any:
    """Add the outcomes of every plan of the turn that was entered, plan by plan. Return a return code.

    Visit the positions within the turn breadth first. In a plain fight (see `dominance`), add the plans that end the
    turn last, and none that end the turn at a dominated position.
    """
    outcomes, position_states, workspace = buffers.outcomes, buffers.position_states, buffers.workspace
    workspace.n_plans = 0
    n_positions, position = 1, 0
    while position < n_positions:
        n_moves = legal(rules, position_states[position], workspace.moves)
        for place in range(1 if workspace.is_plain else 0, n_moves):  # place 0 is END
            move, first = workspace.moves[place], workspace.n_outcomes
            code = expand_move(rules, move, position, buffers)
            if code != g.DONE:
                return code
            ends = move == END and not position_states[position].choosing
            if ends or workspace.n_outcomes > first + 1 or outcomes[first].kind != g.DECISION:
                if not _add_plan(first, buffers):
                    return g.PLANS_FULL
                continue
            if n_positions == len(buffers.positions):
                return g.POSITIONS_FULL
            n_positions = _add_position(first, n_positions, position, buffers)
            workspace.n_outcomes = first
        position += 1
    return _expand_turn_ends(rules, n_positions, buffers) if workspace.is_plain else g.DONE


@kernel
def _expand_turn_ends(rules: CompiledRules, n_positions: int, buffers: Buffers) -> Any:
    """Add the plans that end the turn at each position, without dominated ends. Return a return code."""
    for position in range(n_positions):
        if not is_dominated_end(position, n_positions, buffers.position_states):
            first = buffers.workspace.n_outcomes
            code = expand_move(rules, END, position, buffers)
            if code != g.DONE:
                return code
            if not _add_plan(first, buffers):
                return g.PLANS_FULL
    return g.DONE


@kernel
def _add_plan(first: int, buffers: Buffers) -> Any:
    """Record that a plan's outcomes begin at `first`. Return False if the array is full."""
    plan_starts, workspace = buffers.plan_starts, buffers.workspace
    if workspace.n_plans == len(plan_starts):
        return False
    plan_starts[workspace.n_plans] = first
    workspace.n_plans += 1
    return True


@kernel
def add_costs_to_key(outcome: OutcomeRecord, workspace: SolverWorkspace) -> None:
    """Add the HP and potions used to the key: positions reached at different costs stay distinct."""
    workspace.key[0] += np.uint64(outcome.hp_loss + 1024 * outcome.potions_used) * _COST_FACTOR


@kernel
def _add_position(place: int, n_positions: int, current: int, buffers: Buffers) -> Any:
    """Add the outcome at `place` as a position within the turn, if it is new. Return the new number of positions.

    With `enemy_hp_monotone`, keep only the position with the lowest HP of those that differ only in the enemy's HP.
    Positions up to `current` also stay, because their plans are already listed.
    """
    words, positions, slots, workspace = buffers.words, buffers.positions, buffers.position_slots, buffers.workspace
    fight, outcome = buffers.states[place], buffers.outcomes[place]
    hp = fight.hp[1]
    if workspace.enemy_hp_monotone:
        fight.hp[1] = 0
    set_key(words, place, fight, workspace)
    fight.hp[1] = hp
    add_costs_to_key(outcome, workspace)
    mask = len(slots) - 1
    slot = np.int64(workspace.key[0] & np.uint64(mask))
    position = n_positions
    while slots[slot, 0] == workspace.turn_stamp:
        known = slots[slot, 1]
        if positions[known].key[0] == workspace.key[0] and positions[known].key[1] == workspace.key[1]:
            if not workspace.enemy_hp_monotone or buffers.position_states[known].hp[1] <= hp:
                return n_positions
            if known > current:
                position = known
            break
        slot = (slot + 1) & mask
    slots[slot, 0] = workspace.turn_stamp
    slots[slot, 1] = position
    copy_words(buffers.position_words, position, words, place)
    positions[position].key[0], positions[position].key[1] = workspace.key[0], workspace.key[1]
    positions[position].hp_loss, positions[position].potions_used = outcome.hp_loss, outcome.potions_used
    return max(n_positions, position + 1)
