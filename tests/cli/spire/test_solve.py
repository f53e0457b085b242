"""`evodom spire solve` and `cards`: fights solved, and content listed."""

import re
import shlex
from fractions import Fraction
from functools import partial
from itertools import count

import pytest

from evodom.cli.spire.solve import exact_text
from evodom.spire.content.cards import CARDS
from evodom.spire.content.encounters import encounters
from evodom.spire.content.enemies import ENEMIES
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from tests.cli.program import facts, printed, refusal, run_program

solved, text_of, run = (partial(function, "spire", "solve") for function in (facts, printed, run_program))
SHORT = ("--enemy-hp", "20")
"""A short fight, for what does not depend on which."""


def test_without_options_the_published_baseline_is_solved():
    page = solved()

    assert page["expected_hp_exact"] == "32627274131/513429840"
    assert page["expected_hp"] == 63.547677967061674
    assert page["decisions"] == 73_254
    assert (page["hp"], page["max_hp"], page["ascension"], page["death"]) == (68, 75, 20, 0.0)
    assert sum(one["probability"] for one in page["results"]) == pytest.approx(1)
    assert sum(one["hp"] * one["probability"] for one in page["results"]) == pytest.approx(page["expected_hp"])


def test_the_hp_of_the_enemy_and_an_upgraded_bash_can_be_given_and_the_answer_fits_one_screen():
    upgraded = solved(*SHORT, "--remove", "Bash", "--add", "Bash+")
    shown = text_of("--enemy-hp", "53")

    assert solved("--enemy-hp", "53", "--ascension", "17")["expected_hp_exact"] == "4715602939/73347120"
    assert upgraded["deck"] == {"Strike": 5, "Defend": 4, "Ascender's Bane": 1, "Bash+": 1}
    assert shown.startswith("Ironclad against Cultist, ascension 20, 68 of 75 HP\n")
    assert "Expected HP  64.291590   exactly 4715602939/73347120" in shown
    assert len(shown.splitlines()) <= 40
    assert max(map(len, shown.splitlines())) <= 80


def test_floats_are_floats():
    exact, in_floats = solved(*SHORT), solved(*SHORT, "--float")

    assert in_floats["expected_hp"] == pytest.approx(exact["expected_hp"], rel=1e-12)
    assert in_floats["expected_hp_exact"] is None


def test_decks_and_relics_are_put_together():
    page = solved(*shlex.split("--add '2 anger+, Inflame' --remove '4 strike' --relic vajra --enemy-hp 12"))

    assert page["deck"] == {"Bash": 1, "Strike": 1, "Defend": 4, "Ascender's Bane": 1, "Anger+": 2, "Inflame": 1}
    assert page["relics"] == ["Vajra"]


def test_the_plans_for_a_hand_that_is_known_are_listed():
    given = ("--enemy-hp", "53", "--hand", "3 s, 2 d")
    page = solved(*given)

    assert [choice["plan"] for choice in page["choices"]] == ["3 Strike", "2 Strike", "Strike", "end the turn"]
    assert page["choices"][0] == {"plan": "3 Strike", "expected_hp": 32191 / 490, "exact": "32191/490"}
    assert "65.69592  32191/490        3 Strike\n" in text_of(*given)
    # Where the HP of the enemy are rolled, the hand is one of many.
    rolled = solved("--hand", "3 s, 2 d")
    assert (rolled["choices"], rolled["expected_hp_exact"]) == ([], "11890769/185220")


def test_a_plan_names_targets_where_there_are_several_and_ends_where_something_is_revealed():
    given = "--enemy '2 cultists' --enemy-hp '9, 6' --turns 2 --deck '2 Strike, Battle Trance, Bash, 7 Wound'"
    page = solved(*shlex.split(given), "--hand", "2 strike, battle trance, 2 wound")
    plans = {choice["plan"] for choice in page["choices"]}

    assert {"Battle Trance, then decide again", "2 Strike at 1 Cultist", "end the turn"} <= plans


