"""The table of stages: shares of the time, and games that follow the options."""

import re
from math import inf

import pytest

from evodom.advice.search import find_advice
from evodom.advice.stages import STAGES, Stage
from tests.test_transcripts import ROOT

ROWS = {name: row for name, row in STAGES._asdict().items() if isinstance(row, Stage)}


@pytest.mark.parametrize("training_games", [4_000, inf])
def test_games_are_proportional_to_the_options_and_fixed_games_are_not(training_games):
    planned = STAGES.planned(400, training_games)

    assert (planned.win_rates.games, planned.selection.games, planned.finals.games) == (400, 100, 800)
    assert (planned.decks.fixed, planned.estimated_games) == (600, 80_000)
    assert (planned.best_response.training, planned.cards.training) == (
        (inf, inf) if training_games == inf else (1333, 100)
    )
    assert planned.win_rates.training == 0
    assert STAGES.planned(400, 0).best_response.training == 0


def test_each_share_is_a_part_of_a_whole():
    assert all(0 < row.share <= 1 for row in ROWS.values())


def test_the_search_has_the_steps_of_its_guide():
    guide = (ROOT / "docs/guide/advise.md").read_text(encoding="utf-8").split("## The eight steps")[1]

    steps = re.findall(r"^ *(\d\. [\w ]+):", find_advice.__doc__, re.MULTILINE)
    assert steps == [step.replace("**", "") for step in re.findall(r"^(\d\. \*\*[\w ]+\*\*)", guide, re.MULTILINE)]
    assert len(steps) == 8
