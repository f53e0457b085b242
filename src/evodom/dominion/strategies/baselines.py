"""Baselines by name: the random player, and the buy lists of `baselines.toml`. Their names load without NumPy."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import BUY_LIST, RANDOM, Strategies
from evodom.errors import UsageError, did_you_mean, missing_comma

if TYPE_CHECKING:
    from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
    from evodom.dominion.strategies.record import Strategy

_FILE = tomllib.loads(files(__package__).joinpath("baselines.toml").read_text(encoding="utf-8"))

BUY_LIST_BASELINES = tuple(name for name, value in _FILE.items() if isinstance(value, dict))
"""Names of the baselines that are buy lists."""

BASELINES = (RANDOM, *BUY_LIST_BASELINES)
"""Names of all baselines."""

TRAINING_OPPONENTS, HELD_OUT_OPPONENTS = tuple(_FILE["training_opponents"]), tuple(_FILE["held_out_opponents"])
"""Names of the baselines that are opponents in evolution and learning, and of the baselines for reports only."""


@cache
def baseline_buy_list(name: str) -> "BuyList":
    """Return the buy list of a baseline; raise KeyError for another name."""
    from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList

    return BuyList(tuple(_FILE[name]["buy"]))


def missing_cards(name: str, kingdom: Kingdom) -> list[str]:
    """Return the cards in a baseline's rules that a kingdom's Supply lacks."""
    wanted = [rule.card for rule in baseline_buy_list(name).rules] if name in BUY_LIST_BASELINES else []
    return [card for card in dict.fromkeys(wanted) if card not in kingdom.names]


def fitting_baselines(kingdom: Kingdom) -> tuple[str, ...]:
    """Return the names of the baselines whose cards are all in a kingdom."""
    return tuple(name for name in BASELINES if not missing_cards(name, kingdom))


def baseline(name: str, kingdom: Kingdom) -> "Strategy":
    """Return a baseline for a kingdom as a record of STRATEGY; rules for cards outside it are left out."""
    from evodom.dominion.strategies.record import blank_strategies

    if name not in BASELINES:
        near = missing_comma(name, BASELINES.__contains__) or did_you_mean(name, BASELINES)
        hint = f" {near}" if near else ""
        raise UsageError(f"no baseline named '{name}'.{hint} Known: {', '.join(BASELINES)}.")
    if name != RANDOM:
        return buy_list_strategy(baseline_buy_list(name), kingdom)
    player: Strategy = blank_strategies(1, RANDOM)[0]
    return player


def baseline_records(names: Sequence[str], kingdom: Kingdom) -> Strategies:
    """Return baselines by name as an array of STRATEGY records."""
    from evodom.dominion.strategies.record import blank_strategies

    records = blank_strategies(len(names), RANDOM)
    for index, name in enumerate(names):
        records[index] = baseline(name, kingdom)
    return records


def buy_list_strategy(buy_list: "BuyList", kingdom: Kingdom) -> "Strategy":
    """Return a buy list as a record of STRATEGY; rules for cards outside the kingdom are left out."""
    from evodom.dominion.strategies.record import blank_strategies

    strategy: Strategy = blank_strategies(1, BUY_LIST, kingdom)[0]
    buy_list.encode(kingdom, strategy)
    return strategy
