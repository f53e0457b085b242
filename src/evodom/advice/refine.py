"""Improve a strategy card by card: one more of a card, or none of it, where that wins more.

Evolution changes cards at random; here every kingdom card is tried. A change stays if the changed strategy beats the
one before it and does no worse against the runner-up.
"""

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from evodom.advice.ablation import OWNED
from evodom.advice.edits import with_more, without
from evodom.advice.figures import final_deck
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import Strategy
from evodom.matches.copies import wins_against
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue

ROUNDS = 4
"""At most so many changes, one after the other."""

DECK_GAMES = 200

SEARCHED, PROVED, AGAINST_RIVAL = range(3)
"""What the games of a change are for: to find the best one, to prove it, to see that it does no worse."""

ROUND_SHARE, SEARCH_SHARE = 0.5, 0.6
"""The share of a limited time for the next change, and the share of that for finding it."""

FEWER = 4
"""Each change is tried with the games of a figure divided by this; the best one is tried again with all of them."""


def refined(venue: Venue, strategy: Strategy, rival: Strategy, games: int) -> tuple[Strategy, tuple[str, ...]]:
    """Improve a strategy by a few changes that are proved to win more; return it with the changes in words."""
    changes: list[str] = []
    for number in range(ROUNDS):
        if venue.budget.is_over:
            break
        limited = venue.part(ROUND_SHARE)
        deck = final_deck(limited, strategy, rival, DECK_GAMES, Figure.DECKS)
        changed = dict(_changed(venue.kingdom, strategy, deck))
        venues = limited.part(SEARCH_SHARE).divided([1.0] * len(changed))
        shares = {
            said: wins_against(part, one, strategy, games // FEWER, Figure.CHANGES, number, SEARCHED).share
            for part, (said, one) in zip(venues, changed.items(), strict=True)
        }
        best = max(shares, key=lambda said: shares[said])
        if not _is_better(limited, (strategy, changed[best]), rival, games, number):
            break
        strategy = changed[best]
        changes.append(best)
    return strategy, tuple(changes)


def _changed(kingdom: Kingdom, strategy: Strategy, deck: npt.NDArray[Any]) -> Iterator[tuple[str, Strategy]]:
    """Give the strategy with each change, and the change in words."""
    names = kingdom.names
    for card in kingdom.cards:
        owned = float(deck[names.index(card)])
        n = round(owned) + 1
        yield f"{n} {card}", with_more(strategy, card, n, kingdom)
        if owned >= OWNED:
            yield f"no {card}", without(strategy, card, kingdom)


def _is_better(venue: Venue, pair: tuple[Strategy, Strategy], rival: Strategy, games: int, number: int) -> bool:
    """Tell whether a change clearly beats the strategy before it, and is not clearly worse against the rival."""
    strategy, changed = pair
    venues = venue.divided([1.0] * 3)
    if wins_against(next(venues), changed, strategy, games, Figure.CHANGES, number, PROVED).low <= 1.0 / venue.n_seats:
        return False
    before, after = (
        wins_against(next(venues), one, rival, games, Figure.CHANGES, number, AGAINST_RIVAL) for one in pair
    )
    return after.high >= before.low
