"""Measure the answer and the plan: win rates, openings and cards, steps 6 to 8 of `advice.search.find_advice`.

An `Advice` has the results. Two of its parts:

- `Course`: how a list's games end, and which rule wins games although it buys a card before a more expensive card.
- `LossReasons`: why a user's strategy loses: its first other buy, and the best changes of one rule. All changes are
  tried in a few games with common random numbers, and the best change of each card in more games. The gains of the best
  three are measured in new games. A gain is kept if its interval is above 0.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import MIN_EFFECT, Trial, retraining, seconds_per_game, trials
from evodom.advice.best_response import ResponseResult
from evodom.advice.finding import BIG_MONEY, Plan, RankedStrategies, Subject
from evodom.advice.sample import BuyDifference, SampleOfPlan, first_difference, sample_of_plan
from evodom.advice.stages import Stages
from evodom.advice.tips import Tip, tips
from evodom.dominion.effects.ops import Ending
from evodom.dominion.engine.rules import STARTING_DECK
from evodom.dominion.strategies.base import BUY_LIST
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import BuyOrders, describe_buys
from evodom.dominion.strategies.models.buy_lists.edits import RuleChange, lists_by_cost, rule_changes
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import model_of, was_learned
from evodom.learning.habits import Habits, habits, self_play_games
from evodom.matches.agents import Entrant
from evodom.matches.mistakes import Mistake, costliest_mistakes, rival_network
from evodom.matches.results import GamesSummary, Tally, summarize_games
from evodom.matches.seating import Purpose, game_seeds, whole_rounds
from evodom.matches.tournament import OpeningBuys, openings, shares_within_budget, wins_against, wins_against_each
from evodom.matches.venue import Venue, lineup_of
from evodom.statistics import IntervalEstimate, Share, mean_interval

MIN_EMPTY = 0.25
"""`Course.piles` names a pile that is empty in at least this share of the games that end by empty piles."""


@dataclass(frozen=True)
class UnexpectedOrder:
    """A card that a list buys before a more expensive card.

    ``before`` is the most expensive card below it. In a changed list, the card is below all more expensive cards
    (`lists_by_cost`). ``wins`` is the win rate of the changed list against the list.
    """

    card: str
    before: str
    wins: Share


@dataclass(frozen=True)
class Course:
    """How the games of a list end, and its most important rule that is not in the order of costs, if there is one.

    ``piles`` has the most frequent empty piles, most frequent first. The values are shares of the games that end by
    empty piles.
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
    """Return the rule whose move into the order of costs loses most. Return None if it loses less than MIN_EFFECT."""
    stage, found = stages.unexpected_order, dict[tuple[str, str], Strategy]()
    if model_of(plan).name != BUY_LIST:
        return None
    for card, before, changed in lists_by_cost(plan, venue.kingdom):
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
    return UnexpectedOrder(*worst, wins) if wins.high <= (1.0 - MIN_EFFECT) / venue.n_seats else None


SELECTION = ((64, 4), (256, 1), (1024, 1))
"""Rounds that select changes: the games of each change, and the number of changes of each card that are kept."""

N_CHANGES = 3
"""Number of changes whose gains are measured."""

MIN_GAIN = 0.001
"""Minimum lower end of a gain's interval. Other gains are left out."""

MIN_GAMES = 100
"""Minimum number of games that measure a gain."""


@dataclass(frozen=True)
class LossReasons:
    """Why a user's strategy loses.

    Attributes:
        name: the strategy's name.
        difference: its first buy in the sample game that differs from the plan's, or None.
        gains: gains in win rate of the best changes, by the change in words. None if the strategy is no buy list.
    """

    name: str
    difference: BuyDifference | None
    gains: dict[str, IntervalEstimate] | None


