"""Build the graph of a fight: every row that can be reached alive, and its outcomes.

Open it to change how rows, hands, turns and edges are created. Rows are expanded in descending order of the HP with
which they are reached. HP only decrease, so no row is reached later with more HP than when it was expanded.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import copy_words, kernel
from evodom.spire.engine.layout import NONE, PLAYER, CompiledRules, Dice, FightRecord, Numbers
from evodom.spire.engine.moves import hp_left
from evodom.spire.solver import graph as g
from evodom.spire.solver.expand import add_to_key, enter_turn, expand_draw, expand_move, expand_start, expand_turn
from evodom.spire.solver.graph import FightStart, GraphArrays, Records, SolverRecord, TurnBuffers
from evodom.spire.solver.table import find, pack, set_key, unpack

# Bucket queue of unexpanded rows, by HP.


@kernel
def reach(row: int, hp: int, rows: Records, heads: Numbers, work: SolverRecord) -> None:
    """Raise the HP with which a row is reached to `hp`, and requeue it if they grew."""
    if rows[row].hp < hp:
        if rows[row].hp > 0:
            _leave(row, rows, heads)
        rows[row].hp = hp
        _wait(row, rows, heads, work)


@kernel
def _wait(row: int, rows: Records, heads: Numbers, work: SolverRecord) -> None:
    """Push a row onto the queue of its HP."""
    hp = rows[row].hp
    first = heads[hp]
    rows[row].before, rows[row].after = NONE, first
    if first != NONE:
        rows[first].before = row
    heads[hp] = row
    work.highest = max(work.highest, hp)


@kernel
def _leave(row: int, rows: Records, heads: Numbers) -> None:
    """Remove a row from the queue of its HP."""
    before, after = rows[row].before, rows[row].after
    if before == NONE:
        heads[rows[row].hp] = after
    else:
        rows[before].after = after
    if after != NONE:
        rows[after].before = before


# Rows, hands, turns and edges.


@kernel
def row_of(place: int, kind: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord) -> Any:
    """Return the row of an outcome, creating it if it is new; the negative return code if an array is full."""
    words, states = room.words, room.states
    rows, row_index, packed = graph.rows, graph.row_index, graph.packed
    set_key(words, place, states[place], work)
    row, slot = find(work, rows, row_index)
    if row != NONE:
        return row
    kept: Any = np.int64(work.free_slot if work.free_slot != NONE else work.n_slots)
    if work.n_rows == len(rows) or kept == len(packed):
        return np.int64(-g.NO_ROWS if work.n_rows == len(rows) else -g.NO_SLOTS)
    after = packed[kept, 0]
    if not pack(words, place, packed, kept):
        packed[kept, 0] = after
        return np.int64(-g.NARROW)
    if kept == work.n_slots:
        work.n_slots += 1
    else:
        free: Any = np.int64(after)
        work.free_slot = free - 1
    new: Any = np.int64(work.n_rows)
    work.n_rows = work.n_rows_indexed = new + 1
    row_index[slot] = new
    rows[new].key[0], rows[new].key[1] = work.key[0], work.key[1]
    rows[new].n_hands, rows[new].hp, rows[new].kind, rows[new].slot = 0, 0, kind, kept
    return new


@kernel
def end_of(rules: CompiledRules, fight: FightRecord, graph: GraphArrays, work: SolverRecord) -> Any:
    """Return the number of an end of the fight, from 1 on; NONE if the array is full.

    If rows cover all HP, it is `fight.over`.
    """
    ends = graph.ends
    if work.free:
        return np.int64(fight.over)
    hp, left, gained = fight.hp[PLAYER], hp_left(rules, fight), fight.gained
    for place in range(work.n_ends):
        end = ends[place]
        if end.over == fight.over and end.hp == hp and end.left == left and end.gained == gained:
            return np.int64(place + 1)
    new: Any = np.int64(work.n_ends)
    if new == len(ends):
        return np.int64(NONE)
    ends[new].over, ends[new].hp, ends[new].left, ends[new].gained = fight.over, hp, left, gained
    work.n_ends = new + 1
    return new + 1


@kernel
def add_edge(
    rules: CompiledRules, place: int, hp: int, last: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord
) -> Any:
    """Add an edge to an outcome, reached with `hp` before the cost of the way."""
    edges = graph.edges
    if work.n_edges == len(edges):
        return g.NO_EDGES
    outcome = room.outcomes[place]
    target = np.int64(g.DEAD)
    if outcome.loss < hp:
        if outcome.kind == g.OVER:
            end = end_of(rules, room.states[place], graph, work)
            if end == NONE:
                return g.NO_ENDS
            target = g.DEAD - 1 - end
        else:
            target = row_of(place, outcome.kind, room, graph, work)
            if target < 0:
                return -target
    edge = edges[work.n_edges]
    edge.weight, edge.target, edge.loss, edge.used, edge.last = outcome.weight, target, outcome.loss, outcome.used, last
    work.n_edges += 1
    return g.DONE


@kernel
def add_lines(rules: CompiledRules, hp: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord) -> Any:
    """Add the edges of all expanded lines."""
    lines = room.lines
    for line in range(work.n_lines):
        end = lines[line + 1] if line + 1 < work.n_lines else work.top
        for place in range(lines[line], end):
            wrong = add_edge(rules, place, hp, place == end - 1, room, graph, work)
            if wrong != g.DONE:
                return wrong
    return g.DONE


@kernel
def add_turn(first: int, graph: GraphArrays, work: SolverRecord) -> Any:
    """Create a turn with the edges from `first` on. Return NONE if the array is full."""
    turns = graph.turns
    turn: Any = np.int64(work.n_turns)
    if turn == len(turns):
        return np.int64(NONE)
    turns[turn].key[0], turns[turn].key[1] = work.key[0], work.key[1]
    turns[turn].edge, turns[turn].n = first, work.n_edges - first
    work.n_turns = turn + 1
    return turn


@kernel
def turn_of(
    rules: CompiledRules, place: int, hp: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord, dice: Dice
) -> Any:
    """Return the turn of an outcome, creating it if it is new; the negative return code if an array is full.

    An outcome that is not a decision becomes a turn with one line.
    """
    outcomes, turn_index = room.outcomes, graph.turn_index
    top, first = work.top, work.n_edges
    set_key(room.words, place, room.states[place], work)
    add_to_key(outcomes[place], work)
    turn, slot = find(work, graph.turns, turn_index)
    if turn != NONE:
        return turn
    one, two = work.key[0], work.key[1]
    if outcomes[place].kind == g.TURN:
        enter_turn(place, outcomes[place].loss, outcomes[place].used, room, work)
        wrong = expand_turn(rules, room, work, dice)
        if wrong == g.DONE:
            wrong = add_lines(rules, hp, room, graph, work)
    else:
        weight = outcomes[place].weight
        outcomes[place].weight = 1.0
        wrong = add_edge(rules, place, hp, True, room, graph, work)
        outcomes[place].weight = weight
    work.top = top
    work.key[0], work.key[1] = one, two
    if wrong == g.DONE:
        turn = add_turn(first, graph, work)
        wrong = g.DONE if turn != NONE else g.NO_TURNS
    if wrong != g.DONE:
        work.n_edges = first
        return np.int64(-wrong)
    turn_index[slot] = turn
    work.n_turns_indexed = work.n_turns
    return turn


@kernel
def add_hands(
    rules: CompiledRules, first: int, hp: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord, dice: Dice
) -> Any:
    """Create a hand for every outcome from `first` on."""
    outcomes, hands = room.outcomes, graph.hands
    for place in range(first, work.top):
        if work.n_hands == len(hands):
            return g.NO_HANDS
        turn = turn_of(rules, place, hp, room, graph, work, dice)
        if turn < 0:
            return -turn
        hands[work.n_hands].weight, hands[work.n_hands].turn = outcomes[place].weight, turn
        work.n_hands += 1
    return g.DONE


# Rows.


@kernel
def expand_row(
    rules: CompiledRules, row: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord, dice: Dice
) -> Any:
    """Expand a row and reach its successors."""
    words, outcomes = room.words, room.outcomes
    rows, packed = graph.rows, graph.packed
    unpack(packed, rows[row].slot, words, 0)
    hp, first, work.top = rows[row].hp, work.n_hands, 1
    wrong = g.DONE
    if rows[row].kind == g.DRAW:
        wrong = expand_draw(rules, 0, room, work, dice)
    else:
        copy_words(words, 1, words, 0)
        outcomes[1].weight, outcomes[1].kind, outcomes[1].loss, outcomes[1].used = 1.0, g.TURN, 0, 0
        work.top = 2
    if wrong == g.DONE:
        wrong = add_hands(rules, 1, hp, room, graph, work, dice)
    if wrong != g.DONE:
        work.n_hands = first
        return wrong
    rows[row].hand, rows[row].n_hands = first, work.n_hands - first
    reach_targets(row, graph, work)
    packed[rows[row].slot, 0] = work.free_slot + 1
    work.free_slot = rows[row].slot
    return g.DONE


@kernel
def reach_targets(row: int, graph: GraphArrays, work: SolverRecord) -> None:
    """Reach all successors of a row."""
    rows, turns, hands, edges, heads = graph.rows, graph.turns, graph.hands, graph.edges, graph.heads
    hp = rows[row].hp
    for hand in range(rows[row].hand, rows[row].hand + rows[row].n_hands):
        turn = turns[hands[hand].turn]
        for edge in range(turn.edge, turn.edge + turn.n):
            if edges[edge].target >= 0 and edges[edge].loss < hp:
                reach(edges[edge].target, hp - edges[edge].loss, rows, heads, work)


@kernel
def explore(
    rules: CompiledRules, room: TurnBuffers, graph: GraphArrays, work: SolverRecord, dice: Dice, n_plays: int
) -> Any:
    """Expand rows until none waits, or for about `n_plays` moves."""
    rows, heads = graph.rows, graph.heads
    last = work.n_plays + n_plays
    while work.highest > 0:
        row = heads[work.highest]
        if row == NONE:
            work.highest -= 1
            continue
        _leave(row, rows, heads)
        wrong = expand_row(rules, row, room, graph, work, dice)
        if wrong != g.DONE:
            _wait(row, rows, heads, work)
            return wrong
        if work.n_plays > last:
            return g.MORE
    return g.DONE


# Roots.


@kernel
def add_root(first: int, hp: int, graph: GraphArrays, work: SolverRecord) -> Any:
    """Create a row with the hands from `first` on. Return NONE if the array is full."""
    rows = graph.rows
    row: Any = np.int64(work.n_rows)
    if row == len(rows):
        return np.int64(NONE)
    # No position has such a key, and the index does not contain the row.
    rows[row].key[0], rows[row].key[1] = np.uint64(row), np.uint64(0)
    rows[row].kind, rows[row].slot, rows[row].hp = g.DRAW, NONE, hp
    rows[row].hand, rows[row].n_hands = first, work.n_hands - first
    work.n_rows = work.n_rows_indexed = row + 1
    reach_targets(row, graph, work)
    return row


@kernel
def begin_fight(
    rules: CompiledRules,
    n: int,
    hp: int,
    start: FightStart,
    room: TurnBuffers,
    graph: GraphArrays,
    work: SolverRecord,
    dice: Dice,
) -> Any:
    """Create a root of up to `n` further initial states. The empty record of the fight is at place 0."""
    work.top = 1
    first = work.n_hands
    wrong = expand_start(rules, n, room, start, work)
    if wrong == g.DONE:
        wrong = add_hands(rules, 1, hp, room, graph, work, dice)
    if wrong == g.DONE and add_root(first, hp, graph, work) == NONE:
        wrong = g.NO_ROWS
    return wrong


@kernel
def begin_move(
    rules: CompiledRules, move: int, hp: int, room: TurnBuffers, graph: GraphArrays, work: SolverRecord, dice: Dice
) -> Any:
    """Create a root of a move of the position at place 0."""
    lines, hands = room.lines, graph.hands
    if work.n_hands == len(hands):
        return g.NO_HANDS
    first_edge, first = work.n_edges, work.n_hands
    work.top, work.n_lines, lines[0] = 1, 1, 1
    enter_turn(0, 0, 0, room, work)
    wrong = expand_move(rules, move, 0, room, work, dice)
    if wrong == g.DONE:
        wrong = add_lines(rules, hp, room, graph, work)
    if wrong != g.DONE:
        return wrong
    work.key[0] = work.key[1] = np.uint64(work.n_turns)
    turn = add_turn(first_edge, graph, work)
    if turn == NONE:
        return g.NO_TURNS
    work.n_turns_indexed = work.n_turns
    hands[first].weight, hands[first].turn = 1.0, turn
    work.n_hands += 1
    return g.DONE if add_root(first, hp, graph, work) != NONE else g.NO_ROWS
