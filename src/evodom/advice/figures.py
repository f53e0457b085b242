"""Measure the answer and the plan: win rates, openings and cards, steps 6 to 8 of `advice.search.find_advice`.

An `Advice` has the results.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evodom.advice.ablation import Deck, Trial, retraining, seconds_per_game, trials
from evodom.advice.best_response import ResponseResult
from evodom.advice.course import Course, course_of
from evodom.advice.finding import BIG_MONEY, Plan, RankedStrategies, Subject
from evodom.advice.reasons import LossReasons, loss_reasons
from evodom.advice.sample import SampleOfPlan, sample_of_plan
from evodom.advice.stages import Stages
from evodom.advice.tips import Tip, tips
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import BuyOrders, describe_buys
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.learning.habits import Habits, habits, self_play_games
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose
from evodom.matches.tournament import OpeningBuys, openings, wins_against, wins_against_each
from evodom.matches.venue import Venue
from evodom.statistics import Share

STRONGEST_OPPONENT_WEIGHT = 4.0
"""Time for the win rate against the strongest opponent, in multiples of the time for another win rate."""


@dataclass(frozen=True)
class OpponentResult:
    """An opponent of the answer or the plan, and the win rate against copies of it."""

    name: str
    wins: Share


@dataclass(frozen=True, kw_only=True)
class WinRates:
    """Win rates of the answer and of the plan.

    Attributes:
        hardest: the strongest opponent of the answer.
        searches: the best strategy of each search that did not find the answer.
        user_opponents: opponents that the user named.
        reasons: why each of them loses.
        plan_rival: the best other strategy that is no network.
        list_against_network: win rate of the plan against copies of a network that is the answer.
        course: how the games of the plan end, against that network or the runner-up.
    """

    against_big_money: Share
    against_runner_up: Share
    hardest: OpponentResult
    searches: tuple[OpponentResult, ...]
    user_opponents: tuple[OpponentResult, ...]
    reasons: tuple[LossReasons, ...]
    plan_against_big_money: Share
    plan_rival: OpponentResult
    list_against_network: Share | None
    course: Course


@dataclass(frozen=True, kw_only=True)
class Play:
    """How the answer and the plan play: the buys of the first two turns; habits of a network, and tips to follow it."""

    openings: list[OpeningBuys]
    plan_openings: list[OpeningBuys]
    habits: Habits | None
    tips: tuple[Tip, ...]


@dataclass(frozen=True, kw_only=True)
class CardTrials:
    """Trials of all kingdom cards with the answer and with the plan."""

    trials: list[Trial]
    plan_trials: list[Trial]


@dataclass(frozen=True, kw_only=True)
class Advice(WinRates, Play, CardTrials):
    """The best strategy found, the list for people, and their figures.

    Attributes:
        name: the answer's name.
        changes: changes that improved the answer (`refine`), in words.
        ranking: names of all entrants, best first.
        deck, runner_up_deck, plan_deck: mean final cards, by name.
        best_response: the result of the last best response.
        record: the answer.
        plan: the list for people; equal to the answer unless the answer is a network.
        plan_name: name of an evolved list or baseline that is the plan, or "" for a list found for this answer.
        wording: the plan in words.
        sample: a game of the plan against the answer.
    """

    name: str
    changes: tuple[str, ...]
    runner_up: str
    runner_up_deck: dict[str, float]
    ranking: tuple[str, ...]
    wording: BuyOrders
    deck: dict[str, float]
    best_response: ResponseResult | None
    record: Strategy
    plan: Strategy
    plan_deck: dict[str, float]
    plan_name: str
    sample: SampleOfPlan

    def to_json(self) -> dict[str, Any]:
        """Return the advice as plain JSON types, without the records."""
        return {name: value for name, value in asdict(self).items() if name not in ("record", "plan")}


def advice_of(
    field: RankedStrategies,
    response: ResponseResult | None,
    plan: Plan,
    figures: tuple[WinRates, Play, CardTrials],
) -> Advice:
    """Return the results of all steps."""
    kingdom, answer, second = field.venue.kingdom, field.answer(plan), field.runner_up.name
    win_rates, play, cards = figures
    return Advice(
        name=field.best.name,
        changes=plan.changes,
        runner_up=second,
        runner_up_deck=_by_card(field.decks[second], kingdom),
        ranking=tuple(entrant.name for entrant in field.ranked),
        wording=describe_buys(plan.strategy, kingdom),
        deck=_by_card(answer.deck, kingdom),
        best_response=response,
        record=answer.strategy,
        plan=plan.strategy,
        plan_deck=_by_card(plan.deck, kingdom),
        plan_name=plan.name,
        sample=sample_of_plan(field.venue, plan.strategy, answer.strategy),
        **vars(win_rates),
        **vars(play),
        **vars(cards),
    )


def _by_card(deck: Deck, kingdom: Kingdom) -> dict[str, float]:
    return {card.name: float(n) for card, n in zip(kingdom.piles, deck, strict=False)}


def measure_win_rates(field: RankedStrategies, plan: Plan, users: Sequence[Entrant]) -> WinRates:
    """Return the win rates of the answer and of the plan in new games. ``users`` are the user's opponents."""
    stages, venue = field.stages, field.venue.part(field.stages.win_rates.share)
    answer, money = field.answer(plan).strategy, baseline(BIG_MONEY, venue.kingdom)
    course = course_of(venue, plan.strategy, field.rival, stages)
    n_equal = 3 + 2 * field.is_learned + len(users)
    venues = venue.divided([1.0] * n_equal + [STRONGEST_OPPONENT_WEIGHT, 1.0])

    def wins(strategy: Strategy, opponent: Strategy) -> Share:
        return wins_against(next(venues), strategy, opponent, stages.win_rates.games, Purpose.EXPECTED)

    rival = next(one for one in field.lists if one.name not in (field.best.name, plan.name))
    plan_against_money = wins(plan.strategy, money)
    return WinRates(
        plan_against_big_money=plan_against_money,
        against_runner_up=wins(answer, field.runner_up.record),
        plan_rival=OpponentResult(rival.name, wins(plan.strategy, rival.record)),
        list_against_network=wins(plan.strategy, answer) if field.is_learned else None,
        against_big_money=wins(answer, money) if field.is_learned else plan_against_money,
        user_opponents=_results(users, (wins(answer, one.record) for one in users)),
        hardest=strongest_opponent(next(venues), answer, field.ranked[1:], stages),
        searches=_other_searches(next(venues), answer, field.ranked, stages.other_searches.games),
        reasons=tuple(_reasons(field, plan, users)),
        course=course,
    )


