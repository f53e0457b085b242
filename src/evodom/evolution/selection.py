"""Rank genomes by games: a tournament, successive halving against rivals, and the price of early victory points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, Strategies, genetics_of, model_of
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.algorithm import ORIGINS, Evolution
from evodom.evolution.options import Options
from evodom.matches.evaluate import shares_against_copies
from evodom.matches.guests import rival_records
from evodom.matches.results import Games, course
from evodom.matches.streams import RANKING, game_seeds, generation_stream
from evodom.matches.tournament import Order, PlayTables, run_tournament
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers

FEWEST_RUNNERS = 4
"""The race ends when fewer runners than this would be left for the next lap."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a race.

    ``order`` has the places in ``runners`` from best to worst. ``results`` (n_runners, n_rivals) has the share of the
    wins of each runner against each rival, over all its laps. ``n_games`` counts all games played.
    """

    order: Order
    results: npt.NDArray[np.float64]
    n_games: int


def run_race(
    runners: Order, rivals: Order, n_seats: int, games: int, seeds: np.random.SeedSequence, play: PlayTables
) -> Finish:
    """Race ``runners`` against each of ``rivals`` with ``games`` games in the first lap, and return the `Finish`.

    Runners and rivals are indices of the strategies that ``play`` knows. A victory shared by k counts 1/k.
    """
    wins = np.zeros((len(runners), len(rivals)))
    played = np.zeros(len(runners))
    running = np.arange(len(runners))
    dropped: list[Order] = []
    n_games = 0
    while True:
        lap_seeds = game_seeds(seeds.spawn(1)[0], len(rivals), games)
        shares = shares_against_copies(play, runners[running], rivals, n_seats, lap_seeds)
        wins[running] += shares.sum(axis=2)
        played[running] += games
        n_games += shares.size
        means = (wins[running] / played[running, None]).mean(axis=1)
        running = running[np.argsort(-means, kind="stable")]
        n_staying = len(running) // 2
        if n_staying < FEWEST_RUNNERS:
            break
        dropped.append(running[n_staying:])
        running = running[:n_staying]
        games *= 2
    order = np.concatenate([running, *reversed(dropped)])
    return Finish(order, wins / played[:, None], n_games)


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


DECIMALS = 6
"""Weights are compared to so many decimals: genomes that differ only in types of weight EPSILON play alike."""


def distinct_first(strategies: Strategies) -> npt.NDArray[np.intp]:
    """Return the indices of strategies of one model: first those that buy unlike any before them, then the copies."""
    n = len(strategies)
    columns = [np.round(strategies[name], DECIMALS) for name in model_of(strategies[0]).identity_columns]
    _, first = np.unique(np.hstack([column.reshape(n, -1) for column in columns]), axis=0, return_index=True)
    is_copy = np.ones(n, bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")


def penalise(ranking: Order, strategies: Strategies, strength: float) -> Order:
    """Move strategies that prefer victory points too early down a ranking, and return the new ranking.

    `Genetics.early_green` measures how strongly a strategy does so: 1 costs ``strength`` times the population, in
    places. With ``inf`` the ranking is sorted by this measure first, as in the original. Ties keep their order.
    ``strategies`` are the STRATEGY records of all genomes, of one model.
    """
    genetics = model_of(strategies[0]).genetics
    assert genetics is not None, "only genomes are ranked"
    penalty = genetics.early_green(strategies[ranking])
    if np.isinf(strength):
        return ranking[np.argsort(penalty, kind="stable")]
    places = np.arange(len(ranking)) + strength * len(ranking) * penalty
    # Rounded, so that weights of EPSILON do not change the order.
    return ranking[np.argsort(np.round(places, 3), kind="stable")]
