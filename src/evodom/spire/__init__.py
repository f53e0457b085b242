"""Slay the Spire: fights of act 1, act maps from seeds, and routes through maps.

    engine     rules of fights as a compiled game; a `SpireFight` is made from a `Setup`
    content    cards, enemies, relics, potions and statuses as tables
    fights     fights in files, names, states in progress
    solver     exact values of fights
    draws      odds of drawing cards in the next turns
    play       tree search of fights, playouts, networks
    embedding  hypernetwork for all fights of the act
    map        act maps
    route      best routes
    messages   files of the running game; `current_run` has the player and the place

docs/reference/fight-rules.md lists the rules that are modelled.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.spire.engine.game import SpireFight as SpireFight
    from evodom.spire.engine.compiler import Setup as Setup


__getattr__, __dir__ = attach(__name__)
