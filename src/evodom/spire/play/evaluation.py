"""Values and priors of new positions, by playouts, by a network, or by both."""

from typing import Any

import numpy as np

from evodom.jit.kernel import lean_kernel
from evodom.jit.records import copy_words
from evodom.spire.engine.combat import PLAYER
from evodom.spire.engine.layout import FLED, LOST, N_FIGHTERS, NONE, PLAYING, WON
from evodom.spire.engine.moves import hp_left, legal
from evodom.spire.play.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, forward, observe
from evodom.spire.play.playouts import STYLES, find_finisher, play_out, weigh_moves
from evodom.spire.play.tree import GAIN, HP, POTION, WIN

LIKELY, FINISHING = 0.6, 20.0
"""The prior of a move is the power of its weight in playouts, times `FINISHING` if it begins to end the fight."""

PROGRESS = 1e-5
"""What each HP that the enemies have left counts for when styles are compared, as a share of the most that is paid."""


@lean_kernel
def payoff(rules: Any, fight: Any, prices: Any) -> Any:
    """Return what a fight that is over pays."""
    won = fight.over == WON
    paid = prices[HP] * hp_left(rules, fight) + prices[WIN] * (won or fight.over == FLED)
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained * won


@lean_kernel
def payoff_if_won_now(fight: Any, prices: Any) -> Any:
    """Return what a fight would pay if it were won as it stands."""
    paid = prices[HP] * fight.hp[PLAYER] + prices[WIN]
    return paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained


@lean_kernel
def evaluate(rules: Any, room: Any, node: Any) -> None:
    """Say what a new node is worth, and which of its moves are likely."""
    playing = room.states[node].over == PLAYING
    if room.tree.rollouts or not playing:
        evaluate_by_playouts(rules, room, node)
        if room.nodes[node].n > 1:
            set_playout_priors(rules, room, node)
    if room.tree.judged and playing:
        evaluate_with_network(room, node)


@lean_kernel
def evaluate_by_playouts(rules: Any, room: Any, node: Any) -> None:
    """Find what a new node is worth: a fight that is over pays, another is played out a few times."""
    states, nodes, tree = room.states, room.nodes, room.tree
    value, deaths = 0.0, 0.0
    n = tree.rollouts if states[node].over == PLAYING else 1
    for _ in range(n):
        copy_words(room.words, 0, room.words, node)
        play_out(rules, states[0], tree.habits, tree.moves, room.dice)
        value += payoff(rules, states[0], tree.payoff)
        deaths += 1.0 if states[0].over == LOST else 0.0
    nodes[node].value, nodes[node].death = value / n, deaths / n
    tree.low = min(tree.low, value / n)
    tree.high = max(tree.high, value / n)


@lean_kernel
def set_playout_priors(rules: Any, room: Any, node: Any) -> None:
    """Say which moves of a node are likely: those that the habits weigh most."""
    fight, edges, habits, moves = room.states[node], room.edges, room.tree.habits, room.tree.moves
    n, first = legal(rules, fight, moves), room.nodes[node].first
    weigh_moves(rules, fight, n, habits, moves)
    finish = find_finisher(rules, fight, n, habits, moves)
    if finish != NONE:
        habits.weights[finish] *= FINISHING
    total = 0.0
    for place in range(n):
        edges[first + place].prior = habits.weights[place] ** LIKELY
        total += edges[first + place].prior
    for place in range(n):
        edges[first + place].prior *= n / total


@lean_kernel
def evaluate_with_network(room: Any, node: Any) -> None:
    """Ask the network what a new node is worth, and which of its moves are likely.

    Where the position was played out too, both are weighed, each with its share.
    """
    nodes, tree = room.nodes, room.tree
    outputs = room.scratch[len(room.inputs) + 2 * tree.width :]
    forward_network(room, node, outputs)
    own = 1.0 - tree.trust if tree.rollouts else 0.0
    death = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    value = (
        payoff_if_won_now(room.states[node], tree.payoff) + tree.unit * outputs[GAIN_OUTPUT] - tree.dear_death * death
    )
    value = own * nodes[node].value + (1.0 - own) * value
    nodes[node].value = value
    nodes[node].death = own * nodes[node].death + (1.0 - own) * death
    tree.low = min(tree.low, value)
    tree.high = max(tree.high, value)
    set_network_priors(room, node, outputs)


@lean_kernel
def forward_network(room: Any, node: Any, outputs: Any) -> None:
    """Compute what the network says of a node."""
    n_inputs, width = len(room.inputs), room.tree.width
    seen = room.scratch[:n_inputs]
    first = room.scratch[n_inputs : n_inputs + width]
    second = room.scratch[n_inputs + width : n_inputs + 2 * width]
    observe(room.states[node], room.numbers, node, room.inputs, room.tree.habits, seen)
    forward(room.weights, seen, first, second, outputs)


@lean_kernel
def set_network_priors(room: Any, node: Any, outputs: Any) -> None:
    """Say which moves of a node are likely, by a softmax over the network's outputs."""
    edges, tree = room.edges, room.tree
    begin, n = room.nodes[node].first, room.nodes[node].n
    most, total = -1e30, 0.0
    for edge in range(begin, begin + n):
        most = max(most, np.float64(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]]))
    for edge in range(begin, begin + n):
        total += np.exp(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]] - most)
    own = 1.0 - tree.trust_moves if tree.rollouts else 0.0
    for edge in range(begin, begin + n):
        likely = n * np.exp(outputs[FIRST_MOVE_OUTPUT + tree.output[edges[edge].move]] - most) / total
        edges[edge].prior = own * edges[edge].prior + (1.0 - own) * likely


@lean_kernel
def select_style(rules: Any, room: Any, root: Any, n: Any) -> None:
    """Play a position out `n` times in each style, and go on in that which comes to most.

    What was found at earlier positions of the fight counts half as much each time. Where all styles lose, that is
    best which leaves the enemies the fewest HP.
    """
    states, tree = room.states, room.tree
    best, best_value = 0, -1e300
    for style in range(len(STYLES)):
        tried = tree.styles[style]
        tried[0] *= 0.5
        tried[1] *= 0.5
        tree.habits.needed_block = STYLES[style]
        for _ in range(n):
            copy_words(room.words, 0, room.words, root)
            play_out(rules, states[0], tree.habits, tree.moves, room.dice)
            tried[0] += payoff(rules, states[0], tree.payoff) - PROGRESS * tree.unit * enemies_hp(states[0])
            tried[1] += 1.0
        if tried[0] / tried[1] > best_value:
            best, best_value = style, tried[0] / tried[1]
    tree.habits.needed_block = STYLES[best]


@lean_kernel
def enemies_hp(fight: Any) -> Any:
    """Return the HP that the enemies have left."""
    left = 0
    for enemy in range(1, N_FIGHTERS):
        left += max(fight.hp[enemy], 0)
    return left
