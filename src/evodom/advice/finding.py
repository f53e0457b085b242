"""Advice on ten cards: the best strategy that was found, measured and in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from evodom.advice.ablation import Deck, Trial, card_search, final_deck, plays_alike, refined, trials
from evodom.advice.buy_list import buy_list_genomes, list_against
from evodom.advice.exploit import FEWER, FINALISTS, Met, Reply, attacked, hardest
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Strategy, editable_model, was_learned
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import Wording, greening, in_words
from evodom.evolution.runs import champions
from evodom.learning.habits import Habits, habits, own_games
from evodom.matches.agents import Entrant
from evodom.matches.seating import Figure, Use
from evodom.matches.tournament import OpeningBuys, openings, play_round_robin, strongest_baselines, wins_against
from evodom.matches.venue import Venue
from evodom.runs import Run
from evodom.statistics import Share

BIG_MONEY = "big-money"

N_CHAMPIONS = 4
"""So many of the best of each run meet in the tournament."""

DECK_GAMES = 600
"""Games that tell what a strategy owns at the end."""

DIFFERENT = 3.0
"""The runner-up is the next in the tournament whose deck at the end differs in so many cards on average."""

TOURNAMENT, ATTACK, LIST, FIGURES = "tournament", "attack", "list", "figures"
"""What is measured, in this order: who is best, how it can be beaten, a list to follow, what to expect and cards."""

TOURNAMENT_SHARES = 0.12, 0.08
"""Largest shares of the remaining time: for the tournament, then for the finals."""

ATTACK_SHARES = 0.85, 0.55
"""Shares for the attack on a list, and on a learned answer, of the time that list and figures do not need.

A learned answer is also trained with and without some cards.
"""

MOST_MEASURING = 0.5
"""Largest share of the time before the attack that is reserved for the list and the figures."""

LIST_SHARE, DECKS_SHARE, FIGURES_SHARE, MOST_TRIALS = 0.2, 0.05, 0.4, 0.5
"""Shares of the remaining time: for the list, the decks, the figures, and at most for the cards' figures."""

OPENINGS_SHARE = 0.1
"""The share of the time for the figures that goes into the openings."""

HARDEST = 4.0
"""Time for the figure against the hardest opponent, in multiples of another figure's time."""

LISTED_SHARE = 0.6
"""The share of the time for the list that finds it, before it is changed card by card."""

PROBE, PROBE_SHARE = 4_000, 0.01
"""Games that measure the pace of a strategy, and their largest share of the remaining time."""

TRIAL_GAMES, LEARNED_TRIAL_GAMES = 10, 22
"""How many times the games of a figure the cards take, of a list and of a learned strategy."""

OnStep = Callable[[str, str], object]
"""Is told what is measured next, and the name of the best so far ("" before the tournament)."""


@dataclass(frozen=True)
class Learning:
    """What learners add to the advice: the best of each of their starts, and how long they go on searching.

    ``reply_games`` are those of each lesson of the learner that is set on the answer, ``card_games`` those of each
    search with or without a card. Where time is the limit they are infinite.
    """

    entrants: tuple[Entrant, ...] = ()
    reply_games: float = 0
    card_games: float = 0


