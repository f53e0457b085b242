"""The answer to "what is the best strategy for these ten cards?", measured and in words."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.advice.ablation import Trial, trials
from evodom.advice.bench import DECKS, EXPECTED, LISTED, Bench
from evodom.advice.edits import simplified
from evodom.advice.openings import Opening, openings
from evodom.advice.refine import refined
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.wording import Wording, greening, in_words
from evodom.evolution.champions import champions
from evodom.evolution.rivals import strongest_baselines
from evodom.matches.entrant import Entrant
from evodom.matches.statistics import Share
from evodom.matches.tournament import Arena, play_round_robin
from evodom.matches.workers import Workers
from evodom.store import Run

BIG_MONEY = "big-money"

N_CHAMPIONS = 4
"""So many of the best of each run meet in the tournament."""

FINALISTS = 4
"""So many of the best play a second round robin among themselves: whom the weak let win is not the best."""

DECK_GAMES = 600
"""Games that tell what a strategy owns at the end."""

DIFFERENT = 3.0
"""The runner-up is the next in the tournament whose deck at the end differs in so many cards on average."""

LISTED_GAMES = 200
"""Games against each of a few opponents that tell whether a line of the list is ever followed."""

UNTOLD = 0.02
"""What changes no more than this share of those games is left out of the list."""


@dataclass(frozen=True)
class Place:
    """Where and how the answer is measured; the answer depends on all of this but the workers."""

    kingdom: Kingdom
    n_seats: int
    seed: int
    games: int
    workers: Workers
    on_games: Callable[[int], object] = lambda _: None


@dataclass(frozen=True)
class Answer:
    """The best strategy found: in words, what to expect of it, how it opens, which cards it needs and which are traps.

    ``name`` is the winner of the tournament, ``changes`` are what made it better afterwards (`refine`), ``ranking`` are
    all names, best first. ``deck`` is what the strategy owns at the end by card, ``runner_up_deck`` what the runner-up
    does. ``record`` is the strategy itself, the list as it is told: what hardly matters is left out.
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
    openings: list[Opening]
    trials: list[Trial]
    record: Strategy

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain JSON types, without the record."""
        return {name: value for name, value in asdict(self).items() if name != "record"}


def most_games(games: int) -> int:
    """Return about how many games an answer takes, to plan how long."""
    return 40 * games + 30_000


def find_answer(place: Place, runs: Sequence[Run], n_generations: int) -> Answer:
    """Let the best of the runs at a generation, counted from 1, meet the best baselines, and look at the winner."""
    ranked = _ranked(place, _entrants(place, runs, n_generations))
    ranked[:FINALISTS] = _ranked(place, ranked[:FINALISTS])
    bench = Bench(place.kingdom, place.n_seats, place.seed, place.workers, place.on_games)
    money = baseline(BIG_MONEY, place.kingdom)
    decks = {entrant.name: bench.decks(entrant.strategy, money, DECK_GAMES, DECKS) for entrant in ranked}
    best, second = ranked[0], _runner_up(ranked, decks)
    better, changes = refined(bench, best.strategy, second.strategy, place.games)
    record = simplified(better, place.kingdom, _plays_alike(bench, better, (money, second.strategy, better)))
    deck = bench.decks(record, money, DECK_GAMES, DECKS)
    others = {name: theirs for name, theirs in decks.items() if _distance(theirs, decks[best.name]) >= DIFFERENT}
    return Answer(
        name=best.name,
        changes=changes,
        runner_up=second.name,
        runner_up_deck=_by_card(decks[second.name], place.kingdom),
        ranking=tuple(entrant.name for entrant in ranked),
        wording=in_words(record, place.kingdom),
        greening=greening(record, place.kingdom),
        deck=_by_card(deck, place.kingdom),
        against_big_money=bench.share(record, money, place.games, EXPECTED),
        against_runner_up=bench.share(record, second.strategy, place.games, EXPECTED),
        openings=openings(record, place.kingdom, place.n_seats, place.seed),
        trials=trials(bench, record, deck, others, place.games),
        record=record,
    )


def _entrants(place: Place, runs: Sequence[Run], n_generations: int) -> list[Entrant]:
    """Return the best of each run at a generation, the strongest baselines, and Big Money."""
    entrants = []
    for run in runs:
        index = n_generations - 1
        for rank, strategy in enumerate(champions(run, N_CHAMPIONS, run.generation(index)), 1):
            entrants.append(Entrant(f"{run.key}:{rank}", ("run", run.key, str(index), str(rank)), strategy))
    names = dict.fromkeys((*strongest_baselines(place.kingdom, place.n_seats), BIG_MONEY))
    return entrants + [Entrant(name, ("baseline", name), baseline(name, place.kingdom)) for name in names]


def _ranked(place: Place, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return entrants by their places in a round robin, best first."""
    arena = Arena(place.kingdom, place.n_seats, place.seed, place.workers, on_games=place.on_games)
    outcome = play_round_robin(arena, entrants, most_games=2 * place.games)
    by_name = {entrant.name: entrant for entrant in entrants}
    return [by_name[one.name] for one in outcome.standings]


def _runner_up(ranked: Sequence[Entrant], decks: dict[str, npt.NDArray[np.float64]]) -> Entrant:
    """Return the next best that plays something else, by the cards that it ends with; else just the next."""
    best = decks[ranked[0].name]
    different = (other for other in ranked[1:] if _distance(decks[other.name], best) >= DIFFERENT)
    return next(different, ranked[1])


def _distance(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """Return in how many cards two decks differ."""
    return float(np.abs(one - other).sum())


def _by_card(deck: npt.NDArray[np.float64], kingdom: Kingdom) -> dict[str, float]:
    return {card.name: float(n) for card, n in zip(kingdom.piles, deck, strict=False)}


def _plays_alike(bench: Bench, strategy: Strategy, opponents: Sequence[Strategy]) -> Callable[[Strategy], bool]:
    """Return the test whether a changed strategy plays like this one in nearly all games of the same seeds."""

    def played(one: Strategy) -> npt.NDArray[Any]:
        return np.concatenate([bench.play(one, other, LISTED_GAMES, LISTED) for other in opponents])

    before = played(strategy)
    return lambda changed: bool((played(changed) != before).mean() <= UNTOLD)
