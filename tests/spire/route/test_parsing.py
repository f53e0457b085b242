"""Route preferences and rules as text: names of rooms, tables, TOML files, and errors."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from evodom.errors import UsageError
from evodom.spire.map import Node, Room
from evodom.spire.route import RANK, RISK, at_least, at_most
from evodom.spire.route.parsing import (
    find_room,
    parse_chance,
    parse_hp_change,
    parse_hp_changes,
    parse_limit,
    parse_node,
    parse_numbers,
    read_preferences,
)
from evodom.spire.route.rules import WEAK


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("elite", Room.ELITE), ("Elites", Room.ELITE), ("$", Room.SHOP), ("?", Room.EVENT), ("m", Room.MONSTER),
        ("MonsterRoomElite", Room.ELITE), (" campfires ", Room.REST), ("boss", Room.BOSS),
    ],
)  # fmt: skip
def test_rooms_are_found_by_name_letter_and_plural(text, room):
    assert find_room(text) is room


def test_numbers_are_parsed_exactly():
    assert parse_numbers("monster=0.1, elite=-5,shop=1/3,") == {
        Room.MONSTER: Fraction(1, 10),
        Room.ELITE: -5,
        Room.SHOP: Fraction(1, 3),
    }


def test_formats_of_chances_and_changes():
    assert parse_chance("12.5%") == parse_chance("1/8") == Fraction(1, 8)
    assert (parse_hp_change("+24"), parse_hp_change("-8")) == (24, -8)


def test_changes_of_hp_accept_weak():
    assert parse_hp_changes("weak=-4, monsters=-8") == {WEAK: -4, Room.MONSTER: -8}


@pytest.mark.parametrize(
    ("text", "kind", "rule"),
    [
        ("1 shop before 8", "least", at_least(1, Room.SHOP, before=7)),
        ("2 elites", "most", at_most(2, Room.ELITE)),
        ("3 $ after floor 1 before floor 15", "least", at_least(3, Room.SHOP, after=0, before=14)),
    ],
)
def test_limits_are_parsed(text, kind, rule):
    read = parse_limit(text, kind)

    assert (read.text, read.least, read.most) == (rule.text, rule.least, rule.most)
    nodes = [(Node(0, y), room) for y in range(15) for room in Room]
    assert [read.matches(*met) for met in nodes] == [rule.matches(*met) for met in nodes]


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (parse_numbers, "", "is written like"), (parse_numbers, "monster", "is written like"),
        (parse_numbers, "monster=1, monsters=2", "monster is listed twice"),
        (parse_numbers, "dragon=1", "no room is named 'dragon'"),
        (parse_numbers, "marchant=1", r"no room is named 'marchant'. Rooms: .* Did you mean merchant\?"),
        (parse_numbers, "elite=many", "elite: a number such as"), (parse_numbers, "elite=1/0", "a number such as"),
        (parse_numbers, "elite=nan", "a number such as"), (parse_numbers, "elite=1e30", "numbers go up to"),
        (parse_numbers, "weak=1", "no room is named 'weak'"),
        (parse_hp_changes, "weak=-4, Weak=-5", "weak is listed twice"), (parse_hp_change, "1.5", "whole number"),
        (parse_chance, "120%", "a chance is"), (parse_chance, "-0.1", "a chance is"),
        (parse_chance, "2", "a chance is"), (parse_limit, "shop", "is written like"),
        (parse_limit, "1 shop near 8", "is written like"), (parse_limit, "-1 shop", "is written like"),
        (parse_limit, "1 bar", "no room is named"), (parse_limit, "1 shop before 16", "floor from 1 to 15"),
        (parse_limit, "1 shop after 0", "floor from 1 to 15"), (parse_limit, "1 shop before 5 before 6", "at most one"),
        (parse_node, "3;5", "column,floor"),
    ],
)  # fmt: skip
def test_invalid_texts_raise_errors(read, text, message):
    with pytest.raises(UsageError, match=message):
        read(text, "least") if read is parse_limit else read(text)


def test_nodes_are_column_and_floor():
    assert parse_node(" 3, 5") == Node(3, 4)


def test_preferences_are_read_from_a_file(tmp_path):
    file = tmp_path / "taste.toml"
    file.write_text(
        "[value]\nmonster = 3\nrest = 0.1\n[risk]\nmonster = 1\n[after.rest]\nrest = -2\n"
        '[hp]\nmonster = -8\nweak = -5\nrest = "+24"\n[events]\nmonster = 0.1\nshop = "3%"\n'
    )

    preferences = read_preferences(file)

    assert preferences.table.value == {Room.MONSTER: 3, Room.REST: Fraction(1, 10)}
    assert preferences.table.risk == {Room.MONSTER: 1}
    assert preferences.table.after == {(Room.REST, Room.REST): -2}
    assert preferences.hp == {Room.MONSTER: -8, WEAK: -5, Room.REST: 24}
    assert preferences.events == {Room.MONSTER: Fraction(1, 10), Room.SHOP: Fraction(3, 100)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "value is missing. Allowed: a section of rooms and numbers"),
        ("value = 3", "value is 3. Allowed: a section of rooms"),
        ("[value]\nmonster = true", "value.'monster' is True. Allowed: a number such as"),
        ("[value]\nmonster = [1]", r"value.'monster' is \[1\]. Allowed: a number such as"),
        ("[value]\nmonster = inf", "value.monster is inf. Allowed: a finite number"),
        ("[value]\nmonster = 1\nMonsterRoom = 2", r"monster is listed twice in \[value\]"),
        ("[value]\ndragon = 1", "value: no room is named"),
        ("[values]\nmonster = 1", r"'values' is unknown. Allowed: value, risk, after, .* Did you mean value\?"),
        ("[value]\nmonster = 1\n[after]\nshop = 3", "after.'shop' is 3. Allowed: a section of rooms"),
        ("after = 1\n[value]\nmonster = 1", "after is 1. Allowed: sections of rooms"),
        ("[value]\nmonster = 1\n[hp]\nelite = 1.5", "hp: elite: .* whole number"),
        ("[value]\nmonster = 1\n[events]\nshop = 3", "events: shop: a chance is"),
        ("[value", "is not TOML: "),
        ("[value]\nmonster = 0x" + "F" * 9000, "more than 64 bits"),
        ("[value]\nmonster = " + "9" * 9000, "is not TOML: "),
        ('[value]\nmonster = "1e999999999"', "a number such as"),
    ],
)
def test_errors_of_preference_files_name_the_file(tmp_path, text, message):
    file = tmp_path / "taste.toml"
    file.write_text(text)

    with pytest.raises(UsageError, match=rf"taste.toml.*{message}"):
        read_preferences(file)


def test_unreadable_preference_files_are_refused(tmp_path):
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(UsageError, match=r"none\.toml cannot be read"):
        read_preferences(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="is no text in UTF-8"):
        read_preferences(tmp_path / "bytes.toml")


PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "routes.md").read_text()


def test_the_python_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    exec(example, {})

    values, *bounds = capsys.readouterr().out.splitlines()
    assert values.startswith("[")
    assert bounds == ["0 1/4 265", "1/4 2/3 1225/4", "2/3 1 1175/3"]


def test_the_preference_file_of_the_guide_is_valid(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "taste.toml"
    file.write_text(example)

    preferences = read_preferences(file)

    assert preferences.table.after
    assert preferences.hp
    assert preferences.events


def test_tables_of_the_guide_equal_the_code():
    head, *rows = re.findall(r"^\| (.*) \|$", PAGE, re.MULTILINE)
    rooms = [Room[name.strip().upper()] for name in head.split("|")[1:]]
    row_of = {cells[0].strip("` "): cells[1:] for cells in (row.split("|") for row in rows if "---" not in row)}

    for name, table in {"rank": RANK.value, "risk`, value": RISK.value, "risk`, risk": RISK.risk}.items():
        assert [int(cell) for cell in row_of[name]] == [table.get(room, 0) for room in rooms]
