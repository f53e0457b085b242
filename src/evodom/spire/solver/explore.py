"""Build the graph of a fight: every chance node that can be reached alive, its branches, decisions and edges.

Open it to change the creation of nodes or the order of their expansion. The HP of a chance node are the highest on
any path to it. In an `hp_independent` fight no edge raises the HP, and chance nodes are expanded in descending order of
HP. So a node has its final HP when it is expanded. In other fights the HP field of each node is 1.

A kernel that adds nodes returns a return code. If the code is not DONE, the kernel has removed the nodes again.
"""

from typing import Any

import numpy as np

from evodom.jit.kernel import copy_words, kernel
from evodom.spire.engine.layout import NONE, PLAYER, CompiledRules, FightRecord, Numbers
from evodom.spire.engine.moves import hp_left
from evodom.spire.solver import graph as g
from evodom.spire.solver.expand import add_costs_to_key, add_outcomes, enter_turn, expand_draw, expand_move, expand_turn
from evodom.spire.solver.graph import Buffers, GraphArrays, Records, SolverWorkspace
from evodom.spire.solver.table import find_node, pack, set_key, unpack

# Queue of chance nodes to expand: one doubly linked list for each number of HP.


@kernel
def relax(node: int, hp: int, chance_nodes: Records, queue_heads: Numbers, workspace: SolverWorkspace) -> None:
    """Raise a node's HP to `hp` and move it to the queue of these HP, unless it already has as many."""
    if chance_nodes[node].hp < hp:
        if chance_nodes[node].hp > 0:
            _remove(node, chance_nodes, queue_heads)
        chance_nodes[node].hp = hp
        _push(node, chance_nodes, queue_heads, workspace)


@kernel
def _push(node: int, chance_nodes: Records, queue_heads: Numbers, workspace: SolverWorkspace) -> None:
    """Add a node to the queue of its HP."""
    hp = chance_nodes[node].hp
    first = queue_heads[hp]
    chance_nodes[node].previous, chance_nodes[node].next = NONE, first
    if first != NONE:
        chance_nodes[first].previous = node
    queue_heads[hp] = node
    workspace.highest_hp = max(workspace.highest_hp, hp)


@kernel
def _remove(node: int, chance_nodes: Records, queue_heads: Numbers) -> None:
    """Remove a node from the queue of its HP."""
    previous, following = chance_nodes[node].previous, chance_nodes[node].next
    if previous == NONE:
        queue_heads[chance_nodes[node].hp] = following
    else:
        chance_nodes[previous].next = following
    if following != NONE:
        chance_nodes[following].previous = previous


# Nodes, branches and edges.


