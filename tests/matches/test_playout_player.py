"""A network that thinks at a table: of the command line, in matches, and blind to what its seat cannot know."""

from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.entrants import find_entrants
from evodom.errors import UsageError
from evodom.matches.agents import play_game
from evodom.matches.playout_search import SearchingPlayer, thinking_agent
from evodom.search.playouts import PlayoutBudget
from tests.matches.test_playout_search import GOLD_IN_DECK, GOLD_IN_HAND, asked
from tests.networks import network, spoil_shipped_network


@pytest.fixture
def shipped(monkeypatch):
    monkeypatch.setattr("evodom.entrants.shipped_weights", network)


def found(*words):
    return find_entrants(words, root=Path(), kingdom=FIRST_GAME)


def test_the_network_is_named_alone_or_with_the_time_it_may_think(shipped):
    entrants = found("network", "network:0.5s", "network:2s")

    assert [entrant.name for entrant in entrants.entrants] == ["network", "network:0.5s", "network:2s"]
    assert len({entrant.origin for entrant in entrants.entrants}) == 3
    assert entrants.has_thinkers
    assert not found("network").has_thinkers


@pytest.mark.parametrize("word", ["network:0s", "network:0.001s", "network:61s"])
def test_a_time_that_is_too_short_or_too_long_is_refused(shipped, word):
    with pytest.raises(UsageError, match=rf"'{word}' would think .* Allowed: network:0\.01s to network:60s\."):
        found(word)


@pytest.mark.parametrize("word", ["network", "network:0.5s"])
def test_a_shipped_network_that_cannot_be_used_is_refused_in_one_line(monkeypatch, word):
    spoil_shipped_network(monkeypatch)

    with pytest.raises(UsageError, match="cannot be used: it was trained with other cards than these") as refused:
        found(word)
    assert "\n" not in str(refused.value)


def test_the_same_rollouts_play_the_same_game():
    thinker = thinking_agent("thinker", network(FIRST_GAME), PlayoutBudget(playouts=12))

    one, two, other = (play_game(FIRST_GAME, [thinker, thinker], seed) for seed in (3, 3, 4))

    assert one == two
    assert one != other


def test_answers_do_not_depend_on_hidden_cards():
    """Two games that differ only in what the other one holds, and in the luck to come, get the same answers."""
    one, other = asked(GOLD_IN_HAND), asked(GOLD_IN_DECK)
    other.state.chance[:] += np.uint64(5)

    for seed in range(8):
        players = (
            SearchingPlayer(network(FIRST_GAME), PlayoutBudget(playouts=30), np.random.default_rng(seed))
            for _ in range(2)
        )
        assert len({player(game, None) for player, game in zip(players, (one, other), strict=True)}) == 1
