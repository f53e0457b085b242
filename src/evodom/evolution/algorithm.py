"""The genetic algorithm with an ask-and-tell interface, and the games that rank genomes.

    >>> from evodom.evolution.algorithm import Evolution
    >>> from evodom.evolution.options import Options
    >>> evolution = Evolution(Options(n_strategies=8), seed=1)
    >>> genomes = evolution.ask()
    >>> evolution.tell(genomes["early_shape"].argsort())
    >>> evolution.index
    1

Local search improves the first genomes of each generation, the *lines* (`n_lines`). They stay the same for an epoch.
The *rivals* of a generation are baselines or other strategies with names, and earlier champions, the hall of fame.

All random numbers of generation ``g`` come from children of ``SeedSequence(seed, spawn_key=(g,))``, so that a run
resumed from any saved generation has the same result as one that never stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import genetics_of, model_of
from evodom.evolution.local_search import Opponents, prune, search_round
from evodom.evolution.options import Options
from evodom.evolution.starts import first_genomes, new_genomes
from evodom.matches.agents import named_rivals
from evodom.matches.results import Games, summarize_games
from evodom.matches.seating import (
    BREEDING,
    RANKING,
    SEARCHING,
    game_seeds,
    generation_stream,
    generator,
    whole_rounds,
)
from evodom.matches.tournament import Order, PlayTables, run_tournament, shares_against_copies
from evodom.matches.venue import Venue
from evodom.runs import Generation
from evodom.tasks import Workers

HALL_EVERY = 10
"""The champion of every HALL_EVERY-th generation enters the hall of fame."""

KINDS = ELITE, IMPROVED, CLONE, CHILD, NEW = "elite", "improved", "clone", "child", "new"
"""Kinds of genomes: an unchanged copy, a copy improved by local search, a mutated copy, a child of two parents, and a
new genome. New genomes are random, or imitate a teacher.
"""

EPOCH_LENGTH = 12
"""Number of generations of an epoch."""

FIRST_LINES, LATER_LINES = 8, 3
"""Number of lines in the first epoch, and in each later epoch. The champion is one of them."""

NEW_LINE_GAMES = 2
"""New lines are chosen by successive halving. Its first round has this number of games per rival."""

WEIGHING_GAMES = 32
"""Games of the champion against each opponent that determine the opponents' weights."""

MIN_DIVERSITY = 0.2
"""The first lines differ by at least this from each other, if possible (`Genetics.diversity`)."""

NO_PARENT = -1

ORIGINS = "origins"
"""Entry of a summary with the origin of each genome."""

SEARCH_FIGURES = SEARCH_GAMES, *_ = ("search_games", "search_rounds", "search_accepted", "search_gain")
"""Entries of a summary about local search: games, rounds, accepted changes, and the total win rate that they gained."""

Origin = tuple[str, int, int]
"""Origin of a genome: its kind, and the indices of its two parents in the generation before, or NO_PARENT."""


class Evolution:
    """The genetic algorithm: `ask` returns a population of genomes, `tell` takes their ranking and breeds the next.

    ``index`` is the number of the current generation, from 0. ``hall`` holds earlier champions, oldest first. Every
    HALL_EVERY-th champion enters it, unless ``keeps_hall`` is False.
    """

    def __init__(self, options: Options, seed: int, *, keeps_hall: bool = True) -> None:
        genomes = first_genomes(options, generator(generation_stream(seed, 0, BREEDING)))
        self._begin(options, seed, 0, genomes, keeps_hall=keeps_hall)

    def _begin(self, options: Options, seed: int, index: int, genomes: Genomes, *, keeps_hall: bool) -> None:
        self.options = options
        self.seed = seed
        self.index = index
        self._genomes = genomes
        self.origins: list[Origin] = [(NEW, NO_PARENT, NO_PARENT)] * len(genomes)
        self.hall = genomes[:0]
        self._keeps_hall = keeps_hall

    @classmethod
    def resume(
        cls,
        options: Options,
        seed: int,
        index: int,
        genomes: Genomes,
        ranking: Order,
        champions: Sequence[Genomes] = (),
        *,
        keeps_hall: bool = True,
    ) -> Self:
        """Return an evolution that continues after the saved generation ``index``, given its genomes and ranking.

        ``champions`` is the hall of fame: arrays of one genome for each of `hall_generations` (``index``).
        """
        evolution = cls.__new__(cls)  # the first generation is not drawn again
        evolution._begin(options, seed, index, genomes, keeps_hall=keeps_hall)
        evolution.hall = np.concatenate([evolution.hall, *champions])
        evolution.tell(ranking)
        return evolution

    def ask(self) -> Genomes:
        """Return the genomes of the current generation."""
        return self._genomes

    def improve(self, number: int, genome: Genomes) -> None:
        """Replace a genome of the current generation by a better one, an array of one, found by local search."""
        if self._genomes[number] != genome[0]:
            self._genomes[number] = genome[0]
            self.origins[number] = (IMPROVED, *self.origins[number][1:])

    def swap(self, number: int, other: int) -> None:
        """Swap the places of two genomes of the current generation."""
        self._genomes[[number, other]] = self._genomes[[other, number]]
        self.origins[number], self.origins[other] = self.origins[other], self.origins[number]

    def tell(self, ranking: Order) -> None:
        """Breed the next generation; ``ranking`` has the indices of the current genomes from best to worst."""
        ranked = self._genomes[ranking]
        if self._keeps_hall and enters_hall(self.index) and self.options.hall:
            self.hall = np.concatenate([self.hall, ranked[:1]])[-self.options.hall :]
        self.index += 1
        unchanged = unchanged_places(ranked, ranking, self.options, self.index)
        self._genomes, self.origins = next_genomes(ranked, ranking, unchanged, self.options, self._rng())

    def add_migrants(self, migrants: Genomes) -> None:
        """Replace the last new genomes of the current generation by migrants from other islands.

        The origin of migrant i is NEW with the parent i plus the size of the population, which no own parent has.
        """
        if len(migrants):
            size = len(self._genomes)
            self._genomes[-len(migrants) :] = migrants
            self.origins[-len(migrants) :] = [(NEW, size + number, NO_PARENT) for number in range(len(migrants))]

    def _rng(self) -> np.random.Generator:
        return generator(generation_stream(self.seed, self.index, BREEDING))


