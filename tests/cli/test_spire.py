"""`evodom spire`: fights solved, walked through and listed."""

import json

import pytest
from click.testing import CliRunner

from evodom.cli.spire import spire
from evodom.spire.exact import known
from evodom.spire.rows.cards import CARDS
from evodom.spire.rows.encounters import encounters
from evodom.spire.rows.enemies import ENEMIES
from evodom.spire.rows.potions import POTIONS
from evodom.spire.rows.relics import RELICS
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


WALK = ("solve", "--spend-all", "--step", "--hp", "53")


def test_a_choice_of_a_walk_is_named_by_its_cards():
    by_number = run(*WALK, answers="3 strike, 2 defend\n2\nq\n").stdout
    for typed in ("2 strike, defend", "s, s, d"):
        by_name = run(*WALK, answers=f"3 strike, 2 defend\n{typed}\nq\n").stdout
        assert by_name.count("You: ") == by_number.count("You: ") == 1
        assert "You: 2 Strike, Defend." in by_name
    assert "'4 s' is no choice. Allowed: 1 to" in run(*WALK, answers="3 strike, 2 defend\n4 s\nq\n").stdout


def test_the_end_of_a_turn_is_a_choice_with_a_name():
    result = run("solve", "--step", "--hp", "20", answers="3 strike, 2 defend\nend\nq\n")
    assert "You: end the turn." in result.stdout


def test_a_walk_takes_back_one_answer_at_a_time():
    shown = run(*WALK, answers="undo\n3 strike, 2 defend\n1\nundo\nundo\n2 s, 2 d, bash\nq\n").stdout
    assert "There is nothing to take back." in shown
    assert shown.count("Taken back.") == 2
    hands = [line for line in shown.splitlines() if line.startswith("Hand: ")]
    assert hands == ["Hand: 3 Strike, 2 Defend"] * 2 + ["Hand: Bash, 2 Strike, 2 Defend"]


def test_a_walk_repeats_its_help_at_every_question():
    shown = run(*WALK, answers="?\n3 strike, 2 defend\n?\nq\n").stdout
    assert shown.count("undo takes back your last answer") == 3


def test_a_walk_asks_again_after_what_cannot_be():
    result = run(*QUICK, "--step", answers="5 strike, defend\n3 bash, 2 s\n4 z, 1 y\n5 strike\n99\nall\nq\n")

    assert "That is a hand of 6 cards, and 5 are drawn." in result.stdout
    assert "no hand that can be drawn: it comes from Bash, 5 Strike, 4 Defend, Ascender's Bane." in result.stdout
    assert "no card named 'z'. Closest: " in result.stdout
    assert "'99' is no choice. Allowed: 1 to" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--enemy", "cultits"], "no encounter or enemy named 'cultits'. Closest: Cultist"),
        (["--step", "--enemy", "hexaghost"], "the exact solver does not know Hexaghost; evodom spire search does"),
        (["--step", "--enemy", "3 lice"], "'3 lice' may be one of 8 groups of enemies. Name one, such as "),
        (["--hp", "0"], "--hp is the HP of the enemies, a number from 1 to 999, got '0'"),
        (["--enemy", "sentries", "--hp", "40"], "3 numbers from 1 to 999, got '40'"),
        (["--deck", "5 Stirke"], "no card named 'Stirke'. Closest: Strike"),
        (["--step", "--add", "Havoc"], "the exact solver does not know Havoc; evodom spire search does"),
        (["--deck", ","], "a deck needs at least one card"),
        (["--deck", "70 Strike"], "allowed: 0 to 63"),
        (["--remove", "6 Strike"], "--remove 6 Strike, and the deck has 5"),
        (["--deck", "Strike", "--bash-upgraded"], "--bash-upgraded upgrades a Bash, and the deck has none"),
        (["--hand", "2 Bash, 3 Strike"], "no hand that can be drawn: it comes from Bash, 5 Strike, 4 Defend"),
        (["--hand", "Bash"], "a hand of 1 card, and 5 are drawn"),
        (["--hand", "5 Anger"], "no card named 'Anger'. Closest: "),
        (["--relic", "vayra"], "no relic named 'vayra'. Closest: Vajra"),
        (["--step", "--relic", "pen nib"], "the exact solver does not know Pen Nib; evodom spire search does"),
        (["--hand", "5 Strike", "--potion", "fire"], "--hand is for fights that are solved exactly, without --potion"),
        (["--potion", "water"], "no potion named 'water'"),
        (["--fight", "nowhere.toml"], "nowhere.toml cannot be read: "),
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

    result = run("solve", "--memory", "0.1", "--enemy", "red louse")

    assert isinstance(result.exception, TooLarge)
    assert "this fight cannot be solved here" in str(result.exception)


