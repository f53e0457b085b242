"""Change a strategy card by card: find the cards it needs, the harmful ones, and the changes that win more.

`trials` tries each kingdom card. A card that the strategy buys is left out. Of another card the strategy buys one copy,
before all cards that cost the same or less. A network is retrained after the change, with two seeds. The changed
strategy plays against copies of the unchanged strategy. Equal strategies have the win rate c = 1 / n_seats, the chance
level.

The verdict on a card follows from the interval of this win rate. With e = MIN_EFFECT times c:

| interval | a card that the strategy buys | another card |
|---|---|---|
| below c - e | NEEDED | HARMFUL |
| above c + e | BETTER_WITHOUT | WORTH_TRYING |
| within c - e and c + e | NO_DIFFERENCE | NO_DIFFERENCE |
| any other | UNCLEAR | UNCLEAR |

In the second row, the win rate of a network that is retrained without a change replaces c if it is higher. A verdict is
UNCLEAR in three more cases: two trainings give different verdicts; the strategy opens with a harmful card; a change
wins more against the strategy and less against its rival.

`refine` keeps a change if it beats the previous strategy and is not clearly worse against the rival.
`wins_alike` tests whether a part of a list can be left out.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.stages import STAGES, Stage, Stages
from evodom.budget import NO_LIMIT
from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import IsAsGood
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import editable_model, was_learned
from evodom.learning.training import train_best_responses
from evodom.matches.results import Tally
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share

COMPARISON_GAMES = 200
"""Number of games against each opponent. A strategy plays them with a part of its list, and without it."""

MAX_CHANGED_SHARE = 0.02
"""Maximum share of these games with another result without the part."""


def plays_alike(venue: Venue, strategy: Strategy, opponents: Sequence[Strategy]) -> IsAsGood:
    """Return a function that tests whether a changed strategy has this strategy's results in nearly all games.

    Both play with the same seeds. The function returns False if the venue's budget is over.
    """

    whole = venue.within(NO_LIMIT)  # both strategies play all games

    def played(one: Strategy) -> npt.NDArray[Any]:
        """Return the strategy's win, score, turns and final deck in each game against copies of each opponent."""
        parts = []
        for other in opponents:
            for tables, results in whole.against(one, [other], COMPARISON_GAMES, whole.stream(Purpose.LIST)):
                own = np.arange(len(tables)), (tables == 0).argmax(axis=1)
                parts.append(np.column_stack([results[name][own] for name in ("win", "vp", "turns", "owned")]))
        return np.concatenate(parts)

    before = played(strategy)
    return lambda changed: (
        not venue.budget.is_over and bool((played(changed) != before).any(axis=1).mean() <= MAX_CHANGED_SHARE)
    )


MIN_OWNED = 0.1
"""Minimum mean number of copies in the final deck of a card that counts as bought."""

MIN_GOOD_COST = 4
"""Minimum cost of a card that looks good."""

MIN_EFFECT = 0.04
"""Minimum change of the win rate, as a share of the chance level: 2 percentage points with two players."""

NEEDED, BETTER_WITHOUT, HARMFUL, WORTH_TRYING = "needed", "better_without", "harmful", "worth_trying"
NO_DIFFERENCE, UNCLEAR = "no_difference", "unclear"

