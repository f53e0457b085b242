"""`evodom spire fight`: a fight is asked for, and written to a file."""

import pytest
from click.testing import CliRunner

from evodom.cli.spire import spire
from evodom.spire.fights import read_fight
from tests.cli.program import refusal


def run(*arguments, answers=""):
    return CliRunner().invoke(spire, [*map(str, arguments)], input=answers)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.play.is_terminal", lambda stream: True)


def test_a_fight_is_asked_for_and_written(tmp_path, terminal):
    file = tmp_path / "mine.toml"
    answers = "dragon\nsentries\n5 Strike, 5 Bash+\nmany\n99\n40\nvajra, anchorr\nvajra, anchor\nfire\n"
    result = run("fight", file, answers=answers)
    fight = read_fight(file)

    assert result.exit_code == 0, result.output
    assert "no encounter or enemy named 'dragon'" in result.stdout
    assert "got 'many'" in result.stdout
    assert "99 HP of at most 75" in result.stdout
    assert "anchorr" in result.stdout
    assert fight.text == "Three Sentries, ascension 20, 40 of 75 HP"
    assert fight.setup.deck == {"Strike": 5, "Bash+": 5}
    assert fight.setup.relics == ("Burning Blood", "Vajra", "Anchor")
    assert fight.setup.potions == ("Fire Potion",)
    assert result.stdout.splitlines()[-1] == f"Next: evodom spire play {file}, or: evodom spire search --fight {file}"


def test_no_answers_are_the_first_fight_of_a_run(tmp_path, terminal):
    file = tmp_path / "mine.toml"
    assert run("fight", file, answers="\n" * 5).exit_code == 0

    assert read_fight(file).text == "Cultist, ascension 20, 68 of 75 HP"


def test_what_options_say_is_not_asked(tmp_path, terminal):
    file = tmp_path / "mine.toml"
    given = ("--enemy", "nob", "--deck", "9 Bash", "--player-hp", "7", "--relic", "vajra", "--potion", "fire")
    result = run("fight", file, *given)

    assert result.exit_code == 0
    assert "Your" not in result.stdout
    assert read_fight(file).text == "Gremlin Nob, ascension 20, 7 of 75 HP"


def test_where_nobody_can_be_asked_options_say_all(tmp_path):
    file = tmp_path / "mine.toml"
    assert run("fight", file, "--enemy", "3 louses").exit_code == 0
    assert read_fight(file).text == "Three Louses, ascension 20, 68 of 75 HP"

    assert "exists. Replace it with --overwrite" in refusal(run("fight", file))
    assert run("fight", file, "--overwrite").exit_code == 0
    assert read_fight(file).text == "Cultist, ascension 20, 68 of 75 HP"


def test_the_end_of_the_input_writes_nothing(tmp_path, terminal):
    file = tmp_path / "mine.toml"
    assert run("fight", file, answers="nob\n").exit_code == 1
    assert not file.exists()
