"""The rules once more, as plain Python that shares no line with the engine: slow, and without shuffling.

`tables` has a row for each card: its steps are methods of `steps`. What a row cannot say is a method of its set, named
after the card. Methods ask with `yield` and go on with the answer. Decks are lists, the top card last; a card that
would need a shuffle raises `ShuffleNeeded`.
"""

from tests.dominion.reference.base_set import BaseSet
from tests.dominion.reference.intrigue import Intrigue
from tests.dominion.reference.prosperity import Prosperity
from tests.dominion.reference.questions import ShuffleNeeded
from tests.dominion.reference.seaside import Seaside
from tests.dominion.reference.steps import Steps
from tests.dominion.reference.tables import ACTIONS, TREASURES

__all__ = ["PLAYED", "Reference", "ShuffleNeeded"]

PLAYED = ACTIONS | TREASURES
"""The cards that are played in some game; Curse is in others."""


class Reference(Steps, BaseSet, Intrigue, Seaside, Prosperity):
    """A game that begins with a turn of the first seat, or with its ``phase`` "action"."""
