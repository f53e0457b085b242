"""Run all rulings of the folder ``cases/``."""

from collections import Counter
from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM_CARDS
from tests.rulings import read_cases, run
from tests.rulings.case import Case, Expected

pytestmark = pytest.mark.uncompiled

FILES = sorted((Path(__file__).parent / "cases").glob("*.json"))
CASES = {f"{path.stem}: {case.id}": case for path in FILES for case in read_cases(path)}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_rulings(case):
    assert run(case) == []


@pytest.mark.cards
def test_every_kingdom_card_has_a_ruling_and_every_ruling_a_title_and_an_expectation():
    titles = Counter(case.id for case in CASES.values())
    rulings = [case for case in CASES.values() if isinstance(case, Case)]

    assert titles.most_common(1)[0][1] == 1
    assert all(case.expect != Expected() or any(step.illegal for step in case.steps) for case in rulings)
    assert {card.name for card in KINGDOM_CARDS} <= {name for case in rulings for name in case.setup.kingdom}
