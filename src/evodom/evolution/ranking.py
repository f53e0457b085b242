"""Rank a generation by a tournament and by the race against the rivals. Penalise early Victory cards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import column_of, strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution.archive import Cells, best_of_cells, cells_of
from evodom.evolution.halving import MIN_CANDIDATES, HalvingStage, halved, successive_halving
from evodom.evolution.options import Options
from evodom.evolution.rivals import Opponents
from evodom.matches.results import Games, Tally, summarize_games
from evodom.matches.seating import game_seeds, generator, whole_rounds
from evodom.matches.tournament import Order, games_against, run_tournament
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers


def n_raced(n_genomes: int, options: Options) -> int:
    """Return the number of genomes in the race: an eighth of ``n_genomes``, or half of them without local search."""
    if not options.search_rounds:
        return n_genomes // 2
    return min(max(n_genomes // 8, MIN_CANDIDATES), n_genomes)


@dataclass(frozen=True)
class Ranking:
    """The ranking of genomes.

    ``order`` has their numbers from best to worst. ``cells`` (n,) are the cells of their decks. ``shares`` and
    ``played`` (n,) are the win rates and the numbers of games against the opponents, 0 for genomes outside the race.
    ``points`` (n,) are the mean points (opponents beaten) in the tournament. ``strategies`` are their records.
    """

    strategies: Strategies
    order: Order
    cells: Cells
    shares: npt.NDArray[np.float64]
    played: npt.NDArray[np.float64]
    points: npt.NDArray[np.float64]
    summary: dict[str, Any]

    def penalised(self, strength: float) -> "Ranking":
        """Return the ranking with the penalty for early Victory cards (`penalise`), and the points of its champion."""
        order = penalise(self.order, self.strategies, strength)
        return replace(self, order=order, summary=self.summary | {"best_points": float(self.points[order[0]])})


def rank_genomes(
    genomes: Genomes,
    opponents: Opponents,
    options: Options,
    seeds: np.random.SeedSequence,
    workers: Workers | None,
    protected: Sequence[int] = (),
    *,
    all_race: bool = False,
) -> Ranking:
    """Rank genomes.

    1. A tournament ranks all genomes.
    2. In the race, successive halving against the opponents ranks the first `n_raced` again, with ``all_race`` all
       genomes in two stages. ``protected`` genomes always take part, and with local search the best of each cell.
    """
    strategies, n, n_seats = strategies_of(genomes, options), len(genomes), options.players
    venue, tally = Venue(options.kingdom, n_seats, workers=workers), Tally()
    play = tally.counting(partial(venue.play, Lineup.of(strategies, opponents.strategies)))

    def cells() -> Cells:
        return cells_of(tally.owned[:n] / tally.seats[:n, None], options.kingdom)

    order, games = run_tournament(n, n_seats, options.games, seeds, play)
    shares, played = np.zeros(n), np.zeros(n)
    summary = _summary(games)
    if options.race and len(opponents.strategies):
        candidates = order if all_race else order[: n_raced(n, options)]
        protected = [*protected, *best_of_cells(order.tolist(), cells())] if options.search_rounds else protected
        candidates = np.concatenate([candidates, np.setdiff1d(protected, candidates)]).astype(np.intp)
        others = order[~np.isin(order, candidates)]

        def play_stage(places: Order, n_games: int) -> npt.NDArray[np.float64]:
            drawing, dealing = seeds.spawn(2)
            n_games = whole_rounds(n_games, n_seats)
            numbers = n + opponents.drawn(n_games, generator(drawing))
            return games_against(play, candidates[places], numbers, n_seats, game_seeds(dealing, n_games))[0]

        stages = halved(len(candidates), options.race)
        if all_race:
            stages = [stages[0], HalvingStage(n_raced(n, options), 2 * options.race)]
        race = successive_halving(len(candidates), stages, play_stage)
        order = np.concatenate([candidates[race.order], others])
        shares[candidates], played[candidates] = race.means, race.played
        summary["race_games"] = race.n_games
    seats = games.tables.ravel()
    points = np.bincount(seats, games.points.ravel(), n) / np.bincount(seats, minlength=n)
    return Ranking(strategies, order.astype(np.int32), cells(), shares, played, points, summary)


def _summary(games: Games) -> dict[str, float]:
    """Return means over a tournament: rounds, victory points, endings."""
    figures = summarize_games(games)
    return {
        "games": figures.n_games,
        "rounds": figures.rounds,
        "winner_vp": figures.winner_vp,
        "ended_on_piles": figures.ended["empty_piles"],
        "cut": figures.ended["cut"],
    }


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
