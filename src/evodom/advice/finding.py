"""Find the best strategy for a kingdom, and a list for people, and measure both: `find_advice` returns an `Advice`.

The *answer* is the best strategy found. The *plan* is the list for people. They differ if the answer is a network.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import Deck, Trial, final_deck, plays_alike, refine, retraining, trials
from evodom.advice.effort import ADVICE_EFFORT, AdviceEffort
from evodom.advice.exploit import (
    N_FINALISTS,
    SELECTION_DIVISOR,
    ExploitResult,
    OpponentResult,
    exploit_best,
    strongest_opponent,
)
from evodom.advice.plan import PlanEffort, PlanOpponents, buy_list_genomes, find_plan, plan_opponents
from evodom.advice.reasons import LossReasons, loss_reasons
from evodom.advice.sample import SampleOfPlan, sample_of_plan
from evodom.advice.tips import Tip, tips
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import BUY_LIST, Genomes
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import BuyOrders, describe_buys
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import editable_model, model_of, was_learned
from evodom.evolution.runs import champions
from evodom.learning.habits import Habits, habits, self_play_games
from evodom.learning.ppo import Rollouts
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, Use, game_seeds, whole_rounds
from evodom.matches.tournament import (
    OpeningBuys,
    openings,
    play_round_robin,
    shares_within_budget,
    strongest_baselines,
    wins_against,
)
from evodom.matches.venue import Venue, lineup_of
from evodom.runs import Run
from evodom.statistics import Share

BIG_MONEY = "big-money"

N_CHAMPIONS = 4
"""Champions of each run in the tournament."""

MIN_DECK_DIFFERENCE = 3.0
"""The runner-up's final deck differs from the best's by at least this number of cards."""

TOURNAMENT, ATTACK, LIST, FIGURES = "tournament", "attack", "list", "figures"
"""Stages in order: rank the strategies, exploit the best, find a list to follow, measure the result and the cards."""

TOURNAMENT_SHARES = 0.08, 0.06
"""Shares of the remaining time: for the tournament, then for the finals."""

ATTACK_SHARES = 0.85, 0.35
"""Shares of the time before the list and the figures, for exploiting a list, and a learned answer."""

MAX_MEASURING_SHARE = 0.5
"""At the beginning of the attack, at most this share of the remaining time is reserved for the list and the figures."""

LIST_SHARES = 0.2, 0.6
"""Shares of the remaining time for the list, if the answer is a list, and if it was learned."""

DECKS_SHARE, FIGURES_SHARE, MAX_TRIALS_SHARE = 0.05, 0.4, 0.5
"""Shares of the remaining time for the decks and the figures, and the largest share for trials of cards."""

PLAN_TRIALS_SHARE = 0.3
"""Share of the time for trials of cards for those of the plan. The rest is for those of a learned answer."""

TIPS_SHARE = 0.15
"""Share of the figures' time for the tips."""

REASONS_SHARE = 0.3
"""Share of the time after the figures for the changes of the user's strategies."""

OPENINGS_SHARE = 0.1
"""Share of the figures' time for the openings."""

STRONGEST_OPPONENT_WEIGHT = 4.0
"""Time for the win rate against the strongest opponent, in multiples of the time for another win rate."""

FINDING_LIST_SHARE = 0.9
"""Share of the list's time for finding it. The rest is for comparing it with other lists."""

RATING_GAMES, MIN_RATING_GAMES = 500, 10
"""Games of a list against each other candidate, each baseline and the answer, and their smallest number."""

N_OTHER_LISTS = 3
"""Evolved lists and baselines, best first, that are compared with the list found."""

SPEED_GAMES, SPEED_SHARE = 4_000, 0.01
"""Games that measure the time of a game, and their largest share of the remaining time."""

TRIAL_GAMES_FACTOR, LEARNED_TRIAL_GAMES_FACTOR = 10, 22
"""Games of all card trials as a multiple of a figure's games, for a list and for a learned strategy."""

OnStep = Callable[[str, str], object]
"""Receives the next stage and the name of the best so far ("" before the tournament)."""


@dataclass(frozen=True)
class Learning:
    """Results of learning for the advice, and the effort of further learning.

    Attributes:
        entrants: the best network of each start.
        reply_games: games of each segment of training against the answer; infinite if time is the limit.
        card_games: games of each training with or without a card; likewise.
        effort: numbers of games and attempts that no option sets.
    """

    entrants: tuple[Entrant, ...] = ()
    reply_games: float = 0
    card_games: float = 0
    effort: AdviceEffort = ADVICE_EFFORT


