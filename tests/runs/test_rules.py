"""Runs made under other rules of their game: told by every command, played only when asked."""

import pytest

from evodom import runs as store
from evodom.entrants import check_run, settings_of, strongest
from evodom.errors import RunError
from evodom.learning.fights import KIND
from evodom.learning.fights.run import options_of as fight_options
from evodom.runs import Run, adopt_rules, check_rules, rules_of
from evodom.runs.lifecycle import RulesVersion
from tests.cli.program import run_program
from tests.crafted import resave, save_evolved, save_learned

THIRD = RulesVersion("Dominion", ("Moats are wet", "Chapel trashes five"))

MADE_UNDER_2 = (
    "run 'demo' was made under version 2 of the rules of Dominion; this is version 3 (Chapel trashes five). "
    "To play it under these: evodom runs adopt demo"
)


@pytest.fixture
def third_rules(monkeypatch):
    """Change Dominion's rules twice."""
    for place in ("evolution.runs.RULES", "learning.run.RULES"):
        monkeypatch.setattr(f"evodom.{place}", THIRD)


@pytest.mark.parametrize("save", [save_evolved, save_learned])
def test_a_run_of_earlier_rules_says_so_and_plays_when_asked(tmp_path, third_rules, save):
    resave(save(tmp_path), rules=[2])

    with Run.open("demo", root=tmp_path) as run, pytest.raises(RunError) as refused:
        strongest(run, 1)
    assert str(refused.value) == MADE_UNDER_2

    with Run.open("demo", root=tmp_path, write=True) as run:
        assert adopt_rules(run, THIRD) == 2
        assert adopt_rules(run, THIRD) == 3
        assert rules_of(run) == [2, 3]
        assert len(strongest(run, 1)) == 1


def test_a_run_that_notes_no_version_was_made_under_the_first(tmp_path, third_rules):
    path = save_evolved(tmp_path)
    with Run.open("demo", root=tmp_path) as run:
        meta, saved = run.meta, list(run)
    del meta["rules"]
    Run.create("demo", meta, saved, root=tmp_path, overwrite=True).close()

    with Run.open(path.stem, root=tmp_path) as run, pytest.raises(RunError, match=r"version 1 .*Moats are wet; Chapel"):
        settings_of(run)


def test_a_run_of_earlier_rules_can_be_carried_to_another_computer(tmp_path, third_rules):
    path = save_evolved(tmp_path)
    resave(path, rules=[1])

    assert store.import_run(path, "copy", root=tmp_path, check=check_run) == "copy"


def test_a_run_of_later_rules_asks_for_an_upgrade(tmp_path):
    resave(save_evolved(tmp_path), rules=[1, 2])

    with Run.open("demo", root=tmp_path, write=True) as run:
        for use in (settings_of, lambda run: adopt_rules(run, RulesVersion("Dominion"))):
            with pytest.raises(
                RunError, match=r"under version 2 .*, and evodom .* knows them up to 1\. Upgrade evodom"
            ):
                use(run)


def test_trainings_for_fights_have_rules_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr("evodom.learning.fights.run.RULES", RulesVersion("fights", ("A Nob is angrier",)))
    resave(save_evolved(tmp_path), kind=KIND, rules=[1])

    with Run.open("demo", root=tmp_path) as run:
        with pytest.raises(RunError, match="has settings this version cannot use"):
            fight_options(run)
        with pytest.raises(RunError, match="version 1 of the rules of fights; this is version 2"):
            check_rules(run, RulesVersion("fights", ("A Nob is angrier",)))


def test_invalid_versions_are_refused(tmp_path):
    path = save_evolved(tmp_path)
    for versions in ([], [0], [2, 1], [1, 1], [True], [1.0], ["1"], 1, None, {}):
        resave(path, rules=versions)
        with Run.open("demo", root=tmp_path) as run:
            for use in (settings_of, check_run):
                with pytest.raises(RunError, match=r"versions of rules that cannot be|does not say under which"):
                    use(run)


def test_the_command_adopts_and_shows_it(tmp_path, third_rules):
    resave(save_evolved(tmp_path), rules=[1])
    data = ("--data-dir", str(tmp_path))

    first, second = (run_program("runs", "adopt", "demo", *data) for _ in range(2))
    shown = run_program("runs", "show", "demo", *data)

    assert first.stderr == "Run 'demo' was made under version 1, and now plays version 3 of the rules of Dominion\n"
    assert second.stderr == "Run 'demo' already plays version 3 of the rules of Dominion\n"
    assert "version 1, then 3" in shown.stdout
