"""The figures of a report: the table of the best, means by turn, and the portrait of a strategy."""

import numpy as np
import pytest

from evodom.dominion.cards import ESTATE, SILVER
from evodom.dominion.engine.ops import Ending
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches.results import Tally, spread
from evodom.matches.simulate import CENSUS, RESULT
from evodom.reports.evolved import portrait
from evodom.reports.measure import by_turn, table_of


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


def test_a_portrait_has_the_rules_and_the_answers_of_a_buy_list():
    found = portrait(baseline("big-money", FIRST_GAME), FIRST_GAME, 2, FIRST_GAME.names)

    assert found.traits.rules[0] == "Province"
    assert [answer.stage for answer in found.answers] == ["opening", "middle", "end"]


def test_a_strategy_of_another_kingdom_has_no_portrait_here():
    with pytest.raises(UsageError, match="a strategy of one kingdom cannot play in another"):
        portrait(baseline("big-money", FIRST_GAME), Kingdom(("Chapel",)), 2, ())


def test_a_portrait_leaves_out_rules_for_cards_that_are_never_owned():
    cards = ("Province", "Gold", "Silver")

    found = portrait(baseline("big-money-smithy", FIRST_GAME), FIRST_GAME, 2, cards)

    assert [rule.split(" if ")[0] for rule in found.traits.rules] == list(cards)
