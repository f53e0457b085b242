"""Every command validates its keys, files, options and names before it compiles a kernel."""

import json

import pytest

from evodom.cli import common
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from tests.cli.program import run_program
from tests.crafted import save_evolved
from tests.sessions.helpers import make_setup

BAD = "nosuch"

REFUSED = [
    ("play", BAD),
    ("play", BAD, "--continue"),
    ("play", BAD, "--review"),
    ("play", "--continue"),
    ("play", "damaged", "--continue"),
    ("play", "damaged", "--review"),
    ("play", "--opponent", BAD),
    ("play", "--opponent", f"./{BAD}.toml"),
    ("play", "demo", "--seat", "6", "--players", "3"),
    ("play", "demo", "--seat", "6", "--players", "3", "--opponent", "random"),
    ("play", "--opponent", "random", "--opponent", "big-money", "--players", "2"),
    ("play", "--opponent", "random", "--kingdom", BAD),
    ("play", BAD, "--watch"),
    ("report", BAD),
    ("report", "demo", "--html", f"./{BAD}/page.html"),
    ("match", BAD, "big-money"),
    ("match", f"./{BAD}.toml", "big-money"),
    ("match", "random", "big-money", "--csv", f"./{BAD}/games.csv"),
    ("tournament",),
    ("tournament", "big-money"),
    ("tournament", BAD, "big-money"),
    ("tournament", "random", "random"),
    ("advise", "--against", BAD),
    ("advise", "--kingdom", BAD),
    ("advise", "--export", f"./{BAD}/list.toml"),
    ("train", "new", "--rival", BAD),
    ("train", "demo"),
    ("train", BAD, "--resume"),
    ("evolve", "new", "--rival", BAD),
    ("evolve", "new", "--rivals", BAD),
    ("evolve", "demo"),
    ("evolve", BAD, "--resume"),
    ("race", "Nosuch"),
    ("strategies", BAD),
    ("spire", "search", "--enemy", BAD),
    ("spire", "search", "--network", BAD),
    ("spire", "search", "--deck", BAD),
    ("spire", "search", "--run", f"./{BAD}.run"),
    ("spire", "solve", "--enemy", BAD),
    ("spire", "play", BAD),
    ("spire", "play", "nob", "--network", BAD),
    ("spire", "play", f"{BAD}.toml"),
    ("spire", "pick", f"Anger, {BAD}", "--enemy", "nob"),
    ("spire", "route", "AGCK93XT", "--deck", f"./{BAD}.toml"),
    ("spire", "route", "!!", "--deck", f"./{BAD}.toml"),
    ("spire", "train", "new", "--enemy", BAD),
    ("spire", "train", "new", "--network", BAD),
    ("spire", "train", BAD, "--resume"),
    ("spire", "compare", BAD, "act1", "--enemy", "nob"),
    ("spire", "compare", "act1", "playouts", "--enemy", BAD),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a data folder with the run `demo` and the damaged game `damaged`."""
    folder = tmp_path_factory.mktemp("data")
    save_evolved(folder, "demo")
    path = folder / "games" / "damaged.json"
    write_session(path, DominionSession(make_setup(n_players=2)))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"choices": [1]}))
    return folder


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_is_refused_is_refused_before_anything_is_compiled(root, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(common, "_compile", lambda *_, **__: pytest.fail("kernels are compiled"))
    monkeypatch.setattr("evodom.matches.playout_search.warm_up", lambda: pytest.fail("the search is compiled"))

    result = run_program(*arguments, EVODOM_DATA_DIR=str(root))

    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
