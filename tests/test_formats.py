"""A file of another format or of other rules is refused in one line, stays listed, and can be deleted."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evodom import __version__
from evodom.dominion import kingdom
from evodom.dominion.cards import CARDS
from evodom.dominion.kingdom import FIRST_GAME
from evodom.errors import EvodomError
from evodom.files import read_numbers, write_numbers
from evodom.matches.entrants import strongest
from evodom.runs import RunStore
from evodom.sessions.content import read_fight_content, read_game
from evodom.sessions.files import checksum, fights, games
from evodom.spire.content.fingerprint import rules_fingerprint
from tests.crafted import execute, resave, save_evolved, save_learned

SESSIONS = Path(__file__).parent / "data" / "fuzz"

DOMINION, FIGHTS, NETWORK = FIRST_GAME.rules_fingerprint, rules_fingerprint(), "cards"


def run_of(save):
    """Return a function that saves a run with other entries of its meta, and lists and uses it."""

    def check(root, **changes):
        path = save(root)
        resave(path, **changes)
        if "format" in changes:
            execute(path, f"PRAGMA user_version = {changes['format']}")
        (listed,) = RunStore(root).infos()
        assert bool(listed.problem) == ("format" in changes)
        try:
            with RunStore(root).open("demo") as run:
                strongest(run, 1)
        finally:
            RunStore(root).delete("demo")
            assert RunStore(root).infos() == []

    return check


def session_of(source, folder, read):
    """Return a function that saves a session with other fields, and lists and reads it."""

    def check(root, **changes):
        content = json.loads((SESSIONS / source).read_text()) | changes
        path = folder(root).path / "demo.json"
        path.parent.mkdir()
        path.write_text(json.dumps(content | {"checksum": checksum(content)}))
        (listed,) = folder(root).saved()
        assert bool(listed.problem) == ("format" in changes)
        read(path)

    return check


def network(root, **changes):
    path = root / "network.npz"
    write_numbers(path, np.ones(3, np.float32), NETWORK)
    with np.load(path) as content:
        saved = dict(content)
    np.savez(path, **saved | changes)
    read_numbers(path, NETWORK)


KINDS = {
    "evolved": (run_of(save_evolved), "run", 8, DOMINION),
    "learned": (run_of(save_learned), "run", 8, DOMINION),
    "game": (session_of("game/read-checksum.json", games, read_game), "game", 9, DOMINION),
    "fight": (session_of("page-fight/read-short.json", fights, read_fight_content), "fight", 3, FIGHTS),
    "network": (network, "network", 2, NETWORK),
}
"""Each kind: its check, its noun, its format, and the fingerprint of its rules."""

ADVICE = r"Open it with the version that wrote it, or delete it\.?$"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_another_version_is_refused_and_stays_listed(tmp_path, kind):
    check, noun, form, rules = KINDS[kind]
    cases = [({"format": other}, f"format {other}", f"reads format {form}") for other in (form - 1, form + 1)]
    cases += [({"rules": other}, f"rules {other!r}", f"has rules '{rules}'") for other in ("0123", 7)]
    for number, (changes, theirs, ours) in enumerate(cases):
        found = rf"^\S.* is a {noun} of {theirs}, written by evodom 9\.8; evodom {__version__} {ours}\. "
        (folder := tmp_path / str(number)).mkdir()
        with pytest.raises(EvodomError, match=found + ADVICE):
            check(folder, evodom_version="9.8", **changes)


def test_a_fingerprint_covers_the_rows_of_its_kingdom(monkeypatch):
    before = {name: kingdom.Kingdom(cards).rules_fingerprint for name, cards in kingdom.KINGDOMS.items()}
    cards = CARDS | {"Moat": replace(CARDS["Moat"], cost=3)}
    monkeypatch.setattr(kingdom, "find_card", lambda name: cards[name])
    after = {name: kingdom.Kingdom(cards).rules_fingerprint for name, cards in kingdom.KINGDOMS.items()}
    assert {name for name in before if before[name] != after[name]} == {
        name for name, cards in kingdom.KINGDOMS.items() if "Moat" in cards
    }
