"""Figures of a report: the table of the best, means by turn, and the profile of a strategy."""

import numpy as np
import pytest

from evodom.dominion.cards import ESTATE, SILVER
from evodom.dominion.engine.batch import RESULT
from evodom.dominion.engine.ops import Ending
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches.results import Tally, spread
from evodom.matches.simulate import CENSUS
from evodom.reports.evolved import profile
from evodom.reports.measure import by_turn, results_of_table


def test_percentiles_are_values_that_occurred():
    found = spread(np.array([10] * 50 + [20] * 50))
    assert (found.mean, found.p5, found.p50, found.p95) == (15.0, 10, 10, 20)


def two_results():
    """Return two games of three strategies: the champion wins the first, and shares the second with number 2."""
    results = np.zeros(2, RESULT)
    tables = np.array([[0, 1, 2], [1, 2, 0]], np.int32)
    results["ended"] = Ending.PROVINCES, Ending.CUT
    results["turns"][:, :3] = [[20, 20, 19], [30, 30, 30]]
    results["vp"][:, :3] = [[40, 10, 20], [-5, 30, 30]]
    results["win"][:, :3] = [[1, 0, 0], [0, 0.5, 0.5]]
    results["owned"][:, :3, 0] = [[7, 8, 9], [1, 2, 4]]
    return tables, results


def tallied(*games):
    return results_of_table(Tally.of(games), FIRST_GAME)


def test_a_table_has_results_by_strategy_by_seat_and_by_ending():
    table = tallied(two_results())
    assert [entrant.win.share for entrant in table.entrants] == [0.75, 0.0, 0.25]
    assert [entrant.vp.mean for entrant in table.entrants] == [35.0, 2.5, 25.0]
    assert [seat.share for seat in table.seats] == [0.5, 0.25, 0.25]
    assert (table.winner_vp.mean, table.rounds.mean) == (35.0, 25.0)
    # A shared victory counts each winner's deck by its share.
    assert table.winner_deck["Copper"] == (7 + (2 + 4) / 2) / 2
    assert table.champion_deck["Copper"] == (7 + 4) / 2
    assert table.ended == {"provinces": 0.5, "empty_piles": 0.0, "cut": 0.5}
    tables, results = two_results()
    assert tallied((tables[:1], results[:1]), (tables[1:], results[1:])) == table


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


def test_means_by_turn_are_over_the_games_that_reach_it():
    found = by_turn(1, a_census(), FIRST_GAME.piles)

    assert (found.reached, found.coins, found.vp, found.cards) == ([1.0, 0.5], [3.0, 5.0], [3.0, 4.5], [5.0, 6.0])
    assert found.bought == {"Silver": [0.5, 1.0]}
    assert found.deck == {"Estate": [3.0, 3.0]}
    assert found.played == {}
    assert found.n_turns == 2  # few games reach the third


def test_a_report_has_turns_of_the_best(report):
    assert [one.rank for one in report.turns] == [1, 2, 3, 4]
    champion = report.turns[0]
    assert champion.n_games == 28  # a quarter of the 100 games' rounds, begun
    assert champion.reached[0] == 1.0
    assert sum(champion.deck[name][0] for name in champion.deck) >= 10.0


def test_a_profile_has_the_rules_for_owned_cards_and_probed_buys():
    found = profile(baseline("big-money", FIRST_GAME), FIRST_GAME, 2, FIRST_GAME.names)
    cards = ("Province", "Gold", "Silver")
    of_owned = profile(baseline("big-money-smithy", FIRST_GAME), FIRST_GAME, 2, cards)

    assert found.traits.rules[0] == "Province"
    assert [answer.stage for answer in found.answers] == ["opening", "middle", "end"]
    assert [rule.split(" if ")[0] for rule in of_owned.traits.rules] == list(cards)
    with pytest.raises(UsageError, match="a strategy of one kingdom cannot play in another"):
        profile(baseline("big-money", FIRST_GAME), Kingdom(("Chapel",)), 2, ())
