"""Solve the graph of a fight: order its chance nodes, compute their values, and propagate probabilities.

Open it to change how values are computed. Python calls `topological_order`, `sweep` and `propagate`.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import Numbers
from evodom.spire.solver import graph as g
from evodom.spire.solver.graph import GraphArrays, SolutionArrays

MIN_VALUE, MAX_VALUE = -1e300, 1e300
"""Lower and upper bound of all values."""

TIE_TOLERANCE = 1e-9
"""Plans count as equal if their values differ by less than this."""

UNVISITED, ON_STACK, ORDERED, CHANGED, WAITING = range(5)
"""Marks of chance nodes: the first three in the depth-first search; CHANGED if the last sweep changed a value, WAITING
if the next sweep must update the node.
"""


@kernel
def topological_order(roots: Numbers, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Write the chance nodes below roots to `solution.order`, each after its successors.

    Search depth first, without recursion. An edge to a node on the stack closes a cycle. Return the number of nodes,
    and the number of edges that close cycles.
    """
    chance_nodes, decisions, branches, edges = graph.chance_nodes, graph.decisions, graph.branches, graph.edges
    order, marks, stack = solution.order, solution.marks, solution.stack
    n_ordered, n_cycle_edges = 0, 0
    for root in roots:
        if marks[root] != UNVISITED:
            continue
        depth = 0
        stack[0].node, stack[0].branch, stack[0].edge = root, 0, 0
        marks[root] = ON_STACK
        while depth >= 0:
            here = stack[depth]
            node = chance_nodes[here.node]
            if here.branch == node.n_branches:
                marks[here.node] = ORDERED
                order[n_ordered] = here.node
                n_ordered += 1
                depth -= 1
                continue
            decision = decisions[branches[node.first_branch + here.branch].decision]
            if here.edge == decision.n_edges:
                here.branch += 1
                here.edge = 0
                continue
            edge = edges[decision.first_edge + here.edge]
            here.edge += 1
            if edge.target < 0 or edge.hp_loss >= node.hp:
                continue
            if marks[edge.target] == UNVISITED:
                marks[edge.target] = ON_STACK
                depth += 1
                stack[depth].node, stack[depth].branch, stack[depth].edge = edge.target, 0, 0
            elif marks[edge.target] == ON_STACK:
                n_cycle_edges += 1
    return n_ordered, n_cycle_edges


