"""Solve a position: a walk over all that may come of it, depth first, with a stack of its own.

A draw of cards is solved once and kept in the table; decisions are not kept, because hardly two draws lead to the same
hand and piles. A line of play is followed only for those HP for which it might be better than the best one so far, as
nobody has more after a fight than at the end of the line with what is healed after it.
"""

from typing import Any

from evodom.kernel import kernel
from evodom.spire.engine.layout import NONE
from evodom.spire.search.tree import payoff
from evodom.spire.solver.expand import add_leaf, expand_draw, expand_move, expand_start, expand_turn
from evodom.spire.solver.layout import (
    COMES_BACK,
    DONE,
    DRAW,
    MAX_DEPTH,
    MORE,
    MOVE,
    NO_ROWS,
    NO_VALUES,
    OVER,
    STARTING,
    TOO_DEEP,
    TURN,
)
from evodom.spire.solver.table import find_row, index_rows, set_key

NOTHING = -1e300
"""Less than any value."""


@kernel
def push(frames: Any, work: Any, kind: Any, node: Any, row: Any, lo: Any, hi: Any) -> Any:
    """Put a position to be solved on top of the others, for the HP from `lo` to `hi`."""
    if work.depth + 2 >= MAX_DEPTH:
        return TOO_DEEP
    work.depth += 1
    frame = frames[work.depth]
    frame.kind, frame.node, frame.row = kind, node, row
    frame.lo, frame.hi = lo, hi
    frame.expanded = frame.returned = frame.more = 0
    frame.top, frame.n_leaves = work.top, work.n_leaves
    return DONE


@kernel
def expand(
    rules: Any, frame: Any, best: Any, arrays: Any, start: Any, work: Any, dice: Any, opening: Any
) -> Any:
    """Expand the position of a frame into leaves, the most promising first."""
    words, states, outcomes, leaves, own_words, own_states, nodes, slots, _, _, _, _, _ = arrays
    work.top, work.n_leaves = frame.top, frame.n_leaves
    wrong, again = DONE, frame.more
    if frame.kind == TURN:
        wrong = expand_turn(
            rules, frame, words, states, outcomes, leaves, own_words, own_states, nodes, slots, work, dice
        )
    else:
        if frame.kind == DRAW:
            wrong = expand_draw(rules, frame, words, states, outcomes, work, dice)
        elif frame.kind == MOVE:
            wrong = expand_move(rules, frame.move, words, frame.node, 0, 0.0, words, states, outcomes, work, dice)
        else:
            group, known = start
            wrong = expand_start(rules, frame, words, states, outcomes, group, known, work, opening)
        if wrong == DONE:
            wrong = add_leaf(frame.top, states, outcomes, leaves, work)
    if wrong != DONE:
        work.top, work.n_leaves = frame.top, frame.n_leaves
        return wrong
    if frame.kind == TURN:
        work.n_turns += 1
        work.n_decisions += frame.hi - frame.lo + 1
        _sort(leaves, frame.n_leaves, work.n_leaves)
    frame.leaf, frame.last_leaf = frame.n_leaves, work.n_leaves
    frame.outcome = NONE
    frame.expanded = 1
    if not again:
        for hp in range(frame.lo, frame.hi + 1):
            best[hp] = NOTHING
    return DONE


@kernel
def _sort(leaves: Any, first: Any, last: Any) -> None:
    """Sort leaves by their scores, the lowest first; equal ones keep their order."""
    for place in range(first + 1, last):
        score, begin, n = leaves[place].score, leaves[place].first, leaves[place].n
        to = place
        while to > first and leaves[to - 1].score > score:
            leaves[to].score, leaves[to].first, leaves[to].n = (
                leaves[to - 1].score, leaves[to - 1].first, leaves[to - 1].n,
            )  # fmt: skip
            to -= 1
        leaves[to].score, leaves[to].first, leaves[to].n = score, begin, n


@kernel
def begin_leaf(frame: Any, leaf: Any, outcomes: Any, best: Any, sums: Any, most: Any, work: Any) -> None:
    """Begin to add up a leaf, for the range of HP for which it may be better than the best one so far.

    `most` is the most that each HP can be worth. The range is empty if it never may be better.
    """
    frame.outcome = leaf.first
    frame.least, frame.most = frame.lo, frame.hi
    for hp in range(frame.lo, frame.hi + 1):
        sums[hp] = 0.0
    if frame.kind != TURN:
        return
    frame.least, frame.most = 1, 0
    for hp in range(frame.lo, frame.hi + 1):
        bound = 0.0
        for place in range(leaf.first, leaf.first + leaf.n):
            left = hp - outcomes[place].loss
            bound += outcomes[place].weight * ((most[left] if left > 0 else 0.0) - outcomes[place].cost)
        if bound > best[hp]:
            if frame.most == 0:
                frame.least = hp
            frame.most = hp


@kernel
def add(frame: Any, outcome: Any, sums: Any, values: Any, shift: Any) -> None:
    """Add an outcome to the sums of a leaf: `values` are by HP, from those of `shift` on. Who has no HP has lost."""
    for hp in range(frame.least, frame.most + 1):
        left = hp - outcome.loss
        value = values[left - shift] if left > 0 else 0.0
        sums[hp] += outcome.weight * (value - outcome.cost)


@kernel
def add_constant(frame: Any, outcome: Any, sums: Any, value: Any) -> None:
    """Add an outcome of one value, whatever the HP, to the sums of a leaf."""
    for hp in range(frame.least, frame.most + 1):
        sums[hp] += outcome.weight * (value - outcome.cost)


