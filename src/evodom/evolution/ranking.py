"""Rank a generation by a tournament and by the race against its opponents. Penalise early Victory cards.

The opponents are named rivals, the hall of fame, the lines of `archive` and the shipped network, each with a weight.
The race is a successive halving: many candidates play few games, and the best of each stage play more. `held_out_wins`
measures a champion against baselines that are never opponents.
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
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.dominion.strategies.record import Strategy, column_of, strategies_of
from evodom.dominion.strategies.registry import model_of
from evodom.evolution.cells import Cells, best_of_cells, cells_of
from evodom.evolution.options import MIXED, Options
from evodom.matches.agents import named_rivals
from evodom.matches.results import Games, Tally, summarize_games
from evodom.matches.seating import JUDGING, game_seeds, generation_stream, generator, whole_rounds
from evodom.matches.tournament import Order, games_against, run_tournament, shares_against_copies, strongest_baselines
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers

WEIGHING_GAMES = 32
"""Number of games of the champion against each opponent. Their results determine the opponents' weights."""

NETWORK_SHARE = 0.05
"""Share of the games against the shipped network, if it can be used in the kingdom."""


@dataclass(frozen=True)
class Opponents:
    """Opponents with the share of the games against each, ``weights`` (n,).

    The last ``n_fixed`` opponents keep their weights if others are left out.
    """

    strategies: Lineup
    weights: npt.NDArray[np.float64]
    n_fixed: int = 0

    def without(self, indices: "Sequence[int] | int") -> "Opponents":
        """Return the opponents without those at ``indices``, whose weights must not be fixed."""
        others = np.setdiff1d(np.arange(len(self.weights)), indices)
        weights, n_free = self.weights[others], len(others) - self.n_fixed
        weights[:n_free] *= (1.0 - weights[n_free:].sum()) / max(weights[:n_free].sum(), 1e-9)
        return Opponents(self.strategies.subset(others), weights / max(weights.sum(), 1e-9), self.n_fixed)

    def drawn(self, n_games: int, rng: np.random.Generator) -> Order:
        """Return the index of the opponent of each game, in random order.

        Each opponent has its weight's share of the games, rounded up or down (systematic sampling).
        """
        points = (np.arange(n_games) + rng.random()) / n_games
        indices = np.searchsorted(np.cumsum(self.weights), points, side="right")
        return rng.permutation(np.minimum(indices, len(self.weights) - 1))


def rival_strategies(hall: Genomes, options: Options) -> Lineup:
    """Return the rivals of a generation: the named rivals, then the hall of fame. Without a race there are none."""
    if not options.race:
        return Lineup(strategies_of(hall[:0], options))
    return Lineup.of(named_rivals(options.rivals or (), options.guests, options.kingdom), strategies_of(hall, options))


def shipped_network(options: Options) -> list[Strategy]:
    """Return the shipped network in a list. The list is empty if it is not an opponent."""
    weights = usable_weights(options.kingdom) if options.start == MIXED and options.race else None
    return [] if weights is None else [network_strategy(weights, options.kingdom)]