Retrain = Callable[[Sequence[Strategy]], list[list[Strategy]]]
"""A function that retrains each changed strategy, once or more, and returns the results for each."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial of a kingdom card.

    Attributes:
        card: the card's name.
        owned: mean number of copies in the strategy's final deck.
        wins: the changed strategy's win rate against the unchanged strategy.
        loss: the chance level minus this win rate.
        verdict: one of the constants above, such as NEEDED.
        looks_good: True if the card costs at least MIN_GOOD_COST, or another strategy buys it.
        bought_by: names of other strategies that buy the card.
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
    retrain: Retrain | None = None,
    opens_with: Collection[str] = (),
    rival: Strategy | None = None,
) -> list[Trial]:
    """Try each kingdom card. Return the trials by falling loss.

    ``deck`` is the strategy's final deck by pile, ``others`` the decks of other strategies by name. ``opens_with`` has
    cards that the strategy buys on its first two turns. They are never HARMFUL, even if the final deck has fewer than
    MIN_OWNED. A change of a list that wins less against the ``rival`` is UNCLEAR.
    """
    kingdom, chance_level, model = venue.kingdom, 1.0 / venue.n_seats, editable_model(strategy)
    owns = {card: float(deck[kingdom.pile(card)]) for card in kingdom.cards}
    changed = [
        model.without_card(strategy, card, kingdom)
        if owned >= MIN_OWNED
        else model.with_card(strategy, card, 1, kingdom)
        for card, owned in owns.items()
    ]
    control, *retrained = retrain([strategy, *changed]) if retrain else [[], *([one] for one in changed)]
    venues = venue.divided([1.0] * sum(map(len, [control, *retrained])))
    # Retraining improves a network even without a change. WORTH_TRYING requires a higher win rate than that.
    control_level = max(
        [chance_level, *(wins_against(next(venues), one, strategy, games, Purpose.CARDS).share for one in control)]
    )
    bounds = (1.0 - MIN_EFFECT) * chance_level, control_level + MIN_EFFECT * chance_level
    found = []
    for (card, owned), tried in zip(owns.items(), retrained, strict=True):
        pile, is_owned = kingdom.pile(card), owned >= MIN_OWNED
        wins = [wins_against(next(venues), one, strategy, games, Purpose.CARDS) for one in tried]
        verdicts = {_verdict(one, bounds, is_owned=is_owned) for one in wins}
        verdicts |= {UNCLEAR} if verdicts == {HARMFUL} and card in opens_with else set()
        if rival is not None and verdicts & {BETTER_WITHOUT, WORTH_TRYING}:
            keeps = keeps_wins(venue, (strategy, *tried), rival, games, Purpose.CARDS, 1)
            verdicts |= set() if keeps else {UNCLEAR}
        best = max(wins, key=lambda one: one.share)
        buyers = tuple(name for name, theirs in others.items() if theirs[pile] >= MIN_OWNED)
        found.append(
            Trial(
                card=card,
                owned=owned,
                wins=best,
                loss=chance_level - best.share,
                verdict=verdicts.pop() if len(verdicts) == 1 else UNCLEAR,
                looks_good=CARDS[card].cost >= MIN_GOOD_COST or bool(buyers),
                bought_by=buyers,
            )
        )
    return sorted(found, key=lambda trial: -trial.loss)


def retraining(venue: Venue, strategy: Strategy, stages: Stages) -> Retrain | None:
    """Return a function that trains changed networks, or None if ``strategy`` is no network."""
    stage = stages.cards
    if not stage.training or not was_learned(strategy):
        return None

    def retrain(changed: Sequence[Strategy]) -> list[list[Strategy]]:
        streams = [venue.stream(Purpose.WITHOUT_CARD, number) for number in range(stage.n)]
        starts = list(product(changed, streams))
        found = train_best_responses(venue, starts, [strategy], stage.training, stages.response_iteration)
        return [found[first : first + len(streams)] for first in range(0, len(found), len(streams))]

    return retrain


def select_trials(found: Sequence[Trial], verdicts: Collection[str]) -> list[Trial]:
    """Return the trials with one of these verdicts, without harmful cards that do not look good."""
    return [trial for trial in found if trial.verdict in verdicts and (trial.looks_good or trial.verdict != HARMFUL)]


def _verdict(wins: Share, bounds: tuple[float, float], *, is_owned: bool) -> str:
    """Return the verdict on a card by the place of the interval ``wins`` relative to two bounds."""
    low, high = bounds
    if wins.high <= low:
        return NEEDED if is_owned else HARMFUL
    if wins.low >= high:
        return BETTER_WITHOUT if is_owned else WORTH_TRYING
    return NO_DIFFERENCE if low <= wins.low and wins.high <= high else UNCLEAR


Deck = npt.NDArray[np.float64]
"""Mean number of cards of each pile."""


def final_deck(venue: Venue, one: Strategy, other: Strategy, n_games: int, *path: int) -> Deck:
    """Return the mean number of cards of each pile in a strategy's final decks against copies of another."""
    return Tally.of(venue.against(one, [other], n_games, venue.stream(*path))).deck(0)


def seconds_per_game(venue: Venue, strategy: Strategy, stage: Stage) -> float:
    """Return the mean duration of a strategy's games against copies of itself. Without a time limit return 0."""
    if not venue.budget.is_limited:
        return 0.0
    timed = venue.part(stage.share)
    games = timed.against(strategy, [strategy], stage.fixed, timed.stream(Purpose.DECKS, 2))
    return timed.budget.seconds_spent / sum(len(tables) for tables, _ in games)


