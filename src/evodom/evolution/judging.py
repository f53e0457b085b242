"""Judge the champion of each generation by baselines that are never opponents."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.options import Options
from evodom.matches.seating import JUDGING, game_seeds, generation_stream, whole_rounds
from evodom.matches.tournament import shares_against_copies, strongest_baselines
from evodom.matches.venue import Venue
from evodom.tasks import Workers

N_JUDGES = 2
"""Number of baselines: the strongest held-out ones of the kingdom."""

JUDGE_GAMES = 48
"""Games against copies of each, in each generation. A win rate over ten generations has an interval of 3 points."""

HELD_OUT_WINS = "held_out_wins"
"""Entry of a summary with the champion's win rate against the held-out baselines."""


def judged(champion: Genomes, options: Options, seed: int, index: int, workers: Workers | None) -> dict[str, Any]:
    """Return the win rate of a generation's champion, an array of one genome. Without a fitting baseline return {}."""
    fitting = strongest_baselines(options.kingdom, options.players, 99, among=HELD_OUT_OPPONENTS)
    names = [name for name in fitting if name not in (options.rivals or ())][:N_JUDGES]
    if not names:
        return {}
    stream = generation_stream(seed, index, JUDGING)
    return {HELD_OUT_WINS: float(_wins(champion, names, options, JUDGE_GAMES, stream, workers).mean())}


def _wins(
    champion: Genomes,
    names: Sequence[str],
    options: Options,
    games: int,
    stream: np.random.SeedSequence,
    workers: Workers | None,
) -> npt.NDArray[np.float64]:
    """Return the shares of the wins against copies of each baseline, (n_names, n_games)."""
    players = Lineup.of(strategies_of(champion, options), baseline_records(names, options.kingdom))
    play = partial(Venue(options.kingdom, options.players, workers=workers).play, players)
    seeds = game_seeds(stream, len(names), whole_rounds(games, options.players))
    shares = shares_against_copies(play, np.zeros(1, int), np.arange(1, len(players)), options.players, seeds)
    return np.asarray(shares[0])
