"""Dominion: cards as data, compiled rules, strategies, and games as Python objects.

`DominionGame` is a game in progress, played one `Decision` at a time. `Dominion` has the same rules as an
`evodom.games.HiddenInformationGame`, for search and for code independent of the game. Create a `Kingdom` once and reuse
the object, which caches its compiled rules.
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
    from evodom.dominion.position import format_position as format_position


__getattr__, __dir__ = attach(__name__)
