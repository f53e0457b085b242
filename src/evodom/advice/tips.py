"""Find tips for playing like a learned answer, such as "Trash Coppers with Chapel until turn 6".

A tip describes a habit of the answer. The answer with the opposite habit plays against the unchanged answer. The tip is
kept if the opposite habit wins less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evodom.advice.ablation import MIN_OWNED
from evodom.dominion.effects.effect import Type
from evodom.dominion.engine import observation as column
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.describe import plural
from evodom.dominion.strategies.models.networks import layers
from evodom.dominion.strategies.models.networks.model import FORBIDDEN_LOGIT, PREFERRED_LOGIT, weights_of, with_weights
from evodom.dominion.strategies.record import Strategy
from evodom.learning.rollouts import Decisions
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share

MIN_PER_GAME = 0.3
"""Minimum mean number of copies that are trashed or gained per game and seat, for a habit."""

LATE_QUANTILE = 0.9
"""The last turn of a habit is this quantile of its turns. The first turn is the quantile 1 - LATE_QUANTILE."""

MIDGAME = 8
"""First turn on which the feature TURNS_EARLY is 0."""

MIN_VICTORY_COST = 3
"""Minimum cost of a Victory card whose first turn is a habit."""

MIN_CHOICES = 100  # Minimum number of choices between a card and others, for a habit.
MIN_PREFERENCE = 0.8  # Minimum share of these choices in which the card is taken.

MIN_LOSS = 0.04
"""A habit is a tip if the opposite habit loses at least this win rate, as a share of the chance level."""

MAX_TIPS = 3


@dataclass(frozen=True)
class Tip:
    """A habit in words, and the win rate of the answer with the opposite habit against the unchanged answer."""

    text: str
    opposite: Share


@dataclass(frozen=True)
class _Habit:
    """A habit in words, and its opposite.

    For the opposite, ``logit_change * feature`` is added to the logits of ``outputs`` in decisions of one ``kind``.
    ``card`` is the card that the habit is about, or "" if the plan does not have to own it.
    """

    text: str
    card: str
    kind: int
    outputs: tuple[int, ...]
    logit_change: float
    feature: int = column.ONE


def tips(
    venue: Venue, answer: Strategy, decisions: Decisions, n_decks: int, games: int, deck: dict[str, float]
) -> tuple[Tip, ...]:
    """Return the tips of a network, ordered by the loss of the opposite habit, largest first.

    ``decisions`` has the network's decisions in its games, ``n_decks`` the number of games times the number of seats.
    Each opposite habit plays ``games`` games. ``deck`` is the plan's final deck by card. Other cards have no tips.
    """
    found, chance_level = [], 1.0 / venue.n_seats
    habits = [habit for habit in _habits(decisions, venue.kingdom, n_decks) if deck.get(habit.card, 1.0) >= MIN_OWNED]
    for number, (part, habit) in enumerate(zip(venue.divided([1.0] * len(habits)), habits, strict=True)):
        opposite = wins_against(part, _opposite(answer, habit), answer, games, Purpose.HABITS, number)
        if opposite.high < chance_level and opposite.share <= (1.0 - MIN_LOSS) * chance_level:
            found.append(Tip(habit.text, opposite))
    return tuple(sorted(found, key=lambda tip: tip.opposite.share)[:MAX_TIPS])


def _opposite(answer: Strategy, habit: _Habit) -> Strategy:
    """Return the answer with the opposite of a habit."""
    weights = weights_of(answer)
    for output in habit.outputs:
        row = layers.network_arrays(weights)["inputs"][habit.kind, habit.feature]
        row[layers.FIRST_OUTPUT + output] += habit.logit_change / column.SCALES[habit.feature]
    return with_weights(answer, weights)


def _habits(decisions: Decisions, kingdom: Kingdom, n_decks: int) -> Iterator[_Habit]:
    """Yield the habits of trashing, of buying Victory cards, of playing Actions, and of discarding to an Attack."""
    yield from _trashing(decisions[decisions["kind"] == layers.TRASH], kingdom, n_decks)
    yield from _victory_cards(decisions[decisions["kind"] == layers.GAIN], kingdom, n_decks)
    plays = decisions[decisions["kind"] == layers.PLAY]
    for pile in _taken_first(plays, kingdom):
        card = kingdom.names[pile]
        yield _Habit(f"Play {card} before other Actions", card, layers.PLAY, (pile,), -PREFERRED_LOGIT)
    features = decisions["features"]  # a discard to an attack: from hand, on another player's turn, not optional
    discards = decisions[
        (decisions["kind"] == layers.CARDS)
        & (features[:, column.FROM_HAND] > 0)
        & (features[:, column.TO_DISCARDS] > 0)
        & (features[:, column.MAY_PASS] == 0)
        & (features[:, column.OF_ANOTHER] == 0)
        & (features[:, column.OWN_TURN] == 0)
    ]
    for pile in _taken_first(discards, kingdom):
        text = f"Discard {plural(kingdom.names[pile])} first to an opponent's {_pending_card(discards, kingdom)}"
        yield _Habit(text, "", layers.CARDS, (pile,), -PREFERRED_LOGIT)


def _victory_cards(gains: Decisions, kingdom: Kingdom, n_decks: int) -> Iterator[_Habit]:
    """Yield a habit for each Victory card that costs at least MIN_VICTORY_COST: the first turn of its gains.

    The opposite changes gains before turn MIDGAME.
    """
    for pile in kingdom.piles_where(lambda card: Type.VICTORY in card.types and card.cost >= MIN_VICTORY_COST):
        turns = gains["features"][gains["action"] == pile, column.TURN]
        if len(turns) >= MIN_PER_GAME * n_decks:
            first, cards = int(np.quantile(turns, 1.0 - LATE_QUANTILE)), plural(kingdom.names[pile])
            text, change = f"Buy {cards} from turn {first}", FORBIDDEN_LOGIT
            if first >= MIDGAME:
                text, change = f"{text}, none before turn {MIDGAME}", PREFERRED_LOGIT
            yield _Habit(text, kingdom.names[pile], layers.GAIN, (pile,), change, column.TURNS_EARLY)


def _pending_card(decisions: Decisions, kingdom: Kingdom) -> str:
    """Return the name of the card whose effect caused most of the decisions, or "" for none."""
    pending = decisions["features"][:, column.PENDING : column.PENDING + len(kingdom.names)].sum(axis=0)
    return kingdom.names[int(pending.argmax())] if pending.any() else ""


def _trashing(trashes: Decisions, kingdom: Kingdom, n_decks: int) -> Iterator[_Habit]:
    """Yield a habit for each trasher: the cards that it often trashes, and the last turn of trashing."""
    by_trasher: dict[str, dict[int, int]] = {}
    for pile in range(len(kingdom.names)):
        chosen = trashes[trashes["action"] == pile]
        if len(chosen) >= MIN_PER_GAME * n_decks:
            last = int(np.quantile(chosen["features"][:, column.TURN], LATE_QUANTILE))
            by_trasher.setdefault(_pending_card(chosen, kingdom), {})[pile] = last
    for trasher, lasts in by_trasher.items():
        *cards, name = (plural(kingdom.names[pile]) for pile in lasts)
        names = f"{', '.join(cards)} and {name}" if cards else name
        with_card = f" with {trasher}" if trasher else ""
        text = f"Trash {names}{with_card} until turn {max(lasts.values())}"
        yield _Habit(text, trasher, layers.TRASH, tuple(lasts), FORBIDDEN_LOGIT)


def _taken_first(choices: Decisions, kingdom: Kingdom) -> Sequence[int]:
    """Return the piles that are taken in at least MIN_PREFERENCE of the choices in which another card is legal too."""
    found = []
    for pile in range(len(kingdom.names)):
        is_choice = (choices["legal"] >> pile) & 1 == 1
        others = choices["legal"] & ~(1 << pile | 1 << layers.PASS_OUTPUT)
        actions = choices["action"][is_choice & (others != 0)]
        if len(actions) >= MIN_CHOICES and (actions == pile).mean() >= MIN_PREFERENCE:
            found.append(pile)
    return found
