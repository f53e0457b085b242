"""The tree of a search: positions in a table, their moves, and how often and how well each has been tried.

Equal positions are one node, in whatever order of cards they were reached. A move whose outcome is left to chance leads
to a node for each outcome that came up; what a move is worth is the mean of what came of it.
"""

from typing import Any, TypeAlias

import numpy as np

from evodom.kernel import kernel, next_word, random_float
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.layout import FIGHT, FLED, LOST, NONE, PLAYING, WON
from evodom.spire.engine.moves import END, N_MOVES, hp_left, legal, play
from evodom.spire.search.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, forward, look
from evodom.spire.search.rollout import HABITS, play_out

NODE = np.dtype(
    (
        np.record,
        [
            ("key", "<u8"),
            ("first", "<i4"),  # its edges
            ("n", "<i4"),
            ("visits", "<i4"),
            ("next", "<i4"),  # the next node of the same slot of the table
            ("value", "<f8"),
            ("death", "<f8"),
        ],
    )
)
"""A position: its moves, how often it was visited, and what it is worth by the moves that were tried most."""

EDGE = np.dtype(
    (
        np.record,
        [
            ("move", "<i4"),
            ("visits", "<i4"),
            ("child", "<i4"),  # the node it leads to, where chance has no part in it; NONE otherwise or not yet
            ("node", "<i4"),
            ("total", "<f8"),
            ("deaths", "<f8"),
            ("prior", "<f8"),
        ],
    )
)
"""A move of a position: how often it was tried, the sums of its values and deaths, and how much likelier than the
average of the moves a network finds it."""

TREE = np.dtype(
    (
        np.record,
        [
            ("n_nodes", "<i4"),
            ("n_edges", "<i4"),
            ("low", "<f8"),  # the least and the greatest value there was
            ("high", "<f8"),
            ("exploration", "<f8"),
            ("rollouts", "<i4"),  # how often a new position is played out; 0: a network judges it
            ("habits", HABITS),
            ("payoff", "<f8", (4,)),
            ("moves", "<i4", (N_MOVES,)),
            ("path", "<i4", (512,)),
            # For networks.
            ("width", "<i4"),
            ("unit", "<f8"),  # what the gain of a network is measured in
            ("output", "<i4", (N_MOVES,)),
            ("paired", "<i4"),  # whether what follows the end of this turn is drawn alike, however it was played
            ("luck", "<u8", (2,)),  # what it is drawn from: a stream that begins anew for each try, and its seed
            ("shares", "<f8", (N_MOVES,)),
            ("noise", "<f8"),  # the share of noise in the priors of the root
            ("varied", "<i4"),  # whether moves are played in proportion to their visits
        ],
    )
)
"""What a tree needs besides: its sizes, the range of its values, how it searches, and room to work in."""

HP, WIN, POTION, GAIN = range(4)
"""The places of a payoff: what is paid for each HP left, for a win, for each potion used and each maximum HP gained."""

N_WORDS = FIGHT.itemsize // 8
EDGES_PER_NODE = 12

NOTE = np.dtype([("value", "<f8"), ("death", "<f8"), ("stands", "<f8"), ("best", "<i4")])
"""What is noted of a position that was searched: its value, its chance to be lost, what it would pay if it were won as
it stands, and whether the best move was played."""

Record: TypeAlias = Any

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)


@kernel
def key_of(words: Any, place: Any) -> Any:
    """Return a hash of 64 bits of the position at a place of `words`."""
    key = _FIRST
    for word in range(words.shape[1]):
        key = (key ^ words[place, word]) * _MULTIPLY
        key ^= key >> _SHIFT
    return key


@kernel
def copy_words(target: Any, place: Any, source: Any, row: Any) -> None:
    """Copy a row of words to a place."""
    for word in range(target.shape[1]):
        target[place, word] = source[row, word]


@kernel
def payoff(rules: Any, fight: Any, prices: Any) -> Any:
    """Return what a fight that is over pays."""
    won = fight.over == WON
    paid = prices[HP] * hp_left(rules, fight) + prices[WIN] * (won or fight.over == FLED)
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained * won


