"""Which cards a strategy needs, and which are traps: what it wins without a card, or with one of another.

Each kingdom card is tried. If the strategy buys it, it plays without it; else it plays with one of it, bought before
all that costs no more. Either plays against copies of the strategy as it is, so that among equals it wins its par (a
half at tables of two). A learned strategy has some games to make up for the change, twice with other luck: what the two
searches say differently is unclear, and what is worth a try has to win more than what the same searches find without a
change. A list stays as it is but for the change.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy.typing as npt

from evodom.advice.edits import with_more, without
from evodom.dominion.cards import CARDS
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.learning.reply import learned_replies
from evodom.matches.copies import wins_against
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue
from evodom.statistics import Share

OWNED = 0.1
"""A card is bought if so many of it are owned at the end on average."""

LOOKS_GOOD = 4
"""A card that costs as much looks good; so does one that another strategy of the tournament buys."""

NEEDED, BETTER_WITHOUT, TRAP, WORTH_TRYING, NO_MATTER = "needed", "better_without", "trap", "worth_trying", "no_matter"
UNCLEAR = "unclear"

N_SEARCHES = 2
"""Searches with, or without, a card."""

Search = Callable[[Sequence[Strategy]], list[list[Strategy]]]
"""Lets each of some changed strategies make up for the change, in N_SEARCHES searches."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A kingdom card, tried: ``verdict`` is NEEDED, TRAP, WORTH_TRYING, BETTER_WITHOUT, NO_MATTER or UNCLEAR.

    ``owned`` is how many the strategy owns at the end, ``wins`` what the changed one wins against the strategy as it
    is, ``loss`` by how much that is below par, and ``bought_by`` which others buy the card.
    """

    card: str
    owned: float
    wins: Share
    loss: float
    verdict: str
    looks_good: bool
    bought_by: tuple[str, ...]


def trials(
    venue: Venue,
    strategy: Strategy,
    deck: npt.NDArray[Any],
    others: dict[str, npt.NDArray[Any]],
    games: int,
    search: Search | None = None,
    opens_with: Collection[str] = (),
) -> list[Trial]:
    """Try each kingdom card, and return the trials by falling loss.

    ``deck`` is what the strategy owns at the end by pile, ``others`` what others do, by name. What the strategy
    ``opens_with`` at some splits is no trap, though it may own it too seldom to need it.
    """
    kingdom, par = venue.kingdom, 1.0 / venue.n_seats
    owns = {card: float(deck[kingdom.pile(card)]) for card in kingdom.cards}
    changed = [
        without(strategy, card, kingdom) if owned >= OWNED else with_more(strategy, card, 1, kingdom)
        for card, owned in owns.items()
    ]
    control, *searched = search([strategy, *changed]) if search else [[], *([one] for one in changed)]
    venues = venue.divided([1.0] * sum(map(len, [control, *searched])))
    # A search finds something better even without a change: what is to be worth a try has to be better than that.
    most = max([par, *(wins_against(next(venues), one, strategy, games, Figure.CARDS).share for one in control)])
    found = []
    for (card, owned), tried in zip(owns.items(), searched, strict=True):
        pile, is_owned = kingdom.pile(card), owned >= OWNED
        wins = [wins_against(next(venues), one, strategy, games, Figure.CARDS) for one in tried]
        verdicts = {_verdict(one, (par, most), is_owned=is_owned) for one in wins}
        verdicts |= {NO_MATTER} if verdicts == {TRAP} and card in opens_with else set()
        best = max(wins, key=lambda one: one.share)
        buyers = tuple(name for name, theirs in others.items() if theirs[pile] >= OWNED)
        found.append(
            Trial(
                card=card,
                owned=owned,
                wins=best,
                loss=par - best.share,
                verdict=verdicts.pop() if len(verdicts) == 1 else UNCLEAR,
                looks_good=CARDS[card].cost >= LOOKS_GOOD or bool(buyers),
                bought_by=buyers,
            )
        )
    return sorted(found, key=lambda trial: -trial.loss)


def card_search(venue: Venue, strategy: Strategy, n_games: float) -> Search | None:
    """Return the short search that a learned strategy makes with, or without, a card; None for one that is a list.

    All searches share the venue's budget.
    """
    if not n_games or not was_learned(strategy):
        return None

    def search(changed: Sequence[Strategy]) -> list[list[Strategy]]:
        streams = [venue.stream(Figure.WITHOUT_CARD, number) for number in range(N_SEARCHES)]
        found = learned_replies(venue, list(product(changed, streams)), [strategy], n_games)
        return [found[first : first + N_SEARCHES] for first in range(0, len(found), N_SEARCHES)]

    return search


def with_verdicts(found: Sequence[Trial], verdicts: Collection[str]) -> list[Trial]:
    """Return the trials with one of these verdicts; traps only if they look good."""
    return [trial for trial in found if trial.verdict in verdicts and (trial.looks_good or trial.verdict != TRAP)]


def _verdict(wins: Share, bounds: tuple[float, float], *, is_owned: bool) -> str:
    """Return what wins below the first bound, above the second, or neither, say of a card."""
    least, most = bounds
    if wins.high < least:
        return NEEDED if is_owned else TRAP
    if wins.low > most:
        return BETTER_WITHOUT if is_owned else WORTH_TRYING
    return NO_MATTER