def strongest_opponent(venue: Venue, record: Strategy, others: Sequence[Entrant], stages: Stages) -> OpponentResult:
    """Return the opponent against which a strategy has its lowest win rate."""
    stage = stages.strongest_opponent
    strategies = [other.record for other in others]
    found = wins_against_each(venue.part(stage.share), record, strategies, stage.games, Purpose.HARDEST)
    opponent = others[int(np.argmin([wins.share for wins in found]))]
    wins = wins_against(venue, record, opponent.record, stages.win_rates.games, Purpose.HARDEST, 1)
    return OpponentResult(opponent.name, wins)


def _other_searches(
    venue: Venue, answer: Strategy, ranked: Sequence[Entrant], games: int
) -> tuple[OpponentResult, ...]:
    """Return the best of each search except the answer's, with the win rate of the answer against it."""
    best = dict[tuple[str, ...] | None, Entrant]()
    for one in ranked:
        best.setdefault(_search_of(one), one)
    others = [one for search, one in best.items() if search not in (None, _search_of(ranked[0]))]
    return _results(others, wins_against_each(venue, answer, [one.record for one in others], games, Purpose.EXPECTED))


def _results(opponents: Sequence[Entrant], wins: Iterable[Share]) -> tuple[OpponentResult, ...]:
    return tuple(OpponentResult(one.name, share) for one, share in zip(opponents, wins, strict=True))


def _search_of(entrant: Entrant) -> tuple[str, ...] | None:
    """Return the key of the search that found an entrant; None for a baseline."""
    return entrant.origin[:2] if entrant.origin[0] in ("run", "start") else None


def _reasons(field: RankedStrategies, plan: Plan, users: Sequence[Entrant]) -> Iterator[LossReasons]:
    """Yield why each of the user's opponents loses."""
    stage, answer = field.stages.reasons, field.answer(plan).strategy
    parts = field.venue.part(stage.share).divided([1.0] * len(users))
    for one, part in zip(users, parts, strict=True):
        yield loss_reasons(part, one, plan.strategy, answer, stage.games)


def play_openings(field: RankedStrategies, plan: Plan) -> Play:
    """Play the first two turns. Find the habits of a network in games against itself, and tips on the plan's cards."""
    venue, stages, answer = field.venue, field.stages, field.answer(plan)

    def bought(strategy: Strategy) -> list[OpeningBuys]:
        budget = venue.budget.part(stages.openings.share)
        return openings(strategy, venue.kingdom, venue.n_seats, venue.seed, budget, stages.openings.n)

    of_plan = bought(plan.strategy)
    if not field.is_learned:
        return Play(openings=of_plan, plan_openings=of_plan, habits=None, tips=())
    played = self_play_games(venue, answer.strategy, venue.stream(Purpose.DECKS, 1), stages.habits.fixed)
    n_decks, deck = len(played.tables) * venue.n_seats, _by_card(plan.deck, venue.kingdom)
    tipping = venue.part(stages.tips.share)
    found = tips(tipping, answer.strategy, played.decisions, n_decks, stages.tips.games, deck)
    of_network = habits(played, venue.kingdom, venue.n_seats)
    return Play(openings=bought(answer.strategy), plan_openings=of_plan, habits=of_network, tips=found)


def try_cards(field: RankedStrategies, plan: Plan, play: Play) -> CardTrials:
    """Try each kingdom card with the plan and with the answer."""
    if not field.is_learned:
        of_plan = _trials(field.venue, field, plan, play.plan_openings)
        return CardTrials(trials=of_plan, plan_trials=of_plan)
    of_plan = _trials(field.venue.part(field.stages.plan_cards.share), field, plan, play.plan_openings)
    return CardTrials(trials=_trials(field.venue, field, field.answer(plan), play.openings), plan_trials=of_plan)


def _trials(
    venue: Venue, field: RankedStrategies, subject: Subject, opening_buys: Sequence[OpeningBuys]
) -> list[Trial]:
    """Try each kingdom card with a strategy. A network is trained after each change."""
    stages, strategy = field.stages, subject.strategy
    opening_cards = {card for one in opening_buys for card in one.cards}
    n_trials = len(venue.kingdom.cards)
    n_matches = (n_trials + 1) * stages.cards.n if was_learned(strategy) else n_trials
    seconds = n_matches * stages.cards.games * seconds_per_game(venue, strategy, stages.speed)
    training = venue.within(venue.budget.reserving(seconds, stages.cards_reserve.share))
    retrain = retraining(training, strategy, stages)
    rival = None if was_learned(strategy) else field.rival
    return trials(venue, strategy, subject.deck, field.different, stages.cards.games, retrain, opening_cards, rival)
