"""`evodom spire map`: maps in the terminal, as JSON and as pictures."""

import json
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner

from evodom.cli.spire import map as spire_map
from evodom.cli.spire import spire
from evodom.spire.map import draw_map, generate, map_to_json

ROOT = Path(__file__).parents[3]
MAPS = ROOT / "tests" / "data" / "maps"
DOCUMENTATION = (ROOT / "docs" / "guide" / "maps.md").read_text()


def run(*arguments):
    return CliRunner().invoke(spire, ["map", *arguments])


def test_a_map_is_drawn_under_what_it_is():
    result = run("agck93xt")

    assert result.exit_code == 0
    assert result.stdout == (
        f"Act 1 of seed 673465884448 (AGCK93XT), ascension 20\n\n{draw_map(generate(673465884448))}\n"
    )
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert len(result.stdout.splitlines()) <= 40


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["673465884448", "--act", "2"], "673465884448_Act2.json"),
        (["AGCK93XT", "--ascension", "1"], "673465884448_Act1.json"),
        (["1", "--act", "3"], "1_Act3.json"),
        (["0", "--ascension", "0"], "0_A0_Act1.json"),
        ([str(MAPS / "1_Act3.json")], "1_Act3.json"),
    ],
)
def test_json_is_the_file_and_a_line_break(arguments, file):
    assert run(*arguments, "--json").stdout == (MAPS / file).read_text() + "\n"


@pytest.mark.parametrize("arguments", [["-5"], ["--act", "2", "-5"], ["-5", "--act", "2"], ["--act", "2", "--", "-5"]])
def test_seeds_may_be_negative_wherever_they_stand(arguments):
    act = 2 if "2" in arguments else 1

    assert run("--json", *arguments).stdout == map_to_json(generate(-5, act)) + "\n"


def test_a_picture_is_drawn(tmp_path):
    file = tmp_path / "map.svg"

    assert run("1", "--save", str(file)).stderr == f"Picture: {file}\n"
    picture = ElementTree.parse(file).getroot()
    assert picture.findtext("{*}title") == "Act 1 of seed 1 (1), ascension 20"
    assert "svg.map .way" in picture.findtext("{*}style")
    assert len(picture.findall("{*}g[@class='room']")) == len(generate(1).rooms) + 1  # and the boss


def test_a_file_is_drawn_and_what_no_path_uses_is_told(tmp_path):
    file = tmp_path / "mine.json"
    nodes = [(0, 3, "ShopRoom"), (4, 3, "RestRoom"), (1, 4, "EventRoom")]
    page = {
        "nodes": [{"x": x, "y": y, "class": room} for x, y, room in nodes],
        "edges": [{"src_x": 0, "src_y": 3, "dst_x": 1, "dst_y": 4}],
    }
    file.write_text(json.dumps(page))
    result = run(str(file))

    assert result.exit_code == 0
    assert result.stdout.startswith("mine.json\n\n  5       ?   ")
    assert "4,4" in result.stderr
    assert run(str(file), "--quiet").stderr == ""


def test_colours_are_for_terminals_whose_users_want_them(monkeypatch):
    assert not spire_map.has_colours()
    monkeypatch.setattr(spire_map, "is_terminal", lambda stream: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert spire_map.has_colours()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not spire_map.has_colours()


def test_the_documentation_names_every_option():
    assert isinstance(spire_map.map_command, click.Command)
    for option in spire_map.map_command.params:
        if isinstance(option, click.Option):
            assert f"`{option.opts[0]}" in DOCUMENTATION
