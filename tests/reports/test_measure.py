"""What a report says of the table of the best."""

import numpy as np

from evodom.dominion.engine.ops import Ending
from evodom.dominion.kingdom import FIRST_GAME
from evodom.matches.results import Tally, spread
from evodom.matches.simulate import RESULT
from evodom.reports.measure import table_of


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
    return table_of(Tally.of(games), FIRST_GAME)


def test_a_table_is_told_by_strategy_wherever_it_sat():
    table = tallied(two_results())
    assert [entrant.win.share for entrant in table.entrants] == [0.75, 0.0, 0.25]
    assert [entrant.vp.mean for entrant in table.entrants] == [35.0, 2.5, 25.0]


def test_a_table_is_told_by_seat():
    assert [seat.share for seat in tallied(two_results()).seats] == [0.5, 0.25, 0.25]


def test_the_winner_has_the_highest_score_and_rounds_are_the_most_turns():
    table = tallied(two_results())
    assert (table.winner_vp.mean, table.rounds.mean) == (35.0, 25.0)


def test_a_shared_victory_counts_each_winners_deck_by_its_share():
    table = tallied(two_results())
    assert table.winner_deck["Copper"] == (7 + (2 + 4) / 2) / 2
    assert table.champion_deck["Copper"] == (7 + 4) / 2


def test_every_way_to_end_has_its_share():
    table = tallied(two_results())
    assert table.ended == {"provinces": 0.5, "empty_piles": 0.0, "cut": 0.5}
    assert {Ending.PROVINCES, Ending.PILES, Ending.CUT} == {1, 2, 3}


def test_batches_add_up():
    tables, results = two_results()
    assert tallied((tables[:1], results[:1]), (tables[1:], results[1:])) == tallied((tables, results))