@kernel
def update_node(node: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Recompute the values of a chance node for all HP. Return the largest change."""
    decisions, branches, edges = graph.decisions, graph.branches, graph.edges
    values, payoffs, potion_price, _ = solution.main
    best, plan_values, node_values = solution.best, solution.plan_values, solution.node_values
    here, offsets = graph.chance_nodes[node], solution.offsets
    max_hp = here.hp
    for hp in range(max_hp + 1):
        node_values[hp] = 0.0
    for branch in range(here.first_branch, here.first_branch + here.n_branches):
        decision = decisions[branches[branch].decision]
        for hp in range(max_hp + 1):
            best[hp] = MIN_VALUE
            plan_values[hp] = 0.0
        for place in range(decision.first_edge, decision.first_edge + decision.n_edges):
            edge = edges[place]
            probability, target, hp_loss = edge.probability, edge.target, edge.hp_loss
            if target >= 0:
                first = offsets[target] - hp_loss - 1
                for hp in range(hp_loss + 1, max_hp + 1):
                    plan_values[hp] += probability * values[first + hp]
            elif target < g.DEATH:
                for hp in range(hp_loss + 1, max_hp + 1):
                    plan_values[hp] += probability * payoffs[g.DEATH - 1 - target, hp - hp_loss]
            if edge.potions_used > 0:
                for hp in range(max_hp + 1):
                    plan_values[hp] -= probability * potion_price * edge.potions_used
            if edge.flags & g.LAST:
                for hp in range(max_hp + 1):
                    best[hp] = max(best[hp], plan_values[hp])
                    plan_values[hp] = 0.0
        for hp in range(max_hp + 1):
            node_values[hp] += branches[branch].probability * best[hp]
    change, first = 0.0, offsets[node] - 1
    for hp in range(1, max_hp + 1):
        change = max(change, abs(node_values[hp] - values[first + hp]))
        values[first + hp] = node_values[hp]
    return change


# Values of single plans.


@kernel
def edge_value(edge: g.EdgeRecord, hp: int, criterion: g.Criterion, offsets: Numbers) -> Any:
    """Return the value of an edge for a player who has `hp` before it."""
    value = -criterion.potion_price * edge.potions_used - criterion.turn_price * (edge.flags >= g.ENDS_TURN)
    left = hp - edge.hp_loss
    if left > 0 and edge.target >= 0:
        value += criterion.values[offsets[edge.target] + left - 1]
    elif left > 0 and edge.target < g.DEATH:
        value += criterion.payoffs[g.DEATH - 1 - edge.target, left]
    return value


@kernel
def best_plan(decision: g.DecisionNodeRecord, hp: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Return the first edge of the optimal plan of a decision, its value and its tie value.

    Of plans with equal values return that with the highest tie value. If these are equal too, return the last, with the
    most cards. Plans that wait could repeat forever.
    """
    edges, has_ties, unset = graph.edges, len(solution.tie.values) > 0, MAX_VALUE if solution.is_worst_case else 0.0
    first, begin, best, best_tie = decision.first_edge, decision.first_edge, MIN_VALUE, MIN_VALUE
    value, tie = unset, 0.0
    for place in range(decision.first_edge, decision.first_edge + decision.n_edges):
        edge = edges[place]
        if solution.is_worst_case:
            value = min(value, edge_value(edge, hp, solution.main, solution.offsets))
        else:
            value += edge.probability * edge_value(edge, hp, solution.main, solution.offsets)
        if has_ties:
            tie += edge.probability * edge_value(edge, hp, solution.tie, solution.offsets)
        if edge.flags & g.LAST:
            is_equal = value >= best - TIE_TOLERANCE
            if value > best + TIE_TOLERANCE or (is_equal and tie >= best_tie - TIE_TOLERANCE):
                first, best, best_tie = begin, max(value, best), tie
            begin, value, tie = place + 1, unset, 0.0
    return first, best, best_tie


@kernel
def update_node_by_plan(node: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Recompute the values and the tie values of a chance node for all HP. Return the largest change.

    Keep values that are means: `update_node` has computed them.
    """
    branches, here, change = graph.branches, graph.chance_nodes[node], 0.0
    first = solution.offsets[node] - 1
    for hp in range(1, here.hp + 1):
        worst, mean_tie = MAX_VALUE, 0.0
        for branch in range(here.first_branch, here.first_branch + here.n_branches):
            _, value, tie = best_plan(graph.decisions[branches[branch].decision], hp, graph, solution)
            worst = min(worst, value)
            mean_tie += branches[branch].probability * tie
        if solution.is_worst_case:
            change = max(change, abs(worst - solution.main.values[first + hp]))
            solution.main.values[first + hp] = worst
        if len(solution.tie.values) > 0:
            change = max(change, abs(mean_tie - solution.tie.values[first + hp]))
            solution.tie.values[first + hp] = mean_tie
    return change


@kernel
def sweep(n_ordered: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Update the chance nodes that wait or have a changed successor, in their order. Return the largest change.

    With tie values, or if values are worst cases, update both plan by plan.
    """
    order, marks = solution.order, solution.marks
    by_plan = solution.is_worst_case or len(solution.tie.values) > 0
    largest = 0.0
    for place in range(n_ordered):
        node, change = order[place], 0.0
        if marks[node] == WAITING or has_changed_successor(node, graph, solution):
            change = update_node_by_plan(node, graph, solution) if by_plan else update_node(node, graph, solution)
        marks[node] = CHANGED if change > 0.0 else ORDERED
        largest = max(largest, change)
    return largest


@kernel
def has_changed_successor(node: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Return whether the values of a successor of a chance node have changed since the node was updated."""
    decisions, branches, edges, here = graph.decisions, graph.branches, graph.edges, graph.chance_nodes[node]
    for branch in range(here.first_branch, here.first_branch + here.n_branches):
        decision = decisions[branches[branch].decision]
        for place in range(decision.first_edge, decision.first_edge + decision.n_edges):
            if edges[place].target >= 0 and solution.marks[edges[place].target] >= CHANGED:
                return True
    return False


# Optimal play.


@kernel
def propagate_node(node: int, hp: int, probability: float, graph: GraphArrays, solution: SolutionArrays) -> None:
    """Distribute the probability of a chance node with `hp` over its successors and ends under optimal play."""
    chance_nodes, decisions, branches, edges = graph.chance_nodes, graph.decisions, graph.branches, graph.edges
    offsets, reach_probability = solution.offsets, solution.reach_probability
    first = chance_nodes[node].first_branch
    for branch in range(first, first + chance_nodes[node].n_branches):
        decision = decisions[branches[branch].decision]
        place, _, _ = best_plan(decision, hp, graph, solution)
        while True:
            edge = edges[place]
            part, left = probability * branches[branch].probability * edge.probability, hp - edge.hp_loss
            if left > 0 and edge.target >= 0:
                reach_probability[offsets[edge.target] + left - 1] += part
            elif left > 0 and edge.target < g.DEATH:
                solution.end_probability[g.DEATH - 1 - edge.target, left] += part
            else:
                solution.end_probability[0, 0] += part
            if edge.flags & g.LAST:
                break
            place += 1


@kernel
def propagate(n_ordered: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Propagate the nodes' probabilities to the ends under optimal play. Return the probability left in cycles."""
    chance_nodes = graph.chance_nodes
    offsets, order, reach_probability = solution.offsets, solution.order, solution.reach_probability
    left = 0.0
    for place in range(n_ordered - 1, -1, -1):
        node = order[place]
        for hp in range(1, chance_nodes[node].hp + 1):
            probability = reach_probability[offsets[node] + hp - 1]
            if probability > 0.0:
                reach_probability[offsets[node] + hp - 1] = 0.0
                propagate_node(node, hp, probability, graph, solution)
    for place in range(n_ordered):
        node = order[place]
        for hp in range(1, chance_nodes[node].hp + 1):
            left += reach_probability[offsets[node] + hp - 1]
    return left
