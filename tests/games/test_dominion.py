"""Dominion keeps the contract of games, with the cards that hide and reveal most."""

import numpy as np
import pytest

from evodom.dominion.contract import Dominion
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.games import HiddenInformationGame
from tests.effort import effort
from tests.games.conformance import check

KINGDOMS = {
    "First Game": FIRST_GAME,
    "decks are looked into": Kingdom(("Bureaucrat", "Spy", "Sentry", "Library", "Thief", "Vassal", "Chancellor")),
    "cards are put back": Kingdom(
        ("Artisan", "Harbinger", "Bandit", "Bureaucrat", "Throne Room", "Moat", "Adventurer")
    ),
    "hands are touched": Kingdom(("Militia", "Council Room", "Witch", "Cellar", "Poacher", "Mine", "Moat", "Gardens")),
}


@pytest.mark.parametrize(
    ("name", "n_players"),
    [
        ("First Game", 2),
        ("decks are looked into", 2),
        ("cards are put back", 3),
        ("hands are touched", 4),
        # The same cards at tables of another size.
        pytest.param("decks are looked into", 4, marks=pytest.mark.full),
        pytest.param("hands are touched", 3, marks=pytest.mark.full),
    ],
)
def test_dominion_keeps_the_contract_of_hidden_information(name, n_players):
    game = Dominion(KINGDOMS[name], n_players, ask_treasures=n_players == 3)
    game.rules = game.rules.copy()
    game.rules.max_turns = effort(8, 4, 4) // n_players

    rng, n_draws = np.random.default_rng(n_players), effort(25, 15, 15)
    found = check(game, rng, n_games=1, n_draws=n_draws, snapshot=lambda state: state.tobytes())

    assert isinstance(game, HiddenInformationGame)
    assert found.n_redeals > effort(15, 7, 7)


@pytest.mark.parametrize(("pays", "total"), [("points", 3.0), ("win", 1.0)])
def test_returns_are_points_or_shares_of_the_win(pays, total):
    game, rng = Dominion(FIRST_GAME, 3, pays=pays), np.random.default_rng(1)
    state = game.start(rng)
    while actions := game.actions(state):
        state = game.sample(state, actions[int(rng.integers(len(actions)))], rng)

    assert sum(game.returns(state)) == pytest.approx(total)
