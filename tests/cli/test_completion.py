"""The shell completes cards, kingdoms, strategies and keys, as words that need no quotes."""

import pytest
from click.shell_completion import ShellComplete

from evodom.cli import cli
from evodom.dominion.strategies.baselines import BASELINES
from evodom.runs import RunStore

CASES = [
    ("cards", "Mi", "militia mine"),
    ("cards", "throne", "throne-room"),
    ("kingdoms", "first", "first-game first-game-1st-edition"),
    ("kingdoms", "re", "remodel"),
    ("kingdoms", "Silver", "silver-and-gold"),
    ("kingdoms", "chapel,wi", "chapel,witch"),
    ("kingdoms", "ra", "random"),
    ("play --opponent", "big-money-", " ".join(name for name in BASELINES if name.startswith("big-money-"))),
    ("tournament", "big", "big-money big-money-smithy bigger.toml big"),
    ("runs show", "b", "base big"),
    ("runs --data-dir other show", "b", "beta"),
    ("runs show --data-dir other", "b", "beta"),
]


@pytest.mark.parametrize(("words", "incomplete", "completed"), CASES)
def test_names_are_completed(tmp_path, monkeypatch, words, incomplete, completed):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path))
    (tmp_path / "bigger.toml").touch()
    for folder, key in (("", "base"), ("", "big"), ("", "demo"), ("other", "beta")):
        RunStore(tmp_path / folder).create(key, {}, []).close()

    items = ShellComplete(cli, {}, "evodom", "_EVODOM_COMPLETE").get_completions(words.split(), incomplete)
    found = [item.value for item in items]

    assert {*completed.split()} <= {*found}
    assert all(name.startswith(incomplete.casefold()) for name in found)
    assert words.split()[0] != "runs" or found == completed.split()
