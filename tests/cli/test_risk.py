"""`evodom risk`: its output, and what it refuses."""

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from evodom.cli.risk import risk
from evodom.risk import MAX_DIGITS, invade, success

DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "guide" / "risk.md").read_text(encoding="utf-8")


def run(*arguments):
    result = CliRunner().invoke(risk, arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def test_the_bars_of_odds_fit_on_one_screen():
    bars = run("odds", "6", "4").split("defenders below zero")[1].splitlines()
    assert sum(float(line.split()[-1]) for line in bars if "█" in line) == pytest.approx(100, abs=0.5)
    assert len(run("odds", "20", "20").splitlines()) <= 42


def test_the_json_of_odds_is_complete():
    found = json.loads(run("odds", "3", "4", "--exact", "--json", "--wanted", "0.5"))

    assert found["exact"] == "5520775/60466176"
    assert sys.int_info.default_max_str_digits > MAX_DIGITS  # Python can print every exact value
    assert found["probability"] == float(Fraction(found["exact"]))
    assert found["wanted"] == {"probability": 0.5, "attackers": 6}
    assert {(end["taken"], end["attackers"], end["defenders"]): Fraction(end["exact"]) for end in found["ends"]} == {
        **invade(3, (4,))
    }
    assert found["expected"]["attackers"] == pytest.approx(
        sum(end["attackers"] * end["probability"] for end in found["ends"])
    )


def test_options_are_rules():
    chain = json.loads(run("odds", "20", "--chain", "5,3,2", "--json"))
    options = ("--keep", "4", "--defender-dice", "3", "--sides", "8", "--attacker-wins-ties")

    assert (chain["chain"], chain["defenders"]) == ([5, 3, 2], 10)
    assert chain["probability"] == float(success(invade(20, (5, 3, 2))))
    assert json.loads(run("odds", "9", "6", *options, "--json"))["probability"] == pytest.approx(0.7, abs=0.3)
    assert run("odds", "9", "6", *options) != run("odds", "9", "6")


def test_the_first_line_says_at_which_number_of_units_the_attack_stops():
    for command in ("odds", "stop"):
        assert run(command, "10", "5").startswith("Risk: 10 attackers (one stays behind) against 5")
        assert run(command, "10", "5", "--keep", "5").startswith("Risk: 10 attackers (they stop at 5 or fewer) against")


def test_an_army_above_the_limit_is_not_named(monkeypatch):
    monkeypatch.setattr("evodom.risk.MAX_UNITS", 12)
    assert "For 80 %, more attackers are needed than the limit allows." in run("odds", "2", "9")


@pytest.mark.parametrize("wanted", ["0", "1"])
def test_certain_failure_and_success_are_not_in_the_printed_range(wanted):
    result = CliRunner().invoke(risk, ("odds", "3", "3", "--wanted", wanted))
    assert f"--wanted is {wanted}. Allowed: 0.0001 to 0.9999" in f"{result.output}{result.exception}"


def test_a_picture_is_saved(tmp_path):
    result = CliRunner().invoke(risk, ("odds", "5", "4", "--save", str(tmp_path / "a.svg")))

    assert result.exit_code == 0
    assert result.stderr == f"Picture: {tmp_path / 'a.svg'}\n"
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_when_to_stop_is_a_rule_by_defenders():
    assert re.findall(r"^ +(\d+)  (\d+)\+$", run("stop", "12", "8"), re.MULTILINE) == [
        ("1", "2"), ("2", "3"), ("3", "4"), ("4", "4"), ("5", "5"), ("6", "7"), ("7", "9"), ("8", "12")
    ]  # fmt: skip


def test_the_json_of_stopping_has_values_and_thresholds():
    found = json.loads(run("stop", "9", "7", "--territory", "0.5", "--unit", "0", "--defender", "0", "--json"))
    chance = float(success(invade(9, (7,))))

    assert found["advice"] == "attack"
    assert found["best"]["success"] == pytest.approx(chance)
    assert found["best"]["value"] == pytest.approx(chance / 2)
    assert found["best"] == found["to_the_end"]
    assert found["attack_when"][6] == {"defenders": 7, "attackers": [{"from": 2, "to": None}]}
