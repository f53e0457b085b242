"""Judge the champion of each generation by baselines that are never opponents."""

from typing import Any

from evodom.dominion.strategies.base import Genomes
from evodom.dominion.strategies.baselines import HELD_OUT_OPPONENTS, baseline_records
from evodom.dominion.strategies.lineup import Lineup
from evodom.evolution.options import Options
from evodom.evolution.rivals import champion_shares
from evodom.matches.seating import JUDGING, generation_stream
from evodom.matches.tournament import strongest_baselines
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
    judges = Lineup(baseline_records(names, options.kingdom))
    shares = champion_shares(champion, judges, JUDGE_GAMES, options, workers, stream)
    return {HELD_OUT_WINS: float(shares.mean())}
