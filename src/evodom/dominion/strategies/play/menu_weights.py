"""The weights of the options of cards such as Steward: names, defaults and genes."""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.effect import Effect, own_effects, with_inner
from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.kingdom import Kingdom


class OptionWeight(IntEnum):
    """The weights, as indices of `Strategy.option_values`. `menu` multiplies them by amounts in coins."""

    COINS = 0
    CARDS = 1
    ACTIONS = 2
    BUYS = 3
    GAINS = 4
    CURSES = 5
    TRASHING = 6
    DISCARDS = 7
    HARM = 8


OPTION_VALUES = {
    "coins": 1.0,
    "cards": 1.0,
    "actions": 1.0,
    "buys": 0.5,
    "gains": 1.0,
    "curses": 3.0,
    "trashing": 2.0,
    "discards": 1.0,
    "harm": 3.0,
}
"""The default weights by name, in the order of OptionWeight."""

OPTION_NAMES = tuple(OPTION_VALUES)

GENE_WEIGHTS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
"""The weights that genes can select instead of the default."""


def option_weights(effects: Iterable[Effect]) -> set[OptionWeight]:
    """Return the weights of the options among some Effects."""
    asked = (effect for effect in effects if effect.op == Op.OPTIONS)
    return {weight for effect in asked for each in own_effects(effect.inner) if (weight := weight_of(each)) is not None}


def weight_of(effect: Effect) -> OptionWeight | None:
    """Return the weight of an Effect of an option; None for an Effect without one."""
    if effect.op == Op.GAIN:
        return OptionWeight.CURSES if effect.name == "Curse" else OptionWeight.GAINS
    if effect.op in (Op.CHOOSE, Op.MOVE_ALL) and effect.source == Zone.HAND:
        return OptionWeight.TRASHING if effect.target == Zone.TRASH else OptionWeight.DISCARDS
    if effect.op == Op.CHOOSE:
        return OptionWeight.GAINS
    return _BY_OP.get(effect.op)


_BY_OP = {
    Op.COINS: OptionWeight.COINS,
    Op.CARDS: OptionWeight.CARDS,
    Op.ACTIONS: OptionWeight.ACTIONS,
    Op.BUYS: OptionWeight.BUYS,
    Op.EACH_PLAYER: OptionWeight.HARM,
}


@cache
def has_options(kingdom: Kingdom) -> bool:
    """Return whether a card of a kingdom has options."""
    return any(option_weights(with_inner(card.effects)) for card in kingdom.piles)


def weights_that_matter(kingdom: Kingdom, owned: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which weights matter to decks with cards of some piles, (n, len(OPTION_NAMES)). ``owned`` is (n, n_piles).

    The weights of an option that other players choose matter to all decks.
    """
    own, of_all = np.zeros((2, owned.shape[1], len(OPTION_NAMES)), bool)
    for pile, card in enumerate(kingdom.piles):
        of_owner = option_weights(card.own_effects)
        own[pile, list(of_owner)] = True
        of_all[pile, list(option_weights(with_inner(card.effects)) - of_owner)] = True
    found: npt.NDArray[np.bool_] = (owned @ own) | of_all.any(axis=0)
    return found
