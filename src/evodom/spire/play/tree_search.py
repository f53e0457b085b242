"""Tree search of one position of a fight, and the tasks of a search thread.

A simulation

1. selects moves from the root on by PUCT until it meets a position that is new or over,
2. evaluates that position (`evaluation.evaluate`),
3. backs its value up along the path.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import Words, copy_words, kernel, key_of
from evodom.search.selection import compiled_n_rounds, compiled_round_size
from evodom.spire.engine import layout as at
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord
from evodom.spire.engine.moves import legal, play
from evodom.spire.play import tree
from evodom.spire.play.evaluation import evaluate, payoff_if_won_now, select_style
from evodom.spire.play.network import observe
from evodom.spire.play.playouts import find_lethal_move

SEARCH, ADVANCE, PLAY = range(3)
"""Tasks of `run_task`."""

STEP = np.dtype([("value", "<f8"), ("death", "<f8"), ("value_if_won", "<f8"), ("best", "<i4"), ("move", "<i4")])
"""A searched position of a trajectory.

value         its value by the search
death         the probability of losing by the search
value_if_won  the payoff if the fight were won immediately
best          whether the best move was played
move          the played move
"""


class TrajectoryBuffers(NamedTuple):
    """Buffers of a trajectory: features (n, inputs), visit shares (n, outputs), and steps (n,) of STEP."""

    features: npt.NDArray[np.float32]
    visit_shares: npt.NDArray[np.float32]
    steps: npt.NDArray[Any]


class FightInPlay(NamedTuple):
    """A fight being played.

    record    its state
    position  the same state as words, in row 0
    chance    its random stream; the search has another, so the search does not change outcomes of the fight
    """

    record: FightRecord
    position: Words
    chance: Dice


@kernel
def search(rules: CompiledRules, workspace: tree.TreeWorkspace, position: Words, n_simulations: int) -> int:
    """Search the position in row 0 of `position`. Return its node. Keep the earlier tree if it has space."""
    record = workspace.search
    if record.n_nodes + n_simulations + 2 > len(workspace.nodes) or record.n_edges > len(workspace.edges) // 2:
        tree.clear(workspace)
    copy_words(workspace.words, 0, position, 0)
    root = find_node(rules, workspace)
    record.chosen = tree.NONE
    select_style(rules, workspace, root, n_simulations)
    if not simulate(rules, workspace, root, tree.NONE):
        return root
    if record.noise > 0.0:
        tree.add_noise(workspace, root)
    if record.gumbel > 0 and workspace.nodes[root].n > 1:
        search_by_halving(rules, workspace, root, n_simulations - 1)
        return root
    for _ in range(n_simulations - 1):
        if not simulate(rules, workspace, root, tree.NONE):
            break
    return root


@kernel
def search_by_halving(rules: CompiledRules, workspace: tree.TreeWorkspace, root: int, n_left: int) -> None:
    """Spend `n_left` simulations on moves of the root by sequential halving. Write the edge to `record.chosen`."""
    record = workspace.search
    n = tree.draw_candidates(workspace, root)
    rounds = compiled_n_rounds(n)
    while n_left > 0:
        size = compiled_round_size(n_left, n, rounds)
        for number in range(min(size, n_left)):
            if not simulate(rules, workspace, root, record.candidates[number % n]):
                n_left = 0
        n_left -= size
        n = tree.halve(workspace, root, n)
        rounds = max(rounds - 1, 1)
    while n > 1:
        n = tree.halve(workspace, root, n)
    record.chosen = record.candidates[0]


@kernel
def simulate(rules: CompiledRules, workspace: tree.TreeWorkspace, root: int, forced: int) -> bool:
    """Run a simulation that begins with the edge `forced`, unless that is NONE. Return False if there is no space."""
    states, nodes, edges, record = workspace.states, workspace.nodes, workspace.edges, workspace.search
    node, depth = root, 0
    while states[node].over == at.PLAYING and nodes[node].visits > 0 and depth < len(record.path):
        edge = forced if depth == 0 and forced != tree.NONE else tree.choose_edge(nodes, edges, record, node)
        record.path[depth] = edge
        depth += 1
        node = follow(rules, workspace, node, edge)
        if node == tree.NONE:
            return False
    if nodes[node].visits == 0:
        evaluate(rules, workspace, node)
    value, loss = nodes[node].value, nodes[node].loss
    nodes[node].visits += 1
    for place in range(depth - 1, -1, -1):
        tried = edges[record.path[place]]
        tried.visits += 1
        tried.total += value
        tried.losses += loss
        nodes[tried.node].visits += 1
        tree.update_value(nodes, edges, tried.node)
    return True


@kernel
def follow(rules: CompiledRules, workspace: tree.TreeWorkspace, node: int, edge: int) -> int:
    """Play the move of an edge and return the node that it leads to; NONE if there is no space for it."""
    tried = workspace.edges[edge]
    if tried.child != tree.NONE:
        return int(tried.child)
    copy_words(workspace.words, 0, workspace.words, node)
    before = workspace.chance.stream[0]
    play(rules, workspace.states[0], tried.action, workspace.chance)
    child = find_node(rules, workspace)
    if child != tree.NONE and workspace.chance.stream[0] == before:
        tried.child = child
    return child


@kernel
def find_node(rules: CompiledRules, workspace: tree.TreeWorkspace) -> int:
    """Return the node of the position in row 0. Add the node if there is none; return NONE if there is no space."""
    words, nodes, edges, table = workspace.words, workspace.nodes, workspace.edges, workspace.table
    record = workspace.search
    key = key_of(words, 0)
    slot = np.int64(key % np.uint64(len(table)))
    node = table[slot]
    while node != tree.NONE:
        if nodes[node].key == key:
            return int(node)
        node = nodes[node].next
    if record.n_nodes == len(nodes):
        return tree.NONE
    n = legal(rules, workspace.states[0], record.actions)
    if record.n_edges + n > len(edges):
        return tree.NONE
    node = record.n_nodes
    record.n_nodes += 1
    copy_words(words, node, words, 0)
    nodes[node].key = key
    nodes[node].first = record.n_edges
    nodes[node].n = n
    nodes[node].visits = 0
    nodes[node].value = 0.0
    nodes[node].loss = 0.0
    nodes[node].next = table[slot]
    table[slot] = node
    for place in range(n):
        edge = edges[record.n_edges]
        edge.action = record.actions[place]
        edge.visits = 0
        edge.child = tree.NONE
        edge.node = node
        edge.total = 0.0
        edge.losses = 0.0
        edge.prior = 1.0
        record.n_edges += 1
    return int(node)


@kernel
def run_task(
    rules: CompiledRules,
    workspace: tree.TreeWorkspace,
    buffers: TrajectoryBuffers,
    fight: FightInPlay,
    n_simulations: int,
    task: int,
) -> int:
    """Run a task with a fight.

    SEARCH   search the position of the fight; return its node
    ADVANCE  play the fight up to the next position that needs a search; return 0
    PLAY     play the fight to its end, and search each position that needs it; return the number of searches

    A position needs no search if only one move is legal. With `plays_lethal_moves` it also needs no search if a lethal
    sequence without loss of HP begins there and the player has no Regen. PLAY records the searched positions until the
    buffers are full. A fight with more moves than `max_moves` ends as LATE.

    One kernel for all tasks halves the compile time.
    """
    record, position, chance = fight
    if task == SEARCH:
        return search(rules, workspace, position, n_simulations)
    options = workspace.evaluator.options
    moves = workspace.search.actions  # a buffer that each search overwrites
    n_searched, n_played = 0, 0
    if task == PLAY:
        tree.clear(workspace)
    while record.over == at.PLAYING:
        if n_played == options.max_moves:
            record.over = at.LATE
            break
        n_played += 1
        n = legal(rules, record, moves)
        move = moves[0]
        if n > 1:
            lethal = tree.NONE
            if options.plays_lethal_moves and record.powers[at.REGEN] == 0:
                copy_words(workspace.words, 0, position, 0)
                lethal = find_lethal_move(rules, workspace)
            if lethal != tree.NONE:
                move = lethal
            elif task == ADVANCE:
                break
            else:
                root = search(rules, workspace, position, n_simulations)
                edge = select_edge(workspace, buffers, root, n_searched)
                move = workspace.edges[edge].action
                n_searched += 1
        play(rules, record, move, chance)
    return n_searched


@kernel
def select_edge(workspace: tree.TreeWorkspace, buffers: TrajectoryBuffers, root: int, number: int) -> int:
    """Return the edge to play after a search: the best or a sampled edge. Record the position as step `number`."""
    nodes, edges, options = workspace.nodes, workspace.edges, workspace.evaluator.options
    best = workspace.search.chosen if workspace.search.chosen != tree.NONE else tree.best_edge(nodes, edges, root)
    edge = tree.sample_edge(nodes, edges, root, workspace.chance) if options.samples_moves else best
    if number < len(buffers.steps):
        evaluator, fight = workspace.evaluator, workspace.states[root]
        observe(fight, evaluator.state_numbers, root, evaluator.inputs, options.policy, buffers.features[number])
        write_shares(workspace, root, buffers.visit_shares[number])
        step = buffers.steps[number]
        step.value = nodes[root].value
        step.death = nodes[root].loss
        step.value_if_won = payoff_if_won_now(fight, options.prices)
        step.best = edge == best
        step.move = edges[edge].action
    return edge


@kernel
def write_shares(workspace: tree.TreeWorkspace, root: int, shares: npt.NDArray[np.float32]) -> None:
    """Write the share of a root's visits by output of the network; -1 for outputs without a legal move.

    Moves with the same output, such as all unknown moves, add up their shares.
    """
    edges, first, n = workspace.edges, workspace.nodes[root].first, workspace.nodes[root].n
    total = 0
    for edge in range(first, first + n):
        total += edges[edge].visits
    total = max(total, 1)
    for output in range(len(shares)):
        shares[output] = np.float32(-1.0)
    for edge in range(first, first + n):
        output = workspace.evaluator.options.output_of_move[edges[edge].action]
        shares[output] = max(shares[output], np.float32(0.0)) + np.float32(edges[edge].visits / total)
