"""The baselines by name: the random player, and the buy lists written by hand."""

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.buy_lists.buy_list import BuyList, encode
from evodom.dominion.strategies.buy_lists.handwritten import HANDWRITTEN
from evodom.dominion.strategies.model import Strategies
from evodom.dominion.strategies.record import STRATEGY, Strategy, blank_strategies
from evodom.errors import UsageError

RANDOM = "random"

BASELINES = (RANDOM, *HANDWRITTEN)
"""Names of all baselines."""


def missing_cards(name: str, kingdom: Kingdom) -> list[str]:
    """Return the cards a baseline wants to buy that a kingdom's Supply lacks."""
    wanted = [rule.card for rule in HANDWRITTEN[name].rules] if name in HANDWRITTEN else []
    return [card for card in dict.fromkeys(wanted) if card not in kingdom.names]


def fitting_baselines(kingdom: Kingdom) -> tuple[str, ...]:
    """Return the names of the baselines that lack no card in a kingdom."""
    return tuple(name for name in BASELINES if not missing_cards(name, kingdom))


def baseline(name: str, kingdom: Kingdom) -> Strategy:
    """Return a baseline for a kingdom as a record of STRATEGY; rules for cards outside it are left out."""
    if name not in BASELINES:
        near = get_close_matches(name, BASELINES, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"no baseline named '{name}'.{hint} Known: {', '.join(BASELINES)}.")
    return blank_strategies(1, RANDOM)[0] if name == RANDOM else buy_list_strategy(HANDWRITTEN[name], kingdom)


def baseline_records(names: Sequence[str], kingdom: Kingdom) -> Strategies:
    """Return baselines by name as an array of STRATEGY records."""
    records = np.zeros(len(names), STRATEGY)
    for index, name in enumerate(names):
        records[index] = baseline(name, kingdom)
    return records


def buy_list_strategy(buy_list: BuyList, kingdom: Kingdom) -> Strategy:
    """Return a buy list as a record of STRATEGY; rules for cards outside the kingdom are left out."""
    strategy = blank_strategies(1, "buy-list", kingdom)[0]
    encode(buy_list, kingdom, strategy)
    return strategy
