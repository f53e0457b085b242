"""Run all rulings of the folder ``cases/``."""

from collections import Counter
from pathlib import Path

import pytest

from evodom.dominion.cards import KINGDOM_CARDS
from tests.rulings import read_cases, run
from tests.rulings.case import Case, Expected

pytestmark = pytest.mark.uncompiled

FILES = {path.stem: read_cases(path) for path in sorted((Path(__file__).parent / "cases").glob("*.json"))}
CASES = [case for cases in FILES.values() for case in cases]


@pytest.mark.parametrize("file", FILES)
def test_rulings(file):
    assert {case.id: found for case in FILES[file] if (found := run(case))} == {}


def test_every_kingdom_card_has_a_ruling_and_every_ruling_a_title_and_an_expectation():
    titles = Counter(case.id for case in CASES)
    rulings = [case for case in CASES if isinstance(case, Case)]

    assert titles.most_common(1)[0][1] == 1
    assert all(case.expect != Expected() or any(step.illegal for step in case.steps) for case in rulings)
    assert {card.name for card in KINGDOM_CARDS} <= {name for case in rulings for name in case.setup.kingdom}
