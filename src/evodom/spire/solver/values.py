"""Solve the graph of a fight: sort its rows, compute their values, follow optimal play.

Open it to change how values are computed. `work_on` is the single compiled entry point; each task is a number.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import CompiledRules
from evodom.spire.solver.explore import begin_fight, begin_move, explore
from evodom.spire.solver.graph import DEAD, EdgeRecord, GraphArrays, SolverArrays, SolverRecord, TurnRecord, ValueArrays
from evodom.spire.solver.table import index_rows

NOTHING = -1e300
"""Lower bound of all values."""

SLACK = 1e-9
"""Lines whose values differ by less count as equal."""

NEW, OPEN, SOLVED = range(3)


@kernel
def topological_order(root: int, graph: GraphArrays, plan: ValueArrays, n_done: int, work: SolverRecord) -> Any:
    """Append the rows reachable from a root to the order, each after its successors. Return its new length.

    An edge to an unfinished row closes a cycle; `work.n_back` counts these edges.
    """
    rows, turns, hands, edges = graph.rows, graph.turns, graph.hands, graph.edges
    order, marks, stack = plan.sequence, plan.marks, plan.stack
    if marks[root] != NEW:
        return n_done
    depth = 0
    stack[0].row, stack[0].hand, stack[0].edge = root, 0, 0
    marks[root] = OPEN
    while depth >= 0:
        here = stack[depth]
        row = rows[here.row]
        if here.hand == row.n_hands:
            marks[here.row] = SOLVED
            order[n_done] = here.row
            n_done += 1
            depth -= 1
            continue
        turn = turns[hands[row.hand + here.hand].turn]
        if here.edge == turn.n:
            here.hand += 1
            here.edge = 0
            continue
        edge = edges[turn.edge + here.edge]
        here.edge += 1
        if edge.target < 0 or edge.loss >= row.hp:
            continue
        if marks[edge.target] == NEW:
            marks[edge.target] = OPEN
            depth += 1
            stack[depth].row, stack[depth].hand, stack[depth].edge = edge.target, 0, 0
        elif marks[edge.target] == OPEN:
            work.n_back += 1
    return n_done


@kernel
def solve_row(row: int, price: float, graph: GraphArrays, plan: ValueArrays) -> Any:
    """Compute the values of a row for every number of HP. Return the largest change."""
    turns, hands, edges = graph.turns, graph.hands, graph.edges
    values, firsts, paid, best, sums, total = (
        plan.values, plan.firsts, plan.paid, plan.best, plan.sums, plan.total,
    )  # fmt: skip
    here = graph.rows[row]
    hp = here.hp
    for at in range(hp + 1):
        total[at] = 0.0
    for hand in range(here.hand, here.hand + here.n_hands):
        turn = turns[hands[hand].turn]
        for at in range(hp + 1):
            best[at] = NOTHING
            sums[at] = 0.0
        for place in range(turn.edge, turn.edge + turn.n):
            edge = edges[place]
            weight, target, loss = edge.weight, edge.target, edge.loss
            if target >= 0:
                first = firsts[target] - loss - 1
                for at in range(loss + 1, hp + 1):
                    sums[at] += weight * values[first + at]
            elif target < DEAD:
                for at in range(loss + 1, hp + 1):
                    sums[at] += weight * paid[DEAD - 1 - target, at - loss]
            if edge.used > 0:
                for at in range(hp + 1):
                    sums[at] -= weight * price * edge.used
            if edge.last:
                for at in range(hp + 1):
                    best[at] = max(best[at], sums[at])
                    sums[at] = 0.0
        for at in range(hp + 1):
            total[at] += hands[hand].weight * best[at]
    change, first = 0.0, firsts[row] - 1
    for at in range(1, hp + 1):
        change = max(change, abs(total[at] - values[first + at]))
        values[first + at] = total[at]
    return change


@kernel
def sweep(n_done: int, price: float, graph: GraphArrays, plan: ValueArrays) -> Any:
    """Solve all rows once, in their order. Return the largest change of a value."""
    order = plan.sequence
    change = 0.0
    for place in range(n_done):
        change = max(change, solve_row(order[place], price, graph, plan))
    return change


# Results of optimal play.


@kernel
def value_of_edge(edge: EdgeRecord, hp: int, price: float, plan: ValueArrays) -> Any:
    """Return the value of an edge with `hp` before it."""
    value = -price * edge.used
    left = hp - edge.loss
    if left > 0 and edge.target >= 0:
        value += plan.values[plan.firsts[edge.target] + left - 1]
    elif left > 0 and edge.target < DEAD:
        value += plan.paid[DEAD - 1 - edge.target, left]
    return value


@kernel
def best_line(turn: TurnRecord, hp: int, price: float, graph: GraphArrays, plan: ValueArrays) -> Any:
    """Return the first edge of the optimal line of a turn.

    Of equal lines it is the last, in which the most is played: waiting may be equal in value and never end.
    """
    edges = graph.edges
    best, first, begin, value = NOTHING, turn.edge, turn.edge, 0.0
    for place in range(turn.edge, turn.edge + turn.n):
        value += edges[place].weight * value_of_edge(edges[place], hp, price, plan)
        if edges[place].last:
            if value >= best - SLACK:
                best, first = max(value, best), begin
            begin, value = place + 1, 0.0
    return first


@kernel
def follow_row(row: int, hp: int, share: float, price: float, graph: GraphArrays, plan: ValueArrays) -> None:
    """Distribute the probability `share` of a row with `hp` over the outcomes of optimal play."""
    rows, turns, hands, edges = graph.rows, graph.turns, graph.hands, graph.edges
    firsts, mass, results = plan.firsts, plan.mass, plan.results
    for hand in range(rows[row].hand, rows[row].hand + rows[row].n_hands):
        turn = turns[hands[hand].turn]
        place = best_line(turn, hp, price, graph, plan)
        while True:
            edge = edges[place]
            part, left = share * hands[hand].weight * edge.weight, hp - edge.loss
            if left > 0 and edge.target >= 0:
                mass[firsts[edge.target] + left - 1] += part
            elif left > 0 and edge.target < DEAD:
                results[DEAD - 1 - edge.target, left] += part
            else:
                results[0, 0] += part
            if edge.last:
                break
            place += 1


@kernel
def follow(n_done: int, price: float, graph: GraphArrays, plan: ValueArrays) -> Any:
    """Propagate all probability from the roots to the ends. Return the probability left in cycles."""
    rows = graph.rows
    firsts, order, mass = plan.firsts, plan.sequence, plan.mass
    left = 0.0
    for place in range(n_done - 1, -1, -1):
        row = order[place]
        for hp in range(1, rows[row].hp + 1):
            share = mass[firsts[row] + hp - 1]
            if share > 0.0:
                mass[firsts[row] + hp - 1] = 0.0
                follow_row(row, hp, share, price, graph, plan)
    for place in range(n_done):
        row = order[place]
        for hp in range(1, rows[row].hp + 1):
            left += mass[firsts[row] + hp - 1]
    return left


BEGIN_FIGHT, BEGIN_MOVE, EXPLORE, ORDER, SWEEP, FOLLOW = range(6)


@kernel
def work_on(task: int, n: int, hp: int, price: float, rules: CompiledRules, arrays: SolverArrays) -> Any:
    """Run a task. Return its return code, or a number, as a float.

    BEGIN_FIGHT     create a root of up to `n` initial states of the fight, with `hp`
    BEGIN_MOVE      create a root of the move `n` of the position at place 0, with `hp`
    EXPLORE         expand rows, for about `n` moves; return DONE, MORE or an error code
    ORDER           append the rows below the root `hp` to the order of length `n`; return its new length
    SWEEP           solve the first `n` rows of the order once; return the largest change
    FOLLOW          follow optimal play through the first `n` rows; return the probability left in cycles
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
