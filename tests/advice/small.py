"""Advice in a few seconds: small numbers of games and attempts, with which the learned strategy still is the best."""

import pytest

from evodom.advice import plan, search
from evodom.advice.stages import STAGES, PlanEffort
from evodom.learning.run import LEARNING
from evodom.learning.training import TrainEffort
from tests.saved import SHORT_ROUND, quick_runs

SMALL_PLAN = PlanEffort(
    n_inductions=1,
    n_steps=50,
    n_decks=6,
    n_searched=1,
    rounds=((1, 1),),
    round_stages=SHORT_ROUND,
    prune_games=20,
    self_play_games=20,
)

SMALL = STAGES._replace(
    tournament=STAGES.tournament._replace(n=2),
    best_response=STAGES.best_response._replace(training=4000, n=1),
    decks=STAGES.decks._replace(fixed=40),
    plan_opponents=STAGES.plan_opponents._replace(fixed=16),
    other_lists=STAGES.other_lists._replace(fixed=40, n=1),
    refinement=STAGES.refinement._replace(n=1),
    plan_deck=STAGES.plan_deck._replace(fixed=40),
    openings=STAGES.openings._replace(n=1),
    mistakes=STAGES.mistakes._replace(fixed=1),
    habits=STAGES.habits._replace(fixed=20),
    speed=STAGES.speed._replace(fixed=400),
    cards=STAGES.cards._replace(training=400, n=1),
    plan_effort=SMALL_PLAN,
    response_iteration=(48, 6),
)

SMALL_TRAINING = TrainEffort(
    n_checkpoints=4,
    games_per_iteration=128,
    min_games_per_iteration=6,
    ranking_games=16,
    n_imitation=4,
    n_lists=24,
)


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Let commands, which have no option for it, use the small effort."""
    patch.setattr(search, "STAGES", SMALL)
    patch.setattr(plan, "SHORT_ROUND", SHORT_ROUND)
    patch.setattr(plan, "SELECTION", ((16, 4), (32, 4)))
    quick_runs(patch)
    patch.setattr(LEARNING, "effort", SMALL_TRAINING)
