"""The choices of a learned strategy: drawn by what its network thinks each is worth.

Treasures are all played and Reactions always revealed. Where a gain can end the game, the rules decide first: what wins
or ties is taken, what loses is not.
"""

from typing import Any

import numpy as np

from evodom.dominion.engine.ops import Column, Op, Zone
from evodom.dominion.engine.resolve import PASS_BIT
from evodom.dominion.engine.rules import Rules
from evodom.dominion.engine.state import State, lowest_pile
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.lookahead import acceptable_gains, decisive_buys, ending_piles
from evodom.dominion.strategies.networks.features import N_FEATURES, observe
from evodom.dominion.strategies.networks.layers import (
    CARDS,
    GAIN,
    PLAY,
    SHARP,
    WIDTH,
    answer,
    choice_of,
    outputs_of,
    sample,
    to_probabilities,
)
from evodom.dominion.strategies.networks.layers import TRASH as TRASH_KIND
from evodom.dominion.strategies.networks.weights import array_at
from evodom.jit.kernel import kernel


@kernel
def select_by_network(rules: Rules, state: State, strategy: Strategy) -> Any:
    """Return the choice of a learned strategy for the pending Decision."""
    choices = open_choices(rules, state)
    if choices & (choices - 1) == 0:
        return lowest_pile(choices)
    features = np.empty(N_FEATURES, np.int8)
    sums = np.empty(WIDTH, np.float32)
    observe(rules, state, state.decider, features)
    outputs = outputs_of(choices)
    answer(array_at(strategy.network), kind_of(rules, state), outputs, features, sums)
    to_probabilities(sums, outputs, SHARP)
    return choice_of(sample(state, sums))


@kernel
def kind_of(rules: Rules, state: State) -> Any:
    """Return the kind of the pending Decision, whose network answers it."""
    row = state.asking
    op = rules.effects[row, Column.OP]
    if op == Op.BUY:
        return GAIN
    if op == Op.PLAY_ACTION or rules.effects[row, Column.TARGET] == Zone.IN_PLAY:
        return PLAY
    if rules.effects[row, Column.SOURCE] == Zone.SUPPLY:
        return GAIN
    return TRASH_KIND if rules.effects[row, Column.TARGET] == Zone.TRASH else CARDS


@kernel
def open_choices(rules: Rules, state: State) -> Any:
    """Return the mask of choices among which the network decides; where the rules decide, it has one."""
    op = rules.effects[state.asking, Column.OP]
    legal = state.legal
    if op == Op.BUY:
        buys = legal & ~PASS_BIT
        decisive = decisive_buys(rules, state, buys)
        return decisive if decisive != 0 else buys & ~ending_piles(rules, state) | PASS_BIT
    if op == Op.PLAY_ACTION:
        return legal
    if op != Op.CHOOSE:
        return legal & -legal
    if rules.effects[state.asking, Column.SOURCE] != Zone.SUPPLY:
        return legal
    gains = acceptable_gains(rules, state, legal & ~PASS_BIT)
    if gains == 0:
        return PASS_BIT if legal & PASS_BIT else legal
    return gains | legal & PASS_BIT
