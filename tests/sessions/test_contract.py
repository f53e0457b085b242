"""A game and a fight as sessions: history, undo, files, lists, terminal. tests/web/test_sessions.py adds HTTP."""

import errno
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier

import pytest

from evodom.errors import RunError, UsageError
from evodom.sessions import files
from evodom.sessions.files import ChangedElsewhere, SessionFolder, Slot, session_name, write_session
from evodom.subprocesses import python_environment
from evodom.terminal.console import MAX_IDLE_LINES, Console, SessionEnd
from tests.effort import effort

from .helpers import Killed, Typist, write_signed
from .kinds import KINDS, rng_of


@pytest.fixture(params=KINDS, ids=lambda kind: kind.kind.noun)
def one(request):
    return request.param


@pytest.fixture
def path(one, tmp_path):
    return tmp_path / one.kind.folder / "demo.json"


@pytest.fixture
def saved(one, path):
    """A session after some choices, and its file."""
    session = one.begin()
    one.play(session, rng_of(1), 12)
    write_session(path, session)
    return session


@pytest.fixture
def folder(one, tmp_path):
    return SessionFolder(one.kind, tmp_path)


# History.


def test_the_same_start_and_choices_lead_to_the_same_state(one):
    sessions = [one.begin(seed=5) for _ in range(2)]
    for session in sessions:
        one.play(session, rng_of(2), 15)
    assert one.state(sessions[0]) == one.state(sessions[1])
    assert one.state(one.begin(seed=6)) != one.state(one.begin(seed=5))


def test_an_undo_goes_back_one_choice_and_keeps_the_luck(one):
    session = one.begin()
    assert not session.is_begun
    states, ats = [one.state(session)], [session.at]
    for n in range(8):
        one.play(session, rng_of(n), 1)
        states.append(one.state(session))
        ats.append(session.at)
    assert session.is_begun
    assert all(before != after for before, after in pairwise(ats))
    for n in reversed(range(8)):
        session.undo()
        assert one.state(session) == states[n]
    for n in range(8):
        one.play(session, rng_of(n), 1)
    assert one.state(session) == states[-1]


# Files.


def test_a_saved_session_is_read_as_it_was_and_goes_on_alike(one, saved, path):
    found = one.read(path)
    assert one.state(found) == one.state(saved)
    assert (found.at, found.over) == (saved.at, saved.over)
    for session in (found, saved):
        one.play(session, rng_of(7), 10)
    assert one.state(found) == one.state(saved)


def test_a_session_is_read_and_written_as_the_same_file(one, saved, path):
    before = path.read_bytes()
    write_session(path, one.read(path))
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["demo.json"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"program": "evodom task"}, "it is no saved"),
        ({"more": 1}, "'more' is unknown"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 10**30}, "more than 64 bits"),
        ({"over": 3}, "over is 3. Allowed: true or false."),
    ],
)
def test_a_file_of_wrong_content_is_refused_in_one_line(one, saved, path, change, why):
    write_signed(path, json.loads(path.read_text()) | change)
    with pytest.raises(RunError) as refusal:
        one.read(path)
    text = str(refusal.value)
    assert text.startswith(f"{path} cannot be used: ")
    assert why in text
    assert text.endswith(f"Delete it, or begin another {one.kind.noun}.")


def test_every_missing_field_is_refused(one, saved, path):
    content = json.loads(path.read_text())
    for name in content:
        rest = {key: value for key, value in content.items() if key != name}
        write_signed(path, rest) if name != "checksum" else path.write_text(json.dumps(rest))
        if name in ("evodom_version", "start"):
            one.read(path)
            continue
        with pytest.raises(RunError, match=r"^[^\n]*(cannot be used|written by)[^\n]*$"):
            one.read(path)


def test_a_changed_character_is_noticed(one, saved, path):
    text = path.read_text()
    for place in range(0, len(text), max(1, len(text) // 40)):
        if not text[place].isspace():
            path.write_text(f"{text[:place]}{chr(ord(text[place]) ^ 2)}{text[place + 1 :]}")
            with pytest.raises(RunError):
                one.read(path)


@pytest.mark.parametrize(("sum_", "why"), [(None, "no checksum"), (1, "a wrong checksum")])
def test_a_file_without_its_checksum_is_refused(one, saved, path, sum_, why):
    content = {key: value for key, value in json.loads(path.read_text()).items() if key != "checksum"}
    path.write_text(json.dumps(content if sum_ is None else content | {"checksum": sum_}))
    with pytest.raises(RunError, match=f"demo.json cannot be used: it has {why}"):
        one.read(path)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b"\x00" * 64, None])
def test_a_foreign_file_is_refused_in_one_line(one, path, content):
    path.parent.mkdir()
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(RunError, match=r"^[^\n]* (cannot be used: |cannot be read|is no text in UTF-8\.)[^\n]*$"):
        one.read(path)


