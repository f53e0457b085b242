"""Mistakes of a strategy against a network: found with few playouts, and measured with new ones."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.matches import Use, Venue, Workers
from evodom.matches.mistakes import MAX_MISTAKES, costliest_mistakes
from tests.networks import network

NETWORK = network_strategy(network(FIRST_GAME), FIRST_GAME)
VENUE = Venue(FIRST_GAME, 2, 3, Use.REPORT)
RANDOM = baseline("random", FIRST_GAME)


def test_a_blunder_is_the_costliest_mistake_with_its_cards_and_a_better_choice():
    blunder = buy_list_strategy(BuyList(("Curse if turn_number < 3", "Province", "Gold", "Silver")), FIRST_GAME)

    first, *others = found = costliest_mistakes(VENUE, blunder, NETWORK, 2)

    assert (first.title, first.choice, first.turn in ("1", "2")) == ("Buy", "Curse", True)
    assert first.lost.value > 0.1
    assert (first.in_play, first.hand) == ({"Copper": first.coins}, {"Estate": 5 - first.coins})
    for mistake in found:
        assert mistake.choice != mistake.best
        assert mistake.best_share - mistake.share == pytest.approx(mistake.lost.value, abs=1e-6)
        assert 0 < mistake.lost.low < mistake.lost.value < mistake.lost.high
    assert "Province" not in (one.choice for one in others)


def test_equal_seeds_give_equal_mistakes_for_any_number_of_jobs():
    one = costliest_mistakes(VENUE, RANDOM, NETWORK, 2)
    with ThreadPoolExecutor(3) as executor:
        assert costliest_mistakes(replace(VENUE, workers=Workers(executor, 3)), RANDOM, NETWORK, 2) == one

    assert costliest_mistakes(replace(VENUE, seed=4), RANDOM, NETWORK, 2) != one
    assert len({(mistake.choice, mistake.best) for mistake in one}) == len(one) == MAX_MISTAKES


def test_new_playouts_measure_losses_and_drop_those_within_their_errors(monkeypatch):
    losses = iter([0.03, 0.015, 0.2])
    monkeypatch.setattr(
        "evodom.matches.mistakes.measured_again",
        lambda search, verdict, *given: replace(verdict, lost=next(losses), error=0.01),
    )

    assert [mistake.lost.value for mistake in costliest_mistakes(VENUE, RANDOM, NETWORK, 2)] == [0.2, 0.03]
