"""The settings of a run of learning."""

import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.errors import UsageError
from evodom.learning.training import TrainEffort, TrainOptions, _games_of_equal_iteration

EFFORT = TrainEffort()
GAMES = EFFORT.games_per_iteration


def test_settings_are_saved_and_read():
    options = TrainOptions(
        Kingdom(("Chapel", "Witch")), 3, 5000, rivals=("big-money", "random"), guests=('{"name": "random"}',)
    )

    assert TrainOptions.from_json(options.to_json()) == options
    assert options.to_json()["n_starts"] == 1


def test_values_outside_their_bounds_are_refused():
    for changes, message in (
        ({"players": 1}, "--players is 1. Allowed: 2 to 6."),
        ({"players": 7}, "--players is 7. Allowed: 2 to 6."),
        ({"games": 0}, "--games is 0. Allowed: 1 to 100,000,000."),
        ({"n_starts": 10}, "there are 10 starts. Allowed: 0 to 9."),
    ):
        with pytest.raises(UsageError, match=message):
            TrainOptions(**changes)


@pytest.mark.parametrize(("games", "n_starts"), [(2000, 1), (499_999, 1), (500_000, 2), (1_000_000, 3)])
def test_more_games_have_more_starts_and_no_more_games_than_asked_for_are_played(games, n_starts):
    options = TrainOptions(FIRST_GAME, games=games)

    alive = EFFORT.segments_from(options.n_starts, 1)
    assert options.n_starts == n_starts
    assert alive[:6] == [n_starts] * 6
    assert alive == sorted(alive, reverse=True)
    assert alive[-1] == 1
    assert 0.98 * games - sum(alive) < EFFORT.games_each(options) * sum(alive) <= games


@pytest.mark.parametrize("n_games", [1, 166, GAMES, GAMES + 1, 25_000])
def test_the_games_of_a_checkpoint_are_cut_into_even_iterations(n_games):
    parts = []
    while n_games > sum(parts):
        parts.append(_games_of_equal_iteration(n_games - sum(parts), GAMES))

    assert sum(parts) == n_games
    assert max(parts) <= GAMES
    assert max(parts) - min(parts) <= 1
