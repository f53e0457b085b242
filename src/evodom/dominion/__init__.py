"""Dominion: cards as data, compiled rules, strategies, and a game as Python objects over them.

`DominionGame` is a game being played, one `Decision` after the other; `Dominion` is the same rules as a
`evodom.games.HiddenInformationGame`, for search and for code that treats all games alike. A `Kingdom` is made once and
passed on.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.dominion.cards import Card as Card, find_card as find_card
    from evodom.dominion.contract import Dominion as Dominion
    from evodom.dominion.game import (
        Consequence as Consequence,
        Decision as Decision,
        DominionGame as DominionGame,
        View as View,
    )
    from evodom.dominion.kingdom import FIRST_GAME as FIRST_GAME, Kingdom as Kingdom, parse_kingdom as parse_kingdom
    from evodom.dominion.position import format_position as format_position, parse_position as parse_position


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "cards": "Card find_card",
        "contract": "Dominion",
        "game": "Consequence Decision DominionGame View",
        "kingdom": "FIRST_GAME Kingdom parse_kingdom",
        "position": "format_position parse_position",
    },
)
