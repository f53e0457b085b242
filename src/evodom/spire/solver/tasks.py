"""The one compiled entry of the solver: each task is a number."""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import CompiledRules
from evodom.spire.solver.explore import begin_fight, begin_move, explore
from evodom.spire.solver.layout import SolverArrays
from evodom.spire.solver.table import index_rows
from evodom.spire.solver.values import follow, sweep, topological_order

BEGIN_FIGHT, BEGIN_MOVE, EXPLORE, ORDER, SWEEP, FOLLOW = range(6)


@kernel
def work_on(task: int, n: int, hp: int, price: float, rules: CompiledRules, arrays: SolverArrays) -> Any:
    """Do a task; return how it ended, or a number, as a float.

    BEGIN_FIGHT     make a row of up to `n` starts of the fight, with `hp`
    BEGIN_MOVE      make a row of the move `n` of the position at place 0
    EXPLORE         expand rows, for about `n` moves
    ORDER           put the rows below the root `hp` into the order, which has `n` now
    SWEEP, FOLLOW   solve the `n` rows of the order once, or follow the best play
    """
    room, graph, plan, work = arrays.room, arrays.graph, arrays.plan, arrays.work
    if work.n_rows_indexed < work.n_rows:
        index_rows(graph.rows, work.n_rows_indexed, work.n_rows, graph.row_index)
        work.n_rows_indexed = work.n_rows
    if work.n_turns_indexed < work.n_turns:
        index_rows(graph.turns, work.n_turns_indexed, work.n_turns, graph.turn_index)
        work.n_turns_indexed = work.n_turns
    if task == BEGIN_FIGHT:
        return float(begin_fight(rules, n, hp, arrays.start, room, graph, work, arrays.dice))
    if task == BEGIN_MOVE:
        return float(begin_move(rules, n, hp, room, graph, work, arrays.dice))
    if task == EXPLORE:
        return float(explore(rules, room, graph, work, arrays.dice, n))
    if task == ORDER:
        return float(topological_order(hp, graph, plan, n, work))
    if task == SWEEP:
        return sweep(n, price, graph, plan)
    return follow(n, price, graph, plan)
