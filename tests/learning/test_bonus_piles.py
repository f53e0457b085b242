"""Which cards are tried, and how many games fit into a time."""

import numpy as np
import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.learning import training as pace
from evodom.learning.rollouts import NO_PILE, TRASHER_WEIGHT, draw_bonus_piles
from tests.learning.small import KINGDOM


def test_kingdom_cards_are_tried_by_a_share_of_the_seats_and_trashers_more_often():
    bonus_piles = draw_bonus_piles(KINGDOM, (10_000, 2), 0.4, np.random.default_rng(1))

    tried = bonus_piles[bonus_piles != NO_PILE]
    assert (bonus_piles != NO_PILE).mean() == pytest.approx(0.4, abs=0.02)
    assert set(tried.tolist()) == {KINGDOM.pile(card) for card in KINGDOM.cards}
    n = {card: (tried == KINGDOM.pile(card)).sum() for card in ("Chapel", "Smithy")}
    assert n["Chapel"] / n["Smithy"] == pytest.approx(1.0 + TRASHER_WEIGHT, rel=0.2)

    assert (draw_bonus_piles(Kingdom(()), (5, 2), 1.0, np.random.default_rng(1)) == NO_PILE).all()


def test_twice_the_time_has_about_twice_the_games(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(pace.time, "perf_counter", lambda: next(clock))

    # By this clock, 24 games and learning from them take a second.
    assert pace.estimate_n_games(10_000.0, KINGDOM, 2, None, 24) == 204_000
    assert pace.estimate_n_games(0.1, KINGDOM, 2, None, 24) == pace.MIN_GAMES
