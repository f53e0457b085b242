"""Find why a user's strategy loses: its first other buy, and the changes of one rule that gain most against the answer.

All changes are tried in short games with common random numbers, and the best of each card in longer games. The gains of
the best three are measured in new games. A gain is kept if its interval is above 0.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.advice.sample import BuyDifference, first_difference
from evodom.dominion.strategies.base import BUY_LIST
from evodom.dominion.strategies.buy_lists.edits import RuleChange, rule_changes
from evodom.dominion.strategies.buy_lists.rules import parse_rules
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import model_of
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, game_seeds, whole_rounds
from evodom.matches.tournament import shares_within_budget
from evodom.matches.venue import Venue, lineup_of
from evodom.statistics import IntervalEstimate, mean_interval

SELECTION = ((64, 4), (256, 1), (1024, 1))
"""Rounds that select changes: the games of each change, and how many changes of rules for one card stay."""

N_CHANGES = 3
"""Changes whose gains are measured."""

MIN_GAIN = 0.001
"""Smallest lower end of the interval of a gain of win rate. Other gains are left out."""

MIN_GAMES = 100
"""Smallest number of games that measure a gain."""


@dataclass(frozen=True)
class LossReasons:
    """Why a user's strategy loses.

    Attributes:
        name: the strategy's name.
        difference: its first other buy in the sample game; None without any.
        gains: the changes that gain most, in words, with their gains of win rate; None for other models than buy lists.
    """

    name: str
    difference: BuyDifference | None
    gains: dict[str, IntervalEstimate] | None


def loss_reasons(venue: Venue, users: Entrant, plan: Strategy, answer: Strategy, games: int) -> LossReasons:
    """Return the first other buy of a user's strategy, and the changes of it that gain most against an answer.

    ``plan`` is the printed list. ``games`` is the number of games of each gain.
    """
    gains = None
    if model_of(users.record).name == BUY_LIST:
        of_plan = model_of(plan).as_rules(plan, venue.kingdom) or ()
        others = [rule for text in of_plan for rule in parse_rules(text)]
        changes = list(rule_changes(users.record, others, venue.kingdom))
        gains = _best(venue, users.record, changes, answer, games)
    return LossReasons(users.name, first_difference(venue, plan, answer, users.record), gains)


def _best(
    venue: Venue, strategy: Strategy, changes: list[RuleChange], answer: Strategy, games: int
) -> dict[str, IntervalEstimate]:
    """Return the gains of the changes that gain most, one for each card, the largest first."""

    def gains(stage: int, n: int, least: int) -> npt.NDArray[np.float64]:
        """Return the gain of each change in ``n`` games, ``least`` if time is short: (n_changes, n_games)."""
        players = lineup_of([strategy, *(changed for _, _, changed in changes), answer])
        numbers = np.arange(len(players))
        seeds = game_seeds(venue.stream(Purpose.REASONS, stage), 1, whole_rounds(n, venue.n_seats))
        # Each stage has an equal part of the remaining time.
        part = venue.part(1.0 / (len(SELECTION) + 1 - stage))
        least = whole_rounds(least, venue.n_seats)
        shares = shares_within_budget(part, players, (numbers[:-1], numbers[-1:]), seeds, least)
        return np.asarray(shares[1:, 0] - shares[0, 0])

    for stage, (n, n_staying) in enumerate(SELECTION):
        staying: dict[str, list[RuleChange]] = {}
        for place in np.argsort(-gains(stage, n, 1).mean(axis=1), kind="stable"):
            staying.setdefault(changes[place][0], []).append(changes[place])
        changes = [change for of_card in staying.values() for change in of_card[:n_staying]]
    changes = changes[:N_CHANGES]
    measured = map(mean_interval, gains(len(SELECTION), max(games, MIN_GAMES), MIN_GAMES))
    found = [(gain, words) for gain, (_, words, _) in zip(measured, changes, strict=True) if gain.low >= MIN_GAIN]
    return {words: gain for gain, words in sorted(found, key=lambda one: -one[0].value)}
