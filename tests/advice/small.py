"""Advice that takes a few seconds: what no option makes less, but what learns is still what is best."""

from functools import partial

import pytest

from evodom.advice.plan import PlanEffort, find_plan
from evodom.evolution.local_search import SearchStage
from evodom.learning.habits import self_play_games
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainEffort
from tests.saved import search_little

SMALL_EFFORT = PlanEffort(
    n_inductions=2,
    n_steps=100,
    stages=((2, 1), (1, 1)),
    round_stages=(SearchStage(6, 16), SearchStage(2, 40)),
    prune_games=40,
)

TRAIN_EFFORT = TrainEffort(games_per_iteration=256, ranking_games=40, n_imitation=10, n_lists=96)

SMALL = {
    "advice.ablation.N_SEARCHES": 1,
    "advice.exploit.MAX_ATTACKS": 1,
    "advice.finding.DECK_GAMES": 100,
    "advice.finding.find_plan": partial(find_plan, effort=SMALL_EFFORT),
    "advice.finding.self_play_games": partial(self_play_games, n_games=40),
    "advice.plan.self_play_games": partial(self_play_games, n_games=40),
    "evolution.options.SEARCH_ROUNDS": 0,
    "matches.tournament.TRIES": 2,
}


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Do no more than SMALL says."""
    for place, value in SMALL.items():
        patch.setattr(f"evodom.{place}", value)
    patch.setattr(LEARNING, "effort", TRAIN_EFFORT)
    search_little(patch)
