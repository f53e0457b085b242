"""Teachers: good lists, and one for each card."""

import numpy as np

from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.registry import model_of
from evodom.learning.league import N_BEST_LISTS, teachers
from evodom.matches.results import Tally, win_share
from evodom.matches.seating import Use
from evodom.matches.venue import Venue
from tests.learning.small import KINGDOM


def test_teachers_are_lists_the_best_first_and_each_card_is_bought_by_one():
    venue = Venue(KINGDOM, 2, 1, Use.LEARNING)

    lists = teachers(venue, np.random.SeedSequence(5), 96)

    assert {model_of(each).name for each in lists} == {"buy-list"}
    assert N_BEST_LISTS <= len(lists) <= N_BEST_LISTS + len(KINGDOM.cards)
    for card in KINGDOM.cards:
        assert (lists["buy_lists"]["rules"][..., 0] == KINGDOM.pile(card)).any()
    assert (teachers(venue, np.random.SeedSequence(5), 96) == lists).all()
    games = Tally.of(venue.against(lists[0], [baseline("random", KINGDOM)], 100, venue.stream(0))).games
    assert win_share(games, 0).share > 0.9
