"""Strategy files: read, written, and refused with a line that says why."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import MENUS
from evodom.dominion.strategies.files import PREFERENCES, dump_strategy, load_strategy, parse_strategy
from evodom.dominion.strategies.menus import Menu, menu_strategy
from evodom.dominion.strategies.record import EARLY, LATE
from evodom.dominion.strategies.scripted import baseline, missing_cards
from evodom.errors import UsageError
from evodom.evolution.genome import random_genomes, strategies_of
from evodom.evolution.options import Options

MENU = """
name = "militia-first"
model = "menu"
buy = ["Province if count_in_deck(Gold) > 0", "Gold", "Militia if count_in_deck(Militia) < 2", "Silver"]
endgame_check = true
coin_floor = 4

[discard]
Militia = 3

[play]
smithy = 1
"""

PREFERENCE = """
model = "preferences"
switch = 9
[early]
Gold = 10
Silver = 5.5
Smithy = 3
[limits]
Smithy = 2
"""


def test_a_menu_file_is_the_menu_it_says():
    found = parse_strategy(MENU)
    menu = Menu(
        (
            "Province if count_in_deck(Gold) > 0",
            "Gold",
            "Militia if count_in_deck(Militia) < 2",
            "Silver",
        ),
        endgame_check=True,
        coin_floor=4,
        discard={"Militia": 3},
        play={"Smithy": 1},
    )

    assert (found.name, found.model, found.cards) == ("militia-first", "menu", ("Militia",))
    assert found.record(FIRST_GAME) == menu_strategy(menu, FIRST_GAME)


def test_a_preferences_file_says_weights_by_phase_and_the_rest_is_as_usual():
    found = parse_strategy(PREFERENCE, name="mine")
    strategy = found.record(FIRST_GAME)

    assert (found.name, found.model, found.cards) == ("mine", "preferences", ("Smithy",))
    assert strategy.weights[EARLY].sum() == strategy.weights[LATE].sum() == 18.5
    assert sorted(strategy.limits)[:2] == [2, 99]
    assert (strategy.switch, strategy.graded, strategy.weighs) == (9, 1, 1)


@pytest.mark.parametrize("name", MENUS)
def test_a_menu_is_written_so_that_it_loads_as_the_same_record(name, tmp_path):
    kingdom = Kingdom(tuple(missing_cards(name, Kingdom(()))))
    path = tmp_path / "strategy.toml"
    record = baseline(name, kingdom)
    path.write_text(dump_strategy(record, kingdom, name=name, comment="One line.\nAnother."))

    assert load_strategy(path).record(kingdom) == record
    assert load_strategy(path).name == name
    assert path.read_text().startswith("# One line.\n# Another.\nname = ")


def test_what_a_menu_says_besides_its_rules_is_written_too():
    menu = Menu(
        ("Gold if 2 * vp < total_money", "Council Room", "Witch"),
        endgame_check=True,
        play={"Council Room": 3, "Witch": 50},
        play_with_spare_actions={"Council Room": 4, "Village": 1},
        play_without_curses={"Witch": 60},
        discard={"Gold": 1},
        keep={"Curse": 9},
        keep_wanted={"Estate": 0, "Witch": 70},
        trash_below=9,
        coin_floor=8,
        discard_to=7,
    )
    kingdom = Kingdom(("Council Room", "Witch", "Village", "Chapel"))
    record = menu_strategy(menu, kingdom)

    assert parse_strategy(dump_strategy(record, kingdom, name="x")).record(kingdom) == record


@pytest.mark.parametrize("model", ["graded", "classic"])
def test_an_evolved_strategy_is_written_so_that_it_loads_as_the_same_record(model):
    options = Options(model=model, kingdom=Kingdom(KINGDOMS["Size Distortion"]))
    genomes = random_genomes(8, options, np.random.default_rng(5))
    for record in strategies_of(genomes, options):
        text = dump_strategy(record, options.kingdom, name='tom "the" \\ 7')
        found = parse_strategy(text)

        assert found.record(options.kingdom) == record
        assert found.name == 'tom "the" \\ 7'


def test_the_fields_of_a_preferences_file_are_all_of_the_record_but_those_of_menus():
    own = {
        "kind",
        "kingdom",
        "n_rules",
        "rules",
        "conditions",
        "terms",
        "endgame_check",
        "play",
        "keep_wanted",
        "discard_to",
    }
    record = baseline("big-money", FIRST_GAME)

    assert {each.column for each in PREFERENCES} == set(record.dtype.names) - own


def test_a_card_that_the_kingdom_lacks_is_refused():
    with pytest.raises(UsageError, match="militia-first names Militia, which the kingdom does not have"):
        parse_strategy(MENU).record(Kingdom(("Village",)))


def test_the_random_player_cannot_be_written():
    with pytest.raises(UsageError, match="random is no strategy that a file can say"):
        dump_strategy(baseline("random", FIRST_GAME), FIRST_GAME, name="random")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("buy = oops", "is not TOML: .*line 1"),
        ("", "model is missing. Allowed: \"menu\" or \"preferences\""),
        ('model = "neural"', "model is 'neural'. Allowed"),
        ('model = "menu"', "buy is missing. Allowed: a list of rules"),
        ('buy = ["Gold"]\nbye = 1', "no field named 'bye'. Did you mean buy?"),
        ('buy = ["Gold"]\nname = ""', "name is ''. Allowed: one line of text"),
        ('buy = ["Gold", "Goold"]', "buy, rule 2: no card named 'Goold'. Did you mean Gold"),
        ('buy = ["Gold if vp >"]', "buy, rule 1: condition 'vp >': expected .*, got the end"),
        ("buy = [7]", "buy, rule 1: a rule is 7"),
        ('buy = ["Gold"]\nendgame_check = 1', "endgame_check is 1. Allowed: true or false"),
        ('buy = ["Gold"]\ncoin_floor = -1', "coin_floor is -1. Allowed: a whole number from 0"),
        ('buy = ["Gold"]\n[discard]\nGoold = 1', r"\[discard\]: no card named 'Goold'"),
        ('buy = ["Gold"]\n[discard]\nGold = "x"', r"\[discard\] Gold is 'x'. Allowed: a whole number"),
        ('buy = ["Gold"]\ndiscard = 4', "discard is 4. Allowed: a table of cards"),
        ('model = "preferences"', r"\[early\] prefers nothing"),
        ('model = "preferences"\n[early]\nGold = inf', r"\[early\] Gold is inf. Allowed: a number from 0"),
        ('model = "preferences"\ngraded = 1\n[early]\nGold = 1', "graded is 1. Allowed: true or false"),
        ('model = "preferences"\nclass_weights = [1]\n[early]\nGold = 1', "class_weights is .* a list of 3 numbers"),
        ('model = "preferences"\nbuy = ["Gold"]', "no field named 'buy'"),
    ],
)  # fmt: skip
def test_an_error_is_one_line_that_says_what_and_what_is_allowed(text, error, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(text)

    with pytest.raises(UsageError, match=error) as raised:
        load_strategy(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_strategy(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is no text in UTF-8"):
        load_strategy(binary)