@kernel
def find_node(rules: Any, words: Any, states: Any, nodes: Any, edges: Any, table: Any, tree: Any) -> Any:
    """Return the node of the position at place 0 of `words`, made if it is new; NONE if there is no room."""
    key = key_of(words, 0)
    slot = np.int64(key % np.uint64(len(table)))
    node = table[slot]
    while node != NONE:
        if nodes[node].key == key:
            return node
        node = nodes[node].next
    if tree.n_nodes == len(nodes):
        return NONE
    n = legal(rules, states[0], tree.moves)
    if tree.n_edges + n > len(edges):
        return NONE
    node = tree.n_nodes
    tree.n_nodes += 1
    copy_words(words, node, words, 0)
    nodes[node].key = key
    nodes[node].first = tree.n_edges
    nodes[node].n = n
    nodes[node].visits = 0
    nodes[node].value = 0.0
    nodes[node].death = 0.0
    nodes[node].next = table[slot]
    table[slot] = node
    for place in range(n):
        edge = edges[tree.n_edges]
        edge.move = tree.moves[place]
        edge.visits = 0
        edge.child = NONE
        edge.node = node
        edge.total = 0.0
        edge.deaths = 0.0
        edge.prior = 1.0
        tree.n_edges += 1
    return node


@kernel
def clear(table: Any, tree: Any) -> None:
    """Empty a tree. Place 0 of its positions is where moves are tried."""
    for slot in range(len(table)):
        table[slot] = NONE
    tree.n_nodes = 1
    tree.n_edges = 0
    tree.low = 1e300
    tree.high = -1e300


@kernel
def value_of(nodes: Any, edges: Any, edge: Any) -> Any:
    """Return what a move that was tried is worth: the position it leads to, or the mean of what came of it."""
    child = edges[edge].child
    return nodes[child].value if child != NONE else edges[edge].total / edges[edge].visits


@kernel
def death_of(nodes: Any, edges: Any, edge: Any) -> Any:
    """Return the share of fights that are lost after a move that was tried."""
    child = edges[edge].child
    return nodes[child].death if child != NONE else edges[edge].deaths / edges[edge].visits


@kernel
def assess(nodes: Any, edges: Any, node: Any) -> None:
    """Find what a position is worth: the mean over its moves, weighted by the squares of how often they were tried."""
    total, value, death = 0.0, 0.0, 0.0
    for edge in range(nodes[node].first, nodes[node].first + nodes[node].n):
        tries = edges[edge].visits
        if tries > 0:
            weight = float(tries) * tries
            total += weight
            value += weight * value_of(nodes, edges, edge)
            death += weight * death_of(nodes, edges, edge)
    nodes[node].value = value / total
    nodes[node].death = death / total


@kernel
def choose_edge(nodes: Any, edges: Any, tree: Any, node: Any) -> Any:
    """Return the edge to try next: its value, scaled by the range of the tree, plus what is not known of it (PUCT)."""
    first, n, visits = nodes[node].first, nodes[node].n, nodes[node].visits
    span = tree.high - tree.low
    scale = 1.0 / span if span > 0.0 else 0.0
    unknown = nodes[node].value
    bonus = tree.exploration / n * np.sqrt(float(visits))
    best, best_score = first, -1e300
    for edge in range(first, first + n):
        tries = edges[edge].visits
        value = value_of(nodes, edges, edge) if tries else unknown
        score = value * scale + edges[edge].prior * bonus / (1.0 + tries)
        if score > best_score:
            best, best_score = edge, score
    return best


@kernel
def evaluate(rules: Any, node: Any, words: Any, states: Any, nodes: Any, tree: Any, dice: Any) -> None:
    """Find what a new node is worth: a fight that is over pays, another is played out a few times."""
    value, deaths = 0.0, 0.0
    n = tree.rollouts if states[node].over == PLAYING else 1
    for _ in range(n):
        copy_words(words, 0, words, node)
        play_out(rules, states[0], tree.habits, tree.moves, dice)
        value += payoff(rules, states[0], tree.payoff)
        deaths += 1.0 if states[0].over == LOST else 0.0
    nodes[node].value, nodes[node].death = value / n, deaths / n
    tree.low = min(tree.low, value / n)
    tree.high = max(tree.high, value / n)


