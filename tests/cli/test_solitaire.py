"""`evodom solitaire` proves the fewest turns, tells what Big Money loses, and refuses in one line what cannot be."""

import json

import pytest
from click.testing import CliRunner

from evodom.cli.solitaire import solitaire

SMALL = ("--silvers", "4", "--golds", "2")


@pytest.fixture
def invoke(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *arguments: CliRunner().invoke(solitaire, arguments, catch_exceptions=False)


def test_one_screen_tells_the_turns_the_opening_and_the_losses(invoke):
    lines = invoke(*SMALL, "--provinces", "2").stdout.splitlines()

    assert max(map(len, lines)) <= 80
    assert len(lines) <= 50
    assert "to 2 Provinces, from 7 Copper, 3 Estate" in lines[0]
    assert any(line.split() == ["Big", "Money", "13.762752", "0.002032"] for line in lines)
    assert "  coins 3/4  Silver, Silver" in lines
    assert any(line.split()[:4] == ["2", "3", "Silver", "nothing"] for line in lines)


def test_json_tells_the_same_and_its_parts_agree(invoke):
    facts = json.loads(invoke(*SMALL, "--json").stdout)

    best, big_money = facts["policies"]
    assert facts["turns"]["low"] <= best["turns"] <= facts["turns"]["high"]
    assert facts["turns"]["high"] - facts["turns"]["low"] < 1e-8
    assert big_money["slower by"] == pytest.approx(big_money["turns"] - best["turns"], abs=1e-12)
    # all that is lost by single choices is what the whole is slower by
    assert sum(loss["turns"] for loss in facts["losses of Big Money"]) == pytest.approx(
        big_money["slower by"], abs=1e-7
    )
    for policy in (best, big_money):
        mean = sum(int(turn) * share for turn, share in policy["distribution"].items())
        assert mean == pytest.approx(policy["turns"], abs=1e-6)
    assert sum(one["probability"] for one in facts["opening"]) == pytest.approx(1)


def test_a_race_to_points_tries_duchies_late_and_leaves_out_a_rule_that_never_gets_there(invoke):
    facts = json.loads(invoke("--silvers", "1", "--golds", "1", "--vp", "12", "--duchies", "1", "--json").stdout)
    late = [f"Duchies from {n} to go" for n in (3, 6, 9)]
    assert facts["target"] == {"vp": 12}
    assert [policy["name"] for policy in facts["policies"]] == ["the fastest", "Big Money", *late]

    arguments = ("--silvers", "0", "--golds", "0", "--start-coppers", "5", "--start-estates", "0")
    page = invoke(*arguments, "--vp", "6", "--duchies", "2").stdout
    assert "the fastest           6.166667" in page
    assert "Big Money" not in page