def test_a_walk_asks_for_all_that_chance_decides_and_shows_exact_values(tmp_path):
    answers = "rng off\nreset\n53\n3 strike, 2 defend\nexact\n1\nq\n"
    play = ("spire", "play", "cultist", "--no-relics", "--quiet")
    shown = printed(*play, typed=answers, EVODOM_DATA_DIR=str(tmp_path))

    assert "HP of 1 Cultist (50, 51, 52, 53, 54, 55, 56): " in shown
    assert "Hand: 3 Strike, 2 Defend" in shown
    assert " 65.696    0.0 %  Strike at Cultist\n" in shown
    assert "Cultist 47 HP" in shown


def test_an_encounter_is_solved_with_all_its_groups_of_enemies():
    shown = text_of("small slimes", "--turns", "1", "--deck", "5 Strike", "--quiet")
    assert shown.startswith("Ironclad against Small Slimes, ascension 20, 68 of 75 HP\n")


def test_a_long_run_prints_its_size_and_names_the_search(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.solve.FIRST_LINE_S", 0.0)
    monkeypatch.setattr("time.monotonic", count().__next__)
    monkeypatch.setattr("evodom.spire.solver.building.MOVES_PER_CALL", 20_000)
    sizes = r"solving: [\d,]+ draws in \d+ s, (the number still rises|about [\d,]+ in the end), 0\.\d of \d+\.\d GiB"
    lines = run("--float", "--enemy", "nob").stderr.splitlines()
    first, hint, *others = [line for line in lines if not line.startswith("Compiling")]

    assert hint == "A large fight is estimated in seconds by: evodom spire search (Ctrl+C stops solving)"
    assert len(others) > 2
    assert all(re.fullmatch(sizes, line) for line in (first, *others))
    assert not run("--float", "--enemy", "nob", "--quiet").stderr


def test_a_fight_that_is_too_large_for_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.solve.GIBIBYTE", 1 << 24)
    error = refusal(run("--memory", "0.4", "--float", "--enemy", "three sentries"), code=1)

    assert all(part in error for part in ("this fight is too large: ", "--turns 5", "evodom spire search"))


def test_potions_and_payoffs_are_solved():
    options = shlex.split("--deck '2 Strike, 3 Defend' --enemy-hp 40 --player-hp 20 --turns 3 --payoff win")
    win, more = solved(*options), solved(*options, "--potion", "fire")
    screen = text_of(*options, "--potion", "fire")

    assert 0 <= win["value"] == pytest.approx(1 - win["death"], abs=1e-9)
    assert win["value"] < more["value"]
    assert "Potions: Fire Potion" in screen
    assert f"Value        {more['value']:.6f}" in screen


def test_a_group_that_is_one_of_several_is_solved_as_the_mean_of_them():
    options = shlex.split("--deck '5 Bludgeon' --turns 3 --payoff win --player-hp 60")
    names = ("Acid Slime (L)", "Spike Slime (L)", "large slime")
    one, other, either = (solved("--enemy", name, *options)["value"] for name in names)

    assert either == pytest.approx((one + other) / 2)


def test_a_picture_is_drawn(tmp_path):
    file = tmp_path / "hp.svg"
    text_of(*SHORT, "--save", str(file))
    assert "HP left, %: Ironclad against" in file.read_text()


def test_all_rows_are_listed():
    text, page = printed("spire", "cards", "--ascension", "0"), facts("spire", "cards")

    for line in (
        "  Bash                 2  Attack  8 damage, Vulnerable 2",
        "  Havoc                1  Skill   play the top card of the draw pile, and exhaust it",
        "  Whirlwind            X  Attack  5 damage X times to all enemies",
        "  Headbutt             1  Attack  9 damage, put a card of the discard pile on top of the draw pile",
        "  Blood for Blood      4  Attack  18 damage; costs 1 less for every loss of HP",
        "  Rampage+             1  Attack  8 damage; 8 more every time it is played",
        "  Cultist           48-54 HP: Incantation (Ritual 3); Dark Strike (6 damage)",
        "  Vajra                Strength 1",
        "  Fire Potion           20 damage",
        "  Large Slime         strong Acid Slime (L) or Spike Slime (L)",
        "  Barricade           block is kept",
        "  Infernal Blade       1  Skill   1 random Attack card into the hand, at cost 0 this turn; exhausts",
        "  Entropic Brew       makes random potions",
    ):
        assert f"{line}\n" in text
    assert "Golden Idol" in text
    tables = {"cards": CARDS, "relics": RELICS, "potions": POTIONS, "enemies": ENEMIES, "encounters": encounters()}
    assert {name: len(page[name]) for name in tables} == {name: len(table) for name, table in tables.items()}
    assert all(one["solved"] for one in page["enemies"])


@pytest.fixture
def fight_file(tmp_path):
    """Return a function that writes a fight with further lines to a file."""
    file = tmp_path / "fight.toml"
    return lambda more="": file.write_text(FILE + more) and str(file)


FILE = (
    'enemies = "cultist"\nenemy_hp = [20]\ndeck = "4 Strike, 2 Defend"\nhp = 30\nrelics = ["Burning Blood", "Vajra"]\n'
)

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


def test_a_fight_of_a_file_is_solved_and_options_change_it(fight_file):
    page = solved("--fight", fight_file())
    options = ["--deck", "4 Strike, 2 Defend", "--player-hp", "30", "--relic", "burning blood", "--relic", "vajra"]
    same = solved("--enemy-hp", "20", *options)
    changed = solved("--fight", fight_file(), "--add", "bash", "--enemy-hp", "22")
    bounded = solved("--fight", fight_file("turns = 3\n"))

    assert page | {"seconds": 0} == same | {"seconds": 0}
    assert (changed["deck"], changed["enemy_hp"]) == ({"Strike": 4, "Defend": 2, "Bash": 1}, [22])
    assert changed["relics"] == ["Burning Blood", "Vajra"]
    assert bounded["max_turns"] == 3
    assert bounded["expected_hp"] <= bounded["at_most"]


def test_a_fight_that_has_begun_is_solved_with_the_value_of_each_move_and_has_no_first_hand(fight_file):
    page = solved("--fight", fight_file(STATE))

    values = {choice["move"]: choice["value"] for choice in page["choices"]}
    assert page["value"] == max(values.values())
    assert set(values) == {"Strike at Cultist", "end the turn"}
    assert "  Strike at Cultist\n" in text_of("--fight", fight_file(STATE))
    refused = refusal(run("--fight", fight_file(STATE), "--hand", "3 s"))
    assert "--hand is for a fight that has not begun" in refused


SLIME = ("--enemy", "spike slime (s)", "--enemy-hp", "12")


def test_a_fight_whose_states_come_back_has_no_fraction():
    page = solved(*SLIME, "--player-hp", "20")

    assert page["expected_hp"] == pytest.approx(20)
    assert page["error"] < 1e-8
    assert page["expected_hp_exact"] is None


def test_a_limit_of_turns_bounds_the_value_from_both_sides():
    values = [solved(*SLIME, "--turns", str(n)) for n in (1, 2, 4)]

    assert values[0]["expected_hp"] < values[1]["expected_hp"] <= values[2]["expected_hp"]
    assert values[2]["expected_hp"] <= values[2]["at_most"] <= values[1]["at_most"] <= values[0]["at_most"] == 68
    assert values[0]["expected_hp_exact"] is not None


def test_a_fraction_of_thousands_of_figures_is_left_out():
    assert exact_text(Fraction(2, 7)) == "2/7"
    assert exact_text(Fraction(1, 7**20_000)) is exact_text(Fraction(12_345, 67_891), 10) is exact_text(None) is None
