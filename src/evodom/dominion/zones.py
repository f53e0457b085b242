"""The places where a player's cards lie set aside or on a mat: their names, and who sees the cards.

Open this module to add a mat. Views, observations, positions, the screen and the page read PLACES.
"""

from collections import Counter
from dataclasses import dataclass

from evodom.dominion.effects.ops import Zone


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a player's cards."""

    zone: Zone
    name: str
    """Name in observations, on the screen and on the page."""
    card: str = ""
    """The card whose mat it is; "" if it is no mat."""
    word: str = ""
    """Name of a mat in the text of a position."""
    is_open: bool = True
    """True if all players see the cards there, except cards face down. False if only the owner sees them."""


SET_ASIDE = Place(Zone.SET_ASIDE, "set aside")

MATS = (
    Place(Zone.ISLAND_MAT, "Island mat", "Island", "island"),
    Place(Zone.VILLAGE_MAT, "Native Village mat", "Native Village", "village", is_open=False),
)

PLACES = (SET_ASIDE, *MATS)


@dataclass(frozen=True, slots=True)
class SeenCards:
    """The cards of a place that a viewer sees, and the number of further cards there."""

    cards: Counter[str]
    unseen: int
