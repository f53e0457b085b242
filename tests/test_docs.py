"""The documentation: examples run, and what it names is there."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from evodom.cli import COMMANDS
from evodom.dominion.cards import CARDS
from evodom.dominion.effects import __dict__ as vocabulary

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("module", ["evodom.dominion.game", "evodom.evolution.algorithm"])
def test_examples_in_docstrings_run(module):
    failed, attempted = doctest.testmod(import_module(module))

    assert attempted > 0
    assert failed == 0


def test_the_python_example_of_the_readme_runs(capsys):
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)

    exec(example[1], {})

    assert "Treasures: which of Copper do you play?" in capsys.readouterr().out


def test_the_readme_names_every_command():
    assert all(f"`evodom {name}" in README for name in COMMANDS)


def test_ci_finds_exactly_one_test_command_in_the_readme():
    commands = [line for line in README.splitlines() if re.search(r"python3 -m venv .*pytest", line)]

    assert len(commands) == 1


def test_every_card_in_the_game_is_said_in_the_documentation_with_the_vocabulary_it_uses():
    rows = dict(re.findall(r"^\| \*?([A-Z][A-Za-z ]+?)\*? \| (.*) \|$", (ROOT / "docs/effects.md").read_text(), re.M))

    for card in CARDS.values():
        if card.effects:
            words = set(re.findall(r"[a-z_]+(?=\()", rows[card.name])) & set(vocabulary)
            assert words, card.name
