"""The saved games by name: where one is kept, which there are, and which one a name means.

A game is a file `games/NAME.json`, also once it is over. Nothing is overwritten unasked: a game without a name of its
own takes the next one that is free, "demo", "demo-2", "demo-3". Games of earlier versions keep their files:
"_baselines.json" goes by the name "baselines", and finished ones end with "-finished".
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from evodom.errors import RunError, UsageError, one_line, short
from evodom.files import parse_json, read_text
from evodom.runs import KEY, nearest_of

LONGEST_NAME = 64
"""Characters of the longest name of a game."""

LONGEST_PLAYER = 80
"""Characters of the longest name of a player."""

LARGEST = 20_000_000
"""Bytes of the longest file that is read; a network takes 180 kB."""

_FOLLOWING = re.compile(r"-(?:\d+|finished)")
"""What follows a name that was taken, or stood on a finished game of an earlier version."""


@dataclass(frozen=True)
class Slot:
    """Where a game is kept; ``tail`` ends the commands that are about it.

    ``has_agents`` adds the consent to run the agents in Python that the game names.
    """

    path: Path
    tail: str = ""
    has_agents: bool = False

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.path.stem.removeprefix("_")

    @property
    def going_on(self) -> str:
        """The command that goes on with the game."""
        return f"evodom play {self.name} --continue{self._consent}{self.tail}"

    @property
    def looking_back(self) -> str:
        """The command that reviews the game."""
        return f"evodom play {self.name} --review{self._consent}{self.tail}"

    @property
    def _consent(self) -> str:
        return " --trust-agent" if self.has_agents else ""

    def claimed(self) -> "Slot":
        """Return this place with an empty file in it, or the next free one if there is a file already.

        However many programs do so at once, each gets a place of its own. Raises RunError if no file can be made.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return next(slot for slot in self._in_order() if slot._claim())
        except OSError as error:
            raise RunError(f"the game cannot be saved in {self.path}: {error.strerror or error}.") from error

    def release(self) -> None:
        """Give a claimed place back: its file is removed if it is still empty."""
        with suppress(OSError):
            if not self.path.stat().st_size:
                self.path.unlink()

    def _in_order(self) -> Iterator["Slot"]:
        """Give this place, and those with the next numbers."""
        return (replace(self, path=_numbered(self.path, number)) for number in count(1))

    def _claim(self) -> bool:
        """Make an empty file here; returns False if there is one already."""
        try:
            self.path.touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


@dataclass(frozen=True)
class SavedGame:
    """What the list of saved games tells of one; ``turn`` and ``over`` are not known of those of earlier versions.

    ``problem`` says why a file cannot be read. A game that ``has_agents`` in Python is continued in the terminal only.
    """

    path: Path
    modified: datetime
    players: tuple[str, ...] = ()
    turn: int | None = None
    over: bool = False
    problem: str = ""
    has_agents: bool = False

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.path.stem.removeprefix("_")

    @property
    def going_on(self) -> str:
        """The command that goes on with the game."""
        return Slot(self.path, has_agents=self.has_agents).going_on

    @property
    def stage(self) -> str:
        """How far the game is."""
        return "over" if self.over else "unreadable" if self.problem else f"turn {self.turn}" if self.turn else "-"


def games_folder(root: Path) -> Path:
    """Return the folder of the saved games."""
    return root / "games"


def new_slot(name: str, root: Path, tail: str = "") -> Slot:
    """Return the place of a new game: that of its name, or the next free one."""
    path = games_folder(root) / f"{plain(name)}.json"
    number = next(n for n in count(1) if not _numbered(path, n).exists())
    return Slot(_numbered(path, number), tail)


def named_slot(name: str, root: Path, tail: str = "", *, overwrite: bool = False) -> Slot:
    """Return the place of a game that the user has named; raises UsageError if it is taken, unless ``overwrite``."""
    slot = Slot(games_folder(root) / f"{name}.json", tail)
    if slot.path.exists() and not overwrite:
        raise UsageError(
            f"a game named '{name}' is saved. Go on with it: {slot.going_on}; or replace it with --overwrite, or "
            "choose another name."
        )
    return slot


