"""Games and fights that people play: state, history, undo, files, hints, reviews, and the terminal.

`GameSetup` holds the players and the kingdom. `Match` is one game, and `Session` shows it on a `Console`.
`write_game` and `read_game` save and load a game.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.sessions.console import Console as Console
    from evodom.sessions.dominion import (
        GameSetup as GameSetup,
        Match as Match,
        Participant as Participant,
        fill_seats as fill_seats,
        seat_person as seat_person,
    )
    from evodom.sessions.dominion_terminal import Session as Session, SessionEnd as SessionEnd
    from evodom.sessions.files import read_game as read_game, write_game as write_game
    from evodom.sessions.hints import Hint as Hint


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "console": "Console",
        "dominion": "GameSetup Match Participant fill_seats seat_person",
        "dominion_terminal": "Session SessionEnd",
        "files": "read_game write_game",
        "hints": "Hint",
    },
)