def test_an_encounter_is_solved_with_all_its_groups_of_enemies():
    result = run("solve", "--enemy", "small slimes", "--turns", "1", "--quiet")

    assert result.stdout.startswith("Ironclad against Small Slimes, ascension 20, 68 of 75 HP\n")


def test_a_fight_that_is_too_large_for_the_memory_in_floats_is_refused(monkeypatch):
    from evodom.spire.solver.graph import TooLarge

    monkeypatch.setattr("evodom.cli.spire_solved.GIBIBYTE", 1 << 24)
    result = run("solve", "--memory", "0.4", "--float", "--enemy", "three sentries")

    assert isinstance(result.exception, TooLarge)
    assert "this fight cannot be solved here" in str(result.exception)
    assert "Allow more, --turns 5 makes it smaller, or play it: evodom spire search" in str(result.exception)


def test_potions_and_payoffs_are_solved():
    options = ["--deck", "2 Strike, 3 Defend", "--hp", "40", "--player-hp", "20", "--turns", "3"]
    win = json.loads(run("solve", *options, "--payoff", "win", "--json").stdout, parse_constant=pytest.fail)
    more = json.loads(run("solve", *options, "--payoff", "win", "--potion", "fire", "--json").stdout)
    screen = run("solve", *options, "--payoff", "win", "--potion", "fire").stdout

    assert 0 <= win["value"] == pytest.approx(1 - win["death"], abs=1e-9)
    assert win["value"] < more["value"]
    assert "Potions: Fire Potion" in screen
    assert f"Worth        {more['value']:.6f}   the chance to win" in screen


def test_a_group_that_is_one_of_several_is_solved_as_the_mean_of_them():
    options = ["--deck", "5 Bludgeon", "--turns", "3", "--payoff", "win", "--player-hp", "60", "--json"]
    pages = {
        name: json.loads(run("solve", "--enemy", name, *options).stdout)
        for name in ("Acid Slime (L)", "Spike Slime (L)", "large slime")
    }

    one, other, either = pages.values()
    assert either["value"] == pytest.approx((one["value"] + other["value"]) / 2)


def test_a_picture_is_drawn(tmp_path):
    file = tmp_path / "hp.svg"
    result = run(*QUICK, "--plot", str(file))

    assert result.exit_code == 0
    assert "HP left after the fight" in file.read_text()


