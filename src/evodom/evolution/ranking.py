"""Rank a generation by a tournament and by the race against its opponents. Penalise early Victory cards.

The opponents are named rivals, the hall of fame, lines and the shipped network, each with a weight. The race is a
successive halving: many candidates play few games, and the best of each stage play more. `judged` measures a champion
against baselines that are never opponents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.model import network_record
from evodom.dominion.strategies.record import Strategy, column_of, strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution.archive import Cells, best_of_cells, cells_of
from evodom.evolution.options import MIXED, Options
from evodom.learning.general import preferred_weights
from evodom.matches.agents import named_rivals
from evodom.matches.results import Games, Tally, summarize_games
from evodom.matches.seating import JUDGING, game_seeds, generation_stream, generator, whole_rounds
from evodom.matches.tournament import Order, games_against, run_tournament, shares_against_copies, strongest_baselines
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers

WEIGHING_GAMES = 32
"""Games of the champion against each opponent that determine the opponents' weights."""

NETWORK_SHARE = 0.05
"""Share of the games against the shipped network, if it can be used in the kingdom."""


@dataclass(frozen=True)
class Opponents:
    """Opponents with the weights of their results, (n,), which sum to 1.

    The last ``n_fixed`` keep their weights if others are left out.
    """

    strategies: Lineup
    weights: npt.NDArray[np.float64]
    n_fixed: int = 0

    def without(self, numbers: "Sequence[int] | int") -> "Opponents":
        """Return the opponents without some of those whose weights are not fixed."""
        others = np.setdiff1d(np.arange(len(self.weights)), numbers)
        weights, n_free = self.weights[others], len(others) - self.n_fixed
        weights[:n_free] *= (1.0 - weights[n_free:].sum()) / max(weights[:n_free].sum(), 1e-9)
        return Opponents(self.strategies.some(others), weights / max(weights.sum(), 1e-9), self.n_fixed)

    def drawn(self, n_games: int, rng: np.random.Generator) -> Order:
        """Return the number of the opponent of each game, in random order.

        Each opponent has its weight's share of the games, rounded up or down (systematic sampling).
        """
        points = (np.arange(n_games) + rng.random()) / n_games
        numbers = np.searchsorted(np.cumsum(self.weights), points, side="right")
        return rng.permutation(np.minimum(numbers, len(self.weights) - 1))


def rival_strategies(hall: Genomes, options: Options) -> Lineup:
    """Return the rivals of a generation: the named rivals, then the hall of fame. Without a race there are none."""
    if not options.race:
        return Lineup(strategies_of(hall[:0], options))
    named = named_rivals(options.rivals or (), options.guests, options.kingdom)
    return Lineup.of(named, strategies_of(hall, options))


def shipped_network(options: Options) -> list[Strategy]:
    """Return the shipped network in a list. The list is empty if it is not an opponent."""
    weights = preferred_weights(options.kingdom) if options.start == MIXED and options.race else None
    return [] if weights is None else [network_record(weights, options.kingdom)]


def weighted_opponents(
    champion: Genomes, others: Lineup, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> Opponents:
    """Return opponents, each weighted by a champion's losses against it. ``champion`` is an array of one genome.

    Return no opponents if there are no ``others``. One further loss keeps all weights above 0. The shipped network
    follows the others, with the weight NETWORK_SHARE.
    """
    if not len(others):
        return Opponents(others, np.zeros(0))
    shares = champion_shares(champion, others, WEIGHING_GAMES, options, workers, stream)
    losses = 1.0 - shares.mean(axis=1) + 1.0 / WEIGHING_GAMES
    weights = losses / losses.sum()
    network = shipped_network(options)
    if network:
        weights = np.append((1.0 - NETWORK_SHARE) * weights, NETWORK_SHARE)
    return Opponents(Lineup.of(others, network), weights, len(network))


def champion_shares(
    champion: Genomes, others: Lineup, n: int, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> npt.NDArray[np.float64]:
    """Return a champion's share of the win in each game, (n_others, n_games), against copies of each other strategy.

    ``n_games`` is ``n``, rounded up to whole rounds of seats.
    """
    players = Lineup.of(strategies_of(champion, options), others)
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(others), whole_rounds(n, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    return np.asarray(shares[0])


MIN_CANDIDATES = 4
"""`halved` ends if fewer candidates would be left for the next stage."""

Results = npt.NDArray[np.float64]
"""Results of games, (n_candidates, n_games)."""


@dataclass(frozen=True, slots=True)
class HalvingStage:
    """A stage: the number of candidates, and the games of each."""

    n_candidates: int
    games: int


@dataclass(frozen=True, slots=True)
class Halving:
    """The result of successive halving.

    ``order`` has the candidates from best to worst. ``means`` (n_candidates,) are their mean results over all their
    games, whose numbers are ``played``.
    """

    order: Order
    means: Results
    played: Results

    @property
    def n_games(self) -> int:
        """The number of all games."""
        return int(self.played.sum())


PlayStage = Callable[[Order, int], Results]
"""Return the results of candidates in a number of games, (n_candidates, n_games)."""


def halved(n_candidates: int, games: int) -> list[HalvingStage]:
    """Return stages that halve the candidates and double the games, until fewer than MIN_CANDIDATES would be left."""
    stages = [HalvingStage(n_candidates, games)]
    while stages[-1].n_candidates // 2 >= MIN_CANDIDATES:
        stages.append(HalvingStage(stages[-1].n_candidates // 2, 2 * stages[-1].games))
    return stages


def successive_halving(n_candidates: int, stages: Sequence[HalvingStage], play: PlayStage) -> Halving:
    """Rank candidates 0 to ``n_candidates`` - 1 by their mean results, with fewer candidates in each stage."""
    remaining, dropped = np.arange(n_candidates), list[Order]()
    played, sums = np.zeros(n_candidates), np.zeros(n_candidates)
    for stage in stages:
        dropped.append(remaining[stage.n_candidates :])
        remaining = remaining[: stage.n_candidates]
        results = play(remaining, stage.games)
        sums[remaining] += results.sum(axis=1)
        played[remaining] += results.shape[1]
        remaining = remaining[np.argsort(-sums[remaining] / played[remaining], kind="stable")]
    order = np.concatenate([remaining, *reversed(dropped)])
    return Halving(order, sums / np.maximum(played, 1), played)


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


N_JUDGES = 2
"""Number of baselines: the strongest held-out ones of the kingdom."""

JUDGE_GAMES = 48
"""Games against copies of each, in each generation. A win rate over ten generations has an interval of 3 points."""

HELD_OUT_WINS = "held_out_wins"
"""Entry of a summary with the champion's win rate against the held-out baselines."""


def judged(champion: Genomes, options: Options, seed: int, index: int, workers: Workers | None) -> dict[str, Any]:
    """Return the win rate of a generation's champion, an array of one genome. Without a fitting baseline return {}."""
    fitting = strongest_baselines(options.kingdom, options.players, None, among=HELD_OUT_OPPONENTS)
    names = [name for name in fitting if name not in (options.rivals or ())][:N_JUDGES]
    if not names:
        return {}
    stream = generation_stream(seed, index, JUDGING)
    judges = Lineup(baseline_records(names, options.kingdom))
    shares = champion_shares(champion, judges, JUDGE_GAMES, options, workers, stream)
    return {HELD_OUT_WINS: float(shares.mean())}
