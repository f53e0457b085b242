"""Turn by turn: means over the games that reach a turn."""

import numpy as np

from evodom.dominion.cards import ESTATE, SILVER
from evodom.dominion.kingdom import FIRST_GAME
from evodom.matches.simulate import CENSUS
from evodom.reports.measure import by_turn


def a_census():
    """Twenty games, of which ten end after the first turn and only one has a third."""
    census = np.zeros(1, CENSUS)[0]
    census["games"] = 20
    census["turns"][1:4] = 20, 10, 1
    census["coins"][1:4] = 60, 50, 8
    census["vp"][1:3] = 60, 45
    census["cards"][1:3] = 100, 60
    census["bought"][1, SILVER], census["bought"][2, SILVER] = 10, 10
    census["owned"][1:3, ESTATE] = 60, 30
    return census


def test_a_mean_is_of_the_games_that_reach_the_turn():
    found = by_turn(1, a_census(), FIRST_GAME.piles)

    assert (found.reached, found.coins, found.vp, found.cards) == ([1.0, 0.5], [3.0, 5.0], [3.0, 4.5], [5.0, 6.0])
    assert found.bought == {"Silver": [0.5, 1.0]}
    assert found.deck == {"Estate": [3.0, 3.0]}
    assert found.played == {}


def test_turns_that_few_games_reach_are_left_out():
    assert by_turn(1, a_census(), FIRST_GAME.piles).n_turns == 2


def test_the_report_tells_the_table_turn_by_turn(report):
    assert [one.rank for one in report.turns] == [1, 2, 3, 4]
    champion = report.turns[0]
    assert champion.n_games == 28  # a quarter of the 100 games' rounds, begun
    assert champion.reached[0] == 1.0
    assert sum(champion.deck[name][0] for name in champion.deck) >= 10.0
