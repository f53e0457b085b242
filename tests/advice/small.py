"""Advice in a few seconds: small numbers of games and attempts, with which the learned strategy still is the best."""

import pytest

from evodom.advice import search
from evodom.advice.effort import AdviceEffort
from evodom.advice.plan import PlanEffort
from evodom.evolution.local_search import SearchStage
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainEffort
from tests.saved import search_little

SMALL_PLAN = PlanEffort(
    n_inductions=2,
    n_steps=100,
    stages=((2, 1), (1, 1)),
    round_stages=(SearchStage(6, 16), SearchStage(2, 40)),
    prune_games=40,
    self_play_games=40,
)

SMALL = AdviceEffort(
    SMALL_PLAN,
    max_attacks=1,
    n_searches=1,
    response_iteration=(24, 6),
    deck_games=100,
    habit_games=40,
    opening_tries=2,
)

SMALL_TRAINING = TrainEffort(
    games_per_iteration=256, min_games_per_iteration=6, ranking_games=40, n_imitation=10, n_lists=96
)


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Let commands, which have no option for it, use the small effort."""
    patch.setattr(search, "EFFORT", SMALL)
    patch.setattr(LEARNING, "effort", SMALL_TRAINING)
    search_little(patch)
