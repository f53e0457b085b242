"""The charts of a running search."""

import re

from evodom.presentation.documents.course import course


def test_the_chart_of_the_learner_has_a_gap_and_a_note_where_its_opponents_change():
    wins = [(60.0, 1, 0), (62.0, 1, 0), (28.0, 1, 1), (40.0, 1, 1), (50.0, 2, 0)]
    points = [[float(number), *point] for number, point in enumerate(wins)]
    assert course({"learning": points[:1]}, 2) == ""
    assert "dotted line" not in course({"learning": points[:2]}, 2)

    drawn = course({"learning": points}, 2)

    assert drawn.count('class="part"') == 2
    (line,) = re.findall(r'class="line [^"]*" d="([^"]*)"', drawn)
    assert [part.count("L") + 1 for part in line.removeprefix("M").split("M")] == [2, 2, 1]
    assert "At a dotted line another network is trained, or the opponents change." in drawn
