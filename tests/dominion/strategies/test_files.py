"""Strategy files: read, written, and refused with a line that says why."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, KINGDOMS, Kingdom
from evodom.dominion.strategies.baselines import BUY_LIST_BASELINES, baseline, buy_list_strategy, missing_cards
from evodom.dominion.strategies.files import dump_strategy, load_strategy, parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.preferences.genetics import mutate, random_genomes
from evodom.dominion.strategies.models.preferences.model import FIELDS
from evodom.dominion.strategies.record import EARLY, LATE, PLAY_VALUES, STRATEGY, strategies_of
from evodom.errors import UsageError
from evodom.evolution.options import Options

LIST = """
name = "militia-first"
model = "buy-list"
buy = ["Province if count_in_deck(Gold) > 0", "Gold", "Militia if count_in_deck(Militia) < 2", "Silver"]
endgame_check = true
coin_floor = 4

[hand_value]
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


def test_a_buy_list_is_read_from_a_file():
    found = parse_strategy(LIST)
    buy_list = BuyList(
        ("Province if count_in_deck(Gold) > 0", "Gold", "Militia if count_in_deck(Militia) < 2", "Silver"),
        endgame_check=True,
        coin_floor=4,
        hand_value={"Militia": 3},
        play={"Smithy": 1},
    )

    assert (found.name, found.model, found.cards) == ("militia-first", "buy-list", ("Militia",))
    assert found.record(FIRST_GAME) == buy_list_strategy(buy_list, FIRST_GAME)


def test_a_preferences_file_says_weights_by_phase_and_the_rest_is_as_usual():
    found = parse_strategy(PREFERENCE, name="mine")
    strategy = found.record(FIRST_GAME)

    assert (found.name, found.model, found.cards) == ("mine", "preferences", ("Smithy",))
    assert strategy["preferences"].weights[EARLY].sum() == strategy["preferences"].weights[LATE].sum() == 18.5
    assert sorted(strategy["preferences"].limits)[:2] == [2, 99]
    assert (strategy.switch, strategy["preferences"].graded, strategy.uses_card_values) == (9, 1, 1)


@pytest.mark.parametrize("name", BUY_LIST_BASELINES)
def test_a_buy_list_is_written_so_that_it_loads_as_the_same_record(name, tmp_path):
    kingdom = Kingdom(tuple(missing_cards(name, Kingdom(()))))
    path = tmp_path / "strategy.toml"
    record = baseline(name, kingdom)
    path.write_text(dump_strategy(record, kingdom, name=name, comment="One line.\nAnother."))

    assert load_strategy(path).record(kingdom) == record
    assert load_strategy(path).name == name
    assert path.read_text().startswith("# One line.\n# Another.\nname = ")


@pytest.mark.parametrize("play_values", range(len(PLAY_VALUES)))
def test_what_a_buy_list_says_besides_its_rules_is_written_too(play_values):
    buy_list = BuyList(
        ("Gold if 2 * vp < total_money", "Council Room", "Witch"),
        endgame_check=True,
        play_values=play_values,
        play={"Council Room": 3, "Witch": 50},
        play_with_spare_actions={"Council Room": 4, "Village": 1},
        play_without_curses={"Witch": 60},
        hand_value={"Gold": 1},
        deck_value={"Curse": 9},
        deck_value_if_wanted={"Estate": 0, "Witch": 70},
        trash_below=9,
        coin_floor=8,
        discard_to=7,
        option_values={"trashing": 0.0, "coins": 2.0},
    )
    kingdom = Kingdom(("Council Room", "Witch", "Village", "Chapel"))
    record = buy_list_strategy(buy_list, kingdom)

    assert parse_strategy(dump_strategy(record, kingdom, name="x")).record(kingdom) == record


@pytest.mark.parametrize("model", ["graded", "classic"])
def test_an_evolved_strategy_is_written_so_that_it_loads_as_the_same_record(model):
    """Among them are genes of the play of cards."""
    options = Options(model=model, kingdom=Kingdom(KINGDOMS["Size Distortion"]), worth_mutation=1.0)
    rng = np.random.default_rng(5)
    genomes = random_genomes(8, options, rng)
    for _ in range(20):
        mutate(genomes, options, rng)
    for record in strategies_of(genomes, options):
        found = parse_strategy(dump_strategy(record, options.kingdom, name='tom "the" \\ 7'))

        assert found.record(options.kingdom) == record
        assert found.name == 'tom "the" \\ 7'