def test_all_rows_are_listed():
    text, page = run("cards", "--ascension", "0").stdout, json.loads(run("cards", "--json").stdout)

    for line in (
        "* Bash                 2  Attack  8 damage, Vulnerable 2",
        "  Havoc                1  Skill   play the top card of the draw pile, and exhaust it",
        "  Whirlwind            X  Attack  5 damage X times to all enemies",
        "  Headbutt             1  Attack  9 damage, put a card of the discard pile on top of the draw pile",
        "  Blood for Blood      4  Attack  18 damage; costs 1 less for every loss of HP",
        "  Rampage+             1  Attack  8 damage; 8 more every time it is played",
        "* Cultist           48-54 HP: Incantation (Ritual 3); Dark Strike (6 damage)",
        "* Vajra                Strength 1",
        "  Fire Potion           20 damage",
        "  Large Slime         strong Acid Slime (L) or Spike Slime (L)",
        "  Barricade           block is kept",
        "  Infernal Blade      makes a random card",
    ):
        assert f"{line}\n" in text
    assert "Golden Idol" in text
    assert {name: len(page[name]) for name in ("cards", "relics", "potions", "enemies", "encounters")} == {
        "cards": len(CARDS),
        "relics": len(RELICS),
        "potions": len(POTIONS),
        "enemies": len(ENEMIES),
        "encounters": len(encounters()),
    }
    assert [one["name"] for one in page["enemies"] if one["solved"]] == list(known.ENEMIES)


def fight_file(folder, text):
    file = folder / "fight.toml"
    file.write_text(text)
    return str(file)


FILE = (
    'enemies = "cultist"\nenemy_hp = [20]\ndeck = "4 Strike, 2 Defend"\nhp = 30\nrelics = ["Burning Blood", "Vajra"]\n'
)


def test_a_fight_of_a_file_is_solved_and_options_change_it(tmp_path):
    file = fight_file(tmp_path, FILE)
    page = json.loads(run("solve", "--fight", file, "--json").stdout)
    options = ["--deck", "4 Strike, 2 Defend", "--player-hp", "30", "--relic", "burning blood", "--relic", "vajra"]
    same = json.loads(run("solve", "--hp", "20", *options, "--json").stdout)
    changed = json.loads(run("solve", "--fight", file, "--add", "bash", "--hp", "22", "--json").stdout)

    assert page | {"seconds": 0} == same | {"seconds": 0}
    assert (changed["deck"], changed["enemy_hp"]) == ({"Strike": 4, "Defend": 2, "Bash": 1}, [22])
    assert changed["relics"] == ["Burning Blood", "Vajra"]


def test_the_turns_of_a_file_bound_the_value(tmp_path):
    page = json.loads(run("solve", "--fight", fight_file(tmp_path, FILE + "turns = 3\n"), "--json").stdout)

    assert page["max_turns"] == 3
    assert page["expected_hp"] <= page["at_most"]


STATE = """[state]
energy = 3
hand = "3 Strike"
draw = "Strike"
discard = "2 Defend"
[[state.enemies]]
name = "Cultist"
hp = 20
max_hp = 50
intent = "Incantation"
"""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (FILE + STATE, "a fight that has begun ([state])"),
        (FILE + '[payoff]\nkind = "win"\n', 'the payoff "win"'),
        (FILE + 'potions = "fire potion"\n', "potions"),
        ('enemies = "two louses"\n', "a fight against one of several groups of enemies"),
        ('enemies = "nob"\nburning = "HP"\n', "burning elites"),
        ('enemies = "nob"\ndeck = "Havoc"\n', "Havoc"),
        ('enemies = "slime boss"\n', "Slime Boss"),
        ('enemies = "nob"\nrelics = "nunchaku"\n', "Nunchaku"),
    ],
)
def test_a_file_with_what_the_solver_does_not_know_is_refused(tmp_path, text, what):
    refused = refusal(run("solve", "--step", "--fight", fight_file(tmp_path, text)))

    assert f"the exact solver does not know {what}; evodom spire search does" in refused


def test_a_fight_that_has_begun_is_solved_with_the_value_of_each_move(tmp_path):
    file = fight_file(tmp_path, FILE + STATE)
    page = json.loads(run("solve", "--fight", file, "--json").stdout, parse_constant=pytest.fail)
    screen = run("solve", "--fight", file).stdout

    values = {choice["move"]: choice["value"] for choice in page["choices"]}
    assert page["value"] == max(values.values())
    assert set(values) == {"Strike at Cultist", "end the turn"}
    assert f"{page['value']:.5f}  Strike at Cultist" in screen


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
