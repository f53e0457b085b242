"""The block of buy lists in the record of a strategy, and the columns of its tables."""

from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.effect import Type
from evodom.dominion.engine.rules import Numbers

MAX_RULES, MAX_CONDITIONS, MAX_TERMS = 32, 64, 96
"""Capacity of a buy list: rules, conditions of all rules, terms of all conditions."""

TYPES = {kind.name.capitalize(): kind for kind in Type if kind.name}
"""The types of cards by name. A term for a type has the type's index."""

PILE, FIRST_CONDITION, END_CONDITION = range(3)
"""Columns of a rule: its pile, and the range of its conditions."""

OWNED_BELOW, PROVINCES_AT_MOST = range(2)
"""Columns of the bounds of a rule.

A rule holds while fewer than OWNED_BELOW cards of its pile are owned and at most PROVINCES_AT_MOST Provinces are left.
"""

ANY_NUMBER = 32767
"""OWNED_BELOW and PROVINCES_AT_MOST of a rule without these conditions. Larger bounds are written as conditions."""

COMPARISON, FIRST_TERM, END_TERM = range(3)
"""Columns of a condition. The sum of the terms from FIRST_TERM up to END_TERM is compared with its constant."""

QUANTITY, ARGUMENT = range(2)
"""Columns of a term: a quantity, and its argument (a pile or the index of a type). ``factors`` has its factor."""

Bytes = npt.NDArray[np.uint8]


class BuyListColumns(Protocol):
    """Buy lists follow the first rule whose pile is available and whose conditions hold."""

    n_rules: int
    endgame_check: int
    """1: gains that end the game with a loss are left out. 0: all gains are allowed."""
    bounds: Annotated[npt.NDArray[np.int16], (MAX_RULES, 2)]
    constants: Annotated[Numbers, MAX_CONDITIONS]
    factors: Annotated[Numbers, MAX_TERMS]
    type_masks: Annotated[Numbers, len(TYPES)]
    """Mask of the piles of each type."""
    rules: Annotated[Bytes, (MAX_RULES, 3)]
    conditions: Annotated[Bytes, (MAX_CONDITIONS, 3)]
    terms: Annotated[Bytes, (MAX_TERMS, 2)]


TABLES = ("rules", "bounds", "conditions", "constants", "terms", "factors")
"""The columns that hold the rules of a list."""