@kernel
def judge(
    node: Any, states: Any, numbers: Any, nodes: Any, edges: Any, tree: Any, weights: Any, inputs: Any, scratch: Any
) -> None:
    """Ask the network what a new node is worth, and which of its moves are likely."""
    n_inputs, width = len(inputs), tree.width
    seen = scratch[:n_inputs]
    outputs = scratch[n_inputs + 2 * width :]
    look(states[node], numbers, node, inputs, tree.habits, seen)
    first = scratch[n_inputs : n_inputs + width]
    forward(weights, seen, first, scratch[n_inputs + width : n_inputs + 2 * width], outputs)
    value = as_it_stands(states[node], tree.payoff) + tree.unit * outputs[GAIN_OUTPUT]
    nodes[node].value = value
    nodes[node].death = 1.0 / (1.0 + np.exp(-outputs[DEATH_OUTPUT]))
    tree.low = min(tree.low, value)
    tree.high = max(tree.high, value)
    begin, n = nodes[node].first, nodes[node].n
    most, total = -1e30, 0.0
    for edge in range(begin, begin + n):
        most = max(most, outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]])
    for edge in range(begin, begin + n):
        edges[edge].prior = np.exp(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]] - most)
        total += edges[edge].prior
    for edge in range(begin, begin + n):
        edges[edge].prior *= n / total


@kernel
def as_it_stands(fight: Any, prices: Any) -> Any:
    """Return what a fight would pay if it were won as it stands."""
    paid = prices[HP] * fight.hp[PLAYER] + prices[WIN]
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained


@kernel
def simulate(
    rules: Any,
    root: Any,
    words: Any,
    states: Any,
    numbers: Any,
    nodes: Any,
    edges: Any,
    table: Any,
    tree: Any,
    dice: Any,
    weights: Any,
    inputs: Any,
    scratch: Any,
) -> Any:
    """Go down the tree once, add a node, and tell all moves on the way what came of it. False if there is no room."""
    node, depth, certain = root, 0, True
    while states[node].over == PLAYING and nodes[node].visits > 0 and depth < len(tree.path):
        edge = choose_edge(nodes, edges, tree, node)
        tree.path[depth] = edge
        depth += 1
        child = edges[edge].child
        if child == NONE:
            copy_words(words, 0, words, node)
            kept = dice.stream[0]
            if certain and tree.paired and edges[edge].move == END:
                tree.luck[0] = tree.luck[1] + np.uint64(edges[edge].visits)
                dice.stream[0] = next_word(tree.luck, 0)
            before = dice.stream[0]
            play(rules, states[0], edges[edge].move, dice)
            child = find_node(rules, words, states, nodes, edges, table, tree)
            if child == NONE:
                return False
            if dice.stream[0] == before:
                edges[edge].child = child
            else:
                certain = False
            if before != kept:
                dice.stream[0] = kept
        node = child
    if nodes[node].visits == 0:
        if tree.rollouts or states[node].over != PLAYING:
            evaluate(rules, node, words, states, nodes, tree, dice)
        else:
            judge(node, states, numbers, nodes, edges, tree, weights, inputs, scratch)
    value, death = nodes[node].value, nodes[node].death
    nodes[node].visits += 1
    for place in range(depth - 1, -1, -1):
        edge = edges[tree.path[place]]
        edge.visits += 1
        edge.total += value
        edge.deaths += death
        nodes[edge.node].visits += 1
        assess(nodes, edges, edge.node)
    return True


@kernel
def search(
    rules: Any,
    position: Any,
    n_simulations: Any,
    words: Any,
    states: Any,
    numbers: Any,
    nodes: Any,
    edges: Any,
    table: Any,
    tree: Any,
    dice: Any,
    weights: Any,
    inputs: Any,
    scratch: Any,
) -> Any:
    """Search a position, row 0 of `position`; return its node. What was found before is kept where there is room."""
    if tree.n_nodes + n_simulations + 2 > len(nodes) or tree.n_edges > len(edges) // 2:
        clear(table, tree)
    copy_words(words, 0, position, 0)
    root = find_node(rules, words, states, nodes, edges, table, tree)
    if tree.paired:
        tree.luck[1] = next_word(dice.stream, 0)
    for n in range(n_simulations):
        if not simulate(rules, root, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs, scratch):
            break
        if n == 0 and tree.noise > 0.0:
            add_noise(nodes, edges, root, tree, dice)
    return root