def test_of_several_writers_one_is_saved_and_the_others_are_refused(one, saved, path):
    for turn in range(effort(5, 2, 2)):
        sessions = [one.read(path) for _ in range(6)]
        for number, session in enumerate(sessions):
            one.play(session, rng_of(100 * turn + number), 1)
            if one.state(session) == one.state(saved):  # it is over, or the choice changed nothing
                session.undo()
        gate = Barrier(len(sessions))

        def write(session, gate=gate):
            gate.wait()
            try:
                write_session(path, session)
            except ChangedElsewhere as refusal:
                return str(refusal)
            return ""

        with ThreadPoolExecutor(len(sessions)) as threads:
            refusals = list(threads.map(write, sessions))
        assert refusals.count("") == 1
        assert {*refusals} == {"", f"the {one.kind.noun} has gone on in another window or terminal."}
        saved = one.read(path)
        assert one.state(saved) == one.state(sessions[refusals.index("")])


_SAVING = """
import sys
from pathlib import Path
from evodom.files import replace_file
text = sys.stdin.read()
while True:
    replace_file(Path(sys.argv[1]), text)
    print(flush=True)
"""


def test_a_program_killed_while_it_saves_leaves_a_whole_file(tmp_path):
    game, path = KINDS[0], tmp_path / "demo.json"
    session = game.begin()
    game.play(session, rng_of(1), 12)
    write_session(path, session)
    command, pipe = [sys.executable, "-c", _SAVING, str(path)], subprocess.PIPE
    for seconds in (0.0, 0.01, 0.02):
        with subprocess.Popen(command, env=python_environment(), stdin=pipe, stdout=pipe, text=True) as process:
            process.stdin.write(path.read_text())
            process.stdin.close()
            process.stdout.readline()
            time.sleep(seconds)
            process.kill()
        assert game.state(game.read(path)) == game.state(session)


# At the terminal.


def at_terminal(one, session, path, typist, *, is_saved=None):
    """Play a session at a terminal. Return how it ended."""
    is_saved = path.is_file() if is_saved is None else is_saved
    console = Console(typist.read, typist.write)
    return one.terminal(session, console, Slot(path, kind=one.kind), is_saved=is_saved).run()


def test_a_terminal_follows_a_session_that_went_on_elsewhere(one, path):
    class Other(Typist):
        """Lets another program go on with the session before the second line and before the last one."""

        def next_line(self):
            if len(self.lines) in (1, 3):
                other = one.read(path)
                one.play(other, rng_of(8), 4)
                write_session(path, other)
                self.states.append(one.state(other))
            return super().next_line()

    typist = Other(one.line, one.line, one.line, "quit")
    typist.states = []
    at_terminal(one, one.begin(), path, typist)
    assert " ".join(typist.text.split()).count(f"The {one.kind.noun} has gone on in another window or terminal.") == 2
    assert one.state(one.read(path)) == typist.states[1]
    assert len(typist.states[1][1]) >= len(typist.states[0][1]) + 4


@pytest.mark.parametrize(
    ("then", "outcome"),
    [
        (None, SessionEnd.LEFT),
        (EOFError, SessionEnd.NO_INPUT),
        (KeyboardInterrupt, SessionEnd.INTERRUPTED),
        (Killed, None),
    ],
)
def test_a_session_left_in_any_way_is_saved_and_goes_on_as_if_never_left(one, path, then, outcome):
    session, whole, less = one.begin(), one.begin(), one.begin()
    typist = Typist(one.line, one.line, *(["quit"] if then is None else []), then=then)
    if outcome is None:
        with pytest.raises(Killed):
            at_terminal(one, session, path, typist)
    else:
        assert at_terminal(one, session, path, typist) is outcome
        assert f"\n  {one.kind.command} demo --continue" in typist.text
    for played, n in ((whole, 4), (less, 1)):
        at_terminal(one, played, path.with_name(f"other{n}.json"), Typist(*[one.line] * n), is_saved=True)
    again = one.read(path)
    at_terminal(one, again, path, Typist(one.line, one.line, "quit"))
    assert one.state(one.read(path)) == one.state(again) == one.state(whole)
    at_terminal(one, again, path, Typist("undo", "undo", "undo", "quit"))
    assert one.state(one.read(path)) == one.state(less)


def test_a_session_without_a_choice_is_not_saved_and_one_beside_another_leaves_it_alone(one, path):
    at_terminal(one, one.begin(), path, Typist("quit"))
    assert not path.exists()
    at_terminal(one, one.begin(), path, Typist(one.line, "quit"))
    before, typist = path.read_bytes(), Typist(one.line, one.line, "quit")
    at_terminal(one, one.begin(seed=5), path, typist, is_saved=False)
    assert path.read_bytes() == before
    assert f"{one.kind.command} demo-2 --continue" in typist.text
    assert one.read(path.with_name("demo-2.json")).is_begun


@pytest.mark.parametrize("line", ["xyzzy", "?", "9" * 10_000])
def test_an_endless_stream_of_lines_that_choose_nothing_ends(one, path, line):
    typist = Typist(*[line] * (MAX_IDLE_LINES + 1))
    assert at_terminal(one, one.begin(), path, typist) is SessionEnd.NO_INPUT
    assert f"{MAX_IDLE_LINES} lines in a row" in typist.text
    assert not path.exists()


