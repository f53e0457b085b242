"""What a learned strategy does in its own games, and what a short search from it finds."""

from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.engine.observation import COINS, LEAD, OWN_TURN, OWNED, TURN
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks.layers import GAIN, PASS_OUTPUT, PLAY
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.learning.habits import MAX_COINS, Swing, habits, self_play_games
from evodom.learning.training import train_best_response
from evodom.matches.venue import Venue
from tests.dominion.strategies.models.networks.helpers import wanting
from tests.learning.reference import random_weights
from tests.learning.small import KINGDOM

SILVER = KINGDOM.pile("Silver")
VENUE = Venue(KINGDOM, 2)


@pytest.fixture(scope="module")
def games():
    """Return games of a network that gains nothing but Silver where it can, and anything else where it cannot."""
    return self_play_games(VENUE, wanting(GAIN, SILVER, KINGDOM), np.random.SeedSequence(1), 40)


def test_buys_are_told_by_stage_and_coins(games):
    found = habits(games, KINGDOM, 2)

    assert found.buys["turns 1-4"][3]["Silver"] > 0.99
    assert "Silver" not in found.buys["turns 1-4"].get(2, {})
    assert found.deck["Silver"] == max(found.deck.values())
    for stage in found.buys.values():
        for shares in stage.values():
            assert sum(shares.values()) == pytest.approx(1.0)


def test_what_is_bought_less_when_behind_at_the_same_coins_and_stage_is_told(games):
    """Of 100 gains each with $8 from turn 13 on: all Provinces when ahead, 30 of them when behind; Silver else."""
    province = KINGDOM.pile("Province")
    decisions = np.zeros(200, games.decisions.dtype)
    decisions["kind"], decisions["action"] = GAIN, province
    decisions["features"][:, OWN_TURN], decisions["features"][:, TURN], decisions["features"][:, COINS] = 1, 14, 8
    decisions["features"][:100, LEAD], decisions["features"][100:, LEAD] = 6, -6
    decisions["action"][130:] = SILVER

    found = habits(replace(games, buffer=decisions, indices=np.arange(len(decisions))), KINGDOM, 2).swings

    assert found == (Swing("turn 13 on", 8, "Province", 1.0, 0.3), Swing("turn 13 on", 8, "Silver", 0.0, 0.7))


def test_the_first_turn_of_each_victory_card_is_told_with_those_of_the_kingdom(games):
    kingdom = Kingdom((*(card for card in KINGDOM.cards if card != "Moat"), "Gardens"))
    decisions = np.zeros(4, games.decisions.dtype)
    decisions["kind"], decisions["features"][:, OWN_TURN] = GAIN, 1
    decisions["action"] = [kingdom.pile(name) for name in ("Gardens", "Gardens", "Gardens", "Province")]
    decisions["features"][:, TURN] = [6, 8, 15, 11]
    decisions["features"][2, OWNED + kingdom.pile("Gardens")] = 1  # not the first

    found = habits(replace(games, buffer=decisions, indices=np.arange(len(decisions))), kingdom, 2).greens_from

    assert found == {"Gardens": 7.0, "Province": 11.0}


def test_large_numbers_of_coins_are_told_together(games):
    decisions = games.decisions[games.decisions["kind"] == GAIN][:40].copy()
    decisions["features"][:, OWN_TURN], decisions["features"][:, TURN] = 1, 14
    decisions["features"][:, COINS] = np.arange(9, 49)

    assert list(
        habits(replace(games, buffer=decisions, indices=np.arange(len(decisions))), KINGDOM, 2).buys["turn 13 on"]
    ) == [MAX_COINS]


def test_actions_are_told_in_the_order_in_which_they_are_played(games):
    village, smithy = (KINGDOM.pile(name) for name in ("Village", "Smithy"))
    decisions = np.zeros(60, games.decisions.dtype)
    decisions["kind"], decisions["action"] = PLAY, village
    decisions["legal"] = 1 << village | 1 << smithy | 1 << PASS_OUTPUT
    decisions["action"][50:] = smithy

    assert habits(replace(games, buffer=decisions, indices=np.arange(len(decisions))), KINGDOM, 2).plays_first == (
        "Village",
        "Smithy",
    )


def test_equal_sequences_give_equal_games(games):
    again = self_play_games(VENUE, wanting(GAIN, SILVER, KINGDOM), np.random.SeedSequence(1), 40)

    assert (again.decisions == games.decisions).all()


def test_a_reply_is_another_network_and_the_start_stays():
    start = network_strategy(random_weights(np.random.default_rng(1)), KINGDOM)
    before = weights_of(start)

    replies = [
        train_best_response(VENUE, start, [wanting(GAIN, SILVER, KINGDOM)], 32, np.random.SeedSequence(2), (16, 16))
        for _ in range(2)
    ]

    assert replies[0] == replies[1] != start
    assert (weights_of(start) == before).all()


def test_who_looks_on_can_stop_a_reply_in_the_middle():
    start = network_strategy(random_weights(np.random.default_rng(1)), KINGDOM)
    played = []

    def on_games(n):
        played.append(n)
        if len(played) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_best_response(replace(VENUE, on_games=on_games), start, [start], 160, np.random.SeedSequence(2), (16, 16))
    assert len(played) == 2
