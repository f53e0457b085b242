"""Define the model of learned strategies: records with networks, the kernel that chooses, and edits of networks."""

from collections.abc import Collection
from typing import Any

import numpy as np

from evodom.dominion.effects.ops import Column, Op, Zone
from evodom.dominion.engine.choices import PASS_BIT
from evodom.dominion.engine.menu import n_options
from evodom.dominion.engine.observation import N_FEATURES, ONE, OWNS_ANY, observe
from evodom.dominion.engine.rules import FIRST_OPTION, N_MODEL_PILES, NONE, PASS, Rules
from evodom.dominion.engine.state import State, bit, lowest_pile
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import NETWORK, RANDOM, FloatArray, IntArray, NetworkRecord, StrategyModel
from evodom.dominion.strategies.describe import BuyOrder, BuyOrders, StrategyDescription
from evodom.dominion.strategies.lineup import LearnedStrategy
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.play.answers import common_answer, without_wasted
from evodom.dominion.strategies.play.lookahead import acceptable_gains, decisive_buys, ending_piles
from evodom.dominion.strategies.record import Strategy, blank_strategies
from evodom.jit.kernel import allocating_kernel, cold_kernel, kernel

NO_STRATEGY: Strategy = blank_strategies(1, RANDOM)[0]
"""The strategy that `common_answer` gets for a network. It wants every card and has the default weights of options."""

MAX_WEIGHT = 1e4
"""Largest absolute value allowed in a network, so that no sum overflows. Networks in use are far below it."""


def are_sound(weights: layers.Weights) -> bool:
    """Return whether weights from a file are safe for kernels, by their shape, dtype and size."""
    return (
        weights.shape == (layers.N_WEIGHTS,)
        and weights.dtype == np.float32
        and bool((np.abs(weights) <= MAX_WEIGHT).all())
    )


def weights_of(strategy: Strategy) -> layers.Weights:
    """Return a writable copy of the weights of a learned strategy, (N_WEIGHTS,) float32."""
    assert isinstance(strategy, LearnedStrategy)
    return layers.copy_weights(strategy.network_weights)


def with_weights(strategy: Strategy, weights: layers.Weights) -> Strategy:
    """Return a learned strategy with a copy of other weights."""
    assert isinstance(strategy, LearnedStrategy)
    return LearnedStrategy.of(strategy.record.copy(), layers.networks_of(weights))


def network_strategy(weights: layers.Weights, kingdom: Kingdom) -> Strategy:
    """Return the strategy of a kingdom's network, with a copy of the weights, (N_WEIGHTS,)."""
    return LearnedStrategy.of(blank_strategies(1, NETWORK, kingdom)[0], layers.networks_of(weights))


@allocating_kernel
def select_by_network(rules: Rules, state: State, strategy: Strategy, network: NetworkRecord) -> Any:
    """Return the choice of a learned strategy for the pending Decision."""
    return choose_by_network(
        rules, state, network.weights, np.empty(N_FEATURES, np.int8), np.empty(layers.WIDTH, np.float32)
    )


@kernel
def choose_by_network(rules: Rules, state: State, weights: FloatArray, features: IntArray, sums: FloatArray) -> Any:
    """Return the network's choice for the pending Decision. ``features`` and ``sums`` are scratch."""
    choices = open_choices(rules, state)
    if choices & (choices - 1) == 0:
        return lowest_pile(choices)
    compute_policy(rules, state, weights, choices, layers.PLAY_SHARPNESS, features, sums)
    return choice_of(rules, state, layers.sample_output(state, sums))


@kernel
def compute_policy(
    rules: Rules,
    state: State,
    weights: FloatArray,
    choices: int,
    sharpness: float,
    features: IntArray,
    sums: FloatArray,
) -> Any:
    """Write the probability of each output of ``choices`` into ``sums`` (WIDTH,), and return the kind of the Decision.

    The features of the deciding seat are written into ``features`` (N_FEATURES,). ``sharpness`` is the inverse
    temperature.
    """
    kind = decision_kind(rules, state)
    outputs = outputs_of(rules, state, choices)
    observe(rules, state, state.decider, features)
    layers.forward(weights, kind, outputs, features, sums)
    layers.softmax(sums, outputs, sharpness)
    return kind


@kernel
def decision_kind(rules: Rules, state: State) -> Any:
    """Return the kind of the pending Decision. It selects one of the network's five policies."""
    row = state.asked_effect
    op = rules.effects[row, Column.OP]
    if op == Op.BUY:
        return layers.GAIN
    if op == Op.PLAY_ACTION or rules.effects[row, Column.TARGET] == Zone.IN_PLAY:
        return layers.PLAY
    if op == Op.OPTIONS:
        return layers.OPTION
    if rules.effects[row, Column.SOURCE] == Zone.SUPPLY:
        return layers.GAIN
    return layers.TRASH if rules.effects[row, Column.TARGET] == Zone.TRASH else layers.CARDS


