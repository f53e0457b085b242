"""Sentences on the advantages of a network over a weak list: needed cards, trashing, first Victory cards.

All figures are measured: trials of cards, and games of the network against itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evodom.advice.ablation import MIN_OWNED, NEEDED, with_verdicts
from evodom.presentation.format import decimal, joined, percent

if TYPE_CHECKING:
    from evodom.advice.figures import Advice
    from evodom.learning.habits import Habits
    from evodom.statistics import Share

MAX_CARDS_NAMED = 3
"""Maximum number of cards of each kind in a text of one screen."""

MAX_WEAK_LIST = 0.3
"""A weak list wins less than this multiple of the chance level against the network: 15 % with two players."""

MIN_PER_GAME = 0.3
"""Minimum mean number of trashed copies, or of copies in the final deck, for a card to be named."""

LONG_MINUTES = 5
"""Minutes of a search that found better lists where one minute found weak ones.

WEAK_LISTS has the win rates of the kingdoms random 7 and 10 in docs/results/dominion.md.
"""

WEAK_LISTS = "after it, two weak lists won 22 and 33 % instead of 12 and 19 %"


def is_weak(wins: Share | None, players: int) -> bool:
    """Return whether a list wins little against a network; False without a network."""
    return wins is not None and wins.share < MAX_WEAK_LIST / players


def beyond_list(question: Mapping[str, Any], advice: Advice) -> Iterator[str]:
    """Yield the advantages of a network over its list, then how to find a better list."""
    if needed := with_verdicts(advice.trials, (NEEDED,))[:MAX_CARDS_NAMED]:
        wins = [f"{percent(trial.wins.share, 0)} %" for trial in needed]
        wins[0] += " of the wins without it"  # Only the first card explains the number.
        cards = [f"{one.card} ({share}{_missing(one.card, advice)})" for one, share in zip(needed, wins, strict=True)]
        yield f"The network needs {joined(cards)}."
    if advice.habits:
        yield from _habits(advice.habits)
    if question.get("minutes", LONG_MINUTES) < LONG_MINUTES:
        yield f"A search of {LONG_MINUTES} minutes finds a better list: {WEAK_LISTS}."
    else:
        yield "A longer search may find a better list."


def _missing(card: str, advice: Advice) -> str:
    """Return the remark for a card that the list does not buy."""
    return "; not in the list" if advice.plan_deck.get(card, 0.0) < MIN_OWNED else ""


def _habits(habits: Habits) -> Iterator[str]:
    """Yield the cards that a network trashes, and the turns of its first Victory cards, except Estates."""
    trashed = [f"{decimal(n, 1)} {name}" for name, n in habits.trashed.items() if n >= MIN_PER_GAME]
    if trashed:
        yield f"The network trashes {joined(trashed[:MAX_CARDS_NAMED])} a game."
    turns = sorted(habits.greens_from.items(), key=lambda item: item[1])
    often = [(card, turn) for card, turn in turns if card != "Estate" and habits.deck.get(card, 0.0) >= MIN_PER_GAME]
    if often:
        yield f"The network buys its first {joined(f'{card} on turn {turn:.0f}' for card, turn in often)}."
