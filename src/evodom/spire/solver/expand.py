"""Expand a position into outcomes: all lines of a turn, all hands of a draw, all starts of a fight.

Open it to change which equivalent positions are merged. An outcome has a weight, its probability. Lines of a turn end
when information is revealed. Orders of cards that lead to equal positions are merged, and only their outcomes are kept.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import copy_words, kernel
from evodom.spire.engine import layout as at
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord
from evodom.spire.engine.moves import END, go_on, legal, play, start_fight
from evodom.spire.engine.piles import draw, drop_first, push_front, put, take, trigger
from evodom.spire.engine.resolve import awaits_draw
from evodom.spire.rows.cards import HAND_LIMIT
from evodom.spire.rows.effects import OP_DRAW, SELF
from evodom.spire.rows.relics import AT_SHUFFLE
from evodom.spire.solver import graph as g
from evodom.spire.solver.dominance import canonicalise_enemies, ends_no_better
from evodom.spire.solver.graph import FightStart, OutcomeRecord, SolverRecord, TurnBuffers
from evodom.spire.solver.table import set_key

MOST_HP = 999

_PRIME = np.uint64(0x9FB21C651E98DF25)


# Positions and chance.


@kernel
def canonicalise(rules: CompiledRules, fight: FightRecord, outcome: OutcomeRecord, work: SolverRecord) -> None:
    """Canonicalise a position: equivalent positions get equal bytes.

    Write the HP lost and the potions used so far to `outcome`, and reset them in the position.
    """
    outcome.used = fight.used
    fight.used = 0
    outcome.loss = 0
    if work.free:
        outcome.loss = g.PLENTY - fight.hp[at.PLAYER]
        fight.hp[at.PLAYER] = g.PLENTY
    if fight.over != at.PLAYING:
        outcome.kind = g.OVER
        return
    outcome.kind = g.DRAW if awaits_draw(fight) else g.TURN
    for enemy in range(1, at.N_FIGHTERS):
        fight.status[enemy, at.STOLEN] = 0
        if fight.hp[enemy] > 0 and fight.status[enemy, at.SPLITS] == 0 and fight.status[enemy, at.REGENERATE] == 0:
            fight.max_hp[enemy] = MOST_HP
    if not work.exhumes:
        for kind in range(rules.n_kinds):
            fight.piles[at.EXHAUST, kind] = 0
        fight.n_cards[at.EXHAUST] = 0
    if work.plain and outcome.kind == g.DRAW:
        canonicalise_enemies(fight)


@kernel
def chance_of(dice: Dice) -> Any:
    """Return the probability of the results on the tape."""
    chance = 1.0
    for place in range(dice.n):
        chance *= dice.weights[place, dice.choice[place]] / dice.total[place]
    return chance


@kernel
def next_tape(dice: Dice) -> Any:
    """Advance the tape to its next results. Return False if there are none."""
    while dice.n > 0:
        place = dice.n - 1
        for choice in range(dice.choice[place] + 1, dice.weights.shape[1]):
            if dice.weights[place, choice] > 0:
                dice.choice[place] = choice
                return True
        dice.n = place
    return False


@kernel
def _noted(
    rules: CompiledRules, fight: FightRecord, outcome: OutcomeRecord, work: SolverRecord, dice: Dice, share: float
) -> Any:
    """Canonicalise a reached position and store its probability. Return DONE or the code of an error."""
    if dice.at > at.N_DICE:
        return g.TOO_RANDOM
    if fight.spilled:
        return g.SPILLED
    canonicalise(rules, fight, outcome, work)
    outcome.weight = share * chance_of(dice)
    work.n_plays += 1
    return g.DONE


# The start of a fight.


@kernel
def expand_start(rules: CompiledRules, n: int, room: TurnBuffers, start: FightStart, work: SolverRecord) -> Any:
    """Add up to `n` further initial states. The empty record of the fight is at place 0; `opening` is the tape."""
    words, states, outcomes, opening = room.words, room.states, room.outcomes, start.opening
    for _ in range(n):
        here = work.top
        if here == len(outcomes):
            return g.NO_ROOM
        copy_words(words, here, words, 0)
        opening.at = 0
        start_fight(rules, states[here], start.group, start.known_hp, work.mark, opening)
        if work.free:
            states[here].hp[at.PLAYER] = g.PLENTY
        wrong = _noted(rules, states[here], outcomes[here], work, opening, 1.0)
        if wrong != g.DONE:
            return wrong
        work.top = here + 1
        work.more = next_tape(opening)
        if not work.more:
            break
    return g.DONE


# A draw of cards.


@kernel
def expand_draw(rules: CompiledRules, place: int, room: TurnBuffers, work: SolverRecord, dice: Dice) -> Any:
    """Add all outcomes of the pending draw of the position at `place`.

    Several cards are drawn together, with the weights of the multivariate hypergeometric distribution. If the order of
    the drawn cards matters, only one card is drawn and the rest of the draw stays pending.
    """
    words, states, outcomes = room.words, room.states, room.outcomes
    fight = states[place]
    n = fight.queue[0, at.N]
    reacts = fight.powers[at.EVOLVE] > 0 or fight.powers[at.FIRE_BREATHING] > 0
    ordered = fight.n_top > 0 or fight.n_buried > 0 or reacts
    if ordered or fight.powers[at.NO_DRAW] > 0:
        return _draw_one(rules, place, n, room, work, dice)
    n = min(n, HAND_LIMIT - fight.n_cards[at.HAND], fight.n_cards[at.DRAW] + fight.n_cards[at.DISCARD])
    n_kinds = rules.n_kinds
    shuffled = n > fight.n_cards[at.DRAW]
    pile, n_left = at.DRAW, n
    if shuffled:
        pile, n_left = at.DISCARD, n - fight.n_cards[at.DRAW]
    if fight.n_cards[pile] > g.MAX_PILE:
        return g.TOO_MANY
    for kind in range(n_kinds):
        work.pile[kind] = fight.piles[pile, kind]
    first_hand(work, n_kinds, n_left)
    ways = work.ways[fight.n_cards[pile], n_left]
    while True:
        share = 1.0
        for kind in range(n_kinds):
            share *= work.ways[work.pile[kind], work.hand[kind]]
        dice.n = 0
        while True:
            if work.top == len(outcomes):
                return g.NO_ROOM
            here = work.top
            copy_words(words, here, words, place)
            dice.at = 0
            _deal(rules, states[here], work, shuffled)
            go_on(rules, states[here], dice)
            wrong = _noted(rules, states[here], outcomes[here], work, dice, share / ways)
            if wrong != g.DONE:
                return wrong
            work.top = here + 1
            if not next_tape(dice):
                break
        if not next_hand(work, n_kinds):
            return g.DONE


@kernel
def _deal(rules: CompiledRules, fight: FightRecord, work: SolverRecord, shuffled: bool) -> None:
    """Give the player the cards of `work.hand`; with `shuffled` first the rest of the draw pile."""
    drop_first(fight)
    energy = fight.energy
    if shuffled:
        for kind in range(rules.n_kinds):
            rest = fight.piles[at.DRAW, kind]
            fight.piles[at.HAND, kind] += rest
            energy += rules.drawn_energy[kind] * rest
            fight.piles[at.DRAW, kind] = fight.piles[at.DISCARD, kind]
            fight.piles[at.DISCARD, kind] = 0
        fight.n_cards[at.HAND] += fight.n_cards[at.DRAW]
        fight.n_cards[at.DRAW] = fight.n_cards[at.DISCARD]
        fight.n_cards[at.DISCARD] = 0
        trigger(rules, fight, AT_SHUFFLE, False)
    for kind in range(rules.n_kinds):
        for _ in range(work.hand[kind]):
            take(fight, kind, at.DRAW)
            put(fight, kind, at.HAND)
            energy += rules.drawn_energy[kind]
    fight.energy = max(energy, 0)


@kernel
def _draw_one(rules: CompiledRules, place: int, n: int, room: TurnBuffers, work: SolverRecord, dice: Dice) -> Any:
    """Draw one card and leave the rest of the draw in the queue."""
    words, states, outcomes = room.words, room.states, room.outcomes
    dice.n = 0
    while True:
        if work.top == len(outcomes):
            return g.NO_ROOM
        here = work.top
        fight = states[here]
        copy_words(words, here, words, place)
        dice.at = 0
        drop_first(fight)
        if n > 1:
            push_front(fight, OP_DRAW, n - 1, 1, SELF, 0, 0, 0)
        draw(rules, fight, dice, 1)
        go_on(rules, fight, dice)
        wrong = _noted(rules, fight, outcomes[here], work, dice, 1.0)
        if wrong != g.DONE:
            return wrong
        work.top = here + 1
        if not next_tape(dice):
            return g.DONE


@kernel
def first_hand(work: SolverRecord, n_kinds: int, n: int) -> None:
    """Write the first way to draw `n` cards of `work.pile` into `work.hand`: as many as possible of the first kinds."""
    for kind in range(n_kinds):
        work.hand[kind] = min(work.pile[kind], n)
        n -= work.hand[kind]


@kernel
def next_hand(work: SolverRecord, n_kinds: int) -> Any:
    """Advance `work.hand` to the next way to draw the same number of cards. Return False if there is none."""
    room, drawn = 0, 0
    for kind in range(n_kinds - 1, -1, -1):
        if work.hand[kind] > 0 and room > drawn:
            work.hand[kind] -= 1
            left = drawn + 1
            for later in range(kind + 1, n_kinds):
                work.hand[later] = min(work.pile[later], left)
                left -= work.hand[later]
            return True
        room += work.pile[kind]
        drawn += work.hand[kind]
    return False


# A decision.


@kernel
def expand_move(rules: CompiledRules, move: int, before: int, room: TurnBuffers, work: SolverRecord, dice: Dice) -> Any:
    """Add all outcomes of a move in the position within the turn at node `before`."""
    words, states, outcomes = room.words, room.states, room.outcomes
    own_words, nodes = room.own_words, room.nodes
    dice.n = 0
    while True:
        here = work.top
        if here == len(outcomes):
            return g.NO_ROOM
        copy_words(words, here, own_words, before)
        dice.at = 0
        play(rules, states[here], move, dice)
        wrong = _noted(rules, states[here], outcomes[here], work, dice, 1.0)
        if wrong != g.DONE:
            return wrong
        outcomes[here].loss += nodes[before].loss
        outcomes[here].used += nodes[before].used
        work.top = here + 1
        if not next_tape(dice):
            return g.DONE


@kernel
def enter_turn(place: int, loss: int, used: int, room: TurnBuffers, work: SolverRecord) -> None:
    """Begin a turn: make the outcome at `place` its first node."""
    nodes = room.nodes
    copy_words(room.own_words, 0, room.words, place)
    nodes[0].loss, nodes[0].used = loss, used
    work.stamp += 1


@kernel
def expand_turn(rules: CompiledRules, room: TurnBuffers, work: SolverRecord, dice: Dice) -> Any:
    """Add every line of the turn that was entered.

    The outcomes of successive lines are contiguous; `lines` has the index of each line's first outcome. In a plain
    fight ends of the turn are added last, without dominated ends.
    """
    outcomes, own_states = room.outcomes, room.own_states
    work.n_lines = 0
    n_nodes, node = 1, 0
    while node < n_nodes:
        n_moves = legal(rules, own_states[node], work.moves)
        for place in range(1 if work.plain else 0, n_moves):
            move, first = work.moves[place], work.top
            wrong = expand_move(rules, move, node, room, work, dice)
            if wrong != g.DONE:
                return wrong
            ends = move == END and not own_states[node].choosing
            if ends or work.top > first + 1 or outcomes[first].kind != g.TURN:
                if not _add_line(first, room, work):
                    return g.NO_LINES
                continue
            work.top = first
            if n_nodes == len(room.nodes):
                return g.NO_NODES
            n_nodes = _keep_node(room, work, n_nodes, node)
        node += 1
    return expand_ends(rules, n_nodes, room, work, dice) if work.plain else g.DONE


@kernel
def expand_ends(rules: CompiledRules, n_nodes: int, room: TurnBuffers, work: SolverRecord, dice: Dice) -> Any:
    """Add the ends of the turn at its nodes, without dominated ends."""
    for node in range(n_nodes):
        if not ends_no_better(node, n_nodes, room.own_states):
            first = work.top
            wrong = expand_move(rules, END, node, room, work, dice)
            if wrong != g.DONE:
                return wrong
            if not _add_line(first, room, work):
                return g.NO_LINES
    return g.DONE


@kernel
def _add_line(first: int, room: TurnBuffers, work: SolverRecord) -> Any:
    """Record that a line's outcomes begin at `first`. Return False if the array is full."""
    lines = room.lines
    if work.n_lines == len(lines):
        return False
    lines[work.n_lines] = first
    work.n_lines += 1
    return True