def check_name(name: str) -> str:
    """Return a name that a game can have, which is a file name on every system; raises UsageError for others."""
    if KEY.fullmatch(name) and len(name) <= LONGEST_NAME:
        return name
    raise UsageError(
        f"a game's name is 1 to {LONGEST_NAME} letters a-z, A-Z and digits, with hyphens between them, and got "
        f"{short(name)}. Try: {plain(name)}"
    )


def kept_slot(name: str, root: Path) -> Slot | None:
    """Return the place of the game that is saved under just this name; None if there is none."""
    paths = (games_folder(root) / f"{start}{name}.json" for start in ("", "_"))
    return next((Slot(path) for path in paths if path.is_file()), None)


def saved_games(root: Path) -> list[SavedGame]:
    """Return what is known of the saved games, the last one changed first."""
    try:
        paths = [path for path in games_folder(root).glob("*.json") if not path.name.startswith(".") and path.is_file()]
        found = [_described(path) for path in paths if path.stat().st_size]
    except OSError as error:
        raise RunError(f"{games_folder(root)} cannot be read: {error.strerror or error}.") from error
    return sorted(found, key=lambda game: (game.modified, game.name), reverse=True)


def find_game(name: str | None, root: Path, *, going_on: bool) -> Path:
    """Return the file of the game that a name means: its own, else that of the last one called after it.

    None means the last game played. To be gone on with, a game that is not over comes first. Raises RunError if there
    is none.
    """
    games = saved_games(root)
    meant = [game for game in games if name is None or game.name == name]
    family = [game for game in games if name is not None and _is_called_after(game.name, name)]
    candidates = [*meant, *family]
    if going_on:
        candidates.sort(key=lambda game: game.over)
    if candidates:
        return candidates[0].path
    if name is None:
        raise RunError("no game is saved. Begin one: evodom play --opponent big-money")
    raise RunError(f"no game named '{name}' is saved. {nearest_of(name, [game.name for game in games], _LIST)}")


_LIST = "evodom play --list"


def offered(name: str, games: Sequence[SavedGame]) -> SavedGame | None:
    """Return the last game not over that was saved under a name or called after it; None if there is none."""
    name = plain(name)
    open_games = (game for game in games if not game.over and not game.problem)
    return next((game for game in open_games if game.name == name or _is_called_after(game.name, name)), None)


def plain(text: str) -> str:
    """Return what a game is called after an opponent: "./mine.py" as "mine-py"."""
    return "-".join(re.findall(r"[A-Za-z0-9]+", text))[:40].strip("-") or "game"


def _is_called_after(name: str, other: str) -> bool:
    return name.startswith(other) and _FOLLOWING.fullmatch(name[len(other) :]) is not None


def _numbered(path: Path, number: int) -> Path:
    return path if number == 1 else path.with_name(f"{path.stem}-{number}.json")


def _described(path: Path) -> SavedGame:
    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    try:
        saved = parse_json(read_text(path, "a saved game", "JSON", LARGEST))
        names = tuple(one_line(player["name"], LONGEST_PLAYER) for player in saved["players"])
        has_agents = _names_agents([player.get("agent") for player in saved["players"]])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return SavedGame(path, modified, problem=f"it cannot be read: {type(error).__name__}")
    return SavedGame(path, modified, names, _number(saved.get("turn")), saved.get("over") is True, "", has_agents)


def _names_agents(named: list[Any]) -> bool:
    """Return True if a saved game names an agent in Python. A network with search is no such agent."""
    if not any(isinstance(one, str) for one in named):
        return False
    from evodom.matches.agents import names_agent  # loads Numba, for which --list need not wait

    return any(names_agent(one) for one in named if isinstance(one, str))


def _number(value: Any) -> int | None:
    return value if type(value) is int else None
