"""Save, find and list sessions: kinds of sessions, file format and checksum, folder, and slots.

Every file has a `program`, the stamp of its `FileFormat`, a `checksum` and the content of its kind. A session is the
file `games/NAME.json` or `fights/NAME.json`, which stays after the end. A new session never overwrites another: it
takes the next free name, "demo", "demo-2", "demo-3".
"""

import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, Protocol

from evodom.errors import EvodomError, RunError, UsageError, one_line, short, suggest_names
from evodom.files import check_new_name, folder_lock, modified_at, parse_json, plain_name, read_text, replace_file
from evodom.formats import FileFormat
from evodom.runs import is_key


@dataclass(frozen=True)
class SessionKind:
    """A kind of session: its noun, the folder and format of its files, and its commands."""

    format: FileFormat
    folder: str
    program: str
    """The field `program` of its files."""
    command: str
    example: str
    """A command that begins a session."""
    largest: int
    """Bytes of the largest file that is read."""

    @property
    def noun(self) -> str:
        """The noun of its format."""
        return self.format.noun


GAMES = SessionKind(
    format=FileFormat("game", 9),
    folder="games",
    program="evodom game",
    command="evodom play",
    example="evodom play --opponent big-money",
    largest=20_000_000,  # a network takes 180 kB
)
FIGHTS = SessionKind(
    format=FileFormat("fight", 3),
    folder="fights",
    program="evodom fight",
    command="evodom spire play",
    example="evodom spire play nob",
    largest=200_000,  # a fight of 600 moves takes 20 kB
)


class Session(Protocol):
    """A game or fight from its start to the present state. Its file holds the start and all choices.

    The same start and the same choices lead to the same state: random numbers follow from the seed.
    """

    @property
    def kind(self) -> SessionKind:
        """The kind of its file."""

    @property
    def at(self) -> int:
        """A number that changes with the state. A request with the number of an earlier state is refused."""

    revision: int | None
    """The checksum of the file that was read or written last. None for a session that was never saved."""

    @property
    def over(self) -> bool:
        """True if the session has ended."""

    @property
    def is_begun(self) -> bool:
        """True if a choice was made. Sessions without choices are not saved."""

    def members(self) -> Mapping[str, str]:
        """Return the content of its file by field, each value as JSON."""


LARGEST_SEED = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""

MAX_NAME_LENGTH = 64
"""Maximum number of characters of a session's name."""

MAX_PLAYER_NAME = 80
"""Maximum number of characters of a player's name."""

_MAX_LINE = 300
"""Maximum number of characters of a title, a stage or a problem in a list."""

_DEFAULT_NAME = "game"


# The content of a file.


class ChangedElsewhere(RunError):
    """Another program has changed the file of a session since it was read."""


def write_session(path: Path, session: Session, *, overwrite: bool = False) -> None:
    """Save a session in one step: the file has the old or the new content. Raise RunError on failure.

    Raises ChangedElsewhere, and writes nothing, if the file's content is not what the session read or wrote last. No
    other thread or process can write between the comparison and the writing. ``overwrite`` omits the comparison.
    """
    members = dict(session.members())
    revision = _checksum_of(members)
    members["checksum"] = str(revision)
    text = "{\n" + ",\n".join(f'"{key}": {value}' for key, value in members.items()) + "\n}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with folder_lock(path.parent):
            if not overwrite and _holds_another(path, session):
                raise ChangedElsewhere(f"the {session.kind.noun} has gone on in another window or terminal.")
            replace_file(path, text)
    except OSError as error:
        raise _cannot_save(session.kind, path, error) from error
    session.revision = revision


def _holds_another(path: Path, session: Session) -> bool:
    """Return True if a file has content that the session has not read or written last."""
    if not path.is_file() or not path.stat().st_size:
        return False
    try:
        saved = parse_json(read_text(path, "", "", session.kind.largest))
    except (UsageError, ValueError):
        return True
    return not isinstance(saved, dict) or session.revision is None or saved.get("checksum") != session.revision


