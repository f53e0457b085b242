"""The rulings of the Base Set, case by case: the texts in ``rulings/``, and a file of cases in JSON."""

import json
from collections import Counter
from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM
from evodom.dominion.scenario import run
from tests.dominion.rulings_text import read_rulings

pytestmark = pytest.mark.uncompiled

RULINGS = read_rulings()
SAMPLE = json.loads((Path(__file__).parents[1] / "data" / "dominion_scenarios.json").read_text(encoding="utf-8"))
SAMPLE_CASES = [*SAMPLE["setup_scenarios"], *SAMPLE["scenarios"]]


@pytest.mark.parametrize("case", RULINGS, ids=[case["id"] for case in RULINGS])
def test_ruling(case):
    assert run(case) == []


@pytest.mark.parametrize("case", SAMPLE_CASES, ids=[case["id"] for case in SAMPLE_CASES])
def test_case_of_the_sample(case):
    assert run(case) == []


def test_every_ruling_has_its_own_title_and_can_fail():
    titles = Counter(case["id"] for case in RULINGS)

    assert titles.most_common(1)[0][1] == 1
    for case in RULINGS:
        assert case["expect"] or any(step.get("illegal") for step in case["steps"]), case["id"]


@pytest.mark.parametrize("name", [card.name for card in KINGDOM])
def test_every_kingdom_card_has_a_ruling(name):
    assert any(name in case["setup"]["kingdom"] for case in RULINGS)
