"""Advice that takes a few seconds: what no option makes less, but what learns is still what is best."""

from functools import partial

import pytest

from evodom.advice.buy_list import ListEffort, list_against
from evodom.learning.habits import self_play_games

SELECTION_DIVISOR = {
    "advice.ablation.N_SEARCHES": 1,
    "advice.finding.DECK_GAMES": 100,
    "advice.finding.list_against": partial(list_against, effort=ListEffort(12, 2, 16, 2, 100)),
    "advice.finding.own_games": partial(self_play_games, n_games=40),
    "advice.buy_list.own_games": partial(self_play_games, n_games=40),
    "matches.tournament.TRIES": 2,
    "learning.training.REPLY_GAMES_PER_ITERATION": 24,
    "learning.league.N_DRAWN": 96,
    "learning.training.GAMES_PER_ITERATION": 256,
    "learning.training.JUDGING_GAMES": 40,
    "learning.training.N_IMITATION": 10,
}


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Do no more than SELECTION_DIVISOR says."""
    for place, value in SELECTION_DIVISOR.items():
        patch.setattr(f"evodom.{place}", value)
