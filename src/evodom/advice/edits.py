"""Strategies with a card less, with one more, or with one thing less to say."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.budget import NO_LIMIT
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.model import IsAsGood, Strategy
from evodom.dominion.strategies.registry import edits_of
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue

LISTED_GAMES = 200
"""Games against each of a few opponents that tell whether a line of the list is ever followed."""

RARELY = 0.02
"""A line is left out of the list if no more than this share of the games changes without it."""


def without(strategy: Strategy, card: str, kingdom: Kingdom) -> Strategy:
    """Return a strategy that does not want a card."""
    return edits_of(strategy).without(strategy, card, kingdom)


def with_more(strategy: Strategy, card: str, n: int, kingdom: Kingdom) -> Strategy:
    """Return a strategy that buys up to ``n`` of a card before all that costs no more, but for Victory cards."""
    return edits_of(strategy).with_more(strategy, card, n, kingdom)


def simplified(strategy: Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> Strategy:
    """Return a strategy that leaves out all it can, one thing after the other, as long as ``is_as_good``."""
    return edits_of(strategy).simplified(strategy, kingdom, is_as_good)


def plays_alike(venue: Venue, strategy: Strategy, opponents: Sequence[Strategy]) -> IsAsGood:
    """Return the test whether a changed strategy plays like this one in nearly all games of the same seeds.

    It returns False once the venue's budget is over.
    """

    whole = venue.within(NO_LIMIT)  # the same games of both are compared

    def played(one: Strategy) -> npt.NDArray[Any]:
        games = [_own_games(whole, one, other) for other in opponents]
        return np.concatenate(games)

    before = played(strategy)
    return lambda changed: not venue.budget.is_over and bool((played(changed) != before).any(axis=1).mean() <= RARELY)


def _own_games(venue: Venue, one: Strategy, other: Strategy) -> npt.NDArray[Any]:
    """Return what one strategy came to in each game against copies of another: its score, turns and final deck."""
    parts = []
    for tables, results in venue.against(one, [other], LISTED_GAMES, venue.stream(Figure.LIST)):
        own = np.arange(len(tables)), (tables == 0).argmax(axis=1)
        parts.append(np.column_stack([results[name][own] for name in ("win", "vp", "turns", "owned")]))
    return np.concatenate(parts)
