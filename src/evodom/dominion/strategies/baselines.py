"""The baselines by name: the random player, and the buy lists written by hand."""

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategies, Strategy
from evodom.dominion.strategies.buy_lists.handwritten import HANDWRITTEN
from evodom.dominion.strategies.buy_lists.rules import BuyList
from evodom.dominion.strategies.record import STRATEGY, blank_strategies
from evodom.dominion.strategies.registry import BUY_LIST, RANDOM
from evodom.errors import UsageError

BASELINES = (RANDOM, *HANDWRITTEN)
"""Names of all baselines."""

TEACHERS = (
    # Money.
    "big-money-ultimate",
    "smithy-ultimate",
    "big-money-council-room",
    "smithy-gardens",
    # Engines.
    "market-village",
    "moneylender-laboratory",
    "festival-library",
    # Attacks.
    "market-militia",
    "triple-militia",
    "chapel-witch",
    "witch-gardens",
    "witch-moat",
    "bandit-laboratory",
    # Rushes.
    "workshop-gardens",
)
"""The baselines that may teach: whatever evolves or learns may meet them as rivals, and is never judged by them.

Every baseline but the random player either teaches or judges. Both halves have money, engines, attacks and rushes, and
in each kingdom the strongest (docs/baselines.md) are shared out: the best of First Game, Size Distortion and Deck Top
judges, that of Sleight of Hand, Improvements and Silver & Gold teaches.
"""

JUDGES = (
    # Money.
    "big-money",
    "big-money-smithy",
    "smithy-duchies",
    "council-room-duchies",
    # Engines.
    "big-money-laboratory",
    "village-smithy",
    # Attacks.
    "big-money-militia",
    "militia-smithy",
    "council-room-militia",
    "double-witch",
    "chapel-witch-duchies",
    "witch-remodel",
    "bandit-bureaucrat",
    # Rushes.
    "gardens-rush",
    "bureaucrat-gardens",
)
"""The baselines that judge: the opponents of reports and of docs/strength.md, which nothing meets while it evolves or
learns. Some have a near relative among the teachers (smithy-ultimate of smithy-duchies): a judge is a stranger, and not
always of a strange kind."""


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
    strategy = blank_strategies(1, BUY_LIST, kingdom)[0]
    buy_list.encode(kingdom, strategy)
    return strategy
