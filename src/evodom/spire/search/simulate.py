"""Search a fight: go down the tree, judge new positions, and play by what was found.

A new position is played out a few times, or a network judges it; everything else is the same. Where positions are
played out, their moves are as likely as in the playouts, about.
"""

from typing import Any

import numpy as np

from evodom.kernel import kernel, random_float
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.layout import FLED, LATE, LOST, N_FIGHTERS, NONE, PLAYING, WON
from evodom.spire.engine.moves import hp_left, legal, play
from evodom.spire.search.finishing import finishing_place, wins_at_once
from evodom.spire.search.halving import consider, halve, halvings
from evodom.spire.search.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, forward, look
from evodom.spire.search.rollout import STYLES, play_out, weigh
from evodom.spire.search.tree import (
    GAIN,
    HP,
    POTION,
    WIN,
    assess,
    best_edge,
    choose_edge,
    clear,
    copy_words,
    find_node,
    varied_edge,
)

LIKELY, FINISHING = 0.6, 20.0
"""The prior of a move is the power of its weight in playouts, times `FINISHING` if it begins to end the fight."""

TRIALS = 1 / 16
"""The share of a search's simulations that is played out in each style before it."""

SEARCH, ADVANCE, PLAY = range(3)
"""What `work` does: search a position, play a fight up to the next decision, or play it to its end."""

PROGRESS = 1e-5
"""What each HP that the enemies have left counts for when styles are compared, as a share of the most that is paid."""


@kernel
def payoff(rules: Any, fight: Any, prices: Any) -> Any:
    """Return what a fight that is over pays."""
    won = fight.over == WON
    paid = prices[HP] * hp_left(rules, fight) + prices[WIN] * (won or fight.over == FLED)
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained * won


@kernel
def as_it_stands(fight: Any, prices: Any) -> Any:
    """Return what a fight would pay if it were won as it stands."""
    paid = prices[HP] * fight.hp[PLAYER] + prices[WIN]
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained


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
def expect(rules: Any, node: Any, states: Any, nodes: Any, edges: Any, tree: Any) -> None:
    """Say which moves of a node are likely: those that the habits weigh most."""
    n, first, habits = legal(rules, states[node], tree.moves), nodes[node].first, tree.habits
    weigh(rules, states[node], n, habits, tree.moves)
    finish = finishing_place(rules, states[node], n, habits, tree.moves)
    if finish != NONE:
        habits.weights[finish] *= FINISHING
    total = 0.0
    for place in range(n):
        edges[first + place].prior = habits.weights[place] ** LIKELY
        total += edges[first + place].prior
    for place in range(n):
        edges[first + place].prior *= n / total


@kernel
def remaining(fight: Any) -> Any:
    """Return the HP that the enemies have left."""
    left = 0
    for enemy in range(1, N_FIGHTERS):
        left += max(fight.hp[enemy], 0)
    return left


@kernel
def choose_style(rules: Any, root: Any, n: Any, words: Any, states: Any, tree: Any, dice: Any) -> None:
    """Play a position out `n` times in each style, and go on in that which comes to most.

    What was found at earlier positions of the fight counts half as much each time. Where all styles lose, that is
    best which leaves the enemies the fewest HP.
    """
    best, best_value = 0, -1e300
    for style in range(len(STYLES)):
        tried = tree.styles[style]
        tried[0] *= 0.5
        tried[1] *= 0.5
        tree.habits.needed_block = STYLES[style]
        for _ in range(n):
            copy_words(words, 0, words, root)
            play_out(rules, states[0], tree.habits, tree.moves, dice)
            tried[0] += payoff(rules, states[0], tree.payoff) - PROGRESS * tree.unit * remaining(states[0])
            tried[1] += 1.0
        if tried[0] / tried[1] > best_value:
            best, best_value = style, tried[0] / tried[1]
    tree.habits.needed_block = STYLES[best]


@kernel
def judge(
    node: Any, states: Any, numbers: Any, nodes: Any, edges: Any, tree: Any, weights: Any, inputs: Any, scratch: Any
) -> None:
    """Ask the network what a new node is worth, and which of its moves are likely.

    Where the position was played out too, both are weighed, each with its share.
    """
    n_inputs, width, own = len(inputs), tree.width, 1.0 - tree.trust if tree.rollouts else 0.0
    seen = scratch[:n_inputs]
    outputs = scratch[n_inputs + 2 * width :]
    look(states[node], numbers, node, inputs, tree.habits, seen)
    first = scratch[n_inputs : n_inputs + width]
    forward(weights, seen, first, scratch[n_inputs + width : n_inputs + 2 * width], outputs)
    death = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    value = as_it_stands(states[node], tree.payoff) + tree.unit * outputs[GAIN_OUTPUT] - tree.dear_death * death
    value = own * nodes[node].value + (1.0 - own) * value
    nodes[node].value = value
    nodes[node].death = own * nodes[node].death + (1.0 - own) * death
    tree.low = min(tree.low, value)
    tree.high = max(tree.high, value)
    begin, n = nodes[node].first, nodes[node].n
    most, total = -1e30, 0.0
    for edge in range(begin, begin + n):
        most = max(most, np.float64(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]]))
    for edge in range(begin, begin + n):
        total += np.exp(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]] - most)
    own = 1.0 - tree.trust_moves if tree.rollouts else 0.0
    for edge in range(begin, begin + n):
        likely = n * np.exp(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]] - most) / total
        edges[edge].prior = own * edges[edge].prior + (1.0 - own) * likely


