"""Evaluation of leaves in the tree search of fights. Open it to change their values and priors.

A position is evaluated by playouts, a network, or both.
"""

from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from evodom.jit.dtypes import record_dtype
from evodom.jit.kernel import copy_words, kernel
from evodom.nn.dense import forward
from evodom.spire.engine import layout as at
from evodom.spire.engine.layout import PLAYER, CompiledRules, FightRecord
from evodom.spire.engine.moves import N_MOVES, hp_left, legal, survived
from evodom.spire.play import playouts
from evodom.spire.play.network import DEATH_OUTPUT, FIRST_MOVE_OUTPUT, GAIN_OUTPUT, Vector, observe
from evodom.spire.play.tree import NONE, TreeWorkspace, set_value

PRIOR_EXPONENT = 0.6
"""The prior of a move by the playout policy is proportional to this power of its weight."""

LETHAL_FACTOR = 20.0
"""Factor of the weight of a move that begins a lethal sequence."""

ENEMY_HP_PENALTY = 1e-5
"""Penalty for each HP of the enemies when playout styles are compared, as a share of `gain_unit`."""

STYLE_SHARE = 1 / 16
"""Playouts in each style before a search, as a share of the number of simulations."""

HP, WIN, POTION, GAIN = range(4)
"""Indices of `EvaluatorRecord.prices`: of an HP left, a win, a potion used, a maximum HP gained."""


class EvaluatorRecord(Protocol):
    """A record of EVALUATOR: how fights are evaluated and played."""

    policy: Annotated[playouts.PlayoutPolicy, playouts.PLAYOUT_POLICY]
    style_totals: Annotated[
        playouts.Floats, (len(playouts.STYLES), 2)
    ]  # of each style: sum of the payoffs, and number of playouts
    prices: Annotated[playouts.Floats, 4]  # of the payoff, by HP, WIN, POTION and GAIN
    value_weight: float  # weight of the network in values; playouts have the rest
    prior_weight: float  # weight of the network in priors; the playout policy has the rest
    gain_unit: float  # payoff per unit of the gain that the network predicts
    death_cost: float  # payoff subtracted for a predicted death; 0 if the predicted gain includes deaths
    playouts: int  # number of playouts of a new position
    has_network: int
    width: int  # of the network's hidden layers
    plays_lethal_moves: int  # whether a lethal sequence without loss of HP is played without a search
    max_moves: int  # maximum number of moves; a longer fight counts as not won in time
    samples_moves: int  # whether the played move is drawn in proportion to the visits of the search
    output_of_move: Annotated[npt.NDArray[np.int32], N_MOVES]  # index of the network's output for each move


EVALUATOR = record_dtype(EvaluatorRecord, "<i4")


class FightEvaluator(NamedTuple):
    """Arrays of the evaluator.

    options        record of EVALUATOR
    state_numbers  the states of all nodes as int16, (nodes, numbers)
    weights        weights of the network
    inputs         inputs of the network, (n,) of INPUT
    scratch        features, first and second hidden layer, and outputs, in this order; see `scratch_size`
    """

    options: EvaluatorRecord
    state_numbers: npt.NDArray[np.int16]
    weights: Vector
    inputs: npt.NDArray[Any]
    scratch: Vector


def scratch_size(n_inputs: int, width: int, n_outputs: int) -> int:
    """Return the size of `FightEvaluator.scratch` for a network with outputs for `n_outputs` moves."""
    return n_inputs + 2 * width + FIRST_MOVE_OUTPUT + n_outputs


@kernel
def payoff(rules: CompiledRules, fight: FightRecord, prices: playouts.Floats) -> float:
    """Return the payoff of a fight that is over."""
    paid = prices[HP] * hp_left(rules, fight) - prices[POTION] * fight.used
    return float(paid + (prices[WIN] + prices[GAIN] * fight.gained) * survived(fight))


@kernel
def payoff_if_won_now(fight: FightRecord, prices: playouts.Floats) -> float:
    """Return the payoff of a fight if it were won immediately."""
    paid = prices[HP] * fight.hp[PLAYER] + prices[WIN]
    return float(paid - prices[POTION] * fight.used + prices[GAIN] * fight.gained)


@kernel
def evaluate(rules: CompiledRules, workspace: TreeWorkspace, node: int) -> None:
    """Set the value of a new node, and the priors of its edges."""
    options, playing = workspace.evaluator.options, workspace.states[node].over == at.PLAYING
    if options.playouts or not playing:
        evaluate_by_playouts(rules, workspace, node)
        if workspace.nodes[node].n > 1:
            set_playout_priors(rules, workspace, node)
    if options.has_network and playing:
        evaluate_with_network(workspace, node)


@kernel
def evaluate_by_playouts(rules: CompiledRules, workspace: TreeWorkspace, node: int) -> None:
    """Set the value of a new node: the payoff of a finished fight, otherwise the mean of `playouts` playouts.

    Playouts change a copy of the state, in the scratch node 0.
    """
    states, options = workspace.states, workspace.evaluator.options
    value, losses = 0.0, 0.0
    n = options.playouts if states[node].over == at.PLAYING else 1
    for _ in range(n):
        copy_words(workspace.words, 0, workspace.words, node)
        playouts.play_out(rules, states[0], options.policy, workspace.search.actions, workspace.chance)
        value += payoff(rules, states[0], options.prices)
        losses += 1.0 if states[0].over == at.LOST else 0.0
    set_value(workspace, node, value / n, losses / n)


