"""Emit genomes that imitate the gains of strong strategies, the *teachers*.

The teachers are the shipped network (`networks.shipped`), if it can be used in the kingdom, and the strongest
training baselines. Matches select among the imitations: agreement with a teacher is a poor measure of strength.
"""

from functools import cache

import numpy as np

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import TRAINING_OPPONENTS, baseline
from evodom.dominion.strategies.models.networks.model import network_record
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.dominion.strategies.record import Strategy
from evodom.evolution.emitters.base import Emitted, Parents
from evodom.evolution.options import Options
from evodom.matches.gains import GainStatistics, gain_statistics, imitations
from evodom.matches.seating import game_seeds
from evodom.matches.tournament import strongest_baselines
from evodom.matches.venue import Venue

N_BASELINES = 3
"""Number of training baselines that are imitated."""

NETWORK_SHARE = 0.5
"""Share of the imitations whose teacher is the network, if the network can be used."""

TEACHER_GAMES = 200
"""Games of each teacher against copies of itself."""

TEACHERS_SEED = 0


def emit(parents: Parents | None, n: int, options: Options, rng: np.random.Generator) -> Emitted:
    """Return genomes that imitate the teachers. Each teacher has its share of the genomes."""
    teachers = teacher_gains(options.kingdom, options.players)
    ends = np.rint(np.cumsum([share for share, _ in teachers]) * n).astype(int)
    plans = [
        plan
        for (_, stats), size in zip(teachers, np.diff(ends, prepend=0).tolist(), strict=True)
        for plan in imitations(stats, size, options.kingdom, rng)
    ]
    return Emitted.new(options.genetics.from_plans(plans, options, rng))


@cache
def teacher_gains(kingdom: Kingdom, players: int) -> tuple[tuple[float, GainStatistics], ...]:
    """Return for each teacher its share of the imitations, and statistics of its gains.

    The gains are those of games against copies of itself, always with the same seed.
    """
    venue, seeds = Venue(kingdom, players), game_seeds(np.random.SeedSequence(TEACHERS_SEED), TEACHER_GAMES)
    return tuple(
        (share, gain_statistics(venue, teacher, seeds)) for share, teacher in weighted_teachers(kingdom, players)
    )


def weighted_teachers(kingdom: Kingdom, players: int) -> list[tuple[float, Strategy]]:
    """Return the network and the baselines, each with its share of the imitations. The shares sum to 1."""
    names = strongest_baselines(kingdom, players, N_BASELINES, among=TRAINING_OPPONENTS)
    weights = usable_weights(kingdom)
    network_share = 0.0 if weights is None else NETWORK_SHARE
    networks = [] if weights is None else [(network_share, network_record(weights, kingdom))]
    return networks + [((1.0 - network_share) / len(names), baseline(name, kingdom)) for name in names]
