"""Rank genomes by the games they play: a tournament, the race against rivals, and the price of early victory points."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.model import Genomes
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution.algorithm import Evolution, penalise
from evodom.evolution.halving import run_race
from evodom.evolution.history import ORIGINS
from evodom.evolution.options import Options
from evodom.matches.guests import rival_records
from evodom.matches.results import Games, course
from evodom.matches.streams import RANKING, generation_stream
from evodom.matches.tournament import Order, run_tournament
from evodom.matches.venue import Venue
from evodom.store import Generation
from evodom.tasks import Workers


def evaluate(evolution: Evolution, workers: Workers | None = None) -> Generation:
    """Rank the current generation and return it in the form in which it is saved; None is one thread."""
    options, genomes = evolution.options, evolution.ask()
    seeds = generation_stream(evolution.seed, evolution.index, RANKING)
    ranking, summary = ranked(genomes, evolution.hall, options, seeds, workers)
    summary |= {"diversity": genetics_of(options.model).diversity(genomes), ORIGINS: evolution.origins}
    return Generation(evolution.index, genomes, ranking, summary)


def ranked(
    genomes: Genomes, hall: Genomes, options: Options, seeds: np.random.SeedSequence, workers: Workers | None
) -> tuple[Order, dict[str, Any]]:
    """Return the places of genomes from best to worst (int32), and figures of the games that decided.

    First a tournament ranks everybody. Then the better half races against the rivals and the hall of fame, if the
    options ask for it. Last, early victory points cost places (`penalise`).
    """
    strategies = strategies_of(genomes, options)
    opponents = rival_strategies(hall, options) if options.race else strategies[:0]
    everybody = np.concatenate([strategies, opponents])
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, everybody)
    ranking, games = run_tournament(len(genomes), options.players, options.games, seeds, play)
    summary: dict[str, Any] = {}
    if len(opponents):
        n_runners = len(genomes) // 2
        runners, others = ranking[:n_runners], np.arange(len(genomes), len(everybody))
        finish = run_race(runners, others, options.players, options.race, seeds.spawn(1)[0], play)
        ranking = np.concatenate([runners[finish.order], ranking[n_runners:]])
        wins = dict(zip(runners.tolist(), finish.results, strict=True))
        summary = {"race_games": finish.n_games}
    ranking = penalise(ranking, strategies, options.vp_penalty)
    if len(opponents):
        summary |= _race_summary(wins.get(int(ranking[0])), options.rivals or ())
    return ranking.astype(np.int32), _summary(games, int(ranking[0])) | summary


def rival_strategies(hall: Genomes, options: Options) -> npt.NDArray[Any]:
    """Return the rivals of a generation as STRATEGY records: those named, then the hall of fame."""
    named = rival_records(options.rivals or (), options.guests, options.kingdom)
    return np.concatenate([named, strategies_of(hall, options)])


def _summary(games: Games, best: int) -> dict[str, float]:
    """Return means over a tournament: points per game of the best (up to one per opponent), rounds, VP, endings."""
    figures = course(games)
    return {
        "best_points": float(games.points[games.tables == best].mean(dtype=float)),
        "games": figures.n_games,
        "rounds": figures.rounds,
        "winner_vp": figures.winner_vp,
        "ended_on_piles": figures.ended["empty_piles"],
        "cut": figures.ended["cut"],
    }


def _race_summary(wins: npt.NDArray[np.float64] | None, named: Sequence[str]) -> dict[str, Any]:
    """Return the champion's shares of the wins against each named rival of its race, and their mean.

    ``wins`` has those against all rivals, the named ones first; None for a champion that did not race. The hall is left
    out: the others are the same in all generations, so that these figures can be compared.
    """
    if wins is None or not named:
        return {}
    shares = {name: float(share) for name, share in zip(named, wins, strict=False)}
    return {"race_wins": sum(shares.values()) / len(shares), "race_wins_by_rival": shares}


def games_of(generation: Generation) -> int:
    """Return how many games ranked a generation, those of its race among them."""
    return sum(int(generation.summary.get(name, 0)) for name in ("games", "race_games", "island_games"))


def champion_of(generation: Generation) -> Genomes:
    """Return the genome of a generation's champion, as an array of one."""
    return generation.genomes[generation.ranking[:1]]
