"""A last look at the winner: one more of a card, or none of it, where that makes the strategy better.

Evolution changes cards at random; here every kingdom card is tried. A change stays if the changed strategy beats the
one before it and does no worse against the runner-up.
"""

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from evodom.advice.ablation import OWNED
from evodom.advice.bench import DECKS, REFINED, Bench
from evodom.advice.edits import with_more, without
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.record import Strategy

ROUNDS = 4
"""At most so many changes, one after the other."""

DECK_GAMES = 200

FEWER = 4
"""Trying is done with this part of the games of a figure, and what is best is tried again with all of them."""


def refined(bench: Bench, strategy: Strategy, rival: Strategy, games: int) -> tuple[Strategy, tuple[str, ...]]:
    """Return a strategy that is better by a few changes, and the changes in words."""
    changes: list[str] = []
    for number in range(ROUNDS):
        stream = REFINED + 3 * number
        deck = bench.decks(strategy, rival, DECK_GAMES, DECKS)
        tried = dict(_changed(bench.kingdom, strategy, deck))
        shares = {said: bench.share(one, strategy, games // FEWER, stream).share for said, one in tried.items()}
        best = max(shares, key=lambda said: shares[said])
        if not _is_better(bench, (strategy, tried[best]), rival, games, stream + 1):
            break
        strategy = tried[best]
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


def _is_better(bench: Bench, pair: tuple[Strategy, Strategy], rival: Strategy, games: int, stream: int) -> bool:
    """Tell whether a change is proved to beat the strategy before it, and not proved to be worse against the rival."""
    strategy, changed = pair
    if bench.share(changed, strategy, games, stream).low <= 1.0 / bench.n_seats:
        return False
    before, after = (bench.share(one, rival, games, stream + 1) for one in pair)
    return after.high >= before.low