SELECTING, CONFIRMING, AGAINST_RIVAL = range(3)  # Streams of the games of a change, by their purpose.

MAX_CONFIRMED = 3
"""Maximum number of changes that one step of `refine` tests in new games."""


def refine(
    venue: Venue, strategy: Strategy, rival: Strategy, stages: Stages = STAGES
) -> tuple[Strategy, tuple[str, ...]]:
    """Improve a strategy by successive changes that win more. Return the strategy, and the changes in words."""
    changes: list[str] = []
    change, selection = stages.change, stages.change_selection
    for number in range(stages.refinement.n):
        if venue.budget.is_over:
            break
        limited = venue.part(change.share)
        deck = final_deck(limited, strategy, rival, change.fixed, Purpose.DECKS)
        changed = dict(_changed(venue.kingdom, strategy, deck))
        venues = limited.part(selection.share).divided([1.0] * len(changed))
        path = Purpose.CHANGES, number, SELECTING
        shares = {
            words: wins_against(part, one, strategy, selection.games, *path).share
            for part, (words, one) in zip(venues, changed.items(), strict=True)
        }
        best = sorted(shares, key=lambda words: -shares[words])[:MAX_CONFIRMED]
        tried = [words for words in best if shares[words] > 1.0 / venue.n_seats]
        parts = zip(tried, limited.divided([1.0] * len(tried)), strict=True)
        pairs = ((words, part, (strategy, changed[words])) for words, part in parts)
        better = next((words for words, part, pair in pairs if _is_better(part, pair, rival, change.games, number)), "")
        if not better:
            break
        strategy = changed[better]
        changes.append(better)
    return strategy, tuple(changes)


def _changed(kingdom: Kingdom, strategy: Strategy, deck: npt.NDArray[Any]) -> Iterator[tuple[str, Strategy]]:
    """Yield each change in words with the changed strategy."""
    names, model = kingdom.names, editable_model(strategy)
    for card in kingdom.cards:
        owned = float(deck[names.index(card)])
        n = round(owned) + 1
        yield f"{n} {card}", model.with_card(strategy, card, n, kingdom)
        if owned >= MIN_OWNED:
            yield f"no {card}", model.without_card(strategy, card, kingdom)


def _is_better(venue: Venue, pair: tuple[Strategy, Strategy], rival: Strategy, games: int, number: int) -> bool:
    """Return whether a change clearly beats the strategy before it, and is not clearly worse against the rival."""
    strategy, changed = pair
    wins = wins_against(venue.part(1 / 3), changed, strategy, games, Purpose.CHANGES, number, CONFIRMING)
    return wins.low > 1.0 / venue.n_seats and keeps_wins(
        venue, pair, rival, games, Purpose.CHANGES, number, AGAINST_RIVAL
    )


def keeps_wins(venue: Venue, pair: Sequence[Strategy], rival: Strategy, games: int, *path: int) -> bool:
    """Return whether the second strategy of a pair is not clearly worse than the first against a rival."""
    parts = zip(pair, venue.divided([1.0] * len(pair)), strict=True)
    before, after = (wins_against(part, one, rival, games, *path) for one, part in parts)
    return after.high >= before.low


def wins_alike(venue: Venue, strategy: Strategy, rival: Strategy, games: int) -> IsAsGood:
    """Return a function that tests whether a changed strategy wins as often as this strategy.

    The test has two conditions:

    - The win rate against this strategy is not clearly below the chance level: the upper end of its interval reaches
      this level, and the lower end is at most MIN_EFFECT below. A quarter of the games excludes most changes.
    - The win rate against the rival is not clearly lower (`keeps_wins`).

    The function returns False if the venue's budget is over.
    """
    chance_level = 1.0 / venue.n_seats

    def is_as_good(changed: Strategy) -> bool:
        for n, lowest in ((games // 4, 0.0), (games, (1.0 - MIN_EFFECT) * chance_level)):
            wins = wins_against(venue, changed, strategy, n, Purpose.LIST, 2, n)
            if venue.budget.is_over or wins.high < chance_level or wins.low < lowest:
                return False
        return keeps_wins(venue, (strategy, changed), rival, games, Purpose.LIST, 3)

    return is_as_good
