"""The ranking of a generation: a tournament, the race against the rivals, and the penalty for early Victory cards."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import column_of, strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution.halving import MIN_CANDIDATES, race_against
from evodom.evolution.options import Options
from evodom.evolution.rivals import rival_strategies, weighted_opponents
from evodom.matches.results import Games, summarize_games
from evodom.matches.tournament import Order, run_tournament
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers


def n_raced(n_genomes: int, options: Options) -> int:
    """Return the number of genomes in the race: a quarter of ``n_genomes``, or half of them without local search."""
    if not options.search_rounds:
        return n_genomes // 2
    return min(max(n_genomes // 4, MIN_CANDIDATES), n_genomes)


def rank_genomes(
    genomes: Genomes,
    hall: Genomes,
    options: Options,
    seeds: np.random.SeedSequence,
    workers: Workers | None,
    n_protected: int = 0,
) -> tuple[Order, dict[str, Any]]:
    """Return the indices of genomes from best to worst (int32), and figures of the games.

    1. A tournament ranks all genomes.
    2. In the race, successive halving against the rivals ranks the first `n_raced` again. The first ``n_protected``
       genomes, the lines, always take part. With lines, rivals that beat the champion count more.
    3. Weights for early Victory cards cost places (`penalise`).
    """
    strategies = strategies_of(genomes, options)
    rivals = rival_strategies(hall, options) if options.race else Lineup(strategies[:0])
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, Lineup.of(strategies, rivals))
    ranking, games = run_tournament(len(genomes), options.players, options.games, seeds, play)
    summary: dict[str, Any] = {}
    win_rates: dict[int, npt.NDArray[np.float64]] = {}
    if len(rivals):
        weights = None
        if n_protected:
            weights = weighted_opponents(genomes[:1], rivals, options, workers, seeds.spawn(1)[0]).weights
        is_protected = ranking < n_protected
        ranking = np.concatenate([ranking[is_protected], ranking[~is_protected]])
        candidates, others = np.split(ranking, [n_raced(len(genomes), options)])
        rival_indices = np.arange(len(genomes), len(genomes) + len(rivals))
        race = race_against(candidates, rival_indices, options.players, options.race, seeds.spawn(1)[0], play, weights)
        ranking = np.concatenate([candidates[race.order], others])
        win_rates = dict(zip(candidates.tolist(), race.means, strict=True))
        summary = {"race_games": race.n_games}
    ranking = penalise(ranking, strategies, options.vp_penalty)
    champion = int(ranking[0])
    summary |= _race_summary(win_rates.get(champion), options.rivals or ())
    return ranking.astype(np.int32), _summary(games, champion) | summary


def _summary(games: Games, best: int) -> dict[str, float]:
    """Return means over a tournament: points per game of the best (up to one per opponent), rounds, VP, endings."""
    figures = summarize_games(games)
    return {
        "best_points": float(games.points[games.tables == best].mean(dtype=float)),
        "games": figures.n_games,
        "rounds": figures.rounds,
        "winner_vp": figures.winner_vp,
        "ended_on_piles": figures.ended["empty_piles"],
        "cut": figures.ended["cut"],
    }


def _race_summary(wins: npt.NDArray[np.float64] | None, named: Sequence[str]) -> dict[str, Any]:
    """Return the champion's win rates against each named rival, and their mean.

    ``wins`` are the win rates against all rivals, named rivals first. It is None if the champion did not play them. The
    hall of fame is left out: named rivals are the same in all generations, so that generations can be compared.
    """
    if wins is None or not named:
        return {}
    shares = {name: float(share) for name, share in zip(named, wins, strict=False)}
    return {"race_wins": sum(shares.values()) / len(shares), "race_wins_by_rival": shares}


def champion_of(generation: Generation) -> Genomes:
    """Return the genome of a generation's champion, as an array of one."""
    return generation.genomes[generation.ranking[:1]]


DECIMALS = 6
"""Decimals of weights in comparisons: genomes that differ only in weights of EPSILON play alike."""


def distinct_first(strategies: Strategies) -> npt.NDArray[np.intp]:
    """Return the indices of strategies of one model: distinct strategies first, then copies of earlier strategies."""
    n = len(strategies)
    columns = [np.round(column_of(strategies, name), DECIMALS) for name in model_of(strategies[0]).identity_columns]
    _, first = np.unique(np.hstack([column.reshape(n, -1) for column in columns]), axis=0, return_index=True)
    is_copy = np.ones(n, bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")


def penalise(ranking: Order, strategies: Strategies, strength: float) -> Order:
    """Move strategies that prefer Victory cards too early down a ranking, and return the new ranking.

    `Genetics.early_victory_weight` measures the preference. A weight of 1 costs ``strength`` times the population, in
    places. With ``inf`` the ranking is sorted by this weight first. Ties keep their order.
    ``strategies`` are the STRATEGY records of all genomes, of one model.
    """
    genetics = model_of(strategies[0]).genetics
    assert genetics is not None, "only genomes are ranked"
    penalty = genetics.early_victory_weight(strategies[ranking])
    if np.isinf(strength):
        return ranking[np.argsort(penalty, kind="stable")]
    places = np.arange(len(ranking)) + strength * len(ranking) * penalty
    # Rounded, so that weights of EPSILON do not change the order.
    return ranking[np.argsort(np.round(places, 3), kind="stable")]
