"""Rank all strategies of a kingdom, and find a list for people: steps 3 and 5 of `advice.search.find_advice`.

The *answer* is the best strategy found. The *plan* is the list for people. They differ if the answer is a network.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import Deck, final_deck, plays_alike, refine, wins_alike
from evodom.advice.plan import baseline_opponents, find_plan
from evodom.advice.stages import Stage, Stages
from evodom.dominion.strategies.base import BUY_LIST, Genomes
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import editable_model, model_of, was_learned
from evodom.evolution.runs import champions
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, Use, game_seeds, whole_rounds
from evodom.matches.tournament import play_round_robin, shares_within_budget, strongest_baselines
from evodom.matches.venue import Venue, lineup_of
from evodom.runs import Run

BIG_MONEY = "big-money"

MIN_DECK_DIFFERENCE = 3.0
"""Minimum difference of the final decks of the best strategy and the runner-up, in cards."""

MIN_RATING_GAMES = 10
"""Minimum number of games of a list against each opponent in its rating."""


def entrants_of(venue: Venue, runs: Sequence[Run], n_generations: int, stages: Stages) -> list[Entrant]:
    """Return the best strategies of each run after ``n_generations``, the strongest baselines, and Big Money."""
    entrants, index = [], n_generations - 1
    for run in runs:
        for rank, strategy in enumerate(champions(run, stages.tournament.n, run.generation(index)), 1):
            entrants.append(Entrant(f"{run.key}:{rank}", ("run", run.key, str(index), str(rank)), strategy))
    names = dict.fromkeys((*strongest_baselines(venue.kingdom, venue.n_seats), BIG_MONEY))
    return entrants + [Entrant(name, ("baseline", name), baseline(name, venue.kingdom)) for name in names]


def rank(venue: Venue, entrants: Sequence[Entrant], users: Sequence[Entrant], stages: Stages) -> list[Entrant]:
    """Return entrants and the user's opponents by their ranks in a tournament. The best play a second tournament."""

    def ranked(some: Sequence[Entrant], stage: Stage, use: Use) -> list[Entrant]:
        table = play_round_robin(replace(venue.part(stage.share), use=use), some, most_games=stage.games)
        by_name = {entrant.name: entrant for entrant in some}
        return [by_name[one.name] for one in table.standings]

    known = {entrant.origin for entrant in entrants} | {entrant.name for entrant in entrants}
    added = [entrant for entrant in users if not {entrant.origin, entrant.name} & known]
    found = ranked([*entrants, *added], stages.tournament, venue.use)
    finalists = found[: stages.finals.n]
    return [*ranked(finalists, stages.finals, Use.ADVICE_FINAL), *found[len(finalists) :]]


@dataclass(frozen=True)
class Subject:
    """A strategy to measure, the answer or the plan, with its final deck."""

    strategy: Strategy
    deck: Deck


@dataclass(frozen=True)
class Plan(Subject):
    """The list for people, and the changes that improved it. ``name`` is "" unless the list was in the tournament."""

    changes: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class RankedStrategies:
    """All strategies in order, the answer first, with their final decks against Big Money by name."""

    venue: Venue
    stages: Stages
    ranked: Sequence[Entrant]
    decks: dict[str, Deck]

    @classmethod
    def of(cls, venue: Venue, stages: Stages, ranked: Sequence[Entrant]) -> "RankedStrategies":
        """Measure the final decks of ranked strategies."""
        parts = venue.part(stages.decks.share).divided([1.0] * len(ranked))
        decks = [_deck(part, one.record, stages.decks) for one, part in zip(ranked, parts, strict=True)]
        return cls(venue, stages, ranked, {one.name: deck for one, deck in zip(ranked, decks, strict=True)})

    @property
    def best(self) -> Entrant:
        return self.ranked[0]

    @property
    def is_learned(self) -> bool:
        """True if the answer is a network."""
        return was_learned(self.best.record)

    def answer(self, plan: Plan) -> Subject:
        """Return the answer with its final deck. An answer that is no network is the plan."""
        return Subject(self.best.record, self.decks[self.best.name]) if self.is_learned else plan

    @property
    def rival(self) -> Strategy:
        """The opponent of the plan: the answer if it is a network, else the runner-up."""
        return self.best.record if self.is_learned else self.runner_up.record

    @property
    def lists(self) -> list[Entrant]:
        """All strategies except networks, best first."""
        return [one for one in self.ranked if not was_learned(one.record)]

    @property
    def different(self) -> dict[str, Deck]:
        """The decks that differ from the best strategy's deck by at least MIN_DECK_DIFFERENCE cards."""
        best = self.decks[self.best.name]
        return {name: deck for name, deck in self.decks.items() if np.abs(deck - best).sum() >= MIN_DECK_DIFFERENCE}

    @property
    def runner_up(self) -> Entrant:
        """The best other entrant with a different deck, or the second entrant if no deck differs."""
        different = self.different
        return next((one for one in self.ranked[1:] if one.name in different), self.ranked[1])


