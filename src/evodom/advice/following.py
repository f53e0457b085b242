"""A list that people can follow: the best against a learned player, and against lists that teach, of a short evolution.

It begins with lists that buy what the learned player bought, and with those that evolution had found. A learned player
may beat every list so often that all seem equally bad: then the lists that teach tell them apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evodom.advice.imitation import like
from evodom.dominion.strategies.baselines import TEACHERS, baseline_records
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.buy_lists.genetics import GENOME
from evodom.dominion.strategies.model import Genomes, Strategies, Strategy
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.dominion.strategies.registry import genetics_of
from evodom.evolution.reading import generation_of
from evodom.learning.habits import own_games, purchases
from evodom.matches.copies import shares_in_time
from evodom.matches.seating import whole_rounds
from evodom.matches.streams import Figure, game_seeds, generator
from evodom.matches.strongest import strongest_baselines
from evodom.matches.venue import Venue
from evodom.store import Run

MODEL = "buy-list"

N_TEACHERS = 2
"""So many lists that teach are met beside the learned player."""

LEAST = 8
"""Games of each list against each rival that are played at a time where time is limited."""

LAST_SHARE = 0.15
"""The share of a limited time for the last comparison."""

N_KNOWN = 8
"""So many of the best evolved lists are tried too."""


@dataclass(frozen=True)
class Effort:
    """How long is searched: lists in a generation, generations, games of each list, and of each of the last."""

    n_lists: int = 48
    n_generations: int = 10
    games: int = 96
    n_last: int = 4
    last_games: int = 1000


def buy_list_genomes(runs: Sequence[Run], n_generations: int) -> Genomes:
    """Return the best genomes of the runs of buy lists at a generation, counted from 1; none without such a run."""
    found = [np.zeros(0, GENOME)]
    for run in runs:
        generation = generation_of(run, n_generations - 1)
        if generation.genomes.dtype == GENOME:
            found.append(generation.genomes[generation.ranking[:N_KNOWN]])
    return np.concatenate(found)


def list_against(venue: Venue, learned: Strategy, known: Genomes, effort: Effort = Effort()) -> Strategy:
    """Return the buy list that wins most against copies of a learned player and of the strongest lists that teach.

    The player counts as much as those lists together. ``known`` are genomes of buy lists to begin with, best first,
    besides those that buy like the learned player.
    """
    teachers = strongest_baselines(venue.kingdom, venue.n_seats, N_TEACHERS, among=TEACHERS)
    rivals = np.concatenate([np.array([learned], STRATEGY), baseline_records(teachers, venue.kingdom)])
    breeding = Breeding(model=MODEL, kingdom=venue.kingdom)
    genetics = genetics_of(MODEL)
    rng = generator(venue.stream(Figure.LIST, 1))
    watched = own_games(venue, learned, venue.stream(Figure.LIST, 2))
    alike = like(purchases(watched, venue.n_seats), venue.kingdom, effort.n_lists - len(known), rng)
    genomes = np.concatenate([alike, known])
    generations = venue.part(1.0 - LAST_SHARE)
    for number, part in enumerate(generations.divided([1.0] * effort.n_generations)):
        if part.budget.is_over:
            break
        shares = _shares(part, rivals, genomes, breeding, effort.games, number)
        best = genomes[np.argsort(-shares, kind="stable")[: effort.n_lists // 4]]
        one, other = best[np.sort(rng.integers(len(best), size=(2, effort.n_lists - len(best))), axis=0)]
        children = genetics.mutate(genetics.cross(one, other, breeding, rng), breeding, rng)
        genomes = np.concatenate([best, children])
    last = genomes[: effort.n_last]
    shares = _shares(venue, rivals, last, breeding, effort.last_games, effort.n_generations)
    return strategies_of(last, breeding)[int(shares.argmax())]


def _shares(
    venue: Venue, rivals: Strategies, genomes: Genomes, breeding: Breeding, games: int, number: int
) -> npt.NDArray[np.float64]:
    """Return how well each list does against copies of the rivals, all with the same luck: the first counts half."""
    players = np.concatenate([rivals, strategies_of(genomes, breeding)])
    places = np.arange(len(players))
    n_games = whole_rounds(games, venue.n_seats)
    luck = game_seeds(venue.stream(Figure.LIST, 3, number), len(rivals), n_games)
    shares = shares_in_time(
        venue, players, (places[len(rivals) :], places[: len(rivals)]), luck, whole_rounds(LEAST, venue.n_seats)
    )
    learned, *others = shares.mean(axis=2).T
    return np.asarray(np.mean([learned, np.mean(others, axis=0)], axis=0) if others else learned)