def envelope(kind: SessionKind, rules: str) -> dict[str, object]:
    """Return the fields that begin every file of a kind."""
    return {"program": kind.program} | kind.format.stamp(rules)


def read_content(path: Path, kind: SessionKind, rules: Callable[[Mapping[str, Any]], str]) -> dict[str, object]:
    """Return the content and the checksum of a file without the fields of `envelope`. Raise RunError for damaged files.

    ``rules`` maps the content to the fingerprint of the present rules. A file of another format, or of other rules,
    is refused.
    """
    try:
        text = read_text(path, f"a saved {kind.noun}", "JSON", kind.largest)
    except UsageError as error:
        raise RunError(str(error)) from error
    with usable(path, kind):
        saved = _of_kind(parse_json(text), kind)
        kind.format.check(str(path), saved)
        if "checksum" not in saved:
            raise ValueError("it has no checksum")
        if saved["checksum"] != checksum(saved):
            raise ValueError("it has a wrong checksum")
        present = rules(saved)
    kind.format.check(str(path), saved, present)
    return {key: value for key, value in saved.items() if key not in envelope(kind, present)}


@contextmanager
def usable(path: Path, kind: SessionKind) -> Iterator[None]:
    """Convert errors of invalid content in a file to RunError, in one line with the next step."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise RunError(f"{path} cannot be used: {what}. Delete it, or begin another {kind.noun}.") from error


def checksum(content: Mapping[str, object]) -> int:
    """Return the checksum of a file's content."""
    return _checksum_of({key: as_json(value) for key, value in content.items() if key != "checksum"})


def as_json(value: object) -> str:
    """Return a value as JSON in the form that the checksum is computed from."""
    return json.dumps(value, sort_keys=True, allow_nan=False)


def _checksum_of(members: Mapping[str, str]) -> int:
    """Return the checksum of an object whose members are given as JSON."""
    return zlib.crc32(("{" + ", ".join(f'"{key}": {members[key]}' for key in sorted(members)) + "}").encode())


def _of_kind(saved: object, kind: SessionKind) -> dict[str, Any]:
    """Return the content of a file of this kind, in any version of its format. Raise ValueError for other files."""
    if not isinstance(saved, dict) or saved.get("program") != kind.program:
        raise ValueError(f"it is no saved {kind.noun} of evodom")
    return saved


def _cannot_save(kind: SessionKind, path: Path, error: OSError) -> RunError:
    return RunError(f"the {kind.noun} cannot be saved in {path}: {error.strerror or error}.")


# Where a session is kept.


