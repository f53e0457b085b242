"""Games and fights that people play: state, history, undo, files, hints, reviews, and the terminal.

`GameSetup` holds the players and the kingdom. `Match` is one game, and `Session` shows it on a `Console`.
`write_game` and `read_game` save and load a game.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.sessions.console import Console
    from evodom.sessions.dominion import GameSetup, Match, Participant, fill_seats, seat_person
    from evodom.sessions.dominion_terminal import Session, SessionEnd
    from evodom.sessions.files import read_game, write_game
    from evodom.sessions.hints import Hint, hints


__all__ = [
    "Console",
    "GameSetup",
    "Hint",
    "Match",
    "Participant",
    "Session",
    "SessionEnd",
    "fill_seats",
    "hints",
    "read_game",
    "seat_person",
    "write_game",
]

__getattr__ = exports(
    __name__,
    {
        "console": ("Console",),
        "dominion": ("GameSetup", "Match", "Participant", "fill_seats", "seat_person"),
        "dominion_terminal": ("Session", "SessionEnd"),
        "files": ("read_game", "write_game"),
        "hints": ("Hint", "hints"),
    },
)
