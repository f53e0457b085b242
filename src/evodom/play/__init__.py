"""The text game: a person at a table with strategies and agents.

A `GameSetup` says who plays where; a `Match` is one such game, a `Session` shows it to a person on a `Console`, and
`watch` prints a game without a person. `write_game` and `read_game` save one and go on with it.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.play.console import Console
    from evodom.play.hint import Hint, hints
    from evodom.play.match import Match
    from evodom.play.saved import read_game, write_game
    from evodom.play.session import Session, SessionEnd
    from evodom.play.setup import GameSetup, Participant, fill_seats, seat_person

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
        "hint": ("Hint", "hints"),
        "match": ("Match",),
        "saved": ("read_game", "write_game"),
        "session": ("Session", "SessionEnd"),
        "setup": ("GameSetup", "Participant", "fill_seats", "seat_person"),
    },
)