def loss_reasons(venue: Venue, users: Entrant, plan: Strategy, answer: Strategy, games: int) -> LossReasons:
    """Return the first different buy of a user's strategy, and the changes that improve it most against an answer.

    ``plan`` is the printed list. ``games`` is the number of games that measure each gain.
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
    """Return the gains of the best changes by their words, the largest first. Each card has at most one change."""

    def gains(stage: int, n: int, n_min: int) -> npt.NDArray[np.float64]:
        """Return the gain of each change in each game, (n_changes, n_games). Play ``n_min`` to ``n`` games."""
        players = lineup_of([strategy, *(changed for _, _, changed in changes), answer])
        numbers = np.arange(len(players))
        seeds = game_seeds(venue.stream(Purpose.REASONS, stage), 1, whole_rounds(n, venue.n_seats))
        # Each stage has an equal part of the remaining time.
        part = venue.part(1.0 / (len(SELECTION) + 1 - stage))
        n_min = whole_rounds(n_min, venue.n_seats)
        shares = shares_within_budget(part, players, (numbers[:-1], numbers[-1:]), seeds, n_min)
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


STRONGEST_OPPONENT_WEIGHT = 4.0
"""Time for the win rate against the strongest opponent, as a multiple of the time for another win rate."""


@dataclass(frozen=True)
class OpponentResult:
    """An opponent, and the win rate of the answer or the plan against copies of the opponent."""

    name: str
    wins: Share


@dataclass(frozen=True, kw_only=True)
class WinRates:
    """Win rates of the answer and of the plan.

    Attributes:
        hardest: the strongest opponent of the answer.
        searches: the best strategy of each search that did not find the answer.
        user_opponents: opponents that the user named.
        reasons: why each user's opponent loses.
        plan_rival: the best strategy that is neither the answer nor the plan nor a network.
        list_against_network: win rate of the plan against the answer, if the answer is a network.
        course: how the games of the plan end. The opponent is an answer that is a network, else the runner-up.
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
    """How the answer and the plan play: the buys of the first two turns. A network also has habits and tips.

    ``mistakes`` are those of the plan against an answer that is a network, else against the shipped network. They are
    None without a usable network.
    """

    openings: list[OpeningBuys]
    plan_openings: list[OpeningBuys]
    habits: Habits | None
    tips: tuple[Tip, ...]
    mistakes: tuple[Mistake, ...] | None


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
        deck, runner_up_deck, plan_deck: mean number of each card in the final deck.
        best_response: the result of the last best response.
        record: the answer.
        plan: the list for people. It is the answer unless the answer is a network.
        plan_name: name of the evolved list or baseline that is the plan, or "" for a list found for this answer.
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
    field: RankedStrategies, response: ResponseResult | None, plan: Plan, figures: tuple[WinRates, Play, CardTrials]
) -> Advice:
    """Return the results of all steps."""
    kingdom, answer, second = field.venue.kingdom, field.answer(plan), field.runner_up.name
    win_rates, play, cards = figures
    return Advice(
        name=field.best.name,
        changes=plan.changes,
        runner_up=second,
        runner_up_deck=kingdom.by_card(field.decks[second]),
        ranking=tuple(entrant.name for entrant in field.ranked),
        wording=describe_buys(plan.strategy, kingdom),
        deck=kingdom.by_card(answer.deck),
        best_response=response,
        record=answer.strategy,
        plan=plan.strategy,
        plan_deck=kingdom.by_card(plan.deck),
        plan_name=plan.name,
        sample=sample_of_plan(field.venue, plan.strategy, answer.strategy),
        **vars(win_rates),
        **vars(play),
        **vars(cards),
    )


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
    """Return the best strategy of each other search, with the win rate of the answer against this strategy."""
    best = dict[tuple[str, ...] | None, Entrant]()
    for one in ranked:
        best.setdefault(_search_of(one), one)
    others = [one for search, one in best.items() if search not in (None, _search_of(ranked[0]))]
    return _results(others, wins_against_each(venue, answer, [one.record for one in others], games, Purpose.EXPECTED))


def _results(opponents: Sequence[Entrant], wins: Iterable[Share]) -> tuple[OpponentResult, ...]:
    return tuple(OpponentResult(one.name, share) for one, share in zip(opponents, wins, strict=True))


def _search_of(entrant: Entrant) -> tuple[str, ...] | None:
    """Return the key of the search that found an entrant, or None for a baseline."""
    return entrant.origin[:2] if entrant.origin[0] in ("run", "start") else None


def _reasons(field: RankedStrategies, plan: Plan, users: Sequence[Entrant]) -> Iterator[LossReasons]:
    """Yield why each of the user's opponents loses."""
    stage, answer = field.stages.reasons, field.answer(plan).strategy
    parts = field.venue.part(stage.share).divided([1.0] * len(users))
    for one, part in zip(users, parts, strict=True):
        yield loss_reasons(part, one, plan.strategy, answer, stage.games)


def play_openings(field: RankedStrategies, plan: Plan) -> Play:
    """Play the first two turns, and find mistakes of the plan.

    For a network also find its habits in self-play, and tips on the plan's cards.
    """
    venue, stages, answer = field.venue, field.stages, field.answer(plan)

    def bought(strategy: Strategy) -> list[OpeningBuys]:
        budget = venue.budget.part(stages.openings.share)
        return openings(strategy, venue.kingdom, venue.n_seats, venue.seed, budget, stages.openings.n)

    of_plan, mistakes = bought(plan.strategy), _mistakes(field, plan)
    if not field.is_learned:
        return Play(openings=of_plan, plan_openings=of_plan, habits=None, tips=(), mistakes=mistakes)
    played = self_play_games(venue, answer.strategy, venue.stream(Purpose.DECKS, 1), stages.habits.fixed)
    n_decks, deck = len(played.tables) * venue.n_seats, venue.kingdom.by_card(plan.deck)
    found = tips(venue.part(stages.tips.share), answer.strategy, played.decisions, n_decks, stages.tips.games, deck)
    of_network = habits(played, venue.kingdom, venue.n_seats)
    bought_by_network = bought(answer.strategy)
    return Play(openings=bought_by_network, plan_openings=of_plan, habits=of_network, tips=found, mistakes=mistakes)


def _mistakes(field: RankedStrategies, plan: Plan) -> tuple[Mistake, ...] | None:
    stage, network = field.stages.mistakes, rival_network(field.answer(plan).strategy, field.venue.kingdom)
    if network is None:
        return None
    return costliest_mistakes(field.venue.part(stage.share), plan.strategy, network, stage.fixed)


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
