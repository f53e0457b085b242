"""Files of every format that was ever written: they load, and their strategies play."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.strategies.record import STRATEGY
from evodom.entrants import check_run, find_entrants, settings_of
from evodom.learning.fights import run as fights
from evodom.matches.simulate import play_games
from evodom.runs import FORMAT, Run, import_run, rules_of
from evodom.runs.lifecycle import kind_of
from evodom.sessions.fight import read_fight_session
from evodom.sessions.files import FIGHTS
from evodom.spire.play.searcher import FightSearchOptions

RELEASED = Path(__file__).parents[1] / "data" / "released"

RUNS = sorted(path.name.removesuffix(".sqlite.gz") for path in RELEASED.glob("*.sqlite.gz"))


def unpacked(name: str, folder: Path) -> Path:
    """Unpack a file of the released ones into a folder and return its path."""
    path = folder / name
    path.write_bytes(gzip.decompress((RELEASED / f"{name}.gz").read_bytes()))
    return path


def test_there_are_files_of_every_format():
    assert {int(name.split("-")[0]) for name in RUNS} == set(range(1, FORMAT + 1))
    assert all((RELEASED / f"fight-{form}.json.gz").exists() for form in FIGHTS.formats)


@pytest.mark.parametrize("name", [name for name in RUNS if "fights" not in name])
def test_a_run_of_any_format_is_imported_and_plays(tmp_path, name):
    import_run(unpacked(f"{name}.sqlite", tmp_path), "old", root=tmp_path, check=check_run)

    with Run.open("old", root=tmp_path) as run:
        players = settings_of(run).players
        assert rules_of(run) == [1]
    found = find_entrants(["old"], root=tmp_path)
    strategies = np.zeros(1, STRATEGY)
    strategies[0] = found.entrants[0].strategy
    rules, tables = found.kingdom.rules(players), np.zeros((5, players), np.int32)
    results = play_games(rules, strategies, tables, np.arange(5, dtype=np.uint64))
    assert (results["turns"][:, :players] > 5).all()


@pytest.mark.parametrize("name", [name for name in RUNS if "fights" in name])
def test_a_training_for_fights_of_any_format_is_imported_and_read(tmp_path, name):
    import_run(unpacked(f"{name}.sqlite", tmp_path), "old", root=tmp_path, check=check_run)

    with Run.open("old", root=tmp_path) as run:
        assert kind_of(run).rules.game == "Slay the Spire's fights"
        assert fights.network_of(run).width == 8
        assert [list(fight.encounter_names()) for fight in fights.fights_of(run)] == [[("Cultist", 1)]]


@pytest.mark.parametrize("form", FIGHTS.formats)
def test_a_saved_fight_of_any_format_is_read(tmp_path, form):
    session = read_fight_session(unpacked(f"fight-{form}.json", tmp_path), FightSearchOptions(1))

    assert session.over
    assert session.log[:3] == ["Fire Potion at 2 Red Louse", "Armaments", "choose Armaments"]
