"""What a learned strategy does in its own games, and what a short search from it finds."""

from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.strategies.networks.layout import GAIN
from evodom.dominion.strategies.networks.memory import weights_at
from evodom.dominion.strategies.networks.records import network_record
from evodom.learning.habits import habits, own_games, purchases
from evodom.learning.reply import learned_reply
from evodom.matches.venue import Venue
from tests.dominion.strategies.networks.helpers import wanting
from tests.learning.reference import random_weights
from tests.learning.small import KINGDOM

SILVER = KINGDOM.pile("Silver")
VENUE = Venue(KINGDOM, 2)


@pytest.fixture(scope="module")
def games():
    """Return games of a network that gains nothing but Silver where it can, and anything else where it cannot."""
    return own_games(VENUE, wanting(GAIN, SILVER, KINGDOM), np.random.SeedSequence(1), 40)


def test_buys_are_told_by_stage_and_coins(games):
    found = habits(games, KINGDOM, 2)

    assert found.buys["turns 1-4"][3]["Silver"] > 0.99
    assert "Silver" not in found.buys["turns 1-4"].get(2, {})
    assert found.deck["Silver"] == max(found.deck.values())
    for stage in found.buys.values():
        for shares in stage.values():
            assert sum(shares.values()) == pytest.approx(1.0)


def test_purchases_count_what_was_gained_and_what_it_was_preferred_to(games):
    found = purchases(games, 2)

    gains = games.decisions[games.decisions["kind"] == GAIN]
    assert found.per_game[SILVER] == (gains["chosen"] == SILVER).sum() / (2 * len(games.tables))
    assert found.prefers[SILVER, KINGDOM.pile("Copper")] == (gains["chosen"] == SILVER).sum()


def test_the_same_sequence_gives_the_same_games(games):
    again = own_games(VENUE, wanting(GAIN, SILVER, KINGDOM), np.random.SeedSequence(1), 40)

    assert (again.decisions == games.decisions).all()


def test_a_reply_is_another_network_and_the_start_stays(monkeypatch):
    monkeypatch.setattr("evodom.learning.reply.GAMES", 16)
    start = network_record(random_weights(np.random.default_rng(1)), KINGDOM)
    before = weights_at(int(start.network)).copy()

    replies = [
        learned_reply(VENUE, start, [wanting(GAIN, SILVER, KINGDOM)], 32, np.random.SeedSequence(2)) for _ in range(2)
    ]

    assert replies[0] == replies[1] != start
    assert (weights_at(int(start.network)) == before).all()


def test_who_looks_on_can_stop_a_reply_in_the_middle(monkeypatch):
    monkeypatch.setattr("evodom.learning.reply.GAMES", 16)
    start = network_record(random_weights(np.random.default_rng(1)), KINGDOM)
    played = []

    def on_games(n):
        played.append(n)
        if len(played) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learned_reply(replace(VENUE, on_games=on_games), start, [start], 160, np.random.SeedSequence(2))
    assert len(played) == 2