def test_the_fields_of_a_preferences_file_are_all_of_the_record_but_those_of_other_models():
    others = {"kind", "kingdom", "network", "computed", "play", "deck_value_if_wanted", "buy_lists"}
    block = {f"preferences.{name}" for name in STRATEGY["preferences"].names}

    assert {each.column for each in FIELDS} == set(STRATEGY.names) - others - {"preferences"} | block


def test_the_random_player_and_cards_that_the_kingdom_lacks_are_refused():
    with pytest.raises(UsageError, match="militia-first names Militia, which the kingdom does not have"):
        parse_strategy(LIST).record(Kingdom(("Village",)))

    with pytest.raises(UsageError, match=r"a random strategy cannot be written as a file\. Allowed: buy-list,"):
        dump_strategy(baseline("random", FIRST_GAME), FIRST_GAME, name="random")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("buy = oops", "is not TOML: .*line 1"),
        ("", "model is missing. Allowed: \"buy-list\" or \"preferences\""),
        ('model = "neural"', "model is 'neural'. Allowed"),
        ("model = [1]", "model is .1.. Allowed"),
        ('model = "random"', "model is 'random'. Allowed"),
        ('model = "menu"\nbuy = ["Gold"]', 'model is \'menu\'. Allowed: "buy-list" or "preferences"'),
        ('model = "buy-list"', "buy is missing. Allowed: a list of rules"),
        ('buy = ["Gold"]\nbye = 1', "no field named 'bye'. Did you mean buy?"),
        ('buy = ["Gold"]\nname = ""', "name is ''. Allowed: one line of text"),
        ('buy = ["Gold", "Goold"]', "buy, rule 2: no card named 'Goold'. Did you mean Gold"),
        ('buy = ["Gold if vp >"]', "buy, rule 1: condition 'vp >' cannot be read. Allowed: comparisons"),
        ("buy = [7]", "buy, rule 1: a rule is 7"),
        ('buy = ["Gold"]\nendgame_check = 1', "endgame_check is 1. Allowed: true or false"),
        ('buy = ["Gold"]\n[play]\nSmithy = 32768', r"Smithy is 32768. Allowed: a whole number from 0 to 32767"),
        ('buy = ["Gold"]\ncoin_floor = -1', "coin_floor is -1. Allowed: a whole number from 0"),
        ('buy = ["Gold"]\n[hand_value]\nGoold = 1', r"\[hand_value\]: no card named 'Goold'"),
        ('buy = ["Gold"]\n[hand_value]\nGold = "x"', r"\[hand_value\] Gold is 'x'. Allowed: a whole number"),
        ('buy = ["Gold"]\nhand_value = 4', "hand_value is 4. Allowed: a table of cards"),
        ('buy = ["Gold"]\n[option_values]\ncoin = 1', r"\[option_values\] has no 'coin'\. Did you mean coins\?"),
        ('buy = ["Gold"]\n[option_values]\nx = 1', r"has no 'x'\. Known: coins, cards, actions, buys"),
        ('buy = ["Gold"]\n[option_values]\ncoins = -1', r"\[option_values\] coins is -1. Allowed: a number from 0"),
        ('buy = ["Gold"]\noption_values = 3', "option_values is 3. Allowed: a table of numbers, such as coins = 1"),
        ('model = "preferences"', r"\[early\] prefers nothing"),
        ('model = "preferences"\n[early]\nGold = inf', r"\[early\] Gold is inf. Allowed: a number from 0"),
        ('model = "preferences"\ngraded = 1\n[early]\nGold = 1', "graded is 1. Allowed: true or false"),
        ('model = "preferences"\nclass_weights = [1]\n[early]\nGold = 1', "class_weights is .* a list of 3 numbers"),
        ('model = "preferences"\nbuy = ["Gold"]', "no field named 'buy'"),
    ],
)  # fmt: skip
def test_an_invalid_file_is_refused_in_one_line(text, error, tmp_path):
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
