"""`evodom risk`: what it tells, and what it refuses."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from evodom.cli.risk import risk
from evodom.presentation.documents.odds import Odds, odds_document
from evodom.presentation.text import render
from evodom.risk import Battlefield, invade, success_probability

DOCUMENTATION = (Path(__file__).parents[2] / "docs" / "guide" / "risk.md").read_text(encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(risk, arguments)


def told(*arguments):
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def test_odds_are_told_on_one_screen():
    page = told("odds", "20", "20")

    assert page.startswith("Risk: 20 attackers (one stays behind) against 20 defenders\n")
    for fact in ("57.75 %", "80 %", "25 attackers", "81.86 %"):
        assert fact in page
    assert "attackers      20  15.2   4.8" in page
    assert "held, defenders left" in page
    assert max(map(len, page.splitlines())) <= 80
    assert len(page.splitlines()) <= 42
    assert "Exactly" not in page
    assert "Exactly: 692225/3359232\n" in told("odds", "3", "3", "--exact")
    bars = told("odds", "6", "4").split("taken, attackers left (%)")[1].splitlines()
    assert sum(float(line.split()[-1]) for line in bars if "█" in line) == pytest.approx(100, abs=0.5)


def test_a_simulation_is_told_with_its_error_and_is_repeatable():
    arguments = ("odds", "10", "5", "--simulate", "10000", "--seed", "3")
    page = told(*arguments)

    line = next(line for line in page.splitlines() if line.startswith("Simulated"))
    assert line.startswith("Simulated 10,000 times with seed 3: 8")
    assert ", standard error 0.33" in line
    assert told(*arguments) == page


def test_json_of_odds_has_all_of_it():
    found = json.loads(told("odds", "3", "4", "--exact", "--json", "--wanted", "50%", "--simulate", "100"))

    assert found["exact"] == "5520775/60466176"
    assert found["probability"] == float(success_probability(3, 4))
    assert found["wanted"] == {"probability": 0.5, "attackers": 6}
    assert found["simulation"]["invasions"] == 100
    assert {(end["attackers"], end["defenders"]): Fraction(end["exact"]) for end in found["ends"]} == {
        tuple(end): share for end, share in invade(Battlefield(3, 4))
    }
    assert found["expected"]["attackers"] == pytest.approx(
        sum(end["attackers"] * end["probability"] for end in found["ends"])
    )


def test_an_army_that_nobody_has_and_an_invasion_that_is_over_before_it_starts_are_told():
    field = Battlefield(3, 2)
    odds = Odds(field, invade(field), Fraction("0.999"), army=None, simulation=None)
    assert "For 99.9 %, 500 attackers are too few." in render(odds_document(odds, exact=False))
    assert ": 100.00 %" in told("odds", "5", "0")
    assert ": 0.00 %" in told("odds", "1", "3")


def test_a_picture_is_drawn(tmp_path):
    result = run("odds", "5", "4", "--save", str(tmp_path / "a.svg"))

    assert result.exit_code == 0
    assert result.stderr == f"Picture: {tmp_path / 'a.svg'}\n"
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_the_table_is_told_in_per_cent():
    lines = told("table").splitlines()
    header = next(at for at, line in enumerate(lines) if line.startswith("attackers"))

    assert lines[header].split() == ["attackers", *map(str, range(1, 11))]
    assert lines[header + 1].split() == ["2", "41.7", "10.6", "2.7", "0.7", "0.2", "0.0", "0.0", "0.0", "0.0", "0.0"]
    assert lines[-1].split()[-1] == "48.0"


def test_wide_tables_are_told_in_parts():
    page = told("table", "3", "30")

    assert max(map(len, page.splitlines())) <= 80
    parts = [line.split()[1:] for line in page.splitlines() if line.startswith("attackers")]
    assert len(parts) > 1
    assert [d for part in parts for d in part] == [str(d) for d in range(1, 31)]


def test_the_exact_table_has_a_fraction_for_each_battlefield():
    rows = [line.split() for line in told("table", "3", "2", "--exact").splitlines()[4:]]

    assert [(int(a), int(d), Fraction(chance)) for a, d, _, chance in rows] == [
        (a, d, success_probability(a, d)) for a in (2, 3) for d in (1, 2)
    ]
    found = json.loads(told("table", "3", "2", "--exact", "--json"))
    assert found["odds"][2] == {"attackers": 3, "defenders": 1, "probability": 1955 / 2592, "exact": "1955/2592"}


def test_when_to_stop_is_told():
    page, never = told("stop", "12", "8"), told("stop", "20", "20")

    assert "an attacker left 1, a defender destroyed 0.5, the territory 3" in page
    assert "Attack: this gains 0.04 more" in page
    assert "defenders   1   2   3   4   5   6   7    8\nattackers  2+  3+  4+  4+  5+  7+  9+  12+" in page
    assert "Stop now." in never
    assert "9  10-20\n" in never


def test_json_of_stopping_tells_values_and_thresholds():
    found = json.loads(told("stop", "9", "7", "--territory", "1/3", "--unit", "0", "--defender", "0", "--json"))

    assert found["advice"] == "attack"
    assert found["best"]["success"] == pytest.approx(float(success_probability(9, 7)))
    assert found["best"]["value"] == pytest.approx(float(success_probability(9, 7)) / 3)
    assert found["best"] == found["to_the_end"]
    assert found["attack_when"][6] == {"defenders": 7, "attackers": [{"from": 2, "to": None}]}


def test_the_python_example_of_the_documentation_tells_what_it_says(capsys):
    example = re.search(r"```python\n(.*?)```", DOCUMENTATION, re.DOTALL)[1]

    exec(example, {})

    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)", example)
