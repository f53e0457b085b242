"""Slay the Spire: fights of act 1 that can be solved and played, act maps from their seeds, and routes through them.

A `SpireFight` is an `evodom.games.ExplicitGame`, made from a `Setup`. Maps are in `evodom.spire.map`, routes in
`evodom.spire.route`. Cards, enemies, statuses and relics are tables. docs/reference/fight-rules.md
lists the rules that are modelled.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.spire.engine.game import SpireFight as SpireFight
    from evodom.spire.engine.rules import Setup as Setup


__getattr__, __dir__, __all__ = attach(__name__, {"engine.game": "SpireFight", "engine.rules": "Setup"})