@kernel
def add_to_key(outcome: OutcomeRecord, work: SolverRecord) -> None:
    """Add the HP and potions used to the key, so that positions reached at different costs stay distinct."""
    work.key[0] += np.uint64(outcome.loss + 1024 * outcome.used) * _PRIME


@kernel
def _keep_node(room: TurnBuffers, work: SolverRecord, n_nodes: int, at_node: int) -> Any:
    """Keep the outcome at `work.top` as a position within the turn, if it is new. Return the number of nodes.

    If less HP of the enemy is never worse (`dominates`), positions that differ only in them are merged; the least HP
    stay.
    """
    words, nodes, slots = room.words, room.nodes, room.slots
    here = work.top
    fight, outcome = room.states[here], room.outcomes[here]
    hp = fight.hp[1]
    if work.dominates:
        fight.hp[1] = 0
    set_key(words, here, fight, work)
    fight.hp[1] = hp
    add_to_key(outcome, work)
    mask = len(slots) - 1
    slot = np.int64(work.key[0] & np.uint64(mask))
    node = n_nodes
    while slots[slot, 0] == work.stamp:
        known = slots[slot, 1]
        if nodes[known].key[0] == work.key[0] and nodes[known].key[1] == work.key[1]:
            if not work.dominates or room.own_states[known].hp[1] <= hp:
                return n_nodes
            if known > at_node:
                node = known
            break
        slot = (slot + 1) & mask
    slots[slot, 0] = work.stamp
    slots[slot, 1] = node
    copy_words(room.own_words, node, words, here)
    nodes[node].key[0], nodes[node].key[1] = work.key[0], work.key[1]
    nodes[node].loss, nodes[node].used = outcome.loss, outcome.used
    return max(n_nodes, node + 1)
