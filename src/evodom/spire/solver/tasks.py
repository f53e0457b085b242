"""The one compiled entry of the solver: each task is a number."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import NONE
from evodom.spire.solver.explore import begin_fight, begin_move, explore, reach, row_of
from evodom.spire.solver.layout import HEADS, ROW_INDEX, ROWS, TURN_INDEX, TURNS
from evodom.spire.solver.table import index_rows
from evodom.spire.solver.values import follow, put_in_order, sweep

BEGIN_FIGHT, BEGIN_POSITION, BEGIN_MOVE, EXPLORE, ORDER, SWEEP, FOLLOW = range(7)


@kernel
def work_on(
    task: Any,
    n: Any,
    hp: Any,
    price: Any,
    rules: Any,
    start: Any,
    room: Any,
    graph: Any,
    plan: Any,
    work: Any,
    dice: Any,
    opening: Any,
) -> Any:
    """Do a task; return how it ended, or a number, as a float.

    BEGIN_FIGHT     make a row of up to `n` starts of the fight `start`, with `hp`
    BEGIN_POSITION  make the position at place 0 a row, which is of kind `n`
    BEGIN_MOVE      make a row of the move `n` of the position at place 0
    EXPLORE         expand rows, for about `n` moves
    ORDER           put the rows below the root `hp` into the order, which has `n` now
    SWEEP, FOLLOW   solve the `n` rows of the order once, or follow the best play
    """
    rows, row_index, turns, turn_index = graph[ROWS], graph[ROW_INDEX], graph[TURNS], graph[TURN_INDEX]
    if work.n_rows_indexed < work.n_rows:
        index_rows(rows, work.n_rows_indexed, work.n_rows, row_index)
        work.n_rows_indexed = work.n_rows
    if work.n_turns_indexed < work.n_turns:
        index_rows(turns, work.n_turns_indexed, work.n_turns, turn_index)
        work.n_turns_indexed = work.n_turns
    if task == BEGIN_FIGHT:
        group, known = start
        return float(begin_fight(rules, n, hp, group, known, room, graph, work, opening, dice))
    if task == BEGIN_POSITION:
        row = row_of(0, n, room, graph, work)
        if row > NONE:
            reach(row, hp, rows, graph[HEADS], work)
        return float(row)
    if task == BEGIN_MOVE:
        return float(begin_move(rules, n, hp, room, graph, work, dice))
    if task == EXPLORE:
        return float(explore(rules, room, graph, work, dice, n))
    if task == ORDER:
        return float(put_in_order(hp, graph, plan, n, work))
    if task == SWEEP:
        return sweep(n, price, graph, plan)
    return follow(n, price, graph, plan)
