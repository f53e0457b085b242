"""The gains of a strategy in games against copies of itself."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.matches.gains import gain_statistics
from evodom.matches.seating import game_seeds
from evodom.matches.venue import Venue

pile, SEEDS = FIRST_GAME.pile, game_seeds(np.random.SeedSequence(1), 40)


def test_gains_are_those_of_the_games_with_the_same_seeds():
    kingdom = parse_kingdom("Smithy,Wishing Well", seed=1)
    strategy = buy_list_strategy(BuyList(("Province", "Gold", "Wishing Well if turn_number > 3", "Silver")), kingdom)
    venue, pile = Venue(kingdom, 3), kingdom.pile
    found = gain_statistics(venue, strategy, SEEDS)

    results = venue.play([strategy], np.zeros((len(SEEDS), 3), np.int32), SEEDS)
    owned = results["owned"][:, :3].mean(axis=(0, 1))
    for name in ("Gold", "Silver", "Wishing Well"):
        assert found.per_game[pile(name)] == pytest.approx(owned[pile(name)])
    assert found.opening[pile("Silver")] > 0.5 > found.opening[pile("Province")] == 0.0


def test_a_gain_is_preferred_to_the_piles_that_could_be_gained():
    silver = gain_statistics(Venue(FIRST_GAME, 2), buy_list_strategy(BuyList(("Silver",)), FIRST_GAME), SEEDS)

    n_gains = silver.per_game[pile("Silver")] * 2 * len(SEEDS)
    assert silver.prefers[pile("Silver"), pile("Copper")] == pytest.approx(n_gains)
    assert 0 < silver.prefers[pile("Silver"), pile("Province")] < n_gains
    assert silver.prefers[pile("Copper")].sum() == 0


def test_the_gains_to_the_end_are_fewer_for_late_cards():
    found = gain_statistics(Venue(FIRST_GAME, 2), baseline("big-money", FIRST_GAME), SEEDS)

    assert found.gains_to_end[pile("Duchy")] < found.gains_to_end[pile("Gold")] <= 8
