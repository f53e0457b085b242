"""Games and fights that people play: state, history, undo, files, hints and reviews.

`DominionSession` is a game and `FightSession` a fight. `write_session` saves one, `read_game` and `read_fight_session`
load one. `evodom.terminal` and `evodom.web` show one.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.sessions.content import read_game as read_game
    from evodom.sessions.dominion import (
        DominionSession as DominionSession,
        GameSetup as GameSetup,
        Participant as Participant,
        fill_seats as fill_seats,
        seat_person as seat_person,
    )
    from evodom.sessions.fight import FightSession as FightSession, read_fight_session as read_fight_session
    from evodom.sessions.files import write_session as write_session
    from evodom.sessions.review import Hint as Hint, hints as hints


__getattr__, __dir__ = attach(__name__)