@kernel
def simulate(
    rules: Any,
    root: Any,
    forced: Any,
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
    """Go down the tree once, add a node, and tell all moves on the way what came of it. False if there is no room.

    At the root the edge `forced` is taken, unless it is NONE.
    """
    node, depth = root, 0
    while states[node].over == PLAYING and nodes[node].visits > 0 and depth < len(tree.path):
        edge = forced if depth == 0 and forced != NONE else choose_edge(nodes, edges, tree, node)
        tree.path[depth] = edge
        depth += 1
        child = edges[edge].child
        if child == NONE:
            copy_words(words, 0, words, node)
            before = dice.stream[0]
            play(rules, states[0], edges[edge].move, dice)
            child = find_node(rules, words, states, nodes, edges, table, tree)
            if child == NONE:
                return False
            if dice.stream[0] == before:
                edges[edge].child = child
        node = child
    if nodes[node].visits == 0:
        playing = states[node].over == PLAYING
        if tree.rollouts or not playing:
            evaluate(rules, node, words, states, nodes, tree, dice)
            if nodes[node].n > 1:
                expect(rules, node, states, nodes, edges, tree)
        if tree.judged and playing:
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
    tree.chosen = NONE
    if tree.rollouts:
        choose_style(rules, root, max(4, int(n_simulations * TRIALS)), words, states, tree, dice)
    if not simulate(
        rules, root, NONE, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs, scratch
    ):
        return root
    if tree.noise > 0.0:
        add_noise(nodes, edges, root, tree, dice)
    if tree.gumbel > 0 and nodes[root].n > 1:
        search_by_halving(
            rules, root, n_simulations - 1, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs,
            scratch,
        )  # fmt: skip
        return root
    for _ in range(n_simulations - 1):
        if not simulate(
            rules, root, NONE, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs, scratch
        ):
            break
    return root


@kernel
def search_by_halving(
    rules: Any,
    root: Any,
    n_left: Any,
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
) -> None:
    """Search some moves of a root `n_left` times, the better half of them ever more; note which one is chosen."""
    n = consider(nodes, edges, root, tree, dice)
    phases = halvings(n)
    while n_left > 0:
        n_times = n_left if n == 1 else n * max(n_left // (phases * n), 1)
        for time in range(min(n_times, n_left)):
            if not simulate(
                rules, root, tree.considered[time % n], words, states, numbers, nodes, edges, table, tree, dice,
                weights, inputs, scratch,
            ):  # fmt: skip
                n_left = 0
        n_left -= n_times
        n = halve(nodes, edges, root, tree, n)
        phases = max(phases - 1, 1)
    while n > 1:
        n = halve(nodes, edges, root, tree, n)
    tree.chosen = tree.considered[0]


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
    task: Any,
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
    """Do a task with a fight, whose words are row 0 of `position`.

    SEARCH   search it, and return its node
    ADVANCE  play it up to the next move that is to be searched
    PLAY     play it to its end by searching; return the number of moves that were searched

    A fight of more moves than the tree allows is over. The fight itself has dice of its own, `luck`: what chance does
    in it is the same for whoever plays. A kill at no loss needs no search if the tree `finishes`. What is seen at each
    move, how often its moves were tried, and what came of it is noted as far as there is room. One kernel does all, for
    the sake of the time that compiling takes.
    """
    if task == SEARCH:
        return search(
            rules, position, n_simulations, words, states, numbers, nodes, edges, table, tree, dice, weights, inputs,
            scratch,
        )  # fmt: skip
    n_moves, n_played = 0, 0
    if task == PLAY:
        clear(table, tree)
    while fight.over == PLAYING:
        if n_played == tree.longest:
            fight.over = LATE
            break
        n_played += 1
        n = legal(rules, fight, tree.moves)
        move, sure = tree.moves[0], NONE
        if n > 1 and tree.finishes:
            copy_words(words, 0, position, 0)
            sure = wins_at_once(rules, words, states, tree, dice)
        if sure != NONE:
            move = sure
        elif n > 1 and task == ADVANCE:
            break
        elif n > 1:
            root = search(
                rules, position, n_simulations, words, states, numbers, nodes, edges, table, tree, dice, weights,
                inputs, scratch,
            )  # fmt: skip
            best = tree.chosen if tree.chosen != NONE else best_edge(nodes, edges, root)
            edge = varied_edge(nodes, edges, root, dice) if tree.varied else best
            if n_moves < len(notes):
                look(states[root], numbers, root, inputs, tree.habits, seen[n_moves])
                note(nodes, edges, root, tree, tried[n_moves])
                notes[n_moves].value = nodes[root].value
                notes[n_moves].death = nodes[root].death
                notes[n_moves].stands = as_it_stands(states[root], tree.payoff)
                notes[n_moves].best = edge == best
                notes[n_moves].move = edges[edge].move
            move = edges[edge].move
            n_moves += 1
        play(rules, fight, move, luck)
    return n_moves