@kernel
def enter_outcome(
    rules: Any, frame: Any, sums: Any, ends: Any, frames: Any, arrays: Any, work: Any
) -> Any:
    """Add the outcome at hand to its leaf, or put it on the stack to be solved first."""
    words, states, outcomes, _, _, _, _, _, rows, index, values, _, _ = arrays
    outcome, fight = outcomes[frame.outcome], states[frame.outcome]
    lo, hi = max(frame.least - outcome.loss, 1), frame.most - outcome.loss
    if hi < 1:
        add_constant(frame, outcome, sums, 0.0)
    elif outcome.kind == OVER:
        if work.free:
            add(frame, outcome, sums, ends[fight.over], 0)
        else:
            add_constant(frame, outcome, sums, payoff(rules, fight, work.prices))
    elif outcome.kind == TURN:
        return push(frames, work, TURN, frame.outcome, NONE, lo, hi)
    else:
        set_key(words, frame.outcome, fight, work)
        row = find_row(work, rows, index)
        if row == NONE:
            return NO_ROWS
        if rows[row].lo <= lo and rows[row].hi >= hi:
            add(frame, outcome, sums, values[rows[row].first :], rows[row].lo)
        elif rows[row].busy > 0 and hi >= rows[row].busy:
            return COMES_BACK
        else:
            return _solve_row(frames, rows, row, frame.outcome, lo, hi, work)
    frame.outcome += 1
    return DONE


@kernel
def _solve_row(frames: Any, rows: Any, row: Any, node: Any, lo: Any, hi: Any, work: Any) -> Any:
    """Put a draw on the stack, for the HP that are asked for and those that it was solved for."""
    lo = max(lo - work.margin, 1)
    if rows[row].hi > 0:
        work.n_again += 1
        lo, hi = min(lo, rows[row].lo), max(hi, rows[row].hi)
        if rows[row].busy > 0:
            hi = min(hi, rows[row].busy - 1)
    wrong = push(frames, work, DRAW, node, row, lo, hi)
    if wrong == DONE:
        frames[work.depth].busy = rows[row].busy
        rows[row].busy = hi
    return wrong


@kernel
def finish(frame: Any, best: Any, rows: Any, values: Any, work: Any) -> Any:
    """Take a solved position off the stack; a draw is kept in the table."""
    if frame.row != NONE:
        n = frame.hi - frame.lo + 1
        if work.n_values + n > len(values):
            return NO_VALUES
        row = rows[frame.row]
        row.first, row.lo, row.hi = work.n_values, frame.lo, frame.hi
        row.busy = frame.busy
        for hp in range(frame.lo, frame.hi + 1):
            values[work.n_values + hp - frame.lo] = best[hp]
        work.n_values += n
    work.top, work.n_leaves = frame.top, frame.n_leaves
    work.depth -= 1
    return DONE


@kernel
def step(
    rules: Any, frames: Any, arrays: Any, start: Any, ends: Any, most: Any, work: Any, dice: Any, opening: Any
) -> Any:
    """Do the next thing for the position on top of the stack."""
    _, _, outcomes, leaves, _, _, _, _, rows, _, values, best, sums = arrays
    depth = work.depth
    frame = frames[depth]
    if not frame.expanded:
        return expand(rules, frame, best[depth], arrays, start, work, dice, opening)
    if frame.leaf == frame.last_leaf and frame.more:
        frame.expanded = 0
        return DONE
    if frame.leaf == frame.last_leaf:
        return finish(frame, best[depth], rows, values, work)
    leaf = leaves[frame.leaf]
    if frame.outcome == NONE:
        begin_leaf(frame, leaf, outcomes, best[depth], sums[depth], most, work)
        if frame.most == 0:
            frame.leaf += 1
            frame.outcome = NONE
            return DONE
    if frame.returned:
        frame.returned = 0
        add(frame, outcomes[frame.outcome], sums[depth], best[depth + 1], 0)
        frame.outcome += 1
    if frame.outcome < leaf.first + leaf.n:
        wrong = enter_outcome(rules, frame, sums[depth], ends, frames, arrays, work)
        if work.depth > depth:
            frame.returned = 1
        return wrong
    _end_leaf(frame, best[depth], sums[depth])
    return DONE


@kernel
def _end_leaf(frame: Any, best: Any, sums: Any) -> None:
    """Compare a leaf with the best one; the starts of a fight are added up over several leaves."""
    for hp in range(frame.least, frame.most + 1):
        if frame.kind == STARTING:
            best[hp] = sums[hp] + (best[hp] if best[hp] > NOTHING else 0.0)
        elif sums[hp] > best[hp]:
            best[hp] = sums[hp]
    frame.leaf += 1
    frame.outcome = NONE


@kernel
def walk(
    rules: Any,
    frames: Any,
    arrays: Any,
    start: Any,
    ends: Any,
    most: Any,
    work: Any,
    dice: Any,
    opening: Any,
    n_plays: Any,
) -> Any:
    """Go on solving the positions on the stack; return why it stopped, MORE after about so many moves."""
    index_rows(work, arrays[8], arrays[9])
    last = work.n_plays + n_plays
    while work.depth >= 0:
        wrong = step(rules, frames, arrays, start, ends, most, work, dice, opening)
        if wrong != DONE:
            return wrong
        if work.n_plays > last:
            return MORE
    return DONE