@dataclass(frozen=True)
class Advice:
    """The best strategy found, with its figures.

    Attributes:
        name: the answer's name.
        changes: changes that improved the answer (`refine`), in words.
        ranking: names of all entrants, best first.
        deck, runner_up_deck, plan_deck: mean final cards, by name.
        hardest: the strongest opponent of the answer.
        searches: the best strategy of each search other than the answer's.
        user_opponents: opponents that the user named.
        reply: the result of training against the answer.
        openings, trials: buys of the first two turns, and trials of cards, of the answer.
        record: the answer.
        plan: the list for people; equal to the answer unless that was learned.
        plan_name: name of an evolved list or baseline that is the plan, or "" for a list found for this answer.
        wording: the plan in words.
        plan_rival: the best other strategy that is no network, and the win rate of the plan against it.
        list_against_network: win rate of the plan against copies of a learned answer.
        plan_openings, plan_trials: as openings and trials, of the plan.
        habits: statistics of a learned answer's play.
        tips: how to play a learned answer's cards.
        sample: a game of the plan against the answer.
        reasons: why each of the opponents that the user named loses.
    """

    name: str
    changes: tuple[str, ...]
    runner_up: str
    runner_up_deck: dict[str, float]
    ranking: tuple[str, ...]
    wording: BuyOrders
    deck: dict[str, float]
    against_big_money: Share
    against_runner_up: Share
    hardest: OpponentResult
    searches: tuple[OpponentResult, ...]
    user_opponents: tuple[OpponentResult, ...]
    reply: ExploitResult | None
    openings: list[OpeningBuys]
    trials: list[Trial]
    record: Strategy
    plan: Strategy
    plan_deck: dict[str, float]
    plan_against_big_money: Share
    plan_rival: OpponentResult
    plan_openings: list[OpeningBuys]
    plan_trials: list[Trial]
    plan_name: str = ""
    list_against_network: Share | None = None
    habits: Habits | None = None
    tips: tuple[Tip, ...] = ()
    sample: SampleOfPlan | None = None
    reasons: tuple[LossReasons, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the advice as plain JSON types, without the records."""
        return {name: value for name, value in asdict(self).items() if name not in ("record", "plan")}


def estimated_games(games: int) -> int:
    """Return the approximate number of games that advice plays, for plans of time."""
    return 50 * games + 60_000


def find_advice(
    venue: Venue,
    runs: Sequence[Run],
    n_generations: int,
    games: int,
    learning: Learning | None = None,
    *,
    own: Sequence[Entrant] = (),
    on_step: OnStep = lambda step, best: None,
) -> Advice:
    """Find the best strategy of runs, learning and baselines, exploit it, improve it and measure it.

    All random numbers follow from the venue's seed. A limited budget of the venue is divided among the stages; short
    stages play fewer games.

    Args:
        n_generations: the generation of the champions, counted from 1.
        games: games of each win rate.
        own: opponents that the user named. They also enter the tournament.
        on_step: receives each stage, and the name of the best strategy so far.
    """
    learning = learning or Learning()
    others = [*entrants_of(venue, runs, n_generations), *learning.entrants]
    known = {entrant.origin for entrant in others} | {entrant.name for entrant in others}
    added = [entrant for entrant in own if not {entrant.origin, entrant.name} & known]
    ranked, reply = find_best(venue, [*others, *added], learning, games, on_step)
    on_step(LIST, ranked[0].name)
    decks = venue.part(DECKS_SHARE).divided([1.0] * len(ranked))
    field = _Field(ranked, {one.name: _deck(next(decks), one.record, learning.effort) for one in ranked}, own, reply)
    plan_venue = venue.part(LIST_SHARES[was_learned(field.best.record)])
    plan = _find_plan(plan_venue, field, buy_list_genomes(runs, n_generations), games, learning.effort.plan)
    on_step(FIGURES, field.best.name)
    return _measure(venue, field, plan, games, learning)


@dataclass(frozen=True)
class _Field:
    """All entrants in order, the answer first, and their final decks against Big Money by name.

    ``own`` are the opponents that the user named. ``reply`` is the result of training against the answer.
    """

    ranked: Sequence[Entrant]
    decks: dict[str, Deck]
    own: Sequence[Entrant]
    reply: ExploitResult | None

    @property
    def best(self) -> Entrant:
        return self.ranked[0]

    @property
    def different(self) -> dict[str, Deck]:
        """The decks that differ from the best's by at least MIN_DECK_DIFFERENCE cards."""
        best = self.decks[self.best.name]
        return {name: deck for name, deck in self.decks.items() if np.abs(deck - best).sum() >= MIN_DECK_DIFFERENCE}

    @property
    def runner_up(self) -> Entrant:
        """The best other entrant with a different deck, or the second entrant if no deck differs."""
        different = self.different
        return next((one for one in self.ranked[1:] if one.name in different), self.ranked[1])


@dataclass(frozen=True)
class _Plan:
    """The list to follow by hand, the changes that improved it, and its name if it is another strategy."""

    strategy: Strategy
    changes: tuple[str, ...] = ()
    name: str = ""


def _measure(venue: Venue, field: _Field, plan: _Plan, games: int, learning: Learning) -> Advice:
    """Measure the answer and the plan."""
    kingdom, is_learned, second = venue.kingdom, was_learned(field.best.record), field.runner_up
    effort, seed, n_seats = learning.effort, venue.seed, venue.n_seats
    answer = field.best.record if is_learned else plan.strategy
    limited = venue.part(FIGURES_SHARE)
    plan_deck = _deck(limited.part(DECKS_SHARE), plan.strategy, effort)
    deck = field.decks[field.best.name] if is_learned else plan_deck
    opening_buys = openings(answer, kingdom, n_seats, seed, limited.part(OPENINGS_SHARE).budget, effort.opening_tries)
    plan_openings, habits = opening_buys, None
    found_tips: tuple[Tip, ...] = ()
    if is_learned:
        plan_openings = openings(plan.strategy, kingdom, n_seats, seed)
        played = self_play_games(limited, answer, limited.stream(Purpose.DECKS, 1), effort.habit_games)
        habits, found_tips = _habits(limited, answer, played, games, _by_card(plan_deck, kingdom))
    win_rates = _win_rates(limited, field, plan, answer, games)
    parts = zip(field.own, venue.part(REASONS_SHARE).divided([1.0] * len(field.own)), strict=True)
    reasons = [loss_reasons(part, one, plan.strategy, answer, games // SELECTION_DIVISOR) for one, part in parts]
    plan_trials = None
    if is_learned:
        plan_trials = _trials(
            venue.part(PLAN_TRIALS_SHARE), field, (plan.strategy, plan_deck), plan_openings, games, Learning()
        )
    answer_trials = _trials(venue, field, (answer, deck), opening_buys, games, learning)
    return Advice(
        name=field.best.name,
        changes=plan.changes,
        runner_up=second.name,
        runner_up_deck=_by_card(field.decks[second.name], kingdom),
        ranking=tuple(entrant.name for entrant in field.ranked),
        wording=describe_buys(plan.strategy, kingdom),
        deck=_by_card(deck, kingdom),
        reply=field.reply,
        openings=opening_buys,
        trials=answer_trials,
        plan_openings=plan_openings,
        plan_trials=answer_trials if plan_trials is None else plan_trials,
        plan_name=plan.name,
        record=answer,
        plan=plan.strategy,
        plan_deck=_by_card(plan_deck, kingdom),
        habits=habits,
        tips=found_tips,
        sample=sample_of_plan(venue, plan.strategy, answer),
        reasons=tuple(reasons),
        **win_rates,
    )


def _win_rates(venue: Venue, field: _Field, plan: _Plan, answer: Strategy, games: int) -> dict[str, Any]:
    """Return the fields of Advice that are win rates of the answer and of the plan."""
    is_learned, money = was_learned(answer), baseline(BIG_MONEY, venue.kingdom)
    venues = venue.divided([1.0] * (3 + 2 * is_learned + len(field.own)) + [STRONGEST_OPPONENT_WEIGHT, 1.0])

    def wins(strategy: Strategy, opponent: Strategy) -> Share:
        return wins_against(next(venues), strategy, opponent, games, Purpose.EXPECTED)

    others = (
        one for one in field.ranked if not was_learned(one.record) and one.name not in (field.best.name, plan.name)
    )
    rival = next(others)
    plan_against_money = wins(plan.strategy, money)
    return {
        "plan_against_big_money": plan_against_money,
        "against_runner_up": wins(answer, field.runner_up.record),
        "plan_rival": OpponentResult(rival.name, wins(plan.strategy, rival.record)),
        "list_against_network": wins(plan.strategy, answer) if is_learned else None,
        "against_big_money": wins(answer, money) if is_learned else plan_against_money,
        "user_opponents": tuple(OpponentResult(one.name, wins(answer, one.record)) for one in field.own),
        "hardest": strongest_opponent(next(venues), answer, field.ranked[1:], games),
        "searches": tuple(_other_searches(next(venues), answer, field.ranked, games)),
    }


def _trials(
    venue: Venue,
    field: _Field,
    answer: tuple[Strategy, Deck],
    opening_buys: Sequence[OpeningBuys],
    games: int,
    learning: Learning,
) -> list[Trial]:
    """Try each kingdom card with an answer, its record and deck, in the remaining time."""
    record, deck = answer
    opening_cards = {card for one in opening_buys for card in one.cards}
    seconds = (
        (LEARNED_TRIAL_GAMES_FACTOR if was_learned(record) else TRIAL_GAMES_FACTOR)
        * games
        * _seconds_per_game(venue, record)
    )
    searching = venue.within(venue.budget.reserving(seconds, MAX_TRIALS_SHARE))
    search = retraining(searching, record, learning.card_games, learning.effort)
    return trials(venue, record, deck, field.different, games, search, opening_cards)


def _seconds_per_game(venue: Venue, strategy: Strategy) -> float:
    """Return the seconds of a game of a strategy against copies of itself; 0 without a time limit."""
    if not venue.budget.is_limited:
        return 0.0
    timed = venue.part(SPEED_SHARE)
    n = sum(
        len(tables) for tables, _ in timed.against(strategy, [strategy], SPEED_GAMES, timed.stream(Purpose.DECKS, 2))
    )
    return timed.budget.seconds_spent / n


def _find_plan(venue: Venue, field: _Field, evolved_lists: Genomes, games: int, effort: PlanEffort) -> _Plan:
    """Return the list to follow by hand.

    For a learned answer it is a list found against it, or an evolved list or baseline that wins more. Otherwise it is
    the answer, improved card by card.
    """
    best, second = field.best.record, field.runner_up.record
    if was_learned(best):
        return _plan_for_network(venue, field, evolved_lists, games, effort)
    improved, changes = refine(venue, best, second, games)
    money = baseline(BIG_MONEY, venue.kingdom)
    plays_the_same = plays_alike(venue, improved, (money, second, improved))
    return _Plan(editable_model(improved).simplified(improved, venue.kingdom, plays_the_same), changes)


def _plan_for_network(venue: Venue, field: _Field, evolved_lists: Genomes, games: int, effort: PlanEffort) -> _Plan:
    """Return the best list to follow: found against the answer, evolved, or a baseline."""
    answer = field.best.record
    others = [one for one in field.ranked if not was_learned(one.record)]
    champions = [one.record for one in others if one.origin[0] == "run"]
    opponents = plan_opponents(answer, champions, venue.kingdom)
    found = find_plan(venue.part(FINDING_LIST_SHARE), opponents, evolved_lists, effort)
    lists = [one for one in others if model_of(one.record).name == BUY_LIST][:N_OTHER_LISTS]
    named = (_Plan(model_of(one.record).reachable(one.record, venue.kingdom), name=one.name) for one in lists)
    candidates = [_Plan(found), *named]
    rated = _plan_ratings(venue, [one.strategy for one in candidates], opponents, games)
    return candidates[int(rated.argmax())]


def _plan_ratings(
    venue: Venue, lists: Sequence[Strategy], opponents: PlanOpponents, games: int
) -> npt.NDArray[np.float64]:
    """Return a rating of each list: the mean of its win rate against the answer and its lowest win rate.

    The opponents of the lowest win rate are the answer, the other lists and all baselines.
    """
    players = lineup_of([*lists, *opponents.baselines, opponents.answer])
    numbers = np.arange(len(players))
    n = whole_rounds(min(games // SELECTION_DIVISOR, RATING_GAMES), venue.n_seats)
    least = whole_rounds(MIN_RATING_GAMES, venue.n_seats)
    seeds = game_seeds(venue.stream(Purpose.LIST, 1), len(players), n)
    wins = shares_within_budget(venue, players, (numbers[: len(lists)], numbers), seeds, least).mean(axis=2)
    np.fill_diagonal(wins, 1.0)  # a list against itself
    rating: npt.NDArray[np.float64] = (wins[:, -1] + wins.min(axis=1)) / 2
    return rating


def find_best(
    venue: Venue,
    entrants: Sequence[Entrant],
    learning: Learning,
    games: int,
    on_step: OnStep = lambda step, best: None,
) -> tuple[list[Entrant], ExploitResult | None]:
    """Return entrants in order, the answer first, and the result of training against it (`exploit_best`)."""
    on_step(TOURNAMENT, "")
    first, final = TOURNAMENT_SHARES
    ranked = _ranked(venue.part(first), entrants, games)
    ranked[:N_FINALISTS] = _ranked(replace(venue.part(final), use=Use.ADVICE_FINAL), ranked[:N_FINALISTS], games)
    on_step(ATTACK, ranked[0].name)
    seconds = estimated_games(games) * _seconds_per_game(venue, ranked[0].record)
    limited = venue.within(venue.budget.reserving(seconds, MAX_MEASURING_SHARE))
    of_list, of_learned = ATTACK_SHARES
    share = of_learned if was_learned(ranked[0].record) else of_list
    return exploit_best(limited.part(share), ranked, learning.reply_games, games, learning.effort)


def _other_searches(venue: Venue, record: Strategy, ranked: Sequence[Entrant], games: int) -> Iterator[OpponentResult]:
    """Yield the best of each search except the answer's, with the win rate of the answer against it."""
    best = dict[tuple[str, ...] | None, Entrant]()
    for one in ranked:
        best.setdefault(_search_of(one), one)
    others = [one for search, one in best.items() if search not in (None, _search_of(ranked[0]))]
    for part, one in zip(venue.divided([1.0] * len(others)), others, strict=True):
        yield OpponentResult(
            one.name, wins_against(part, record, one.record, games // SELECTION_DIVISOR, Purpose.EXPECTED)
        )


def _search_of(entrant: Entrant) -> tuple[str, ...] | None:
    """Return the key of the search that found an entrant; None for a baseline."""
    return entrant.origin[:2] if entrant.origin[0] in ("run", "start") else None


def _habits(
    venue: Venue, record: Strategy, played: Rollouts, games: int, deck: dict[str, float]
) -> tuple[Habits, tuple[Tip, ...]]:
    """Return the habits of a learned answer in games against itself, and the tips about cards of the plan's deck."""
    n_hands = len(played.tables) * venue.n_seats
    decisions = played.decisions
    found = habits(played, venue.kingdom, venue.n_seats)
    return found, tips(venue.part(TIPS_SHARE), record, decisions, n_hands, games // SELECTION_DIVISOR, deck)


def entrants_of(venue: Venue, runs: Sequence[Run], n_generations: int) -> list[Entrant]:
    """Return the best of each run at a generation, the strongest baselines, and Big Money."""
    entrants = []
    for run in runs:
        index = n_generations - 1
        for rank, strategy in enumerate(champions(run, N_CHAMPIONS, run.generation(index)), 1):
            entrants.append(Entrant(f"{run.key}:{rank}", ("run", run.key, str(index), str(rank)), strategy))
    names = dict.fromkeys((*strongest_baselines(venue.kingdom, venue.n_seats), BIG_MONEY))
    return entrants + [Entrant(name, ("baseline", name), baseline(name, venue.kingdom)) for name in names]


def _ranked(venue: Venue, entrants: Sequence[Entrant], games: int) -> list[Entrant]:
    """Return entrants by their places in a round robin, best first."""
    found = play_round_robin(venue, entrants, most_games=2 * games)
    by_name = {entrant.name: entrant for entrant in entrants}
    return [by_name[one.name] for one in found.standings]


def _deck(venue: Venue, strategy: Strategy, effort: AdviceEffort) -> Deck:
    """Return a strategy's final cards of each pile against Big Money."""
    return final_deck(venue, strategy, baseline(BIG_MONEY, venue.kingdom), effort.deck_games, Purpose.DECKS)


def _by_card(deck: Deck, kingdom: Kingdom) -> dict[str, float]:
    return {card.name: float(n) for card, n in zip(kingdom.piles, deck, strict=False)}
