"""Dominion: cards as data, compiled rules, strategies, and a game as Python objects over them.

`DominionGame` is a game being played, one `Decision` after the other; `Dominion` is the same rules as a
`evodom.games.HiddenInformationGame`, for search and for code that treats all games alike. A `Kingdom` is made once and
passed on.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.dominion.cards import Card, find_card
    from evodom.dominion.contract import Dominion
    from evodom.dominion.game import Consequence, Decision, DominionGame, View
    from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
    from evodom.dominion.position import format_position, parse_position

__all__ = [
    "FIRST_GAME",
    "Card",
    "Consequence",
    "Decision",
    "Dominion",
    "DominionGame",
    "Kingdom",
    "View",
    "find_card",
    "format_position",
    "parse_kingdom",
    "parse_position",
]

__getattr__ = exports(
    __name__,
    {
        "cards": (
            "Card",
            "find_card",
        ),
        "contract": ("Dominion",),
        "game": (
            "Consequence",
            "Decision",
            "DominionGame",
            "View",
        ),
        "kingdom": (
            "FIRST_GAME",
            "Kingdom",
            "parse_kingdom",
        ),
        "position": (
            "format_position",
            "parse_position",
        ),
    },
)
