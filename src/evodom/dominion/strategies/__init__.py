"""Strategies for Dominion: preferences, buy lists, networks and the random player, as records for compiled code.

`registry` lists the models of strategies, and each has a folder. A record of STRATEGY is one strategy, for
the piles of one kingdom. An array of records is a population, or the players of a table.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.dominion.strategies.baselines import (
        baseline as baseline,
        buy_list_strategy as buy_list_strategy,
        fitting_baselines as fitting_baselines,
    )
    from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList as BuyList
    from evodom.dominion.strategies.files import (
        dump_strategy as dump_strategy,
        load_strategy as load_strategy,
        parse_strategy as parse_strategy,
    )
    from evodom.dominion.strategies.record import strategies_of as strategies_of


__getattr__, __dir__ = attach(__name__)