@kernel
def add_noise(nodes: Any, edges: Any, node: Any, tree: Any, dice: Any) -> None:
    """Mix noise into the priors of a node: shares that are uniform among all that add up to 1."""
    first, n = nodes[node].first, nodes[node].n
    total = 0.0
    for place in range(n):
        tree.shares[place] = -np.log(1.0 - random_float(dice.stream, 0))
        total += tree.shares[place]
    for place in range(n):
        edge = edges[first + place]
        edge.prior = (1.0 - tree.noise) * edge.prior + tree.noise * n * tree.shares[place] / total


@kernel
def best_edge(nodes: Any, edges: Any, node: Any) -> Any:
    """Return the edge that was tried most, of equal ones that with the greater value."""
    first = nodes[node].first
    best = first
    for edge in range(first + 1, first + nodes[node].n):
        more = edges[edge].visits > edges[best].visits
        as_many = edges[edge].visits == edges[best].visits > 0
        if more or (as_many and value_of(nodes, edges, edge) > value_of(nodes, edges, best)):
            best = edge
    return best


@kernel
def varied_edge(nodes: Any, edges: Any, node: Any, dice: Any) -> Any:
    """Return an edge drawn by how often each was tried."""
    first, last = nodes[node].first, nodes[node].first + nodes[node].n - 1
    total = 0
    for edge in range(first, last + 1):
        total += edges[edge].visits
    left = random_float(dice.stream, 0) * total
    edge = first
    while edge < last and left >= edges[edge].visits:
        left -= edges[edge].visits
        edge += 1
    return edge


@kernel
def note(nodes: Any, edges: Any, root: Any, tree: Any, outputs: Any) -> None:
    """Write how often each move was tried as shares of 1 into `outputs`, -1 for what is not legal."""
    first, n = nodes[root].first, nodes[root].n
    total = 0
    for edge in range(first, first + n):
        total += edges[edge].visits
    total = max(total, 1)
    for place in range(len(outputs)):
        outputs[place] = np.float32(-1.0)
    for edge in range(first, first + n):
        place = tree.output[edges[edge].move]
        outputs[place] = max(outputs[place], np.float32(0.0)) + np.float32(edges[edge].visits / total)


@kernel
def work(
    rules: Any,
    fight: Any,
    position: Any,
    n_simulations: Any,
    to_end: Any,
    words: Any,
    states: Any,
    numbers: Any,
    nodes: Any,
    edges: Any,
    table: Any,
    tree: Any,
    dice: Any,
    luck: Any,
    weights: Any,
    inputs: Any,
    scratch: Any,
    seen: Any,
    tried: Any,
    notes: Any,
) -> Any:
    """Search a fight, whose words are row 0 of `position`, and return its node; or play it `to_end` by searching.

    Then the number of moves that were searched is returned. The fight itself has dice of its own, `luck`: what chance
    does in it is the same for whoever plays. What is seen at each move, how often its moves were tried, and what came
    of it is noted as far as there is room. One kernel does all, for the sake of the time that compiling takes.
    """
    if not to_end:
        return search(
            rules, position, n_simulations, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs,
            scratch,
        )  # fmt: skip
    n_moves = 0
    clear(table, tree)
    while fight.over == PLAYING:
        n = legal(rules, fight, tree.moves)
        move = tree.moves[0]
        if n > 1:
            root = search(
                rules, position, n_simulations, words, states, numbers, nodes, edges, table, tree, dice, weights,
                inputs, scratch,
            )  # fmt: skip
            best = best_edge(nodes, edges, root)
            edge = varied_edge(nodes, edges, root, dice) if tree.varied else best
            if n_moves < len(notes):
                look(states[root], numbers, root, inputs, tree.habits, seen[n_moves])
                note(nodes, edges, root, tree, tried[n_moves])
                notes[n_moves].value = nodes[root].value
                notes[n_moves].death = nodes[root].death
                notes[n_moves].stands = as_it_stands(states[root], tree.payoff)
                notes[n_moves].best = edge == best
            move = edges[edge].move
            n_moves += 1
        play(rules, fight, move, luck)
    return n_moves
