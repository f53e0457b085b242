"""`evodom spire fight`: a fight is asked for, and written to a file."""

import pytest

from evodom.spire.fights import read_fight
from tests.cli.program import refusal, run_program


@pytest.fixture
def file(tmp_path):
    return tmp_path / "mine.toml"


@pytest.fixture
def write(file):
    return lambda *options, answers="": run_program("spire", "fight", str(file), *options, typed=answers)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setattr("evodom.cli.spire.play.is_terminal", lambda stream: True)


def test_a_fight_is_asked_for_and_written(file, write, terminal):
    shown = write(
        answers="dragon\nsentries\n5 Strike, 5 Bash+\nmany\n99\n40\nvajra, anchorr\nvajra, anchor\nfire\n"
    ).stdout
    fight = read_fight(file)

    for fact in ("no encounter or enemy named 'dragon'", "got 'many'", "99 HP of at most 75", "anchorr"):
        assert fact in shown
    assert fight.text == "Three Sentries, ascension 20, 40 of 75 HP"
    assert fight.setup.deck == {"Strike": 5, "Bash+": 5}
    assert fight.setup.relics == ("Burning Blood", "Vajra", "Anchor")
    assert fight.setup.potions == ("Fire Potion",)
    assert shown.splitlines()[-1] == f"Next: evodom spire play {file}, or: evodom spire search --fight {file}"


def test_what_options_say_is_not_asked_and_no_answers_are_the_first_fight_of_a_run(file, write, terminal):
    given = ("--enemy", "nob", "--deck", "9 Bash", "--player-hp", "7", "--relic", "vajra", "--potion", "fire")
    assert "Your" not in write(*given).stdout
    assert read_fight(file).text == "Gremlin Nob, ascension 20, 7 of 75 HP"

    assert write("-o", answers="\n" * 5).exit_code == 0
    assert read_fight(file).text == "Cultist, ascension 20, 68 of 75 HP"


def test_where_nobody_can_be_asked_options_say_all(file, write):
    assert write("--enemy", "3 louses").exit_code == 0
    assert read_fight(file).text == "Three Louses, ascension 20, 68 of 75 HP"

    assert "exists. Replace it with --overwrite" in refusal(write())
    assert write("--overwrite").exit_code == 0
    assert read_fight(file).text == "Cultist, ascension 20, 68 of 75 HP"


def test_the_end_of_the_input_writes_nothing(file, write, terminal):
    assert write(answers="nob\n").exit_code == 130
    assert not file.exists()
