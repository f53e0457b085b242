"""Words that users type for players, with the kind of each, and a folder whose files a wrong reading would open."""

import sys
from contextlib import contextmanager

from evodom.matches.names import PlayerKind

_TABLE = """
BASELINE random big-money
NETWORK  network
SEARCH   network:0.5s network:.5s network:60s network:0s network:61s network:999999999s
RUN      run run:2 run@3:1 my-run:graded:2 os:network os:best-response EVIL run:mixture run:mixture@3
RUN      network:2 network@3 network:list network:network@3:2 network:best-response network:mixture
FILE     mine.toml ./mine.toml ~/mine.toml a/b /etc/passwd ../x evil:mine.toml a/network:s
POLICY   mine.onnx ./mine.pt2 evil:mine.pt2
AGENT    ./mine.py mine.py mine.py:x evil:agent os:getcwd evil.network:s Evil:Agent evil:agent.py réseau:s
UNKNOWN  network:s network:.s network:5.s network:0.5 network:0.5S network:1e3s network:-1s network:+1s network:1_0s
UNKNOWN  network:infs network:nans network:9999999999s network: network:agent network:mine.py network:a/b
UNKNOWN  network:mine.toml network:mine.pt2 .. mine.tml run@ run:9999999 mine.py: :agent evil: evil:agent:x
"""

WORDS = {word: PlayerKind[kind] for kind, *words in map(str.split, _TABLE.split("\n")[1:-1]) for word in words}
WORDS |= {"a\nb.py": PlayerKind.AGENT}
WORDS |= dict.fromkeys(
    ["", " ", "run 2", "network: 0.5s", "network:\u0663s", "\uff4eetwork:s", "network.py\n", "mine\0.py", "x" * 10_000],
    PlayerKind.UNKNOWN,
)

SERVED = (PlayerKind.BASELINE, PlayerKind.NETWORK, PlayerKind.SEARCH)
"""The kinds that the server plays besides saved runs. No run is saved in these tests."""

_PLACES = ("mine", "evil", "network", "passwd")
_watches = []
_hooks = []


def _note(event, arguments):
    """Note opened files that the words name, also those of modules: an audit hook of this process.

    Another thread may read the shipped networks, whose files end in .json.
    """
    name = str(arguments[0]).rsplit("/", 1)[-1] if _watches and event == "open" else ""
    if name.partition(".")[0] in _PLACES and not name.endswith(".json"):
        _watches[-1].append(f"open {name}")


@contextmanager
def touched_files(folder, monkeypatch):
    """Yield a list of the opened files that WORDS name, also those of modules. The files exist in ``folder``."""
    for name in ("mine.py", "mine.toml", "mine.onnx", "mine.pt2", "evil.py", "network.py"):
        (folder / name).write_text("raise SystemExit('it was run')")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    if not _hooks:  # a hook cannot be removed
        _hooks.append(sys.addaudithook(_note))
    _watches.append([])
    try:
        yield _watches[-1]
    finally:
        _watches.clear()
