"""Advice on ten cards: the best strategy that was found, measured and in words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import Trial, trials
from evodom.advice.edits import plays_alike, simplified
from evodom.advice.figures import final_deck, wins_against
from evodom.advice.openings import OpeningBuys, openings
from evodom.advice.refine import refined
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.wording import Wording, greening, in_words
from evodom.evolution.champions import champions
from evodom.evolution.rivals import strongest_baselines
from evodom.matches.entrant import Entrant
from evodom.matches.intervals import Share
from evodom.matches.streams import Figure, Use
from evodom.matches.tournament import play_round_robin
from evodom.matches.venue import Venue
from evodom.store import Run

BIG_MONEY = "big-money"

N_CHAMPIONS = 4
"""So many of the best of each run meet in the tournament."""

FINALISTS = 4
"""So many of the best play a second round robin among themselves, where beating the weak counts for nothing."""

DECK_GAMES = 600
"""Games that tell what a strategy owns at the end."""

DIFFERENT = 3.0
"""The runner-up is the next in the tournament whose deck at the end differs in so many cards on average."""


@dataclass(frozen=True)
class Advice:
    """The best strategy found: in words, what to expect of it, how it opens, which cards it needs and which are traps.

    ``name`` is the winner of the tournament, ``changes`` are what made it better afterwards (`refine`), ``ranking`` are
    all names, best first. ``deck`` is what the strategy owns at the end by card, ``runner_up_deck`` what the runner-up
    does. ``record`` is the strategy itself, without what hardly matters.
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
    openings: list[OpeningBuys]
    trials: list[Trial]
    record: Strategy

    def to_json(self) -> dict[str, Any]:
        """Return the advice as plain JSON types, without the record."""
        return {name: value for name, value in asdict(self).items() if name != "record"}


def most_games(games: int) -> int:
    """Return about how many games advice takes, to plan how long."""
    return 40 * games + 30_000


def find_advice(venue: Venue, runs: Sequence[Run], n_generations: int, games: int) -> Advice:
    """Find the best strategy among the champions of runs and the strongest baselines, improve it and measure it.

    The champions are those of generation ``n_generations``, counted from 1.

    ``games`` are played for each figure; what is random follows from the venue's seed.
    """
    kingdom = venue.kingdom
    ranked = _ranked(venue, _entrants(venue, runs, n_generations), games)
    ranked[:FINALISTS] = _ranked(replace(venue, use=Use.ADVICE_FINAL), ranked[:FINALISTS], games)
    money = baseline(BIG_MONEY, kingdom)
    decks = {one.name: final_deck(venue, one.strategy, money, DECK_GAMES, Figure.DECKS) for one in ranked}
    best, second = ranked[0], _runner_up(ranked, decks)
    better, changes = refined(venue, best.strategy, second.strategy, games)
    record = simplified(better, kingdom, plays_alike(venue, better, (money, second.strategy, better)))
    deck = final_deck(venue, record, money, DECK_GAMES, Figure.DECKS)
    others = {name: theirs for name, theirs in decks.items() if _distance(theirs, decks[best.name]) >= DIFFERENT}
    return Advice(
        name=best.name,
        changes=changes,
        runner_up=second.name,
        runner_up_deck=_by_card(decks[second.name], kingdom),
        ranking=tuple(entrant.name for entrant in ranked),
        wording=in_words(record, kingdom),
        greening=greening(record, kingdom),
        deck=_by_card(deck, kingdom),
        against_big_money=wins_against(venue, record, money, games, Figure.EXPECTED),
        against_runner_up=wins_against(venue, record, second.strategy, games, Figure.EXPECTED),
        openings=openings(record, kingdom, venue.n_seats, venue.seed),
        trials=trials(venue, record, deck, others, games),
        record=record,
    )


def _entrants(venue: Venue, runs: Sequence[Run], n_generations: int) -> list[Entrant]:
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
