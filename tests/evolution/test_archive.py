"""The archive: cells of decks, lines and their strengths, survivors, and the line to improve next."""

import json
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import FIRST_GAME
from evodom.evolution.archive import (
    GAIN_SHARE,
    GROWING_ROUNDS,
    KEPT_GAMES_SHARE,
    MAX_FAILURES,
    MAX_GAMES,
    YOUNG_ROUNDS,
    Archive,
    Line,
)
from evodom.evolution.cells import N_CELLS, best_of_cells, cells_of
from evodom.evolution.proposals import Success
from evodom.reports.evolved import archive_of


def grown(cell=0, strength=0.5, rate=0.0, rounds=GROWING_ROUNDS):
    return Line(cell, strength, rounds=rounds, rate=rate)


@pytest.mark.parametrize(
    ("deck", "cell"),
    [
        ({"Copper": 7, "Silver": 3}, 0), ({"Copper": 3, "Silver": 3}, 1), ({"Copper": 7, "Silver": 4, "Gold": 3}, 2),
        ({"Copper": 7, "Silver": 5, "Gold": 3}, 4), ({"Copper": 7, "Village": 2, "Smithy": 2}, 6),
        ({"Copper": 0, "Village": 5, "Smithy": 3, "Gold": 8}, N_CELLS - 1),
    ],
)  # fmt: skip
def test_a_cell_counts_actions_treasures_and_coppers(deck, cell):
    counts = np.zeros((1, N_MODEL_PILES))
    for name, n in deck.items():
        counts[0, FIRST_GAME.pile(name)] = n

    assert cells_of(counts, FIRST_GAME).tolist() == [cell]


def test_a_strength_is_a_mean_over_games_of_which_a_change_forgets_some():
    line = Line().after_games(0.6, 100, 3)
    assert (line.strength, line.games, line.cell) == (pytest.approx(0.6), 100, 3)
    line = line.after_games(0.4, 100, 3)
    assert line.strength == pytest.approx(0.5)

    improved = line.after_round(0.1)

    assert improved.strength == pytest.approx(0.5 + 0.1 * GAIN_SHARE)
    assert improved.games == 200 * KEPT_GAMES_SHARE
    assert line.after_round(0.0).games == 200
    assert Line().after_games(0.0, 0, 3).strength == Line().strength


def test_payoffs_count_games_like_the_strength():
    line = Line().after_games(0.5, 100, 0, {"a": (30.0, 50.0), "b": (20.0, 50.0), "c": (0.0, 0.0)})
    assert line.payoffs == {"a": (0.6, 50.0), "b": (0.4, 50.0)}
    improved = line.after_round(0.1)
    assert improved.payoffs == {"a": (pytest.approx(0.65), 25.0), "b": (pytest.approx(0.45), 25.0)}
    assert improved.after_games(0.5, 25, 0, {"a": (10.0, 25.0)}).payoffs == {"a": (0.525, 50.0)}
    many = replace(line, games=2 * MAX_GAMES).after_games(0.5, 10, 0, {"a": (5.0, 5.0)})
    assert many.payoffs == {"a": (round(20 / 30, 4), 30.0)}


def test_all_rounds_are_long_after_some_without_a_gain():
    line = Line()
    for _ in range(MAX_FAILURES - 1):
        line = line.after_round(0.0)
    assert not line.after_round(0.1).is_long
    line = line.after_round(0.0)
    assert line.is_long
    assert line.after_round(0.1).is_long


def test_the_strongest_of_each_cell_survives_and_young_lines_do():
    lines = {
        4: grown(1, 0.4), 2: grown(1, 0.6), 7: grown(2, 0.4), 9: Line(1, 0.05, rounds=YOUNG_ROUNDS - 1),
        5: grown(2, 0.35, rounds=YOUNG_ROUNDS), 3: grown(3, 0.29),
    }  # fmt: skip

    assert Archive(lines).survivors() == [2, 7, 9], "line 3 has less than half of the best win rate"


def test_lines_with_the_least_promise_leave_once_they_have_grown():
    lines = {
        0: grown(0, 0.6), 1: grown(1, 0.4), 2: grown(2, 0.45, rate=0.001),
        3: grown(3, 0.31, rate=0.01, rounds=GROWING_ROUNDS - 1), 4: grown(4, 0.35, rate=0.05),
    }  # fmt: skip

    assert Archive(lines).survivors(5) == [0, 2, 1, 4, 3]
    assert Archive(lines).survivors(4) == [0, 2, 4, 3]
    assert Archive(lines).survivors(3) == [0, 4, 3]
    # A growing line leaves, too, if it will not reach the strongest line.
    assert Archive(lines | {3: grown(3, 0.31, rate=0.009, rounds=GROWING_ROUNDS - 1)}).survivors(5) == [0, 2, 1, 4]


def test_half_of_the_rounds_go_to_growing_lines_and_the_others_to_the_most_promising():
    """Young lines are first, one after another, whatever their promise."""
    lines = {
        0: grown(0, 0.6), 1: grown(1, 0.5, rate=0.01), 2: Line(strength=0.3, rounds=3),
        3: Line(strength=0.2, rounds=5, rate=0.0), 4: Line(strength=0.1, rounds=YOUNG_ROUNDS, rate=0.1),
    }  # fmt: skip

    assert [Archive(lines).next_line(n, 4) for n in range(4)] == [3, 3, 1, 1]
    assert Archive({0: lines[0], 4: lines[4]}).next_line(0, 4) == 4
    assert Archive({0: lines[0], 1: lines[1]}).next_line(0, 4) == 1
    assert Archive({2: lines[2], 4: lines[4]}).next_line(3, 4) == 2


def test_growing_lines_have_more_rounds_if_the_best_grown_line_has_stalled():
    improving, stalled = grown(rate=0.001), grown(rate=0.0003)
    assert [Archive({0: improving, 1: Line()}).next_line(n, 6) for n in range(6)] == [1, 1, 1, 0, 0, 0]
    assert [Archive({0: stalled, 1: Line()}).next_line(n, 6) for n in range(6)] == [1, 1, 1, 1, 1, 0]


def test_the_best_of_each_cell_comes_first_in_the_ranking():
    assert best_of_cells([3, 1, 0, 2], np.array([7, 7, 7, 5])) == [3, 1]


def test_lines_are_saved_as_json():
    lines = {3: Line(2, 0.123456789, 17.5, 9, 2, True, 0.01), 0: Line()}

    archive = Archive(lines, {"move rule": Success(3.5, 0.25)})

    assert Archive.of(json.loads(json.dumps(archive.to_json()))) == archive
    assert Archive.of({}) == Archive()


def test_the_strongest_line_of_each_kind_of_deck_over_all_generations():
    first, second = {0: grown(0, 0.4), 1: grown(17, 0.3), 2: Line(8, 0.9)}, {0: grown(0, 0.5), 1: grown(7, 0.2)}

    found = archive_of([{}, *(Archive(lines).to_json() for lines in (first, second))])

    assert found == [[0.5, *[None] * 5], [None, 0.2, *[None] * 4], [*[None] * 5, 0.3]]
    assert archive_of([{}]) == []