@dataclass(frozen=True)
class Slot:
    """The file of a session. ``tail`` is appended to the commands that name the session.

    ``has_agents`` adds `--trust-agent` to the commands: the consent to run a game's agents in Python.
    """

    path: Path
    tail: str = ""
    has_agents: bool = False
    kind: SessionKind = GAMES

    @property
    def name(self) -> str:
        """The name of the session."""
        return self.path.stem

    @property
    def continue_command(self) -> str:
        """The command that continues the session."""
        return self._command("--continue")

    @property
    def review_command(self) -> str:
        """The command that reviews the session."""
        return self._command("--review")

    def again_command(self, turn: int) -> str:
        """Return the command that plays the session again from the beginning of a turn."""
        return self._command(f"--from-turn {turn}")

    def _command(self, option: str) -> str:
        return f"{self.kind.command} {self.name} {option}{' --trust-agent' * self.has_agents}{self.tail}"

    def claimed(self) -> "Slot":
        """Create an empty file here and return this slot, or the next free one if there is a file already.

        Concurrent callers get different slots. Raises RunError if no file can be created.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with folder_lock(self.path.parent):
                slot = self.free()
                slot.path.touch(exist_ok=False)
            return slot
        except OSError as error:
            raise _cannot_save(self.kind, self.path, error) from error

    def release(self) -> None:
        """Remove the file of a claimed slot if it is still empty."""
        with suppress(OSError):
            if not self.path.stat().st_size:
                self.path.unlink()

    def free(self) -> "Slot":
        """Return this slot or the next free one. Names that differ only in case count as one."""
        taken = {path.name.casefold() for path in self.path.parent.glob("*.json")}
        further = (self.path.with_name(f"{self.path.stem}-{number}.json") for number in count(2))
        paths = (path for path in chain([self.path], further) if path.name.casefold() not in taken)
        return replace(self, path=next(paths))


@dataclass(frozen=True)
class SavedSession:
    """An entry of the list of saved sessions. ``problem`` is the reason why a file cannot be read.

    A game has ``players`` and the number of its ``turn``, a fight has a ``title`` and its ``progress``.
    """

    slot: Slot
    modified: datetime
    players: tuple[str, ...] = ()
    turn: int | None = None
    title: str = ""
    progress: str = ""
    over: bool = False
    problem: str = ""

    @property
    def name(self) -> str:
        """The name of the session."""
        return self.slot.name

    @property
    def stage(self) -> str:
        """The progress of the session, such as "turn 7" or "over"."""
        if self.over or self.problem:
            return self.progress or ("over" if self.over else "unreadable")
        return self.progress or (f"turn {self.turn}" if self.turn else "-")


@dataclass(frozen=True)
class SessionFolder:
    """The saved sessions of a kind under ``root``. ``tail`` is appended to the commands that name them."""

    kind: SessionKind
    root: Path
    tail: str = field(default="", kw_only=True)

    @property
    def path(self) -> Path:
        """The folder of the files."""
        return self.root / self.kind.folder

    def new_slot(self, name: str) -> Slot:
        """Return the slot of a new session: that of its name, or the next free one."""
        return self._slot(session_name(name)).free()

    def named_slot(self, name: str, *, overwrite: bool = False) -> Slot:
        """Return the slot of a name that the user chose. Raises UsageError if it is taken, unless ``overwrite``.

        Refuses also new names that are not valid as file names on every system (see `check_new_name`).
        """
        slot = self._slot(check_name(name, self.kind, known=[path.stem for path in self.path.glob("*.json")]))
        if slot.path.exists() and not overwrite:
            raise UsageError(
                f"a {self.kind.noun} named '{name}' is saved. Continue it: {slot.continue_command}; or replace it with "
                "--overwrite, or choose another name."
            )
        return slot

    def kept_slot(self, name: str) -> Slot | None:
        """Return the slot of the session that is saved under exactly this name, None if there is none."""
        slot = self._slot(name)
        return slot if slot.path.is_file() else None

    def n_files(self) -> int:
        """Return the number of files. Raises RunError if the folder cannot be read."""
        with self._readable():
            return sum(1 for _ in self.path.glob("*.json"))

    def saved(self) -> list[SavedSession]:
        """Return the saved sessions, those changed last first."""
        with self._readable():
            paths = [path for path in self.path.glob("*.json") if not path.name.startswith(".") and path.is_file()]
            found = [self._described(path) for path in paths if path.stat().st_size]
        return sorted(found, key=lambda session: (session.modified, session.name), reverse=True)

    def find(self, name: str | None, *, going_on: bool) -> Slot:
        """Return the session with a name, otherwise the newest with the name and a number. Raises RunError without one.

        None selects the newest session. With ``going_on`` sessions that are not over come before the others.
        """
        all_saved = self.saved()
        meant = [session for session in all_saved if name is None or session.name == name]
        family = [session for session in all_saved if name is not None and _is_named_after(session.name, name)]
        candidates = [*meant, *family]
        if going_on:
            candidates.sort(key=lambda session: session.over)
        if candidates:
            return candidates[0].slot
        if name is None:
            raise RunError(f"no {self.kind.noun} is saved. Start: {self.kind.example}")
        known = suggest_names(name, [session.name for session in all_saved], f"{self.kind.command} --list")
        raise RunError(f"no {self.kind.noun} named '{name}' is saved. {known}")

    def newest_unfinished(self, name: str) -> SavedSession | None:
        """Return the newest session not over with a name, or with the name and a number; None without one."""
        name = session_name(name)
        named = (one for one in self.saved() if one.name == name or _is_named_after(one.name, name))
        return next((one for one in named if not one.over and not one.problem), None)

    def _slot(self, name: str) -> Slot:
        return Slot(self.path / f"{name}.json", self.tail, kind=self.kind)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunError(f"{self.path} cannot be read: {error.strerror or error}.") from error

    def _described(self, path: Path) -> SavedSession:
        slot, modified = self._slot(path.stem), modified_at(path)
        try:
            text = read_text(path, f"a saved {self.kind.noun}", "JSON", self.kind.largest)
            saved = _of_kind(parse_json(text), self.kind)
            self.kind.format.check(path.name, saved)
            return _DESCRIBE[self.kind](slot, modified, saved)
        except KeyError as error:
            problem = f"'{error.args[0]}' is missing"
        except (ValueError, TypeError, AttributeError, EvodomError) as error:
            problem = str(error)
        return SavedSession(slot, modified, problem=one_line(f"It cannot be read: {problem}", _MAX_LINE))


def games(root: Path, tail: str = "") -> SessionFolder:
    """Return the saved games of Dominion under ``root``."""
    return SessionFolder(GAMES, root, tail=tail)


def fights(root: Path, tail: str = "") -> SessionFolder:
    """Return the saved fights under ``root``."""
    return SessionFolder(FIGHTS, root, tail=tail)


def check_name(name: str, kind: SessionKind = GAMES, *, known: Iterable[str] | None = None) -> str:
    """Return ``name`` if it is valid for a session. Raises UsageError otherwise.

    ``known`` are the names in use, given for a new session. Its name must be valid as a file name on every system.
    """
    if is_key(name):
        if known is not None:
            check_new_name(name, known, f"{kind.noun}'s name", _DEFAULT_NAME)
        return name
    raise UsageError(
        f"a name is 1 to {MAX_NAME_LENGTH} letters a-z, A-Z and digits, with hyphens between them, and got "
        f"{short(name)}. Try: {session_name(name)}"
    )


def session_name(text: str) -> str:
    """Return a text, such as an opponent's name, as a name of a session: "./mine.py" becomes "mine-py"."""
    return plain_name(text, _DEFAULT_NAME, 40)


