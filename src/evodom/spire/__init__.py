"""Slay the Spire: fights of act 1 that can be solved, act maps from their seeds, and routes through them.

A `Fight` is solved turn by turn; a `CardFight` is the same fight as an `evodom.games.ExplicitGame`, card by card. Maps
are in `evodom.spire.map`, routes in `evodom.spire.route`. Cards, enemies, statuses and relics are tables; docs/spire.md
says what of the game is modelled.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.spire.exact.card_fight import CardFight as CardFight
    from evodom.spire.exact.fight import Fight as Fight, FightSetup as FightSetup


__getattr__, __dir__, __all__ = attach(__name__, {"exact.card_fight": "CardFight", "exact.fight": "Fight FightSetup"})
