"""Saved fights: one JSON file each, with what it takes to fight it again from the start: form, seed and moves.

What chance decides at a move is drawn from the seed and the number of the move, so that the same moves bring the same.
"""

import json
import zlib
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evodom.errors import EvodomError, RunError, one_line, short
from evodom.files import parse_json, read_text, replace_text
from evodom.runs.meta import FIRST
from evodom.spire.history import RULES
from evodom.web.fights.form import FIELDS, LARGEST_SEED, Json

FORMAT = 1
"""The format of the file, that of the random streams included."""

PROGRAM = "evodom fight"

KEYS = ("program", "format", "rules", "checksum", "title", "stage", "over", "form", "seed", "given", "at", "moves")
"""All that a file holds."""

MOST_MOVES = 600
MOST_CHANGES = 1_000_000

LARGEST = 200_000
"""Bytes of the longest file that is read; a fight of 600 moves takes 20 kB."""


@dataclass
class Course:
    """A fight as it was fought so far. ``at`` counts all that changed; moves are named as the engine names them.

    ``given`` says whether the seed was: who gave it may be told it while the fight goes on.
    """

    form: Json
    seed: int
    given: bool
    at: int = 0
    moves: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SavedFight:
    """What the list of saved fights tells of one; ``problem`` says why a file cannot be read."""

    name: str
    modified: datetime
    title: str = ""
    stage: str = ""
    over: bool = False
    problem: str = ""


def fights_folder(root: Path) -> Path:
    """Return the folder of the saved fights."""
    return root / "fights"


def write_fight(path: Path, course: Course, title: str, stage: str, *, over: bool) -> None:
    """Save a fight in one step; ``stage`` says how far it is. Raises RunError where that cannot be."""
    content = {"program": PROGRAM, "format": FORMAT, "rules": RULES.version, "title": title, "stage": stage}
    content |= {"over": over} | asdict(course)
    content["checksum"] = checksum(content)
    try:
        replace_text(path, json.dumps(content, allow_nan=False))
    except OSError as error:
        raise RunError(f"the fight cannot be saved in {path}: {error.strerror or error}.") from error


def read_fight(path: Path) -> Course:
    """Return a saved fight; whether its moves can be made shows when they are. Raises RunError for a damaged file."""
    try:
        saved = _content(path)
        if unknown := next((key for key in saved if key not in KEYS), None):
            raise ValueError(f"nothing in a saved fight is called {short(unknown)}")
        if (rules := saved.get("rules", FIRST)) != RULES.version:
            raise ValueError(f"it began under version {short(rules)} of the rules, and this is version {RULES.version}")
        return _course(saved)
    except (ValueError, KeyError) as error:
        what = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise unusable(path, what) from error


def unusable(path: Path, what: str) -> RunError:
    """Return the error that says why a file is of no use, and what to do."""
    return RunError(f"{path} cannot be used: {what.rstrip('.')}. Delete it, or begin another fight.")


def saved_fights(root: Path) -> list[SavedFight]:
    """Return what is known of the saved fights, the last one changed first."""
    folder = fights_folder(root)
    try:
        paths = [path for path in folder.glob("*.json") if not path.name.startswith(".") and path.is_file()]
        found = [_described(path) for path in paths if path.stat().st_size]
    except OSError as error:
        raise RunError(f"{folder} cannot be read: {error.strerror or error}.") from error
    return sorted(found, key=lambda fight: (fight.modified, fight.name), reverse=True)


def checksum(content: Json) -> int:
    """Return a checksum of all that a file holds but the checksum."""
    rest = {key: value for key, value in content.items() if key != "checksum"}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


def _content(path: Path) -> Json:
    """Return the content of a file that is a saved fight of this format, unchanged since it was written."""
    saved = parse_json(read_text(path, "a saved fight", "JSON", LARGEST))
    if not isinstance(saved, dict) or saved.get("program") != PROGRAM:
        raise ValueError("it is no saved fight of evodom")
    if saved["format"] != FORMAT:
        raise ValueError(f"it has format {short(saved['format'])}, and this version reads format {FORMAT}")
    if saved["checksum"] != checksum(saved):
        raise ValueError("it has a wrong checksum")
    return saved


def _course(saved: Json) -> Course:
    form, moves = saved["form"], saved["moves"]
    if not isinstance(form, dict) or not all(key in FIELDS for key in form):
        raise ValueError("its form is none")
    if not isinstance(moves, list) or len(moves) > MOST_MOVES or not all(isinstance(name, str) for name in moves):
        raise ValueError("its moves are no list of names")
    if type(saved["given"]) is not bool:
        raise ValueError("it does not say whether its seed was given")
    seed, at = _within(saved, "seed", LARGEST_SEED), _within(saved, "at", MOST_CHANGES)
    return Course(form, seed, saved["given"], at, moves)


def _within(saved: Json, name: str, most: int) -> int:
    value: Any = saved[name]
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"'{name}' is {short(value)}")
    return value


def _described(path: Path) -> SavedFight:
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    try:
        saved = _content(path)
        title, stage = (one_line(saved[key], 300) for key in ("title", "stage"))
        return SavedFight(path.stem, modified, title, stage, saved["over"] is True)
    except KeyError as error:
        return SavedFight(path.stem, modified, problem=f"It cannot be read: '{error.args[0]}' is missing.")
    except (ValueError, EvodomError) as error:
        return SavedFight(path.stem, modified, problem=one_line(f"It cannot be read: {error}", 300))