def _is_named_after(name: str, other: str) -> bool:
    """Return True if a name follows a taken one, as "demo-2" follows "demo"."""
    return name.startswith(other) and re.fullmatch(r"-\d+", name[len(other) :]) is not None


# Entries of lists.


def _describe_game(slot: Slot, modified: datetime, saved: dict[str, Any]) -> SavedSession:
    players, turn = saved["players"], saved.get("turn")
    names = tuple(one_line(player["name"], MAX_PLAYER_NAME) for player in players)
    slot = replace(slot, has_agents=_names_agents([player.get("agent") for player in players]))
    turn = turn if type(turn) is int else None
    return SavedSession(slot, modified, players=names, turn=turn, over=saved.get("over") is True)


def _names_agents(named: list[object]) -> bool:
    """Return True if a saved game names an agent in Python. A network with search is no such agent."""
    if not any(isinstance(entrant, str) for entrant in named):
        return False
    from evodom.matches.names import parse_player  # imports NumPy, which a list without agents does not need

    return any(parse_player(entrant).is_agent for entrant in named if isinstance(entrant, str))


def _describe_fight(slot: Slot, modified: datetime, saved: dict[str, Any]) -> SavedSession:
    title, stage = (one_line(saved[key], _MAX_LINE) for key in ("title", "stage"))
    return SavedSession(slot, modified, title=title, progress=stage, over=saved["over"] is True)


_DESCRIBE = {GAMES: _describe_game, FIGHTS: _describe_fight}
