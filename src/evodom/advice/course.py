"""Measure how a list's games end, and which line wins games by standing above a more expensive card."""

from dataclasses import dataclass

import numpy as np

from evodom.advice.ablation import LEAST_EFFECT
from evodom.advice.stages import Stages
from evodom.dominion.engine.ops import Ending
from evodom.dominion.engine.rules import STARTING_DECK
from evodom.dominion.strategies.base import BUY_LIST
from evodom.dominion.strategies.buy_lists.edits import orders_by_cost
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import model_of
from evodom.matches.results import GamesSummary, Tally, summarize_games
from evodom.matches.seating import Purpose
from evodom.matches.tournament import wins_against
from evodom.matches.venue import Venue
from evodom.statistics import Share

MIN_EMPTY = 0.25
"""A pile is named if all its cards are owned at the end of this share of the games that end with empty piles."""


@dataclass(frozen=True)
class UnexpectedOrder:
    """A card that a list buys before a more expensive one.

    ``before`` is the most expensive card below it. ``wins`` is the win rate of the list with the card below all more
    expensive cards (`orders_by_cost`), against the list.
    """

    card: str
    before: str
    wins: Share


@dataclass(frozen=True)
class Course:
    """How the games of a list end, and its most important line out of the order of costs, if one matters.

    ``piles`` maps a pile to its share of the games ended by empty piles in which all its cards are owned, largest
    first.
    """

    games: GamesSummary
    piles: dict[str, float]
    unexpected: UnexpectedOrder | None


def course_of(venue: Venue, plan: Strategy, rival: Strategy, stages: Stages) -> Course:
    """Play a list against copies of a rival and return the course of its games."""
    stage, tally, n_owned = stages.game_ends, Tally(), np.zeros(len(venue.kingdom.piles))
    supply = [int(n) for n in venue.rules.supply[: len(n_owned)]]
    for pile, n in STARTING_DECK.items():
        supply[pile] += n * venue.n_seats
    for tables, results in venue.part(stage.share).against(
        plan, [rival], stage.games, venue.stream(Purpose.EXPECTED, 1)
    ):
        tally.add(tables, results)
        owned = results["owned"][results["ended"] == Ending.PILES].sum(axis=1)
        n_owned += (owned[:, : len(supply)] >= supply).sum(axis=0)
    n = max(int((tally.games.ended == Ending.PILES).sum()), 1)
    found = {venue.kingdom.names[pile]: float(n_owned[pile] / n) for pile in np.argsort(-n_owned, kind="stable")}
    piles = {name: share for name, share in found.items() if share >= MIN_EMPTY}
    return Course(summarize_games(tally.games), piles, _unexpected_order(venue, plan, stages))


def _unexpected_order(venue: Venue, plan: Strategy, stages: Stages) -> UnexpectedOrder | None:
    """Return the line whose move into the order of costs loses most. None if it loses less than LEAST_EFFECT."""
    stage, found = stages.unexpected_order, dict[tuple[str, str], Strategy]()
    if model_of(plan).name != BUY_LIST:
        return None
    for card, before, changed in orders_by_cost(plan, venue.kingdom):
        found.setdefault((card, before), changed)
    if not found:
        return None
    limited = venue.part(stage.share)
    parts = limited.part(0.7).divided([1.0] * len(found))
    path = Purpose.EXPECTED, 2
    shares = {
        names: wins_against(part, changed, plan, stage.games // 4, *path).share
        for part, (names, changed) in zip(parts, found.items(), strict=True)
    }
    worst = min(shares, key=lambda names: shares[names])
    wins = wins_against(limited, found[worst], plan, stage.games, Purpose.EXPECTED, 3)
    return UnexpectedOrder(*worst, wins) if wins.high <= (1.0 - LEAST_EFFECT) / venue.n_seats else None