@kernel
def chance_node_of(place: int, kind: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Return the number of the chance node of an outcome. Add the node if there is none yet.

    If an array is full, return the negative of the return code.
    """
    words, states, workspace = buffers.words, buffers.states, buffers.workspace
    chance_nodes, chance_node_index, packed = graph.chance_nodes, graph.chance_node_index, graph.packed
    set_key(words, place, states[place], workspace)
    node, slot = find_node(workspace, chance_nodes, chance_node_index)
    if node != NONE:
        return node
    free: Any = np.int64(workspace.first_free_slot if workspace.first_free_slot != NONE else workspace.n_packed)
    if workspace.n_chance_nodes == len(chance_nodes) or free == len(packed):
        return np.int64(-g.CHANCE_NODES_FULL if workspace.n_chance_nodes == len(chance_nodes) else -g.PACKED_FULL)
    next_free = packed[free, 0]  # a free slot holds 1 + the next free slot
    if not pack(words, place, packed, free):
        packed[free, 0] = next_free
        return np.int64(-g.PACKED_TOO_NARROW)
    if free == workspace.n_packed:
        workspace.n_packed += 1
    else:
        following: Any = np.int64(next_free)
        workspace.first_free_slot = following - 1
    new: Any = np.int64(workspace.n_chance_nodes)
    workspace.n_chance_nodes = new + 1
    chance_node_index[slot] = new
    chance_nodes[new].key[0], chance_nodes[new].key[1] = workspace.key[0], workspace.key[1]
    node_record = chance_nodes[new]
    node_record.n_branches, node_record.hp, node_record.kind, node_record.slot = 0, 0, kind, free
    return new


@kernel
def end_of(rules: CompiledRules, fight: FightRecord, graph: GraphArrays, workspace: SolverWorkspace) -> Any:
    """Return the number of an end of the fight, at least 1; NONE if the array is full.

    If chance nodes represent all HP, the number of an end is `fight.over`.
    """
    ends = graph.ends
    if workspace.hp_independent:
        return np.int64(fight.over)
    hp, left, gained = fight.hp[PLAYER], hp_left(rules, fight), fight.gained
    for place in range(workspace.n_ends):
        end = ends[place]
        if end.over == fight.over and end.hp == hp and end.left == left and end.gained == gained:
            return np.int64(place + 1)
    new: Any = np.int64(workspace.n_ends)
    if new == len(ends):
        return np.int64(NONE)
    ends[new].over, ends[new].hp, ends[new].left, ends[new].gained = fight.over, hp, left, gained
    workspace.n_ends = new + 1
    return new + 1


@kernel
def add_edge(rules: CompiledRules, place: int, hp: int, is_last: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Add the edge of an outcome. `hp` is the HP before the plan. Return a return code."""
    edges, workspace = graph.edges, buffers.workspace
    if workspace.n_edges == len(edges):
        return g.EDGES_FULL
    outcome = buffers.outcomes[place]
    target = np.int64(g.DEATH)
    if outcome.hp_loss < hp:
        if outcome.kind == g.FIGHT_OVER:
            end = end_of(rules, buffers.states[place], graph, workspace)
            if end == NONE:
                return g.ENDS_FULL
            target = g.DEATH - 1 - end
        else:
            target = chance_node_of(place, outcome.kind, buffers, graph)
            if target < 0:
                return -target
    edge = edges[workspace.n_edges]
    edge.probability, edge.target = outcome.probability, target
    edge.hp_loss, edge.potions_used = outcome.hp_loss, outcome.potions_used
    edge.flags = g.LAST * is_last + g.ENDS_TURN * outcome.ends_turn
    workspace.n_edges += 1
    return g.DONE


@kernel
def add_plans(rules: CompiledRules, hp: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Add the edges of all expanded plans. Return a return code."""
    plan_starts, workspace = buffers.plan_starts, buffers.workspace
    for plan in range(workspace.n_plans):
        end = plan_starts[plan + 1] if plan + 1 < workspace.n_plans else workspace.n_outcomes
        for place in range(plan_starts[plan], end):
            code = add_edge(rules, place, hp, place == end - 1, buffers, graph)
            if code != g.DONE:
                return code
    return g.DONE


@kernel
def add_decision(first: int, graph: GraphArrays, workspace: SolverWorkspace) -> Any:
    """Create a decision node with the edges from `first` on. Return NONE if the array is full."""
    decisions = graph.decisions
    decision: Any = np.int64(workspace.n_decisions)
    if decision == len(decisions):
        return np.int64(NONE)
    decisions[decision].key[0], decisions[decision].key[1] = workspace.key[0], workspace.key[1]
    decisions[decision].first_edge, decisions[decision].n_edges = first, workspace.n_edges - first
    workspace.n_decisions = decision + 1
    return decision


@kernel
def decision_of(rules: CompiledRules, place: int, hp: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Return the number of the decision node of an outcome. Add the node if there is none yet.

    An outcome that is not a decision becomes a decision node with a single plan. If an array is full, return the
    negative of the return code.
    """
    outcomes, workspace = buffers.outcomes, buffers.workspace
    n_outcomes, first = workspace.n_outcomes, workspace.n_edges
    set_key(buffers.words, place, buffers.states[place], workspace)
    add_costs_to_key(outcomes[place], workspace)
    decision, slot = find_node(workspace, graph.decisions, graph.decision_index)
    if decision != NONE:
        return decision
    low, high = workspace.key[0], workspace.key[1]
    if outcomes[place].kind == g.DECISION:
        enter_turn(place, outcomes[place].hp_loss, outcomes[place].potions_used, buffers)
        code = expand_turn(rules, buffers)
        if code == g.DONE:
            code = add_plans(rules, hp, buffers, graph)
    else:
        probability = outcomes[place].probability
        outcomes[place].probability = 1.0
        code = add_edge(rules, place, hp, True, buffers, graph)
        outcomes[place].probability = probability
    workspace.n_outcomes = n_outcomes
    workspace.key[0], workspace.key[1] = low, high
    if code == g.DONE:
        decision = add_decision(first, graph, workspace)
        code = g.DONE if decision != NONE else g.DECISIONS_FULL
    if code != g.DONE:
        workspace.n_edges = first
        return np.int64(-code)
    graph.decision_index[slot] = decision
    return decision


@kernel
def add_branches(rules: CompiledRules, hp: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Add a branch for every outcome from 1 on. Return a return code."""
    outcomes, branches, workspace = buffers.outcomes, graph.branches, buffers.workspace
    first = workspace.n_branches
    for place in range(1, workspace.n_outcomes):
        decision = np.int64(-g.BRANCHES_FULL)
        if workspace.n_branches < len(branches):
            decision = decision_of(rules, place, hp, buffers, graph)
        if decision < 0:
            workspace.n_branches = first
            return -decision
        branch = branches[workspace.n_branches]
        branch.probability, branch.decision = outcomes[place].probability, decision
        workspace.n_branches += 1
    return g.DONE


# Chance nodes.


@kernel
def expand_chance_node(rules: CompiledRules, node: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Expand a chance node and relax its successors. Return a return code."""
    words, outcomes, workspace = buffers.words, buffers.outcomes, buffers.workspace
    chance_nodes, packed = graph.chance_nodes, graph.packed
    unpack(packed, chance_nodes[node].slot, words, 0)
    first, workspace.n_outcomes = workspace.n_branches, 1
    code = g.DONE
    if chance_nodes[node].kind == g.PENDING_DRAW:
        code = expand_draw(rules, 0, buffers)
    else:
        copy_words(words, 1, words, 0)
        outcomes[1].probability, outcomes[1].kind, outcomes[1].hp_loss, outcomes[1].potions_used = 1.0, g.DECISION, 0, 0
        workspace.n_outcomes = 2
    if code == g.DONE:
        code = add_branches(rules, chance_nodes[node].hp, buffers, graph)
    if code != g.DONE:
        return code
    chance_nodes[node].first_branch, chance_nodes[node].n_branches = first, workspace.n_branches - first
    relax_successors(node, graph, workspace)
    packed[chance_nodes[node].slot, 0] = workspace.first_free_slot + 1
    workspace.first_free_slot = chance_nodes[node].slot
    return g.DONE


@kernel
def relax_successors(node: int, graph: GraphArrays, workspace: SolverWorkspace) -> None:
    """Relax all successors of a chance node that are reached alive."""
    chance_nodes, queue_heads = graph.chance_nodes, graph.queue_heads
    decisions, branches, edges = graph.decisions, graph.branches, graph.edges
    hp, first, n = chance_nodes[node].hp, chance_nodes[node].first_branch, chance_nodes[node].n_branches
    for branch in range(first, first + n):
        decision = decisions[branches[branch].decision]
        for edge in range(decision.first_edge, decision.first_edge + decision.n_edges):
            if edges[edge].target >= 0 and edges[edge].hp_loss < hp:
                relax(edges[edge].target, hp - edges[edge].hp_loss, chance_nodes, queue_heads, workspace)


@kernel
def explore(rules: CompiledRules, n_moves: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Expand chance nodes until the queue is empty, or for about `n_moves` moves. Return a return code."""
    chance_nodes, queue_heads, workspace = graph.chance_nodes, graph.queue_heads, buffers.workspace
    last = workspace.n_moves + n_moves
    while workspace.highest_hp > 0:
        node = queue_heads[workspace.highest_hp]
        if node == NONE:
            workspace.highest_hp -= 1
            continue
        _remove(node, chance_nodes, queue_heads)
        n_played = workspace.n_moves
        code = expand_chance_node(rules, node, buffers, graph)
        if code != g.DONE:
            _push(node, chance_nodes, queue_heads, workspace)
            workspace.n_moves = n_played
            return code
        if workspace.n_moves > last:
            return g.UNFINISHED
    return g.DONE


# Roots. No outcome leads to a root or to the decision of a move root, so no lookup needs their keys. But an array that
# grows puts all nodes into its index. So they have their numbers as keys, which equal no key of a position.


@kernel
def add_root(first: int, hp: int, graph: GraphArrays, workspace: SolverWorkspace) -> Any:
    """Add a chance node with the branches from `first` on. Return a return code."""
    chance_nodes = graph.chance_nodes
    node: Any = np.int64(workspace.n_chance_nodes)
    if node == len(chance_nodes):
        workspace.n_branches = first
        return g.CHANCE_NODES_FULL
    chance_nodes[node].key[0], chance_nodes[node].key[1] = np.uint64(node), np.uint64(0)
    chance_nodes[node].kind, chance_nodes[node].slot, chance_nodes[node].hp = g.PENDING_DRAW, NONE, hp
    chance_nodes[node].first_branch, chance_nodes[node].n_branches = first, workspace.n_branches - first
    workspace.n_chance_nodes = node + 1
    relax_successors(node, graph, workspace)
    return g.DONE


@kernel
def add_fight_root(rules: CompiledRules, begin: int, n: int, hp: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Add a root whose branches are the next `n` initial states, or fewer. Return a return code.

    Outcome 0 is the fight before its start. `begin` is BEGIN minus the number of the mark of a burning elite.
    """
    workspace = buffers.workspace
    workspace.n_outcomes = 1
    first = workspace.n_branches
    code = add_outcomes(rules, begin, n, buffers.words, 0, buffers)
    if code == g.DONE:
        code = add_branches(rules, hp, buffers, graph)
    return add_root(first, hp, graph, workspace) if code == g.DONE else code


@kernel
def add_move_root(rules: CompiledRules, move: int, hp: int, buffers: Buffers, graph: GraphArrays) -> Any:
    """Add a root for a move of the position at outcome 0. Return a return code."""
    branches, workspace = graph.branches, buffers.workspace
    first_edge, first = workspace.n_edges, workspace.n_branches
    if first == len(branches):
        return g.BRANCHES_FULL
    workspace.n_outcomes, workspace.n_plans, buffers.plan_starts[0] = 1, 1, 1
    enter_turn(0, 0, 0, buffers)
    code = expand_move(rules, move, 0, buffers)
    if code == g.DONE:
        code = add_plans(rules, hp, buffers, graph)
    workspace.key[0] = workspace.key[1] = np.uint64(workspace.n_decisions)
    decision = add_decision(first_edge, graph, workspace) if code == g.DONE else np.int64(NONE)
    if decision != NONE:
        branches[first].probability, branches[first].decision = 1.0, decision
        workspace.n_branches += 1
        code = add_root(first, hp, graph, workspace)
    elif code == g.DONE:
        code = g.DECISIONS_FULL
    if code != g.DONE:
        workspace.n_edges = first_edge
    return code
