"""Simplify a strategy for people: `readable` returns the simplest form that does not play measurably worse."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from evodom.advice.ablation import plays_alike
from evodom.dominion.strategies.base import BUY_LIST
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.describe import BuyOrders, describe_buys
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import editable_model
from evodom.errors import UsageError
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share

BIG_MONEY = "big-money"

GAMES = 8000
"""Number of games of each win rate. A loss of 1.5 percentage points is then significant."""

AGAINST_ITSELF, AGAINST_BIG_MONEY = 0, 1


@dataclass(frozen=True)
class Readable:
    """A simplified strategy as a record and in words, compared with the original strategy.

    ``against_original`` is its win rate against copies of the original. ``before`` and ``after`` are the win rates
    against Big Money of the original and of the simplified strategy. All three are None if nothing was simplified.
    """

    record: Strategy
    wording: BuyOrders
    against_original: Share | None = None
    before: Share | None = None
    after: Share | None = None


def readable(venue: Venue, strategy: Strategy) -> Readable:
    """Return the first of three forms that is not measurably worse than the strategy.

    The forms are a simplified buy list, the simplified strategy, and the strategy itself. Raise UsageError for a
    strategy that cannot be edited, such as the random player.
    """
    money = baseline(BIG_MONEY, venue.kingdom)
    before = wins_against(venue, strategy, money, GAMES, Purpose.READABLE, AGAINST_BIG_MONEY)
    for record in _simplified_forms(venue, strategy, money):
        against = wins_against(venue, record, strategy, GAMES, Purpose.READABLE, AGAINST_ITSELF)
        after = wins_against(venue, record, money, GAMES, Purpose.READABLE, AGAINST_BIG_MONEY)
        if against.high >= 1.0 / venue.n_seats and after.high >= before.low:
            return Readable(record, describe_buys(record, venue.kingdom), against, before, after)
    return Readable(strategy, describe_buys(strategy, venue.kingdom))


def _simplified_forms(venue: Venue, strategy: Strategy, money: Strategy) -> Iterator[Strategy]:
    """Yield the simplified forms of a strategy, the easiest to read first."""
    model = editable_model(strategy)
    strategy = model.reachable(strategy, venue.kingdom)
    rules = None if model.name == BUY_LIST else model.as_rules(strategy, venue.kingdom)
    forms = [strategy]
    if rules:
        with suppress(UsageError):  # the rules may exceed the capacity of a list
            forms.insert(0, buy_list_strategy(BuyList(rules, endgame_check=True), venue.kingdom))
    for form in forms:
        yield editable_model(form).simplified(form, venue.kingdom, plays_alike(venue, form, (money, form)))