def weighted_opponents(
    champion: Genomes, others: Lineup, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> Opponents:
    """Return ``others`` and the shipped network as opponents. ``champion`` is an array of one genome.

    The weight of each of ``others`` is proportional to 1 plus the number of games that the champion lost against it. So
    no weight is 0. The shipped network has the weight NETWORK_SHARE. Return no opponents if there are no ``others``.
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
    """Return a champion's share of the win in each game against copies of each other strategy, (n_others, n_games).

    ``n_games`` is ``n``, rounded up so that the champion has each seat equally often.
    """
    players = Lineup.of(strategies_of(champion, options), others)
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(others), whole_rounds(n, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    return np.asarray(shares[0])


MIN_CANDIDATES = 4
"""Minimum number of candidates in a stage of the race."""

FIRST_RACE_FACTOR = 2
"""Factor of all numbers of games in the race that chooses the first lines."""

Results = npt.NDArray[np.float64]
"""Results of games, (n_candidates, n_games)."""


@dataclass(frozen=True, slots=True)
class HalvingStage:
    """A stage of successive halving: the number of candidates, and of the games of each."""

    n_candidates: int
    games: int


@dataclass(frozen=True, slots=True)
class Halving:
    """The result of successive halving.

    ``order`` has the candidates from best to worst. ``played`` (n_candidates,) has the number of games of each, and
    ``means`` its mean result over these games.
    """

    order: Order
    means: npt.NDArray[np.float64]
    played: npt.NDArray[np.float64]

    @property
    def n_games(self) -> int:
        """The number of games of all candidates."""
        return int(self.played.sum())


PlayStage = Callable[[Order, int], Results]
"""A function that plays a number of games with each candidate and returns the results, (n_candidates, n_games)."""


def halving_stages(n_candidates: int, games: int) -> list[HalvingStage]:
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
    return Halving(np.concatenate([remaining, *reversed(dropped)]), sums / np.maximum(played, 1), played)


def race_size(n_genomes: int, options: Options) -> int:
    """Return the number of genomes in the race: an eighth of ``n_genomes``, or half of them without local search."""
    if not options.search_rounds:
        return n_genomes // 2
    return min(max(n_genomes // 8, MIN_CANDIDATES), n_genomes)


@dataclass(frozen=True, slots=True)
class Payoffs:
    """Results of the race by opponent: ``wins`` and ``games``, both (n_genomes, n_opponents)."""

    wins: npt.NDArray[np.float64]
    games: npt.NDArray[np.float64]

    def add(self, players: Order, opponents: Order, shares: Results) -> None:
        """Add games of ``players`` against the same ``opponents``, (n_games,), with their shares of the win."""
        for opponent in np.unique(opponents):
            chosen = opponents == opponent
            self.wins[players, opponent] += shares[:, chosen].sum(axis=1)
            self.games[players, opponent] += chosen.sum()

    def of(self, number: int, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the wins and the games of a genome by the names of its opponents. Opponents can share a name."""
        found: dict[str, tuple[float, float]] = {}
        for name, wins, games in zip(names, self.wins[number].tolist(), self.games[number].tolist(), strict=True):
            wins_before, games_before = found.get(name, (0.0, 0.0))
            found[name] = wins_before + wins, games_before + games
        return found


@dataclass(frozen=True)
class Ranking:
    """The ranking of genomes.

    Attributes:
        strategies: the records of the genomes.
        order: the indices of the genomes, from best to worst.
        cells: (n,), the cells of their decks.
        win_rates: (n,), their win rates in the race, 0 for genomes outside it.
        played: (n,), their numbers of games in the race.
        points: (n,), their mean points in the tournament: a point for every opponent beaten.
        payoffs: their results in the race by opponent.
        summary: figures of all games, which are saved with the generation.
    """

    strategies: Strategies
    order: Order
    cells: Cells
    win_rates: npt.NDArray[np.float64]
    played: npt.NDArray[np.float64]
    points: npt.NDArray[np.float64]
    payoffs: Payoffs
    summary: dict[str, Any]

    def fitness(self, n_seats: int) -> npt.NDArray[np.float64]:
        """Return the win rates of the genomes in the race; without one, all genomes' shares of opponents beaten."""
        in_race = self.played > 0
        return self.win_rates[in_race] if in_race.any() else self.points / (n_seats - 1)

    def penalised(self, vp_penalty: float) -> "Ranking":
        """Return the ranking after `penalise`. Its summary has "best_points", the points of the champion."""
        order = penalise(self.order, self.strategies, vp_penalty)
        return replace(self, order=order, summary=self.summary | {"best_points": float(self.points[order[0]])})


def rank_genomes(
    genomes: Genomes,
    opponents: Opponents,
    options: Options,
    seeds: np.random.SeedSequence,
    workers: Workers | None,
    protected: Sequence[int] = (),
    *,
    all_in_race: bool = False,
) -> Ranking:
    """Rank genomes.

    1. A tournament ranks all genomes.
    2. The race, a successive halving against the opponents, ranks the best `race_size` genomes again. The ``protected``
       genomes take part too, and with local search the best genome of each cell.

    With ``all_in_race`` all genomes take part, and the race has only two stages.
    """
    strategies, n, n_seats = strategies_of(genomes, options), len(genomes), options.players
    venue, tally = Venue(options.kingdom, n_seats, workers=workers), Tally()
    play = tally.counting(partial(venue.play, Lineup.of(strategies, opponents.strategies)))

    def cells() -> Cells:
        return cells_of(tally.owned[:n] / tally.seats[:n, None], options.kingdom)

    order, games = run_tournament(n, n_seats, options.games, seeds, play)
    win_rates, played = np.zeros(n), np.zeros(n)
    payoffs = Payoffs(*np.zeros((2, n, len(opponents.strategies))))
    summary = _summary(games)
    if options.race and len(opponents.strategies):
        candidates = order if all_in_race else order[: race_size(n, options)]
        protected = [*protected, *best_of_cells(order.tolist(), cells())] if options.search_rounds else protected
        candidates = np.concatenate([candidates, np.setdiff1d(protected, candidates)]).astype(np.intp)
        others = order[~np.isin(order, candidates)]

        def play_stage(places: Order, n_games: int) -> npt.NDArray[np.float64]:
            opponent_seeds, deal_seeds = seeds.spawn(2)
            n_games = whole_rounds(n_games, n_seats)
            drawn, players = opponents.drawn(n_games, generator(opponent_seeds)), candidates[places]
            shares, _ = games_against(play, players, n + drawn, n_seats, game_seeds(deal_seeds, n_games))
            payoffs.add(players, drawn, shares)
            return shares

        stages = halving_stages(len(candidates), options.race)
        if all_in_race:
            n_first = FIRST_RACE_FACTOR * options.race
            stages = [HalvingStage(len(candidates), n_first), HalvingStage(race_size(n, options), 2 * n_first)]
        race = successive_halving(len(candidates), stages, play_stage)
        order = np.concatenate([candidates[race.order], others])
        win_rates[candidates], played[candidates] = race.means, race.played
        summary["race_games"] = race.n_games
    seats = games.tables.ravel()
    points = np.bincount(seats, games.points.ravel(), n) / np.bincount(seats, minlength=n)
    return Ranking(strategies, order.astype(np.int32), cells(), win_rates, played, points, payoffs, summary)


def _summary(games: Games) -> dict[str, float]:
    """Return figures of a tournament: the number of games, and means of rounds, victory points and endings."""
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


WEIGHT_DECIMALS = 6
"""Decimals of compared weights. Smaller differences, such as `preferences.genetics.EPSILON`, do not change play."""


def copies_last(strategies: Strategies) -> npt.NDArray[np.intp]:
    """Return the indices of strategies of one model: distinct strategies in order, then copies of earlier strategies.

    `islands` and `runs.champions` choose the first ``n``.
    """
    n = len(strategies)
    columns = [
        np.round(column_of(strategies, name), WEIGHT_DECIMALS) for name in model_of(strategies[0]).identity_columns
    ]
    _, first = np.unique(np.hstack([column.reshape(n, -1) for column in columns]), axis=0, return_index=True)
    is_copy = np.ones(n, bool)
    is_copy[first] = False
    return np.argsort(is_copy, kind="stable")


def penalise(ranking: Order, strategies: Strategies, vp_penalty: float) -> Order:
    """Return a ranking after a penalty for strategies that buy Victory cards early.

    ``strategies`` are the STRATEGY records of all ``n`` genomes, of one model. A strategy with the weight
    ``w = Genetics.early_victory_weight`` loses ``vp_penalty * n * w`` ranks. If ``vp_penalty`` is infinite, the ranking
    is sorted by ``w``. Ties keep their order.
    """
    genetics = model_of(strategies[0]).genetics
    assert genetics is not None, "only genomes are ranked"
    penalty = genetics.early_victory_weight(strategies[ranking])
    if np.isinf(vp_penalty):
        return ranking[np.argsort(penalty, kind="stable")]
    places = np.arange(len(ranking)) + vp_penalty * len(ranking) * penalty
    # Rounded, so that weights of EPSILON do not change the order.
    return ranking[np.argsort(np.round(places, 3), kind="stable")]


N_JUDGES = 2
"""Number of held-out baselines that judge a champion: the strongest of the kingdom."""

JUDGE_GAMES = 48
"""Games against copies of each judge. They suffice for the mean of ten champions: plus or minus 3 percentage points."""

HELD_OUT_WINS = "held_out_wins"
"""Key of a summary with the champion's win rate against the held-out baselines."""


def held_out_wins(genome: Genomes, options: Options, seed: int, index: int, workers: Workers | None) -> dict[str, Any]:
    """Return the win rate of a champion's ``genome``, an array of one, against held-out baselines of the kingdom.

    Return {} if no held-out baseline fits the kingdom.
    """
    fitting = strongest_baselines(options.kingdom, options.players, None, among=HELD_OUT_OPPONENTS)
    names = [name for name in fitting if name not in (options.rivals or ())][:N_JUDGES]
    if not names:
        return {}
    stream = generation_stream(seed, index, JUDGING)
    judges = Lineup(baseline_records(names, options.kingdom))
    return {HELD_OUT_WINS: float(champion_shares(genome, judges, JUDGE_GAMES, options, workers, stream).mean())}
