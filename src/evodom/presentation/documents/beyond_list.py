"""Sentences on the limits of an answer: a short search, and the advantages of a network over a list that loses to it.

All figures are measured: final decks, trials of cards, and games of the network against itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evodom.advice import LEARNED_GAMES
from evodom.advice.ablation import MIN_EFFECT, MIN_OWNED, NEEDED, select_trials
from evodom.presentation.format import decimal, joined, percent

if TYPE_CHECKING:
    from evodom.advice.figures import Advice
    from evodom.learning.habits import Habits
    from evodom.statistics import Share

MAX_CARDS_NAMED = 3
"""Maximum number of cards for each fact in a text of one screen."""

MAX_WEAK_LIST = 0.3
"""A weak list wins less than this multiple of the chance level against the network: 15 % with two players."""

MAX_LOSING_LIST = 0.8
"""A losing list wins less than this multiple of the chance level: it loses more than 60 % with two players."""

SHORT_TRAINING = 10_000
"""Minimum number of training games. A search with fewer is short.

In the kingdom of docs/guide/advise.md, a search with 20,000 games and 10 generations finds a network that wins 96.7 %
against Big Money. With 60,000 games and 30 generations it is 96.6 %.
"""

SHORT_GENERATIONS = 5
"""Minimum number of generations. A search with fewer is short."""

SHORT_MATCHES = 1_000
"""A search is short if its best response trains for fewer games, or if time cuts a win rate to fewer games."""

MIN_PER_GAME = 0.3
"""Minimum mean number of trashed copies, or of copies in the final deck, for a card to be named."""

LONG_MINUTES = 5
"""Number of minutes in which a search found better lists. Searches of one minute found weak lists.

WEAK_LISTS has the win rates of the kingdoms random 7 and 10 in docs/results/dominion.md.
"""

WEAK_LISTS = "after it, two weak lists won 22 and 33 % instead of 12 and 19 %"


def short_search_note(question: Mapping[str, Any], advice: Advice) -> str:
    """Return a sentence on a short search, with the way to go on; "" for a search with enough effort.

    A search is short, too, if its best strategy loses to the runner-up by more than MIN_EFFECT.
    """
    response, wins = advice.best_response, advice.against_runner_up
    is_untrained = question["learned_games"] < SHORT_TRAINING
    is_short = is_untrained or question["generations"] < SHORT_GENERATIONS
    is_short |= is_below(wins, question["players"], 1.0 - MIN_EFFECT)
    is_short |= response is not None and response.n_games < SHORT_MATCHES
    if not is_short and wins.n_games >= min(SHORT_MATCHES, question["games"]):
        return ""
    minutes = question.get("minutes")
    # A repeated command evolves on, and trains a new best response. It does not train saved networks again.
    if is_untrained:
        effort = f"--minutes {max(2 * minutes, LONG_MINUTES):g}" if minutes else f"--training-games {LEARNED_GAMES}"
        return f"The search was short: repeat it with more effort ({effort} --overwrite)."
    return f"The search was short: repeat the command{' with a larger --ngen' * (not minutes)} to continue it."


def is_below(wins: Share | None, players: int, multiple: float) -> bool:
    """Return whether a win rate is below a multiple of the chance level; False without a win rate."""
    return wins is not None and wins.share < multiple / players


def beyond_list(question: Mapping[str, Any], advice: Advice) -> Iterator[str]:
    """Yield the advantages of a network over a losing list. For a weak list, yield also how to find a better one."""
    wins, players = advice.list_against_network, question["players"]
    if not is_below(wins, players, MAX_LOSING_LIST):
        return
    gaps = {card: abs(n - advice.plan_deck.get(card, 0.0)) for card, n in advice.deck.items()}
    card = max(gaps, key=lambda name: gaps[name])
    of_network, of_list = (decimal(deck.get(card, 0.0), 1) for deck in (advice.deck, advice.plan_deck))
    yield f"Largest difference: at the end the network owns {of_network} {card}, the list {of_list}."
    if not is_below(wins, players, MAX_WEAK_LIST):
        return
    if needed := select_trials(advice.trials, (NEEDED,))[:MAX_CARDS_NAMED]:
        shares = [f"{percent(trial.wins.share, 0)} %" for trial in needed]
        shares[0] = f"wins {shares[0]} without it"  # Only the first card explains the number.
        cards = [f"{one.card} ({share}{_missing(one.card, advice)})" for one, share in zip(needed, shares, strict=True)]
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
