"""The model of ladders: its kernel, genetic operators, files and words."""

import numpy as np

from evodom.dominion.effects.ops import Column, Op
from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.state import lowest_pile
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.base import Change, StrategyModel
from evodom.dominion.strategies.describe import BuyOrder, BuyOrders, StrategyDescription
from evodom.dominion.strategies.operators import cross_orders, heterozygosity, move_one, orders_by_cost
from evodom.jit.kernel import kernel

GENOME = np.dtype([("order", "u1", (FIRST_GAME.n_columns,))])
N_RUNGS = 4


@kernel
def select_by_ladder(rules, state, strategy, network):
    """Buy the first legal pile of the ladder, and answer other Decisions with the first legal pile."""
    if rules.effects[state.asked_effect, Column.OP] != Op.BUY:
        return lowest_pile(state.legal)
    ladder = strategy["added"]
    for rung in range(ladder.n_rungs):
        pile = np.int64(ladder.order[rung])
        if (state.legal >> pile) & 1:
            return pile
    return np.int64(PASS)


class LadderGenetics:
    def random_genomes(self, n, breeding, rng):
        genomes = np.zeros(n, GENOME)
        genomes["order"] = orders_by_cost(n, breeding.kingdom, (1.0, 2.0), rng)
        return genomes

    first_genomes = random_genomes

    def cross(self, fitter, other, breeding, rng):
        children = fitter.copy()
        children["order"] = cross_orders(fitter["order"], other["order"], 0.7, rng)
        return children

    def mutate(self, genomes, breeding, rng):
        move_one(genomes["order"], 0.5, rng)
        return genomes

    def without_one_part(self, genome, breeding):
        return genome[:0]

    def check_genomes(self, genomes, breeding):
        assert genomes.dtype == GENOME

    def encode(self, genomes, breeding, strategies):
        strategies["added"]["order"][:, : FIRST_GAME.n_columns] = genomes["order"]
        strategies["added"]["n_rungs"] = N_RUNGS

    def diversity(self, genomes):
        return heterozygosity(genomes["order"])

    def early_victory_weight(self, strategies):
        return np.zeros(len(strategies))


def move_rung(genomes, others, breeding, rng):
    move_one(genomes["order"], 1.0, rng)


class LadderContent:
    def __init__(self, cards):
        self.cards = tuple(cards)

    def encode(self, kingdom, strategy):
        strategy["added"]["order"][: len(self.cards)] = [kingdom.pile(card) for card in self.cards]
        strategy["added"]["n_rungs"] = len(self.cards)


class LadderModel(StrategyModel):
    name = "ladder"
    is_stochastic = False
    select = staticmethod(select_by_ladder)
    identity_columns = ("added.order",)
    genetics = LadderGenetics()
    changes = (Change(move_rung, 1.0),)
    keys = ("ladder",)
    identifying_key = "ladder"

    def rungs(self, strategy, kingdom):
        ladder = strategy["added"]
        return tuple(kingdom.names[pile] for pile in ladder.order[: ladder.n_rungs] if pile < len(kingdom.names))

    def read(self, fields):
        return LadderContent(fields["ladder"])

    def dump(self, strategy, kingdom):
        return [f"ladder = {list(self.rungs(strategy, kingdom))}"]

    def describe(self, strategy, kingdom, owned):
        return StrategyDescription("It buys the first affordable card of its ladder.")

    def describe_buys(self, strategy, kingdom):
        return BuyOrders((BuyOrder("", self.rungs(strategy, kingdom)),))


MODEL = LadderModel()
