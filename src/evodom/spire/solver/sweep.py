"""Solve the graph of a fight: order its chance nodes, compute their values, and propagate probabilities.

Open it to change how values are computed. Python calls `topological_order`, `sweep` and `propagate`.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import Numbers
from evodom.spire.solver.graph import DEATH, DecisionNodeRecord, EdgeRecord, GraphArrays, SolutionArrays

MIN_VALUE = -1e300
"""Lower bound of all values."""

TIE_TOLERANCE = 1e-9
"""Plans count as equal if their values differ by less than this."""

UNVISITED, ON_STACK, ORDERED = range(3)
"""Marks of chance nodes in the depth-first search."""


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
    values, offsets, payoffs, best, plan_values, node_values = (
        solution.values, solution.offsets, solution.payoffs, solution.best, solution.plan_values, solution.node_values,
    )  # fmt: skip
    here = graph.chance_nodes[node]
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
            elif target < DEATH:
                for hp in range(hp_loss + 1, max_hp + 1):
                    plan_values[hp] += probability * payoffs[DEATH - 1 - target, hp - hp_loss]
            if edge.potions_used > 0:
                for hp in range(max_hp + 1):
                    plan_values[hp] -= probability * solution.potion_price * edge.potions_used
            if edge.last:
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


@kernel
def sweep(n_ordered: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Update all chance nodes once, in their order. Return the largest change of a value."""
    order = solution.order
    change = 0.0
    for place in range(n_ordered):
        change = max(change, update_node(order[place], graph, solution))
    return change


# Optimal play.


@kernel
def edge_value(edge: EdgeRecord, hp: int, solution: SolutionArrays) -> Any:
    """Return the value of an edge for a player who has `hp` before it."""
    value = -solution.potion_price * edge.potions_used
    left = hp - edge.hp_loss
    if left > 0 and edge.target >= 0:
        value += solution.values[solution.offsets[edge.target] + left - 1]
    elif left > 0 and edge.target < DEATH:
        value += solution.payoffs[DEATH - 1 - edge.target, left]
    return value


@kernel
def best_plan(decision: DecisionNodeRecord, hp: int, graph: GraphArrays, solution: SolutionArrays) -> Any:
    """Return the first edge of the optimal plan of a decision.

    Of plans with equal values return the last, with the most cards. Plans that wait could repeat forever.
    """
    edges = graph.edges
    best, first, begin, value = MIN_VALUE, decision.first_edge, decision.first_edge, 0.0
    for place in range(decision.first_edge, decision.first_edge + decision.n_edges):
        value += edges[place].probability * edge_value(edges[place], hp, solution)
        if edges[place].last:
            if value >= best - TIE_TOLERANCE:
                best, first = max(value, best), begin
            begin, value = place + 1, 0.0
    return first


@kernel
def propagate_node(node: int, hp: int, probability: float, graph: GraphArrays, solution: SolutionArrays) -> None:
    """Distribute the probability of a chance node with `hp` over its successors and ends under optimal play."""
    chance_nodes, decisions, branches, edges = graph.chance_nodes, graph.decisions, graph.branches, graph.edges
    offsets, reach_probability = solution.offsets, solution.reach_probability
    first = chance_nodes[node].first_branch
    for branch in range(first, first + chance_nodes[node].n_branches):
        decision = decisions[branches[branch].decision]
        place = best_plan(decision, hp, graph, solution)
        while True:
            edge = edges[place]
            part, left = probability * branches[branch].probability * edge.probability, hp - edge.hp_loss
            if left > 0 and edge.target >= 0:
                reach_probability[offsets[edge.target] + left - 1] += part
            elif left > 0 and edge.target < DEATH:
                solution.end_probability[DEATH - 1 - edge.target, left] += part
            else:
                solution.end_probability[0, 0] += part
            if edge.last:
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