def enters_hall(index: int) -> bool:
    """Return whether the champion of a generation enters the hall of fame."""
    return index % HALL_EVERY == HALL_EVERY - 1


def hall_generations(index: int, options: Options) -> list[int]:
    """Return the generations of the champions in the hall of fame while generation ``index`` plays."""
    entered = [number for number in range(index) if enters_hall(number)]
    return entered[-options.hall :] if options.hall else []


def n_lines(index: int, options: Options) -> int:
    """Return the number of lines of a generation: its first genomes, which local search improves.

    The first line is the champion of the generation before. The others begin as strong genomes of the first generation,
    in later epochs as strong new genomes.
    """
    if not options.search_rounds or not index:
        return 0
    n = FIRST_LINES if index < EPOCH_LENGTH else LATER_LINES
    return min(n, options.n_clones, n_raced(options.n_strategies, options))


def n_raced(n_genomes: int, options: Options) -> int:
    """Return the number of genomes in the race: a quarter of ``n_genomes``, or half of them without local search."""
    if not options.search_rounds:
        return n_genomes // 2
    return min(max(n_genomes // 4, MIN_CANDIDATES), n_genomes)


def begins_epoch(index: int, options: Options) -> bool:
    """Return whether a generation begins an epoch after the first. New genomes then become lines."""
    return index > 0 and index % EPOCH_LENGTH == 0 and n_lines(index, options) > 1


def unchanged_places(ranked: Genomes, ranking: Order, options: Options, index: int) -> Order:
    """Return the places of the genomes that enter generation ``index`` unchanged, in genomes ``ranked`` best first.

    These are the ``n_elite`` best, then the lines of the epoch. If there are too few lines, the best genomes that
    differ from all of these by at least MIN_DIVERSITY become lines. ``ranking`` has the indices of ``ranked`` in their
    generation.
    """
    unchanged = list(range(options.n_elite))
    wanted = max(options.n_elite, 0 if begins_epoch(index, options) else n_lines(index, options))
    places = np.argsort(ranking)
    for line in range(1, n_lines(index - 1, options)):
        if len(unchanged) < wanted and places[line] not in unchanged:
            unchanged.append(int(places[line]))
    diversity = genetics_of(options.model).diversity
    for place in range(options.n_elite, len(ranked) // 2):
        if len(unchanged) >= wanted:
            break
        if place not in unchanged and all(diversity(ranked[[place, other]]) >= MIN_DIVERSITY for other in unchanged):
            unchanged.append(place)
    return np.array(unchanged, np.intp)


def next_genomes(
    ranked: Genomes, ranking: Order, unchanged: Order, options: Options, rng: np.random.Generator
) -> tuple[Genomes, list[Origin]]:
    """Return the next generation and its origins, bred from genomes ``ranked`` best first.

    It has copies of the genomes at the places ``unchanged``, mutated clones of the best, offspring, and new genomes.
    ``ranking`` has the indices of ``ranked`` in their generation. Origins refer to parents by these indices.
    """
    genetics = genetics_of(options.model)
    n_mutated = max(options.n_clones - len(unchanged), 0)
    sources = np.concatenate([unchanged, options.n_elite + np.arange(n_mutated)]).astype(np.intp)
    clones = ranked[sources]
    genetics.mutate(clones[len(unchanged) :], options, rng)
    pairs = parent_pairs(options.n_offspring, options.n_parents, rng)
    offspring = genetics.cross(ranked[pairs[:, 0]], ranked[pairs[:, 1]], options, rng)
    genetics.mutate(offspring, options, rng)
    n_new = options.n_strategies - len(clones) - len(offspring)
    origins: list[Origin] = [
        *(
            (ELITE if number < len(unchanged) else CLONE, int(ranking[place]), NO_PARENT)
            for number, place in enumerate(sources)
        ),
        *((CHILD, int(ranking[fitter]), int(ranking[other])) for fitter, other in pairs),
        *((NEW, NO_PARENT, NO_PARENT) for _ in range(n_new)),
    ]
    return np.concatenate([clones, offspring, new_genomes(n_new, options, rng)]), origins


def parent_pairs(n_pairs: int, n_parents: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Draw pairs of distinct parents by rank, (n_pairs, 2) with the fitter first.

    All parents are used once before any is used twice. ``n_parents`` is even.
    """
    n_rounds = -(-2 * n_pairs // n_parents)
    rounds = [rng.permutation(n_parents) for _ in range(n_rounds)]
    pairs = np.concatenate([*rounds, np.zeros(0, np.intp)]).astype(np.intp).reshape(-1, 2)[:n_pairs]
    return np.sort(pairs, axis=1)


MIN_CANDIDATES = 4
"""Successive halving ends if fewer candidates would be left for the next round."""


@dataclass(frozen=True, slots=True)
class HalvingResult:
    """The result of successive halving.

    ``order`` has the indices of the candidates from best to worst. ``results`` (n_candidates, n_rivals) are the win
    rates of each candidate against each rival over all its rounds. ``n_games`` counts all games.
    """

    order: Order
    results: npt.NDArray[np.float64]
    n_games: int


def successive_halving(
    candidates: Order,
    rivals: Order,
    n_seats: int,
    games: int,
    seeds: np.random.SeedSequence,
    play: PlayTables,
    weights: npt.NDArray[np.float64] | None = None,
) -> HalvingResult:
    """Rank ``candidates`` against ``rivals`` by successive halving. The first round has ``games`` games against each.

    After each round the better half stays and the number of games doubles. Candidates and rivals are indices of
    strategies in ``play``. A victory shared by k counts 1/k. ``weights`` (n_rivals,) are the weights of the rivals,
    equal by default.
    """
    wins = np.zeros((len(candidates), len(rivals)))
    played = np.zeros(len(candidates))
    remaining = np.arange(len(candidates))
    dropped: list[Order] = []
    n_games = 0
    while True:
        round_seeds = game_seeds(seeds.spawn(1)[0], len(rivals), games)
        shares = shares_against_copies(play, candidates[remaining], rivals, n_seats, round_seeds)
        wins[remaining] += shares.sum(axis=2)
        played[remaining] += games
        n_games += shares.size
        means = np.average(wins[remaining] / played[remaining, None], axis=1, weights=weights)
        remaining = remaining[np.argsort(-means, kind="stable")]
        n_staying = len(remaining) // 2
        if n_staying < MIN_CANDIDATES:
            break
        dropped.append(remaining[n_staying:])
        remaining = remaining[:n_staying]
        games *= 2
    order = np.concatenate([remaining, *reversed(dropped)])
    return HalvingResult(order, wins / played[:, None], n_games)


def evaluate(evolution: Evolution, workers: Workers | None = None) -> Generation:
    """Improve the lines of the current generation, rank it and return it in the form to save.

    Without ``workers`` all games run in one thread.
    """
    options = evolution.options
    search_summary = improve_lines(evolution, workers)
    genomes = evolution.ask()
    seeds = generation_stream(evolution.seed, evolution.index, RANKING)
    ranking, summary = rank_genomes(genomes, evolution.hall, options, seeds, workers, n_lines(evolution.index, options))
    summary |= {"diversity": genetics_of(options.model).diversity(genomes), ORIGINS: evolution.origins}
    return Generation(evolution.index, genomes, ranking, summary | search_summary)


def place_new_lines(evolution: Evolution, workers: Workers | None) -> int:
    """Choose new genomes by successive halving against the rivals, swap them with the lines, and return the games.

    The first line, the champion, keeps its place.
    """
    options, genomes = evolution.options, evolution.ask()
    n = n_lines(evolution.index, options)
    new = np.array([number for number, (kind, *_) in enumerate(evolution.origins) if kind == NEW and number >= n])
    strategies, rivals = strategies_of(genomes, options), rival_strategies(evolution.hall, options)
    if not len(new) or not len(rivals):
        return 0
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, Lineup.of(strategies, rivals))
    rival_indices = np.arange(len(strategies), len(strategies) + len(rivals))
    # A grandchild of the generation's stream, independent of the children that `improve_lines` uses.
    stream = generation_stream(evolution.seed, evolution.index, SEARCHING).spawn(1)[0].spawn(1)[0]
    halving = successive_halving(new, rival_indices, options.players, NEW_LINE_GAMES, stream, play)
    for line, number in enumerate(new[halving.order][: n - 1], 1):
        evolution.swap(line, int(number))
    return halving.n_games


def improve_lines(evolution: Evolution, workers: Workers | None) -> dict[str, Any]:
    """Improve the lines of the current generation by local search and return SEARCH_FIGURES, {} without lines.

    The opponents of a line are the named rivals, the hall of fame and the other lines. An epoch begins with new lines.
    Lines are pruned in generations whose champion enters the hall of fame.
    """
    options, n = evolution.options, n_lines(evolution.index, evolution.options)
    if not n:
        return {}
    games = place_new_lines(evolution, workers) if begins_epoch(evolution.index, options) else 0
    venue = Venue(options.kingdom, options.players, workers=workers)
    stream = generation_stream(evolution.seed, evolution.index, SEARCHING)
    lines = evolution.ask()[:n].copy()
    rivals = rival_strategies(evolution.hall, options)
    all_opponents = weighted_opponents(
        lines[:1], Lineup.of(rivals, strategies_of(lines, options)), options, workers, stream.spawn(1)[0]
    )
    games += len(all_opponents.strategies) * whole_rounds(WEIGHING_GAMES, options.players)
    rounds = accepted = 0
    gain = 0.0
    for line in range(n):
        opponents = all_opponents.without(len(rivals) + line)
        if not len(opponents.strategies):
            continue
        for _ in range(options.search_rounds):
            genome = evolution.ask()[line : line + 1]
            found = search_round(genome, opponents, options, venue, stream.spawn(1)[0])
            games, rounds = games + found.n_games, rounds + 1
            if found.accepted:
                evolution.improve(line, found.genome)
                accepted, gain = accepted + 1, gain + found.gain
        if enters_hall(evolution.index):
            pruned, n_games = prune(evolution.ask()[line : line + 1], opponents, options, venue, stream.spawn(1)[0])
            evolution.improve(line, pruned)
            games += n_games
    return dict(zip(SEARCH_FIGURES, (games, rounds, accepted, gain), strict=True))


def weighted_opponents(
    champion: Genomes, opponents: Lineup, options: Options, workers: Workers | None, stream: np.random.SeedSequence
) -> Opponents:
    """Return opponents, each weighted by a champion's losses against it. ``champion`` is an array of one genome.

    One further loss keeps all weights above 0.
    """
    players = Lineup.of(strategies_of(champion, options), opponents)
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(opponents), whole_rounds(WEIGHING_GAMES, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    losses = 1.0 - shares.mean(axis=2)[0] + 1.0 / WEIGHING_GAMES
    return Opponents(opponents, losses / losses.sum())


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
    2. In the race, successive halving against the rivals ranks the first `n_raced` again. The
       first ``n_protected`` genomes, the lines, always take part. With lines, rivals that beat the champion count more.
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
        halving = successive_halving(
            candidates, rival_indices, options.players, options.race, seeds.spawn(1)[0], play, weights
        )
        ranking = np.concatenate([candidates[halving.order], others])
        win_rates = dict(zip(candidates.tolist(), halving.results, strict=True))
        summary = {"race_games": halving.n_games}
    ranking = penalise(ranking, strategies, options.vp_penalty)
    champion = int(ranking[0])
    summary |= _race_summary(win_rates.get(champion), options.rivals or ())
    return ranking.astype(np.int32), _summary(games, champion) | summary


def rival_strategies(hall: Genomes, options: Options) -> Lineup:
    """Return the rivals of a generation: the named rivals, then the hall of fame."""
    named = named_rivals(options.rivals or (), options.guests, options.kingdom)
    return Lineup.of(named, strategies_of(hall, options))


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


def games_of(generation: Generation) -> int:
    """Return the number of games of a generation: tournament, successive halving, local search and islands."""
    return sum(int(generation.summary.get(name, 0)) for name in ("games", "race_games", SEARCH_GAMES, "island_games"))


def champion_of(generation: Generation) -> Genomes:
    """Return the genome of a generation's champion, as an array of one."""
    return generation.genomes[generation.ranking[:1]]


DECIMALS = 6
"""Decimals of weights in comparisons: genomes that differ only in weights of EPSILON play alike."""


def distinct_first(strategies: Strategies) -> npt.NDArray[np.intp]:
    """Return the indices of strategies of one model: distinct strategies first, then copies of earlier strategies."""
    n = len(strategies)
    columns = [np.round(strategies[name], DECIMALS) for name in model_of(strategies[0]).identity_columns]
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