@kernel
def open_choices(rules: Rules, state: State) -> Any:
    """Return the mask of choices for the network. If a fixed rule decides, the mask has one bit."""
    op = rules.effects[state.asked_effect, Column.OP]
    legal = state.legal
    if op == Op.BUY:
        buys = legal & ~PASS_BIT
        decisive = decisive_buys(rules, state, buys)
        return decisive if decisive != 0 else buys & ~ending_piles(rules, state) | PASS_BIT
    if op == Op.PLAY_ACTION:
        return without_wasted(rules, state, NO_STRATEGY, legal & ~PASS_BIT) | legal & PASS_BIT
    if op == Op.OPTIONS and menu_output(rules, state) + n_options(rules, state.asked_effect) <= layers.PASS_OUTPUT:
        return legal
    common = common_answer(rules, state, NO_STRATEGY)
    if common != NONE:
        return bit(common)
    if op != Op.CHOOSE:
        return legal & -legal
    if rules.effects[state.asked_effect, Column.SOURCE] != Zone.SUPPLY:
        return legal
    gains = acceptable_gains(rules, state, legal & ~PASS_BIT)
    if gains == 0:
        return PASS_BIT if legal & PASS_BIT else legal
    return gains | legal & PASS_BIT


@cold_kernel
def menu_output(rules: Rules, state: State) -> int:
    """Return the output of the first option of the pending choice of options."""
    n = 0
    for row in range(state.asked_effect):
        if rules.effects[row, Column.OP] == Op.OPTIONS:
            n += n_options(rules, row)
    return n


@kernel
def outputs_of(rules: Rules, state: State, choices: int) -> Any:
    """Return the mask of the outputs for some answers to the pending Decision."""
    passing = ((choices >> PASS) & 1) << layers.PASS_OUTPUT
    if choices >> FIRST_OPTION != 0:
        return (choices >> FIRST_OPTION) << menu_output(rules, state) | passing
    return (choices & ((1 << N_MODEL_PILES) - 1)) | passing


@kernel
def choice_of(rules: Rules, state: State, output: int) -> Any:
    """Return the answer to the pending Decision that an output stands for."""
    if output == layers.PASS_OUTPUT:
        return PASS
    if rules.effects[state.asked_effect, Column.OP] == Op.OPTIONS:
        return FIRST_OPTION + output - menu_output(rules, state)
    return output


FORBIDDEN_LOGIT = -1000.0
PREFERRED_LOGIT = 12.0
"""Numbers added to the logit of gaining a forbidden, or a preferred card. They exceed all logits of networks."""

AS_LEARNED = "the card that its network prefers in each position"


def forbid(weights: layers.Weights, pile: int) -> None:
    """Change a network in place so that it gains a card of a pile only without an alternative."""
    layers.network_arrays(weights)["inputs"][layers.GAIN, ONE, layers.FIRST_OUTPUT + pile] += FORBIDDEN_LOGIT


SOFTENING = 0.3
"""Factor of the logits of a softened network."""


def soften(weights: layers.Weights) -> None:
    """Multiply all logits of a network by SOFTENING, in place.

    If a policy is nearly certain, its gradient and the entropy bonus vanish, and training changes nothing. A softened
    policy plays about as well and learns again.
    """
    arrays = layers.network_arrays(weights)
    arrays["inputs"][..., layers.FIRST_OUTPUT : layers.FIRST_OUTPUT + layers.N_OUTPUTS] *= SOFTENING
    arrays["outputs"] *= SOFTENING


def softened(strategy: Strategy) -> Strategy:
    """Return a copy of a learned strategy after `soften`."""
    weights = weights_of(strategy)
    soften(weights)
    return with_weights(strategy, weights)


class NetworkModel(StrategyModel):
    """Strategies with a neural network as policy. `evodom.learning` trains them."""

    name = NETWORK
    is_learned = True
    select = staticmethod(select_by_network)

    def is_sound(self, strategy: Strategy) -> bool:
        """Return whether a record from a file has the network index 0. Files have one network."""
        return int(strategy["network"]) == 0

    def describe(self, strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> StrategyDescription:
        """Return a description of a learned strategy."""
        return StrategyDescription("Its network rates the choices of each decision. One is drawn by these ratings.")

    def describe_buys(self, strategy: Strategy, kingdom: Kingdom) -> BuyOrders:
        """Return the words for a strategy without a list."""
        return BuyOrders((BuyOrder("", (AS_LEARNED,)),))

    def without_card(self, strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
        """Return the strategy that gains a card only without an alternative."""
        weights = weights_of(strategy)
        forbid(weights, kingdom.pile(card))
        return with_weights(strategy, weights)

    def with_card(self, strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
        """Return the strategy that gains one copy of a card as soon as possible. ``n`` is ignored."""
        weights = weights_of(strategy)
        output = layers.FIRST_OUTPUT + kingdom.pile(card)
        rows = layers.network_arrays(weights)["inputs"][layers.GAIN]
        rows[ONE, output] += PREFERRED_LOGIT
        rows[OWNS_ANY + kingdom.pile(card), output] -= PREFERRED_LOGIT
        return with_weights(strategy, weights)


MODEL = NetworkModel()