def _deck(venue: Venue, strategy: Strategy, stage: Stage) -> Deck:
    """Return the mean number of cards of each pile in a strategy's final decks against Big Money."""
    return final_deck(venue, strategy, baseline(BIG_MONEY, venue.kingdom), stage.fixed, Purpose.DECKS)


def find_list(field: RankedStrategies, evolved_lists: Genomes) -> Plan:
    """Return the list for people. Begin with the answer, or with the best list against an answer that is a network.

    Improve the list card by card, and remove parts without effect.
    """
    strategy, name = _list_against_network(field, evolved_lists) if field.is_learned else (field.best.record, "")
    improved, changes = _improved(field, strategy)
    stage = field.stages.plan_deck
    deck = _deck(field.venue.part(stage.share), improved, stage)
    return Plan(improved, deck, changes, name if improved == strategy else "")


def _improved(field: RankedStrategies, strategy: Strategy) -> tuple[Strategy, tuple[str, ...]]:
    """Improve a strategy card by card, and remove parts without effect. Return it, and the changes in words."""
    venue, stages, rival = field.venue, field.stages, field.rival
    improved, changes = refine(venue.part(stages.refinement.share), strategy, rival, stages)
    venue = venue.part(stages.simplification.share)
    plays_the_same = plays_alike(venue, improved, (baseline(BIG_MONEY, venue.kingdom), rival, improved))
    wins_as_much = wins_alike(venue, improved, rival, stages.simplification.games)
    model = editable_model(improved)
    simple = model.simplified(improved, venue.kingdom, lambda one: plays_the_same(one) or wins_as_much(one))
    return simple, changes


def _list_against_network(field: RankedStrategies, evolved_lists: Genomes) -> tuple[Strategy, str]:
    """Return the best list against the network, and its name. A list found by `find_plan` has the name ""."""
    stages, venue = field.stages, field.venue.part(field.stages.plan.share)
    champions = [one.record for one in field.lists if one.origin[0] == "run"]
    answer = field.best.record
    lists = [find_plan(venue.part(stages.plan_search.share), answer, champions, evolved_lists, stages)]
    others = [one for one in field.lists if model_of(one.record).name == BUY_LIST][: stages.other_lists.n]
    lists += [model_of(one.record).reachable(one.record, venue.kingdom) for one in others]
    best = int(_ratings(venue, lists, answer, stages.other_lists).argmax())
    return lists[best], ["", *(one.name for one in others)][best]


def _ratings(venue: Venue, lists: Sequence[Strategy], answer: Strategy, stage: Stage) -> npt.NDArray[np.float64]:
    """Return a rating of each list: the mean of its win rate against the answer and its lowest win rate.

    The lowest win rate is over the answer, the other lists and all baselines.
    """
    players = lineup_of([*lists, *baseline_opponents(venue.kingdom), answer])
    numbers = np.arange(len(players))
    n = whole_rounds(min(stage.games, stage.fixed), venue.n_seats)
    n_min = whole_rounds(MIN_RATING_GAMES, venue.n_seats)
    seeds = game_seeds(venue.stream(Purpose.LIST, 1), len(players), n)
    wins = shares_within_budget(venue, players, (numbers[: len(lists)], numbers), seeds, n_min).mean(axis=2)
    np.fill_diagonal(wins, 1.0)  # a list against itself
    rating: npt.NDArray[np.float64] = (wins[:, -1] + wins.min(axis=1)) / 2
    return rating