@kernel
def set_playout_priors(rules: CompiledRules, workspace: TreeWorkspace, node: int) -> None:
    """Set the priors of a node's edges to powers of the playout policy's weights, with the mean 1."""
    fight, edges, moves = workspace.states[node], workspace.edges, workspace.search.actions
    policy = workspace.evaluator.options.policy
    n, first = legal(rules, fight, moves), workspace.nodes[node].first
    playouts.weigh_moves(rules, fight, n, policy, moves)
    lethal = playouts.find_lethal_index(rules, fight, n, policy, moves)
    if lethal != NONE:
        policy.weights[lethal] *= LETHAL_FACTOR
    total = 0.0
    for place in range(n):
        edges[first + place].prior = policy.weights[place] ** PRIOR_EXPONENT
        total += edges[first + place].prior
    for place in range(n):
        edges[first + place].prior *= n / total


@kernel
def evaluate_with_network(workspace: TreeWorkspace, node: int) -> None:
    """Set a new node's value and priors by the network. With playouts, mix them with the playouts' value and priors."""
    options, nodes = workspace.evaluator.options, workspace.nodes
    outputs = workspace.evaluator.scratch[len(workspace.evaluator.inputs) + 2 * options.width :]
    forward_network(workspace, node, outputs)
    playout_share = 1.0 - options.value_weight if options.playouts else 0.0
    death = 1.0 / (1.0 + np.exp(-np.float64(outputs[DEATH_OUTPUT])))
    now = payoff_if_won_now(workspace.states[node], options.prices)
    predicted = now + options.gain_unit * outputs[GAIN_OUTPUT] - options.death_cost * death
    value = playout_share * nodes[node].value + (1.0 - playout_share) * predicted
    set_value(workspace, node, value, playout_share * nodes[node].loss + (1.0 - playout_share) * death)
    set_network_priors(workspace, node, outputs)


@kernel
def forward_network(workspace: TreeWorkspace, node: int, outputs: Vector) -> None:
    """Compute the outputs of the network for a node."""
    evaluator = workspace.evaluator
    n_inputs, width = len(evaluator.inputs), evaluator.options.width
    features = evaluator.scratch[:n_inputs]
    first = evaluator.scratch[n_inputs : n_inputs + width]
    second = evaluator.scratch[n_inputs + width : n_inputs + 2 * width]
    observe(workspace.states[node], evaluator.state_numbers, node, evaluator.inputs, evaluator.options.policy, features)
    forward(evaluator.weights, features, first, second, outputs)


@kernel
def set_network_priors(workspace: TreeWorkspace, node: int, outputs: Vector) -> None:
    """Set the priors of a node's edges by a softmax over the network's outputs."""
    edges, options = workspace.edges, workspace.evaluator.options
    begin, n = workspace.nodes[node].first, workspace.nodes[node].n
    highest, total = -1e30, 0.0
    for edge in range(begin, begin + n):
        highest = max(highest, np.float64(outputs[FIRST_MOVE_OUTPUT + options.output_of_move[edges[edge].action]]))
    for edge in range(begin, begin + n):
        total += np.exp(outputs[FIRST_MOVE_OUTPUT + options.output_of_move[edges[edge].action]] - highest)
    playout_share = 1.0 - options.prior_weight if options.playouts else 0.0
    for edge in range(begin, begin + n):
        prior = n * np.exp(outputs[FIRST_MOVE_OUTPUT + options.output_of_move[edges[edge].action]] - highest) / total
        edges[edge].prior = playout_share * edges[edge].prior + (1.0 - playout_share) * prior


@kernel
def select_style(rules: CompiledRules, workspace: TreeWorkspace, root: int, n_simulations: int) -> None:
    """Run playouts of a position in each style, and select the style with the highest mean payoff.

    Playouts of earlier positions of the fight count too, with half the weight after each searched position. If all
    styles lose, select the style that leaves the enemies the fewest HP.
    """
    states, options = workspace.states, workspace.evaluator.options
    if not options.playouts:
        return
    # A new tree has two nodes, the scratch node and the root, and the root is not searched yet.
    is_new_tree = workspace.search.n_nodes == 2 and workspace.nodes[root].visits == 0
    if is_new_tree:
        for style in range(len(playouts.STYLES)):
            options.style_totals[style, 0] = options.style_totals[style, 1] = 0.0
    best, best_value = 0, -1e300
    for style in range(len(playouts.STYLES)):
        totals = options.style_totals[style]  # sum of the payoffs, number of playouts
        totals[0] *= 0.5
        totals[1] *= 0.5
        options.policy.needed_block = playouts.STYLES[style]
        for _ in range(max(4, int(n_simulations * STYLE_SHARE))):
            copy_words(workspace.words, 0, workspace.words, root)
            playouts.play_out(rules, states[0], options.policy, workspace.search.actions, workspace.chance)
            penalty = ENEMY_HP_PENALTY * options.gain_unit * enemies_hp(states[0])
            totals[0] += payoff(rules, states[0], options.prices) - penalty
            totals[1] += 1.0
        if totals[0] / totals[1] > best_value:
            best, best_value = style, totals[0] / totals[1]
    options.policy.needed_block = playouts.STYLES[best]


@kernel
def enemies_hp(fight: FightRecord) -> int:
    """Return the total HP of the enemies."""
    left = 0
    for enemy in range(1, at.N_FIGHTERS):
        left += max(fight.hp[enemy], 0)
    return left
