"""Advice in a few seconds: small numbers of games and attempts, with which the learned strategy still is the best."""

import pytest

from evodom.advice import search
from evodom.advice.stages import STAGES, PlanEffort
from evodom.evolution.halving import HalvingStage
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainEffort

SMALL_PLAN = PlanEffort(
    n_inductions=2,
    n_steps=100,
    n_decks=20,
    n_searched=1,
    rounds=((2, 1), (1, 1)),
    round_stages=(HalvingStage(6, 16), HalvingStage(2, 40)),
    prune_games=40,
    self_play_games=40,
)

SMALL = STAGES._replace(
    best_response=STAGES.best_response._replace(n=1),
    decks=STAGES.decks._replace(fixed=100),
    plan_deck=STAGES.plan_deck._replace(fixed=100),
    openings=STAGES.openings._replace(n=2),
    habits=STAGES.habits._replace(fixed=40),
    cards=STAGES.cards._replace(n=1),
    plan_effort=SMALL_PLAN,
    response_iteration=(24, 6),
)

SMALL_TRAINING = TrainEffort(
    games_per_iteration=256, min_games_per_iteration=6, ranking_games=40, n_imitation=10, n_lists=96
)


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Let commands, which have no option for it, use the small effort."""
    patch.setattr(search, "STAGES", SMALL)
    patch.setattr(LEARNING, "effort", SMALL_TRAINING)
