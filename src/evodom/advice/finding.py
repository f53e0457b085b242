"""Advice on ten cards: the best strategy that was found, measured and in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import Trial, card_search, trials
from evodom.advice.attacking import FEWER, FINALISTS, Met, Reply, attacked, hardest
from evodom.advice.edits import plays_alike, simplified
from evodom.advice.figures import final_deck
from evodom.advice.following import buy_list_genomes, list_against
from evodom.advice.refine import refined
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.dominion.strategies.wording import Wording, greening, in_words
from evodom.evolution.champions import champions
from evodom.intervals import Share
from evodom.learning.habits import Habits, habits, own_games
from evodom.matches.copies import wins_against
from evodom.matches.entrant import Entrant
from evodom.matches.openings import OpeningBuys, openings
from evodom.matches.streams import Figure, Use
from evodom.matches.strongest import strongest_baselines
from evodom.matches.tournament import play_round_robin
from evodom.matches.venue import Venue
from evodom.store import Run

BIG_MONEY = "big-money"

N_CHAMPIONS = 4
"""So many of the best of each run meet in the tournament."""

DECK_GAMES = 600
"""Games that tell what a strategy owns at the end."""

DIFFERENT = 3.0
"""The runner-up is the next in the tournament whose deck at the end differs in so many cards on average."""

TOURNAMENT, ATTACK, LIST, FIGURES = "tournament", "attack", "list", "figures"
"""What is measured, in this order: who is best, how it can be beaten, a list to follow, what to expect and cards."""

OnStep = Callable[[str, str], object]
"""Is told what is measured next, and the name of the best so far ("" before the tournament)."""


@dataclass(frozen=True)
class Learning:
    """What learners add to the advice: the best of each of their starts, and how long they go on searching.

    ``reply_games`` are those of each lesson of the learner that is set on the answer, ``card_games`` those of each
    search with or without a card.
    """

    entrants: tuple[Entrant, ...] = ()
    reply_games: int = 0
    card_games: int = 0


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
    ``on_step`` is told what is measured next, and who is the best so far.
    """
    learning, kingdom = learning or Learning(), venue.kingdom
    others = [*entrants_of(venue, runs, n_generations), *learning.entrants]
    known = {one.origin for one in others} | {one.name for one in others}
    new = [one for one in own if not {one.origin, one.name} & known]
    ranked, reply = find_best(venue, [*others, *new], learning, games, on_step)
    on_step(LIST, ranked[0].name)
    money = baseline(BIG_MONEY, kingdom)
    decks = {one.name: final_deck(venue, one.strategy, money, DECK_GAMES, Figure.DECKS) for one in ranked}
    best, second = ranked[0], _runner_up(ranked, decks)
    is_learned = was_learned(best.strategy)
    plan, changes = _plan(venue, best.strategy, second.strategy, runs, n_generations, games)
    record = best.strategy if is_learned else plan
    on_step(FIGURES, best.name)
    deck = final_deck(venue, record, money, DECK_GAMES, Figure.DECKS)
    plan_deck = final_deck(venue, plan, money, DECK_GAMES, Figure.DECKS)
    first, search = (
        openings(record, kingdom, venue.n_seats, venue.seed),
        card_search(venue, record, learning.card_games),
    )
    different = {name: theirs for name, theirs in decks.items() if _distance(theirs, decks[best.name]) >= DIFFERENT}
    return Advice(
        name=best.name,
        changes=changes,
        runner_up=second.name,
        runner_up_deck=_by_card(decks[second.name], kingdom),
        ranking=tuple(entrant.name for entrant in ranked),
        wording=in_words(plan, kingdom),
        greening=greening(plan, kingdom),
        deck=_by_card(deck, kingdom),
        against_big_money=wins_against(venue, record, money, games, Figure.EXPECTED),
        against_runner_up=wins_against(venue, record, second.strategy, games, Figure.EXPECTED),
        hardest=hardest(venue, record, ranked[1:], games),
        searches=tuple(_other_searches(venue, record, ranked, games)),
        own=tuple(Met(one.name, wins_against(venue, record, one.strategy, games, Figure.EXPECTED)) for one in own),
        reply=reply,
        openings=first,
        trials=trials(venue, record, deck, different, games, search, {card for one in first for card in one.cards}),
        record=record,
        plan=plan,
        plan_deck=_by_card(plan_deck, kingdom),
        plan_against_big_money=wins_against(venue, plan, money, games, Figure.EXPECTED),
        followed=wins_against(venue, plan, record, games, Figure.EXPECTED) if is_learned else None,
        habits=_habits(venue, record) if is_learned else None,
    )


def _plan(
    venue: Venue, best: Strategy, second: Strategy, runs: Sequence[Run], n_generations: int, games: int
) -> tuple[Strategy, tuple[str, ...]]:
    """Return the list to follow by hand, and what was changed in it.

    If the best was learned, it is a list that plays against it, begun from the buy lists of the runs; else it is the
    best itself.
    """
    if was_learned(best):
        begun, rival = list_against(venue, best, buy_list_genomes(runs, n_generations)), best
    else:
        begun, rival = best, second
    better, changes = refined(venue, begun, rival, games)
    money = baseline(BIG_MONEY, venue.kingdom)
    return simplified(better, venue.kingdom, plays_alike(venue, better, (money, second, better))), changes


def find_best(
    venue: Venue,
    entrants: Sequence[Entrant],
    learning: Learning,
    games: int,
    on_step: OnStep = lambda step, best: None,
) -> tuple[list[Entrant], Reply | None]:
    """Return entrants by their places, the answer first, and what a learner that was set on it reached."""
    on_step(TOURNAMENT, "")
    ranked = _ranked(venue, entrants, games)
    ranked[:FINALISTS] = _finals(venue, ranked[:FINALISTS], games)
    on_step(ATTACK, ranked[0].name)
    return attacked(venue, ranked, learning.reply_games, games)


def _other_searches(venue: Venue, record: Strategy, ranked: Sequence[Entrant], games: int) -> Iterator[Met]:
    """Give the best of each search but that of the answer, with what the answer wins against it."""
    seen = {_search_of(ranked[0])}
    for one in ranked[1:]:
        search = _search_of(one)
        if search is not None and search not in seen:
            seen.add(search)
            yield Met(one.name, wins_against(venue, record, one.strategy, games // FEWER, Figure.EXPECTED))


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


def _runner_up(ranked: Sequence[Entrant], decks: dict[str, npt.NDArray[np.float64]]) -> Entrant:
    """Return the next best entrant whose final deck differs enough from that of the best; without any, the second."""
    best = decks[ranked[0].name]
    different = (other for other in ranked[1:] if _distance(decks[other.name], best) >= DIFFERENT)
    return next(different, ranked[1])


def _distance(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return in how many cards two decks differ."""
    return float(np.abs(one - other).sum())


def _by_card(deck: npt.NDArray[np.float64], kingdom: Kingdom) -> dict[str, float]:
    return {card.name: float(n) for card, n in zip(kingdom.piles, deck, strict=False)}
