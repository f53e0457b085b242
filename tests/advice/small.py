"""Advice that takes a few seconds: what no option makes less, but what learns is still what is best."""

from functools import partial

import pytest

from evodom.advice.buy_list import ListEffort, list_against
from evodom.learning.habits import self_play_games
from tests.saved import search_little

SMALL = {
    "advice.ablation.N_SEARCHES": 1,
    "advice.finding.DECK_GAMES": 100,
    "advice.finding.list_against": partial(list_against, effort=ListEffort(12, 2, 16, 2, 100)),
    "advice.finding.self_play_games": partial(self_play_games, n_games=40),
    "advice.buy_list.self_play_games": partial(self_play_games, n_games=40),
    "matches.tournament.TRIES": 2,
    "learning.training.RESPONSE_GAMES_PER_ITERATION": 24,
    "learning.league.N_CANDIDATES": 96,
    "learning.training.GAMES_PER_ITERATION": 256,
    "learning.training.RANKING_GAMES": 40,
    "learning.training.N_IMITATION": 10,
}


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Do no more than SMALL says."""
    for place, value in SMALL.items():
        patch.setattr(f"evodom.{place}", value)
    search_little(patch)
