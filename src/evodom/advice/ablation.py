"""Which cards a strategy needs, and which are traps: what it wins without a card, or with one of another.

Each kingdom card is tried once. If the strategy buys it, it plays without it; else it plays with one of it, bought
before all that costs no more. Either plays against copies of the strategy as it is, so that among equals it wins its
par (a half at tables of two). Nothing is evolved anew to make up for the change.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from evodom.advice.edits import with_more, without
from evodom.advice.figures import wins_against
from evodom.dominion.cards import CARDS
from evodom.dominion.strategies.record import Strategy
from evodom.matches.intervals import Share
from evodom.matches.streams import Figure
from evodom.matches.venue import Venue

OWNED = 0.1
"""A card is bought if so many of it are owned at the end on average."""

LOOKS_GOOD = 4
"""A card that costs as much looks good; so does one that another strategy of the tournament buys."""

NEEDED, BETTER_WITHOUT, TRAP, WORTH_TRYING, NO_MATTER = "needed", "better_without", "trap", "worth_trying", "no_matter"


@dataclass(frozen=True, slots=True)
class Trial:
    """A kingdom card, tried: ``verdict`` is NEEDED, TRAP, WORTH_TRYING, BETTER_WITHOUT or NO_MATTER.

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
    venue: Venue, strategy: Strategy, deck: npt.NDArray[Any], others: dict[str, npt.NDArray[Any]], games: int
) -> list[Trial]:
    """Try each kingdom card, and return the trials by falling loss.

    ``deck`` is what the strategy owns at the end by pile, ``others`` what others do, by name.
    """
    kingdom, par = venue.kingdom, 1.0 / venue.n_seats
    found = []
    for card in kingdom.cards:
        pile = kingdom.pile(card)
        owned = float(deck[pile])
        is_owned = owned >= OWNED
        changed = without(strategy, card, kingdom) if is_owned else with_more(strategy, card, 1, kingdom)
        wins = wins_against(venue, changed, strategy, games, Figure.CARDS)
        buyers = tuple(name for name, theirs in others.items() if theirs[pile] >= OWNED)
        found.append(
            Trial(
                card=card,
                owned=owned,
                wins=wins,
                loss=par - wins.share,
                verdict=_verdict(wins, par, is_owned=is_owned),
                looks_good=CARDS[card].cost >= LOOKS_GOOD or bool(buyers),
                bought_by=buyers,
            )
        )
    return sorted(found, key=lambda trial: -trial.loss)


def with_verdicts(found: Sequence[Trial], verdicts: Collection[str]) -> list[Trial]:
    """Return the trials with one of these verdicts; traps only if they look good."""
    return [trial for trial in found if trial.verdict in verdicts and (trial.looks_good or trial.verdict != TRAP)]


def _verdict(wins: Share, par: float, *, is_owned: bool) -> str:
    if wins.high < par:
        return NEEDED if is_owned else TRAP
    if wins.low > par:
        return BETTER_WITHOUT if is_owned else WORTH_TRYING
    return NO_MATTER