@dataclass(frozen=True)
class Advice:
    """The best strategy found: in words, what to expect of it, how it opens, which cards it needs and which are traps.

    ``name`` is the winner of the tournament, ``changes`` are what made it better afterwards (`refine`), ``ranking`` are
    all names, best first. ``deck`` is what the strategy owns at the end by card, ``runner_up_deck`` what the runner-up
    does. ``hardest`` is who does best against it, ``searches`` are the best of each independent search but its own,
    and ``own`` are the opponents that were asked for.

    ``record`` is the answer, ``plan`` the list that people can follow, without what hardly matters: the same unless the
    answer was learned. ``wording`` and ``greening`` tell the plan, and ``followed`` is what it wins against copies of
    a learned answer; ``habits`` tell what that does.
    """

    name: str
    changes: tuple[str, ...]
    runner_up: str
    runner_up_deck: dict[str, float]
    ranking: tuple[str, ...]
    wording: Wording
    greening: tuple[str, ...]
    deck: dict[str, float]
    against_big_money: Share
    against_runner_up: Share
    hardest: Met
    searches: tuple[Met, ...]
    own: tuple[Met, ...]
    reply: Reply | None
    openings: list[OpeningBuys]
    trials: list[Trial]
    record: Strategy
    plan: Strategy
    plan_deck: dict[str, float]
    plan_against_big_money: Share
    followed: Share | None = None
    habits: Habits | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the advice as plain JSON types, without the records."""
        return {name: value for name, value in asdict(self).items() if name not in ("record", "plan")}


def most_games(games: int) -> int:
    """Return about how many games advice takes, to plan how long."""
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
    """Find the best of what was evolved and learned and of the strongest baselines, attack it, improve and measure it.

    The champions are those of generation ``n_generations``, counted from 1. ``games`` are played for each figure; what
    is random follows from the venue's seed. ``own`` are opponents of one's own, who play in the tournament too.
    ``on_step`` is told what is measured next, and who is the best so far. Where the venue's budget is limited it is
    divided among all of this, and fewer games are played where it is short.
    """
    learning = learning or Learning()
    others = [*entrants_of(venue, runs, n_generations), *learning.entrants]
    known = {one.origin for one in others} | {one.name for one in others}
    new = [one for one in own if not {one.origin, one.name} & known]
    ranked, reply = find_best(venue, [*others, *new], learning, games, on_step)
    on_step(LIST, ranked[0].name)
    decks = venue.part(DECKS_SHARE).divided([1.0] * len(ranked))
    field = _Field(ranked, {one.name: _deck(next(decks), one.record) for one in ranked}, own, reply)
    plan = _plan(venue.part(LIST_SHARE), field, runs, n_generations, games)
    on_step(FIGURES, field.best.name)
    return _measured(venue, field, plan, games, learning.card_games)


@dataclass(frozen=True)
class _Field:
    """All entrants by their places, the answer first, and what each owns at the end against Big Money, by name.

    ``own`` are the opponents that were asked for, ``reply`` is what a learner reached that was set on the answer.
    """

    ranked: Sequence[Entrant]
    decks: dict[str, Deck]
    own: Sequence[Entrant]
    reply: Reply | None

    @property
    def best(self) -> Entrant:
        return self.ranked[0]

    @property
    def different(self) -> dict[str, Deck]:
        """The decks that differ enough from that of the best, by their places."""
        best = self.decks[self.best.name]
        return {name: deck for name, deck in self.decks.items() if np.abs(deck - best).sum() >= DIFFERENT}

    @property
    def runner_up(self) -> Entrant:
        """The next best entrant with another kind of deck; without any, the second."""
        different = self.different
        return next((one for one in self.ranked[1:] if one.name in different), self.ranked[1])


@dataclass(frozen=True)
class _Plan:
    """The list to follow by hand, and what made it better than the one it was begun from."""

    strategy: Strategy
    changes: tuple[str, ...]


def _measured(venue: Venue, field: _Field, found: _Plan, games: int, card_games: float) -> Advice:
    """Measure the best of a field, and the plan that was found for people to follow."""
    kingdom, best, second, money = venue.kingdom, field.best, field.runner_up, baseline(BIG_MONEY, venue.kingdom)
    is_learned, plan = was_learned(best.record), found.strategy
    record = best.record if is_learned else plan
    limited = venue.part(FIGURES_SHARE)
    plan_deck = _deck(limited.part(DECKS_SHARE), plan)
    deck = field.decks[best.name] if is_learned else plan_deck
    opens = openings(record, kingdom, venue.n_seats, venue.seed, limited.part(OPENINGS_SHARE).budget)
    habits = _habits(venue, record) if is_learned else None
    venues = limited.divided([1.0] * (2 + 2 * is_learned + len(field.own)) + [HARDEST, 1.0])

    def wins(one: Strategy, other: Strategy) -> Share:
        return wins_against(next(venues), one, other, games, Figure.EXPECTED)

    plan_against_money = wins(plan, money)
    return Advice(
        name=best.name,
        changes=found.changes,
        runner_up=second.name,
        runner_up_deck=_by_card(field.decks[second.name], kingdom),
        ranking=tuple(entrant.name for entrant in field.ranked),
        wording=in_words(plan, kingdom),
        greening=greening(plan, kingdom),
        deck=_by_card(deck, kingdom),
        against_big_money=wins(record, money) if is_learned else plan_against_money,
        against_runner_up=wins(record, second.record),
        followed=wins(plan, record) if is_learned else None,
        own=tuple(Met(one.name, wins(record, one.record)) for one in field.own),
        hardest=hardest(next(venues), record, field.ranked[1:], games),
        searches=tuple(_other_searches(next(venues), record, field.ranked, games)),
        reply=field.reply,
        openings=opens,
        trials=_trials(venue, field, (record, deck), opens, games, card_games),
        record=record,
        plan=plan,
        plan_deck=_by_card(plan_deck, kingdom),
        plan_against_big_money=plan_against_money,
        habits=habits,
    )


def _trials(
    venue: Venue,
    field: _Field,
    answer: tuple[Strategy, Deck],
    opens: Sequence[OpeningBuys],
    games: int,
    card_games: float,
) -> list[Trial]:
    """Try each kingdom card with an answer, its record and its deck, in all the time that is left."""
    record, deck = answer
    opens_with = {card for one in opens for card in one.cards}
    seconds = (LEARNED_TRIAL_GAMES if was_learned(record) else TRIAL_GAMES) * games * _seconds_a_game(venue, record)
    searching = venue.within(venue.budget.reserving(seconds, MOST_TRIALS))
    search = card_search(searching, record, card_games)
    return trials(venue, record, deck, field.different, games, search, opens_with)


def _seconds_a_game(venue: Venue, strategy: Strategy) -> float:
    """Return how long a game of a strategy against copies of itself takes, 0 where time is no limit."""
    if not venue.budget.is_limited:
        return 0.0
    tried = venue.part(PROBE_SHARE)
    n = sum(len(tables) for tables, _ in tried.against(strategy, [strategy], PROBE, tried.stream(Figure.DECKS, 2)))
    return tried.budget.seconds_spent / n


def _plan(venue: Venue, field: _Field, runs: Sequence[Run], n_generations: int, games: int) -> _Plan:
    """Return the list to follow by hand.

    If the best was learned, it is a list that plays against it, begun from the buy lists of the runs; else it is the
    best itself.
    """
    best, second = field.best.record, field.runner_up.record
    if was_learned(best):
        begun, rival = list_against(venue.part(LISTED_SHARE), best, buy_list_genomes(runs, n_generations)), best
    else:
        begun, rival = best, second
    better, changes = refined(venue, begun, rival, games)
    money = baseline(BIG_MONEY, venue.kingdom)
    alike = plays_alike(venue, better, (money, second, better))
    return _Plan(editable_model(better).simplified(better, venue.kingdom, alike), changes)


def find_best(
    venue: Venue,
    entrants: Sequence[Entrant],
    learning: Learning,
    games: int,
    on_step: OnStep = lambda step, best: None,
) -> tuple[list[Entrant], Reply | None]:
    """Return entrants by their places, the answer first, and what a learner that was set on it reached."""
    on_step(TOURNAMENT, "")
    first, final = TOURNAMENT_SHARES
    ranked = _ranked(venue.part(first), entrants, games)
    ranked[:FINALISTS] = _finals(venue.part(final), ranked[:FINALISTS], games)
    on_step(ATTACK, ranked[0].name)
    seconds = most_games(games) * _seconds_a_game(venue, ranked[0].record)
    limited = venue.within(venue.budget.reserving(seconds, MOST_MEASURING))
    of_list, of_learned = ATTACK_SHARES
    share = of_learned if was_learned(ranked[0].record) else of_list
    return attacked(limited.part(share), ranked, learning.reply_games, games)


def _other_searches(venue: Venue, record: Strategy, ranked: Sequence[Entrant], games: int) -> Iterator[Met]:
    """Give the best of each search but that of the answer, with what the answer wins against it."""
    best = dict[tuple[str, ...] | None, Entrant]()
    for one in ranked:
        best.setdefault(_search_of(one), one)
    others = [one for search, one in best.items() if search not in (None, _search_of(ranked[0]))]
    for part, one in zip(venue.divided([1.0] * len(others)), others, strict=True):
        yield Met(one.name, wins_against(part, record, one.record, games // FEWER, Figure.EXPECTED))


def _search_of(entrant: Entrant) -> tuple[str, ...] | None:
    """Return what tells the search that found an entrant from others; None for a baseline."""
    return entrant.origin[:2] if entrant.origin[0] in ("run", "start") else None


def _habits(venue: Venue, record: Strategy) -> Habits:
    games = own_games(venue, record, venue.stream(Figure.DECKS, 1))
    return habits(games, venue.kingdom, venue.n_seats)


def _finals(venue: Venue, entrants: Sequence[Entrant], games: int) -> list[Entrant]:
    return _ranked(replace(venue, use=Use.ADVICE_FINAL), entrants, games)


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


def _deck(venue: Venue, strategy: Strategy) -> Deck:
    """Return how many cards of each pile a strategy owns at the end against Big Money."""
    return final_deck(venue, strategy, baseline(BIG_MONEY, venue.kingdom), DECK_GAMES, Figure.DECKS)


def _by_card(deck: Deck, kingdom: Kingdom) -> dict[str, float]:
    return {card.name: float(n) for card, n in zip(kingdom.piles, deck, strict=False)}