def test_a_session_that_cannot_be_saved_goes_on_and_says_so_once_and_at_the_end(one, path):
    path.parent.touch()
    typist = Typist(one.line, one.line, one.line)
    assert at_terminal(one, one.begin(), path, typist) is SessionEnd.NO_INPUT
    assert " ".join(typist.text.split()).count("cannot be saved") == 2


def test_a_failed_first_save_leaves_no_file_and_the_next_one_is_tried(one, path, monkeypatch):
    def full(path, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    replace_file = files.replace_file
    monkeypatch.setattr(files, "replace_file", full)
    at_terminal(one, one.begin(), path, Typist(one.line, "quit", "y"), is_saved=False)
    assert not path.exists()

    monkeypatch.setattr(files, "replace_file", replace_file)
    at_terminal(one, one.begin(), path, Typist(one.line, "quit"), is_saved=False)
    assert one.read(path).is_begun


# Lists and names.


def test_nothing_is_overwritten_unasked(one, folder):
    slots = [folder.new_slot("demo").claimed() for _ in range(2)]
    again = slots[0].claimed()
    assert [slot.name for slot in (*slots, again)] == ["demo", "demo-2", "demo-3"]
    with pytest.raises(UsageError, match=rf"a {one.kind.noun} named 'demo' is saved. Continue it: {one.kind.command}"):
        folder.named_slot("demo")
    assert folder.named_slot("demo", overwrite=True).name == "demo"
    slots[0].release()
    assert not slots[0].path.exists()


@pytest.mark.parametrize(
    ("name", "message", "automatic"),
    [
        ("CON", "cannot be 'CON': Windows reserves it. Try: game-CON", "game-CON"),
        ("nul", "cannot be 'nul': Windows reserves it. Try: game-nul", "game-nul"),
        ("Com1", "cannot be 'Com1': Windows reserves it. Try: game-Com1", "game-Com1"),
        ("DEMO", "cannot be 'DEMO': it differs only in case from 'demo'. Choose another.", "DEMO-2"),
        ("prn.", r"a name is 1 to 64 letters .* got 'prn\.'. Try: game-prn", "game-prn"),
        ("com0", None, "com0"),
        ("Console", None, "Console"),
    ],
)
def test_a_new_name_is_a_name_of_a_new_file_on_every_system(one, saved, folder, name, message, automatic):
    """A chosen name is refused, also with ``overwrite``. An automatic name is changed."""
    assert folder.new_slot(name).claimed().name == automatic
    (folder.path / f"{automatic}.json").unlink()
    for overwrite in (False, True):
        if message is None:
            assert folder.named_slot(name, overwrite=overwrite).name == name
        else:
            with pytest.raises(UsageError, match=rf"^(a {one.kind.noun}'s name )?{message}$"):
                folder.named_slot(name, overwrite=overwrite)


def test_saved_sessions_with_names_of_devices_or_other_cases_are_still_found_and_replaced(one, saved, path, folder):
    for name in ("Demo", "NUL"):
        path.with_name(f"{name}.json").write_bytes(path.read_bytes())
    assert {entry.name for entry in folder.saved()} == {"demo", "Demo", "NUL"}
    for name in ("Demo", "NUL"):
        slot = folder.find(name, going_on=False)
        assert one.read(slot.path).is_begun
        assert folder.kept_slot(name) == folder.named_slot(name, overwrite=True) == slot


def test_saved_sessions_are_listed_the_last_one_first(one, saved, path, folder):
    (path.parent / "bad.json").write_text("junk")
    (path.parent / "claimed.json").write_text("")
    os.utime(path, (10**9, 10**9))
    found = {entry.name: entry for entry in folder.saved()}
    assert list(found) == ["bad", "demo"]
    assert found["bad"].stage == "unreadable"
    assert found["bad"].problem.startswith("It cannot be read: ")
    assert found["demo"].stage.casefold().startswith("turn ")
    assert found["demo"].slot.continue_command == f"{one.kind.command} demo --continue"


def test_a_name_means_its_own_session_else_the_last_one_named_after_it(one, saved, path, folder):
    second = path.with_name("demo-2.json")
    second.write_bytes(path.read_bytes())
    os.utime(path, (10**9, 10**9))
    assert folder.find("demo", going_on=True).path == path
    assert folder.find(None, going_on=True).path == second
    path.unlink()
    assert folder.find("demo", going_on=True).path == second
    assert folder.newest_unfinished("demo").slot.path == second
    assert folder.newest_unfinished("other") is None
    with pytest.raises(RunError, match=rf"no {one.kind.noun} named 'dmeo-2' is saved. Known: demo-2."):
        folder.find("dmeo-2", going_on=True)
    second.unlink()
    with pytest.raises(RunError, match=rf"no {one.kind.noun} is saved. Start: {one.kind.example}"):
        folder.find(None, going_on=True)


@pytest.mark.parametrize(
    ("opponent", "name"),
    [("demo:2", "demo-2"), ("./mine.py", "mine-py"), ("network:0.5s", "network-0-5s"), ("../..", "game")],
)
def test_a_session_is_named_after_the_opponent(opponent, name):
    assert session_name(opponent) == name
