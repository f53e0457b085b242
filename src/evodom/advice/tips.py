"""Describe how to play an answer's cards: what to trash and until when, which Action to play first, what to discard.

A tip is a habit of a learned answer. The answer with the opposite habit plays against the unchanged answer. The tip is
kept if the opposite wins less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy
from evodom.dominion.strategies.describe import plural
from evodom.dominion.strategies.networks.features import (
    FROM_HAND,
    MAY_PASS,
    OF_ANOTHER,
    ONE,
    PENDING,
    TO_DISCARDS,
    TURN,
)
from evodom.dominion.strategies.networks.layers import CARDS, FIRST_OUTPUT, PASS_OUTPUT, PLAY, TRASH, network_arrays
from evodom.dominion.strategies.networks.model import FORBIDDEN_LOGIT, PREFERRED_LOGIT, weights_of, with_weights
from evodom.learning.rollouts import Decisions
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share

MIN_TRASHED_PER_GAME = 0.3
"""Trashing a card is a habit if each seat trashes this number of copies per game or more."""

LAST_TURN_QUANTILE = 0.9
"""The last turn of trashing a card is this quantile of the turns on which it is trashed."""

MIN_CHOICES, MIN_PREFERENCE = 100, 0.8
"""A card is played or discarded first in this share of this number of choices, or more, between it and others."""

MIN_LOSS = 0.04
"""Smallest loss of win rate with the opposite habit, as a share of the chance level. Other tips are left out."""

MAX_TIPS = 3


@dataclass(frozen=True)
class Tip:
    """A habit in words, and the win rate of the answer with the opposite habit against the unchanged answer."""

    text: str
    opposite: Share


@dataclass(frozen=True)
class _Habit:
    """A habit in words, and its opposite: ``logit_change`` is added to the logits of ``outputs`` for a kind."""

    text: str
    kind: int
    outputs: tuple[int, ...]
    logit_change: float


def tips(venue: Venue, answer: Strategy, decisions: Decisions, n_decks: int, games: int) -> tuple[Tip, ...]:
    """Return the tips of a learned answer, the tip with the largest loss of the opposite first.

    ``decisions`` are those of the answer's games. ``n_decks`` is the number of games times the number of seats. Each
    opposite plays ``games`` games.
    """
    found, chance_level = [], 1.0 / venue.n_seats
    habits = list(_habits(decisions, venue.kingdom, n_decks))
    for number, (part, habit) in enumerate(zip(venue.divided([1.0] * len(habits)), habits, strict=True)):
        opposite = wins_against(part, _opposite(answer, habit), answer, games, Purpose.HABITS, number)
        if opposite.high < chance_level and opposite.share <= (1.0 - MIN_LOSS) * chance_level:
            found.append(Tip(habit.text, opposite))
    return tuple(sorted(found, key=lambda tip: tip.opposite.share)[:MAX_TIPS])


def _opposite(answer: Strategy, habit: _Habit) -> Strategy:
    """Return an answer with the opposite of a habit."""
    weights = weights_of(answer)
    for output in habit.outputs:
        network_arrays(weights)["inputs"][habit.kind, ONE, FIRST_OUTPUT + output] += habit.logit_change
    return with_weights(answer, weights)


def _habits(decisions: Decisions, kingdom: Kingdom, n_decks: int) -> Iterator[_Habit]:
    """Yield the habits of trashing, playing and discarding."""
    yield from _trashing(decisions[decisions["kind"] == TRASH], kingdom, n_decks)
    plays = decisions[decisions["kind"] == PLAY]
    for pile in _taken_first(plays, kingdom):
        yield _Habit(f"Play {kingdom.names[pile]} before other Actions", PLAY, (pile,), -PREFERRED_LOGIT)
    features = decisions["features"]
    discards = decisions[
        (decisions["kind"] == CARDS)
        & (features[:, FROM_HAND] > 0)
        & (features[:, TO_DISCARDS] > 0)
        & (features[:, MAY_PASS] == 0)
        & (features[:, OF_ANOTHER] == 0)
    ]
    for pile in _taken_first(discards, kingdom):
        text = f"If you have to discard, discard {plural(kingdom.names[pile])} first"
        yield _Habit(text, CARDS, (pile,), -PREFERRED_LOGIT)


def _trashing(trashes: Decisions, kingdom: Kingdom, n_decks: int) -> Iterator[_Habit]:
    """Yield a habit for each trasher: the cards that are often trashed with it, and the last turn of trashing."""
    by_trasher: dict[str, dict[int, int]] = {}
    for pile in range(len(kingdom.names)):
        chosen = trashes[trashes["action"] == pile]
        if len(chosen) < MIN_TRASHED_PER_GAME * n_decks:
            continue
        pending = chosen["features"][:, PENDING : PENDING + len(kingdom.names)].sum(axis=0)
        trasher = kingdom.names[int(pending.argmax())] if pending.any() else ""
        last = int(np.quantile(chosen["features"][:, TURN], LAST_TURN_QUANTILE))
        by_trasher.setdefault(trasher, {})[pile] = last
    for trasher, lasts in by_trasher.items():
        names = " and ".join(plural(kingdom.names[pile]) for pile in lasts)
        with_card = f" with {trasher}" if trasher else ""
        text = f"Trash {names}{with_card} until turn {max(lasts.values())}"
        yield _Habit(text, TRASH, tuple(lasts), FORBIDDEN_LOGIT)


def _taken_first(choices: Decisions, kingdom: Kingdom) -> Sequence[int]:
    """Return the piles that are chosen in at least MIN_PREFERENCE of the choices between them and another card."""
    found = []
    for pile in range(len(kingdom.names)):
        is_choice = (choices["legal"] >> pile) & 1 == 1
        others = choices["legal"] & ~(1 << pile | 1 << PASS_OUTPUT)
        actions = choices["action"][is_choice & (others != 0)]
        if len(actions) >= MIN_CHOICES and (actions == pile).mean() >= MIN_PREFERENCE:
            found.append(pile)
    return found
