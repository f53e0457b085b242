"""`evodom spire`: fights solved, walked through and listed."""

import json

import pytest
from click.testing import CliRunner

from evodom.cli.spire import spire
from tests.cli.refusals import refusal

QUICK = ["solve", "--spend-all", "--hp", "20"]
"""A short fight, for what does not depend on which."""


def run(*arguments, answers=""):
    return CliRunner().invoke(spire, [*arguments], input=answers)


def test_without_options_the_published_baseline_is_solved():
    page = json.loads(run("solve", "--spend-all", "--json").stdout, parse_constant=pytest.fail)

    assert page["expected_hp_exact"] == "32627274131/513429840"
    assert page["expected_hp"] == 63.547677967061674
    assert page["decisions"] == 26_456
    assert (page["hp"], page["max_hp"], page["ascension"], page["death"]) == (68, 75, 20, 0.0)
    assert sum(one["probability"] for one in page["results"]) == pytest.approx(1)
    assert sum(one["hp"] * one["probability"] for one in page["results"]) == pytest.approx(page["expected_hp"])


def test_the_hp_of_the_enemy_and_an_upgraded_bash_can_be_given():
    known = json.loads(run("solve", "--spend-all", "--hp", "53", "--ascension", "17", "--json").stdout)
    upgraded = json.loads(run(*QUICK, "--bash-upgraded", "--json").stdout)

    assert known["expected_hp_exact"] == "4715602939/73347120"
    assert upgraded["deck"] == {"Strike": 5, "Defend": 4, "Ascender's Bane": 1, "Bash+": 1}


def test_the_answer_fits_one_screen():
    result = run("solve", "--spend-all", "--hp", "53")

    assert result.exit_code == 0
    assert result.stdout.startswith("Ironclad (68/75 HP) against Cultist (53 HP), ascension 20\n")
    assert "Expected HP  64.291590   exactly 4715602939/73347120" in result.stdout
    assert len(result.stdout.splitlines()) <= 40
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_modes_agree_and_floats_are_floats():
    values = {
        mode: json.loads(run("solve", "--hp", "20", *mode, "--json").stdout)
        for mode in ((), ("--card-by-card",), ("--float",))
    }

    assert values[()]["expected_hp_exact"] == values[("--card-by-card",)]["expected_hp_exact"]
    assert values[("--float",)]["expected_hp"] == pytest.approx(values[()]["expected_hp"], rel=1e-12)
    assert values[("--float",)]["expected_hp_exact"] is None
    assert values[("--card-by-card",)]["decisions"] > values[()]["decisions"]


def test_decks_and_relics_are_put_together():
    page = json.loads(
        run(*QUICK, "--add", "2 anger+, Inflame", "--remove", "3 strike", "--relic", "vajra", "--json").stdout
    )

    assert page["deck"] == {"Bash": 1, "Strike": 2, "Defend": 4, "Ascender's Bane": 1, "Anger+": 2, "Inflame": 1}
    assert page["relics"] == ["Vajra"]


def test_a_walk_prints_every_choice_with_its_exact_value():
    result = run(
        "solve",
        "--step",
        answers="53\n3 strike, 2 defend\n1\nbash, 2 s, defend, asc\n1\nbash 2 strike 2 defend\n1\nq\n",
    )

    assert result.exit_code == 0
    for choice in ("32191/490        3 Strike", "4178/63      Bash, Defend", "66       Strike, 2 Defend"):
        assert choice in result.stdout
    assert result.stdout.endswith("Stopped.\n")


def test_the_choices_of_a_hand_that_is_known_are_told():
    given = ("solve", "--spend-all", "--hp", "53", "--hand", "3 s, 2 d")
    page, text = json.loads(run(*given, "--json").stdout), run(*given).stdout

    assert page["choices"][0] == {"plan": "3 Strike", "expected_hp": 32191 / 490, "exact": "32191/490"}
    assert "Cultist 53 HP, intends Incantation\nHand: 3 Strike, 2 Defend\n" in text
    assert "  1  65.69592  32191/490     3 Strike\n" in text


def test_a_walk_goes_to_the_end_when_chance_decides():
    result = run(*QUICK, "--step", "--seed", "1", answers="\n" * 40)

    assert result.exit_code == 0
    assert "The fight is over: " in result.stdout
    assert run(*QUICK, "--step", "--seed", "1", answers="\n" * 40).stdout == result.stdout


def test_a_walk_asks_again_after_what_cannot_be():
    result = run(*QUICK, "--step", answers="5 strike, defend\n3 bash, 2 s\n4 x, 1 y\n5 strike\n99\nall\nq\n")

    assert "That is a hand of 6 cards, and 5 are drawn." in result.stdout
    assert "no hand that can be drawn: it comes from Bash, 5 Strike, 4 Defend, Ascender's Bane." in result.stdout
    assert "'x' is none of Bash, Strike, Defend, Ascender's Bane" in result.stdout
    assert "'99' is no choice. Allowed: 1 to" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--enemy", "cultits"], "there is no enemy named 'cultits'. Did you mean Cultist?"),
        (["--hp", "0"], "--hp is the HP of the enemies, a number from 1 to 999, got '0'"),
        (["--enemy", "sentries", "--hp", "40"], "3 numbers from 1 to 999, got '40'"),
        (["--deck", "5 Strik"], "there is no card named 'Strik'. Did you mean Strike"),
        (["--deck", ","], "a deck needs at least one card"),
        (["--deck", "70 Strike"], "allowed: 0 to 63"),
        (["--remove", "6 Strike"], "--remove 6 Strike, and the deck has 5"),
        (["--deck", "Strike", "--bash-upgraded"], "--bash-upgraded upgrades a Bash, and the deck has none"),
        (["--hand", "2 Bash, 3 Strike"], "no hand that can be drawn: it comes from Bash, 5 Strike, 4 Defend"),
        (["--hand", "Bash"], "a hand of 1 card, and 5 are drawn"),
        (["--hand", "5 Anger"], "'Anger' is none of Bash, Strike, Defend, Ascender's Bane"),
        (["--relic", "vayra"], "there is no relic named 'vayra'. Did you mean Vajra?"),
        (["--player-hp", "90"], "90 HP of at most 75"),
        (["--step", "--json"], "--step asks questions"),
        (["--seed", "1"], "--seed is for what chance decides in --step"),
        (["--plot", "picture.jpg"], "a picture is a file that ends in .svg or .png"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments, message):
    assert message in refusal(run("solve", *arguments))


def test_a_fight_that_is_too_large_for_the_memory_is_refused():
    from evodom.solve import TooLarge

    result = run("solve", "--memory", "0.1", "--float", "--enemy", "red louse")

    assert isinstance(result.exception, TooLarge)
    assert "this fight cannot be solved here" in str(result.exception)


def test_a_picture_is_drawn(tmp_path):
    file = tmp_path / "hp.svg"
    result = run(*QUICK, "--plot", str(file))

    assert result.exit_code == 0
    assert "HP left after the fight" in file.read_text()


def test_the_tables_are_listed():
    text, page = run("cards", "--ascension", "0").stdout, json.loads(run("cards", "--json").stdout)

    assert "Bash                2  Attack  8 damage, Vulnerable 2\n" in text
    assert "Cultist          48-54 HP: Incantation (Ritual 3); Dark Strike (6 damage)\n" in text
    assert "Vajra              Strength 1\n" in text
    assert len(page["relics"]) >= 10
    assert {"Cultist", "Gremlin Nob", "Sentry"} <= {enemy["name"] for enemy in page["enemies"]}


def test_a_fight_whose_states_come_back_is_bounded():
    page = json.loads(run("solve", "--enemy", "spike slime (s)", "--hp", "12", "--player-hp", "20", "--json").stdout)

    assert page["expected_hp"] == pytest.approx(20)
    assert 0 < page["error"] < 1e-8
    assert page["expected_hp_exact"] is None


def test_a_limit_of_turns_bounds_the_value_from_both_sides():
    values = [
        json.loads(run("solve", "--enemy", "spike slime (s)", "--hp", "12", "--turns", str(n), "--json").stdout)
        for n in (1, 2, 4)
    ]

    assert values[0]["expected_hp"] < values[1]["expected_hp"] <= values[2]["expected_hp"]
    assert values[2]["expected_hp"] <= values[2]["at_most"] <= values[1]["at_most"] <= values[0]["at_most"] == 68
    assert values[0]["expected_hp_exact"] is not None


def test_a_fraction_of_thousands_of_figures_is_left_out():
    from fractions import Fraction

    from evodom.cli.spire_step import exact_text

    assert exact_text(Fraction(2, 7)) == "2/7"
    assert exact_text(Fraction(1, 7**20_000)) is None
    assert exact_text(Fraction(12_345, 67_891), 10) is None
    assert exact_text(0.5) is None
